"""Limits that a result shows and the agent states: what finds nothing, goes or looks elsewhere, still holds, or cannot be."""

import re
from collections import deque

from handoffsite.extract.cued import Cued
from handoffsite.extract.evidence import Proof, proof
from handoffsite.extract.limits import PART, Limit
from handoffsite.extract.prose import lowered, one_line, plain, sentences
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

KEPT = 16  # results in which what is stated may be shown
HEAD = 6_000  # characters at the beginning of a result, and a third of it at its end
LONGEST = 500  # of a sentence that is looked at

_FLAGS = re.IGNORECASE | re.DOTALL
_OTHERS = r"(?!(?:I|we|you|let|now|if|when|maybe|perhaps|to|so)\b)"
_PLACE = r"`?(?=[\w@~.-]*[/.`\d-]|\w+`)[\w./@~-]+`?"

# A tool that has nothing to say, so that another way is taken.
_NOTHING = Cued(
    (" no ", "zero", "nothing", " 0 ", "none", "an empty"),
    rf"^{_OTHERS}(?P<tried>(?!.{{0,60}}\b(?:grep|rg|search|scan|grepping|diff)\b).{{3,120}}?)\s+(?P<outcome>(?:returns?|returned|reports?|reported|finds?|found|shows?|showed|prints?|printed|"
    r"yields?|gives?|gave|lists?|listed|validates?|validated|matches|matched|sees?|saw|sends?|sent)\s+(?:.{0,40}?\bas )?(?:no|zero|0|nothing|none|an empty)\b"
    r"(?!.{0,30}\b(?:references?|usages?|callers?|matches|occurrences?|hits?|conflicts?|errors?|issues?|problems?|failures?|warnings?|differences?|changes?|regressions?|"
    r"leftovers?|remaining|stale|more|other|longer|further|duplicates?)\b)[^;]{0,160}?"
    r",\s+(?:.{0,80},\s+)?(?:so|which means|because)\s+(?!(?:it['’]?s|that['’]?s|this is|we['’]?re|all is|everything is) (?:clean|safe|fine|good|done|ready|ok)\b).+)$",
    _FLAGS,
)
# What went to another place than the one that counts.
_ELSEWHERE = Cued(
    (", not ", "instead of", "rather than", " but not "),
    rf"^(?:.{{0,160}}?[,;:]\s+(?:and |but |so )?)?{_OTHERS}(?P<tried>[^,;:]{{3,100}}?)\s+(?P<outcome>(?:(?:is|was|were|are|got|has been|have been)\s+)?(?:only\s+)?(?:merged|merges|landed|lands|"
    r"written|writes|goes|went|installed|installs|saved|saves|published|pushed|committed|resolves?|resolved|created|ended up|ends up|lives?|points?|reads?|looks?)\s+"
    rf"(?:to|into|in|at|on|onto|under|from)\s+{_PLACE}(?:[^,;]{{0,40}}?),?\s+(?:but not|not|instead of|rather than)\s+(?:(?:in|into|to|at|on|under|from)\s+)?(?:the )?{_PLACE}.{{0,160}})$",
    _FLAGS,
)
# From where something is taken, whatever was changed elsewhere.
_SOURCE = Cued(
    (" first", "prefers ", " before ", " over ", "looks for", "looking for", "searches for", "expects "),
    rf"^(?:(?:by default|because|since),?\s+)?{_OTHERS}(?P<tried>[^,;:]{{3,100}}?)(?:\s+and)?\s+(?P<outcome>(?:(?:intentionally|always|silently|still|actually)\s+)?"
    rf"(?:(?:is |are )?(?:reads?|reading|loads?|loading|picks?(?: up)?|resolves?(?: to)?|uses|takes?|checks?|looks? (?:in|at))\s+(?:the )?{_PLACE}[^,;]{{0,30}}?\s+(?:first|before|over|ahead of)\b|"
    rf"prefers\s+(?:the )?{_PLACE}|(?:looks|is looking|searches) for\s+[^,;]{{2,60}}?\s+(?:at|in|under|from)\s|expects\s+{_PLACE}\s+(?:to be\s+)?(?:at|in|under)\s).{{0,200}})$",
    _FLAGS,
)
# What goes on although something was done about it.
_STILL = Cued(
    (" still ",),
    rf"^(?:found it:?\s+|(?:the )?(?:issue|problem|cause|reason|culprit)(?: here)?(?: is)?:?\s+(?:that\s+)?)?(?P<before>.{{3,160}}?,\s+and\s+)?{_OTHERS}(?P<tried>[^,;:]{{3,100}}?)\s+(?P<outcome>still\s+"
    r"(?:shows?|reads?|executes|picks?|loads?|resolves?|returns?|runs|renders?|serves?|sees?|gets?)\b[^;]{2,160}?)"
    r"(?:,?\s+(?:which means|because|since|meaning)\s+(?P<because>.{5,}))?$",
    _FLAGS,
)
# Of a failure only something general comes through.
_MERELY = Cued(
    (" just ", " only ", "merely"),
    rf"^(?:(?P<before>(?:when|if)\b(?=[^,]{{0,110}}\b(?:error|errors|fail\w*|missing|invalid|wrong|broken|crash\w*|denied|refused|cannot|can['’]t)\b)[^,]{{5,120}}),\s+)?{_OTHERS}(?P<tried>[^,;]{{3,120}}?)\s+(?P<outcome>(?:just|only|merely)\s+(?:sees?|gets?|shows?|says?|reports?|surfaces?|prints?|returns?|reads?|looks? (?:at|in|for)|"
    r"checks?|covers?|applies|works|has|accepts?|knows?|scans?)\b.{4,200})$",
    _FLAGS,
)
# What cannot be, because of what is so.
_CANNOT = Cued(
    (" so ", "which means"),
    rf"^(?P<because>{_OTHERS}(?!I['’]m|we['’]re).{{8,200}}?),?\s+(?:so|which means(?: that)?)\s+{_OTHERS}(?P<tried>[^,;]{{2,80}}?)\s+(?P<outcome>(?:cannot|can['’]t|won['’]t|will not|will never|is not able to|isn['’]t able to)\s+.{{4,200}})$",
    _FLAGS,
)
_ALL = (_NOTHING, _ELSEWHERE, _SOURCE, _STILL, _CANNOT, _MERELY)
_KINDS = {_NOTHING: "nothing", _SOURCE: "source", _STILL: "still"}
CUES = tuple(dict.fromkeys(cue for pattern in _ALL for cue in pattern.cues))
_HEDGED = lazy(
    r"\b(?:if you|would|might|may|could|should|unless|whether|probably|likely|perhaps|maybe|let me|please|plan|want)\b|\?",
    re.IGNORECASE,
)
_TOKEN = lazy(
    r"`([^`\n]{2,80})`|[\"“]([^\"”\n]{3,80})[\"”]|(?<![\w/])([\w@~.-]*[\w-](?:[/._-][\w-]+)+|#\d+|[a-z]+[A-Z]\w+|\w+\(\))"
)
_EMPTY = lazy(r"\s*(?:\[\s*\]|\{\s*\}|null|0|none|\(empty\))?\s*\Z|.{0,200}\b(?:0|no|none|zero|empty|nothing)\b", _FLAGS)


