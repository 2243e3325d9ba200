"""The tools of the second profile, delegation: one for each of contracts, tasks and memory, with the verbs of the command line."""

import json
from collections.abc import Mapping
from typing import Any

from handoffsite.commands.tools import ID, SHORT, TEXT, Answer, Given, Tool, Tools, quoted
from handoffsite.errors import Malformed, UsageError
from handoffsite.records.move import MOVES


def _memory(tools: Tools, given: Given) -> Answer:
    from handoffsite.commands import discover, memory  # noqa: PLC0415 -- each is slow to load, and most calls need none

    action = given["action"]
    if action == "discover":
        found = discover.discover(tools.place, given.get("for", ""))
        return Answer(data=found, text=discover.text_of(found))
    if action == "set":
        if "key" not in given or "value" not in given:
            raise UsageError("set needs a key and a value", hint='{"action": "set", "key": "omg:active-plan", "value": "{…}"}')
        found = memory.put(tools.place, given["key"], given["value"], given.get("by", ""), expected=given.get("expected_version"))
        return Answer(data=found, text=f"{found['key']} is at version {found['version']}.")
    found = memory.get(tools.place, given.get("key", ""))
    lines = [f"{key} (version {entry['version']}): {quoted(str(entry['value']))}" for key, entry in found["keys"].items()]
    return Answer(data=found, text="\n".join(lines) or "No key is set.")


def _handoff(tools: Tools, given: Given) -> Answer:
    from handoffsite.commands import handoff  # noqa: PLC0415 -- as above

    action, id = given["action"], given.get("id", "")
    if action == "list":
        found = handoff.listed(tools.place)
        lines = [f"{one['id']} {one['state']}, for {one['assignee']}: {quoted(one['title'])}" for one in found["handoffs"]]
        return Answer(data=found, text="\n".join(lines) or "No handoff.")
    if action == "propose":
        found = handoff.propose(tools.place, given.get("document", ""))
    elif not id:
        raise UsageError(f"{action} needs an id", hint='{"action": "show", "id": "H-1"}')
    elif action == "show":
        found = handoff.show(tools.place, id, scope=True)
        return Answer(data=found, text=handoff.light(tools.place, id))
    elif action == "submit":
        found = handoff.submit(tools.place, id, given.get("document", ""), expected=given.get("expected_version"))
    else:
        found = handoff.move(tools.place, id, action, reason=given.get("reason", ""), expected=given.get("expected_version"))
    return Answer(data=found, text=f"{found['id']} is {found['state']}, attempt {found['attempt']}, version {found['version']}.")


def _task(tools: Tools, given: Given) -> Answer:
    from handoffsite.commands import tasking  # noqa: PLC0415 -- as above

    action, id = given["action"], given.get("id", "")
    with tasking.asked(tools.place, given.get("actor", "")) as front:
        if action == "list":
            found = front.listed(state=given.get("state", ""))
            return Answer(data=found, text="\n".join(map(_task_line, found["tasks"])) or "No task.")
        if not id and action != "create":
            raise UsageError(f"{action} needs an id", hint='{"action": "show", "id": "report-timeout-17"}')
        if action == "show":
            found = front.show(id)
            return Answer(data=found, text=_task_line(found))
        if action == "pack":
            found = front.pack(id)
            return Answer(data=found, text=found["text"])
        if action == "scope":
            found = front.scope(id)
            return Answer(data=found, text=found["reason"])
        found = front.move(action, id, _task_body(given), key=given.get("key", ""))
    return Answer(data=found, text=_task_line(found))


def _task_body(given: Given) -> dict[str, Any]:
    """What makes the move: the document, and what was said beside it."""
    try:
        body = json.loads(given.get("document") or "{}")
    except ValueError as error:
        raise Malformed(f"document: not JSON: {error}", hint="an object, as `handoffsite schema task` has it") from error
    if not isinstance(body, dict):
        raise Malformed("document: not a JSON object", hint="an object, as `handoffsite schema task` has it")
    return {**body, **{name: given[name] for name in ("expected_version", "reason") if name in given}}


def _task_line(one: Mapping[str, Any]) -> str:
    who = one["responsible"]
    answers = f"{who['role']} of {who['project']} answers for it" if who else "it is over"
    return f"{one['id']} is {one['state']}, version {one['version']}, {answers}: {quoted(one['title'])}"


# What a second profile adds; each of these is one tool for all verbs of its command.
TOOLS: tuple[Tool, ...] = (
    Tool(
        name="handoff",
        does="Contracts: list or show them, accept and start one, submit its result (JSON), block or unblock it, propose one (JSON envelope).",
        takes={
            "action": {"type": "string", "enum": ["list", "show", "propose", "accept", "start", "submit", "block", "unblock"]},
            "id": ID,
            "document": TEXT,
            "reason": SHORT,
            "expected_version": {"type": "integer", "minimum": 1},
        },
        needs=("action",),
        gives=(),
        run=_handoff,
        reads=False,
        repeatable=False,
    ),
    Tool(
        name="task",
        does="The task ledger: list or show tasks, or make one move; the version that you have seen goes with each. A task's pack and scope, too.",
        takes={
            "action": {"type": "string", "enum": ["list", "show", "pack", "scope", "create", *MOVES]},
            "id": SHORT,
            "actor": {**SHORT, "description": "who you are; over HTTP the token says it"},
            "state": SHORT,
            "document": {
                **TEXT,
                "description": "JSON: the packet of create; artifacts and summary of submit-result; outcome of retest; missing of needs-info",
            },
            "reason": SHORT,
            "expected_version": {"type": "integer", "minimum": 1},
            "key": {"type": "string", "maxLength": 200, "description": "idempotency key"},
        },
        needs=("action",),
        gives=(),
        run=_task,
        reads=False,
        repeatable=False,
    ),
    Tool(
        name="memory",
        does="Keyed memory and artefacts: discover what to read before a task, get or set a key such as omg:active-plan.",
        takes={
            "action": {"type": "string", "enum": ["discover", "get", "set"]},
            "for": TEXT,
            "key": SHORT,
            "value": TEXT,
            "by": SHORT,
            "expected_version": {"type": "integer", "minimum": 0},
        },
        needs=("action",),
        gives=(),
        run=_memory,
        reads=False,
        repeatable=True,
    ),
)
