"""What comes first."""

from collections.abc import Callable

import pytest

from handoffsite.search import ranker, syntax
from handoffsite.search.documents import Document
from handoffsite.search.linear import Linear

NewDocument = Callable[..., Document]


def order(query: str, *documents: Document) -> list[str]:
    """The IDs of *documents*, as a search for *query* lists them."""
    engine, question = Linear(documents), syntax.parse(query)
    return [candidate.id for _, candidate in ranker.ranked(question, engine.find(question, 10))]


@pytest.mark.parametrize("kind", ["decision", "constraint"])
def test_decisions_and_constraints_precede_other_kinds(document: NewDocument, kind: str) -> None:
    """A session that is full of the word does not hide the decision that mentions it."""
    session = document("S-1-k3f", kind="session", status="recorded", title="redis", body="redis " * 20)
    item = document("D-2-k3f", kind=kind, body=f"{'words ' * 40} redis")

    assert ["D-2-k3f", "S-1-k3f"] == order("redis", session, item)


def test_not_where_words_are_missing(document: NewDocument) -> None:
    """All words first: a decision with some of them comes after a session with all."""
    session = document("S-1-k3f", kind="session", body="redis cluster failover")
    decision = document("D-2-k3f", title="redis redis redis")

    assert ["S-1-k3f", "D-2-k3f"] == order("redis failover", decision, session)


def test_live_precedes_proposed_precedes_past(document: NewDocument) -> None:
    """What no longer holds comes last, however well it fits."""
    documents = [
        document("D-1-k3f", status="superseded", live=False, title="redis"),
        document("D-2-k3f", status="proposed", live=False, body="redis"),
        document("D-3-k3f", body=f"{'words ' * 40} redis"),
    ]

    assert ["D-3-k3f", "D-2-k3f", "D-1-k3f"] == order("redis", *documents)


@pytest.mark.parametrize("query", ["D-17-k3f", "d-17-k3f", "D-17", "D-3-q7d"])
def test_an_id_finds_its_item_first(document: NewDocument, query: str) -> None:
    """The item itself comes before all that mention it, by its ID in any form, or by an ID that it had."""
    item = document("D-17-k3f", status="superseded", live=False, title="Cookies", names=("D-17-k3f", "D-3-q7d"))
    other = document("D-18-k3f", title="D-17-k3f, D-17 and D-3-q7d", body="d-17-k3f d-17 D-3-q7d")

    assert ["D-17-k3f", "D-18-k3f"] == order(query, other, item)


def test_a_whole_identifier_precedes_its_parts(document: NewDocument) -> None:
    """Who names the function comes before who only speaks of its words, even in a title."""
    whole = document("S-1-k3f", kind="session", body="then get_user_by_id failed")
    parts = document("D-2-k3f", title="Get user by ID in one query")

    assert ["S-1-k3f", "D-2-k3f"] == order("get_user_by_id", parts, whole)


def test_the_title_precedes_the_body(document: NewDocument) -> None:
    """Of two decisions, the one whose title says it."""
    body = document("D-1-k3f", title="Sessions", body="redis redis redis")
    title = document("D-2-k3f", title="Redis", body="words " * 40)

    assert ["D-2-k3f", "D-1-k3f"] == order("redis", body, title)


def test_a_beginning_in_the_title_is_not_the_word(document: NewDocument) -> None:
    """`port` is asked for: a title with `portable` does not precede a text on ports."""
    beginning = document("D-1-k3f", title="Portable builds")
    word = document("D-2-k3f", title="Listen on loopback", body="the port is 8080, no other port")

    assert ["D-2-k3f", "D-1-k3f"] == order("port", beginning, word)


def test_rare_words_and_short_texts_weigh_more(document: NewDocument) -> None:
    """BM25: a word that many documents hold says little, and a mention in passing less than a statement."""
    documents = [
        document("D-1-k3f", body="cluster " * 3),
        document("D-2-k3f", body="cluster cluster cluster failover"),
        document("D-3-k3f", body=f"failover {'words ' * 40}"),
        document("D-4-k3f", body="failover"),
        *(document(f"D-{number}-k3f", body="cluster") for number in range(5, 9)),
    ]

    assert ["D-2-k3f", "D-4-k3f"] == order("failover cluster", *documents)[:2]
    assert ["D-4-k3f", "D-2-k3f", "D-3-k3f"] == order("failover", *documents)


def test_ties(document: NewDocument) -> None:
    """Of what fits equally well the newest comes first, then the smallest ID."""
    old = document("D-1-k3f", body="redis", date="2026-01-01T00:00:00Z")
    new = [document(f"D-{number}-k3f", body="redis") for number in (3, 2)]

    assert ["D-2-k3f", "D-3-k3f", "D-1-k3f"] == order("redis", old, *new)


def test_scores_never_rise(many: Callable[..., list[Document]]) -> None:
    """The score says the order, tiers included."""
    engine, question = Linear(many(200)), syntax.parse("request index getUserById con")
    scores = [score for score, _ in ranker.ranked(question, engine.find(question, 10))]

    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 100
