"""Something that a session finished: proven by what happened, or only claimed."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """A finished piece of work; `proven` where transcript or git shows it, `claimed` where only the agent says so."""

    KIND: ClassVar[str] = "completed"
    STATUSES: ClassVar[tuple[str, ...]] = ("proven", "claimed", "retired")
    LIVE: ClassVar[tuple[str, ...]] = ("proven", "claimed")

    id: str = ""
    status: str = "claimed"
    text: str
    evidence: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """What stands for the item in a list."""
        return self.text
