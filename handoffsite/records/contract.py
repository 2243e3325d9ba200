"""The envelope of a handoff: what is authorised, when it is complete, how that is proven. It says nothing of who carries or executes it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NewType

from handoffsite.errors import Malformed
from handoffsite.records import identity, shape
from handoffsite.records.authority import KINDS
from handoffsite.records.clean import CleanDocument
from handoffsite.records.lifecycle import CONTRACT
from handoffsite.records.redaction import Redactor, clean_document

VERSION = "1"
MOST_BYTES = 512 * 1024

# An integration is done when it can be reached, not when it compiles.
INTEGRATION = (
    "package import",
    "application struct field",
    "constructor parameter",
    "constructor assignment",
    "tool registration",
    "request handler",
    "composition-root wiring",
    "tests updated at the public boundary",
)
TEMPLATES = {"integration": INTEGRATION}

# What an envelope says of a delivery, not of the effect that is meant.
_OF_DELIVERY = ("handoffId", "createdAt", "state", "attempt", "result")

_TEXT = {"type": "string", "minLength": 1, "maxLength": 20_000}
_TEXTS = {"type": "array", "items": _TEXT, "maxItems": 200}
_NAME = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,79}$"}
_TIME = {
    "type": "string",
    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",
}


def _object(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(required), "additionalProperties": False}


_PARTY = _object({"id": _NAME, "role": _NAME}, "id", "role")
_COMMAND = _object({"command": _TEXT, "exitStatus": {"type": "integer"}, "output": {"type": "string"}}, "command", "exitStatus")
RESULT = _object(
    {
        "revision": {"type": "string", "pattern": "^[0-9a-f]{7,64}$"},
        "changed": {**_TEXTS, "items": _TEXT},
        "commands": {"type": "array", "items": _COMMAND, "minItems": 1, "maxItems": 100},
        "risks": _TEXTS,
        "excluded": _TEXTS,
        "receipts": _TEXTS,
        "links": _TEXTS,
        "evidence": {"type": "object", "additionalProperties": _TEXT},
        "summary": {"type": "string", "maxLength": 20_000},
    },
    "revision",
    "changed",
    "commands",
    "risks",
    "excluded",
)
_ACCEPTANCE = _object(
    {
        "id": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$"},
        "assertion": _TEXT,
        "verificationCommand": _TEXT,
        "evidenceRequired": {"type": "boolean"},
    },
    "id",
    "assertion",
    "evidenceRequired",
)
_PROPERTIES: dict[str, Any] = {
    "contractVersion": {"const": VERSION},
    "handoffId": {"type": "string", "minLength": 1, "maxLength": 120},
    "idempotencyKey": {"type": "string", "minLength": 1, "maxLength": 200},
    "createdAt": _TIME,
    "issuer": _PARTY,
    "assignee": _PARTY,
    "objective": _TEXT,
    "scope": _object({"include": _TEXTS, "exclude": _TEXTS}, "include", "exclude"),
    "inputs": {
        "type": "array",
        "items": _object(
            {"name": _TEXT, "uri": _TEXT, "digest": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}}, "name", "uri"
        ),
        "maxItems": 200,
    },
    "constraints": _TEXTS,
    "acceptance": {"type": "array", "items": _ACCEPTANCE, "minItems": 1, "maxItems": 100},
    "permissions": _object(dict.fromkeys(KINDS, _TEXTS), "read", "write", "network", "secrets"),
    "budget": _object(
        {
            "wallClockSeconds": {"type": "integer", "minimum": 1, "maximum": 604_800},
            "maxAttempts": {"type": "integer", "minimum": 1, "maximum": 100},
        },
        "wallClockSeconds",
        "maxAttempts",
    ),
    "escalation": _object({"on": _TEXTS, "route": _TEXT}, "on", "route"),
    "state": {"enum": list(CONTRACT.moves)},
    "attempt": {"type": "integer", "minimum": 1, "maximum": 100},
    "result": RESULT,
}
_REQUIRED = tuple(name for name in _PROPERTIES if name not in _OF_DELIVERY)


@dataclass(frozen=True, slots=True)
class Contract:
    """A valid envelope."""

    said: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its ID here; empty before it was proposed."""
        found = str(self.said.get("handoffId", ""))
        return found if identity.is_id(found) else ""

    @property
    def key(self) -> str:
        """What stands for the effect that is meant, however often it is asked for."""
        return str(self.said["idempotencyKey"])

    @property
    def assignee(self) -> str:
        """Who is to do it."""
        return str(self.said["assignee"]["id"])

    @property
    def issuer(self) -> str:
        """Who asks for it."""
        return str(self.said["issuer"]["id"])

    @property
    def objective(self) -> str:
        """What is to be reached."""
        return str(self.said["objective"])

    @property
    def acceptance(self) -> list[Mapping[str, Any]]:
        """The checks."""
        return list(self.said["acceptance"])

    @property
    def permissions(self) -> Mapping[str, list[str]]:
        """What it asks to be allowed; what is absent is denied."""
        return {kind: list(self.said["permissions"].get(kind, ())) for kind in KINDS}

    @property
    def most_attempts(self) -> int:
        """How often it may be tried."""
        return int(self.said["budget"]["maxAttempts"])

    @property
    def seconds(self) -> int:
        """How long one attempt may take."""
        return int(self.said["budget"]["wallClockSeconds"])

    @property
    def effect(self) -> str:
        """The digest of what is meant, whoever delivers it and when."""
        meant = {name: content for name, content in self.said.items() if name not in _OF_DELIVERY}
        return identity.digest(json.dumps(meant, sort_keys=True, ensure_ascii=False))


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of an envelope."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "handoff contract",
        **_object(_PROPERTIES, *_REQUIRED),
    }


