"""Tasks as the A2A protocol (1.0, HTTP+JSON) shows them, to be read alone: a card of the ledger, a task, a list of them.

Our state is richer, and goes along in the metadata; what has no counterpart is the nearest that is true:
OPEN, OFFERED are submitted; ACCEPTED, IN_PROGRESS, READY_FOR_RETEST work on; NEEDS_INFO, BLOCKED want input; CLOSED is completed, CANCELED canceled.
"""

from collections.abc import Mapping
from typing import Any

from handoffsite import __version__
from handoffsite.commands import task
from handoffsite.commands.desk import Desk
from handoffsite.errors import UsageError
from handoffsite.records.lifecycle import TASK
from handoffsite.records.move import Actor

CARD = "/.well-known/agent-card.json"
PROTOCOL = "1.0"
STATES: Mapping[str, str] = {
    "OPEN": "TASK_STATE_SUBMITTED",
    "OFFERED": "TASK_STATE_SUBMITTED",
    "ACCEPTED": "TASK_STATE_WORKING",
    "IN_PROGRESS": "TASK_STATE_WORKING",
    "READY_FOR_RETEST": "TASK_STATE_WORKING",
    "NEEDS_INFO": "TASK_STATE_INPUT_REQUIRED",
    "BLOCKED": "TASK_STATE_INPUT_REQUIRED",
    "CLOSED": "TASK_STATE_COMPLETED",
    "CANCELED": "TASK_STATE_CANCELED",
}
_PAGE = 50


def card(url: str) -> dict[str, Any]:
    """Who this is and where its tasks are read; *url* is where the server is."""
    return {
        "name": "handoffsite task ledger",
        "description": "Responsibility for tasks between agents. Tasks are read here; they are moved by the ledger's own API.",
        "version": __version__,
        "supportedInterfaces": [{"url": f"{url.rstrip('/')}/a2a", "protocolBinding": "HTTP+JSON", "protocolVersion": PROTOCOL}],
        "capabilities": {"streaming": False, "pushNotifications": False},
        "securitySchemes": {"token": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
        "securityRequirements": [{"schemes": {"token": {"list": []}}}],
        "defaultInputModes": ["application/json"],
        "defaultOutputModes": ["application/json"],
        "skills": [
            {
                "id": "tasks",
                "name": "Tasks",
                "description": "Shows who answers for a task, its state and the evidence of its result",
                "tags": ["tasks", "handoff"],
            }
        ],
    }


def shown(desk: Desk, actor: Actor, id: str) -> dict[str, Any]:
    """The task *id* with its history."""
    return _task(task.show(desk, actor, id))


def listed(desk: Desk, actor: Actor, given: Mapping[str, str]) -> dict[str, Any]:
    """A page of tasks, by `status`, `pageSize` and `pageToken`. UsageError where one of them cannot be read."""
    size, token = given.get("pageSize", str(_PAGE)), given.get("pageToken", "") or "0"
    if not (size.isdecimal() and token.isdecimal() and 1 <= int(size[:9]) <= task.MOST and len(token) <= 15):
        raise UsageError(f"a page holds 1 to {task.MOST}", hint="pageToken is the nextPageToken of the page before")
    wanted = given.get("status", "") or "TASK_STATE_UNSPECIFIED"
    states = [state for state in TASK.moves if wanted in {"TASK_STATE_UNSPECIFIED", STATES[state]}]
    found: list[dict[str, Any]] = []
    after: int | None = int(token)
    while after is not None and len(found) < int(size):
        page = task.listed(desk, actor, after=after, limit=int(size) - len(found))
        found += [one for one in page["tasks"] if one["state"] in states]
        after = page["next"]
    return {
        "tasks": [_task(one) for one in found],
        "nextPageToken": "" if after is None else str(after),
        "pageSize": int(size),
        "totalSize": _total(desk, actor, states),
    }


def _total(desk: Desk, actor: Actor, states: list[str]) -> int:
    count, after = 0, 0
    while True:
        page = task.listed(desk, actor, after=after, limit=task.MOST)
        count += sum(one["state"] in states for one in page["tasks"])
        if page["next"] is None:
            return count
        after = page["next"]


def _task(found: Mapping[str, Any]) -> dict[str, Any]:
    responsible = found["responsible"]
    said = found.get("reason") or found.get("missing") or ""
    message = {"messageId": f"{found['id']}-{found['version']}", "role": "ROLE_AGENT", "parts": [{"text": said}]}
    return {
        "id": found["id"],
        "contextId": found["handoff_id"],
        "status": {
            "state": STATES[found["state"]],
            "timestamp": found["updated"],
            **({"message": message} if said else {}),
        },
        "artifacts": [_artifact(place, one) for place, one in enumerate(found.get("results", ()), 1)],
        "metadata": {
            "state": found["state"],
            "version": found["version"],
            "goal": found["title"],
            "responsible": dict(responsible) if responsible else None,
        },
    }


def _artifact(place: int, result: Mapping[str, Any]) -> dict[str, Any]:
    parts = [{"url": one["ref"], "metadata": {"type": one["type"]}} for one in result.get("artifacts", ())]
    summary = result.get("summary", "")
    return {
        "artifactId": f"result-{place}",
        "name": f"Result {place}",
        "parts": [*([{"text": summary}] if summary else []), *parts],
    }
