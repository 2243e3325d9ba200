"""What Gradle's scripts and version catalogs declare."""

from collections.abc import Iterator, Mapping
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.gradle import script, unclosed
from handoffsite.records.requirement import Requirement
from handoffsite.sources.lock import Warn, toml

_RICH = ("prefer", "strictly", "require")


def build_script(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a build.gradle or settings.gradle, Groovy or Kotlin, asks for; its own variables filled in."""
    if line := unclosed(text):
        raise Malformed("a block that nothing closes", line=line)
    yield from script(text.split("\n"))


def catalog(text: str, _warn: Warn) -> Iterator[Requirement]:
    """The libraries and plugins of a libs.versions.toml, with the versions that they refer to."""
    document = toml(text)
    versions = _table(document, "versions")
    for key, detail in _table(document, "libraries").items():
        stated = _parts(detail, ("group", "name", "version")) if isinstance(detail, str) else detail
        if not isinstance(stated, dict):
            raise Malformed(f"libraries.{key} must be a table or a string")
        name = stated.get("module") or f"{stated.get('group', '')}:{stated.get('name', '')}"
        yield Requirement("maven", str(name), _version(stated.get("version"), versions), "libraries")
    for key, detail in _table(document, "plugins").items():
        stated = _parts(detail, ("id", "version")) if isinstance(detail, str) else detail
        if not isinstance(stated, dict):
            raise Malformed(f"plugins.{key} must be a table or a string")
        yield Requirement("maven", str(stated.get("id", key)), _version(stated.get("version"), versions), "plugins")


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = document.get(name, {})
    if not isinstance(found, dict):
        raise Malformed(f"{name} must be a table")
    return found


def _parts(text: str, names: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(names, text.split(":", len(names) - 1), strict=False))


def _version(stated: object, versions: Mapping[str, Any]) -> str:
    if isinstance(stated, dict) and "ref" in stated:
        stated = versions.get(str(stated["ref"]))
    if isinstance(stated, dict):
        return next((str(stated[key]) for key in _RICH if key in stated), "")
    return stated if isinstance(stated, str) else ""
