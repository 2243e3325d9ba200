"""`end`: the session-end extractor. What a note, a log and git say of one session becomes one record, once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from handoffsite import sources
from handoffsite.commands.logs import Search, Session
from handoffsite.commands.place import Place, cache_of, find_boundary
from handoffsite.commands.reading import Input, Reading, read
from handoffsite.commands.summarizer import Summarizer, chosen
from handoffsite.commands.writing import Writer, writing
from handoffsite.errors import Malformed, NoProject, NotFound, NothingToRecord, Refused, Unwritten
from handoffsite.extract import reconcile
from handoffsite.records import entry
from handoffsite.records.history import History
from handoffsite.records.item import Item, Value
from handoffsite.records.note import Note
from handoffsite.records.redaction import CleanRecord
from handoffsite.records.session import LISTS, SessionRecord
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What `end` did: the *session*'s ID, whether a record was *created*, and the items that it made, changed, or that stand."""

    session: str
    created: bool
    items: tuple[Value, ...]
    focus: str
    account: dict[str, Any]
    warnings: tuple[str, ...]
    project: str = ""
    others: tuple[str, ...] = ()  # the earlier sessions of a file that holds several

    def mapping(self) -> dict[str, Any]:
        """As `end --json` prints it."""
        lists = {name: [entry.dumps(value) for value in self.items if value.KIND == kind] for name, kind in LISTS.items()}
        return {
            "session": self.session,
            "created": self.created,
            **lists,
            "focus": self.focus,
            "account": self.account,
            "warnings": list(self.warnings),
            **({"others": list(self.others)} if self.others else {}),
        }


def end(place: Place, given: Input, *, generation: int | None = None, summary: bool = True) -> Ended:
    """Record one session in the project around *place*; the same session again adds only what is new.

    With *summary*, the user's summariser is asked about its log, if there is one.
    """
    boundary = find_boundary(place)
    asking = chosen(place, boundary) if summary else Summarizer(place=place, boundary=boundary)
    with Fold(boundary, cache_of(place, boundary)) as fold:
        last = fold.newest(sessions_only=True)
        logs = [] if _is_given(given) else _unrecorded(place, boundary, fold)
    since = last.head if last else ""
    if _is_given(given):
        return _end(asking, _each(given), since, generation)
    warnings: list[str] = []
    for log in logs:  # one that adds nothing, or cannot be read, must not stand in the way of an older one
        try:
            ended = _end(asking, [log(given)], since, generation)
        except Unwritten:
            raise  # the log is not to blame, and the next one would not be written either
        except NothingToRecord:
            continue
        except (Malformed, NotFound, Refused) as error:
            warnings.append(str(error))
            continue
        if ended.created:
            return replace(ended, warnings=(*warnings, *ended.warnings))
    raise _none_left(boundary, warnings)


def _end(asking: Summarizer, given: Sequence[Input], since: str, generation: int | None) -> Ended:
    place, boundary = asking.place, asking.boundary
    warnings = list(asking.warnings)
    if len(given) == 1:  # read before the lock is taken: nobody waits for a long log
        reading = asking.ask(read(place, boundary, given[0], since=since, digested=bool(asking)))
        with writing(place, boundary, generation) as writer:
            ended = record(writer, reading)
    else:
        found: Iterable[Reading] = _readings(place, boundary, given, warnings, digested=bool(asking))
        if asking:  # nor for another program
            found = [asking.ask(reading) for reading in found]
        with writing(place, boundary, generation) as writer:
            ended = _joined([record(writer, reading) for reading in found])
    return replace(ended, warnings=(*ended.warnings, *warnings, *writer.warnings))


def readings(place: Place, boundary: Boundary, given: Input, warnings: list[str], *, digested: bool = False) -> Iterator[Reading]:
    """What each session of the file in *given* says; *warnings* gets what is left out."""
    return _readings(place, boundary, _each(given), warnings, digested=digested)


def _readings(
    place: Place, boundary: Boundary | None, given: Sequence[Input], warnings: list[str], *, digested: bool = False
) -> Iterator[Reading]:
    """Each session of a file, as far as anybody said anything in it; the last in any case."""
    for number, one in enumerate(given, 1):
        try:
            yield read(place, boundary, one, digested=digested)
        except Refused as error:
            if number == len(given):
                raise
            warnings.append(f"{one.log.session if one.log else ''}: {error.message}")


