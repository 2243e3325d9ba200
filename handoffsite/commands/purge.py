"""`purge`: remove a leaked secret or a wrong session everywhere, and leave a record that says so."""

from typing import Any

from handoffsite.commands import build
from handoffsite.commands.place import Place, cache_of, find_boundary, find_workspace
from handoffsite.commands.writing import act, writing
from handoffsite.errors import NotFound, Refused
from handoffsite.records import identity
from handoffsite.store import purge as purges


def purge(place: Place, what: str, reason: str, *, generation: int | None = None) -> dict[str, Any]:
    """Take *what*, a text or the ID of an item or session, out of every file of the boundary; what was changed."""
    boundary = find_boundary(place)
    if not reason.strip():
        raise Refused("a purge needs a reason", hint='--reason "…": it stands in the record from now on')
    is_id = identity.is_id(what)
    if not is_id and len(what.strip()) < purges.LEAST:
        raise Refused(f"{len(what)} characters would hit too much", hint=f"give the text, {purges.LEAST} characters or more")
    if not is_id:
        reason = reason.replace(what, purges.MARK)  # or the record of the purge would bring it back
    with writing(place, boundary, generation, verify=True) as writer:
        if is_id:
            id = writer.fold.resolve(what)
            changed = purges.item(boundary, writer.fold, id, place.time)
            title = f"Purge {id}"
        else:
            changed = purges.text(boundary, what, place.time)
            title = "Purge a text"
        if not changed:
            raise NotFound("no file of this project holds that text", hint="nothing was changed")
        writer.fold.refresh()
        written = writer.append(act(place, boundary, title, narrative=f"{title}: {reason}\n\nChanged: {', '.join(changed)}"))
    folder = cache_of(place, boundary)
    if folder:
        purges.forget(folder)
    around = find_workspace(place)
    built = build.build(place, workspace=around is not None and boundary.root.is_relative_to(around.root))
    hint = "git's history and copies elsewhere still hold it: rewrite the one, and replace what leaked"
    return {"session": written.id, "changed": changed, "warnings": [*writer.warnings, *built.warnings, hint]}
