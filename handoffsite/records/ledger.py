"""The task ledger: events, each of which moved a task, and the task that they add up to. Everything else is derived from the events."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NewType

from handoffsite.errors import Forbidden, HandoffError, IllegalTransition, Malformed, Unproven
from handoffsite.records import identity, shape, task
from handoffsite.records.lifecycle import PAUSES, TASK
from handoffsite.records.move import EVIDENCE, HUMAN, MOVES, OUTCOMES, RECEIVER, SENDER, Actor, body_schema
from handoffsite.records.redaction import Redactor, clean_document
from handoffsite.records.task import CleanPacket, TaskPacket

SCHEMA = "handoffsite/ledger@1"
CREATE = "create"
# Where the receiver works, and nowhere else, what the packet allows it is allowed.
ACTIVE = ("ACCEPTED", "IN_PROGRESS")

KEY = {"type": "string", "pattern": "^[!-~]{1,200}$"}
_EVENT = task.object_of(
    {
        **{name: {"type": "string", "maxLength": 80} for name in ("before", "after")},
        "task": task.ID,
        "version": {"type": "integer", "minimum": 1},
        "event": {"enum": [CREATE, *MOVES]},
        "actor": task.NAME,
        "role": task.NAME,
        "party": {"enum": [SENDER, RECEIVER, HUMAN]},
        "at": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$"},
        "reason": {"type": "string", "maxLength": 20_000},
        "data": {"type": "object"},
        "key": KEY,
        "request": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    },
    "task",
    "version",
    "event",
    "after",
    "actor",
    "role",
    "party",
    "at",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One move of a *task*: which *event* it was, from which state to which, by whom, as which *party*, when and why, and what came with
    it. *version* is its place in the task's history. *key* and *request* know it again when it is asked for twice."""

    task: str
    version: int
    event: str
    before: str = ""
    after: str
    actor: str
    role: str
    party: str
    at: str
    reason: str = ""
    data: Mapping[str, Any] | None = None
    key: str = ""
    request: str = ""


