"""One draft from note, log and git: a note decides and a log proves.

An item of the note that the log bears out gains its evidence, and becomes proven; what the note missed comes after it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from handoffsite.extract.reconcile import alike
from handoffsite.extract.session import Extraction
from handoffsite.records.completed import Completed
from handoffsite.records.dependency import Dependency
from handoffsite.records.note import Note
from handoffsite.records.session import SessionRecord


def draft(record: SessionRecord, note: Note | None, log: Extraction | None, git: Sequence[Dependency]) -> SessionRecord:
    """*record* with everything that *note*, *log* and *git* say of the session, each thing once."""
    lists: dict[str, Any] = {}
    for name in ("completed", "decisions", "constraints"):
        lists[name] = _borne_out(getattr(note, name, ()), getattr(log, name, ()))
    lists["dependencies"] = _strongest(git, note.dependencies if note else (), log.dependencies if log else ())
    lists["threads"] = note.threads if note and note.threads else log.threads if log else ()
    if note:
        lists |= {"updates": note.updates, "retired": note.retired, "unfiled": note.unfiled, "narrative": note.narrative}
    for name in ("title", "focus"):
        lists[name] = getattr(note, name, "") or getattr(log, name, "")
    if log:
        lists |= {"quotes": log.quotes, "messages": log.messages}
    return replace(record, **lists)


def _borne_out(said: Sequence[Any], shown: Sequence[Any]) -> tuple[Any, ...]:
    """The note's items with the evidence of the log's items that say the same, then the log's other items."""
    left = list(shown)
    found = []
    for value in said:
        match = max(left, key=lambda other: alike(value.headline, other.headline), default=None)
        if match is not None and alike(value.headline, match.headline) >= 0.5:
            left.remove(match)
            status = {"status": "proven"} if isinstance(value, Completed) and match.status == "proven" else {}
            value = replace(value, evidence=_union(value.evidence, match.evidence), **status)  # noqa: PLW2901
        found.append(value)
    # What rests on the same lines as an item of the note is a part of it, not something that the note missed.
    told = {address for value in found for address in value.evidence if address.startswith("transcript:")}
    return (*found, *(other for other in left if not (isinstance(other, Completed) and told.intersection(other.evidence))))


def _strongest(*sources: Iterable[Dependency]) -> tuple[Dependency, ...]:
    """Each change once, as the first of *sources* to name it says, with the evidence of all."""
    found: dict[tuple[str, str], list[Dependency]] = {}
    order: list[tuple[tuple[str, str], int]] = []
    for source in sources:
        earlier = dict(found)
        for one in source:
            name = (one.ecosystem, re.sub(r"[-_.]+", "-", one.name).casefold())
            if name in earlier:
                first = earlier[name][0]
                earlier[name][0] = replace(first, evidence=_union(first.evidence, one.evidence))
            else:
                found.setdefault(name, []).append(one)
                order.append((name, len(found[name]) - 1))
    return tuple(found[name][place] for name, place in order)


def _union(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
