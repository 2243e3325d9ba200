"""What a JSON document must look like: the part of JSON Schema that ours are written in, and where a document differs.

The schema that is published is the one that is checked by, so the two cannot drift.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from handoffsite.errors import Malformed

MOST_FAULTS = 20
_DEEPEST = 20
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at *pointer* (RFC 6901) of a document."""

    pointer: str
    message: str


def parse(text: str | bytes) -> Any:
    """The JSON document *text*; Malformed where it is none, is nested too deeply, holds NaN, or names a key twice."""
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise Malformed(f"not JSON: {what[:200]}", hint="send one JSON document in UTF-8") from error
    if _depth(found) > _DEEPEST:
        raise Malformed(f"nested more than {_DEEPEST} levels deep", hint="none of our documents is")
    return found


def faults(document: Any, schema: Mapping[str, Any], pointer: str = "") -> Iterator[Fault]:
    """Where *document* is not what *schema* describes."""
    if "anyOf" in schema:
        tried = [list(faults(document, one, pointer)) for one in schema["anyOf"]]
        if all(tried):
            yield from min(tried, key=len)
        return
    if not _is_of(document, schema.get("type")):
        yield Fault(pointer, f"must be {_named(schema['type'])}")
        return
    if "const" in schema and document != schema["const"]:
        yield Fault(pointer, f"must be {schema['const']!r}")
    if "enum" in schema and document not in schema["enum"]:
        yield Fault(pointer, f"must be one of {', '.join(map(str, schema['enum']))}")
    if isinstance(document, str):
        yield from _in_text(document, schema, pointer)
    elif isinstance(document, dict):
        yield from _in_object(document, schema, pointer)
    elif isinstance(document, list):
        yield from _in_array(document, schema, pointer)
    elif isinstance(document, int | float) and not isinstance(document, bool):
        yield from _in_number(document, schema, pointer)


def path_of(pointer: str) -> str:
    """*pointer* as people write it: `acceptance[0].id`; empty for the whole document."""
    parts = (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    return "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in parts).lstrip(".")


def is_like(document: Any, schema: Mapping[str, Any]) -> bool:
    """Whether *document* is what *schema* describes."""
    return next(faults(document, schema), None) is None


def _is_of(document: Any, wanted: str | None) -> bool:
    if wanted is None:
        return True
    if wanted in {"integer", "number"}:
        whole = isinstance(document, int) and not isinstance(document, bool)
        number = whole or (isinstance(document, float) and math.isfinite(document))
        return number and (wanted == "number" or float(document).is_integer() if isinstance(document, float) else number)
    return isinstance(document, _TYPES[wanted])


def _named(wanted: str) -> str:
    return f"{'an' if wanted[0] in 'aio' else 'a'} {wanted}"


def _in_text(text: str, schema: Mapping[str, Any], pointer: str) -> Iterator[Fault]:
    if len(text) < schema.get("minLength", 0):
        yield Fault(pointer, "must not be empty")
    if len(text) > schema.get("maxLength", len(text)):
        yield Fault(pointer, f"is longer than {schema['maxLength']} characters")
    elif "pattern" in schema and not _compiled(schema["pattern"]).search(text):
        yield Fault(pointer, f"must match {schema['pattern']}")


def _in_object(found: dict[str, Any], schema: Mapping[str, Any], pointer: str) -> Iterator[Fault]:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in found:
            yield Fault(f"{pointer}/{name}", "is missing")
    if len(found) < schema.get("minProperties", 0):
        yield Fault(pointer, "must not be empty")
    if len(found) > schema.get("maxProperties", len(found)):
        yield Fault(pointer, f"holds more than {schema['maxProperties']} keys")
    names = schema.get("propertyNames")
    for name, entry in found.items():
        where = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')[:80]}"
        if names:
            yield from (Fault(where, f"the name {one.message}") for one in faults(name, names, where))
        if name in known:
            yield from faults(entry, known[name], where)
        elif others is False:
            yield Fault(where, f"is not known; known are {', '.join(known)}")
        elif isinstance(others, Mapping):
            yield from faults(entry, others, where)


def _in_array(found: list[Any], schema: Mapping[str, Any], pointer: str) -> Iterator[Fault]:
    if len(found) < schema.get("minItems", 0):
        yield Fault(pointer, "must not be empty")
    if len(found) > schema.get("maxItems", len(found)):
        yield Fault(pointer, f"holds more than {schema['maxItems']} entries")
    if schema.get("uniqueItems") and len({json.dumps(entry, sort_keys=True) for entry in found}) < len(found):
        yield Fault(pointer, "holds an entry twice")
    if "items" in schema:
        for place, entry in enumerate(found[: schema.get("maxItems", len(found))]):
            yield from faults(entry, schema["items"], f"{pointer}/{place}")


def _in_number(number: float, schema: Mapping[str, Any], pointer: str) -> Iterator[Fault]:
    if number < schema.get("minimum", number):
        yield Fault(pointer, f"must be {schema['minimum']} or more")
    if number > schema.get("maximum", number):
        yield Fault(pointer, f"must be {schema['maximum']} or less")


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    # `$` of Python also stands before a last line break, that of JSON Schema does not.
    return re.compile(f"{pattern[:-1]}\\Z" if pattern.endswith("$") else pattern, re.ASCII)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:60]!r} stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _depth(document: Any) -> int:
    level, deep = [document], 0
    while level and deep <= _DEEPEST:
        deep += 1
        below = [
            entry for one in level if isinstance(one, dict | list) for entry in (one.values() if isinstance(one, dict) else one)
        ]
        level = [entry for entry in below if isinstance(entry, dict | list)]
    return deep
