"""What can be found: one document for each item of a project and one for each of its sessions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from handoffsite import durable
from handoffsite.records import identity
from handoffsite.records.artefact import Artefact
from handoffsite.records.handoff import Handoff
from handoffsite.records.item import Item
from handoffsite.records.mail import Message
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.search import tokens

_PAGES = {"decision": "decisions", "constraint": "constraints", "thread": "threads"}
# The fields that are read as text beside the title, in the order in which a reader asks for them.
_SAID = {
    "decision": ("rationale", "context", "alternatives", "supersedes", "topic"),
    "constraint": ("outcome", "because", "topic"),
    "dependency": ("ecosystem", "file"),
    "thread": ("next",),
}
_COMMIT = "commit:"
_SEPARATOR = "\0"

# Positions in the title are below this, those of all else at or above it: a phrase never reaches from one into the other.
BODY = 1 << 24
# What an item is called, as a term of its own; a sign stands before it that is in no term of a text.
NAME = "="


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What the index knows of one item or session.

    *live* says whether it still holds; *names* are all IDs by which it goes; *date* is when it was recorded; *url* is relative to
    the project's site.
    """

    id: str
    kind: str
    status: str
    live: bool
    title: str
    body: str
    date: str
    topic: str
    session: str
    url: str
    names: tuple[str, ...]

    @property
    def digest(self) -> str:
        """What tells this document from an earlier one of the same ID."""
        parts = (
            self.id,
            self.kind,
            self.status,
            str(self.live),
            self.title,
            self.body,
            self.date,
            self.topic,
            self.session,
            self.url,
        )
        return durable.digest(_SEPARATOR.join((*parts, *self.names)).encode("utf-8", "surrogatepass"))[:32]


def terms(document: Document) -> tuple[dict[str, list[int]], int]:
    """Every term of *document* and its positions, ascending; and the document's length in positions, without its names."""
    found, title = tokens.places(document.title)
    body, end = tokens.places(document.body, BODY)
    length = title + end - BODY
    for name in document.names:
        own, end = tokens.places(name, end + 1)
        _join(body, own)
    _join(found, body)
    found |= {NAME + name: [0] for name in _names(document)}
    return found, length


def documents(snapshot: Snapshot, ids: frozenset[str] | None = None) -> Iterator[Document]:
    """Everything in *snapshot* that a search can find, items before sessions; acts are told by the items that they touch.

    Of items and sessions only those of *ids*, where they are given.
    """
    records = {record.id: record for record in snapshot.records}
    others: dict[str, list[str]] = {}
    for alias, id in snapshot.aliases.items():
        others.setdefault(id, []).append(alias)
    for item in snapshot.items.values():
        if ids is not None and item.id not in ids:
            continue
        yield _of_item(item, (item.id, *sorted({*others.get(item.id, ()), *item.aliases})), records)
    for record in snapshot.sessions:
        if ids is not None and record.id not in ids:
            continue
        yield _of_session(record, tuple(sorted(others.get(record.id, ()))), snapshot)
    for message in snapshot.mail:
        yield _of_message(message)
    for artefact in snapshot.artefacts:
        yield _of_artefact(artefact)
    for handoff in snapshot.handoffs:
        yield _of_handoff(handoff)


def _of_artefact(artefact: Artefact) -> Document:
    return Document(
        id=artefact.name,
        kind="artefact",
        status=artefact.verdict or "recorded",
        live=True,
        title=artefact.title,
        body=_lines(artefact.text, artefact.path, artefact.by, artefact.kind, artefact.about),
        date=artefact.created,
        topic="",
        session="",
        url=f"artefacts/{artefact.id or f'file-{identity.digest(artefact.path)[:12]}'}.html",
        names=(artefact.name,),
    )


