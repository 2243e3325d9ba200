"""Closing messages: what an agent says that it has done, and what it only explains, plans or advertises."""

import pytest

from handoffsite.extract.claims import claims


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        (["added a retry to `send`"], "Done! I've added a retry to `send`."),
        (["wrote the guide to the scheduler"], "I have written the guide to the scheduler."),
        (["Removed the legacy exporter"], "✅ Removed the legacy exporter:\n\n```sh\nrm exporter\n```"),
        (["The login form is now posted to the session route"], "The login form is now posted to the session route."),
        (["The importer has been split into two modules"], "Perfect! The importer has been split into two modules."),
        (
            ["Raised the limit in both files", "Removed the old setting"],
            "Raised the limit in both files:\n- `a.toml` - the server\n- `b.toml` - the worker\n\nRemoved the old setting.",
        ),
        (
            ["`a.py`: checks the size first", "b.py — Renamed the flag to `--all`"],
            "I patched:\n- `a.py`: checks the size first\n\n**b.py** — Renamed the flag to `--all`",
        ),
        (
            ["Added a cache of rates", "Reworked `Table`: rows are sorted; columns are typed"],
            "**`rates.go`:**\n- Added a cache of rates\n- Reworked `Table`:\n  - rows are sorted\n  - columns are typed",
        ),
    ],
)
def test_what_was_done_is_heard(expected: list[str], message: str) -> None:
    """Sentences, bullets and labelled files that tell of something done are claims."""
    assert expected == [claim.text.rstrip(".") for claim in claims(message)]


@pytest.mark.parametrize(
    "message",
    [
        "You may want to run `make install`.",
        "I couldn't finish the migration of the users table.",
        "Should I also rename the old column?",
        "All tests pass and the linter is clean.",
        "## Key features\n- Added totals to every page\n- Sorted lists everywhere",
        "## Next steps\n- Added metrics would help",
        "Based on the log, the port was taken by another process.",
        "All done. Here's a summary of the changes:",
        "Checked the configuration of the server and the worker.",
        "```\nAdded a line to the file\n```",
    ],
)
def test_what_was_not_done_is_no_claim(message: str) -> None:
    """Advice, failure, questions, checks, advertisement, analysis and code say nothing of work done."""
    assert [] == list(claims(message))


def test_a_claim_names_what_can_be_looked_up() -> None:
    """Files, identifiers and the heading that a bullet stands under lead to its proof."""
    message = "**`src/rates.go`:**\n- Added `refresh()` and the RateTable type to it, as docs/rates.md asks"
    (claim,) = claims(message)

    assert ("docs/rates.md",) == claim.files
    assert {"refresh()", "RateTable"} <= set(claim.names)
    assert ("src/rates.go",) == claim.context


def test_a_message_of_any_size_is_read_in_bounded_time() -> None:
    """Words without an end and brackets without a partner cost no more than their length."""
    for text in ("a" * 16_000, "**" * 8_000, "[(" * 8_000, "a.b" * 5_000, "- " + "x/" * 7_000, "has been " * 1_700):
        assert list(claims(text)) == list(claims(text))


def test_a_brief_claim_has_the_fields_behind_it() -> None:
    """Who says next to nothing is told by the labels that follow."""
    found = [
        claim.text
        for claim in claims(
            "Created the nightly import.\n\nBranch: `clear-names`\nPath: `work/clear-names`\n\nUpdated the guide for operators."
        )
    ]

    assert [
        "Created the nightly import: Branch: `clear-names`; Path: `work/clear-names`",
        "Updated the guide for operators.",
    ] == found


def test_a_name_that_begins_like_a_deed_is_none() -> None:
    """Nor is what holds only unless something else was done."""
    assert [] == list(
        claims("Built-in reports returned nothing for these pages.\n- `a-7`: still valid unless the import was closed")
    )
