"""`review` and the words on items: accept, reject, retire, lift, done, supersede."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from handoffsite.commands.place import Place, cache_of, find_boundary
from handoffsite.commands.show import item_mapping
from handoffsite.commands.writing import Writer, act, writing
from handoffsite.errors import Refused, UsageError
from handoffsite.records import history
from handoffsite.records.item import Item
from handoffsite.records.session import Retirement, Update
from handoffsite.records.suspicion import suspicions, words_of
from handoffsite.store.snapshot import Fold

# What each word makes of each kind of item; `retire` has its own table in the fold.
WORDS = {
    "accept": {"decision": "accepted", "constraint": "active"},
    "reject": {"decision": "rejected", "constraint": "rejected"},
    "lift": {"constraint": "lifted"},
    "done": {"thread": "done"},
    "retire": history.RETIRED,
    "supersede": {"decision": "superseded"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a word did: the items as they stand now, and the record that holds the word, if there was anything to say."""

    items: tuple[Item, ...]
    session: str
    warnings: tuple[str, ...] = ()

    def mapping(self) -> dict[str, Any]:
        """As `accept --json` and its kin print it."""
        found = [{"id": item.id, "kind": item.kind, "status": item.status, "title": item.title} for item in self.items]
        return {"session": self.session, "created": bool(self.session), "items": found, "warnings": list(self.warnings)}


def proposed(place: Place) -> list[dict[str, Any]]:
    """What waits for review, oldest first."""
    boundary = find_boundary(place)
    with Fold(boundary, cache_of(place, boundary)) as fold:
        return [{**item_mapping(item), "suspicious": list(suspicions(words_of(item)))} for item in fold.proposed()]


def say(
    place: Place,
    word: str,
    ids: Sequence[str],
    *,
    by: str = "",
    session: str = "",
    reason: str = "",
    generation: int | None = None,
) -> Said:
    """Say *word* of the items *ids*, or of what *session* introduced; what holds already is not said again."""
    if (word == "supersede") != bool(by):
        raise UsageError(
            "supersede needs --by ID" if word == "supersede" else f"{word} takes no --by", hint="supersede D-9 --by D-17"
        )
    if not ids and not session:
        raise UsageError(f"{word} what?", hint=f"handoffsite {word} ID…, or --session S-42 for all that it introduced")
    boundary = find_boundary(place)
    with writing(place, boundary, generation) as writer:
        targets = _targets(writer, word, ids, session)
        fields = _superseding(writer, targets, by, reason) if by else _changing(writer, word, targets, reason)
        written = (
            writer.append(act(place, boundary, f"{word.capitalize()} {', '.join(targets)}"[:120], **fields)) if fields else None
        )
        items = tuple(item for id in targets for item in _items(writer.fold, id))
    return Said(items=items, session=written.id if written else "", warnings=tuple(writer.warnings))


def _targets(writer: Writer, word: str, ids: Sequence[str], session: str) -> list[str]:
    found = [writer.fold.resolve(id) for id in ids]
    if session:
        record = writer.fold.resolve(session)
        found += [item.id for item in writer.fold.defined_in(record) if _applies(item, word)]
    return list(dict.fromkeys(found))


def _items(fold: Fold, id: str) -> list[Item]:
    item = fold.get(id)
    return [item] if item else fold.defined_in(id)


def _applies(item: Item, word: str) -> bool:
    wanted = WORDS[word].get(item.kind)
    return wanted is not None and item.status != wanted and (item.status == "proposed" or word != "accept")


def _changing(writer: Writer, word: str, targets: Sequence[str], reason: str) -> dict[str, Any]:
    updates, retired = [], []
    for id in targets:
        item = writer.fold.get(id)
        if item is None and word != "retire":
            raise UsageError(f"{word} takes items, and {id} is a session", hint=f"handoffsite {word} --session {id}")
        status = WORDS[word].get(item.kind) if item else ""
        if item and status is None:
            kinds = " or ".join(f"a {kind}" for kind in WORDS[word])
            raise Refused(f"{id} is a {item.kind}; {word} is a word for {kinds}", hint=_hint(item))
        if item and item.superseded_by and word == "accept":
            raise Refused(
                f"{id} was replaced by {item.superseded_by}",
                hint=f"`handoffsite add decision` again, or retire {item.superseded_by}",
            )
        if item.status == status if item else not any(_applies(one, word) for one in writer.fold.defined_in(id)):
            continue
        if word == "retire":
            retired.append(Retirement(id=id, reason=reason))
        else:
            updates.append(Update(id=id, changes={"status": status}, reason=reason))
    return {"updates": tuple(updates), "retired": tuple(retired)} if updates or retired else {}


def _superseding(writer: Writer, targets: Sequence[str], by: str, reason: str) -> dict[str, Any]:
    new = writer.fold.get(writer.fold.resolve(by))
    for id in (*targets, new.id if new else by):
        item = writer.fold.get(id)
        if item is None or item.kind != "decision":
            raise Refused(f"{id} is no decision", hint="only decisions are superseded")
    assert new is not None
    if new.id in targets:
        raise Refused(f"{new.id} cannot replace itself")
    if new.status != "accepted":
        raise Refused(f"{new.id} is {new.status}, so it replaces nothing", hint=f"handoffsite accept {new.id}")
    old = tuple(id for id in targets if (item := writer.fold.get(id)) and item.superseded_by != new.id)
    return {"updates": (Update(id=new.id, changes={"supersedes": old}, reason=reason),)} if old else {}


def _hint(item: Item) -> str:
    fitting = [word for word, kinds in WORDS.items() if item.kind in kinds]
    return f"for a {item.kind}: {', '.join(fitting)}"
