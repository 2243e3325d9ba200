"""The task ledger over HTTP: what `commands/task.py` does, for whoever holds a token.

A change says which version it has seen; an error is a problem by RFC 9457. Nothing is answered that was not asked of this machine by its own
name, and a page of another origin gets nothing.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from handoffsite import errors
from handoffsite.commands import task, task_pack
from handoffsite.commands.desk import Desk, authenticate
from handoffsite.errors import HandoffError
from handoffsite.records import task as packets
from handoffsite.records.move import MOVES, Actor
from handoffsite.server import a2a, openapi

NAMES = ("127.0.0.1", "localhost", "[::1]")
PROBLEM = "application/problem+json"
_DRAINED = 32 << 20  # bytes of a body too large that are let go by: whoever is still sending hears no answer
_PATIENCE = 10.0  # seconds that a body may take to arrive
_NOT_ALLOWED = "the method is not allowed here"

# The first that fits; what is not here is refused as it stands.
_STATUSES: tuple[tuple[type[HandoffError], HTTPStatus], ...] = (
    (errors.NoVersion, HTTPStatus.PRECONDITION_REQUIRED),
    (errors.Conflict, HTTPStatus.CONFLICT),
    (errors.Unauthenticated, HTTPStatus.UNAUTHORIZED),
    (errors.Forbidden, HTTPStatus.FORBIDDEN),
    (errors.Unproven, HTTPStatus.UNPROCESSABLE_ENTITY),
    (errors.Malformed, HTTPStatus.UNPROCESSABLE_ENTITY),
    (errors.NotFound, HTTPStatus.NOT_FOUND),
    (errors.UsageError, HTTPStatus.BAD_REQUEST),
    (errors.Unwritten, HTTPStatus.INSUFFICIENT_STORAGE),
    (errors.Refused, HTTPStatus.CONFLICT),
)

Call = Callable[[Desk, Actor, Request, Mapping[str, Any]], Response]


class _Fault(Exception):
    """An answer that is an error of HTTP rather than of the ledger."""

    def __init__(self, status: HTTPStatus, detail: str, code: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.code, self.headers = status, code, dict(headers or {})


def application(desk: Desk, now: Callable[[], datetime], *, port: int, url: str = "") -> ASGIApp:
    """The API of *desk* as an ASGI application that listens on *port* of the loopback; *now* tells the time of each request."""
    endpoint = _Endpoint(desk, now)
    moves = [Route(f"/tasks/{{id}}/{event}", endpoint.of(_move(event)), methods=["POST"]) for event in MOVES]
    routes = [
        Route("/tasks", endpoint.of(_listed, _create), methods=["GET", "POST"]),
        *moves,
        Route("/tasks/{id}", endpoint.of(_shown), methods=["GET"]),
        Route("/tasks/{id}/events", endpoint.of(_events), methods=["GET"]),
        Route("/tasks/{id}/scope", endpoint.of(_scope), methods=["GET"]),
        Route("/tasks/{id}/authorize", endpoint.of(_authorize), methods=["POST"]),
        Route("/tasks/{id}/pack", endpoint.of(_pack), methods=["GET"]),
        Route("/tasks/{id}/deliveries", endpoint.of(_deliveries), methods=["GET"]),
        Route("/events", endpoint.of(_events), methods=["GET"]),
        Route("/openapi.json", _constant(openapi.document(url)), methods=["GET"]),
        Route(a2a.CARD, _constant(a2a.card(url)), methods=["GET"]),
        Route("/a2a/tasks", endpoint.of(_a2a_listed), methods=["GET"]),
        Route("/a2a/tasks/{id}", endpoint.of(_a2a_shown), methods=["GET"]),
    ]
    handlers: Any = {HTTPException: _strange, _Fault: _fault, HandoffError: _refused, Exception: _broken}
    return _Guard(Starlette(routes=routes, exception_handlers=handlers), port)


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """What every call has in common: who asks, what is asked, and the moment; the ledger itself is asked in a thread of its own."""

    desk: Desk
    now: Callable[[], datetime]

    def of(self, call: Call, post: Call | None = None) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint that answers by *call*, or what is posted by *post* where there is one."""

        async def answered(request: Request) -> Response:
            desk = self.desk.at(self.now())
            actor = await run_in_threadpool(authenticate, desk, _token(request))
            body = await _body(request) if request.method == "POST" else {}
            chosen = post if post and request.method == "POST" else call
            return await run_in_threadpool(chosen, desk, actor, request, body)

        return answered


