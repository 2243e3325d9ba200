"""`add`: record one item outside a session."""

import uuid
from dataclasses import dataclass
from typing import Any

from handoffsite.commands.place import Place, find_boundary
from handoffsite.commands.writing import act, writing
from handoffsite.extract import reconcile
from handoffsite.records import entry, session
from handoffsite.records.item import TYPES, Value
from handoffsite.records.session import LISTS
from handoffsite.records.visible import invisible


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """The item as it stands, whether it was *created* just now, and the record that holds it."""

    value: Value
    created: bool
    session: str
    warnings: tuple[str, ...] = ()

    def mapping(self) -> dict[str, Any]:
        """As `add --json` prints it."""
        return {
            **entry.dumps(self.value),
            "kind": self.value.KIND,
            "session": self.session,
            "created": self.created,
            "warnings": list(self.warnings),
        }


def add(
    place: Place, kind: str, fields: dict[str, Any], *, generation: int | None = None, source: uuid.UUID | None = None
) -> Added:
    """Record a decision, a constraint or a thread; one that is known and holds is referred to, not recorded twice.

    What was recorded under the same *source* before stands, whatever is said now.
    """
    boundary = find_boundary(place)
    value = TYPES[kind](**fields)
    name = next(name for name, of in LISTS.items() if of == kind)
    with writing(place, boundary, generation) as writer:
        earlier = writer.fold.of_source(f"{session.ACT}{source}") if source else []
        if earlier:
            return Added(value=next(earlier[0].items()), created=False, session=earlier[0].id)
        supersedes = tuple(writer.fold.resolve(id) for id in fields.get("supersedes", ()))
        if supersedes:
            value = TYPES[kind](**{**fields, "supersedes": supersedes})
        record = act(place, boundary, f"Add {kind}: {value.headline}"[:100], source=source, **{name: (value,)})
        new, _ = reconcile.new_only(record, writer.fold)
        if not any(new.items()):
            known = writer.fold.get(new.updates[0].id) if new.updates else None
            item = known or writer.fold.said(next(record.items()))
            return Added(value=item.value, created=False, session=item.session)
        written = writer.append(new)
    added = next(written.items())
    hidden = [one for content in entry.texts(added) for one in invisible(content)]
    said = [f"characters that no reader sees are shown as [U+XXXX]: {', '.join(dict.fromkeys(hidden))}"] if hidden else []
    return Added(value=added, created=True, session=written.id, warnings=(*writer.warnings, *said))
