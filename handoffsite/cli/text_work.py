"""What people read on the terminal about the mailbox and about plans."""

from collections.abc import Mapping
from typing import Any

NOTHING = "Nothing pending."


def sent(found: Mapping[str, Any]) -> str:
    """What `work send` and `work ask` did."""
    despite = f", despite {', '.join(found['despite'])}" if found["despite"] else ""
    return f"{found['id']}: left for the {found['to']}{despite}"


def taken(found: Mapping[str, Any]) -> str:
    """What `work take` hands over."""
    return "\n\n".join(map(message, found["messages"])) or NOTHING


def cleared(found: Mapping[str, Any]) -> str:
    """What `work clear` moved."""
    return "\n".join(f"{one['id']}: cleared, kept as {one['file']}" for one in found["cleared"]) or NOTHING


def shown(found: Mapping[str, Any]) -> str:
    """What waits for whom."""
    sections = []
    for role in ("executor", "planner"):
        waiting = [_indented(message(one)) for one in found[role]]
        sections.append("\n\n".join((f"For the {role}:", *(waiting or [f"  {NOTHING}"]))))
    return "\n\n".join(sections)


def message(found: Mapping[str, Any]) -> str:
    """One message, whole."""
    head = f"{found['id'] or 'typed by hand, no ID yet'}: from {found['from']} to {found['to']}"
    parts = [head, found["sent"], f"despite {', '.join(found['despite'])}" if found["despite"] else ""]
    if found["taken"]:
        parts.append(f"taken by {found['taken']['by']} at {found['taken']['at']} (generation {found['taken']['generation']})")
    parts.append(f"cleared {found['cleared']}" if found["cleared"] else "")
    return ", ".join(filter(None, parts)) + f"\n\n{found['text']}"


def plan(found: Mapping[str, Any]) -> str:
    """Which sentences of a plan repeat what failed."""
    if found["ok"]:
        return f"No sentence repeats what one of {found['constraints']} active constraints says failed."
    lines = []
    for one in found["problems"]:
        where = f"{one['file']}:{one['line']}" if one["file"] else f"line {one['line']}"
        lines += [f"{where}: {one['message']}", f"    it says: {one['sentence']}"]
        lines += [f"    because: {one['reason']}"] if one["reason"] else []
        lines += [f"    {one['fix']}"]
    return "\n".join(lines)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.split("\n"))
