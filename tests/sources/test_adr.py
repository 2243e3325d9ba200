"""Decision records of every layout, and what they never take for a status."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.errors import Malformed
from handoffsite.sources import adr

SAMPLES = Path(__file__).parents[1] / "samples" / "adr"
# Prose that names every status, and is none.
BODY = "\n\n## Context\n\nThe old plan was rejected. Deprecated calls stay.\n\n## Decision\n\nUse it. Status: rejected was discussed.\n"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("---\nstatus: accepted\ndate: 2026-01-02\n---\n# T", "accepted"),
        ('---\nstatus: "superseded by [ADR-0007](0007-x.md)"\n---\n# T', "superseded"),
        ("---\nstatus: Rejected\ndeciders: [a, b]\n---\n# T", "rejected"),
        ("# 3. T\n\n* Status: accepted\n* Date: 2026-01-02", "accepted"),
        ("# T\n\n- **Status**: ✅ Accepted", "accepted"),
        ("# T\n\nStatus: Draft", "proposed"),
        ("# T\n\n**Status:** Deprecated", "retired"),
        ("# T\n\n_Status: Proposed_", "proposed"),
        ("# T\n\n| Status | Accepted |\n|---|---|\n| Date | 2026-02-03 |", "accepted"),
        ("# T\n\n## Status\n\nAccepted", "accepted"),
        ("# T\n\n## Status\n\n**Accepted (2026-08-07): option 2** — see below. The rejected one stays.", "accepted"),
        ("# T\n\n## Status\n\nAccepted\n\nSuperseded by [7. X](0007-x.md)", "superseded"),
        ("# T\n\n## Status\n\nSuperceded by ADR-0007", "superseded"),
        ("# T\n\n## Status\n\nAccepted\n\nSupersedes [2. Y](0002-y.md)\n\nAmended by [9. Z](0009-z.md)", "accepted"),
        ("# T\n\n## Status\n\n- 2026-01-01: Proposed\n- 2026-02-01: Accepted", "accepted"),
        ("# T\n\n## Status\n\n- 2026-02-01: Accepted\n- 2026-01-01: Proposed", "accepted"),
        ("# T\n\n## Status\n\nProposed → Accepted", "accepted"),
        ("# T\n\n## Status\n\n~~Proposed~~ Accepted", "accepted"),
        ("# T\n\n## Status\n\n- [ ] Proposed\n- [x] Accepted\n- [ ] Rejected", "accepted"),
        ("# T\n\n## Status\n\nAccepted.\n\nRejected alternatives are listed below. Deprecated calls stay.", "accepted"),
        ("# T\n\nStatus\n------\n\naccepted", "accepted"),
        ("# T\n\n## Status: Accepted", "accepted"),
        ("# T\n\n## 状态\n\n已接受", "accepted"),
        ("# T\n\n<!-- Status: rejected -->\n\n```\nStatus: rejected\n```\n\n## Status\n\nAccepted", "accepted"),
    ],
)
def test_a_status_in_each_place(head: str, status: str) -> None:
    """Front matter, a list item, a plain line, a table and a section tell a status; prose, code and comments never do."""
    found = adr.read(head + BODY, "0003-t.md")

    assert [status] == [one.status for one in found.note.decisions]
    assert () == found.note.warnings


@pytest.mark.parametrize(
    ("head", "status", "said"),
    [
        ("# T", "accepted", "no status; read as accepted"),
        ("# T\n\n## Status\n\nVibing", "proposed", "'Vibing' is not known"),
        ("# T\n\n## Status\n\nNot accepted yet", "proposed", "is not known"),
        ("# T\n\n## Status\n\nThis was accepted by the team", "proposed", "is not known"),
    ],
)
def test_a_status_that_is_not_told_is_said(head: str, status: str, said: str) -> None:
    """What is not told, or not known, is never guessed at in silence."""
    found = adr.read(head + BODY, "0003-t.md")

    assert [status] == [one.status for one in found.note.decisions]
    assert said in " ".join(found.note.warnings)


@pytest.mark.parametrize(
    ("head", "replaces", "replaced_by"),
    [
        ("# T\n\n## Status\n\nSuperseded by [7. X](0007-x.md)", (), ("0007-x",)),
        ("# T\n\n- Status: superseded by [20260101-foo](20260101-foo.md)", (), ("20260101-foo",)),
        ("# T\n\n**Status**: Superseded by 0012 (2026-03-01)", (), ("12",)),
        ("# T\n\n- Status: replaced by ADR-0005 and ADR-0006", (), ("5", "6")),
        ("# T\n\n- Status: Accepted, supersedes [ADR-3](../adr/0003-a.md#top)", ("0003-a",), ()),
        ("---\nstatus: accepted\nsupersedes: [ADR-0002, ADR-0004]\n---\n# T", ("2", "4"), ()),
        ("# T\n\n## Status\n\nAccepted and implemented; replaces ADR-0002.", ("2",), ()),
        ("# T\n\nStatus: accepted\nSuperseded by: ADR-12", (), ("12",)),
        (
            "# T\n\nStatus: accepted\n\n## Links\n\n- Supersedes [ADR-0008](0008-h.md)\n- Refines [ADR-0009](0009-i.md)",
            ("0008-h",),
            (),
        ),
    ],
)
def test_links_to_other_decisions(head: str, replaces: tuple[str, ...], replaced_by: tuple[str, ...]) -> None:
    """What replaces what is read wherever it is linked, by file or by number."""
    found = adr.read(head + BODY, "0001-t.md")

    assert (replaces, replaced_by) == (found.replaces, found.replaced_by)


def test_a_decision_with_all_its_parts() -> None:
    """MADR's chosen option gives title, rationale and alternatives; the whole text goes along."""
    text = (SAMPLES / "0002-write-migrations-by-hand.md").read_text(encoding="utf-8")
    found = adr.read(text, "0002-write-migrations-by-hand.md")
    decision = found.note.decisions[0]

    assert ("Write migrations by hand", "generated ones lock whole tables") == (decision.title, decision.rationale)
    assert ("Generated migrations", "A schema service") == decision.alternatives
    assert ("2026-03-11T00:00:00Z", True, text.rstrip("\n")) == (found.day, found.whole, found.text.rstrip("\n"))


