"""What the human decides where a client asks: answers and plans."""

import pytest

from handoffsite.extract.approvals import answered, planned
from handoffsite.extract.prose import capital

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


def test_an_answer_of_ones_own_is_the_title() -> None:
    """None of what was offered was taken: the answer says it all, and the question is the context."""
    question = "Where shall conflicts be shown?"
    asked = [
        {"questions": [{"question": question, "header": "Conflicts", "options": [{"label": "In a panel"}, {"label": "Nowhere"}]}]}
    ]
    choice = answered(question, "The reviewer merges the branch and presses OK", asked)

    assert choice is not None
    assert ("The reviewer merges the branch and presses OK", question) == (choice.title, choice.context)
