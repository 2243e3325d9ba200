"""What the human decides: orders, answers, plans, and a yes to a proposal."""

import pytest

from handoffsite.extract.approvals import answered, ordered, planned, proposed
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


ASKED = {
    "questions": [
        {
            "question": "Which store?",
            "header": "Store",
            "options": [
                {"label": "Redis (Recommended)", "description": "Two nodes share it"},
                {"label": "Files", "description": "No server"},
            ],
        },
        {"question": "Which port?", "options": ["80", "443"]},
    ]
}


def test_an_answer_is_a_decision() -> None:
    """The option's description is the reason, the other options are the alternatives, the question is the context."""
    choice = answered("Which store?", "Redis (Recommended)", [{}, ASKED])

    assert choice is not None
    assert ("accepted", "Store: Redis", "Two nodes share it") == (choice.status, choice.title, choice.rationale)
    assert (("Files",), "Which store?") == (choice.alternatives, choice.context)


@pytest.mark.parametrize(
    ("expected", "question", "answer"),
    [
        ("Which port? 443", "Which port?", ["443"]),
        ("Which name? Atlas", "Which name?", "Atlas"),
        ("Which store? both, for now", "Which store?", "both, for now"),
        (None, "Which store?", ""),
        (None, "Which store?", None),
    ],
)
def test_an_answer_in_the_humans_own_words_counts(expected: str | None, question: str, answer: object) -> None:
    """Whoever answers something else than was offered, decides that; no answer decides nothing."""
    choice = answered(question, answer, [])

    assert expected == (choice and capital(choice.title))


PLAN = """Implement the following plan:

# Plan: Rotate the signing keys

## Context

Audits ask for it. They come in May.

## Steps

Keep two keys valid at a time instead of one.
1. Write `rotate()`, since the old tool is gone.
2. Run the tests
"""


def test_an_approved_plan_is_a_decision() -> None:
    """Its title is what was decided, its context why; the choices that it states are decided with it."""
    title, *stated = planned(PLAN)

    assert ("accepted", "Rotate the signing keys", "Audits ask for it") == (title.status, title.title, title.rationale)
    assert [("Keep two keys valid at a time", ("one",)), ("Write `rotate()`", ())] == [
        (choice.title, choice.alternatives) for choice in stated
    ]


@pytest.mark.parametrize(
    ("expected", "message", "reply"),
    [
        ("Move the lock into the store", "I see two ways. Should I move the lock into the store?", "yes, please"),
        ("Add a job for it", "Shall I go ahead and add a job for it?", "sounds good, but let's also name it"),
        (None, "Should I move the lock into the store?", "yes, but use files instead"),
        (None, "Should I move the lock into the store?", "no"),
        (None, "Should I commit?", "yes"),
        (None, "Should I use A or B?", "yes"),
        (None, "It is done.", "yes"),
    ],
)
def test_a_yes_to_one_proposal_is_a_decision(expected: str | None, message: str, reply: str) -> None:
    """A yes with a but, a choice of two, and trifles decide nothing."""
    choice = proposed(message, reply)

    assert expected == (choice and capital(choice.title))
