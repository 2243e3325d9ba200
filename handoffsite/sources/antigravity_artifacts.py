"""Antigravity's artifacts: the plan, the list of tasks and the report that the agent writes into the conversation's own folder."""

import re

from handoffsite.sources.emitter import Call, Emitter
from handoffsite.sources.text import base_name, clean
from handoffsite.sources.todos import KEPT_TODOS

_FOLDER = re.compile(r"[/\\]\.gemini[/\\]antigravity[\w-]*[/\\]brain[/\\]")
_TODO = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)]) \[([ xX/~-])\] (.+)$", re.MULTILINE)
_NOTE = re.compile(r"\s*<!--.*?-->")
_STATUS = {" ": "pending", "/": "in_progress", "~": "in_progress", "-": "cancelled"}
_ROLES = {"implementation_plan.md": "plan", "task.md": "todo"}

APPROVED = "The user has approved this document."


class Artifacts:
    """Follows the files; each is known by its name."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def role(self, path: str) -> str:
        """The role of a call that writes the file at *path*: nothing where that is no artifact, for then it changes the project."""
        return _ROLES.get(base_name(path), "other") if _FOLDER.search(path) else ""

    def written(self, call: Call, emitter: Emitter) -> None:
        """Add the list or the plan as the file shows it after *call*."""
        path = call.paths[0]
        role = self.role(path)
        if role not in ("plan", "todo"):
            return
        name = base_name(path)
        text = self._after(call, self._texts.get(name, ""))
        self._texts[name] = text
        if role == "todo":
            emitter.listed(todos(text))
        elif text:
            emitter.say("plan", clean(text))

    def approved(self, text: str, emitter: Emitter) -> bool:
        """Add the human's approval of the plan if *text* holds it; whether it does."""
        plan = self._texts.get("implementation_plan.md", "")
        if APPROVED not in text:
            return False
        if plan and "implementation_plan.md" in text:
            emitter.decided(clean(plan), approved=True)
        return True

    def _after(self, call: Call, text: str) -> str:
        """The *text* of a file after *call* wrote it."""
        if type(content := call.data.get("content")) is str:
            return content
        edits = call.input.get("edits")
        pairs = [(edit["old_string"], edit["new_string"]) for edit in edits] if type(edits) is list else []
        pairs = pairs or [(str(call.data.get("old", "")), str(call.data.get("new", "")))]
        for old, new in pairs:
            if old and old in text:
                text = text.replace(old, new, 1)
        return clean(text)


def todos(text: str) -> list[dict[str, str]]:
    """The list that *text*, a checklist in Markdown, shows."""
    found = []
    for number, entry in enumerate(_TODO.finditer(text), 1):
        status = _STATUS.get(entry[1], "completed")
        found.append({"id": str(number), "text": _NOTE.sub("", entry[2]).strip(), "status": status})
        if number == KEPT_TODOS:
            break
    return found
