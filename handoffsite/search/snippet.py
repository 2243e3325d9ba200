"""The part of a document that shows why it was found."""

from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.search import tokens
from handoffsite.search.syntax import Question

LONGEST = 160
# Enough to choose from; a document that is full of matches is not read to its end.
MOST_MATCHES = 64
CUT = "…"

Mark = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line of a document, and where in it the words of the question stand: start and end of each, in characters."""

    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    terms: frozenset[str]


def snippet(question: Question, text: str) -> Snippet:
    """The stretch of *text* that holds most of what *question* asks for; its beginning, where there is nothing."""
    line = " ".join(text.split())
    wanted = _wanted(question)
    hits = list(_hits(line, wanted, tuple(word.steps[0] for word in question.words if word.beginning)))
    start, end = _window(line, _densest(hits, wanted))
    before, after = CUT if start else "", CUT if end < len(line) else ""
    shift = len(before) - start
    marks = tuple(
        (max(hit.start, start) + shift, min(hit.end, end) + shift) for hit in hits if hit.start < end and hit.end > start
    )
    return Snippet(f"{before}{line[start:end]}{after}", _joined(marks))


def _wanted(question: Question) -> dict[str, int]:
    """Each term that is looked for, and how much it counts: a whole identifier as much as all its parts."""
    wanted: dict[str, int] = {}
    for word in question.words:
        wanted |= dict.fromkeys((*word.steps, *word.parts), 1)
    wanted |= {word.steps[0]: len(word.parts) + 1 for word in question.words if word.parts}
    return wanted


def _hits(line: str, wanted: dict[str, int], beginnings: tuple[str, ...]) -> Iterator[_Hit]:
    count = 0
    for start, end, (terms, width) in tokens.runs(line):
        found = [(place, term) for place, term in terms if term in wanted or (beginnings and term.startswith(beginnings))]
        if not found:
            continue
        if width == end - start and tokens.is_unspaced(line[start:end]):
            # Nothing divides this run, so only the characters that match are marked.
            for place, term in found:
                yield _Hit(start + place, start + place + len(term), frozenset({term}))
        else:
            yield _Hit(start, end, frozenset(term for _, term in found))
        count += len(found)
        if count > MOST_MATCHES:
            return


def _densest(hits: list[_Hit], wanted: dict[str, int]) -> Mark:
    """Start and end of the group of *hits* that fits into a snippet and holds most of *wanted*; the first of several."""
    best, found = 0, (0, 0)
    for place, first in enumerate(hits):
        terms: set[str] = set()
        end = first.end
        for hit in hits[place:]:
            if hit.end - first.start > LONGEST and hit is not first:
                break
            terms |= hit.terms
            end = hit.end
        score = sum(wanted.get(term, 1) for term in terms)
        if score > best:
            best, found = score, (first.start, end)
    return found


def _window(line: str, kernel: Mark) -> Mark:
    """At most `LONGEST` characters of *line* with *kernel* in them, cut between words where there is a gap."""
    first, last = kernel
    if len(line) <= LONGEST:
        return 0, len(line)
    start = max(0, min(first - max(0, LONGEST - (last - first)) // 3, len(line) - LONGEST))
    if start:
        gap = line.find(" ", start, first)
        start = gap + 1 if gap >= 0 else start
    end = min(len(line), start + LONGEST)
    if end < len(line):
        gap = line.rfind(" ", max(last, start + 1), end + 1)
        end = gap if gap > 0 else end
    return start, end


def _joined(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    joined: list[Mark] = []
    for start, end in marks:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
