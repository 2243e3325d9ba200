"""Lists of everything that a project knows, and how its items and records read in them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handoffsite.records import identity
from handoffsite.records.item import Item
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import charts
from handoffsite.site.dates import when
from handoffsite.site.items import badge, change, link, tone
from handoffsite.site.links import Targets, excerpt, record_title, shortened, url
from handoffsite.site.listing import Listing, narrowed
from handoffsite.site.markdown import line, plain, tag
from handoffsite.site.markup import Html
from handoffsite.site.sessions import counts

_NAMED = 5  # of what a session changed; its page names all
_SHORT = 60  # characters of a title in a line of several
_ROW_CHARACTERS = 300  # of one text in a row: a list of long texts must stay a page

_WORD = re.compile(r"(?!page-|acts$|index$)[a-z][a-z0-9-]{0,40}")

# In which order threads are read: what moves, what is stuck, what rests.
_THREADS = ("active", "blocked", "waiting", "paused")


def all_of(snapshot: Snapshot, targets: Targets, rivals: Mapping[str, Sequence[str]]) -> Iterator[Listing]:
    """Every list of the site, and what is a part of one: by status, kind, ecosystem or month."""
    rows = Rows(targets)
    newest_first = list(snapshot.items.values())[::-1]
    by_kind = {kind: [item for item in newest_first if item.kind == kind] for kind in ("decision", "constraint", "thread")}
    yield from narrowed(_decisions(rows, by_kind["decision"], rivals), status=_status)
    yield from narrowed(_constraints(rows, by_kind["constraint"]), status=_status)
    yield from narrowed(_threads(rows, by_kind["thread"]), status=_status)
    dependencies = sorted((item for item in newest_first if item.kind == "dependency"), key=lambda item: _ecosystem(item)[1])
    yield from narrowed(_dependencies(rows, dependencies), ecosystem=_ecosystem)
    acts = [record for record in reversed(snapshot.records) if record.is_act]
    yield from narrowed(_sessions(rows, list(reversed(snapshot.sessions)), len(acts)), month=_month)
    yield Listing("sessions/acts.html", "acts.html", "sessions", "Words of people", acts, rows.session)
    archived = sorted((item for item in newest_first if is_archived(item)), key=_touched, reverse=True)
    archive = Listing("archive.html", "archive.html", "archive", "Archive", archived, rows.archived, asked=_asked(archived))
    yield from narrowed(archive, kind=_kind, status=_status)
    proposed = [item for item in newest_first if item.status == "proposed"]
    review = Listing("review.html", "review.html", "review", "To review", proposed, rows.proposed, asked=_asked(proposed))
    yield from narrowed(review, kind=_kind)
    everything = [*reversed(snapshot.sessions), *newest_first]
    yield Listing("search.html", "search.html", "search", "Search", everything, rows.anything)


def _decisions(rows: "Rows", found: Sequence[Item], rivals: Mapping[str, Sequence[str]]) -> Listing:
    def more(some: Sequence[Item], root: str) -> Mapping[str, Any]:
        return {"contradictions": rows.contradictions(rivals, root), "chart": charts.turnover(some)}

    return Listing(
        "decisions/index.html",
        "decisions.html",
        "decisions",
        "Decisions",
        _live_first(found),
        rows.decision,
        more,
        asked={"kind": "decision"},
    )


def _constraints(rows: "Rows", found: Sequence[Item]) -> Listing:
    def more(some: Sequence[Item], _root: str) -> Mapping[str, Any]:
        return {"chart": charts.turnover(some)}

    return Listing(
        "constraints/index.html",
        "constraints.html",
        "constraints",
        "Do not try again",
        _live_first(found),
        rows.constraint,
        more,
        asked={"kind": "constraint"},
    )


def _threads(rows: "Rows", found: Sequence[Item]) -> Listing:
    ordered = sorted(found, key=lambda item: _THREADS.index(item.status) if item.status in _THREADS else len(_THREADS))
    return Listing("threads/index.html", "threads.html", "threads", "Threads", ordered, rows.thread, asked={"kind": "thread"})


def _dependencies(rows: "Rows", found: Sequence[Item]) -> Listing:
    def more(some: Sequence[Item], _root: str) -> Mapping[str, Any]:
        return {"churn": charts.churns(some), "chart": charts.churn(some)}

    return Listing(
        "dependencies.html",
        "dependencies.html",
        "dependencies",
        "Dependencies",
        found,
        rows.dependency,
        more,
        by="ecosystem",
        asked={"kind": "dependency"},
    )


def _sessions(rows: "Rows", found: Sequence[SessionRecord], acts: int) -> Listing:
    def more(_some: Sequence[SessionRecord], _root: str) -> Mapping[str, Any]:
        return {"acts": acts}

    return Listing(
        "sessions/index.html", "sessions.html", "sessions", "Sessions", found, rows.session, more, asked={"kind": "session"}
    )


def _asked(found: Sequence[Item]) -> Mapping[str, str]:
    """How a search asks for *found*, which are all that have their kind and status."""
    kinds, statuses = sorted({item.kind for item in found}), sorted({item.status for item in found})
    return {"kind": ",".join(kinds), "status": ",".join(statuses)}


def is_archived(item: Item) -> bool:
    """Whether *item* held once, or was proposed, and does no longer."""
    return not item.is_live and item.status != "proposed"


@dataclass(frozen=True, slots=True)
class Rows:
    """How items and records read in a list: each method gives the values of one row, *root* leads to the project's folder."""

    targets: Targets

    def item(self, item: Item, root: str) -> dict[str, Any]:
        """What every row says. Where the title names other items it holds their links, and so cannot be one itself."""
        title = shortened(item.title, _ROW_CHARACTERS)
        known = self.targets.known((title,))
        return {
            "id": item.id,
            "href": f"{root}{url(item.id)}",
            "text": line(title, known, root) if known else plain(title or item.id),
            "is_link": not known,
            "kind": item.kind,
            "status": item.status,
            "tone": tone(item.kind, item.status),
            "badge": badge(item.kind, item.status),
            "topic": getattr(item.value, "topic", ""),
            "since": when(item.defined),
        }

    def decision(self, item: Item, root: str) -> dict[str, Any]:
        """A decision, with the start of its rationale or what replaced it."""
        replaced_by = self._link(item.superseded_by, root)
        why = "" if replaced_by else self._line(item, "rationale", root)
        return {**self.item(item, root), "why": why, "replaced_by": replaced_by, "group": _group(item, "In force")}

    def constraint(self, item: Item, root: str) -> dict[str, Any]:
        """A constraint as a card: tried, outcome, because."""
        outcome, because = self._line(item, "outcome", root), self._line(item, "because", root)
        return {**self.item(item, root), "outcome": outcome, "because": because, "group": _group(item, "In force")}

    def thread(self, item: Item, root: str) -> dict[str, Any]:
        """A thread with its next step."""
        group = "Open" if item.is_live else "Done"
        return {**self.item(item, root), "next": self._line(item, "next", root), "touched": when(item.touched), "group": group}

    def dependency(self, item: Item, root: str) -> dict[str, Any]:
        """One change of one package."""
        fields = {name: getattr(item.value, name) for name in ("ecosystem", "name", "before", "after", "file")}
        changed = change(str(getattr(item.value, "change", "")))
        return {**self.item(item, root), **fields, "change": changed, "session": self._link(item.session, root)}

    def session(self, record: SessionRecord, root: str) -> dict[str, Any]:
        """A record with what it brought."""
        title = shortened(record_title(record), _ROW_CHARACTERS)
        known = self.targets.known((title,))
        moment = when(record.ended or record.recorded)
        status = "incomplete" if record.incomplete else ""
        ids = list(dict.fromkeys(_changed(record)))
        return {
            "id": record.id,
            "href": f"{root}{url(record.id)}",
            "text": line(title, known, root) if known else plain(title),
            "is_link": not known,
            "kind": "act" if record.is_act else "session",
            "status": status,
            "badge": badge("session", status),
            "topic": "",
            "since": moment,
            "group": moment.day,
            "counts": counts(record),
            "changed": [self._named(id, root) for id in ids[:_NAMED]],
            "unnamed": max(0, len(ids) - _NAMED),
            "focus": plain(shortened(record.focus)),
            "unverified": len(record.unverified),
        }

    def _named(self, id: str, root: str) -> dict[str, Any]:
        brief = self.targets.get(id)
        title = plain(shortened(brief.title, _SHORT)) if brief else ""
        return {"tag": Html(tag(brief, root, id)) if brief else plain(id), "title": title}

    def archived(self, item: Item, root: str) -> dict[str, Any]:
        """What no longer holds: since when, why, and what replaced it."""
        last = next((step for step in reversed(item.steps) if "status" in step.changes), None)
        reason = last.reason if last else ""
        return {
            **self.item(item, root),
            "until": when(last.at if last else item.touched),
            "replaced_by": self._link(item.superseded_by, root),
            "reason": "" if item.superseded_by else line(reason, self.targets.known((reason,)), root),
        }

    def proposed(self, item: Item, root: str) -> dict[str, Any]:
        """What waits for a word, with what there is to judge it by."""
        parts = ("rationale", "outcome", "because", "next")
        why = [self._line(item, name, root) for name in parts if getattr(item.value, name, "")]
        return {**self.item(item, root), "why": why, "session": self._link(item.session, root)}

    def anything(self, found: Item | SessionRecord, root: str) -> dict[str, Any]:
        """A line of the index of everything."""
        return self.item(found, root) if isinstance(found, Item) else self.session(found, root)

    def contradictions(self, rivals: Mapping[str, Sequence[str]], root: str) -> list[dict[str, Any]]:
        """Topics on which more than one decision is in force."""
        return [{"topic": topic, "links": [self._link(id, root) for id in ids]} for topic, ids in rivals.items()]

    def _line(self, item: Item, name: str, root: str) -> Any:
        text = excerpt(getattr(item.value, name, ""), _ROW_CHARACTERS)
        return line(text, self.targets.known((text,)), root) if text else ""

    def _link(self, id: str, root: str) -> dict[str, Any] | None:
        brief = self.targets.get(id) if id else None
        return link(brief, root) if brief else None


