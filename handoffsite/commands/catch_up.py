"""`catch-up`: extract what the inbox holds, and the finished sessions on this machine that no hook reported."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffsite.commands.build import scope
from handoffsite.commands.logs import Search, Session
from handoffsite.commands.place import Place, cache_of
from handoffsite.commands.waiting import extract, located, summarised
from handoffsite.commands.writing import Writer, writing
from handoffsite.errors import Conflict, HandoffError, NothingToRecord
from handoffsite.records.problem import Problem, problem_of
from handoffsite.store.boundary import Boundary
from handoffsite.store.inbox import Pointer
from handoffsite.store.snapshot import Fold

# So many sessions are read before the lock is taken to record them: nobody waits for long logs, and STATE.md is folded once for all.
TOGETHER = 50
NEWEST = 50  # logs that are looked at where somebody waits
MOST_NAMED = 20  # ignored files on the terminal: a machine may hold thousands of empty logs


@dataclass(slots=True, kw_only=True)
class CaughtUp:
    """What was found in *files* logs: how many *sessions* of the project they hold, what was *recorded*, and what was *ignored* and why.

    *readable* counts the logs of any project that could be read, *unfinished* the sessions that somebody is still at, *silent* those in
    which there was nothing to record, *failed* those that could not be read; *inbox* the sessions that waited there. *unassigned* belong to no project known here.
    """

    files: int = 0
    readable: int = 0
    sessions: int = 0
    recorded: list[str] = field(default_factory=list)
    unchanged: int = 0
    unfinished: int = 0
    silent: int = 0
    failed: int = 0
    unassigned: int = 0
    inbox: int = 0
    projects: dict[str, int] = field(default_factory=dict)
    ignored: list[dict[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def is_success(self) -> bool:
        """Not where a project or the inbox is damaged, nor where logs were found and none could be read."""
        could_read = self.readable > 0 or not (self.files or self.ignored)
        is_known = self.recorded or self.unchanged or self.silent or self.unfinished
        return not self.problems and could_read and not (self.failed and not is_known)

    def mapping(self) -> dict[str, Any]:
        """As `catch-up --json` prints it."""
        counts = {
            name: getattr(self, name)
            for name in ("files", "sessions", "unchanged", "unfinished", "silent", "unassigned", "inbox")
        }
        problems = [{name: getattr(one, name) for name in Problem.__slots__} for one in self.problems]
        return {
            **counts,
            "recorded": self.recorded,
            "projects": self.projects,
            "ignored": self.ignored,
            "problems": problems,
            "warnings": self.warnings,
        }

    def notes(self) -> tuple[str, ...]:
        """What stands on stderr: ignored files with their reasons."""
        named = [f"{one['file']}: ignored: {one['reason']}" for one in self.ignored[:MOST_NAMED]]
        more = len(self.ignored) - len(named)
        return (*named, *([f"{more} more ignored: --json names them all"] if more else []), *self.warnings)


Ready = Callable[[Pointer], bool]


def catch_up(
    place: Place,
    *,
    workspace: bool = False,
    generation: int | None = None,
    ready: Ready | None = None,
) -> CaughtUp:
    """Catch up with the project around *place*, or with every project of the workspace where *place* is its root or *workspace* asks for it.

    Of what waits in the inbox, all that is *ready*. Conflict where a project is no longer at *generation*.
    """
    boundaries, _, damaged = scope(place, workspace=workspace)
    caught = CaughtUp(problems=list(damaged))
    for boundary in boundaries:
        _drain(place, boundary, caught, generation=generation, ready=ready)
    search = Search(place, boundaries)
    sessions = search.sessions()
    for boundary in boundaries:
        try:
            _record_found(place, boundary, search, sessions, caught)
        except HandoffError as error:  # it costs this project, and no other
            caught.problems.append(problem_of(error, boundary.project.name))
    search.save()
    caught.files = search.files
    caught.readable = len({one.log.path for one in sessions})
    caught.unassigned = sum(not one.is_agents and search.owner(one) is None for one in sessions)
    caught.ignored = [{"file": one["file"], "reason": one["reason"]} for one in search.faults] + caught.ignored
    return caught


def drain(place: Place, boundary: Boundary, ready: Ready) -> CaughtUp:
    """Record what the inbox of *boundary* points to and is *ready*; logs are looked for among the newest alone."""
    caught = CaughtUp()
    _drain(place, boundary, caught, ready=ready, most=NEWEST)
    return caught


def _drain(
    place: Place,
    boundary: Boundary,
    caught: CaughtUp,
    *,
    generation: int | None = None,
    ready: Ready | None = None,
    most: int | None = None,
) -> None:
    """Record what the inbox of *boundary* points to; with *most*, its logs are looked for among so many of the newest alone."""
    waiting, unreadable = located(place, boundary, caught.warnings, most)
    caught.problems += unreadable
    waiting = [(path, pointer) for path, pointer in waiting if ready is None or ready(pointer)]
    if not waiting and generation is None:
        return
    said: list[str] = []
    try:
        known = summarised(place, boundary, waiting, said)
        with writing(place, boundary, generation) as writer:
            writer.warnings += said
            extracted = extract(place, writer, waiting, known)
    except Conflict:
        if generation is not None:
            raise
        caught.warnings.append(f"{boundary.project.name}: another process is writing: what waits in the inbox is left to it")
        return
    except HandoffError as error:  # it costs this project, and no other
        caught.problems.append(problem_of(error, boundary.project.name))
        return
    caught.inbox += extracted.read
    caught.problems += extracted.problems
    _count(caught, boundary, extracted.recorded, writer)


def _record_found(place: Place, boundary: Boundary, search: Search, sessions: Sequence[Session], caught: CaughtUp) -> None:
    own = search.own(boundary, sessions)
    with Fold(boundary, cache_of(place, boundary)) as fold:
        new = search.unrecorded(boundary, fold, own)
    finished = [one for one in new if search.is_finished(one)]
    caught.sessions += len(own)
    caught.unchanged += len(own) - len(new)
    caught.unfinished += len(new) - len(finished)
    finished.sort(key=lambda one: (one.started, one.key))
    for start in range(0, len(finished), TOGETHER):
        place.tell("sessions", start, len(finished))
        _record_some(place, boundary, search, finished[start : start + TOGETHER], caught)


def _record_some(place: Place, boundary: Boundary, search: Search, sessions: Sequence[Session], caught: CaughtUp) -> None:
    from handoffsite.commands import end  # noqa: PLC0415 -- the extractor is slow to load, and often nothing is new
    from handoffsite.commands.reading import Input, read  # noqa: PLC0415 -- as above

    readings = []
    for one in sessions:
        try:
            given = Input(transcript=one.log.path, format=one.format, log=search.transcript(one), filed=True)
            readings.append((one, read(place, boundary, given)))
        except NothingToRecord:
            caught.silent += 1
            search.note(boundary, one, is_empty=True)
        except (HandoffError, OSError) as error:
            caught.failed += 1
            caught.ignored.append(
                {"file": one.key if one.of_many else str(one.log.path), "reason": getattr(error, "message", str(error))}
            )
    if not readings:
        return
    recorded = []
    with writing(place, boundary) as writer:
        for one, reading in readings:
            ended = end.record(writer, reading)
            recorded += [ended.session] if ended.created else []
            search.note(boundary, one)
            writer.warnings += (f"{one.log.path.name}: {warning}" for warning in ended.warnings)
    _count(caught, boundary, recorded, writer)


def _count(caught: CaughtUp, boundary: Boundary, recorded: Sequence[str], writer: Writer) -> None:
    name = boundary.project.name
    caught.recorded += recorded
    caught.projects[name] = caught.projects.get(name, 0) + len(recorded)
    caught.warnings += (f"{name}: {warning}" for warning in writer.warnings)
