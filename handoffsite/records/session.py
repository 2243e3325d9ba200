"""The session record: what one session did. Append-only; everything else is folded from these.

A file of Markdown: front matter for machines, a body rendered from it for people, the agent's own narrative, a footer.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from handoffsite.errors import Malformed
from handoffsite.records import entry, grammar, identity
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.item import Value
from handoffsite.records.thread import Thread
from handoffsite.records.visible import storable, visible

SCHEMA = "handoffsite/session@1"
ACT = "act:"
IMPORT = "import:"
NARRATIVE = "## Narrative\n"

# The record's lists, and the kind of item that each holds.
LISTS = {
    "completed": "completed",
    "decisions": "decision",
    "constraints": "constraint",
    "dependencies": "dependency",
    "threads": "thread",
}
_LIST_OF = {kind: name for name, kind in LISTS.items()}
_KIND_OF = {"D": "decision", "C": "constraint", "T": "thread", "c": "completed", "d": "dependency"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A later word on an item that an earlier record defined: the fields that change, why, and on what evidence."""

    id: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """An item, or everything that a session introduced, that no longer holds."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFile:
    """Which log a record was drawn from, and how much of it there was."""

    file: str
    lines: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """One record. Before it is numbered, *id* and the items' IDs are empty.

    *source* is the agent and its own session ID, or `note:<sha256>`, or `act:<uuid>`; *follows* the record that this one
    continues under another source; *note* the digest of the note that it holds beside a log. *quotes* maps evidence addresses to redacted lines, *messages* to the digest of the message
    that stands there, so that a fork's copies are known again. *purged* is the day on which something was taken out of this
    record; its session is then not extracted again. *unverified* lists commits that were named and git does not know, *artefacts* what the session handed over, by their IDs.
    """

    source: str
    project: str
    recorded: str
    id: str = ""
    title: str = ""
    started: str = ""
    ended: str = ""
    base: str = ""
    head: str = ""
    transcript: TranscriptFile | None = None
    note: str = ""
    follows: str = ""
    incomplete: str = ""
    purged: str = ""
    unverified: tuple[str, ...] = ()
    artefacts: tuple[str, ...] = ()
    quotes: Mapping[str, str] = field(default_factory=dict)
    messages: Mapping[str, str] = field(default_factory=dict)
    focus: str = ""
    completed: tuple[Completed, ...] = ()
    decisions: tuple[Decision, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    threads: tuple[Thread, ...] = ()
    updates: tuple[Update, ...] = ()
    retired: tuple[Retirement, ...] = ()
    unfiled: tuple[str, ...] = ()
    narrative: str = ""

    @property
    def is_act(self) -> bool:
        """Whether this is a word of a human or over MCP, or a file that was imported, rather than a session."""
        return self.source.startswith((ACT, IMPORT))

    @property
    def is_noted(self) -> bool:
        """Whether somebody wrote a note; what is only mined from a log yields to it."""
        if self.source.startswith("note:") or self.narrative:
            return True
        return any(address.startswith("note:") for value in self.items() for address in value.evidence)

    def items(self) -> Iterator[Value]:
        """Every item that the record defines, in the record's order."""
        for name in LISTS:
            yield from getattr(self, name)


Record = TypeVar("Record", bound=SessionRecord)


def numbered(record: Record, highest: Mapping[str, int]) -> Record:
    """*record* with its IDs: numbers one above the *highest* of each letter, one tag for all.

    The tag is drawn from the source and the items alone, so the same session makes the same tag in every clone.
    """
    tag = identity.tag(record.source, json.dumps([entry.dumps(value) for value in record.items()]), _words_on_others(record))
    id = str(identity.Identity("S", highest.get("S", 0) + 1, tag))
    lists: dict[str, Any] = {"id": id}
    for name, kind in LISTS.items():
        letter = identity.LETTERS.get(kind, "")
        first = highest.get(letter, 0) + 1
        values = getattr(record, name)
        if letter:
            ids = [str(identity.Identity(letter, number, tag)) for number in range(first, first + len(values))]
        else:
            ids = [f"{id}.{kind[0]}{place}" for place in range(1, len(values) + 1)]
        lists[name] = tuple(replace(value, id=own) for value, own in zip(values, ids, strict=True))
    return replace(record, **lists)


