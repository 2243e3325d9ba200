"""The Whoosh engine. An index is a set of named files, given and taken as bytes: Whoosh itself never sees the disk.

Opening an index unpickles what is in it, so the bytes must be those that this install wrote: `cache` answers for that.
"""

import json
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from handoffsite.search.documents import BODY, NAME, Document, terms
from handoffsite.search.engine import LOOSE, Candidate, Found, Match
from handoffsite.search.syntax import Question, Word, folded
from handoffsite.search.whoosh_files import Files, Memory, spared

with spared():
    import whoosh
    from whoosh.codec.whoosh3 import W3Codec
    from whoosh.columns import VarBytesColumn
    from whoosh.fields import COLUMN, FieldType, Schema
    from whoosh.formats import Existence
    from whoosh.index import FileIndex
    from whoosh.reading import SegmentReader, TermNotFound
    from whoosh.writing import SegmentWriter

# Documents of one segment, by number, and where in them something stands.
Places = dict[int, Collection[int]]

# Raised when what we put into Whoosh's files changes. Other releases of Whoosh may pickle differently.
FORMAT = f"2 whoosh {'.'.join(map(str, whoosh.__version__))}"

# Beside Whoosh's own files: what its index must have been made with, and its size.
_FACTS = "facts.json"
# Megabytes of postings that are sorted at once; where there are more, they are sorted in parts, which are then merged.
POOL = 128
# What a document's kind is, as a term of its own, where few are of it.
_KIND = NAME * 2
_TERMS, _LINE, _TEXT = "terms", "line", "text"
_BETWEEN = "\x1f"


@dataclass(frozen=True, slots=True)
class Update:
    """The files of an index after an update, how many documents it *added* and *removed*, and how many there are."""

    files: Files
    added: int
    removed: int
    total: int


class _Terms(FieldType):  # type: ignore[misc] # Whoosh has no types
    """A field whose postings are ready: (term, frequency, weight, positions)."""

    def __init__(self) -> None:
        super().__init__(_Positions(), None)

    def index(self, value: Iterable[tuple[bytes, int, int, bytes]], **_: object) -> Iterable[tuple[bytes, int, int, bytes]]:
        return value


class _Positions(Existence):  # type: ignore[misc] # Whoosh has no types
    """Postings with a value of any length."""

    posting_size = -1


_SCHEMA = Schema(**{_TERMS: _Terms(), _LINE: COLUMN(VarBytesColumn()), _TEXT: COLUMN(VarBytesColumn())})


class WhooshIndex:
    """An index that is open."""

    def __init__(self, files: Files) -> None:
        """Open the index that consists of *files*, which are trusted."""
        facts = json.loads(files[_FACTS])
        self.documents, self.positions = facts["documents"], facts["positions"]
        reader = FileIndex(Memory(files), schema=_SCHEMA).reader()
        self._segments = [_Segment(leaf, first) for leaf, first in reader.leaf_readers() if leaf.doc_count_all()]
        self._firsts = [segment.first for segment in self._segments]

    def find(self, question: Question, enough: int) -> Found:
        """Every candidate for *question*; not those without all words, where there are *enough* with all."""
        parts = [_Part(segment, question) for segment in self._segments]
        candidates = [candidate for part in parts for candidate in part.candidates(part.complete)]
        if len(candidates) < enough:
            candidates += [candidate for part in parts for candidate in part.candidates(part.partial)]
        spread = tuple(sum(len(part.found[which]) for part in parts) for which in range(len(question.words)))
        return Found(documents=self.documents, positions=self.positions, spread=spread, candidates=candidates)

    def document(self, place: int) -> Document:
        """The document that a candidate stands for."""
        segment = self._segments[bisect_right(self._firsts, place) - 1]
        return segment.document(place - segment.first)

    def terms(self, shortest: int, longest: int) -> Iterator[str]:
        """Every term of that length, also such as stand in no document any more."""
        for segment in self._segments:
            yield from segment.terms(shortest, longest)

    def lines(self) -> Iterator[tuple[int, "_Line"]]:
        """Each document's place and line."""
        for segment in self._segments:
            for number in segment.numbers():
                yield segment.first + number, segment.line(number)

    def told(self, ids: Iterable[str]) -> Iterator[tuple[int, "_Line"]]:
        """Place and line of the documents of *ids*, and of all that are `LOOSE`."""
        loose = [_KIND + kind for kind in LOOSE]
        for segment in self._segments:
            for number in segment.holding(loose):
                yield segment.first + number, segment.line(number)
            for id in ids:
                for number in segment.holding([NAME + id.lower()]):
                    line = segment.line(number)
                    if line.id == id:
                        yield segment.first + number, line


