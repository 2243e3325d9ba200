"""The first page of a project: where it stands, at a glance."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from handoffsite.records.item import Item
from handoffsite.records.problem import Problem
from handoffsite.records.snapshot import Snapshot
from handoffsite.site.charts import activity
from handoffsite.site.current import location
from handoffsite.site.items import badge, newest
from handoffsite.site.links import Targets
from handoffsite.site.lists import Rows, is_archived
from handoffsite.site.markdown import prose

SHOWN = 8
_PROBLEMS = 10


def view(snapshot: Snapshot, targets: Targets, rivals: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The values that the overview prints."""
    rows = Rows(targets)
    threads, constraints, decisions = (list(snapshot.live(kind)) for kind in ("thread", "constraint", "decision"))
    last = snapshot.newest
    sessions = snapshot.sessions
    return {
        "title": "Overview",
        "focus": prose(snapshot.focus, targets.known((snapshot.focus,))),
        "description": snapshot.project.description,
        "threads": [rows.thread(item, "") for item in _latest(threads)],
        "constraints": [rows.constraint(item, "") for item in _latest(constraints)],
        "decisions": [rows.decision(item, "") for item in _latest(decisions)],
        "sessions": [rows.session(record, "") for record in islice(reversed(sessions), SHOWN // 2)],
        "counts": _counts(snapshot, threads, constraints, decisions),
        "contradictions": rows.contradictions(rivals, ""),
        "problems": [problem_of(problem) for problem in snapshot.problems[:_PROBLEMS]],
        "problem_count": len(snapshot.problems),
        "chart": activity(sessions),
        "newest": newest(targets.known((), (last.id,)), (last.recorded, last.id), "") if last else None,
    }


def _latest(found: Sequence[Item]) -> Iterable[Item]:
    return sorted(found, key=lambda item: item.touched, reverse=True)[:SHOWN]


def _counts(
    snapshot: Snapshot, threads: Sequence[Item], constraints: Sequence[Item], decisions: Sequence[Item]
) -> dict[str, int]:
    items = snapshot.items.values()
    return {
        "sessions": len(snapshot.sessions),
        "threads": len(threads),
        "constraints": len(constraints),
        "decisions": len(decisions),
        "proposed": sum(item.status == "proposed" for item in items),
        "archived": sum(is_archived(item) for item in items),
        "proven": sum(item.kind == "completed" and item.status == "proven" for item in items),
        "claimed": sum(item.kind == "completed" and item.status == "claimed" for item in items),
        "dependencies": sum(item.kind == "dependency" for item in items),
    }


def problem_of(problem: Problem) -> dict[str, Any]:
    """What is wrong, as the page prints it."""
    return {
        "badge": badge("problem", problem.severity),
        "message": problem.message,
        "fix": problem.fix,
        "file": location(problem),
        "line": problem.line,
    }
