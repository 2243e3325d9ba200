"""From a part of an imported file to what is new in it: its items, what it changes, and the lines that no item tells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from handoffsite.records import entry, history
from handoffsite.records.item import Value
from handoffsite.records.session import LISTS, SessionRecord, Update
from handoffsite.sources.part import Part
from handoffsite.sources.remainder import Told, remainder
from handoffsite.store.snapshot import Fold

CHANGED = "the file it was imported from changed"
_KEPT = frozenset({"id", "evidence", "supersedes"})  # what a newer version of a file does not change


@dataclass(slots=True)
class _Last:
    """What earlier imports of the same part said last, by ID and by what makes two items the same."""

    values: dict[str, Value] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, earlier: Iterable[SessionRecord]) -> "_Last":
        last = cls()
        for record in earlier:
            for value in record.items():
                last.values[value.id] = value
            for update in record.updates:
                if known := last.values.get(update.id):
                    last.values[update.id] = replace(known, **update.changes)
        last.ids = {history.key(value): id for id, value in last.values.items()}
        return last


def new(
    record: SessionRecord, part: Part, earlier: Sequence[SessionRecord], fold: Fold, said: Mapping[str, Value]
) -> SessionRecord:
    """*record* with what *part* adds to the *earlier* imports of the same, and to what the project knows.

    *said* are items that are not folded yet, by what makes two items the same.
    An item that stands word for word in another record is referred to; what this file says of it beyond that goes to the narrative.
    """
    last = _Last.of(earlier)
    lists: dict[str, Any] = {}
    updates: list[Update] = []
    told: dict[int, list[str]] = {}
    for name, kind in LISTS.items():
        fresh: list[Value] = []
        values = getattr(part.note, name)
        for value in values:
            known = last.ids.get(history.key(value), "") or _only(last, kind, values, part)
            if known:
                updates += _changed(value, known, last)
                told.setdefault(_line(value), []).extend((*_texts(value), *_texts(last.values[known])))
            elif other := _elsewhere(value, fold, said):
                updates.append(Update(id=other.id, evidence=value.evidence))
                told.setdefault(_line(value), []).extend(_texts(other))
            else:
                fresh.append(value)
                told.setdefault(_line(value), []).extend(_texts(value))
        lists[name] = tuple(fresh)
    lists["updates"] = _once(updates)
    narrative = _narrative(part, told, earlier)
    focus = part.note.focus if all(part.note.focus != one.focus for one in earlier) else ""
    unfiled = tuple(text for text in part.note.unfiled if all(text not in one.unfiled for one in earlier))
    return replace(record, **lists, focus=focus, unfiled=unfiled, narrative=narrative)


def says_something(record: SessionRecord) -> bool:
    """Whether *record* holds anything worth a file."""
    return bool(any(record.items()) or record.updates or record.unfiled or record.focus or record.narrative.strip())


def _only(last: _Last, kind: str, values: Sequence[Value], part: Part) -> str:
    """The decision that a file of one decision had under another title."""
    ids = [id for id, value in last.values.items() if kind == value.KIND == "decision"]
    return ids[0] if part.names and len(ids) == len(values) == 1 else ""


def _changed(value: Value, known: str, last: _Last) -> Iterator[Update]:
    """What the file says otherwise than it did, whatever became of the item meanwhile."""
    old, new = entry.dumps(last.values[known]), entry.dumps(value)
    names = [name for name in new if name not in _KEPT and new[name] != old.get(name) and new[name]]
    if value.KIND == "completed" or not names:
        return
    changes = {name: tuple(new[name]) if isinstance(new[name], list) else new[name] for name in names}
    yield Update(id=known, changes=changes, reason=CHANGED, evidence=value.evidence)


def _elsewhere(value: Value, fold: Fold, said: Mapping[str, Value]) -> Value | None:
    if value.KIND not in {"decision", "constraint", "thread"} or value.status not in value.LIVE:
        return None
    key = history.key(value)
    item = fold.get(fold.keyed(f"said {key}"))
    return item.value if item and item.is_live else said.get(key)


def _narrative(part: Part, told: dict[int, list[str]], earlier: Sequence[SessionRecord]) -> str:
    if part.whole and not earlier:
        return part.text.strip("\n")
    lines = [line for one in earlier for line in one.narrative.split("\n")]
    anywhere = [part.note.title, part.note.focus]
    if part.whole:
        return remainder(part.text, Told.of({}, lines=lines), part.line)
    anywhere += (
        text for one in earlier for text in (one.title, one.focus, *(text for value in one.items() for text in _texts(value)))
    )
    return remainder(part.text, Told.of(told, anywhere, lines), part.line)


def _texts(value: Value) -> list[str]:
    return [*entry.texts(value), value.status]


def _line(value: Value) -> int:
    said = next((address for address in value.evidence if address.startswith("note:")), "note:1")
    return int(said.rpartition(":")[2])


def _once(updates: Iterable[Update]) -> tuple[Update, ...]:
    """One update an item."""
    found: dict[str, Update] = {}
    for update in updates:
        first = found.get(update.id, update)
        evidence = tuple(dict.fromkeys((*first.evidence, *update.evidence)))
        found[update.id] = replace(first, changes={**first.changes, **update.changes}, evidence=evidence)
    return tuple(found.values())
