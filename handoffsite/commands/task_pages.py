"""What a project's site shows of the task ledger: the tasks that it sends or receives, who answered for each and when, and who was told."""

from typing import Any

from handoffsite.commands import task
from handoffsite.commands.desk import Desk, address, is_there, opened
from handoffsite.commands.place import Place
from handoffsite.records import ledger
from handoffsite.records.ledger import Event
from handoffsite.records.move import SENDER, Actor
from handoffsite.store import outbox

_SITE = "site"  # it reads alone, and is nobody's role


def of_project(place: Place, project: str) -> list[dict[str, Any]]:
    """Every task of *project*, oldest first, as `task show` has it, with its *responsibility*. None where no ledger is kept here, or it is asked over HTTP."""
    where = address(place)
    if where.startswith(("http://", "https://")) or not is_there(place):
        return []
    actor = Actor(name=_SITE, role=_SITE, projects=(project,))
    with opened(place) as desk:
        return [_told(desk, actor, id) for id in _ids(desk, actor)]


def _ids(desk: Desk, actor: Actor) -> list[str]:
    found: list[str] = []
    after: int | None = 0
    while after is not None:
        page = task.listed(desk, actor, after=after, limit=task.MOST)
        found += [one["id"] for one in page["tasks"]]
        after = page["next"]
    return found


def _told(desk: Desk, actor: Actor, id: str) -> dict[str, Any]:
    found, entries = desk.ledger.told(id, actor)
    deliveries = outbox.listed(desk.ledger.engine, task=id)
    return {
        **task.mapping(found),
        "history": [task.event_mapping(one) for one in entries],
        "deliveries": [task.delivery_mapping(one) for one in deliveries],
        "responsibility": _responsibility([one.event for one in entries]),
    }


def _responsibility(events: list[Event]) -> list[dict[str, Any]]:
    """Who answered for it, from when until when: one entry for each stretch in which nobody else did."""
    turns: list[tuple[str, str]] = []
    for place, event in enumerate(events, 1):
        party = ledger.replay(events[:place]).responsible
        if not turns or turns[-1][0] != party:
            turns.append((party, event.at))
    packet = ledger.replay(events).packet.said
    ended = [*(at for _, at in turns[1:]), ""]
    sides = {party: "from" if party == SENDER else "to" for party, _ in turns}
    return [
        {
            "role": packet[f"{sides[party]}_role"],
            "project": packet[f"{sides[party]}_project"],
            "since": since,
            "until": until or None,
        }
        for (party, since), until in zip(turns, ended, strict=True)
        if party
    ]
