"""The task ledger: every change is one transaction, which appends an event, what it leaves of the task, and whom to tell."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from handoffsite.errors import Conflict, HandoffError, Held, KeyReused, Malformed, NotFound, Refused, Stale
from handoffsite.records import ledger
from handoffsite.records.ledger import CleanEvent, CleanRequest, Event, Task
from handoffsite.records.move import EVERYWHERE, Actor
from handoffsite.records.problem import Problem
from handoffsite.records.task import CleanPacket
from handoffsite.store import ledger_tables, outbox
from handoffsite.store.ledger_tables import Base, Engine

_AT_ONCE = 500  # tasks that are looked at together
_EVENT = "SELECT seq, body, digest FROM event"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An *event* as the ledger keeps it: *seq* is its place among all events, *digest* vouches for it and those before."""

    seq: int
    event: Event
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A *task*, and its *number*: how many were made up to it."""

    number: int
    task: Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which tasks are listed: those that *actor* sees, in a *state*, of a *project* or a *role*, *after* a number, at most *limit*."""

    actor: Actor
    state: str = ""
    project: str = ""
    role: str = ""
    after: int = 0
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """How many *tasks* and *events* came, and how many events were *known*."""

    tasks: int = 0
    events: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger in *engine*; its *id* tells it from any other."""

    engine: Engine
    id: str = field(compare=False)

    def open(self, packet: CleanPacket, asked: CleanRequest) -> Task:
        """Begin the task of *packet*; the same request under the same key again is answered as it was. Conflict where its ID is taken."""
        with self.engine.writing() as base:
            if known := _answered(base, asked):
                return known
            taken = base.execute("SELECT id FROM task WHERE lower(id) = ?", (packet.id.lower(),))
            if taken:
                raise Conflict(f"the task ID {packet.id!r} is taken by {taken[0][0]}", hint="choose another one, or leave it out")
            _refuse_unmendable(base, packet, asked.actor)
            event = ledger.opened(packet, asked)
            return _append(base, None, event)

    def move(self, asked: CleanRequest, guard: Callable[[Task], None]) -> Task:
        """Make the move that is *asked*, in one transaction, if *guard* lets it; the same request under the same key again is answered as it was.

        NotFound where the actor does not see the task, Stale where it is not at the expected version, Held where a domain is another
        task's; else as `Task.step`. Nothing is changed then.
        """
        with self.engine.writing() as base:
            if known := _answered(base, asked):
                return known
            found = _seen(base, asked.task, asked.actor)
            if found.version != asked.expected:
                raise Stale(
                    f"{found.id} is at version {found.version}, not {asked.expected}: it is {found.state}",
                    version=found.version,
                    hint="look at it again, and decide again",
                )
            event = found.step(asked)
            guard(found)
            return _append(base, found, event)

    def task(self, id: str, actor: Actor) -> Task:
        """The task *id*; NotFound where *actor* does not see it."""
        with self.engine.reading() as base:
            return _seen(base, id, actor)

    def told(self, id: str, actor: Actor) -> tuple[Task, list[Entry]]:
        """The task *id*, with its history; NotFound where *actor* does not see it."""
        with self.engine.reading() as base:
            return _seen(base, id, actor), _history(base, id)

    def tasks(self, wanted: Wanted) -> list[Listed]:
        """The tasks that are *wanted*, oldest first."""
        condition, values = _sight(wanted.actor)
        if wanted.state:
            condition, values = f"{condition} AND state = ?", [*values, wanted.state]
        if wanted.project:
            condition, values = f"{condition} AND ? IN (from_project, to_project)", [*values, wanted.project]
        if wanted.role:
            condition, values = f"{condition} AND ? IN (from_role, to_role)", [*values, wanted.role]
        query = f"SELECT number, body FROM task WHERE number > ? AND {condition} ORDER BY number LIMIT ?"  # noqa: S608 -- our own words
        with self.engine.reading() as base:
            rows = base.execute(query, (wanted.after, *values, wanted.limit))
        return [Listed(number=number, task=ledger.loads_task(body)) for number, body in rows]

    def events(self, actor: Actor, after: int, limit: int, id: str = "") -> list[Entry]:
        """At most *limit* events behind the place *after*, of the task *id* or of all that *actor* sees, in their order."""
        condition, values = _sight(actor)
        if id:
            condition, values = f"{condition} AND id = ?", [*values, id]
        query = f"{_EVENT} WHERE seq > ? AND task IN (SELECT id FROM task WHERE {condition}) ORDER BY seq LIMIT ?"  # noqa: S608 -- the same
        with self.engine.reading() as base:
            if id:
                _seen(base, id, actor)
            return _entries(base.execute(query, (after, *values, limit)))

    def histories(self) -> Iterator[tuple[Listed, list[Entry]]]:
        """Every task with its history, oldest first."""
        with self.engine.reading() as base:
            after = 0
            while rows := base.execute(
                "SELECT number, id, body FROM task WHERE number > ? ORDER BY number LIMIT ?", (after, _AT_ONCE)
            ):
                after = rows[-1][0]
                for number, id, body in rows:
                    yield Listed(number=number, task=ledger.loads_task(body)), _history(base, id)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Every event as a line, with its digest, in the order in which they were made."""
        after = 0
        with self.engine.reading() as base:
            while rows := base.execute(f"{_EVENT} WHERE seq > ? ORDER BY seq LIMIT ?", (after, _AT_ONCE)):
                after = rows[-1][0]
                yield from ((body, digest) for _, body, digest in rows)

    def extend(self, events: Sequence[CleanEvent]) -> Imported:
        """Add what the ledger lacks of *events*, in their order, each task's from its beginning; nobody is told. Conflict where a task went
        another way here, Held where a domain is another task's."""
        histories: dict[str, list[CleanEvent]] = {}
        for event in events:
            histories.setdefault(event.task, []).append(event)
        with self.engine.writing() as base:
            known = {id: _common(base, some) for id, some in histories.items()}
            tasks = {id: ledger.replay(some[: known[id]]) if known[id] else None for id, some in histories.items()}
            new = [event for event in events if event.version > known[event.task]]
            for event in new:
                _refuse_key(base, event)
                tasks[event.task] = _append(base, tasks[event.task], event, told=False)
        return Imported(tasks=len({event.task for event in new}), events=len(new), known=len(events) - len(new))

    def purge(self, without: Callable[[str], str], actor: Actor) -> list[str]:
        """Rewrite what the tasks that *actor* sees say by *without*, and seal it anew; which tasks it changed. What was said is then nowhere."""
        condition, values = _sight(actor)
        query = f"SELECT id FROM task WHERE {condition} ORDER BY number"  # noqa: S608 -- our own words
        with self.engine.writing() as base:
            changed = [id for (id,) in base.execute(query, values) if _rewritten(base, id, without)]
        self.engine.compact()  # also where an earlier purge could not
        return changed

    def problems(self) -> list[Problem]:
        """What is wrong: a damaged file, events that were changed or are missing, tasks and domains that are not what the events add up to."""
        found = [_problem("damaged", one, "restore it from an export") for one in self.engine.problems()]
        held: dict[tuple[str, str], str] = {}
        with self.engine.reading() as base:
            for number, id, state, version, body in base.execute(
                "SELECT number, id, state, version, body FROM task ORDER BY number"
            ):
                del number
                try:
                    task = _checked(base, id)
                    if (ledger.dumps_task(task), task.state, task.version) != (body, state, version):
                        found.append(
                            _problem("derived", f"{id} is not what its events add up to", "`ledger export`, and import it anew")
                        )
                    held |= dict.fromkeys(map(_named, task.holds), id)
                except HandoffError as error:
                    found.append(_problem(error.code, error.message, error.hint or "restore it from an export"))
            domains = {(kind, name): task for kind, name, task in base.execute("SELECT kind, name, task FROM domain")}
        for kind, name in sorted(held.keys() | domains.keys()):
            if held.get((kind, name)) != domains.get((kind, name)):
                message = f"{kind} {name} is held by {domains.get((kind, name), 'nobody')}; by its events, by {held.get((kind, name), 'nobody')}"
                found.append(_problem("derived", message, "`ledger export`, and import it anew"))
        return found

    def close(self) -> None:
        """Let go of the database."""
        self.engine.close()


