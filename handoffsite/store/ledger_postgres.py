"""The ledger's engine for many machines: a schema of a PostgreSQL database, reached by URL."""

import contextlib
import functools
import queue
from collections.abc import Iterator, Sequence
from typing import Any

from handoffsite.errors import Conflict, HandoffError, Refused, Unwritten, UsageError

SCHEMA = "handoffsite_ledger"
_CONNECT_SECONDS = 5
_LOCK_MILLISECONDS = 30_000
_STATEMENT_MILLISECONDS = 60_000
_MOST_IDLE = 16
# One writer at a time, as in SQLite: what a transaction read still holds when it writes, and events come to be seen in their order.
_WRITING = f"BEGIN; SELECT pg_advisory_xact_lock(hashtext('{SCHEMA}'))"
_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class _Connected:
    """A transaction of one connection."""

    def __init__(self, base: Any) -> None:
        self._base = base

    def execute(self, command: str, values: Sequence[Any] = ()) -> list[Any]:
        return list(self._base.execute(_dialect(command), values).fetchall())

    def change(self, command: str, values: Sequence[Any] = ()) -> int:
        return int(self._base.execute(_dialect(command), values).rowcount)


class PostgresEngine:
    """The ledger in the database at *url*; its schema is made where it is missing. UsageError without the library."""

    def __init__(self, url: str) -> None:
        try:
            import psycopg  # noqa: PLC0415 -- an extra, and only those who share a ledger need it
        except ImportError as error:
            raise UsageError("the library for PostgreSQL is not installed", hint="pip install 'handoffsite[postgres]'") from error
        self._library: Any = psycopg
        self._url = url
        self._idle: queue.LifoQueue[Any] = queue.LifoQueue(_MOST_IDLE)
        with self._connection() as base, self._reported():
            if not base.execute("SELECT to_regnamespace(%s)", (SCHEMA,)).fetchone()[0]:
                base.execute("SELECT pg_advisory_lock(hashtext(%s))", (SCHEMA,))
                base.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
                base.execute("SELECT pg_advisory_unlock(hashtext(%s))", (SCHEMA,))

    @contextlib.contextmanager
    def writing(self) -> Iterator[_Connected]:
        """As `Engine` has it."""
        with self._transaction(_WRITING) as base:
            yield base

    @contextlib.contextmanager
    def reading(self) -> Iterator[_Connected]:
        """As `Engine` has it."""
        with self._transaction(_READING) as base:
            yield base

    def knows(self, table: str) -> bool:
        """As `Engine` has it."""
        with self._connection() as base, self._reported():
            return base.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.{table}",)).fetchone()[0] is not None

    def problems(self) -> list[str]:
        """As `Engine` has it: the server looks after its own files."""
        return []

    def compact(self) -> None:
        """As `Engine` has it: the tables are written anew; the server's own log and backups are its owner's."""
        with self._connection() as base, self._reported():
            base.execute("VACUUM FULL")

    def close(self) -> None:
        """As `Engine` has it."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[_Connected]:
        with self._connection() as base, self._reported():
            base.execute(begin)
            yield _Connected(base)
            base.execute("COMMIT")

    @contextlib.contextmanager
    def _connection(self) -> Iterator[Any]:
        base = self._connected()
        try:
            yield base
        finally:
            self._release(base)

    def _release(self, base: Any) -> None:
        """Give *base* back without a transaction; one that is broken, or one too many, goes."""
        try:
            if not base.closed and base.info.transaction_status != self._library.pq.TransactionStatus.IDLE:
                base.execute("ROLLBACK")
            if not base.closed:
                self._idle.put_nowait(base)
        except (self._library.Error, queue.Full):
            base.close()

    def _connected(self) -> Any:
        with contextlib.suppress(queue.Empty):
            while (base := self._idle.get_nowait()).closed:
                continue
            return base
        options = f"-c search_path={SCHEMA} -c lock_timeout={_LOCK_MILLISECONDS} -c statement_timeout={_STATEMENT_MILLISECONDS}"
        with self._reported():
            return self._library.connect(self._url, autocommit=True, connect_timeout=_CONNECT_SECONDS, options=options)

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except self._library.Error as error:
            raise self._error(error) from error

    def _error(self, error: Any) -> HandoffError:
        said = (str(error).strip().splitlines() or ["no answer"])[0]
        errors = self._library.errors
        if isinstance(
            error, errors.LockNotAvailable | errors.QueryCanceled | errors.DeadlockDetected | errors.SerializationFailure
        ):
            return Conflict("the ledger is busy", hint="try again")
        if isinstance(error, errors.DiskFull | errors.ReadOnlySqlTransaction):
            return Unwritten(f"not written: {said}", hint="nothing was changed; mend the cause and run again")
        if isinstance(error, self._library.OperationalError):
            hint = "check the server and the URL, then ask again under the same idempotency key: what was done is not done twice"
            return Refused(f"no answer from the ledger's database: {said}", hint=hint)
        if isinstance(error, self._library.IntegrityError):
            return Conflict(f"the ledger refused: {said}", hint="look at it again: `handoffsite ledger check`")
        return Refused(f"the ledger's database refused: {said}", hint="check the role's rights")


@functools.lru_cache(maxsize=256)
def _dialect(command: str) -> str:
    return command.replace("?", "%s")
