"""Indexes that outlive the process: what each engine keeps in a project's private cache, and how it is known for ours.

Whoosh's files hold pickles, so they lie under a seal byte by byte. FTS5's file holds nothing that runs; the seal names the very
file, and the file the records that it was made from.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from handoffsite import durable
from handoffsite.errors import Refused, UsageError
from handoffsite.search import current
from handoffsite.search.cache import Cache
from handoffsite.search.engine import Content, Engine, Update
from handoffsite.search.shared import POSTGRES, Shared

_FILE = "fts5.sqlite"
_IN = " in file "


class Kept(Protocol):
    """One project's index in its private cache."""

    def stamp(self, wanted: str = "") -> str:
        """What it was made from and with: *wanted*, where it holds that too; empty where there is none that can be trusted. Nothing is opened."""
        ...

    def load(self, wanted: str = "") -> tuple[Engine, str] | None:
        """The index, open, and its stamp; None where there is none that can be trusted."""
        ...

    def update(self, content: Content, timeout: float) -> Update:
        """Bring it in line with *content*, at the cost of what changed.

        Refused where the cache cannot be used, Conflict when another process still writes after *timeout* seconds.
        """
        ...

    def advance(self, content: Content, timeout: float) -> tuple[Engine, str] | None:
        """Enter what changed, as *content* tells it; the index, open, and its stamp, or None where it was not at what *content* goes out from."""
        ...


class KeptWhoosh:
    """Whoosh's files, under a seal."""

    def __init__(self, folder: Path) -> None:
        self._cache = Cache(folder)

    def stamp(self, wanted: str = "") -> str:  # noqa: ARG002 -- a project's own index holds one
        """What it was made from and with."""
        seal = self._cache.seal()
        return seal.stamp if seal else ""

    def load(self, wanted: str = "") -> tuple[Engine, str] | None:  # noqa: ARG002 -- as above
        """The index, open, and its stamp."""
        sealed = self._cache.load()
        if sealed is None:
            return None
        from handoffsite.search import whoosh_index  # noqa: PLC0415 -- Whoosh is slow to load, and who only asks for the stamp needs none

        if not whoosh_index.is_ours(sealed.files):
            return None
        return whoosh_index.WhooshIndex(sealed.files), sealed.seal.stamp

    def update(self, content: Content, timeout: float) -> Update:
        """Bring it in line with *content*."""
        from handoffsite.search import whoosh_index  # noqa: PLC0415 -- as above

        with self._cache.writing(timeout):
            before = self._cache.load()
            usable = before and before.seal.stamp.endswith(current.MADE_BY)
            new = whoosh_index.updated(before.files if before and usable else {}, content.documents)
            if before is None or before.seal.stamp != content.stamp or new.files is not before.files:
                self._cache.store(content.stamp, new.files, before)
        return Update(added=new.added, removed=new.removed, total=new.total)

    def advance(self, content: Content, timeout: float) -> tuple[Engine, str] | None:
        """Enter what changed."""
        from handoffsite.search import whoosh_index  # noqa: PLC0415 -- as above

        with self._cache.writing(timeout):
            before = self._cache.load()
            if before is None or before.seal.stamp != content.since or not whoosh_index.is_ours(before.files):
                return None
            new = whoosh_index.updated(before.files, content.documents, content.ids)
            self._cache.store(content.stamp, new.files, before)
        return whoosh_index.WhooshIndex(new.files), content.stamp


