"""A change of what the project depends on."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """One change of one package; *before* and *after* are the entry's `from` and `to`, None where there is no version."""

    KIND: ClassVar[str] = "dependency"
    STATUSES: ClassVar[tuple[str, ...]] = ("recorded", "retired")
    LIVE: ClassVar[tuple[str, ...]] = ("recorded",)
    CHANGES: ClassVar[tuple[str, ...]] = ("added", "removed", "upgraded", "downgraded", "changed")

    id: str = ""
    status: str = "recorded"
    ecosystem: str
    name: str
    change: str
    before: str | None = None
    after: str | None = None
    file: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """What stands for the item in a list."""
        versions = " → ".join(version for version in (self.before, self.after) if version)
        return " ".join(part for part in (self.name, self.change, versions) if part)
