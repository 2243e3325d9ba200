"""The description of the ledger's API, OpenAPI 3.1, drawn from the same schemas by which requests are checked."""

from collections.abc import Mapping
from typing import Any

from handoffsite import __version__
from handoffsite.commands import task as tasks
from handoffsite.commands import task_pack
from handoffsite.records import task as packets
from handoffsite.records.ledger import KEY
from handoffsite.records.lifecycle import TASK
from handoffsite.records.move import MOVES, body_schema
from handoffsite.records.task import object_of

BUDGET = task_pack.LIMIT  # tokens of a context pack, unless it is said otherwise
BUDGETS = (100, 10**9)
AUTHORIZE = object_of({"kind": {"enum": list(packets.KINDS)}, "entry": packets.TEXT}, "kind", "entry")

_TEXT = {"type": "string"}
_MAYBE = {"type": ["string", "null"]}
_NUMBER = {"type": "integer", "minimum": 0}
_VERSION = {"type": "integer", "minimum": 1}
_OBJECTS = {"type": "array", "items": {"type": "object"}}
_TEXTS = {"type": "array", "items": _TEXT}
_STATE = {"enum": list(TASK.moves)}
_SUMMARIES = {
    "create": "Begin a task by its packet",
    "offer": "Offer it to its receiver",
    "accept": "Take it: the receiver answers for it from now on",
    "start": "Begin the work",
    "submit-result": "Hand the result in: a commit and a test report at least",
    "retest": "Say what the retest found: it is closed, or goes back",
    "needs-info": "Say what is missing",
    "block": "Say that the work cannot go on for now",
    "resume": "Go on where a pause began",
    "cancel": "End it without a result",
}
_PROBLEMS = {
    "400": "What was asked cannot be read",
    "401": "No token, or one that does not hold",
    "403": "Not for this actor, or asked by a foreign page",
    "404": "Nothing of that name that the token may see",
    "405": "Another method",
    "408": "The body took too long",
    "409": "The task is at another version, cannot make this move, or is held; nothing was changed",
    "413": "The body is too large",
    "415": "The body is not application/json",
    "422": "The body is not as its schema has it, or lacks evidence; nothing was changed",
    "428": "expected_version is missing; nothing was changed",
    "507": "The ledger cannot be written",
}
_READING = ("400", "401", "403", "404", "405")
_WRITING = (*_READING, "408", "409", "413", "415", "422", "428", "507")


