"""`check`: everything in a boundary, read anew and compared; the workers find the faults, this gathers them."""

from collections import defaultdict
from dataclasses import asdict
from typing import Any

from handoffsite.commands import build
from handoffsite.commands.place import Place
from handoffsite.records.item import Item
from handoffsite.records.problem import Problem
from handoffsite.store import inbox, sessions, state
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold


def check(place: Place, *, workspace: bool = False) -> dict[str, Any]:
    """Every problem of the project, or of each project of the workspace; `ok` is False where one is an error. Nothing is written."""
    boundaries, around, damaged = build.scope(place, workspace=workspace)
    found: list[Problem] = list(damaged)
    for boundary in boundaries:
        prefix = f"{boundary.project.name}/" if around and len(boundaries) > 1 else ""
        found += [_prefixed(problem, prefix) for problem in problems_of(boundary)]
    return {"ok": all(problem.severity != "error" for problem in found), "problems": [asdict(problem) for problem in found]}


def problems_of(boundary: Boundary) -> list[Problem]:
    """Every problem of one boundary, all records read anew."""
    with Fold(boundary, None) as fold:
        found = [*fold.problems(), *state.problems(boundary, fold)]
        found += contradictions(fold.live("decision"))
        found += _foreign(boundary, fold)
    found += [
        Problem(
            code="stranger",
            severity="warning",
            message="no record, so it is not read",
            file=f"sessions/{name}",
            fix="merge what it holds into a record, or remove it",
        )
        for name in sessions.strangers(boundary)
    ]
    waiting, unreadable = inbox.pointers(boundary)
    found += unreadable
    if waiting:
        message = f"{len(waiting)} sessions wait to be extracted"
        found.append(Problem(code="waiting", severity="warning", message=message, file="inbox", fix="`handoffsite build`"))
    return found


def _foreign(boundary: Boundary, fold: Fold) -> list[Problem]:
    """Records that say they are another project's: copied here by mistake, or older than the project's name."""
    name = boundary.project.name
    return [
        Problem(
            code="foreign",
            severity="warning",
            message=f"{record.id} is a record of {record.project}, and this is {name}",
            file=f"sessions/{fold.file_of(record.id)}",
            fix=f"move it to the project that it belongs to, or `handoffsite purge {record.id}`",
        )
        for record in fold.snapshot().records
        if record.project != name
    ]


def contradictions(decisions: list[Item]) -> list[Problem]:
    """Accepted decisions that share a topic, and of which none replaces the other."""
    topics: dict[str, list[Item]] = defaultdict(list)
    for item in decisions:
        topic = getattr(item.value, "topic", "").strip().casefold()
        if topic:
            topics[topic].append(item)
    return [
        Problem(
            code="contradiction",
            severity="warning",
            message=f"{' and '.join(item.id for item in items)} are both accepted for the topic {topic!r}",
            fix=f"handoffsite supersede {items[0].id} --by {items[-1].id}, or retire one",
        )
        for topic, items in topics.items()
        if len(items) > 1
    ]


def _prefixed(problem: Problem, prefix: str) -> Problem:
    fields = asdict(problem)
    return Problem(**{**fields, "file": f"{prefix}{problem.file}"})
