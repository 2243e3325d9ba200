"""The index that many machines share: which one, and a project's part of it."""

from dataclasses import dataclass
from typing import Any

from handoffsite.errors import Refused
from handoffsite.search.engine import Content, Engine, Update

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


class KeptPostgres:
    """A project's part of the shared index. The server vouches for it, so nothing of it is kept here."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._base: Any = None

    def stamp(self, wanted: str = "") -> str:
        """*wanted*, where the index holds that record set, else another that it holds; empty without an index, or without an answer."""
        from handoffsite.search import postgres  # noqa: PLC0415 -- most indexes are shared with nobody

        try:
            with postgres.reported():
                found = postgres.stamps(self._connected(), self._shared.project)
        except Refused:
            return ""
        return wanted if wanted in found else max(found, default="")

    def load(self, wanted: str = "") -> tuple[Engine, str] | None:
        """The index, and its stamp; None where it has none of this project."""
        from handoffsite.search import postgres  # noqa: PLC0415 -- as above

        stamp = self.stamp(wanted)
        return (postgres.PostgresIndex(self._connected(), self._shared.project), stamp) if stamp else None

    def update(self, content: Content, timeout: float) -> Update:
        """Bring it in line with *content*; who may make roles makes what is missing first. Refused where the server does not let us."""
        del timeout  # the server's own limit holds
        from handoffsite.search import postgres  # noqa: PLC0415 -- as above

        base = self._connected()
        with postgres.reported():
            if postgres.may_prepare(base):
                postgres.prepare(base, self._shared.project, self._shared.role)
            return postgres.update(
                base,
                self._shared.project,
                content.documents,
                content.stamp,
                records=content.records,
                generation=content.generation,
            )

    def __del__(self) -> None:
        if self._base is not None:
            self._base.close()

    def _connected(self) -> Any:
        from handoffsite.search import postgres  # noqa: PLC0415 -- as above

        if self._base is None or self._base.closed:
            self._base = postgres.connect(self._shared.url)
        return self._base
