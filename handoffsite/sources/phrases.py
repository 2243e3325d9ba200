"""One item of a note as people phrase it: marks, statuses, labels, `because`, arrows; each reader takes a text apart into fields."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from handoffsite.records import identity

# What a mark in front of an item says of it.
_MARKS = {
    "done": "✅✓✔☑🟢", "failed": "❌✗✘🔴", "waiting": "⏳", "open": "🔄🚧⬜☐🟡",
}  # fmt: skip
_MARK_OF = {character: state for state, characters in _MARKS.items() for character in characters}
_BOX = re.compile(r"\[([ xX~/>\-])\](?=\s|$)\s*")
_BOXES = {" ": "open", "x": "done", "X": "done", "~": "open", "/": "open", ">": "open", "-": "struck"}
_WORD = re.compile(
    r"(\*\*|__)?(TODO|DONE|WIP|FIXED|RESOLVED|BLOCKED|WAITING|PAUSED)\b(?:\1)?\s*(?:[:：]|--|[—–-])?(?:\1)?\s+", re.ASCII
)
_WORDS = {
    "TODO": "open", "WIP": "open", "DONE": "done", "FIXED": "resolved", "RESOLVED": "resolved", "BLOCKED": "blocked", "WAITING": "waiting",
    "PAUSED": "paused",
}  # fmt: skip
_STRUCK = re.compile(r"~~(.+?)~~\s*(.*)", re.DOTALL)

_LEADING = re.compile(r"[*_\[(]{0,3}([A-Za-z][A-Za-z _-]{2,20}?)[*_\])]{0,3}\s*(?:[:.,;)]|—|–|\s--?\s|$)[*_]{0,2}\s*")
_STATUS_TAG = re.compile(
    r"\s*(?:[(\[]\s*(?:status:\s*)?(?P<tag>[a-z][a-z -]{2,20}?)\s*[)\]]|[—–]\s*(?P<dash>[a-z][a-z -]{2,20}?))\s*[.]?\s*$",
    re.IGNORECASE,
)
THREAD_STATUS = {
    "active": "active", "in progress": "active", "wip": "active", "ongoing": "active", "started": "active", "open": "active",
    "todo": "active", "to do": "active", "not started": "active", "pending": "active", "next": "active", "partial": "active",
    "waiting": "waiting", "on hold": "paused", "paused": "paused", "parked": "paused", "deferred": "paused", "postponed": "paused",
    "blocked": "blocked", "stuck": "blocked", "done": "done", "completed": "done", "complete": "done", "finished": "done",
    "closed": "done", "resolved": "done", "fixed": "done", "cancelled": "done", "dropped": "done", "retired": "done",
}  # fmt: skip
DECISION_STATUS = {
    "accepted": "accepted", "decided": "accepted", "approved": "accepted", "final": "accepted", "locked": "accepted", "agreed": "accepted",
    "done": "accepted", "implemented": "accepted", "active": "accepted", "rejected": "rejected", "superseded": "superseded",
    "retired": "retired", "withdrawn": "retired", "deprecated": "retired", "reversed": "retired", "expired": "expired",
}  # fmt: skip
OPEN_DECISION = frozenset({
    "proposed", "open", "undecided", "pending", "tbd", "draft", "to be decided", "under discussion", "considering", "needs decision",
    "not decided", "in discussion",
})  # fmt: skip
CONSTRAINT_STATUS = {
    "active": "active", "open": "active", "confirmed": "active", "unresolved": "active", "ongoing": "active", "lifted": "lifted",
    "resolved": "lifted", "fixed": "lifted", "gone": "lifted", "solved": "lifted", "mitigated": "active", "rejected": "rejected",
}  # fmt: skip


class Labels(dict[str, str]):
    """The labels of a kind of item and the fields that they name, with the pattern that finds them."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__(fields)
        words = "|".join(re.escape(label) for label in sorted(fields, key=len, reverse=True))
        self.pattern = re.compile(
            rf"(?:(?<=[\s(;|])|^)[*_]{{0,2}}({words})[*_]{{0,2}}\s?[:：][*_]{{0,2}}(?:\s+|$)", re.IGNORECASE
        )


