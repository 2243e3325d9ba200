"""The engine of SQLite's FTS5: one file, of which an answer reads what it needs and an update writes what changed.

FTS5 keeps our own terms, each as one token. Where several stand at one position of a text it counts them one after the other, so
each document keeps the position of each of its tokens beside them.
"""

import json
import sqlite3
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from handoffsite.search.documents import BODY, NAME, Document, terms
from handoffsite.search.engine import LOOSE, Candidate, Found, Match, Update
from handoffsite.search.syntax import Question, Word, folded

# Raised when what is kept changes: an older file is then written anew.
FORMAT = "2"

BUSY_SECONDS = 30.0
_TITLE, _NAMES = 0, 2
_LAST = "\U0010ffff"
_AT_ONCE = 500  # values in one statement; SQLite has a limit

_TABLES = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE document (
    place INTEGER PRIMARY KEY, id TEXT UNIQUE, kind TEXT, status TEXT, live INT, date TEXT, topic TEXT, length INT, digest TEXT,
    text TEXT, titled INT, places BLOB);
CREATE INDEX document_kind ON document (kind);
CREATE VIRTUAL TABLE term USING fts5(title, body, names, content='', columnsize=0, tokenize='ascii');
CREATE VIRTUAL TABLE term_at USING fts5vocab(term, instance);
"""
_LINE = "place, id, kind, status, live, date, topic, length"

# To FTS5's plainest tokenizer, every letter beyond ASCII is a part of a word, and nothing else of a term may divide it.
_AS_TOKEN = {code: 0xE000 + code for code in range(128) if not (chr(code).islower() or chr(code).isdigit())}
_AS_TERM = {token: code for code, token in _AS_TOKEN.items()}

Places = dict[int, Collection[int]]


class Fts5Index:
    """An index that is open: it sees the file as it was when it was opened. The connection is its own, and ends with it."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base
        base.execute("BEGIN")
        facts = dict(base.execute("SELECT name, value FROM fact"))
        self.documents, self.positions = int(facts["documents"]), int(facts["positions"])
        self._places: dict[int, tuple[int, Sequence[int]]] = {}

    def __del__(self) -> None:
        self._base.close()

    def find(self, question: Question, enough: int) -> Found:
        """Every candidate for *question*; not those without all words, where there are *enough* with all."""
        found = [self._matches(word) for word in question.words]
        named = self._named(question)
        if found:
            complete = set.intersection(*map(set, found)) | named
            partial = set().union(*found) - complete
        else:
            complete, partial = {place for (place,) in self._base.execute("SELECT place FROM document")}, set()
        candidates = list(self._candidates(question, found, named, complete))
        if len(candidates) < enough:
            candidates += self._candidates(question, found, named, partial)
        return Found(documents=self.documents, positions=self.positions, spread=tuple(map(len, found)), candidates=candidates)

    def document(self, place: int) -> Document:
        """The document that a candidate stands for."""
        return _document(self._base.execute("SELECT text FROM document WHERE place = ?", (place,)).fetchone()[0])

    def terms(self, shortest: int, longest: int) -> Iterator[str]:
        """Every term of that length."""
        self._base.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.every_term USING fts5vocab(main, term, row)")
        for (token,) in self._base.execute(
            "SELECT term FROM temp.every_term WHERE length(term) BETWEEN ? AND ?", (shortest, longest)
        ):
            term = token.translate(_AS_TERM)
            if not term.startswith(NAME):
                yield term

    def _candidates(
        self, question: Question, found: Sequence[dict[int, Match]], named: set[int], places: set[int]
    ) -> Iterator[Candidate]:
        for place, id, kind, status, live, date, topic, length in self._rows(_LINE, places):
            if not question.is_filtered or question.passes(kind=kind, status=status, topic=topic, date=date):
                matches = tuple([matches.get(place) for matches in found])
                yield Candidate(place, id, kind, status, bool(live), date, length, matches, place in named)

    def _rows(self, columns: str, places: Iterable[int]) -> Iterator[tuple[Any, ...]]:
        wanted = list(places)
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            yield from self._base.execute(f"SELECT {columns} FROM document WHERE place IN ({marks})", some)  # noqa: S608 -- our own names

    def _matches(self, word: Word) -> dict[int, Match]:
        """The documents in which *word* stands, and how often."""
        if len(word.steps) == 1 and not word.parts and not word.beginning:
            return self._counted(word.steps[0])
        exact = self._following(word.steps)
        near = self._following(word.parts) if word.parts else {}
        if word.beginning:
            near = self._beginning(word.steps[0], near)
        found = {}
        for place in exact.keys() | near.keys():
            own = set(exact.get(place, ()))
            title = sum(at < BODY for at in own)
            found[place] = Match(title, len(own) - title, len(set(near.get(place, ())) - own))
        return found

    def _counted(self, term: str) -> dict[int, Match]:
        """As `_matches`, of one term alone: where it stands is not looked up."""
        query = "SELECT doc, sum(col = 'title'), sum(col = 'body') FROM term_at WHERE term = ? AND col != 'names' GROUP BY doc"
        return {place: Match(title, body, 0) for place, title, body in self._base.execute(query, (_token(term),))}

    def _named(self, question: Question) -> set[int]:
        """The documents of which a word of *question* is an ID."""
        names = [_token(NAME + word.steps[0]) for word in question.words if len(word.steps) == 1]
        query = "SELECT doc FROM term_at WHERE term = ?"
        return {place for name in names for (place,) in self._base.execute(query, (name,))}

    def _following(self, steps: Sequence[str]) -> Places:
        """The documents in which all of *steps* stand one after the other, and where the first of them does."""
        postings = {term: self._postings("term = ?", _token(term)) for term in dict.fromkeys(steps)}
        common = set.intersection(*(set(found) for found in postings.values()))
        following: Places = {}
        for place in common:
            places = set(postings[steps[0]][place])
            for distance, term in enumerate(steps[1:], 1):
                places.intersection_update([at - distance for at in postings[term][place]])
            if places:
                following[place] = places
        return following

    def _beginning(self, start: str, near: Places) -> Places:
        token = _token(start)
        found = {place: set(places) for place, places in near.items()}
        for place, places in self._postings("term >= ? AND term < ?", token, token + _LAST).items():
            found.setdefault(place, set()).update(places)
        return dict(found)

    def _postings(self, where: str, *values: str) -> dict[int, list[int]]:
        rows = self._base.execute(f"SELECT doc, col, offset FROM term_at WHERE {where} AND col != 'names'", values).fetchall()  # noqa: S608
        self._load({doc for doc, _, _ in rows} - self._places.keys())
        found: dict[int, list[int]] = {}
        for doc, column, offset in rows:
            titled, places = self._places[doc]
            found.setdefault(doc, []).append(places[offset if column == "title" else titled + offset])
        return found

    def _load(self, docs: Iterable[int]) -> None:
        for doc, titled, places in self._rows("place, titled, places", docs):
            self._places[doc] = titled, array("I", places)


