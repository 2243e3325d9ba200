"""Tasks with the same words wherever the ledger is: in a file or a database that we open, or behind HTTP with a token."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from handoffsite import errors, remote
from handoffsite.commands import delivering, task, task_pack
from handoffsite.commands.desk import Desk, actor, address, opened
from handoffsite.commands.place import Place
from handoffsite.errors import HandoffError, Refused, UsageError
from handoffsite.pack import LIMIT
from handoffsite.records.move import Actor

TOKEN = "HANDOFFSITE_TOKEN"  # noqa: S105 -- a variable's name, no token

# What an error is called over HTTP, and what it is here.
_ERRORS: Mapping[str, type[HandoffError]] = {
    kind.code: kind
    for kind in (
        errors.Conflict,
        errors.Forbidden,
        errors.IllegalTransition,
        errors.KeyReused,
        errors.Malformed,
        errors.NotFound,
        errors.NoVersion,
        errors.Refused,
        errors.Unauthenticated,
        errors.Unproven,
        errors.UsageError,
    )
}


class Front(Protocol):
    """What can be asked of a ledger, as one actor."""

    def move(self, event: str, id: str, body: Mapping[str, Any], *, key: str = "") -> dict[str, Any]:
        """The move *event*, or `create`; the task as it is then."""
        ...

    def show(self, id: str) -> dict[str, Any]:
        """A task with its history."""
        ...

    def listed(self, **wanted: Any) -> dict[str, Any]:
        """A page of tasks."""
        ...

    def events(self, id: str = "", **wanted: Any) -> dict[str, Any]:
        """A page of what happened."""
        ...

    def scope(self, id: str) -> dict[str, Any]:
        """What may be done in a task's name now."""
        ...

    def pack(self, id: str, limit: int = LIMIT) -> dict[str, Any]:
        """What a session should start the task with."""
        ...


@dataclass(frozen=True, slots=True)
class Here:
    """The ledger of *desk*, asked as *actor*; whoever has to be told is told at once, if it can be."""

    desk: Desk
    actor: Actor

    def move(self, event: str, id: str, body: Mapping[str, Any], *, key: str = "") -> dict[str, Any]:
        """As `Front`."""
        moved = task.request(self.desk, self.actor, event, id, {**body, "actor": self.actor.name}, key=key)
        with contextlib.suppress(HandoffError, OSError):  # the move stands; what was not delivered is due again
            delivering.deliver(self.desk, lambda: self.desk.place.now)
        return moved

    def show(self, id: str) -> dict[str, Any]:
        """As `Front`."""
        return task.show(self.desk, self.actor, id)

    def listed(self, **wanted: Any) -> dict[str, Any]:
        """As `Front`."""
        return task.listed(self.desk, self.actor, **wanted)

    def events(self, id: str = "", **wanted: Any) -> dict[str, Any]:
        """As `Front`."""
        return task.events(self.desk, self.actor, id, **wanted)

    def scope(self, id: str) -> dict[str, Any]:
        """As `Front`."""
        return task.scope(self.desk, self.actor, id)

    def pack(self, id: str, limit: int = LIMIT) -> dict[str, Any]:
        """As `Front`."""
        return task_pack.pack(self.desk, self.actor, id, limit=limit)


@dataclass(frozen=True, slots=True)
class Afar:
    """The ledger at *url*, asked by whoever holds *token*."""

    url: str
    token: str

    def move(self, event: str, id: str, body: Mapping[str, Any], *, key: str = "") -> dict[str, Any]:
        """As `Front`."""
        path = "/tasks" if event == task.CREATE else f"/tasks/{quote(id, safe='')}/{event}"
        return self._ask("POST", path, body, {"Idempotency-Key": key} if key else {})

    def show(self, id: str) -> dict[str, Any]:
        """As `Front`."""
        path = f"/tasks/{quote(id, safe='')}"
        return {**self._ask("GET", path), **self._ask("GET", f"{path}/deliveries")}

    def listed(self, **wanted: Any) -> dict[str, Any]:
        """As `Front`."""
        return self._ask("GET", f"/tasks?{_query(wanted)}")

    def events(self, id: str = "", **wanted: Any) -> dict[str, Any]:
        """As `Front`."""
        of = f"/tasks/{quote(id, safe='')}" if id else ""
        return self._ask("GET", f"{of}/events?{_query(wanted)}")

    def scope(self, id: str) -> dict[str, Any]:
        """As `Front`."""
        return self._ask("GET", f"/tasks/{quote(id, safe='')}/scope")

    def pack(self, id: str, limit: int = LIMIT) -> dict[str, Any]:
        """As `Front`."""
        return self._ask("GET", f"/tasks/{quote(id, safe='')}/pack?{urlencode({'budget': limit})}")

    def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, more: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **(more or {})}
        data = None if body is None else json.dumps(body).encode()
        reply = remote.send(method, f"{self.url.rstrip('/')}{path}", headers=headers, body=data)
        try:
            found = json.loads(reply.body)
        except ValueError as error:
            raise Refused(f"{self.url} is no ledger: it answered {reply.status} without JSON") from error
        if reply.status >= 400:
            raise _error(found)
        return dict(found)


@contextlib.contextmanager
def asked(place: Place, name: str = "", *, role: str = "") -> Iterator[Front]:
    """The ledger that *place* speaks of, asked as the actor *name*; over HTTP as whoever the token in HANDOFFSITE_TOKEN is."""
    where = address(place)
    if not where.startswith(("http://", "https://")):
        with opened(place) as desk:
            yield Here(desk, actor(desk, name, role=role))
        return
    token = place.environment.get(TOKEN, "")
    if not token:
        raise UsageError(
            f"the ledger at {where} wants a token", hint=f"set {TOKEN}; its owner makes one: `handoffsite ledger token`"
        )
    yield Afar(where, token)


def _query(wanted: Mapping[str, Any]) -> str:
    return urlencode({name: content for name, content in wanted.items() if content not in (None, "")})


def _error(found: Any) -> HandoffError:
    """The error that a problem tells of, as it would be here."""
    said = found if isinstance(found, dict) else {}
    code, message, hint = (str(said.get(name, "")) for name in ("code", "detail", "hint"))
    if code == errors.Stale.code:
        return errors.Stale(message, version=int(said.get("version", 0)), hint=hint)
    if code == errors.Held.code:
        return errors.Held(message, holder=str(said.get("holder", "")), hint=hint)
    return _ERRORS.get(code, Refused)(message or f"the ledger answered {said.get('status')}", hint=hint)
