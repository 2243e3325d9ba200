"""What a query says: words, "phrases" and filters. Nothing else has a meaning, so no text can be an operator."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from handoffsite.errors import UsageError
from handoffsite.records.item import TYPES
from handoffsite.records.kinds import KINDS
from handoffsite.records.lifecycle import CONTRACT
from handoffsite.search import tokens

LONGEST = 1000
MOST_WORDS = 128
SHORTEST_BEGINNING = 3

STATUSES = tuple(
    dict.fromkeys(
        ("recorded", "incomplete", "approved", *CONTRACT.moves, *(status for type in TYPES.values() for status in type.STATUSES))
    )
)

_PARTS = re.compile(
    r'(?P<filter>kind|status|topic|since):(?:"(?P<quoted>[^"]+)"|(?P<plain>[^\s"]+))|"(?P<phrase>[^"]*)"?|(?P<words>[^\s"]+)',
    re.IGNORECASE,
)
_TIME = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T\d\d(?::\d\d){0,2}Z?)?)?)?", re.ASCII)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEWER = "search for a few telling words"


@dataclass(frozen=True, slots=True)
class Word:
    """One thing to find: *steps*, terms that follow each other; or, less exactly, its *parts*, or with *beginning* what starts so."""

    steps: tuple[str, ...]
    parts: tuple[str, ...] = ()
    beginning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query, understood: the words in their order, each once, and the filters. An empty filter lets all pass."""

    words: tuple[Word, ...] = ()
    kinds: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    since: str = ""

    @property
    def is_filtered(self) -> bool:
        """Whether there is any filter."""
        return bool(self.kinds or self.statuses or self.topics or self.since)

    def passes(self, *, kind: str, status: str, topic: str, date: str) -> bool:
        """Whether the filters let a document of these properties through; *topic* is folded."""
        return (
            (not self.kinds or kind in self.kinds)
            and (not self.statuses or status in self.statuses)
            and (not self.topics or topic in self.topics)
            and date >= self.since
        )


def parse(text: str, *, kinds: Iterable[str] = (), statuses: Iterable[str] = (), topic: str = "", since: str = "") -> Question:
    """The question that *text* and the given filters ask; UsageError where it asks nothing, too much or for what does not exist."""
    if len(text) > LONGEST:
        message = f"the query has {len(text):,} characters; at most {LONGEST:,} can be searched for"
        raise UsageError(message, hint=_FEWER)
    filters = {
        "kind": list(kinds),
        "status": list(statuses),
        "topic": [topic] if topic else [],
        "since": [since] if since else [],
    }
    words = tuple(dict.fromkeys(_read(text, filters)))
    count = sum(len(word.steps) for word in words)
    if count > MOST_WORDS:
        raise UsageError(f"the query has {count} words; at most {MOST_WORDS} can be searched for", hint=_FEWER)
    question = Question(
        words=words,
        kinds=_known("kind", filters["kind"], KINDS),
        statuses=_known("status", filters["status"], STATUSES),
        topics=frozenset(map(folded, filters["topic"])),
        since=max(map(_time, filters["since"]), default=""),
    )
    if not text.strip() and not question.is_filtered:
        raise UsageError("the query is empty", hint='give words, a "phrase", or filters such as kind:decision status:accepted')
    return question


def folded(topic: str) -> str:
    """*topic* as topics are compared."""
    return " ".join(topic.split()).casefold()


def _read(text: str, filters: dict[str, list[str]]) -> list[Word]:
    """The words of *text*; its filters are added to *filters*."""
    words: list[Word] = []
    may_go_on = False
    for part in _PARTS.finditer(text):
        if part["filter"]:
            name, content = part["filter"].lower(), part["quoted"] or part["plain"]
            filters[name] += [content] if name == "topic" else content.split(",")
        elif part["words"]:
            words += _words(part["words"])
            may_go_on = True
        else:
            words += _phrase(part["phrase"])
            may_go_on = False
    if words and may_go_on and len(words[-1].steps) == 1 and len(words[-1].steps[0]) >= SHORTEST_BEGINNING:
        words[-1] = replace(words[-1], beginning=True)
    return words


def _words(text: str) -> Iterator[Word]:
    for start, end, (terms, width) in tokens.runs(text):
        first, last = dict(reversed(terms)), dict(terms)
        if tokens.is_unspaced(text[start:end]):
            # Pairs alone: the last character, which stands for itself, is in the last of them.
            yield Word(tuple(first[place] for place in range(max(1, width - 1))))
        elif terms:
            whole, parts = terms[0][1], tuple(last[place] for place in range(width))
            yield Word((whole,), parts if parts != (whole,) else ())


def _phrase(text: str) -> Iterator[Word]:
    steps: list[str] = []
    for _, _, (terms, width) in tokens.runs(text):
        first = dict(reversed(terms))
        steps += (first[place] for place in range(width))
    if steps:
        yield Word(tuple(steps))


def _known(filter: str, given: Iterable[str], known: tuple[str, ...]) -> frozenset[str]:
    wanted = frozenset(one.strip().lower() for one in given)
    if unknown := wanted - set(known):
        hint = f"there are {', '.join(known)}; to find the text itself, put it in quotation marks"
        raise UsageError(f"no {filter} is called {min(unknown)[:80]!r}", hint=hint)
    return wanted


def _time(text: str) -> str:
    found = _TIME.fullmatch(text.strip())
    if found is None or not _is_date(found):
        hint = "a date looks like 2026-11-30 or 2026-11 or 2026; a time like 2026-11-30T18:00:00Z"
        raise UsageError(f"since {text[:80]!r} is no date", hint=hint)
    return found[0]


def _is_date(found: re.Match[str]) -> bool:
    year, month, day = (int(part or 1) for part in found.groups())
    return 1 <= month <= len(_DAYS) and 1 <= day <= _DAYS[month - 1] and year > 0
