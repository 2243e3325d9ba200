"""The manifests that are TOML, read line by line, so that a fragment of one says as much as it holds."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from handoffsite.records.loose import is_own, is_version
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import RUNTIME, Requirement, pypi

_HEADING = lazy(r"\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?\Z")
_PAIR = lazy(r"""\s*("[^"]*"|'[^']*'|[A-Za-z0-9_.@/:-]+)\s*=\s*(.*)\Z""", re.ASCII)
_LONG_STRINGS = ('"""', "'''")
_STRING = lazy(r"""\"((?:[^"\\]|\\.)*)"|'([^']*)'|["'].*""")
_TABLE = lazy(r"\{[^{}]*\}")
_INLINE_VERSION = lazy(r"""\bversion\s*=\s*["']([^"']*)["']""")
_INLINE_PLACE = lazy(r"""\b(?:(workspace)\s*=\s*true|(?:path|git|url)\s*=\s*["']([^"']*)["'])""")
_INLINE_PACKAGE = lazy(r"""\bpackage\s*=\s*["']([^"']*)["']""")


@dataclass(frozen=True, slots=True)
class Pair:
    """A line `key = value` of a TOML file, under *section* (None where no heading was seen)."""

    section: str | None
    key: str
    value: str

    @property
    def string(self) -> str | None:
        """The value, where it is one string."""
        found = _STRING.match(self.value)
        return next((part for part in found.groups() if part is not None), None) if found else None

    @property
    def version(self) -> str | None:
        """The version that the value gives, as a string or in an inline table, or the place that stands for one."""
        if self.value.startswith("{"):
            found = _INLINE_VERSION.search(self.value) or _INLINE_PLACE.search(self.value)
            return next((part for part in found.groups() if part is not None), None) if found else None
        return "workspace" if self.key.endswith(".workspace") else self.string


def pairs(lines: Iterable[str]) -> Iterator[Pair]:
    """The pairs of a TOML file; each string of an array becomes a pair `key[]`, the key empty where the array's start is unseen."""
    section: str | None = None
    array: str | None = None
    text = ""
    for line in lines:
        bare = line.strip()
        if text:
            text = "" if text in bare else text
        elif not bare or bare[0] == "#":
            continue
        elif array is None and (heading := _HEADING.match(bare)):
            section = heading[1].strip()
        elif array is None and (pair := _PAIR.match(bare)):
            key, value = pair[1].strip("\"'"), pair[2]
            if value.startswith("["):
                yield from (Pair(section, f"{key}[]", found[0]) for found in _STRING.finditer(_TABLE.sub("", value)))
                array = None if _closes(value) else key
            elif value.startswith(_LONG_STRINGS):
                text = "" if value[:3] in value[3:] else value[:3]
            else:
                yield Pair(section, key, value)
        elif bare[0] in "\"'{":
            yield from (Pair(section, f"{array or ''}[]", found[0]) for found in _STRING.finditer(_TABLE.sub("", bare)))
            array = None if _closes(bare) else array
        elif bare[0] == "]":
            array = None


def _closes(text: str) -> bool:
    return _STRING.sub("", text).partition("#")[0].rstrip().rstrip(",").endswith("]")


_PYTHON_ARRAYS = lazy(
    r"(?:project\.)?dependencies|(?:build-system\.)?requires|(?:project\.optional-dependencies|dependency-groups)\..+"
    r"|tool\.(?:uv\.dev-dependencies|pdm\.dev-dependencies\..+|hatch\.envs\..+\.(?:extra-)?dependencies)"
)
_POETRY = lazy(r"tool\.poetry\.(?:group\.[^.]+\.|dev-)?dependencies\Z")