def mapping(record: SessionRecord) -> dict[str, Any]:
    """The front matter of *record*: texts, lists and mappings, in the order in which they are written."""
    found: dict[str, Any] = {"schema": SCHEMA, "id": record.id, "source": record.source, "project": record.project}
    for name in ("title", "started", "ended", "recorded"):
        found[name] = getattr(record, name)
    found["commits"] = {name: getattr(record, name) for name in ("base", "head") if getattr(record, name)}
    if record.transcript:
        found["transcript"] = {name.name: getattr(record.transcript, name.name) for name in fields(TranscriptFile)}
    for name in ("note", "follows", "incomplete", "purged", "unverified", "artefacts", "quotes", "messages", "focus"):
        found[name] = getattr(record, name)
    updates: dict[str, list[Any]] = {}
    for update in record.updates:
        updates.setdefault(kind_of(update.id), []).append(_update_entry(update))
    for name, kind in LISTS.items():
        found[name] = [_own_entry(value) for value in getattr(record, name)] + updates.get(kind, [])
    found["retired"] = [_without_empty({"id": one.id, "reason": one.reason}) for one in record.retired]
    found["unfiled"] = list(record.unfiled)
    return _without_empty(found)


def record_from(found: Mapping[str, Any], file: str = "", narrative: str = "") -> SessionRecord:
    """The record whose front matter is *found*; Malformed where it does not fit the schema."""
    _refuse_schema(found, file)
    id = _text(found, "id", file)
    values: dict[str, Any] = {"narrative": narrative}
    for name in (
        "id",
        "source",
        "project",
        "recorded",
        "title",
        "started",
        "ended",
        "note",
        "follows",
        "incomplete",
        "purged",
        "focus",
    ):
        values[name] = _text(found, name, file)
    for name in ("id", "source", "recorded"):
        if not values[name]:
            raise Malformed(f"a record without {name!r}", file=file, line=1, hint="restore the file from git or a backup")
    commits = found.get("commits") or {}
    values["base"], values["head"] = _text(commits, "base", file), _text(commits, "head", file)
    values["transcript"] = _transcript(found.get("transcript"), file)
    values["unverified"] = tuple(found.get("unverified") or ())
    values["artefacts"] = tuple(found.get("artefacts") or ())
    values["quotes"], values["messages"] = dict(found.get("quotes") or {}), dict(found.get("messages") or {})
    updates: list[Update] = []
    for name, kind in LISTS.items():
        values[name] = tuple(_definitions(kind, _entries(found, name, file), id, file, updates))
    values["retired"] = tuple(
        Retirement(id=_text(one, "id", file), reason=_text(one, "reason", file)) for one in _entries(found, "retired", file)
    )
    values["unfiled"] = tuple(found.get("unfiled") or ())
    unknown = found.keys() - values.keys() - {"schema", "commits"}
    if unknown:
        key = min(unknown)
        raise Malformed(f"a record has no {key!r}", file=file, line=getattr(found, "lines", {}).get(key, 0))
    return SessionRecord(updates=tuple(updates), **values)


def dumps(record: SessionRecord) -> str:
    """The whole text of a record's file, sealed."""
    lines = ["---"]
    for key, content in mapping(record).items():
        if key in LISTS or key == "retired":
            lines += [f"{key}:", *(f"  - {grammar.flow(one)}" for one in content)]
        else:
            lines.append(f"{key}: {grammar.flow(content)}")
    text = "\n".join((*lines, "---", "", visible(body(record))))
    if record.narrative:
        # Git may give a file CRLF and take it away again: a seal that spans neither knows the file in both forms.
        narrative = record.narrative.replace("\r\n", "\n").strip("\n")
        text = f"{text}\n{NARRATIVE}\n{narrative}\n"
    return grammar.seal(storable(text), record.id)


def loads(text: str, file: str) -> SessionRecord:
    """The record in *text*; Malformed, with file and line, where it is damaged in any way."""
    before, footer = grammar.unseal(text, file)
    found, rest, _ = grammar.front_matter(before, file)
    _, _, narrative = rest.partition(f"\n{NARRATIVE}\n")
    record = record_from(found, file, narrative.strip("\n"))
    if footer.words != record.id:
        raise Malformed(f"the footer is of {footer.words}, the record is {record.id}", file=file, line=footer.lines + 1)
    return record


def body(record: SessionRecord) -> str:
    """What people read of *record*, in Markdown; rendered from the front matter, never read back."""
    when = " to ".join(time for time in (record.started, record.ended) if time)
    parts = [
        f"# {grammar.one_line(record.title) or record.id}",
        " · ".join(word for word in (record.id, when, record.source) if word),
    ]
    if record.focus:
        parts.append(f"Focus: {grammar.one_line(record.focus)}")
    for name in LISTS:
        lines = [_bullet(value) for value in getattr(record, name)]
        lines += [f"- {update.id}: {_said(update)}" for update in record.updates if _LIST_OF.get(kind_of(update.id)) == name]
        if lines:
            parts.append("\n".join((f"## {name.capitalize()}", "", *lines)))
    if record.retired:
        parts.append("\n".join(("## Retired", "", *(f"- {one.id}: {grammar.one_line(one.reason)}" for one in record.retired))))
    return "\n\n".join(parts) + "\n"


