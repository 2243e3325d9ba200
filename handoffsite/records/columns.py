"""How people head the columns of a table, and which field of an item each is."""

from collections.abc import Mapping

# How the columns of a table are headed, by section.
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "completed": {
        "completed": "text", "item": "text", "task": "text", "description": "text", "what": "text", "feature": "text", "work": "text",
        "title": "text", "done": "text", "change": "text", "status": "status", "id": "id",
    },
    "decisions": {
        "decision": "title", "choice": "title", "title": "title", "what": "title", "decided": "title", "rationale": "rationale",
        "why": "rationale", "reason": "rationale", "because": "rationale", "motivation": "rationale", "alternatives": "alternatives",
        "alternatives considered": "alternatives", "options": "alternatives", "status": "status", "topic": "topic", "area": "topic",
        "supersedes": "supersedes", "replaces": "supersedes", "context": "context", "id": "id",
    },
    "constraints": {
        "tried": "tried", "attempt": "tried", "approach": "tried", "constraint": "tried", "limitation": "tried", "issue": "tried",
        "blocker": "tried", "risk": "tried", "problem": "tried", "what": "tried", "what was tried": "tried", "outcome": "outcome",
        "result": "outcome", "what happened": "outcome", "impact": "outcome", "effect": "outcome", "because": "because", "why": "because",
        "reason": "because", "cause": "because", "root cause": "because", "status": "status", "topic": "topic", "id": "id",
    },
    "dependencies": {
        "package": "name", "name": "name", "dependency": "name", "library": "name", "ecosystem": "ecosystem", "manager": "ecosystem",
        "change": "change", "action": "change", "from": "from", "old": "from", "before": "from", "to": "to", "new": "to", "after": "to",
        "version": "to", "file": "file", "manifest": "file",
    },
    "threads": {
        "thread": "title", "task": "title", "item": "title", "title": "title", "what": "title", "todo": "title", "description": "title",
        "work": "title", "next": "next", "next step": "next", "next action": "next", "status": "status", "state": "status", "id": "id",
    },
}  # fmt: skip
HEADLINES = {"completed": "text", "decisions": "title", "constraints": "tried", "dependencies": "name", "threads": "title"}
