"""The human's orders that choose."""

import pytest

from handoffsite.extract.orders import ordered
from handoffsite.extract.prose import capital


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (["Use tabs"], "Please format it. Use tabs, not spaces."),
        (["Remove the banner"], "It looks odd on phones, let's remove the banner"),
        (["Do not run the job on a change of documentation"], "Think first. Do not run the job on a change of documentation."),
        (["Use orderly"], "queue-o-matic is being phased out in favor of orderly, see the notes"),
        (["Keep the text as-is"], "When it's off, keep the text as-is."),
        (["We no longer need the importer"], "We no longer need the importer"),
        (["The agent should never push"], "The agent should never push."),
        (["Check Origin"], "Then check Origin, no token."),
        (["No GPS"], "It draws 43 mA. No GPS. Does the network know the time?"),
        (["No files, no names"], "No files, no names."),
        (["Put a version byte in front"], "Put a version byte in front, it still fits."),
        (["Index migrations are concurrent"], "Good. Make it a rule: index migrations are concurrent."),
        ([], "No problem. No endpoint yet. One may be lost, no more. Put the policy back."),
        ([], "Should we use tabs instead of spaces?"),
        ([], "could you use tabs instead of spaces"),
        ([], "I don't know why it fails. I don't see the file."),
        ([], "maybe we should not cache it"),
        ([], "let's see what happens"),
        ([], "```\nuse tabs, not spaces\n```"),
    ],
)
def test_an_order_that_chooses_is_a_decision(expected: list[str], prompt: str) -> None:
    """Questions, doubts and pasted output are no orders."""
    found = list(ordered(prompt))

    assert expected == [capital(choice.title) for choice in found]
    assert {"accepted"} >= {choice.status for choice in found}


def test_what_an_order_replaces_is_the_alternative() -> None:
    """The old way is named as what was given up."""
    (choice,) = ordered("queue-o-matic is being phased out in favor of orderly, see the notes")

    assert ("queue-o-matic",) == choice.alternatives


@pytest.mark.parametrize(
    "prompt",
    [
        "This exploded when I restarted the worker",
        "Polling vs a hook for the state (it must never need a server)",
        "Recommend a way with reasons, use plain files rather than a server",
        "I don't think the pager works correctly",
        "Got a crash while resizing, that should never happen",
        "It blew up with a KeyError instead of asking me",
        "The list shows the old name instead of the new one",
        "You can look up the history instead of asking me",
        "Create a full implementation plan, don't code yet",
        "Tackle main-new.ts next, and let's write its docs",
        "let's create the importer",
        "Put a comment in the lock file about the mirror",
        "Don't push. Just tell me where we are.",
        "don't push anything yet",
        "I don't actually have the key with me right now",
    ],
)
def test_a_report_and_a_mere_task_decide_nothing(prompt: str) -> None:
    """What went wrong, what can be done, what is to be done, and how far for now: none of it chooses."""
    assert [] == [choice.title for choice in ordered(prompt)]


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (
            "Invalid themes must never explode the app",
            "I got a crash with a bad theme; invalid themes must never explode the app",
        ),
        ("The export must not include drafts", "There is a bug: the export must not include drafts but it does"),
        ("Don't want the letters to be public", "also can we send them to another store, don't want the letters to be public"),
        ("No longer need the sandbox", "No longer need the sandbox"),
        ("Do not ship the demo", "let's NOT ship the demo"),
        ("All dates to be in UTC", "I'd like all dates to be in UTC"),
        ("Update the pin to 4.2", "let's update the pin to 4.2"),
        ("Stop using the old client", "Stop using the old client"),
    ],
)
def test_a_rule_counts_wherever_it_stands(expected: str, prompt: str) -> None:
    """In a complaint, behind a question, as a wish."""
    assert [expected] == [capital(choice.title) for choice in ordered(prompt)]
