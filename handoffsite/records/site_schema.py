"""The published JSON Schemas (2020-12) of the data beside a site's pages."""

from collections.abc import Callable, Mapping
from typing import Any

from handoffsite.records import contract
from handoffsite.records.schema import definition_of
from handoffsite.records.session import LISTS

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_NAME = {"type": ["string", "null"]}
_COUNT = {"type": "integer", "minimum": 0}
_STEP = {
    "record": _TEXT,
    "at": _TEXT,
    "changes": {"type": "object"},
    "reason": _TEXT,
    "evidence": _TEXTS,
}
_TRANSCRIPT = {"file": _TEXT, "lines": _COUNT, "sha256": _TEXT}


def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each data file of a site, by the file's name without its ending."""
    items = {f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s": _items(kind) for kind in _ITEMS}
    return {name: _document(name, found) for name, found in {**items, **{name: made() for name, made in _OTHERS.items()}}.items()}


_ITEMS = ("decision", "constraint", "thread", "dependency")


def _document(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:handoffsite:site:{name}:1",
        "title": f"{name}.json of a project's site",
    }
    return {**head, **found}


def _object(properties: Mapping[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def _shown(kind: str) -> dict[str, Any]:
    """An item with where it stands in the project's history."""
    own = definition_of(kind)
    more = {
        "kind": {"const": kind},
        "session": _TEXT,
        "date": _TEXT,
        "url": _TEXT,
        "history": {"type": "array", "items": _object(_STEP)},
        "supersedes": _TEXTS,
        "superseded_by": _NAME,
    }
    properties = {**own["properties"], **more}
    return {**own, "properties": properties, "required": sorted({*own["required"], *more, "id", "status"})}


def _items(kind: str) -> dict[str, Any]:
    return {"type": "array", "items": _shown(kind)}


def _sessions() -> dict[str, Any]:
    reference = _object({"id": _TEXT, "status": _TEXT, "title": _TEXT})
    lists = {name: {"type": "array", "items": _shown(kind) if kind == "completed" else reference} for name, kind in LISTS.items()}
    texts = ("id", "title", "url", "file", "source", "started", "ended", "recorded", "follows", "incomplete", "focus")
    properties = {
        **dict.fromkeys(texts, _TEXT),
        "kind": {"enum": ["session", "act"]},
        "status": {"enum": ["recorded", "incomplete"]},
        "commits": _object({"base": _TEXT, "head": _TEXT}, ("base", "head")),
        "transcript": {"anyOf": [{"type": "null"}, _object(_TRANSCRIPT)]},
        "unverified": _TEXTS,
        "unfiled": _TEXTS,
        **lists,
        "updated": _TEXTS,
        "retired": {"type": "array", "items": _object({"id": _TEXT, "reason": _TEXT})},
    }
    return {"type": "array", "items": _object(properties)}


def _state() -> dict[str, Any]:
    briefs = {f"{kind}s": {"type": "array", "items": _brief(kind)} for kind in ("thread", "decision", "constraint")}
    texts = dict.fromkeys(("project", "record_set", "updated", "session", "focus"), _TEXT)
    return _object({**texts, **briefs, **dict.fromkeys(("generation", "proposed", "problems"), _COUNT)})


def _brief(kind: str) -> dict[str, Any]:
    own = definition_of(kind)
    return {**own, "required": ["id", "status", *own["required"]]}


def _handoffs() -> dict[str, Any]:
    texts = dict.fromkeys(("event", "before", "after", "actor", "at", "reason"), _TEXT)
    step = _object({"version": _COUNT, **texts, "attempt": _COUNT, "data": {"type": ["object", "null"]}})
    envelope = contract.schema()
    properties = {**envelope["properties"], "history": {"type": "array", "items": step}}
    return {"type": "array", "items": {**envelope, "properties": properties, "required": [*envelope["required"], "history"]}}


def _tasks() -> dict[str, Any]:
    texts = dict.fromkeys(("id", "state", "title", "from_role", "to_role", "from_project", "to_project"), _TEXT)
    lists = {name: {"type": "array", "items": {"type": "object"}} for name in ("history", "deliveries", "responsibility")}
    found = _object({**texts, "version": _COUNT, "packet": {"type": "object"}, **lists})
    return {"type": "array", "items": {**found, "additionalProperties": True}}


def _artefacts() -> dict[str, Any]:
    names = dict.fromkeys(("id", "title", "by", "created", "follows", "about", "verdict", "path"), _NAME)
    more = {
        "revision": {"type": ["integer", "null"]},
        "kind": {"const": "artefact"},
        "artefact": _TEXT,
        "ours": {"type": "boolean"},
    }
    return {"type": "array", "items": _object({**names, **more, "url": _TEXT})}


_OTHERS: dict[str, Callable[[], dict[str, Any]]] = {
    "sessions": _sessions,
    "state": _state,
    "handoffs": _handoffs,
    "tasks": _tasks,
    "artefacts": _artefacts,
}
