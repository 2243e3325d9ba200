"""What a power cut may leave: the file system as it was, the calls that were made, and a choice of what of them reached the disk.

A call on a directory (a new name, a rename, a deletion) is lost unless that directory was synced afterwards; the calls on one
directory reach the disk in their order, those on different ones in any. What was written into a file is lost, cut at a sector, or
full of NULs, unless the file was synced: also where its new name is on disk already.
"""

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.disk import Call

SECTOR = 512
_VARIANTS = ("kept", "nothing", "lost", "torn", "nul")
_RANDOM = 6
# A file's bytes by its path, None for a folder.
Tree = dict[str, bytes | None]


@dataclass(eq=False)
class _File:
    durable: bytes = b""
    now: bytes = b""


@dataclass(eq=False)
class _Folder:
    durable: "dict[str, _File | _Folder]" = field(default_factory=dict)
    now: "dict[str, _File | _Folder]" = field(default_factory=dict)
    pending: "list[dict[str, _File | _Folder]]" = field(default_factory=list)

    def change(self, names: "dict[str, _File | _Folder | None]") -> None:
        """Give names, or take them away, in one step."""
        self.now = {name: node for name, node in {**self.now, **names}.items() if node is not None}
        self.pending.append(self.now)

    def sync(self) -> None:
        self.durable, self.pending = self.now, []


class Machine:
    """A file system below *root* that holds *tree*, all of it on disk."""

    def __init__(self, root: Path, tree: Tree) -> None:
        self._prefix = os.fspath(root).split("/")
        self._top = _Folder()
        for path, data in sorted(tree.items()):
            parent, name = self._place(path.split("/"))
            parent.now[name] = _Folder() if data is None else _File(data, data)
        self._sync_all(self._top)

    def do(self, call: Call) -> None:
        """Carry out one call."""
        name, path, other, data = call
        parent, last = self._place(self._parts(path))
        node = parent.now.get(last)
        match name:
            case "create" if node is None:
                parent.change({last: _File()})
            case "write" if isinstance(node, _File):
                node.now += data
            case "fsync" if isinstance(node, _File):
                node.durable = node.now
            case "syncdir" if isinstance(node, _Folder):
                node.sync()
            case "syncfs":
                self._sync_all(self._top)
            case "mkdir":
                parent.change({last: _Folder()})
            case "unlink" | "rmdir":
                parent.change({last: None})
            case "link":
                folder, new = self._place(self._parts(other))
                folder.change({new: node})
            case "replace" | "exchange":
                folder, new = self._place(self._parts(other))
                assert folder is parent, "a rename from one folder to another is two steps on disk"
                parent.change({last: folder.now[new] if name == "exchange" else None, new: node})

    def after_power_cut(self, variant: str, dice: random.Random) -> Tree:
        """What is on disk then, in one of the ways in which that may be."""
        tree: Tree = {}
        self._gather(self._top, "", variant, dice, tree, {})
        return tree

    def _gather(
        self, folder: _Folder, path: str, variant: str, dice: random.Random, tree: Tree, chosen: dict[_File, bytes]
    ) -> None:
        for name, node in sorted(_names(folder, variant, dice).items()):
            if isinstance(node, _File):
                if node not in chosen:
                    chosen[node] = _content(node, variant, dice)
                tree[f"{path}{name}"] = chosen[node]
            else:
                tree[f"{path}{name}"] = None
                self._gather(node, f"{path}{name}/", variant, dice, tree, chosen)

    def _place(self, parts: Sequence[str]) -> tuple[_Folder, str]:
        folder = self._top
        if not parts:
            return _Folder({"": folder}, {"": folder}), ""
        for part in parts[:-1]:
            inner = folder.now[part]
            assert isinstance(inner, _Folder)
            folder = inner
        return folder, parts[-1]

    def _parts(self, path: str) -> list[str]:
        parts = path.split("/")
        assert parts[: len(self._prefix)] == self._prefix, path
        return parts[len(self._prefix) :]

    def _sync_all(self, folder: _Folder) -> None:
        folder.sync()
        for node in folder.now.values():
            if isinstance(node, _File):
                node.durable = node.now
            else:
                self._sync_all(node)


def _names(folder: _Folder, variant: str, dice: random.Random) -> "dict[str, _File | _Folder]":
    steps = [folder.durable, *folder.pending]
    if variant == "nothing":
        return steps[0]
    return dice.choice(steps) if variant == "random" else steps[-1]


def _content(file: _File, variant: str, dice: random.Random) -> bytes:
    if variant == "random":
        variant = dice.choice(("kept", "nothing", "torn", "nul"))
    if file.now == file.durable or variant == "kept":
        return file.now
    cut = SECTOR * dice.randint(0, len(file.now) // SECTOR)
    match variant:
        case "torn":
            return file.now[:cut]
        case "nul":
            return file.now[:cut] + bytes(len(file.now) - cut)
    return file.durable


def cuts(root: Path, before: Tree, calls: Sequence[Call], most: int = 1 << 30) -> Iterator[tuple[int, str, Tree]]:
    """After each call (or after *most* of them, and the last): its number, in which way the power failed, and what is then on disk."""
    machine = Machine(root, before)
    dice = random.Random(len(calls))
    step = -(-len(calls) // most)
    for number, call in enumerate(calls, 1):
        machine.do(call)
        if number % step and number < len(calls):
            continue
        seen = []
        for variant in (*_VARIANTS, *["random"] * _RANDOM):
            tree = machine.after_power_cut(variant, dice)
            if tree not in seen:
                seen.append(tree)
                yield number, variant, tree
