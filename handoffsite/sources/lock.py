"""What a lock file pins, and the reading of those that are TOML."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.errors import Malformed

# Called with a line (0 where none is known) and what is odd there.
Warn = Callable[[int, str], None]


@dataclass(frozen=True, slots=True)
class Lock:
    """*direct* gives the versions of what the project itself asks for, *pinned* every name and version that the lock holds."""

    direct: Mapping[str, tuple[str, ...]]
    pinned: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Block:
    """One `[[package]]` of a TOML lock, as far as a glance tells; *text* is all of it."""

    name: str
    version: str
    text: str

    def table(self) -> Mapping[str, Any]:
        """The block as TOML; Malformed where it is none."""
        return toml(f"[[package]]\n{self.text}\n")["package"][0]  # type: ignore[no-any-return]


_HEAD = re.compile(r'name = "([^"\\\n]+)"\n(?:version = "([^"\\\n]+)"\n)?')
_MARK = "\n[[package]]\n"
_LARGE = 100_000
# tomllib takes quadratic time over the parts of one key.
_DOTTED = re.compile(r"(?:\.[\w\"' -]{0,40}){200}")
_AT_LINE = re.compile(r"at line (\d+)")


def toml(text: str) -> dict[str, Any]:
    """The document that *text* is; Malformed, with the line, where it is none."""
    if _DOTTED.search(text):
        raise Malformed("nested too deeply")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise Malformed("nested too deeply") from error
    except ValueError as error:
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at else text.rstrip().count("\n") + 1 if "end of document" in str(error) else 0
        raise Malformed(f"not TOML: {error}", line=line) from error


def blocks(text: str) -> Iterator[Block]:
    """Every package of a TOML lock.

    Only a block that does not begin as every tool writes it is parsed in full: parsing all would take 20 s for a lock of 20 MB.
    The last one is, so that a file that was cut off is noticed.
    """
    head, *parts = f"\n{text}".split(_MARK)
    if len(head) < _LARGE:
        toml(head)
    line = head.count("\n") + 1
    for number, part in enumerate(parts, 1):
        found = _HEAD.match(part)
        if found is None or (number == len(parts) and len(part) < _LARGE):
            name, version = _checked(part, line)
            yield Block(name, version, part)
        else:
            yield Block(found[1], found[2] or "", part)
        line += part.count("\n") + 2


def _checked(part: str, line: int) -> tuple[str, str]:
    try:
        table = Block("", "", part).table()
    except Malformed as error:
        raise Malformed(error.message, line=line + max(error.line - 1, 0)) from error
    name, version = table.get("name"), table.get("version", "")
    if not isinstance(name, str) or not isinstance(version, str):
        raise Malformed("a package without a name", line=line)
    return name, version


def rooted(pairs: Iterable[tuple[str, str]], required: frozenset[str]) -> Lock:
    """A lock that does not say what is direct: then it is what no other package asks for."""
    pinned = frozenset(pairs)
    direct: dict[str, tuple[str, ...]] = {}
    for name, version in sorted(pinned):
        if name not in required:
            direct[name] = (*direct.get(name, ()), version)
    return Lock(direct, pinned)
