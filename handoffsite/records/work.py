"""WORK.md: what waits for the executor and for the planner. It never accumulates: an empty section holds a sentinel."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from handoffsite.errors import HandoffError, Malformed
from handoffsite.records import grammar, mail
from handoffsite.records.mail import HUMAN, NOTHING, ROLES, Message, Receipt

SCHEMA = "handoffsite/work@1"
WORDS = "work"

_FOOTER = "<!-- handoffsite:end"
_CLOSED = re.compile(r"^<!-- handoffsite:end\b.*$", re.MULTILINE)
_SECTION = re.compile(mail.SECTION, re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_CONSTRAINT = r"C-[1-9]\d{0,8}-[0-9a-z]{3}"
_HEAD = re.compile(
    rf"###[ \t]+(?P<id>{mail.ID}) from (?P<sender>{mail.WHO}), (?P<sent>{mail.TIME})"
    rf"(?:, taken by (?P<by>{mail.WHO}), (?P<at>{mail.TIME}), at generation (?P<generation>\d{{1,9}}))?"
    rf"(?:, despite (?P<despite>{_CONSTRAINT}(?:, {_CONSTRAINT})*))?[ \t]*"
)
_LIKE_HEAD = re.compile(r"###[ \t]+M-\d")
_WHOLE = f"if it is whole all the same, end it with the line `{_FOOTER} {WORDS} -->`"

# A line of the file and its 1-based number.
_Line = tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What WORK.md holds.

    *serial* counts how often it was written, *highest* is the highest number of a message that it knows. *edited* says whether a
    human changed it since; *messages* without an ID were typed by hand.
    """

    project: str
    serial: int = 0
    highest: int = 0
    messages: tuple[Message, ...] = ()
    edited: bool = False

    def of(self, role: str) -> tuple[Message, ...]:
        """The messages that wait for *role*."""
        return tuple(message for message in self.messages if message.to == role)


def dumps(work: Work) -> str:
    """The text of WORK.md, sealed."""
    front = {"schema": SCHEMA, "project": work.project, "serial": work.serial, "highest": work.highest}
    lines = ["---", *(f"{key}: {grammar.flow(content)}" for key, content in front.items()), "---"]
    for role in ROLES:
        lines += ["", f"## For the {role}"]
        for message in work.of(role):
            lines += ["", _head(message), "", mail.escaped(message.text)]
        lines += [] if work.of(role) else ["", NOTHING]
    return grammar.seal("\n".join(lines), WORDS)


def loads(text: str, file: str) -> Work:
    """What the *text* of WORK.md says, edited by hand or not.

    Malformed, with the line and a code that tells them apart, where it is cut (`truncated`), holds NUL bytes (`nul`) or the
    markers of a merge (`conflict`), ends twice (`damaged`), or cannot be understood (`malformed`).
    """
    mail.refuse_nul(text, file)
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    body, edited = _opened(plain, file)
    found, rest, first = grammar.front_matter(body, file)
    if found.get("schema") != SCHEMA:
        what = f"is {found['schema']}" if found.get("schema") else "does not say which schema it has"
        hint = f"this version reads {SCHEMA}: restore the file from git, or use a newer handoffsite"
        raise Malformed(f"the file {what}", file=file, line=found.lines.get("schema", 1), hint=hint)
    lines = list(enumerate(rest.split("\n"), first))
    project = str(found.get("project") or "")
    messages = tuple(_messages(lines, project, file, edited=edited))
    return Work(
        project=project,
        serial=_number(found, "serial", file),
        highest=_number(found, "highest", file),
        messages=messages,
        edited=edited or text != plain,
    )


def resealed(text: str) -> str:
    """*text* with a footer that fits it again: for what was taken out of a sealed file on purpose."""
    at = text.rfind(_FOOTER)
    found = re.fullmatch(rf"{_FOOTER} (?P<words>.*?) ?lines=\d+ sha256=[0-9a-f]+ -->\n?", text[at:]) if at >= 0 else None
    return grammar.seal(text[:at], found["words"]) if found else text


def _head(message: Message) -> str:
    taken, despite = message.taken, ", ".join(message.despite)
    receipt = f", taken by {taken.by}, {taken.at}, at generation {taken.generation}" if taken else ""
    return f"### {message.id} from {message.sender}, {message.sent}{receipt}{f', despite {despite}' if despite else ''}"


def _opened(text: str, file: str) -> tuple[str, bool]:
    """The text without its footer, and whether it was edited since it was sealed."""
    grammar.refuse_conflict(text, file)
    try:
        before, footer = grammar.unseal(text, file)
        if footer.words == WORDS and footer.lines == before.count("\n") and text.endswith("\n"):
            return before, False
    except Malformed as error:
        if error.code == "conflict":
            raise
    ends = list(_CLOSED.finditer(text))
    if not ends:
        hint = f"it was cut short: restore it from git or a backup; {_WHOLE}"
        raise _damaged("truncated", "the file has no footer", file, text.count("\n") + 1, hint)
    end = ends[-1]
    if not end.group().endswith("-->"):
        hint = f"it was cut short: restore it from git or a backup; {_WHOLE}"
        raise _damaged("truncated", "the footer is cut", file, text.count("\n", 0, end.start()) + 1, hint)
    if len(ends) > 1:
        hint = "the end of an older version stands behind the newer one: remove what does not belong there"
        raise _damaged("damaged", "the file ends twice", file, text.count("\n", 0, ends[0].start()) + 1, hint)
    behind = text[end.end() :].strip()
    if behind and not _SECTION.match(behind.partition("\n")[0]):
        hint = "move it under the heading of whom it is for"
        line = text.count("\n", 0, text.index(behind, end.end())) + 1
        raise Malformed("text stands behind the footer", file=file, line=line, hint=hint)
    # Blanked, not removed, so that lines keep their numbers.
    return text[: end.start()] + text[end.end() :], True


