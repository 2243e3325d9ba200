"""What a STATE.md says, read with line numbers: nothing is dropped, and what is read otherwise than it is written is said."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from handoffsite.records import grammar, headings, identity
from handoffsite.records.columns import COLUMNS, HEADLINES
from handoffsite.records.problem import Problem
from handoffsite.records.sealed import FOOTER
from handoffsite.records.state import COLUMNS as OWN
from handoffsite.records.state import FIELDS, SECTIONS

FILE = "STATE.md"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
_LABEL = re.compile(r"[ \t]*(\*\*|__)([^*_\n]{1,80}?)[:：]?\1[:：]?[ \t]*")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_BULLET = re.compile(r"( {0,3})(?:[-*+•]|\d{1,4}[.)])[ \t]+(\S.*)")
_OWN_LINES = re.compile(
    r"\d+ more (?:decisions?: `handoffsite search --kind decision`|unfiled: `handoffsite log` names their records)"
    r"|\d+ \w+(?:, \d+ \w+)* in archive/|\d+ proposed: `handoffsite review`"
)
_MOST_NEAREST = 50  # reports, after which nobody is told what a heading is like
_NOTHING = frozenset({"", "none", "none yet", "nothing", "n/a", "-", "–", "—"})
_NEW = frozenset({"", "new", "-", "–", "—", "+", "?"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a table. *id* is as it is written, empty for a new item; *fields* are the columns that are known, *beyond* the others."""

    line: int
    raw: str
    id: str
    fields: Mapping[str, str]
    beyond: tuple[tuple[str, str], ...] = ()
    fault: str = ""
    status: str = ""