DECISION_LABELS = Labels({
    "rationale": "rationale", "why": "rationale", "reason": "rationale", "reasons": "rationale", "reasoning": "rationale",
    "because": "rationale", "motivation": "rationale", "justification": "rationale", "alternatives": "alternatives",
    "alternative": "alternatives", "alternatives considered": "alternatives", "considered alternatives": "alternatives",
    "options considered": "alternatives", "considered options": "alternatives", "considered": "alternatives",
    "rejected alternatives": "alternatives", "context": "context", "background": "context", "topic": "topic", "area": "topic",
    "supersedes": "supersedes", "replaces": "supersedes", "status": "status", "decision": "title", "decided": "title",
    "chosen option": "title", "choice": "title", "chosen": "title",
})  # fmt: skip
CONSTRAINT_LABELS = Labels({
    "tried": "tried", "attempted": "tried", "attempt": "tried", "approach": "tried", "we tried": "tried", "what was tried": "tried",
    "outcome": "outcome", "result": "outcome", "results": "outcome", "what happened": "outcome", "symptom": "outcome", "effect": "outcome",
    "because": "because", "why": "because", "reason": "because", "cause": "because", "root cause": "because", "topic": "topic",
    "status": "status",
})  # fmt: skip
THREAD_LABELS = Labels({
    "next": "next", "next step": "next", "next steps": "next", "next action": "next", "then": "next", "status": "status", "state": "status",
})  # fmt: skip

