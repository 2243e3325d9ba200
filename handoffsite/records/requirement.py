"""A package that somebody asks for: its name and version, as a line, a file or a command writes them."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from handoffsite.records.dependency import Dependency
from handoffsite.records.version import change

# The slot of the language itself (`requires-python`, `engines.node`): a limit of the project that can move, not a package that
# comes or goes.
RUNTIME = "runtime"


@dataclass(frozen=True, slots=True)
class Requirement:
    """*name* and *version* as written (`^1.2.0`; empty where none is given); *slot* tells apart what one file asks for twice.

    A slot is the section and the condition: `dependencies`, `project.dependencies; python_version < "3.9"`. *indirect* marks what
    only another package asks for.
    """

    ecosystem: str
    name: str
    version: str = ""
    slot: str = ""
    indirect: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What is the same for two spellings of one package."""
        return (self.ecosystem, normal(self.ecosystem, self.name))


_LONGEST = 4_000  # characters of one requirement, its URL included
_RUNS = re.compile(r"[-_.]+")

_PEP508 = re.compile(
    r"""\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)   # name
        \s*(?:\[([^\]]*)\])?                              # extras
        \s*(?:@\s*(\S+)|\(([^()]*)\)|([<>=!~][^;#]*)?)    # URL, or versions
        \s*(?:;\s*([^#]*))?                               # marker
        \s*(?:\#.*)?""",
    re.ASCII | re.VERBOSE,
)
_CLAUSE = r"(?:===|==|~=|!=|<=|>=|<|>) ?(?:[^\s,<>=!~]|!(?!=))+ ?"
_SPECIFIERS = re.compile(rf"(?:{_CLAUSE}(?:, ?{_CLAUSE})*,? ?)?", re.ASCII)
_PIN = re.compile(r"===? ?([^\s,*]+)")
_NPM_NAME = re.compile(r"@[a-z0-9~_.-]+/[a-z0-9~_.-]+|[a-z0-9~_-][a-z0-9~_.-]*", re.ASCII | re.IGNORECASE)
_CRATE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_MODULE = re.compile(r"[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?:/[^\s@]+)?", re.ASCII | re.IGNORECASE)


def normal(ecosystem: str, name: str) -> str:
    """*name* as its *ecosystem* compares it: PEP 503 for pypi, hyphens for cargo, without case for some others."""
    if ecosystem == "pypi":
        return _RUNS.sub("-", name).lower()
    if ecosystem == "cargo":
        return name.replace("_", "-").lower()
    return name.lower() if ecosystem in ("github-actions", "composer", "nuget") else name


def pypi(text: str, slot: str = "") -> Requirement | None:
    """The requirement that a PEP 508 *text* (`httpx[http2]>=0.27; sys_platform == "linux"`) states; None where it states none.

    What pins one version (`==5.2.1`) has that version.
    """
    # One space at a time: the pattern must not have to share out a long run of them.
    found = _PEP508.fullmatch(" ".join(text.split())) if len(text) <= _LONGEST else None
    if found is None:
        return None
    name, _, url, bracketed, bare, marker = found.groups()
    version = (url or bracketed or bare or "").strip()
    if not url and not _SPECIFIERS.fullmatch(version):
        return None
    if pin := _PIN.fullmatch(version):
        version = pin[1]
    return Requirement("pypi", name, version, f"{slot}; {' '.join(marker.split())}" if marker and marker.strip() else slot)


def npm(text: str) -> Requirement | None:
    """The requirement of a command line's `name`, `name@^1`, `@scope/name@1.2.3` or `alias@npm:name@1`."""
    at = text.find("@", 1)
    name, version = (text[:at], text[at + 1 :]) if at > 0 else (text, "")
    return Requirement("npm", name, version) if _NPM_NAME.fullmatch(name) else None


def cargo(text: str) -> Requirement | None:
    """The requirement of a command line's `name` or `name@1.2`."""
    name, _, version = text.partition("@")
    return Requirement("cargo", name, version) if _CRATE.fullmatch(name) else None


def go(text: str) -> Requirement | None:
    """The requirement of a command line's `example.test/module@v1.2.3`, `go@1.22` or `toolchain@go1.22.1`."""
    name, _, version = text.partition("@")
    known = _MODULE.fullmatch(name) or (version and name in ("go", "toolchain"))
    return Requirement("go", name, version) if known else None


def differences(before: Iterable[Requirement], after: Iterable[Requirement], file: str = "") -> tuple[Dependency, ...]:
    """What changed between two lists of requirements of one *file*, each package once, in the order of *after*, removals last.

    A package that stands in several slots is compared slot by slot, and the first slot whose version changed speaks for it. A
    package that only moved to another slot (from development to production, say) did not change.
    """
    old, new = _grouped(before), _grouped(after)
    found = []
    for key, now in new.items():
        first = now[0]
        if key not in old:
            if first.slot == RUNTIME:
                continue
            found.append(Dependency(ecosystem=key[0], name=first.name, change="added", after=first.version or None, file=file))
        elif moved := _moved(old[key], now):
            kind, was, now_is = moved
            found.append(
                Dependency(ecosystem=key[0], name=first.name, change=kind, before=was or None, after=now_is or None, file=file)
            )
    for key, then in old.items():
        first = then[0]
        if key not in new and first.slot != RUNTIME:
            found.append(Dependency(ecosystem=key[0], name=first.name, change="removed", before=first.version or None, file=file))
    return tuple(found)


def _grouped(requirements: Iterable[Requirement]) -> dict[tuple[str, str], list[Requirement]]:
    grouped: dict[tuple[str, str], list[Requirement]] = {}
    for requirement in requirements:
        grouped.setdefault(requirement.key, []).append(requirement)
    return grouped


def _moved(old: list[Requirement], new: list[Requirement]) -> tuple[str, str, str] | None:
    """The change of one package and the two versions that show it; None where the same versions are asked for as before."""
    ecosystem = new[0].ecosystem
    then, now = _slots(old), _slots(new)
    for slot, versions in now.items():
        # Counted, so that one of two equal steps of a workflow may move alone.
        gone, come = then.get(slot, Counter()) - versions, versions - then.get(slot, Counter())
        if len(gone) == len(come) == 1:
            before, after = *gone, *come
            if kind := change(ecosystem, before, after):
                return kind, before, after

    earlier, later = dict.fromkeys(r.version for r in old), dict.fromkeys(r.version for r in new)
    if earlier.keys() == later.keys():
        return None
    if len(earlier) == len(later) == 1:
        before, after = next(iter(earlier)), next(iter(later))
        kind = change(ecosystem, before, after)
        return (kind, before, after) if kind else None
    # One of several came or went: only all of them together say what changed.
    return "changed", _joined(earlier), _joined(later)


def _slots(requirements: list[Requirement]) -> dict[str, Counter[str]]:
    slots: dict[str, Counter[str]] = {}
    for requirement in requirements:
        slots.setdefault(requirement.slot, Counter())[requirement.version] += 1
    return slots


def _joined(versions: Iterable[str]) -> str:
    return ", ".join(version or "any" for version in versions)
