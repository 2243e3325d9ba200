"""One read model of a project: all that site, search and pack need to know, and nothing of any other project."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffsite.records.artefact import Artefact
from handoffsite.records.handoff import Handoff
from handoffsite.records.item import Item
from handoffsite.records.mail import Message
from handoffsite.records.problem import Problem
from handoffsite.records.project import Project
from handoffsite.records.session import SessionRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A project folded from its records.

    *records* stand in the order of the fold, acts included; *items* by canonical ID, in the order of definition; *aliases* map
    other IDs to canonical ones. *record_set* is the digest of the records folded, *generation* their number. *files* maps a
    record's ID to its file name under `sessions/`. *mail* are the messages, cleared ones first; *mail_mark* changes with them.
    *artefacts* are what agents handed over, oldest first; *artefact_mark* changes with them; so *handoffs* and
    *handoff_mark*; *evidence* is what was kept of each, by attempt.
    """

    project: Project
    records: tuple[SessionRecord, ...]
    items: Mapping[str, Item]
    aliases: Mapping[str, str]
    record_set: str
    files: Mapping[str, str]
    problems: tuple[Problem, ...] = ()
    mail: tuple[Message, ...] = ()
    mail_mark: str = ""
    artefacts: tuple[Artefact, ...] = ()
    artefact_mark: str = ""
    handoffs: tuple[Handoff, ...] = ()
    handoff_mark: str = ""
    evidence: Mapping[str, Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]]] = field(default_factory=dict)

    @property
    def searchable(self) -> str:
        """What tells this project from an earlier one, as far as a search goes."""
        return self.record_set + self.mail_mark + self.artefact_mark + self.handoff_mark

    @property
    def generation(self) -> int:
        """How many records were folded."""
        return len(self.records)

    @property
    def newest(self) -> SessionRecord | None:
        """The record that was recorded last."""
        return self.records[-1] if self.records else None

    @property
    def sessions(self) -> tuple[SessionRecord, ...]:
        """The records of sessions, oldest first; acts are not sessions."""
        return tuple(record for record in self.records if not record.is_act)

    @property
    def focus(self) -> str:
        """What the last note that says so calls the focus; the last log, where there is no note."""
        told = sorted((record for record in self.records if record.focus), key=lambda record: record.ended or record.recorded)
        return next((record.focus for record in reversed(told) if record.is_noted), told[-1].focus if told else "")

    def of(self, kind: str) -> Iterator[Item]:
        """All items of *kind*, oldest first."""
        return (item for item in self.items.values() if item.kind == kind)

    def live(self, kind: str) -> Iterator[Item]:
        """The items of *kind* that still hold, oldest first."""
        return (item for item in self.of(kind) if item.is_live)

    def get(self, id: str) -> Item | None:
        """The item that *id*, an alias included, stands for."""
        return self.items.get(self.aliases.get(id, id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What became of a project since an earlier record set: the items and sessions *ids*, told by *snapshot*.

    The snapshot holds these, and what is needed to tell them; and all mail, artefacts and handoffs, of which nobody keeps account.
    """

    ids: frozenset[str]
    snapshot: Snapshot
