"""The session record: what one session did. Append-only; everything else is folded from these."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.item import Value
from handoffsite.records.thread import Thread

SCHEMA = "handoffsite/session@1"
ACT = "act:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A later word on an item that an earlier record defined: the fields that change, why, and on what evidence."""

    id: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """An item, or everything that a session introduced, that no longer holds."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFile:
    """Which log a record was drawn from, and how much of it there was."""

    file: str
    lines: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """One record. Before it is sealed, *id* and the items' IDs are empty.

    *source* is the agent and its own session ID, or `note:<sha256>`, or `act:<uuid>`; *follows* the record that this one
    continues under another source. *quotes* maps evidence addresses to redacted lines, *messages* to the digest of the message
    that stands there, so that a fork's copies are known again. *unverified* lists commits that were named and git does not know.
    """

    source: str
    project: str
    recorded: str
    id: str = ""
    title: str = ""
    started: str = ""
    ended: str = ""
    base: str = ""
    head: str = ""
    transcript: TranscriptFile | None = None
    follows: str = ""
    incomplete: str = ""
    unverified: tuple[str, ...] = ()
    quotes: Mapping[str, str] = field(default_factory=dict)
    messages: Mapping[str, str] = field(default_factory=dict)
    focus: str = ""
    completed: tuple[Completed, ...] = ()
    decisions: tuple[Decision, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    threads: tuple[Thread, ...] = ()
    updates: tuple[Update, ...] = ()
    retired: tuple[Retirement, ...] = ()
    unfiled: tuple[str, ...] = ()
    narrative: str = ""

    @property
    def is_act(self) -> bool:
        """Whether this is a word of a human or over MCP rather than a session."""
        return self.source.startswith(ACT)

    def items(self) -> Iterator[Value]:
        """Every item that the record defines, in the record's order."""
        yield from self.completed
        yield from self.decisions
        yield from self.constraints
        yield from self.dependencies
        yield from self.threads
