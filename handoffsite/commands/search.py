"""`search`: this project's own index, and nothing else."""

from typing import Any

from handoffsite.commands.place import Place, cache_of, find_boundary
from handoffsite.search.query import Index
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold


def search(
    place: Place, text: str, *, kinds: tuple[str, ...] = (), statuses: tuple[str, ...] = (), since: str = "", limit: int = 10
) -> dict[str, Any]:
    """What the project around *place* knows of *text*. An index that is behind the records is brought up to date first."""
    boundary = find_boundary(place)
    index, warnings = _current(place, boundary)
    found = index.search(text, kinds=kinds, statuses=statuses, since=since, limit=limit)
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
        }
        for hit in found.hits
    ]
    return {
        "project": boundary.project.name,
        "query": text,
        "total": found.total,
        "stale": False,
        "hits": hits,
        "warnings": warnings,
    }


def _current(place: Place, boundary: Boundary) -> tuple[Index, list[str]]:
    folder = cache_of(place, boundary)
    with Fold(boundary, folder) as fold:
        warnings = [
            f"{problem.file}: {problem.message}; it is not searched" for problem in fold.problems() if problem.severity == "error"
        ]
        if folder is None:
            warnings.append("no private cache can be kept here, so the index was built for this call alone")
            return Index.in_memory(fold.snapshot()), warnings
        index = Index(folder / "index")
        if not Index.fits(index.stamp(), fold.record_set()):
            index.update(fold.snapshot())
    return index, warnings