class KeptFts5:
    """FTS5's file, named by a seal."""

    def __init__(self, folder: Path) -> None:
        self._cache = Cache(folder)
        self._file = folder / _FILE

    def stamp(self, wanted: str = "") -> str:  # noqa: ARG002 -- a project's own index holds one
        """What it was made from and with."""
        seal = self._cache.seal()
        stamp, _, file = seal.stamp.partition(_IN) if seal else ("", "", "")
        return stamp if file and file == self._identity() else ""

    def load(self, wanted: str = "") -> tuple[Engine, str] | None:  # noqa: ARG002 -- as above
        """The index, open, and its stamp."""
        stamp = self.stamp()
        if not stamp:
            return None
        from handoffsite.search import fts5  # noqa: PLC0415 -- who only asks for the stamp needs none

        try:
            base = fts5.connect(self._file)
            engine = fts5.Fts5Index(base)
            return (engine, stamp) if fts5.fact(base, "stamp") == stamp else None
        except sqlite3.DatabaseError:
            return None

    def update(self, content: Content, timeout: float) -> Update:
        """Bring it in line with *content*."""
        with self._cache.writing(timeout):
            if not self.stamp().endswith(current.MADE_BY):
                self._forget()
            return self._written(content)

    def advance(self, content: Content, timeout: float) -> tuple[Engine, str] | None:
        """Enter what changed."""
        with self._cache.writing(timeout):
            if self.stamp() != content.since or self._said() != content.since:
                return None
            self._written(content)
        return self.load()

    def _said(self) -> str:
        """What the file itself says that it was made from; nothing where it is of another format."""
        from handoffsite.search import fts5  # noqa: PLC0415 -- as above

        with contextlib.closing(fts5.connect(self._file)) as base:
            return fts5.fact(base, "stamp")

    def _written(self, content: Content) -> Update:
        from handoffsite.search import fts5  # noqa: PLC0415 -- as above

        try:
            with contextlib.closing(fts5.connect(durable.private_file(self._file))) as base:
                new = fts5.update(base, content.documents, {"stamp": content.stamp}, content.ids)
        except sqlite3.DatabaseError as error:
            raise Refused(f"the index cannot be written: {error}", file=str(self._file)) from error
        self._cache.store(f"{content.stamp}{_IN}{self._identity()}", {}, None)
        return new

    def _identity(self) -> str:
        try:
            status = self._file.lstat()
        except OSError:
            return ""
        return f"{status.st_dev}.{status.st_ino}"

    def _forget(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            durable.remove(self._file.with_name(f"{_FILE}{suffix}"), sync=False)


class KeptPostgres:
    """A project's part of the shared index. The server vouches for it, so nothing of it is kept here."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._base: Any = None

    def stamp(self, wanted: str = "") -> str:
        """*wanted*, where the index holds that record set, else another that it holds; empty without an index, or without an answer."""
        from handoffsite.search import postgres  # noqa: PLC0415 -- most indexes are shared with nobody

        try:
            with postgres.reported():
                found = postgres.stamps(self._connected(), self._shared.project)
        except Refused:
            return ""
        return wanted if wanted in found else max(found, default="")

    def load(self, wanted: str = "") -> tuple[Engine, str] | None:
        """The index, and its stamp; None where it has none of this project."""
        from handoffsite.search import postgres  # noqa: PLC0415 -- as above

        stamp = self.stamp(wanted)
        return (postgres.PostgresIndex(self._connected(), self._shared.project), stamp) if stamp else None

    def update(self, content: Content, timeout: float) -> Update:
        """Bring it in line with *content*; who may make roles makes what is missing first. Refused where the server does not let us."""
        del timeout  # the server's own limit holds
        from handoffsite.search import postgres  # noqa: PLC0415 -- as above

        base = self._connected()
        with postgres.reported():
            if postgres.may_prepare(base):
                postgres.prepare(base, self._shared.project, self._shared.role)
            return postgres.update(
                base,
                self._shared.project,
                content.documents,
                content.stamp,
                records=content.records,
                generation=content.generation,
            )

    def advance(self, content: Content, timeout: float) -> tuple[Engine, str] | None:
        """What others know of the project is weighed with each update, so that none is entered apart."""
        del content, timeout
        return None

    def __del__(self) -> None:
        if self._base is not None:
            self._base.close()

    def _connected(self) -> Any:
        from handoffsite.search import postgres  # noqa: PLC0415 -- as above

        if self._base is None or self._base.closed:
            self._base = postgres.connect(self._shared.url)
        return self._base


ENGINES: Mapping[str, Callable[[Path], Kept]] = {"whoosh": KeptWhoosh, "fts5": KeptFts5}
DEFAULT = "whoosh"


def kept(folder: Path, engine: str | Shared = DEFAULT) -> Kept:
    """The index that *engine*, or the default one, keeps in *folder*, or shares; UsageError where there is no such engine."""
    if isinstance(engine, Shared):
        return KeptPostgres(engine)
    engine = engine or DEFAULT
    if engine not in ENGINES:
        raise UsageError(f"{engine!r} is no search engine", hint=f"known are {', '.join((*ENGINES, POSTGRES))}")
    return ENGINES[engine](folder if engine == DEFAULT else folder.with_name(f"{folder.name}-{engine}"))


def size_of(folder: Path) -> int:
    """The bytes of the index that the default engine keeps in *folder*; 0 where there is none of ours."""
    seal = Cache(folder).seal()
    return sum(size for size, _ in seal.files.values()) if seal else 0


def is_current(folder: Path, record_set: str, engine: str | Shared = DEFAULT) -> bool:
    """Whether the index in *folder*, or the shared one, holds the records of *record_set*, as this version reads them."""
    wanted = current.stamped(record_set)
    return kept(folder, engine).stamp(wanted) == wanted