def connect(file: Path) -> sqlite3.Connection:
    """The file of an index, opened so that nothing in it can run; the caller answers for its being ours."""
    # One search at a time uses it, in whichever thread a server runs it.
    base = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        base.execute("PRAGMA trusted_schema = OFF")
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = OFF")  # it can be built again
    except sqlite3.DatabaseError:
        base.close()
        raise
    return base


def fact(base: sqlite3.Connection, name: str) -> str:
    """What the file says of itself under *name*; nothing where it is no index of this format."""
    try:
        facts = dict(base.execute("SELECT name, value FROM fact WHERE name IN ('format', ?)", (name,)))
    except sqlite3.DatabaseError:
        return ""
    return str(facts.get(name, "")) if facts.get("format") == FORMAT else ""


def update(
    base: sqlite3.Connection, documents: Iterable[Document], facts: dict[str, str], ids: frozenset[str] | None = None
) -> Update:
    """Bring the index in *base* in line with *documents*, in one step, and let it say *facts* of itself.

    With *ids*, the documents are those of these and all that are `LOOSE`: the others stay as they are.
    """
    wanted = {document.id: document for document in documents}
    base.execute("BEGIN IMMEDIATE")
    try:
        if not fact(base, "documents"):
            _clear(base)
        known = {id: (digest, place, length) for id, digest, place, length in _known(base, ids)}
        digests = {id: document.digest for id, document in wanted.items()}
        gone = [(place, length) for id, (digest, place, length) in known.items() if digests.get(id) != digest]
        new = [document for id, document in wanted.items() if known.get(id, ("",))[0] != digests[id]]
        for place, _ in gone:
            _delete(base, place)
        positions = sum(_insert(base, document, digests[document.id]) for document in new) - sum(length for _, length in gone)
        total = int(fact(base, "documents") or 0) + len(new) - len(gone)
        positions += int(fact(base, "positions") or 0)
        said = {"format": FORMAT, "documents": str(total), "positions": str(positions), **facts}
        base.executemany("INSERT OR REPLACE INTO fact VALUES (?, ?)", said.items())
    except BaseException:
        base.execute("ROLLBACK")
        raise
    base.execute("COMMIT")
    return Update(added=len(new), removed=len(gone), total=total)


