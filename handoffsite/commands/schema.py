"""`schema`: the JSON Schemas of what is written."""

from typing import Any

from handoffsite.errors import NotFound
from handoffsite.records import schema as schemas


def schema(name: str) -> Any:
    """The schema called *name*, or the names that there are."""
    if not name:
        return sorted(schemas.SCHEMAS)
    found = schemas.SCHEMAS.get(name)
    if found is None:
        raise NotFound(f"no schema {name[:80]!r}", hint=f"there are {', '.join(sorted(schemas.SCHEMAS))}")
    return found()
