"""Copilot's to-do list: rows of an SQL table that the agent writes itself, or, from older clients, a Markdown checklist."""

import re
import sqlite3
from contextlib import suppress
from itertools import islice
from typing import Any

from handoffsite.sources.text import clean
from handoffsite.sources.todos import KEPT_TODOS, todo

STEPS = 20_000  # of SQLite's machine for one query
ALL_STEPS = 3_000_000  # for those of a whole log
LONGEST = 100_000  # characters of a query
STATEMENTS = 500  # in it
LONGEST_VALUE = 20_000  # bytes
PAGES = 1_024  # of the database, which is in memory

_INTERVAL = 500  # steps between two looks at what is left
_PATTERN = 100  # characters of a pattern for LIKE: to match a long one takes no steps, but time
_TABLES = """
CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT, description TEXT, status TEXT DEFAULT 'pending', created_at TEXT, updated_at TEXT);
CREATE TABLE todo_deps (todo_id TEXT, depends_on TEXT, PRIMARY KEY (todo_id, depends_on));
"""
_LIST = f"SELECT id, title, description, status FROM todos ORDER BY rowid LIMIT {KEPT_TODOS}"  # noqa: S608 - a number
_STATEMENT = re.compile(r"(?:[^;'\"\-/]++|'[^']*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)|--[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)|[-/])++")
_BOX = re.compile(r"^[ \t]{0,40}(?:[-*+]|\d{1,4}[.)])[ \t]{1,8}\[([ xX~/-])\][ \t]{1,8}(\S[^\n]{0,2000})", re.MULTILINE)
_BOXES = {" ": "pending", "x": "completed", "X": "completed", "~": "in_progress", "/": "in_progress", "-": "cancelled"}

# What a query of a log may do, to tables in memory; whatever else SQLite can, as to open files and to recur, is denied.
_ALLOWED = frozenset(
    (
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_INSERT,
        sqlite3.SQLITE_UPDATE,
        sqlite3.SQLITE_DELETE,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_TRANSACTION,
        sqlite3.SQLITE_CREATE_TABLE,
        sqlite3.SQLITE_CREATE_INDEX,
        sqlite3.SQLITE_DROP_TABLE,
        sqlite3.SQLITE_DROP_INDEX,
        sqlite3.SQLITE_ALTER_TABLE,
        sqlite3.SQLITE_REINDEX,
    )
)


class TodoTable:
    """The table, kept in memory by doing what the queries of the log did."""

    def __init__(self) -> None:
        self._shown: list[dict[str, str]] = []
        self._left = ALL_STEPS
        self._of_query = STEPS
        self._database = self._opened()

    def __del__(self) -> None:
        self._database.close()

    def run(self, query: Any) -> list[dict[str, str]] | None:
        """The whole list after *query*; None where it is as it was, or where the query cannot be run here."""
        if type(query) is not str or "todos" not in query.lower() or len(query) > LONGEST or self._left <= 0:
            return None
        self._of_query = STEPS
        for found in islice(_STATEMENT.finditer(query), STATEMENTS):
            # The agent's own table may know more than this one; what can be done here is done.
            with suppress(sqlite3.Error, sqlite3.Warning, ValueError):
                self._database.execute(found[0])
        shown = self._rows()
        if shown is None or shown == self._shown:
            return None
        self._shown = shown
        return [dict(entry) for entry in shown]

    def _rows(self) -> list[dict[str, str]] | None:
        self._of_query = STEPS
        with suppress(sqlite3.Error, ValueError):
            return [_row(*row) for row in self._database.execute(_LIST).fetchall()]
        return None

    def _opened(self) -> sqlite3.Connection:
        database = sqlite3.connect(":memory:", isolation_level=None)
        database.text_factory = lambda data: data.decode(errors="replace")
        database.executescript(f"PRAGMA max_page_count = {PAGES}; PRAGMA trusted_schema = OFF; {_TABLES}")
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        database.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _PATTERN)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        database.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY)
        database.set_progress_handler(self._spend, _INTERVAL)
        return database

    def _spend(self) -> int:
        """Count the steps; not 0, which stops the query, once there are too many."""
        self._of_query -= _INTERVAL
        self._left -= _INTERVAL
        return int(self._of_query < 0 or self._left < 0)


def checklist(markdown: Any) -> list[dict[str, str]]:
    """The entries of a Markdown checklist."""
    found = _BOX.finditer(clean(markdown))
    return [{"id": "", "text": box[2].strip(), "status": _BOXES[box[1]]} for box in islice(found, KEPT_TODOS)]


def _row(id: Any, title: Any, description: Any, status: Any) -> dict[str, str]:
    return todo({"id": _text(id), "title": _text(title) or _text(description) or _text(id), "status": _text(status).lower()})


def _text(value: Any) -> str:
    return value if type(value) is str else str(value) if type(value) in (int, float) else ""
