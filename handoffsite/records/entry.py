"""One item as an entry of a record's front matter, and back: the same mapping in YAML, in JSON and in the schema."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from handoffsite.errors import Malformed
from handoffsite.records.item import TYPES, Item, Step, Value

_OUT = {"before": "from", "after": "to"}
_IN = {outside: inside for inside, outside in _OUT.items()}
_FIELDS = {kind: tuple(field.name for field in fields(type)) for kind, type in TYPES.items()}
_LISTS = {
    kind: frozenset(name for name, hint in get_type_hints(type).items() if hint == tuple[str, ...])
    for kind, type in TYPES.items()
}

# The field without which an entry defines nothing.
REQUIRED = {"completed": "text", "decision": "title", "constraint": "tried", "dependency": "name", "thread": "title"}


def dumps(value: Value) -> dict[str, Any]:
    """*value* as a mapping of strings and lists; what is empty is left out, but for the versions of a dependency."""
    entry: dict[str, Any] = {}
    for name in _FIELDS[value.KIND]:
        content = getattr(value, name)
        if content or name in _OUT:
            entry[_OUT.get(name, name)] = list(content) if isinstance(content, tuple) else content
    if value.KIND == "dependency" and entry["status"] == "recorded":
        del entry["status"]
    return entry


def texts(value: Value) -> list[str]:
    """Every text that *value* holds."""
    contents = (getattr(value, name) for name in _FIELDS[value.KIND])
    return [text for content in contents if content for text in ((content,) if isinstance(content, str) else content)]


def loads(kind: str, entry: Mapping[str, Any], file: str = "") -> Value:
    """The value that *entry* spells; Malformed, with the entry's line, for an unknown key, status or a missing field."""
    line = getattr(entry, "line", 0)
    found = changes(kind, entry, file)
    if not found.get(REQUIRED[kind]):
        raise Malformed(
            f"a {kind} without {REQUIRED[kind]!r}", file=file, line=line, hint=f"give it one: {{{REQUIRED[kind]}: …}}"
        )
    for name in ("ecosystem", "change") if kind == "dependency" else ():
        if not found.get(name):
            raise Malformed(f"a dependency change without {name!r}", file=file, line=line)
    value: Value = _new(kind, found)
    return value


def changes(kind: str, entry: Mapping[str, Any], file: str = "") -> dict[str, Any]:
    """The fields that *entry* sets, checked, under the names of the value's own fields."""
    line = getattr(entry, "line", 0)
    found: dict[str, Any] = {}
    for key, content in entry.items():
        name = _IN.get(key, key)
        if name not in _FIELDS[kind] or key in _OUT:
            hint = f"known are {', '.join(_OUT.get(field, field) for field in _FIELDS[kind])}"
            raise Malformed(f"a {kind} has no {key!r}", file=file, line=line, hint=hint)
        found[name] = _checked(kind, name, content, file, line)
    allowed = TYPES[kind].STATUSES
    if found.get("status", allowed[0]) not in allowed:
        hint = f"a {kind} is {', '.join(allowed[:-1])} or {allowed[-1]}"
        raise Malformed(f"{found['status']!r} is no status of a {kind}", file=file, line=line, hint=hint)
    return found


def dumps_item(item: Item) -> str:
    """*item*, history included, as one line of JSON."""
    steps = [[step.record, step.at, dict(step.changes), step.reason, step.evidence] for step in item.steps]
    around = [item.session, item.defined, item.touched, item.superseded_by, item.aliases, item.ordinal]
    return json.dumps([item.kind, dumps(item.value), around, steps])


def loads_item(text: str) -> Item:
    """The item that `dumps_item` wrote."""
    kind, found, (session, defined, touched, superseded_by, aliases, ordinal), steps = json.loads(text)
    value: Value = _new(kind, {_IN.get(key, key): content for key, content in _frozen(found).items()})
    return Item(
        value=value,
        session=session,
        defined=defined,
        touched=touched,
        steps=tuple(
            Step(record=record, at=at, changes=_frozen(changed), reason=reason, evidence=tuple(evidence))
            for record, at, changed, reason, evidence in steps
        ),
        superseded_by=superseded_by,
        aliases=tuple(aliases),
        ordinal=ordinal,
    )


def _frozen(found: Mapping[str, Any]) -> dict[str, Any]:
    """*found* with its lists as values keep them: JSON knows no tuples."""
    return {key: tuple(content) if isinstance(content, list) else content for key, content in found.items()}


def _new(kind: str, found: dict[str, Any]) -> Any:
    return TYPES[kind](**found)


def _checked(kind: str, name: str, content: Any, file: str, line: int) -> Any:
    if name in _LISTS[kind]:
        if not isinstance(content, list | tuple) or not all(isinstance(part, str) for part in content):
            raise Malformed(f"{name!r} must be a list of texts", file=file, line=line)
        return tuple(content)
    if content is None and name in _OUT:
        return None
    if not isinstance(content, str | None):
        raise Malformed(f"{name!r} must be a text", file=file, line=line)
    return content or ""
