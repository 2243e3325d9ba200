"""Which of many texts bear on one: those that share telling words with it, or words of the same meaning."""

import functools
import itertools
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from handoffsite.extract import guard_terms
from handoffsite.records.pattern import lazy

LONGEST = 20_000  # characters of the text that are compared
MOST_WORDS = 64  # of the text: those that it says most often
_GROUP = 0.7  # how much a word of the same meaning counts, of the word itself
_NEAR = 0.6  # of the best score: what is below bears less on the text than what is above

_CAMEL = lazy(r"(?<=[a-z0-9])(?=[A-Z])")
_UNSPACED = lazy("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
# Bytes as they are compared: small letters and digits, spaces for signs, and what is beyond ASCII as it is.
_PLAIN = bytes(code if code > 127 else ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(256))
_MOST_KNOWN = 200_000  # words
_MOST_TEXTS = 1 << 14  # whose stems a server that goes on remembers


class Shared(NamedTuple):
    """The text at *place* shares words with the one that was asked about; *near* says whether it is among those that share most."""

    place: int
    score: float
    near: bool


def ranked(text: str, others: Sequence[AbstractSet[str]]) -> list[Shared]:
    """Those of *others*, the `stems` of texts, that share a telling word with *text*, the best first; equals in the order given."""
    says = _says(text)
    keys = says.keys()
    alike: dict[frozenset[str], list[int]] = {}  # many texts say the same of what is asked, so each combination is weighed once
    for place, other in enumerate(others):
        if some := keys & other:
            alike.setdefault(frozenset(some), []).append(place)
    held = {found: _held(found, says) for found in alike}
    counts: dict[str, int] = {}
    for found, places in alike.items():
        for word in held[found]:
            counts[word] = counts.get(word, 0) + len(places)
    weights = {word: _rarity(count, len(others)) for word, count in counts.items()}
    scores = {found: round(sum(weights[word] * words[word] for word in sorted(words)), 4) for found, words in held.items()}
    best, enough = max(scores.values(), default=0.0), min(2, len({word for pairs in says.values() for word, _ in pairs}))
    shared = [
        Shared(place, score, score == best or (score >= best * _NEAR and len(held[found]) >= enough))
        for found, score in scores.items()
        for place in alike[found]
        if score
    ]
    return sorted(shared, key=lambda one: (-one.score, one.place))


@functools.lru_cache(maxsize=_MOST_TEXTS)
def stems(text: str) -> frozenset[str]:
    """The stems of all words of *text*: what it is compared by."""
    return frozenset(map(_KNOWN.__getitem__, _words(text)))


@functools.lru_cache(maxsize=16)
def _says(text: str) -> Mapping[str, Sequence[tuple[str, float]]]:
    """The stems that say a word of *text*, each with the words that it says, and how well."""
    found: dict[str, list[tuple[str, float]]] = {}
    for word, same in _asked(text).items():
        for stem, part in ((word, 1.0), *sorted(same.items())):
            found.setdefault(stem, []).append((word, part))
    return found


def _held(found: Iterable[str], says: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, float]:
    """The words that are asked about and that the stems *found* say, each with how well."""
    words: dict[str, float] = {}
    for stem in found:
        for word, part in says[stem]:
            words[word] = max(part, words.get(word, 0.0))
    return words


def _asked(text: str) -> dict[str, dict[str, float]]:
    """The telling words of *text*, each with the stems that mean the same, or are it and its neighbour in one, and how much those count."""
    text = text[:LONGEST]
    # Two words may stand elsewhere as one name. Only this text is cut at capitals: to cut all of the others costs more than all else.
    words = [one.decode() for one in _words(_CAMEL.sub(" ", text))]
    words = [one for one in words if one not in guard_terms.STOP and (len(one) > 1 or not one.isascii())]
    joined: dict[str, set[str]] = {}
    for one, after in itertools.pairwise(words):
        for word in (one, after):
            joined.setdefault(guard_terms.stem(word), set()).add(guard_terms.stem(one + after))
    groups = {term.stem: term.groups for term in guard_terms.terms(text)}
    most = [word for word, _ in Counter(map(guard_terms.stem, words)).most_common(MOST_WORDS)]
    return {
        word: dict.fromkeys(_meant(groups.get(word, frozenset())) - {word}, _GROUP) | dict.fromkeys(joined.get(word, ()), 1.0)
        for word in most
    }


def _meant(groups: Iterable[int]) -> frozenset[str]:
    known = _of_groups()
    return frozenset().union(*(known.get(group, frozenset()) for group in groups))


@functools.cache
def _of_groups() -> Mapping[int, frozenset[str]]:
    """The single stems of each group of the thesaurus, but for groups of words that stand in any plan."""
    found: dict[int, set[str]] = {}
    known = guard_terms.thesaurus()
    for stem, groups in known.single.items():
        for group in groups - known.weak if stem not in guard_terms.STOP else ():
            found.setdefault(group, set()).add(stem)
    return {group: frozenset(stems) for group, stems in found.items()}


class _Stems(dict[bytes, str]):
    """The stems of the words that were seen, so that each is cut once."""

    def __missing__(self, word: bytes) -> str:
        if len(self) > _MOST_KNOWN:
            self.clear()
        found = self[word] = guard_terms.stem(word.decode())
        return found


_KNOWN = _Stems()


def _words(text: str) -> list[bytes]:
    """The words of *text* in small letters: names cut at their signs, accents folded, CJK in pairs of characters."""
    pairs: list[bytes] = []
    if not text.isascii():
        runs = _UNSPACED.findall(text)
        pairs = [run[at : at + 2].encode() for run in runs for at in range(max(1, len(run) - 1))]
        decomposed = unicodedata.normalize("NFKD", _UNSPACED.sub(" ", text)).lower()
        text = "".join(one if one.isalnum() else " " for one in decomposed if not unicodedata.combining(one))
    return [*text.encode("utf-8", "replace").translate(_PLAIN).split(), *pairs]


def _rarity(count: int, of: int) -> float:
    """How much a word tells that *count* of so many texts say."""
    return math.log(1 + (of - count + 0.5) / (count + 0.5))
