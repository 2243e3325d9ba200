"""`search`: this project's own index, and nothing else."""

from collections.abc import Sequence
from typing import Any

from handoffsite.commands.place import Place, cache_of, engine_of, find_boundary, reading
from handoffsite.errors import Refused
from handoffsite.records.problem import Problem
from handoffsite.records.visible import visible
from handoffsite.search.query import Index
from handoffsite.store.boundary import Boundary


class Searcher:
    """Searches of one project by one process: its index stays open as long as what it was made from stays as it is."""

    def __init__(self) -> None:
        self.index: Index | None = None
        self._of: tuple[object, ...] = ()

    def search(self, place: Place, text: str, **filters: Any) -> dict[str, Any]:
        """As `search`."""
        boundary = find_boundary(place)
        with reading(place, boundary) as fold:
            damaged = [problem for problem in fold.problems() if problem.severity == "error"]
            record_set, folder, kind = fold.searchable(), cache_of(place, boundary), engine_of(place, boundary)
            was_open = self.index is not None and self._of == (boundary.root, record_set, kind)
            if self.index is None or not was_open:
                where = folder / "index" if folder else None
                self.index = Index.ready(where, record_set, fold.snapshot, kind=kind, changes=fold.changes)
                self._of = boundary.root, record_set, kind
        try:
            return _found(boundary, self.index, record_set, damaged, text, **filters)
        except Refused:  # a server that shares its index may have been restarted since
            self.index = None
            if not was_open:
                raise
        return self.search(place, text, **filters)


def search(
    place: Place, text: str, *, kinds: tuple[str, ...] = (), statuses: tuple[str, ...] = (), since: str = "", limit: int = 10
) -> dict[str, Any]:
    """What the project around *place* knows of *text*. An index that is behind the records is brought up to date first."""
    return Searcher().search(place, text, kinds=kinds, statuses=statuses, since=since, limit=limit)


def _found(
    boundary: Boundary, index: Index, record_set: str, damaged: Sequence[Problem], text: str, **filters: Any
) -> dict[str, Any]:
    found = index.search(text, record_set=record_set, **filters)
    warnings = [f"{problem.file}: {problem.message}; it is not searched" for problem in damaged]
    warnings += [f"the index was built for this call alone: {index.note}"] if index.note else []
    hits = [
        {
            "id": hit.id,
            "kind": hit.kind,
            "title": hit.title,
            "status": hit.status,
            "date": hit.date,
            "url": hit.url,
            "score": hit.score,
            "snippet": hit.snippet,
            "marks": [list(mark) for mark in hit.marks] if visible(hit.snippet) == hit.snippet else [],
        }
        for hit in found.hits
    ]
    return {
        "project": boundary.project.name,
        "query": text,
        "total": found.total,
        "stale": found.stale,
        "hits": hits,
        "facets": found.facets,
        "suggestions": list(found.suggestions),
        "warnings": warnings,
    }
