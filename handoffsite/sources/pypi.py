"""What Python's manifests and locks declare."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.requirement import RUNTIME, Requirement, normal
from handoffsite.records.requirement import pypi as stated
from handoffsite.sources.lock import Block, Lock, Warn, blocks, rooted, toml

# --- pyproject.toml ---------------------------------------------------------------------------------------------------------


def pyproject(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a pyproject.toml asks for: PEP 621 and its extras, PEP 735 groups, the build system, Poetry, uv, PDM and Hatch."""
    document = toml(text)
    project = _table(document, "project")
    yield from _listed(project.get("dependencies", []), "project.dependencies")
    yield from _lists(project.get("optional-dependencies", {}), "project.optional-dependencies")
    yield from _lists(document.get("dependency-groups", {}), "dependency-groups")
    yield from _listed(_table(document, "build-system").get("requires", []), "build-system.requires")
    yield from _listed(_table(document, "tool.uv").get("dev-dependencies", []), "tool.uv.dev-dependencies")
    yield from _lists(_table(document, "tool.pdm").get("dev-dependencies", {}), "tool.pdm.dev-dependencies")
    for name, environment in _table(document, "tool.hatch.envs").items():
        if isinstance(environment, dict):
            for key in ("dependencies", "extra-dependencies"):
                yield from _listed(environment.get(key, []), f"tool.hatch.envs.{name}.{key}")
    if isinstance(python := project.get("requires-python"), str):
        yield Requirement("pypi", "python", python, RUNTIME)
    yield from _poetry(_table(document, "tool.poetry"))


def _table(document: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    found: Any = document
    for key in place.split("."):
        found = found.get(key, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _lists(lists: object, place: str) -> Iterator[Requirement]:
    if not isinstance(lists, dict):
        raise Malformed(f"{place} must be a table")
    for name, entries in lists.items():
        yield from _listed(entries, f"{place}.{name}")


def _listed(entries: object, place: str) -> Iterator[Requirement]:
    if not isinstance(entries, list):
        raise Malformed(f"{place} must be a list")
    for entry in entries:
        # A group may include another, as a table.
        if isinstance(entry, str):
            found = stated(entry, place)
            if found is None:
                raise Malformed(f"{place}: not a requirement: {entry[:60]!r}")
            yield found


def _poetry(poetry: Mapping[str, Any]) -> Iterator[Requirement]:
    tables = {"dependencies": poetry.get("dependencies"), "dev-dependencies": poetry.get("dev-dependencies")}
    for name, group in _table(poetry, "group").items():
        tables[f"group.{name}.dependencies"] = group.get("dependencies") if isinstance(group, dict) else None
    for place, table in tables.items():
        for name, value in (table if isinstance(table, dict) else {}).items():
            # A list gives one constraint for each platform or Python.
            for number, detail in enumerate(value if isinstance(value, list) else [value]):
                slot = RUNTIME if name == "python" else f"tool.poetry.{place}" + (f" {number}" if number else "")
                yield Requirement("pypi", name, _version(detail), slot)


def _version(detail: object) -> str:
    if isinstance(detail, str):
        return detail
    if not isinstance(detail, dict):
        return ""
    place = next((str(detail[key]) for key in ("version", "git", "url", "path", "file") if key in detail), "")
    pin = next((str(detail[key]) for key in ("rev", "tag", "branch") if key in detail), "")
    return f"{place}#{pin}" if pin else place


# --- requirements.txt -------------------------------------------------------------------------------------------------------

_COMMENT = re.compile(r"(?:^|\s)#.*\Z", re.DOTALL)
_OPTIONS = re.compile(r"\s--?[A-Za-z].*\Z", re.DOTALL)
_EDITABLE = re.compile(r"(?:-e|--editable)(?:[ =])\s*")
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9][A-Za-z0-9._-]*)", re.ASCII)
_REMOTE = re.compile(r"(?:(?:git|hg|svn|bzr)\+|https?://|file:|\$\{)", re.ASCII | re.IGNORECASE)
_LOCAL = re.compile(r"[.~/\\]|[A-Za-z]:[\\/]|[^\s;]*[\\/]|[^\s;]*\.(?:whl|zip|tar\.\w+)(?:\s|\Z)")
_LONGEST_REASON = 200
_VIA = re.compile(r"\s*#\s*via\b\s*(.*)")
_VIA_ASKED = re.compile(r"-r\s|\(\S+\.(?:toml|cfg|py|in)\)")