class Shown:
    """Remembers the latest results, in which what is stated may be seen."""

    def __init__(self) -> None:
        self._results: deque[tuple[Event, str]] = deque(maxlen=KEPT)

    def see(self, event: Event) -> None:
        """Keep what *event*, a result or a prompt, shows."""
        text = event.text
        self._results.append((event, text if len(text) <= HEAD else f"{text[:HEAD]}\n{text[-HEAD // 3 :]}"))

    def where(self, limit: Limit) -> Proof | None:
        """The latest result that shows most of what *limit* names."""
        if limit.kind == "nothing":
            return next(
                (proof(event, text.strip() or "(nothing)") for event, text in reversed(self._results) if _EMPTY.match(text)), None
            )
        tokens = {next(filter(None, found)) for found in _TOKEN.findall(limit.said)}
        best, most = None, 0
        for event, text in reversed(self._results):
            count = sum(token in text for token in tokens)
            if count > most:
                best, most = (event, text), count
        if best is None:
            return None
        event, text = best
        at = min(place for token in tokens if (place := text.find(token)) >= 0)
        return proof(event, text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0].strip())


def findings(text: str) -> list[Limit]:
    """The limits that *text* states as found."""
    found: list[Limit] = []
    for line, lower in lowered(text):
        if not any(map(lower.__contains__, CUES)):
            continue
        found += filter(None, (_finding(plain(sentence).rstrip(" .:")) for sentence in sentences(line)))
    return found


def _finding(sentence: str) -> Limit | None:
    lower = sentence.lower()
    if len(sentence) > LONGEST or _HEDGED.search(sentence):
        return None
    for pattern in _ALL:
        found = pattern.find(sentence, lower)
        if found is None:
            continue
        parts = found.groupdict()
        because, before = parts.get("because") or "", (parts.get("before") or "").removesuffix(", and ").strip(" ,")
        if pattern is _STILL and not (because or before):
            return None
        tried = parts["tried"]
        if pattern is _MERELY and not before:
            continue
        return Limit(
            kind=_KINDS.get(pattern, ""),
            tried=one_line(f"{before}: {tried}" if pattern is _MERELY else tried, PART),
            outcome=one_line(parts["outcome"].strip(" .,;)"), PART),
            because=one_line((because or ("" if pattern is _MERELY else before)).strip(" .,;)"), PART),
            said=one_line(sentence),
        )
    return None
