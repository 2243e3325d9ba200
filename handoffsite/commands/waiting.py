"""What waits in a project's inbox, extracted."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from handoffsite.commands.place import Place
from handoffsite.commands.writing import Writer
from handoffsite.errors import Foreign, HandoffError, NothingToRecord, Unwritten
from handoffsite.records.problem import Problem, problem_of
from handoffsite.store import inbox
from handoffsite.store.boundary import Boundary
from handoffsite.store.inbox import Pointer

# The readings of each pointer, by its file. Their type is not named: it would load the extractor, and often nothing waits.
Summarised = Mapping[Path, Sequence[Any]]


@dataclass(slots=True, kw_only=True)
class Extracted:
    """The IDs of the sessions that were *recorded*, and the *problems* with those that still wait; *read* counts all that were read."""

    read: int = 0
    recorded: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def located(
    place: Place, boundary: Boundary, warnings: list[str], most: int | None = None
) -> tuple[list[tuple[Path, Pointer]], list[Problem]]:
    """What waits and can be read, and the pointers that are damaged; *warnings* gets the sessions that have no log.

    A pointer that knows only its session's ID gets the log that lies in its client's place. With *most*, no more logs are looked at
    that are not known yet, the newest first; what is not found among them waits on, as does what a hook leaves meanwhile.
    """
    _locate(place, boundary, warnings, most)
    waiting, problems = inbox.pointers(boundary)
    return [pair for pair in waiting if pair[1].is_located], problems


def _locate(place: Place, boundary: Boundary, warnings: list[str], most: int | None) -> None:
    found = [pair for pair in inbox.pointers(boundary)[0] if not pair[1].is_located]
    if not found:
        return
    from handoffsite.commands.logs import Search  # noqa: PLC0415 -- as below

    search = Search(place, [boundary])
    every = search.sessions(most)
    # A folder that is gone, as a worktree may be, belongs to nobody any more; the hook knew when it was there.
    gone = [one for one in every if not one.is_agents and search.owner(one) is None and not Path(one.cwd or "/").exists()]
    sessions = {one.session: one for one in reversed([*search.own(boundary, every), *gone])}
    search.save()
    for path, pointer in found:
        log = sessions.get(pointer.session)
        if log:
            session = log.session if log.of_many else ""
            inbox.put(boundary.root, replace(pointer, transcript=str(log.log.path), format=log.format, session=session))
        elif search.left:
            continue
        else:
            warnings.append(f"{pointer.name}: no log of it lies in its client's place; `catch-up` records it when there is one")
        inbox.take(boundary, path, pointer)


def summarised(place: Place, boundary: Boundary, waiting: Sequence[tuple[Path, Pointer]], warnings: list[str]) -> Summarised:
    """What *waiting* points to, read and summarised before anybody holds the lock; nothing where there is no summariser.

    What cannot be read is left to `extract`, which says so.
    """
    found: dict[Path, list[Any]] = {}
    if not waiting:
        return found
    from handoffsite.commands import end, summarizer  # noqa: PLC0415 -- the extractor is slow to load, and often nothing waits

    asking = summarizer.chosen(place, boundary)
    warnings += asking.warnings
    for path, pointer in place.counting("sessions that are summarised", waiting) if asking else ():
        said: list[str] = []
        with contextlib.suppress(HandoffError, OSError):
            given = _given(boundary, pointer)
            found[path] = [asking.ask(reading) for reading in end.readings(place, boundary, given, said, digested=True)]
            warnings += said
    return found


def extract(
    place: Place, writer: Writer, waiting: Sequence[tuple[Path, Pointer]], summarised: Summarised | None = None
) -> Extracted:
    """Record what *waiting* points to, as *summarised* has it; what cannot be read stays in the inbox, and is a problem."""
    from handoffsite.commands import end  # noqa: PLC0415 -- as above

    found = Extracted()
    known = summarised or {}
    for path, pointer in place.counting("sessions", waiting):
        name = pointer.name
        try:
            for reading in known.get(path) or end.readings(
                place, writer.boundary, _given(writer.boundary, pointer), writer.warnings
            ):
                found.read += 1
                ended = end.record(writer, reading)
                found.recorded += [ended.session] if ended.created else []
                writer.warnings += (f"{Path(name).name}: {warning}" for warning in ended.warnings)
        except Unwritten:
            raise  # what waits is not to blame, and the next one would not be written either
        except (Foreign, NothingToRecord) as error:
            writer.warnings.append(f"{Path(name).name}: {error.message}")
        except (HandoffError, OSError) as error:
            found.problems.append(problem_of(error, name))
            continue
        inbox.take(writer.boundary, path, pointer)
    return found


def _given(boundary: Boundary, pointer: Pointer) -> Any:
    from handoffsite.commands.reading import Input  # noqa: PLC0415 -- as above

    return Input(
        note=inbox.note_of(boundary, pointer),
        note_file=Path(pointer.note).name or "note",
        transcript=boundary.root / pointer.transcript if pointer.transcript else None,
        format=pointer.format,
        session=pointer.session,
        hooked=True,
        claimed=pointer.claimed,
    )
