"""The ledger on disk: the same behaviour on SQLite and on PostgreSQL; what was acknowledged is there, once, and nothing else is."""

import json
import os
import queue
import signal
import stat
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite.errors import (
    Conflict,
    Forbidden,
    HandoffError,
    Held,
    KeyReused,
    Malformed,
    NotFound,
    Refused,
    Stale,
    Unauthenticated,
)
from handoffsite.records import ledger as records
from handoffsite.records import task
from handoffsite.records.clean import Clean
from handoffsite.records.ledger import Request, Task
from handoffsite.records.move import Actor
from handoffsite.records.redaction import Redactor
from handoffsite.store import ledger as ledgers
from handoffsite.store import ledger_tables, outbox, tokens
from handoffsite.store.ledger import Ledger, Wanted
from handoffsite.store.ledger_postgres import PostgresEngine
from handoffsite.store.ledger_sqlite import SqliteEngine
from handoffsite.store.ledger_tables import Engine
from tests.packet import EVIDENCE, packet

FRONTEND = Actor(name="frontend-agent", role="frontend-agent", projects=("frontend",))
BACKEND = Actor(name="backend-agent", role="backend-agent", projects=("backend",))
PLANNER = Actor(name="planner", role="planner", projects=("*",))
OTHER = Actor(name="other-agent", role="backend-agent", projects=("other",))
AT = "2026-09-12T10:00:00Z"
REDACTOR = Redactor()
Make = Callable[[], Engine]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.gate)])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Opens an engine on one and the same database; each stands for another process."""
    opened: list[Engine] = []
    address = ""
    if request.param == "postgres":
        psycopg = pytest.importorskip("psycopg", reason="the extra postgres is not installed")
        url, name = request.getfixturevalue("postgres"), f"ledger_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name}")
        address = f"{url.rpartition('/')[0]}/{name}"

    def connect() -> Engine:
        opened.append(PostgresEngine(address) if address else SqliteEngine(tmp_path))
        return opened[-1]

    yield connect
    for one in opened:
        one.close()


@pytest.fixture
def ledger(make: Make) -> Ledger:
    """A new ledger."""
    return ledgers.opened(make(), "0" * 32)


def asked(event: str, actor: Actor, body: dict[str, Any] | None = None, **more: Any) -> Any:
    return records.cleaned(Request(event=event, actor=actor, at=more.pop("at", AT), body=body, **more), REDACTOR)


def create(ledger: Ledger, id: str = "t-1", *, key: str = "", actor: Actor = FRONTEND, **more: Any) -> Task:
    said = packet(task_id=id, handoff_id=None, **more)
    return ledger.open(task.cleaned(task.packet(said), REDACTOR), asked("create", actor, said, key=key))


def move(ledger: Ledger, event: str, expected: int, actor: Actor | None = None, id: str = "t-1", **more: Any) -> Task:
    actor = actor or (FRONTEND if event in {"offer", "retest"} else BACKEND)
    bodies: dict[str, dict[str, Any]] = {"submit-result": {"artifacts": EVIDENCE}, "retest": {"outcome": "passed"}}
    body = more.pop("body", bodies.get(event))
    return ledger.move(asked(event, actor, body, task=id, expected=expected, **more), lambda _: None)


def begun(ledger: Ledger, id: str = "t-1", **more: Any) -> Task:
    """A task in progress."""
    create(ledger, id, **more)
    for version, event in enumerate(("offer", "accept", "start"), 1):
        found = move(ledger, event, version, id=id)
    return found


def everything(ledger: Ledger) -> list[tuple[str, str]]:
    return list(ledger.lines())


class TestOneLedger:
    """What holds on every engine."""

    def test_a_task_from_its_creation_to_its_end(self, ledger: Ledger) -> None:
        """Each move is an event, a version, and whom to tell; it is read back as it was answered, also by another process."""
        begun(ledger)
        move(ledger, "submit-result", 4)
        closed = move(ledger, "retest", 5)
        found, entries = ledger.told("t-1", BACKEND)

        assert closed == found
        assert ("CLOSED", 6) == (found.state, found.version)
        assert [1, 2, 3, 4, 5, 6] == [one.seq for one in entries]
        assert ["create", "offer", "accept", "start", "submit-result", "retest"] == [one.event.event for one in entries]
        assert [] == ledger.problems()

    def test_a_stale_version_changes_nothing(self, ledger: Ledger) -> None:
        """Whoever has not seen the last move is told at which version the task is."""
        create(ledger)
        move(ledger, "offer", 1)
        before = everything(ledger)
        for expected in (1, 3, 99):
            with pytest.raises(Stale) as caught:
                move(ledger, "accept", expected)
            assert 2 == caught.value.version

        assert before == everything(ledger)

    def test_what_is_refused_changes_nothing(self, ledger: Ledger) -> None:
        """No event, nobody told, no domain held; the guard's word counts as well."""
        create(ledger)
        before = everything(ledger)

        def guard(found: Task) -> None:
            raise Refused(f"not {found.id}")

        with pytest.raises(Refused, match="not t-1"):
            ledger.move(asked("offer", FRONTEND, task="t-1", expected=1), guard)
        with pytest.raises(Forbidden):
            move(ledger, "offer", 1, BACKEND)
        with pytest.raises(HandoffError):
            move(ledger, "submit-result", 1)

        assert before == everything(ledger)
        assert [] == outbox.listed(ledger.engine)

    def test_one_id_is_one_task(self, ledger: Ledger) -> None:
        """In whatever case it is written: it names a file, too."""
        create(ledger, "Report-17")
        for id in ("Report-17", "report-17"):
            with pytest.raises(Conflict, match="taken by Report-17"):
                create(ledger, id)

    def test_the_same_request_is_answered_as_it_was(self, ledger: Ledger) -> None:
        """Under its key, however late it comes again; nothing is done twice."""
        made = create(ledger, key="k1")
        offered = move(ledger, "offer", 1, key="k2")
        move(ledger, "accept", 2, key="k2")  # another actor's key is another key
        before = everything(ledger)

        assert made == create(ledger, key="k1")
        assert offered == move(ledger, "offer", 1, key="k2", at="2027-01-01T00:00:00Z")
        assert before == everything(ledger)

    def test_no_move_looks_through_all_events(self, ledger: Ledger) -> None:
        """What a move asks is found by an index, however many tasks there are."""
        create(ledger, key="k")
        if not isinstance(ledger.engine, SqliteEngine):
            pytest.skip("with few rows, PostgreSQL looks through them all")
        asked_: list[str] = []

        class Watched:
            """A transaction that notes what it is asked."""

            def __init__(self, base: Any) -> None:
                self.base = base

            def execute(self, command: str, values: Any = ()) -> list[Any]:
                asked_.extend(str(row[3]) for row in self.base.execute(f"EXPLAIN QUERY PLAN {command}", values))
                return list(self.base.execute(command, values))

            def change(self, command: str, values: Any = ()) -> int:
                return int(self.base.change(command, values))

        with ledger.engine.writing() as base:
            watched = Watched(base)
            ledgers._answered(watched, asked("offer", FRONTEND, task="t-1", expected=1, key="other"))  # noqa: SLF001 -- the plan is not seen from outside
            found = ledgers._seen(watched, "t-1", FRONTEND)  # noqa: SLF001 -- the same
            ledgers._append(watched, found, found.step(asked("offer", FRONTEND, key="other")))  # noqa: SLF001 -- the same

        assert len(asked_) >= 3
        assert [] == [one for one in asked_ if one.startswith("SCAN") and "webhook" not in one]

    def test_a_key_stands_for_one_request(self, ledger: Ledger) -> None:
        """Another body, task or version under it is refused."""
        create(ledger, key="k1")
        move(ledger, "offer", 1, key="k2")
        with pytest.raises(KeyReused):
            create(ledger, "t-2", key="k1")
        with pytest.raises(KeyReused):
            move(ledger, "offer", 1, key="k2", reason="because")
        with pytest.raises(KeyReused):
            move(ledger, "offer", 1, key="k1")

    def test_fifty_deliveries_of_one_request(self, ledger: Ledger) -> None:
        """At once: one effect, and the same answer to all."""
        create(ledger)
        answers = together(50, lambda _: move(ledger, "offer", 1, key="k"))

        assert [] == [one for one in answers if isinstance(one, BaseException)]
        assert 1 == len({records.dumps_task(one) for one in answers})
        assert 2 == len(everything(ledger))

    def test_a_boundary_sees_its_own_tasks_alone(self, ledger: Ledger) -> None:
        """Those that it sends or receives; of the others it learns nothing by any way."""
        create(ledger, "ours")
        create(ledger, "theirs", from_project="other", from_role="backend-agent", actor=OTHER)
        with pytest.raises(NotFound):
            ledger.task("ours", OTHER)
        with pytest.raises(NotFound):
            ledger.events(OTHER, 0, 10, "ours")
        with pytest.raises(NotFound):
            move(ledger, "cancel", 1, OTHER, "ours")

        assert ["theirs"] == [one.task.id for one in ledger.tasks(Wanted(actor=OTHER))]
        assert {"theirs"} == {one.event.task for one in ledger.events(OTHER, 0, 10)}
        assert ["ours", "theirs"] == [one.task.id for one in ledger.tasks(Wanted(actor=PLANNER))]
        assert [] == ledger.tasks(Wanted(actor=Actor(name="x", role="x", projects=())))

    def test_pages(self, ledger: Ledger) -> None:
        """Of tasks and of events, each from where the last one ended; filters count."""
        for number in range(7):
            create(ledger, f"t-{number}")
        move(ledger, "offer", 1, id="t-3")
        first = ledger.tasks(Wanted(actor=PLANNER, limit=3))
        second = ledger.tasks(Wanted(actor=PLANNER, after=first[-1].number, limit=3))

        assert ["t-0", "t-1", "t-2", "t-3", "t-4", "t-5"] == [one.task.id for one in (*first, *second)]
        assert ["t-3"] == [one.task.id for one in ledger.tasks(Wanted(actor=PLANNER, state="OFFERED"))]
        assert [] == ledger.tasks(Wanted(actor=PLANNER, project="other"))
        assert 7 == len(ledger.tasks(Wanted(actor=PLANNER, project="backend", role="frontend-agent")))
        assert [7, 8] == [one.seq for one in ledger.events(PLANNER, 6, 10)]

    def test_sixteen_at_one_version(self, make: Make, ledger: Ledger) -> None:
        """From as many connections: one wins, all others are told that they are late, twenty times over."""
        create(ledger)
        move(ledger, "offer", 1)
        others = [ledgers.opened(make(), "1" * 32) for _ in range(4)]
        version = 2
        for _ in range(20):
            event = "resume" if ledger.task("t-1", BACKEND).state == "BLOCKED" else "block"
            expected = version
            answers = together(16, lambda number: move(others[number % 4], event, expected, key=f"{expected}-{number}"))  # noqa: B023 -- called at once
            version += 1
            assert 1 == sum(isinstance(one, Task) for one in answers)
            assert 15 == sum(isinstance(one, Stale) and one.version == version for one in answers)

        assert [] == ledger.problems()
        assert 22 == len(everything(ledger))

    def test_a_held_domain(self, ledger: Ledger) -> None:
        """Refuses a second task, naming the holder, in whatever case it is written; all of a task's domains are taken, or none."""
        schema, database = {"kind": "schema", "name": "reports"}, {"kind": "database", "name": "main"}
        begun(ledger, "first", domains=[schema])
        create(ledger, "second", domains=[database, {"kind": "schema", "name": "Reports"}])
        for version, event in enumerate(("offer", "accept"), 1):
            move(ledger, event, version, id="second")
        with pytest.raises(Held, match="held by first") as caught:
            move(ledger, "start", 3, id="second")
        begun(ledger, "third", domains=[database])

        assert "first" == caught.value.holder
        assert "ACCEPTED" == ledger.task("second", BACKEND).state

    @pytest.mark.parametrize("way", ["closed", "canceled"])
    def test_a_domain_is_free_when_its_task_is_over(self, ledger: Ledger, way: str) -> None:
        """Not before: a task that waits, or is retested, holds what it began to change."""
        own = [{"kind": "environment", "name": "staging"}]
        begun(ledger, "first", domains=own)
        create(ledger, "second", domains=own)
        for version, event in enumerate(("offer", "accept"), 1):
            move(ledger, event, version, id="second")
        move(ledger, "block", 4, id="first")
        with pytest.raises(Held):
            move(ledger, "start", 3, id="second")
        move(ledger, "resume", 5, id="first")
        move(ledger, "submit-result", 6, id="first")
        with pytest.raises(Held):
            move(ledger, "start", 3, id="second")
        move(ledger, "retest" if way == "closed" else "cancel", 7, id="first")

        assert "IN_PROGRESS" == move(ledger, "start", 3, id="second").state
        assert [] == ledger.problems()

    def test_a_new_domain_is_taken_when_it_is_named(self, ledger: Ledger) -> None:
        """A packet that is changed on the way may name another one, if it is free; the one that it no longer names is free."""
        one, other = {"kind": "schema", "name": "one"}, {"kind": "schema", "name": "other"}
        begun(ledger, "first", domains=[one])
        begun(ledger, "second", domains=[other])
        move(ledger, "block", 4, id="first")
        with pytest.raises(Held, match="held by second"):
            move(ledger, "resume", 5, FRONTEND, "first", body={"packet": {"domains": [other]}})
        move(ledger, "resume", 5, FRONTEND, "first", body={"packet": {"domains": []}})
        begun(ledger, "third", domains=[one])

        assert [] == ledger.problems()

    def test_a_defect_is_of_a_closed_task(self, ledger: Ledger) -> None:
        """That the sender knows of."""
        begun(ledger)
        with pytest.raises(Refused, match="IN_PROGRESS"):
            create(ledger, "t-2", defect_of="t-1")
        with pytest.raises(NotFound):
            create(ledger, "t-2", defect_of="t-9")
        move(ledger, "submit-result", 4)
        move(ledger, "retest", 5)

        assert "OPEN" == create(ledger, "t-2", defect_of="t-1").state

    def test_an_export_makes_the_same_ledger_anew(self, ledger: Ledger, tmp_path: Path) -> None:
        """All tasks, events, keys and holders; a second time it adds nothing, and what came since is added alone."""
        begun(ledger, "t-1", domains=[{"kind": "schema", "name": "x"}])
        create(ledger, "t-2", key="k")
        exported = [records.loads(body) for body, _ in everything(ledger)]
        (tmp_path / "copy").mkdir()
        copy = ledgers.opened(SqliteEngine(tmp_path / "copy"), "2" * 32)
        first, again = (copy.extend([records.cleaned_event(one, REDACTOR) for one in exported]) for _ in range(2))
        move(ledger, "submit-result", 4)
        more = copy.extend([records.cleaned_event(records.loads(body), REDACTOR) for body, _ in everything(ledger)])

        assert (2, 5, 0) == (first.tasks, first.events, first.known)
        assert (0, 0, 5) == (again.tasks, again.events, again.known)
        assert (1, 1, 5) == (more.tasks, more.events, more.known)
        assert everything(ledger) == everything(copy)
        assert [] == copy.problems()
        assert [] == outbox.listed(copy.engine)
        assert "t-2" == create(copy, "t-2", key="k").id
        copy.engine.close()

    def test_an_import_that_went_another_way(self, ledger: Ledger, tmp_path: Path) -> None:
        """Is refused whole, with the task and the version where the two part."""
        create(ledger, "t-1")
        (tmp_path / "copy").mkdir()
        copy = ledgers.opened(SqliteEngine(tmp_path / "copy"), "2" * 32)
        copy.extend([records.cleaned_event(records.loads(body), REDACTOR) for body, _ in everything(ledger)])
        move(ledger, "offer", 1)
        move(copy, "offer", 1, reason="otherwise")
        create(copy, "t-0")
        with pytest.raises(Conflict, match="t-1 differs from version 2"):
            ledger.extend([records.cleaned_event(records.loads(body), REDACTOR) for body, _ in everything(copy)])

        assert ["t-1"] == [one.task.id for one in ledger.tasks(Wanted(actor=PLANNER))]
        copy.engine.close()

    def test_domains_that_changed_hands_are_imported_in_order(self, ledger: Ledger, tmp_path: Path) -> None:
        """The older task holds now what the younger one held before."""
        own = [{"kind": "schema", "name": "x"}]
        create(ledger, "old", domains=own)
        begun(ledger, "young", domains=own)
        move(ledger, "cancel", 4, id="young")
        for version, event in enumerate(("offer", "accept", "start"), 1):
            move(ledger, event, version, id="old")
        (tmp_path / "copy").mkdir()
        copy = ledgers.opened(SqliteEngine(tmp_path / "copy"), "2" * 32)
        copy.extend([records.cleaned_event(records.loads(body), REDACTOR) for body, _ in everything(ledger)])

        assert [] == copy.problems()
        copy.engine.close()

    def test_a_text_is_taken_out(self, ledger: Ledger) -> None:
        """Of every event, of what is kept of the task and of what a delivery said; the history is whole again, other tasks are as they were."""
        begun(ledger, "t-1", domains=[{"kind": "schema", "name": "hush"}], goal="Fix hush", known_facts=[{"hush": "hush-hush"}])
        move(ledger, "block", 4, reason="hush!")
        create(ledger, "t-2", goal="hush", from_project="other", from_role="backend-agent", actor=OTHER)
        outbox.failed(ledger.engine, "t-1:2:mailbox", AT, Clean("no hush there"))
        before = [body for body, _ in everything(ledger) if '"t-2"' in body]
        changed = ledger.purge(lambda text: text.replace("hush", "[purged]"), FRONTEND)
        rest = [body for body, _ in everything(ledger) if '"t-2"' in body]

        assert (["t-1"], before) == (changed, rest)
        assert "hush" not in "".join(body for body, _ in everything(ledger) if body not in rest)
        assert "hush" not in outbox.listed(ledger.engine)[0].error
        assert [] == ledger.problems()
        assert "IN_PROGRESS" == move(ledger, "resume", 5).state
        assert [] == ledger.purge(lambda text: text.replace("hush", "[purged]"), FRONTEND)

    @pytest.mark.parametrize(
        ("damage", "told"),
        [
            ("UPDATE event SET body = replace(body, 'frontend-agent', 'backend-agent') WHERE seq = 2", "event 2 was changed"),
            ("UPDATE event SET digest = 'x' WHERE seq = 3", "event 3 was changed"),
            ("UPDATE task SET state = 'CLOSED'", "not what its events add up to"),
            ("UPDATE task SET version = 9", "not what its events add up to"),
            ("UPDATE task SET body = replace(body, 'Fix', 'Break')", "not what its events add up to"),
            ("DELETE FROM domain", "by its events, by t-1"),
            ("UPDATE domain SET name = 'y'", "held by nobody"),
        ],
    )
    def test_check_names_what_was_changed(self, ledger: Ledger, damage: str, told: str) -> None:
        """Each task is replayed from its events, and compared with what is kept of it."""
        begun(ledger, domains=[{"kind": "schema", "name": "x"}])
        with ledger.engine.writing() as base:
            base.change(damage)

        assert told in "\n".join(one.message for one in ledger.problems())

    def test_an_event_that_is_gone(self, ledger: Ledger) -> None:
        """Is missed, though its successor is whole."""
        create(ledger)
        move(ledger, "block", 1)
        move(ledger, "resume", 2)
        with ledger.engine.writing() as base:
            base.change("DELETE FROM outbox")
            base.change("DELETE FROM event WHERE version = 2")

        assert "was changed, or one before it is missing" in ledger.problems()[0].message

    def test_versions_of_the_tables(self, make: Make) -> None:
        """A ledger of an earlier version is brought up to this one with all that it holds; a later one is left alone."""
        engine = make()
        ledger_tables.migrate(engine, "a" * 32, most=1)
        assert not engine.knows("outbox")
        with engine.writing() as base:
            base.change(
                "INSERT INTO task (id, number, state, version, from_project, to_project, from_role, to_role, body) VALUES ('t', 1, 'OPEN', 1, 'a', 'b', 'c', 'd', '{}')"
            )
        found = ledgers.opened(engine, "b" * 32)
        with engine.reading() as base:
            kept = base.execute("SELECT id FROM task")
        create(found)
        with engine.writing() as base:
            base.change("UPDATE meta SET value = '99' WHERE name = 'version'")
        with pytest.raises(Refused, match="version 99"):
            ledgers.opened(make(), "c" * 32)

        assert ("a" * 32, [("t",)]) == (found.id, [tuple(row) for row in kept])

    def test_sixteen_open_it_for_the_first_time(self, make: Make) -> None:
        """At once: it is made once, and all see the same."""
        found = together(16, lambda number: ledgers.opened(make(), f"{number:032}"))

        assert [] == [one for one in found if isinstance(one, BaseException)]
        assert 1 == len({one.id for one in found})

    def test_text_is_kept_as_it_is(self, ledger: Ledger) -> None:
        """What SQL, JSON or a terminal read their own way is text here."""
        goal = "'; DROP TABLE task; -- % ? \\ \" \0 \u2028 \U0001f469\u200d\U0001f4bb \ud83c"
        create(ledger, goal=goal)
        found = ledger.task("t-1", FRONTEND)

        assert found.packet.goal == task.cleaned(task.packet(packet(goal=goal)), REDACTOR).goal
        assert found.packet.goal.startswith("'; DROP TABLE task; -- % ? \\ \"")


