"""Aims: the first request names the session, the last one is its focus."""

import pytest

from handoffsite.extract.aims import Aims
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
        ("Move it", "Move it", ["```\nlog\n```\n\n## **Move** it\nplease"]),
    ],
)
def test_greetings_and_thanks_are_no_request(title: str, focus: str, prompts: list[str | int]) -> None:
    """The first and the last prompt that ask for something count, unless they were taken back."""
    aims = seen(*prompts)

    assert (title, focus) == (aims.title(""), aims.focus())


def test_an_approved_plan_is_a_request() -> None:
    """A session that begins with a plan is named after it."""
    aims = Aims()
    aims.see(Event(line=1, kind="answer", actor="human", text="# Plan: Rotate the keys\n\nfoo", data={"approved": True}))

    assert ("Rotate the keys", "Rotate the keys") == (aims.title(""), aims.focus())
