"""Lists of everything that a project knows, each as rows that are cut into pages of a bounded size."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from handoffsite.records.item import Item
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site.dates import when
from handoffsite.site.items import badge, link, tone
from handoffsite.site.links import Targets, excerpt, record_title, shortened, url
from handoffsite.site.markdown import line, plain
from handoffsite.site.sessions import counts

ROWS = 200
_ROW_CHARACTERS = 300  # of one text in a row: a list of long texts must stay a page
_NOTHING: dict[str, Any] = {}

# In which order threads are read: what moves, what is stuck, what rests.
_THREADS = ("active", "blocked", "waiting", "paused")


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
            **self.more(root),
        }


def all_of(snapshot: Snapshot, targets: Targets, rivals: Mapping[str, Sequence[str]]) -> Iterator[Listing]:
    """Every list of the site."""
    rows = Rows(targets)
    newest_first = list(snapshot.items.values())[::-1]
    by_kind = {kind: [item for item in newest_first if item.kind == kind] for kind in ("decision", "constraint", "thread")}
    dependencies = sorted((item for item in newest_first if item.kind == "dependency"), key=_ecosystem)
    yield Listing(
        "decisions/index.html",
        "decisions.html",
        "decisions",
        "Decisions",
        _live_first(by_kind["decision"]),
        rows.decision,
        lambda root: {"contradictions": rows.contradictions(rivals, root)},
    )
    yield Listing(
        "constraints/index.html",
        "constraints.html",
        "constraints",
        "Do not try again",
        _live_first(by_kind["constraint"]),
        rows.constraint,
    )
    yield Listing("threads/index.html", "threads.html", "threads", "Threads", _threads(by_kind["thread"]), rows.thread)
    yield Listing(
        "dependencies.html",
        "dependencies.html",
        "dependencies",
        "Dependencies",
        dependencies,
        rows.dependency,
        _churn(dependencies),
        by="ecosystem",
    )
    acts = [record for record in reversed(snapshot.records) if record.is_act]
    yield Listing(
        "sessions/index.html",
        "sessions.html",
        "sessions",
        "Sessions",
        list(reversed(snapshot.sessions)),
        rows.session,
        lambda _root: {"acts": len(acts)},
    )
    yield Listing("sessions/acts.html", "acts.html", "sessions", "Words of people", acts, rows.session)
    archived = sorted((item for item in newest_first if is_archived(item)), key=_touched, reverse=True)
    yield Listing("archive.html", "archive.html", "archive", "Archive", archived, rows.archived)
    proposed = [item for item in newest_first if item.status == "proposed"]
    yield Listing("review.html", "review.html", "review", "To review", proposed, rows.proposed)
    everything = [*reversed(snapshot.sessions), *newest_first]
    yield Listing("search.html", "search.html", "search", "Search", everything, rows.anything)


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


def _ecosystem(item: Item) -> str:
    return str(getattr(item.value, "ecosystem", ""))


def _touched(item: Item) -> str:
    return item.touched


def _churn(dependencies: Sequence[Item]) -> Callable[[str], Mapping[str, Any]]:
    """By ecosystem, how often packages were added, removed and moved to another version."""

    def more(_root: str) -> Mapping[str, Any]:
        found: dict[str, dict[str, int]] = {}
        for item in dependencies:
            if item.is_live:
                row = found.setdefault(
                    _ecosystem(item), dict.fromkeys(("added", "removed", "upgraded", "downgraded", "changed"), 0)
                )
                change = str(getattr(item.value, "change", ""))
                row[change] = row.get(change, 0) + 1
        return {"churn": [{"ecosystem": name, **row} for name, row in found.items()]}

    return more