# An event of which every text is Clean; `store` takes no other.
CleanEvent = NewType("CleanEvent", Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What somebody asks of a *task*: the *event*, by the *actor*, at a time, for a reason, with a *body* as its schema has it.

    *expected* is the version that the actor has seen. *key* stands for the effect that is meant, however often it is asked for.
    """

    event: str
    task: str = ""
    expected: int | None = None
    actor: Actor
    at: str
    reason: str = ""
    body: Mapping[str, Any] | None = None
    key: str = ""


# A request of which every text is Clean.
CleanRequest = NewType("CleanRequest", Request)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task as its events leave it.

    *resumes* is the state to which a pause leads back, *asked_by* the party that paused it, *missing* the field it misses. *accepted_by*
    and *submitted_by* are actors. *results* and *retests* hold what was handed in and what was found, the newest last; a retest
    names the *result* that it judges, counted from 1.
    """

    packet: TaskPacket
    packet_version: int = 1
    state: str = TASK.start
    version: int = 1
    resumes: str = ""
    asked_by: str = ""
    missing: str = ""
    reason: str = ""
    started: bool = False
    created_by: str = ""
    accepted_by: str = ""
    submitted_by: str = ""
    results: tuple[Mapping[str, Any], ...] = ()
    retests: tuple[Mapping[str, Any], ...] = ()
    created: str = ""
    updated: str = ""

    @property
    def id(self) -> str:
        """Its ID."""
        return self.packet.id

    @property
    def is_over(self) -> bool:
        """Whether nothing may follow."""
        return TASK.is_terminal(self.state)

    @property
    def is_active(self) -> bool:
        """Whether what the packet allows the receiver is allowed now: only while it has the work, and never after."""
        return self.state in ACTIVE

    @property
    def holds(self) -> tuple[tuple[str, str], ...]:
        """The write-conflict domains that are its own: from its start until it is over, also while it waits or is retested."""
        return self.packet.domains if self.started and not self.is_over else ()

    @property
    def responsible(self) -> str:
        """Who has to act next: sender or receiver; nobody once it is over."""
        if self.is_over:
            return ""
        if self.state == "NEEDS_INFO":
            return RECEIVER if self.asked_by == SENDER else SENDER
        return RECEIVER if (self.resumes or self.state) in ACTIVE else SENDER

    def step(self, asked: CleanRequest) -> CleanEvent:
        """The event that *asked* makes of this task. Forbidden, IllegalTransition, Unproven or Malformed where there is none."""
        party = self._party(asked)
        event = Event(
            task=self.id,
            version=self.version + 1,
            event=asked.event,
            before=self.state,
            after=self._leads(asked),
            actor=asked.actor.name,
            role=asked.actor.role,
            party=party,
            at=asked.at,
            reason=asked.reason,
            data={name: said for name, said in (asked.body or {}).items() if name in MOVES[asked.event].more} or None,
            key=asked.key,
            request=request_digest(asked),
        )
        self.after(event)
        return CleanEvent(event)

    def after(self, event: Event) -> "Task":
        """The task once *event* was made; refused by the same rules whether it is asked for now, or read again."""
        self._refuse(event)
        said = event.data or {}
        changed: dict[str, Any] = {"state": event.after, "version": event.version, "updated": event.at, "reason": event.reason}
        if "packet" in said:
            changed |= {"packet": self.packet.changed(said["packet"]), "packet_version": self.packet_version + 1}
        if event.after in PAUSES:
            changed |= {"resumes": self.resumes or self.state, "asked_by": event.party, "missing": str(said.get("missing", ""))}
        else:
            changed |= {"resumes": "", "asked_by": "", "missing": ""}
        if event.event == "accept":
            changed["accepted_by"] = event.actor
        elif event.event == "start":
            changed["started"] = True
        elif event.event == "submit-result":
            changed |= {"submitted_by": event.actor, "results": (*self.results, _told(event))}
        elif event.event == "retest":
            changed["retests"] = (*self.retests, {**_told(event), "outcome": _outcome(event), "result": len(self.results)})
        return replace(self, **changed)

    def _party(self, asked: Request) -> str:
        by = MOVES[asked.event].by
        party = next((one for one in asked.actor.parties(self.packet) if one in by), "")
        if not party:
            wanted = " or ".join(self._name(one) for one in by)
            raise Forbidden(
                f"{asked.actor.name} ({asked.actor.role}) may not {asked.event} {self.id}", hint=f"this is for {wanted}"
            )
        if "packet" in (asked.body or {}) and party != SENDER:
            raise Forbidden(f"only the sender, {self._name(SENDER)}, changes the packet", hint="say what is missing: needs-info")
        return party

    def _name(self, party: str) -> str:
        if party == HUMAN:
            return f"a {HUMAN}"
        end = "from" if party == SENDER else "to"
        return f"{self.packet.said[f'{end}_role']} of {self.packet.said[f'{end}_project']}"

    def _leads(self, asked: Request) -> str:
        """The state to which *asked* is meant to lead."""
        body = asked.body or {}
        to = MOVES[asked.event].to
        if not to:
            return self.resumes
        if asked.event != "retest":
            return to[0]
        outcome = body.get("outcome") or dict(zip(to, OUTCOMES, strict=True)).get(body.get("transition", ""))
        if outcome is None:
            raise Unproven("a retest says what it found", hint=f"outcome: {' or '.join(OUTCOMES)}")
        meant = dict(zip(OUTCOMES, to, strict=True))[outcome]
        if body.get("transition", meant) != meant:
            raise Malformed(
                f"transition: a retest that {outcome} leads to {meant}", hint="leave transition out, or mend the outcome"
            )
        return meant

    def _refuse(self, event: Event) -> None:
        move = MOVES[event.event]
        if (move.of and self.state not in move.of) or not event.after:
            following = TASK.following(self.state, before=self.resumes)
            next_ = f"next may come {' or '.join(following)}" if following else "nothing follows: it is terminal"
            raise IllegalTransition(f"task: {self.id} is {self.state}, which {event.event} does not lead out of; {next_}")
        if event.party not in move.by or ("packet" in (event.data or {}) and event.party != SENDER):
            raise Forbidden(
                f"a {event.party} may not {event.event} with that", hint=f"this is for the {' or the '.join(move.by)}"
            )
        if event.after not in (move.to or (self.resumes,)):
            raise IllegalTransition(f"task: {event.event} does not lead to {event.after}")
        TASK.step(self.state, event.after, before=self.resumes)
        if event.event == "submit-result":
            _refuse_unproven(event)
        elif event.event == "retest":
            _refuse_own(event, self.submitted_by)
        elif event.event == "needs-info":
            _refuse_unnamed(event)


def _refuse_own(event: Event, submitted_by: str) -> None:
    if event.actor == submitted_by:
        hint = "let somebody else do it"
        raise Forbidden(f"{event.actor} handed the result in, and does not retest its own repair", hint=hint)
    said = (event.data or {}).get("outcome", _outcome(event))
    if said != _outcome(event):
        raise IllegalTransition(f"task: a retest that {said} does not lead to {event.after}")


def _refuse_unproven(event: Event) -> None:
    found = {str(one["type"]) for one in (event.data or {}).get("artifacts", ())}
    missing = [kind for kind in EVIDENCE if kind not in found]
    if missing:
        hint = 'artifacts: [{"type": "commit", "ref": "…"}, {"type": "test_report", "ref": "…"}]'
        raise Unproven(f"{event.after} needs a repair version and test evidence: {' and '.join(missing)} missing", hint=hint)


def _refuse_unnamed(event: Event) -> None:
    missing = str((event.data or {}).get("missing", ""))
    hint = f"one of {', '.join(task.CHANGEABLE)}, or a place in it as authority.allowed_tools"
    if missing and not task.is_field(missing):
        raise Unproven(f"missing: {missing[:80]!r} is no field of a packet", hint=hint)
    if not missing and event.before == "OFFERED" and event.party == RECEIVER:
        raise Unproven("who rejects a handoff names the field that is missing", hint=f"missing: {hint}")


def opened(packet: CleanPacket, asked: CleanRequest) -> CleanEvent:
    """The event that begins the task of *packet*. Forbidden where the actor is not the sender."""
    if SENDER not in asked.actor.parties(packet):
        role, project = packet.said["from_role"], packet.said["from_project"]
        raise Forbidden(
            f"{asked.actor.name} ({asked.actor.role}) does not hand over for {role} of {project}", hint="be from_role yourself"
        )
    return CleanEvent(
        Event(
            task=packet.id,
            version=1,
            event=CREATE,
            after=TASK.start,
            actor=asked.actor.name,
            role=asked.actor.role,
            party=SENDER,
            at=asked.at,
            reason=asked.reason,
            data={"packet": dict(packet.said)},
            key=asked.key,
            request=request_digest(asked),
        )
    )


def begun(event: Event) -> Task:
    """The task that *event*, the first of its history, begins; Malformed where it begins none."""
    if event.event != CREATE or event.version != 1 or event.after != TASK.start:
        raise Malformed(f"{event.task} does not begin with its creation", hint="import its history from the beginning")
    packet = task.packet((event.data or {}).get("packet", {}))
    if packet.said.get("task_id") != event.task:
        raise Malformed(f"its packet is of {packet.said.get('task_id', 'no task')}", hint="import its history from the beginning")
    return Task(packet=packet, reason=event.reason, created_by=event.actor, created=event.at, updated=event.at)


def replay(events: Iterable[Event]) -> Task:
    """The task that *events*, its whole history, add up to; Malformed, with the version, where one does not follow from those before."""
    found: Task | None = None
    for event in events:
        found = followed(found, event)
    if found is None:
        raise Malformed("a task without events", hint="import its history again")
    return found


def followed(found: Task | None, event: Event) -> Task:
    """The task once *event* was read behind those that made *found*, or as its first; Malformed, with the version, where it does not follow."""
    try:
        return _followed(found, event) if found else begun(event)
    except HandoffError as error:
        raise Malformed(f"{event.task}, version {event.version}: {error.message}", hint=error.hint) from error


def _followed(found: Task, event: Event) -> Task:
    if (event.task, event.version, event.before) != (found.id, found.version + 1, found.state):
        raise Malformed(
            f"it does not follow on version {found.version}, {found.state}", hint="an event is missing, or was changed"
        )
    if event.event not in MOVES:
        raise Malformed(f"{event.event[:40]!r} is no move", hint=f"known are {', '.join(MOVES)}")
    return found.after(event)


def _told(event: Event) -> dict[str, Any]:
    return {**(event.data or {}), "actor": event.actor, "at": event.at, "version": event.version}


def _outcome(event: Event) -> str:
    return dict(zip(MOVES["retest"].to, OUTCOMES, strict=True))[event.after]


def cleaned(asked: Request, redactor: Redactor) -> CleanRequest:
    """*asked* without secrets and hidden characters in its reason and body; Malformed where the body is not as its schema has it."""
    if asked.event in MOVES:
        task.refuse(asked.body or {}, body_schema(asked.event), f"what {asked.event} takes is in the API's description")
    said = clean_document({"reason": asked.reason, "body": dict(asked.body or {})}, redactor)
    return CleanRequest(replace(asked, reason=said["reason"], body=said["body"]))


def request_digest(asked: Request) -> str:
    """What tells *asked* from any other request of one actor, whenever it comes; empty without a key."""
    if not asked.key:
        return ""
    said = {name: said for name, said in (asked.body or {}).items() if name not in ("actor", "expected_version", "reason")}
    whole = [asked.event, asked.task, asked.expected, asked.reason, said]
    return identity.digest(json.dumps(whole, sort_keys=True, ensure_ascii=False))


def dumps(event: Event) -> str:
    """*event* as one line, without its end; the same event is always the same line."""
    said = {name: content for name in Event.__slots__ if (content := getattr(event, name)) not in (None, "")}
    return json.dumps(said, ensure_ascii=False, sort_keys=True)


def loads(text: str) -> Event:
    """The event in *text*; Malformed where it is none, or holds what no event does."""
    return event_of(shape.parse(text))


def event_of(found: Any) -> Event:
    """The event that *found*, a JSON document, describes; Malformed where it is none, or holds what no event does."""
    hint = "export the ledger again"
    task.refuse(found, _EVENT, hint)
    more = {"packet": task.schema()} if found["event"] == CREATE else MOVES[found["event"]].more
    task.refuse(found.get("data", {}), task.object_of(more), hint)
    return Event(**found)


def cleaned_event(event: Event, redactor: Redactor) -> CleanEvent:
    """*event*, read from elsewhere, without secrets and hidden characters."""
    said = clean_document({"reason": event.reason, "data": event.data or {}}, redactor)
    return CleanEvent(replace(event, reason=said["reason"], data=said["data"] or None))


def rewritten(event: Event, without: Callable[[str], str]) -> Event:
    """*event* with *without* applied to each text of its reason and of what came with it."""

    def changed(value: Any) -> Any:
        if isinstance(value, str):
            return without(value)
        if isinstance(value, Mapping):
            return {without(name): changed(content) for name, content in value.items()}
        return [changed(one) for one in value] if isinstance(value, list) else value

    return replace(event, reason=without(event.reason), data=changed(event.data))


def seal(line: str, before: str) -> str:
    """What a *line* of a task's history is known by: the digest of it and of all that came *before*, so that none can be changed unseen."""
    return identity.digest(f"{before}\n{line}")


def dumps_task(found: Task) -> str:
    """*found* as the ledger keeps it, so that it need not be replayed."""
    return json.dumps(
        {**{name: getattr(found, name) for name in Task.__slots__}, "packet": found.packet.said},
        ensure_ascii=False,
        sort_keys=True,
    )


def loads_task(text: str) -> Task:
    """The task that `dumps_task` wrote."""
    said = json.loads(text)
    lists = {name: tuple(said[name]) for name in ("results", "retests")}
    return Task(**{**said, **lists, "packet": TaskPacket(said["packet"])})
