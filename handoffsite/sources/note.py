"""A session note, as Markdown, as Markdown with front matter, or as JSON, read into one value; and a draft for one."""

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import date
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records import grammar
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.note import Note
from handoffsite.records.session import Retirement, Update
from handoffsite.records.thread import Thread
from handoffsite.records.visible import invisible, visible
from handoffsite.sources import bumps, dates, entries
from handoffsite.sources.chapters import Chapters
from handoffsite.sources.outline import blocks
from handoffsite.sources.placeholders import BLANKS, DRAFT_COMMENT
from handoffsite.sources.sections import Gathered

MOST_CHARACTERS = 1024 * 1024  # a long real one has a tenth of that
_MOST_WARNINGS = 100
_SURROGATES = re.compile("[\ud800-\udfff]")
_BINARY = re.compile("[\x00-\x06\x0e-\x1a]")
_LIST = re.compile(r"\s*\[\s*(?:[{\"]|\d[\d\s,.]*\]\s*$)")
_HEADING = re.compile(r"#{1,6}\s")

# The fields in which people write of days.
_TEXTS = {
    Completed: ("text",),
    Decision: ("title", "context", "rationale"),
    Constraint: ("tried", "outcome", "because"),
    Thread: ("title", "next"),
    Update: ("reason",),
    Retirement: ("reason",),
}


def read(
    text: str,
    *,
    file: str = "note",
    today: date | None = None,
    aliases: Mapping[str, str] | None = None,
    first_line: int = 1,
    foreign: bool = False,
) -> Note:
    """The note that *text* is; *today* is the day that relative dates count from, *aliases* maps a project's headings to sections.

    *first_line* is where in its file a text without front matter begins. In a *foreign* one, `D-3` is a decision of another tool.

    Everything that the text says is in the note: in its items, its focus, or, word for word, in its narrative. Malformed, with
    the line, where the text is no note: empty, binary, too long, damaged, or a template in which a placeholder was left.
    """
    text = plain(text, file)
    gathered = Gathered(file=file, foreign=foreign)
    found: Mapping[str, Any]
    if _LIST.match(text):
        raise Malformed("a JSON note is an object, not a list", file=file, line=1, hint='as in {"completed": ["…"]}')
    if text.lstrip().startswith("{") and not text.lstrip().startswith("{{"):
        found, body, line = entries.json_fields(text, file), "", 1
    else:
        found, body, line = grammar.front_matter(text, file)
        line += first_line - 1
    entries.take_fields(gathered, found, text)
    Chapters(gathered, aliases or {}).read(blocks(body, line))
    gathered.dependencies = bumps.settled(gathered.dependencies)
    note = _note(gathered)
    if _says_nothing(note):
        raise Malformed("the note says nothing", file=file, line=1, hint="`handoffsite end --draft` prints one to fill in")
    note = _dated(note, text, today, gathered, first_line)
    _warn_of_hidden(text, gathered)
    return replace(note, warnings=_limited(gathered.warnings))


def draft(note: Note) -> str:
    """A note in Markdown for an agent to complete: what *note* knows, and ‹…› where only the agent can say."""
    blank = {name: f"‹{words}›" for name, words in BLANKS.items()}
    parts = [f"# {_line(note.title) or blank['title']}", DRAFT_COMMENT, f"## Focus\n\n{_line(note.focus) or blank['focus']}"]
    parts.append(_section("Completed", [f"- {_line(one.text)}" for one in note.completed], blank["completed"]))
    parts.append(
        _section(
            "Decisions", [_decision(one, blank) for one in note.decisions], blank["decisions"], ("Rationale", blank["rationale"])
        )
    )
    constraints = [_constraint(one, blank) for one in note.constraints]
    parts.append(
        _section("Constraints", constraints, blank["constraints"], ("Outcome", blank["outcome"]), ("Because", blank["because"]))
    )
    parts.append(_section("Dependencies", [f"- {bumps.phrase(one)}" for one in note.dependencies], blank["dependencies"]))
    parts.append(_section("Threads", [_thread(one, blank) for one in note.threads], blank["threads"], ("Next", blank["next"])))
    return "\n\n".join(parts) + "\n"


def plain(text: str, file: str) -> str:
    """*text* with one kind of line ends and without a byte order mark; Malformed where it is no text."""
    if len(text) > MOST_CHARACTERS:
        hint = "a note is a summary: hand a log over as --transcript"
        raise Malformed(f"{len(text):,} characters are no note", file=file, line=1, hint=hint)
    text = text.removeprefix("\ufeff")
    if found := _BINARY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise Malformed(
            f"not a text: it holds the byte {ord(found.group()):#04x}", file=file, line=line, hint="hand in Markdown or JSON"
        )
    if not text.strip():
        raise Malformed("the note is empty", file=file, line=1, hint="`handoffsite end --draft` prints one to fill in")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATES.sub(lambda found: visible(found.group()), text)


