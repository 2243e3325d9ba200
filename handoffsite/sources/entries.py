"""A note's front matter, or a note in JSON: the record's own names, taken as they stand."""

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NoReturn

from handoffsite.errors import Malformed
from handoffsite.records import entry, headings, identity
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.session import LISTS, Retirement, Update, kind_of
from handoffsite.records.standing import CONSTRAINTS, DECISIONS, THREADS, Statuses, is_question, marked
from handoffsite.records.thread import Thread
from handoffsite.sources import bumps, dates, phrases
from handoffsite.sources.placeholders import is_nothing, refuse_placeholder
from handoffsite.sources.sections import Gathered, Said, take

_TEXTS = {"title": "title", "focus": "focus", "narrative": "narrative"}
_HEAD = {  # what a note says of its session
    "session_id": "session_id", "sessionid": "session_id", "session": "session_id", "agent": "agent", "started": "started",
    "started_at": "started", "ended": "ended", "ended_at": "ended", "date": "date", "project": "project",
}  # fmt: skip
_LISTS = frozenset({*LISTS, "retired", "unfiled"})
# What a record says of itself; a record that is handed in as a note gets its own anew.
_OF_A_RECORD = frozenset({"id", "schema", "recorded", "source", "commits", "transcript", "quotes"})

# What people call the fields of an entry.
_NAMES: Mapping[str, Mapping[str, str]] = {
    "completed": {"text": "text", "title": "text", "item": "text", "task": "text", "description": "text", "what": "text"},
    "decision": {
        "title": "title", "decision": "title", "what": "title", "topic": "topic", "context": "context", "rationale": "rationale",
        "why": "rationale", "reason": "rationale", "because": "rationale", "alternatives": "alternatives", "supersedes": "supersedes",
        "status": "status",
    },
    "constraint": {
        "tried": "tried", "title": "tried", "constraint": "tried", "what": "tried", "outcome": "outcome", "result": "outcome",
        "because": "because", "why": "because", "reason": "because", "topic": "topic", "status": "status",
    },
    "dependency": {
        "ecosystem": "ecosystem", "name": "name", "package": "name", "change": "change", "action": "change", "from": "from", "to": "to",
        "version": "to", "file": "file",
    },
    "thread": {"title": "title", "task": "title", "text": "title", "what": "title", "next": "next", "next_step": "next", "status": "status"},
}  # fmt: skip
_LISTED = frozenset({"alternatives", "supersedes", "evidence"})


