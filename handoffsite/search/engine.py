"""What an engine is: it finds every document that a query could mean; it orders nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from handoffsite.records.item import TYPES
from handoffsite.records.kinds import KINDS
from handoffsite.search.documents import Document
from handoffsite.search.syntax import Question


class Match(NamedTuple):
    """How often a word stands in a document: as asked for in its *title* and its *body*, and *near*, in parts or as a beginning."""

    title: int
    body: int
    near: int


class Candidate(NamedTuple):
    """A document that holds at least one word of a question and passes its filters, with all that the ranker needs.

    *place* is the engine's own; *length* the document's positions; *matches* hold one entry for each word, None where it is
    missing; *named* says whether a word is an ID of the document.
    """

    place: int
    id: str
    kind: str
    status: str
    live: bool
    date: str
    length: int
    matches: tuple[Match | None, ...]
    named: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An engine's answer: the candidates, and what the ranker must know of the whole collection.

    *documents* is how many documents there are, *positions* their length together, *spread* how many of them hold each word;
    all of it without regard to filters.
    """

    documents: int
    positions: int
    spread: tuple[int, ...]
    candidates: Sequence[Candidate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What an update did; a document that changed counts as one removed and one added."""

    added: int
    removed: int
    total: int


# The kinds of documents that no record tells: there are few of them, and they are always told together.
LOOSE = frozenset(KINDS) - {"session", *TYPES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What an index is to hold: *documents* of the *records* with these IDs, *generation* of them, made by the rules that *stamp* names.

    Where *ids* are given, the documents are what became of the items and sessions of these IDs since the index was at the stamp
    *since*, and all that are `LOOSE`; the others stay.
    """

    documents: Iterable[Document]
    stamp: str
    records: frozenset[str] = frozenset()
    generation: int = 0
    ids: frozenset[str] | None = None
    since: str = ""


class Engine(Protocol):
    """One project's documents, ready to be asked."""

    def find(self, question: Question, enough: int) -> Found:
        """Every candidate for *question*, in any order.

        Where *enough* candidates hold all words or are named, those that do not may be left out.
        """

    def document(self, place: int) -> Document:
        """The document that a candidate stands for."""

    def terms(self, shortest: int, longest: int) -> Iterable[str]:
        """Every term of *shortest* to *longest* characters that stands in a document, each at least once; such as stood there may be among them."""
