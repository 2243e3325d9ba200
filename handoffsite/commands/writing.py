"""How every writing command writes: one lock, one record at a time, then what is folded from it."""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from handoffsite.commands.place import Place, cache_of
from handoffsite.errors import Conflict, Refused
from handoffsite.records import session
from handoffsite.records.redaction import CleanRecord, Redactor, clean_record
from handoffsite.records.session import SessionRecord
from handoffsite.store import archive, sessions, state
from handoffsite.store import boundary as boundaries
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

MOST_ITEMS = 10_000


@dataclass(slots=True)
class Writer:
    """An open boundary: *fold* is current, and nobody else writes until it is closed."""

    boundary: Boundary
    fold: Fold
    warnings: list[str] = field(default_factory=list)

    def append(self, record: CleanRecord) -> SessionRecord:
        """Number *record*, write it durably and fold it; what it became."""
        if sum(1 for _ in record.items()) > MOST_ITEMS:
            raise Refused(f"more than {MOST_ITEMS} items in one record", hint="divide the note")
        numbered = session.numbered(record, self.fold.highest())
        name, data = sessions.append(self.boundary, numbered)
        self.fold.extend(numbered, name, data)
        return numbered


@contextlib.contextmanager
def writing(place: Place, boundary: Boundary, generation: int | None = None, *, verify: bool = False) -> Iterator[Writer]:
    """Hold *boundary* for writing; on leaving, STATE.md and the archive are folded again.

    With *verify*, every record is looked at, so that one that was written over in place is found. Conflict where the boundary is no longer at *generation*, the one that the caller read.
    """
    with boundaries.locked(boundary), Fold(boundary, cache_of(place, boundary), trusting=not verify) as fold:
        if generation is not None and generation != fold.generation():
            message = f"the project is at generation {fold.generation()}, not {generation}"
            raise Conflict(message, hint="read the state again, and decide again")
        writer = Writer(boundary, fold)
        before = (fold.generation(), fold.problems())
        yield writer
        if fold.generation() != before[0]:
            try:
                refold(writer)
            except Refused as error:  # the record stands, whatever becomes of what is folded from it
                writer.warnings.append(f"recorded, but {error}; `handoffsite build` folds it when the cause is mended")


def refold(writer: Writer) -> bool:
    """Write STATE.md and the archive from the fold; whether anything changed. A fold that lacks damaged records is not written."""
    damaged = [
        problem for problem in writer.fold.problems() if problem.code not in {"unknown-id", "id-defined-twice", "bad-supersedes"}
    ]
    if damaged:
        first = damaged[0]
        where = f"{first.file}:{first.line}" if first.line else first.file
        writer.warnings.append(
            f"STATE.md was left as it is, because {len(damaged)} record(s) cannot be read: {where}: {first.message}"
        )
        return False
    written = state.write(writer.boundary, writer.fold)
    if written.kept:
        writer.warnings.append(f"STATE.md had been edited by hand: that version is kept as {written.kept}")
    if written.budget.over:
        writer.warnings.append(
            f"STATE.md takes {written.budget.used} tokens of {written.budget.limit}: retire what no longer holds"
        )
    return bool(archive.write(writer.boundary, writer.fold)) or written.changed


def act(place: Place, boundary: Boundary, title: str, **lists: Any) -> CleanRecord:
    """A record of a human's word, or one over MCP; never the same as another."""
    record = SessionRecord(
        source=f"{session.ACT}{uuid.uuid4()}", project=boundary.project.name, recorded=place.time, title=title, **lists
    )
    return clean_record(record, Redactor(boundary.project.redact, key=boundary.project.id.encode()))