def document(url: str = "") -> dict[str, Any]:
    """The whole description; *url* is where the server is."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "handoffsite task ledger",
            "version": __version__,
            "description": "Responsibility for tasks between agents. Every change but creation carries the version that it has seen.",
        },
        **({"servers": [{"url": url.rstrip("/")}]} if url else {}),
        "security": [{"token": []}],
        "paths": _paths(),
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "parameters": {
                "id": _in("path", "id", {"type": "string", "minLength": 1}),
                "key": _in_header("Idempotency-Key", KEY),
            },
            "schemas": {
                "Packet": _inline(tasks.packet_schema()),
                "Task": _task(),
                "Event": _event(),
                "Delivery": _delivery(),
                "Problem": _problem(),
                **{_title(event): _body(event) for event in MOVES},
            },
        },
    }


def _paths() -> dict[str, Any]:
    page = [
        _in("query", "after", {**_NUMBER, "maximum": 10**15 - 1}),
        _in("query", "limit", {"type": "integer", "minimum": 1, "maximum": tasks.MOST}),
    ]
    filters = [_in("query", "state", _STATE), _in("query", "project", _TEXT), _in("query", "role", _TEXT)]
    events = object_of({"events": {"type": "array", "items": _ref("Event")}, "next": _maybe_number()}, "events", "next")
    listed = object_of({"tasks": _OBJECTS, "next": _maybe_number()}, "tasks", "next")
    one = [{"$ref": "#/components/parameters/id"}]
    paths: dict[str, Any] = {
        "/tasks": {
            "get": _operation("list", "The tasks that the token's actor sees", listed, [*filters, *page]),
            "post": _change("create", "Packet", [], "201"),
        },
        "/tasks/{id}": {"get": _operation("show", "A task with its history", _ref("Task"), one, more={"304": "Not changed"})},
        "/tasks/{id}/events": {"get": _operation("task_events", "What happened to a task", events, [*one, *page])},
        "/tasks/{id}/deliveries": {
            "get": _operation("deliveries", "Who was told of it", object_of({"deliveries": _many("Delivery")}, "deliveries"), one)
        },
        "/tasks/{id}/scope": {
            "get": _operation("scope", "What may be done in its name now, and what took the rest away", {"type": "object"}, one)
        },
        "/tasks/{id}/pack": {
            "get": _operation(
                "pack",
                "What a session should start it with",
                {"type": "object"},
                [*one, _in("query", "budget", {"type": "integer", "minimum": BUDGETS[0], "maximum": BUDGETS[1]})],
            )
        },
        "/tasks/{id}/authorize": {"post": _authorize()},
        "/events": {"get": _operation("events", "What happened to every task that the actor sees", events, page)},
    }
    for event in MOVES:
        paths[f"/tasks/{{id}}/{event}"] = {"post": _change(event, _title(event), one, "200")}
    return paths


def _operation(
    id: str, summary: str, answer: Mapping[str, Any], parameters: list[Any], more: Mapping[str, str] | None = None
) -> dict[str, Any]:
    responses: dict[str, Any] = {"200": _answer("Done", answer), **_problems(_READING)}
    responses |= {status: {"description": text} for status, text in (more or {}).items()}
    return {"operationId": id, "summary": summary, "parameters": parameters, "responses": responses}


def _change(event: str, body: str, parameters: list[Any], status: str) -> dict[str, Any]:
    return {
        "operationId": event.replace("-", "_"),
        "summary": _SUMMARIES[event],
        "parameters": [*parameters, {"$ref": "#/components/parameters/key"}],
        "requestBody": _sent(_ref(body)),
        "responses": {status: _answer("The task as it is then", _ref("Task")), **_problems(_WRITING)},
    }


def _authorize() -> dict[str, Any]:
    answer = {"type": "object", "properties": {"allowed": {"const": True}}, "required": ["allowed"]}
    return {
        "operationId": "authorize",
        "summary": "Whether something may be used in its name; 403 says what does not let it",
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "requestBody": _sent(AUTHORIZE),
        "responses": {"200": _answer("It may", answer), **_problems(_WRITING)},
    }


def _sent(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _answer(description: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _problems(statuses: tuple[str, ...]) -> dict[str, Any]:
    content = {"application/problem+json": {"schema": _ref("Problem")}}
    return {status: {"description": _PROBLEMS[status], "content": content} for status in statuses}


def _in(place: str, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _in_header(name: str, pattern: Any) -> dict[str, Any]:
    schema = pattern if isinstance(pattern, Mapping) else {"type": "string", "pattern": str(pattern)}
    return {"name": name, "in": "header", "required": False, "schema": schema}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _many(name: str) -> dict[str, Any]:
    return {"type": "array", "items": _ref(name)}


def _maybe_number() -> dict[str, Any]:
    return {"type": ["integer", "null"]}


def _each(schema: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return dict.fromkeys(names, schema)


def _title(event: str) -> str:
    return "".join(word.capitalize() for word in event.split("-"))


def _inline(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: content for name, content in schema.items() if not name.startswith("$")}


def _body(event: str) -> dict[str, Any]:
    """What makes the move *event*: to whoever leaves the version out it is said what is missing (428), before all else."""
    found = _inline(body_schema(event))
    needed = [*found["required"], "expected_version", *(["outcome"] if event == "retest" else [])]
    return {**found, "required": needed}


def _task() -> dict[str, Any]:
    texts = ("id", "kind", "title", "task_id", "handoff_id", "from_role", "to_role", "from_project", "to_project")
    maybes = ("resumes", "missing", "reason", "created_by", "accepted_by", "submitted_by", "created", "updated")
    return {
        "type": "object",
        "properties": {
            **dict.fromkeys(texts, _TEXT),
            **dict.fromkeys(maybes, _MAYBE),
            **_each(_STATE, "status", "state"),
            **_each(_VERSION, "version", "packet_version"),
            **_each({"type": "object"}, "packet", "authority"),
            **dict.fromkeys(("domains", "holds", "results", "retests"), _OBJECTS),
            **dict.fromkeys(("gaps", "warnings"), _TEXTS),
            "next": {"type": "array", "items": {"enum": list(MOVES)}},
            "responsible": {"type": ["object", "null"]},
            "history": _many("Event"),
        },
        "required": ["id", "state", "version", "packet", "next"],
    }


def _event() -> dict[str, Any]:
    texts = ("task", "event", "after", "actor", "role", "at", "digest")
    properties = {
        **dict.fromkeys(texts, _TEXT),
        **dict.fromkeys(("before", "party", "reason"), _MAYBE),
        **_each(_VERSION, "seq", "version"),
        "data": {"type": ["object", "null"]},
    }
    return {"type": "object", "properties": properties, "required": [*texts, "seq", "version"]}


def _delivery() -> dict[str, Any]:
    texts = ("id", "task", "target", "state")
    return {
        "type": "object",
        "properties": {**dict.fromkeys(texts, _TEXT), "version": _NUMBER, "attempts": _NUMBER},
        "required": [*texts, "version", "attempts"],
    }


def _problem() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            **dict.fromkeys(("type", "title", "detail", "code", "hint", "holder"), _TEXT),
            "status": {"type": "integer"},
            "version": {"type": "integer", "description": "the version at which the task is"},
        },
        "required": ["type", "title", "status", "detail", "code"],
    }
