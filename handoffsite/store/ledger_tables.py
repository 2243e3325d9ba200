"""What a ledger's database offers, whichever it is, and the tables in it, version by version."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from handoffsite.errors import Refused


class Base(Protocol):
    """One transaction. Commands are SQL that every engine reads alike, with `?` for values."""

    def execute(self, command: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows that *command* finds, if any."""

    def change(self, command: str, values: Sequence[Any] = ()) -> int:
        """How many rows *command* changed."""


class Engine(Protocol):
    """A database. One transaction writes at a time, so that what it read still holds when it writes; many threads may share it.

    What goes wrong is Conflict where somebody else keeps it busy, Unwritten where the disk takes nothing, Malformed where it is damaged,
    Refused where it does not answer. A transaction that ends by an error has changed nothing.
    """

    def writing(self) -> AbstractContextManager[Base]:
        """A transaction that is on disk when it ends without an error."""

    def reading(self) -> AbstractContextManager[Base]:
        """A transaction that sees one state of all tables, and changes nothing."""

    def knows(self, table: str) -> bool:
        """Whether it has that table."""

    def problems(self) -> list[str]:
        """What is wrong with the database itself."""

    def compact(self) -> None:
        """Leave nothing in its files of what was changed or deleted, as far as that is in our hands."""

    def close(self) -> None:
        """Let go of it."""


# Each version of the tables, as the steps from the one before. What stands here is never changed, only added to.
MIGRATIONS = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE task (
        id TEXT PRIMARY KEY, number BIGINT NOT NULL UNIQUE, state TEXT NOT NULL, version BIGINT NOT NULL, from_project TEXT NOT NULL,
        to_project TEXT NOT NULL, from_role TEXT NOT NULL, to_role TEXT NOT NULL, body TEXT NOT NULL);
    CREATE UNIQUE INDEX task_name ON task (lower(id));
    CREATE INDEX task_from ON task (from_project, number);
    CREATE INDEX task_to ON task (to_project, number);
    CREATE INDEX task_state ON task (state, number);
    CREATE TABLE event (
        seq BIGINT PRIMARY KEY, task TEXT NOT NULL REFERENCES task (id), version BIGINT NOT NULL, actor TEXT NOT NULL, key TEXT NOT NULL,
        request TEXT NOT NULL, body TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE (task, version));
    CREATE UNIQUE INDEX event_key ON event (actor, key) WHERE key <> '';
    CREATE TABLE domain (
        kind TEXT NOT NULL, name TEXT NOT NULL, task TEXT NOT NULL REFERENCES task (id), PRIMARY KEY (kind, name));
    CREATE INDEX domain_task ON domain (task)
    """,
    """
    CREATE TABLE outbox (
        id TEXT PRIMARY KEY, number BIGINT NOT NULL UNIQUE, task TEXT NOT NULL, version BIGINT NOT NULL, target TEXT NOT NULL,
        project TEXT NOT NULL, role TEXT NOT NULL, state TEXT NOT NULL, attempts BIGINT NOT NULL, due TEXT NOT NULL, error TEXT NOT NULL,
        made TEXT NOT NULL, done TEXT NOT NULL, FOREIGN KEY (task, version) REFERENCES event (task, version));
    CREATE INDEX outbox_due ON outbox (state, due, number);
    CREATE INDEX outbox_task ON outbox (task, version);
    CREATE TABLE webhook (name TEXT PRIMARY KEY, url TEXT NOT NULL, projects TEXT NOT NULL, made TEXT NOT NULL);
    CREATE TABLE token (
        id TEXT PRIMARY KEY, hash TEXT NOT NULL, actor TEXT NOT NULL, role TEXT NOT NULL, projects TEXT NOT NULL, made TEXT NOT NULL,
        revoked TEXT NOT NULL)
    """,
)


def migrate(engine: Engine, id: str, most: int = len(MIGRATIONS)) -> str:
    """Bring the tables to version *most*, made anew as the ledger *id* where there are none; the ID that it has. Refused where they are newer."""
    if engine.knows("meta"):
        with engine.reading() as base:
            facts = dict(base.execute("SELECT name, value FROM meta"))
        if int(facts["version"]) == most:
            return str(facts["id"])
    with engine.writing() as base:
        return _migrated(engine, base, id, most)


def _migrated(engine: Engine, base: Base, id: str, most: int) -> str:
    # Asked again inside: somebody else may have made them meanwhile.
    facts = dict(base.execute("SELECT name, value FROM meta")) if engine.knows("meta") else {}
    version = int(facts.get("version", 0))
    if version > most:
        raise Refused(
            f"the ledger is of version {version}, and this handoffsite knows {most}", hint="install the newer handoffsite"
        )
    for step in MIGRATIONS[version:most]:
        for command in step.split(";"):
            base.change(command)
    if not facts:
        base.change("INSERT INTO meta (name, value) VALUES ('id', ?)", (id,))
        base.change("INSERT INTO meta (name, value) VALUES ('version', ?)", (str(most),))
    base.change("UPDATE meta SET value = ? WHERE name = 'version'", (str(most),))
    return str(facts.get("id", id))