class TestOutbox:
    """Whom to tell: kept with the event, delivered apart from it."""

    def test_the_other_party_is_told(self, ledger: Ledger) -> None:
        """Of each move but the creation; a task within one role has nobody to tell."""
        begun(ledger)
        create(ledger, "alone", to_role="frontend-agent", to_project="frontend")
        move(ledger, "offer", 1, id="alone")
        found = outbox.listed(ledger.engine)

        assert ["t-1:2:mailbox", "t-1:3:mailbox", "t-1:4:mailbox"] == [one.id for one in found]
        assert [("backend", "backend-agent"), ("frontend", "frontend-agent"), ("frontend", "frontend-agent")] == [
            (one.project, one.role) for one in found
        ]
        assert ["offer", "accept", "start"] == [one.event.event for one in found]

    def test_a_webhook_hears_of_its_projects(self, ledger: Ledger) -> None:
        """From when it was added until it is removed."""
        create(ledger)
        outbox.add_webhook(ledger.engine, "ours", "http://127.0.0.1:9/hook", ("backend",), AT)
        outbox.add_webhook(ledger.engine, "theirs", "http://127.0.0.1:9/other", ("other",), AT)
        outbox.add_webhook(ledger.engine, "all", "http://127.0.0.1:9/all", ("*",), AT)
        move(ledger, "offer", 1)
        outbox.remove_webhook(ledger.engine, "all")
        due = outbox.due(ledger.engine, AT, limit=10, lease=60)

        assert {"t-1:2:mailbox", "t-1:2:webhook:all", "t-1:2:webhook:ours"} == {one.id for one in outbox.listed(ledger.engine)}
        assert {"t-1:2:mailbox": "", "t-1:2:webhook:ours": "http://127.0.0.1:9/hook"} == {one.id: one.url for one in due}
        with pytest.raises(NotFound):
            outbox.remove_webhook(ledger.engine, "all")

    def test_claimed_once_until_the_lease_ends(self, ledger: Ledger) -> None:
        """Eight at once share what is due, none gets what another has; who dies with it leaves it for later."""
        for number in range(20):
            create(ledger, f"t-{number}")
            move(ledger, "offer", 1, id=f"t-{number}")
        claimed = [one.id for some in together(8, lambda _: outbox.due(ledger.engine, AT, limit=4, lease=60)) for one in some]
        later = outbox.due(ledger.engine, "2026-09-12T10:01:00Z", limit=100, lease=60)

        assert 20 == len(claimed) == len(set(claimed))
        assert [] == outbox.due(ledger.engine, "2026-09-12T10:00:59Z", limit=100, lease=60)
        assert set(claimed) == {one.id for one in later}
        assert {2} == {one.attempts for one in later}

    def test_what_arrived_has_arrived(self, ledger: Ledger) -> None:
        """Said again it changes nothing, nor does a failure that is told later; and the task does not move by it."""
        create(ledger)
        move(ledger, "offer", 1)
        events = everything(ledger)
        (one,) = outbox.due(ledger.engine, AT, limit=10, lease=60)
        done = outbox.delivered(ledger.engine, one.id, "2026-09-12T10:00:05Z")
        again = outbox.delivered(ledger.engine, one.id, "2026-09-12T11:00:00Z")
        failed = outbox.failed(ledger.engine, one.id, "2026-09-12T11:00:00Z", Clean("too late"))

        assert "delivered" == done.state
        assert done == again == failed
        assert [] == outbox.due(ledger.engine, "2027-01-01T00:00:00Z", limit=10, lease=60)
        assert events == everything(ledger)
        with pytest.raises(NotFound):
            outbox.delivered(ledger.engine, "t-1:9:mailbox", AT)

    def test_later_and_later_then_given_up_then_tried_again(self, ledger: Ledger) -> None:
        """Ten attempts, each after a longer pause; a dead letter is kept with its error, and replayed from the beginning."""
        create(ledger)
        move(ledger, "offer", 1)
        now, pauses = AT, []
        while found := outbox.due(ledger.engine, now, limit=10, lease=60):
            one = outbox.failed(ledger.engine, found[0].id, now, Clean("refused"))
            if one.state == "dead":
                break
            pauses.append(one.due)
            now = one.due

        assert ("dead", 10, "refused") == (one.state, one.attempts, one.error)
        assert pauses == sorted(set(pauses))
        assert 9 == len(pauses)
        assert [] == outbox.due(ledger.engine, "2030-01-01T00:00:00Z", limit=10, lease=60)
        assert (1, 0) == (outbox.replay(ledger.engine, [one.id], now), outbox.replay(ledger.engine, [], now))
        assert [1] == [one.attempts for one in outbox.due(ledger.engine, now, limit=10, lease=60)]


