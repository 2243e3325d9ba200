"""STATE.md: only what the next session needs, within a budget, and a count of what was left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffsite.records import grammar
from handoffsite.records.budget import Budget, tokens
from handoffsite.records.item import Item
from handoffsite.records.pattern import lazy
from handoffsite.records.visible import visible

SCHEMA = "handoffsite/state@1"
NONE = "_None._"
FOCUS_BYTES = 1_200
UNFILED_BYTES = 1_600
CLEARED = "_None._"  # a record's `unfiled` that begins with it says that what earlier records left unfiled is settled

SECTIONS = ("focus", "threads", "decisions", "constraints", "unfiled", "archived")
COLUMNS = {
    "threads": ("ID", "Status", "Thread", "Next"),
    "decisions": ("ID", "Status", "Decision", "Rationale"),
    "constraints": ("ID", "Status", "Tried", "Outcome", "Because"),
}
FIELDS = {
    "threads": ("title", "next"),
    "decisions": ("title", "rationale"),
    "constraints": ("tried", "outcome", "because"),
}

# What a line of text may begin with that would be taken for a part of the file around it.
_STRUCTURE = lazy(r"#{1,6}(?:\s|$)|`{3}|~{3}|[|>]|<!--|-{3}|={3}|<{7}|\*\*|__|[-*+•] |\d+[.)] |\\")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What STATE.md shows.

    *threads*, *decisions* and *constraints* are live items in the order of definition; *decisions* may be only the most recently
    touched ones, *decided* is how many there are. *proposed* counts what waits for `review`, *archived* what stands in the archive,
    by kind; *unfiled* holds texts that fit nowhere and that nobody has filed yet. *generation* is the number of records folded,
    *record_set* their digest.
    """

    project: str
    generation: int
    record_set: str
    updated: str = ""
    session: str = ""
    head: str = ""
    limit: int
    focus: str = ""
    threads: Sequence[Item] = ()
    decisions: Sequence[Item] = ()
    decided: int = 0
    constraints: Sequence[Item] = ()
    unfiled: Sequence[str] = ()
    proposed: int = 0
    archived: Mapping[str, int] = field(default_factory=dict)


def most_decisions(limit: int) -> int:
    """How many decisions can stand in a state of *limit* tokens at the very most: a row costs thirty bytes or more."""
    return limit * 4 // 30 + 1


def dumps(state: State) -> tuple[str, Budget]:
    """The text of STATE.md, sealed, and how much of the budget it uses.

    Where not everything fits, decisions shrink first, least recently touched first, to ID and title, then to a count; then
    constraints shrink to ID and what was tried. A constraint is never left out: what is not read is tried again.
    """
    rows = {name: [_row(item, FIELDS[name]) for item in getattr(state, name)] for name in COLUMNS}
    bare = _render(state, {name: [] for name in COLUMNS}, left_out=0, used=state.limit)
    room = state.limit * 4 - len(bare.encode()) - _heads() - _bytes(rows["threads"])
    short = {
        name: [_row(item, FIELDS[name][:1], len(COLUMNS[name])) for item in getattr(state, name)]
        for name in ("decisions", "constraints")
    }
    recency = sorted(range(len(rows["decisions"])), key=lambda place: state.decisions[place].touched)
    decisions = _shrink(rows["decisions"], short["decisions"], recency, room - _bytes(rows["constraints"]))
    constraints = rows["constraints"]
    if not any(decisions):
        constraints = _shrink(constraints, short["constraints"], range(len(constraints)), room, drop=False)
    shown = {"threads": rows["threads"], "decisions": [row for row in decisions if row], "constraints": constraints}
    left_out = max(state.decided, len(decisions)) - len(shown["decisions"])
    used = state.limit
    for _ in range(3):  # the figure is a part of what it counts
        text = _render(state, shown, left_out=left_out, used=used)
        used = tokens(text)
    return text, Budget(state.limit, used)


def row_of(item: Item) -> str:
    """The whole row of *item* in the table of its kind."""
    return _row(item, FIELDS[f"{item.kind}s"])


def mapping(state: State, budget: Budget) -> dict[str, Any]:
    """The state as `state --json` prints it, without what only the caller knows (whether it is stale)."""
    return {
        "project": state.project,
        "generation": state.generation,
        "focus": state.focus,
        **{name: [_cells(item, FIELDS[name]) for item in getattr(state, name)] for name in COLUMNS},
        "proposed": state.proposed,
        "budget": {"limit": budget.limit, "used": budget.used, "over": budget.over},
    }


