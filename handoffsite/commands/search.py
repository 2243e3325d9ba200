"""`search`: this project's own index, and nothing else."""

from typing import Any

from handoffsite.commands.place import Place, cache_of, engine_of, find_boundary
from handoffsite.search.query import Index
from handoffsite.store.snapshot import Fold


def search(
    place: Place, text: str, *, kinds: tuple[str, ...] = (), statuses: tuple[str, ...] = (), since: str = "", limit: int = 10
) -> dict[str, Any]:
    """What the project around *place* knows of *text*. An index that is behind the records is brought up to date first."""
    boundary = find_boundary(place)
    folder = cache_of(place, boundary)
    with Fold(boundary, folder) as fold:
        damaged = [problem for problem in fold.problems() if problem.severity == "error"]
        record_set = fold.searchable()
        index = Index.ready(folder / "index" if folder else None, record_set, fold.snapshot, kind=engine_of(place, boundary))
    found = index.search(text, kinds=kinds, statuses=statuses, since=since, limit=limit, record_set=record_set)
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
        }
        for hit in found.hits
    ]
    return {
        "project": boundary.project.name,
        "query": text,
        "total": found.total,
        "stale": found.stale,
        "hits": hits,
        "warnings": warnings,
    }
