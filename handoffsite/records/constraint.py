"""An approach that failed or a limit that was found, so that nobody tries it again."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """What was tried, what came of it, and because of what."""

    KIND: ClassVar[str] = "constraint"
    STATUSES: ClassVar[tuple[str, ...]] = ("proposed", "active", "lifted", "rejected", "expired")
    LIVE: ClassVar[tuple[str, ...]] = ("active",)

    id: str = ""
    status: str = "active"
    tried: str
    outcome: str = ""
    because: str = ""
    topic: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """What stands for the item in a list."""
        return self.tried
