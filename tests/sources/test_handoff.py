"""Handoff files of every name: entries, logs of decisions, lists of tasks, and what cannot be read as a note."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.errors import Malformed
from handoffsite.sources import handoff

SAMPLES = Path(__file__).parents[1] / "samples" / "handoff"


def sample(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("HANDOFF.md", True), ("SESSION_HANDOFF.md", True), ("session_handoff.md", True), ("NEXT_SESSION.md", True), ("NEXT_SESSION_PROMPT.md", True),
        ("RepoHandover.md", True), ("STATE.md", True), ("my-api_STATUS.md", True), ("PROGRESS.md", True), ("DECISIONS.md", True), ("todo.md", True),
        ("worklog.md", True), ("2026-04-26-search-handoff.md", True), ("README.md", False), ("estate.md", False), ("statement.md", False),
    ],
)  # fmt: skip
def test_names(name: str, found: bool) -> None:
    """The kin of HANDOFF.md are known by the words of their names."""
    assert found == handoff.is_named(name)


def test_dated_entries_are_parts() -> None:
    """Each dated entry is a part of its own, oldest first, with the lines of the file; what stands around them is one more."""
    parts = handoff.read(sample("worklog.md"), "worklog.md")

    assert ["", "2026-08-30T00:00:00Z", "2026-09-02T00:00:00Z", "2026-09-03T16:20:00Z"] == [part.day for part in parts]
    firsts = [part.note.decisions or part.note.constraints for part in parts[1:]]

    assert ["note:26", "note:18", "note:10"] == [one[0].evidence[0] for one in firsts]


def test_next_steps_of_older_entries_are_no_threads() -> None:
    """What was next weeks ago is said, and not in flight now."""
    parts = handoff.read(sample("worklog.md"), "worklog.md")

    assert ["Deploy on a quiet morning"] == [one.title for part in parts for one in part.note.threads]
    assert 2 == sum("next steps of an older entry" in warning for part in parts for warning in part.note.warnings)


def test_one_day_makes_no_entries() -> None:
    """A single dated heading, or a few among many, divide nothing."""
    assert 1 == len(handoff.read("# H\n\n## 2026-01-02\n\n- x\n", "HANDOFF.md"))
    assert 1 == len(
        handoff.read("# H\n\n## A\n\na\n\n## B 2026-01-02\n\nb\n\n## C\n\nc\n\n## D\n\nd\n\n## E 2026-01-03\n\ne\n", "HANDOFF.md")
    )


def test_entries_of_one_name_differ() -> None:
    """Two entries under one heading are two parts."""
    parts = handoff.read("## 2026-01-02\n\na\n\n## 2026-01-02\n\nb\n", "worklog.md")

    assert ["2026-01-02", "2026-01-02-2"] == [part.key for part in parts]


def test_each_heading_of_a_log_is_a_decision() -> None:
    """A log of decisions needs no heading that says so."""
    (part,) = handoff.read(sample("DECISIONS.md"), "docs/DECISIONS.md")

    assert [
        ("Amounts are whole cents", "accepted", "floating point lost a cent in every thousandth invoice"),
        ("Invoices are never changed", "superseded", "A wrong invoice is cancelled by another"),
        ("Invoices are sealed with a digest", "accepted", "each invoice carries the digest of the one before"),
    ] == [(one.title, one.status, one.rationale) for one in part.note.decisions]


def test_a_list_of_tasks_is_what_its_name_says() -> None:
    """Under a title that says nothing, the entries of todo.md are threads."""
    (part,) = handoff.read(sample("todo.md"), "todo.md")

    assert [("Round the totals", "done"), ("Send reminders", "active"), ("Archive old years", "active")] == [
        (one.title, one.status) for one in part.note.threads
    ]


def test_ids_of_another_tool_are_words() -> None:
    """`D-3` in a foreign file is none of our decisions."""
    (part,) = handoff.read(sample("HANDOFF.md"), "HANDOFF.md")

    assert () == part.note.updates
    assert "D-3: logs leave out the address" in [one.title for one in part.note.decisions]


@pytest.mark.parametrize(
    "text",
    [
        "---\na: &x 1\nb: *x\n---\n## Done\n\n- kept\n",
        "---\ncompleted: yes\nnext: {a: b}\n---\n## Done\n\n- kept\n",
        "---\ntitle: a\ntitle: b\n---\n## Done\n\n- kept\n",
        "## Done\n\n- kept\n- [Insert more here]\n\n## Next\n\n- TODO\n",
    ],
)
def test_what_a_note_may_not_hold_stays_text(text: str) -> None:
    """A front matter of another kind, or a place that was not filled in, does not cost the rest of the file."""
    (part,) = handoff.read(text, "HANDOFF.md")

    assert ["kept"] == [one.text for one in part.note.completed]
    assert any("kept in the narrative" in warning for warning in part.note.warnings)


@pytest.mark.parametrize("text", ["", " \n", "\0\1", "## Next\n\n- [Insert next here]\n" * 60])
def test_bad_input_is_refused(text: str) -> None:
    """An empty file, a binary one and a template are errors that name the file."""
    with pytest.raises(Malformed) as error:
        handoff.read(text, "HANDOFF.md")

    assert "HANDOFF.md" == error.value.file


PIECES = st.sampled_from(
    ["## 2026-01-02", "## 2026-01-03 x", "# T\n", "## Decisions\n", "## D1: foo\n", "## Next\n", "- a b\n", "- [ ] c\n", "| a | b |\n|---|---|\n| c | d |\n",
     "```\n", "<!--", "-->", "---\n", "status: accepted\n", "\n", "**Decision:** x\n", "D-3: y ", "D-3-abc: z\n", "{{x}}\n", "===\n", "> q\n", "\r\n", "{", "中文。"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from(["DECISIONS.md", "HANDOFF.md", "todo.md"]))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str, name: str) -> None:
    """No arrangement breaks the reader, and each line stands in a part."""
    try:
        parts = handoff.read(text, name)
    except Malformed:
        return

    assert set("".join(text.split())) <= set("".join(part.text for part in parts))
