"""To-do lists: the whole list each time, also where the log tells only of single changes."""

import re
from collections.abc import Mapping
from typing import Any

from handoffsite.sources.text import clean, word

KEPT_TODOS = 200

_STATUSES = {
    **dict.fromkeys(("completed", "done"), "completed"),
    **dict.fromkeys(("in_progress", "in-progress"), "in_progress"),
    **dict.fromkeys(("cancelled", "canceled", "deleted"), "cancelled"),
}
_CREATED = re.compile(r"Task #(\S{1,80}) created")


def todo(entry: Mapping[str, Any]) -> dict[str, str]:
    """One entry of a list, under the names that every agent's lists get."""
    text = next(
        (clean(entry[key]) for key in ("content", "step", "subject", "title", "text", "description") if entry.get(key)), ""
    )
    return {"id": word(entry.get("id")), "text": text, "status": status(entry.get("status"))}


def status(value: Any) -> str:
    """One of pending, in_progress, completed, cancelled."""
    return _STATUSES.get(value, "pending") if type(value) is str else "pending"


class Todos:
    """A list that is told of change by change; a task's ID is known only from the answer to its creation."""

    def __init__(self) -> None:
        self._todos: dict[str, dict[str, str]] = {}

    def whole(self) -> list[dict[str, str]]:
        """The list as it stands."""
        return [dict(entry) for entry in self._todos.values()]

    def created(self, given: Mapping[str, Any], answer: Mapping[str, Any], text: str) -> bool:
        """Add the task that *given* asked for and *answer*, or its *text*, numbered."""
        task = answer.get("task")
        task = task if type(task) is dict else {}
        found = _CREATED.search(text)
        id = word(task.get("id")) or (found[1] if found else "")
        if not id:
            return False
        self._put(id, {"text": clean(given.get("subject")) or clean(task.get("subject")), "status": "pending"})
        return True

    def updated(self, given: Mapping[str, Any], answer: Mapping[str, Any]) -> bool:
        """Change a task, unless *answer* says that nothing was; one from before this log began is new here."""
        id = next((word(given[key]) for key in ("taskId", "id", "task_id") if given.get(key)), "")
        if not id or answer.get("success") is False:
            return False
        changes = {}
        if given.get("status"):
            changes["status"] = status(given["status"])
        if subject := clean(given.get("subject")):
            changes["text"] = subject
        self._put(id, changes)
        return bool(changes)

    def listed(self, answer: Mapping[str, Any]) -> bool:
        """Take over the list that *answer* shows."""
        tasks = answer.get("tasks")
        if type(tasks) is not list:
            return False
        for task in tasks[:KEPT_TODOS]:
            if type(task) is dict and (id := word(task.get("id"))):
                self._put(id, {"text": clean(task.get("subject")), "status": status(task.get("status"))})
        return bool(self._todos)

    def _put(self, id: str, changes: Mapping[str, str]) -> None:
        known = self._todos.get(id) or {"id": id, "text": f"task {id}", "status": "pending"}
        self._todos[id] = {**known, **{key: value for key, value in changes.items() if value}}
        if len(self._todos) > KEPT_TODOS:
            del self._todos[next(iter(self._todos))]
