"""Cline's Markdown export: messages set apart by rules, and calls of functions written as `Key: value`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.sources.cline_markup import Piece, pieces

_HEADING = re.compile(r"\*\*(User|Assistant):\*\*\s*")
_USED = re.compile(r"^\[Tool Use: (\w{1,80})\]$", re.MULTILINE)
_KEY = re.compile(r"^([A-Z][A-Za-z_0-9]{1,30}): ?", re.MULTILINE)
_KEYS = frozenset(
    "path absolutePath content diff command commands requires_approval regex file_pattern recursive question options follow_up "
    "response result task_progress todos mode mode_slug message reason server_name tool_name arguments files queries query old_text "
    "new_text old_string new_string search replace line url action summary verified input args insert_line timeout cwd".split()
)


@dataclass(slots=True)
class Turn:
    """One message of the export; *line* is that on which its text begins."""

    is_human: bool
    text: str
    line: int


def turns(text: str) -> Iterator[Turn]:
    """The messages that *text* holds, in order."""
    lines = text.lstrip("\ufeff\0").split("\n")
    starts = [
        at for at, line in enumerate(lines) if line.startswith("**") and _HEADING.fullmatch(line) and _is_set_apart(lines, at)
    ]
    for number, at in enumerate(starts, 1):
        end = starts[number] if number < len(starts) else len(lines)
        body = "\n".join(lines[at + 1 : end])
        said = body.strip()
        if end < len(lines):
            said = said.removesuffix("---").rstrip()
        before = body[: len(body) - len(body.lstrip())]
        yield Turn(lines[at].startswith("**User"), said, at + 2 + before.count("\n"))


def exported(text: str) -> Iterator[Piece]:
    """The same for a text of the Markdown export, which spells calls that were none of XML."""
    found = list(_USED.finditer(text))
    yield from pieces(text[: found[0].start()] if found else text)
    for number, one in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        yield Piece("tool", one.start(), one[1], _keyed(text[one.end() : end]))


def _keyed(body: str) -> dict[str, str]:
    """The arguments that the export writes as `Key: value`, the value going on up to the next key."""
    marks = []
    seen: set[str] = set()
    for found in _KEY.finditer(body):
        key = found[1][0].lower() + found[1][1:]
        if key in _KEYS and key not in seen:
            seen.add(key)
            marks.append((key, found.start(), found.end()))
    given = {}
    for number, (key, _, start) in enumerate(marks, 1):
        end = marks[number][1] if number < len(marks) else len(body)
        given[key] = body[start:end].strip("\n")
    return given


def _is_set_apart(lines: list[str], at: int) -> bool:
    """Whether what stands before the line is a rule, or nothing: a message may quote another export."""
    before = next((line.strip() for line in reversed(lines[max(0, at - 4) : at]) if line.strip()), "")
    return before == "---" if at > 1 else not before