_DASH = re.compile(r"\s(?:—|–|--)\s")
_BECAUSE = re.compile(r"\s(?:\*\*)?because(?:\*\*)?:?\s(?:of\s)?", re.IGNORECASE)
_ARROW = re.compile(r"→|⇒|\s->\s|\s=>\s")
_BOLD_LEAD = re.compile(r"(\*\*|__)((?:(?!\1).)+)\1\s*[:：.]?\s*(?:[—–-]+\s+)?(.*)", re.DOTALL)
_BOLD = re.compile(r"\*\*(?=[^\s*`])([^*`\n]{1,200})(?<=\S)\*\*")
_BOLD_COLON = re.compile(r"(\*\*|__)((?:(?!\1).)+?)(?:[:：]\1|\1\s*[:：])\s*(.*)", re.DOTALL)
_TOPIC = re.compile(r"[\[(]topic:\s*([^\])]{1,80})[\])]", re.IGNORECASE)
_IDS = r"D-\d+(?:-[0-9a-z]{3})?"
_SUPERSEDES = re.compile(
    rf"[(\[]?\b(?:supersedes|superseding|replaces|replacing)\s+({_IDS}(?:\s*(?:,|and|&|\+)\s*{_IDS})*)\b[)\]]?", re.IGNORECASE
)
_CHOSE = re.compile(
    r"(?:we\s+)?(?:chose|choose|chosen|pick(?:ed)?|prefer(?:red)?|select(?:ed)?|went with|favou?r(?:ed)?)\b", re.IGNORECASE
)
_OVER = re.compile(r"\bover\s+([^,.;(—–]+)", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead of|rather than)\s+([^,.;(—–]+)", re.IGNORECASE)
_ID = re.compile(
    r"(\*\*|`|\[)?([A-Za-z]-\d+[\w.-]*?)(?:\*\*|`|\])?(?::\*\*)?(?:(?:\s*[:.)]|\s+[—–-]+)?\s+|\s*[:.]?$)(.*)", re.DOTALL
)
_MOST_MARKS = 4
_LONGEST_TAG = 40
_LONGEST = 10_000  # characters; a longer item is no phrase, and is kept as it stands
_SURE = frozenset(
    {"tried", "outcome", "because", "rationale", "alternatives", "supersedes", "why"}
)  # also without a stop before them
_EDGES = " \t;|—–-,"


@dataclass(slots=True)
class Phrase:
    """What one item says: the *text* that no label covers, the labelled *fields*, and the *rest* of what stood beneath it."""

    text: str
    fields: dict[str, str] = field(default_factory=dict)
    rest: list[str] = field(default_factory=list)

    def add(self, name: str, value: str) -> None:
        """Set field *name*, or add to it."""
        if value:
            self.fields[name] = f"{self.fields[name]}; {value}" if self.fields.get(name) else value


def marked(text: str) -> tuple[str, str]:
    """What the marks in front of *text* say of it (done, open, waiting, failed, struck, resolved, blocked, paused), and the text."""
    state = ""
    for _ in range(_MOST_MARKS):
        rest = text.lstrip()
        if found := _BOX.match(rest):
            state, text = _BOXES[found[1]], rest[found.end() :]
        elif rest[:1] in _MARK_OF:
            state, text = _MARK_OF[rest[0]], rest[1:].lstrip("\ufe0f \t")
        elif found := _WORD.match(rest):
            state, text = _WORDS[found[2]], rest[found.end() :]
        elif found := _STRUCK.fullmatch(rest):
            return "struck", f"{found[1]} {found[2]}".strip()
        else:
            break
    return state, _unescaped(text.strip())


def identified(text: str) -> tuple[str, str]:
    """The ID of ours that *text* begins with, and what follows it; no ID where it begins with none."""
    found = _ID.fullmatch(text)
    if found is None or not identity.is_id(found[2]):
        return "", text
    return str(identity.parse(found[2])), found[3].strip()


def status_of(text: str, known: Container[str]) -> tuple[str, str]:
    """The status word of *known* that *text* ends with in brackets or behind a dash, and the text without it."""
    found = _STATUS_TAG.search(text, max(0, len(text) - _LONGEST_TAG))
    word = (found["tag"] or found["dash"]).strip().lower() if found else ""
    return (word, text[: found.start()].strip()) if found and word in known else ("", text)


def leading_status(text: str, known: Container[str]) -> tuple[str, str]:
    """The status word of *known* that *text* begins with, before a colon, a dash or its end, and what follows it."""
    found = _LEADING.match(text)
    word = found[1].replace("_", " ").strip().lower() if found else ""
    return (word, text[found.end() :].strip()) if found and word in known else ("", text)


def split(text: str, children: Sequence[str], labels: Labels) -> Phrase:
    """*text* and what stands beneath it, taken apart at *labels*."""
    phrase = Phrase("")
    phrase.text = _take(text, labels, phrase)
    for child in children:
        _, said = marked(child)
        rest = _take(said, labels, phrase)
        if rest:
            phrase.rest.append(rest)
    return phrase


def has_label(text: str, labels: Labels | None) -> bool:
    """Whether *text* begins with one of *labels*, or with any label in bold."""
    return _BOLD_COLON.fullmatch(text) is not None or (labels is not None and labels.pattern.match(text) is not None)


def bare(text: str) -> str:
    """*text* without bold or italics around all of it."""
    for mark in ("**", "__", "*", "_"):
        inner = text[len(mark) : -len(mark)]
        if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark) and mark not in inner:
            return inner.strip()
    return text


def plain(text: str) -> str:
    """*text* without the stars of bold words."""
    return _BOLD.sub(r"\1", text) if "**" in text else text


def at_dash(text: str) -> tuple[str, str]:
    """*text* before and after its first dash, or bold lead; nothing after where there is none."""
    if (found := _BOLD_LEAD.fullmatch(text)) and found[3]:
        return found[2].strip(" .:"), found[3].strip()
    found = next(_outside_code(_DASH, text), None)
    return (text[: found.start()].strip(), text[found.end() :].strip()) if found and found.start() else (text, "")


def at_colon(text: str) -> tuple[str, str]:
    """A bold lead that ends in a colon, and what it introduces."""
    found = _BOLD_COLON.fullmatch(text)
    return (found[2].strip(), found[3].strip()) if found and found[3] else (text, "")


