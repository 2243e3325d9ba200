"""The fold: a project's records, in order, become its items as they stand today.

Definitions come before updates, whichever record holds them, so a merge of two clones folds to one history whatever the order
in which git brought the files.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from handoffsite.records import entry, grammar, identity
from handoffsite.records.item import Item, Step, Value
from handoffsite.records.problem import Problem
from handoffsite.records.session import SessionRecord, Update

# A proposal that nobody looked at for so many sessions is archived as expired.
EXPIRES_AFTER = 10

# What `retire` makes of an item; a constraint that no longer holds is lifted, a thread that is over is done.
RETIRED = {"decision": "retired", "constraint": "lifted", "thread": "done", "completed": "retired", "dependency": "retired"}

_SPACE = re.compile(r"[\W_]+")


class Items(Protocol):
    """What the fold reads and writes: in memory, or a table that outlives the process."""

    def get(self, id: str) -> Item | None:
        """The item with this ID or alias."""

    def put(self, item: Item) -> None:
        """Keep *item* in place of what has its ID."""

    def alias(self, id: str, target: str) -> None:
        """Let *id* mean the item *target*."""

    def keyed(self, key: str) -> str:
        """The ID that `remember` gave *key*, or nothing."""

    def remember(self, key: str, id: str) -> None:
        """Know *id* again by *key*, unless the key is taken."""

    def extend_key(self, key: str, id: str) -> None:
        """Add *id* to the IDs, divided by spaces, that *key* gives."""

    def proposed(self, before: int) -> Iterable[Item]:
        """The proposed items that were defined when there were at most *before* sessions."""

    def defined_in(self, record: str) -> Iterable[Item]:
        """The items that *record* introduced."""


@dataclass(slots=True)
class History:
    """A fold in memory."""

    items: dict[str, Item] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)

    def get(self, id: str) -> Item | None:
        """The item with this ID or alias."""
        return self.items.get(self.aliases.get(id, id))

    def put(self, item: Item) -> None:
        """Keep *item* in place of what has its ID."""
        self.items[item.id] = item

    def alias(self, id: str, target: str) -> None:
        """Let *id* mean the item *target*."""
        if id != target:
            self.aliases[id] = target

    def keyed(self, key: str) -> str:
        """The ID that `remember` gave *key*, or nothing."""
        return self.keys.get(key, "")

    def remember(self, key: str, id: str) -> None:
        """Know *id* again by *key*, unless the key is taken."""
        self.keys.setdefault(key, id)

    def extend_key(self, key: str, id: str) -> None:
        """Add *id* to the IDs, divided by spaces, that *key* gives."""
        self.keys[key] = f"{self.keys[key]} {id}" if key in self.keys else id

    def proposed(self, before: int) -> list[Item]:
        """The proposed items that were defined when there were at most *before* sessions."""
        return [item for item in self.items.values() if item.status == "proposed" and item.ordinal <= before]

    def defined_in(self, record: str) -> list[Item]:
        """The items that *record* introduced."""
        return [item for item in self.items.values() if item.session == record]


def order(record: SessionRecord) -> tuple[str, int, str]:
    """What records are sorted by: the time of recording, then the ID."""
    id = identity.parse(record.id)
    return record.recorded, id.number, id.tag


@dataclass(frozen=True, slots=True)
class Folded:
    """A *history*, what is wrong with it, and the *twins*: files whose record says what an earlier one of the same session said."""

    history: History
    problems: tuple[Problem, ...]
    twins: frozenset[str]


def fold(records: Mapping[str, SessionRecord]) -> Folded:
    """The history of *records*, given by the names of their files."""
    history = History()
    problems: list[Problem] = []
    ordered = sorted(records.items(), key=lambda pair: (order(pair[1]), pair[0]))
    twins = frozenset(_twins(history, ordered))
    for step in (define, amend):
        sessions = 0
        for name, record in ordered:
            if name in twins and step is amend:
                continue
            sessions += not record.is_act and name not in twins
            problems += (replace(problem, file=f"sessions/{name}") for problem in step(history, record, sessions))
    return Folded(history, tuple(problems), twins)


def _twins(history: History, ordered: Iterable[tuple[str, SessionRecord]]) -> Iterator[str]:
    """The files of records that two clones made of one session; the IDs of the later one mean the first."""
    first: dict[tuple[str, ...], str] = {}
    for name, record in ordered:
        words = sorted((*map(key, record.items()), *map(repr, record.updates), *map(repr, record.retired)))
        known = first.setdefault((record.source, record.focus, *words), record.id)
        if record.id != known or first.get(("", record.id), name) != name:
            history.alias(record.id, known)
            yield name
        first.setdefault(("", record.id), name)


def define(items: Items, record: SessionRecord, sessions: int) -> Iterator[Problem]:
    """Enter what *record* defines, the *sessions*th session; an item of the same session that is known already becomes an alias."""
    family = family_of(items, record)
    items.remember(f"family {record.source}", family)
    if record.note:
        items.remember(f"family note:{record.note}", family)
    items.remember(f"family {record.id}", family)
    items.extend_key(f"records {family}", record.id)
    for digest in record.messages.values():
        items.remember(f"message {digest}", record.id)
    for value in record.items():
        known = items.get(value.id)
        if known:
            if key(known.value) != key(value):
                yield Problem(
                    code="id-defined-twice",
                    message=f"{value.id} was defined in {known.session} already: {known.title!r} there, {value.headline!r} here",
                    fix="give one of the two another number, in the record that is not published yet",
                )
            continue
        own = f"{family} {key(value)}"
        first = items.keyed(own)
        if first:
            items.alias(value.id, first)
            _strengthen(items, first, value, record)
        else:
            items.remember(own, value.id)
            items.put(Item(value=value, session=record.id, defined=record.recorded, touched=record.recorded, ordinal=sessions))
            items.remember(f"said {key(value)}", value.id)


def amend(items: Items, record: SessionRecord, sessions: int) -> Iterator[Problem]:
    """Apply what *record*, the *sessions*th session, says of items that are defined anywhere."""
    for decision in record.decisions:
        item = items.get(decision.id)
        if item and item.id == decision.id and item.status == "accepted":
            yield from _supersede(items, item, decision.supersedes, record)
    for update in record.updates:
        yield from _update(items, update, record)
    for retirement in record.retired:
        is_session = retirement.id.startswith("S-") and "." not in retirement.id
        targets = list(items.defined_in(retirement.id)) if is_session else [items.get(retirement.id)]
        for target in targets:
            if target is None:
                yield _unknown(retirement.id)
            elif target.status not in {RETIRED[target.kind], "superseded", "rejected"}:
                _put(items, target, _step(record, {"status": RETIRED[target.kind]}, retirement.reason))
    if not record.is_act:
        for item in list(items.proposed(sessions - EXPIRES_AFTER)):
            _put(items, item, _step(record, {"status": "expired"}, f"not reviewed in {EXPIRES_AFTER} sessions"))


def family_of(items: Items, record: SessionRecord) -> str:
    """The name that all records of one session share: its first source, however often it was recorded and by whatever way."""
    for name in (record.follows, record.source):
        if name and (known := items.keyed(f"family {name}")):
            return known
    return record.source


def key(value: Value) -> str:
    """What two items have in common that say the same: the kind, and the words that identify it."""
    if value.KIND == "dependency":
        dependency = entry.dumps(value)
        return " ".join(str(dependency.get(name)) for name in ("ecosystem", "name", "change", "from", "to", "file"))
    return f"{value.KIND} {_SPACE.sub(' ', folded(value.headline)).strip()}"


def folded(text: str) -> str:
    """*text* as it is compared: an accent may be typed as one character or as two, and capitals make no difference."""
    return text.casefold() if text.isascii() else unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _strengthen(items: Items, id: str, value: Value, record: SessionRecord) -> None:
    item = items.get(id)
    assert item is not None
    items.put(replace(item, aliases=(*item.aliases, value.id)))
    changes = {"status": "proven"} if (item.status, value.status) == ("claimed", "proven") else {}
    if item.id != value.id:
        _put(items, items.get(id) or item, _step(record, changes, evidence=value.evidence))


def _update(items: Items, update: Update, record: SessionRecord) -> Iterator[Problem]:
    item = items.get(update.id)
    if item is None:
        yield _unknown(update.id)
        return
    changes = dict(update.changes)
    wanted = tuple(changes.get("supersedes", ()))
    if "supersedes" in changes:
        changes["supersedes"] = tuple(dict.fromkeys((*getattr(item.value, "supersedes", ()), *wanted)))
    # One clone accepts what another has replaced: the replacement stands.
    if item.status == "superseded" and changes.get("status") == "accepted" and item.superseded_by:
        del changes["status"]
    item = _put(items, item, _step(record, changes, update.reason, update.evidence))
    if item.kind == "decision" and item.status == "accepted":
        yield from _supersede(items, item, getattr(item.value, "supersedes", ()), record)


def _supersede(items: Items, item: Item, targets: Iterable[str], record: SessionRecord) -> Iterator[Problem]:
    for target in targets:
        old = items.get(target)
        if old is None:
            yield _unknown(target)
        elif old.kind != "decision" or old.id == item.id:
            yield Problem(
                code="bad-supersedes", message=f"{item.id} cannot supersede {target}, a {old.kind}", fix="name another decision"
            )
        elif old.superseded_by != item.id:
            old = _put(items, old, _step(record, {"status": "superseded"}, f"replaced by {item.id}"))
            items.put(replace(old, superseded_by=item.id))


def _step(record: SessionRecord, changes: Mapping[str, Any], reason: str = "", evidence: tuple[str, ...] = ()) -> Step:
    return Step(record=record.id, at=record.recorded, changes=changes, reason=grammar.one_line(reason), evidence=evidence)


def _put(items: Items, item: Item, step: Step) -> Item:
    """Enter *step* in the item's history, unless it adds nothing; the item after it."""
    new = tuple(address for address in step.evidence if address not in item.value.evidence)
    if not (step.changes or new or step.reason):
        return item
    fields = dict(step.changes)
    # Line 12 of another session's transcript is not line 12 of this one's: that evidence stays with the step.
    if new and items.keyed(f"family {step.record}") == items.keyed(f"family {item.session}"):
        fields["evidence"] = (*item.value.evidence, *new)
    item = item.changed(replace(step, evidence=new), **fields)
    items.put(item)
    return item


def _unknown(id: str) -> Problem:
    return Problem(
        code="unknown-id", message=f"{id} is defined in no record here", fix="merge or restore the record that defines it"
    )