def json_fields(text: str, file: str) -> dict[str, Any]:
    """The object that *text* holds, every number a text; Malformed, with the line, where it holds none."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise Malformed(f"{twice!r} is there twice", file=file, line=_second(text, twice), hint="keep one of the two")
        return found

    try:
        found = json.loads(text, object_pairs_hook=unique, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise Malformed(
            f"not JSON: {error.msg}", file=file, line=error.lineno, hint="mend it, or write the note in Markdown"
        ) from error
    except RecursionError as error:
        raise Malformed("nested too deep", file=file, line=1, hint="a note is a mapping of texts and lists") from error
    if not isinstance(found, dict):
        raise Malformed("a JSON note is an object", file=file, line=1, hint='as in {"completed": ["…"]}')
    return found


def take_fields(gathered: Gathered, found: Mapping[str, Any], text: str) -> None:
    """Read *found*, the fields of *text*, into *gathered*."""
    reader = _Reader(gathered, text, getattr(found, "lines", {}))
    for key, value in found.items():
        reader.field(key, value)
    reader.name_session()


class _Reader:
    """Reads fields one after the other, and knows on which line each stands."""

    def __init__(self, gathered: Gathered, text: str, lines: Mapping[str, int]) -> None:
        self.gathered = gathered
        self.text = text
        self.lines = lines
        self.at = 0
        self.line = 1
        self.agent = ""

    def field(self, key: str, value: Any) -> None:
        """Read one field of the note."""
        name = key.strip().lower().replace("-", "_")
        self.find(key)
        self.line = self.lines.get(key, self.line)
        if value in (None, "", []):
            return
        if name in _TEXTS:
            self.text_field(_TEXTS[name], value, key)
        elif name in _HEAD:
            self.head_field(_HEAD[name], value, key)
        elif name in _OF_A_RECORD:
            said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            self.gathered.keep(f"{key}: {said}", self.line, f"{key!r} is what a record says of itself, and this is a note")
        else:
            self.section(name, key, value)

    def section(self, name: str, key: str, value: Any) -> None:
        section = name if name in _LISTS else ""
        if not section:
            role = headings.role(name.replace("_", " "), {})
            section = role.section if role and not role.rest and role.section in _LISTS else ""
            if section:
                self.gathered.warn(self.line, f"{key!r} is read as {section!r}")
        if section:
            self.list_field(section, value, key)
        else:
            self.unknown(key, value)

    def head_field(self, name: str, value: Any, key: str) -> None:
        """What the note says of its session; what cannot be taken as it stands is kept in the narrative."""
        said = self.string(value, key).strip()
        if name in {"started", "ended"}:
            if when := dates.utc(said):
                setattr(self.gathered, name, when)
            else:
                self.gathered.keep(f"{key}: {said}", self.line, f"{key!r} is no time such as 2026-11-30T09:30:00Z")
        elif name == "session_id" and " " not in said and not self.gathered.session_id:
            self.gathered.session_id = said
        else:
            self.agent = said if name == "agent" else self.agent
            self.gathered.narrative.append(f"{key}: {said}")

    def name_session(self) -> None:
        """Put the agent before the session's ID, as in the source of a record."""
        agent = "-".join(re.findall(r"[^\W_]+", self.agent.casefold()))
        if agent and self.gathered.session_id and ":" not in self.gathered.session_id:
            self.gathered.session_id = f"{agent}:{self.gathered.session_id}"

    def text_field(self, name: str, value: Any, key: str) -> None:
        said = self.string(value, key)
        if name == "narrative":
            self.gathered.narrative.append(said)
        elif not is_nothing(said):
            setattr(self.gathered, name, said.strip())

    def list_field(self, section: str, value: Any, key: str) -> None:
        if isinstance(value, str) and is_nothing(value):
            return
        values = value if isinstance(value, list) else [value]
        for one in values:
            if isinstance(one, str):
                self.find(one)
                self.plain(section, one)
            elif isinstance(one, Mapping):
                self.find(next((part for part in one.values() if isinstance(part, str) and part), ""))
                self.entry(section, one, getattr(one, "line", 0) or self.line)
            elif one is not None:
                self.refuse(f"{key!r} must be a list of texts or entries", self.line)

    def plain(self, section: str, said: str) -> None:
        if section == "unfiled":
            self.gathered.unfiled.append(said)
        elif section == "completed":
            refuse_placeholder(said, self.gathered.file, self.line)
            if not is_nothing(said):
                take(self.gathered, section, Said(text=said, raw=said, line=self.line))
        else:
            take(self.gathered, section, Said(text=said, raw=said, line=self.line))

    def entry(self, section: str, one: Mapping[str, Any], line: int) -> None:
        self.line = line
        if section == "unfiled":
            self.gathered.unfiled.append(json.dumps(one, ensure_ascii=False))
            return
        id = self.string(one.get("id") or "", "id")
        if section == "retired":
            if not identity.is_id(id):
                self.refuse("an entry of 'retired' needs the 'id' of an item", line)
            self.gathered.retired.append(
                Retirement(id=str(identity.parse(id)), reason=self.string(one.get("reason") or "", "reason"))
            )
            return
        kind = LISTS[section]
        if identity.is_id(id):
            self.update(kind, one, str(identity.parse(id)), line)
        else:
            self.define(kind, one, id, line)

    def update(self, kind: str, one: Mapping[str, Any], id: str, line: int) -> None:
        """A later word on an item of an earlier record."""
        if kind_of(id) != kind:
            self.refuse(f"{id} is no {kind}", line)
        rest = {
            key: self.value(key, value)
            for key, value in one.items()
            if key not in {"id", "reason", "evidence"} and value is not None
        }
        evidence = self.value("evidence", one.get("evidence") or [])
        self.gathered.updates.append(
            Update(
                id=id,
                changes=entry.changes(kind, _Placed(rest, line), self.gathered.file),
                reason=self.string(one.get("reason") or "", "reason"),
                evidence=(f"note:{line}", *evidence),
            )
        )

    def define(self, kind: str, one: Mapping[str, Any], id: str, line: int) -> None:
        """A new item; what its kind has no field for is kept in the narrative."""
        fields: dict[str, Any] = {}
        beyond: dict[str, Any] = {}
        for key, value in one.items():
            name = _NAMES[kind].get(key.strip().lower().replace("-", "_").replace(" ", "_"), "")
            if value in (None, "", []) or key in {"id", "evidence"}:
                continue
            if name and name not in fields:
                fields[name] = self.value(name, value)
            elif key != "status":
                beyond[key] = value
        evidence = (f"note:{line}", *self.value("evidence", one.get("evidence") or []))
        if not fields.get(entry.REQUIRED[kind]):
            self.refuse(f"a {kind} without {entry.REQUIRED[kind]!r}", line)
        if id:
            fields[entry.REQUIRED[kind]] = f"{id}: {fields[entry.REQUIRED[kind]]}"
        _DEFINE[kind](self, fields, evidence, line)
        if beyond:
            said = "; ".join(
                f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
                for key, value in beyond.items()
            )
            self.gathered.keep(f"{fields[entry.REQUIRED[kind]]}: {said}", line, f"a {kind} has no {next(iter(beyond))!r}")

    def completed(self, fields: dict[str, Any], evidence: tuple[str, ...], _line: int) -> None:
        self.gathered.completed.append(Completed(text=fields["text"], evidence=evidence))

    def decision(self, fields: dict[str, Any], evidence: tuple[str, ...], line: int) -> None:
        status = self.status("decision", fields.pop("status", ""), DECISIONS, line)
        if status == "open" or (not status and is_question(fields["title"])):
            rest = [
                f"{name}: {value if isinstance(value, str) else '; '.join(value)}"
                for name, value in fields.items()
                if name != "title" and value
            ]
            self.gathered.threads.append(Thread(title=fields["title"], status="waiting", evidence=evidence))
            if rest:
                self.gathered.narrative.append("; ".join((fields["title"], *rest)))
            self.gathered.warn(line, f"not decided yet: {fields['title'][:60]!r} became a thread")
            return
        self.gathered.decisions.append(Decision(status=status or "accepted", evidence=evidence, **fields))

    def constraint(self, fields: dict[str, Any], evidence: tuple[str, ...], line: int) -> None:
        status = self.status("constraint", fields.pop("status", ""), CONSTRAINTS, line) or "active"
        self.gathered.constraints.append(Constraint(status=status, evidence=evidence, **fields))

    def thread(self, fields: dict[str, Any], evidence: tuple[str, ...], line: int) -> None:
        status = self.status("thread", fields.pop("status", ""), THREADS, line) or "active"
        self.gathered.threads.append(Thread(status=status, evidence=evidence, **fields))

    def dependency(self, fields: dict[str, Any], evidence: tuple[str, ...], line: int) -> None:
        change = bumps.from_row(fields, evidence)
        if change is None:
            self.refuse("a dependency change without 'change', 'from' or 'to'", line)
        self.gathered.dependencies.append(change)

    def status(self, kind: str, said: str, known: Statuses, line: int) -> str:
        """The status that *said* means; nothing where it is empty."""
        word, more = known.meant(marked(said)[1]) if said else ("", "")
        if said and not word:
            statuses = ", ".join(dict.fromkeys(known.values()))
            self.refuse(f"{said!r} is no status of a {kind}", line, f"it is one of {statuses}")
        if more and more != word:
            self.gathered.keep(f"status: {said}", line, f"a status is one word: {said[:60]!r} is read as {known[word]!r}")
        return known.get(word, "")

    def unknown(self, key: str, value: Any) -> None:
        said = self.string(value, key) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        known = [*_TEXTS.values(), *_HEAD.values(), *_LISTS]
        close = get_close_matches(key.lower(), known, n=1, cutoff=0.6)
        nearest = f"the nearest is {close[0]!r}" if close else f"known are {', '.join(sorted(set(known)))}"
        self.gathered.keep(f"{key}: {said}", self.line, f"the field {key!r} is not known ({nearest})")

    def value(self, name: str, value: Any) -> Any:
        """*value* as the field *name* takes it: a text, or several."""
        if name not in _LISTED:
            return self.string(value, name)
        if isinstance(value, str):
            value = phrases.ids(value) if name == "supersedes" else phrases.listed(value)
        if not isinstance(value, list | tuple):
            self.refuse(f"{name!r} must be a list of texts", self.line)
        return tuple(self.string(one, name) for one in value)

    def string(self, value: Any, name: str) -> str:
        """*value* as a text that is no placeholder."""
        if isinstance(value, bool):
            return str(value).lower()
        if not isinstance(value, str):
            self.refuse(f"{name!r} must be a text", self.line)
        refuse_placeholder(value, self.gathered.file, self.line)
        return value

    def find(self, said: str) -> None:
        """Go on to the line on which *said* stands, if it can be found further on."""
        shown = json.dumps(said, ensure_ascii=False)[1:-1][:40]
        found = self.text.find(shown, self.at, self.at + _FARTHEST) if shown else -1
        if found < 0 and (plain := said.split("\n", 1)[0][:40]):
            found = self.text.find(plain, self.at, self.at + _FARTHEST)
        if found >= 0:
            self.counted += self.text.count("\n", self.at, found)
            self.at = found
        self.line = self.counted

    counted = 1

    def refuse(self, message: str, line: int, hint: str = "") -> NoReturn:
        raise Malformed(
            message, file=self.gathered.file, line=line, hint=hint or "write it as the record does: `handoffsite schema session`"
        )


class _Placed(dict[str, Any]):
    """A mapping that knows its line."""

    def __init__(self, values: Mapping[str, Any], line: int) -> None:
        super().__init__(values)
        self.line = line


_FARTHEST = 100_000
_DEFINE = {
    "completed": _Reader.completed,
    "decision": _Reader.decision,
    "constraint": _Reader.constraint,
    "dependency": _Reader.dependency,
    "thread": _Reader.thread,
}


def _second(text: str, key: str) -> int:
    """The line on which *key* stands for the second time."""
    shown = json.dumps(key, ensure_ascii=False)
    at = text.find(shown, text.find(shown) + 1)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