def at_because(text: str) -> tuple[str, str]:
    """*text* before and after `because`."""
    found = next(_outside_code(_BECAUSE, text), None)
    return (text[: found.start()].strip(_EDGES), text[found.end() :].strip()) if found and found.start() else (text, "")


def at_arrows(text: str) -> list[str]:
    """*text* cut at its arrows, at most twice."""
    parts: list[str] = []
    while len(parts) < 2 and (found := next(_outside_code(_ARROW, text), None)) and found.start():
        parts.append(text[: found.start()].strip())
        text = text[found.end() :]
    return [*parts, text.strip()]


def topic(text: str) -> tuple[str, str]:
    """The topic that *text* is tagged with, and the text without the tag."""
    found = _TOPIC.search(text)
    return (found[1].strip(), _without(text, found)) if found else ("", text)


def superseded(text: str) -> tuple[list[str], str]:
    """The IDs that *text* says it supersedes, and the text without those words."""
    found = _SUPERSEDES.search(text)
    if found is None:
        return [], text
    return ids(found[1]), _without(text, found)


def ids(text: str) -> list[str]:
    """Every ID that *text* names."""
    return [str(found) for _, _, found in identity.mentions(text)]


def passed_over(title: str) -> list[str]:
    """What the *title* of a decision says it was chosen over."""
    found = _INSTEAD.search(title) or (_OVER.search(title) if _CHOSE.match(title) else None)
    return [found[1].strip()] if found else []


def listed(text: str) -> list[str]:
    """The entries of a list that is written as one text."""
    divider = ";" if ";" in text else ","
    parts, current, depth = [], "", 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == divider and depth <= 0:
            parts.append(current)
            current = ""
        else:
            current += character
    return [part.strip() for part in (*parts, current) if part.strip()]


def joined(text: str, rest: Sequence[str]) -> str:
    """*text* followed by what stood beneath it."""
    if not rest:
        return text
    beneath = "; ".join(rest)
    return f"{text} {beneath}" if text.endswith((":", "：")) else f"{text}: {beneath}" if text else beneath


def _take(text: str, labels: Labels, phrase: Phrase) -> str:
    """What *text* says before its first label; what follows a label goes to that field of *phrase*."""
    found = [one for one in _outside_code(labels.pattern, text) if _opens(text, one)] if ":" in text or "：" in text else []
    ends = [one.start() for one in found[1:]] + [len(text)]
    for one, end in zip(found, ends, strict=False):
        phrase.add(labels[one[1].lower()], _sentence(text[one.end() : end].strip(_EDGES)))
    return _sentence(text[: found[0].start()].rstrip(_EDGES + "(")) if found else text


def _sentence(text: str) -> str:
    """*text* without the full stop that only parts it from the next label."""
    return text[:-1] if text.endswith(".") and not text.endswith("..") and ". " not in text else text


def _opens(text: str, label: re.Match[str]) -> bool:
    """Whether *label* is one, and not a word of the sentence that a colon happens to follow."""
    before = text[: label.start()].rstrip()
    if not before or before[-1] in ".;:,|)]—–-*(" or label.group().startswith(("*", "_")):
        return True
    return label[1][0].isupper() and label[1].lower() in _SURE and before.count("**") % 2 == 0


def _outside_code(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of *pattern* that stand in no code span."""
    ticks = at = 0
    for found in pattern.finditer(text) if len(text) <= _LONGEST else ():
        ticks += text.count("`", at, found.start())
        at = found.start()
        if ticks % 2 == 0:
            yield found


def _without(text: str, found: re.Match[str]) -> str:
    before, after = text[: found.start()].rstrip(_EDGES), text[found.end() :].strip()
    return f"{before} {after}".strip() if after[:1].isalnum() else f"{before}{after}"


def _unescaped(text: str) -> str:
    return text[1:] if text[:1] == "\\" and text[1:2] and not text[1].isalnum() and not text[1].isspace() else text