def _note(gathered: Gathered) -> Note:
    values: dict[str, Any] = {part.name: getattr(gathered, part.name) for part in fields(Note)}
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return Note(**{**values, **lists, "narrative": "\n\n".join(gathered.narrative).strip("\n")})


def _says_nothing(note: Note) -> bool:
    lists = (
        note.completed,
        note.decisions,
        note.constraints,
        note.dependencies,
        note.threads,
        note.updates,
        note.retired,
        note.unfiled,
    )
    said = any(line.strip() and not _HEADING.match(line) for line in note.narrative.split("\n"))
    return not (any(lists) or note.focus or said)


def _dated(note: Note, text: str, today: date | None, gathered: Gathered, first_line: int) -> Note:
    """*note* with a date beside each relative one, or a warning of it."""
    changed: dict[str, Any] = {}
    for part in fields(note):
        values = getattr(note, part.name)
        if isinstance(values, tuple) and values and type(values[0]) in _TEXTS:
            changed[part.name] = tuple(_dated_item(value, today, gathered) for value in values)
    focus = _dated_text(note.focus, today, gathered, _line_of(note.focus, text, first_line))
    # The narrative stays as it was written, word for word.
    _dated_text(note.narrative, None, gathered, _line_of(note.narrative, text, first_line))
    return replace(note, focus=focus, **changed)


def _line_of(said: str, text: str, first_line: int) -> int:
    """The line of the file on which the first relative date of *said* stands."""
    found = next(dates.relative(said), None)
    return text.count("\n", 0, max(0, text.find(found.group()))) + first_line if found else 0


def _dated_item(value: Any, today: date | None, gathered: Gathered) -> Any:
    evidence = getattr(value, "evidence", ())
    line = int(evidence[0].rpartition(":")[2]) if evidence else 0
    texts = {name: _dated_text(getattr(value, name), today, gathered, line) for name in _TEXTS[type(value)]}
    return replace(value, **texts) if any(getattr(value, name) != text for name, text in texts.items()) else value


def _dated_text(text: str, today: date | None, gathered: Gathered, line: int) -> str:
    found = [one.group() for one in dates.relative(text)]
    if not found:
        return text
    result = dates.dated(text, today) if today else text
    if left := list(dict.fromkeys(one.group() for one in dates.relative(result))):
        gathered.warn(line, f"{', '.join(left[:5])}: a later reader cannot tell which day is meant; write the date")
    return result


def _warn_of_hidden(text: str, gathered: Gathered) -> None:
    hidden = invisible(text)
    if hidden:
        gathered.warn(
            1, f"hidden characters: {', '.join(hidden[:8])}" + (f" and {len(hidden) - 8} more" if len(hidden) > 8 else "")
        )


def _limited(warnings: list[str]) -> tuple[str, ...]:
    unique = list(dict.fromkeys(warnings))
    if len(unique) <= _MOST_WARNINGS:
        return tuple(unique)
    return (*unique[:_MOST_WARNINGS], f"and {len(unique) - _MOST_WARNINGS} more of the kind")


def _section(name: str, lines: list[str], blank: str, *beneath: tuple[str, str]) -> str:
    """One section of a draft: its items, and a blank one where there are none."""
    if not lines:
        lines = ["\n".join((f"- {blank}", *(f"  - {label}: {words}" for label, words in beneath)))]
    return f"## {name}\n\n" + "\n".join(lines)


def _decision(one: Decision, blank: Mapping[str, str]) -> str:
    lines = [f"- {_line(one.title)}"]
    lines += [f"  - Topic: {_line(one.topic)}"] if one.topic else []
    lines += [f"  - Context: {_line(one.context)}"] if one.context else []
    lines.append(f"  - Rationale: {_line(one.rationale) or blank['rationale']}")
    lines += [f"  - Alternatives: {'; '.join(map(_line, one.alternatives))}"] if one.alternatives else []
    lines += [f"  - Supersedes: {', '.join(one.supersedes)}"] if one.supersedes else []
    return "\n".join(lines)


def _constraint(one: Constraint, blank: Mapping[str, str]) -> str:
    lines = [f"- {_line(one.tried)}", f"  - Outcome: {_line(one.outcome) or blank['outcome']}"]
    lines.append(f"  - Because: {_line(one.because) or blank['because']}")
    lines += [f"  - Topic: {_line(one.topic)}"] if one.topic else []
    return "\n".join(lines)


def _thread(one: Thread, blank: Mapping[str, str]) -> str:
    lines = [f"- {_line(one.title)}"]
    lines += [f"  - Status: {one.status}"] if one.status != "active" else []
    lines += [f"  - Next: {_line(one.next) or blank['next']}"] if one.status != "done" else []
    return "\n".join(lines)


def _line(text: str) -> str:
    """*text* on one line; a sign that would be taken for a mark in front of it is escaped."""
    text = grammar.one_line(text)
    return f"\\{text}" if text[:1] in _MARKS else text


_MARKS = tuple("-*+#>[~|`<")