class _Line:
    """What the ranker and an update ask of a document, in one short value."""

    __slots__ = ("date", "digest", "id", "kind", "length", "live", "status", "topic")

    def __init__(self, data: bytes) -> None:
        parts = data.decode("utf-8", "surrogatepass").split(_BETWEEN, 7)
        self.id, self.kind, self.status, live, length, self.digest, self.topic, self.date = parts
        self.live = live == "1"
        self.length = int(length)

    @staticmethod
    def dumps(document: Document, length: int) -> bytes:
        """The value for *document*, which has *length* positions."""
        topic = folded(document.topic.replace(_BETWEEN, " "))
        start = (document.id, document.kind, document.status, "1" if document.live else "0", str(length), document.digest)
        return _BETWEEN.join((*start, topic, document.date)).encode("utf-8", "surrogatepass")


class _Segment:
    """One segment of an open index; *first* is the place of its first document."""

    def __init__(self, leaf: Any, first: int) -> None:
        self._leaf = leaf
        self.first = first
        self._lines = leaf.column_reader(_LINE)
        self._texts: Any = None  # opened with the first document that is asked for: it reads where each of them stands
        self._known: dict[int, _Line] = {}

    def numbers(self) -> Iterator[int]:
        """The numbers of the documents that are not deleted."""
        numbers: Iterator[int] = self._leaf.all_doc_ids()
        return numbers

    def line(self, number: int) -> _Line:
        """The line of document *number*."""
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = _Line(self._lines[number])
        return known

    def document(self, number: int) -> Document:
        """Document *number*, whole."""
        if self._texts is None:
            self._texts = self._leaf.column_reader(_TEXT)
        fields = json.loads(self._texts[number])
        return Document(**{**fields, "names": tuple(fields["names"])})

    def terms(self, shortest: int, longest: int) -> Iterator[str]:
        """Every term of that length."""
        for data in self._leaf.lexicon(_TERMS):
            if len(data) >= shortest:
                term = data.decode()
                if len(term) <= longest and len(term) >= shortest and not term.startswith(NAME):
                    yield term

    def matches(self, word: Word) -> dict[int, Match]:
        """The documents in which *word* stands, and how often."""
        exact = self._following(word.steps)
        near = self._following(word.parts) if word.parts else {}
        if word.beginning:
            near = self._beginning(word.steps[0], near)
        if not near:
            return {number: _match(places, 0) for number, places in exact.items()}
        found = {number: _match(places, 0) for number, places in exact.items() if number not in near}
        for number, places in near.items():
            before = exact.get(number, ())
            found[number] = _match(before, len(set(places).difference(before)))
        return found

    def named(self, question: Question) -> set[int]:
        """The documents of which a word of *question* is an ID."""
        return self.holding(NAME + word.steps[0] for word in question.words if len(word.steps) == 1)

    def holding(self, terms: Iterable[str]) -> set[int]:
        """The documents that hold one of *terms*."""
        return {number for term in terms for number in self._postings(term)}

    def _beginning(self, start: str, near: Places) -> Places:
        found = {number: set(places) for number, places in near.items()}
        for term in self._leaf.expand_prefix(_TERMS, start):
            for number, places in self._postings(term).items():
                found.setdefault(number, set()).update(places)
        return dict(found)

    def _following(self, steps: Sequence[str]) -> Places:
        """The documents in which all of *steps* stand one after the other, and where the first of them does."""
        if len(steps) == 1:
            return dict(self._postings(steps[0]))
        postings = {term: self._postings(term) for term in dict.fromkeys(steps)}
        common = set.intersection(*(set(found) for found in postings.values()))
        following: Places = {}
        for number in common:
            places = set(postings[steps[0]][number])
            for distance, term in enumerate(steps[1:], 1):
                places.intersection_update([place - distance for place in postings[term][number]])
                if not places:
                    break
            else:
                following[number] = places
        return following

    def _postings(self, term: str | bytes) -> dict[int, Sequence[int]]:
        try:
            matcher = self._leaf.postings(_TERMS, term)
        except TermNotFound:
            return {}
        found: dict[int, Sequence[int]] = {}
        while matcher.is_active():
            found[matcher.id()] = array("I", matcher.value())
            matcher.next()
        return found


