"""The ledger's embedded engine: one SQLite file, in a folder that only its owner may enter."""

import contextlib
import os
import queue
import sqlite3
import stat
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from handoffsite import durable
from handoffsite.errors import Conflict, HandoffError, Malformed, Refused, Unwritten

FOLDER = ".handoff-ledger"
FILE = "ledger.sqlite3"
BUSY_SECONDS = 30.0
_BESIDE = ("", "-wal", "-shm", "-journal")
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_SCHEMA")


class _Connected:
    """A transaction of one connection."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def execute(self, command: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._base.execute(command, values).fetchall()

    def change(self, command: str, values: Sequence[Any] = ()) -> int:
        return self._base.execute(command, values).rowcount


class SqliteEngine:
    """The ledger in the folder *root*; made where it is missing. Its threads write one after the other, without waiting in SQLite."""

    def __init__(self, root: Path, *, seconds: float = BUSY_SECONDS) -> None:
        self.file = file_of(root)
        self._seconds = seconds
        self._idle: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()
        self._writer = threading.Lock()
        self._closed = False
        _furnish(self.file)

    @contextlib.contextmanager
    def writing(self) -> Iterator[_Connected]:
        """As `Engine` has it."""
        if not self._writer.acquire(timeout=self._seconds):
            raise Conflict("the ledger is busy", file=str(self.file), hint="try again")
        try:
            with self._transaction("BEGIN IMMEDIATE") as base:
                yield base
        finally:
            self._writer.release()

    @contextlib.contextmanager
    def reading(self) -> Iterator[_Connected]:
        """As `Engine` has it."""
        with self._transaction("BEGIN") as base:
            yield base

    def knows(self, table: str) -> bool:
        """As `Engine` has it."""
        with self._connection() as base, self._reported():
            return bool(base.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone())

    def problems(self) -> list[str]:
        """As `Engine` has it."""
        with self._connection() as base, self._reported():
            said = [str(row[0]) for row in base.execute("PRAGMA integrity_check(20)")]
            said += [
                f"{row[0]} {row[1]}: a row of {row[0]} names no row of {row[2]}"
                for row in base.execute("PRAGMA foreign_key_check")
            ]
        return [one for one in said if one != "ok"]

    def compact(self) -> None:
        """As `Engine` has it."""
        with self._connection() as base, self._reported():
            base.execute("VACUUM")
            busy = base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            raise Conflict(
                "somebody reads the ledger, so that its log still holds what was there", file=str(self.file), hint="run it again"
            )

    def close(self) -> None:
        """As `Engine` has it; what a thread still uses is closed when it is done."""
        self._closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[_Connected]:
        with self._connection() as base, self._reported():
            base.execute(begin)
            try:
                yield _Connected(base)
                base.execute("COMMIT")
            except BaseException:
                if base.in_transaction:  # SQLite may have rolled back by itself
                    base.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            base = self._idle.get_nowait()
        except queue.Empty:
            with self._reported():
                base = self._connect()
        try:
            yield base
        except sqlite3.Error:
            base.close()
            raise
        except BaseException:
            self._release(base)
            raise
        self._release(base)

    def _release(self, base: sqlite3.Connection) -> None:
        if self._closed:
            base.close()
        else:
            self._idle.put(base)

    def _connect(self) -> sqlite3.Connection:
        base = sqlite3.connect(self.file, timeout=self._seconds, isolation_level=None, check_same_thread=False)
        try:
            # A file may hold triggers and views of whoever made it: none of ours does, and none is trusted.
            for command in ("trusted_schema = OFF", "foreign_keys = ON", "journal_mode = WAL", "synchronous = FULL"):
                base.execute(f"PRAGMA {command}").fetchall()
            planted = base.execute("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone()
        except BaseException:
            base.close()
            raise
        if planted:
            base.close()
            raise Malformed(
                f"it holds {planted[0]!r}, which no ledger of ours does", file=str(self.file), hint="restore it from an export"
            )
        return base

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _error(error, str(self.file)) from error


def file_of(root: Path) -> Path:
    """Where the ledger of the folder *root* is, or would be."""
    return root / FOLDER / FILE


def _error(error: sqlite3.Error, file: str) -> HandoffError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(_BUSY):
        return Conflict("the ledger is busy", file=file, hint="try again")
    if name.startswith(_DAMAGED) or not name:
        return Malformed(
            f"the ledger is damaged: {error}", file=file, hint="move it away, then `handoffsite ledger import` of an export"
        )
    if name.startswith("SQLITE_CONSTRAINT"):
        return Conflict(f"the ledger refused: {error}", file=file, hint="look at it again: `handoffsite ledger check`")
    return Unwritten(f"not written: {error}", file=file, hint="nothing was changed; mend the cause and run again")


def _furnish(file: Path) -> None:
    """Make the folder and the file, both the owner's alone. Refused where something else stands there, or somebody else may write it."""
    folder = file.parent
    try:
        for path, kind in ((folder, stat.S_ISDIR), *((Path(f"{file}{end}"), stat.S_ISREG) for end in _BESIDE)):
            if os.path.lexists(path):
                _refuse_strange(path, kind(path.lstat().st_mode))
        durable.private_folder(folder)
        if not (folder / ".gitignore").exists():
            durable.write(folder / ".gitignore", b"*\n")
        durable.private_file(file)
    except OSError as error:
        raise Unwritten(
            f"no ledger can be kept here: {error.strerror}", file=str(file), hint="make the folder writable"
        ) from error


def _refuse_strange(path: Path, is_what_it_should_be: bool) -> None:
    status = path.lstat()
    if not is_what_it_should_be or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        hint = f"if it is yours: chmod {'700' if path.is_dir() else '600'}; else move it away"
        raise Refused("it is not this user's alone, and a ledger is", file=str(path), hint=hint)