class TestTokens:
    """Who may speak to it from afar."""

    def test_a_token_names_its_holder_until_it_is_revoked(self, ledger: Ledger) -> None:
        """Only the hash of it is kept."""
        text = tokens.make(ledger.engine, "abc", "s3cret-text", BACKEND, AT)
        assert BACKEND == tokens.holder(ledger.engine, text)
        (kept,) = tokens.listed(ledger.engine)
        tokens.revoke(ledger.engine, "abc", AT)
        with pytest.raises(Unauthenticated):
            tokens.holder(ledger.engine, text)
        with ledger.engine.reading() as base:
            row = base.execute("SELECT * FROM token")[0]

        assert (BACKEND, "") == (kept.actor, kept.revoked)
        assert "s3cret-text" not in str(row)
        assert AT == tokens.listed(ledger.engine)[0].revoked
        with pytest.raises(NotFound):
            tokens.revoke(ledger.engine, "none", AT)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "hst_abc_",
            "hst_abc_s3cret",
            "hst__s3cret-text",
            "abc",
            "hst_abd_s3cret-text",
            "x_abc_s3cret-text",
            "hst_abc\0_s3cret-text",
            "hst_\ud800_x",
        ],
    )
    def test_no_other_text_is_one(self, ledger: Ledger, text: str) -> None:
        """Whatever is wrong with it, the answer is the same."""
        tokens.make(ledger.engine, "abc", "s3cret-text", BACKEND, AT)
        with pytest.raises(Unauthenticated, match="does not hold"):
            tokens.holder(ledger.engine, text)


