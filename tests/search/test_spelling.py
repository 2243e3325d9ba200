"""What was meant: a word that is written almost so, and only one that this index holds."""

import sqlite3
from collections.abc import Callable

import pytest

from handoffsite.search import fts5, tokens, whoosh_index
from handoffsite.search.documents import Document
from handoffsite.search.engine import Engine
from handoffsite.search.linear import Linear
from handoffsite.search.query import Index

NewDocument = Callable[..., Document]


def fts5_of(documents: list[Document]) -> Engine:
    base = sqlite3.connect(":memory:", isolation_level=None)
    fts5.update(base, documents, {})
    return fts5.Fts5Index(base)


ENGINES: dict[str, Callable[[list[Document]], Engine]] = {
    "whoosh": lambda documents: whoosh_index.WhooshIndex(whoosh_index.updated({}, documents).files),
    "fts5": fts5_of,
    "linear": Linear,
}
TEXTS = (
    "Keep sessions in Redis",
    "Rotate the refresh token with getUserById and session_store",
    "Zürich is a region; régions are many; the cafe",
    "Redis again, and a regime",
    "日本語の検索 in C++ with --no-verify at 2.32.4",
)


def suggested(index: Index, query: str) -> tuple[str, ...]:
    return index.search(query).suggestions


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("redsi", ("redis",)),
        ("Redsi", ("redis",)),
        ("reddis", ("redis",)),
        ("rds", ()),
        ("refersh", ("refresh",)),
        ("zurihc", ("zurich",)),
        ("getUserByIdd", ("getuserbyid",)),
        ("getusrbyid", ("getuserbyid",)),
        ("session_stroe", ("session_store",)),
        ('kind:decision "keep sesions"', ('kind:decision "keep sessions"',)),
        ("refersh redsi", ("refresh redis",)),
        ("regien", ("region",)),
        ("redis", ()),
        ('"redis rotate"', ()),
        ("redis kind:thread", ()),
        ("nowhere", ()),
        ("D-99-zzz", ()),
        ("2.32.9", ()),
        ("--no-verfiy", ("--no-verify",)),
        ("検策", ()),
        ("*", ()),
    ],
)
def test_what_was_meant(document: NewDocument, engine: str, query: str, expected: tuple[str, ...]) -> None:
    """A slip of one letter, or of two in a longer word, gets the word; IDs, versions and what is near to nothing get none."""
    documents = [document(f"D-{number}-k3f", title=text) for number, text in enumerate(TEXTS, 1)]

    assert expected == suggested(Index(None, engine=ENGINES[engine](documents)), query)


@pytest.mark.parametrize("engine", ["whoosh", "fts5"])
def test_what_no_document_holds_any_more_is_not_suggested(document: NewDocument, engine: str) -> None:
    """Also where the engine still keeps the word: a suggestion is a promise that something is found."""
    before = [document(f"D-{number}-k3f", title=text) for number, text in enumerate(TEXTS, 1)]
    after = [one for one in before if "Redis" not in one.title]
    kept: Engine
    if engine == "fts5":
        base = sqlite3.connect(":memory:", isolation_level=None)
        fts5.update(base, before, {})
        fts5.update(base, after, {})
        kept = fts5.Fts5Index(base)
    else:
        kept = whoosh_index.WhooshIndex(whoosh_index.updated(whoosh_index.updated({}, before).files, after).files)
    index = Index(None, engine=kept)

    assert () == suggested(index, "redsi")
    assert ("refresh",) == suggested(index, "refersh")


@pytest.mark.parametrize("engine", ENGINES)
def test_every_suggestion_finds_something(many: Callable[..., list[Document]], engine: str) -> None:
    """Every word of an index with two letters exchanged leads to words of the index, and the same ones for every engine."""
    documents = many(60)
    index, linear = Index(None, engine=ENGINES[engine](documents)), Index(None, engine=Linear(documents))
    words = sorted({term for one in documents for term in tokens.places(one.title)[0] if term.isalpha() and len(term) > 4})
    queries = [f"{word[:2]}{word[3]}{word[2]}{word[4:]}" for word in words]
    found = {query: suggested(index, query) for query in queries}

    assert found == {query: suggested(linear, query) for query in queries}
    assert all(index.search(one).total for some in found.values() for one in some)
    assert any(found.values())


@pytest.mark.parametrize("engine", ENGINES)
def test_facets_count_all_that_was_found(document: NewDocument, engine: str) -> None:
    """By kind and status, the most first, whatever the limit; filters hold for them too."""
    kinds = ["decision"] * 3 + ["thread"] * 2 + ["constraint"]
    documents = [
        document(
            f"{kind[0].upper()}-{number}-k3f", kind=kind, title="moonlight", status="active" if kind == "thread" else "accepted"
        )
        for number, kind in enumerate(kinds, 1)
    ]
    index = Index(None, engine=ENGINES[engine](documents))
    found, some = index.search("moonlight", limit=1), index.search("moonlight kind:thread")

    assert {"kind": {"decision": 3, "thread": 2, "constraint": 1}, "status": {"accepted": 4, "active": 2}} == found.facets
    assert ["decision", "thread", "constraint"] == list(found.facets["kind"])
    assert {"kind": {"thread": 2}, "status": {"active": 2}} == some.facets