def _known(base: sqlite3.Connection, ids: frozenset[str] | None) -> Iterator[tuple[str, str, int, int]]:
    """ID, digest, place and length of the documents that an update may change."""
    query = "SELECT id, digest, place, length FROM document"
    if ids is None:
        yield from base.execute(query).fetchall()
        return
    for column, values in (("kind", LOOSE), ("id", ids)):
        for value in values:
            yield from base.execute(f"{query} WHERE {column} = ?", (value,)).fetchall()


def _clear(base: sqlite3.Connection) -> None:
    for (name,) in base.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'term\\_%' ESCAPE '\\'"
    ).fetchall():
        base.execute(f"DROP TABLE IF EXISTS {name}")
    base.execute("DROP TABLE IF EXISTS term_at")
    for statement in _TABLES.split(";\n"):
        base.execute(statement)


def _insert(base: sqlite3.Connection, document: Document, digest: str) -> int:
    """Enter *document*; its length."""
    columns, titled, places, length = _tokens(document)
    text = json.dumps({name: getattr(document, name) for name in Document.__slots__})
    row = (document.id, document.kind, document.status, document.live, document.date, folded(document.topic), length, digest)
    done = base.execute(
        "INSERT INTO document (id, kind, status, live, date, topic, length, digest, text, titled, places) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (*row, text, titled, places.tobytes()),
    )
    base.execute("INSERT INTO term (rowid, title, body, names) VALUES (?,?,?,?)", (done.lastrowid, *columns))
    return length


def _delete(base: sqlite3.Connection, place: int) -> None:
    """FTS5 keeps no texts here, so it must be told again what is to be taken out."""
    (text,) = base.execute("SELECT text FROM document WHERE place = ?", (place,)).fetchone()
    columns, _, _, _ = _tokens(_document(text))
    base.execute("INSERT INTO term (term, rowid, title, body, names) VALUES ('delete',?,?,?,?)", (place, *columns))
    base.execute("DELETE FROM document WHERE place = ?", (place,))


def _tokens(document: Document) -> tuple[tuple[str, str, str], int, "array[int]", int]:
    """The tokens of title, body and names; how many the title has; the position of each of title and body; the document's length."""
    found, length = terms(document)
    names = [_token(term) for term in found if term.startswith(NAME)]
    standing = sorted((place, term) for term, places in found.items() if not term.startswith(NAME) for place in places)
    titled = sum(place < BODY for place, _ in standing)
    tokens = [_token(term) for _, term in standing]
    columns = " ".join(tokens[:titled]), " ".join(tokens[titled:]), " ".join(names)
    return columns, titled, array("I", [place for place, _ in standing]), length


def _token(term: str) -> str:
    return term.translate(_AS_TOKEN)


def _document(text: str) -> Document:
    fields = json.loads(text)
    return Document(**{**fields, "names": tuple(fields["names"])})
