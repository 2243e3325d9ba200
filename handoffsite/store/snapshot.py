"""The fold of a boundary's records, kept between processes in a private cache, so that writing costs what changed.

The cache is a SQLite file of the user's own, outside the project. It holds nothing that the records do not: whenever it does not
fit the directory, or cannot be used, it is folded anew.
"""

import contextlib
import itertools
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from handoffsite import durable
from handoffsite.errors import Ambiguous, HandoffError, NotFound
from handoffsite.records import entry, history, identity, session
from handoffsite.records.history import History
from handoffsite.records.item import Item, Value
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.store import sessions, tables
from handoffsite.store.boundary import Boundary

_OF_SOURCE = "SELECT text FROM record WHERE (source = ? OR note = ?) AND NOT twin ORDER BY recorded, number, tag"
_EMPTY_SET = "0" * 64


class Fold:
    """A boundary's history, in tables; it is what `records.history.Items` asks for. Use it as a context manager.

    *cache* is the folder of this boundary's cache, or None to fold in memory. With *trusting*, the records are not looked at one by
    one where no file came, went or was replaced since the last time: writing then costs the same however many there are, and a
    record that was written over in place is found by the next reader.
    """

    def __init__(self, boundary: Boundary, cache: Path | None, *, trusting: bool = False) -> None:
        self.boundary = boundary
        self._base = tables.connect(cache / "fold.sqlite" if cache else None)
        self._appended: list[str] = []
        self._seen: dict[str, Item] = {}
        self._trusting = trusting
        self._highest: dict[str, int] | None = None

    def __enter__(self) -> Self:
        try:
            self.refresh()
        except sqlite3.OperationalError:
            self._leave_cache()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            # The records are on disk: a cache that cannot be kept is folded anew by the next process.
            with contextlib.suppress(sqlite3.OperationalError):
                self._settle()
                self._base.commit()
        self._base.close()

    def get(self, id: str) -> Item | None:
        """The item with this ID or alias."""
        if id in self._seen:
            return self._seen[id]
        row = self._one("SELECT text FROM item WHERE id = ?", id)
        if row is None and (target := self._one("SELECT target FROM alias WHERE id = ?", id)):
            return self.get(target[0])
        return self._see(entry.loads_item(row[0])) if row else None

    def put(self, item: Item) -> None:
        """Keep *item* in place of what has its ID."""
        self._see(item)
        id = identity.parse(item.id)
        letter = f"{id.letter}.{id.part[:1]}" if id.part else id.letter
        self._base.execute(
            "INSERT INTO item (id, letter, number, kind, status, live, touched, session, ordinal, text) VALUES (?,?,?,?,?,?,?,?,?,?) "
            "ON CONFLICT (id) DO UPDATE SET status = excluded.status, live = excluded.live, touched = excluded.touched, text = excluded.text",
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
            ),
        )

    def alias(self, id: str, target: str) -> None:
        """Let *id* mean the item *target*."""
        if id != target:
            parts = identity.parse(id)
            self._base.execute("INSERT OR REPLACE INTO alias VALUES (?,?,?,?)", (id, parts.letter, parts.number, target))

    def keyed(self, key: str) -> str:
        """The ID that `remember` gave *key*, or nothing."""
        row = self._one("SELECT id FROM known WHERE name = ?", key)
        return str(row[0]) if row else ""

    def remember(self, key: str, id: str) -> None:
        """Know *id* again by *key*, unless the key is taken."""
        self._base.execute("INSERT OR IGNORE INTO known VALUES (?,?)", (key, id))

    def extend_key(self, key: str, id: str) -> None:
        """Add *id* to the IDs, divided by spaces, that *key* gives."""
        self._base.execute(
            "INSERT INTO known VALUES (?,?) ON CONFLICT (name) DO UPDATE SET id = id || ' ' || excluded.id", (key, id)
        )

    def proposed(self, before: int | None = None) -> list[Item]:
        """The proposed items, or those that were defined when there were at most *before* sessions; oldest first."""
        until = (1 << 62) if before is None else before
        return self._items("status = 'proposed' AND ordinal <= ? ORDER BY place", until)

    def defined_in(self, record: str) -> list[Item]:
        """The items that *record* introduced."""
        return self._items("session = ? ORDER BY place", record)

    def refresh(self) -> None:
        """Bring the fold in line with the records on disk; nothing is written there."""
        self._settle()
        is_known = self._meta("format") == tables.FORMAT
        if is_known and self._trusting and sessions.folder_stamp(self.boundary) == (self._meta("folder") or "unknown"):
            return
        folder = sessions.folder_stamp(self.boundary)  # before the listing: what comes between the two is then seen the next time
        listed = sessions.listing(self.boundary)
        if not is_known or self._meta("listing") != sessions.digest_of(listed):
            self._refold(listed, self._kept() if is_known else {})
        if self._meta("folder") != folder:
            self._set("folder", folder)

    def extend(self, record: SessionRecord, name: str, data: bytes) -> None:
        """Enter *record*, just written as the file *name*: folded onto what is there where its time allows, else all anew."""
        try:
            self._extend(record, name, data)
        except sqlite3.OperationalError:
            self._appended = []
            self._leave_cache()

    def _extend(self, record: SessionRecord, name: str, data: bytes) -> None:
        newest = self._one(
            "SELECT recorded, number, tag FROM record WHERE id != '' AND NOT twin ORDER BY recorded DESC, number DESC, tag DESC LIMIT 1"
        )
        before = json.loads(self._meta("problems") or "[]")
        if before or (newest and history.order(record) < tuple(newest)):
            self.refresh()
            return
        self._enter(name, "", durable.digest(data), record)
        count = self.session_count()
        for step in (history.define, history.amend):
            found = list(step(self, record, count))
            if found:
                self.refresh()
                return
        self._raise_highest([record])
        self._appended.append(name)

    def highest(self) -> dict[str, int]:
        """The highest number that this boundary has given, by letter."""
        if self._highest is None:
            self._highest = json.loads(self._meta("highest") or "{}")
        return dict(self._highest or {})

    def generation(self) -> int:
        """How many records are folded."""
        return int(self._one("SELECT count(*) FROM record WHERE id != '' AND NOT twin")[0])

    def session_count(self) -> int:
        """How many of them are sessions rather than acts."""
        return int(self._one("SELECT count(*) FROM record WHERE act = 0 AND id != '' AND NOT twin")[0])

    def record_set(self) -> str:
        """The digest of the records: their names and contents, whatever the path, time or order.

        It is a sum of digests, so that one more record costs one addition.
        """
        return self._meta("record_set") or _EMPTY_SET

    def noted(self, name: str) -> str:
        """What `note` kept under *name* since the fold was last made anew, or nothing."""
        return self._meta(f"note {name}")

    def note(self, name: str, value: str) -> None:
        """Keep *value* for the next process: what was made from the fold, so that it need not be made again."""
        self._set(f"note {name}", value)

    def live(self, kind: str, most: int | None = None) -> list[Item]:
        """The items of *kind* that still hold, in the order of definition; with *most*, the most recently touched ones."""
        if most is None:
            return self._items("kind = ? AND live ORDER BY place", kind)
        chosen = "SELECT place FROM item WHERE kind = ? AND live ORDER BY touched DESC, place DESC LIMIT ?"
        return self._items(f"place IN ({chosen}) ORDER BY place", kind, most)

    def archived(self, kind: str) -> list[Item]:
        """The items of *kind* that no longer hold and are not merely proposed, in the order of definition."""
        return self._items("kind = ? AND NOT live AND status != 'proposed' ORDER BY place", kind)

    def counts(self) -> dict[tuple[str, str], int]:
        """How many items there are, by kind and status."""
        return {
            (kind, status): count
            for kind, status, count in self._base.execute("SELECT kind, status, count(*) FROM item GROUP BY 1, 2")
        }

    def short(self, id: identity.Identity) -> list[str]:
        """The IDs of the items, or records, that the short form *id* may mean; an alias counts as what it means."""
        letter = f"{id.letter}.{id.part[:1]}" if id.part else id.letter
        own: Iterable[tuple[str]]
        if letter == "S":
            own = self._base.execute("SELECT id FROM record WHERE number = ? AND id != '' AND NOT twin", (id.number,))
        else:
            own = self._base.execute("SELECT id FROM item WHERE letter = ? AND number = ?", (letter, id.number))
        other = self._base.execute("SELECT id, target FROM alias WHERE letter = ? AND number = ?", (id.letter, id.number))
        found = {row[0] for row in own if row[0].endswith(f".{id.part}") or not id.part}
        return sorted(found | {target for alias, target in other if identity.parse(alias).part == id.part})

    def resolve(self, text: str) -> str:
        """The canonical ID that *text*, whole or short, stands for; NotFound, or Ambiguous with the candidates."""
        id = identity.parse(text)
        if id.tag:
            item, record = self.get(str(id)), None if id.part else self.record(str(id))
            found = [one.id for one in (item, record) if one]
        else:
            found = self.short(id)
        if not found:
            raise NotFound(f"no {text} in this project", hint="`handoffsite log` lists what there is")
        if len(found) > 1:
            raise Ambiguous(f"{text} may mean {' or '.join(found)}", hint="give the whole ID")
        return found[0]

    def said(self, value: Value) -> Item:
        """The item that says the same as *value*, in whichever session."""
        item = self.get(self.keyed(f"said {history.key(value)}"))
        assert item is not None
        return item

    def record(self, id: str) -> SessionRecord | None:
        """The record with this whole ID."""
        target = self._one("SELECT target FROM alias WHERE id = ?", id)
        row = self._one("SELECT text FROM record WHERE id = ? AND NOT twin", target[0] if target else id)
        return _record(row[0]) if row else None

    def file_of(self, id: str) -> str:
        """The file under sessions/ of the record *id*."""
        row = self._one("SELECT name FROM record WHERE id = ? AND NOT twin", id)
        return str(row[0]) if row else ""

    def of_source(self, source: str) -> list[SessionRecord]:
        """The records of one session by its source, or by the note that one of them holds; oldest first."""
        return [_record(row[0]) for row in self._base.execute(_OF_SOURCE, (source, source))]

    def of_session(self, session: str) -> list[SessionRecord]:
        """The records whose source ends in this session ID, whichever agent it names."""
        rows = self._base.execute(
            "SELECT text FROM record WHERE substr(source, -?) = ? AND NOT twin ORDER BY recorded",
            (len(session) + 1, f":{session}"),
        )
        return [_record(row[0]) for row in rows]

    def newest(self, *, sessions_only: bool = False) -> SessionRecord | None:
        """The record that was recorded last."""
        rows = "id != '' AND NOT twin AND NOT act" if sessions_only else "id != '' AND NOT twin"
        row = self._one(f"SELECT text FROM record WHERE {rows} ORDER BY recorded DESC, number DESC, tag DESC LIMIT 1")  # noqa: S608
        return _record(row[0]) if row else None

    def focus(self) -> str:
        """What the last note that says so calls the focus; the last log, where there is no note."""
        row = self._one(
            "SELECT focus FROM record WHERE focus != '' ORDER BY noted DESC, ended DESC, number DESC, tag DESC LIMIT 1"
        )
        return str(row[0]) if row else ""

    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the records: damaged files, IDs that are unknown or defined twice."""
        return tuple(Problem(**found) for found in json.loads(self._meta("problems") or "[]"))

    def snapshot(self) -> Snapshot:
        """Everything, as one value."""
        rows = self._base.execute(
            "SELECT id, name, text FROM record WHERE id != '' AND NOT twin ORDER BY recorded, number, tag"
        ).fetchall()
        items = (entry.loads_item(row[0]) for row in self._base.execute("SELECT text FROM item ORDER BY place"))
        return Snapshot(
            project=self.boundary.project,
            records=tuple(_record(text) for _, _, text in rows),
            items={item.id: item for item in items},
            aliases=dict(self._base.execute("SELECT id, target FROM alias").fetchall()),
            record_set=self.record_set(),
            files={id: name for id, name, _ in rows},
            problems=self.problems(),
        )

    def _leave_cache(self) -> None:
        """Go on in memory: another process keeps the cache busy, or its disk is full."""
        self._base.close()
        self._base = tables.connect(None)
        self.refresh()

    def _settle(self) -> None:
        """Note how the directory looks with the records that were appended, so that the next process finds the fold current."""
        if self._highest is not None:
            self._set("highest", json.dumps(self._highest))
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
        self._highest, self._appended = {}, []
        self._seen.clear()
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
            return _record(text), str(sha256)
        try:
            return sessions.read(self.boundary, one.name)
        except (HandoffError, OSError) as error:
            problems.append(problem_of(error, f"sessions/{one.name}"))
            return None, "damaged"

    def _enter(self, name: str, stamp: str, sha256: str, record: SessionRecord | None) -> None:
        self._set("record_set", _sum(self.record_set(), name, sha256))
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
        )
        self._base.execute("INSERT OR REPLACE INTO record VALUES (?,?,?,?,?,?,?,?,?,?,0,?,?,?,?)", values)

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

    def _items(self, where: str, *values: Any) -> list[Item]:
        rows = self._base.execute(f"SELECT id, text FROM item WHERE {where}", values)  # noqa: S608
        return [self._seen.get(id) or self._see(entry.loads_item(text)) for id, text in rows]

    def _see(self, item: Item) -> Item:
        self._seen[item.id] = item
        return item

    def _one(self, query: str, *values: Any) -> Any:
        return self._base.execute(query, values).fetchone()

    def _meta(self, name: str) -> str:
        row = self._one("SELECT value FROM meta WHERE name = ?", name)
        return str(row[0]) if row else ""

    def _set(self, name: str, value: str) -> None:
        self._base.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (name, value))


def _sum(record_set: str, name: str, sha256: str) -> str:
    """*record_set* with one more record."""
    total = int(record_set, 16) + int(durable.digest(f"{name} {sha256}".encode()), 16)
    return f"{total % (1 << 256):064x}"


def _record(text: str) -> SessionRecord:
    found, narrative = json.loads(text)
    return session.record_from(found, narrative=narrative)
