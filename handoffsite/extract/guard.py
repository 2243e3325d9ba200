"""Which sentences of a plan repeat, in other words, an approach that a constraint says failed."""

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from handoffsite.extract import guard_terms, guard_text
from handoffsite.extract.guard_terms import Term
from handoffsite.extract.guard_text import Sentence
from handoffsite.records import identity
from handoffsite.records.constraint import Constraint
from handoffsite.records.pattern import lazy

# Where the sum of WEIGHTS times what is measured lies above 0, a sentence repeats. Fitted by logistic regression to the tuned half of
# tests/samples/guard and to the approaches themselves, word for word; tests/benchmarks/guarding.py says what they reach.
WEIGHTS = {
    "nothing": -2.75,
    "said": 4.1,  # how much of what was tried the sentence says
    "reworded": 2.1,  # how much of it by other words: who asks for a neighbour of it keeps its words
    "beyond": -3.4,  # how much of the sentence speaks of something else
    "contrary": -2.2,  # `each on its own` where it was `all at once`
    "words": 1.9,  # how many words of it are said, of five
    "reasons": 1.2,  # how many words of why it failed, of two
    "instead": -1.0,  # something is asked for that takes its place
    "value": -1.6,  # the same thing, by another number
    "name": -0.6,  # another product
}
_LEAST = 0.2  # of what was tried that a sentence must say to be looked at
_GROUP = 0.9  # how much a word of the same group counts, of the word itself
_WEAK_GROUP = 0.5  # the same for a group of words that stand in any plan
_BEGINNING = 0.5  # how much a long word of the same beginning counts: Elastic, Elasticsearch
_LONG = 6
_SOME_PARTS = 0.6  # the same where one of them is not said
_PARTS = 0.9  # how much all parts of a compound count, of the compound
_SAID = 0.4  # from where on a word counts as said
_LOOKING = 2.0  # what a sentence loses that only looks
_TURNED = lazy(r"(?:un|non-?|in|de|dis)([a-z]{4,})")
_HEAD, _MODIFIER = 1.2, 0.8  # the last word of a part of what was tried, and the others
_DIVIDER = lazy(
    r"\b(?:for|on|in|into|to|with|against|by|at|through|as|from|behind|between|over|via|when|while|inside|around|before|after|of|"
    r"across|during|under|per|using|every|each|once an?|twice an?)\b"
)
_NUMERALS = {
    "a": "1",
    "an": "1",
    **dict(zip("one two three four five six seven eight nine ten".split(), map(str, range(1, 11)), strict=True)),
}
_NUMBERED = lazy(
    rf"(?<!every )(?<!each )(?<!per )\b(\d[\d.,]*|{'|'.join(_NUMERALS)}) ([a-z]{{3,}})|\b([a-z]{{3,}}) (\d[\d.,]*)\b"
)
_WITHOUT = lazy(r"\b(?:without|with no|lacking)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """A *sentence* of a plan, at its 1-based *line*, that repeats what the constraint *id* says was *tried*; *reason* says why not."""

    id: str
    line: int
    sentence: str
    tried: str
    reason: str
    score: float


@dataclass(slots=True)
class _Known:
    """A constraint as it is compared: the terms of what was tried, each with its weight, and when asked for those of why it failed.

    *lacking* are the terms of what it was tried without, *values* the numbers that stand behind a word, as in `QoS 2`.
    """

    constraint: Constraint
    tried: tuple[tuple[Term, float], ...]
    total: float
    said: "_Said"
    lacking: tuple[Term, ...] = ()
    values: Mapping[str, set[str]] = field(default_factory=dict)
    why: tuple[Term, ...] | None = None

    def reasons(self) -> tuple[Term, ...]:
        """The terms of outcome and reason that are not among what was tried."""
        if self.why is None:
            own = {term.stem for term, _ in self.tried}
            found = guard_terms.terms(f"{self.constraint.outcome} {self.constraint.because}")
            self.why = tuple({term.stem: term for term in found if term.weight >= 0.6 and term.stem not in own}.values())
        return self.why

    def names(self) -> frozenset[str]:
        """The products and identifiers that the constraint speaks of."""
        return frozenset(term.stem for term in (*(one for one, _ in self.tried), *self.reasons()) if term.weight > 1.0)


@dataclass(frozen=True, slots=True)
class Known:
    """Constraints that are ready to be compared with many plans, and how many they are."""

    count: int
    entries: Sequence[_Known]
    index: Mapping[object, set[int]]


@dataclass(frozen=True, slots=True)
class _Said:
    """A part of a plan as it is compared; *names* are the products and identifiers that it speaks of, *denied* what `un-` turns round."""

    stems: Mapping[str, set[int]] = field(default_factory=dict)
    groups: Mapping[int, set[int]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    values: Mapping[str, set[str]] = field(default_factory=dict)
    beginnings: Mapping[str, set[int]] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()
    known: dict[int, float] = field(default_factory=dict)

    def holds(self, term: Term) -> float:
        """How well *term*, which outlives this, is said here: 0 to 1."""
        found = self.known.get(id(term))
        if found is None:
            found = self.known[id(term)] = self._holds(term)
        return found

    def beyond(self, other: "_Said") -> float:
        """How much of this *other* does not speak of: 0 to 1."""
        total = sum(term.weight for term in self.terms)
        other = replace(other, known={})  # which remembers terms that outlive it
        return sum(term.weight for term in self.terms if not other.holds(term)) / total if total else 0.0

    def _holds(self, term: Term) -> float:
        if term.stem in self.stems:
            return 1.0
        shared = self.groups.keys() & term.groups
        if "=" in term.word and term.parts and not self.holds(term.parts[-1]):
            return 0.0  # another value of the same setting
        own = 0.0 if not shared else _WEAK_GROUP if shared <= guard_terms.thesaurus().weak else _GROUP
        if own < _BEGINNING and len(term.stem) >= _LONG and term.stem[:_LONG] in self.beginnings:
            own = _BEGINNING
        weights = sum(part.weight for part in term.parts)
        if weights:
            held = [(part.weight, self.holds(part)) for part in term.parts]
            whole = _PARTS if all(one for _, one in held) else _SOME_PARTS
            own = max(own, whole * sum(weight * one for weight, one in held) / weights)
        return own


@functools.lru_cache(maxsize=2)
def known(constraints: tuple[Constraint, ...]) -> Known:
    """*constraints*, without those that do not hold, ready to be compared: with many of them, that is most of the work."""
    active = [one for one in constraints if one.status in Constraint.LIVE]
    entries = _known(active)
    return Known(len(active), entries, _index(entries))


def repetitions(text: str, constraints: Known | Iterable[Constraint]) -> list[Repetition]:
    """Where the plan *text* repeats what one of the active *constraints* says failed, by line; those that do not hold are not looked at."""
    compared = constraints if isinstance(constraints, Known) else known(tuple(constraints))
    if not compared.entries:
        return []
    found: list[Repetition] = []
    warned = ""
    for sentence in guard_text.sentences(text):
        deeds = [f"{sentence.asks} {warned}"] if sentence.again else sentence.deeds()  # `It failed. Let us do it again.`
        best: dict[str, Repetition] = {}
        for deed in deeds:
            for one in _of_deed(sentence, _said(deed), compared):
                if one.id not in best or best[one.id].score < one.score:
                    best[one.id] = one
        found += best.values()
        warned = sentence.warns
    return sorted(found, key=lambda one: (one.line, -one.score))


def _of_deed(sentence: Sentence, asks: _Said, compared: Known) -> Iterator[Repetition]:
    warns = _said(sentence.warns)
    cited = {(id.number, id.tag) for _, _, id in identity.mentions(sentence.text) if id.letter == "C"}
    for place in sorted({place for key in (*asks.stems, *asks.groups) for place in compared.index.get(key, ())}):
        one = compared.entries[place]
        id = identity.parse(one.constraint.id) if identity.is_id(one.constraint.id) else None
        if id and not sentence.again and cited & {(id.number, id.tag), (id.number, "")}:
            continue
        evidence = _score(one, asks, warns, sentence.asks) - _LOOKING * sentence.looks
        if evidence > 0:
            reason = "; ".join(filter(None, (one.constraint.outcome, one.constraint.because)))
            yield Repetition(
                id=one.constraint.id,
                line=sentence.line,
                sentence=sentence.text,
                tried=one.constraint.tried,
                reason=reason,
                score=round(1 / (1 + math.exp(-evidence)), 3),
            )


def _score(one: _Known, asks: _Said, warns: _Said, text: str) -> float:
    """How much speaks for it that *asks*, a deed of the sentence *text*, is what was tried: more than 0 if more than against it."""
    measured = _measured(one, asks, warns, text)
    return sum(WEIGHTS[name] * value for name, value in measured.items()) if measured else -math.inf


def _measured(one: _Known, asks: _Said, warns: _Said, text: str) -> dict[str, float]:
    """What WEIGHTS weigh, each 0 to 1; nothing where too little of what was tried is said."""
    if sum(asks.holds(term) * weight for term, weight in one.tried) < _LEAST * one.total:
        return {}
    here = _matched(one, asks)
    said = sum(held * weight for _, weight, held in here)
    warned = sum(warns.holds(term) * weight for term, weight, held in here if not held)
    if said < _LEAST * one.total or warned >= said:
        return {}
    return {
        "nothing": 1.0,
        "said": (said - warned / 2) / one.total,
        "reworded": sum(0 < held < 1 for *_, held in here) / len(here),
        "beyond": asks.beyond(one.said),
        "contrary": guard_text.is_contrary(one.constraint.tried, text) or any(asks.holds(term) == 1.0 for term in one.lacking),
        "words": min(5, sum(held > _SAID for *_, held in here)) / 5,
        "reasons": min(2, sum(term.stem in asks.stems for term in one.reasons())) / 2,
        "instead": _is_other(one, asks),
        "value": any(asks.values[stem].isdisjoint(values) for stem, values in one.values.items() if stem in asks.values),
        "name": bool(asks.names - one.names()) and any(held < _SAID and term.weight > 1.0 for term, _, held in here),
    }


def _matched(one: _Known, asks: _Said) -> list[tuple[Term, float, float]]:
    """Each term of what was tried, its weight, and how well it is said: a word of the sentence stands for one of them only."""
    used: dict[
        int, int
    ] = {}  # the places that stand for a term, and by which group: `commit` may be both words of `git repository`
    found = {}
    for term, _ in sorted(one.tried, key=lambda pair: -asks.holds(pair[0])):
        held = asks.holds(term)
        own = asks.stems.get(term.stem)
        if own:
            used |= dict.fromkeys(own, -1)
        elif held and not term.parts:
            places = [(place, group) for group in term.groups for place in asks.groups.get(group, ())]
            places = places or [(place, -1) for place in asks.beginnings.get(term.stem[:_LONG], ())]
            free = [(place, group) for place, group in places if used.get(place, group) == group]
            held = held if free else 0.0
            used |= dict([min(free)] if free else [])
        found[term] = held
    return [(term, weight, found[term]) for term, weight in one.tried]


def _is_other(one: _Known, asks: _Said) -> bool:
    """Whether something is asked for that takes the place of what was tried."""
    weak = guard_terms.thesaurus().weak
    for term, _ in one.tried:
        if term.stem in asks.denied:
            return True
        if term.stem in asks.stems and not (term.groups and term.groups <= weak):
            continue
        mine = {group for other, _ in one.tried for group in other.groups}
        for group, others in guard_terms.excluded(term).items():
            if (others - mine) & asks.groups.keys() and not (group in weak and group in asks.groups):
                return True
    return False


def _known(constraints: Sequence[Constraint]) -> list[_Known]:
    """*constraints* with the weights of their words: what many of them speak of tells little of one."""
    shared: dict[Term, Term] = {}  # equal terms of many constraints are one, so that each is compared once
    parsed = [(one, [shared.setdefault(term, term) for term in _told(guard_terms.terms(_had(one)))]) for one in constraints]
    counts = Counter(stem for _, terms in parsed for stem in {term.stem for term in terms})
    known = []
    for one, terms in parsed:
        rare = [(term, term.weight * _rarity(counts[term.stem], len(parsed))) for term in terms]
        weighed = _weighed(_had(one), rare)
        total = sum(weight for _, weight in weighed)
        if total:
            without = one.tried[len(_had(one)) :]
            lacking = tuple(term for term in guard_terms.terms(without) if term.weight >= 0.6)
            known.append(_Known(one, weighed, total, _of_terms([term for term, _ in weighed]), lacking, _values(_had(one))))
    return known


def _had(one: Constraint) -> str:
    """What was tried, up to what it was tried without."""
    found = _WITHOUT.search(one.tried)
    return one.tried[: found.start()] if found and found.start() else one.tried


def _weighed(tried: str, rare: Sequence[tuple[Term, float]]) -> tuple[tuple[Term, float], ...]:
    """*rare* by the parts of *tried* that a preposition divides: the last word of a part weighs more than those that only say more of it."""
    left = list(rare)
    found: list[tuple[Term, float]] = []
    parts = _DIVIDER.split(tried)
    for place, part in enumerate(parts):
        stems = guard_terms.stems(part)
        mine = [pair for pair in left if pair[0].stem in stems] if place + 1 < len(parts) else left
        left = [pair for pair in left if pair not in mine]
        if mine:
            found += [(term, weight * _MODIFIER) for term, weight in mine[:-1]]
            found.append((mine[-1][0], mine[-1][1] * _HEAD))
    return tuple(found)


def _values(text: str) -> dict[str, set[str]]:
    """The numbers that stand before or behind a word: `QoS 2`, `six seconds`."""
    found: dict[str, set[str]] = defaultdict(set)
    for one in _NUMBERED.finditer(text.lower()):
        number, word = (one[1], one[2]) if one[1] else (one[4], one[3])
        found[guard_terms.stem(word)].add(_NUMERALS.get(number, number))
    return dict(found)


def _told(terms: Iterable[Term]) -> list[Term]:
    """Each term once; a word that tells nothing is left out."""
    return list({term.stem: term for term in terms if term.weight > 0.2 and not term.is_part}.values())


def _rarity(count: int, of: int) -> float:
    return 1.0 if of < 3 else max(0.4, math.log((1 + of) / count) / math.log(1 + of))


def _index(known: Sequence[_Known]) -> dict[object, set[int]]:
    index: dict[object, set[int]] = defaultdict(set)
    for place, one in enumerate(known):
        for term, _ in one.tried:
            for part in (term, *term.parts):
                index[part.stem].add(place)
                for group in part.groups:
                    index[group].add(place)
    return index


def _said(text: str) -> _Said:
    return _of_terms(guard_terms.terms(text), _values(text)) if text else _NOTHING


def _of_terms(terms: Sequence[Term], values: Mapping[str, set[str]] | None = None) -> _Said:
    stems: dict[str, set[int]] = defaultdict(set)
    groups: dict[int, set[int]] = defaultdict(set)
    beginnings: dict[str, set[int]] = defaultdict(set)
    place = 0
    for term in terms:
        place += not term.is_part  # the parts of a compound stand where it stands
        if term.weight:
            stems[term.stem].add(place)
        if len(term.stem) >= _LONG:
            beginnings[term.stem[:_LONG]].add(place)
        for group in term.groups:
            groups[group].add(place)
    return _Said(
        dict(stems),
        dict(groups),
        frozenset(term.stem for term in terms if term.weight > 1.0 and not term.is_part),
        frozenset(guard_terms.stem(found[1]) for term in terms if (found := _TURNED.fullmatch(term.word.lower()))),
        values or {},
        dict(beginnings),
        tuple(term for term in terms if term.weight >= 0.6 and not term.is_part),
    )


_NOTHING = _Said()
