"""archive/: what no longer holds, one file a kind, with what ended it and what took its place."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from handoffsite import durable
from handoffsite.records import grammar
from handoffsite.records.item import Item
from handoffsite.records.problem import Problem
from handoffsite.records.visible import visible
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

FOLDER = "archive"
_FILES = {"decision": "decisions.md", "constraint": "constraints.md", "thread": "threads.md", "completed": "completed.md"}
_DETAILS = ("topic", "rationale", "alternatives", "tried", "outcome", "because", "next", "supersedes", "evidence")


def write(boundary: Boundary, fold: Fold) -> tuple[str, ...]:
    """Bring archive/ in line with the fold; the names of the files that changed. The caller holds the boundary's lock."""
    if fold.noted(FOLDER) == _mark(boundary, fold):
        return ()
    changed = _written(boundary.root / FOLDER, fold)
    fold.note(FOLDER, _mark(boundary, fold))
    return tuple(changed)


def problems(boundary: Boundary, fold: Fold) -> list[Problem]:
    """The files of archive/ that are missing, left over, damaged, edited by hand, or older than the records."""
    found = []
    for kind, name in _FILES.items():
        items = fold.archived(kind)
        path = boundary.root / FOLDER / name
        data = path.read_bytes() if path.is_file() else b""
        wanted = dumps(kind, items, fold).encode() if items else b""
        if data != wanted:
            what = "missing" if not data else "left over" if not wanted else "not as the records fold to it"
            fix = "`handoffsite build` folds it again"
            found.append(Problem(code="archive", severity="warning", message=what, file=f"{FOLDER}/{name}", fix=fix))
    return found


def _mark(boundary: Boundary, fold: Fold) -> str:
    """What tells that nobody touched the files since they were written, and that they would be written the same."""
    found = [fold.record_set()]
    for name in _FILES.values():
        with contextlib.suppress(FileNotFoundError):
            status = (boundary.root / FOLDER / name).lstat()
            found.append(f"{name} {status.st_size}.{status.st_ctime_ns}")
    return " ".join(found)


def _written(folder: Path, fold: Fold) -> list[str]:
    changed = []
    for kind, name in _FILES.items():
        items = fold.archived(kind)
        path = folder / name
        if not items:
            if path.exists():
                durable.remove(path)
                changed.append(name)
            continue
        durable.make_folder(folder)
        data = dumps(kind, items, fold).encode()
        if not path.is_file() or path.read_bytes() != data:
            durable.write(path, data)
            changed.append(name)
    return changed


def dumps(kind: str, items: list[Item], fold: Fold) -> str:
    """The text of one file of the archive, sealed."""
    name = _FILES[kind].removesuffix(".md")
    parts = [f"# Archived {name}\n", *("\n".join(_section(item, fold)) + "\n" for item in items)]
    return grammar.seal(visible("\n".join(parts)), f"archive {name}")


def _section(item: Item, fold: Fold) -> Iterator[str]:
    yield f"## {item.id} {grammar.one_line(item.title)} ({item.status})\n"
    if item.superseded_by:
        other = fold.get(item.superseded_by)
        yield f"- replaced by: {item.superseded_by}" + (f" {grammar.one_line(other.title)}" if other else "")
    for name in _DETAILS:
        content = getattr(item.value, name, "")
        if content and content != item.title:
            yield f"- {name}: {_words(content)}"
    yield f"- from: {item.session}, {item.defined}"
    for step in item.steps:
        changes = ", ".join(f"{key} {_words(content)}" for key, content in step.changes.items()) or "further evidence"
        yield f"- then: {changes} in {step.record}, {step.at}" + (f": {step.reason}" if step.reason else "")


def _words(content: str | tuple[str, ...]) -> str:
    return ", ".join(content) if isinstance(content, tuple) else grammar.one_line(content)
