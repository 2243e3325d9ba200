"""One item of a note as people phrase it: labels, `because`, arrows; each reader takes a text apart into fields."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from handoffsite.records import identity
from handoffsite.records.standing import marked


class Labels(dict[str, str]):
    """The labels of a kind of item and the fields that they name, with the pattern that finds them."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__(fields)
        words = "|".join(re.escape(label) for label in sorted(fields, key=len, reverse=True))
        self.pattern = re.compile(
            rf"(?:(?<=[\s(;|])|^)[*_]{{0,2}}({words})[*_]{{0,2}}\s?[:：][*_]{{0,2}}(?:\s+|$)", re.IGNORECASE
        )
        # A field in brackets, which may stand anywhere.
        self.bracket = re.compile(
            rf"\[\s*[*_]{{0,2}}({words})[*_]{{0,2}}\s?[:：=]\s*([^\[\]]{{1,400}})\]"
            rf"|\(\s*[*_]{{0,2}}({words})[*_]{{0,2}}\s?[:：=]\s*((?:[^()]|\([^()]{{0,200}}\)){{1,400}})\)",
            re.IGNORECASE,
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
_BECAUSE = re.compile(r"(?:\s|(?<=\s)\()(?:\*\*|_)?because(?:\*\*|_)?[:,]?\s(?:of\s)?", re.IGNORECASE)
# A day, a version or an event after it, and `since` tells of time.
_SINCE = re.compile(
    r"(?<!ever)\s(?:\*\*|_)?since(?:\*\*|_)?,?\s(?!v?\d|(?:then|yesterday|today|last|when|day|week|early|late|mid|version|release|Q\d|"
    r"(?:the\s)?(?:last|first|start|beginning|release|launch|update|upgrade|migration|outage|incident|move)\b|"
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|mon|tues|wednes|thurs|fri|satur|sun)\w*\b))",
    re.IGNORECASE,
)
_SO_THAT = re.compile(r"\sso\sthat\s", re.IGNORECASE)
# `as` gives a reason only where a whole sentence follows it.
_AS = re.compile(
    r",\sas\s(?!(?:it\s(?:is|was|stands)|is|was|before|agreed|discussed|planned|usual|well|described|shown)\s?[,.;]?$)"
    r"(?=(?:it|we|they|this|that|there|the|our|both|all|no|every|each|users?|people|nobody|nothing|most|some|its|their)\b[^,;.]{0,80}?"
    r"\s(?:is|are|was|were|has|have|had|needs?|must|can|cannot|can't|do|does|did|don't|doesn't|will|would|should|share|already|lacks?|breaks?|"
    r"fails?|makes?|uses?|supports?|requires?|wants?)\s)",
    re.IGNORECASE,
)
_CAUSES = (_BECAUSE, _SINCE, _SO_THAT, _AS)
_CAUSE = re.compile(r"(?:because(?:\sof)?|since(?!\sv?\d)|so\sthat)[:,]?\s+", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?][)\"'*_]{0,3}\s")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|cf|etc|approx|no)\.\s", re.IGNORECASE)
_CODE = re.compile(r"`[^`\n]*`")
_ARROW = re.compile(r"→|⇒|\s->\s|\s=>\s")
# Bold words are the head of what follows only where something parts the two.
_BOLD_LEAD = re.compile(
    r"(\*\*|__)((?:(?!\1).)+)(?:(?<=[:：.])\1\s*|\1\s*[:：.]\s*(?:[—–-]+\s+)?|\1\s*(?:[—–]|-{1,2}\s)-*\s*)(.*)", re.DOTALL
)
# A bold word that orders or forbids belongs to its sentence, and is never its head.
_ORDER = re.compile(
    r"(\*\*|__)((?:please\s+)?(?:do(?:\s+not|n['’]?t)?|never(?:\s+ever)?|always|must(?:\s+not|n['’]t)?|should(?:\s+not|n['’]t)?|"
    r"may\s+not|can(?:not|['’]t|\s+not)|no(?:\s+more|t)?|avoid|only|stop))\s*[:：]?\1\s*(?:[:：]\s*|[—–-]+\s+)?(?=\S)",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\*\*(?=[^\s*`])([^*`\n]{1,200})(?<=\S)\*\*")
_BOLD_COLON = re.compile(r"(\*\*|__)((?:(?!\1).)+?)(?:[:：]\1|\1\s*[:：])\s*(.*)", re.DOTALL)
_IDS = r"D-\d+(?:-[0-9a-z]{3})?"
_SUPERSEDES = re.compile(
    rf"[(\[]?\b(?:supersedes|superseding|replaces|replacing)\s+({_IDS}(?:\s*(?:,|and|&|\+)\s*{_IDS})*)\b[)\]]?", re.IGNORECASE
)
_CHOSE = re.compile(
    r"(?:we\s+)?(?:chose|choose|chosen|pick(?:ed)?|prefer(?:red)?|select(?:ed)?|went with|favou?r(?:ed)?)\b", re.IGNORECASE
)
_OVER = re.compile(r"\bover\s+([^,.;:(—–]+)", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead of|rather than)\s+([^,.;:(—–]+)", re.IGNORECASE)
_ID = re.compile(
    r"(\*\*|`|\[)?([A-Za-z]-\d+[\w.-]*?)(?:\*\*|`|\])?(?::\*\*)?(?:(?:\s*[:.)]|\s+[—–-]+)?\s+|\s*[:.]?$)(.*)", re.DOTALL
)
_LONGEST = 10_000  # characters; a longer item is no phrase, and is kept as it stands
_SURE = frozenset(
    {
        "tried",
        "outcome",
        "because",
        "rationale",
        "alternatives",
        "supersedes",
        "why",
        "topic",
        "context",
        "next",
        "status",
        "result",
    }
)  # also without a stop before them
_CONJUNCTION = re.compile(r"(?:or|and)\s+(?=\S)")
_EDGES = " \t;|—–-,→"


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


def identified(text: str) -> tuple[str, str]:
    """The ID of ours that *text* begins with, and what follows it; no ID where it begins with none."""
    found = _ID.fullmatch(text)
    if found is None or not identity.is_id(found[2]):
        return "", text
    return str(identity.parse(found[2])), found[3].strip()


def split(text: str, children: Sequence[str], labels: Labels) -> Phrase:
    """*text* and what stands beneath it, taken apart at *labels*."""
    phrase = Phrase("")
    phrase.text = _take(_bracketed(text, labels, phrase), labels, phrase)
    for child in children:
        _, said = marked(child)
        rest = _take(_bracketed(said, labels, phrase), labels, phrase)
        if rest:
            phrase.rest.append(rest)
    return phrase


def has_label(text: str, labels: Labels | None) -> bool:
    """Whether *text* begins with one of *labels*, or with any label in bold."""
    return (_BOLD_COLON.fullmatch(text) is not None and _ORDER.match(text) is None) or (
        labels is not None and labels.pattern.match(text) is not None
    )


def bare(text: str) -> str:
    """*text* without bold or italics around all of it."""
    for mark in ("**", "__", "*", "_"):
        inner = text[len(mark) : -len(mark)]
        if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark) and mark not in inner:
            return inner.strip()
    return text


def ordered(text: str) -> str:
    """*text* without bold around the word that it orders or forbids with: `**Never** mock the clock`."""
    found = _ORDER.match(text) if text.startswith(("**", "__")) else None
    return f"{found[2]} {text[found.end() :]}" if found else text


def plain(text: str) -> str:
    """*text* without the stars of bold words."""
    return _BOLD.sub(r"\1", text) if "**" in text else text


def at_dash(text: str) -> tuple[str, str]:
    """*text* before and after its first dash, or bold lead; nothing after where there is none."""
    if (found := _BOLD_LEAD.fullmatch(text)) and found[3]:
        return found[2].strip(" .:"), found[3].strip()
    found = next(outside_code(_DASH, text), None)
    return (text[: found.start()].strip(), text[found.end() :].strip()) if found and found.start() else (text, "")


def at_colon(text: str) -> tuple[str, str]:
    """A bold lead that ends in a colon, and what it introduces."""
    found = _BOLD_COLON.fullmatch(text)
    return (found[2].strip(), found[3].strip()) if found and found[3] else (text, "")


def at_because(text: str) -> tuple[str, str]:
    """*text* before and after `because`."""
    return _at_cause(text, next(outside_code(_BECAUSE, text), None))


def at_cause(text: str) -> tuple[str, str]:
    """*text* before and after the first word that gives a reason: `because`, `since`, `so that`, or `as` if no other does."""
    found = [one for pattern in _CAUSES[:3] for one in [next(outside_code(pattern, text), None)] if one and one.start()]
    first = min(found, key=lambda one: one.start()) if found else next(outside_code(_AS, text), None)
    return _at_cause(text, first)


def _at_cause(text: str, found: re.Match[str] | None) -> tuple[str, str]:
    if found is None or not found.start():
        return text, ""
    after = text[found.end() :].strip()
    if "(" in found.group() and ")" in after:
        before_bracket, _, after_bracket = after.partition(")")
        after = f"{before_bracket}{after_bracket}" if after_bracket.strip(" .") else before_bracket
    return text[: found.start()].strip(_EDGES), after


def reason(text: str) -> str:
    """*text* without the word in front that only says that it is a reason."""
    return text[found.end() :] if (found := _CAUSE.match(text)) else text


def at_arrows(text: str) -> list[str]:
    """*text* cut at its arrows, at most twice."""
    parts: list[str] = []
    while len(parts) < 2 and (found := next(outside_code(_ARROW, text), None)) and found.start():
        parts.append(text[: found.start()].strip())
        text = text[found.end() :]
    return [*parts, text.strip()]


def lead(text: str) -> tuple[str, str]:
    """The first sentence of *text*, and what follows it; nothing after where it is one sentence."""
    found = _SENTENCE_END.search(text)
    return (text[: found.start()], text[found.end() :].strip()) if found else (text, "")


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
    stripped = [_CONJUNCTION.sub("", part.strip()).removesuffix(".").strip() for part in (*parts, current)]
    return [part for part in stripped if part]


def joined(text: str, rest: Sequence[str]) -> str:
    """*text* followed by what stood beneath it."""
    if not rest:
        return text
    beneath = "; ".join(rest)
    return f"{text} {beneath}" if text.endswith((":", "：")) else f"{text}: {beneath}" if text else beneath


def _bracketed(text: str, labels: Labels, phrase: Phrase) -> str:
    """*text* without its fields in brackets and the IDs that it says it supersedes; they go to *phrase*."""
    if ("[" in text or "(" in text) and (":" in text or "：" in text or "=" in text):
        for found in list(outside_code(labels.bracket, text))[::-1]:
            phrase.add(labels[(found[1] or found[3]).lower()], sentence((found[2] or found[4]).strip()))
            text = _without(text, found)
    if "supersedes" in labels and (replaced := _SUPERSEDES.search(text)):
        phrase.add("supersedes", ", ".join(ids(replaced[1])))
        text = _without(text, replaced)
    return text


def _take(text: str, labels: Labels, phrase: Phrase) -> str:
    """What *text* says before its first label; what follows a label goes to that field of *phrase*."""
    found = [one for one in outside_code(labels.pattern, text) if _opens(text, one)] if ":" in text or "：" in text else []
    ends = [one.start() for one in found[1:]] + [len(text)]
    for one, end in zip(found, ends, strict=False):
        name, said = labels[one[1].lower()], text[one.end() : end].strip(_EDGES)
        if said.endswith(("(", "[")):
            said = said[:-1].rstrip(_EDGES)
        if said.rstrip(".").endswith((")", "]")) and _closes(said, text[: one.start()]):
            said = said.rstrip(".")[:-1]
        if name == "topic" and (end_of := _SENTENCE_END.search(said)):
            phrase.rest.append(said[end_of.end() :].strip())
            said = said[: end_of.start()]
        phrase.add(name, sentence(said))
    return sentence(text[: found[0].start()].rstrip(_EDGES + "([")) if found else text


def _closes(said: str, before: str) -> bool:
    """Whether *said* ends with the bracket that was opened *before* it."""
    return said.count("(") + said.count("[") < said.count(")") + said.count("]") and (
        before.count("(") + before.count("[") > before.count(")") + before.count("]")
    )


def sentence(text: str) -> str:
    """*text* without its full stop where it is one sentence: the stop only parts it from what follows."""
    text = text.rstrip()
    if not text.endswith(".") or text.endswith(".."):
        return text
    prose = _ABBREVIATION.sub("", _CODE.sub("", text) if "`" in text else text)
    return text if _SENTENCE_END.search(prose) else text[:-1]


def _opens(text: str, label: re.Match[str]) -> bool:
    """Whether *label* is one, and not a word of the sentence that a colon happens to follow."""
    before = text[: label.start()].rstrip()
    if not before or before[-1] in ".;:,|)]—–-*(→>" or label.group().startswith(("*", "_")):
        return True
    return label[1][0].isupper() and label[1].lower() in _SURE and before.count("**") % 2 == 0


def outside_code(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of *pattern* that stand in no code span."""
    ticks = at = 0
    for found in pattern.finditer(text) if len(text) <= _LONGEST else ():
        ticks += text.count("`", at, found.start())
        at = found.start()
        if ticks % 2 == 0:
            yield found


def _without(text: str, found: re.Match[str]) -> str:
    before, after = text[: found.start()].rstrip(), text[found.end() :].strip()
    if not after or after[0] in ".,;:!?)]" or not before:
        before = before.rstrip(_EDGES)
        return f"{before}{after.lstrip('.') if before.endswith(('.', '!', '?')) else after}".strip()
    return f"{before} {after}"