def together(count: int, act: Callable[[int], Any]) -> list[Any]:
    """What *count* threads, let go at once, each got from *act*, or ran into."""
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
    gate = threading.Barrier(count)

    def run(number: int) -> None:
        gate.wait()
        try:
            answers.put(act(number))
        except Exception as error:  # noqa: BLE001 -- it is an answer
            answers.put(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return [answers.get() for _ in threads]


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    """With its folder, also what SQLite keeps beside it; and git is told to leave it out."""
    ledger = ledgers.opened(SqliteEngine(tmp_path), "0" * 32)
    create(ledger)
    folder = tmp_path / ".handoff-ledger"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir() if path.name != ".gitignore"}

    assert 0o700 == stat.S_IMODE(folder.stat().st_mode)
    assert {"ledger.sqlite3", "ledger.sqlite3-wal", "ledger.sqlite3-shm"} == set(modes)
    assert {0o600} == set(modes.values())
    assert "*\n" == (folder / ".gitignore").read_text()
    ledger.close()


@pytest.mark.parametrize("plant", ["open", "link", "folder-link", "wal-link", "folder", "readable-folder"])
def test_what_somebody_else_put_there_is_not_opened(tmp_path: Path, plant: str) -> None:
    """A clone may hold anything: a file that others may write, a link that leads elsewhere."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs").write_bytes(b"keep")
    folder = tmp_path / "space" / ".handoff-ledger"
    folder.parent.mkdir()
    if plant == "folder-link":
        folder.symlink_to(outside)
    else:
        folder.mkdir(mode=0o755 if plant == "readable-folder" else 0o700)
    if plant == "open":
        (folder / "ledger.sqlite3").write_bytes(b"")
    if plant == "link":
        (folder / "ledger.sqlite3").symlink_to(outside / "theirs")
    if plant == "wal-link":
        (folder / "ledger.sqlite3-wal").symlink_to(outside / "theirs")
    if plant == "folder":
        (folder / "ledger.sqlite3").mkdir()
    with pytest.raises(Refused, match="this user's alone"):
        SqliteEngine(folder.parent)

    assert [b"keep"] == [path.read_bytes() for path in outside.iterdir()]


def test_a_trigger_is_nobodys(tmp_path: Path) -> None:
    """A database that would do something by itself is none of ours."""
    ledger = ledgers.opened(SqliteEngine(tmp_path), "0" * 32)
    with ledger.engine.writing() as base:
        base.change("CREATE TRIGGER planted AFTER INSERT ON event BEGIN DELETE FROM event; END")
    ledger.close()
    with pytest.raises(Malformed, match="planted"):
        ledgers.opened(SqliteEngine(tmp_path), "0" * 32)


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_damaged_file_is_said_to_be_damaged(tmp_path: Path, size: int) -> None:
    """Rubbish, or a part of it: never a traceback, and never an empty ledger in its place."""
    ledger = ledgers.opened(SqliteEngine(tmp_path), "0" * 32)
    begun(ledger)
    ledger.close()
    file = tmp_path / ".handoff-ledger" / "ledger.sqlite3"
    file.write_bytes(b"rubbish" * 4000 if not size else file.read_bytes()[:size] + os.urandom(8000))
    engine = SqliteEngine(tmp_path)
    try:
        problems = [one.message for one in ledgers.opened(engine, "0" * 32).problems()]
    except Malformed as error:
        problems = [error.message]
    engine.close()

    assert "damaged" in problems[0]


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    """What does not fit is said not to be written; what was acknowledged stays, and later it goes on."""
    code = f"""
