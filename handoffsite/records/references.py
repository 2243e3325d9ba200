"""Where a record's file speaks of an ID, and which items speak of others: what `check` compares."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from handoffsite.records import grammar, identity
from handoffsite.records.identity import Identity
from handoffsite.records.item import Item

# What an item of each kind says that is meant to hold today; a completed item tells of its own day.
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "decision": ("title", "rationale"),
    "constraint": ("tried", "outcome", "because"),
    "thread": ("title", "next"),
}
_ALL_TEXTS: Mapping[str, tuple[str, ...]] = {**_TEXTS, "completed": ("text",)}

# Letters that stand for items of records; those of mail and hand-offs have homes of their own.
LETTERS = frozenset("SDCT")

# Who says that something ended knows that it did.
_ENDED = re.compile(
    r"(?i)\b(?:supersed|replac|retir|reject|revert|revok|lift|expir|withdr[ae]w|obsolet|drop|remov|undo|undone|former|instead\b"
    r"|rather than\b|no longer\b|not any more\b|unlike\b|was\b|were\b)"
)
_CLAUSE = re.compile(r"[.;!?](?:\s|$)|\n")
_ENTRY = re.compile(r"  - \{(?:id: (?P<id>[^,}\s]+))?")


class Citation(NamedTuple):
    """One ID in the words of an item: the *field* that it stands in, how it is *written*, and whether it is said to have *ended*."""

    field: str
    written: str
    id: Identity
    ended: bool


def citations(item: Item, *, history: bool = False) -> Iterator[Citation]:
    """The IDs that *item*'s words cite, each once; with *history* also what a completed item cites."""
    seen = {item.id, *item.aliases}
    for name in (_ALL_TEXTS if history else _TEXTS).get(item.kind, ()):
        text = getattr(item.value, name)
        for start, end, id in identity.mentions(text):
            written = text[start:end]
            if id.letter in LETTERS and written not in seen:
                seen.add(written)
                yield Citation(name, written, id, is_ended(text, start, end))


def is_ended(text: str, start: int, end: int) -> bool:
    """Whether the clause of *text* around *start* and *end* says that what stands there holds no longer."""
    before = text.rfind("\n", 0, start) + 1
    for found in _CLAUSE.finditer(text, before, start):
        before = found.end()
    after = _CLAUSE.search(text, end)
    return _ENDED.search(text[before : after.start() if after else len(text)]) is not None


def line_of(text: str, id: str) -> int:
    """The line (1-based) of a record's file *text* on which the entry of *id* stands, or the first that speaks of it; 0 where none does."""
    whole = identity.parse(id)
    place = int(whole.part[1:]) if whole.part else 0
    wanted = {"c": "completed:", "d": "dependencies:"}.get(whole.part[:1], "")
    first, section, count = 0, "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith(" "):
            section, count = line, 0
        found = _ENTRY.match(line)
        if found and not found["id"]:
            count += 1
            if wanted and section == wanted and count == place:
                return number
        if found and found["id"] == id:
            return number
        if not first and id in line and any(line[start:end] == id for start, end, _ in identity.mentions(line)):
            first = number
    return first


def line_with(text: str, words: str, id: str = "") -> int:
    """The line of a record's file *text* that holds *words*, that of the entry *id* before others; 0 where none does."""
    lines = text.split("\n")
    own = line_of(text, id) if id else 0
    if own and words in lines[own - 1]:
        return own
    return next((number for number, line in enumerate(lines, 1) if words in line), 0)


def rows(text: str) -> Iterator[tuple[int, str]]:
    """The rows of a STATE.md that begin with an ID: line (1-based) and ID as written; what stands in a code fence is no row."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        fenced ^= line.lstrip().startswith("```")
        if not fenced and line.startswith("|") and (cells := grammar.row(line)) and identity.is_id(cells[0]):
            yield number, cells[0].strip()
