"""The fold of a boundary's records, kept between processes in a private cache, so that writing costs what changed.

The cache is a SQLite file of the user's own, outside the project. It holds nothing that the records do not: whenever it does not
fit the directory, or cannot be used, it is folded anew.
"""

import contextlib
import itertools
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from handoffsite import durable
from handoffsite.errors import HandoffError
from handoffsite.records import entry, history, identity, session
from handoffsite.records.history import History
from handoffsite.records.item import Item
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.session import SessionRecord
from handoffsite.store import sessions, tables
from handoffsite.store.boundary import Boundary
from handoffsite.store.folded import EMPTY_SET, Folded, record_of


class Fold(Folded):
    """A boundary's history, in tables; it is what `records.history.Items` asks for. Use it as a context manager.

    *cache* is the folder of this boundary's cache, or None to fold in memory. With *trusting*, the records are not looked at one by
    one where no file came, went or was replaced since the last time: writing then costs the same however many there are, and a
    record that was written over in place is found by the next reader. With *only*, the records in the files of these names are
    all that is folded. One that is *kept* may be used again, by a process that only reads: as long as nothing changed, on disk
    or in the tables, what it has in memory still holds.
    """

    def __init__(
        self,
        boundary: Boundary,
        cache: Path | None,
        *,
        trusting: bool = False,
        only: frozenset[str] | None = None,
        kept: bool = False,
    ) -> None:
        super().__init__(boundary, tables.Tables(cache / "fold.sqlite" if cache else None))
        self._appended: list[str] = []
        self._trusting = trusting
        self._only = only
        self._kept_open = kept
        self._growth = 0  # counts the records that were folded onto what was there
        self._looked: tuple[tuple[sessions.Listed, ...], int] | None = None
        self._highest: dict[str, int] | None = None

    def __enter__(self) -> Self:
        self._base.anew = None
        try:
            self.refresh()
        except sqlite3.DatabaseError as error:
            self._leave_cache(error)
        self._base.anew = self._anew
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None or self._kept_open:
            # The records are on disk: a cache that cannot be kept is folded anew by the next process.
            with contextlib.suppress(sqlite3.DatabaseError):
                self._settle()
                self._base.commit()
        if not self._kept_open:
            self.close()

    @property
    def is_alone(self) -> bool:
        """Whether the cache could be used no longer, or is another one by now: nobody else sees what is kept here."""
        return self._base.has_left or self._base.is_replaced

    def close(self) -> None:
        """Let go of the tables."""
        self._base.close()

    def put(self, item: Item) -> None:
        """Keep *item* in place of what has its ID."""
        self._see(item)
        id = identity.parse(item.id)
        letter = f"{id.letter}.{id.part[:1]}" if id.part else id.letter
        self._base.execute(
            "INSERT INTO item (id, letter, number, kind, status, live, touched, session, ordinal, text, growth) VALUES (?,?,?,?,?,?,?,?,?,?,?) "
            "ON CONFLICT (id) DO UPDATE SET status = excluded.status, live = excluded.live, touched = excluded.touched, text = excluded.text, "
            "growth = excluded.growth",
            (
                item.id,
                letter,
                id.number,
                item.kind,
                item.status,
                item.is_live,
                item.touched,
                item.session,
                item.ordinal,
                entry.dumps_item(item),
                self._growth,
            ),
        )

    def alias(self, id: str, target: str) -> None:
        """Let *id* mean the item *target*."""
        if id != target:
            parts = identity.parse(id)
            self._base.execute("INSERT OR REPLACE INTO alias VALUES (?,?,?,?)", (id, parts.letter, parts.number, target))

    def remember(self, key: str, id: str) -> None:
        """Know *id* again by *key*, unless the key is taken."""
        self._base.execute("INSERT OR IGNORE INTO known VALUES (?,?)", (key, id))

    def extend_key(self, key: str, id: str) -> None:
        """Add *id* to the IDs, divided by spaces, that *key* gives."""
        self._base.execute(
            "INSERT INTO known VALUES (?,?) ON CONFLICT (name) DO UPDATE SET id = id || ' ' || excluded.id", (key, id)
        )

    def refresh(self) -> None:
        """Bring the fold in line with the records on disk; nothing is written there."""
        self._settle()
        is_known = self._meta("format") == tables.FORMAT
        if is_known and self._trusting and sessions.folder_stamp(self.boundary) == (self._meta("folder") or "unknown"):
            return
        if is_known and self._is_unchanged():
            return
        folder = sessions.folder_stamp(self.boundary)  # before the listing: what comes between the two is then seen the next time
        listed = tuple(one for one in sessions.listing(self.boundary) if self._only is None or one.name in self._only)
        self._forget()
        if not is_known or self._meta("listing") != sessions.digest_of(listed):
            self._refold(listed, self._kept() if is_known else {})
        if self._meta("folder") != folder:
            self._set("folder", folder)
        self._looked = listed, self._base.version()

    def extend(self, record: SessionRecord, name: str, data: bytes) -> None:
        """Enter *record*, just written as the file *name*: folded onto what is there where its time allows, else all anew."""
        self._base.anew = None
        try:
            self._extend(record, name, data)
        except sqlite3.DatabaseError as error:
            self._leave_cache(error)
        self._base.anew = self._anew

    def _extend(self, record: SessionRecord, name: str, data: bytes) -> None:
        newest = self._one(
            "SELECT recorded, number, tag FROM record WHERE id != '' AND NOT twin ORDER BY recorded DESC, number DESC, tag DESC LIMIT 1"
        )
        before = json.loads(self._meta("problems") or "[]")
        if before or (newest and history.order(record) < tuple(newest)):
            self.refresh()
            return
        self._growth = int(self._meta("growth") or 0) + 1
        self._set("growth", str(self._growth))
        self._enter(name, "", durable.digest(data), record)
        count = self.session_count()
        for step in (history.define, history.amend):
            found = list(step(self, record, count))
            if found:
                self.refresh()
                return
        self._raise_highest([record])
        self._appended.append(name)

    def enter(self, record: SessionRecord, name: str, data: bytes) -> None:
        """Know *record*, just written as the file *name*, by its number and source; `refresh` folds it, with all that were entered so."""
        self._base.anew = None
        try:
            self._settle()
            self._enter(name, "", durable.digest(data), record)
            self._raise_highest([record])
            self._set("folder", "")  # so that the next look is a real one
        except sqlite3.DatabaseError as error:
            self._leave_cache(error)
        self._base.anew = self._anew

    def highest(self) -> dict[str, int]:
        """The highest number that this boundary has given, by letter."""
        if self._highest is None:
            self._highest = json.loads(self._meta("highest") or "{}")
        return dict(self._highest or {})

    def note(self, name: str, value: str) -> None:
        """Keep *value* for the next process: what was made from the fold, so that it need not be made again."""
        self._set(f"note {name}", value)

    def _forget(self) -> None:
        """Take nothing of what is in memory for what the tables hold now."""
        self._highest = None
        self._seen.clear()
        self._made.clear()

    def _leave_cache(self, error: sqlite3.DatabaseError) -> None:
        """Go on in memory: another process keeps the cache busy, its disk is full, or it is damaged."""
        self._base.leave(error)
        self._anew()

    def _is_unchanged(self) -> bool:
        """Whether nobody changed a record, or wrote into the tables, since the last look."""
        if self._looked is None:
            return False
        listed, version = self._looked
        return version == self._base.version() and sessions.is_as_listed(self.boundary, listed)

    def _anew(self) -> None:
        self._appended = []
        self.refresh()

    def _settle(self) -> None:
        """Note how the directory looks with the records that were appended, so that the next process finds the fold current."""
        if self._highest is not None:
            self._set("highest", json.dumps(self._highest))
            self._highest = None
        if self._appended:
            new = [sessions.listed(self.boundary, name) for name in self._appended]
            self._base.executemany("UPDATE record SET stamp = ? WHERE name = ?", [(one.stamp, one.name) for one in new])
            self._set("listing", sessions.digest_of(new, self._meta("listing")))
            self._set("folder", sessions.folder_stamp(self.boundary))
            self._appended = []

    def _kept(self) -> dict[str, tuple[Any, ...]]:
        return {row[0]: row[1:] for row in self._base.execute("SELECT name, stamp, sha256, text FROM record")}

    def _refold(self, listed: Iterable[sessions.Listed], known: Mapping[str, tuple[Any, ...]]) -> None:
        problems: list[Problem] = []
        records: dict[str, SessionRecord] = {}
        self._highest, self._appended, self._growth = {}, [], 0
        for table in tables.NAMES:
            self._base.execute(f"DELETE FROM {table}")  # noqa: S608 -- our own names
        for one in listed:
            record, sha256 = self._load(one, known, problems)
            self._enter(one.name, one.stamp, sha256, record)
            if record:
                records[one.name] = record
        folded = history.fold(records)
        self._keep(folded.history)
        self._base.executemany("UPDATE record SET twin = 1 WHERE name = ?", [(name,) for name in folded.twins])
        self._set("format", tables.FORMAT)
        self._set("first set", self.record_set())
        self._set("listing", sessions.digest_of(listed))
        self._set("problems", json.dumps([asdict(problem) for problem in (*problems, *folded.problems)]))
        damaged = (one.name for one in listed if one.name not in records)
        taken = (id for name in damaged for id in sessions.ids_in(self.boundary, name))
        self._raise_highest(records.values(), taken)
        self._settle()
        self._base.commit()

    def _load(
        self, one: sessions.Listed, known: Mapping[str, tuple[Any, ...]], problems: list[Problem]
    ) -> tuple[SessionRecord | None, str]:
        stamp, sha256, text = known.get(one.name, ("", "", ""))
        if text and stamp == one.stamp:
            return record_of(text), str(sha256)
        try:
            return sessions.read(self.boundary, one.name)
        except (HandoffError, OSError) as error:
            problems.append(problem_of(error, f"sessions/{one.name}"))
            return None, "damaged"

    def _enter(self, name: str, stamp: str, sha256: str, record: SessionRecord | None) -> None:
        self._made.clear()
        total = _sum(self.record_set(), name, sha256)
        self._set("record_set", total)
        id = identity.parse(record.id) if record else None
        row = (record.id, record.source, record.recorded) if record else ("", "", "")
        place = (id.number, id.tag) if id else (0, "")
        text = json.dumps([session.mapping(record), record.narrative]) if record else ""
        values = (
            name,
            stamp,
            sha256,
            *row,
            *place,
            record.is_act if record else 0,
            text,
            record.focus if record else "",
            record.is_noted if record else 0,
            f"note:{record.note}" if record and record.note else "",
            (record.ended or record.recorded) if record else "",
            self._growth,
            total,
        )
        self._base.execute("INSERT OR REPLACE INTO record VALUES (?,?,?,?,?,?,?,?,?,?,0,?,?,?,?,?,?)", values)

    def _keep(self, folded: History) -> None:
        for item in folded.items.values():
            self.put(item)
        for id, target in folded.aliases.items():
            self.alias(id, target)
        self._base.executemany("INSERT INTO known VALUES (?,?)", folded.keys.items())

    def _raise_highest(self, records: Iterable[SessionRecord], others: Iterable[str] = ()) -> None:
        """Never give a number again: also not that of a damaged record, of which only the file's name can be read."""
        highest = self.highest()
        own = (id for record in records for id in (record.id, *(value.id for value in record.items())))
        for text in itertools.chain(own, others):
            id = identity.parse(text)
            highest[id.letter] = max(highest.get(id.letter, 0), id.number)
        self._highest = highest

    def _set(self, name: str, value: str) -> None:
        self._base.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (name, value))


def sums(records: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The record set of nothing, of the first of *records* (name and digest), of the first two, and so on."""
    total = EMPTY_SET
    yield total
    for name, sha256 in records:
        total = _sum(total, name, sha256)
        yield total


def _sum(record_set: str, name: str, sha256: str) -> str:
    """*record_set* with one more record."""
    total = int(record_set, 16) + int(durable.digest(f"{name} {sha256}".encode()), 16)
    return f"{total % (1 << 256):064x}"