def _of_handoff(handoff: Handoff) -> Document:
    said = handoff.contract.said
    checks = (f"{one['id']}: {one['assertion']} {one.get('verificationCommand', '')}" for one in said["acceptance"])
    parties = f"{handoff.contract.issuer} {handoff.contract.assignee} {said['assignee']['role']}"
    reasons = (one.reason for one in handoff.history)
    return Document(
        id=handoff.id,
        kind="handoff",
        status=handoff.state,
        live=handoff.state not in {"cancelled", "failed"},
        title=handoff.contract.objective,
        body=_lines(parties, *said["constraints"], *checks, *(one["uri"] for one in said["inputs"]), *reasons),
        date=handoff.history[0].at,
        topic="",
        session="",
        url=f"handoffs/{handoff.id}.html",
        names=(handoff.id,),
    )


def _join(found: dict[str, list[int]], later: Mapping[str, list[int]]) -> None:
    for term, places in later.items():
        if term in found:
            found[term] += places
        else:
            found[term] = places


def _names(document: Document) -> Iterator[str]:
    """The terms that mean *document* itself, short forms of IDs included."""
    for name in document.names:
        own, _ = tokens.split(name)
        if own:
            yield own[0][1]
        if identity.is_id(name):
            yield identity.parse(name).short.lower()


def _of_item(item: Item, names: tuple[str, ...], records: Mapping[str, SessionRecord]) -> Document:
    value = item.value
    page = _PAGES.get(item.kind)
    return Document(
        id=item.id,
        kind=item.kind,
        status=item.status,
        live=item.is_live,
        title=item.title,
        body=_lines(*_said(item), *(step.reason for step in item.steps), *_evidence(item, records)),
        date=item.defined,
        topic=getattr(value, "topic", ""),
        session=item.session,
        url=f"{page}/{item.id}.html" if page else _place(item.id),
        names=names,
    )


def _of_session(record: SessionRecord, others: tuple[str, ...], snapshot: Snapshot) -> Document:
    words = [(one.id, one.reason) for one in record.updates] + [(one.id, one.reason) for one in record.retired]
    touched = (snapshot.get(id) for id, _ in words)
    titles = dict.fromkeys((*(value.headline for value in record.items()), *(item.title for item in touched if item)))
    return Document(
        id=record.id,
        kind="session",
        status="incomplete" if record.incomplete else "recorded",
        live=True,
        title=record.title or next(iter(titles), "") or record.id,
        body=_lines(
            record.focus, record.narrative, *titles, *(reason for _, reason in words), *record.unfiled, record.base, record.head
        ),
        date=record.recorded,
        topic="",
        session=record.id,
        url=f"sessions/{record.id}.html",
        names=(record.id, *others, record.source, record.source.partition(":")[2]),
    )


def _of_message(message: Message) -> Document:
    return Document(
        id=message.id,
        kind="mail",
        status=message.status,
        live=not message.cleared,
        title=message.title,
        body=_lines(message.text, *message.despite, message.sender),
        date=message.sent,
        topic="",
        session="",
        url=f"mail/{message.id}.html",
        names=(message.id,),
    )


def _place(id: str) -> str:
    """Where an item without a page of its own stands: on that of the session in its ID."""
    session, _, part = id.partition(".")
    return f"sessions/{session}.html#{part}"


def _said(item: Item) -> Iterator[str]:
    for name in _SAID.get(item.kind, ()):
        content = getattr(item.value, name)
        yield "; ".join(content) if isinstance(content, tuple) else content


def _evidence(item: Item, records: Mapping[str, SessionRecord]) -> Iterator[str]:
    """The lines that *item* came from, and the commits that prove it."""
    steps = ((item.session, item.value.evidence), *((step.record, step.evidence) for step in item.steps))
    for session, addresses in steps:
        quotes = records[session].quotes if session in records else {}
        for address in addresses:
            yield quotes.get(address, "")
            if address.startswith(_COMMIT):
                yield address.removeprefix(_COMMIT)


def _lines(*parts: str) -> str:
    return "\n".join(dict.fromkeys(part for part in parts if part))
