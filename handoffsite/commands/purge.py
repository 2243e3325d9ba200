"""`purge`: remove a leaked secret or a wrong session everywhere, and leave a record that says so."""

from typing import Any

from handoffsite.commands import build, ledger
from handoffsite.commands import desk as desks
from handoffsite.commands.place import Place, cache_of, find_boundary
from handoffsite.commands.writing import act, writing
from handoffsite.errors import HandoffError, NotFound, Refused, Unwritten
from handoffsite.records import identity
from handoffsite.store import purge as purges
from handoffsite.store.boundary import Boundary


def purge(place: Place, what: str, reason: str, *, generation: int | None = None) -> dict[str, Any]:
    """Take *what*, a text or the ID of an item or session, out of every file of the boundary; what was changed."""
    boundary = find_boundary(place)
    if not reason.strip():
        raise Refused("a purge needs a reason", hint='--reason "…": it stands in the record from now on')
    is_id = identity.is_id(what)
    if not is_id and len(what.strip()) < purges.LEAST:
        raise Refused("so short a text would hit too much", hint=f"give the text, {purges.LEAST} characters or more")
    if not is_id:
        reason = reason.replace(what, purges.MARK)  # or the record of the purge would bring it back
    with writing(place, boundary, generation, verify=True) as writer:
        id = writer.fold.resolve(what) if is_id else ""
        plan = purges.item(boundary, writer.fold, id, place.time) if is_id else purges.text(boundary, what, place.time)
        title = f"Purge {id}" if is_id else "Purge a text"
        tasks, unreached = ([], []) if is_id else _of_tasks(place, what)
        if (
            plan.changed or tasks
        ):  # told first: a purge that is stopped half-way has left its record, and is finished by the same again
            told = f"{title}: {reason}\n\nChanged: {', '.join((*plan.changed, *tasks))}"
            written = writer.append(act(place, boundary, title, narrative=told)).id
            plan.carry_out()
            writer.fold.refresh()
    built = _built_anew(place, boundary)
    if not plan.changed and not tasks:
        raise NotFound("no file of this project holds that text", hint="no record was changed")
    hint = "git's history and copies elsewhere still hold it: rewrite the one, and replace what leaked"
    return {
        "session": written,
        "changed": [*plan.changed, *tasks],
        "warnings": [*writer.warnings, *built.warnings, *unreached, hint],
    }


def _of_tasks(place: Place, text: str) -> tuple[list[str], list[str]]:
    """Take *text* out of the project's tasks in the ledger: which of them held it, and a warning where the ledger cannot be reached."""
    if not desks.is_there(place):
        return [], []
    try:
        with desks.opened(place) as desk:
            return [f"task {id}" for id in ledger.purge(desk, text)["tasks"]], []
    except HandoffError as error:
        return [], [f"the task ledger was not looked through: {error.message}; {error.hint}"]


def _built_anew(place: Place, boundary: Boundary) -> build.Built:
    """Everything derived, made anew where nothing of the old is left; Unwritten where it could not be."""
    folder = cache_of(place, boundary)
    if folder:
        purges.forget(folder)
    built = build.build_one(place, boundary)
    for problem in built.problems:
        if problem.code == Unwritten.code:
            hint = "what is built from the records may still hold it: mend the cause, and give the same command again"
            raise Unwritten(problem.message, file=problem.file, hint=hint)
    return built
