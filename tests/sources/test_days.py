"""Days as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.sources import days


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-08-21 14:42 · queue", "2026-08-21T14:42:00Z"),
        ("2026-08-21T14:42:01+02:00", "2026-08-21T12:42:01Z"),
        ("[2026-01-07 14:30:22] - a task", "2026-01-07T14:30:22Z"),
        ("Feb 27, 2026", "2026-02-27T00:00:00Z"),
        ("27th February 2026", "2026-02-27T00:00:00Z"),
        ("2026/1/2", "2026-01-02T00:00:00Z"),
        ("2026年2月3日", "2026-02-03T00:00:00Z"),
        ("12.05.2026", "2026-05-12T00:00:00Z"),
        ("2026-02-30", ""),
        ("v2026.13.1", ""),
        ("version 1.2.3", ""),
        ("may 3", ""),
    ],
)
def test_a_day_in_a_line(text: str, found: str) -> None:
    """A day is read in the ways in which people write it; what is none stays none."""
    assert found == days.moment(text)


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("2026-08-21 · queue", "2026-08-21"),
        ("Session 12 — 2026-08-21", "2026-08-21"),
        ("[2026-08-21] Login", "2026-08-21"),
        ("ADR-001: Use X (2026-08-21)", "2026-08-21"),
        ("Handoff, August 21, 2026", "2026-08-21"),
        ("Since 2026-08-21 we do it otherwise", ""),
        ("Next steps", ""),
    ],
)
def test_a_heading_that_is_an_entry(heading: str, found: str) -> None:
    """An entry's heading begins or ends with its day."""
    assert found == days.heads(heading)[:10]


def test_when_a_file_was_written() -> None:
    """The latest day that a file calls its own counts; else the one in its title or name; never one that prose mentions."""
    assert (
        days.of_file("# State\n\nSince 2024-01-01 all is well.\n\n_Last updated: 2026-02-03_\nDate: 2026-01-01\n", "x.md")[:10]
        == "2026-02-03"
    )
    assert days.of_file("# Handoff 2026-03-04\n\nIn 2024-01-01 it broke.\n", "2026-01-01-x.md")[:10] == "2026-03-04"
    assert days.of_file("In 2024-01-01 it broke.\n", "20260101-x.md")[:10] == "2026-01-01"
    assert days.of_file("In 2024-01-01 it broke.\n", "x.md") == ""


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """No text breaks the reader."""
    assert days.heads(text) == "" or len(days.heads(text)) == 20
    assert days.moment(text) == "" or len(days.moment(text)) == 20
