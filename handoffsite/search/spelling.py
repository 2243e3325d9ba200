"""What was meant where a word of a question stands in no document: words of this project's own index that are written almost so."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from handoffsite.search import tokens
from handoffsite.search.engine import Engine, Found
from handoffsite.search.syntax import Question, Word

MOST = 3  # suggestions
SHORTEST = 3  # characters of a word that is looked at: of two letters, everything is near to everything
_FREE = 6  # from this length on, two letters may be wrong instead of one
_COMPARED = 64  # words that are near enough to be counted
_MOST_WORDS = 8  # of a question that are looked at


class Words:
    """The words that *engine* holds, kept by their length: to read them takes longer than all else."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._of: dict[int, list[str]] = {}

    def between(self, shortest: int, longest: int) -> Iterator[str]:
        """Every word of that length, each at least once."""
        lengths = range(shortest, longest + 1)
        missing = [length for length in lengths if length not in self._of]
        if missing:
            found: dict[int, list[str]] = {length: [] for length in range(missing[0], missing[-1] + 1)}
            for term in self.engine.terms(missing[0], missing[-1]):
                found[len(term)].append(term)
            self._of |= found
        return itertools.chain.from_iterable(self._of[length] for length in lengths)


def suggestions(text: str, question: Question, found: Found, words: Words) -> tuple[str, ...]:
    """The query *text* as it may have been meant, the likeliest first, each time with words that some document holds.

    IDs, versions and whatever else holds a digit are taken at their word.
    """
    unknown = [word for word, count in zip(question.words, found.spread, strict=True) if not count]
    targets = list(dict.fromkeys(step for word in unknown for step in (*word.steps, *word.parts) if _is_word(step)))[:_MOST_WORDS]
    meant = {target: near for target, near in _near(targets, words).items() if near}
    if not meant:
        return ()
    made = (_corrected(text, {target: near[min(turn, len(near) - 1)] for target, near in meant.items()}) for turn in range(MOST))
    return tuple(dict.fromkeys(one for one in made if one != text))


def _is_word(term: str) -> bool:
    return len(term) >= SHORTEST and not any(map(str.isdigit, term)) and not tokens.is_unspaced(term)


def _allowed(term: str) -> int:
    return 2 if len(term) >= _FREE else 1


def _near(targets: Sequence[str], words: Words) -> dict[str, list[str]]:
    """For each of *targets* that stands nowhere, the words that are nearest to it, those that most documents hold first."""
    if not targets:
        return {}
    sizes = [size + step for size in map(len, targets) for step in (-2, 2)]
    close: dict[str, list[tuple[int, str]]] = {target: [] for target in targets}
    letters = {target: frozenset(target) for target in targets}
    for term in words.between(max(SHORTEST, min(sizes)), max(sizes)):
        own = frozenset(term)
        for target in targets:
            most = _allowed(target)
            if abs(len(term) - len(target)) > most or len(own - letters[target]) > most or len(letters[target] - own) > most:
                continue
            apart = _distance(target, term, most)
            if 0 < apart <= most:
                close[target].append((apart, term))
    near = {target: sorted(found)[:_COMPARED] for target, found in close.items()}
    counts = _counted(words.engine, {*targets, *(term for found in near.values() for _, term in found)})
    # What stands somewhere, and only not where it was looked for, is no slip.
    return {target: _best(found, counts) for target, found in near.items() if not counts[target]}


def _best(found: Sequence[tuple[int, str]], counts: Mapping[str, int]) -> list[str]:
    held = [(apart, term) for apart, term in found if counts[term]]
    nearest = min((apart for apart, _ in held), default=0)
    return sorted((term for apart, term in held if apart == nearest), key=lambda term: (-counts[term], term))


def _counted(engine: Engine, terms: Iterable[str]) -> dict[str, int]:
    """How many documents hold each of *terms*."""
    asked = sorted(terms)
    spread = engine.find(Question(words=tuple(Word((term,)) for term in asked)), 0).spread if asked else ()
    return dict(zip(asked, spread, strict=True))


def _distance(one: str, other: str, most: int) -> int:
    """How many letters are missing, added, changed or exchanged with the next; more than *most* where there are more."""
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        older, before, row = before, row, [place]
        for at, against in enumerate(other, 1):
            cost = min(before[at] + 1, row[at - 1] + 1, before[at - 1] + (letter != against))
            if place > 1 and at > 1 and letter == other[at - 2] and one[place - 2] == against:
                cost = min(cost, older[at - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:
            return most + 1
    return row[-1]


def _corrected(text: str, meant: dict[str, str]) -> str:
    """*text* with each word of *meant* as it was meant."""
    made, at = [], 0
    for start, end, (terms, _) in tokens.runs(text):
        run = text[start:end]
        for _, term in terms:
            place = run.lower().find(term)
            if term in meant and place >= 0:
                run = f"{run[:place]}{meant[term]}{run[place + len(term) :]}"
        if run != text[start:end]:
            made += [text[at:start], run]
            at = end
    return "".join((*made, text[at:]))
