"""`check --fix`: mends what can be mended without losing anything, and says what it cannot.

Each code of a problem has one mender at most. Whatever a mender changes or moves is copied whole into quarantine/ before.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from handoffsite.commands import check, writing
from handoffsite.commands.place import Place
from handoffsite.errors import HandoffError
from handoffsite.records import grammar
from handoffsite.records.problem import Problem
from handoffsite.sources import git
from handoffsite.store import boundary as boundaries
from handoffsite.store import leftovers, sessions
from handoffsite.store.backup import Backup
from handoffsite.store.boundary import Boundary

BACKUP = "check-fix"
DAMAGE = ("conflict", "truncated", "edited", "malformed")


@dataclass(slots=True)
class Mending:
    """One boundary being mended: *done* tells what was done, *backup* holds what was changed, as it was."""

    boundary: Boundary
    backup: Backup
    done: list[dict[str, str]] = field(default_factory=list)

    def say(self, problem: Problem, what: str) -> None:
        """Note that *problem* is mended, and how."""
        self.done.append({"code": problem.code, "file": problem.file, "message": what})


Mender = Callable[[Mending, Problem], None]


def fix(place: Place, boundary: Boundary) -> tuple[list[dict[str, str]], str]:
    """Mend *boundary*: what was done, and the folder of the backup, which is empty where nothing was changed.

    Conflict where another process writes meanwhile. What is only derived is folded again last, from the records as they are then.
    """
    name = f"{boundaries.QUARANTINE}/{BACKUP}-{place.time.translate({45: None, 58: None})}"
    mending = Mending(boundary, Backup(boundary, name))
    litter = [path.relative_to(boundary.root).as_posix() for path in leftovers.litter(boundary)]
    with boundaries.locked(boundary):  # which clears it
        for file in litter:
            if not (boundary.root / file).exists():
                mending.say(Problem(code="litter", message="", file=file), "cleared")
        for problem in check.problems_of(boundary):
            mender = MENDERS.get(problem.code)
            if mender:
                try:
                    mender(mending, problem)
                except FileNotFoundError:
                    continue  # an earlier mender moved it
    left = check.problems_of(boundary)
    damaged = any(problem.code in DAMAGE and problem.file.startswith("sessions/") for problem in left)
    # What lacks the damaged records is never written: what stands there is the last that was whole.
    stale = [] if damaged else [one for one in left if one.code in DERIVED and _is_derived(one.file)]
    for problem in stale:
        mending.backup.keep(problem.file)
    if stale:
        with writing.writing(place, boundary, verify=True) as writer:
            writing.refold(writer)
        still = {(problem.code, problem.file) for problem in check.problems_of(boundary)}
        for problem in stale:
            if (problem.code, problem.file) not in still:
                mending.say(problem, "folded again from the records")
    return mending.done, "" if mending.backup.is_empty else name


def fixed(place: Place, *, workspace: bool = False) -> dict[str, Any]:
    """As `check`, after mending: also `mended`, what was done, and `backups`, where what was changed is kept."""
    mended: list[dict[str, str]] = []
    backups: list[str] = []
    failed: list[dict[str, str]] = []
    for boundary, prefix in check.boundaries_of(place, workspace=workspace):
        try:
            done, backup = fix(place, boundary)
        except (HandoffError, OSError) as error:
            failed.append({"file": prefix.rstrip("/") or boundary.project.name, "message": str(error)})
            continue
        mended += [{**one, "file": f"{prefix}{one['file']}"} for one in done]
        backups += [f"{prefix}{backup}"] if backup else []
    return {**check.check(place, workspace=workspace), "mended": mended, "backups": backups, "failed": failed}


def _respelled(mending: Mending, problem: Problem) -> None:
    path = mending.boundary.root / problem.file
    text = path.read_bytes().decode("utf-8")
    mending.backup.write(problem.file, grammar.plain(text).encode())
    mending.say(problem, "written as it was sealed")


def _restored(mending: Mending, problem: Problem) -> None:
    """The record as it was sealed, where one copy of it is at hand: its name ends in a mark of its bytes, so nothing is guessed."""
    name = problem.file.removeprefix("sessions/")
    if name == problem.file or not sessions.NAME.fullmatch(name):
        return
    for data, source in _candidates(mending.boundary, name):
        try:
            record, _ = sessions.parse(data, problem.file)
        except HandoffError:
            continue
        whole = grammar.plain(data.decode("utf-8")).encode()
        if sessions.file_name(record, whole) == name:
            mending.backup.write(problem.file, whole)
            mending.say(problem, f"restored from {source}")
            return


def _candidates(boundary: Boundary, name: str) -> Iterator[tuple[bytes, str]]:
    damaged = (boundary.sessions / name).read_bytes()
    for side in grammar.sides(damaged.decode("utf-8", "replace")):
        yield side.encode("utf-8", "surrogatepass"), "the side of the merge that is whole"
    id = sessions.id_of(name)
    for stranger in sessions.strangers(boundary):
        if id in stranger.ids:
            yield (boundary.sessions / stranger.name).read_bytes(), f"sessions/{stranger.name}"
    root = boundaries.repository_of(boundary.root.resolve())
    if root is not None:
        path = (boundary.sessions / name).resolve().relative_to(root).as_posix()
        data = git.committed(root, path)
        if data is not None:
            yield data, "git's HEAD"


def _copy(mending: Mending, problem: Problem) -> None:
    """A copy says nothing of its own where it is that of a record, byte for byte; where the record is gone, it is the record."""
    name = problem.file.removeprefix("sessions/")
    found = next((one for one in sessions.strangers(mending.boundary) if one.name == name), None)
    if found is None:
        return
    if found.identical:
        _set_aside(mending, problem, f"moved away: {found.original} holds the same bytes")
    elif not found.original:
        path = mending.boundary.sessions / name
        try:
            record, _ = sessions.read(mending.boundary, name)
        except HandoffError:
            return
        whole = grammar.plain(path.read_bytes().decode("utf-8")).encode()
        target = sessions.file_name(record, whole)
        mending.backup.rename(problem.file, target)
        mending.backup.write(f"sessions/{target}", whole)
        mending.say(problem, f"it is the record, and is called {target} now")


def _named(mending: Mending, problem: Problem) -> None:
    """A record under another's name gets its own; where several files hold the same bytes, the one that is called rightly stays."""
    path = mending.boundary.root / problem.file
    record, _ = sessions.read(mending.boundary, path.name)
    data = path.read_bytes()
    target = mending.boundary.sessions / sessions.file_name(record, grammar.plain(data.decode("utf-8")).encode())
    for other in sessions.listing(mending.boundary):
        copy = mending.boundary.sessions / other.name
        if copy != target and record.id == _own_id(copy) and target.exists() and target.read_bytes() == copy.read_bytes():
            what = f"moved away: {target.name} holds the same bytes"
            _set_aside(mending, replace(problem, file=f"sessions/{copy.name}"), what)
    if not target.exists():
        mending.backup.rename(problem.file, target.name)
        mending.say(problem, f"called {target.name} now")


