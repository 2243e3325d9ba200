"""What moves a task: each word, the states to which it leads, who may say it, and the body that it is said with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.records import task
from handoffsite.records.lifecycle import PAUSES
from handoffsite.records.task import TEXT, TEXTS, TaskPacket, object_of

HUMAN = "human"  # the role of whoever the ledger belongs to
EVERYWHERE = "*"  # among an actor's projects: all of them
SENDER, RECEIVER = "sender", "receiver"
OUTCOMES = ("passed", "failed")
EVIDENCE = ("commit", "test_report")  # what a result owes to whoever retests it

_COUNT = {"type": "integer", "minimum": 0, "maximum": 10**12}
_ARTEFACT = object_of({"type": task.NAME, "ref": task.REFERENCE}, "type", "ref")
_ARTEFACTS = {"type": "array", "items": _ARTEFACT, "maxItems": 200}
_COSTS = {"tokens": _COUNT, "review_seconds": _COUNT}
_USED = object_of(dict.fromkeys(task.KINDS, TEXTS))
_PACKET = {**object_of({name: task.schema()["properties"][name] for name in task.CHANGEABLE}), "minProperties": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Somebody at the ledger: a *name*, the *role* that it stands for, and the *projects* that it works on."""

    name: str
    role: str
    projects: tuple[str, ...]

    def works_on(self, project: str) -> bool:
        """Whether *project* is one of its own."""
        return project in self.projects or EVERYWHERE in self.projects

    def sees(self, packet: TaskPacket) -> bool:
        """Whether the task of *packet* is sent or received by a project of its own."""
        return any(self.works_on(packet.said[name]) for name in ("from_project", "to_project"))

    def parties(self, packet: TaskPacket) -> tuple[str, ...]:
        """As what it takes part in the task of *packet*: sender, receiver, both, human, or nothing."""
        named = {self.name, self.role}
        sides = ((SENDER, "from"), (RECEIVER, "to"))
        found = tuple(
            side for side, end in sides if packet.said[f"{end}_role"] in named and self.works_on(packet.said[f"{end}_project"])
        )
        return (*found, HUMAN) if self.role == HUMAN and self.sees(packet) else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One word: the states *of* which it leads and *to* which, *by* whom it may be said, and what *more* its body holds.

    Without states it leads of every one that is not terminal, or back to where a pause began.
    """

    of: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    by: tuple[str, ...]
    more: Mapping[str, Any]


_ALL = (SENDER, RECEIVER, HUMAN)
# The receiver takes the work and answers for it, the sender says what is wanted and whether it is there. Whoever waits may say so.
MOVES: Mapping[str, Move] = {
    "offer": Move(of=("OPEN",), to=("OFFERED",), by=(SENDER,), more={"packet": _PACKET}),
    "accept": Move(of=("OFFERED",), to=("ACCEPTED",), by=(RECEIVER,), more={}),
    "start": Move(of=("ACCEPTED",), to=("IN_PROGRESS",), by=(RECEIVER,), more={}),
    "submit-result": Move(
        of=("IN_PROGRESS",),
        to=("READY_FOR_RETEST",),
        by=(RECEIVER,),
        more={"artifacts": _ARTEFACTS, "summary": TEXT, "used": _USED, **_COSTS},
    ),
    "retest": Move(
        of=("READY_FOR_RETEST",),
        to=("CLOSED", "IN_PROGRESS"),
        by=(SENDER, HUMAN),
        more={"outcome": {"enum": list(OUTCOMES)}, "artifacts": _ARTEFACTS, **_COSTS},
    ),
    "needs-info": Move(to=("NEEDS_INFO",), by=_ALL, more={"missing": {"type": "string", "minLength": 1, "maxLength": 200}}),
    "block": Move(to=("BLOCKED",), by=_ALL, more={}),
    "resume": Move(of=PAUSES, by=_ALL, more={"packet": _PACKET}),
    "cancel": Move(to=("CANCELED",), by=_ALL, more={}),
}


def body_schema(event: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of what is sent to make the move *event*."""
    move = MOVES[event]
    said: dict[str, Any] = {
        "actor": task.NAME,
        "expected_version": {"type": "integer", "minimum": 1, "maximum": 2**53},
        "reason": {"type": "string", "maxLength": 20_000},
        **({"transition": {"enum": list(move.to)}} if move.to else {}),
    }
    return object_of({**said, **move.more})
