"""What is sent to move a task, and who is who in it."""

from typing import Any

import jsonschema
import pytest

from handoffsite.records import shape, task
from handoffsite.records.lifecycle import TASK
from handoffsite.records.move import HUMAN, MOVES, Actor, body_schema
from tests.packet import EVIDENCE, packet

PACKET = task.packet(packet())


@pytest.mark.parametrize("event", MOVES)
def test_each_body_has_a_schema(event: str) -> None:
    """A valid one (2020-12), which takes nothing that it does not name, and in which nothing is owed but what is asked for later."""
    schema = body_schema(event)
    jsonschema.Draft202012Validator.check_schema(schema)

    assert shape.is_like({"actor": "a", "expected_version": 1, "reason": "x"}, schema)
    assert not shape.is_like({"expected_version": 0}, schema)
    assert not shape.is_like({"sudo": True}, schema)
    assert {*MOVES[event].of, *MOVES[event].to} <= set(TASK.moves)


@pytest.mark.parametrize(
    ("event", "body", "fits"),
    [
        ("submit-result", {"artifacts": EVIDENCE, "transition": "READY_FOR_RETEST", "tokens": 0}, True),
        ("submit-result", {"artifacts": EVIDENCE, "tokens": -1}, False),
        ("submit-result", {"artifacts": [{"type": "commit", "ref": "a b"}]}, False),
        ("retest", {"outcome": "passed"}, True),
        ("retest", {"outcome": "perhaps"}, False),
        ("offer", {"packet": {"goal": "x"}}, True),
        ("offer", {"packet": {"task_id": "x"}}, False),
        ("accept", {"transition": "CLOSED"}, False),
    ],
)
def test_what_fits_a_body(event: str, body: dict[str, Any], fits: bool) -> None:
    """Here as for any validator."""
    assert fits is shape.is_like(body, body_schema(event)) is jsonschema.Draft202012Validator(body_schema(event)).is_valid(body)


@pytest.mark.parametrize(
    ("actor", "parties"),
    [
        (("frontend-agent", "frontend-agent", "frontend"), ("sender",)),
        (("claude", "frontend-agent", "frontend"), ("sender",)),
        (("frontend-agent", "planner", "frontend"), ("sender",)),
        (("frontend-agent", "frontend-agent", "backend"), ()),
        (("backend-agent", "backend-agent", "*"), ("receiver",)),
        (("frontend-agent", "backend-agent", "*"), ("sender", "receiver")),
        (("ada", HUMAN, "backend"), (HUMAN,)),
        (("ada", HUMAN, "other"), ()),
        (("ada", "planner", "*"), ()),
    ],
)
def test_who_takes_part(actor: tuple[str, str, str], parties: tuple[str, ...]) -> None:
    """Whose name or role the packet names, and who works on that project; a human in what it sees."""
    name, role, project = actor

    assert parties == Actor(name=name, role=role, projects=(project,)).parties(PACKET)
