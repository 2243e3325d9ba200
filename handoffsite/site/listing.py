"""One list of a site: rows that are cut into pages of a bounded size, and into parts by what they have in common."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from handoffsite.records.item import Item
from handoffsite.site.limits import allowed
from handoffsite.site.markup import Html, escape

Row = Callable[[Any, str], dict[str, Any]]

ROWS = 200
_FILTERS = 16  # links to parts of a list; what is left out stands in the list as a whole
_NOTHING: dict[str, Any] = {}
_ASKED = ("kind", "status")  # what a part has in common that a search can ask for, too


@dataclass(frozen=True, slots=True)
class Filter:
    """A link to *count* rows of a list that have something in common."""

    label: str
    path: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """One way in which a list falls into parts: the list as a whole, then each part."""

    name: str
    filters: Sequence[Filter]


@dataclass(frozen=True, slots=True)
class Listing:
    """One list: where it stands, what draws it, its *rows*, how one *row* reads, what *more* its pages say of the rows, what it is grouped *by*.

    *asked* is how a search asks for these rows and no others, None where it cannot; *part* is what they have in common, where they are a part of a list.
    """

    path: str
    template: str
    section: str
    title: str
    rows: Sequence[Any]
    row: Row
    more: Callable[[Sequence[Any], str], Mapping[str, Any]] = lambda _rows, _root: _NOTHING
    by: str = "group"
    facets: Sequence[Facet] = ()
    asked: Mapping[str, str] | None = None
    part: str = ""

    def parts(self) -> list[Sequence[Any]]:
        """The rows of each page; one page where there are none."""
        return [self.rows[start : start + ROWS] for start in range(0, len(self.rows), ROWS)] or [()]

    def view(self, part: Sequence[Any], root: str) -> dict[str, Any]:
        """The values of the page that holds *part* of the rows; *groups* are the same rows under headings."""
        rows = [self.row(row, root) for row in part]
        groups = groupby(rows, key=lambda row: row.get(self.by, ""))
        return {
            "title": f"{self.title}: {self.part}" if self.part else self.title,
            "heading": Html(f"{self.title}: <bdi>{escape(self.part)}</bdi>") if self.part else self.title,
            "total": len(self.rows),
            "rows": rows,
            "groups": [{"name": name, "rows": list(found)} for name, found in groups],
            "facets": [{"name": facet.name, "filters": self._filters(facet, root)} for facet in self.facets],
            "narrow": self._narrow(root),
            **self.more(self.rows, root),
        }

    def _filters(self, facet: Facet, root: str) -> list[dict[str, Any]]:
        """The links to the list as a whole and to its parts; their number does not grow with the project."""
        shown = [one for place, one in enumerate(facet.filters) if place < _FILTERS or one.path == self.path]
        return [
            {"label": one.label, "href": f"{root}{one.path}", "count": one.count, "current": one.path == self.path}
            for one in shown
        ]

    def _narrow(self, root: str) -> dict[str, Any] | None:
        """What the form needs by which a reader narrows the list; None where there is nothing to narrow."""
        goes_on = len(self.rows) > ROWS
        if len(self.rows) < 2 or (self.asked is None and goes_on):
            return None
        is_whole = not self.facets or self.path == self.facets[0].filters[0].path
        return {
            "action": f"{root}{self.path}",
            "total": len(self.rows),
            "goes_on": goes_on,
            "asked": self.asked or {},
            "choices": [
                {"name": facet.name, "labels": [one.label for one in facet.filters[1:]]}
                for facet in self.facets
                if is_whole and facet.name in _ASKED
            ],
            "has_topics": any(isinstance(row, Item) and getattr(row.value, "topic", "") for row in self.rows),
        }


def narrowed(whole: Listing, **keys: Callable[[Any], tuple[str, str]]) -> Iterator[Listing]:
    """*whole*, and one list for each value of each of *keys*, which give a word for the address and one for people; none where there is one value."""
    folder = whole.path.removesuffix("/index.html").removesuffix(".html")
    facets: list[Facet] = []
    parts: list[tuple[str, Filter, list[Any]]] = []
    for name, key in keys.items():
        found: dict[tuple[str, str], list[Any]] = {}
        for row in whole.rows:
            found.setdefault(key(row), []).append(row)
        if len(found) > 1:
            filters = [Filter(label, f"{folder}/{word}.html", len(rows)) for (word, label), rows in found.items()]
            facets.append(Facet(name, (Filter("All", whole.path, len(whole.rows)), *filters)))
            parts += ((name, one, rows) for one, rows in zip(filters, found.values(), strict=True))
    whole = replace(whole, facets=facets, row=_remembered(whole.row)) if parts else whole
    yield whole
    for name, one, rows in parts:
        asked = {**(whole.asked or {}), name: one.label} if name in _ASKED else None
        yield replace(whole, path=one.path, part=one.label, rows=rows, asked=asked)


def _remembered(row: Row) -> Row:
    """*row*, which is asked only once for each of its values: a part of a list says the same as the whole."""
    known: dict[tuple[str, str, int], dict[str, Any]] = {}

    def read(value: Any, root: str) -> dict[str, Any]:
        key = value.id, root, allowed()
        if key not in known:
            known[key] = row(value, root)
        return known[key]

    return read
