"""A row of a table under a heading that is known: its columns are the fields of an item."""

from collections.abc import Sequence
from dataclasses import replace

from handoffsite.records import standing
from handoffsite.records.columns import COLUMNS, HEADLINES
from handoffsite.records.dependency import Dependency
from handoffsite.sources import bumps, phrases
from handoffsite.sources.placeholders import is_nothing
from handoffsite.sources.sections import Gathered, Said, no_status, take


def take_row(gathered: Gathered, section: str, head: Sequence[str], cells: Sequence[str], row: Said) -> bool:
    """Read one row of a table under *head* into *gathered*; whether its columns are such that it could be read."""
    names = [name.strip("*_ ").lower() for name in head]
    columns = COLUMNS.get(section, {})
    fields: dict[str, str] = {}
    beyond: list[str] = []
    for place, cell in enumerate(cells):
        name = names[place] if place < len(names) else ""
        known = "id" if name in {"#", "no", "nr"} else columns.get(name, "")
        if known and known not in fields:
            fields[known] = cell
        elif not is_nothing(cell):
            beyond.append(f"{head[place].strip('*_ ')}: {cell}" if name else cell)
    title = fields.get(HEADLINES.get(section, ""), "")
    id = fields.get("id", "")
    if not title and not phrases.identified(id)[0]:
        return False
    if section == "dependencies":
        return _dependency(gathered, bumps.from_row(fields, row.evidence), beyond, row.line)
    if section == "completed" and fields.get("status") and not standing.THREADS.meant(fields["status"])[0]:
        gathered.keep(row.raw, row.line, no_status(fields.pop("status"), standing.THREADS))
    children = [
        f"{name.capitalize()}: {cell}" for name, cell in fields.items() if name not in {"id", HEADLINES[section]} and cell
    ]
    children += [f"Context: {one}" for one in beyond] if section == "decisions" else beyond
    named = f"{id}: {title}" if id and not id.isdecimal() else title
    finished = standing.THREADS.get(standing.THREADS.meant(fields.get("status", ""))[0], "") if section == "completed" else ""
    take(gathered, section, replace(row, text=named, children=children, status=finished or row.status))
    return True


def _dependency(gathered: Gathered, change: Dependency | None, beyond: Sequence[str], line: int) -> bool:
    if change is None:
        return False
    gathered.dependencies.append(change)
    if beyond:
        gathered.keep(
            f"{change.name}: {'; '.join(beyond)}", line, f"more on the dependency {change.name} than a record has fields for"
        )
    return True
