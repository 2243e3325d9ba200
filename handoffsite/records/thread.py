"""A piece of work in flight."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Work that goes on from session to session; *next* is its next step."""

    KIND: ClassVar[str] = "thread"
    STATUSES: ClassVar[tuple[str, ...]] = ("active", "waiting", "blocked", "paused", "done")
    LIVE: ClassVar[tuple[str, ...]] = ("active", "waiting", "blocked", "paused")

    id: str = ""
    status: str = "active"
    title: str
    next: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """What stands for the item in a list."""
        return self.title
