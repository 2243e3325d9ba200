"""What a query means, and what is no query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import UsageError
from handoffsite.search.syntax import Question, Word, parse
from tests.search.steps import steps


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("redis", (Word(("redis",), beginning=True),)),
        ("redis ci", (Word(("redis",)), Word(("ci",)))),
        ("redis redis", (Word(("redis",)), Word(("redis",), beginning=True))),
        ('"to be or not"', (Word(("to", "be", "or", "not")),)),
        ('"to be', (Word(("to", "be")),)),
        ('""', ()),
        ('"redis"', (Word(("redis",)),)),
        ("foo_bar.baz", (Word(("foo_bar.baz",), ("foo", "bar", "baz"), beginning=True),)),
        ('"foo_bar.baz now"', (Word(("foo_bar.baz", "bar", "baz", "now")),)),
        ("--force x", (Word(("--force",), ("force",)), Word(("x",)))),
        ("C++ code", (Word(("c++",)), Word(("code",), beginning=True))),
        ("9f8e7d6a1b x", (Word(("9f8e7d6a1b",), ("9f8e7d6",)), Word(("x",)))),
        ("検索エ", (Word(("検索", "索エ")),)),
        ("検", (Word(("検",)),)),
        ("AND OR NOT (", (Word(("and",)), Word(("or",)), Word(("not",), beginning=True))),
        ("a* [x TO y] ^2 ~", (Word(("a",)), Word(("x",)), Word(("to",)), Word(("y",)), Word(("2",)))),
        ("foo:bar x", (Word(("foo:bar",), ("foo", "bar")), Word(("x",)))),
        ("kind: x", (Word(("kind",)), Word(("x",)))),
        ("call(this)", (Word(("call",)), Word(("this",), beginning=True))),
        ("* ? []", ()),
    ],
)
def test_words(text: str, words: tuple[Word, ...]) -> None:
    """Words, phrases and identifiers; the last word may go on; nothing is an operator."""
    assert words == parse(text).words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind:decision", Question(kinds=frozenset({"decision"}))),
        ("Kind:decision,thread", Question(kinds=frozenset({"decision", "thread"}))),
        ("status:active status:done", Question(statuses=frozenset({"active", "done"}))),
        ('topic:"Session  Store"', Question(topics=frozenset({"session store"}))),
        ("since:2026-11-01 since:2026-12", Question(since="2026-12")),
    ],
)
def test_filters(text: str, expected: Question) -> None:
    """Filters may stand in the query; several of one name widen it, but for the time, where the latest counts."""
    assert expected == parse(text)


def test_filters_of_both_kinds() -> None:
    """A filter in the query and one beside it mean the same; a filter is no word, and stops none from going on."""
    expected = Question(words=(Word(("redis",), beginning=True),), kinds=frozenset({"decision", "thread"}), since="2026-11")

    assert expected == parse("redis kind:decision", kinds=["thread"], since="2026-11")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the query is empty"),
        (" \n", "the query is empty"),
        ("kind:decisions x", "no kind is called 'decisions'"),
        ("status:500", "no status is called '500'"),
        ("since:yesterday", "since 'yesterday' is no date"),
        ("since:2026-13-01", "since '2026-13-01' is no date"),
        ("since:2026-02-30", "since '2026-02-30' is no date"),
        ("x" * 1001, "the query has 1,001 characters; at most 1,000 can be searched for"),
        (" ".join(map(str, range(129))), "the query has 129 words; at most 128 can be searched for"),
    ],
)
def test_refused(text: str, message: str) -> None:
    """What cannot be meant is refused, with what could be."""
    with pytest.raises(UsageError) as caught:
        parse(text)

    assert message == caught.value.message
    assert caught.value.hint


def test_quotation_marks_make_a_filter_text() -> None:
    """The hint of a refused filter is true: in quotation marks it is looked for."""
    assert (Word(("status:500", "500")),) == parse('"status:500"').words


@given(st.text(max_size=1000))
def test_any_text_is_a_query_or_refused(text: str) -> None:
    """There is no query that fails in another way."""
    try:
        question = parse(text)
    except UsageError:
        return

    assert all(word.steps and all(word.steps) for word in question.words)


def test_a_huge_text_is_refused_at_once() -> None:
    """200,000 characters take no more steps than 2,000 do: they are refused by their number, before any is looked at."""

    def refused(count: int) -> None:
        for character in ("(", "a", '"', "検", "a-b_c.", "kind:x "):
            with pytest.raises(UsageError, match="at most 1,000"):
                parse((character * count)[:count])

    refused(2_000)  # what is compiled at first is no part of it
    assert steps(lambda: refused(200_000)) <= steps(lambda: refused(2_000))
