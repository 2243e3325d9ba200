"""A choice, with the reason for it."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A choice with a rationale; *supersedes* lists the IDs of the decisions that it replaces."""

    KIND: ClassVar[str] = "decision"
    STATUSES: ClassVar[tuple[str, ...]] = ("proposed", "accepted", "rejected", "superseded", "retired", "expired")
    LIVE: ClassVar[tuple[str, ...]] = ("accepted",)

    id: str = ""
    status: str = "accepted"
    title: str
    topic: str = ""
    context: str = ""
    rationale: str = ""
    alternatives: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """What stands for the item in a list."""
        return self.title
