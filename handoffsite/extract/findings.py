"""Limits that a result shows and the agent states: from where something is taken, and what goes on all the same."""

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
_ALL = (_SOURCE, _STILL)
_KINDS = {_SOURCE: "source", _STILL: "still"}
CUES = tuple(dict.fromkeys(cue for pattern in _ALL for cue in pattern.cues))
_HEDGED = lazy(
    r"\b(?:if you|would|might|may|could|should|unless|whether|probably|likely|perhaps|maybe|let me|please|plan|want)\b|\?",
    re.IGNORECASE,
)
_TOKEN = lazy(
    r"`([^`\n]{2,80})`|[\"“]([^\"”\n]{3,80})[\"”]|(?<![\w/])([\w@~.-]*[\w-](?:[/._-][\w-]+)+|#\d+|[a-z]+[A-Z]\w+|\w+\(\))"
)


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
        return Limit(
            kind=_KINDS.get(pattern, ""),
            tried=one_line(parts["tried"], PART),
            outcome=one_line(parts["outcome"].strip(" .,;)"), PART),
            because=one_line((because or before).strip(" .,;)"), PART),
            said=one_line(sentence),
        )
    return None
