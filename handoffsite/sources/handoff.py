"""HANDOFF.md and its kin, written by whatever agent or human: one part for the file, or one for each dated entry."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records import headings
from handoffsite.records.note import Note
from handoffsite.sources import adr, days, note
from handoffsite.sources.outline import HEADING, LABEL_LEVEL, Block, blocks
from handoffsite.sources.part import Part
from handoffsite.sources.text import base_name

# What the files are called, as words of the name: a project or a date may stand around them.
NAMES = (
    "handoff", "handoffs", "handover", "next session", "nextsession", "state", "status", "progress", "decision", "decisions", "todo", "todos",
    "worklog", "work log", "devlog", "dev log", "journal", "session notes", "session log", "session summary", "session state", "backlog",
)  # fmt: skip
_NAME = re.compile(rf"(?:^|\s)(?:{'|'.join(sorted(NAMES, key=len, reverse=True))})(?:\s|$)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}")
_MOST_UNREADABLE = 20  # lines that are left to the narrative, before a file is taken for a template
_MOST_ENTRIES = 2_000  # that make a record each; a file of more is one
_SHARE = 0.5  # of the headings of one level that must be dated
_SLUG = re.compile(r"[^\w.:-]+")

# What stands in a file of this name, where no heading says so.
_BY_NAME = {"decision": "decisions", "decisions": "decisions", "todo": "threads", "todos": "threads", "backlog": "threads"}


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some *lines* of a file from *first* on, and the *heading* and *day* that make them an entry."""

    first: int
    lines: Sequence[str]
    heading: str = ""
    day: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.lines).rstrip()


def is_named(name: str) -> bool:
    """Whether a file's *name* is one of a handoff."""
    return _NAME.search(name_words(name)) is not None


def name_words(name: str) -> str:
    """The words of a file's *name*, in lower case: `RepoHandover.md` has `repo handover`."""
    return " ".join(_CAMEL.split(name.rpartition(".")[0] or name)).lower().strip()


def read(text: str, file: str, aliases: Mapping[str, str] | None = None) -> list[Part]:
    """The parts of *text*, oldest first. Malformed, with the line, where it says nothing, is binary, or a template that nobody filled in."""
    text = note.plain(text, file)
    if text.lstrip().startswith("{") and not text.lstrip().startswith("{{"):
        return [Part(text=text, note=_whole(text, file), day=days.of_file(text, file), whole=True)]
    section = next((_BY_NAME[word] for word in name_words(base_name(file)).split() if word in _BY_NAME), "")
    pieces = _pieces(text)
    parts = [_part(piece, file, aliases or {}, section) for piece in pieces]
    if len(parts) == 1 and not pieces[0].heading:
        return [replace(parts[0], text=text, day=days.of_file(text, base_name(file)))]
    newest = max((part.day for part in parts), default="")
    return [part if part.day in {"", newest} else _past(part, file) for part in parts]


def tolerant(text: str, file: str, aliases: Mapping[str, str], *, first_line: int = 1, today: date | None = None) -> Note:
    """The note that *text* is; what cannot be read as one (a placeholder, a front matter of another kind) is left out, with a warning."""
    lines = text.split("\n")
    warnings: list[str] = []
    for _ in range(_MOST_UNREADABLE):
        try:
            found = note.read("\n".join(lines), file=file, today=today, aliases=aliases, first_line=first_line, foreign=True)
        except Malformed as error:
            left = _without(lines, error.line - first_line)
            if left is None or not any(line.strip() for line in left):
                raise
            lines = left
            warnings.append(f"{base_name(file)}:{error.line}: {error.message}; kept in the narrative")
        else:
            return replace(found, warnings=(*warnings, *found.warnings))
    raise Malformed(
        f"a template: more than {_MOST_UNREADABLE} places are not filled in", file=file, line=first_line, hint="fill it in first"
    )


def _without(lines: list[str], place: int) -> list[str] | None:
    """*lines* without what stands at *place*: all of a front matter, else the one line; None where nothing is to be left out."""
    end = _front_matter_end(lines)
    if place < end and any(lines[:end]):
        return ["" if at < end else line for at, line in enumerate(lines)]
    if not 0 <= place < len(lines) or not lines[place].strip():
        return None
    return [*lines[:place], "", *lines[place + 1 :]]