def _cells(item: Item, names: Sequence[str]) -> dict[str, Any]:
    return {"id": item.id, "status": item.status, **{name: getattr(item.value, name) for name in names}}


def _row(item: Item, names: Sequence[str], width: int = 0) -> str:
    cells = [item.id, item.status, *(grammar.cell(visible(getattr(item.value, name))) for name in names)]
    cells += [""] * (width - len(cells))
    return "| " + " | ".join(cells) + " |\n"


def _bytes(rows: Sequence[str]) -> int:
    return sum(len(row.encode("utf-8", "surrogatepass")) for row in rows)


def _heads() -> int:
    return sum(len(_head(name)) for name in COLUMNS)


def _shrink(full: list[str], short: list[str], oldest_first: Sequence[int], room: int, *, drop: bool = True) -> list[str]:
    """Rows that fit in *room* bytes as far as possible: each in full, or short, or (with *drop*) empty."""
    rows = list(full)
    over = _bytes(rows) - room
    for smaller in (short, [""] * len(full)) if drop else (short,):
        for place in oldest_first:
            if over <= 0:
                return rows
            over -= len(rows[place].encode("utf-8", "surrogatepass")) - len(smaller[place].encode("utf-8", "surrogatepass"))
            rows[place] = smaller[place]
    return rows


def _head(name: str) -> str:
    columns = COLUMNS[name]
    return "| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns) + "\n"


def _render(state: State, rows: Mapping[str, Sequence[str]], *, left_out: int, used: int) -> str:
    budget = {"limit": state.limit, "used": used, "over": "true" if used > state.limit else "false"}
    front = {"schema": SCHEMA, "project": state.project, "generation": state.generation, "updated": state.updated}
    front |= {"session": state.session, "head": state.head}
    lines = ["---\n", *(f"{key}: {grammar.flow(content)}\n" for key, content in front.items() if content != "")]
    lines += [f"budget: {{limit: {budget['limit']}, used: {budget['used']}, over: {budget['over']}}}\n", "---\n"]
    lines += ["\n## Focus\n\n", f"{_focus(state)}\n"]
    for name in COLUMNS:
        lines += [f"\n## {name.capitalize()}\n\n"]
        lines += [_head(name), *rows[name]] if rows[name] else [f"{NONE}\n"] if not (name == "decisions" and left_out) else []
        if name == "decisions" and left_out:
            noun = "decision" if left_out == 1 else "decisions"
            lines.append(f"\n{left_out} more {noun}: `handoffsite search --kind decision`\n")
    lines += _unfiled(state.unfiled)
    lines += ["\n## Archived\n\n", *(f"{line}\n" for line in _archived(state))]
    return grammar.seal("".join(lines), f"state generation={state.generation} records={state.record_set[:16]}")


def _focus(state: State) -> str:
    focus = grammar.one_line(visible(state.focus)) or NONE
    focus = f"\\{focus}" if _STRUCTURE.match(focus) else focus
    if len(focus.encode()) <= FOCUS_BYTES:
        return focus
    return focus.encode()[:FOCUS_BYTES].decode("utf-8", "ignore").rstrip() + f" … (whole in {state.session})"


def focus_of(line: str) -> str:
    """The focus that *line* shows: `_focus` undone."""
    return line[1:] if line.startswith("\\") and _STRUCTURE.match(line[1:]) else line


def _unfiled(texts: Sequence[str]) -> list[str]:
    """The section that quotes *texts*, as far as they fit: quoted, because a heading in them must open no section."""
    lines: list[str] = []
    room = UNFILED_BYTES
    for place, text in enumerate(texts):
        quoted = "".join(f"> {line}".rstrip() + "\n" for line in visible(text).strip().split("\n"))
        room -= len(quoted.encode("utf-8", "surrogatepass"))
        if room < 0:
            lines.append(f"\n{len(texts) - place} more unfiled: `handoffsite log` names their records\n")
            break
        lines.append(f"\n{quoted}")
    return ["\n## Unfiled\n", *lines] if lines else []


def _archived(state: State) -> list[str]:
    counts = ", ".join(
        f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in state.archived.items() if count
    )
    lines = [f"{counts} in archive/" if counts else NONE]
    if state.proposed:
        lines.append(f"\n{state.proposed} proposed: `handoffsite review`")
    return lines