def _each(given: Input) -> list[Input]:
    """*given* for each session in its file. A note tells of the newest; what --session names is that one alone."""
    if given.transcript is None or given.log is not None:
        return [given]
    logs = sources.open_transcripts(given.transcript, given.format or None)
    if len(logs) == 1:
        return [given]
    named = [log for log in logs if given.session in {log.session, log.source}]
    if given.session and not named:
        known = ", ".join(log.session for log in logs[-5:])
        raise NotFound(
            f"no session {given.session} in it", file=str(given.transcript), hint=f"it holds {len(logs)}, the newest: {known}"
        )
    chosen = named[-1:] if named else logs[-1:] if given.note is not None else logs
    return [replace(given, log=log, session="") for log in chosen if not log.agent]


def _joined(ended: Sequence[Ended]) -> Ended:
    """What became of all sessions of one file, as one answer: the newest, with the items of all."""
    *others, last = ended
    return replace(
        last,
        created=any(one.created for one in ended),
        items=tuple(value for one in ended for value in one.items),
        others=tuple(one.session for one in others),
        warnings=tuple(warning for one in ended for warning in one.warnings),
    )


def _is_given(given: Input) -> bool:
    return given.note is not None or given.transcript is not None or given.stream is not None


def preview(place: Place, given: Input) -> Ended:
    """What `end` would record; nothing is written, and no boundary is needed."""
    try:
        boundary: Boundary | None = find_boundary(place)
    except NoProject:
        boundary = None
    if not _is_given(given):
        if boundary is None:
            raise NoProject("no project here, and no --note or --transcript", hint="name what to extract")
        with Fold(boundary, cache_of(place, boundary)) as fold:
            logs = _unrecorded(place, boundary, fold)
        if not logs:
            raise _none_left(boundary)
        given = logs[0](given)
    warnings: list[str] = []
    found = _joined([_previewed(reading) for reading in _readings(place, boundary, _each(given), warnings)])
    return replace(found, warnings=(*found.warnings, *warnings))


def _previewed(reading: Reading) -> Ended:
    new, foreign = reconcile.new_only(reading.record, History())
    return Ended(
        session="",
        created=False,
        items=tuple(new.items()),
        focus=new.focus,
        account=reading.account,
        warnings=(*reading.warnings, *foreign),
        project=new.project,
    )


def draft(place: Place, given: Input) -> str:
    """A note for the agent to complete, filled with what the log shows."""
    from handoffsite.sources import note as notes  # noqa: PLC0415 -- as in reading

    found = preview(place, given) if _is_given(given) else None
    lists: dict[str, Any] = {
        name: tuple(value for value in (found.items if found else ()) if value.KIND == kind) for name, kind in LISTS.items()
    }
    return notes.draft(Note(focus=found.focus if found else "", **lists))


def record(writer: Writer, reading: Reading) -> Ended:
    """Write what *reading* adds to what the open boundary knows of its session."""
    fold = writer.fold
    given, unknown = _resolved(fold, replace(reading.record, follows=_follows(fold, reading)))
    earlier = _earlier(fold, given)
    if any(one.purged for one in earlier):
        warning = "parts of this session were purged, so it is not extracted again"
        return _ended(reading, earlier[0].id, (), (*reading.warnings, warning), created=False)
    new, foreign = reconcile.new_only(given, fold)
    warnings = (*reading.warnings, *unknown, *foreign)
    if earlier and not _adds(new, earlier):
        items = tuple(item.value for one in earlier for item in fold.defined_in(one.id))
        return _ended(reading, earlier[0].id, items, warnings, created=False)
    if earlier:
        new = replace(new, narrative="" if any(one.narrative == new.narrative for one in earlier) else new.narrative)
    written = writer.append(new)
    changed = [item for update in written.updates if (item := fold.get(update.id))]
    items = tuple(item.value for item in _once((*fold.defined_in(written.id), *changed)))
    return _ended(reading, written.id, items, warnings, created=True)


