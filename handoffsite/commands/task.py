"""`task`: work that one role hands to another; each move by somebody who may make it, on the version that it has seen, once."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from handoffsite.commands import authority
from handoffsite.commands.desk import Desk
from handoffsite.errors import Forbidden, HandoffError, Malformed, NotFound, NoVersion, UsageError
from handoffsite.records import ledger, shape
from handoffsite.records import task as packets
from handoffsite.records.delivery import Delivery
from handoffsite.records.ledger import KEY, CleanRequest, Event, Request, Task
from handoffsite.records.lifecycle import TASK
from handoffsite.records.move import EVERYWHERE, MOVES, RECEIVER, SENDER, Actor, body_schema
from handoffsite.records.redaction import clean_document
from handoffsite.store import outbox, tasks
from handoffsite.store.ledger import Entry, Wanted

CREATE = ledger.CREATE
MOST = 1000  # tasks or events in one answer
_COPIED = frozenset(("accept", "start", "resume"))  # the moves after which the receiver's copy of the packet is looked at
_SHORT = frozenset(("packet", "results", "retests"))  # what a list leaves out


def create(desk: Desk, actor: Actor, said: Mapping[str, Any], *, key: str = "", reason: str = "") -> dict[str, Any]:
    """Begin a task by its packet in *said*; what it does not say of its parties follows from the actor. Conflict where its ID is taken.

    The same key again, with the same body, is the same task.
    """
    _refuse_key(key)
    given = {name: content for name, content in said.items() if name not in {"actor", "reason"}}
    ids = {"task_id": f"task-{secrets.token_hex(5)}"} if "task_id" not in given else {}
    packet = packets.packet({**_parties(actor, given), **ids, **given})
    redactor = desk.redactor(packet)
    clean = packets.cleaned(packet, redactor)
    for name in ("from_project", "to_project"):
        if not desk.knows(str(clean.said[name])):
            raise NotFound(
                f"{name}: no project {str(clean.said[name])!r} here", hint="a task crosses the projects of one workspace"
            )
    asked = ledger.cleaned(Request(event=CREATE, actor=actor, at=desk.place.time, reason=reason, body=given, key=key), redactor)
    return mapping(desk.ledger.open(clean, asked))


def offer(desk: Desk, actor: Actor, id: str, *, packet: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Offer the task to its receiver; *packet* holds parts that are said anew. *more* is as `move` takes it."""
    return move(desk, actor, "offer", id, {"packet": packet} if packet else {}, **more)


def accept(desk: Desk, actor: Actor, id: str, **more: Any) -> dict[str, Any]:
    """Take the task: from now on the receiver answers for it, and its project has a copy of the packet."""
    return move(desk, actor, "accept", id, {}, **more)


def start(desk: Desk, actor: Actor, id: str, **more: Any) -> dict[str, Any]:
    """Begin the work. Held where another task holds one of its write-conflict domains."""
    return move(desk, actor, "start", id, {}, **more)


