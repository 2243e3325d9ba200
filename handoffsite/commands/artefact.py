"""`artefact`: add what an agent produced, list what there is, and say what to paste into the next one's prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from handoffsite.commands.place import Place, find_boundary
from handoffsite.commands.reading import redactor_of
from handoffsite.commands.writing import writing
from handoffsite.errors import Refused
from handoffsite.records import artefact
from handoffsite.records.artefact import Artefact, CleanArtefact
from handoffsite.records.findings import REJECTED
from handoffsite.records.roles import FOLDERS, Roles, roles
from handoffsite.store import artefacts


def add(
    place: Place, kind: str, text: str, by: str, *, follows: str = "", about: str = "", generation: int | None = None
) -> dict[str, Any]:
    """Keep what the role *by* wrote as *kind*; the same text again changes nothing.

    Refused where a known role works outside of its folder, or where the text lacks what its kind owes.
    """
    kind, by = artefact.checked_kind(kind), artefact.checked_role(by)
    boundary = find_boundary(place)
    warnings = _refuse_role(roles(boundary.project.roles), kind, by)
    new = artefact.read(kind, text, by, redactor_of(boundary))
    new = CleanArtefact(replace(new, follows=follows or new.follows, about=about or new.about))
    with writing(place, boundary, generation) as writer:
        made, created = artefacts.add(boundary, new, place.time)
        warnings += writer.warnings
    if made.kind == "review" and not made.about:
        warnings.append("it does not say which plan or revision it judges: --about ID|PATH")
    return {**artefact.mapping(made), "created_now": created, "warnings": warnings}


def listed(place: Place, kind: str = "") -> dict[str, Any]:
    """Every artefact, newest first, with whether it still holds; and what is wrong with files that should be some."""
    boundary = find_boundary(place)
    wanted = artefact.checked_kind(kind) if kind else ""
    held = artefacts.read(boundary)
    standing = standings(held.artefacts)
    shown = [
        {**artefact.mapping(one), "age_days": age(place, one), **standing[one.name]}
        for one in reversed(held.artefacts)
        if wanted in {"", one.kind}
    ]
    warnings = [f"{one.file}{f':{one.line}' if one.line else ''}: {one.message}" for one in held.problems]
    return {"project": boundary.project.name, "artefacts": shown, "warnings": warnings}


def handover(place: Place, name: str, to: str) -> dict[str, Any]:
    """The part of a prompt that hands the artefact *name* to the role *to*: a path, and what is to be done."""
    boundary = find_boundary(place)
    to = artefact.checked_role(to)
    held = artefacts.read(boundary)
    found = artefacts.find(boundary, name)
    known = roles(boundary.project.roles)
    warnings = []
    if known.is_known(to) and found.kind not in known.consumes.get(to, frozenset()):
        warnings.append(f"{to} is not known to read {FOLDERS[found.kind]}/")
    standing = standings(held.artefacts)[found.name]
    if not standing["valid"]:
        warnings.append(f"{found.name}: {standing['why']}")
    return {**artefact.mapping(found), "to": to, "text": artefact.handover(found, to), "warnings": warnings}


def shown(found: Artefact, all: Sequence[Artefact]) -> dict[str, Any]:
    """*found* as `show` prints it: with its text, its chain, and the reviews of it."""
    chain = [one.name for one in chain_of(found, all)]
    reviews = [{"id": one.name, "verdict": one.verdict, "by": one.by} for one in all if one.about == found.name and found.name]
    later = [one.name for one in all if one.follows and one.follows == found.name]
    return {
        **artefact.mapping(found),
        **standings(all)[found.name],
        "status": found.verdict or "recorded",
        "text": found.text,
        "chain": chain,
        "reviews": reviews,
        "session": None,
        "history": [{"at": found.created, "changes": {"revision": found.revision}, "reason": "", "by": found.by}],
        "supersedes": [found.follows] if found.follows else [],
        "superseded_by": later[0] if later else None,
    }


def chain_of(found: Artefact, all: Sequence[Artefact]) -> list[Artefact]:
    """Every revision of *found*, the first one first."""
    named = {one.name: one for one in all}
    first = found
    seen = {first.name}
    while first.follows in named and first.follows not in seen:
        first = named[first.follows]
        seen.add(first.name)
    chain = [first]
    while after := next((one for one in all if one.follows == chain[-1].name and one not in chain), None):
        chain.append(after)
    return chain


def standings(all: Sequence[Artefact]) -> dict[str, dict[str, Any]]:
    """By name, whether each artefact still holds, and why not: a later revision took its place, or its last review rejected it."""
    found: dict[str, dict[str, Any]] = {}
    after = {one.follows: one.name for one in all if one.follows}
    verdicts = {one.about: one for one in all if one.kind in {"review", "qa-log"} and one.verdict and one.about}
    for one in all:
        judged = verdicts.get(one.name) or verdicts.get(one.path)
        if one.name in after:
            found[one.name] = {"valid": False, "why": f"revised by {after[one.name]}"}
        elif judged and judged.verdict == REJECTED:
            found[one.name] = {"valid": False, "why": f"rejected by {judged.name}"}
        else:
            found[one.name] = {"valid": True, "why": ""}
    return found


def age(place: Place, one: Artefact) -> int:
    """How many days ago *one* was created; 0 where its time cannot be told."""
    try:
        then = datetime.fromisoformat(one.created)
    except ValueError:
        return 0
    if then.tzinfo is None:
        then = then.replace(tzinfo=place.now.tzinfo)
    return max(0, (place.now - then).days)


def text_of(found: Mapping[str, Any]) -> str:
    """A line on an artefact, as `list` and `discover` print it."""
    verdict = f", {found['verdict']}" if found["verdict"] else ""
    holds = "" if found["valid"] else f"; {found['why']}"
    days = found["age_days"]
    old = "today" if days == 0 else f"{days} day{'s' * (days != 1)} old"
    name = f"{found['id']} " if found["id"] else ""
    return f"{name}{found['path']} ({found['artefact']}, revision {found['revision']}{verdict}, {old}{holds}): {found['title'] or ''}"


def _refuse_role(known: Roles, kind: str, by: str) -> list[str]:
    """A warning for a role that nobody knows; Refused for a known one that works outside of its folder."""
    if not known.is_known(by):
        return [f'the role {by} is not known: `[roles.{by}] produces = ["{kind}"]` in project.toml names it']
    allowed = known.produces.get(by, frozenset())
    if kind not in allowed:
        writes = ", ".join(f"{FOLDERS[one]}/" for one in sorted(allowed)) or "no artefacts"
        hint = f"let the right role write it, or extend `[roles.{by}]` in project.toml"
        raise Refused(f"{by} writes {writes}, not {FOLDERS[kind]}/", hint=hint)
    return []
