"""`ledger`: the whole of it: checked, carried elsewhere, judged; who may speak to it, and who is told."""

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from handoffsite import __version__
from handoffsite.commands import task
from handoffsite.commands.desk import Desk, checked
from handoffsite.errors import Forbidden, Malformed, Refused, UsageError
from handoffsite.records import effort, shape
from handoffsite.records import ledger as records
from handoffsite.records import task as packets
from handoffsite.records.delivery import STATES
from handoffsite.records.identity import ALPHABET
from handoffsite.records.ledger import CleanEvent, Event, Task
from handoffsite.records.move import EVERYWHERE, HUMAN, Actor
from handoffsite.records.problem import Problem
from handoffsite.records.redaction import Redactor, clean_document
from handoffsite.records.utf8 import decoded
from handoffsite.records.visible import visible
from handoffsite.store import outbox, tasks, tokens
from handoffsite.store.purge import MARK

_LONGEST_LINE = 2 * packets.MOST_BYTES
_ID_LENGTH = 10


def check(desk: Desk) -> dict[str, Any]:
    """Every problem of the ledger: each task replayed from its events and compared, and the copies that receivers keep."""
    _refuse_within(desk)
    found = desk.ledger.problems()
    if not any(one.severity == "error" for one in found):
        found += [problem for one, _ in desk.ledger.histories() for problem in _uncopied(desk, one.task)]
    return {"ok": all(one.severity != "error" for one in found), "problems": [asdict(one) for one in found]}


def export(desk: Desk) -> Iterator[str]:
    """The ledger as JSON lines that travel: a head, then every event in its order. Tokens and deliveries stay here."""
    _refuse_within(desk)
    yield json.dumps({"schema": records.SCHEMA, "ledger": desk.ledger.id, "written_by": f"handoffsite {__version__}"}) + "\n"
    for body, digest in desk.ledger.lines():
        yield f'{{"digest": "{digest}", "event": {body}}}\n'


def import_(desk: Desk, lines: Iterable[str | bytes], file: str = "") -> dict[str, int]:
    """Add what *lines*, as `export` writes them, know and the ledger does not; nobody is told of it. All of it, or nothing.

    Malformed, with the line, where one is damaged, left out or not ours; Conflict where a task went another way here.
    """
    _refuse_within(desk)
    done = desk.ledger.extend(_cleaned(desk, _read(lines, file)))
    return {"tasks": done.tasks, "events": done.events, "known": done.known}


def report(desk: Desk) -> dict[str, Any]:
    """What each closed task took, and the medians of those that were handed over against those of one actor alone.

    `{"tasks": [{"task", "alone", "elapsed", "waiting", "waits", "working", "handoffs", "rejections", "retests", "failed_retests", "defects",
    "tokens", "review_seconds"}], "handed_over", "alone", "difference", "open"}`; times in seconds, None where nothing is known.
    """
    _refuse_within(desk)
    found: list[tuple[Task, list[Event]]] = []
    defects: dict[str, int] = {}
    open_ = 0
    for one, entries in desk.ledger.histories():
        broken = one.task.packet.said.get("defect_of", "")
        defects[broken] = defects.get(broken, 0) + 1
        open_ += not one.task.is_over
        if one.task.state == "CLOSED":
            found.append((one.task, [entry.event for entry in entries]))
    efforts = [effort.effort(one, events, defects.get(one.id, 0)) for one, events in found]
    return {"tasks": [asdict(one) for one in efforts], **effort.compared(efforts), "open": open_}


def purge(desk: Desk, text: str) -> dict[str, Any]:
    """Take *text* out of every task that can be seen from here; their histories are sealed anew, so that earlier exports differ from then on."""
    actor = Actor(name=HUMAN, role=HUMAN, projects=(EVERYWHERE if desk.is_owner else desk.project,))
    forms = sorted({text, visible(text)}, key=len, reverse=True)

    def without(said: str) -> str:
        for form in forms:
            said = said.replace(form, MARK)
        return said

    return {"tasks": desk.ledger.purge(without, actor)}


