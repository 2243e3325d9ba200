"""Whether a STATE.md is as it was written: whole, cut short, damaged, edited by hand, in the middle of a merge, or no file of ours."""

import hashlib
import re
from dataclasses import dataclass

from handoffsite.errors import Malformed
from handoffsite.records.grammar import refuse_conflict
from handoffsite.records.pattern import lazy
from handoffsite.records.state import SCHEMA

WHOLE, EDITED, TRUNCATED, DAMAGED, CONFLICT, FOREIGN, NEWER = "whole edited truncated malformed conflict foreign newer".split()

FOOTER = "<!-- handoffsite:end state "
_FOOTER = lazy(
    r"^<!-- handoffsite:end state generation=(?P<generation>\d{1,12}) records=(?P<records>[0-9a-f]{16}) "
    r"lines=\d{1,9} sha256=(?P<sha256>[0-9a-f]{64}) -->[ \t]*$"
)
_LIMIT = lazy(r"^budget: \{limit: (\d{1,9}),", re.MULTILINE)
_OPENING = f"---\nschema: {SCHEMA.partition('@')[0]}@"
_SCHEMA = lazy(r"---\nschema: [\"']?handoffsite/state@(\d{1,9})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What a file is: its *kind*, *message* and *line* where something is wrong with it, and what its footer says.

    *text* is what it holds, with line feeds alone at the ends of lines, and without a byte order mark.
    """

    kind: str
    message: str = ""
    line: int = 0
    text: str = ""
    generation: int = 0
    record_set: str = ""
    sha256: str = ""


def condition(data: bytes) -> Condition:
    """What the file that holds *data* is. A cut, NUL bytes and parts of two versions are damage; other valid text is an edit."""
    raw = data.decode("utf-8", "surrogateescape")
    text = raw.removeprefix("\ufeff").replace("\r\n", "\n")
    lines = text.count("\n") + 1
    if not text.strip("\0 \t\n"):
        return Condition(kind=TRUNCATED, message=f"empty: {len(data)} bytes without a word" if data else "empty", line=1)
    found = _SCHEMA.match(text)
    if found and found[1] != SCHEMA.rpartition("@")[2]:
        return Condition(kind=NEWER, message=f"the schema is handoffsite/state@{found[1]}, not {SCHEMA}", line=2, text=text)
    footers = [one for line in _footer_lines(text) if (one := _FOOTER.match(line))]
    marks = f"\n{text}".count(f"\n{FOOTER}")
    if not (found or marks or _OPENING.startswith(text.rstrip("\0"))):
        return Condition(
            kind=FOREIGN, message="no file of ours: it has neither our front matter nor our footer", line=1, text=text
        )
    try:
        refuse_conflict(text, "")
    except Malformed as error:
        return Condition(kind=CONFLICT, message=error.message, line=error.line, text=text)
    if "\0" in text:
        count, line = text.count("\0"), text.count("\n", 0, text.index("\0")) + 1
        return Condition(kind=TRUNCATED, message=f"holds {count} NUL bytes where text should be", line=line, text=text)
    if marks > 1:
        return Condition(kind=DAMAGED, message=f"has {marks} footers: parts of several versions", line=lines, text=text)
    if not footers:
        return Condition(kind=TRUNCATED, message="the file has no footer: it was cut short", line=lines, text=text)
    bad = _undecodable(data)
    if bad >= 0:
        return Condition(kind=DAMAGED, message="not UTF-8 text", line=data.count(b"\n", 0, bad) + 1)
    return _sealed(text, lines)


def limit_of(text: str) -> int:
    """The tokens that the front matter of *text* allows it; 0 where it does not say."""
    found = _LIMIT.search(text)
    return int(found[1]) if found else 0


def _footer_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith(FOOTER)]


def _undecodable(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return -1


def _sealed(text: str, lines: int) -> Condition:
    """The condition of a text with one footer: whole where it fits the footer, to the last byte, else edited."""
    start = f"\n{text}".index(f"\n{FOOTER}")
    footer, _, after = text[start:].partition("\n")
    found = _FOOTER.match(footer)
    assert found is not None
    fits = hashlib.sha256(text[:start].encode()).hexdigest() == found["sha256"] and not after.strip()
    is_cut = fits and not text.endswith("\n")
    return Condition(
        kind=TRUNCATED if is_cut else WHOLE if fits else EDITED,
        message="the last line has no end: it was cut short" if is_cut else "",
        line=lines if is_cut else 0,
        text=text,
        generation=int(found["generation"]),
        record_set=found["records"],
        sha256=found["sha256"],
    )
