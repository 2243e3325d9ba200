"""What stands under a heading that is known becomes items; what becomes none is kept, and said."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.session import Retirement, Update
from handoffsite.records.thread import Thread
from handoffsite.sources import bumps, phrases

_NOTHING = re.compile(
    r"(?:none|nothing|n/?a|nil|not applicable|no|no (?:new |open |known )?(?:changes?|decisions?|constraints?|dependenc(?:y|ies)(?: changes)?|"
    r"blockers?|items?|threads?|issues?|work)|-+|–|—|∅|无|沒有|没有|なし|없음|keine?|aucune?|ninguno|nenhum|nessuno|لا يوجد|нет)"
    r"(?:\s+(?:yet|so far|at this time|for now|this session|to report|noted|identified|remaining|made))*[.!。]?",
    re.IGNORECASE,
)
_NOT_APPLICABLE = re.compile(r"(?:n/?a|none|nothing)\s*(?:[—–:(-])", re.IGNORECASE)
_CODE = re.compile(r"`[^`\n]*`")
_QUOTED = re.compile(r"‹[^‹›\n]{0,200}›")
_BRACES = re.compile(r"\{\{[^{}\n]{0,200}\}\}")
_TEMPLATE = re.compile(
    r"\[[^\[\]\n]{2,120}\b(?:goes? here|here|insert|describe|fill in|your|placeholder|to be (?:filled|written|completed)|tbd|todo)\b[^\[\]\n]{0,120}\]"
    r"|\[(?:insert|describe|fill|your|add|list|write|enter|todo|tbd|current)\b[^\[\]\n]{0,120}\]",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]{2,}")

# The words that a draft leaves for the agent to replace.
BLANKS: Mapping[str, str] = {
    "title": "what this session was about, in a few words",
    "focus": "what the project is about to do, in one paragraph",
    "completed": "one finished piece of work on each line",
    "decisions": "what was decided",
    "rationale": "why it was decided",
    "constraints": "what was tried and failed, or the limit that was found",
    "outcome": "what came of it",
    "because": "what it was because of",
    "dependencies": "added NAME VERSION (ECOSYSTEM, FILE)",
    "threads": "what is in flight",
    "next": "its next step",
}
DRAFT_COMMENT = "<!-- Write what is meant in place of each ‹…›, delete what does not apply, and hand the note in. -->"
_BLANK_WORDS = frozenset(BLANKS.values())

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


def is_nothing(text: str) -> bool:
    """Whether *text* says that there is nothing to say: `None yet.`, `_none_`, `N/A`."""
    text = text.strip().strip("*_()[] ")
    return not text or _NOTHING.fullmatch(text) is not None


def refuse_placeholder(text: str, file: str, line: int) -> None:
    """Malformed where *text* is, or holds, a placeholder that nobody filled in."""
    value = text.strip().strip("*_:. ")
    found = _QUOTED.search(_CODE.sub("", text)) if "‹" in text else None
    whole = value.strip("[]()").lower() in {"current", "todo"} or value in _BLANK_WORDS or _TEMPLATE.fullmatch(text.strip().strip("*_. "))
    if not found and not whole and "{{" in text:
        rest = _BRACES.sub("", _CODE.sub("", text))
        found = _BRACES.search(_CODE.sub("", text)) if len(_WORDS.findall(rest)) < 3 else None
    if found or whole:
        shown = found.group() if found else text.strip()
        raise Malformed(
            f"an unfilled placeholder: {shown[:80]}", file=file, line=line, hint="write what is meant in its place, or `None` where there is nothing"
        )


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


def take_row(gathered: Gathered, section: str, head: Sequence[str], cells: Sequence[str], raw: str, line: int) -> bool:
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
    if not title:
        return False
    if section == "dependencies":
        return _take_dependency(gathered, bumps.from_row(fields, (f"note:{line}",)), beyond, line)
    id = fields.get("id", "")
    children = [f"{name.capitalize()}: {cell}" for name, cell in fields.items() if name not in {"id", _TITLES[section]} and cell]
    children += [f"Context: {one}" for one in beyond] if section == "decisions" else beyond
    named = f"{id}: {title}" if id and not id.isdecimal() else title
    status = phrases.THREAD_STATUS.get(fields.get("status", "").strip("*_ ").replace("_", " ").lower(), "") if section == "completed" else ""
    take(gathered, section, Said(text=named, raw=raw, line=line, children=children, status=status))
    return True


def _take_dependency(gathered: Gathered, change: Dependency | None, beyond: Sequence[str], line: int) -> bool:
    if change is None:
        return False
    gathered.dependencies.append(change)
    if beyond:
        gathered.keep(f"{change.name}: {'; '.join(beyond)}", line, f"more on the dependency {change.name} than a record has fields for")
    return True


def _completed(gathered: Gathered, said: Said, state: str, text: str) -> None:
    whole = phrases.joined(text, [phrases.marked(child)[1] for child in said.children])
    if state in {"", "done", "resolved", "struck"} and said.status in {"", "done"}:
        gathered.completed.append(Completed(text=whole, evidence=said.evidence))
        return
    status = said.status or {"failed": "blocked", "open": "active"}.get(state, state)
    gathered.threads.append(Thread(title=whole, status=status, evidence=said.evidence))
    gathered.warn(said.line, f"not finished, though it stands under what is completed: {text[:60]!r} became a thread")


def _decision(gathered: Gathered, said: Said, state: str, text: str) -> None:
    tag, text = phrases.status_of(text, (*phrases.DECISION_STATUS, *phrases.OPEN_DECISION))
    topic, text = phrases.topic(text)
    supersedes, text = phrases.superseded(text)
    phrase = phrases.split(text, said.children, phrases.DECISION_LABELS)
    status = (phrase.fields.get("status", "") or tag).strip(" .").lower()
    open_, text = _open_decision(phrase.text)
    if state == "struck":
        gathered.keep(said.raw, said.line, "a decision that is struck out is none")
        return
    if open_ or state in {"open", "waiting", "paused", "blocked"} or status in phrases.OPEN_DECISION or said.status == "waiting":
        _undecided(gathered, said, text)
        return
    title, context = _title_and_context(phrase, text)
    if "rationale" not in phrase.fields:
        title, phrase.fields["rationale"] = _reasoned(title)
    for one in phrase.rest:
        phrase.add("rationale", one)
    alternatives = [*phrases.passed_over(title), *phrases.listed(phrase.fields.get("alternatives", ""))]
    more, _ = _ids(phrase.fields.get("supersedes", ""))
    if status and status not in phrases.DECISION_STATUS:
        phrase.add("rationale", f"Status: {phrase.fields.get('status', '')}")
    gathered.decisions.append(
        Decision(
            title=title,
            status="rejected" if state == "failed" else phrases.DECISION_STATUS.get(status, "accepted"),
            topic=topic or phrase.fields.get("topic", ""),
            context="; ".join(part for part in (said.group, context, phrase.fields.get("context", "")) if part),
            rationale=phrase.fields.get("rationale", ""),
            alternatives=tuple(dict.fromkeys(alternatives)),
            supersedes=tuple(dict.fromkeys((*supersedes, *more))),
            evidence=said.evidence,
        )
    )


def _constraint(gathered: Gathered, said: Said, state: str, text: str) -> None:
    tag, text = phrases.status_of(text, phrases.CONSTRAINT_STATUS)
    phrase = phrases.split(text, said.children, phrases.CONSTRAINT_LABELS)
    status = phrases.CONSTRAINT_STATUS.get((phrase.fields.get("status", "") or tag).strip(" .").lower(), "active")
    if state in {"resolved", "done", "struck"} or status == "lifted":
        gathered.keep(said.raw, said.line, f"no constraint any more: {text[:60]!r}")
        return
    fields = phrase.fields
    tried = phrase.text
    if fields.get("tried"):
        fields["tried"] = "; ".join(part for part in (tried, fields["tried"]) if part)
    elif "outcome" in fields or "because" in fields:
        fields["tried"] = tried
    else:
        _tell_apart(tried, fields)
    if not fields["tried"]:
        fields["tried"] = fields.pop("outcome", "") or fields.pop("because", "")
    for one in phrase.rest:
        phrase.add("because" if fields.get("outcome") else "outcome", one)
    if said.group:
        phrase.add("topic", said.group)
    values = {name: fields.get(name, "") for name in ("tried", "outcome", "because", "topic")}
    gathered.constraints.append(Constraint(status=status, evidence=said.evidence, **values))


def _tell_apart(text: str, fields: dict[str, str]) -> None:
    """What was tried, what came of it and because of what, of a text without labels."""
    parts = phrases.at_arrows(text)
    if len(parts) == 1:
        parts = [part for part in phrases.at_colon(text) if part]
    if len(parts) == 1:
        parts = [part for part in phrases.at_dash(text) if part]
    if len(parts) < 3 and (because := phrases.at_because(parts[-1]))[1]:
        parts = [*parts[:-1], *because] if len(parts) == 2 else [because[0], "", because[1]]
    fields |= dict(zip(("tried", "outcome", "because"), parts, strict=False))


def _thread(gathered: Gathered, said: Said, state: str, text: str) -> None:
    tag, text = phrases.status_of(text, phrases.THREAD_STATUS)
    phrase = phrases.split(text, said.children, phrases.THREAD_LABELS)
    word = (phrase.fields.pop("status", "") or tag).strip(" .")
    title, rest = (phrase.text, "") if "next" in phrase.fields else phrases.at_colon(phrase.text)
    for one in (rest, *phrase.rest):
        phrase.add("next", one)
    status = phrases.THREAD_STATUS.get(word.lower(), "")
    if word and not status:
        phrase.add("next", f"Status: {word}")
    by_mark = {"done": "done", "struck": "done", "resolved": "done", "failed": "blocked", "open": "active"}.get(state, state)
    if not title:
        title = phrase.fields.pop("next", "")
    status = by_mark if by_mark and by_mark != "active" else status or said.status or "active"
    gathered.threads.append(Thread(title=title, status=status, next=phrase.fields.get("next", ""), evidence=said.evidence))


def _dependency(gathered: Gathered, said: Said, state: str, text: str) -> None:
    whole = phrases.joined(text, said.children)
    found = bumps.read(said.text if state == "" and text != said.text else whole, said.evidence)
    if found is None:
        gathered.keep(said.raw, said.line, "no change of a dependency could be read here")
        return
    gathered.dependencies.extend(found.changes)
    if found.beyond:
        gathered.keep(said.raw, said.line, "more on a dependency than a record has fields for")


def _undecided(gathered: Gathered, said: Said, text: str) -> None:
    whole = phrases.joined(text, said.children)
    gathered.threads.append(Thread(title=whole, status="waiting", evidence=said.evidence))
    gathered.warn(said.line, f"not decided yet: {text[:60]!r} became a thread")


def _open_decision(text: str) -> tuple[bool, str]:
    """Whether *text* says in its first words that nothing is decided, and the text."""
    word, colon, _ = text.partition(":")
    return bool(colon) and word.strip("*_[]() ").lower() in phrases.OPEN_DECISION, text


def _title_and_context(phrase: phrases.Phrase, text: str) -> tuple[str, str]:
    """A labelled decision is the title, and what stood before it the context."""
    decided = phrase.fields.get("title", "")
    return (decided, text) if decided else (text, "")


def _reasoned(title: str) -> tuple[str, str]:
    for cut in (phrases.at_because, phrases.at_colon, phrases.at_dash):
        before, after = cut(title)
        if after:
            return before, after.removeprefix("because ")
    return title, ""


def _ids(text: str) -> tuple[list[str], str]:
    return phrases.ids(text), text


def _update(gathered: Gathered, said: Said, id: str, text: str, state: str) -> None:
    """A word on an item of an earlier record."""
    section = _KINDS[id[0]]
    labels = {"decisions": phrases.DECISION_LABELS, "constraints": phrases.CONSTRAINT_LABELS, "threads": phrases.THREAD_LABELS}[section]
    words = {"decisions": phrases.DECISION_STATUS, "constraints": phrases.CONSTRAINT_STATUS, "threads": phrases.THREAD_STATUS}[section]
    tag, text = phrases.status_of(text, words)
    phrase = phrases.split(text, said.children, labels)
    status = words.get((phrase.fields.pop("status", "") or tag or phrase.text).strip(" .~").lower(), "")
    by_mark = {
        "threads": {"done": "done", "struck": "done", "failed": "blocked", "waiting": "waiting", "open": "active", "blocked": "blocked", "paused": "paused"},
        "constraints": {"done": "lifted", "struck": "lifted", "resolved": "lifted"},
        "decisions": {"struck": "retired", "failed": "rejected"},
    }[section].get(state, "")
    reason = "" if words.get(phrase.text.strip(" .~").lower()) else phrase.text
    changes: dict[str, Any] = {"status": status or by_mark} if status or by_mark else {}
    for name, value in phrase.fields.items():
        changes[name] = tuple(phrases.listed(value)) if name == "alternatives" else tuple(phrases.ids(value)) if name == "supersedes" else value
    reason = phrases.joined(reason, phrase.rest)
    gathered.updates.append(Update(id=id, changes=changes, reason=reason, evidence=said.evidence))


def _retire(gathered: Gathered, said: Said, id: str, reason: str) -> None:
    if not id:
        gathered.keep(said.raw, said.line, "nothing can be retired without its ID")
        return
    gathered.retired.append(Retirement(id=id, reason=phrases.joined(reason, said.children)))


_READERS = {
    "completed": _completed,
    "decisions": _decision,
    "constraints": _constraint,
    "dependencies": _dependency,
    "threads": _thread,
}
