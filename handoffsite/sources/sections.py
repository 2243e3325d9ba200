"""What stands under a heading that is known becomes items; what becomes none is kept, and said."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.session import Retirement, Update
from handoffsite.records.thread import Thread
from handoffsite.sources import bumps, phrases
from handoffsite.sources.placeholders import is_nothing, refuse_placeholder

_NOT_APPLICABLE = re.compile(r"(?:n/?a|none|nothing)\s*(?:[—–:(-])", re.IGNORECASE)
# How the columns of a table are headed, by section.
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "completed": {
        "completed": "text", "item": "text", "task": "text", "description": "text", "what": "text", "feature": "text", "work": "text",
        "title": "text", "done": "text", "change": "text", "status": "status", "id": "id",
    },
    "decisions": {
        "decision": "title", "choice": "title", "title": "title", "what": "title", "decided": "title", "rationale": "rationale",
        "why": "rationale", "reason": "rationale", "because": "rationale", "motivation": "rationale", "alternatives": "alternatives",
        "alternatives considered": "alternatives", "options": "alternatives", "status": "status", "topic": "topic", "area": "topic",
        "supersedes": "supersedes", "replaces": "supersedes", "context": "context", "id": "id",
    },
    "constraints": {
        "tried": "tried", "attempt": "tried", "approach": "tried", "constraint": "tried", "limitation": "tried", "issue": "tried",
        "blocker": "tried", "risk": "tried", "problem": "tried", "what": "tried", "what was tried": "tried", "outcome": "outcome",
        "result": "outcome", "what happened": "outcome", "impact": "outcome", "effect": "outcome", "because": "because", "why": "because",
        "reason": "because", "cause": "because", "root cause": "because", "status": "status", "topic": "topic", "id": "id",
    },
    "dependencies": {
        "package": "name", "name": "name", "dependency": "name", "library": "name", "ecosystem": "ecosystem", "manager": "ecosystem",
        "change": "change", "action": "change", "from": "from", "old": "from", "before": "from", "to": "to", "new": "to", "after": "to",
        "version": "to", "file": "file", "manifest": "file",
    },
    "threads": {
        "thread": "title", "task": "title", "item": "title", "title": "title", "what": "title", "todo": "title", "description": "title",
        "work": "title", "next": "next", "next step": "next", "next action": "next", "status": "status", "state": "status", "id": "id",
    },
}  # fmt: skip
_TITLES = {"completed": "text", "decisions": "title", "constraints": "tried", "dependencies": "name", "threads": "title"}
_KINDS = {"D": "decisions", "C": "constraints", "T": "threads"}


@dataclass(slots=True, kw_only=True)
class Gathered:
    """What was read of a note so far."""

    file: str
    title: str = ""
    focus: str = ""
    session_id: str = ""
    completed: list[Completed] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    dependencies: list[Dependency] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    retired: list[Retirement] = field(default_factory=list)
    unfiled: list[str] = field(default_factory=list)
    narrative: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def keep(self, raw: str, line: int, why: str) -> None:
        """Put *raw* into the narrative, and say *why* it became no item."""
        self.narrative.append(raw)
        self.warn(line, f"{why}; kept in the narrative")

    def warn(self, line: int, message: str) -> None:
        """Say *message* of *line*."""
        self.warnings.append(f"{self.file}:{line}: {message}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One item as it stands in a note: its *text* and *children*, its *line*, and what its headings say."""

    text: str
    raw: str
    line: int
    children: Sequence[str] = ()
    group: str = ""
    status: str = ""

    @property
    def evidence(self) -> tuple[str, ...]:
        """The address of the line."""
        return (f"note:{self.line}",)


