"""Limits in running text: what was tried, that it did not work, and why."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.extract.evidence import Proof
from handoffsite.extract.prose import capital, keywords, lines, one_line, plain, sentences

PART = 180  # characters of each part
LONGEST = 700  # of a sentence that is looked at

_FLAGS = re.IGNORECASE | re.DOTALL
_NOT = (
    r"(?:did(?:n['’]t| not)|does(?:n['’]t| not)|do(?:n['’]t| not)|will(?: not)|won['’]t|would(?:n['’]t| not)|could(?:n['’]t| not)|"
    r"can(?:n?ot|['’]t)|is(?:n['’]t| not)|are(?:n['’]t| not)|was(?:n['’]t| not))"
)
_MARKED = re.compile(
    r"^\W{0,8}(?:(?:known|hard|important|new) )?(?:constraint|limitation|gotcha|dead end)(?:\s+(?:[A-Z]{1,5}-)?[\w.-]*\d[\w.-]*)?"
    r"(?:\s*\([^)]{1,60}\))?\s*\**\s*(?::|—|–)\s*\**\s*(?P<what>\S.{4,})$",
    re.IGNORECASE,
)
_NONE = re.compile(r"^(?:none|n/?a|no (?:known|hard|new)?\s*constraints?|tbd|\?)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"\s*[,;—–(-]*\s*\b(?:because|since|due to|as the|as it|given that)\b\s*", re.IGNORECASE)
_WORKED = re.compile(
    rf"^(?P<tried>.{{3,200}}?)\s+(?P<outcome>(?:{_NOT}\s+work\b|failed\b|fails\b|broke\b|breaks\b|was (?:refused|rejected|reverted)\b|"
    rf"turned out not to work\b|had to be (?:reverted|abandoned|dropped)\b|{_NOT}\s+(?:support|allow|accept|handle|honou?r)\b|"
    rf"{_NOT}\s+(?:supported|available|allowed|possible|usable|implemented|honou?red|installed)\b).{{0,200}})$",
    _FLAGS,
)
_FAILED = re.compile(r"work|fail|broke|refus|reject|revert", re.IGNORECASE)
_TRIED = re.compile(
    r"^(?:(?:I|we)(?:['’]ve| have)? )?tried\s+(?P<tried>.{3,200}?)[,;]?\s+(?:but|and|yet)\s+(?:(?:it|that|this|they)\s+)?(?P<outcome>.{3,240})$",
    _FLAGS,
)
_DROPPED = re.compile(
    r"^(?:(?:I|we)(?:['’]ve| have)? )?(?:removed|dropped|omitted|skipped|left out|took out)\s+(?P<tried>.{2,120}?)\s*"
    r"(?:[(—–-]+|,|because|since|as)\s*(?:it['’]s |it is |they['’]re |they are |which (?:is|are) )?"
    r"(?P<outcome>(?:not (?:part of|supported|available|allowed|valid|accepted|recogni[sz]ed)|no longer (?:part|supported|available)|"
    r"unsupported|deprecated)\b.{0,160}?)\)?$",
    _FLAGS,
)
_LACKS = re.compile(
    r"^(?:.{0,160}?[,;:—–-]\s+(?:and |but |so )?)?(?P<tried>(?:the |an? )?[^,;]{2,140}?)\s+"
    r"(?P<outcome>(?:does(?:n['’]t| not)|do(?:n['’]t| not))\s+(?:currently |yet |actually )?(?:support|expose|allow|accept|permit|offer)\b.{2,240}|"
    r"(?:does(?:n['’]t| not)|do(?:n['’]t| not)) reliably .{3,240}|only (?:supports|accepts|allows|exposes|permits|works (?:with|on|in|for|when))\b.{2,240}|"
    r"(?:is|are)(?:n['’]t| not) supported\b.{2,240}|can(?:not|['’]t) be (?:used|combined|parallel\w*|nested|called|run)\b.{2,240})$",
    _FLAGS,
)
_DROPS = re.compile(r"(?:(?:i|we)(?:['’]ve| have)? )?(?:removed|dropped|omitted|skipped|left|took)\b")
_LACK_CUES = ("support", "expose", "allow", "accept", "permit", "offer", "reliabl", "only works", "not be ", "'t be ", "’t be ")
_HEDGED = re.compile(
    r"\b(?:if|would|might|may|could|should|unless|whether|when|let me|I['’]ll|add support|please)\b|\?", re.IGNORECASE
)
_RETRY = re.compile(
    r"\s*[;,.—–-]+\s*(?:so )?(?:do not|don['’]t|never) (?:re-?try|try|do|use) (?:it|this|that|again)\b.*$", _FLAGS
)
_OPENING = re.compile(
    r"^(?:so |but |and |however,? |unfortunately,? |note:? |it (?:seems|appears|turns out)(?: that)? |(?:it )?looks like |apparently,? )+",
    re.IGNORECASE,
)
PRONOUN = re.compile(
    r"^(?:that|it|this|which|they|the (?:approach|attempt|first attempt|command|previous attempt))$", re.IGNORECASE
)

# One of these stands in every statement that is understood here.
CUES = (
    *(
        "constraint",
        "limitation",
        "gotcha",
        "dead end",
        "work",
        "fail",
        "support",
        "not available",
        "n't available",
        "not usable",
        "tried",
    ),
    *(
        "reliably",
        "only accepts",
        "only allows",
        "expose",
        "allow",
        "accept",
        "permit",
        "not part of",
        "deprecated",
        "cannot be",
        "can't be",
    ),
    *("can’t be", "not possible", "reverted"),
)


@dataclass(slots=True, kw_only=True, eq=False)
class Limit:
    """A constraint in the making; *said* is the sentence that states it."""

    status: str = "proposed"
    tried: str
    outcome: str = ""
    because: str = ""
    said: str = ""
    turn: int = 0
    proofs: list[Proof] = field(default_factory=list)
    words: frozenset[str] = field(default_factory=frozenset)


def limits(text: str) -> Iterator[Limit]:
    """The limits that *text* states: marked as such, or with the reason why something did not work."""
    for line in lines(text):
        lowered = line.lower()
        if not any(cue in lowered for cue in CUES):
            continue
        if marked := _MARKED.match(line.strip()):
            if not _NONE.match(marked["what"]):
                yield _limit(plain(marked["what"]), said=line)
            continue
        for sentence in sentences(line):
            bare = plain(sentence)
            if len(bare) < LONGEST and not bare.endswith("?") and (found := _unmarked(bare)):
                yield found


def _unmarked(sentence: str) -> Limit | None:
    """A sentence that tells what was tried, that it failed, and why."""
    sentence = _OPENING.sub("", sentence)
    lowered = sentence.lower()
    if "tried" in lowered[:12] and (tried := _TRIED.match(sentence)):
        cause = _BECAUSE.search(tried["outcome"])
        if cause or _FAILED.search(tried["outcome"]):
            return _limit(f"{tried['tried']} {tried['outcome']}", tried["tried"], tried["outcome"], said=sentence)
        return None
    if _DROPS.match(lowered) and (dropped := _DROPPED.match(sentence)):
        return _limit(sentence, dropped["tried"], dropped["outcome"], said=sentence)
    if any(cue in lowered for cue in _LACK_CUES) and (lacks := _LACKS.match(sentence)) and not _HEDGED.search(sentence):
        return _limit(sentence, lacks["tried"], lacks["outcome"], said=sentence)
    cause = _BECAUSE.search(sentence)
    if cause is None or cause.start() < 8 or not _FAILED.search(sentence, 0, cause.start()):
        return None
    worked = _WORKED.match(sentence[: cause.start()])
    if worked is None or _HEDGED.search(sentence[: cause.start()]) or not _FAILED.search(worked["outcome"]):
        return None
    return (
        _limit(sentence, worked["tried"], worked["outcome"], said=sentence)
        if keywords(worked["tried"]) or PRONOUN.match(worked["tried"])
        else None
    )


def _limit(text: str, tried: str = "", outcome: str = "", *, said: str = "") -> Limit:
    text = _RETRY.sub("", text.rstrip(" ."))
    because = ""
    if cause := _BECAUSE.search(text):
        because, text = text[cause.end() :], text[: cause.start()]
    if not tried:
        worked = _WORKED.match(text)
        tried, outcome = (worked["tried"], worked["outcome"]) if worked else (text, "")
    elif cause := _BECAUSE.search(outcome):
        outcome = outcome[: cause.start()]
    tried = re.sub(r"^to\s+(?=[a-z])", "", _OPENING.sub("", tried.strip()))
    limit = Limit(
        tried=capital(one_line(tried, PART)),
        outcome=one_line(outcome.strip(" .,;)"), PART),
        because=one_line(because.strip(" .,;)"), PART),
        said=one_line(plain(said)),
    )
    limit.words = keywords(limit.tried)
    return limit