# A contract of which every text is Clean; `store` takes no other.
CleanContract = NewType("CleanContract", Contract)


def cleaned(contract: Contract, redactor: Redactor) -> CleanContract:
    """*contract* without secrets and hidden characters."""
    return CleanContract(Contract(clean_document(contract.said, redactor)))


def loads(text: str | bytes, file: str = "") -> Contract:
    """The contract in *text*; Malformed, with the JSON path and what is allowed."""
    if len(text) > MOST_BYTES:
        raise Malformed(f"larger than {MOST_BYTES // 1024} KiB", file=file, hint="name inputs by their address instead")
    found = shape.parse(text)
    fault = next(shape.faults(found, schema()), None)
    if fault:
        raise Malformed(
            f"{_path(fault.pointer)}: {fault.message}", file=file, hint="`handoffsite schema contract` prints what is allowed"
        )
    ids = [one["id"] for one in found["acceptance"]]
    if len(set(ids)) < len(ids):
        twice = next(one for one in ids if ids.count(one) > 1)
        raise Malformed(f"acceptance: the id {twice!r} stands twice", file=file, hint="each check needs an id of its own")
    return Contract(found)


def result(text: str | bytes, redactor: Redactor) -> CleanDocument:
    """The result in *text*, without secrets; Malformed, with the JSON path: prose alone proves nothing."""
    try:
        found = shape.parse(text)
    except Malformed as error:
        hint = '{"revision": "…", "changed": [...], "commands": [{"command": "…", "exitStatus": 0}], "risks": [], "excluded": []}'
        raise Malformed(
            "a result is JSON, not prose: what changed, at which revision, and the commands that ran", hint=hint
        ) from error
    fault = next(shape.faults(found, RESULT), None)
    if fault:
        raise Malformed(
            f"result{_path(fault.pointer)}: {fault.message}", hint="`handoffsite schema contract` prints what is allowed"
        )
    return clean_document(found, redactor)


def filled(contract: CleanContract, id: str, created: str, template: str = "") -> CleanContract:
    """*contract* as it is kept: with its ID, its time, its first state, and the checks of *template* that it lacks."""
    points = TEMPLATES[template] if template else ()
    known = {one["assertion"].casefold() for one in contract.acceptance}
    more = [
        {"id": f"{template}-{number}", "assertion": point, "evidenceRequired": True}
        for number, point in enumerate(points, 1)
        if point.casefold() not in known
    ]
    said = {**contract.said, "acceptance": [*contract.acceptance, *more]}
    said |= {"handoffId": id, "createdAt": contract.said.get("createdAt") or created, "state": CONTRACT.start, "attempt": 1}
    said.pop("result", None)
    return CleanContract(Contract({name: said[name] for name in _PROPERTIES if name in said}))


def dumps(contract: CleanContract) -> str:
    """The text of the contract's file."""
    return json.dumps(contract.said, ensure_ascii=False, indent=1) + "\n"


def _path(pointer: str) -> str:
    """*pointer* as people write it: `.acceptance[0].id`."""
    parts = (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    return "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in parts).lstrip(".") or "the envelope"