@pytest.mark.parametrize("name", ["template.md", "notes-on-style.md"])
def test_what_is_no_decision_is_refused(name: str) -> None:
    """A template and a file of another kind are named, not imported."""
    with pytest.raises(Malformed):
        adr.read((SAMPLES / name).read_text(encoding="utf-8"), name)


def test_a_log_in_which_each_heading_is_a_decision() -> None:
    """Number, labels and status are read of each; what is no decision is left for the reader of notes."""
    text = "# Log\n\nHow to.\n\n## D1: Whole cents\n\n**Rationale:** floats lose.\n\n## D2: Sealed\n\nStatus: rejected\n\n## Open questions\n\n- Which?\n"
    found, rest = adr.decided_under_headings(text, "DECISIONS.md")

    assert [("Whole cents", "floats lose", "accepted", ("note:5",)), ("Sealed", "", "rejected", ("note:9",))] == [
        (one.title, one.rationale, one.status, one.evidence) for one in found
    ]
    assert "# Log\n\nHow to." + "\n" * 10 + "## Open questions\n\n- Which?\n" == rest


PIECES = st.sampled_from(
    ["# T\n", "## Status\n", "## Decision\n", "Status: ", "accepted", "superseded by ", "[7](0007-x.md)", "\n", "---\n", "- ", "| ", "{", "[", "](", "**", "2026-01-02", "~~", " > ", "chosen option: ", '"', "because "]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    """No arrangement breaks the reader."""
    try:
        found = adr.read(f"# T\n\n{text}", "0001-t.md")
    except Malformed:
        return

    assert len(found.note.decisions) == 1
