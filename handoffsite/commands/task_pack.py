"""`task pack`: the packet of a task, and the part of the project that it needs, under one budget; all of it quoted, as data."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from handoffsite import pack as packs
from handoffsite.commands import pack as projects
from handoffsite.commands.desk import Desk
from handoffsite.errors import UsageError
from handoffsite.records import identity
from handoffsite.records.budget import tokens
from handoffsite.records.ledger import Task
from handoffsite.records.move import RECEIVER, Actor
from handoffsite.records.suspicion import suspicions

LEAST, LIMIT = 2 * packs.LEAST, packs.LIMIT
_LONG, _SHORT = 600, 120  # characters of one line of the packet
_ASKED = 4_000  # characters of what the project is asked for


def pack(desk: Desk, actor: Actor, id: str, *, limit: int = packs.LIMIT) -> dict[str, Any]:
    """What a session should start the task with, in at most *limit* tokens: at most half of them for the packet, the rest for the project.

    The project is the receiver's, or the sender's for an actor that works on nothing else. What did not fit is counted.
    """
    if limit < LEAST:
        raise UsageError(f"a budget of {limit} tokens is too small for a task's context pack", hint=f"give at least {LEAST}")
    found = desk.ledger.task(id, actor)
    said = list(_lines(found, _LONG))
    if tokens("".join(said)) > limit // 2:
        said = list(_lines(found, _SHORT))
    head, left = _cut(said, limit // 2)
    told: dict[str, Any] = {
        "text": "",
        "left_out": {},
        "suspicious": {},
        "stale": False,
        "warnings": [],
        "project": _project(found, actor),
    }
    boundary = desk.boundary_of(told["project"])
    if boundary is None:
        told["warnings"] = [f"{told['project']} cannot be reached from here: this is the packet alone"]
    else:
        told |= projects.pack_of(desk.place, boundary, _asked(found), limit=limit - tokens(head) - 1)
    text = head + told["text"]
    says = suspicions(_texts(found.packet.said))
    warnings = [f"{id} reads like an order to an agent: {', '.join(says)}"] if says else []
    return {
        **told,
        "for": id,
        "task": id,
        "version": found.version,
        "state": found.state,
        "text": text,
        "budget": {"limit": limit, "used": tokens(text)},
        "left_out": {"packet": left, **told["left_out"]},
        "suspicious": {**({id: list(says)} if says else {}), **told["suspicious"]},
        "warnings": [*warnings, *told["warnings"]],
    }


def _project(found: Task, actor: Actor) -> str:
    said = found.packet.said
    is_theirs = RECEIVER in actor.parties(found.packet) or actor.works_on(str(said["to_project"]))
    return str(said["to_project" if is_theirs else "from_project"])


def _asked(found: Task) -> str:
    """What of the project is wanted: what the packet is about."""
    said = found.packet.said
    words = [
        said["goal"],
        *(one["statement"] for one in said["hypotheses"]),
        *said["acceptance"],
        *map(_fact, said["known_facts"]),
    ]
    text = "\n".join(words)[:_ASKED]
    return f"about {text}" if identity.is_id(text) else text  # a goal may be no more than an ID of somebody else's


def _lines(found: Task, most: int) -> Iterator[str]:
    """The packet, line by line, what matters most first."""
    said = found.packet.said
    authority = "active for the receiver" if found.is_active else "not active"
    yield f"Task {found.id}, version {found.version}, {found.state}: {said['from_role']} of {said['from_project']} to {said['to_role']} of {said['to_project']}.\n"
    yield f"- goal: {packs.quoted(said['goal'], most)}\n"
    for title, entries in (
        ("Acceptance", said["acceptance"]),
        ("Known facts (verified by the sender)", [_fact(one) for one in said["known_facts"]]),
        ("Hypotheses (no facts)", [f"{one['statement']} [{one['status']}]" for one in said["hypotheses"]]),
        (f"Authority ({authority})", [f"{name}: {', '.join(entries)}" for name, entries in said["authority"].items() if entries]),
        ("Artifacts", [f"{one['uri']} version {one['version']}" for one in said["artifacts"]]),
        ("Next required", [said["next_required"]] if said["next_required"] else []),
        ("Write-conflict domains", [f"{one['kind']}: {one['name']}" for one in said["domains"]]),
    ):
        yield from (
            f"{f'## {title}{chr(10)}' if place == 0 else ''}- {packs.quoted(one, most)}\n" for place, one in enumerate(entries)
        )


def _cut(lines: list[str], limit: int) -> tuple[str, int]:
    """As many of *lines* as *limit* tokens hold, and how many are left out."""
    kept: list[str] = []
    for line in lines:
        if tokens("".join((*kept, line))) > limit:
            break
        kept.append(line)
    return "".join(kept), len(lines) - len(kept)


def _fact(one: str | Mapping[str, Any]) -> str:
    return one if isinstance(one, str) else ", ".join(f"{name}: {_scalar(content)}" for name, content in one.items())


def _scalar(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _texts(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _texts(entry)
