"""The tables in which a fold is kept, and the file that holds them."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from handoffsite import __version__, durable

BUSY_SECONDS = 10.0

# Raised when the tables or what is kept in them change: an older cache is then folded anew.
FORMAT = f"{__version__} 11"

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS record (
    name TEXT PRIMARY KEY, stamp TEXT, sha256 TEXT, id TEXT, source TEXT, recorded TEXT, number INT, tag TEXT, act INT, text TEXT,
    twin INT, focus TEXT, noted INT, note TEXT, ended TEXT, growth INT, total TEXT);
CREATE INDEX IF NOT EXISTS record_id ON record (id);
CREATE INDEX IF NOT EXISTS record_source ON record (source);
CREATE INDEX IF NOT EXISTS record_note ON record (note);
CREATE INDEX IF NOT EXISTS record_order ON record (recorded, number, tag) WHERE id != '' AND NOT twin;
CREATE INDEX IF NOT EXISTS record_focus ON record (noted, ended, number, tag) WHERE focus != '';
CREATE INDEX IF NOT EXISTS record_kind ON record (act) WHERE id != '' AND NOT twin;
CREATE INDEX IF NOT EXISTS record_total ON record (total) WHERE growth > 0;
CREATE TABLE IF NOT EXISTS item (
    place INTEGER PRIMARY KEY, id TEXT UNIQUE, letter TEXT, number INT, kind TEXT, status TEXT, live INT, touched TEXT,
    session TEXT, ordinal INT, text TEXT, growth INT);
CREATE INDEX IF NOT EXISTS item_short ON item (letter, number);
CREATE INDEX IF NOT EXISTS item_state ON item (kind, status, touched);
CREATE INDEX IF NOT EXISTS item_live ON item (kind, live, touched);
CREATE INDEX IF NOT EXISTS item_age ON item (status, ordinal);
CREATE INDEX IF NOT EXISTS item_growth ON item (growth) WHERE growth > 0;
CREATE INDEX IF NOT EXISTS item_session ON item (session);
CREATE TABLE IF NOT EXISTS alias (id TEXT PRIMARY KEY, letter TEXT, number INT, target TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS alias_short ON alias (letter, number);
CREATE INDEX IF NOT EXISTS alias_target ON alias (target);
CREATE TABLE IF NOT EXISTS known (name TEXT PRIMARY KEY, id TEXT) WITHOUT ROWID;
"""
NAMES = ("record", "item", "alias", "known", "meta")


# What says that a cache is in use, or that its disk takes nothing; whatever else goes wrong, the cache is damaged.
_PASSING = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_NOMEM")


class Rows(list[Any]):
    """What a query found, read to its end."""

    def fetchall(self) -> list[Any]:
        """All rows."""
        return self

    def fetchone(self) -> Any:
        """The first row, or None."""
        return self[0] if self else None


class Tables:
    """The tables in *file*, made anew where it is damaged; in memory without a file.

    *anew* is called when a query shows that the file is damaged, to fill the tables again, which are in memory from then on; then
    the query is asked once more. Without it, and for everything but a query, the error is the caller's.
    """

    def __init__(self, file: Path | None) -> None:
        self.anew: Callable[[], None] | None = None
        self.has_left = False
        self._file = file
        self._base = _connected(file)
        self._identity = _identity(file)

    def __del__(self) -> None:
        self._base.close()

    def execute(self, command: str, values: Sequence[Any] = ()) -> Rows:
        """Carry out one SQL command; the rows that it finds."""
        try:
            return Rows(self._base.execute(command, values))
        except sqlite3.DatabaseError as error:
            if self.anew is None or not command.startswith("SELECT"):
                raise
            anew, self.anew = self.anew, None
            self.leave(error)
            anew()
            return Rows(self._base.execute(command, values))

    def executemany(self, command: str, values: Iterable[Sequence[Any]]) -> None:
        """Carry out one SQL command for each of *values*."""
        self._base.executemany(command, values)

    @property
    def is_replaced(self) -> bool:
        """Whether the file is another one by now, or gone, so that nobody else sees what is kept here."""
        return self._identity != _identity(self._file)

    def version(self) -> int:
        """A number that is another one as soon as somebody else has written here."""
        return int(self.execute("PRAGMA data_version").fetchone()[0])

    def commit(self) -> None:
        """Keep what was changed."""
        self._base.commit()

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def leave(self, error: sqlite3.DatabaseError) -> None:
        """Go on in memory, with empty tables; a file that is damaged is deleted, so that the next process makes it anew."""
        self._base.close()
        if self._file and not getattr(error, "sqlite_errorname", "").startswith(_PASSING):
            with contextlib.suppress(OSError):
                forget(self._file)
        self._file, self.has_left = None, True
        self._base = _connected(None)


def _identity(file: Path | None) -> tuple[int, int]:
    try:
        status = file.stat() if file else None
    except OSError:
        status = None
    return (status.st_dev, status.st_ino) if status else (0, 0)


def forget(file: Path) -> None:
    """Delete the tables in *file*, with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        durable.remove(Path(f"{file}{suffix}"), sync=False)


def _connected(file: Path | None) -> sqlite3.Connection:
    if file is not None:
        with contextlib.suppress(OSError, sqlite3.OperationalError):  # no place for a cache, or one that is busy
            try:
                return _opened(file)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorname", "").startswith(_PASSING):
                    raise
                forget(file)
                return _opened(file)
    return _prepared(sqlite3.connect(":memory:", check_same_thread=False))


def _opened(file: Path) -> sqlite3.Connection:
    # One command at a time uses them, in whichever thread a server runs it.
    return _prepared(sqlite3.connect(durable.private_file(file), timeout=BUSY_SECONDS, check_same_thread=False))


def _prepared(base: sqlite3.Connection) -> sqlite3.Connection:
    try:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = NORMAL")
        base.executescript(_TABLES)
    except sqlite3.DatabaseError:
        base.close()
        raise
    return base
