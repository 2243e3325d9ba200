"""The published JSON Schemas (2020-12) of what we write, drawn from the values themselves so that they cannot drift."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_type_hints

from handoffsite.records import contract, entry, session, summarizer, task
from handoffsite.records.dependency import Dependency
from handoffsite.records.item import TYPES
from handoffsite.records.project import BOUNDARIES

_ID = r"^[SDCTHMA]-[1-9][0-9]*-[0-9a-hjkmnp-tv-z]{3}(\.[cd][1-9][0-9]*)?$"
_TEXT = {"type": "string"}
_TIME = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$"}
_TEXTS = {"type": "array", "items": _TEXT}
_OUT = {"before": "from", "after": "to"}


def record_schema() -> dict[str, Any]:
    """The front matter of a session record."""
    lists = {
        name: {"type": "array", "items": {"anyOf": [definition_of(kind), _update(kind)]}} for name, kind in session.LISTS.items()
    }
    retired = {"type": "object", "properties": {"id": _id(), "reason": _TEXT}, "required": ["id"], "additionalProperties": False}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:handoffsite:session:1",
        "title": "Session record",
        "type": "object",
        "properties": {
            "schema": {"const": session.SCHEMA},
            "id": {"type": "string", "pattern": r"^S-[1-9][0-9]*-[0-9a-hjkmnp-tv-z]{3}$"},
            "source": {"type": "string", "minLength": 1},
            "project": _TEXT,
            "title": _TEXT,
            "started": _TIME,
            "ended": _TIME,
            "recorded": _TIME,
            "commits": {"type": "object", "properties": {"base": _TEXT, "head": _TEXT}, "additionalProperties": False},
            "transcript": _transcript(),
            "note": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "follows": _id(),
            "incomplete": _TEXT,
            "purged": {"type": "string", "format": "date"},
            "unverified": _TEXTS,
            "artefacts": _TEXTS,
            "quotes": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 400}},
            "messages": {"type": "object", "additionalProperties": _TEXT},
            "focus": _TEXT,
            **lists,
            "retired": {"type": "array", "items": retired},
            "unfiled": _TEXTS,
        },
        "required": ["schema", "id", "source", "project", "recorded"],
        "additionalProperties": False,
    }


def project_schema() -> dict[str, Any]:
    """A boundary's project.toml."""
    texts = dict.fromkeys(("id", "name", "title", "description", "repository", "base_url"), _TEXT)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:handoffsite:project:1",
        "title": "Project",
        "type": "object",
        "properties": {
            **texts,
            "boundary": {"enum": list(BOUNDARIES), "description": "where artefacts and memory are kept"},
            "budget": {"type": "integer", "minimum": 1, "description": "tokens of STATE.md"},
            "aliases": {"type": "object", "additionalProperties": _TEXT},
            "entry_points": _TEXTS,
            "roles": {"type": "object"},
            "redact": _TEXTS,
            "summarizer": {
                **_TEXTS,
                "description": "run only where the user's own settings trust this folder; an empty list: never",
            },
            "summarizer_timeout": {"type": "integer", "minimum": 1, "description": "seconds"},
        },
        "required": ["id"],
        "additionalProperties": False,
    }


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "contract": contract.schema,
    "session": record_schema,
    "project": project_schema,
    "summary": summarizer.answer_schema,
    "task": task.schema,
}


def _id() -> dict[str, Any]:
    return {"type": "string", "pattern": _ID}


def definition_of(kind: str) -> dict[str, Any]:
    """An item of *kind* as a record defines it."""
    required = [entry.REQUIRED[kind], *(("ecosystem", "change") if kind == "dependency" else ())]
    return {"type": "object", "properties": _properties(kind), "required": required, "additionalProperties": False}


def _update(kind: str) -> dict[str, Any]:
    properties = {**_properties(kind), "reason": _TEXT}
    return {"type": "object", "properties": properties, "required": ["id"], "additionalProperties": False}


def _properties(kind: str) -> dict[str, Any]:
    type = TYPES[kind]
    hints = get_type_hints(type)
    found: dict[str, Any] = {}
    for field in fields(type):
        hint = hints[field.name]
        name = _OUT.get(field.name, field.name)
        found[name] = _TEXTS if hint == tuple[str, ...] else {"type": ["string", "null"]} if hint == str | None else _TEXT
    found["id"] = _id()
    found["status"] = {"enum": list(type.STATUSES)}
    if type is Dependency:
        found["change"] = {"enum": list(Dependency.CHANGES)}
    return found


def _transcript() -> dict[str, Any]:
    properties = {
        "file": _TEXT,
        "lines": {"type": "integer", "minimum": 0},
        "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    }
    return {"type": "object", "properties": properties, "required": ["file", "lines"], "additionalProperties": False}
