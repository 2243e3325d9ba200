"""What the tools of different agents are asked to replace."""

from typing import Any

import pytest

from handoffsite.extract.pairs import Pair, edited, pairs
from tests.extract.test_dependencies import Log

WORKFLOW = "      - uses: actions/setup-go@v4\n      - run: make\n      - uses: actions/setup-go@v4\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"old": "a", "new": "b"}, [Pair("a", "b")]),
        ({"old": "a", "new": "b", "input": {"replace_all": True}}, [Pair("a", "b", everywhere=True)]),
        ({"old": "a", "new": "b", "input": {"replaceAll": True}}, [Pair("a", "b", everywhere=True)]),
        ({"old": "a", "new": "b", "input": {"replace_all": "false"}}, [Pair("a", "b")]),
        ({"old": "a", "new": "b", "input": {"expected_replacements": 2}}, [Pair("a", "b", everywhere=True)]),
        ({"old": "a", "new": "b", "input": {"expected_replacements": 1}}, [Pair("a", "b")]),
        (
            {"old": "a\nc", "new": "b\nd", "input": {"edits": [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": "d"}]}},
            [Pair("a", "b"), Pair("c", "d")],
        ),
        ({"input": {"edits": [{"old_string": "a", "new_string": "b", "replace_all": True}, "c"]}}, [Pair("a", "b", everywhere=True)]),
        ({"input": {"edits": [{"oldString": "a", "newString": ""}]}}, [Pair("a", "")]),
        ({"input": {"edits": [{"line": 3}]}}, []),
        ({"input": []}, []),
        ({}, []),
    ],
)  # fmt: skip
def test_every_spelling_is_understood(data: dict[str, Any], expected: list[Pair]) -> None:
    """One text, several parts, everywhere: as each agent's own arguments say it."""
    assert expected == pairs(data)


def test_a_part_that_does_not_fit_spoils_the_edit() -> None:
    """The parts are made one after the other, each in what the one before it left."""
    assert "c c" == edited("a a", [Pair("a", "b", everywhere=True), Pair("b", "c", everywhere=True)])
    assert "b a" == edited("a a", [Pair("a", "b")])
    assert "" == edited("a a", [Pair("a", "b", everywhere=True), Pair("a", "c")])
    assert "" == edited("", [Pair("", "new")])


def test_a_replacement_everywhere_moves_every_step_of_a_workflow() -> None:
    """One that changes all of several equal lines leaves none behind."""
    log = Log().read("/srv/shop/.github/workflows/ci.yml", WORKFLOW)
    everywhere = {"old": "setup-go@v4", "new": "setup-go@v5", "input": {"replace_all": True}}
    log.call("edit", everywhere, "All occurrences replaced", paths=("/srv/shop/.github/workflows/ci.yml",))
    assert [("actions/setup-go", "upgraded", "v4", "v5")] == log.changes

    log.edit("/srv/shop/.github/workflows/ci.yml", "setup-go@v5\n      - run", "setup-go@v6\n      - run")
    log.edit("/srv/shop/.github/workflows/ci.yml", "setup-go@v5", "setup-go@v6")
    assert [("actions/setup-go", "upgraded", "v4", "v6")] == log.changes