def take(gathered: Gathered, section: str, said: Said) -> None:
    """Read *said*, an item of *section*, into *gathered*."""
    state, text = phrases.marked(said.text)
    text = phrases.bare(text)
    refuse_placeholder(text, gathered.file, said.line)
    for child in said.children:
        refuse_placeholder(phrases.marked(child)[1], gathered.file, said.line)
    if is_nothing(text) and not said.children:
        return
    if _NOT_APPLICABLE.match(text) and not said.children:
        gathered.narrative.append(said.raw)
        return
    id, rest = phrases.identified(text)
    if section == "retired":
        _retire(gathered, said, id, rest)
    elif id and (_KINDS.get(id[0]) == section or (section == "completed" and id[0] == "T")):
        _update(gathered, said, id, rest, state if section != "completed" else state or "done")
    else:
        _READERS[section](gathered, said, state, text)


def take_row(gathered: Gathered, section: str, head: Sequence[str], cells: Sequence[str], row: Said) -> bool:
    """Read one row of a table under *head* into *gathered*; whether its columns are such that it could be read."""
    names = [name.strip("*_ ").lower() for name in head]
    columns = _COLUMNS.get(section, {})
    fields: dict[str, str] = {}
    beyond: list[str] = []
    for place, cell in enumerate(cells):
        name = names[place] if place < len(names) else ""
        known = "id" if name in {"#", "no", "nr"} else columns.get(name, "")
        if known and known not in fields:
            fields[known] = cell
        elif not is_nothing(cell):
            beyond.append(f"{head[place].strip('*_ ')}: {cell}" if name else cell)
    title = fields.get(_TITLES.get(section, ""), "")
    id = fields.get("id", "")
    if not title and not phrases.identified(id)[0]:
        return False
    if section == "dependencies":
        return _take_dependency(gathered, bumps.from_row(fields, row.evidence), beyond, row.line)
    children = [f"{name.capitalize()}: {cell}" for name, cell in fields.items() if name not in {"id", _TITLES[section]} and cell]
    children += [f"Context: {one}" for one in beyond] if section == "decisions" else beyond
    named = f"{id}: {title}" if id and not id.isdecimal() else title
    status = (
        phrases.THREAD_STATUS.get(fields.get("status", "").strip("*_ ").replace("_", " ").lower(), "")
        if section == "completed"
        else ""
    )
    take(gathered, section, replace(row, text=named, children=children, status=status))
    return True


def _take_dependency(gathered: Gathered, change: Dependency | None, beyond: Sequence[str], line: int) -> bool:
    if change is None:
        return False
    gathered.dependencies.append(change)
    if beyond:
        gathered.keep(
            f"{change.name}: {'; '.join(beyond)}", line, f"more on the dependency {change.name} than a record has fields for"
        )
    return True


def _completed(gathered: Gathered, said: Said, state: str, text: str) -> None:
    whole = phrases.plain(phrases.joined(text, [phrases.marked(child)[1] for child in said.children]))
    if state in {"", "done", "resolved", "struck"} and said.status in {"", "done"}:
        gathered.completed.append(Completed(text=whole, evidence=said.evidence))
        return
    status = said.status or {"failed": "blocked", "open": "active"}.get(state, state)
    gathered.threads.append(Thread(title=whole, status=status, evidence=said.evidence))
    gathered.warn(said.line, f"not finished, though it stands under what is completed: {text[:60]!r} became a thread")


