"""What npm's manifest and lock declare."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.requirement import RUNTIME, Requirement
from handoffsite.sources.lock import Lock, Warn, rooted

SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_PLACE = "node_modules/"
_NAMED = 5  # keys that stand twice, of those that a warning names


def package_json(text: str, warn: Warn) -> Iterator[Requirement]:
    """What a package.json asks for, in its four sections; a key that stands twice counts as npm counts it: the last."""
    document = _checked(text, warn)
    for section in SECTIONS:
        for name, version in _section(document, section).items():
            yield Requirement("npm", name, version if isinstance(version, str) else "", section)
    engines = document.get("engines")
    if isinstance(engines, dict) and isinstance(node := engines.get("node"), str):
        yield Requirement("npm", "node", node, RUNTIME)
    manager, _, version = str(document.get("packageManager") or "").partition("@")
    if version:
        yield Requirement("npm", manager, version.partition("+")[0], RUNTIME)


def package_lock(text: str, _warn: Warn) -> Lock:
    """What a package-lock.json or npm-shrinkwrap.json of any version pins."""
    document = _document(text)
    packages = document.get("packages")
    if isinstance(packages, dict):
        return _by_place(packages)
    dependencies = document.get("dependencies", {})
    if not isinstance(dependencies, dict):
        raise Malformed("dependencies must be an object")
    return _by_nesting(dependencies)


def _checked(text: str, warn: Warn) -> Mapping[str, Any]:
    """The document that *text* is; each key that stands twice is a warning."""
    twice: list[str] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs) and len(twice) < _NAMED:
            twice.append(Counter(key for key, _ in pairs).most_common(1)[0][0])
        return found

    document = _document(text, unique)
    for key in twice:
        warn(_second(text, key), f"{key[:60]!r} stands twice; the last counts")
    return document


def _document(text: str, pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None) -> Mapping[str, Any]:
    try:
        document = json.loads(text, object_pairs_hook=pairs)
    except RecursionError as error:
        raise Malformed("nested too deeply") from error
    except json.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error.msg}", line=error.lineno) from error
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from error
    if not isinstance(document, dict):
        raise Malformed("not a JSON object", line=1)
    return document


def _second(text: str, key: str) -> int:
    """The line where *key* stands for the second time."""
    places = re.finditer(rf"{re.escape(json.dumps(key, ensure_ascii=False))}\s*:", text)
    next(places, None)
    second = next(places, None)
    return text.count("\n", 0, second.start()) + 1 if second else 0


def _section(document: Mapping[str, Any], section: str) -> Mapping[str, Any]:
    found = document.get(section, {})
    # `[]` is what a PHP tool makes of an empty object; npm takes it.
    if found is None or found == []:
        return {}
    if not isinstance(found, dict):
        raise Malformed(f"{section} must be an object")
    return found


def _by_place(packages: Mapping[str, Any]) -> Lock:
    """Versions 2 and 3: places on disk, of which those outside node_modules are the project's own packages."""
    pinned: set[tuple[str, str]] = set()
    direct: dict[str, tuple[str, ...]] = {}
    for place, entry in packages.items():
        if not isinstance(entry, dict):
            continue
        if _PLACE in place:
            if not entry.get("link"):
                pinned.add((place.rpartition(_PLACE)[2], str(entry.get("version") or "")))
            continue
        for name in dict.fromkeys(name for section in SECTIONS for name in _section(entry, section)):
            found = packages.get(f"{place}/{_PLACE}{name}" if place else f"{_PLACE}{name}") or packages.get(f"{_PLACE}{name}")
            if isinstance(found, dict) and not found.get("link"):
                version = str(found.get("version") or "")
                known = direct.get(name, ())
                direct[name] = known if version in known else (*known, version)
    return Lock(direct, frozenset(pinned))


def _by_nesting(dependencies: Mapping[str, Any]) -> Lock:
    """Version 1: a tree, which does not say what is direct."""
    pinned: set[tuple[str, str]] = set()
    top: set[tuple[str, str]] = set()
    required: set[str] = set()
    waiting = [(dependencies, True)]
    while waiting:
        level, is_top = waiting.pop()
        for name, entry in level.items():
            if not isinstance(entry, dict):
                continue
            pinned.add((name, str(entry.get("version") or "")))
            if is_top:
                top.add((name, str(entry.get("version") or "")))
            if isinstance(requires := entry.get("requires"), dict):
                required.update(requires)
            if isinstance(nested := entry.get("dependencies"), dict):
                waiting.append((nested, False))
    return Lock(rooted(top, frozenset(required)).direct, frozenset(pinned))
