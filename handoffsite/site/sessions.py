"""The page of one record: what a session did, changed and left open, and where it was read from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.records import identity
from handoffsite.records.completed import Completed
from handoffsite.records.dependency import Dependency
from handoffsite.records.item import Value
from handoffsite.records.session import LISTS, SessionRecord, Update
from handoffsite.records.snapshot import Snapshot
from handoffsite.site.dates import when
from handoffsite.site.items import badge, change, commit_address, evidence, link, newest
from handoffsite.site.links import Brief, Targets, excerpt, record_title, shortened
from handoffsite.site.markdown import document, line, prose

_ROOT = "../"


@dataclass(frozen=True, slots=True)
class SessionInputs:
    """Everything that a record's page shows; equal inputs make equal pages.

    *known* holds the target of every ID on the page, *file* is the record's own, *commits* the address under which commits are
    shown, *previous* the record of the session before.
    """

    record: SessionRecord
    known: Mapping[str, Brief]
    file: str
    commits: str
    previous: str


def gather(record: SessionRecord, snapshot: Snapshot, targets: Targets, previous: str) -> SessionInputs:
    """What the page of *record* is made of."""
    ids = [value.id for value in record.items()]
    ids += [update.id for update in record.updates] + [one.id for one in record.retired]
    followed = [other for other in (previous, record.follows) if identity.is_id(other)]
    known = targets.known(_texts(record), (record.id, *ids, *followed, *record.artefacts))
    known = targets.with_newest(known)
    return SessionInputs(record, known, snapshot.files.get(record.id, ""), commit_address(snapshot.project.repository), previous)


def view(inputs: SessionInputs) -> dict[str, Any]:
    """The values that the record's template prints."""
    record, known = inputs.record, inputs.known
    return {
        "title": f"{record.id} {shortened(record_title(record))}",
        "id": record.id,
        "heading": line(record_title(record), known, _ROOT),
        "is_act": record.is_act,
        "focus": prose(record.focus, known, _ROOT),
        "started": when(record.started),
        "ended": when(record.ended or record.recorded),
        "completed": [_completed(value, inputs) for value in record.completed],
        "decisions": [_row(value, value.rationale, known) for value in record.decisions],
        "constraints": [_constraint(value, known) for value in record.constraints],
        "dependencies": [_dependency(value, known) for value in record.dependencies],
        "threads": [_row(value, value.next, known) for value in record.threads],
        "updates": [_update(update, known) for update in record.updates],
        "retired": [
            {"link": _link(known, one.id), "id": one.id, "reason": line(one.reason, known, _ROOT)} for one in record.retired
        ],
        "artefacts": [{"id": id, "link": _link(known, id)} for id in record.artefacts],
        "narrative": document(record.narrative, known, _ROOT) if record.narrative.strip() else "",
        "unfiled": [prose(text, known, _ROOT) for text in record.unfiled],
        "source": record.source,
        "file": inputs.file,
        "transcript": record.transcript,
        "commits": [_commit(name, commit, inputs) for name in ("base", "head") if (commit := getattr(record, name))],
        "unverified": record.unverified,
        "incomplete": record.incomplete,
        "recorded": when(record.recorded),
        "follows": _link(known, record.follows),
        "follows_source": record.follows,
        "previous": _link(known, inputs.previous),
        "newest": newest(known, (record.recorded, record.id)),
    }


def _texts(record: SessionRecord) -> Iterator[str]:
    """Every text on the record's page in which an ID may stand."""
    yield from (record_title(record), record.focus, record.narrative, *record.unfiled)
    for value in record.items():
        yield value.headline
        for name in ("rationale", "outcome", "because", "next"):
            yield getattr(value, name, "")
        yield from (record.quotes[address] for address in value.evidence if address in record.quotes)
    for update in record.updates:
        yield update.reason
        yield from (text for _, text in _changes(update))
    yield from (one.reason for one in record.retired)


def _link(known: Mapping[str, Brief], id: str) -> dict[str, Any] | None:
    return link(known[id], _ROOT) if id in known else None


def _standing(value: Value, known: Mapping[str, Brief]) -> dict[str, Any]:
    """Where *value* stands today; as it was recorded where the fold has no such item."""
    brief = known.get(value.id)
    status = brief.status if brief else value.status
    return {
        "id": brief.id if brief else value.id,
        "href": f"{_ROOT}{brief.url}" if brief else "",
        "part": value.id.rpartition(".")[2],
        "status": status,
        "badge": badge(value.KIND, status),
        "text": line(value.headline, known, _ROOT),
    }


def _completed(value: Completed, inputs: SessionInputs) -> dict[str, Any]:
    record = inputs.record
    proofs = evidence(value.evidence, record.quotes, record.unverified, inputs.commits, inputs.known)
    return {**_standing(value, inputs.known), "evidence": list(proofs)}


def _row(value: Value, more: str, known: Mapping[str, Brief]) -> dict[str, Any]:
    return {**_standing(value, known), "more": line(excerpt(more), known, _ROOT)}


def _constraint(value: Any, known: Mapping[str, Brief]) -> dict[str, Any]:
    outcome, because = (line(excerpt(text), known, _ROOT) for text in (value.outcome, value.because))
    return {**_standing(value, known), "outcome": outcome, "because": because}


def _dependency(value: Dependency, known: Mapping[str, Brief]) -> dict[str, Any]:
    fields = {name: getattr(value, name) for name in ("ecosystem", "name", "before", "after", "file")}
    return {**_standing(value, known), **fields, "change": change(value.change)}


def _update(update: Update, known: Mapping[str, Brief]) -> dict[str, Any]:
    status = update.changes.get("status", "")
    return {
        "link": _link(known, update.id),
        "id": update.id,
        "status": status,
        "changes": [{"field": name, "text": line(text, known, _ROOT)} for name, text in _changes(update)],
        "reason": line(update.reason, known, _ROOT),
        "evidence": update.evidence,
    }


def _changes(update: Update) -> Iterator[tuple[str, str]]:
    """What *update* sets besides the status: each field, and its content in words."""
    for name, content in update.changes.items():
        if name != "status":
            yield name, shortened(", ".join(content) if isinstance(content, tuple) else str(content or "none"), 300)


def _commit(name: str, commit: str, inputs: SessionInputs) -> dict[str, Any]:
    known_to_git = not any(commit.startswith(one) or one.startswith(commit) for one in inputs.record.unverified if one)
    linked = bool(inputs.commits) and known_to_git and commit.isascii() and commit.isalnum()
    return {"name": name, "commit": commit, "href": f"{inputs.commits}{commit}" if linked else "", "unverified": not known_to_git}


def counts(record: SessionRecord) -> list[dict[str, Any]]:
    """How many items of each kind *record* brought, as words for a list."""
    found = []
    for name, kind in LISTS.items():
        number = len(getattr(record, name))
        if number:
            words = "done" if kind == "completed" else kind if number == 1 else name
            found.append({"number": number, "words": words, "kind": kind})
    touched = len(record.updates) + len(record.retired)
    if touched:
        found.append({"number": touched, "words": "updated", "kind": "update"})
    return found
