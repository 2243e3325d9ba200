"""A contract as a planner writes it."""

import json
from typing import Any

ENVELOPE: dict[str, Any] = {
    "contractVersion": "1",
    "idempotencyKey": "search-tool",
    "issuer": {"id": "orchestrator", "role": "planner"},
    "assignee": {"id": "coder", "role": "executor"},
    "objective": "The server answers the tool `search`",
    "scope": {"include": ["server/", "tests/"], "exclude": ["server/secrets.py"]},
    "inputs": [],
    "constraints": [],
    "acceptance": [
        {
            "id": "answers",
            "assertion": "the server answers a search",
            "verificationCommand": "sh tests/call.sh",
            "evidenceRequired": True,
        }
    ],
    "permissions": {"read": ["**"], "write": ["server/**", "tests/**"], "network": [], "secrets": []},
    "budget": {"wallClockSeconds": 60, "maxAttempts": 2},
    "escalation": {"on": ["scope"], "route": "human"},
}


def envelope(**more: Any) -> str:
    """The contract as JSON, with some keys otherwise."""
    return json.dumps({**ENVELOPE, **more})
