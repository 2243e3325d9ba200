"""A Markdown note as blocks with their lines: headings, items of lists, tables, paragraphs, code."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from handoffsite.records.grammar import row

HEADING, ITEM, TABLE, PARAGRAPH, CODE, COMMENT = "heading", "item", "table", "paragraph", "code", "comment"
LABEL_LEVEL = 7  # of a bold label that stands where a heading could

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})(.*)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_LABEL = re.compile(r"(\*\*|__)(?=\S)((?:(?!\1).){1,120}?)(?:([:：])\1|\1[ \t]*([:：]?))[ \t]*(.*)")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•‣–]|\d{1,4}[.)])(?:[ \t]+(.*))?")
_MARKED = re.compile(r"(?:[✅❌⏳✓✔✗✘🔄🚧⬜☐☑🟡🔴🟢]️?)[ \t]+\S")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_COMMENT_END = "-->"
_LONGEST_SETEXT = 120


@dataclass(slots=True, kw_only=True)
class Block:
    """One block. *text* is what it says, *raw* its lines as they are written, *line* the first of them, from 1.

    An item's *text* is its first paragraph on one line, *children* are the items beneath it, each on one line. A heading's
    *level* is 1 to 6, or 7 for a bold label, of which *rest* is what stands behind it on its line. A table has *rows*, the head
    first, with *lines* for each.
    """

    kind: str
    line: int
    raw: str = ""
    text: str = ""
    level: int = 0
    rest: str = ""
    children: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


def blocks(text: str, first_line: int = 1) -> Iterator[Block]:
    """The blocks of *text*, whose first line is *first_line* of the file."""
    reader = _Reader(text.split("\n"), first_line)
    while reader.at < len(reader.lines):
        block = reader.block()
        if block is not None:
            yield block


class _Reader:
    """Where reading stands in the lines of a note."""

    def __init__(self, lines: Sequence[str], first_line: int) -> None:
        self.lines = lines
        self.first_line = first_line
        self.at = 0

    def block(self) -> Block | None:
        """The block that begins here; None for an empty line or a rule."""
        line = self.lines[self.at]
        if not line.strip() or _RULE.fullmatch(line):
            self.at += 1
            return None
        if _FENCE.match(line):
            return self.code()
        if line.lstrip().startswith("<!--"):
            return self.comment()
        if heading := self.heading(line):
            return heading
        if self.is_table(self.at):
            return self.table()
        if (found := _ITEM.fullmatch(line)) is not None:
            return self.item(_width(found[1]), found[2] or "")
        if _MARKED.match(line):
            return self.item(0, line)
        return self.paragraph()

    def take(self, end: int) -> tuple[int, str]:
        """The number of the line here, and all lines up to *end*, which are taken."""
        start = self.at
        self.at = end
        return start + self.first_line, "\n".join(self.lines[start:end])

    def code(self) -> Block:
        end = self.fence_end(self.at)
        line, raw = self.take(end)
        return Block(kind=CODE, line=line, raw=raw, text=raw)

    def fence_end(self, start: int) -> int:
        """The line after the fenced block that begins at *start*; one that is never closed reaches to the end."""
        opened = _FENCE.match(self.lines[start])
        assert opened is not None
        mark = opened[1]
        for at in range(start + 1, len(self.lines)):
            closed = _FENCE.match(self.lines[at])
            if closed and closed[1][0] == mark[0] and len(closed[1]) >= len(mark) and not closed[2].strip():
                return at + 1
        return len(self.lines)

    def comment(self) -> Block:
        end = next((at for at in range(self.at, len(self.lines)) if _COMMENT_END in self.lines[at]), len(self.lines) - 1)
        line, raw = self.take(end + 1)
        return Block(kind=COMMENT, line=line, raw=raw, text=raw)

    def heading(self, line: str) -> Block | None:
        if found := _ATX.match(line):
            at, raw = self.take(self.at + 1)
            said = line[found.end() :].strip()
            bare = said.rstrip("#")
            text = bare.strip() if bare.endswith((" ", "\t")) else said
            return Block(kind=HEADING, line=at, raw=raw, text=text, level=len(found[1]))
        if found := _label(line):
            at, raw = self.take(self.at + 1)
            return Block(kind=HEADING, line=at, raw=raw, text=found[2].strip(), level=LABEL_LEVEL, rest=found[5].strip())
        below = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""
        underlined = below and _SETEXT.fullmatch(below)
        sentence = line.rstrip().endswith((".", "!", "?", ":", ";", ","))
        if (
            underlined
            and not sentence
            and len(line) <= _LONGEST_SETEXT
            and not line.startswith((" ", "\t", ">", "|"))
            and not _ITEM.fullmatch(line)
        ):
            at, raw = self.take(self.at + 2)
            return Block(kind=HEADING, line=at, raw=raw, text=line.strip(), level=1 if underlined[1][0] == "=" else 2)
        return None

    def is_table(self, at: int) -> bool:
        if at + 1 >= len(self.lines) or "|" not in self.lines[at] or "-" not in self.lines[at + 1]:
            return False
        return "|" in self.lines[at + 1] and _DELIMITER.fullmatch(self.lines[at + 1]) is not None

    def table(self) -> Block:
        end = self.at + 2
        while end < len(self.lines) and "|" in self.lines[end] and self.lines[end].strip():
            end += 1
        start = self.at
        line, raw = self.take(end)
        places = [start, *range(start + 2, end)]
        rows = [row(self.lines[at]) for at in places]
        return Block(kind=TABLE, line=line, raw=raw, text=raw, rows=rows, lines=[at + self.first_line for at in places])

    def item(self, indent: int, first: str) -> Block:
        """The item that begins here, with everything that is indented beneath it."""
        texts = [[first]]
        at = last = self.at + 1
        while (at := self.next_within(at, indent)) >= 0:
            line = self.lines[at]
            end = at + 1
            if _FENCE.match(line):
                end = self.fence_end(at)
                texts += ["\n".join(self.lines[at:end])], []
            elif found := _ITEM.fullmatch(line):
                texts.append([found[2] or ""])
            else:
                texts[-1].append(line.strip())
            at = last = end
        number, raw = self.take(last)
        said, *children = (" ".join(part for part in parts if part).strip() for parts in texts)
        return Block(kind=ITEM, line=number, raw=raw, text=said, children=[child for child in children if child])

    def next_within(self, at: int, indent: int) -> int:
        """The next line that says something and belongs to the item indented by *indent*; -1 where the item ends."""
        start = at
        while at < len(self.lines) and at < start + 3 and not self.lines[at].strip():
            at += 1
        if at >= len(self.lines) or not self.lines[at].strip():
            return -1
        line = self.lines[at]
        width = _width(line)
        if width > indent + 1:
            return at
        if at > start or _ITEM.fullmatch(line) or _starts_block(line) or _MARKED.match(line) or self.is_table(at):
            return -1
        return at

    def paragraph(self) -> Block:
        end = self.at + 1
        while end < len(self.lines):
            line = self.lines[end]
            if not line.strip() or _starts_block(line) or _ITEM.fullmatch(line) or _MARKED.match(line) or self.is_table(end):
                break
            end += 1
        number, raw = self.take(end)
        text = " ".join(part.strip().lstrip(">").strip() for part in raw.split("\n"))
        return Block(kind=PARAGRAPH, line=number, raw=raw, text=text)


def _width(line: str) -> int:
    """How far *line* is indented; a tab counts four."""
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _starts_block(line: str) -> bool:
    return bool(
        _ATX.match(line) or _FENCE.match(line) or _RULE.fullmatch(line) or line.startswith("<!--") or _label(line) is not None
    )


def _label(line: str) -> re.Match[str] | None:
    """The bold label that *line* consists of or begins with; None for bold words that a sentence begins with."""
    found = _LABEL.fullmatch(line)
    return found if found and (found[3] or found[4] or not found[5]) else None
