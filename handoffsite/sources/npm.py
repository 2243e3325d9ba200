"""What npm's manifest and lock declare."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.requirement import RUNTIME, Requirement
from handoffsite.sources.json_text import document, member
from handoffsite.sources.lock import Lock, Warn, rooted

SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_PLACE = "node_modules/"
_NAMED = 5  # keys that stand twice, of those that a warning names


def package_json(text: str, warn: Warn) -> Iterator[Requirement]:
    """What a package.json asks for, in its four sections; a key that stands twice counts as npm counts it: the last."""
    found = _checked(text, warn)
    for section in SECTIONS:
        for name, version in member(found, section).items():
            yield Requirement("npm", name, version if isinstance(version, str) else "", section)
    engines = found.get("engines")
    if isinstance(engines, dict) and isinstance(node := engines.get("node"), str):
        yield Requirement("npm", "node", node, RUNTIME)
    manager, _, version = str(found.get("packageManager") or "").partition("@")
    if version:
        yield Requirement("npm", manager, version.partition("+")[0], RUNTIME)


def package_lock(text: str, _warn: Warn) -> Lock:
    """What a package-lock.json or npm-shrinkwrap.json of any version pins."""
    found = document(text)
    packages = found.get("packages")
    if isinstance(packages, dict):
        return _by_place(packages)
    dependencies = found.get("dependencies", {})
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

    whole = document(text, unique)
    for key in twice:
        warn(_second(text, key), f"{key[:60]!r} stands twice; the last counts")
    return whole


def _second(text: str, key: str) -> int:
    """The line where *key* stands for the second time."""
    places = re.finditer(rf"{re.escape(json.dumps(key, ensure_ascii=False))}\s*:", text)
    next(places, None)
    second = next(places, None)
    return text.count("\n", 0, second.start()) + 1 if second else 0


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
        for name in dict.fromkeys(name for section in SECTIONS for name in member(entry, section)):
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