def submit_result(
    desk: Desk,
    actor: Actor,
    id: str,
    *,
    artifacts: Sequence[Mapping[str, str]] = (),
    summary: str = "",
    tokens: int | None = None,
    review_seconds: int | None = None,
    used: Mapping[str, Sequence[str]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Hand the result in. Unproven without a commit and a test report; Forbidden where something was *used* that the scope does not hold."""
    body = {"artifacts": list(artifacts), "summary": summary, "tokens": tokens, "review_seconds": review_seconds, "used": used}
    return move(desk, actor, "submit-result", id, _said(body), **more)


def retest(
    desk: Desk,
    actor: Actor,
    id: str,
    *,
    outcome: str,
    artifacts: Sequence[Mapping[str, str]] = (),
    tokens: int | None = None,
    review_seconds: int | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Say what the retest of the newest result found: `passed` closes the task, `failed` returns it to the receiver."""
    body = {"outcome": outcome, "artifacts": list(artifacts), "tokens": tokens, "review_seconds": review_seconds}
    return move(desk, actor, "retest", id, _said(body), **more)


def needs_info(desk: Desk, actor: Actor, id: str, *, missing: str = "", **more: Any) -> dict[str, Any]:
    """Say that something is *missing*; who rejects what was offered names the field of the packet."""
    return move(desk, actor, "needs-info", id, _said({"missing": missing}), **more)


def block(desk: Desk, actor: Actor, id: str, **more: Any) -> dict[str, Any]:
    """Say that the work cannot go on for now."""
    return move(desk, actor, "block", id, {}, **more)


def resume(desk: Desk, actor: Actor, id: str, *, packet: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Go on where a pause began; *packet* holds the parts that the sender says anew."""
    return move(desk, actor, "resume", id, {"packet": packet} if packet else {}, **more)


def cancel(desk: Desk, actor: Actor, id: str, **more: Any) -> dict[str, Any]:
    """End the task without a result; what it held is free."""
    return move(desk, actor, "cancel", id, {}, **more)


def move(
    desk: Desk,
    actor: Actor,
    event: str,
    id: str,
    body: Mapping[str, Any],
    *,
    expected_version: int | None = None,
    key: str = "",
    reason: str = "",
) -> dict[str, Any]:
    """Make the move *event*; the task as it is then.

    *expected_version* is the one that the actor has seen: NoVersion without it, Stale where it is another now. The same *key* with the
    same request is answered as it was, whatever came since; KeyReused with another. Else as `records.ledger.Task.step`.
    """
    _refuse_key(key)
    if expected_version is None:
        raise NoVersion(
            f"{event} needs the version of the task that you have seen", hint="expected_version, as `task show` tells it"
        )
    standing = desk.ledger.task(id, actor)
    asked = Request(
        event=event, task=id, expected=expected_version, actor=actor, at=desk.place.time, reason=reason, body=body, key=key
    )
    clean = ledger.cleaned(asked, desk.redactor(standing.packet))
    moved = desk.ledger.move(clean, lambda found: _refuse_out_of_scope(desk, found, clean))
    return {**mapping(moved), "warnings": _copied(desk, moved) if event in _COPIED else []}


def request(desk: Desk, actor: Actor, event: str, id: str, body: Mapping[str, Any], *, key: str = "") -> dict[str, Any]:
    """The move *event*, or `create` without an ID, as *body*, a JSON object, asks for it. Forbidden where it names another actor."""
    if body.get("actor", actor.name) != actor.name:
        raise Forbidden(
            f"the token is {actor.name}'s, and the body says {str(body['actor'])[:80]!r}",
            hint="leave actor out, or use its own token",
        )
    reason = body.get("reason", "")
    if event == CREATE:
        if not isinstance(reason, str):
            raise Malformed("reason: must be a string", hint="say in a sentence why")
        return create(desk, actor, body, key=key, reason=reason)
    if event not in MOVES:
        raise UsageError(f"{event[:40]!r} is no move", hint=f"known are {', '.join(MOVES)}")
    if body.get("expected_version") is not None:  # without one, that is what is said first
        packets.refuse(dict(body), body_schema(event), f"what {event} takes is in the API's description")
    said = {name: content for name, content in body.items() if name not in {"actor", "expected_version", "reason"}}
    return move(desk, actor, event, id, said, expected_version=body.get("expected_version"), key=key, reason=reason)


def show(desk: Desk, actor: Actor, id: str) -> dict[str, Any]:
    """The task, with its history, and apart from it whom was told of what."""
    found, entries = desk.ledger.told(id, actor)
    told = outbox.listed(desk.ledger.engine, task=id)
    return {
        **mapping(found),
        "history": [event_mapping(one) for one in entries],
        "deliveries": [delivery_mapping(one) for one in told],
    }


def listed(
    desk: Desk, actor: Actor, *, state: str = "", project: str = "", role: str = "", after: int = 0, limit: int = 100
) -> dict[str, Any]:
    """The tasks that the actor sees, oldest first, a page of at most *limit*; *after* is the `next` of the page before."""
    if state and state not in TASK.moves:
        raise UsageError(f"{state[:40]!r} is no state of a task", hint=f"there are {', '.join(TASK.moves)}")
    _refuse_page(after, limit)
    wanted = Wanted(actor=actor, state=state, project=project, role=role, after=after, limit=limit + 1)
    found = desk.ledger.tasks(wanted)
    shown = [{"number": one.number, **mapping(one.task)} for one in found[:limit]]
    return {
        "tasks": [{name: content for name, content in one.items() if name not in _SHORT} for one in shown],
        "next": shown[-1]["number"] if len(found) > limit else None,
    }


def events(desk: Desk, actor: Actor, id: str = "", *, after: int = 0, limit: int = 100) -> dict[str, Any]:
    """What happened to the task *id*, or to all that the actor sees, in its order; a page as in `listed`."""
    _refuse_page(after, limit)
    found = desk.ledger.events(actor, after, limit + 1, id)
    shown = [event_mapping(one) for one in found[:limit]]
    return {"events": shown, "next": shown[-1]["seq"] if len(found) > limit else None}


def scope(desk: Desk, actor: Actor, id: str) -> dict[str, Any]:
    """What the receiver may do in the task's name now, and what took the rest away; nothing at all outside of its stage."""
    found = desk.ledger.task(id, actor)
    effective = _scope(desk, found, actor)
    return {"id": id, "version": found.version, "state": found.state, **effective.mapping()}


def authorize(desk: Desk, actor: Actor, id: str, kind: str, entry: str) -> dict[str, Any]:
    """That the actor may use *entry*, of a *kind* of `records.task.KINDS`, in the task's name; Forbidden, with the factor that does not let it.

    Nothing that was said in a message counts: the packet, the settings and the state of the task do.
    """
    found = desk.ledger.task(id, actor)
    if kind not in packets.KINDS:
        raise UsageError(f"{kind[:40]!r} is no kind of authority", hint=f"there are {', '.join(packets.KINDS)}")
    if RECEIVER not in actor.parties(found.packet):
        said = found.packet.said
        raise Forbidden(
            f"{actor.name} does not receive {id}", hint=f"its authority is that of {said['to_role']} of {said['to_project']}"
        )
    _scope(desk, found, actor).refuse(kind, entry)
    return {"id": id, "version": found.version, "kind": kind, "entry": entry, "allowed": True}


def mapping(found: Task) -> dict[str, Any]:
    """*found* as JSON shows it everywhere."""
    said = found.packet.said
    party = found.responsible
    who = {SENDER: ("from", found.created_by), RECEIVER: ("to", found.accepted_by)}.get(party)
    responsible = (
        {"party": party, "role": said[f"{who[0]}_role"], "project": said[f"{who[0]}_project"], "actor": who[1] or None}
        if who
        else None
    )
    return {
        "id": found.id,
        "kind": "task",
        "title": found.packet.goal,
        "status": found.state,
        **{name: said[name] for name in packets.PARTIES},
        "state": found.state,
        "version": found.version,
        "packet_version": found.packet_version,
        "packet": dict(said),
        "gaps": list(found.packet.gaps),
        "domains": list(said["domains"]),
        "holds": [{"kind": kind, "name": name} for kind, name in found.holds],
        "responsible": responsible,
        "authority": {"active": found.is_active, "of": said["to_role"]},
        "next": [] if found.is_over else [event for event, one in MOVES.items() if not one.of or found.state in one.of],
        "resumes": found.resumes or None,
        "missing": found.missing or None,
        "reason": found.reason or None,
        "results": [dict(one) for one in found.results],
        "retests": [dict(one) for one in found.retests],
        **{name: getattr(found, name) or None for name in ("created_by", "accepted_by", "submitted_by", "created", "updated")},
        "warnings": [],
    }


def event_mapping(one: Entry) -> dict[str, Any]:
    """An event as JSON shows it, with its place in the ledger."""
    return {"seq": one.seq, **told(one.event), "digest": one.digest}


def told(event: Event) -> dict[str, Any]:
    """An event as JSON shows it; without its idempotency key, which is its actor's own."""
    names = ("task", "version", "event", "before", "after", "actor", "role", "party", "at", "reason", "data")
    return {name: getattr(event, name) or None for name in names}


def delivery_mapping(one: Delivery) -> dict[str, Any]:
    """A delivery as JSON shows it: that the work moved is one fact, that somebody was told is another."""
    names = ("id", "task", "version", "target", "state", "attempts", "due", "error", "made", "done", "project", "role")
    return {name: getattr(one, name) if name == "attempts" else getattr(one, name) or None for name in names}


def packet_schema() -> dict[str, Any]:
    """What `create` takes: a packet of which the parties that follow from the actor may be left out."""
    whole = packets.schema()
    more = {"actor": packets.NAME, "reason": {"type": "string", "maxLength": 20_000}}
    return packets.object_of({**whole["properties"], **more}, "to_role", "goal")


def _parties(actor: Actor, given: Mapping[str, Any]) -> dict[str, str]:
    """What a packet does not say of its parties: it is handed over by its actor, within the actor's one project."""
    own = actor.projects[0] if len(actor.projects) == 1 and EVERYWHERE not in actor.projects else ""
    project = given.get("from_project", own)
    found = {"from_role": actor.role, "from_project": project, "to_project": project}
    return {name: content for name, content in found.items() if content and name not in given}


def _said(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: content for name, content in body.items() if content not in (None, "", [])}


def _refuse_key(key: str) -> None:
    if key and not shape.is_like(key, KEY):
        raise Malformed("the idempotency key is odd", hint="1 to 200 letters, digits and signs, without spaces")


def _refuse_page(after: int, limit: int) -> None:
    if after < 0 or not 1 <= limit <= MOST:
        raise UsageError(f"a page holds 1 to {MOST}, after 0 or more", hint="take `next` of the page before as `after`")


def _scope(desk: Desk, found: Task, actor: Actor) -> authority.TaskScope:
    """The scope of the receiver: of the actor itself where it is one, else of whoever accepted the task."""
    own = RECEIVER in actor.parties(found.packet)
    name = actor.name if own else found.accepted_by or str(found.packet.said["to_role"])
    return authority.task_scope(authority.known_in(desk.place, desk.home), found, name, active=found.is_active)


def _refuse_out_of_scope(desk: Desk, found: Task, asked: CleanRequest) -> None:
    """Forbidden where a result says that it used what the scope did not hold; it is judged while the stage lasts."""
    used = (asked.body or {}).get("used", {})
    if used:
        effective = _scope(desk, found, asked.actor)
        for kind, entries in used.items():
            for entry in entries:
                effective.refuse(kind, entry)


def _copied(desk: Desk, found: Task) -> list[str]:
    """Bring the receiver's copy of the packet in line; a warning where it cannot be, since the move is made by then."""
    boundary = desk.boundary_of(str(found.packet.said["to_project"]))
    if boundary is None or not found.accepted_by or found.is_over:
        return []
    try:
        if tasks.version(boundary, found.id) < found.packet_version:
            tasks.keep(boundary, clean_document(copy(found), desk.redactor(found.packet)))
    except (HandoffError, OSError) as error:
        return [f"the packet is not copied to {boundary.project.name} yet: {error}; the next move, or `ledger check`, shows it"]
    return []


def copy(found: Task) -> dict[str, Any]:
    """What the receiver's project keeps of the task."""
    return {
        "schema": packets.SCHEMA,
        "task": found.id,
        "version": found.version,
        "packet_version": found.packet_version,
        "accepted_by": found.accepted_by,
        "at": found.updated,
        "packet": dict(found.packet.said),
    }