def opened(engine: Engine, new_id: str) -> Ledger:
    """The ledger in *engine*, made as *new_id* where there is none; an engine that holds no ledger of ours is closed."""
    try:
        return Ledger(engine, ledger_tables.migrate(engine, new_id))
    except BaseException:
        engine.close()
        raise


def _append(base: Base, before: Task | None, event: CleanEvent, *, told: bool = True) -> Task:
    """The task once *event* was made of *before*, all that follows from it kept."""
    after = before.after(event) if before else ledger.begun(event)
    line = ledger.dumps(event)
    if before is None:
        _insert(base, after)
    elif 1 != base.change(
        "UPDATE task SET state = ?, version = ?, body = ? WHERE id = ? AND version = ?",
        (after.state, after.version, ledger.dumps_task(after), after.id, before.version),
    ):
        raise Stale(
            f"{after.id} is not at version {before.version}", version=before.version, hint="look at it again, and decide again"
        )
    last = base.execute("SELECT digest FROM event WHERE task = ? AND version = ?", (event.task, event.version - 1))
    base.change(
        "INSERT INTO event (seq, task, version, actor, key, request, body, digest) "
        "SELECT coalesce(max(seq), 0) + 1, ?, ?, ?, ?, ?, ?, ? FROM event",
        (event.task, event.version, event.actor, event.key, event.request, line, ledger.seal(line, last[0][0] if last else "")),
    )
    _hold(base, before, after)
    if told:
        outbox.append(base, after.packet, event)
    return after