def _front_matter_end(lines: Sequence[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((at + 1 for at in range(1, len(lines)) if lines[at].rstrip() in {"---", "..."}), 1)


def _part(piece: _Piece, file: str, aliases: Mapping[str, str], section: str) -> Part:
    text, key = piece.text, _SLUG.sub("-", piece.heading).strip("-").casefold()[:120]
    today = date.fromisoformat(piece.day[:10]) if piece.day else None
    decided: list[Any] = []
    rest = text
    if section == "decisions":
        decided, rest = adr.decided_under_headings(text, file, piece.first)
    aliases = {**(_title_alias(piece, section) if section and not decided else {}), **aliases}
    try:
        found = tolerant(rest, file, aliases, first_line=piece.first, today=today)
    except Malformed:
        if not decided and not piece.heading:
            raise
        found = Note()  # an entry that is a heading and no more, or one that is all template
    title = found.title or piece.heading.strip(" #*_") or next(iter(_heads(piece)), "")
    decisions = tuple(sorted((*decided, *found.decisions), key=lambda one: int(one.evidence[0].rpartition(":")[2])))
    return Part(key=key, text=text, line=piece.first, note=replace(found, title=title, decisions=decisions), day=piece.day)


def _past(part: Part, file: str) -> Part:
    """An entry that newer ones follow: its next steps were those of its day, and stay in its narrative."""
    threads = tuple(one for one in part.note.threads if one.status == "done")
    left = len(part.note.threads) - len(threads)
    if not left:
        return part
    said = f"{base_name(file)}:{part.line}: {left} next steps of an older entry are kept in the narrative"
    return replace(part, note=replace(part.note, threads=threads, warnings=(*part.note.warnings, said)))


def _pieces(text: str) -> list[_Piece]:
    """The dated entries of *text*, oldest first, and before them what stands around them; all of it as one where there are no two."""
    lines = text.split("\n")
    heads = [block for block in _body(lines) if block.kind == HEADING and block.level < LABEL_LEVEL]
    level = _entry_level(heads)
    if not level:
        return [_Piece(1, lines)]
    entries: list[_Piece] = []
    rest = list(lines)
    outer = [block for block in heads if block.level <= level]
    for block, after in zip(outer, [*outer[1:], None], strict=True):
        day = days.heads(block.text) if block.level == level else ""
        if day:
            end = after.line - 1 if after else len(lines)
            entries.append(_Piece(block.line, lines[block.line - 1 : end], block.text, day))
            rest[block.line - 1 : end] = [""] * (end - block.line + 1)
    if not any(line.strip() and not line.startswith("#") and not _RULE.fullmatch(line) for line in rest):
        entries = _with_heads(entries, lines)
        rest = []
    entries = entries[::-1] if entries[0].day > entries[-1].day else entries
    entries.sort(key=lambda one: one.day)
    return [*([_Piece(1, rest)] if rest else []), *_unlike(entries)]


def _body(lines: Sequence[str]) -> Iterator[Block]:
    end = _front_matter_end(lines)
    return blocks("\n".join(lines[end:]), end + 1)


def _entry_level(heads: Sequence[Block]) -> int:
    """The level of the headings that are dated entries; 0 where there are no two."""
    dated = Counter(block.level for block in heads if days.heads(block.text))
    if sum(dated.values()) > _MOST_ENTRIES:
        return 0
    of_level = Counter(block.level for block in heads)
    return min((level for level, count in dated.items() if count > 1 and count >= _SHARE * of_level[level]), default=0)


def _with_heads(entries: Sequence[_Piece], lines: Sequence[str]) -> list[_Piece]:
    """*entries*, each with the headings and rules that stand before it: they say nothing of their own."""
    found = []
    begin = 1
    for one in entries:
        end = one.first - 1 + len(one.lines)
        found.append(replace(one, first=begin, lines=lines[begin - 1 : end]))
        begin = end + 1
    if begin <= len(lines):
        last = found[-1]
        found[-1] = replace(last, lines=lines[last.first - 1 :])
    return found


def _unlike(entries: Sequence[_Piece]) -> Iterator[_Piece]:
    """*entries*, with a number behind the heading of one that another has too."""
    seen: Counter[str] = Counter()
    for one in entries:
        seen[one.heading] += 1
        yield one if seen[one.heading] == 1 else replace(one, heading=f"{one.heading} ({seen[one.heading]})")


def _title_alias(piece: _Piece, section: str) -> dict[str, str]:
    """What the first heading of *piece* opens, where only the file's name says what is beneath it."""
    heads = _heads(piece)
    return {heads[0]: section} if heads and not any(headings.role(text, {}) for text in heads) else {}


def _heads(piece: _Piece) -> list[str]:
    return [block.text for block in _body(piece.lines) if block.kind == HEADING and block.level < LABEL_LEVEL]


def _whole(text: str, file: str) -> Note:
    found = note.read(text, file=file, foreign=True)
    return replace(found, narrative="")
