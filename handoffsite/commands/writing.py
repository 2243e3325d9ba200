"""How every writing command writes: one lock, one record at a time, then what is folded from it."""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from handoffsite.commands.place import Place, cache_of
from handoffsite.errors import Conflict, Refused
from handoffsite.records import session
from handoffsite.records.edits import UNRECORDED, Edits
from handoffsite.records.problem import Problem
from handoffsite.records.redaction import CleanRecord, Redactor, clean_record
from handoffsite.records.sealed import CONFLICT, EDITED, FOREIGN, NEWER, WHOLE, Condition
from handoffsite.records.session import SessionRecord
from handoffsite.store import archive, sessions, state
from handoffsite.store import boundary as boundaries
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

MOST_ITEMS = 10_000
BY_HUMAN = "By human: what was changed in STATE.md by hand."


@dataclass(slots=True)
class Writer:
    """An open boundary: *fold* is current, and nobody else writes until it is closed."""

    boundary: Boundary
    fold: Fold
    warnings: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)  # what a human wrote into STATE.md and nobody could understand

    def said(self) -> frozenset[str]:
        """The problems as they stand among the warnings."""
        return frozenset(f"{one.file}:{one.line}: {one.message}" for one in self.problems)

    def append(self, record: CleanRecord, *, fold_later: bool = False) -> SessionRecord:
        """Number *record*, write it durably and fold it; what it became.

        With *fold_later*, the fold knows no more than its number and source until it is refreshed: records that sort before others
        are folded at once.
        """
        if sum(1 for _ in record.items()) > MOST_ITEMS:
            raise Refused(f"more than {MOST_ITEMS} items in one record", hint="divide the note")
        numbered = session.numbered(record, self.fold.highest())
        name, data = sessions.append(self.boundary, numbered)
        (self.fold.enter if fold_later else self.fold.extend)(numbered, name, data)
        return numbered


@contextlib.contextmanager
def writing(place: Place, boundary: Boundary, generation: int | None = None, *, verify: bool = False) -> Iterator[Writer]:
    """Hold *boundary* for writing; on leaving, STATE.md and the archive are folded again.

    What was edited by hand in STATE.md is recorded first, so that the command builds on it. With *verify*, every record is looked
    at, so that one that was written over in place is found. Conflict where the boundary is no longer at *generation*, the one that
    the caller read.
    """
    with boundaries.locked(boundary), Fold(boundary, cache_of(place, boundary), trusting=not verify) as fold:
        if generation is not None and generation != fold.generation():
            message = f"the project is at generation {fold.generation()}, not {generation}"
            raise Conflict(message, hint="read the state again, and decide again")
        writer = Writer(boundary, fold)
        pick_up(place, writer)
        before = (fold.generation(), fold.problems())
        yield writer
        if fold.generation() != before[0]:
            _refold(writer)


def pick_up(place: Place, writer: Writer) -> None:
    """Record what was edited by hand in STATE.md; set aside whole what cannot be understood, so that nothing is written over.

    Nothing is read from a file that was cut short or damaged, or from an older version put back.
    """
    boundary, fold = writer.boundary, writer.fold
    found = state.read(boundary)
    if found is None or found.kind == WHOLE or damage(fold):
        return
    if found.kind == NEWER:
        raise Refused(found.message, file=state.FILE, line=found.line, hint="a newer handoffsite wrote it: update this one")
    if found.kind == EDITED:
        edits = state.edits(boundary, fold, found)
        writer.problems += (one for one in edits.problems if one.severity == "error")
        if any(problem.severity == "error" for problem in edits.problems):
            _set_aside(writer, "parts of it could not be understood")
        _record(place, writer, edits)
    elif found.kind != CONFLICT:
        writer.problems += (one for one in state.problems(boundary, fold) if one.severity == "error")
        _set_aside(writer, found.message)
    elif state.holds_edits(boundary, fold, found):
        _set_aside(writer, "an unfinished merge, and edits by hand that nobody recorded")
    _refold(writer, found)


def damage(fold: Fold) -> list[Problem]:
    """The records that cannot be read: a fold that lacks them is no measure of anything."""
    return [problem for problem in fold.problems() if problem.code not in {"unknown-id", "id-defined-twice", "bad-supersedes"}]


def _set_aside(writer: Writer, why: str) -> None:
    name = state.set_aside(writer.boundary)
    found = state.read(writer.boundary)
    hint = f"; `handoffsite import handoff {name}` takes what it says" if found and found.kind == FOREIGN else ""
    writer.warnings.append(f"{state.FILE}: {why}: it is kept whole as {name}{hint}")


def _record(place: Place, writer: Writer, edits: Edits) -> None:
    """One record of a human's word: all of *edits* that the records do not say already."""
    from handoffsite.extract import reconcile  # noqa: PLC0415 -- hardly ever needed here

    fields = edits.fields()
    written = None
    if fields:
        made = act(place, writer.boundary, "Edit STATE.md by hand", narrative=BY_HUMAN, **fields)
        new, _ = reconcile.new_only(made, writer.fold)
        if any(new.items()) or new.updates or new.retired or new.focus or new.unfiled:
            written = writer.append(new)
    if written:
        said = "; ".join(change.message.removeprefix(UNRECORDED) for change in edits.changes)
        writer.warnings.append(f"{state.FILE} was edited by hand: recorded as {written.id}: {said}")
    writer.warnings += (f"{one.file}:{one.line}: {one.message}" for one in edits.problems)


def _refold(writer: Writer, handled: Condition | None = None) -> None:
    try:
        refold(writer, handled)
    except (Refused, OSError) as error:  # the record stands, whatever becomes of what is folded from it
        writer.warnings.append(f"recorded, but {error}; `handoffsite build` folds it when the cause is mended")


def refold(writer: Writer, handled: Condition | None = None) -> bool:
    """Write STATE.md and the archive from the fold; whether anything changed. A fold that lacks damaged records is not written.

    *handled* is a STATE.md that is not whole, and that was read and kept.
    """
    damaged = damage(writer.fold)
    if damaged:
        first = damaged[0]
        where = f"{first.file}:{first.line}" if first.line else first.file
        writer.warnings.append(
            f"STATE.md was left as it is, because {len(damaged)} record(s) cannot be read: {where}: {first.message}"
        )
        return False
    written = state.write(writer.boundary, writer.fold, handled)
    if written.left:
        writer.warnings.append("STATE.md is being edited: it was left as it is, and the next writing command records the edits")
    if written.budget.over:
        writer.warnings.append(
            f"STATE.md takes {written.budget.used} tokens of {written.budget.limit}: retire what no longer holds"
        )
    return bool(archive.write(writer.boundary, writer.fold)) or written.changed


def act(place: Place, boundary: Boundary, title: str, *, source: uuid.UUID | None = None, **lists: Any) -> CleanRecord:
    """A record of a human's word, or one over MCP; never the same as another but for its *source*."""
    record = SessionRecord(
        source=f"{session.ACT}{source or uuid.uuid4()}", project=boundary.project.name, recorded=place.time, title=title, **lists
    )
    return clean_record(record, Redactor(boundary.project.redact, key=boundary.project.id.encode()))
