"""OpenCode's database, read while it may be in use: nothing is written to it, and no file is left beside it."""

import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.sources.lines import CHUNK, LONGEST, Entry, Readable, parsed
from handoffsite.sources.opencode_session import TOO_LONG, Message, Session, Tally, milliseconds, names_sub_agent

MAGIC = b"SQLite format 3\0"
HINT = "name OpenCode's opencode.db, or export the session: opencode export ID > FILE"

# Without these columns nothing can be read; the others are read where they are.
_NEEDED = {
    "session": {"id"},
    "message": {"id", "session_id", "data"},
    "part": {"id", "message_id", "session_id", "data"},
}
_ABOUT = {"id": "id", "parent_id": "parentID", "fork_session_id": "forkID", "directory": "directory", "title": "title"}
_TIMES = {"time_created": "created", "time_updated": "updated"}
_WAL = b"\x02\x02"  # at byte 18 of a database that is written ahead
_FAULTS = (sqlite3.Error, UnicodeDecodeError)  # the second is raised where a fault's own description is damaged
_LOCKED = 5.0  # seconds to wait for a writer


class Store:
    """The sessions in one open database."""

    def __init__(self, base: sqlite3.Connection, file: str) -> None:
        self._base = base
        self._columns = _columns(base, file)

    def sessions(self) -> list[Session]:
        """All of them, oldest first, those of sub-agents among them."""
        found = {info["id"]: info for info in (*self._without_row(), *self._infos())}
        ordered = sorted(found.values(), key=lambda info: (milliseconds(info["time"]["created"]), info["id"]))
        return [self._session(info) for info in ordered]

    def newest(self) -> Session | None:
        """The session that was at work last; a sub-agent's only where there is no other."""
        order = "ORDER BY time_updated DESC, id DESC" if "time_updated" in self._columns["session"] else "ORDER BY id DESC"
        first = None
        for info in chain(self._infos(order), self._without_row()):
            session = self._session(info)
            if not session.is_agent:
                return session
            first = first or session
        return first

    def get(self, id: str) -> Session | None:
        """The session of that ID."""
        info = next(self._infos("WHERE id = ?", id), None)
        if info is None and self._base.execute("SELECT 1 FROM message WHERE session_id = ? LIMIT 1", (id,)).fetchone():
            info = {"id": id}
        return None if info is None else self._session(info)

    def _infos(self, which: str = "", *values: str) -> Iterator[Entry]:
        """What is said of each session."""
        known = self._columns["session"]
        names = [name for name in (*_ABOUT, *_TIMES, "revert") if name in known]
        rows = self._base.execute(f"SELECT {', '.join(names)} FROM session {which}", values)  # noqa: S608 - our own names
        for row in rows:
            found = dict(zip(names, row, strict=True))
            info: Entry = {key: _text(found.get(name)) for name, key in _ABOUT.items()}
            info["time"] = {key: found.get(name) for name, key in _TIMES.items()}
            info["revert"] = parsed(_text(found.get("revert")))
            yield info

    def _without_row(self) -> Iterator[Entry]:
        """Sessions that lost what was said of them: only their messages are there."""
        query = "SELECT DISTINCT session_id FROM message WHERE session_id NOT IN (SELECT id FROM session)"
        for (id,) in self._base.execute(query):
            yield {"id": _text(id), "time": dict.fromkeys(_TIMES.values())}

    def _session(self, info: Entry) -> Session:
        id = info["id"]
        return Session(
            id=id,
            info=info,
            is_agent=self._is_agent(info),
            messages=lambda tally: self._messages(id, tally),
            todos=lambda: self._todos(id),
            children=lambda: self._children(id),
        )

    def _is_agent(self, info: Entry) -> bool:
        """Whether it has a parent. One whose parent is not there belongs to nobody else, unless its title says what it was."""
        parent = info.get("parentID")
        return bool(parent) and (
            names_sub_agent(info.get("title"))
            or self._base.execute("SELECT 1 FROM session WHERE id = ?", (parent,)).fetchone() is not None
        )

    def _children(self, parent: str) -> Iterator[Session]:
        if parent and "parent_id" in self._columns["session"]:
            order = "time_created, id" if "time_created" in self._columns["session"] else "id"
            yield from [self._session(info) for info in self._infos(f"WHERE parent_id = ? ORDER BY {order}", parent)]

    def _messages(self, session: str, tally: Tally) -> Iterator[Message]:
        parts: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for rowid, id, message in self._base.execute("SELECT rowid, id, message_id FROM part WHERE session_id = ?", (session,)):
            parts[_text(message)].append((_text(id), rowid))
        created = "time_created, id" if "time_created" in self._columns["message"] else "id"
        rows = self._base.execute(f"SELECT rowid, id FROM message WHERE session_id = ? ORDER BY {created}", (session,))  # noqa: S608 - the same
        for rowid, name in rows.fetchall():
            id = _text(name)
            info = tally.entry(self._data("message", rowid), f"message {id}", is_part=False)
            found = []
            for own, row in sorted(parts.pop(id, [])):
                part = tally.entry(self._data("part", row), f"part {own}", is_part=True)
                if part is not None:
                    found.append((tally.parts, {**part, "id": own}))
            yield Message({**(info or {}), "id": id}, found, found[0][0] if found else tally.line)
        if parts:
            tally.skip(f"{sum(map(len, parts.values()))} parts of messages that are not there")
        elif not tally.parts and (count := self._in_second_store(session)):
            tally.skip(f"{count} messages in the table session_message, which is not read: export the session instead")

    def _data(self, name: str, rowid: int) -> bytes | str:
        """The JSON in one row, or why there is none; a damaged page costs the rows on it."""
        held = "CAST(coalesce(data, '') AS BLOB)"
        query = f"SELECT CASE WHEN length({held}) <= {LONGEST} THEN {held} END FROM {name} WHERE rowid = ?"  # noqa: S608 - the same
        try:
            row = self._base.execute(query, (rowid,)).fetchone()
        except _FAULTS as error:
            return str(error)
        if row is None:
            return "the index names a row that is not there"
        return TOO_LONG if row[0] is None else bytes(row[0])

    def _todos(self, session: str) -> list[Any]:
        if not {"session_id", "content", "status", "position"} <= self._columns["todo"]:
            return []
        rows = self._base.execute("SELECT content, status FROM todo WHERE session_id = ? ORDER BY position", (session,))
        return [{"content": _text(content), "status": _text(status)} for content, status in rows]

    def _in_second_store(self, session: str) -> int:
        if "session_id" not in self._columns["session_message"]:
            return 0
        return int(self._base.execute("SELECT count(*) FROM session_message WHERE session_id = ?", (session,)).fetchone()[0])


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    """The database at *path*, as it is at this moment. Malformed where it is damaged, or another program's.

    A reader, too, makes the two files beside a database that is written ahead, and leaves them there. So where there are
    none, nobody writes, and the file is read as one that does not change; where the second is missing, a copy is read.
    """
    path = path.resolve()
    log, index = (path.with_name(f"{path.name}-{kind}") for kind in ("wal", "shm"))
    with ExitStack() as stack:
        uri = f"{path.as_uri()}?mode=ro"
        if _is_written_ahead(path) and not (log.exists() and index.exists()):
            if log.exists() and log.stat().st_size:
                folder = Path(stack.enter_context(TemporaryDirectory(prefix="handoffsite-")))
                shutil.copyfile(log, folder / "copy-wal")
                uri = f"{Path(shutil.copyfile(path, folder / 'copy')).as_uri()}?mode=ro"
            else:
                uri += "&immutable=1"
        try:
            yield Store(stack.enter_context(_connection(uri)), path.name)
        except _FAULTS as error:
            hint = "close OpenCode and try again, or mend a copy of the database: sqlite3 FILE .recover"
            raise Malformed(f"a database that cannot be read: {error}", file=path.name, hint=hint) from error


