"""`discover`: what an agent looks for before it starts, always in the same steps: the keys, the files, the newest one that bears on its task."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from handoffsite.commands import artefact, memory
from handoffsite.commands.place import Place, find_boundary
from handoffsite.errors import HandoffError
from handoffsite.records.artefact import Artefact
from handoffsite.records.artefact import mapping as mapped
from handoffsite.records.roles import FOLDERS
from handoffsite.store import artefacts

UNREAD = "what only the client's own memory holds is not read here"
_WORD = re.compile(r"\w{3,}")
_COMMON = frozenset("the and for with that this from are was will not into out all any can has have".split())


def discover(place: Place, wanted: str = "") -> dict[str, Any]:
    """The memory's keys, the artefacts by folder, and which to read first: the newest that holds and bears on *wanted*."""
    boundary = find_boundary(place)
    warnings: list[str] = []
    try:
        keys = memory.get(place)["keys"]
    except HandoffError as error:  # a damaged memory must not hide the files
        keys = {}
        warnings.append(str(error))
    held = artefacts.read(boundary)
    warnings += [f"{one.file}{f':{one.line}' if one.line else ''}: {one.message}" for one in held.problems]
    standing = artefact.standings(held.artefacts)
    files = [
        {**mapped(one), "age_days": artefact.age(place, one), **standing[one.name], "bears": _bears(one, wanted)}
        for one in reversed(held.artefacts)
    ]
    best = first([one for one in reversed(held.artefacts) if standing[one.name]["valid"]], wanted)
    chosen = next((one for one in files if best and one["path"] == best.path), None)
    if chosen:
        warnings += _hidden(keys, chosen)
    return {
        "project": boundary.project.name,
        "for": wanted or None,
        "memory": keys,
        "files": {FOLDERS[kind]: [one for one in files if one["artefact"] == kind] for kind in FOLDERS},
        "read": chosen,
        "sole_context": not keys and not files,
        "unread": UNREAD,
        "warnings": warnings,
    }


def text_of(found: Mapping[str, Any]) -> str:
    """As `discover` prints it."""
    lines = ["Memory:"] if found["memory"] else ["Memory: no key is set."]
    for key, entry in found["memory"].items():
        wrong = f"; DANGLING: {entry['path']} is {entry['dangling']}" if entry["dangling"] else ""
        lines.append(f"  {key} (version {entry['version']}, {entry['at'][:10]}{wrong}): {entry['value']}")
    for folder, files in found["files"].items():
        lines.append(f"{folder}/: {len(files) or 'nothing'}")
        lines += [f"  {artefact.text_of(one)}" for one in files[:10]]
        lines += [f"  and {len(files) - 10} older; `handoffsite artefact list {folder}`"] if len(files) > 10 else []
    if found["read"]:
        lines.append(f"Read first: {found['read']['path']}")
    elif found["sole_context"]:
        lines.append("Nothing was found in all three: the prompt is the sole context.")
    else:
        lines.append("Nothing of it holds any more: read what took its place before you rely on it.")
    return "\n".join([*lines, f"({found['unread']})"])


def first(holding: Sequence[Artefact], wanted: str) -> Artefact | None:
    """Of *holding*, the newest first, the one to read: the newest of those that bear on *wanted*, where any does."""
    bearing = [one for one in holding if _bears(one, wanted)]
    return next(iter(bearing or holding), None)


def _hidden(keys: Mapping[str, Any], chosen: Mapping[str, Any]) -> list[str]:
    """A warning of each key that leads to an older file of the same kind than the one to be read."""
    kinds = {"omg:active-plan": "plan", "omg:active-spec": "research", "omg:last-review": "review"}
    return [
        f"{key} leads to {entry['path']}, which is not the newest: {chosen['path']} is"
        for key, entry in keys.items()
        if kinds.get(key) == chosen["artefact"] and entry["path"] and not chosen["path"].endswith(entry["path"])
    ]


def _bears(one: Artefact, wanted: str) -> bool:
    """Whether *one* shares a word of weight with *wanted*, in its title or twice in its text."""
    words = {word.casefold() for word in _WORD.findall(wanted)} - _COMMON
    if not words:
        return False
    title = {word.casefold() for word in _WORD.findall(f"{one.title} {one.path}")}
    text = {word.casefold() for word in _WORD.findall(one.text)}
    return bool(words & title) or len(words & text) >= min(2, len(words))
