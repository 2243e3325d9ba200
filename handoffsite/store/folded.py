"""A fold that stands: what its tables answer. Nothing here changes them."""

import json
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from handoffsite.errors import Ambiguous, NotFound
from handoffsite.records import entry, history, identity, session, state
from handoffsite.records.item import Item, Value
from handoffsite.records.problem import Problem
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Changes, Snapshot
from handoffsite.store.boundary import Boundary
from handoffsite.store.tables import Tables

EMPTY_SET = "0" * 64
_OF_SOURCE = "SELECT text FROM record WHERE (source = ? OR note = ?) AND NOT twin ORDER BY recorded, number, tag"
_Made = TypeVar("_Made")
# What may change of an item without another document than its own telling it: a session's document holds the titles of what it touched.
_OWN_FIELDS = frozenset("status evidence topic rationale context alternatives supersedes outcome because next reason".split())
_MOST_ACTS = 50  # that are looked at for what they left unfiled


class Folded:
    """A boundary's history as the tables in *base* hold it."""

    def __init__(self, boundary: Boundary, base: Tables) -> None:
        self.boundary = boundary
        self._base = base
        self._seen: dict[str, Item] = {}
        self._made: dict[Hashable, Any] = {}

    def made(self, name: Hashable, make: Callable[[], _Made]) -> _Made:
        """What *make* makes of this history alone, under *name*: it is made once, until the history changes."""
        if name not in self._made:
            self._made[name] = make()
        found: _Made = self._made[name]
        return found

    def get(self, id: str) -> Item | None:
        """The item with this ID or alias."""
        if id in self._seen:
            return self._seen[id]
        row = self._one("SELECT text FROM item WHERE id = ?", id)
        if row is None and (target := self._one("SELECT target FROM alias WHERE id = ?", id)):
            return self.get(target[0])
        return self._see(entry.loads_item(row[0])) if row else None

    def keyed(self, key: str) -> str:
        """The ID that `remember` gave *key*, or nothing."""
        row = self._one("SELECT id FROM known WHERE name = ?", key)
        return str(row[0]) if row else ""

    def proposed(self, before: int | None = None) -> list[Item]:
        """The proposed items, or those that were defined when there were at most *before* sessions; oldest first."""
        until = (1 << 62) if before is None else before
        return self._items("status = 'proposed' AND ordinal <= ? ORDER BY place", until)

    def defined_in(self, record: str) -> list[Item]:
        """The items that *record* introduced."""
        return self._items("session = ? ORDER BY place", record)

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
        return self._meta("record_set") or EMPTY_SET

    def searchable(self) -> str:
        """The record set, the mailbox, the artefacts and the handoffs, as one digest: what an index is built from."""
        from handoffsite.store import artefacts, contracts, work  # noqa: PLC0415 -- what only records costs nothing for them

        marks = (work.mark(self.boundary), artefacts.mark(self.boundary), contracts.mark(self.boundary))
        return self.record_set() + "".join(marks)

    def members(self) -> list[tuple[str, str]]:
        """The names and digests of the records in the record set, oldest first."""
        return self._base.execute("SELECT name, sha256 FROM record ORDER BY recorded, number, tag, name").fetchall()

    def noted(self, name: str) -> str:
        """What `note` kept under *name* since the fold was last made anew, or nothing."""
        return self._meta(f"note {name}")

    def live(self, kind: str, most: int | None = None) -> list[Item]:
        """The items of *kind* that still hold, in the order of definition; with *most*, the most recently touched ones."""
        if most is None:
            return self._items("kind = ? AND live ORDER BY place", kind)
        chosen = "SELECT place FROM item WHERE kind = ? AND live ORDER BY touched DESC, place DESC LIMIT ?"
        return self._items(f"place IN ({chosen}) ORDER BY place", kind, most)

    def told(self, kind: str, *, proposed: bool = False) -> list[tuple[str, str]]:
        """The ID of each item of *kind* that holds, or is only *proposed*, with its words as they are kept (JSON); last touched first."""
        rows = "status = 'proposed'" if proposed else "live"
        query = f"SELECT id, text FROM item WHERE kind = ? AND {rows} ORDER BY touched DESC, place DESC"  # noqa: S608 -- our own words
        return self._base.execute(query, (kind,)).fetchall()

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
        return record_of(row[0]) if row else None

    def file_of(self, id: str) -> str:
        """The file under sessions/ of the record *id*."""
        row = self._one("SELECT name FROM record WHERE id = ? AND NOT twin", id)
        return str(row[0]) if row else ""

    def of_source(self, source: str) -> list[SessionRecord]:
        """The records of one session by its source, or by the note that one of them holds; oldest first."""
        return [record_of(row[0]) for row in self._base.execute(_OF_SOURCE, (source, source))]

    def of_session(self, session: str) -> list[SessionRecord]:
        """The records whose source ends in this session ID, whichever agent it names."""
        rows = self._base.execute(
            "SELECT text FROM record WHERE substr(source, -?) = ? AND NOT twin ORDER BY recorded",
            (len(session) + 1, f":{session}"),
        )
        return [record_of(row[0]) for row in rows]

    def newest(self, *, sessions_only: bool = False) -> SessionRecord | None:
        """The record that was recorded last."""
        rows = "id != '' AND NOT twin AND NOT act" if sessions_only else "id != '' AND NOT twin"
        row = self._one(f"SELECT text FROM record WHERE {rows} ORDER BY recorded DESC, number DESC, tag DESC LIMIT 1")  # noqa: S608
        return record_of(row[0]) if row else None

    def source_of(self, id: str) -> str:
        """The source of the record *id*: the agent and its session, a note, an act."""
        row = self._one("SELECT source FROM record WHERE id = ? AND NOT twin", id)
        return str(row[0]) if row else ""

    def focus(self) -> str:
        """What the last note that says so calls the focus; the last log, where there is no note."""
        return self.focused()[1]

    def focused(self) -> tuple[str, str]:
        """The record that says what the focus is, and the focus; both empty where none does."""
        row = self._one(
            "SELECT id, focus FROM record WHERE focus != '' ORDER BY noted DESC, ended DESC, number DESC, tag DESC LIMIT 1"
        )
        return (str(row[0]), str(row[1])) if row else ("", "")

    def focuses(self) -> list[str]:
        """Every focus that a record names."""
        return [str(row[0]) for row in self._base.execute("SELECT DISTINCT focus FROM record WHERE focus != '' ORDER BY focus")]

    def unfiled(self) -> list[str]:
        """What the newest session, and the acts since then, left unfiled; what somebody settled since is left out.

        A session had its chance to file what the ones before it left: their records still hold it.
        """
        rows = "SELECT act, text FROM record WHERE id != '' AND NOT twin ORDER BY recorded DESC, number DESC, tag DESC LIMIT ?"
        found: list[str] = []
        for act, text in self._base.execute(rows, (_MOST_ACTS,)):
            said = json.loads(text)[0].get("unfiled", ()) if '"unfiled": [' in text else ()
            found = [*said, *found]
            if not act or state.CLEARED in said:
                break
        return [text for text in found if text != state.CLEARED]

    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the records: damaged files, IDs that are unknown or defined twice."""
        return tuple(Problem(**found) for found in json.loads(self._meta("problems") or "[]"))

    def twins(self) -> list[tuple[str, SessionRecord]]:
        """The records that say what an earlier one of the same session said, or that bear another's ID, by the names of their files."""
        return [
            (name, record_of(text)) for name, text in self._base.execute("SELECT name, text FROM record WHERE twin ORDER BY name")
        ]

    def snapshot(self) -> Snapshot:
        """Everything, as one value."""
        from handoffsite.store import artefacts, contracts, work  # noqa: PLC0415 -- as above

        rows = self._base.execute(
            "SELECT id, name, text FROM record WHERE id != '' AND NOT twin ORDER BY recorded, number, tag"
        ).fetchall()
        handoffs = contracts.read(self.boundary).handoffs
        items = (entry.loads_item(row[0]) for row in self._base.execute("SELECT text FROM item ORDER BY place"))
        return Snapshot(
            project=self.boundary.project,
            records=tuple(record_of(text) for _, _, text in rows),
            items={item.id: item for item in items},
            aliases=dict(self._base.execute("SELECT id, target FROM alias").fetchall()),
            record_set=self.record_set(),
            files={id: name for id, name, _ in rows},
            problems=self.problems(),
            mail=work.messages(self.boundary),
            mail_mark=work.mark(self.boundary),
            artefacts=artefacts.read(self.boundary).artefacts,
            artefact_mark=artefacts.mark(self.boundary),
            handoffs=handoffs,
            handoff_mark=contracts.mark(self.boundary),
            evidence={one.id: contracts.evidence(self.boundary, one.id) for one in handoffs},
        )

    def changes(self, since: str) -> Changes | None:
        """What is new since the record set was *since*; None where that is not known, so that all has to be told."""
        from handoffsite.store import artefacts, contracts, work  # noqa: PLC0415 -- as above

        growth = self._growth_at(since)
        if growth is None:
            return None
        items = self._items("growth > ? ORDER BY place", growth)
        rows = self._base.execute("SELECT text FROM record WHERE growth > ? AND id != '' AND NOT twin ORDER BY growth", (growth,))
        new = {record.id: record for record in (record_of(text) for (text,) in rows)}
        steps = [step for item in items for step in item.steps if step.record in new]
        if not all(_OWN_FIELDS.issuperset(step.changes) for step in steps):
            return None
        ids = frozenset((*(item.id for item in items), *new))
        telling = dict.fromkeys(record for item in items for record in (item.session, *(step.record for step in item.steps)))
        others = (self.record(id) for id in telling if id not in new)
        named = (
            id for record in new.values() for id in (*(one.id for one in record.updates), *(one.id for one in record.retired))
        )
        touched = map(self.get, named)
        return Changes(
            ids=ids,
            snapshot=Snapshot(
                project=self.boundary.project,
                records=(*filter(None, others), *new.values()),
                items={item.id: item for item in (*filter(None, touched), *items)},
                aliases={
                    alias: id for id in ids for (alias,) in self._base.execute("SELECT id FROM alias WHERE target = ?", (id,))
                },
                record_set=self.record_set(),
                files={},
                mail=work.messages(self.boundary),
                mail_mark=work.mark(self.boundary),
                artefacts=artefacts.read(self.boundary).artefacts,
                artefact_mark=artefacts.mark(self.boundary),
                handoffs=contracts.read(self.boundary).handoffs,
                handoff_mark=contracts.mark(self.boundary),
            ),
        )

    def _growth_at(self, record_set: str) -> int | None:
        """How far the fold had grown when the record set was that; None where it never was, since the fold was last made anew."""
        if record_set == self._meta("first set"):
            return 0
        row = self._one("SELECT growth FROM record WHERE total = ? AND growth > 0", record_set)
        return int(row[0]) if row else None

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


def record_of(text: str) -> SessionRecord:
    """The record that the tables keep as *text*."""
    found, narrative = json.loads(text)
    return session.record_from(found, narrative=narrative)