def _changed(record: SessionRecord) -> Iterator[str]:
    """What *record* made or changed that has a page, decisions first."""
    for values in (record.decisions, record.constraints, record.threads, record.updates, record.retired):
        yield from (one.id for one in values if "." not in one.id)


def _group(item: Item, live: str) -> str:
    return live if item.is_live else "Proposed" if item.status == "proposed" else "No longer in force"


def _live_first(found: Sequence[Item]) -> list[Item]:
    """*found* with what is live first, then what is proposed, then the rest."""
    return sorted(found, key=lambda item: 0 if item.is_live else 1 if item.status == "proposed" else 2)


def _status(item: Item) -> tuple[str, str]:
    return _word(item.status), item.status


def _kind(item: Item) -> tuple[str, str]:
    return _word(item.kind), item.kind


def _ecosystem(item: Item) -> tuple[str, str]:
    name = str(getattr(item.value, "ecosystem", ""))
    return _word(name), name


def _month(record: SessionRecord) -> tuple[str, str]:
    moment = when(record.ended or record.recorded)
    return (moment.iso[:7], moment.day.partition(" ")[2]) if moment.iso else ("undated", "Without a date")


def _word(name: str) -> str:
    """*name* as a part of an address; what cannot be one is told apart by a digest."""
    return name if _WORD.fullmatch(name) else f"other-{identity.digest(name)[:8]}"


def _touched(item: Item) -> str:
    return item.touched
