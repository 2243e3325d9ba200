"""From a draft to what is new: what the history holds already is not said twice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from handoffsite.records import history
from handoffsite.records.completed import Completed
from handoffsite.records.dependency import Dependency
from handoffsite.records.history import Items
from handoffsite.records.item import Item, Value
from handoffsite.records.pattern import lazy
from handoffsite.records.session import LISTS, Record, SessionRecord, Update

_WORD = lazy(r"[^\W_]{2,}|[\u4e00-\u9fff]")
_SEPARATOR = lazy(r"[-_.]+")
_ENDING = lazy(r"(?:ing|ed|es|s)$")
_STOP = frozenset(
    "an and are as at be been but by can did do does for from had has have in into is it its no not now of on or so than that "
    "the their then there this to too was were will with without".split()
)


def new_only(record: Record, items: Items) -> tuple[Record, tuple[str, ...]]:
    """What *record* adds to what *items* know, and warnings about what belongs to another session.

    An item of the same session becomes an update where it adds evidence, and nothing where it does not; a decision or constraint
    that another session made and that still holds is referred to by its ID.
    """
    family = history.family_of(items, record)
    own = _of_family(items, family)
    lists: dict[str, Any] = {"retired": tuple(one for one in record.retired if not _is_over(items.get(one.id)))}
    updates = [new for update in record.updates if (new := _unsaid(update, items))]
    warnings = list[str]()
    for name, kind in LISTS.items():
        fresh = []
        for value in getattr(record, name):
            foreign = _foreign(value, record, items, family)
            known = _known(value, own.get(kind, ()), items)
            if foreign:
                warnings.append(
                    f"{value.headline[:80]!r} stands in a message that belongs to {foreign}, so it is not recorded again"
                )
            elif known is None:
                fresh.append(value)
            elif update := _said_again(value, known):
                updates.append(update)
        lists[name] = tuple(fresh)
    lists["updates"] = _joined(updates)
    record = replace(record, **lists)
    return _cited_only(record), tuple(warnings)


def alike(one: str, other: str) -> float:
    """How much two texts share of the key words of the shorter one: 0 to 1, and 0 where they share fewer than two."""
    mine, theirs = words(one), words(other)
    shared = len(mine & theirs)
    return shared / min(len(mine), len(theirs)) if shared > 1 or (shared and mine == theirs) else 0.0


def words(text: str) -> frozenset[str]:
    """The key words of *text*, folded, without their endings."""
    return frozenset(_ENDING.sub("", word) or word for word in _WORD.findall(text.casefold()) if word not in _STOP)


def _of_family(items: Items, family: str) -> dict[str, list[Item]]:
    own: dict[str, list[Item]] = {}
    for id in items.keyed(f"records {family}").split():
        for item in items.defined_in(id):
            own.setdefault(item.kind, []).append(item)
    return own


def _unsaid(update: Update, items: Items) -> Update | None:
    """What of *update* does not hold yet; None where all of it does."""
    item = items.get(update.id)
    if item is None:
        return update
    changes = {name: content for name, content in update.changes.items() if not _holds(item, name, content)}
    evidence = tuple(address for address in update.evidence if address not in item.value.evidence and address not in _cited(item))
    if not changes and not (evidence and not update.changes):
        return None
    return replace(update, changes=changes, evidence=evidence)


def _holds(item: Item, name: str, content: Any) -> bool:
    known = getattr(item.value, name, None)
    return bool(set(content) <= set(known or ()) if isinstance(content, tuple) else content == known)


def _is_over(item: Item | None) -> bool:
    return item is not None and item.status == history.RETIRED[item.kind]


def _joined(updates: Iterable[Update]) -> tuple[Update, ...]:
    """One update an item: what is said twice of it is said once."""
    found: dict[str, Update] = {}
    for update in updates:
        first = found.get(update.id, Update(id=update.id))
        changes = {**first.changes, **update.changes}
        evidence = tuple(dict.fromkeys((*first.evidence, *update.evidence)))
        found[update.id] = Update(id=update.id, changes=changes, reason=first.reason or update.reason, evidence=evidence)
    return tuple(found.values())


def _known(value: Value, own: Sequence[Item], items: Items) -> Item | None:
    """The item that *value* repeats: one of its own session, or a decision or constraint that holds elsewhere."""
    key = history.key(value)
    same = next((item for item in own if history.key(item.value) == key), None)
    if same:
        return same
    for item in own:
        if _shares_line(value, item) and alike(value.headline, item.title) >= 1 / 3:
            return item
    if isinstance(value, Dependency):
        elsewhere = items.get(items.keyed(f"said {key}"))
        if elsewhere and _commits(value.evidence) & _commits(elsewhere.value.evidence):
            return elsewhere  # two notes of one commit tell of one change
        return next((item for item in own if _same_change(value, item.value)), None)
    if isinstance(value, Completed):
        best = max(own, key=lambda item: alike(value.headline, item.title), default=None)
        return best if best and alike(value.headline, best.title) >= 0.5 else None
    if value.KIND not in {"decision", "constraint", "thread"}:
        return None
    said = items.get(items.keyed(f"said {key}"))
    if said is None or (not said.is_live and value.status not in {"proposed", "done"}):
        return None
    return said


def _same_change(one: Dependency, other: Value) -> bool:
    """Whether two readers of one session tell of one change: they may know its file or its first version more or less exactly."""
    if not isinstance(other, Dependency) or (one.ecosystem, _name(one)) != (other.ecosystem, _name(other)):
        return False
    return one.after == other.after or None in {one.after, other.after}


def _commits(evidence: Iterable[str]) -> set[str]:
    return {address for address in evidence if address.startswith("commit:")}


def _name(dependency: Dependency) -> str:
    return _SEPARATOR.sub("-", dependency.name).casefold()


def _shares_line(value: Value, item: Item) -> bool:
    return any(address.startswith("transcript:") and address in item.value.evidence for address in value.evidence)


def _said_again(value: Value, known: Item) -> Update | None:
    changes: dict[str, Any] = {}
    if (known.status, value.status) in {("claimed", "proven"), ("proposed", "accepted"), ("proposed", "active")}:
        changes["status"] = value.status
    if value.KIND == "thread":
        changes |= {
            name: getattr(value, name)
            for name in ("status", "next")
            if getattr(value, name) not in ("", getattr(known.value, name))
        }
    evidence = tuple(
        address for address in value.evidence if address not in known.value.evidence and address not in _cited(known)
    )
    return Update(id=known.id, changes=changes, evidence=evidence) if changes or evidence else None


def _cited(item: Item) -> frozenset[str]:
    return frozenset(address for step in item.steps for address in step.evidence)


def _foreign(value: Value, record: SessionRecord, items: Items, family: str) -> str:
    """The earlier record of another session to which every message belongs that *value* rests on; nothing where there is none."""
    digests = {record.messages[address] for address in value.evidence if address in record.messages}
    owners = {items.keyed(f"message {digest}") for digest in digests}
    if not owners or "" in owners or any(items.keyed(f"family {owner}") == family for owner in owners):
        return ""
    return min(owners)


def _cited_only(record: Record) -> Record:
    cited = {address for value in record.items() for address in value.evidence}
    cited |= {address for update in record.updates for address in update.evidence}

    def kept(found: Mapping[str, str]) -> dict[str, str]:
        return {address: text for address, text in found.items() if address in cited}

    return replace(record, quotes=kept(record.quotes), messages=kept(record.messages))
