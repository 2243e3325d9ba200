"""What lies in a boundary and is not meant to: copies of sync tools, files of killed writers, files that were set aside."""

import os
from collections.abc import Iterator
from pathlib import Path

from handoffsite import durable
from handoffsite.records.problem import Problem
from handoffsite.store import sessions
from handoffsite.store.boundary import LOCAL, QUARANTINE, WRITTEN, Boundary, backups, repository_of
from handoffsite.store.sessions import Stranger

GITIGNORE = ".gitignore"
_GENERATED = frozenset({"build", QUARANTINE, "inbox", "sessions"})


def problems(boundary: Boundary) -> list[Problem]:
    """Everything of that kind. Nothing is read outside the boundary, and no link is followed."""
    found = [_of_stranger(stranger) for stranger in sessions.strangers(boundary)]
    found += [_of_copy(path.relative_to(boundary.root).as_posix()) for path in _copies(boundary.root)]
    found += [
        Problem(
            code="litter",
            severity="warning",
            message="left by a writer that was killed",
            file=path.relative_to(boundary.root).as_posix(),
            fix="the next writing command, or `handoffsite check --fix`, clears it",
        )
        for path in litter(boundary)
    ]
    if missing := unignored(boundary):
        found.append(
            Problem(
                code="gitignore",
                severity="warning",
                message=f"git is not told to leave out {', '.join(missing)}",
                file=GITIGNORE,
                fix="`handoffsite check --fix` adds it",
            )
        )
    return found + [
        Problem(
            code="quarantined",
            severity="warning",
            message="set aside because it could not be understood",
            file=f"{QUARANTINE}/{name}",
            fix="record what it says that is wanted, then delete it",
        )
        for name in _set_aside(boundary)
    ]


def litter(boundary: Boundary) -> list[Path]:
    """What killed writers left; what a living process is writing is none."""
    found = []
    for folder in (boundary.root, *(boundary.root / name for name in WRITTEN), *backups(boundary.root)):
        names = os.listdir(folder) if folder.is_dir() and not folder.is_symlink() else []  # noqa: PTH208 -- there may be 10,000
        found += [folder / name for name in sorted(names) if sessions.is_litter(name) and not _is_being_written(name)]
    return found


def unignored(boundary: Boundary) -> list[str]:
    """The lines that .gitignore lacks, where the boundary lies in a repository."""
    if repository_of(boundary.root.resolve()) is None:
        return []
    path = boundary.root / GITIGNORE
    lines = path.read_text(encoding="utf-8", errors="replace").split() if path.is_file() and not path.is_symlink() else []
    return [name for name in LOCAL if name not in lines and "*" not in lines]


def _is_being_written(name: str) -> bool:
    return durable.is_alive(name.rpartition(".tmp-")[2].partition("-")[0])


def _copies(folder: Path, *, top: bool = True) -> Iterator[Path]:
    """Copies of sync tools and editors beside what is not a record."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            if not (top and entry.name in _GENERATED):
                yield from _copies(Path(entry.path), top=False)
        elif sessions.is_copy(entry.name):
            yield Path(entry.path)


def _set_aside(boundary: Boundary) -> list[str]:
    folder = boundary.root / QUARANTINE
    if not folder.is_dir() or folder.is_symlink():
        return []
    return sorted(entry.name for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False) and entry.name[0] != ".")


def _of_copy(file: str) -> Problem:
    message = "a copy that a sync tool, a merge or an editor left; it is not read"
    return Problem(
        code="stray-copy",
        severity="warning",
        message=message,
        file=file,
        fix="compare it with the file that it was made of, then delete it",
    )


def _of_stranger(stranger: Stranger) -> Problem:
    file = f"sessions/{stranger.name}"
    if stranger.nature:
        message = f"a {stranger.nature}, no file, so it is not read"
        return Problem(
            code="stranger", severity="warning", message=message, file=file, fix="put the record itself there, or remove it"
        )
    if not (stranger.copy or stranger.original):
        fix = "merge what it holds into a record, or remove it"
        return Problem(code="stranger", severity="warning", message="no record, so it is not read", file=file, fix=fix)
    holds = f"it is named after {stranger.ids[0]} and holds {stranger.ids[1]}" if len(stranger.ids) > 1 else ""
    holds = holds or (f"it holds {stranger.ids[0]}" if stranger.ids else "it holds no record's ID")
    if not stranger.original:
        same, fix = ", which no record here is", "if it is whole, `handoffsite check --fix` makes it the record; else delete it"
    elif stranger.identical:
        same = f", byte for byte as {stranger.original} does"
        fix = "`handoffsite check --fix` moves it to quarantine/"
    else:
        same, fix = (
            f", as {stranger.original} does, in other words",
            "compare the two; what only the copy says, record anew; then delete it",
        )
    message = f"a copy that a sync tool or an editor left, which is no record: {holds}{same}"
    return Problem(code="record-copy", severity="warning", message=message, file=file, fix=fix)
