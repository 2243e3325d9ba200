"""What somebody changed in STATE.md by hand, as words for a record; and what it takes to find that out."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from handoffsite.records.identity import Identity
from handoffsite.records.item import Item, Value
from handoffsite.records.problem import Problem
from handoffsite.records.session import Retirement, SessionRecord, Update
from handoffsite.records.state import COLUMNS, State

UNRECORDED = "not yet recorded: "  # how the account of an edit begins


class Known(Protocol):
    """What is known of the project's items."""

    def get(self, id: str) -> Item | None:
        """The item with this ID or alias."""

    def short(self, id: Identity) -> list[str]:
        """The IDs of the items that the short form *id* may mean."""

    def record(self, id: str) -> SessionRecord | None:
        """The record with this whole ID."""

    def focus(self) -> str:
        """The focus as it is now."""

    def unfiled(self) -> list[str]:
        """What is left unfiled now."""

    def focuses(self) -> list[str]:
        """Every focus that a record names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What the file was folded from: the *state*, and its *text*.

    Not *exact*, it is what the file would be today: what is missing was then not removed, and what a record once said is no edit.
    """

    state: State
    text: str
    exact: bool


@dataclass(slots=True, kw_only=True)
class Edits:
    """What is to be recorded. *changes* tell of each edit that was understood, *problems* of what was not, with its line."""

    updates: list[Update] = field(default_factory=list)
    retired: list[Retirement] = field(default_factory=list)
    threads: list[Value] = field(default_factory=list)
    decisions: list[Value] = field(default_factory=list)
    constraints: list[Value] = field(default_factory=list)
    focus: str = ""
    unfiled: list[str] = field(default_factory=list)
    changes: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def fields(self) -> dict[str, Any]:
        """As fields of a record; none where there is nothing to record."""
        names = ("updates", "retired", *COLUMNS, "unfiled")
        found: dict[str, Any] = {name: tuple(getattr(self, name)) for name in names if getattr(self, name)}
        return {**found, "focus": self.focus} if self.focus else found