def _insert(base: Base, new: Task) -> None:
    said = new.packet.said
    base.change(
        "INSERT INTO task (number, id, state, version, from_project, to_project, from_role, to_role, body) "
        "SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ? FROM task",
        (
            new.id,
            new.state,
            new.version,
            *(said[name] for name in ("from_project", "to_project", "from_role", "to_role")),
            ledger.dumps_task(new),
        ),
    )


def _hold(base: Base, before: Task | None, after: Task) -> None:
    """Let the task hold the domains that are its own now, and no others. Held where one is another task's."""
    held, wanted = {_named(one) for one in before.holds} if before else set(), {_named(one): one for one in after.holds}
    for kind, name in held - wanted.keys():
        base.change("DELETE FROM domain WHERE kind = ? AND name = ? AND task = ?", (kind, name, after.id))
    for (kind, name), shown in wanted.items():
        if (kind, name) in held:
            continue
        others = base.execute("SELECT task FROM domain WHERE kind = ? AND name = ?", (kind, name))
        if others:
            raise Held(
                f"{shown[0]} {shown[1]} is held by {others[0][0]}",
                holder=others[0][0],
                hint=f"wait until {others[0][0]} is closed or canceled: what it began there may not be whole before",
            )
        base.change("INSERT INTO domain (kind, name, task) VALUES (?, ?, ?)", (kind, name, after.id))


def _named(domain: tuple[str, str]) -> tuple[str, str]:
    """What tells a domain from others: who writes it in capitals means the same."""
    return domain[0], " ".join(domain[1].split()).casefold()


def _answered(base: Base, asked: CleanRequest) -> Task | None:
    """The task as it was once this request was carried out, if it was; KeyReused where its key stands for another one."""
    if not asked.key:
        return None
    # Said twice, so that the index of keys, which leaves out what has none, is known to serve.
    query = "SELECT task, version, request FROM event WHERE actor = ? AND key = ? AND key <> ''"
    rows = base.execute(query, (asked.actor.name, asked.key))
    if not rows:
        return None
    task, version, request = rows[0]
    if request != ledger.request_digest(asked):
        raise KeyReused(f"the key {asked.key!r} stands for another request", hint="another effect needs a key of its own")
    return ledger.replay(one.event for one in _history(base, task)[:version])


def _seen(base: Base, id: str, actor: Actor) -> Task:
    rows = base.execute("SELECT body FROM task WHERE id = ?", (id,))
    found = ledger.loads_task(rows[0][0]) if rows else None
    if found is None or not actor.sees(found.packet):
        raise NotFound(f"no task {id[:80]!r}", hint="`handoffsite task list` names them")
    return found


