"""Limits that the agent states as found, and the results that show them."""

import pytest

from handoffsite.extract.findings import Shown, findings
from handoffsite.records.transcript import Event


@pytest.mark.parametrize(
    ("tried", "outcome", "text"),
    [
        ("The worker", "reads `build/settings.toml` first when it starts from a checkout", None),
        ("The resolver", "prefers `vendor/` over the workspace", None),
        ("The linter", "looks for `rules.yml` in the parent folder", None),
        (
            "The preview",
            "still shows the old title",
            "The preview still shows the old title, which means it is rendered from another copy.",
        ),
        ("the launcher", "still executes it", "Found it: `hooks/old.sh` is a leftover, and the launcher still executes it."),
    ],
)
def test_a_limit_that_was_found_is_heard(tried: str, outcome: str, text: str | None) -> None:
    """What is taken from somewhere first, and what goes on all the same."""
    (limit,) = findings(text or f"{tried} {outcome}.")

    assert (tried, outcome) == (limit.tried, limit.outcome)


@pytest.mark.parametrize(
    "text",
    [
        "The search returns no references, so I'll remove it.",
        "The linter reports no errors, so we're done.",
        "grep finds nothing, so the name is free.",
        "I put it in `src/`, not `lib/`.",
        "I'm adding a guard so a draft cannot be published.",
        "`views.py` still uses the old API, which means we need to update it.",
        "When the flag is set, the server only returns active users.",
        "If the file is gone, the tool might not find `a.toml` first.",
        "The tests pass and nothing is left to do.",
        "Does the loader read `a.toml` first?",
    ],
)
def test_work_in_hand_is_no_limit(text: str) -> None:
    """Searches, intentions, plans, guesses and how a program works."""
    assert [] == findings(text)


def shown(text: str, *results: str) -> str:
    known = Shown()
    for line, result in enumerate(results, 1):
        known.see(Event(line=line, kind="result", text=result))
    (limit,) = findings(text)
    where = known.where(limit)
    return where.address if where else ""


def test_a_result_has_to_show_it() -> None:
    """The latest that has most of the names is the one."""
    told = "The resolver prefers `vendor/` over `packages/`."

    assert "transcript:2" == shown(told, "vendor/", "vendor/\npackages/", "something else")
    assert "" == shown(told, "something else")


def test_a_message_of_any_size_is_read_in_bounded_time() -> None:
    """No pattern goes back and forth over a long line."""
    for piece in ("so the a, and ", "still shows when error, ", "`a` first before not instead of ", "returns no so , "):
        assert len(findings(piece * 4_000)) < 100
