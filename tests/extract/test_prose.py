"""Running text is cut into clean lines, sentences and key words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.extract import prose


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("red and blue", " \x1b[31mred\x1b[0m \n\t and\x07 blue "),
        ("one two", "one\x1b]8;;https://example.test\x07 two"),
        ("a b", "a\r\nb"),
        ("", "\x1b[2K\n"),
    ],
)
def test_a_text_becomes_one_clean_line(expected: str, text: str) -> None:
    """Terminal codes, control characters and breaks are gone; words stay apart."""
    assert expected == prose.one_line(text)


def test_a_long_text_is_cut_between_words() -> None:
    """What was cut shows that it was."""
    assert "alpha beta gamma…" == prose.one_line("alpha beta gamma delta", 20)
    assert "aaaaaaaaa…" == prose.one_line("a" * 50, 10)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("Keep the pool", "- **Keep** the pool"),
        ("Keep `__init__` and foo_bar_baz", "1. Keep `__init__` and foo_bar_baz"),
        ("the guide", "### [the guide](docs/guide.md)"),
        ("Done", "✅ Done"),
    ],
)
def test_markup_goes_and_identifiers_stay(expected: str, text: str) -> None:
    """Links, bold and list markers are for the eye; code is part of the words."""
    assert expected == prose.plain(text)


def test_code_tables_and_quotations_are_nobodys_words() -> None:
    """Only what the writer says is looked at."""
    text = "First.\n```\ncode\n```\n| a | b |\n> quoted\nLast."

    assert ["First.", "Last."] == list(prose.lines(text))


def test_sentences_end_where_they_end() -> None:
    """Abbreviations, versions and file names do not end a sentence."""
    text = "Use a queue, e.g. Redis. It is at 5.2.1 in app.py! Does it help? Yes"

    assert ["Use a queue, e.g. Redis.", "It is at 5.2.1 in app.py!", "Does it help?", "Yes"] == list(prose.sentences(text))


@pytest.mark.parametrize(
    ("expected", "first", "second"),
    [
        (True, "Keep sessions in Redis", "keeping the session in redis"),
        (False, "Use httpx for the archive", "Use rich for the archive"),
        (False, "", ""),
    ],
)
def test_the_same_in_other_words_is_the_same(expected: bool, first: str, second: str) -> None:
    """Endings and small words make no difference; one other name does."""
    assert expected is prose.same(prose.keywords(first), prose.keywords(second))


@given(st.text())
def test_any_text_becomes_one_line_that_stays_as_it_is(text: str) -> None:
    """Cleaning is idempotent and bounded."""
    line = prose.one_line(text)

    assert prose.one_line(line) == line
    assert len(line) <= prose.HEADING
    assert " ".join(line.split()) == line


@pytest.mark.parametrize(
    ("expected", "text"),
    [("Sort by name", "sort by name"), ("passlib 1.7", "passlib 1.7"), ("rates.py holds it", "rates.py holds it")],
)
def test_a_capital_is_not_forced_on_a_name(expected: str, text: str) -> None:
    """A package, a program or a file keeps its spelling."""
    assert expected == prose.capital(text, {"passlib"})
