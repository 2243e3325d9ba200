"""What Pipenv's manifest and lock declare."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.requirement import RUNTIME, Requirement, normal
from handoffsite.records.toml import PIPFILE_SETTINGS, pinned
from handoffsite.sources.json_text import document
from handoffsite.sources.lock import Lock, Warn, toml


def pipfile(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a Pipfile asks for, in whatever category."""
    for category, packages in toml(text).items():
        if category in PIPFILE_SETTINGS:
            if category == "requires" and isinstance(packages, dict) and isinstance(packages.get("python_version"), str):
                yield Requirement("pypi", "python", packages["python_version"], RUNTIME)
            continue
        if not isinstance(packages, dict):
            raise Malformed(f"{category} must be a table")
        for name, detail in packages.items():
            yield Requirement("pypi", name, _version(detail), category)


def _version(detail: object) -> str:
    if not isinstance(detail, dict):
        return pinned(detail) if isinstance(detail, str) else ""
    place = next((str(detail[key]) for key in ("git", "hg", "svn", "bzr", "file", "path") if key in detail), "")
    if place:
        return f"{place}#{detail['ref']}" if "ref" in detail else place
    return pinned(str(detail.get("version", "")))


def pipfile_lock(text: str, _warn: Warn) -> Lock:
    """What a Pipfile.lock pins; Pipenv names an index for what the project itself asks for, and for nothing else."""
    found: set[tuple[str, str]] = set()
    direct: dict[str, tuple[str, ...]] = {}
    for category, packages in document(text).items():
        if category == "_meta":
            continue
        if not isinstance(packages, dict):
            raise Malformed(f"{category} must be an object")
        for name, detail in packages.items():
            if not isinstance(detail, dict):
                raise Malformed(f"{name[:60]!r} must be an object")
            version = str(detail.get("ref") or pinned(str(detail.get("version") or "")))
            name = normal("pypi", name)  # noqa: PLW2901 -- a package is known by its normal name
            found.add((name, version))
            if "index" in detail or "ref" in detail:
                known = direct.get(name, ())
                direct[name] = known if version in known else (*known, version)
    return Lock(direct, frozenset(found))