@dataclass(slots=True, kw_only=True)
class Said:
    """What a STATE.md says. *missing* are sections without a heading, *faulty* those of which a part could not be read.

    *loose* holds what stands in no place that is known, by its first line.
    """

    focus: str = ""
    focus_line: int = 0
    rows: dict[str, list[Row]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    faulty: set[str] = field(default_factory=set)
    unfiled: list[tuple[int, str]] = field(default_factory=list)
    loose: list[tuple[int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def missing(self) -> frozenset[str]:
        """The sections that have no heading."""
        return frozenset({"focus", *OWN}) - self.lines.keys()

    def report(self, code: str, line: int, message: str, fix: str = "", *, error: bool = True) -> None:
        """Note something that is wrong, or read otherwise than it is written."""
        severity = "error" if error else "warning"
        self.problems.append(Problem(code=code, message=message, severity=severity, file=FILE, line=line, fix=fix))


@dataclass(slots=True)
class _Part:
    """The lines under one heading."""

    name: str
    line: int
    heading: str = ""
    status: str = ""
    lines: list[tuple[int, str]] = field(default_factory=list)


def parse(text: str, aliases: Mapping[str, str]) -> Said:
    """What *text* says; *aliases* are the project's own names of headings."""
    said = Said()
    for part in _parts(text.split("\n"), said, aliases):
        if part.name in SECTIONS:
            said.lines.setdefault(part.name, part.line)
        if part.name == "focus":
            _focus(part, said)
        elif part.name in OWN:
            _Table(part, said).read()
        elif part.name == "unfiled":
            said.unfiled += _quoted(part)
        else:
            _loose(part, said)
    return said


def is_new(id: str) -> bool:
    """Whether *id* asks for a new one."""
    return id.strip("*_` ").casefold() in _NEW


def canonical(text: str) -> str:
    """*text* as two spellings of the same agree: no escapes, no runs of white space."""
    return " ".join(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text).split())


def _parts(lines: Sequence[str], said: Said, aliases: Mapping[str, str]) -> Iterator[_Part]:
    at = _after_front_matter(lines, said)
    part = _Part("", at + 1)
    fence = ""
    while at < len(lines):
        line = lines[at]
        at += 1
        found = _FENCE.fullmatch(line)
        if fence:
            fence = "" if found and found[1].startswith(fence) and not found[2].strip() else fence
        elif found:
            fence = found[1]
        elif line.startswith(FOOTER):
            yield part
            part = _Part("", at + 1)
            continue
        elif opened := _heading(line, lines[at] if at < len(lines) else "", aliases):
            heading, level = opened
            yield part
            part = _opened(said, aliases, at, heading, level)
            at += level < 0
            continue
        part.lines.append((at, line))
    yield part


def _after_front_matter(lines: Sequence[str], said: Said) -> int:
    if lines[0].rstrip() != "---":
        said.report("malformed", 1, "the front matter is gone", "it is folded again", error=False)
        return 0
    for at, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return at + 1
        if line.startswith("#"):
            said.report("malformed", at + 1, "the front matter never ends", "it is folded again", error=False)
            return at
    return 1


def _heading(line: str, below: str, aliases: Mapping[str, str]) -> tuple[str, int] | None:
    """The heading on *line* and its level: -1 for one that is underlined, 7 for a bold label. Only known names are such headings."""
    if found := _ATX.match(line):
        return line[found.end() :].strip().rstrip("#").rstrip(), len(found[1])
    if label := _LABEL.fullmatch(line):
        known = headings.role(label[2], aliases)
        return (label[2], 7) if known and known.plain and not known.rest else None
    if line.strip() and _SETEXT.fullmatch(below) and "|" not in line and not _BULLET.match(line):
        known = headings.role(line.strip(), aliases)
        return (line.strip(), -1) if known and known.section in SECTIONS and not known.rest else None
    return None


def _opened(said: Said, aliases: Mapping[str, str], line: int, heading: str, level: int) -> _Part:
    """The part that *heading* opens; an alias is reported, and so is a name that nobody knows."""
    simple = headings.simplified(heading)
    known = headings.role(heading, aliases)
    own = simple if simple in SECTIONS else known.section if known and known.section in SECTIONS else ""
    if own:
        name = own.capitalize()
        if heading != name or level != 2:
            said.report("alias", line, f"the heading {heading[:60]!r} is read as `## {name}`", f"write `## {name}`", error=False)
        return _Part(own, line, heading, known.status if known else "")
    return _Part("", line, heading)


def _focus(part: _Part, said: Said) -> None:
    text = grammar.one_line(" ".join(line for _, line in part.lines))
    if text and said.focus:
        said.report("duplicate", part.line, "a second focus", "say it in one paragraph")
        said.loose.append((part.line, text))
    elif text:
        said.focus = text
        said.focus_line = next(line for line, one in part.lines if one.strip())


def _quoted(part: _Part) -> Iterator[tuple[int, str]]:
    """The texts of the section of what is unfiled: each block of quoted lines is one, and each block of others."""
    block: list[str] = []
    start, was_quoted = 0, False
    for line, text in [*part.lines, (0, "")]:
        is_quoted = text.startswith(">")
        if block and (not text.strip() or is_quoted != was_quoted):
            yield start, "\n".join(block)
            block = []
        if text.strip() and not _is_own(text):
            start = start if block else line
            block.append(text[1:].removeprefix(" ") if is_quoted else text)
        was_quoted = is_quoted


def _loose(part: _Part, said: Said) -> None:
    """Keep what stands under a heading that is none of ours, or under none."""
    lines = [(line, text) for line, text in part.lines if part.name != "archived" or not _is_own(text)]
    while lines and not lines[-1][1].strip():
        lines.pop()
    while lines and not lines[0][1].strip():
        lines.pop(0)
    if not lines and (not part.heading or part.name):
        return
    if part.heading and part.name != "archived":
        near = headings.nearest(part.heading) if len(said.problems) < _MOST_NEAREST else ""
        like = f"; the nearest one is {near.capitalize()}" if near in SECTIONS else ""
        said.report(
            "unknown-heading", part.line, f"the heading {part.heading[:60]!r} is none of STATE.md's{like}",
            f"its content is kept under Unfiled: move it to one of {', '.join(name.capitalize() for name in SECTIONS[:4])}",
            error=False,
        )  # fmt: skip
        lines.insert(0, (part.line, f"## {part.heading}"))
    else:
        said.report(
            "loose", lines[0][0], "text that stands in no section is kept under Unfiled", "move it to a section", error=False
        )
    said.loose.append((lines[0][0], "\n".join(text for _, text in lines)))


def _is_own(line: str) -> bool:
    """Whether *line* is one that we write where there is nothing, or where more is elsewhere."""
    return line.strip("*_ .").casefold() in _NOTHING or _OWN_LINES.fullmatch(line.strip()) is not None


class _Table:
    """The reader of a section that holds items: tables, and lists where somebody wrote one."""

    def __init__(self, part: _Part, said: Said) -> None:
        self.part, self.said = part, said
        self.name = part.name
        self.rows = said.rows.setdefault(part.name, [])
        self.head: list[str] = []
        self.names: list[str] = []
        self.kept: list[tuple[int, list[str]]] = []

    def read(self) -> None:
        lines = self.part.lines
        fence, at = "", 0
        while at < len(lines):
            number, text = lines[at]
            below = lines[at + 1][1] if at + 1 < len(lines) else ""
            at += 1
            found = _FENCE.fullmatch(text)
            if found or fence:
                self.keep(number, text)
                fence = (
                    found[1] if found and not fence
                    else "" if found and found[1].startswith(fence) and not found[2].strip() else fence
                )  # fmt: skip
            elif "|" in text and "-" in below and _DELIMITER.fullmatch(below) and "|" in below:
                self.enter(number, text)
                at += 1
            elif text.lstrip().startswith("|") or (self.head and "|" in text and text.strip()):
                self.row(number, text)
            elif not text.strip():
                self.head = self.head if below.lstrip().startswith("|") else []
            elif bullet := _BULLET.fullmatch(text):
                at = self.bullet(at, number, bullet[2])
            elif not _is_own(text):
                self.keep(number, text)
        self.said.loose += ((line, "\n".join(texts)) for line, texts in self.kept)

    def keep(self, line: int, *texts: str) -> None:
        """Keep lines that are no item; those that follow one another are one text."""
        if self.kept and self.kept[-1][0] + len(self.kept[-1][1]) == line:
            self.kept[-1][1].extend(texts)
            return
        self.said.report(
            "loose", line, f"no row of the table under {self.name.capitalize()}: kept under Unfiled",
            "make it a row, with an empty ID", error=False,
        )  # fmt: skip
        self.kept.append((line, [*texts]))

    def enter(self, line: int, text: str) -> None:
        """A head: its columns, each by the name of its field, or by nothing."""
        self.head = grammar.row(text)
        plain = [cell.strip("*_` ").casefold() for cell in self.head]
        ours = [column.casefold() for column in OWN[self.name]]
        fields = dict(zip(ours, ("id", "status", *FIELDS[self.name]), strict=True))
        self.names = []
        for place, name in enumerate(plain):
            known = fields.get(name) or ("id" if name in {"#", "no", "nr"} else COLUMNS[self.name].get(name, ""))
            known = "" if known in self.names or known not in fields.values() else known
            self.names.append(known)
            if known and name not in fields:
                meant = ours[list(fields.values()).index(known)]
                self.said.report(
                    "alias", line, f"the column {self.head[place][:40]!r} is read as {meant.capitalize()!r}", error=False
                )
            elif not known:
                self.said.faulty.add(self.name)
                self.said.report(
                    "unknown-column", line, f"the table under {self.name.capitalize()} has no column {self.head[place][:40]!r}",
                    f"its columns are {', '.join(OWN[self.name])}",
                )  # fmt: skip
        absent = [column for column, known in zip(OWN[self.name], fields.values(), strict=True) if known not in self.names]
        if absent:
            error = absent[0] == "ID"
            self.said.report(
                "missing-column", line, f"the table under {self.name.capitalize()} lacks {', '.join(absent)}",
                "what the records say of it stands", error=error,
            )  # fmt: skip

    def row(self, line: int, text: str) -> None:
        """A row; without a head above it, its columns are taken in our order where they are as many."""
        cells = grammar.row(text)
        if _DELIMITER.fullmatch(text) or not any(cells):
            return
        names = self.names if self.head else ["id", "status", *FIELDS[self.name]]
        fields: dict[str, str] = {}
        beyond = []
        for place, cell in enumerate(cells):
            if place < len(names) and names[place]:
                fields[names[place]] = cell
            elif cell:
                beyond.append((self.head[place] if place < len(self.head) else "", cell))
        fault = "" if self.head else "headless"
        if len(cells) > len(names):
            fault = "wide"
        elif len(cells) < len(names) or not text.rstrip().endswith("|"):
            fault = fault or "short"
        self.rows.append(
            Row(
                line=line,
                raw=text.strip(),
                id=fields.pop("id", "").strip("*_` "),
                fields=fields,
                beyond=tuple(beyond),
                fault=fault,
                status=self.part.status,
            )
        )

    def bullet(self, at: int, line: int, first: str) -> int:
        """An item of a list, with the lines that are indented beneath it, is a new item; the place of the line after it."""
        lines = self.part.lines
        texts = [first]
        while at < len(lines) and lines[at][1][:1] in {" ", "\t"} and lines[at][1].strip():
            texts.append(lines[at][1].strip())
            at += 1
        text = grammar.one_line(" ".join(texts))
        if _is_own(text):
            return at
        if identity.is_id(text.split()[0].strip("*_`:.,()[]")):
            self.said.faulty.add(self.name)
            self.keep(line, f"- {first}", *texts[1:])
            return at
        self.said.report("alias", line, f"a list under {self.name.capitalize()} is read as new rows", error=False)
        self.rows.append(Row(line=line, raw=f"- {text}", id="", fields={HEADLINES[self.name]: text}, status=self.part.status))
        return at