class _Part:
    """What one segment adds to an answer: the *found* documents for each word; those that are *complete*, and the others."""

    def __init__(self, segment: _Segment, question: Question) -> None:
        self._segment, self._question = segment, question
        self.found = [segment.matches(word) for word in question.words]
        self._named = segment.named(question)
        if self.found:
            self.complete = set.intersection(*map(set, self.found)) | self._named
            self.partial = set().union(*self.found) - self.complete
        else:
            self.complete, self.partial = set(segment.numbers()), set()

    def candidates(self, numbers: Iterable[int]) -> Iterator[Candidate]:
        """The documents of *numbers* that pass the filters."""
        question, segment, filtered = self._question, self._segment, self._question.is_filtered
        for number in numbers:
            line = segment.line(number)
            if filtered and not question.passes(kind=line.kind, status=line.status, topic=line.topic, date=line.date):
                continue
            matches = tuple([matches.get(number) for matches in self.found])
            yield Candidate(
                segment.first + number,
                line.id,
                line.kind,
                line.status,
                line.live,
                line.date,
                line.length,
                matches,
                number in self._named,
            )


def _match(exact: Collection[int], near: int) -> Match:
    if isinstance(exact, array):
        title = bisect_left(exact, BODY) if exact[0] < BODY else 0
    else:
        title = sum(place < BODY for place in exact)
    return Match(title, len(exact) - title, near)


def is_ours(files: Files) -> bool:
    """Whether *files* were made with the format and the Whoosh of now."""
    return _FACTS in files and json.loads(files[_FACTS])["format"] == FORMAT


def updated(files: Files, documents: Iterable[Document], ids: frozenset[str] | None = None) -> Update:
    """The index of *documents*, made from that in *files*, or anew where there is none of ours.

    What did not change costs a look at its digest. With *ids*, for which *files* must be ours, the documents are those of these
    and all that are `LOOSE`: the others stay as they are, and cost nothing.
    """
    wanted = {document.id: document for document in documents}
    before = WhooshIndex(files) if is_ours(files) else None
    known = {line.id: (place, line) for place, line in (before.lines() if ids is None else before.told(ids))} if before else {}
    same = {id for id, (_, line) in known.items() if id in wanted and wanted[id].digest == line.digest}
    gone = [known[id] for id in known.keys() - same]
    if before and (ids is not None or len(gone) <= len(same)):
        new = [document for id, document in wanted.items() if id not in same]
        total = before.documents + len(new) - len(gone)
        if not gone and not new:
            return Update(files, 0, 0, total)
        positions = before.positions - sum(line.length for _, line in gone)
        written, more = _written(files, sorted(place for place, _ in gone), new)
    else:
        new, gone, positions, total = list(wanted.values()), list(known.values()), 0, len(wanted)
        written, more = _written({}, (), new)
    facts = {"format": FORMAT, "documents": total, "positions": positions + more}
    return Update({**written, _FACTS: json.dumps(facts).encode()}, len(new), len(gone), total)


def _written(files: Files, gone: Iterable[int], new: Iterable[Document]) -> tuple[dict[str, bytes], int]:
    """Whoosh's files after the change; and how many positions there are in *new*."""
    storage = Memory(files)
    index = FileIndex(storage, schema=_SCHEMA) if files else storage.create_index(_SCHEMA)
    # Compression costs half of the time; our fields have no lengths for Whoosh to score by.
    codec = W3Codec(blocklimit=1024, compression=0)
    codec.length_stats = False
    writer = SegmentWriter(index, codec=codec, compound=False, limitmb=POOL, _lk=False)
    for place in gone:
        writer.delete_document(place)
    positions = 0
    for document in new:
        found, length = terms(document)
        if document.kind in LOOSE:
            found[_KIND + document.kind] = [0]
        postings = [(term.encode(), 1, 1, array("I", places).tobytes()) for term, places in found.items()]
        text = json.dumps({name: getattr(document, name) for name in Document.__slots__}).encode()
        writer.add_document(**{_TERMS: postings, _LINE: _Line.dumps(document, length), _TEXT: text})
        positions += length
    writer.commit(mergetype=_merged)
    return {name: bytes(data) for name, data in storage.files.items() if name != _FACTS}, positions


def _merged(writer: Any, segments: Iterable[Any]) -> list[Any]:
    """Merge the small *segments*, and those of which most is deleted, into what *writer* writes; the others.

    So there are about as many segments as the number of documents has binary digits, and each document is written so often.
    """
    kept: list[Any] = []
    size = writer.doc_count()
    for segment in sorted(segments, key=lambda one: one.doc_count_all() - one.deleted_count()):
        live = segment.doc_count_all() - segment.deleted_count()
        if live > size and live >= segment.deleted_count():
            kept.append(segment)
        elif live:
            reader = SegmentReader(writer.storage, writer.schema, segment)
            writer.add_reader(reader)
            reader.close()
            size += live
    return kept