def _refuse_unmendable(base: Base, packet: CleanPacket, actor: Actor) -> None:
    """Refused where it is to mend what was never closed."""
    broken = packet.said.get("defect_of")
    if broken and (found := _seen(base, str(broken), actor)).state != "CLOSED":
        raise Refused(
            f"{broken} is {found.state}: a defect is of a task that was closed", hint="a failed retest returns it instead"
        )


def _refuse_key(base: Base, event: Event) -> None:
    taken = event.key and base.execute(
        "SELECT task, version FROM event WHERE actor = ? AND key = ? AND key <> ''", (event.actor, event.key)
    )
    if taken:
        raise Conflict(
            f"{event.task}, version {event.version}: its key {event.key!r} is taken by {taken[0][0]}", hint="nothing was imported"
        )


def _common(base: Base, events: Sequence[CleanEvent]) -> int:
    """How many of *events* the ledger has; Conflict where it has others in their place."""
    id = events[0].task
    taken = base.execute("SELECT id FROM task WHERE lower(id) = ? AND id <> ?", (id.lower(), id))
    if taken:
        raise Conflict(f"{id} is known as {taken[0][0]}", hint="nothing was imported: the two are not one task")
    before, known = "", _history(base, id)
    for event, kept in zip(events, known, strict=False):
        before = ledger.seal(ledger.dumps(event), before)
        if before != kept.digest:
            hint = "nothing was imported: decide which of the two holds, and cancel the other's task"
            raise Conflict(f"{id} differs from version {event.version} on", hint=hint)
    return min(len(events), len(known))


def _history(base: Base, id: str) -> list[Entry]:
    return _entries(base.execute(f"{_EVENT} WHERE task = ? ORDER BY version", (id,)))


def _entries(rows: Iterable[tuple[int, str, str]]) -> list[Entry]:
    return [Entry(seq=seq, event=Event(**json.loads(body)), digest=digest) for seq, body, digest in rows]


def _checked(base: Base, id: str) -> Task:
    """The task that the events of *id* add up to; Malformed where one was changed, is missing, or does not follow."""
    before, events = "", list[Event]()
    for body, digest in base.execute("SELECT body, digest FROM event WHERE task = ? ORDER BY version", (id,)):
        before = ledger.seal(body, before)
        if before != digest:
            raise Malformed(
                f"{id}: its event {len(events) + 1} was changed, or one before it is missing", hint="restore it from an export"
            )
        events.append(ledger.loads(body))
    return ledger.replay(events)


def _rewritten(base: Base, id: str, without: Callable[[str], str]) -> bool:
    """Whether anything that is kept of the task *id* was changed by *without*; its events are sealed anew then."""
    errors = base.execute("SELECT id, error FROM outbox WHERE task = ? AND error <> ''", (id,))
    told = [(without(error), one) for one, error in errors if without(error) != error]
    for row in told:
        base.change("UPDATE outbox SET error = ? WHERE id = ?", row)
    entries = _history(base, id)
    events = [ledger.rewritten(one.event, without) for one in entries]
    if events == [one.event for one in entries]:
        return bool(told)
    seal = ""
    for entry, event in zip(entries, events, strict=True):
        line = ledger.dumps(event)
        seal = ledger.seal(line, seal)
        base.change("UPDATE event SET body = ?, digest = ? WHERE seq = ?", (line, seal, entry.seq))
    after = ledger.replay(events)
    base.change("UPDATE task SET body = ? WHERE id = ?", (ledger.dumps_task(after), id))
    base.change("DELETE FROM domain WHERE task = ?", (id,))
    _hold(base, None, after)
    return True


def _sight(actor: Actor) -> tuple[str, list[str]]:
    """The condition that a task is one that *actor* sees, and its values."""
    if EVERYWHERE in actor.projects:
        return "1 = 1", []
    marks = ", ".join("?" for _ in actor.projects) or "NULL"
    return f"(from_project IN ({marks}) OR to_project IN ({marks}))", [*actor.projects, *actor.projects]


def _problem(code: str, message: str, fix: str) -> Problem:
    return Problem(code=code, message=message, file="ledger", fix=fix)
