"""Telling somebody that a task moved, apart from the move itself: at least once, later and later, until it is given up."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from handoffsite.records.ledger import CREATE, Event
from handoffsite.records.move import RECEIVER, SENDER
from handoffsite.records.task import TaskPacket

PENDING, DELIVERED, DEAD = STATES = ("pending", "delivered", "dead")
MAILBOX = "mailbox"
WEBHOOK = "webhook:"
MOST_ATTEMPTS = 10
_FIRST_SECONDS = 10  # doubled with each attempt
_LONGEST_SECONDS = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One notification for one *target*, which is addressed to a *role* of a *project*; *id* is the same at each of its *attempts*."""

    id: str
    task: str
    version: int
    target: str
    project: str
    role: str
    state: str = PENDING
    attempts: int = 0
    due: str
    error: str = ""
    made: str
    done: str = ""
    url: str = ""
    event: Event


def addressee(packet: TaskPacket, event: Event) -> tuple[str, str]:
    """The project and the role that are to hear of *event*: the party that did not make it; nobody where it is the same, or nothing was handed over yet."""
    ends = {SENDER: ("from_project", "from_role"), RECEIVER: ("to_project", "to_role")}
    sides = {party: (str(packet.said[project]), str(packet.said[role])) for party, (project, role) in ends.items()}
    other = sides[RECEIVER if event.party == SENDER else SENDER]
    return ("", "") if event.event == CREATE or sides[SENDER] == sides[RECEIVER] else other


def later(at: str, seconds: int) -> str:
    """The time *seconds* after *at*."""
    return (datetime.fromisoformat(at) + timedelta(seconds=seconds)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def back_off(attempts: int) -> int:
    """For how many seconds to wait after that many *attempts*."""
    return int(min(_LONGEST_SECONDS, _FIRST_SECONDS * 2 ** min(attempts - 1, 20)))
