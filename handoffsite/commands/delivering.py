"""Notices of what happened to tasks, delivered apart from it: to the mailbox of a project, or to a webhook. At least once, and each with its name."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from handoffsite import remote
from handoffsite.commands import ledger
from handoffsite.commands.desk import Desk
from handoffsite.errors import HandoffError, Refused
from handoffsite.records.delivery import MAILBOX, WEBHOOK
from handoffsite.records.redaction import clean_document
from handoffsite.store import notices

SECRET = "HANDOFFSITE_WEBHOOK_"  # noqa: S105 -- the beginning of a variable's name, no secret
TOGETHER = 20


def deliver(desk: Desk, now: Callable[[], datetime]) -> dict[str, int]:
    """Deliver what is due, until nothing is; how many arrived and how many did not. What did not is due again later."""
    counts = {"delivered": 0, "failed": 0}
    while found := ledger.due(desk.at(now()), limit=TOGETHER):
        for one in found:
            try:
                _send(desk, one, now())
            except (HandoffError, OSError) as error:
                ledger.failed(desk.at(now()), one["id"], getattr(error, "message", "") or str(error))
                counts["failed"] += 1
            else:
                ledger.delivered(desk.at(now()), one["id"])
                counts["delivered"] += 1
    return counts


def _send(desk: Desk, one: Mapping[str, Any], now: datetime) -> None:
    if one["target"] == MAILBOX:
        _keep(desk, one)
    else:
        _post(desk, one, now)


def _keep(desk: Desk, one: Mapping[str, Any]) -> None:
    boundary = desk.boundary_of(one["project"])
    if boundary is None:
        raise Refused(f"the project {one['project']} cannot be reached from here")
    said = {"id": one["id"], "for": one["role"], **one["event"]}
    notices.keep(boundary, one["task"], one["version"], clean_document(said, desk.redactor_of((one["project"],))))


def _post(desk: Desk, one: Mapping[str, Any], now: datetime) -> None:
    """Signed as Standard Webhooks has it (https://www.standardwebhooks.com), by a secret that only the environment holds."""
    name = str(one["target"]).removeprefix(WEBHOOK)
    variable = f"{SECRET}{''.join(sign if sign.isalnum() else '_' for sign in name).upper()}"
    secret = desk.place.environment.get(variable, "")
    if not secret:
        raise Refused(f"no secret to sign with: set {variable}")
    body = json.dumps({"type": f"task.{one['event']['event']}", "timestamp": one["made"], "data": one["event"]}).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "handoffsite", **signed(one["id"], now, body, secret)}
    reply = remote.send("POST", one["url"], headers=headers, body=body)
    if not 200 <= reply.status < 300:
        raise Refused(f"it answered {reply.status}")


def signed(id: str, at: datetime, body: bytes, secret: str) -> dict[str, str]:
    """The headers that say who sent *body*: a receiver that knows *secret* computes the same, and refuses what is old or was there before."""
    moment = str(int(at.astimezone(UTC).timestamp()))
    key = base64.b64decode(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else secret.encode()
    digest = hmac.new(key, b".".join((id.encode(), moment.encode(), body)), hashlib.sha256).digest()
    return {"webhook-id": id, "webhook-timestamp": moment, "webhook-signature": f"v1,{base64.b64encode(digest).decode()}"}
