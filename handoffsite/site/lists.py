"""Lists of everything that a project knows, each as rows that are cut into pages of a bounded size."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from handoffsite.records import identity
from handoffsite.records.item import Item
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import charts
from handoffsite.site.dates import when
from handoffsite.site.items import badge, link, tone
from handoffsite.site.links import Targets, excerpt, record_title, shortened, url
from handoffsite.site.markdown import line, plain
from handoffsite.site.sessions import counts

ROWS = 200
_FILTERS = 16  # links to parts of a list; what is left out stands in the list as a whole
_ROW_CHARACTERS = 300  # of one text in a row: a list of long texts must stay a page
_NOTHING: dict[str, Any] = {}

_WORD = re.compile(r"(?!page-|acts$|index$)[a-z][a-z0-9-]{0,40}")

# In which order threads are read: what moves, what is stuck, what rests.
_THREADS = ("active", "blocked", "waiting", "paused")


@dataclass(frozen=True, slots=True)
class Filter:
    """A link to *count* rows of a list that have something in common."""

    label: str
    path: str
    count: int


@dataclass(frozen=True, slots=True)
class Listing:
    """One list: where it stands, what draws it, its *rows*, how one *row* reads, what *more* its pages say, what it is grouped *by*."""

    path: str
    template: str
    section: str
    title: str
    rows: Sequence[Any]
    row: Callable[[Any, str], dict[str, Any]]
    more: Callable[[str], Mapping[str, Any]] = lambda _root: _NOTHING
    by: str = "group"
    filters: Sequence[Filter] = ()

    def parts(self) -> list[Sequence[Any]]:
        """The rows of each page; one page where there are none."""
        return [self.rows[start : start + ROWS] for start in range(0, len(self.rows), ROWS)] or [()]

    def view(self, part: Sequence[Any], root: str) -> dict[str, Any]:
        """The values of the page that holds *part* of the rows; *groups* are the same rows under headings."""
        rows = [self.row(row, root) for row in part]
        groups = groupby(rows, key=lambda row: row.get(self.by, ""))
        return {
            "title": self.title,
            "total": len(self.rows),
            "rows": rows,
            "groups": [{"name": name, "rows": list(found)} for name, found in groups],
            "filters": self._filters(root),
            **self.more(root),
        }

    def _filters(self, root: str) -> list[dict[str, Any]]:
        """The links to the list as a whole and to its parts; their number does not grow with the project."""
        shown = [one for one in self.filters[:_FILTERS] if one.path != self.path]
        here = [one for one in self.filters if one.path == self.path]
        chosen = [one for one in self.filters if one in here or one in shown]
        return [
            {"label": one.label, "href": f"{root}{one.path}", "count": one.count, "current": one.path == self.path}
            for one in chosen
        ]


def all_of(snapshot: Snapshot, targets: Targets, rivals: Mapping[str, Sequence[str]]) -> Iterator[Listing]:
    """Every list of the site, and what is a part of one: by status, kind, ecosystem or month."""
    rows = Rows(targets)
    newest_first = list(snapshot.items.values())[::-1]
    by_kind = {kind: [item for item in newest_first if item.kind == kind] for kind in ("decision", "constraint", "thread")}
    yield from _narrowed(_decisions(rows, by_kind["decision"], rivals), _status)
    yield from _narrowed(_constraints(rows, by_kind["constraint"]), _status)
    threads = _threads(by_kind["thread"])
    yield from _narrowed(Listing("threads/index.html", "threads.html", "threads", "Threads", threads, rows.thread), _status)
    dependencies = sorted((item for item in newest_first if item.kind == "dependency"), key=lambda item: _ecosystem(item)[1])
    yield from _narrowed(_dependencies(rows, dependencies), _ecosystem)
    acts = [record for record in reversed(snapshot.records) if record.is_act]
    sessions = list(reversed(snapshot.sessions))
    more = partial(_always, {"acts": len(acts)})
    yield from _narrowed(
        Listing("sessions/index.html", "sessions.html", "sessions", "Sessions", sessions, rows.session, more), _month
    )
    yield Listing("sessions/acts.html", "acts.html", "sessions", "Words of people", acts, rows.session)
    archived = sorted((item for item in newest_first if is_archived(item)), key=_touched, reverse=True)
    yield from _narrowed(Listing("archive.html", "archive.html", "archive", "Archive", archived, rows.archived), _kind)
    proposed = [item for item in newest_first if item.status == "proposed"]
    yield from _narrowed(Listing("review.html", "review.html", "review", "To review", proposed, rows.proposed), _kind)
    everything = [*reversed(snapshot.sessions), *newest_first]
    yield Listing("search.html", "search.html", "search", "Search", everything, rows.anything)


def _decisions(rows: "Rows", found: Sequence[Item], rivals: Mapping[str, Sequence[str]]) -> Listing:
    def more(root: str) -> Mapping[str, Any]:
        return {"contradictions": rows.contradictions(rivals, root), "chart": charts.turnover(found)}

    return Listing("decisions/index.html", "decisions.html", "decisions", "Decisions", _live_first(found), rows.decision, more)


def _constraints(rows: "Rows", found: Sequence[Item]) -> Listing:
    def more(_root: str) -> Mapping[str, Any]:
        return {"chart": charts.turnover(found)}

    return Listing(
        "constraints/index.html", "constraints.html", "constraints", "Do not try again", _live_first(found), rows.constraint, more
    )


def _dependencies(rows: "Rows", found: Sequence[Item]) -> Listing:
    def more(_root: str) -> Mapping[str, Any]:
        return {"churn": _churn(found), "chart": charts.churn(found)}

    return Listing(
        "dependencies.html", "dependencies.html", "dependencies", "Dependencies", found, rows.dependency, more, by="ecosystem"
    )


def _narrowed(whole: Listing, key: Callable[[Any], tuple[str, str]]) -> Iterator[Listing]:
    """*whole*, and one list for each value of *key*, which gives a word for the address and one for people; none where there is one value."""
    found: dict[tuple[str, str], list[Any]] = {}
    for row in whole.rows:
        found.setdefault(key(row), []).append(row)
    if len(found) < 2:
        yield whole
        return
    folder = whole.path.removesuffix("/index.html").removesuffix(".html")
    parts = [(Filter(label, f"{folder}/{word}.html", len(rows)), rows) for (word, label), rows in found.items()]
    filters = (Filter("All", whole.path, len(whole.rows)), *(one for one, _ in parts))
    yield replace(whole, filters=filters)
    for one, rows in parts:
        yield replace(whole, path=one.path, title=f"{whole.title}: {one.label}", rows=rows, filters=filters)


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
        fields = {name: getattr(item.value, name) for name in ("ecosystem", "name", "change", "before", "after", "file")}
        return {**self.item(item, root), **fields, "session": self._link(item.session, root)}

    def session(self, record: SessionRecord, root: str) -> dict[str, Any]:
        """A record with what it brought."""
        title = shortened(record_title(record), _ROW_CHARACTERS)
        known = self.targets.known((title,))
        moment = when(record.ended or record.recorded)
        status = "incomplete" if record.incomplete else ""
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
            "focus": plain(shortened(record.focus)),
            "unverified": len(record.unverified),
        }

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


def _group(item: Item, live: str) -> str:
    return live if item.is_live else "Proposed" if item.status == "proposed" else "No longer in force"


def _live_first(found: Sequence[Item]) -> list[Item]:
    """*found* with what is live first, then what is proposed, then the rest."""
    return sorted(found, key=lambda item: 0 if item.is_live else 1 if item.status == "proposed" else 2)


def _threads(found: Sequence[Item]) -> list[Item]:
    return sorted(found, key=lambda item: _THREADS.index(item.status) if item.status in _THREADS else len(_THREADS))


def _always(values: Mapping[str, Any], _root: str) -> Mapping[str, Any]:
    return values


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


def _churn(dependencies: Sequence[Item]) -> list[dict[str, Any]]:
    """By ecosystem, how often packages were added, removed and moved to another version."""
    found: dict[str, dict[str, int]] = {}
    for item in dependencies:
        if item.is_live:
            _, name = _ecosystem(item)
            row = found.setdefault(name, dict.fromkeys(("added", "removed", "upgraded", "downgraded", "changed"), 0))
            change = str(getattr(item.value, "change", ""))
            row[change] = row.get(change, 0) + 1
    return [{"ecosystem": name, **row} for name, row in found.items()]
