"""STATE.md on disk: written from the fold, and read to see whether it is whole, current, or edited by hand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from handoffsite import durable
from handoffsite.errors import Refused
from handoffsite.records import identity, sealed, state
from handoffsite.records.budget import Budget
from handoffsite.records.edits import UNRECORDED, Before, Edits
from handoffsite.records.item import TYPES
from handoffsite.records.problem import Problem
from handoffsite.records.sealed import CONFLICT, DAMAGED, EDITED, FOREIGN, NEWER, TRUNCATED, WHOLE, Condition
from handoffsite.records.state import State
from handoffsite.store import sessions
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold, sums

FILE = "STATE.md"
QUARANTINE = "quarantine"
MOST_BYTES = 4 * 1024 * 1024
_ARCHIVED = {"decision": "decisions", "constraint": "constraints", "thread": "threads"}
_BUILD = "`handoffsite build` folds it again"
_FIX = {
    TRUNCATED: f"{_BUILD}; what is there is kept in {QUARANTINE}/",
    DAMAGED: f"{_BUILD}; what is there is kept in {QUARANTINE}/",
    CONFLICT: f"{_BUILD}: both sides are in the records",
    FOREIGN: f"`handoffsite import handoff {FILE}` takes what it says; the next writing command keeps it in {QUARANTINE}/",
    NEWER: "a newer handoffsite wrote it: update this one",
}


@dataclass(frozen=True, slots=True)
class Written:
    """How STATE.md was written: its budget, whether it changed, and whether somebody edited it since it was read, so that it was left."""

    budget: Budget
    changed: bool
    left: bool = False


def gather(boundary: Boundary, fold: Fold, limit: int = 0) -> State:
    """What STATE.md has to show now, in *limit* tokens or those that the project allows."""
    name, limit = boundary.project.name, limit or boundary.project.budget
    return fold.made(("state", name, limit), lambda: _gathered(name, fold, limit))


def text_of(gathered: State, fold: Fold) -> tuple[str, Budget]:
    """The text of STATE.md for what was *gathered* from *fold*, and how much of the budget it uses."""
    return fold.made(("text of the state", gathered.project, gathered.limit), lambda: state.dumps(gathered))


def _gathered(project: str, fold: Fold, limit: int) -> State:
    newest, last = fold.newest(), fold.newest(sessions_only=True)
    counts = fold.counts()
    archived = {name: _sum(counts, kind, live=False) for kind, name in _ARCHIVED.items()}
    return State(
        project=project,
        generation=fold.generation(),
        record_set=fold.record_set(),
        updated=newest.recorded if newest else "",
        session=last.id if last else "",
        head=last.head if last else "",
        limit=limit,
        focus=fold.focus(),
        threads=fold.live("thread"),
        decisions=fold.live("decision", most=state.most_decisions(limit)),
        decided=_sum(counts, "decision", live=True),
        constraints=fold.live("constraint"),
        unfiled=fold.unfiled(),
        proposed=sum(count for (_, status), count in counts.items() if status == "proposed"),
        archived=archived,
    )


def read(boundary: Boundary) -> Condition | None:
    """What STATE.md is now; None where there is none."""
    data = _bytes(boundary)
    if data is not None and len(data) > MOST_BYTES:
        return Condition(kind=FOREIGN, message=f"larger than {MOST_BYTES // 1024 // 1024} MiB: no file of ours", line=1)
    return None if data is None else sealed.condition(data)


def edits(boundary: Boundary, fold: Fold, found: Condition) -> Edits:
    """What was changed by hand in *found*, which is edited."""
    from handoffsite.records.difference import difference  # noqa: PLC0415 -- slow to load, and few files are edited

    return difference(found.text, _before(boundary, fold, found), fold, boundary.project.aliases)


def set_aside(boundary: Boundary) -> str:
    """Keep STATE.md as it is in quarantine/, durably; the name of the copy."""
    data = _bytes(boundary) or b""
    name = f"{QUARANTINE}/STATE-{durable.digest(data)[:12]}.md"
    durable.make_folder(boundary.root / QUARANTINE)
    durable.write(boundary.root / name, data)
    return name


def holds_edits(boundary: Boundary, fold: Fold, found: Condition) -> bool:
    """Whether *found*, in the middle of a merge, says of an item what no record ever said."""
    text = "\n".join(line for line in found.text.split("\n") if line[:7] not in {"<<<<<<<", "|||||||", "=======", ">>>>>>>"})
    changes = edits(boundary, fold, replace(found, text=text)).changes
    return any(not one.message.startswith(f"{UNRECORDED}focus") for one in changes)


def write(boundary: Boundary, fold: Fold, handled: Condition | None = None) -> Written:
    """Fold STATE.md again. The caller holds the boundary's lock.

    What stands there is replaced where it is whole, or *handled*, which is what the caller read and kept. Refused where it would
    shrink by more than half and shows items that no record defines any more.
    """
    text, budget = text_of(gather(boundary, fold), fold)
    data = text.encode()
    path = boundary.root / FILE
    before = _bytes(boundary)
    if before == data:
        return Written(budget, changed=False)
    if before is not None:
        found = read(boundary) or sealed.condition(before)
        if found != handled and found.kind != WHOLE:
            return Written(budget, changed=False, left=True)
        _refuse_shrinking(fold, found, len(before), len(data))
    durable.write(path, data)
    return Written(budget, changed=True)


def problems(boundary: Boundary, fold: Fold) -> list[Problem]:
    """Whether STATE.md is missing, damaged, edited by hand, or older than the records; each edit that waits to be recorded."""
    found = read(boundary)
    if found is None:
        return [_problem("missing", "there is no STATE.md", _BUILD, error=False)] if fold.generation() else []
    if found.kind == EDITED:
        said = edits(boundary, fold, found)
        spelled = [_problem("edited", "rewritten by hand; it says the same", _BUILD, error=False)]
        return [*said.problems, *said.changes] or spelled
    if found.kind != WHOLE:
        return [_problem(found.kind, found.message, _FIX[found.kind], line=found.line)]
    gathered = gather(boundary, fold)
    text, budget = text_of(gathered, fold)
    if text != found.text:
        return [_problem("stale", _older(found, gathered), _BUILD, error=False)]
    if budget.over:
        message = f"more than the {boundary.project.budget} tokens that the project allows"
        return [_problem("over-budget", message, "retire what no longer holds, or raise `budget` in project.toml", error=False)]
    return []


def _older(found: Condition, now: State) -> str:
    """Which of the two is older: the file, or the records."""
    if found.generation > now.generation:
        return f"the records are older: it was folded from generation {found.generation}, and they are at {now.generation}"
    if found.record_set == now.record_set[:16]:
        return "of these records, but written otherwise: by another version, or with another budget"
    if found.generation == now.generation:
        return f"folded from {found.generation} other records than the ones that are here"
    return f"older than the records: folded from generation {found.generation}, and they are at {now.generation}"


def _problem(code: str, message: str, fix: str, *, line: int = 0, error: bool = True) -> Problem:
    return Problem(code=code, message=message, severity="error" if error else "warning", file=FILE, line=line, fix=fix)


def _bytes(boundary: Boundary) -> bytes | None:
    path = boundary.root / FILE
    return path.read_bytes() if path.is_file() else None


def _before(boundary: Boundary, fold: Fold, found: Condition) -> Before:
    """What *found* was folded from: to the byte, where its footer tells; else what it would be today."""
    for names in _candidates(fold, found.record_set):
        if names is None:
            exact = _exact(boundary, fold, found)
        else:
            with Fold(boundary, None, only=names) as old:
                exact = _exact(boundary, old, found)
        if exact:
            return exact
    now = gather(boundary, fold)
    return Before(state=now, text=text_of(now, fold)[0], exact=False)


def _exact(boundary: Boundary, fold: Fold, found: Condition) -> Before | None:
    """The fold as it was written, if its digest is the one that the footer of *found* tells."""
    limits = (sealed.limit_of(found.text), boundary.project.budget)
    for limit in dict.fromkeys(one for one in limits if one):
        was = gather(boundary, fold, limit)
        text, _ = text_of(was, fold)
        if sealed.condition(text.encode()).sha256 == found.sha256:
            return Before(state=was, text=text, exact=True)
    return None


def _candidates(fold: Fold, mark: str) -> Iterator[frozenset[str] | None]:
    """The sets of records whose digest begins with *mark*: all that there are (None), or the oldest, by time or by number."""
    if fold.record_set()[:16] == mark:
        yield None
        return
    members = fold.members()
    by_number = sorted(members, key=lambda one: identity.parse(sessions.id_of(one[0])).number)
    for ordered in (members, by_number):
        for count, total in enumerate(sums(ordered)):
            if total[:16] == mark:
                yield frozenset(name for name, _ in ordered[:count])


def _refuse_shrinking(fold: Fold, found: Condition, before: int, after: int) -> None:
    """Refused where the file would lose more than half of itself, and items that are neither in the records nor in the archive."""
    if after * 2 >= before:
        return
    shown = dict.fromkeys(line.split("|", 2)[1].strip() for line in found.text.split("\n") if line.startswith("| "))
    lost = [id for id in shown if identity.is_id(id) and not fold.get(id)]
    if lost:
        raise Refused(
            f"it would shrink from {before} to {after} bytes, and no record here defines {', '.join(lost[:5])}{' …' * (len(lost) > 5)}",
            file=FILE,
            hint="restore sessions/ from git or a backup; where the records are meant to be gone, delete STATE.md and run `handoffsite build`",
        )


def _sum(counts: dict[tuple[str, str], int], kind: str, *, live: bool) -> int:
    return sum(
        n for (k, status), n in counts.items() if k == kind and status != "proposed" and (status in TYPES[kind].LIVE) == live
    )