def token_make(desk: Desk, actor: str, role: str, projects: Sequence[str]) -> dict[str, Any]:
    """A token of *actor*, in a *role*, for *projects* (`*`: all of them); its text is told this once."""
    _refuse_within(desk)
    found = _holder(desk, actor, role, projects)
    id = "".join(secrets.choice(ALPHABET) for _ in range(_ID_LENGTH))
    text = tokens.make(desk.ledger.engine, id, secrets.token_urlsafe(32), found, desk.place.time)
    return {"id": id, "token": text, **_bound(found), "made": desk.place.time}


def token_list(desk: Desk) -> dict[str, Any]:
    """The tokens, none of which is told."""
    _refuse_within(desk)
    found = tokens.listed(desk.ledger.engine)
    return {"tokens": [{"id": one.id, **_bound(one.actor), "made": one.made, "revoked": one.revoked or None} for one in found]}


def token_revoke(desk: Desk, id: str) -> dict[str, Any]:
    """Let a token hold no more, from its next request on."""
    _refuse_within(desk)
    tokens.revoke(desk.ledger.engine, id, desk.place.time)
    return {"id": id, "revoked": desk.place.time}


def webhook_add(desk: Desk, name: str, url: str, projects: Sequence[str] = (EVERYWHERE,)) -> dict[str, Any]:
    """Tell *url* of every event of *projects* from now on. What signs them is kept nowhere here, and so must not stand in the URL."""
    _refuse_within(desk)
    _holder(desk, name, name, projects)
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.password or not url.isprintable():
        raise Malformed(f"{url[:80]!r} is no address of a webhook", hint="http:// or https://, without a name and password in it")
    if desk.redactor_of(()).suspects(url):
        raise Refused(
            "the address of the webhook holds a secret", hint="let a program of your own stand between, which knows the secret"
        )
    outbox.add_webhook(desk.ledger.engine, name, url, sorted(set(projects)), desk.place.time)
    return {"name": name, "url": url, "projects": sorted(set(projects))}


def webhook_list(desk: Desk) -> dict[str, Any]:
    """Who is told."""
    _refuse_within(desk)
    found = outbox.webhooks(desk.ledger.engine)
    return {
        "webhooks": [{"name": name, "url": url, "projects": list(projects), "made": made} for name, url, projects, made in found]
    }


def webhook_remove(desk: Desk, name: str) -> dict[str, Any]:
    """Tell it nothing more."""
    _refuse_within(desk)
    outbox.remove_webhook(desk.ledger.engine, name)
    return {"name": name}


def due(desk: Desk, *, limit: int = 20, lease: int = 60) -> list[dict[str, Any]]:
    """What is to be delivered now, claimed for *lease* seconds; what is not settled by then is due again.

    Within one of several projects that is the mail of its own tasks: webhooks are for the owner of the ledger to call.
    """
    project = "" if desk.is_owner else desk.project
    found = outbox.due(desk.ledger.engine, desk.place.time, limit=limit, lease=lease, project=project)
    return [{**task.delivery_mapping(one), "url": one.url or None, "event": task.told(one.event)} for one in found]


def delivered(desk: Desk, id: str) -> dict[str, Any]:
    """A delivery arrived; that again changes nothing."""
    _refuse_unseen(desk, id)
    return task.delivery_mapping(outbox.delivered(desk.ledger.engine, id, desk.place.time))


def failed(desk: Desk, id: str, error: str) -> dict[str, Any]:
    """An attempt failed: it is tried again later, and given up after the last."""
    _refuse_unseen(desk, id)
    told = clean_document({"error": error[:500]}, desk.redactor_of(()))["error"]
    return task.delivery_mapping(outbox.failed(desk.ledger.engine, id, desk.place.time, told))


def deliveries(desk: Desk, *, state: str = "", of: str = "", limit: int = 1000) -> dict[str, Any]:
    """Who was told of what, or is still to be told."""
    _refuse_within(desk)
    if state and state not in STATES:
        raise UsageError(f"{state[:40]!r} is no state of a delivery", hint=f"there are {', '.join(STATES)}")
    found = outbox.listed(desk.ledger.engine, state=state, task=of, limit=limit)
    return {"deliveries": [task.delivery_mapping(one) for one in found]}


def replay(desk: Desk, ids: Sequence[str] = ()) -> dict[str, int]:
    """Let what was given up be tried again: the deliveries *ids*, or all of them."""
    _refuse_within(desk)
    return {"replayed": outbox.replay(desk.ledger.engine, ids, desk.place.time)}