def _own_id(path: Path) -> str:
    try:
        return sessions.parse(path.read_bytes(), path.name)[0].id
    except HandoffError:
        return ""


def _ignored(mending: Mending, problem: Problem) -> None:
    path = mending.boundary.root / leftovers.GITIGNORE
    missing = leftovers.unignored(mending.boundary)
    if path.is_symlink() or not missing:
        return
    before = path.read_bytes() if path.is_file() else b""
    gap = b"" if not before or before.endswith(b"\n") else b"\n"
    mending.backup.write(problem.file, before + gap + "".join(f"{name}\n" for name in missing).encode())
    mending.say(problem, f"added {', '.join(missing)}")


def _set_aside(mending: Mending, problem: Problem, what: str) -> None:
    mending.backup.move(problem.file)
    mending.say(problem, what)


# Which problem is mended by what. Litter goes when the lock is taken; STATE.md and archive/ are folded again from the records.
MENDERS: Mapping[str, Mender] = {
    "respelled": _respelled,
    **dict.fromkeys(DAMAGE, _restored),
    "record-copy": _copy,
    "misnamed": _named,
    "gitignore": _ignored,
}
DERIVED = frozenset((*DAMAGE, "archive", "missing", "stale", "shows-ended"))


def _is_derived(file: str) -> bool:
    return file == "STATE.md" or Path(file).parts[:1] == ("archive",)