def _decision(gathered: Gathered, said: Said, state: str, text: str) -> None:
    if state == "struck":
        gathered.keep(said.raw, said.line, "a decision that is struck out is none")
        return
    word, phrase = _with_status(text, said.children, phrases.DECISION_LABELS, _DECISION_WORDS)
    if word in phrases.OPEN_DECISION or state in {"open", "waiting", "paused", "blocked"} or said.status == "waiting":
        whole = phrases.plain(phrases.joined(text, said.children))
        gathered.threads.append(Thread(title=whole, status="waiting", evidence=said.evidence))
        gathered.warn(said.line, f"not decided yet: {text[:60]!r} became a thread")
        return
    fields = phrase.fields
    topic, title = phrases.topic(phrase.text)
    supersedes, title = phrases.superseded(title)
    if fields.get("title"):
        fields["context"] = "; ".join(part for part in (title, fields.get("context", "")) if part)
        title = fields["title"]
    if "rationale" not in fields:
        title, fields["rationale"] = _reasoned(title)
    for one in phrase.rest:
        phrase.add("rationale", one)
    title = title or fields.pop("rationale", "") or fields.pop("context", "")
    gathered.decisions.append(
        Decision(
            title=phrases.plain(title),
            status="rejected" if state == "failed" else phrases.DECISION_STATUS.get(word, "accepted"),
            topic=topic or fields.get("topic", ""),
            context=phrases.plain("; ".join(part for part in (said.group, fields.get("context", "")) if part)),
            rationale=phrases.plain(fields.get("rationale", "")),
            alternatives=_once(*phrases.passed_over(title), *phrases.listed(fields.get("alternatives", ""))),
            supersedes=_once(*supersedes, *phrases.ids(fields.get("supersedes", ""))),
            evidence=said.evidence,
        )
    )


def _constraint(gathered: Gathered, said: Said, state: str, text: str) -> None:
    word, phrase = _with_status(text, said.children, phrases.CONSTRAINT_LABELS, phrases.CONSTRAINT_STATUS)
    status = phrases.CONSTRAINT_STATUS.get(word, "active")
    if state in {"resolved", "done", "struck"} or status == "lifted":
        gathered.keep(said.raw, said.line, f"no constraint any more: {text[:60]!r}")
        return
    fields = phrase.fields
    if fields.get("tried"):
        fields["tried"] = "; ".join(part for part in (phrase.text, fields["tried"]) if part)
    elif "outcome" in fields or "because" in fields:
        fields["tried"] = phrase.text
    else:
        _tell_apart(phrase.text, fields)
    for one in phrase.rest:
        phrase.add("outcome", one)
    if said.group:
        phrase.add("topic", said.group)
    if not fields.get("tried"):
        fields["tried"] = fields.pop("outcome", "") or fields.pop("because", "") or fields.pop("topic", "")
    values = {name: phrases.plain(fields.get(name, "")) for name in ("tried", "outcome", "because", "topic")}
    gathered.constraints.append(Constraint(status=status, evidence=said.evidence, **values))


def _tell_apart(text: str, fields: dict[str, str]) -> None:
    """What was tried, what came of it and because of what, of a text without labels."""
    parts = phrases.at_arrows(text)
    if len(parts) == 1:
        parts = [part for part in phrases.at_colon(text) if part]
    if len(parts) == 1:
        parts = [part for part in phrases.at_dash(text) if part]
    if len(parts) < 3 and parts and (because := phrases.at_because(parts[-1]))[1]:
        parts = [*parts[:-1], *because] if len(parts) == 2 else [because[0], "", because[1]]
    fields |= dict(zip(("tried", "outcome", "because"), parts, strict=False))


def _thread(gathered: Gathered, said: Said, state: str, text: str) -> None:
    word, phrase = _with_status(text, said.children, phrases.THREAD_LABELS, phrases.THREAD_STATUS)
    title, rest = (phrase.text, "") if "next" in phrase.fields else phrases.at_colon(phrase.text)
    for one in (rest, *phrase.rest):
        phrase.add("next", one)
    title = title or phrase.fields.pop("next", "")
    by_mark = {"done": "done", "struck": "done", "resolved": "done", "failed": "blocked", "open": ""}.get(state, state)
    status = by_mark or phrases.THREAD_STATUS.get(word, "") or said.status or "active"
    following = phrases.plain(phrase.fields.get("next", ""))
    gathered.threads.append(Thread(title=phrases.plain(title), status=status, next=following, evidence=said.evidence))


