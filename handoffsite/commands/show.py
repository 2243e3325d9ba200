"""`show`, `log` and `state`: what the project knows, read from its fold; nothing is written."""

from typing import Any

from handoffsite.commands.place import Place, cache_of, find_boundary
from handoffsite.errors import NotFound
from handoffsite.records import entry, session
from handoffsite.records import state as states
from handoffsite.records.item import Item
from handoffsite.records.session import SessionRecord
from handoffsite.store import state
from handoffsite.store.snapshot import Fold


def show(place: Place, id: str) -> dict[str, Any]:
    """One item with its whole history, or one session with all its items."""
    boundary = find_boundary(place)
    with Fold(boundary, cache_of(place, boundary)) as fold:
        whole = fold.resolve(id)
        item = fold.get(whole)
        if item:
            return item_mapping(item)
        record = fold.record(whole)
        if record is None:
            raise NotFound(f"no {id} in this project", hint="`handoffsite log` lists what there is")
        items = [{"id": one.id, "kind": one.kind, "status": one.status, "title": one.title} for one in fold.defined_in(whole)]
        return {
            **session.mapping(record),
            "kind": "session",
            "narrative": record.narrative,
            "items": items,
            "updates": [{"id": one.id, "changes": dict(one.changes), "reason": one.reason} for one in record.updates],
            "file": fold.file_of(whole),
        }


def log(place: Place, limit: int | None = None) -> list[dict[str, Any]]:
    """The project's records, newest first: what each introduced and changed."""
    boundary = find_boundary(place)
    with Fold(boundary, cache_of(place, boundary)) as fold:
        records = reversed(fold.snapshot().records)
        return [_logged(record) for _, record in zip(range(limit or 1 << 62), records, strict=False)]


def state_of(place: Place) -> tuple[dict[str, Any], str]:
    """The state as data, and as the text of STATE.md; both from the records, and `stale` says whether the file is behind them."""
    boundary = find_boundary(place)
    with Fold(boundary, cache_of(place, boundary)) as fold:
        gathered = state.gather(boundary, fold)
        text, budget = states.dumps(gathered)
        problems = [*fold.problems(), *state.problems(boundary, fold)]
    found = states.mapping(gathered, budget)
    warnings = [f"{problem.file}: {problem.message}" for problem in problems]
    return {**found, "stale": bool(problems), "warnings": warnings}, text


def item_mapping(item: Item) -> dict[str, Any]:
    """*item* as JSON shows it everywhere: its fields, where it stands, and how it came there."""
    steps = [
        {
            "session": step.record,
            "at": step.at,
            "changes": dict(step.changes),
            "reason": step.reason,
            "evidence": list(step.evidence),
        }
        for step in item.steps
    ]
    return {
        **entry.dumps(item.value),
        "id": item.id,
        "kind": item.kind,
        "status": item.status,
        "session": item.session,
        "date": item.defined,
        "supersedes": list(getattr(item.value, "supersedes", ())),
        "superseded_by": item.superseded_by or None,
        "aliases": list(item.aliases),
        "history": steps,
    }


def _logged(record: SessionRecord) -> dict[str, Any]:
    counts = {name: len(getattr(record, name)) for name in session.LISTS if getattr(record, name)}
    return {
        "id": record.id,
        "recorded": record.recorded,
        "source": record.source,
        "title": record.title,
        "act": record.is_act,
        "items": [value.id for value in record.items()],
        "counts": counts,
        "updates": [update.id for update in record.updates],
        "retired": [one.id for one in record.retired],
    }