def pyproject(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a pyproject.toml asks for."""
    loose: list[Requirement] = []
    for pair in pairs(lines):
        slot = f"{pair.section}.{pair.key}" if pair.section else pair.key
        if slot.endswith("[]"):
            found = pypi(pair.string or "", slot[:-2])
            if found and _PYTHON_ARRAYS.fullmatch(slot[:-2]):
                yield found
            elif found and slot == "[]":
                loose.append(found)
        elif (version := pair.version) is None:
            continue
        elif slot in ("requires-python", "project.requires-python", "tool.poetry.dependencies.python"):
            yield Requirement("pypi", "python", version, RUNTIME)
        elif (pair.section and _POETRY.match(pair.section)) or (pair.section is None and _is_python_range(pair.key, version)):
            yield Requirement("pypi", pair.key, version, pair.section or "")
    # Strings of an array whose start is not seen: packages if any of them says which version.
    if any(requirement.version for requirement in loose):
        yield from loose


def _is_python_range(key: str, version: str) -> bool:
    return version.startswith(("^", "~", ">")) and not is_own(key)


_CARGO_TABLE = lazy(r"(?:(?:.+\.)?(?:dependencies|dev-dependencies|build-dependencies))(?:\.([\w\"'-]+))?\Z", re.ASCII)


def cargo(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a Cargo.toml asks for."""
    for pair in pairs(lines):
        table = _CARGO_TABLE.match(pair.section) if pair.section is not None else None
        version = pair.version
        if pair.key == "rust-version" and version is not None:
            yield Requirement("cargo", "rust", version, RUNTIME)
        elif table and table[1]:
            if pair.key in ("version", "path", "git") and version is not None:
                yield Requirement("cargo", table[1].strip("\"'"), version, pair.section or "")
        elif version is None or pair.key.endswith("[]"):
            continue
        elif table or (pair.section is None and not is_own(pair.key) and _looks_like_crate(pair, version)):
            package = _INLINE_PACKAGE.search(pair.value)
            # `serde.workspace = true` is a dotted key.
            name = package[1] if package else pair.key.removesuffix(".version").removesuffix(".workspace")
            yield Requirement("cargo", name, version, pair.section or "")


def _looks_like_crate(pair: Pair, version: str) -> bool:
    return pair.value.startswith("{") or is_version(version)


def mise(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a mise.toml asks for."""
    for pair in pairs(lines):
        listed = pair.key.endswith("[]")
        version = pair.string if listed else pair.version
        if version is None or pair.key == "[]":
            continue
        if pair.section == "tools" or (pair.section is None and not is_own(pair.key) and is_version(version)):
            yield Requirement("mise", pair.key.removesuffix("[]"), version, "tools")
        elif pair.section and pair.section.startswith("tools.") and pair.key == "version":
            yield Requirement("mise", pair.section.removeprefix("tools.").strip("\"'"), version, "tools")


PIPFILE_SETTINGS = ("source", "requires", "scripts", "pipenv", "pipfile", "build-system")


def pipfile(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a Pipfile asks for, in whatever category."""
    for pair in pairs(lines):
        version = pair.version
        if pair.key.endswith("[]"):
            continue
        if pair.key == "python_version" and version is not None:
            yield Requirement("pypi", "python", version, RUNTIME)
        elif pair.section is None:
            if version is not None and not is_own(pair.key) and (is_version(version) or pair.value.startswith("{")):
                yield Requirement("pypi", pair.key, pinned(version), "packages")
        elif pair.section not in PIPFILE_SETTINGS and (version is not None or pair.value.startswith("{")):
            yield Requirement("pypi", pair.key, pinned(version or ""), pair.section)


def pinned(version: str) -> str:
    """*version*, of which `==5.2.1` pins 5.2.1."""
    bare = version.removeprefix("===").removeprefix("==").strip()
    return bare if bare != version and "," not in bare and "*" not in bare else version


_MODULE = lazy(r"""\bmodule\s*=\s*["']([^"':]+:[^"':]+)["']""")
_GROUP = lazy(r"""\bgroup\s*=\s*["']([^"']+)["']""")
_NAME = lazy(r"""\bname\s*=\s*["']([^"']+)["']""")
_ID = lazy(r"""\bid\s*=\s*["']([^"']+)["']""")
_REF = lazy(r"""\bversion\.ref\s*=\s*["']([^"']+)["']|\bversion\s*=\s*\{\s*ref\s*=\s*["']([^"']+)["']""")


def catalog(lines: Iterable[str]) -> Iterator[Requirement]:
    """The libraries and plugins of a Gradle version catalog, with the versions that they refer to as far as those stand there too."""
    found = list(pairs(lines))
    versions = {pair.key: pair.string for pair in found if pair.section in ("versions", None) and pair.string}
    for pair in found:
        if pair.section not in ("libraries", "plugins", None):
            continue
        name, version = _entry(pair)
        ref = _REF.search(pair.value) if pair.value.startswith("{") else None
        if ref:
            version = versions.get(ref[1] or ref[2], "")
        if name:
            yield Requirement("maven", name, version, pair.section or "libraries")


def _entry(pair: Pair) -> tuple[str, str]:
    """The name and version that one line of a catalog gives; no name where it is no library or plugin."""
    if not pair.value.startswith("{"):
        group, _, rest = (pair.string or "").partition(":")
        artifact, _, version = rest.partition(":")
        if pair.section == "plugins":
            return (group, rest) if rest else ("", "")
        return (f"{group}:{artifact}", version) if artifact and version else ("", "")
    stated = _INLINE_VERSION.search(pair.value)
    version = stated[1] if stated else ""
    if named := _MODULE.search(pair.value) or _ID.search(pair.value):
        return named[1], version
    owner, name = _GROUP.search(pair.value), _NAME.search(pair.value)
    return (f"{owner[1]}:{name[1]}" if owner and name else ""), version
