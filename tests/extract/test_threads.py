"""Threads: what a session leaves in flight."""

import pytest

from handoffsite.extract.checks import Checks
from handoffsite.extract.prose import capital
from handoffsite.extract.threads import Threads
from handoffsite.extract.todos import Todos
from handoffsite.records.transcript import Event


def left(*events: Event, waiting: tuple[Event, ...] = ()) -> list[tuple[str, str]]:
    threads = Threads()
    for event in events:
        threads.see(event)
    return [(strand.status, capital(strand.title)) for strand in threads.finish(Todos(), Checks(), iter(waiting))]


def asked(text: str) -> Event:
    return Event(line=1, kind="prompt", actor="human", text=text)


def said(text: str) -> Event:
    return Event(line=2, kind="text", text=text)


EDIT = Event(line=3, kind="call", tool="edit", paths=("src/a.py",))
LOOK = Event(line=3, kind="call", tool="shell", data={"command": "rg -n gate src"})


@pytest.mark.parametrize(
    ("expected", "events"),
    [
        ([("active", "Add an authentication gate")], [asked("Add an authentication gate"), LOOK, said("It goes here.")]),
        ([], [asked("Add an authentication gate"), EDIT, said("Done.")]),
        ([], [asked("Where is the authentication gate?"), LOOK, said("In a.py.")]),
        ([], [asked("Explain the authentication gate"), LOOK, said("It works so.")]),
        ([("active", "Add a gate")], [asked("Add a gate"), EDIT, Event(line=4, kind="interrupt", actor="human")]),
        ([], [asked("Add a gate"), LOOK, Event(line=4, kind="undo", data={"turns": 1})]),
    ],
)
def test_a_request_after_which_nothing_was_done_is_a_thread(expected: list[tuple[str, str]], events: list[Event]) -> None:
    """Looking is not doing; a question is settled by its answer."""
    assert expected == left(*events)


def test_the_last_message_tells_what_is_left() -> None:
    """Next steps, advice, and what is said to be pending."""
    text = "Done.\n\nYou may want to run `make install`. The page is still missing.\n\n## Next steps\n- Write the migration\n- [ ] Tell the team"
    found = [title for _, title in left(asked("Do it"), EDIT, said(text))]

    assert ["Run `make install`", "The page is still missing", "Write the migration", "Tell the team"] == found


def test_a_plan_without_approval_waits() -> None:
    """What was proposed and not approved is waiting for a word."""
    plan = Event(line=2, kind="plan", text="# Plan: Rotate the keys\n\nSteps")

    assert [("waiting", "Rotate the keys")] == left(asked("Plan it?"), plan)
    assert [] == left(asked("Plan it?"), plan, Event(line=3, kind="answer", actor="human", data={"approved": True}))


def test_a_call_without_a_result_is_open() -> None:
    """Only what would have changed something is worth a thread."""
    commit = Event(line=9, kind="call", tool="shell", data={"command": "git commit -m x"})

    assert [("active", "Edit a.py"), ("active", "`git commit -m x`")] == left(waiting=(EDIT, LOOK, commit))


def test_what_is_taken_back_opens_no_thread() -> None:
    """The request before is closed, too."""
    assert [] == left(asked("Draw the logo"), said("How?"), asked("Never mind the logo."))
    assert [("active", "Write the docs")] == left(
        asked("Draw the logo"), asked("Never mind. Write the docs"), said("I'll do that.")
    )