import resource, signal, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.store.test_ledger import *
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
ledger = ledgers.opened(SqliteEngine(Path({str(tmp_path)!r})), "0" * 32)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
for number in range(1000):
    try:
        create(ledger, f"t-{{number}}", goal="x" * 5000)
    except HandoffError as error:
        print(number, error.code, flush=True)
        break
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said, code = done.stdout.split()
    count = int(said)
    ledger = ledgers.opened(SqliteEngine(tmp_path), "0" * 32)
    create(ledger, "after")

    assert ("unwritten", True) == (code, count > 5)
    assert [*(f"t-{number}" for number in range(count)), "after"] == [
        one.task.id for one in ledger.tasks(Wanted(actor=PLANNER, limit=1000))
    ]
    assert [] == ledger.problems()
    ledger.close()


WRITER = """
import sys
sys.path.insert(0, {root!r})
from tests.store.test_ledger import *
ledger = ledgers.opened(SqliteEngine(Path({place!r})), "0" * 32)
for number in range(100_000):
    id = f"{name}-{{number}}"
    create(ledger, id, domains=[{{"kind": "schema", "name": id}}])
    print(id, 1, flush=True)
    for version, event in enumerate(("offer", "accept", "start", "submit-result", "retest"), 1):
        move(ledger, event, version, id=id)
        print(id, version + 1, flush=True)
"""