def _refuse_within(desk: Desk) -> None:
    if not desk.is_owner:
        hint = "do it in the workspace's own folder; `handoffsite task` shows the tasks of the project"
        raise Forbidden(f"{desk.project} sees its own tasks alone, and this is about all of the ledger", hint=hint)


def _refuse_unseen(desk: Desk, id: str) -> None:
    """NotFound where the delivery is of a task that cannot be seen from here."""
    if not desk.is_owner:
        desk.ledger.task(id.partition(":")[0], Actor(name=HUMAN, role=HUMAN, projects=(desk.project,)))


def _uncopied(desk: Desk, found: Task) -> Iterator[Problem]:
    """That a receiver has no copy of what it accepted, where its project can be reached."""
    project = str(found.packet.said["to_project"])
    boundary = desk.boundary_of(project) if found.accepted_by and not found.is_over else None
    if boundary and tasks.version(boundary, found.id) < found.packet_version:
        message = f"{project} has no copy of version {found.packet_version} of the packet of {found.id}"
        fix = "its next move copies it"
        yield Problem(code="uncopied", severity="warning", message=message, file=f"{tasks.FOLDER}/{found.id}.json", fix=fix)


def _read(lines: Iterable[str | bytes], file: str) -> list[Event]:
    """The events in *lines*, each task's from its beginning and by the rules."""
    found: list[Event] = []
    seals: dict[str, str] = {}
    tasks_: dict[str, Task] = {}
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            if number == 1:
                _refuse_strange(_parsed(line))
                continue
            event = _event(_parsed(line), seals)
            tasks_[event.task] = records.followed(tasks_.get(event.task), event)
        except Malformed as error:
            raise Malformed(
                error.message, file=file, line=number, hint="nothing was imported; export the ledger again"
            ) from error
        found.append(event)
    if not number:
        raise Malformed("no line", file=file, hint="`handoffsite ledger export` writes them")
    return found


def _parsed(line: str | bytes) -> Any:
    if len(line) > _LONGEST_LINE:
        raise Malformed(f"longer than {_LONGEST_LINE} bytes")
    text = decoded(line, "", "") if isinstance(line, bytes) else line
    if not text.endswith("\n"):
        raise Malformed("cut short")
    return shape.parse(text)


def _refuse_strange(head: Any) -> None:
    if not isinstance(head, dict) or head.get("schema") != records.SCHEMA:
        raise Malformed(f"no export of a ledger: the first line does not say {records.SCHEMA}")


def _event(said: Any, seals: dict[str, str]) -> Event:
    """The event of a line; *seals* holds the digest of each task's last one."""
    if not isinstance(said, dict) or set(said) != {"digest", "event"}:
        raise Malformed("no event of a ledger")
    event = records.event_of(said["event"])
    seals[event.task] = records.seal(records.dumps(event), seals.get(event.task, ""))
    if seals[event.task] != said["digest"]:
        raise Malformed(f"{event.task}, version {event.version}: it was changed, or one before it is missing")
    return event


def _cleaned(desk: Desk, events: Iterable[Event]) -> list[CleanEvent]:
    """*events* without secrets: whoever wrote them down may not have known them as such."""
    redactors: dict[tuple[str, ...], Redactor] = {}
    projects: dict[str, tuple[str, ...]] = {}
    found = []
    for event in events:
        if event.task not in projects:
            packet = (event.data or {})["packet"]
            projects[event.task] = (packet["from_project"], packet["to_project"])
        own = projects[event.task]
        if own not in redactors:
            redactors[own] = desk.redactor_of(own)
        found.append(records.cleaned_event(event, redactors[own]))
    return found


def _holder(desk: Desk, actor: str, role: str, projects: Sequence[str]) -> Actor:
    if not projects:
        raise UsageError("for no project at all", hint=f"name its projects, or {EVERYWHERE} for all of them")
    found = checked(Actor(name=actor, role=role, projects=tuple(sorted(set(projects)))))
    unknown = [one for one in found.projects if one != EVERYWHERE and not desk.knows(one)]
    if unknown:
        raise UsageError(f"no project {unknown[0]!r} here", hint="`handoffsite init content/NAME` makes one")
    return found


def _bound(found: Actor) -> dict[str, Any]:
    return {"actor": found.name, "role": found.role, "projects": list(found.projects)}
