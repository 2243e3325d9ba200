"""Tasks of a ledger, as `commands/task_pages.py` tells them: an ordinary one, one in each state, and one with a given text in every place."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from handoffsite.records.lifecycle import TASK


def event(version: int, word: str, after: str, actor: str, **data: Any) -> dict[str, Any]:
    """One move of a task."""
    at = f"2026-11-0{version}T10:00:00Z"
    said = {"seq": version, "task": "t", "version": version, "event": word, "before": None, "after": after, "actor": actor}
    return {**said, "role": actor, "party": None, "at": at, "reason": None, "data": data or None, "digest": "d"}


def made(id: str = "report-timeout-17", state: str = "IN_PROGRESS", title: str = "Fix the timeout") -> dict[str, Any]:
    """A task that was retested once."""
    packet = {
        "known_facts": [{"request_id": "req-8842"}, "It takes 30 s"],
        "hypotheses": [{"statement": "A lock wait", "status": "unverified"}],
        "artifacts": [{"uri": "trace://req-8842", "version": "1"}],
        "authority": {"allowed_tools": ["test_run"], "denied_actions": []},
        "acceptance": ["It no longer times out"],
        "next_required": "A repair commit",
        "domains": [{"kind": "schema", "name": "reports"}],
    }
    proof = [{"type": "commit", "ref": "git://backend@91f8c2a"}, {"type": "test_report", "ref": "ci://run-771"}]
    turn = {"role": "backend-agent", "project": "backend", "since": "2026-11-03T10:00:00Z", "until": None}
    told = {
        "id": "t:2:mailbox",
        "target": "mailbox",
        "version": 2,
        "state": "dead",
        "attempts": 10,
        "done": None,
        "error": "gone",
    }
    return {
        "id": id,
        "title": title,
        "state": state,
        "version": 4,
        "packet": packet,
        "from_role": "frontend-agent",
        "to_role": "backend-agent",
        "from_project": "web",
        "to_project": "backend",
        "responsible": {"party": "receiver", "role": "backend-agent", "project": "backend", "actor": None},
        "missing": None,
        "updated": "2026-11-04T10:00:00Z",
        "authority": {"active": True, "of": "backend-agent"},
        "history": [
            event(1, "create", "OPEN", "frontend-agent"),
            event(3, "submit-result", "READY_FOR_RETEST", "backend-agent", artifacts=proof, summary="An index"),
            event(4, "retest", "IN_PROGRESS", "frontend-agent", outcome="failed"),
        ],
        "deliveries": [{**told, "project": "backend"}],
        "responsibility": [
            {**turn, "role": "frontend-agent", "project": "web", "since": "2026-11-01T10:00:00Z", "until": turn["since"]},
            turn,
        ],
    }


def of_every_state() -> list[dict[str, Any]]:
    """One task in each state, one that waits for an answer, one that is over and of which nothing was handed over."""
    found = [made(f"report-timeout-{number}", state) for number, state in enumerate(TASK.moves, 1)]
    for one in found:
        one["missing"] = "a version" if one["state"] == "NEEDS_INFO" else None
        one["responsible"] = None if TASK.is_terminal(one["state"]) else one["responsible"]
    empty = made("empty", "OPEN")
    empty.update(deliveries=[], responsibility=[], history=[], updated=None)
    empty["packet"] = {name: type(content)() for name, content in empty["packet"].items()}
    return [*found, empty]


def planted(texts: Iterable[str], say: Callable[[str], str]) -> Sequence[dict[str, Any]]:
    """For each of *texts* a task with what *say* makes of it, once for each, in every place that holds a text of somebody."""
    return [_planted(f"task-{number}", text, say) for number, text in enumerate(texts, 1)]


def _planted(id: str, text: str, say: Callable[[str], str]) -> dict[str, Any]:
    one = made(id, title=say(text))
    one["missing"] = say(text)
    one["packet"] = {
        "known_facts": [{"request_id": say(text)}, say(text)],
        "hypotheses": [{"statement": say(text), "status": say(text)}],
        "artifacts": [{"uri": say(text), "version": say(text)}],
        "authority": {"allowed_tools": [say(text)]},
        "acceptance": [say(text)],
        "next_required": say(text),
        "domains": [{"kind": "schema", "name": say(text)}],
    }
    for step in one["history"]:
        step["reason"] = say(text)
        step["actor"] = say(text)
    one["history"][1]["data"] = {"artifacts": [{"type": say(text), "ref": say(text)}], "summary": say(text)}
    one["history"][2]["data"] = {"outcome": say(text), "missing": say(text)}
    one["deliveries"][0]["error"] = say(text)
    one["responsible"]["actor"] = say(text)
    return one
