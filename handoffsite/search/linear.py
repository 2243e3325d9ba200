"""An engine without an index: it reads every document. For when no cache can be kept; and what other engines are measured by."""

from collections.abc import Iterable, Mapping, Sequence

from handoffsite.search.documents import BODY, NAME, Document, terms
from handoffsite.search.engine import Candidate, Found, Match
from handoffsite.search.syntax import Question, Word, folded

Places = Mapping[str, Sequence[int]]


class Linear:
    """The documents of one project, in memory."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._entries = [(document, *terms(document)) for document in documents]
        self.documents = len(self._entries)
        self._positions = sum(length for _, _, length in self._entries)

    def find(self, question: Question, enough: int) -> Found:  # noqa: ARG002 -- the reference leaves nothing out
        """Every candidate for *question*, in the order of the documents."""
        candidates: list[Candidate] = []
        spread = [0] * len(question.words)
        for place, (document, places, length) in enumerate(self._entries):
            matches = tuple(_match(places, word) for word in question.words)
            for which, match in enumerate(matches):
                spread[which] += match is not None
            if question.words and not any(matches):
                continue
            if not question.passes(kind=document.kind, status=document.status, topic=folded(document.topic), date=document.date):
                continue
            candidates.append(
                Candidate(
                    place=place,
                    id=document.id,
                    kind=document.kind,
                    status=document.status,
                    live=document.live,
                    date=document.date,
                    length=length,
                    matches=matches,
                    named=any(len(word.steps) == 1 and NAME + word.steps[0] in places for word in question.words),
                )
            )
        return Found(documents=self.documents, positions=self._positions, spread=tuple(spread), candidates=candidates)

    def document(self, place: int) -> Document:
        """The document that a candidate stands for."""
        return self._entries[place][0]

    def terms(self, shortest: int, longest: int) -> Iterable[str]:
        """Every term of that length."""
        every = {term for _, places, _ in self._entries for term in places}
        return (term for term in every if shortest <= len(term) <= longest and not term.startswith(NAME))


def _match(places: Places, word: Word) -> Match | None:
    exact = _following(places, word.steps)
    near = _following(places, word.parts) if word.parts else set()
    if word.beginning:
        near = near.union(*(found for term, found in places.items() if term.startswith(word.steps[0])))
    near -= exact
    if not exact and not near:
        return None
    title = sum(place < BODY for place in exact)
    return Match(title, len(exact) - title, len(near))


def _following(places: Places, steps: Sequence[str]) -> set[int]:
    """Where in the text all of *steps* stand, one after the other."""
    found = set(places.get(steps[0], ()))
    for distance, term in enumerate(steps[1:], 1):
        if not found:
            break
        found &= {place - distance for place in places.get(term, ())}
    return found
