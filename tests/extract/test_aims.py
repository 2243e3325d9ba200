"""Aims: the first request names the session, the last one is its focus."""

import pytest

from handoffsite.extract.aims import Aims
from handoffsite.extract.prose import capital
from handoffsite.records.transcript import Event


def seen(*prompts: str | int) -> Aims:
    aims = Aims()
    for prompt in prompts:
        if isinstance(prompt, int):
            aims.see(Event(line=1, kind="undo", data={"turns": prompt}))
        else:
            aims.see(Event(line=1, kind="prompt", actor="human", text=prompt))
    return aims


@pytest.mark.parametrize(
    ("title", "focus", "prompts"),
    [
        ("add a cache", "Add a cache", ["add a cache", "thanks!"]),
        ("add a cache", "Write the docs", ["hello", "add a cache", "Write the docs", "ok go ahead"]),
        ("add a cache", "Add a cache", ["add a cache", "Write the docs", 1]),
        ("", "", []),
        ("add a cache", "Add a cache", ["add a cache", "Good enough for now. Write it down and end."]),
        ("add a cache", "Add a cache", ["add a cache", "12 ms, good. Write the handoff note and end the session."]),
        ("add a cache", "Add a cache", ["add a cache", "Good. No limit, it fits. Leave the docs for the next session."]),
        ("add a cache", "Check the age, no lock.", ["add a cache", "Check the age, no lock. Put it in the note."]),
        ("add a cache", "Now write the docs", ["add a cache", "Good.\n\nNow write the docs"]),
        ("Move it", "Move it", ["```\nlog\n```\n\n## **Move** it\nplease"]),
    ],
)
def test_greetings_and_thanks_are_no_request(title: str, focus: str, prompts: list[str | int]) -> None:
    """The first and the last prompt that ask for something count, unless they were taken back."""
    aims = seen(*prompts)

    assert (title, focus) == (aims.title(""), capital(aims.focus()))


def test_an_approved_plan_is_a_request() -> None:
    """A session that begins with a plan is named after it."""
    aims = Aims()
    aims.see(Event(line=1, kind="answer", actor="human", text="# Plan: Rotate the keys\n\nfoo", data={"approved": True}))

    assert ("Rotate the keys", "Rotate the keys") == (aims.title(""), capital(aims.focus()))


def test_the_reason_of_a_refusal_is_no_request() -> None:
    """Why a call was refused does not say what the session is after."""
    aims = seen("add a cache")
    aims.see(Event(line=2, kind="prompt", actor="human", text="Not on the live system, please", data={"refused": "c1"}))

    assert "add a cache" == aims.focus()


@pytest.mark.parametrize(
    ("focus", "prompts"),
    [
        ("Add a cache", ["add a cache", "Draw the logo", "Never mind the logo."]),
        ("Write the docs", ["add a cache", "Never mind. Write the docs"]),
        ("Write the docs", ["add a cache", "forget about that\nWrite the docs"]),
    ],
)
def test_what_is_taken_back_is_no_aim(focus: str, prompts: list[str]) -> None:
    """The request before is closed, what stands beside counts."""
    assert focus == capital(seen(*prompts).focus())
