"""A dependency change as people write it: `added redis 5.2.1 (pypi)`, `bumped x from 1 to 2`, `` `y` 1.0 → 2.0 ``."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from handoffsite.records import manifest
from handoffsite.records.dependency import Dependency
from handoffsite.records.version import change as direction

UNKNOWN = "unknown"  # the ecosystem of a package of which nothing tells it

_VERBS = {
    "added": "add|added|adds|adding|new|install|installed|introduced?|\\+",
    "removed": "remove|removed|removes|removing|drop|dropped|delete|deleted|uninstall|uninstalled|-",
    "upgraded": "upgrade|upgraded|upgrades|raised?",
    "downgraded": "downgrade|downgraded|downgrades|lowered|rolled back",
    "changed": "bump|bumped|bumps|update|updated|updates|pin|pinned|change|changed|moved|switch|switched|relax|relaxed|loosened",
}
_ECOSYSTEMS = {
    "pypi": "pypi", "pip": "pypi", "python": "pypi", "poetry": "pypi", "uv": "pypi", "npm": "npm", "yarn": "npm", "pnpm": "npm", "node": "npm",
    "cargo": "cargo", "crates": "cargo", "crates.io": "cargo", "rust": "cargo", "go": "go", "golang": "go", "gem": "gem",
    "rubygems": "gem", "ruby": "gem", "bundler": "gem", "composer": "composer", "packagist": "composer", "maven": "maven",
    "gradle": "maven", "nuget": "nuget", "hex": "hex", "pub": "pub", "docker": "docker", "github-actions": "github-actions",
    "actions": "github-actions", "apt": "apt", "brew": "brew", "conda": "conda",
}  # fmt: skip
_FILES = {"Gemfile": "gem", "composer.json": "composer", "pom.xml": "maven", "pubspec.yaml": "pub", "mix.exs": "hex"}

_NAME = r"`?(?P<name>@?[A-Za-z0-9][\w.\-]*(?:/[\w.\-]+)*(?:\[[\w,\-]+\])?)`?"
_V = r"[`\"']?[v^~<>=!]*\s?\d[\w.+\-*]*(?:\s?,\s?[<>=!~^]+\s?\d[\w.+\-*]*)*[`\"']?"
_TO = r"\s*(?:→|->|=>|⇒|\bto\b)\s*"
_VERB = "|".join(words for words in _VERBS.values())
_CHANGE = re.compile(
    rf"(?:(?P<verb>{_VERB})\b:?\s+|(?P<sign>[+\-])\s*)?(?:dependency|package|library|the)?\s*{_NAME}"
    rf"(?:\s*:)?(?:\s+\(?(?:from\s+)?(?P<before>{_V}){_TO}(?P<after>{_V})\)?|\s*(?P<pin>[=~<>^!]=?|@|\s)\s*(?:to\s+|at\s+|version\s+)?(?P<only>{_V}))?"
    rf"(?:\s+(?P<late>{_VERB})\b(?:\s+(?P<last>{_V})(?=\s|$))?)?",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"(?:replaced?|swapped?|switched(?:\s+from)?)\s+`?(?P<old>@?[\w./\-]+)`?\s+(?:with|by|for|to)\s+`?(?P<new>@?[\w./\-]+)`?",
    re.IGNORECASE,
)
# A name of several words counts only with a version and a verb behind it.
_WORDY = re.compile(
    rf"(?P<name>[A-Za-z][\w.+#-]*(?:\s[A-Za-z][\w.+#-]*){{1,3}})\s+(?P<only>{_V})\s+(?P<late>{_VERB})\.?", re.IGNORECASE
)
_LEADING_PLACE = re.compile(
    r"[*_]{0,2}[\[(]?[*_`]{0,2}([\w./-]{2,60})[`*_]{0,2}[\])]?(?:[*_]{0,2}\s*[:：][*_]{0,2}|\s(?:—|–|--?)|(?<=[\])]))\s+(?=\S)"
)
_LIST = re.compile(r"\s*(?:;|,(?!\s*[<>=!~^]))\s*(?:and\s+)?|\s+(?:and|&)\s+")
_AROUND = re.compile(r"\(([^()]{1,120})\)\s*")
_WHERE = re.compile(
    r"\s*(?:\b(?:in|to|from|via|as)\b\s+)?`?(?P<file>[\w./\-]*[\w\-]+\.(?:toml|json|txt|lock|mod|xml|gradle|kts|yaml|yml|exs|cfg)|Gemfile|Dockerfile|Pipfile)`?\s*$"
)
_VERSION = re.compile(_V)
_WORD = re.compile(r"[\w./@+\-]+")
_LEADING_VERB = re.compile(rf"(?:{_VERB})\b", re.IGNORECASE)
_EXACT = re.compile(r"\A(?:={1,2}|@|\s)\Z")
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Bump:
    """The changes that one item names, and what it says beyond them."""

    changes: tuple[Dependency, ...]
    beyond: str = ""


def read(text: str, evidence: tuple[str, ...], *, group: str = "") -> Bump | None:
    """The changes of dependencies that *text* tells of, under a heading *group*; None where it tells of none that could be sure."""
    if len(text) > _LONGEST:
        return None
    core, ecosystem, file, beyond = _where(text.strip())
    around = place(group)
    if around:
        file = file or ("" if around.lower() in _ECOSYSTEMS else around)
        ecosystem = _ecosystem(around, file) if ecosystem == UNKNOWN else ecosystem
    blank = Dependency(ecosystem=ecosystem, name="", change="", file=file, evidence=evidence)
    if found := _REPLACED.fullmatch(core.rstrip(".")):
        return Bump(
            (replace(blank, name=found["old"], change="removed"), replace(blank, name=found["new"], change="added")), beyond
        )
    return _several(core, blank, beyond) or _one(core, blank, beyond)


def place(text: str) -> str:
    """The ecosystem or the file that *text* is; nothing where it is neither."""
    word = text.strip("`*_ :")
    return word if word and " " not in word and _is_place(word) else ""


def settled(changes: Sequence[Dependency]) -> list[Dependency]:
    """*changes*, in which those of an unknown ecosystem are taken for what all the others are."""
    known = {one.ecosystem for one in changes} - {UNKNOWN}
    if len(known) != 1:
        return list(changes)
    ecosystem = known.pop()
    return [_moved(one, ecosystem) if one.ecosystem == UNKNOWN else one for one in changes]


def _moved(one: Dependency, ecosystem: str) -> Dependency:
    change = one.change
    if one.before and one.after and change == "changed":
        change = direction(ecosystem, one.before, one.after) or change
    return replace(one, ecosystem=ecosystem, change=change)


def _several(core: str, blank: Dependency, beyond: str) -> Bump | None:
    """The changes of a list in one line: `added a 1.0, b 2.0 and removed c`; None unless each part is one, and nothing more."""
    parts = [part for part in _LIST.split(core.rstrip(".")) if part]
    if len(parts) < 2 or (found := _CHANGE.match(parts[0])) is None:
        return None
    changes: list[Dependency] = []
    verb = found["verb"] or found["sign"] or ""
    for part in parts:
        own = _CHANGE.fullmatch(part)
        if own is None or (own["verb"] is None and " " in part and not (own["only"] or own["after"])):
            return None
        verb = own["verb"] or own["sign"] or verb
        one = _one(part if own["verb"] or own["sign"] else f"{verb} {part}".strip(), blank, "")
        if one is None or one.beyond:
            return None
        changes += one.changes
    return Bump(tuple(changes), beyond)


def _one(core: str, blank: Dependency, beyond: str) -> Bump | None:
    found = _WORDY.fullmatch(core) if not _LEADING_VERB.match(core) else None
    if found:
        return Bump(
            (replace(blank, name=found["name"], change=_verb(found["late"].lower()), after=_version(found["only"])),), beyond
        )
    found = _CHANGE.match(core)
    if found is None:
        return None
    said = core[found.end() :].strip()
    verb = _verb((found["verb"] or found["late"] or found["sign"] or "").lower())
    before, after = _version(found["before"]), _version(found["after"])
    only = _version(f"{_EXACT.sub('', found['pin'])}{found['only']}") if found["only"] else _version(found["last"])
    if not verb and not (before and after):
        return None
    if said and not said.startswith((".", ",", ";", "—", "–", "-", ":", "because", "for", "as", "so", "since")):
        return None
    if verb == "removed":
        before = before or only
    elif not after:
        after = only
    change = (direction(blank.ecosystem, before, after) or "changed") if before and after else verb or "changed"
    beyond = " ".join(part for part in (said.strip(" .,;—–-:"), beyond) if part)
    return Bump((replace(blank, name=found["name"], change=change, before=before, after=after),), beyond)


def from_row(cells: Mapping[str, str], evidence: tuple[str, ...]) -> Dependency | None:
    """The change that a row of a table tells of, by the fields of its columns."""
    name = cells.get("name", "").strip("` ")
    before, after = _version(cells.get("from")), _version(cells.get("to"))
    verb = _verb(cells.get("change", "").strip().lower())
    if not name or not (verb or before or after):
        return None
    file = cells.get("file", "").strip("` ")
    ecosystem = _ecosystem(cells.get("ecosystem", ""), file)
    change = verb or ("added" if after and not before else "removed" if before and not after else "")
    if before and after and change in {"", "changed"}:
        change = direction(ecosystem, before, after) or "changed"
    return Dependency(
        ecosystem=ecosystem, name=name, change=change or "changed", before=before, after=after, file=file, evidence=evidence
    )


def phrase(change: Dependency) -> str:
    """*change* as `read` reads it."""
    versions = (
        f" from {change.before} to {change.after}"
        if change.before and change.after
        else f" {change.before or change.after or ''}"
    )
    where = ", ".join(part for part in (change.ecosystem if change.ecosystem != UNKNOWN else "", change.file) if part)
    return f"{change.change} {change.name}{versions.rstrip()}" + (f" ({where})" if where else "")


def _where(text: str) -> tuple[str, str, str, str]:
    """*text* without the brackets and words that say where the change was made; the ecosystem, the file, and other remarks."""
    ecosystem = file = ""
    if (led := _LEADING_PLACE.match(text)) and _is_place(led[1]):
        text = text[led.end() :]
        file, ecosystem = ("", _ECOSYSTEMS[led[1].lower()]) if led[1].lower() in _ECOSYSTEMS else (led[1], "")
    beyond: list[str] = []
    for found in list(_AROUND.finditer(text)):
        if _VERSION.fullmatch(found[1]):
            text = text.replace(found.group(), f" {found[1]} ", 1)
            continue
        words = _WORD.findall(found[1])
        known = [word for word in words if _is_place(word)]
        if re.search(rf"{_V}{_TO}{_V}", found[1]):
            continue
        text = text.replace(found.group(), " ", 1)
        if len(known) != len(words):
            beyond.append(found[1])
        file = next((word for word in known if word.lower() not in _ECOSYSTEMS), file)
        ecosystem = next((_ECOSYSTEMS[word.lower()] for word in known if word.lower() in _ECOSYSTEMS), ecosystem)
    text = " ".join(text.split())
    if found_file := _WHERE.search(text.rstrip(".")):
        file, text = found_file["file"], text[: found_file.start()].rstrip()
    return text, ecosystem or _ecosystem("", file), file, "; ".join(beyond)


def _is_place(word: str) -> bool:
    return word.lower() in _ECOSYSTEMS or word in _FILES or _WHERE.fullmatch(word) is not None


def _ecosystem(word: str, file: str) -> str:
    kind = manifest.kind(file) if file else None
    return (
        _ECOSYSTEMS.get(word.strip("` ").lower())
        or (kind.ecosystem if kind else _FILES.get(file.rpartition("/")[2], ""))
        or word.strip()
        or UNKNOWN
    )


def _verb(word: str) -> str:
    return next((verb for verb, words in _VERBS.items() if word and re.fullmatch(words, word)), "")


def _version(text: str | None) -> str | None:
    text = (text or "").strip("`\"' ")
    return text if text and text not in {"-", "—", "–", "none", "n/a"} else None
