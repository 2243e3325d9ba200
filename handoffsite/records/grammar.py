"""Our Markdown, read strictly and with line numbers: front matter, footer, tables; and the YAML that we write.

YAML is read with every scalar as a string, because `0012` is an ID and not ten; aliases, tags and duplicate keys are refused.
It is written with every scalar quoted that could be read as anything else.
"""

import functools
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.visible import storable

MAX_DEPTH = 20
MAX_BYTES = 16 * 1024 * 1024
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_PLAIN = re.compile(r"[A-Za-z](?:[A-Za-z0-9_./+@-]|:(?=[A-Za-z0-9]))*(?: [A-Za-z0-9_./+()-]+)*", re.ASCII)
_NOT_PLAIN = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"])
_quoted = json.JSONEncoder(ensure_ascii=False).encode
_CONTROL = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7}|\|{7})(?=[ \r]|$)", re.MULTILINE)
_HIDDEN_SPACE = re.compile(r"[\x0b\x0c\x1c-\x1f]")
_SPACE = re.compile(r"[^\S\x0b\x0c\x1c-\x1f\x85\u2028\u2029]+")
_FOOTER = re.compile(r"<!-- handoffsite:end (?P<words>[^\n]*?) ?lines=(?P<lines>\d+) sha256=(?P<sha256>[0-9a-f]{64}) -->\n?")


class Fields(dict[str, Any]):
    """A mapping that knows where it stands: *line* of itself, and *lines* of each key, 1-based."""

    def __init__(self, line: int = 0) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class Footer:
    """The last line of a sealed file: its words, and the lines and digest of all bytes before it."""

    words: str
    lines: int
    sha256: str


