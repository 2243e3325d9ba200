"""Keyed memory: a few values that every agent looks for by their keys, each with who set it and at which version."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NewType

from handoffsite.errors import Malformed, Refused, UsageError
from handoffsite.records.pattern import lazy
from handoffsite.records.redaction import Redactor, clean_document

SCHEMA = "handoffsite/memory@1"
MOST_BYTES = 64 * 1024
MOST_KEYS = 1_000
# The fields of the keys that everybody knows; `created` is filled in.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "omg:active-plan": ("path", "title", "steps", "created"),
    "omg:active-spec": ("path", "title", "created"),
    "omg:last-review": ("path", "verdict", "reviewer", "created"),
}
_KEY = lazy(r"[a-z0-9][a-z0-9._-]{0,39}:[a-z0-9][a-z0-9._/-]{0,79}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The *value* of a key, who set it, when, at which *version* of it, and the digest of the file that it leads to."""

    value: Any
    by: str = ""
    at: str = ""
    version: int = 1
    sha256: str = ""


# An entry of which every text is Clean; `store` takes no other.
CleanEntry = NewType("CleanEntry", Entry)


def entry(key: str, text: str, by: str, now: str, redactor: Redactor) -> CleanEntry:
    """The entry for *key* with the value that *text* is, set by *by* at *now*. UsageError where the value is not what the key holds."""
    return CleanEntry(Entry(value=checked(key, text, redactor, now), by=by, at=now))


def checked_key(key: str) -> str:
    """*key*, if it can be one: a prefix, a colon and a name; under `omg:` only the three that everybody knows."""
    if not _KEY.fullmatch(key):
        raise UsageError(f"{key[:80]!r} is no key", hint="a prefix, a colon and a name, as team:release-notes")
    if key.startswith("omg:") and key not in FIELDS:
        raise UsageError(
            f"{key!r} is none of the keys under omg:", hint=f"they are {', '.join(FIELDS)}; use a prefix of your own"
        )
    return key


def checked(key: str, text: str, redactor: Redactor, now: str) -> Any:
    """The value that *text* is for *key*, without secrets: JSON, or for a key of one's own any text. UsageError where a field is missing."""
    if len(text.encode()) > MOST_BYTES:
        raise Refused(f"larger than {MOST_BYTES // 1024} KiB", hint="keep it as an artefact, and its path here")
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        if key in FIELDS:
            fields = ", ".join(f'"{name}": …' for name in FIELDS[key])
            raise UsageError(f"the value of {key} is no JSON: {error}", hint=f"give {{{fields}}}") from error
        found = text.strip()
    if key in FIELDS:
        if not isinstance(found, dict):
            raise UsageError(f"the value of {key} is an object", hint=f"with {', '.join(FIELDS[key])}")
        found.setdefault("created", now)
        missing = [name for name in FIELDS[key] if found.get(name) in (None, "")]
        unknown = [name for name in found if name not in FIELDS[key]]
        if missing or unknown:
            what = f"lacks {', '.join(missing)}" if missing else f"has no field {unknown[0]!r}"
            raise UsageError(f"the value of {key} {what}", hint=f"its fields are {', '.join(FIELDS[key])}")
    return clean_document({"value": found}, redactor)["value"]


def path_of(value: Any) -> str:
    """The path that *value* leads to; empty where it leads to none."""
    path = value.get("path") if isinstance(value, dict) else ""
    return path if isinstance(path, str) else ""


def loads(text: str, file: str) -> dict[str, Entry]:
    """The entries in the *text* of memory.json; Malformed, with the line, where it is damaged."""
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise Malformed(
            f"not JSON: {error}", file=file, line=line, hint="restore it from git; nothing is written over it"
        ) from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA or not isinstance(found.get("keys"), dict):
        raise Malformed(f"is no {SCHEMA}", file=file, line=1, hint="move it away, or use the handoffsite that wrote it")
    try:
        return {key: Entry(**entry) for key, entry in found["keys"].items()}
    except TypeError as error:
        raise Malformed(f"an entry is odd: {error}", file=file, line=1, hint="restore it from git") from error


def dumps(entries: Mapping[str, Entry]) -> str:
    """The text of memory.json."""
    keys = {
        key: {name: content for name in Entry.__slots__ if (content := getattr(entry, name)) not in ("", None)}
        for key, entry in sorted(entries.items())
    }
    return json.dumps({"schema": SCHEMA, "keys": keys}, ensure_ascii=False, indent=1) + "\n"