@contextmanager
def spooled(stream: Readable) -> Iterator[Path]:
    """What comes through *stream* as a file."""
    with TemporaryDirectory(prefix="handoffsite-") as folder:
        path = Path(folder) / "opencode.db"
        with path.open("wb") as file:
            while chunk := stream.read(CHUNK):
                file.write(chunk)
        yield path


@contextmanager
def _connection(uri: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(uri, uri=True, timeout=_LOCKED, isolation_level=None)) as base:
        base.text_factory = lambda data: data.decode(errors="replace")
        base.execute("PRAGMA trusted_schema = OFF")
        base.execute("PRAGMA query_only = ON")
        base.execute("BEGIN")  # all that is read is of one moment
        yield base


def _is_written_ahead(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(20)[18:] == _WAL


def _columns(base: sqlite3.Connection, file: str) -> defaultdict[str, set[str]]:
    """The columns of each table that we read; Malformed where one that is needed is not there."""
    tables = base.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    real = {_text(name) for name, sql in tables if _text(sql)[:20].upper().startswith("CREATE TABLE")}
    columns: defaultdict[str, set[str]] = defaultdict(set)
    for name in real & {*_NEEDED, "todo", "session_message"}:
        columns[name] = {_text(row[1]) for row in base.execute(f"PRAGMA table_info({name})")}
    lacking = [name for name in _NEEDED if name not in real]
    lacking += [f"{name}.{one}" for name in _NEEDED if name in real for one in sorted(_NEEDED[name] - columns[name])]
    if lacking:
        raise Malformed(f"an SQLite database, but none of OpenCode: it lacks {', '.join(lacking)}", file=file, hint=HINT)
    return columns


def _text(value: Any) -> str:
    return value if type(value) is str else value.decode(errors="replace") if type(value) is bytes else ""
