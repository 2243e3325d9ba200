"""`show`, `log` and `state`: what the project knows, read from its fold; nothing is written."""

from typing import Any

from handoffsite.commands import artefact, freshness, handoff
from handoffsite.commands.place import Place, find_boundary, reading
from handoffsite.errors import NotFound, UsageError
from handoffsite.records import entry, identity, mail, session
from handoffsite.records import state as states
from handoffsite.records.artefact import Artefact
from handoffsite.records.edits import UNRECORDED
from handoffsite.records.handoff import Handoff, Transition
from handoffsite.records.item import Item
from handoffsite.records.mail import Message
from handoffsite.records.session import SessionRecord
from handoffsite.store import artefacts, state, work


def show(place: Place, id: str) -> dict[str, Any]:
    """One item with its whole history, or one session with all its items."""
    boundary = find_boundary(place)
    if identity.is_id(id) and identity.parse(id).letter == identity.LETTERS["mail"]:
        return mail_mapping(work.find(boundary, id))
    if identity.is_id(id) and identity.parse(id).letter == identity.LETTERS["handoff"]:
        return handoff.show(place, id)
    if identity.is_id(id) and identity.parse(id).letter == identity.LETTERS["artefact"]:
        return artefact.shown(artefacts.find(boundary, id), artefacts.read(boundary).artefacts)
    with reading(place, boundary) as fold:
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
    """The project's records and messages, newest first: what each introduced and changed. UsageError for a *limit* below 1."""
    if limit is not None and limit < 1:
        raise UsageError(f"a limit of {limit} leaves nothing", hint="give at least 1")
    boundary = find_boundary(place)
    with reading(place, boundary) as fold:
        snapshot = fold.snapshot()
    found = [_logged(record) for record in reversed(snapshot.records)]
    if snapshot.mail or snapshot.artefacts or snapshot.handoffs:
        sent = [_mailed(message) for message in reversed(snapshot.mail)]
        sent += [_handed(one) for one in reversed(snapshot.artefacts)]
        sent += [_moved(one, step) for one in reversed(snapshot.handoffs) for step in reversed(one.history)]
        found = sorted((*found, *sent), key=lambda one: str(one["recorded"]), reverse=True)
    return found[:limit]


def state_of(place: Place) -> tuple[dict[str, Any], str]:
    """The state as data, and as the text of STATE.md, both from the records.

    `stale` says whether one of the copies that were compared is older, `comparisons` which and what to do; `unrecorded` is what
    somebody wrote into STATE.md and no record says yet.
    """
    boundary = find_boundary(place)
    with reading(place, boundary) as fold:
        gathered = state.gather(boundary, fold)
        text, budget = state.text_of(gathered, fold)
        problems = [*fold.problems(), *state.problems(boundary, fold)]
        compared = freshness.comparisons(boundary, fold, gathered)
    found = states.mapping(gathered, budget)
    warnings = [f"{one.file}{f':{one.line}' if one.line else ''}: {one.message}" for one in problems]
    warnings += [f"{one.what}: {one.message}; {one.fix}" for one in compared if one.stale and one.what != "records"]
    unrecorded = [one.message.removeprefix(UNRECORDED) for one in problems if one.message.startswith(UNRECORDED)]
    more = {
        "unfiled": list(gathered.unfiled),
        "unrecorded": unrecorded,
        "stale": bool(problems) or any(one.stale for one in compared),
        "comparisons": [one.mapping() for one in compared],
    }
    return {**found, **more, "warnings": warnings}, text


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


def mail_mapping(message: Message) -> dict[str, Any]:
    """*message* as `show --json` prints it: its fields, and what became of it."""
    taken = message.taken
    steps = [{"at": message.sent, "changes": {"status": "pending"}, "reason": "", "by": message.sender}]
    steps += [{"at": taken.at, "changes": {"status": "taken"}, "reason": "", "by": taken.by}] if taken else []
    removed = "removed by hand" if message.removed else ""
    steps += [{"at": message.cleared, "changes": {"status": "cleared"}, "reason": removed, "by": ""}] if message.cleared else []
    more = {"title": message.title, "session": None, "supersedes": [], "superseded_by": None, "history": steps}
    return {**mail.mapping(message), **more}


def _mailed(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "recorded": message.sent,
        "source": f"mail:{message.sender}",
        "title": message.title,
        "act": True,
        "items": [],
        "counts": {},
        "updates": [],
        "retired": [],
        "mail": {"to": message.to, "status": message.status},
    }


def _handed(one: Artefact) -> dict[str, Any]:
    return {
        "id": one.name,
        "recorded": one.created,
        "source": f"artefact:{one.by}",
        "title": one.title,
        "act": True,
        "items": [],
        "counts": {},
        "updates": [],
        "retired": [],
        "artefact": {"kind": one.kind, "path": one.path, "revision": one.revision, "verdict": one.verdict or None},
    }


def _moved(one: Handoff, step: Transition) -> dict[str, Any]:
    return {
        "id": one.id,
        "recorded": step.at,
        "source": f"handoff:{step.actor}",
        "title": one.contract.objective,
        "act": True,
        "items": [],
        "counts": {},
        "updates": [],
        "retired": [],
        "handoff": {"event": step.event, "state": step.after, "version": step.version, "reason": step.reason or None},
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
