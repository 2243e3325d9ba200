"""Which index many machines share."""

from dataclasses import dataclass

POSTGRES = "postgres"  # its name in the settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """The index at *url*, in which this one goes by the ID of its *project*."""

    url: str
    project: str

    @property
    def role(self) -> str:
        """The role that owns the project there."""
        return f"handoffsite_{self.project}"[:63]
