"""What stands under a heading that is known becomes items; what becomes none is kept, and said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from handoffsite.records import identity, standing
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.session import Retirement, Update
from handoffsite.records.thread import Thread
from handoffsite.sources import bumps, failures, phrases
from handoffsite.sources.placeholders import is_nothing, is_nothing_because, is_wordless, refuse_placeholder

# What stands where a status would, and may be one that nobody knows.
_TAGGED = re.compile(r"\s\[\s*([^\W\d_]{3,20})\s*\][.]?$|\s\(\s*([^\W\d_]{2,17}(?:ing|ed))\s*\)[.]?$")
_KINDS = {"D": "decisions", "C": "constraints", "T": "threads"}


@dataclass(slots=True, kw_only=True)
class Gathered:
    """What was read of a note so far."""

    file: str
    foreign: bool = False  # whether short IDs in it are somebody else's
    title: str = ""
    focus: str = ""
    session_id: str = ""
    started: str = ""
    ended: str = ""
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
        # Only the name: a folder says who works where, and warnings are passed on.
        name = re.split(r"[\\/]", self.file)[-1] or self.file
        self.warnings.append(f"{name}:{line}: {message}")


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
    state, text = standing.marked(said.text)
    if (inner := phrases.bare(text)) != text and not state:
        state, inner = standing.marked(inner)
    text = phrases.ordered(inner)
    refuse_placeholder(text, gathered.file, said.line)
    for child in said.children:
        refuse_placeholder(standing.marked(child)[1], gathered.file, said.line)
    if is_nothing(text) and not said.children:
        return
    if is_nothing_because(text) and not said.children:
        gathered.narrative.append(said.raw)
        return
    if is_wordless(text) and not said.children:
        gathered.keep(said.raw, said.line, "an item without a word")
        return
    id, rest = phrases.identified(text)
    if gathered.foreign and id and not identity.parse(id).tag:
        id = ""
    if section == "retired":
        _retire(gathered, said, id, rest)
    elif id and (_KINDS.get(id[0]) == section or (section == "completed" and id[0] == "T")):
        _update(gathered, said, id, rest, state if section != "completed" else state or "done")
    else:
        _READERS[section](gathered, said, state, text)


def _completed(gathered: Gathered, said: Said, state: str, text: str) -> None:
    whole = phrases.plain(phrases.joined(text, [standing.marked(child)[1] for child in said.children]))
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
    status, phrase = _with_status(gathered, said, text, phrases.DECISION_LABELS, standing.DECISIONS)
    fields = phrase.fields
    asks = not status and not fields.get("title") and standing.is_question(phrase.text)
    if (
        status == "open"
        or asks
        or (not status and (state in {"open", "waiting", "paused", "blocked"} or said.status == "waiting"))
    ):
        _ask(gathered, said, phrase)
        return
    title = phrase.text
    if not title and "alternatives" in fields and not fields.get("title"):
        fields["alternatives"], title = phrases.lead(fields["alternatives"])
    if fields.get("title"):
        fields["context"] = "; ".join(part for part in (title, fields.get("context", "")) if part)
        title = fields["title"]
    if "rationale" not in fields:
        title, fields["rationale"] = _reasoned(title)
    for one in phrase.rest:
        phrase.add("rationale", phrases.reason(one))
    title = title or fields.pop("rationale", "") or fields.pop("context", "") or fields.pop("topic", "")
    title = title or fields.pop("alternatives", "") or phrases.plain(text)
    gathered.decisions.append(
        Decision(
            title=_said(title),
            status="rejected" if state == "failed" else status or standing.DECISIONS.get(said.status, "accepted"),
            topic=_said(fields.get("topic", "")),
            context=_said("; ".join(part for part in (said.group, fields.get("context", "")) if part)),
            rationale=_said(fields.get("rationale", "")),
            alternatives=_once(*phrases.passed_over(title), *phrases.listed(fields.get("alternatives", ""))),
            supersedes=_once(*phrases.ids(fields.get("supersedes", ""))),
            evidence=said.evidence,
        )
    )


def _ask(gathered: Gathered, said: Said, phrase: phrases.Phrase) -> None:
    """A decision that nobody has made yet is a thread that waits for it."""
    phrase.rest = [one for one in phrase.rest if standing.DECISIONS.get(one) != "open"]
    title = phrase.text or phrase.fields.get("title", "") or phrases.joined("", phrase.rest) or said.text
    gathered.threads.append(Thread(title=_said(title), status="waiting", evidence=said.evidence))
    if said.children or phrase.fields or phrase.rest:
        gathered.narrative.append(said.raw)
    gathered.warn(said.line, f"not decided yet: {title[:60]!r} became a thread")


def _constraint(gathered: Gathered, said: Said, state: str, text: str) -> None:
    status, phrase = _with_status(gathered, said, text, phrases.CONSTRAINT_LABELS, standing.CONSTRAINTS)
    if state in {"resolved", "done", "struck"} or status == "lifted":
        gathered.keep(said.raw, said.line, f"no constraint any more: {text[:60]!r}")
        return
    fields = phrase.fields
    if fields.get("tried"):
        fields["tried"] = "; ".join(part for part in (phrase.text, fields["tried"]) if part)
    elif "outcome" in fields or "because" in fields:
        fields["tried"] = phrase.text
    else:
        fields |= dict(zip(("tried", "outcome", "because"), failures.told_apart(phrase.text), strict=False))
    for one in phrase.rest:
        phrase.add("outcome", one)
    if said.group:
        phrase.add("topic", said.group)
    if not fields.get("tried"):
        fields["tried"] = fields.pop("outcome", "") or fields.pop("because", "") or fields.pop("topic", "")
    values = {name: _said(fields.get(name, "")) for name in ("tried", "outcome", "because", "topic")}
    gathered.constraints.append(Constraint(status=status or "active", evidence=said.evidence, **values))


def _thread(gathered: Gathered, said: Said, state: str, text: str) -> None:
    told, phrase = _with_status(gathered, said, text, phrases.THREAD_LABELS, standing.THREADS)
    title, rest = (phrase.text, "") if "next" in phrase.fields else phrases.at_colon(phrase.text)
    for one in (rest, *phrase.rest):
        phrase.add("next", one)
    title = title or phrase.fields.pop("next", "")
    by_mark = {"done": "done", "struck": "done", "resolved": "done", "failed": "blocked", "open": ""}.get(state, state)
    status = by_mark or told or standing.in_prose(title) or said.status or "active"
    following = _said(phrase.fields.get("next", ""))
    gathered.threads.append(Thread(title=_said(title), status=status, next=following, evidence=said.evidence))


def _with_status(
    gathered: Gathered, said: Said, text: str, labels: phrases.Labels, known: standing.Statuses
) -> tuple[str, phrases.Phrase]:
    """The status of *known* that *text* and what stands beneath it give, and the rest taken apart at *labels*."""
    phrase = phrases.split(text, said.children, labels)
    label = phrase.fields.pop("status", "")
    word, more = known.meant(label)
    if label and not word:
        word, more = known.opening(label)
    if label and not word:
        unknown, sentence = phrases.lead(label)
        gathered.keep(said.raw, said.line, no_status(unknown, known))
        phrase.text = phrase.text or sentence
    elif more and not phrase.text:
        phrase.text = more
    elif more:
        phrase.rest.append(more)
    tag, beyond, shorter = known.of(phrase.text)
    if tag:
        phrase.text = phrases.bare(phrases.sentence(shorter))
        phrase.rest += [beyond] if beyond else []
    elif not word and "next" in phrase.fields:
        tag, beyond, shorter = known.of(phrase.fields["next"]) if phrase.fields["next"].endswith((")", "]")) else ("", "", "")
        phrase.fields["next"] = shorter if tag else phrase.fields["next"]
        phrase.rest += [beyond] if beyond else []
    elif not word and not label and (found := _TAGGED.search(phrase.text)):
        gathered.warn(said.line, f"{no_status(found[1] or found[2], known)}; kept in the text")
    return known.get(word or tag, ""), phrase


def no_status(said: str, known: standing.Statuses) -> str:
    """What to tell whoever wrote *said* where a status of *known* belongs."""
    statuses = ", ".join(one for one in dict.fromkeys(known.values()) if one != "open")
    return f"{said[:60]!r} is no status that is known here (known are {statuses})"


def _dependency(gathered: Gathered, said: Said, state: str, text: str) -> None:
    if said.children and (place := bumps.place(text.rstrip(" :："))):
        for child in said.children:
            _dependency(gathered, replace(said, text=child, raw=f"- {child}", children=(), group=place), "", child)
        return
    whole = phrases.joined(text, said.children)
    found = bumps.read(said.text if state == "" and text != said.text else whole, said.evidence, group=said.group)
    if found is None:
        gathered.keep(said.raw, said.line, "no change of a dependency could be read here")
        return
    gathered.dependencies.extend(found.changes)
    if found.beyond:
        gathered.keep(said.raw, said.line, "more on a dependency than a record has fields for")


def _said(text: str) -> str:
    return phrases.sentence(phrases.plain(text))


def _reasoned(title: str) -> tuple[str, str]:
    for cut in (phrases.at_cause, phrases.at_colon, phrases.at_dash):
        before, after = cut(title)
        if after:
            return before, phrases.reason(after)
    return title, ""


def _once(*values: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _update(gathered: Gathered, said: Said, id: str, text: str, state: str) -> None:
    """A word on an item of an earlier record."""
    labels, words, marks = _WORDS_ON[id[0]]
    status, phrase = _with_status(gathered, said, text, labels, words)
    if not status and (found := _FIRST_WORD.match(phrase.text)):
        status = words.get(found[1].lower(), "")
    if alone := words.get(phrase.text.strip(" .~").lower()):
        status, phrase.text = alone, ""
    # A decision that is open again has no status for it; the word stays in the reason.
    status = ("" if id[0] == "D" and status == "open" else status) or marks.get(state, "")
    changes: dict[str, Any] = {"status": status} if status else {}
    for name, value in phrase.fields.items():
        several = {"alternatives": phrases.listed, "supersedes": phrases.ids}.get(name)
        changes[name] = tuple(several(value)) if several else _said(value)
    reason = phrases.plain(phrases.joined(phrase.text, phrase.rest))
    gathered.updates.append(Update(id=id, changes=changes, reason=reason, evidence=said.evidence))


def _retire(gathered: Gathered, said: Said, id: str, reason: str) -> None:
    if not id:
        gathered.keep(said.raw, said.line, "nothing can be retired without its ID")
        return
    gathered.retired.append(Retirement(id=id, reason=phrases.plain(phrases.joined(reason, said.children))))


_FIRST_WORD = re.compile(r"(?:now |is |was )*([A-Za-z]+)")
_WORDS_ON = {
    "D": (phrases.DECISION_LABELS, standing.DECISIONS, {"struck": "retired", "failed": "rejected"}),
    "C": (phrases.CONSTRAINT_LABELS, standing.CONSTRAINTS, {"done": "lifted", "struck": "lifted", "resolved": "lifted"}),
    "T": (
        phrases.THREAD_LABELS,
        standing.THREADS,
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
