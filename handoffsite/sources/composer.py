"""What Composer's manifest and lock declare."""

from collections.abc import Iterator, Mapping
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.requirement import RUNTIME, Requirement
from handoffsite.sources.json_text import document, member
from handoffsite.sources.lock import Lock, Warn, rooted

_PHP = ("php", "php-64bit")


def composer_json(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a composer.json asks for."""
    found = document(text)
    for section in ("require", "require-dev"):
        for name, version in member(found, section).items():
            yield Requirement("composer", name, version if isinstance(version, str) else "", RUNTIME if name in _PHP else section)


def composer_lock(text: str, _warn: Warn) -> Lock:
    """What a composer.lock pins; it does not say what is direct."""
    found = document(text)
    pairs: list[tuple[str, str]] = []
    required: set[str] = set()
    for section in ("packages", "packages-dev"):
        packages = found.get(section) or []
        if not isinstance(packages, list):
            raise Malformed(f"{section} must be a list")
        for package in packages:
            if not isinstance(package, dict) or not isinstance(package.get("name"), str):
                raise Malformed(f"{section}: a package without a name")
            pairs.append((package["name"], _version(package)))
            required.update(name.lower() for name in member(package, "require"))
    return rooted(pairs, frozenset(name for name, _ in pairs if name.lower() in required))


def _version(package: Mapping[str, Any]) -> str:
    version = str(package.get("version") or "")
    reference = member(package, "source").get("reference")
    # A branch moves without changing its name.
    is_branch = version.startswith("dev-") or version.endswith("-dev")
    return f"{version}#{reference}" if is_branch and isinstance(reference, str) else version