def _with_status(
    text: str, children: Sequence[str], labels: phrases.Labels, known: Mapping[str, str]
) -> tuple[str, phrases.Phrase]:
    """The status word of *known* that *text* and its *children* give, and the rest taken apart at *labels*.

    A word that is more than the name of the status stays in the text as well.
    """
    tag, shorter = phrases.status_of(text, known)
    phrase = phrases.split(shorter if known.get(tag) == tag else text, children, labels)
    label = phrase.fields.pop("status", "")
    word, rest = phrases.leading_status(label, known)
    if label and known.get(word) != word:
        phrase.rest.append(f"Status: {label}")
    elif rest and phrase.text:
        phrase.rest.append(rest)
    elif rest:
        phrase.text = rest
    if not (word or tag):
        word, rest = phrases.leading_status(phrase.text, known)
        phrase.text = rest if rest and known.get(word) == word else phrase.text
    return word or tag, phrase


def _dependency(gathered: Gathered, said: Said, state: str, text: str) -> None:
    whole = phrases.joined(text, said.children)
    found = bumps.read(said.text if state == "" and text != said.text else whole, said.evidence)
    if found is None:
        gathered.keep(said.raw, said.line, "no change of a dependency could be read here")
        return
    gathered.dependencies.extend(found.changes)
    if found.beyond:
        gathered.keep(said.raw, said.line, "more on a dependency than a record has fields for")


def _reasoned(title: str) -> tuple[str, str]:
    for cut in (phrases.at_because, phrases.at_colon, phrases.at_dash):
        before, after = cut(title)
        if after:
            return before, after.removeprefix("because ")
    return title, ""


def _once(*values: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _update(gathered: Gathered, said: Said, id: str, text: str, state: str) -> None:
    """A word on an item of an earlier record."""
    labels, words, marks = _WORDS_ON[id[0]]
    word, phrase = _with_status(text, said.children, labels, words)
    if not word and (found := _FIRST_WORD.match(phrase.text)) and found[1].lower() in words:
        word = found[1].lower()
    if words.get(phrase.text.strip(" .~").lower()):
        word, phrase.text = phrase.text.strip(" .~").lower(), ""
    status = words.get(word, "") or marks.get(state, "")
    changes: dict[str, Any] = {"status": status} if status else {}
    for name, value in phrase.fields.items():
        several = {"alternatives": phrases.listed, "supersedes": phrases.ids}.get(name)
        changes[name] = tuple(several(value)) if several else phrases.plain(value)
    reason = phrases.plain(phrases.joined(phrase.text, phrase.rest))
    gathered.updates.append(Update(id=id, changes=changes, reason=reason, evidence=said.evidence))


def _retire(gathered: Gathered, said: Said, id: str, reason: str) -> None:
    if not id:
        gathered.keep(said.raw, said.line, "nothing can be retired without its ID")
        return
    gathered.retired.append(Retirement(id=id, reason=phrases.plain(phrases.joined(reason, said.children))))


_FIRST_WORD = re.compile(r"(?:now |is |was )*([A-Za-z]+)")
_DECISION_WORDS = {**phrases.DECISION_STATUS, **dict.fromkeys(phrases.OPEN_DECISION, "")}
_WORDS_ON = {
    "D": (phrases.DECISION_LABELS, phrases.DECISION_STATUS, {"struck": "retired", "failed": "rejected"}),
    "C": (phrases.CONSTRAINT_LABELS, phrases.CONSTRAINT_STATUS, {"done": "lifted", "struck": "lifted", "resolved": "lifted"}),
    "T": (
        phrases.THREAD_LABELS,
        phrases.THREAD_STATUS,
        {
            "done": "done",
            "struck": "done",
            "failed": "blocked",
            "waiting": "waiting",
            "open": "active",
            "blocked": "blocked",
            "paused": "paused",
        },
    ),
}

_READERS = {
    "completed": _completed,
    "decisions": _decision,
    "constraints": _constraint,
    "dependencies": _dependency,
    "threads": _thread,
}
