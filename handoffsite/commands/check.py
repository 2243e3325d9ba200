"""`check`: everything in a boundary, read anew and compared; the workers find the faults, this gathers them."""

from collections.abc import Container, Iterator
from dataclasses import asdict
from typing import Any

from handoffsite.commands import build
from handoffsite.commands.contradictions import Contradictions, gaps
from handoffsite.commands.place import Place, cache_of
from handoffsite.errors import HandoffError, Refused
from handoffsite.records import grammar, references
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.snapshot import Snapshot
from handoffsite.records.suspicion import suspicions, words_of
from handoffsite.records.visible import escaped
from handoffsite.sources import git
from handoffsite.store import archive, artefacts, contracts, inbox, leftovers, memory, sessions, state, tasks, work
from handoffsite.store.boundary import Boundary, repository_of
from handoffsite.store.snapshot import Fold


def check(place: Place, *, workspace: bool = False) -> dict[str, Any]:
    """Every problem of the project, or of each project of the workspace; `ok` is False where one is an error. Nothing is written."""
    found: list[Problem] = list(build.scope(place, workspace=workspace)[2])
    for boundary, prefix in boundaries_of(place, workspace=workspace):
        found += [_prefixed(problem, prefix) for problem in problems_of(boundary)]
        found += [_prefixed(problem, prefix) for problem in work.problems(boundary, cache_of(place, boundary))]
    return {"ok": all(problem.severity != "error" for problem in found), "problems": [asdict(problem) for problem in found]}


def boundaries_of(place: Place, *, workspace: bool = False) -> list[tuple[Boundary, str]]:
    """The boundaries that the command speaks of, each with what its files are called by."""
    boundaries, around, _ = build.scope(place, workspace=workspace)
    many = around is not None and len(boundaries) > 1
    return [(boundary, f"{boundary.project.name}/" if many else "") for boundary in boundaries]


def problems_of(boundary: Boundary) -> list[Problem]:
    """Every problem of one boundary, all records read anew."""
    with Fold(boundary, None) as fold:
        snapshot = fold.snapshot()
        against = Contradictions(boundary, fold)
        found = [*against.of_records(), *state.problems(boundary, fold)]
        found += [] if against.is_damaged else archive.problems(boundary, fold)
        found += against.problems(snapshot)
        found += _foreign(boundary, fold)
        found += _planted(boundary, fold, snapshot)
        names = [one.name for one in sessions.listing(boundary)]
        found += gaps(names, (id for id in snapshot.aliases if id.startswith("S-") and "." not in id))
    found += [problem for name in names for problem in _of_file(boundary, name)]
    found += leftovers.problems(boundary)
    found += _deleted(boundary, {sessions.id_of(name) for name in names})
    found += artefacts.problems(boundary)
    found += contracts.problems(boundary)
    found += tasks.problems(boundary)
    found += _dangling(boundary)
    waiting, unreadable = inbox.pointers(boundary)
    found += unreadable
    if waiting:
        message = f"{len(waiting)} sessions wait to be extracted"
        found.append(Problem(code="waiting", severity="warning", message=message, file="inbox", fix="`handoffsite build`"))
    return found


def _dangling(boundary: Boundary) -> Iterator[Problem]:
    """Each key of the memory that leads nowhere, or to what was changed since; or what is wrong with all of it."""
    try:
        entries = memory.read(boundary)
    except (HandoffError, OSError) as error:
        yield problem_of(error, memory.FILE)
        return
    for key, led in memory.entry_problems(boundary, entries).items():
        message = f"{key} leads to {led.path}, which is {led.wrong}"
        fix = f"`handoffsite memory set {key} …` with the path that is meant"
        yield Problem(code="dangling", severity="warning", message=message, file=memory.FILE, line=1, fix=fix)


def _of_file(boundary: Boundary, name: str) -> Iterator[Problem]:
    """What a record's file is that verifies, and should not be: respelled on the way here, or full of what no reader sees."""
    text = sessions.raw(boundary, name)
    if grammar.plain(text) != text:
        what = "a byte order mark" if text.startswith("\ufeff") else "CRLF" if "\r\n" in text else "another end of its last line"
        message = f"whole, but an editor or git gave it {what}"
        fix = "`handoffsite check --fix` takes that away; `*.md -text` in .gitattributes keeps git from it"
        yield Problem(code="respelled", severity="warning", message=message, file=f"sessions/{name}", line=1, fix=fix)
    if text.isascii() and "\\u" not in text:
        return
    text = text.removeprefix("\ufeff")
    lines = {number: hidden for number, line in enumerate(text.split("\n"), 1) if (hidden := escaped(line.rstrip("\r")))}
    if lines:
        characters = ", ".join(dict.fromkeys(character for hidden in lines.values() for character in hidden))
        where = ", ".join(map(str, list(lines)[:12]))
        message = f"holds characters that no reader sees: {characters} (line {where}); they are shown as [U+XXXX] everywhere else"
        fix = "look at what they hide; `handoffsite purge TEXT` takes a text out"
        yield Problem(
            code="hidden-characters",
            severity="warning",
            message=message,
            file=f"sessions/{name}",
            line=next(iter(lines)),
            fix=fix,
        )


def _deleted(boundary: Boundary, here: Container[str]) -> list[Problem]:
    """Records that git has and the folder lacks; one that was purged has another file now."""
    root = repository_of(boundary.root.resolve())
    if root is None:
        return []
    folder = boundary.root.resolve().relative_to(root).as_posix()
    try:
        gone = git.deleted(root, f"{folder}/sessions")
    except Refused:
        return []
    return [
        Problem(
            code="deleted-record",
            message=f"{sessions.id_of(name)} was deleted: git still has it",
            file=f"sessions/{name}",
            fix=f"`git checkout HEAD -- {path}` brings it back; what must go is taken out by `handoffsite purge`",
        )
        for path in gone
        if sessions.NAME.fullmatch(name := path.rpartition("/")[2]) and sessions.id_of(name) not in here
    ]


def _foreign(boundary: Boundary, fold: Fold) -> list[Problem]:
    """Records that say they are another project's: copied here by mistake, or older than the project's name."""
    name = boundary.project.name
    return [
        Problem(
            code="foreign",
            severity="warning",
            message=f"{record.id} is a record of {record.project}, and this is {name}",
            file=f"sessions/{fold.file_of(record.id)}",
            fix=f"move it to the project that it belongs to, or `handoffsite purge {record.id}`",
        )
        for record in fold.snapshot().records
        if record.project != name
    ]


def _planted(boundary: Boundary, fold: Fold, snapshot: Snapshot) -> Iterator[Problem]:
    """Items that hold, or wait for a word, and read like an order to an agent that somebody planted."""
    for item in snapshot.items.values():
        says = suspicions(words_of(item)) if item.is_live or item.status == "proposed" else ()
        if says:
            name = fold.file_of(item.session)
            yield Problem(
                code="suspicious",
                severity="warning",
                message=f"{item.id} ({item.status}) reads like an order to an agent: it {', '.join(says)}",
                file=f"sessions/{name}" if name else "",
                line=references.line_of(sessions.raw(boundary, name), item.id) if name else 0,
                fix=f"look where it comes from: `handoffsite show {item.id}`; `handoffsite retire {item.id}` or `purge` takes it away",
            )


def _prefixed(problem: Problem, prefix: str) -> Problem:
    fields = asdict(problem)
    return Problem(**{**fields, "file": f"{prefix}{problem.file}"})