class _Guard:
    """Lets through what was asked of this machine by its own name, and by no page of another origin."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in NAMES} | ({*NAMES} if port == 80 else set())
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (fault := self._fault(scope)):
            await _problem(HTTPStatus.FORBIDDEN, "forbidden", fault)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _fault(self, scope: Scope) -> str:
        given: dict[bytes, list[str]] = {b"host": [], b"origin": []}
        for name, value in scope["headers"]:
            if name in given:
                given[name].append(value.decode("latin-1").lower())
        if len(given[b"host"]) != 1 or given[b"host"][0] not in self._hosts:
            return "this server answers to its own name on this machine alone"
        if any(origin not in self._origins for origin in given[b"origin"]):
            return "a page of another origin may not ask"
        return ""


def _token(request: Request) -> str:
    kind, _, text = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not text.strip():
        raise errors.Unauthenticated("no token", hint="Authorization: Bearer TOKEN; `handoffsite ledger token` makes one")
    return text.strip()


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object that was sent; a fault where it is too large, too slow, or of another type."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise _Fault(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a body is application/json", "media-type", {"Accept": "application/json"}
        )
    try:
        data = await asyncio.wait_for(_read(request), _PATIENCE)
    except TimeoutError as error:
        raise _Fault(HTTPStatus.REQUEST_TIMEOUT, f"the body took longer than {_PATIENCE:.0f} s", "slow", _CLOSE) from error
    try:
        return packets.loads(data)
    except HandoffError as error:
        raise _Fault(HTTPStatus.BAD_REQUEST, error.message, "not-json") from error


async def _read(request: Request) -> bytes:
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size <= packets.MOST_BYTES:
                parts.append(part)
            elif size > _DRAINED:
                break
    except ClientDisconnect as error:
        raise _Fault(HTTPStatus.BAD_REQUEST, "the body was cut short", "cut-short") from error
    if size > packets.MOST_BYTES:
        raise _too_large()
    return b"".join(parts)


_CLOSE = {"Connection": "close"}


def _too_large() -> _Fault:
    return _Fault(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body holds at most {packets.MOST_BYTES // 1024} KiB", "too-large", _CLOSE
    )


def _create(desk: Desk, actor: Actor, request: Request, body: Mapping[str, Any]) -> Response:
    made = task.request(desk, actor, task.CREATE, "", body, key=_key(request))
    return _json(made, HTTPStatus.CREATED, {"Location": f"/tasks/{made['id']}", "ETag": _tag(made)})


def _move(event: str) -> Call:
    def call(desk: Desk, actor: Actor, request: Request, body: Mapping[str, Any]) -> Response:
        moved = task.request(desk, actor, event, request.path_params["id"], body, key=_key(request))
        return _json(moved, headers={"ETag": _tag(moved)})

    return call


def _shown(desk: Desk, actor: Actor, request: Request, _body: Mapping[str, Any]) -> Response:
    found = task.show(desk, actor, request.path_params["id"])
    tag = _tag(found)
    known = {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
    if tag in known or "*" in known:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
    return _json({name: content for name, content in found.items() if name != "deliveries"}, headers={"ETag": tag})


def _deliveries(desk: Desk, actor: Actor, request: Request, _body: Mapping[str, Any]) -> Response:
    return _json({"deliveries": task.show(desk, actor, request.path_params["id"])["deliveries"]})


def _listed(desk: Desk, actor: Actor, request: Request, _body: Mapping[str, Any]) -> Response:
    if request.query_params.get("state") == "":
        raise errors.UsageError("state is empty", hint="leave it out to have every state")
    wanted: dict[str, Any] = {name: request.query_params.get(name, "") for name in ("state", "project", "role")}
    return _page(request, task.listed(desk, actor, **{**wanted, **_paging(request)}))


def _events(desk: Desk, actor: Actor, request: Request, _body: Mapping[str, Any]) -> Response:
    return _page(request, task.events(desk, actor, request.path_params.get("id", ""), **_paging(request)))


def _scope(desk: Desk, actor: Actor, request: Request, _body: Mapping[str, Any]) -> Response:
    return _json(task.scope(desk, actor, request.path_params["id"]))


def _authorize(desk: Desk, actor: Actor, request: Request, body: Mapping[str, Any]) -> Response:
    packets.refuse(dict(body), openapi.AUTHORIZE, "kind and entry, both texts")
    return _json(task.authorize(desk, actor, request.path_params["id"], body["kind"], body["entry"]))


def _pack(desk: Desk, actor: Actor, request: Request, _body: Mapping[str, Any]) -> Response:
    return _json(task_pack.pack(desk, actor, request.path_params["id"], limit=_budget(request)))


def _a2a_listed(desk: Desk, actor: Actor, request: Request, _body: Mapping[str, Any]) -> Response:
    return _json(a2a.listed(desk, actor, dict(request.query_params)))


def _a2a_shown(desk: Desk, actor: Actor, request: Request, _body: Mapping[str, Any]) -> Response:
    return _json(a2a.shown(desk, actor, request.path_params["id"]))


def _budget(request: Request) -> int:
    budget = _number(request, "budget", openapi.BUDGET)
    least, most = openapi.BUDGETS
    if not least <= budget <= most:
        raise errors.UsageError(f"a budget of {budget} tokens", hint=f"{least} to {most}")
    return budget


def _paging(request: Request) -> dict[str, int]:
    return {"after": _number(request, "after", 0), "limit": _number(request, "limit", 100)}


def _number(request: Request, name: str, otherwise: int) -> int:
    text = request.query_params.get(name, str(otherwise))
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise errors.UsageError(f"{name} is no number: {text[:40]!r}", hint="digits alone")
    return int(text)


def _page(request: Request, found: Mapping[str, Any]) -> Response:
    """One page, with the address of the next in a Link header (RFC 8288)."""
    headers = {}
    if found["next"] is not None:
        query = urlencode({**request.query_params, "after": found["next"]})
        headers["Link"] = f'<{request.url.path}?{query}>; rel="next"'
    return _json(found, headers=headers)


def _key(request: Request) -> str:
    key = request.headers.get("idempotency-key")
    if key == "":
        raise errors.Malformed("the idempotency key is empty", hint="leave it out, or make one of 1 to 200 signs")
    return key or ""


def _tag(found: Mapping[str, Any]) -> str:
    return f'"{found["version"]}"'


def _json(found: Any, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None) -> Response:
    return JSONResponse(found, status, {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **(headers or {})})


def _constant(found: Mapping[str, Any]) -> Callable[[Request], Awaitable[Response]]:
    data = json.dumps(found).encode()

    async def answered(_request: Request) -> Response:
        return Response(data, media_type="application/json", headers={"X-Content-Type-Options": "nosniff"})

    return answered


def _problem(
    status: int, code: str, detail: str, *, hint: str = "", headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """An error as RFC 9457 has it; *hint* says what to do next."""
    said: dict[str, Any] = {
        "type": f"urn:handoffsite:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "code": code,
        **({"hint": hint} if hint else {}),
        **more,
    }
    return JSONResponse(said, status, {"Cache-Control": "no-store", **(headers or {})}, PROBLEM)


def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HandoffError)
    status = next((status for kind, status in _STATUSES if isinstance(error, kind)), HTTPStatus.CONFLICT)
    more: dict[str, Any] = {name: getattr(error, name) for name in ("version", "holder") if hasattr(error, name)}
    headers = {"WWW-Authenticate": "Bearer"} if status is HTTPStatus.UNAUTHORIZED else {}
    return _problem(status, error.code, error.message, hint=error.hint, headers=headers, **more)


def _fault(_request: Request, error: Exception) -> Response:
    assert isinstance(error, _Fault)
    return _problem(error.status, error.code, str(error), headers=error.headers)


def _strange(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = "nothing is there" if error.status_code == HTTPStatus.NOT_FOUND else _NOT_ALLOWED
    code = "not-found" if error.status_code == HTTPStatus.NOT_FOUND else "not-allowed"
    return _problem(error.status_code, code, detail, headers=error.headers)


def _broken(_request: Request, error: Exception) -> Response:
    """Something that nobody foresaw; what it says may hold what nobody is to see."""
    return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", f"the ledger failed: {type(error).__name__}")
