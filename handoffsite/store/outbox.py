"""Whom to tell of an event: kept with it in one transaction, delivered apart from it, at least once."""

import json
from collections.abc import Sequence

from handoffsite.errors import NotFound
from handoffsite.records import delivery
from handoffsite.records.clean import Clean
from handoffsite.records.delivery import DEAD, DELIVERED, MAILBOX, MOST_ATTEMPTS, PENDING, WEBHOOK, Delivery, back_off, later
from handoffsite.records.ledger import Event
from handoffsite.records.move import EVERYWHERE
from handoffsite.records.task import TaskPacket
from handoffsite.store.ledger_tables import Base, Engine

_COLUMNS = (
    "SELECT outbox.id, outbox.task, outbox.version, target, outbox.project, outbox.role, state, attempts, due, error, outbox.made, done, "
    "coalesce(webhook.url, ''), event.body FROM outbox JOIN event ON event.task = outbox.task AND event.version = outbox.version "
    "LEFT JOIN webhook ON outbox.target = 'webhook:' || webhook.name"
)
_NAMES = "id task version target project role state attempts due error made done url".split()


def append(base: Base, packet: TaskPacket, event: Event) -> None:
    """Keep whom to tell of *event*: the other party's mailbox, and each webhook of the projects that it concerns."""
    project, role = delivery.addressee(packet, event)
    targets = [MAILBOX] if project else []
    concerned = {packet.said["from_project"], packet.said["to_project"], EVERYWHERE}
    for name, projects in base.execute("SELECT name, projects FROM webhook ORDER BY name"):
        targets += [f"{WEBHOOK}{name}"] if concerned & set(json.loads(projects)) else []
    for target in targets:
        base.change(
            "INSERT INTO outbox (number, id, task, version, target, project, role, state, attempts, due, error, made, done) "
            "SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, 'pending', 0, ?, '', ?, '' FROM outbox",
            (f"{event.task}:{event.version}:{target}", event.task, event.version, target, project, role, event.at, event.at),
        )


def due(engine: Engine, at: str, *, limit: int, lease: int, project: str = "") -> list[Delivery]:
    """At most *limit* deliveries that are due *at* a time, claimed: for *lease* seconds nobody else gets them, and if they are not settled then,
    they are due again. Those of a webhook that was removed are never due; with a *project*, those of its tasks to mailboxes alone are."""
    condition, values = "(webhook.url IS NOT NULL OR target = 'mailbox')", list[str]()
    if project:
        condition = "target = 'mailbox' AND outbox.task IN (SELECT id FROM task WHERE ? IN (from_project, to_project))"
        values = [project]
    query = f"{_COLUMNS} WHERE state = 'pending' AND due <= ? AND {condition} ORDER BY due, number LIMIT ?"
    with engine.writing() as base:
        rows = base.execute(query, (at, *values, limit))
        for row in rows:
            base.change("UPDATE outbox SET attempts = attempts + 1, due = ? WHERE id = ?", (later(at, lease), row[0]))
        return [_delivery(base, id) for id, *_ in rows]


def delivered(engine: Engine, id: str, at: str) -> Delivery:
    """Settle a delivery: it arrived. Said again, it changes nothing."""
    with engine.writing() as base:
        found = _delivery(base, id)
        if found.state != DELIVERED:
            base.change("UPDATE outbox SET state = 'delivered', error = '', done = ? WHERE id = ?", (at, id))
        return _delivery(base, id)


def failed(engine: Engine, id: str, at: str, error: Clean) -> Delivery:
    """An attempt failed: the next is later, or it is given up as dead after the last. What has arrived has arrived."""
    with engine.writing() as base:
        found = _delivery(base, id)
        if found.state == PENDING:
            state = DEAD if found.attempts >= MOST_ATTEMPTS else PENDING
            next_ = later(at, back_off(max(1, found.attempts)))
            base.change("UPDATE outbox SET state = ?, due = ?, error = ? WHERE id = ?", (state, next_, error, id))
        return _delivery(base, id)


def listed(engine: Engine, *, state: str = "", task: str = "", after: int = 0, limit: int = 1000) -> list[Delivery]:
    """The deliveries in a *state*, or of a *task*, in the order in which they were made."""
    condition, values = "number > ?", [str(after)]
    for column, wanted in (("state", state), ("outbox.task", task)):
        if wanted:
            condition, values = f"{condition} AND {column} = ?", [*values, wanted]
    with engine.reading() as base:
        rows = base.execute(f"{_COLUMNS} WHERE {condition} ORDER BY number LIMIT ?", (after, *values[1:], limit))
    return [_of(row) for row in rows]


def replay(engine: Engine, ids: Sequence[str], at: str) -> int:
    """Let the dead deliveries *ids*, or all of them, be tried again from the beginning; how many there were."""
    with engine.writing() as base:
        if not ids:
            return base.change("UPDATE outbox SET state = 'pending', attempts = 0, due = ? WHERE state = 'dead'", (at,))
        for id in ids:
            _delivery(base, id)
        update = "UPDATE outbox SET state = 'pending', attempts = 0, due = ? WHERE state = 'dead' AND id = ?"
        return sum(base.change(update, (at, id)) for id in ids)


def add_webhook(engine: Engine, name: str, url: str, projects: Sequence[str], at: str) -> None:
    """Tell *url* of every event of *projects* from now on; what had that *name* is replaced."""
    with engine.writing() as base:
        base.change("DELETE FROM webhook WHERE name = ?", (name,))
        base.change(
            "INSERT INTO webhook (name, url, projects, made) VALUES (?, ?, ?, ?)", (name, url, json.dumps(list(projects)), at)
        )


def webhooks(engine: Engine) -> list[tuple[str, str, tuple[str, ...], str]]:
    """Each webhook: name, URL, projects, and since when."""
    with engine.reading() as base:
        rows = base.execute("SELECT name, url, projects, made FROM webhook ORDER BY name")
    return [(name, url, tuple(json.loads(projects)), made) for name, url, projects, made in rows]


def remove_webhook(engine: Engine, name: str) -> None:
    """Tell it nothing more; NotFound where there is none."""
    with engine.writing() as base:
        if not base.change("DELETE FROM webhook WHERE name = ?", (name,)):
            raise NotFound(f"no webhook {name[:80]!r}", hint="`handoffsite ledger webhook list` names them")


def _delivery(base: Base, id: str) -> Delivery:
    rows = base.execute(f"{_COLUMNS} WHERE outbox.id = ?", (id,))
    if not rows:
        raise NotFound(f"no delivery {id[:200]!r}", hint="an ID is that of the task, a version and a target, as t-1:4:mailbox")
    return _of(rows[0])


def _of(row: Sequence[object]) -> Delivery:
    *said, body = row
    fields = dict(zip(_NAMES, said, strict=True))
    return Delivery(**fields, event=Event(**json.loads(str(body))))  # type: ignore[arg-type]
