"""The order of candidates, the same whatever engine found them.

A score is a whole number, the tier, plus a BM25 score squeezed into less than one. The tier counts, the weightiest first: the
document is named by its ID; all words match; identifiers match whole, not only in their parts; it is a decision or constraint
that matches all words; it is live, or at least only proposed; all words stand whole in the title. Of equal scores the newest comes
first, then the smallest ID.
"""

import math
from collections.abc import Iterable

from handoffsite.search.engine import Candidate, Found
from handoffsite.search.syntax import Question

# BM25 as usual; a word of the title counts as two, a word that matches only in parts or as a beginning as half of one.
SATURATION = 1.2
LENGTH = 0.75
TITLE = 2.0
NEAR = 0.5
# The score that is squeezed to one half.
MIDDLE = 5.0
# Beyond these decimals, the arithmetic of machines and languages differs.
DECIMALS = 6

PENDING = "proposed"
FIRST_KINDS = frozenset({"decision", "constraint"})


def ranked(question: Question, found: Found) -> list[tuple[float, Candidate]]:
    """The candidates with their scores, the best first."""
    weights = [_rarity(count, found.documents) for count in found.spread]
    mean = found.positions / found.documents if found.positions else 1.0
    identifiers = [bool(word.parts) for word in question.words]
    scored = [(_score(candidate, weights, identifiers, mean), candidate) for candidate in found.candidates]
    scored.sort(key=lambda one: one[1].id)
    scored.sort(key=lambda one: one[1].date, reverse=True)
    scored.sort(key=lambda one: one[0], reverse=True)
    return scored


def matches_all(candidate: Candidate) -> bool:
    """Whether no word of the question is missing."""
    return None not in candidate.matches


def _score(candidate: Candidate, weights: Iterable[float], identifiers: Iterable[bool], mean: float) -> float:
    everything = in_title = whole = True
    relevance = 0.0
    norm = SATURATION * (1 - LENGTH + LENGTH * candidate.length / mean)
    for match, weight, is_identifier in zip(candidate.matches, weights, identifiers, strict=True):
        if match is None:
            everything = in_title = False
            whole = whole and not is_identifier
            continue
        title, body, near = match
        count = body + TITLE * title + NEAR * near
        relevance += weight * count * (SATURATION + 1) / (count + norm)
        in_title = in_title and title > 0
        whole = whole and (not is_identifier or title + body > 0)
    tier = 2 * candidate.named + everything
    tier = 2 * tier + whole
    tier = 2 * tier + (everything and candidate.kind in FIRST_KINDS)
    tier = 4 * tier + (2 if candidate.live else candidate.status == PENDING)
    tier = 2 * tier + in_title
    return round(tier + relevance / (relevance + MIDDLE), DECIMALS)


def _rarity(count: int, documents: int) -> float:
    return math.log(1 + (documents - count + 0.5) / (count + 0.5))