def requirements_txt(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a requirements or constraints file asks for; where pip-compile or uv says `# via`, what nobody asked for is indirect."""
    pending: Requirement | None = None
    via: list[str] = []
    in_via = False
    for number, line, comment in _logical(text):
        if not line and pending and comment:
            said = _VIA.match(comment)
            in_via = bool(said) or in_via
            if in_via:
                via.append((said[1] if said else comment.strip(" #\t"))[:_LONGEST_REASON])
            continue
        if pending:
            yield _judged(pending, via)
        said = _VIA.match(comment)
        pending, via, in_via = _asked(line, number), [said[1][:_LONGEST_REASON]] if said and said[1] else [], bool(said)
    if pending:
        yield _judged(pending, via)


def _logical(text: str) -> Iterator[tuple[int, str, str]]:
    """Lines with their continuations joined: the number of the first, what it says, and its comment."""
    start, held = 0, ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip()
        comment = _COMMENT.search(line)
        if not held:
            start = number
        # A comment line is never continued, and ends nothing.
        if line.endswith("\\") and not comment:
            held += f"{line[:-1]} "
            continue
        said = comment[0].strip() if comment else ""
        yield start, f"{held}{line[: comment.start()] if comment else line}".strip(), said
        held = ""
    if held:
        yield start, held.strip(), ""


def _asked(line: str, number: int) -> Requirement | None:
    editable = _EDITABLE.match(line)
    bare = line[editable.end() :].strip() if editable else line
    if egg := _EGG.search(bare):
        return Requirement("pypi", egg[1], bare.partition("#")[0].strip())
    bare = _OPTIONS.sub("", bare).strip()
    if not bare or bare[0] == "-" or editable:
        return None
    if found := stated(bare):
        return found
    if _REMOTE.match(bare) or _LOCAL.match(bare):
        return None
    raise Malformed(f"not a requirement: {bare[:60]!r}", line=number)


def _judged(requirement: Requirement, via: list[str]) -> Requirement:
    said = [reason for reason in via if reason]
    return replace(requirement, indirect=True) if said and not any(_VIA_ASKED.search(reason) for reason in said) else requirement


# --- locks ------------------------------------------------------------------------------------------------------------------

_OWN = re.compile(r'^source = \{ (?:virtual|editable|directory|workspace) = "', re.MULTILINE)
_NEEDS = re.compile(r"^\[package\.dependencies\]\n((?:[^\[\n].*\n?)*)", re.MULTILINE)


def uv_lock(text: str, _warn: Warn) -> Lock:
    """What a uv.lock pins; what the project's own packages ask for, groups and extras included, is direct."""
    versions: dict[str, list[str]] = {}
    asked: set[str] = set()
    for block in blocks(text):
        if _OWN.search(block.text):
            asked |= _wanted(block)
        else:
            versions.setdefault(block.name, []).append(block.version)
    direct = {name: tuple(versions[name]) for name in sorted(asked) if name in versions}
    return Lock(direct, frozenset((name, version) for name, found in versions.items() for version in found))


def _wanted(block: Block) -> set[str]:
    table = block.table()
    lists = [table.get("dependencies", [])]
    for key in ("optional-dependencies", "dev-dependencies"):
        lists.extend(_table(table, key).values())
    return {
        entry["name"] for entries in lists for entry in entries if isinstance(entry, dict) and isinstance(entry.get("name"), str)
    }


def poetry_lock(text: str, _warn: Warn) -> Lock:
    """What a poetry.lock pins; it does not say what is direct."""
    pairs = []
    required: set[str] = set()
    for block in blocks(text):
        pairs.append((block.name, block.version))
        if needs := _NEEDS.search(block.text):
            required.update(normal("pypi", line.partition(" =")[0].strip('"')) for line in needs[1].splitlines())
    asked = frozenset(name for name, _ in pairs if normal("pypi", name) in required)
    return rooted(pairs, asked)
