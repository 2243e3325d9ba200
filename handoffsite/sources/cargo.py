"""What Rust's manifest and lock declare."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.requirement import RUNTIME, Requirement
from handoffsite.sources.lock import Lock, Warn, blocks, toml

_TABLES = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")
_SOURCE = '\nsource = "'
_ASKED = re.compile(r'^ "([^" \n]+)(?: ([^" \n]+))?', re.MULTILINE)


def cargo_toml(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a Cargo.toml asks for, of whatever target, and in the workspace's own table."""
    document = toml(text)
    for place in ("package", "workspace.package"):
        if isinstance(rust := _table(document, place).get("rust-version"), str):
            yield Requirement("cargo", "rust", rust, RUNTIME)
    yield from _asked(document, "")
    yield from _asked(_table(document, "workspace"), "workspace.")
    for target, tables in _table(document, "target").items():
        if isinstance(tables, dict):
            yield from _asked(tables, f"target.{target}.")


def _table(document: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    found: Any = document
    for key in place.split("."):
        found = found.get(key, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _asked(tables: Mapping[str, Any], prefix: str) -> Iterator[Requirement]:
    for table in _TABLES:
        asked = tables.get(table, {})
        if not isinstance(asked, dict):
            raise Malformed(f"{prefix}{table} must be a table")
        for key, value in asked.items():
            detail = value if isinstance(value, dict) else {"version": value}
            name = detail.get("package", key)
            # One crate under two names, in two versions, is asked for twice.
            slot = f"{prefix}{table}" if name == key else f"{prefix}{table}.{key}"
            yield Requirement("cargo", str(name), _version(detail), slot)


def _version(detail: Mapping[str, Any]) -> str:
    if detail.get("workspace") is True:
        return "workspace"
    if isinstance(version := detail.get("version"), str):
        return version
    if isinstance(git := detail.get("git"), str):
        pin = next((detail[key] for key in ("rev", "tag", "branch") if key in detail), "")
        return f"{git}#{pin}" if pin else git
    return str(detail.get("path", ""))


def cargo_lock(text: str, _warn: Warn) -> Lock:
    """What a Cargo.lock pins; the packages without a source are the workspace's own, and what they ask for is direct."""
    versions: dict[str, list[str]] = {}
    asked: dict[str, set[str]] = {}
    for block in blocks(text):
        if _SOURCE in block.text:
            versions.setdefault(block.name, []).append(block.version)
            continue
        _, _, listed = block.text.partition("\ndependencies = [\n")
        for found in _ASKED.finditer(listed.partition("\n]")[0]):
            asked.setdefault(found[1], set()).add(found[2] or "")
    direct = {name: _chosen(versions[name], asked[name]) for name in sorted(asked) if name in versions}
    return Lock(direct, frozenset((name, version) for name, found in versions.items() for version in found))


def _chosen(versions: list[str], asked: set[str]) -> tuple[str, ...]:
    # A version is written only where there are several to choose from.
    return tuple(version for version in versions if "" in asked or version in asked)
