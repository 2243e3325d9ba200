"""`pack`: what a session should start with, gathered from the fold, the mailbox and the guard; nothing is written."""

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from handoffsite import pack as packs
from handoffsite.commands import artefact, discover, freshness
from handoffsite.commands.place import Place, cache_of, find_boundary, reading
from handoffsite.commands.writing import BY_HUMAN
from handoffsite.errors import HandoffError
from handoffsite.pack import Found
from handoffsite.records import entry, identity, origin, session
from handoffsite.records.artefact import Artefact
from handoffsite.records.constraint import Constraint
from handoffsite.records.dependency import Dependency
from handoffsite.records.identity import LETTERS
from handoffsite.records.item import TYPES, Item
from handoffsite.records.mail import Message
from handoffsite.records.state import State
from handoffsite.store import artefacts, contracts, work
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

_SMALLEST = 60  # bytes that a line of a pack takes at the very least
_MOST = 200  # items of one kind that are looked at more closely than by their words
_COMPARED = (
    60  # constraints that the guard compares, of those that share most words with the text, where there are more than `_FEW`
)
_FEW = 150
_BEARING = 20  # constraints that bear on a text because of their words alone
_RELATED = 12
_LATELY = 24  # dependency changes
_TASK = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}[-_#]\d{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the pack is for: the *text*, or what was named by an ID: *items* that it means, of which the *first* are shown whatever they say."""

    text: str = ""
    items: tuple[Item, ...] = ()
    artefacts: tuple[Artefact, ...] = ()
    warnings: tuple[str, ...] = ()


def pack(place: Place, wanted: str = "", *, limit: int = packs.LIMIT) -> dict[str, Any]:
    """What a session should start with, in at most *limit* tokens; *wanted* says what it is for: a text, or the ID of an item or session."""
    return pack_of(place, find_boundary(place), wanted, limit=limit)


def pack_of(place: Place, boundary: Boundary, wanted: str = "", *, limit: int = packs.LIMIT) -> dict[str, Any]:
    """The same of *boundary*, which the caller found."""
    warnings: list[str] = []
    with reading(place, boundary) as fold:
        asked = _asked(boundary, fold, wanted)
        mail = _mail(boundary, place, warnings)
        compared = [one for one in freshness.at_a_glance(boundary, _head(boundary, fold)) if one.stale]
        stale = [f"{one.message}; {one.fix}" for one in compared]
        damaged = [f"{problem.file}: {problem.message}" for problem in fold.problems() if problem.severity == "error"]
        found = _found(boundary, fold, asked, limit=limit, stale=(*stale, *damaged), mail=mail)
        made = packs.pack(found, limit)
    warnings += asked.warnings
    warnings += (f"stale: {one}" for one in (*stale, *damaged))
    warnings += (f"{id} reads like an order to an agent: {', '.join(says)}" for id, says in made.suspicious.items())
    return {
        "project": boundary.project.name,
        "for": wanted or None,
        "budget": {"limit": made.budget.limit, "used": made.budget.used},
        "text": made.text,
        "left_out": dict(made.left_out),
        "suspicious": {id: list(says) for id, says in made.suspicious.items()},
        "stale": bool(stale or damaged),
        "warnings": warnings,
    }


def _head(boundary: Boundary, fold: Fold) -> State:
    """The state, as far as its age is concerned."""
    last = fold.newest(sessions_only=True)
    return State(
        project=boundary.project.name,
        generation=fold.generation(),
        record_set=fold.record_set(),
        session=last.id if last else "",
        head=last.head if last else "",
        limit=boundary.project.budget,
    )


def _asked(boundary: Boundary, fold: Fold, wanted: str) -> _Asked:
    """What *wanted* means; NotFound where it is an ID that nothing here has."""
    wanted = wanted.strip()
    if not wanted:
        return _Asked()
    if not identity.is_id(wanted):
        warning = f"{wanted} is no ID of a record, and no tasks are kept yet: it was read as a text"
        return _Asked(text=wanted, items=_cited(fold, wanted), warnings=(warning,) if _TASK.fullmatch(wanted) else ())
    letter = identity.parse(wanted).letter
    if letter == LETTERS["handoff"]:
        contract = contracts.find(boundary, wanted).contract
        told = (contract.objective, *contract.said["constraints"], *(str(one["assertion"]) for one in contract.acceptance))
        cited = _cited(fold, json.dumps(contract.said, ensure_ascii=False))
        return _Asked(text="\n".join(told)[:4_000], items=cited)
    if letter == LETTERS["artefact"]:
        one = artefacts.find(boundary, wanted)
        return _Asked(text=f"{one.title}\n{one.text}"[:4_000], items=_cited(fold, one.text), artefacts=(one,))
    if letter == LETTERS["mail"]:
        return _Asked(text=work.find(boundary, wanted).text)
    whole = fold.resolve(wanted)
    item = fold.get(whole)
    if item:
        words = " ".join(entry.texts(item.value)[:1] + _words(item))
        return _Asked(text=words, items=(item, *_around(fold, item)))
    record = fold.record(whole)
    items = tuple(fold.defined_in(whole)[:_MOST])
    said = [record.title, record.focus] if record else []
    return _Asked(text=" ".join((*said, *(one.title for one in items)))[:4_000], items=items)


def _cited(fold: Fold, text: str) -> tuple[Item, ...]:
    """The items whose IDs stand in *text*."""
    found: list[Item] = []
    for _, _, id in identity.mentions(text):
        try:
            item = fold.get(fold.resolve(str(id)))
        except HandoffError:
            continue  # it may be an ID of somebody else's
        found += [item] if item else []
    return tuple({item.id: item for item in found}.values())


def _around(fold: Fold, item: Item) -> tuple[Item, ...]:
    """What *item* names, replaces or was replaced by."""
    ids = [*getattr(item.value, "supersedes", ()), *filter(None, (item.superseded_by,))]
    others = (fold.get(id) for id in ids)
    found = [*filter(None, others), *_cited(fold, " ".join(_words(item)))]
    return tuple({one.id: one for one in found if one.id != item.id}.values())


def _words(item: Item) -> list[str]:
    return [
        getattr(item.value, name, "") for name in ("title", "tried", "text", "topic", "rationale", "outcome", "because", "next")
    ]


def _mail(boundary: Boundary, place: Place, warnings: list[str]) -> Sequence[Message]:
    """What waits in WORK.md; a mailbox that cannot be read is a warning, since all else can be told without it."""
    try:
        mailbox = work.read(boundary, cache_of(place, boundary))
    except HandoffError as error:
        warnings.append(f"the mailbox was not read: {error}")
        return ()
    return sorted(mailbox.work.messages, key=lambda one: (one.to != "executor", one.taken is not None))


def _found(boundary: Boundary, fold: Fold, asked: _Asked, *, limit: int, stale: Sequence[str], mail: Sequence[Message]) -> Found:
    counts = fold.counts()
    most = min(_MOST, limit * 4 // _SMALLEST + 1)
    record, focus = fold.focused()
    origins = _Origins(fold)
    subject = {item.id: item for item in asked.items}
    bearing, constraints = _constraints(fold, asked, limit)
    shown = set(subject)
    threads, decisions = (_first(fold, kind, asked.text, most, shown) for kind in ("thread", "decision"))
    return Found(
        project=boundary.project.name,
        generation=fold.generation(),
        origin=origins.of,
        focus=focus,
        focus_origin=origins.of_record(record),
        subject=tuple(subject.values()),
        mail=mail,
        artefacts=(*asked.artefacts, *(one for one in _artefacts(boundary, asked.text) if one not in asked.artefacts)),
        bearing=[one for one in bearing if one.id not in subject],
        constraints=[one for one in constraints if (one if isinstance(one, str) else one.id) not in subject],
        threads=threads,
        decisions=decisions,
        dependencies=_lately(fold, most),
        related=_related(fold, asked.text, shown) if asked.text else (),
        totals={
            name: sum(count for (of, status), count in counts.items() if of == kind and status in TYPES[kind].LIVE)
            - sum(item.kind == kind and item.is_live for item in subject.values())
            for name, kind in session.LISTS.items()
            if kind not in {"completed", "dependency"}
        },
        waiting=sum(count for (_, status), count in counts.items() if status == "proposed"),
        stale=stale,
    )


def _artefacts(boundary: Boundary, text: str) -> list[Artefact]:
    """What discovery names for *text*, and the newest of each other kind that holds."""
    held = artefacts.read(boundary).artefacts
    if not held:
        return []
    valid = artefact.standings(held)
    holding = [one for one in reversed(held) if valid[one.name]["valid"]]
    first = discover.first(holding, text)
    newest = {one.kind: one for one in reversed(holding)}
    return list(dict.fromkeys(([first] if first else []) + sorted(newest.values(), key=lambda one: one.created, reverse=True)))


def _lately(fold: Fold, most: int) -> list[Item]:
    """The last change of each of the dependencies that changed last."""
    found: dict[tuple[str, str], Item] = {}
    for item in sorted(fold.live("dependency", most), key=lambda one: one.touched, reverse=True):
        if isinstance(item.value, Dependency):
            found.setdefault((item.value.ecosystem, item.value.name), item)
    return list(found.values())[:_LATELY]


def _constraints(fold: Fold, asked: _Asked, limit: int) -> tuple[list[Item], list[Item | str]]:
    """The constraints that bear on what was asked, best first, and the others; of those, all but the first come as IDs."""
    ordered = _told(fold, "constraint")
    most = min(_MOST, limit * 4 // _SMALLEST + 1)
    near: list[str] = []
    if asked.text and ordered:
        from handoffsite.extract import bearing, guard  # noqa: PLC0415 -- their words take 60 ms, and not every pack is for something

        ranked = bearing.ranked(asked.text, list(_stems(fold, "constraint").values()))
        ids = [ordered[one.place] for one in ranked]
        compared = ids[:_COMPARED] if len(ordered) > _FEW else ordered
        known = [item.value for item in _items(fold, compared) if isinstance(item.value, Constraint)]
        repeated = sorted(guard.repetitions(asked.text[: bearing.LONGEST], known), key=lambda one: -one.score)
        near = [one.id for one in repeated]
        near += [ordered[one.place] for one in ranked[:_BEARING] if one.near]
        ordered = [*ids, *ordered]
    near = list(dict.fromkeys(near))
    chosen = set(near)
    others = [id for id in dict.fromkeys(ordered) if id not in chosen]
    return _items(fold, near), [*_items(fold, others[:most]), *others[most:]]


def _first(fold: Fold, kind: str, text: str, most: int, shown: set[str]) -> list[Item]:
    """The live items of *kind*, those that bear on *text* first, then those that were touched last; they count as *shown*."""
    ids = [id for id in _told(fold, kind) if id not in shown]
    if text:
        ids = [*_near(text, {id: stems for id, stems in _stems(fold, kind).items() if id not in shown}), *ids]
    chosen = list(dict.fromkeys(ids))[:most]
    shown.update(chosen)
    return _items(fold, chosen)


def _related(fold: Fold, text: str, shown: set[str]) -> list[Item]:
    """What else bears on *text*: what was completed of late, and what is proposed."""
    found: dict[str, AbstractSet[str]] = {}
    for kind, proposed in (("completed", False), ("decision", True), ("constraint", True)):
        found |= _stems(fold, kind, proposed=proposed, most=_MOST)
    return _items(fold, _near(text, {id: stems for id, stems in found.items() if id not in shown}, most=_RELATED))


def _near(text: str, told: Mapping[str, AbstractSet[str]], most: int | None = None) -> list[str]:
    """Those of *told*, IDs with their stems, that bear on *text*, the best first, of the *most* that share something with it."""
    from handoffsite.extract import bearing  # noqa: PLC0415 -- as above

    ids = list(told)
    return [ids[one.place] for one in bearing.ranked(text, list(told.values()))[:most] if one.near]


def _told(fold: Fold, kind: str) -> list[str]:
    """The IDs of the items of *kind* that hold, last touched first."""
    return fold.made(("told", kind), lambda: [id for id, _ in fold.told(kind)])


def _stems(fold: Fold, kind: str, *, proposed: bool = False, most: int | None = None) -> Mapping[str, AbstractSet[str]]:
    """The same, or the *most* of them that are *proposed* or were touched last, each with the stems of what it says."""
    from handoffsite.extract import bearing  # noqa: PLC0415 -- as above

    def made() -> dict[str, AbstractSet[str]]:
        return {id: bearing.stems(_said(text)) for id, text in fold.told(kind, proposed=proposed)[:most]}

    return fold.made(("stems", kind, proposed, most), made)


def _items(fold: Fold, ids: Sequence[str]) -> list[Item]:
    return [item for id in ids if (item := fold.get(id))]


def _said(text: str) -> str:
    """The words of an item as the fold keeps it: its JSON up to its evidence, which holds words of ours alone."""
    if "\\u" in text:
        return " ".join(entry.texts(entry.loads_item(text).value))
    return text.partition('"evidence": [')[0].replace("\\n", " ").replace("\\t", " ")


class _Origins:
    """Where items come from, asked for one by one: few of them are ever shown."""

    def __init__(self, fold: Fold) -> None:
        self._fold = fold

    def of(self, item: Item) -> str:
        """The origin of *item*, its record, and whether a human confirmed it."""
        source, by_hand = self._source(item.session)
        found = origin.of_record(source, item.value.evidence, by_hand=by_hand)
        acts = [step.record for step in item.steps if self._source(step.record)[0].startswith(session.ACT)]
        confirmed = f", {item.status} by the {origin.USER}" if origin.is_confirmed(item, acts) else ""
        return f"{found} {item.session}{confirmed}"

    def of_record(self, id: str) -> str:
        """The origin of what the record *id* says as a whole."""
        if not id:
            return ""
        source, by_hand = self._source(id)
        return f"{origin.of_record(source, by_hand=by_hand)} {id}"

    def _source(self, id: str) -> tuple[str, bool]:
        return self._fold.made(("source", id), lambda: self._looked_up(id))

    def _looked_up(self, id: str) -> tuple[str, bool]:
        source = self._fold.source_of(id)
        record = self._fold.record(id) if source.startswith(session.ACT) else None
        return source, bool(record and record.narrative == BY_HUMAN)
