"""Limits in running text: what was tried, that it did not work, and why."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.extract.cued import Cued
from handoffsite.extract.evidence import Proof
from handoffsite.extract.prose import keywords, lowered, one_line, plain, sentences
from handoffsite.records.pattern import lazy

PART = 180  # characters of each part
BRIEF = 40  # characters of what came of it, where only a colon stands before the reason
LONGEST = 700  # of a sentence that is looked at

_FLAGS = re.IGNORECASE | re.DOTALL
_NOT = (
    r"(?:did(?:n['’]t| not)|does(?:n['’]t| not)|do(?:n['’]t| not)|will(?: not)|won['’]t|would(?:n['’]t| not)|could(?:n['’]t|"
    r" not)|"
    r"can(?:n?ot|['’]t)|is(?:n['’]t| not)|are(?:n['’]t| not)|was(?:n['’]t| not))"
)
_MARKED = Cued(
    ("constraint", "limitation", "gotcha", "dead end"),
    r"^\W{0,8}(?:(?:known|hard|important|new) )?(?:constraint|limitation|gotcha|"
    r"dead end)(?:\s+(?:[A-Z]{1,5}-)?[\w.-]*\d[\w.-]*)?"
    r"(?:\s*\([^)]{1,60}\))?\s*\**\s*(?::|—|–)\s*\**\s*(?P<what>\S.{4,})$",
    re.IGNORECASE,
)
_NONE = lazy(r"^(?:none|n/?a|no (?:known|hard|new)?\s*constraints?|tbd|\?)\b", re.IGNORECASE)
_BECAUSE = lazy(
    r"\s*[,;—–(-]*\s*\b(?:because|since|due to|as the|as it(?! (?:is|was|stands)\b\W*(?:$|because|since|due))|given that)\b\s*",
    re.IGNORECASE,
)
_COLON = lazy(r"(?<=[a-z]):\s+(?=[a-z])")
_WORKED = lazy(
    rf"^(?P<tried>.{{3,200}}?)\s+(?P<outcome>(?:{_NOT}\s+work\b|failed\b|fails\b|broke\b|breaks\b|was (?:refused|rejected|"
    r"reverted|abandoned|dropped|given up)\b|"
    rf"turned out not to work\b|had to be (?:reverted|abandoned|dropped)\b|{_NOT}\s+(?:support|allow|accept|handle|honou?r)\b|"
    rf"{_NOT}\s+(?:supported|available|allowed|possible|usable|implemented|honou?red|installed)\b).{{0,200}})$",
    _FLAGS,
)
_FAILED = lazy(r"work|fail|broke|refus|reject|revert|abandon|dropp|given up|possible|usable", re.IGNORECASE)
_TRIED = Cued(
    ("tried",),
    r"^(?:(?:I|we)(?:['’]ve| have)? )?tried\s+(?P<tried>.{3,200}?)"
    r"(?:[,;]?\s+(?:but|and|yet)\s+(?:(?:it|that|this|they)\s+)?|[;:,—–-]+\s+(?:it|that|this|they)\s+)(?P<outcome>.{3,240})$",
    _FLAGS,
)
_DROPPED = Cued(
    ("removed", "dropped", "omitted", "skipped", "left out", "took out"),
    r"^(?:(?:I|we)(?:['’]ve| have)? )?(?:removed|dropped|omitted|skipped|left out|took out)\s+(?P<tried>.{2,120}?)\s*"
    r"(?:[(—–-]+|,|because|since|as)\s*(?:it['’]s |it is |they['’]re |they are |which (?:is|are) )?"
    r"(?P<outcome>(?:not (?:part of|supported|available|allowed|valid|accepted|recogni[sz]ed)|no longer (?:part|supported|"
    r"available)|"
    r"unsupported|deprecated)\b.{0,160}?)\)?$",
    _FLAGS,
)
_LACKS = Cued(
    ("support", "expose", "allow", "accept", "permit", "offer", "reliabl", "only works", "not be ", "'t be ", "’t be "),
    r"^(?:.{0,160}?[,;:—–-]\s+(?:and |but |so )?)?(?P<tried>(?:the |an? )?[^,;]{2,140}?)\s+"
    r"(?P<outcome>(?:does(?:n['’]t| not)|do(?:n['’]t| not))\s+(?:currently |yet |actually )?(?:support|expose|allow|accept|"
    r"permit|offer)\b.{2,240}|"
    r"(?:does(?:n['’]t| not)|do(?:n['’]t| not)) reliably .{3,240}|only (?:supports|accepts|allows|exposes|permits|"
    r"works (?:with|on|in|for|when))\b.{2,240}|"
    r"(?:is|are)(?:n['’]t| not) supported\b.{2,240}|can(?:not|['’]t) be (?:used|combined|parallel\w*|nested|called|"
    r"run)\b.{2,240})$",
    _FLAGS,
)
# Somebody else's fault that will stay.
_KNOWN = Cued(
    ("known ", "upstream ", "documented "),
    r"^(?P<before>.{0,120}?)\b(?:this|that|it)(?: is|['’]s) an? (?P<outcome>(?:known|upstream|documented) (?:issue|bug|limitation|problem|restriction))\s+(?:with|in|of)\s+(?P<tried>.{3,160}?)"
    r"(?:\s+[-—–]+\s+(?P<because>.{8,}))?$",
    _FLAGS,
)
_CANNOT = lazy(
    r"^(?:we|you|I)\s+(?P<outcome>(?:cannot|can['’]t|could not|couldn['’]t)\s+(?:use|rely on|run|install|call|import|enable|upgrade|reach|share))\s+"
    r"(?P<tried>.{2,160}?)$",
    _FLAGS,
)
_FAILED_CUES = (
    *(
        "n't work",
        "n’t work",
        "not work",
        "to work",
        "not possible",
        "n't possible",
        "not usable",
        "can't ",
        "can’t ",
        "cannot",
        "fail",
    ),
    *("abandon", "dropped", "given up", "broke", "refus", "reject", "revert"),
)
_DROPS = lazy(r"(?:(?:i|we)(?:['’]ve| have)? )?(?:removed|dropped|omitted|skipped|left|took)\b")
_HEDGED = lazy(r"\b(?:if|would|might|may|could|should|unless|whether|when|let me|I['’]ll|add support|please)\b|\?", re.IGNORECASE)
_RETRY = lazy(r"\s*[;,.—–-]+\s*(?:so )?(?:do not|don['’]t|never) (?:re-?try|try|do|use) (?:it|this|that|again)\b.*$", _FLAGS)
_OPENING = lazy(
    r"^(?:so |but |and |however,? |unfortunately,? |note:? |it (?:seems|appears|turns out)(?: that)? |(?:it )?looks like |"
    r"apparently,? )+",
    re.IGNORECASE,
)
PRONOUN = lazy(
    r"^(?:it|that|this|which|they|(?:that|this|the) (?:approach|attempt|first attempt|previous attempt|command|way))$",
    re.IGNORECASE,
)

# One of these stands in every statement that is understood here.
CUES = tuple(
    (
        "constraint|limitation|gotcha|dead end|t work|to work|fail|tried|t support|y support|unsupport|t available|"
        "t allow|t expose|t accept|t permit|t offer|t reliabl|only support|only accept|only allow|only expose|"
        "only permit|only works|t part of|deprecated|t be |t possible|t usable|refused|rejected|reverted|broke|breaks|"
        "abandoned|dropped|given up|t recogni|t valid|longer|cannot|can't |can’t |known issue|known bug|known limit|known problem|"
        "upstream |documented "
    ).split("|")
)


@dataclass(slots=True, kw_only=True, eq=False)
class Limit:
    """A constraint in the making; *said* is the sentence that states it, *kind* how it can be seen in a result."""

    status: str = "proposed"
    tried: str
    outcome: str = ""
    because: str = ""
    said: str = ""
    kind: str = ""
    turn: int = 0
    proofs: list[Proof] = field(default_factory=list)
    words: frozenset[str] = field(default_factory=frozenset)


def limits(text: str) -> Iterator[Limit]:
    """The limits that *text* states: marked as such, or with the reason why something did not work."""
    for line, lower in lowered(text):
        if not any(map(lower.__contains__, CUES)):
            continue
        if marked := _MARKED.find(line.strip(), lower):
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
    lower = sentence.lower()
    if "tried" in lower[:12] and (tried := _TRIED.find(sentence, lower)):
        cause = _BECAUSE.search(tried["outcome"])
        if cause or _FAILED.search(tried["outcome"]):
            return _limit(f"{tried['tried']} {tried['outcome']}", tried["tried"], tried["outcome"], said=sentence)
        return None
    if _DROPS.match(lower) and (dropped := _DROPPED.find(sentence, lower)):
        return _limit(sentence, dropped["tried"], dropped["outcome"], said=sentence)
    if (lacks := _LACKS.find(sentence, lower)) and not _HEDGED.search(sentence):
        return _limit(sentence, lacks["tried"], lacks["outcome"], said=sentence)
    if known := _KNOWN.find(sentence, lower):
        because = f" because {known['because']}" if known["because"] else ""
        return _limit(
            f"{known['tried']} {known['outcome']}{because}", known["tried"].rstrip(" .:"), f"{known['outcome']}", said=sentence
        )
    if not any(map(lower.__contains__, _FAILED_CUES)):
        return None
    cause = _BECAUSE.search(sentence) or _COLON.search(sentence)
    if cause is None or cause.start() < 8:
        return None
    stated, why = sentence[: cause.start()], sentence[cause.end() :]
    worked = _CANNOT.match(stated) or (_WORKED.match(stated) if _FAILED.search(stated) else None)
    if (
        worked is None
        or _HEDGED.search(stated)
        or not (worked.re.pattern == _CANNOT.pattern or _FAILED.search(worked["outcome"]))
    ):
        return None
    if cause.re.pattern == _COLON.pattern and len(worked["outcome"]) > BRIEF:
        return None
    if not keywords(worked["tried"]) and not PRONOUN.match(worked["tried"]):
        return None
    return _limit(f"{stated} because {why}", worked["tried"], worked["outcome"], said=sentence)


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
        tried=one_line(tried, PART),
        outcome=one_line(outcome.strip(" .,;)"), PART),
        because=one_line(because.strip(" .,;)"), PART),
        said=one_line(plain(said)),
    )
    limit.words = keywords(limit.tried)
    return limit
