"""What was tried, what came of it and because of what, told apart in a text without labels."""

import re

from handoffsite.sources import phrases

_FAILED = (
    r"(?:(?:it|this|that)\s+)?(?:fail(?:s|ed|ure)?|broke|breaks|broken|crash(?:es|ed)?|refused|rejected|denied|timed? ?out|times out|hangs?|hung|"
    r"errors?(?:ed)?|unsupported|not (?:supported|possible|allowed|viable|available)|no (?:effect|luck|difference|go)|dead end|"
    r"(?:did|does|do|was|is)(?:n't| not)|doesn’t|didn’t|can(?:not|'t)|too (?:slow|big|large|flaky|expensive|fragile)|deadlock(?:s|ed)?|"
    r"leak(?:s|ed)?|flaky|slower|segfault(?:s|ed)?|blocked|reverted|abandoned|gave up)\b"
)
_OUTCOME = re.compile(rf":\s+(?={_FAILED})", re.IGNORECASE)
_RESULT = re.compile(rf"({_FAILED}[^:]{{0,60}}?)\s*(?::|\s(?:—|–|--?))\s+(?=\S)", re.IGNORECASE)
_ORDER = re.compile(
    r"(?:please\s+)?(?:don['’]?t|do\s+not|never|always|avoid|no\s+more|stop|must\s+not|should\s+not|cannot|can['’]t|must|only)\s",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?<![\s:]):\s+(?=\S)")


def told_apart(text: str) -> list[str]:
    """What was tried, what came of it, and why, as far as *text* says so, in that order."""
    if _ORDER.match(text):
        return _order(text)
    parts = phrases.at_arrows(text)
    if len(parts) == 1:
        parts = _cut(text, _OUTCOME) or [part for part in phrases.at_colon(text) if part]
    if len(parts) == 1:
        parts = [part for part in phrases.at_dash(text) if part]
    if len(parts) == 2 and (found := _RESULT.match(parts[1])):
        return [parts[0], found[1].strip(), parts[1][found.end() :].strip()]
    if len(parts) < 3 and parts and (because := phrases.at_because(parts[-1]))[1]:
        return [*parts[:-1], *because] if len(parts) == 2 else [because[0], "", because[1]]
    if len(parts) == 3:
        parts[2] = phrases.reason(parts[2])
    return parts


def _order(text: str) -> list[str]:
    """`Don't X: Y`, in which Y is the reason; the words that forbid stay, since X alone would say the contrary."""
    for before, after in (
        phrases.at_because(text),
        phrases.at_dash(text),
        phrases.at_colon(text),
        tuple(_cut(text, _COLON) or (text, "")),
    ):
        if after:
            return [before, "", phrases.reason(after)]
    parts = phrases.at_arrows(text)
    return parts if len(parts) > 1 else [text]


def _cut(text: str, pattern: re.Pattern[str]) -> list[str]:
    found = next(phrases.outside_code(pattern, text), None)
    return [text[: found.start()].strip(), text[found.end() :].strip()] if found and found.start() else []