def _messages(lines: Sequence[_Line], project: str, file: str, *, edited: bool) -> Iterator[Message]:
    fenced = _fenced(lines) if edited else frozenset[int]()
    sections = _sections(lines, fenced)
    if fenced and {role for role, _ in sections} != set(ROLES):
        fenced = frozenset()  # a fence of ours that never closes is paired with one of a human's
        sections = _sections(lines, fenced)
    last = max((number for number, line in lines if line.strip()), default=1)
    for role in ROLES:
        if role not in {name for name, _ in sections}:
            hint = f"put it back, with {NOTHING} under it"
            raise Malformed(f"there is no section `## For the {role}`", file=file, line=last, hint=hint)
    before = [line for line in lines[: _first(lines, fenced)] if line[1].strip()]
    if before:
        hint = "move it under the heading of whom it is for"
        raise Malformed("text stands before the first section", file=file, line=before[0][0], hint=hint)
    for role, inside in sections:
        yield from _of_section(role, inside, fenced, project, file)


def _fenced(lines: Sequence[_Line]) -> frozenset[int]:
    """The numbers of the lines inside code fences that are closed."""
    found: set[int] = set()
    fence, begun = "", 0
    for number, line in lines:
        mark = _FENCE.fullmatch(line)
        if not mark:
            continue
        if not fence:
            fence, begun = mark[1], number
        elif mark[1].startswith(fence) and not mark[2].strip():
            found.update(range(begun, number + 1))
            fence = ""
    return frozenset(found)


def _is_section(line: _Line, fenced: frozenset[int]) -> bool:
    return line[1].startswith("#") and line[0] not in fenced and _SECTION.match(line[1]) is not None


def _first(lines: Sequence[_Line], fenced: frozenset[int]) -> int:
    return next(place for place, line in enumerate(lines) if _is_section(line, fenced))


def _sections(lines: Sequence[_Line], fenced: frozenset[int]) -> list[tuple[str, list[_Line]]]:
    sections: list[tuple[str, list[_Line]]] = []
    for line in lines:
        if _is_section(line, fenced):
            role = next(role for role in ROLES if role in line[1].lower())
            sections.append((role, []))
        elif sections:
            sections[-1][1].append(line)
    return sections


def _of_section(role: str, lines: Sequence[_Line], fenced: frozenset[int], project: str, file: str) -> Iterator[Message]:
    typed: list[str] = []
    parts: list[tuple[re.Match[str], list[str]]] = []
    for number, line in lines:
        found = _HEAD.fullmatch(line) if line.startswith("###") and number not in fenced else None
        if found:
            parts.append((found, []))
        elif line.startswith("###") and number not in fenced and _LIKE_HEAD.match(line):
            hint = f"it reads `{_head(_EXAMPLE)}`; leave out the ID for a message of your own"
            raise Malformed("this heading of a message cannot be read", file=file, line=number, hint=hint)
        else:
            (parts[-1][1] if parts else typed).append(line)
    text = mail.unescaped(_without_sentinel(typed))
    if text:
        yield Message(project=project, to=role, sender=HUMAN, text=text)
    for head, body in parts:
        taken = Receipt(by=head["by"], at=head["at"], generation=int(head["generation"])) if head["by"] else None
        yield Message(
            id=head["id"],
            project=project,
            to=role,
            sender=head["sender"],
            sent=head["sent"],
            text=mail.unescaped(_without_sentinel(body)),
            despite=tuple(head["despite"].split(", ")) if head["despite"] else (),
            taken=taken,
        )


def _without_sentinel(lines: Sequence[str]) -> str:
    """The text of *lines*; a sentinel that a human left above or below it is none of its words."""
    text = mail.trimmed("\n".join(lines))
    first, _, rest = text.partition("\n")
    if first.strip() == NOTHING:
        text = mail.trimmed(rest)
    rest, _, last = text.rpartition("\n")
    return mail.trimmed(rest) if last.strip() == NOTHING else text


def _number(found: grammar.Fields, name: str, file: str) -> int:
    text = str(found.get(name) or "0")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        hint = "restore it from git"
        raise Malformed(f"{name!r} is not a number", file=file, line=found.lines.get(name, 1), hint=hint)
    return int(text)


def _damaged(code: str, message: str, file: str, line: int, hint: str) -> HandoffError:
    error = Malformed(message, file=file, line=line, hint=hint)
    error.code = code
    return error


_EXAMPLE = Message(id="M-3-k3f", project="", to="executor", sender="planner", sent="2026-11-30T18:02:11Z", text="")