def kind_of(id: str) -> str:
    """The kind of item that *id* names; `session` for a record."""
    found = identity.parse(id)
    return _KIND_OF.get(found.part[:1] or found.letter, "session")


def _words_on_others(record: SessionRecord) -> str:
    updates = [grammar.flow(_update_entry(update)) for update in record.updates]
    return "\n".join((*updates, *(f"{one.id} {one.reason}" for one in record.retired), *record.unfiled))


def _own_entry(value: Value) -> dict[str, Any]:
    found = entry.dumps(value)
    if "." in value.id:  # completed and dependency items are known by their place
        del found["id"]
    return found


def _update_entry(update: Update) -> dict[str, Any]:
    changes = {
        {"before": "from", "after": "to"}.get(key, key): list(one) if isinstance(one, tuple) else one
        for key, one in update.changes.items()
    }
    return {"id": update.id, **changes, **_without_empty({"reason": update.reason, "evidence": list(update.evidence)})}


def _definitions(kind: str, entries: list[Mapping[str, Any]], record: str, file: str, updates: list[Update]) -> Iterator[Value]:
    place = 0
    tag = identity.parse(record).tag
    for one in entries:
        id = _text(one, "id", file)
        if id and (identity.parse(id).tag != tag or entry.REQUIRED[kind] not in one):
            updates.append(_update(kind, one, id, file))
            continue
        place += 1
        value = entry.loads(kind, one, file)
        yield value if value.id else replace(value, id=f"{record}.{kind[0]}{place}")


def _update(kind: str, one: Mapping[str, Any], id: str, file: str) -> Update:
    rest = {key: content for key, content in one.items() if key not in {"id", "reason", "evidence"}}
    evidence = one.get("evidence") or ()
    return Update(id=id, changes=entry.changes(kind, rest, file), reason=_text(one, "reason", file), evidence=tuple(evidence))


def _entries(found: Mapping[str, Any], name: str, file: str) -> list[Mapping[str, Any]]:
    entries = found.get(name) or []
    if not isinstance(entries, list) or not all(isinstance(one, Mapping) for one in entries):
        raise Malformed(f"{name!r} must be a list of entries", file=file, line=getattr(found, "lines", {}).get(name, 0))
    return entries


def _transcript(found: Mapping[str, Any] | None, file: str) -> TranscriptFile | None:
    if not found:
        return None
    lines = str(found.get("lines", ""))
    if not lines.isdecimal():
        raise Malformed("a transcript's lines must be a number", file=file, line=getattr(found, "line", 0))
    return TranscriptFile(file=_text(found, "file", file), lines=int(lines), sha256=_text(found, "sha256", file))


def _refuse_schema(found: Mapping[str, Any], file: str) -> None:
    schema = found.get("schema")
    if schema != SCHEMA:
        hint = (
            "a newer handoffsite wrote it: update this one"
            if str(schema).startswith("handoffsite/session@")
            else "only session records belong here"
        )
        raise Malformed(f"the schema is {schema!r}, not {SCHEMA!r}", file=file, line=2, hint=hint)


def _text(found: Mapping[str, Any], key: str, file: str) -> str:
    content = found.get(key) or ""
    if not isinstance(content, str):
        raise Malformed(f"{key!r} must be a text", file=file, line=getattr(found, "lines", {}).get(key, 0))
    return content


def _without_empty(found: Mapping[str, Any]) -> dict[str, Any]:
    return {key: content for key, content in found.items() if content not in ("", (), [], {}, None)}


def _bullet(value: Value) -> str:
    found = entry.dumps(value)
    head = f"{value.id} " if "." not in value.id else ""
    status = f" ({value.status})" if value.KIND != "dependency" else ""
    details = [found.get(name, "") for name in ("outcome", "because", "rationale", "next")]
    tail = "; ".join(grammar.one_line(text) for text in details if text)
    others = [("instead of", found.get("alternatives")), ("replaces", found.get("supersedes"))]
    tail = "; ".join(
        filter(None, (tail, *(f"{word} {', '.join(map(grammar.one_line, texts))}" for word, texts in others if texts)))
    )
    return f"- {head}{grammar.one_line(value.headline)}{status}{': ' + tail if tail else ''}"


def _said(update: Update) -> str:
    said = {
        key: ", ".join(content) if isinstance(content, tuple | list) else str(content) for key, content in update.changes.items()
    }
    words = [f"{key} {grammar.one_line(content)}" for key, content in said.items()]
    return "; ".join((*words, *filter(None, (grammar.one_line(update.reason),)))) or "further evidence"
