"""Running text: one clean line of it, its sentences, its key words, and whether two texts say the same."""

import re
from collections.abc import Container, Iterator
from functools import lru_cache

from handoffsite.records.pattern import lazy

HEADING = 200  # characters of an item's text
LINE = 2_000  # characters of one line; what is longer was not written to be read
EXAMINED = 16_000  # characters of one message that are looked at

_ESCAPE = lazy(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_CONTROL = lazy(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SPACE = lazy(r"\s+")
_FENCE = lazy(r"^\s{0,8}(?:```|~~~)")
_LINK = lazy(r"!?\[([^\[\]]{1,300})\]\([^()\s]{0,600}\)")
_STRONG = lazy(r"\*\*(?=\S)([^*\n]{1,400}?)(?<=\S)\*\*")
_MARKER = lazy(r"^\s*(?:[-*+•‣]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|\[[ xX]\]\s+|[✅✓✔☑❌✗👉➡→▶🎯🎉🚀📝⚠️]+\s*)+")
_END = lazy(r"(?<=[.!?])[\"”’)*]*\s+(?=[\"“'`*(\[\w])")
_ABBREVIATION = lazy(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|resp)|\b[A-Z])\.$", re.IGNORECASE)
_WORD = lazy(r"[a-z0-9_]{2,}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_SUFFIX = lazy(r"(?:ing|ed|es|s|e)\b")
STOP = frozenset(
    "a an and are as at be been but by can could did do does for from had has have if in into is it its just let me my no "
    "not now of ok okay "
    "on or our out should so some than that the their them then there these this those to too up was we were what when "
    "which will "
    "with without would you your".split()
)
_STOPPED = frozenset(_SUFFIX.sub("", word) for word in STOP)


def one_line(text: str, limit: int = HEADING) -> str:
    """*text* on one line: no escapes, no control characters, at most *limit* characters, cut between words."""
    text = text[: 8 * limit]
    if not text.isprintable() or "  " in text:
        text = _SPACE.sub(" ", _CONTROL.sub(" ", _ESCAPE.sub("", text)))
    text = text.strip()
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", limit // 2, limit - 1)
    return text[: cut if cut > 0 else limit - 1].rstrip(" ,;:-–—") + "…"


def plain(text: str) -> str:
    """*text* without links, bold and list markers; inline code stays, because identifiers read badly without it."""
    text = _MARKER.sub("", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "**" in text:
        text = _STRONG.sub(r"\1", text)
    return text.strip()


def capital(text: str, names: Container[str] = ()) -> str:
    """*text* with a capital at its start, unless it starts with code, a path or one of *names*, which have their own spelling."""
    first = text.split(" ", 1)[0].rstrip(",:;")
    return (
        text[:1].upper() + text[1:]
        if first.replace("'", "").replace("’", "").isalpha() and first.islower() and first not in names
        else text
    )


@lru_cache(maxsize=16)  # whoever follows the talk reads the same message, one after the other
def lines(text: str) -> tuple[str, ...]:
    """The lines of *text* that are somebody's words: no fenced code, no tables, no quotations."""
    text = text[:EXAMINED]
    if "\n" not in text:
        start = text.lstrip()
        return (text[:LINE],) if start and not start.startswith(("|", ">", "```", "~~~")) else ()
    found: list[str] = []
    fenced, fences = False, "```" in text or "~~~" in text
    for line in text.splitlines():
        start = line.lstrip()
        if fences and start.startswith(("```", "~~~")) and _FENCE.match(line):
            fenced = not fenced
        elif not fenced and start and not start.startswith(("|", ">")):
            found.append(line[:LINE])
    return tuple(found)


@lru_cache(maxsize=16)
def lowered(text: str) -> tuple[tuple[str, str], ...]:
    """The lines of *text* that are somebody's words, each with itself in lower case."""
    return tuple((line, line.lower()) for line in lines(text))


def sentences(text: str) -> Iterator[str]:
    """The sentences of *text*, line by line, as they stand; what is longer than a paragraph is cut."""
    for line in lines(text):
        yield from _cut(line.strip())


@lru_cache(maxsize=64)
def _cut(line: str) -> tuple[str, ...]:
    pieces = _END.split(line)
    if len(pieces) == 1:
        return (line,)
    found: list[str] = []
    held = ""
    for piece in pieces:
        held = f"{held} {piece}" if held else piece
        if not (held.endswith(".") and _ABBREVIATION.search(held[-8:])):
            found.append(held)
            held = ""
    return (*found, held) if held else tuple(found)


@lru_cache(maxsize=256)
def keywords(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    return frozenset(_WORD.findall(_SUFFIX.sub("", text.lower()))) - _STOPPED


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """How much of the smaller set both have: 0 to 1."""
    smaller = min(len(first), len(second))
    return len(first & second) / smaller if smaller else 0.0


def same(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two texts, by their key words, say the same in other words."""
    both = len(first | second)
    return bool(both) and len(first & second) / both >= 0.8
