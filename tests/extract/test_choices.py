"""Statements of choice: what is chosen, why, and against what."""

import pytest

from handoffsite.extract.choices import stated
from handoffsite.extract.prose import capital


@pytest.mark.parametrize(
    ("title", "rationale", "alternatives", "text"),
    [
        (
            "Use httpx for the client",
            "it speaks HTTP/2",
            (),
            "DECISION D-4-2: We will use httpx for the client because it speaks HTTP/2.",
        ),
        ("Keep one queue", "order matters", (), "**Decision:** keep one queue, since order matters"),
        ("Keep one queue", "order matters", (), "It was slower. Decision: keep one queue, because order matters."),
        ("Use a lock file", "", (), "### Decision\n\nUse a lock file."),
        ("Use SQLite", "nobody runs a server", ("Postgres",), "I chose SQLite over Postgres because nobody runs a server."),
        ("Use the asyncio client", "", (), "We went with the asyncio client."),
        ("Use httpx for the client", "", ("requests",), "We chose httpx over requests for the client."),
        (
            "Use httpx for the client",
            "it is fast",
            ("requests",),
            "I'd rather use httpx than requests for the client because it is fast.",
        ),
        ("Use a queue for mails", "order matters", ("cron",), "Use a queue for mails rather than cron because order matters."),
        ("Use a queue", "order matters", (), "After some thought we will use a queue because order matters."),
        ("Use a queue", "order matters", (), "The decision is to use a queue because order matters."),
        ("Use a queue", "order matters", (), "Our choice is a queue because order matters."),
        ("Use a queue", "order matters", (), "We agreed to use a queue because order matters."),
        ("Sort by name", "", (), "In the end, we decided to sort by name."),
        (
            "Use WATCH",
            "EVAL is disabled",
            ("a Lua script",),
            "Instead of a Lua script, we'll use WATCH because EVAL is disabled.",
        ),
        ("Put the lock beside the file", "readers see it", (), "I'll put the lock beside the file so readers see it."),
        (
            "Leave it out of the commit",
            "The baseline is unrelated",
            (),
            "The baseline is unrelated, so I'll leave it out of the commit.",
        ),
        ("Append the totals", "the header is there already", (), "Since the header is there already, I'll append the totals."),
        ("Keep the script", "", ("adding a new one",), "I'm keeping the script rather than adding a new one."),
        (
            "Make every write idempotent: skip what is there",
            "",
            (),
            "I'm going to make every write idempotent: skip what is there.",
        ),
        ("Require a token", "", (), "The fix is to require a token."),
        (
            "Did not run the whole suite",
            "only a comment changed",
            (),
            "I did not run the whole suite because only a comment changed.",
        ),
    ],
)
def test_a_choice_is_understood(title: str, rationale: str, alternatives: tuple[str, ...], text: str) -> None:
    """The title reads as an order; reason and alternatives stand apart."""
    (choice,) = stated(text)

    assert (title, rationale, alternatives) == (capital(choice.title), choice.rationale, choice.alternatives)
    assert "proposed" == choice.status


@pytest.mark.parametrize(
    "text",
    [
        "Decision: none",
        "Decision: which database should we take?",
        "Should we use Redis because it is fast?",
        "I'll check the log because the port looks odd.",
        "Let me read the file first because I have to edit it.",
        "I'll use the TodoWrite tool to track my progress since this is a long task.",
        "I'll fix the typo in the title because it is wrong.",
        "I'll update the test so that I can run it.",
        "The build fails because the module is missing.",
        "```\nDecision: this is an example\n```",
        "> Decision: somebody else said this",
        "I'll make the changes in all three files.",
    ],
)
def test_what_is_no_choice_is_none(text: str) -> None:
    """Questions, procedure, plain work, analysis, code and quotations decide nothing."""
    assert [] == list(stated(text))


def test_the_sentence_that_states_it_is_kept() -> None:
    """The quotation is the sentence, not the paragraph."""
    (choice,) = stated("It is slow. I chose a cache over a queue because reads dominate. Next I'll write it.")

    assert "I chose a cache over a queue because reads dominate." == choice.said


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (
            ("Drop my copy", "There's already a `slug()` in `names.py`"),
            "There's already a `slug()` in `names.py`. I need to drop my copy.",
        ),
        (
            ("Use `with_lock()` there", "The store already has `with_lock()`"),
            "The store already has `with_lock()`. I'll use `with_lock()` there.",
        ),
        (
            ("Use `reply()` to tell the caller", "similar to how the quota check does it"),
            "We should use `reply()` to tell the caller, similar to how the quota check does it.",
        ),
        (
            ("Use that as the feed for now", "keeps the site static"),
            "I'll use that as the feed for now, which keeps the site static.",
        ),
        (None, "The file is already open. I'll check it."),
        (None, "I'll mark it as open rather than stale."),
    ],
)
def test_what_exists_already_is_a_reason(expected: tuple[str, str] | None, text: str) -> None:
    """So is the way in which a sibling does it; a verdict of a review chooses nothing."""
    found = [(capital(choice.title), choice.rationale) for choice in stated(text)]

    assert ([expected] if expected else []) == found


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (
            "Rename the public option to `page_size` while keeping the inner name",
            "I'm going to rename the public option to `page_size` while keeping the inner name.",
        ),
        ("Keep the newer contract", "I'll resolve by keeping the newer contract rather than bringing the old fields back."),
        (None, "I'm going to check the loader, then I'll update the page so the answer rests on it."),
        (None, "I'm going to add a section there so it matches the issue."),
        (None, "Let me fix the test by passing a function instead of a number."),
        (None, "The fix is to make `clear()` drop the cache, or to widen its key."),
        (None, "Let me add it as a name of its own so it's clear."),
    ],
)
def test_what_stays_beside_the_change_is_chosen(expected: str | None, text: str) -> None:
    """A change that leaves something as it is chooses; a first look, a mended test and what is still open do not."""
    assert ([expected] if expected else []) == [capital(choice.title) for choice in stated(text)]
