"""The packet of a task: what one role hands to another, in six parts. It says nothing of who carries or executes it."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NewType

from handoffsite.errors import Malformed, Refused
from handoffsite.records import shape
from handoffsite.records.pattern import lazy
from handoffsite.records.redaction import Redactor, clean_document

SCHEMA = "handoffsite/task@1"
MOST_BYTES = 512 * 1024
_MOST_FAULTS = 5  # that an error tells at once
HYPOTHESES = ("unverified", "confirmed", "refuted")
DOMAINS = ("schema", "identifiers", "environment", "database")

_PLACE = lazy(r"(?P<field>[a-z_]+)(?P<rest>(?:\.[A-Za-z0-9_-]+|\[\d+\])*)")

# Who hands it over to whom: never changed once the task is there.
PARTIES = ("task_id", "handoff_id", "from_role", "to_role", "from_project", "to_project")
# The six parts, and what comes next; each may be left empty, and a receiver may say that one is missing.
PARTS = ("goal", "known_facts", "hypotheses", "artifacts", "authority", "acceptance", "next_required")
# What a sender may say anew, as another version of the packet.
CHANGEABLE = (*PARTS, "domains")

ID = {"type": "string", "pattern": "^[A-Za-z0-9]([A-Za-z0-9._-]{0,78}[A-Za-z0-9])?$"}
NAME = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,79}$"}
_PROJECT = {"type": "string", "pattern": "^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$"}
TEXT = {"type": "string", "minLength": 1, "maxLength": 20_000}
TEXTS = {"type": "array", "items": TEXT, "maxItems": 200}
REFERENCE = {"type": "string", "pattern": "^[^\\s]{1,2000}$", "description": "an address; what it leads to is never copied"}
_SCALAR = {"anyOf": [{"type": "string", "maxLength": 20_000}, {"type": "number"}, {"type": "boolean"}]}


def object_of(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(required), "additionalProperties": False}


_FACT = {"anyOf": [TEXT, {"type": "object", "minProperties": 1, "maxProperties": 50, "additionalProperties": _SCALAR}]}
_NAMES = {**TEXTS, "uniqueItems": True}
KINDS = ("repositories", "tools", "actions")  # what a task allows and denies
_AUTHORITY = object_of({f"{word}_{kind}": _NAMES for word in ("allowed", "denied") for kind in KINDS})
_DOMAIN = object_of(
    {"kind": {"enum": list(DOMAINS)}, "name": {"type": "string", "minLength": 1, "maxLength": 200}}, "kind", "name"
)
_PROPERTIES: dict[str, Any] = {
    "task_id": ID,
    "handoff_id": ID,
    "from_role": NAME,
    "to_role": NAME,
    "from_project": _PROJECT,
    "to_project": _PROJECT,
    "goal": TEXT,
    "known_facts": {"type": "array", "items": _FACT, "maxItems": 200, "description": "what was verified: no guess among it"},
    "hypotheses": {
        "type": "array",
        "items": object_of({"statement": TEXT, "status": {"enum": list(HYPOTHESES)}}, "statement", "status"),
        "maxItems": 200,
    },
    "artifacts": {
        "type": "array",
        "items": object_of({"uri": REFERENCE, "version": {"type": "string", "minLength": 1, "maxLength": 200}}, "uri", "version"),
        "maxItems": 200,
    },
    "authority": _AUTHORITY,
    "acceptance": TEXTS,
    "next_required": {"type": "string", "maxLength": 20_000},
    "domains": {"type": "array", "items": _DOMAIN, "maxItems": 50, "uniqueItems": True},
    "defect_of": {**ID, "description": "the closed task whose work this one has to mend"},
}
_REQUIRED = ("from_role", "to_role", "from_project", "to_project", "goal")
_EMPTY: dict[str, Any] = {
    "known_facts": [],
    "hypotheses": [],
    "artifacts": [],
    "authority": {},
    "acceptance": [],
    "next_required": "",
    "domains": [],
}


@dataclass(frozen=True, slots=True)
class TaskPacket:
    """A valid packet, all its parts there, though some of them may be empty."""

    said: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The ID of its task."""
        return str(self.said["task_id"])

    @property
    def goal(self) -> str:
        """What is to be reached."""
        return str(self.said["goal"])

    @property
    def authority(self) -> Mapping[str, list[str]]:
        """What the receiver is allowed and denied while it works."""
        return dict(self.said["authority"])

    @property
    def domains(self) -> tuple[tuple[str, str], ...]:
        """What it writes that others write too, by kind and name."""
        return tuple((str(one["kind"]), str(one["name"])) for one in self.said["domains"])

    @property
    def gaps(self) -> tuple[str, ...]:
        """The parts in which nothing stands."""
        return tuple(name for name in PARTS if not self.said[name])

    def changed(self, changes: Mapping[str, Any]) -> "TaskPacket":
        """The next version of it, with *changes*."""
        return TaskPacket({**self.said, **changes})


# A packet of which every text is Clean; `store` takes no other.
CleanPacket = NewType("CleanPacket", TaskPacket)


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a packet."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:handoffsite:task:1",
        "title": "Task",
        **object_of(_PROPERTIES, *_REQUIRED),
    }


def packet(found: Mapping[str, Any], file: str = "") -> TaskPacket:
    """The packet that *found*, a JSON object, describes; Malformed, with each JSON path, what is wrong there and what is allowed."""
    refuse(found, schema(), "`handoffsite schema task` prints what is allowed", file)
    named = {"handoff_id": f"handoff-{found['task_id']}"[:80].rstrip("._-")} if "task_id" in found else {}
    said = {**_EMPTY, **named, **found}
    return TaskPacket({name: said[name] for name in _PROPERTIES if name in said})


def loads(text: str | bytes, file: str = "") -> dict[str, Any]:
    """The JSON object in *text*, to be made a packet or the body of a move; Malformed where it is none, or too large."""
    if len(text) > MOST_BYTES:
        raise Malformed(f"larger than {MOST_BYTES // 1024} KiB", file=file, hint="name artefacts by their address instead")
    found = shape.parse(text)
    if not isinstance(found, dict):
        raise Malformed("not a JSON object", file=file, hint="`handoffsite schema task` prints what is allowed")
    return found


def refuse(found: Any, wanted: Mapping[str, Any], hint: str, file: str = "") -> None:
    """Malformed where *found* is not as the schema *wanted* has it: the first faults, each with its JSON path."""
    faults = list(itertools.islice(shape.faults(found, wanted), _MOST_FAULTS))
    if faults:
        told = "; ".join(f"{shape.path_of(one.pointer) or 'the document'}: {one.message}" for one in faults)
        raise Malformed(told, file=file, hint=hint)


def is_field(name: str) -> bool:
    """Whether *name* is a field of a packet, or a place in one: `acceptance`, `authority.allowed_tools`, `artifacts[0].version`."""
    found = _PLACE.fullmatch(name)
    if found is None or found["field"] not in CHANGEABLE:
        return False
    return found["field"] != "authority" or not found["rest"] or found["rest"].lstrip(".") in _AUTHORITY["properties"]


def cleaned(found: TaskPacket, redactor: Redactor) -> CleanPacket:
    """*found* without secrets and hidden characters. Refused where it could not be found again without one."""
    clean = TaskPacket(clean_document(found.said, redactor))
    changed = next((name for name in (*PARTIES, "defect_of") if clean.said.get(name) != found.said.get(name)), "")
    if changed:
        raise Refused(f"{changed} reads like a secret", hint="choose a name that is none")
    return CleanPacket(clean)
