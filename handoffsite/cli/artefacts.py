"""`artefact`, `memory` and `discover`: from parsed words to a command, and from its value to an answer."""

import argparse
import json
from typing import Any

from handoffsite.cli.answer import Answer
from handoffsite.cli.given import text_of
from handoffsite.commands import artefact, discover, memory
from handoffsite.commands.place import Place


def run(given: argparse.Namespace, place: Place) -> Answer:
    """Carry out what *given* names."""
    if given.word == "discover":
        data = discover.discover(place, text_of("-") if given.wanted == "-" else given.wanted)
        return Answer(data, discover.text_of(data), notes=tuple(data["warnings"]))
    return _memory(given, place) if given.word == "memory" else _artefact(given, place)


def _artefact(given: argparse.Namespace, place: Place) -> Answer:
    if given.verb == "add":
        data = artefact.add(
            place,
            given.kind,
            text_of(given.file),
            given.by,
            follows=given.follows,
            about=given.about,
            generation=given.if_generation,
        )
        known = "" if data["created_now"] else " (known already)"
        return Answer(data, f"{data['id']} {data['path']}{known}", notes=tuple(data["warnings"]))
    if given.verb == "list":
        data = artefact.listed(place, given.kind)
        text = "\n".join(artefact.text_of(one) for one in data["artefacts"])
        return Answer(
            data, text or "no artefacts yet: `handoffsite artefact add KIND FILE --by ROLE`", notes=tuple(data["warnings"])
        )
    data = artefact.handover(place, given.name, given.to)
    return Answer(data, data["text"], notes=tuple(data["warnings"]))


def _memory(given: argparse.Namespace, place: Place) -> Answer:
    if given.verb == "set":
        value = text_of("-") if given.value == "-" else given.value
        data = memory.put(place, given.key, value, given.by, expected=given.expected_version, generation=given.if_generation)
        return Answer(data, f"{given.key} is at version {data['version']}", notes=tuple(data["warnings"]))
    data = memory.get(place, given.key)
    return Answer(data, "\n".join(_line(key, entry) for key, entry in data["keys"].items()) or "no key is set")


def shown(found: dict[str, Any]) -> str:
    """One artefact: what is known of it, and its text."""
    head = f"{found['id']} {found['artefact']}, {found['status']}{'' if found['valid'] else '; ' + found['why']}"
    known = [f"{name}: {found[name]}" for name in ("path", "by", "created", "revision", "about") if found[name]]
    known += [f"chain: {' -> '.join(found['chain'])}"] if len(found["chain"]) > 1 else []
    known += [f"review: {one['id']} {one['verdict']} by {one['by']}" for one in found["reviews"]]
    return "\n".join([head, *known, "", found["text"]])


def _line(key: str, entry: dict[str, Any]) -> str:
    wrong = f"  DANGLING: {entry['path']} is {entry['dangling']}" if entry["dangling"] else ""
    value = entry["value"] if isinstance(entry["value"], str) else json.dumps(entry["value"], ensure_ascii=False)
    return f"{key} (version {entry['version']}{', by ' + entry['by'] if entry['by'] else ''}, {entry['at']}): {value}{wrong}"
