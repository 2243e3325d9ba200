"""One item of a project as it stands today, with every step that led there."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.thread import Thread

TYPES = {kind.KIND: kind for kind in (Completed, Decision, Constraint, Dependency, Thread)}

Value = Completed | Decision | Constraint | Dependency | Thread


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change of an item: which record made it, when, and what it set."""

    record: str
    at: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A value as the fold left it.

    *session* is the record that defined it, *defined* and *touched* are times of records, *steps* its history without the
    definition, *ordinal* how many sessions there were when it was defined, *aliases* the other IDs that mean this item.
    """

    value: Value
    session: str
    defined: str
    touched: str
    steps: tuple[Step, ...] = ()
    superseded_by: str = ""
    aliases: tuple[str, ...] = ()
    ordinal: int = 0

    @property
    def id(self) -> str:
        """The item's immutable ID."""
        return self.value.id

    @property
    def kind(self) -> str:
        """One of completed, decision, constraint, dependency, thread."""
        return self.value.KIND

    @property
    def status(self) -> str:
        """Where the item stands now."""
        return self.value.status

    @property
    def title(self) -> str:
        """What stands for the item in a list."""
        return self.value.headline

    @property
    def is_live(self) -> bool:
        """Whether the item still holds: not proposed, not retired, not replaced."""
        return self.value.status in self.value.LIVE

    def changed(self, step: Step, **fields: Any) -> "Item":
        """This item after *step*, which set *fields* of its value."""
        return replace(self, value=replace(self.value, **fields), touched=step.at, steps=(*self.steps, step))
