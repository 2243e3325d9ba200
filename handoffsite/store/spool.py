"""How a pointer gets into a boundary's inbox. A client waits for it, so this loads next to nothing; `inbox` reads what lies there."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Conflict, Refused

FOLDER = "inbox"
NOTES = "notes"
_LOCK = ".lock"


def put(root: Path, pointer: Mapping[str, str | bool]) -> Path:
    """Keep *pointer*, of which only what says something counts, at *root*, durably; the same one twice is one."""
    said = {name: pointer[name] for name in sorted(pointer) if pointer[name]}
    data = json.dumps(said, ensure_ascii=False).encode("utf-8", "surrogateescape")
    path = folder(root) / f"{durable.digest(data)[:16]}.json"
    if not path.exists():
        durable.write(path, data, mode=durable.PRIVATE_FILE)
    return path


def folder(root: Path, *below: str) -> Path:
    """The inbox at *root*, or a folder *below* it, made where it is missing; Refused where it is a link, which may lead to anybody's."""
    inbox = root / FOLDER
    for path in (root, inbox):
        if path.is_symlink():
            raise Refused("a symbolic link, and a boundary holds its own files alone", file=str(path), hint="remove the link")
    return durable.private_folder(inbox.joinpath(*below))


@contextlib.contextmanager
def notes(root: Path, timeout: float = durable.LOCK_SECONDS) -> Iterator[Path]:
    """The folder of the notes at *root*, held: a note and the pointer to it come and go together. Conflict after *timeout* seconds."""
    held = folder(root, NOTES)
    with durable.lock(held / _LOCK, timeout, mode=durable.PRIVATE_FILE):
        yield held


def clear_notes(root: Path) -> None:
    """Delete the notes at *root* that no pointer names, and what was written of one: whoever put or took them was killed. One that is being put stays."""
    if not any(path.name != _LOCK for path in _listed(root / FOLDER / NOTES)):
        return
    with contextlib.suppress(Conflict), notes(root, 0) as held:
        durable.clear_litter(held)
        named = b"".join(path.read_bytes() for path in _listed(root / FOLDER) if path.suffix == ".json" and path.is_file())
        for path in _listed(held):
            if path.suffix == ".md" and path.name.encode() not in named:
                durable.remove(path)


def _listed(folder: Path) -> list[Path]:
    """What lies in *folder*, links aside; nothing where it is none, or a link."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if not path.is_symlink()]
