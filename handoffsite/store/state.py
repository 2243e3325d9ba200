"""STATE.md on disk: written from the fold, and read to see whether it is whole and current."""

from dataclasses import dataclass

from handoffsite import durable
from handoffsite.errors import HandoffError, Malformed
from handoffsite.records import state
from handoffsite.records.budget import Budget
from handoffsite.records.item import TYPES
from handoffsite.records.problem import Problem
from handoffsite.records.state import State
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

FILE = "STATE.md"
_ARCHIVED = {"decision": "decisions", "constraint": "constraints", "thread": "threads"}


@dataclass(frozen=True, slots=True)
class Written:
    """How STATE.md was written: its budget, whether it changed, and where a version edited by hand was kept."""

    budget: Budget
    changed: bool
    kept: str = ""


def gather(boundary: Boundary, fold: Fold) -> State:
    """What STATE.md has to show now."""
    newest, last = fold.newest(), fold.newest(sessions_only=True)
    counts = fold.counts()
    limit = boundary.project.budget
    archived = {name: _sum(counts, kind, live=False) for kind, name in _ARCHIVED.items()}
    return State(
        project=boundary.project.name,
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
        proposed=sum(count for (_, status), count in counts.items() if status == "proposed"),
        archived=archived,
    )


def write(boundary: Boundary, fold: Fold) -> Written:
    """Fold STATE.md again. The caller holds the boundary's lock.

    A version that somebody edited by hand, or that was damaged, is kept whole in quarantine/ before it is replaced.
    """
    text, budget = state.dumps(gather(boundary, fold))
    data = text.encode()
    path = boundary.root / FILE
    before = path.read_bytes() if path.is_file() else None
    if before == data:
        return Written(budget, changed=False)
    kept = _keep_edited(boundary, before) if before else ""
    durable.write(path, data)
    return Written(budget, changed=True, kept=kept)


def problems(boundary: Boundary, fold: Fold) -> list[Problem]:
    """Whether STATE.md is missing, damaged, edited by hand, or older than the records."""
    path = boundary.root / FILE
    fix = "`handoffsite build` folds it again"
    if not path.is_file():
        return (
            [Problem(code="missing", message="there is no STATE.md", severity="warning", file=FILE, fix=fix)]
            if fold.generation()
            else []
        )
    try:
        generation, record_set = state.read_footer(path.read_text(encoding="utf-8"), FILE)
    except HandoffError as error:
        return [
            Problem(
                code=error.code,
                message=error.message,
                file=FILE,
                line=error.line,
                fix=f"{fix}; what is there is kept in quarantine/",
            )
        ]
    except UnicodeDecodeError:
        return [Problem(code="malformed", message="not UTF-8 text", file=FILE, fix=fix)]
    if record_set != fold.record_set()[:16]:
        message = f"folded from generation {generation}, the records are at {fold.generation()}"
        return [Problem(code="stale", message=message, severity="warning", file=FILE, fix=fix)]
    if state.dumps(gather(boundary, fold))[1].over:
        message = f"more than the {boundary.project.budget} tokens that the project allows"
        fix = "retire what no longer holds, or raise `budget` in project.toml"
        return [Problem(code="over-budget", message=message, severity="warning", file=FILE, fix=fix)]
    return []


def _sum(counts: dict[tuple[str, str], int], kind: str, *, live: bool) -> int:
    return sum(
        n for (k, status), n in counts.items() if k == kind and status != "proposed" and (status in TYPES[kind].LIVE) == live
    )


def _keep_edited(boundary: Boundary, before: bytes) -> str:
    try:
        state.read_footer(before.decode("utf-8"), FILE)
    except (Malformed, UnicodeDecodeError):
        if b"<<<<<<< " in before:
            return ""  # an unfinished merge of a derived file: both sides are in the records
        name = f"quarantine/STATE-{durable.digest(before)[:12]}.md"
        (boundary.root / "quarantine").mkdir(exist_ok=True)
        durable.write(boundary.root / name, before)
        return name
    return ""
