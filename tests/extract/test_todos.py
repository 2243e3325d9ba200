"""To-do lists: what was closed, when, and what stayed open."""

from typing import Any

import pytest

from handoffsite.extract.todos import Todos
from handoffsite.records.transcript import Event


def see(todos: Todos, deeds: int, *items: Any, where: str = "") -> None:
    listed = [{"id": "", "text": item[0], "status": item[1]} if isinstance(item, tuple) else item for item in items]
    todos.see(Event(line=deeds + 1, kind="todo", data={"todos": listed}), where, turn=1, deeds=deeds)


def test_an_item_spans_what_was_done_while_it_was_in_hand() -> None:
    """From the moment it was begun to the moment it was closed."""
    todos = Todos()
    see(todos, 0, ("Write the parser", "pending"), ("Add tests", "pending"))
    see(todos, 2, ("Write the parser", "in_progress"), ("Add tests", "pending"))
    see(todos, 5, ("Write the parser", "completed"), ("Add tests", "in_progress"))

    (closed,) = todos.closed()
    assert ("Write the parser", 2, 5) == (closed.text, closed.began, closed.closed)
    assert ["Add tests"] == [todo.text for todo in todos.unfinished()]


def test_a_new_list_leaves_the_closed_items_of_the_old_one() -> None:
    """What was done stays done; what was not taken over is no longer open. Each agent has its own list."""
    todos = Todos()
    see(todos, 0, ("One", "completed"), ("Two", "pending"))
    see(todos, 1, ("Three", "in_progress"))
    see(todos, 1, ("Four", "pending"), where="a7")

    assert ["One"] == [todo.text for todo in todos.closed()]
    assert ["Three", "Four"] == [todo.text for todo in todos.unfinished()]


def test_an_item_that_is_opened_again_is_not_closed() -> None:
    """The last list counts, and so does a rollback."""
    todos = Todos()
    see(todos, 1, ("One", "completed"), ("Two", "completed"))
    see(todos, 2, ("One", "in_progress"), ("Two", "completed"))

    assert ["Two"] == [todo.text for todo in todos.closed()]

    todos.undo(1)
    assert [] == list(todos.closed())


@pytest.mark.parametrize(
    ("looks", "checks", "text"),
    [
        (True, False, "Investigate the failing job"),
        (True, False, "Summarize the findings"),
        (False, True, "Run the whole test suite"),
        (False, True, "Final verification"),
        (False, False, "Add tests for the parser"),
        (False, False, "Update the reader"),
    ],
)
def test_looking_and_checking_leave_nothing_behind(looks: bool, checks: bool, text: str) -> None:
    """Such items are no work of their own."""
    todos = Todos()
    see(todos, 0, (text, "pending"))
    (todo,) = todos.unfinished()

    assert (looks, checks) == (todo.looks, todo.checks)


def test_numbers_before_an_item_are_not_part_of_it() -> None:
    """A list's own numbering goes."""
    todos = Todos()
    see(todos, 0, ("Task 12: Write the parser", "pending"), ("3. Add tests", "pending"), None, ("", "pending"))

    assert ["Write the parser", "Add tests"] == [todo.text for todo in todos.unfinished()]