def front_matter(text: str, file: str) -> tuple[Fields, str, int]:
    """The front matter of *text*, its body, and the 1-based line at which the body begins.

    A text without front matter gives no fields and the whole text. Malformed, with its line, where the block is cut, is no
    mapping, repeats a key, or holds aliases, tags or merge conflicts.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not re.match(r"---[ \t]*\n", text):
        return Fields(), text, 1
    if len(text) > MAX_BYTES:
        raise Malformed(f"larger than {MAX_BYTES // 1024 // 1024} MiB", file=file, hint="this is no file of ours")
    from frontmatter.default_handlers import YAMLHandler  # noqa: PLC0415 -- 35 ms that reading from the cache need not pay

    try:
        block, body = YAMLHandler().split(text)
    except ValueError as error:
        hint = "the file was cut short: restore it from git, or give the block its closing ---"
        raise Malformed("the front matter never ends", file=file, line=text.count("\n") + 1, hint=hint) from error
    refuse_conflict(block, file)
    body = body.removeprefix("\n")
    return yaml(block.removeprefix("\n"), file, first_line=2), body, text.count("\n", 0, len(text) - len(body)) + 1


def yaml(text: str, file: str, first_line: int = 1) -> Fields:
    """The mapping that *text* holds, every scalar a string (or None for null)."""
    import yaml as library  # noqa: PLC0415 -- as above

    loader = getattr(library, "CSafeLoader", library.SafeLoader)
    if "\\ud" in text.lower():  # half of a surrogate pair, which only the slow one reads
        loader = library.SafeLoader
    try:
        return _Builder(file, first_line).build(library.parse(text, Loader=loader))
    except library.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + first_line if mark else first_line
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise Malformed(f"not YAML: {problem}", file=file, line=line, hint="quote the value, or mend the indentation") from error


class _Builder:
    """Values from YAML events, without recursion, so that depth costs no stack."""

    def __init__(self, file: str, first_line: int) -> None:
        self.file = file
        self.first_line = first_line
        self.stack: list[Fields | list[Any]] = []
        self.keys: list[str | None] = []
        self.root: Any = None

    def build(self, events: Iterable[Any]) -> Fields:
        for event in events:
            name = type(event).__name__
            line = event.start_mark.line + self.first_line
            if name == "AliasEvent" or getattr(event, "anchor", None):
                self.refuse("aliases and anchors are not allowed", line)
            if name in {"MappingStartEvent", "SequenceStartEvent"}:
                if event.tag is not None:
                    self.refuse(f"the tag {event.tag} is not allowed", line)
                self.enter(Fields(line) if name == "MappingStartEvent" else [], line)
            elif name in {"MappingEndEvent", "SequenceEndEvent"}:
                self.stack.pop()
                self.keys.pop()
            elif name == "ScalarEvent":
                self.scalar(event, line)
        if not isinstance(self.root, Fields):
            self.refuse("the front matter is not a list of `key: value`", self.first_line)
        root: Fields = self.root
        return root

    def enter(self, value: Fields | list[Any], line: int) -> None:
        if len(self.stack) >= MAX_DEPTH:
            self.refuse(f"nested deeper than {MAX_DEPTH}", line)
        self.add(value, line)
        self.stack.append(value)
        self.keys.append(None)

    def scalar(self, event: Any, line: int) -> None:
        if event.tag not in {None, "!"}:
            self.refuse(f"the tag {event.tag} is not allowed", line)
        is_key = bool(self.stack) and isinstance(self.stack[-1], Fields) and self.keys[-1] is None
        null = event.implicit[0] and event.value in _NULLS and not is_key
        if is_key:
            self.key(event.value, line)
        else:
            self.add(None if null else event.value, line)

    def key(self, name: str, line: int) -> None:
        fields = self.stack[-1]
        if name in fields:
            self.refuse(f"{name!r} is there twice", line)
        assert isinstance(fields, Fields)
        fields.lines[name] = line
        self.keys[-1] = name

    def add(self, value: Any, line: int) -> None:
        if not self.stack:
            self.root = value
        elif isinstance(top := self.stack[-1], list):
            top.append(value)
        else:
            key = self.keys[-1]
            if key is None:
                self.refuse("a key must be a plain word", line)
            top[str(key)] = value
            self.keys[-1] = None

    def refuse(self, message: str, line: int) -> None:
        raise Malformed(message, file=self.file, line=line, hint="front matter is plain `key: value`, lists, and lists of those")


@functools.lru_cache(maxsize=4096)
def scalar(value: str | int | None) -> str:
    """*value* as one YAML scalar that every reader takes for the same: plain only where nothing else could be meant."""
    if value is None:
        return "null"
    if isinstance(value, int):
        return str(value)
    if len(value) <= 100 and _PLAIN.fullmatch(value) and value.lower() not in _NOT_PLAIN:
        return value
    quoted = _quoted(storable(value))
    return (
        quoted if value.isascii() and "\x7f" not in value else _CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)
    )


def flow(value: Any) -> str:
    """*value*, made of mappings, lists and scalars, on one line of YAML."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(inner) for inner in value) + "]"
    return scalar(value)


def seal(text: str, words: str) -> str:
    """*text* with a footer line that holds *words*, and the number of lines and the digest of all bytes before it."""
    text = text if text.endswith("\n") else f"{text}\n"
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return f"{text}<!-- handoffsite:end {words} lines={text.count(chr(10))} sha256={sha256} -->\n"


def unseal(text: str, file: str) -> tuple[str, Footer]:
    """The text before the footer, and the footer; Malformed where the footer is missing or does not fit the text.

    What an editor or git adds on the way (a byte order mark, CRLF, blank lines at the end) hides nothing. The code of the error
    tells damage apart: `truncated` (no footer), `edited` (another digest), `conflict` (merge markers).
    """
    found = _sealed(text) or _sealed(_bare(text))
    if found is None:
        refuse_conflict(text, file)
        raise _unsealed(_bare(text), file)
    return found


def is_sealed(text: str) -> bool:
    """Whether *text* ends in a footer that fits it."""
    return _sealed(text) is not None


