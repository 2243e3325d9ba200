"""tasks/ on disk: the packet of each task that a project accepted, copied from the ledger, and sealed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from handoffsite import durable
from handoffsite.errors import HandoffError, Malformed
from handoffsite.records import shape, task
from handoffsite.records.clean import CleanDocument
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.utf8 import decoded
from handoffsite.store import boundary as boundaries
from handoffsite.store.boundary import Boundary

FOLDER = "tasks"
_COPY = task.object_of(
    {
        "schema": {"const": task.SCHEMA},
        "task": task.ID,
        "version": {"type": "integer", "minimum": 1},
        "packet_version": {"type": "integer", "minimum": 1},
        "accepted_by": task.NAME,
        "at": {"type": "string"},
        "packet": task.schema(),
        "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    },
    *"schema task version packet_version accepted_by at packet sha256".split(),
)


def keep(boundary: Boundary, copy: CleanDocument) -> str:
    """Keep *copy*, durably, in place of an earlier one of its task; its path in the boundary."""
    name = f"{FOLDER}/{copy['task']}.json"
    with boundaries.locked(boundary):
        durable.make_folder(boundary.root / FOLDER)
        durable.write(boundary.root / name, dumps(copy).encode())
    return name


def dumps(copy: CleanDocument) -> str:
    """The text of the file: *copy*, and the digest by which damage and edits are seen."""
    said = {name: content for name, content in copy.items() if name != "sha256"}
    return json.dumps({**said, "sha256": _digest(said)}, ensure_ascii=False, indent=1) + "\n"


def version(boundary: Boundary, id: str) -> int:
    """The version of the packet that is kept here of the task *id*; 0 without one that is whole."""
    try:
        return int(load(boundary, id)["packet_version"])
    except (HandoffError, OSError):
        return 0


def load(boundary: Boundary, id: str) -> dict[str, Any]:
    """The copy of the task *id*; Malformed where it is damaged, or was edited."""
    name = f"{FOLDER}/{id}.json"
    path = boundary.root / name
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        raise Malformed("is not there", file=name, hint="the next move of the task copies it again")
    found = shape.parse(decoded(path.read_bytes(), name, "restore it from git"))
    task.refuse(found, _COPY, "restore it from git", name)
    if found["task"] != id or found["sha256"] != _digest({key: content for key, content in found.items() if key != "sha256"}):
        error = Malformed(
            "it was changed after it was copied", file=name, line=1, hint="restore it from git; the ledger has the packet"
        )
        error.code = "edited"
        raise error
    return dict(found)


def ids(boundary: Boundary) -> list[str]:
    """The tasks of which a copy is kept here."""
    folder = boundary.root / FOLDER
    return sorted(path.stem for path in folder.glob("*.json") if path.name[0] != ".") if folder.is_dir() else []


def purged(boundary: Boundary, without: Callable[[bytes], bytes]) -> dict[Path, bytes]:
    """What takes the place of each whole copy that *without* changes, sealed anew; what was damaged before is treated as any other file."""
    found: dict[Path, bytes] = {}
    for id in ids(boundary):
        path = boundary.root / FOLDER / f"{id}.json"
        try:
            before = load(boundary, id)
            after = json.loads(without(json.dumps(before, ensure_ascii=False).encode()))
        except (HandoffError, OSError, ValueError):
            continue
        if after != before:
            found[path] = dumps(CleanDocument(after)).encode()
    return found


def problems(boundary: Boundary) -> list[Problem]:
    """What is wrong with the copies."""
    found = []
    for id in ids(boundary):
        try:
            load(boundary, id)
        except (HandoffError, OSError) as error:
            found.append(problem_of(error, f"{FOLDER}/{id}.json"))
    return found


def _digest(said: dict[str, Any]) -> str:
    return durable.digest(json.dumps(said, ensure_ascii=False, sort_keys=True).encode())
