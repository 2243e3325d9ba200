"""What of a text stands in no item, line by line: so that the items and the narrative together hold every sentence of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from handoffsite.records.grammar import row

_WORD = re.compile(r"[^\W_]+")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t])")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})(.*)")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_BOX = re.compile(r"^(\s*(?:[-*+]|\d{1,4}[.)])\s+)\[[ xX]\]\s")
_NUMBER = re.compile(r"^\s*\d{1,4}[.)]\s+")
_STOP = re.compile(r"(?<=[.!?。！？])\s+")
_OURS = frozenset({"completed", "decisions", "constraints", "dependencies", "threads", "focus"})  # headings that a record has too
_GAP = "\n"  # between two texts: no word holds it


@dataclass(slots=True)
class Told:
    """What items and earlier records tell already: *by_line* what begins on a line of the text, *anywhere* what needs no such line.

    *lines* are whole lines that were kept before.
    """

    by_line: dict[int, str] = field(default_factory=dict)
    anywhere: str = _GAP
    lines: frozenset[str] = frozenset()

    @classmethod
    def of(cls, by_line: Mapping[int, Iterable[str]], anywhere: Iterable[str] = (), lines: Iterable[str] = ()) -> "Told":
        """From texts as they stand."""
        return cls({line: _pool(texts) for line, texts in by_line.items()}, _pool(anywhere), frozenset(map(words, lines)))


def remainder(text: str, told: Told, first_line: int = 1) -> str:
    """The lines of *text* of which *told* does not tell every sentence, with the headings that they stand under."""
    lines = text.split("\n")
    kept = _kept(lines, told, first_line)
    _keep_heads(lines, kept)
    return _joined(lines, kept)


def words(text: str) -> str:
    """The words of *text*, without markup, in lower case, each between spaces."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _pool(texts: Iterable[str]) -> str:
    return _GAP.join(("", *map(words, texts), ""))


def _kept(lines: Sequence[str], told: Told, first_line: int) -> list[bool]:
    """For each line whether it stays; what is fenced stays or goes as one."""
    kept = [False] * len(lines)
    pool, at = "", 0
    while at < len(lines):
        end = _fence_end(lines, at)
        for place in range(at, end):
            pool = told.by_line.get(place + first_line, pool)
            kept[place] = not _is_told(lines[place], pool, told, in_code=end > at + 1)
        if end > at + 1:
            kept[at:end] = [any(kept[at:end])] * (end - at)
        at = end
    return kept


def _fence_end(lines: Sequence[str], start: int) -> int:
    """The line after the fenced block that begins at *start*, or after that line where none does."""
    opened = _FENCE.match(lines[start])
    if opened is None:
        return start + 1
    mark = opened[1]
    for at in range(start + 1, len(lines)):
        closed = _FENCE.match(lines[at])
        if closed and closed[1][0] == mark[0] and len(closed[1]) >= len(mark) and not closed[2].strip():
            return at + 1
    return len(lines)


def _is_told(line: str, pool: str, told: Told, *, in_code: bool) -> bool:
    whole = words(line)
    if not whole.strip() or whole in told.lines:
        return True
    if not in_code and whole.strip() in _OURS and _HEADING.match(line):
        return True
    return all(not piece.strip() or piece in pool or piece in told.anywhere for piece in map(words, _pieces(line)))


def _pieces(line: str) -> list[str]:
    """The sentences of *line*, or its cells."""
    bare = line.strip()
    if bare.startswith("|") and bare.count("|") > 1:
        return row(line)
    return _STOP.split(_NUMBER.sub("", _BOX.sub(r"\1", line)))


def _keep_heads(lines: Sequence[str], kept: list[bool]) -> None:
    """Keep the heading over what is kept, and the head over the rows of a table."""
    open_heads: list[tuple[int, int]] = []
    at = 0
    while at < len(lines):
        end = _fence_end(lines, at)
        found = _HEADING.match(lines[at]) if end == at + 1 else None
        if found:
            level = len(found[1])
            while open_heads and open_heads[-1][0] >= level:
                open_heads.pop()
        if any(kept[at:end]):
            for _, place in open_heads:
                kept[place] = True
            open_heads.clear()
        if found:
            open_heads.append((level, at))
        at = end
    for place in range(1, len(lines)):
        if "|" in lines[place] and _DELIMITER.fullmatch(lines[place]):
            end = place + 1
            while end < len(lines) and "|" in lines[end]:
                end += 1
            if any(kept[place - 1 : end]):
                kept[place - 1] = kept[place] = True


def _joined(lines: Sequence[str], kept: Sequence[bool]) -> str:
    """The kept lines, parted by one empty line wherever something stood between them."""
    parts: list[str] = []
    gap = False
    for line, stays in zip(lines, kept, strict=True):
        if stays:
            in_table = bool(parts) and line.lstrip().startswith("|") and parts[-1].lstrip().startswith("|")
            parts += ["", line] if gap and parts and not in_table else [line]
            gap = False
        else:
            gap = True
    return "\n".join(parts)
