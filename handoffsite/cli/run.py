"""From parsed arguments to a command, and from its value to an answer."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from handoffsite.cli import progress, text, text_work
from handoffsite.cli.answer import Answer
from handoffsite.cli.given import here, path_of, text_of
from handoffsite.cli.words import STATUSES
from handoffsite.commands import place as places
from handoffsite.commands.place import Place
from handoffsite.errors import NoProject, UsageError


def run(given: argparse.Namespace) -> Answer:
    """Carry out the command that *given* names."""
    handler: Callable[[argparse.Namespace, Place], Answer] = _HANDLERS[given.word]
    with progress.bar() as bar:
        return handler(given, replace(here(given.project or ""), progress=bar))


def in_boundary() -> bool:
    """Whether the current folder belongs to a project."""
    try:
        places.find_boundary(here(""))
    except NoProject:
        return False
    return True


def _init(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import init  # noqa: PLC0415

    make = init.init_workspace if given.workspace else init.init
    made = make(place, Path(given.folder), given.name)
    data = {"kind": made.kind, "name": made.name, "path": str(made.root), "created": made.created}
    return Answer(data, text.made(data))


def _end(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import end  # noqa: PLC0415
    from handoffsite.commands.reading import Input  # noqa: PLC0415

    if given.note == "-" and given.transcript == "-":
        raise UsageError("only one of --note and --transcript can be standard input", hint="give the other one a file")
    session = Input(
        note=text_of(given.note) if given.note is not None else None,
        note_file=given.note if given.note not in {None, "-"} else "note",
        transcript=path_of(given.transcript) if given.transcript not in {None, "-"} else None,
        stream=sys.stdin.buffer if given.transcript == "-" else None,
        format=given.format,
        session=given.session,
        base=given.base,
    )
    if given.draft:
        draft = end.draft(place, session)
        return Answer({"draft": draft}, draft)
    if given.dry_run:
        ended = end.preview(place, session)
    else:
        ended = end.end(place, session, generation=given.if_generation, summary=not given.no_summary)
    data = ended.mapping()
    return Answer(data, text.ended(data, dry=given.dry_run), notes=ended.warnings)


def _state(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import show  # noqa: PLC0415

    del given
    data, printed = show.state_of(place)
    return Answer(data, printed, notes=tuple(data["warnings"]))


def _pack(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import pack  # noqa: PLC0415

    data = pack.pack(place, text_of("-") if given.wanted == "-" else given.wanted, limit=given.budget)
    return Answer(data, data["text"], notes=tuple(data["warnings"]))


def _show(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import show  # noqa: PLC0415

    data = show.show(place, given.id)
    if data["kind"] == "handoff":
        from handoffsite.cli import contracts  # noqa: PLC0415

        return Answer(data, contracts.shown(data))
    if data["kind"] == "artefact":
        from handoffsite.cli import artefacts  # noqa: PLC0415

        return Answer(data, artefacts.shown(data))
    return Answer(data, text_work.message(data) if data["kind"] == "mail" else text.shown(data))


def _log(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import show  # noqa: PLC0415

    data = show.log(place, given.limit)
    return Answer(data, text.logged(data))


def _search(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import search  # noqa: PLC0415

    data = search.search(
        place, " ".join(given.query), kinds=tuple(given.kind), statuses=tuple(given.status), since=given.since, limit=given.limit
    )
    return Answer(data, text.hits(data), notes=tuple(data.pop("warnings", ())))


def _review(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import review  # noqa: PLC0415

    del given
    data = review.proposed(place)
    return Answer(data, text.proposed(data))


def _word(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import review  # noqa: PLC0415

    said = review.say(
        place,
        given.word,
        given.ids,
        by=getattr(given, "by", ""),
        session=given.session,
        reason=given.reason,
        generation=given.if_generation,
    )
    data = said.mapping()
    return Answer(data, text.said(data, given.word), notes=said.warnings)


_ADDED = {
    "decision": {
        "rationale": "rationale",
        "topic": "topic",
        "status": "status",
        "alternative": "alternatives",
        "supersedes": "supersedes",
    },
    "constraint": {"outcome": "outcome", "because": "because", "topic": "topic", "status": "status"},
    "thread": {"next": "next", "status": "status"},
}
_HEADLINE = {"decision": "title", "constraint": "tried", "thread": "title"}


def _add(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import add  # noqa: PLC0415

    names = _ADDED[given.kind]
    options = ("rationale", "topic", "alternative", "supersedes", "outcome", "because", "next", "status")
    for option in options:
        if getattr(given, option) and option not in names:
            raise UsageError(f"a {given.kind} has no --{option}", hint=f"it has {', '.join(f'--{name}' for name in names)}")
    if not given.title.strip():
        raise UsageError(f"a {given.kind} needs a title", hint=f'handoffsite add {given.kind} "…"')
    statuses = STATUSES[given.kind]
    if given.status and given.status not in statuses:
        raise UsageError(
            f"{given.status!r} is no status of a {given.kind}", hint=f"it is {', '.join(statuses[:-1])} or {statuses[-1]}"
        )
    fields: dict[str, Any] = {_HEADLINE[given.kind]: " ".join(given.title.split())}
    for option, name in names.items():
        content = getattr(given, option)
        if content:
            fields[name] = tuple(content) if isinstance(content, list) else content
    added = add.add(place, given.kind, fields, generation=given.if_generation)
    data = added.mapping()
    return Answer(data, text.added(data), notes=added.warnings)


def _build(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import build  # noqa: PLC0415

    if given.check:
        behind = build.behind(place, workspace=given.workspace)
        return Answer({"behind": behind}, text.behind(behind), status=1 if behind else 0)
    built = build.build(place, workspace=given.workspace)
    data = built.mapping()
    return Answer(data, text.built(data), notes=built.warnings, status=1 if built.problems else 0)


def _serving(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.cli import serving  # noqa: PLC0415

    return serving.run(given, lambda: here(place.project))


def _check(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import check  # noqa: PLC0415

    if given.plan is not None:
        from handoffsite.commands import plan  # noqa: PLC0415

        data = plan.check(place, text_of(given.plan), "" if given.plan == "-" else given.plan)
        return Answer(data, text_work.plan(data), status=0 if data["ok"] else 1)
    if given.fix:
        from handoffsite.commands import fixing  # noqa: PLC0415

        data = fixing.fixed(place, workspace=given.workspace)
        return Answer(data, text.mended(data), status=0 if data["ok"] and not data["failed"] else 1)
    data = check.check(place, workspace=given.workspace)
    return Answer(data, text.problems(data), status=0 if data["ok"] else 1)


def _work(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import work  # noqa: PLC0415

    if given.verb == "show":
        data = work.show(place)
        return Answer(data, text_work.shown(data), notes=tuple(data["warnings"]))
    generation = given.if_generation
    if given.verb == "take":
        data = work.take(place, given.role, by=given.by, generation=generation)
        return Answer(data, text_work.taken(data), notes=tuple(data["warnings"]))
    if given.verb == "clear":
        data = work.clear(place, given.role, generation=generation)
        return Answer(data, text_work.cleared(data), notes=tuple(data["warnings"]))
    asks = given.verb == "ask"
    data = work.send(
        place,
        "planner" if asks else given.role,
        text_of("-") if given.text == "-" else given.text,
        sender=given.sender,
        append=given.append,
        despite=() if asks else tuple(given.despite),
        generation=generation,
    )
    return Answer(data, text_work.sent(data), notes=tuple(data["warnings"]))


def _catch_up(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import background, catch_up  # noqa: PLC0415

    if given.background:
        done = background.run(place)
        return Answer(done.mapping(), text.caught_up(done.mapping())) if done else Answer({}, "another process is at it")
    caught = catch_up.catch_up(place, workspace=given.workspace, generation=given.if_generation)
    data = caught.mapping()
    return Answer(data, text.caught_up(data), notes=caught.notes(), status=0 if caught.is_success else 1)


def _install(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.cli import installing  # noqa: PLC0415

    return installing.run(given, place)


def _completion(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.cli import completing  # noqa: PLC0415

    del place
    found = completing.script(given.shell)
    return Answer({"shell": given.shell, "script": found}, found)


def _import(given: argparse.Namespace, place: Place) -> Answer:
    if given.kind != "transcripts":
        return _import_notes(given, place)
    from handoffsite.commands import importing  # noqa: PLC0415

    if given.dry_run:
        raise UsageError("import transcripts has no --dry-run", hint="`end --transcript FILE --dry-run` shows one")
    imported = importing.transcripts(place, Path(given.path), generation=given.if_generation)
    status = 1 if imported.files and not imported.read else 0
    data = imported.mapping()
    return Answer(data, text.imported(data), notes=imported.notes(), status=status)


def _import_notes(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.cli import text_import  # noqa: PLC0415
    from handoffsite.commands import importing_notes  # noqa: PLC0415

    imported = importing_notes.notes(place, given.kind, Path(given.path), generation=given.if_generation, dry=given.dry_run)
    data = imported.mapping()
    return Answer(data, text_import.imported(data), notes=imported.notes(), status=0 if imported.files else 1)


def _purge(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import purge  # noqa: PLC0415

    data = purge.purge(place, given.what, given.reason, generation=given.if_generation)
    return Answer(data, text.purged(data), notes=tuple(data["warnings"]))


def _artefacts(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.cli import artefacts  # noqa: PLC0415

    return artefacts.run(given, place)


def _handoff(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.cli import contracts  # noqa: PLC0415

    return contracts.run(given, place)


def _task(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.cli import tasks  # noqa: PLC0415

    return tasks.run(given, place)


def _ledger(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.cli import tasks  # noqa: PLC0415

    project = place.project
    return tasks.ledger_run(given, lambda: here(project))


def _mcp(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.server import mcp  # noqa: PLC0415

    project = place.project
    mcp.serve(lambda: here(project), given.profile)
    return Answer({}, "")


def _schema(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import schema  # noqa: PLC0415

    del place
    data = schema.schema(given.name)
    return Answer(data, text.document(data) if given.name else "\n".join(data))


def _doctor(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import doctor  # noqa: PLC0415

    del given
    data = doctor.doctor(place)
    return Answer(data, text.findings(data), status=1 if any(one["state"] == "problem" for one in data["findings"]) else 0)


def _tour(given: argparse.Namespace, place: Place) -> Answer:
    from handoffsite.commands import tour  # noqa: PLC0415

    toured = tour.tour(place, Path(given.folder))
    data = toured.mapping()
    return Answer(data, text.toured(data, _called()), notes=toured.built.warnings, status=1 if toured.built.problems else 0)


def _called() -> str:
    """How to call this program from any other folder."""
    path = Path(sys.argv[0])
    return str(path.absolute()) if path.name == "handoffsite" and len(path.parts) > 1 else "handoffsite"


_HANDLERS: dict[str, Callable[[argparse.Namespace, Place], Answer]] = {
    "init": _init,
    "end": _end,
    "state": _state,
    "pack": _pack,
    "show": _show,
    "log": _log,
    "search": _search,
    "review": _review,
    **dict.fromkeys(("accept", "reject", "retire", "lift", "done", "supersede"), _word),
    "add": _add,
    "build": _build,
    **dict.fromkeys(("watch", "serve"), _serving),
    "check": _check,
    "work": _work,
    "catch-up": _catch_up,
    **dict.fromkeys(("install", "uninstall"), _install),
    "import": _import,
    "purge": _purge,
    **dict.fromkeys(("artefact", "memory", "discover"), _artefacts),
    "handoff": _handoff,
    "task": _task,
    "ledger": _ledger,
    "mcp": _mcp,
    "schema": _schema,
    "doctor": _doctor,
    "completion": _completion,
    "tour": _tour,
}
