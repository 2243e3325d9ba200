"""`memory`: a few values by their keys, which every agent looks for before it starts."""

from typing import Any

from handoffsite.commands.place import Place, find_boundary
from handoffsite.commands.reading import redactor_of
from handoffsite.commands.writing import writing
from handoffsite.errors import NotFound, Refused
from handoffsite.records import memory
from handoffsite.records.artefact import checked_role
from handoffsite.records.memory import Entry
from handoffsite.records.roles import SETTERS, roles
from handoffsite.store import memory as store
from handoffsite.store.boundary import Boundary


def get(place: Place, key: str = "") -> dict[str, Any]:
    """One key, or all of them, each with where it leads and whether that is still there."""
    boundary = find_boundary(place)
    entries = store.read(boundary)
    if key and key not in entries:
        memory.checked_key(key)
        raise NotFound(f"{key} is not set", hint=f"set are {', '.join(entries) or 'none'}")
    return {
        "project": boundary.project.name,
        "keys": {name: _mapping(boundary, entry) for name, entry in entries.items() if key in {"", name}},
    }


def put(
    place: Place, key: str, text: str, by: str = "", *, expected: int | None = None, generation: int | None = None
) -> dict[str, Any]:
    """Set *key* to the value in *text*; Conflict where it is no longer at version *expected*, Refused where the role *by* may not."""
    key = memory.checked_key(key)
    by = checked_role(by) if by else ""
    boundary = find_boundary(place)
    warnings = _refuse_role(boundary, key, by)
    new = memory.entry(key, text, by, place.time, redactor_of(boundary))
    with writing(place, boundary, generation) as writer:
        entry = store.put(boundary, key, new, expected)
        warnings += writer.warnings
    return {"key": key, **_mapping(boundary, entry), "warnings": warnings}


def _mapping(boundary: Boundary, entry: Entry) -> dict[str, Any]:
    led = store.leads(boundary, memory.path_of(entry.value), entry.sha256)
    return {
        "value": entry.value,
        "by": entry.by or None,
        "at": entry.at,
        "version": entry.version,
        "path": led.path or None,
        "dangling": led.wrong or None,
    }


def _refuse_role(boundary: Boundary, key: str, by: str) -> list[str]:
    if not by:
        return []
    known = roles(boundary.project.roles)
    if not known.is_known(by):
        return [f'the role {by} is not known: `[roles.{by}] sets = ["{key}"]` in project.toml names it']
    if key in SETTERS and key not in known.sets.get(by, frozenset()):
        raise Refused(f"{by} does not set {key}", hint=f"it is set by {', '.join(SETTERS[key])}")
    return []
