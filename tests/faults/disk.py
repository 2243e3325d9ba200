"""The disk as `durable` sees it, with faults: stands in for `os` there, counts and records each call, and fails where it is told to."""

import errno
import os
import random
import signal
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, NoReturn

KINDS = ("kill", "eio", "enospc", "eacces", "short")
_ERRORS = {"eio": errno.EIO, "enospc": errno.ENOSPC, "eacces": errno.EACCES}
_NAMED = {
    "STATE.md": "state",
    "WORK.md": "work",
    "project.toml": "project",
    ".lock": "lock",
    "lock": "lock",
    "seal.json": "seal",
    "search.key": "key",
    "imported.json": "seen",
    "handoffsite.toml": "settings",
    ".handoffsite-site.json": "manifest",
    ".gitignore": "ignored",
}
_FOLDERS = {"sessions": "record", "archive": "archive", "inbox": "pointer", "mail": "mail", "quarantine": "quarantine"}
_ENDINGS = {".part": "part", ".template": "template", ".sqlite": "fold"}

# Of each call that worked: its name, its paths, and the bytes that it wrote.
Call = tuple[str, str, str, bytes]
# Says before or after which call, by its number, name and kind of path, a fault comes, and which.
Decide = Callable[[str, int, str, str], str]


def kind_of(path: str) -> str:
    """What *path* is for: a record, STATE.md, a page …; a temporary file is what it will become."""
    pure = PurePath(path)
    name = pure.name
    if ".tmp-" in name:
        name = name.removeprefix(".").rpartition(".tmp-")[0]
    folder = pure.parent.name
    if name in _NAMED:
        return _NAMED[name]
    if folder in _FOLDERS:
        return _FOLDERS[folder]
    if "build" in pure.parts or any(".next-" in part or ".last-" in part for part in pure.parts):
        return "site"
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), "folder")


class Disk:
    """`os`, with a word at each call that changes a file system."""

    def __init__(self, decide: Decide, *, keep: bool = False) -> None:
        self.count = 0
        self.calls: list[Call] = []
        self.tried: list[tuple[str, str]] = []
        self.points: set[str] = set()
        self.struck = ""
        self._decide = decide
        self._keep = keep
        self._open: dict[int, tuple[str, bool]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: Any, flags: int, mode: int = 0o777) -> int:
        name = "opendir" if flags & os.O_DIRECTORY else "create"
        handle: int = self._do(name, os.fspath(path), "", lambda: os.open(path, flags, mode))
        self._open[handle] = (os.fspath(path), bool(flags & os.O_DIRECTORY))
        return handle

    def close(self, handle: int) -> None:
        self._open.pop(handle, None)
        os.close(handle)

    def write(self, handle: int, data: Any) -> int:
        path = self._open[handle][0]
        number, fault = self._before("write", path)
        if fault == "short" and len(data) > 1:
            data = data[: len(data) // 2]
        elif fault and fault != "short":
            self._strike(fault, path, handle, data)
        done = os.write(handle, data)
        self._after(number, "write", path, "", bytes(data[:done]))
        return done

    def fsync(self, handle: int) -> None:
        path, is_folder = self._open[handle]
        self._do("syncdir" if is_folder else "fsync", path, "", lambda: os.fsync(handle))

    def replace(self, old: Any, new: Any) -> None:
        self._do("replace", os.fspath(old), os.fspath(new), lambda: os.replace(old, new))

    def rename(self, old: Any, new: Any) -> None:
        self._do("replace", os.fspath(old), os.fspath(new), lambda: os.rename(old, new))

    def link(self, old: Any, new: Any, **how: Any) -> None:
        self._do("link", os.fspath(old), os.fspath(new), lambda: os.link(old, new, **how))

    def unlink(self, path: Any) -> None:
        self._do("unlink", os.fspath(path), "", lambda: os.unlink(path))

    def rmdir(self, path: Any) -> None:
        self._do("rmdir", os.fspath(path), "", lambda: os.rmdir(path))

    def mkdir(self, path: Any, mode: int = 0o777) -> None:
        self._do("mkdir", os.fspath(path), "", lambda: os.mkdir(path, mode))

    def chmod(self, path: Any, mode: int) -> None:
        self._do("chmod", os.fspath(path), "", lambda: os.chmod(path, mode))

    def syncfs(self, real: Callable[[int], None]) -> Callable[[int], None]:
        """`durable._syncfs`, by way of this disk."""
        return lambda handle: self._do("syncfs", self._open[handle][0], "", lambda: real(handle))

    def exchange(self, real: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
        """`durable._exchanged`, by way of this disk."""
        return lambda new, out: bool(self._do("exchange", os.fspath(new), os.fspath(out), lambda: real(new, out)))

    def _do(self, name: str, path: str, other: str, real: Callable[[], Any]) -> Any:
        number, fault = self._before(name, other or path)
        if fault and fault != "short":
            self._strike(fault, path)
        found = real()
        self._after(number, name, path, other, b"")
        return found

    def _before(self, name: str, path: str) -> tuple[int, str]:
        number = self.count
        self.count += 1
        self.tried.append((name, path))
        self.points.add(f"before {name} {kind_of(path)}")
        fault = self._decide("before", number, name, kind_of(path))
        self.struck = self.struck or fault
        return number, fault

    def _after(self, number: int, name: str, path: str, other: str, data: bytes) -> None:
        if self._keep:
            self.calls.append((name, path, other, data))
        self.points.add(f"after {name} {kind_of(other or path)}")
        if self._decide("after", number, name, kind_of(other or path)) == "kill":
            self._strike("kill", path)

    def _strike(self, fault: str, path: str, handle: int = -1, data: Any = b"") -> NoReturn:
        if fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if fault == "enospc" and handle >= 0 and len(data) > 1:
            os.write(handle, data[: len(data) // 2])  # a full disk takes what still fits
        raise OSError(_ERRORS[fault], os.strerror(_ERRORS[fault]), path)


def nowhere(when: str, number: int, name: str, kind: str) -> str:
    """No fault at all."""
    del when, number, name, kind
    return ""


def at_call(wanted: int, fault: str) -> Decide:
    """*fault* before the call of this number."""
    return lambda when, number, name, kind: fault if when == "before" and number == wanted else ""


def from_call(wanted: int, fault: str) -> Decide:
    """*fault* before each call from this number on, as on a disk that stays full."""
    return lambda when, number, name, kind: fault if when == "before" and number >= wanted else ""


def at_point(point: str, nth: int) -> Decide:
    """A kill where *point* (`before replace record`) is passed for the *nth* time."""
    left = [nth]

    def decide(when: str, number: int, name: str, kind: str) -> str:
        del number
        if f"{when} {name} {kind}" == point:
            left[0] -= 1
            return "kill" if left[0] == 0 else ""
        return ""

    return decide


def by_chance(seed: str) -> Decide:
    """As a simulation throws dice: each kind of call is faulty with a chance of one in four, and then fails each time with one in eight."""
    dice = random.Random(seed)
    faulty: dict[str, str] = {}

    def decide(when: str, number: int, name: str, kind: str) -> str:
        del number
        point = f"{when} {name} {kind}"
        if point not in faulty:
            faulty[point] = dice.choice(KINDS) if dice.random() < 0.25 else ""
        fault = faulty[point]
        return fault if fault and dice.random() < 0.125 and (when == "before" or fault == "kill") else ""

    return decide