def killed(tmp_path: Path, name: str, count: int) -> dict[str, int]:
    """Let a process write, kill it when it acknowledged *count* moves, whatever it does then; the versions that it acknowledged."""
    code = WRITER.format(root=str(Path(__file__).parents[2]), place=str(tmp_path), name=name)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    said = [process.stdout.readline() for _ in range(count)]
    process.send_signal(signal.SIGKILL)
    said += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    return {words[0]: int(words[1]) for line in said if line.endswith("\n") and len(words := line.split()) == 2}


def kill_often(tmp_path: Path, count: int) -> int:
    """Kill a writer *count* times; how many moves were acknowledged, none of which is lost, and each of which is there once."""
    acknowledged: dict[str, int] = {}
    for number in range(count):
        acknowledged |= killed(tmp_path, f"w{number}", 1 + 5 * number % 37)
    ledger = ledgers.opened(SqliteEngine(tmp_path), "0" * 32)
    assert [] == ledger.problems()
    for listed, entries in ledger.histories():
        told = acknowledged.get(listed.task.id, 0)
        assert listed.task.version - told in {0, 1}
        assert [*range(1, listed.task.version + 1)] == [one.event.version for one in entries]
        rows = {one.id for one in outbox.listed(ledger.engine, task=listed.task.id)}
        assert {f"{listed.task.id}:{version}:mailbox" for version in range(2, listed.task.version + 1)} == rows
    known = {one.task.id for one in ledger.tasks(Wanted(actor=PLANNER, limit=100_000))}
    assert acknowledged.keys() <= known
    ledger.close()
    return sum(acknowledged.values())


