"""The tables in which a fold is kept, and the file that holds them."""

import sqlite3
from pathlib import Path

from handoffsite import __version__

BUSY_SECONDS = 10.0

# Raised when the tables or what is kept in them change: an older cache is then folded anew.
FORMAT = f"{__version__} 9"

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS record (
    name TEXT PRIMARY KEY, stamp TEXT, sha256 TEXT, id TEXT, source TEXT, recorded TEXT, number INT, tag TEXT, act INT, text TEXT,
    twin INT, focus TEXT, noted INT, note TEXT, ended TEXT);
CREATE INDEX IF NOT EXISTS record_id ON record (id);
CREATE INDEX IF NOT EXISTS record_source ON record (source);
CREATE INDEX IF NOT EXISTS record_note ON record (note);
CREATE INDEX IF NOT EXISTS record_order ON record (recorded, number, tag) WHERE id != '' AND NOT twin;
CREATE INDEX IF NOT EXISTS record_focus ON record (noted, ended, number, tag) WHERE focus != '';
CREATE INDEX IF NOT EXISTS record_kind ON record (act) WHERE id != '' AND NOT twin;
CREATE TABLE IF NOT EXISTS item (
    place INTEGER PRIMARY KEY, id TEXT UNIQUE, letter TEXT, number INT, kind TEXT, status TEXT, live INT, touched TEXT,
    session TEXT, ordinal INT, text TEXT);
CREATE INDEX IF NOT EXISTS item_short ON item (letter, number);
CREATE INDEX IF NOT EXISTS item_state ON item (kind, status, touched);
CREATE INDEX IF NOT EXISTS item_live ON item (kind, live, touched);
CREATE INDEX IF NOT EXISTS item_age ON item (status, ordinal);
CREATE INDEX IF NOT EXISTS item_session ON item (session);
CREATE TABLE IF NOT EXISTS alias (id TEXT PRIMARY KEY, letter TEXT, number INT, target TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS alias_short ON alias (letter, number);
CREATE TABLE IF NOT EXISTS known (name TEXT PRIMARY KEY, id TEXT) WITHOUT ROWID;
"""
NAMES = ("record", "item", "alias", "known", "meta")


def connect(file: Path | None) -> sqlite3.Connection:
    """The tables in *file*, made anew where it is damaged; in memory without a file."""
    if file is None:
        return _prepared(sqlite3.connect(":memory:"))
    try:
        return _prepared(sqlite3.connect(file, timeout=BUSY_SECONDS))
    except sqlite3.DatabaseError:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{file}{suffix}").unlink(missing_ok=True)
        return _prepared(sqlite3.connect(file, timeout=BUSY_SECONDS))


def _prepared(base: sqlite3.Connection) -> sqlite3.Connection:
    try:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = NORMAL")
        base.executescript(_TABLES)
    except sqlite3.DatabaseError:
        base.close()
        raise
    return base