def _resolved(fold: Fold, record: CleanRecord) -> tuple[CleanRecord, tuple[str, ...]]:
    """*record* with every ID of an earlier item whole; a word on what no record defines is kept as text, with a warning."""
    warnings: list[str] = []
    unfiled = list(record.unfiled)

    def whole(id: str, said: str) -> str:
        try:
            return fold.resolve(id)
        except NotFound:
            warnings.append(f"{id} is defined in no record here, so what is said of it was kept as text")
            unfiled.append(f"{id}: {said}")
            return ""

    updates = [replace(one, id=id) for one in record.updates if (id := whole(one.id, f"{one.changes} {one.reason}".strip()))]
    retired = [replace(one, id=id) for one in record.retired if (id := whole(one.id, f"retired: {one.reason}"))]
    decisions = [
        replace(one, supersedes=tuple(id for old in one.supersedes if (id := whole(old, f"superseded by {one.title}"))))
        for one in record.decisions
    ]
    fields: dict[str, Any] = {"updates": tuple(updates), "retired": tuple(retired), "decisions": tuple(decisions)}
    return replace(record, **fields, unfiled=tuple(unfiled)), tuple(warnings)


def _ended(reading: Reading, session: str, items: tuple[Value, ...], warnings: Sequence[str], *, created: bool) -> Ended:
    return Ended(
        session=session,
        created=created,
        items=items,
        focus=reading.record.focus,
        account=reading.account,
        warnings=tuple(warnings),
        project=reading.record.project,
    )


def _earlier(fold: Fold, record: SessionRecord) -> list[SessionRecord]:
    """The records of this session that stand already, under whatever source they came."""
    found = {one.id: one for one in fold.of_source(record.source)}
    if record.follows and (first := fold.record(record.follows)):
        found = {first.id: first} | {one.id: one for one in fold.of_source(first.source)} | found
    return list(found.values())


def _follows(fold: Fold, reading: Reading) -> str:
    """The record that the session itself left under another source: by its session ID, or because its commands printed that record's ID."""
    record = reading.record
    if fold.of_source(record.source):
        return next((one.follows for one in fold.of_source(record.source) if one.follows), "")
    if reading.session:
        same = fold.of_session(reading.session)
        if same:
            return same[0].id
    for id in reading.printed:
        item = fold.get(id)
        found = fold.record(item.session if item else id)
        if (
            found
            and found.source.startswith("note:")
            and record.started <= found.recorded
            and (found.ended or found.recorded) <= _later(record)
        ):
            return found.id
    return ""


def _later(record: SessionRecord) -> str:
    """Until when a record can be this session's own: a log's last entry may stand a little before the note was recorded."""
    return f"{record.ended[:10]}T23:59:59Z" if record.ended else record.recorded


def _adds(new: SessionRecord, earlier: Sequence[SessionRecord]) -> bool:
    if any(new.items()) or new.updates or new.retired or new.unfiled:
        return True
    if set(new.artefacts) - {id for one in earlier for id in one.artefacts}:
        return True
    if new.narrative and all(one.narrative != new.narrative for one in earlier):
        return True
    longer = all(
        one.transcript is None or new.transcript is None or one.transcript.lines < new.transcript.lines for one in earlier
    )
    return (
        longer
        and bool(new.focus)
        and new.transcript is not None
        and new.focus != earlier[-1].focus
        and earlier[-1].transcript is not None
    )


def _once(items: Iterable[Item]) -> list[Item]:
    return list({item.id: item for item in items}.values())


def _unrecorded(place: Place, boundary: Boundary, fold: Fold) -> list[Callable[[Input], Input]]:
    """The sessions of this project, in any client's own place, that are not recorded yet or went on since; newest first.

    Each is what makes an input speak of it; its log is opened only then.
    """
    search = Search(place, [boundary])
    found = search.unrecorded(boundary, fold, search.own(boundary, search.sessions()))
    search.save()
    return [partial(_with_log, search, one) for one in found]


def _with_log(search: Search, session: Session, given: Input) -> Input:
    return replace(given, transcript=session.log.path, format=session.format, log=search.transcript(session), filed=True)


def _none_left(boundary: Boundary, warnings: Sequence[str] = ()) -> NotFound:
    left_out = f"; {len(warnings)} could not be used, the newest: {warnings[0]}" if warnings else ""
    hint = "name one with --transcript FILE, or hand in a --note FILE"
    return NotFound(f"no unrecorded session of {boundary.project.name} on this machine{left_out}", hint=hint)
