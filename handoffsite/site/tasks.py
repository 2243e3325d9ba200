"""The tasks of a project as pages: a board by state, and for each task who answered for it, what moved it, and apart from that who was told."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handoffsite.records import identity
from handoffsite.records.lifecycle import TASK
from handoffsite.site.dates import when
from handoffsite.site.items import badge
from handoffsite.site.links import shortened
from handoffsite.site.listing import Listing
from handoffsite.site.markdown import plain
from handoffsite.site.markup import Html, escape

Task = Mapping[str, Any]

_CHARACTERS = 300  # of one text in a row
_WIDE, _HIGH, _ROW = 720, 18, 30
_LABEL = 150
_MOST_FACTS = 200


def address(id: str) -> str:
    """The permanent address of the task *id*. Names that only case tells apart are told apart by a digest."""
    return f"tasks/task-{id.lower()}{'' if id == id.lower() else f'-{identity.digest(id)[:6]}'}.html"


def listing(tasks: Sequence[Task]) -> Listing:
    """Every task, by its state."""
    order = list(TASK.moves)
    newest_first = list(reversed(tasks))
    rows = sorted(newest_first, key=lambda one: order.index(one["state"]))
    return Listing("tasks/index.html", "tasks.html", "tasks", "Tasks", rows, _row)


def gather(tasks: Sequence[Task]) -> Iterator[tuple[str, Task]]:
    """The address of each task's page, and what it is made of."""
    for one in tasks:
        yield address(one["id"]), one


def view(task: Task) -> dict[str, Any]:
    """The values of a task's page."""
    packet = task["packet"]
    return {
        "title": shortened(task["title"]),
        "id": task["id"],
        "badge": badge("task", task["state"]),
        "version": task["version"],
        "heading": plain(shortened(task["title"], _CHARACTERS)),
        "sender": {"role": task["from_role"], "project": task["from_project"]},
        "receiver": {"role": task["to_role"], "project": task["to_project"]},
        "responsible": task["responsible"],
        "missing": task["missing"],
        "drawing": drawing(task),
        "turns": [
            {**one, "since": when(one["since"]), "until": when(one["until"]) if one["until"] else None}
            for one in task["responsibility"]
        ],
        "facts": [_fact(one) for one in packet["known_facts"][:_MOST_FACTS]],
        "hypotheses": packet["hypotheses"],
        "artifacts": packet["artifacts"],
        "authority": {name: entries for name, entries in packet["authority"].items() if entries},
        "active": task["authority"]["active"],
        "acceptance": packet["acceptance"],
        "next_required": packet["next_required"],
        "domains": packet["domains"],
        "trace": [_step(one) for one in task["history"]],
        "deliveries": [_delivery(one) for one in task["deliveries"]],
        "newest": {"tag": plain(task["id"]), "when": when(task["updated"] or "")},
    }


def drawing(task: Task) -> Html:
    """Who answered for it over time: a bar for each stretch, the sender's above the receiver's; the table beside it says the same."""
    turns = [one for one in task["responsibility"] if _moment(one["since"])]
    moments = [moment for one in task["history"] if (moment := _moment(one["at"]))]
    if not turns or not moments:
        return Html("")
    start, end = min(moments), max(moments)
    length = max((end - start).total_seconds(), 1.0)
    names = list(dict.fromkeys((one["role"], one["project"]) for one in turns))
    parts = []
    for row, (role, project) in enumerate(names):
        y = row * _ROW + 6
        parts.append(f'<text x="0" y="{y + 13}">{escape(shortened(f"{role}, {project}", 24))}</text>')
        for one in turns:
            if (one["role"], one["project"]) == (role, project):
                since = (_moment(one["since"]) or start) - start
                until = (_moment(one["until"] or "") or end) - start
                x = _LABEL + since.total_seconds() / length * (_WIDE - _LABEL)
                wide = max((until - since).total_seconds() / length * (_WIDE - _LABEL), 2.0)
                parts.append(f'<rect class="turn" x="{x:.1f}" y="{y}" width="{min(wide, _WIDE - x):.1f}" height="{_HIGH}"/>')
    high = len(names) * _ROW + 6
    label = escape(f"Who answered for it: {', then '.join(one['role'] for one in turns)}")
    return Html(f'<svg class="turns" viewBox="0 0 {_WIDE} {high}" role="img" aria-label="{label}">{"".join(parts)}</svg>')


def _row(one: Task, root: str) -> dict[str, Any]:
    who = one["responsible"]
    return {
        "id": plain(one["id"]),
        "href": f"{root}{address(one['id'])}",
        "text": plain(shortened(one["title"], _CHARACTERS)),
        "is_link": True,
        "kind": "task",
        "status": one["state"],
        "badge": badge("task", one["state"]),
        "group": one["state"].replace("_", " ").capitalize(),
        "responsible": {"name": who["actor"] or who["role"], "project": who["project"]} if who else None,
        "since": when(one["updated"] or ""),
        "missing": one["missing"],
    }


def _step(event: Mapping[str, Any]) -> dict[str, Any]:
    """One move of the causal trace, with the commits, tests and deployments that came with it."""
    data = event["data"] or {}
    return {
        "event": event["event"],
        "after": event["after"],
        "actor": event["actor"],
        "role": event["role"],
        "when": when(event["at"]),
        "reason": event["reason"],
        "version": event["version"],
        "artifacts": [one for one in data.get("artifacts", ()) if isinstance(one, Mapping)],
        "outcome": data.get("outcome", ""),
        "summary": data.get("summary", ""),
        "missing": data.get("missing", ""),
    }


def _delivery(one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "target": one["target"],
        "version": one["version"],
        "badge": badge("delivery", one["state"]),
        "attempts": one["attempts"],
        "done": when(one["done"] or ""),
        "error": one["error"],
        "to": one["project"] or "",
    }


def _fact(one: str | Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a fact says, each part with its name where it has one."""
    return [("", one)] if isinstance(one, str) else [(name, str(content)) for name, content in one.items()]


def _moment(text: str) -> dt.datetime | None:
    try:
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None