def test_killed_in_the_middle(tmp_path: Path) -> None:
    """Old or new: what was acknowledged is there with whom to tell of it, and at most one move more."""
    assert kill_often(tmp_path, 4) > 20


@pytest.mark.long
def test_killed_two_hundred_times(tmp_path: Path) -> None:
    """The same, often."""
    assert kill_often(tmp_path, 200) > 1000


RACE = """
import json, multiprocessing, sys
sys.path.insert(0, {root!r})
from tests.store.test_ledger import *
forked = multiprocessing.get_context("fork")
gate, said = forked.Barrier(16), forked.Queue()

def race(number):
    ledger = ledgers.opened(SqliteEngine(Path({place!r})), "0" * 32)
    for expected in range(1, 11):
        gate.wait()
        try:
            moved = move(ledger, "resume" if expected % 2 == 0 else "block", expected)
            said.put([expected, "moved", moved.version])
        except Stale as error:
            said.put([expected, "stale", error.version])
        gate.wait()

racers = [forked.Process(target=race, args=(number,)) for number in range(16)]
for one in racers:
    one.start()
print(json.dumps(sorted(said.get() for _ in range(160))))
for one in racers:
    one.join()
"""


def test_sixteen_processes_at_one_version(tmp_path: Path) -> None:
    """One of them moves the task in each of ten rounds, and all others learn at which version it is."""
    ledger = ledgers.opened(SqliteEngine(tmp_path), "0" * 32)
    create(ledger)
    code = RACE.format(root=str(Path(__file__).parents[2]), place=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = [[seen, *word] for seen in range(1, 11) for word in (["moved", seen + 1], *[["stale", seen + 1]] * 15)]

    assert expected == json.loads(done.stdout)
    assert 11 == ledger.task("t-1", BACKEND).version
    ledger.close()


def test_a_busy_ledger_is_a_conflict(tmp_path: Path) -> None:
    """Who cannot write in time is told to try again."""
    ledgers.opened(SqliteEngine(tmp_path), "0" * 32).close()
    slow, quick = SqliteEngine(tmp_path), SqliteEngine(tmp_path, seconds=0.05)
    with slow.writing(), pytest.raises(Conflict, match="busy"), quick.writing():
        pass
    slow.close()
    quick.close()


@pytest.mark.gate
def test_no_answer_from_postgres_is_no_traceback() -> None:
    """Nobody there: an error of ours, without the password."""
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    with pytest.raises(Refused, match="no answer") as caught:
        PostgresEngine("postgresql://somebody:hunter2secret@127.0.0.1:9/none")

    assert "hunter2" not in str(caught.value)


@pytest.mark.gate
def test_a_connection_that_breaks_changes_nothing(postgres: str) -> None:
    """In the middle of a transaction; the next one has a connection of its own."""
    psycopg = pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    name = f"ledger_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    ledger = ledgers.opened(PostgresEngine(f"{postgres.rpartition('/')[0]}/{name}"), "0" * 32)
    create(ledger)

    def broken() -> None:
        with ledger.engine.writing() as base:
            base.change("UPDATE task SET state = 'CLOSED'")
            base.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(Refused, match="no answer"):
        broken()

    assert "OFFERED" == move(ledger, "offer", 1).state
    assert [] == ledger.problems()
    ledger.close()
