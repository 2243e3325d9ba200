"""What is kept of a log's text: no terminal control, no pictures, bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records.transcript import KEPT_CHARACTERS
from handoffsite.sources.text import arguments, chosen, clean, instant, moment, named, parted, picture, plain, tidy, title, word


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\x1b[31mred\x1b[0m \x1b[2K\x1b[?25lplain", "red plain"),
        ("\x1b]8;;http://example.test\x1b\\link\x1b]8;;\x07", "link"),
        ("\x1b]0;title without end", "]0;title without end"),
        ("10%\r50%\r100%\ndone\r\n", "100%\ndone\n"),
        ("waiting\r", "waiting"),
        ("a\0b\x08c", "abc"),
        ("lone \ud83d half", "lone \ufffd half"),
        ("tab\tand\nline", "tab\tand\nline"),
        (None, ""),
        (["x"], ""),
    ],
)
def test_terminal_control_is_taken_out(text: object, kept: str) -> None:
    """What only moved a cursor or coloured a screen is not text; of a progress bar its last state is."""
    assert kept == clean(text)


def test_a_long_text_says_what_was_left_out() -> None:
    """Head and tail are kept, with the number of characters between them."""
    kept = clean("a" * 30_000 + "z" * 30_000)

    assert len(kept) <= KEPT_CHARACTERS
    assert kept.startswith("aaa")
    assert kept.endswith("zzz")
    assert "40,080 characters left out" in kept


@pytest.mark.parametrize(("size", "note"), [(1, "1 kB"), (999, "1 kB"), (34_000, "34 kB"), (20_000_000, "20 MB")])
def test_a_picture_becomes_a_note_of_its_size(size: int, note: str) -> None:
    """Base64 is never kept, be it a block of its own or an address inside a text."""
    assert f"[image, {note}]" == picture("A" * size)


def test_pictures_inside_text_are_replaced() -> None:
    """An address that holds a whole picture is cut out of the text around it."""
    assert "<img src='[image, 12 kB]'> tail" == clean("<img src='data:image/png;base64," + "A" * 12_000 + "'> tail")


def test_blocks_become_their_text() -> None:
    """Text blocks, bare strings and pictures are joined in order; what has no text is passed over."""
    blocks = [
        "bare",
        {"type": "text", "text": "said"},
        {"type": "image", "source": {"data": "A" * 2_000}},
        {"type": "tool_reference"},
        7,
    ]

    assert "bare\nsaid\n[image, 2 kB]" == plain(blocks)


@pytest.mark.parametrize(
    ("time", "utc"),
    [
        ("2026-11-03T09:00:07.123Z", "2026-11-03T09:00:07.123Z"),
        ("2026-11-03T10:00:07+01:00", "2026-11-03T09:00:07Z"),
        ("0001-01-01T00:00:00+14:00", ""),
        ("2026-13-45T99:00:00+01:00", ""),
        ("2026-02-30T09:00:00Z", ""),
        ("yesterday", ""),
        (1_700_000_000, ""),
        (None, ""),
    ],
)
def test_times_are_utc(time: object, utc: str) -> None:
    """An offset is applied; what is no time is nothing."""
    assert utc == moment(time)


@pytest.mark.parametrize(
    ("time", "utc"),
    [
        ("2026-11-03T10:00:07+01:00", "2026-11-03T09:00:07Z"),
        (1_700_000_000, "2023-11-14T22:13:20.000Z"),
        (1_700_000_000.25, "2023-11-14T22:13:20.250Z"),
        (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
        (42, ""),
        (10**30, ""),
        (float("nan"), ""),
        (float("inf"), ""),
        (True, ""),
        ([], ""),
    ],
)
def test_numbers_are_times_by_their_size(time: object, utc: str) -> None:
    """Seconds and milliseconds since 1970 are told apart; a count is no time."""
    assert utc == instant(time)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("a <x>b</x> c <x>d</x>", ["b", "d"], "a  c "),
        ("a <x>b", [], "a <x>b"),
        ("a </x> <x>b</x>", ["b"], "a </x> "),
        ("", [], ""),
    ],
)
def test_a_text_is_parted_at_marks(text: str, inside: list[str], outside: str) -> None:
    """A mark that nothing closes is text."""
    assert (inside, outside) == parted(text, "<x>", "</x>")


def test_arguments_are_always_an_object() -> None:
    """What is none stands under an empty name; nothing is nothing."""
    assert [{"a": "b"}, {"": "b"}, {"": [1]}, {}, {}] == [arguments(one) for one in ({"a": "b"}, "b", [1], None, "")]


def test_the_first_name_that_says_something_counts() -> None:
    """Empty values and those that are no text are passed over."""
    assert ("c", "") == (named({"a": "", "b": 1, "c": "c"}, ("a", "b", "c", "d")), named({}, ("a",)))


def test_several_choices_are_one_answer() -> None:
    """A list is read out."""
    assert ["a", "a, b", ""] == [chosen("a"), chosen(["a", "b"]), chosen(None)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n\n# Plan: cache\nmore", "Plan: cache"),
        ("---\n***\nReal", "Real"),
        ("x" * 500, "x" * 199 + "…"),
        ("", ""),
    ],
)
def test_a_title_is_the_first_line_that_says_something(text: str, line: str) -> None:
    """Rules and heading marks are no title, and a title is short."""
    assert line == title(text)


def test_arguments_are_cleaned_to_any_depth() -> None:
    """Nested texts are cleaned, and what is nested beyond reason is cut off."""
    deep: list[object] = []
    for _ in range(500):
        deep = [deep]

    assert {"a": ["b"], "n": 1} == tidy({"a\0": ["\x1b[1mb"], "n": 1})
    assert tidy(deep) is not None


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_whatever_comes_in_can_be_written(text: str) -> None:
    """Every kept text encodes as UTF-8, and cleaning it again changes nothing more."""
    clean(text).encode()
    word(text).encode()

    assert "\n" not in word(text)
    assert clean(text) == clean(clean(text))
