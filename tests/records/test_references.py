"""Where records speak of IDs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records import grammar, identity, references, session
from handoffsite.records.completed import Completed
from handoffsite.records.decision import Decision
from handoffsite.records.item import Item
from handoffsite.records.session import SessionRecord, Update
from handoffsite.records.thread import Thread

RECORD = session.numbered(
    SessionRecord(
        source="note:1",
        project="atlas",
        recorded="2026-11-30T19:40:06Z",
        title="About D-9-abc",
        completed=(Completed(text="a"), Completed(text="b")),
        decisions=(Decision(title="c", rationale="as D-9-abc says"), Decision(title="d")),
        updates=(Update(id="D-9-abc", changes={"status": "retired"}),),
    ),
    {},
)
TEXT = session.dumps(RECORD)


@pytest.mark.parametrize("id", [value.id for value in RECORD.items()])
def test_the_line_of_an_entry_is_found(id: str) -> None:
    """Also of items that are known by their place."""
    line = TEXT.splitlines()[references.line_of(TEXT, id) - 1]

    assert {value.id: value.headline for value in RECORD.items()}[id] in line
    assert line.startswith("  - {")


def test_an_entry_comes_before_a_mention() -> None:
    """The line of an update, not the title that speaks of it; 0 where nothing does."""
    lines = TEXT.splitlines()

    assert "retired" in lines[references.line_of(TEXT, "D-9-abc") - 1]
    assert "as D-9-abc" in lines[references.line_with(TEXT, "D-9-abc", RECORD.decisions[0].id) - 1]
    assert [0, 0] == [references.line_of(TEXT, "D-70-abc"), references.line_with(TEXT, "nowhere")]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("as D-1 says", [("D-1", False)]),
        ("instead of D-1; T-2-abc goes on", [("D-1", True), ("T-2-abc", False)]),
        ("D-1 was dropped. D-2 holds.", [("D-1", True), ("D-2", False)]),
        ("D-1 and D-1 again", [("D-1", False)]),
        ("T-shirt, C-3PO, D-3x, x-D-1, D-1.5, ISO-8601", []),
        ("H-1 and M-2 have homes of their own", []),
    ],
)
def test_what_is_cited(text: str, cited: list[tuple[str, bool]]) -> None:
    """Each ID once, and whether the clause around it says that it ended."""
    item = Item(value=Thread(id="T-9-abc", title="x", next=text), session="S-1-abc", defined="", touched="")

    assert cited == [(one.written, one.ended) for one in references.citations(item)]


def test_rows_of_a_state() -> None:
    """Whole and short IDs; what stands in a code fence, or is no row, is none."""
    text = "| ID | x |\n| --- | --- |\n| D-1 | a |\n```\n| D-2 | b |\n```\nD-3\n| T-4-abc | c |\n"

    assert [(3, "D-1"), (8, "T-4-abc")] == list(references.rows(text))


@given(st.text(max_size=80))
def test_any_text_can_be_searched(text: str) -> None:
    """No text makes it fail, and a line that is given holds the ID."""
    line = references.line_of(text, "D-1")

    assert not line or any(str(id) == "D-1" for _, _, id in identity.mentions(text.split("\n")[line - 1])) or "id: D-1" in text


@given(st.text(max_size=60).map(lambda text: text.replace("\r", "")), st.booleans(), st.booleans(), st.integers(0, 3))
def test_what_an_editor_adds_is_taken_away(text: str, mark: bool, crlf: bool, blank: int) -> None:
    """Whatever of a byte order mark, CRLF and blank lines came to a sealed text, it is known again as it was."""
    sealed = grammar.seal(text.encode("utf-8", "replace").decode(), "S-1-abc")
    changed = sealed + "\n" * blank
    changed = changed.replace("\n", "\r\n") if crlf else changed
    changed = f"\ufeff{changed}" if mark else changed

    assert sealed == grammar.plain(changed)
    assert grammar.unseal(sealed, "x") == grammar.unseal(changed, "x")


def test_the_whole_sides_of_a_merge() -> None:
    """Of what git left in the middle of a merge, those sides that fit their footers."""
    one, other = grammar.seal("a\nb\n", "S-1-abc"), grammar.seal("a\nc\n", "S-1-abc")
    merged = "a\n<<<<<<< HEAD\n" + one[2:] + "=======\n" + other[2:] + ">>>>>>> x\n"

    assert (one, other) == grammar.sides(merged)
    assert (one,) == grammar.sides(merged.replace("\nc\n", "\nd\n"))