def plain(text: str) -> str:
    """*text* as it was sealed, if a byte order mark, CRLF or the blank lines at the end are all that was changed; else as it is."""
    bare = _bare(text)
    return bare if bare != text and _sealed(bare) and not (text.endswith("\n") and _sealed(text)) else text


def sides(text: str) -> tuple[str, ...]:
    """What stood there before a merge that left its markers in *text*: those of its two sides that are sealed and whole."""
    found: dict[str, None] = {}
    for kept in ("<<<<<<<", "======="):
        side, lines = "", []
        for line in text.splitlines(keepends=True):
            if marker := _CONFLICT.match(line):
                side = "" if line.startswith(">") else marker[1]
            elif side in {"", kept}:
                lines.append(line)
        if _sealed(whole := "".join(lines)):
            found.setdefault(whole)
    return tuple(found)


def _sealed(text: str) -> tuple[str, Footer] | None:
    """The text before the footer, and the footer, if the two fit."""
    start = text.rfind("<!-- handoffsite:end ")
    found = _FOOTER.fullmatch(text, start) if start >= 0 else None
    if found is None:
        return None
    before = text[:start]
    fits = hashlib.sha256(before.encode("utf-8", "surrogatepass")).hexdigest() == found["sha256"]
    return (before, Footer(found["words"], int(found["lines"]), found["sha256"])) if fits else None


def _bare(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip() + "\n"


def _unsealed(text: str, file: str) -> Malformed:
    """Why *text* is not as it was sealed."""
    last = next(reversed(list(_FOOTER.finditer(text))), None)
    if last is None:
        hint = "it was cut short: restore it from git or a backup"
        return _damaged("truncated", "the file has no footer", file, text.count("\n"), hint)
    lines = text.count("\n", 0, last.start())
    if last.end() < len(text):
        what = "goes on behind its footer"
    elif lines != int(last["lines"]):
        what = f"has {lines} lines where its footer says {last['lines']}"
    else:
        what = "differs from its footer's digest"
    hint = "it was edited or damaged after it was written: restore it from git or a backup"
    return _damaged("edited", f"the file {what}", file, lines + 1, hint)


def refuse_conflict(text: str, file: str) -> None:
    """Malformed, with the lines, where *text* holds the markers of an unfinished merge."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return
    lines = [text.count("\n", 0, found.start()) + 1 for found in _CONFLICT.finditer(text)]
    if lines:
        where = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines[:12]))}{' …' * (len(lines) > 12)}"
        hint = "finish the merge in git, keeping both sides"
        raise _damaged("conflict", f"holds the conflict markers of a merge ({where})", file, lines[0], hint)


def one_line(text: str) -> str:
    """*text* on one line, runs of white space as one space; separators that hide in a line stay, for `visible` to show."""
    if text.isascii() and _HIDDEN_SPACE.search(text) is None:
        return " ".join(text.split())
    return _SPACE.sub(" ", text).strip(" ")


def cell(text: str) -> str:
    """*text* as a cell of a Markdown table, to be read back by `row`."""
    text = one_line(text).replace("\\", "\\\\").replace("|", "\\|")
    # A lone backtick would open a code span that runs over the next divider.
    return text.replace("`", "\\`") if text.count("`") % 2 else text


def row(line: str) -> list[str]:
    """The cells of one line of a Markdown table; a `|` that is escaped or stands in `code` divides nothing."""
    cells, current, code, index = [], "", False, 0
    line = line.strip(" \t\r\n").removeprefix("|")
    while index < len(line):
        character = line[index]
        if character == "\\" and index + 1 < len(line) and line[index + 1] in "\\|`":
            current += line[index + 1]
            index += 1
        elif character == "|" and not code:
            cells.append(current.strip(" \t"))
            current = ""
        else:
            code ^= character == "`"
            current += character
        index += 1
    return [*cells, last] if (last := current.strip(" \t")) else cells


def _damaged(code: str, message: str, file: str, line: int, hint: str) -> Malformed:
    error = Malformed(message, file=file, line=line, hint=hint)
    error.code = code
    return error
