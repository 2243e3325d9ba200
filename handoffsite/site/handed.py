"""What agents hand to each other: artefacts with their chains and verdicts, and the mail between planner and executor."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from handoffsite.records.artefact import Artefact
from handoffsite.records.findings import REJECTED
from handoffsite.records.mail import Message
from handoffsite.records.snapshot import Snapshot
from handoffsite.records.suspicion import suspicions
from handoffsite.site.dates import when
from handoffsite.site.items import badge, link
from handoffsite.site.links import Brief, Targets, address, shortened
from handoffsite.site.listing import Listing
from handoffsite.site.markdown import document, line, plain

_ROOT = "../"
_TITLE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Handed:
    """An artefact's or a message's page: all that it depends on."""

    value: Artefact | Message
    known: Mapping[str, Brief]
    chain: tuple[str, ...] = ()
    reviews: tuple[tuple[str, str, str], ...] = ()  # name, verdict, role
    producer: str = ""  # the session whose log shows it


def listings(snapshot: Snapshot, targets: Targets) -> Iterator[Listing]:
    """The list of artefacts and the list of messages, the newest first."""
    revised = {one.follows for one in snapshot.artefacts}
    rejected = {one.about for one in snapshot.artefacts if one.verdict == REJECTED}
    row = partial(_artefact_row, targets, revised, rejected)
    yield Listing(
        "artefacts/index.html", "artefacts.html", "artefacts", "Artefacts", list(reversed(snapshot.artefacts)), row, by="kind"
    )
    messages = sorted(snapshot.mail, key=lambda one: (one.sent, one.id), reverse=True)
    yield Listing("mail/index.html", "mail.html", "mail", "Mail", messages, partial(_message_row, targets), by="group")


def gather(snapshot: Snapshot, targets: Targets) -> Iterator[tuple[str, str, Handed]]:
    """Address, template and inputs of the page of each artefact and each message."""
    named = {one.name: one for one in snapshot.artefacts}
    producers = {id: record.id for record in snapshot.records for id in record.artefacts}
    for one in snapshot.artefacts:
        chain = _chain(one, named, snapshot.artefacts)
        reviews = tuple(
            (review.name, review.verdict, review.by)
            for review in snapshot.artefacts
            if review.about and review.about in {one.name, one.path} and review.verdict
        )
        producer = producers.get(one.id, "")
        names = (*chain, *(name for name, _, _ in reviews), one.about, producer)
        known = targets.known((one.text, one.title), [name for name in names if name])
        yield address(one.name), "artefact.html", Handed(one, known, chain, reviews, producer)
    for message in snapshot.mail:
        known = targets.known((message.text,), message.despite)
        yield address(message.id), "message.html", Handed(message, known)


def view(inputs: Handed) -> dict[str, Any]:
    """The values of the page."""
    value = inputs.value
    values = _artefact(value, inputs) if isinstance(value, Artefact) else _message(value, inputs)
    orders = list(suspicions((value.text,)))
    newest = {"tag": values["id"] or values["path"], "when": values["created"]}
    return {**values, "text": document(value.text, inputs.known, _ROOT), "orders": orders, "newest": newest}


def _artefact(one: Artefact, inputs: Handed) -> dict[str, Any]:
    return {
        "title": shortened(one.title or one.path),
        "heading": line(shortened(one.title or one.path, _TITLE_CHARACTERS), inputs.known, _ROOT),
        "id": one.id,
        "kind": one.kind,
        "by": one.by,
        "path": one.path,
        "revision": one.revision,
        "created": when(one.created),
        "badge": badge("review", one.verdict),
        "about": _linked(inputs, one.about),
        "session": _linked(inputs, inputs.producer),
        "chain": [{**_linked(inputs, name), "is_here": name == one.name} for name in inputs.chain],
        "reviews": [
            {**_linked(inputs, name), "badge": badge("review", verdict), "by": by} for name, verdict, by in inputs.reviews
        ],
        "ours": one.is_ours,
    }


def _message(one: Message, inputs: Handed) -> dict[str, Any]:
    return {
        "title": shortened(one.title or one.id),
        "heading": plain(shortened(one.title, _TITLE_CHARACTERS)),
        "id": one.id,
        "to": one.to,
        "by": one.sender,
        "created": when(one.sent),
        "taken": {"by": one.taken.by, "when": when(one.taken.at), "generation": one.taken.generation} if one.taken else None,
        "cleared": when(one.cleared) if one.cleared else None,
        "badge": badge("mail", one.status),
        "despite": [_linked(inputs, id) for id in one.despite],
    }


def _linked(inputs: Handed, name: str) -> dict[str, Any]:
    brief = inputs.known.get(name)
    return {
        "name": name,
        "tag": link(brief, _ROOT)["tag"] if brief else plain(name),
        "title": brief.title if brief else "",
    }


def _artefact_row(targets: Targets, revised: set[str], rejected: set[str], one: Artefact, root: str) -> dict[str, Any]:
    status = "revised" if one.name in revised else "rejected" if {one.name, one.path} & rejected else one.verdict
    return {
        "id": one.id,
        "href": f"{root}{address(one.name)}",
        "text": plain(shortened(one.title or one.path, _TITLE_CHARACTERS)),
        "is_link": True,
        "kind": one.kind,
        "status": status,
        "badge": badge("review", status),
        "by": one.by,
        "revision": one.revision,
        "path": one.path,
        "since": when(one.created),
        "about": link(brief, root) if (brief := targets.get(one.about)) else None,
    }


def _message_row(targets: Targets, one: Message, root: str) -> dict[str, Any]:
    del targets
    return {
        "id": one.id,
        "href": f"{root}{address(one.id)}",
        "text": plain(shortened(one.title or one.id, _TITLE_CHARACTERS)),
        "is_link": True,
        "kind": "mail",
        "status": one.status,
        "badge": badge("mail", one.status),
        "by": one.sender,
        "to": one.to,
        "since": when(one.sent),
        "group": "Cleared" if one.cleared else f"For the {one.to}",
    }


def _chain(found: Artefact, named: Mapping[str, Artefact], all: tuple[Artefact, ...]) -> tuple[str, ...]:
    """The revisions of one thing, the first one first; empty where there is only one."""
    chain = [found]
    while (before := named.get(chain[0].follows)) and before not in chain:
        chain.insert(0, before)
    while after := next((one for one in all if one.follows == chain[-1].name and one not in chain), None):
        chain.append(after)
    return tuple(one.name for one in chain) if len(chain) > 1 else ()
