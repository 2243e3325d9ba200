"""pi's tools: what was called, by the agent or by the human, and what came of it."""

import re
from collections.abc import Mapping
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.patch import joined
from handoffsite.sources.text import arguments, clean, gathered, named, picture, word
from handoffsite.sources.todos import todo

# Those of pi itself, then those that its extensions commonly bring.
ROLES = {
    **dict.fromkeys(("bash", "powershell"), "shell"),
    **dict.fromkeys(("edit", "multi_edit"), "edit"),
    "write": "write",
    "read": "read",
    **dict.fromkeys(("grep", "find", "ls", "glob"), "search"),
    **dict.fromkeys(("web_search", "web_fetch", "fetch", "websearch", "webfetch"), "fetch"),
    **dict.fromkeys(("todo", "todo_write", "todowrite"), "todo"),
    **dict.fromkeys(("question", "questionnaire", "ask", "ask_user"), "question"),
    **dict.fromkeys(("subagent", "task"), "agent"),
}

_PATHS = ("path", "file_path")
_SUMMARY = (*_PATHS, "pattern", "query", "url", "question", "task", "description")

_EXIT = re.compile(r"Command exited with code (-?\d{1,10})\s*\Z")
_REFUSED = re.compile(
    r"\s*(?:Tool execution was blocked|Blocked by (?:the )?user|(?:Denied|Rejected|Cancelled) by (?:the )?user)"
)
_TAIL = 200  # characters in which a shell's exit status stands


class Tools:
    """Tells of calls and pairs results with them across entries."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._open)

    def call(self, block: Mapping[str, Any]) -> None:
        """Add what a toolCall block asks for."""
        self.account.calls += 1
        given = arguments(block.get("arguments"))
        name = word(block.get("name"))
        role = ROLES.get(name.lower(), "other")
        path = named(given, _PATHS)
        call = Call(word(block.get("id")), name, role, (path,) if path else (), {"input": given, **_data(role, given)})
        self._open.add(call)
        self.emitter.call(call, _summary(call))

    def result(self, message: Mapping[str, Any]) -> None:
        """Add what a toolResult message gives back."""
        self.account.results += 1
        call = self._open.close(word(message.get("toolCallId")))
        if not call.name and (name := word(message.get("toolName"))):
            call = Call(call.id, name, ROLES.get(name.lower(), "other"))
        text = said(message.get("content"))
        failed = bool(message.get("isError"))
        exit = None
        if call.role == "shell":
            found = _EXIT.search(text[-_TAIL:])
            exit = int(found[1]) if failed and found else None if failed else 0
        failed = failed or exit not in (None, 0)
        self.account.errors += failed
        refused = failed and _REFUSED.match(text) is not None
        self.emitter.result(call, text, ok=not failed, exit=exit, data={"refused": True} if refused else None)
        details = message.get("details")
        if type(details) is dict and not failed:
            self._detailed(call, details)

    def executed(self, message: Mapping[str, Any]) -> None:
        """Add a command that the human ran; it is no call of the agent's, and counts as none."""
        command = clean(message.get("command"))
        number = f"{self.emitter.message or self.emitter.line}:run"
        call = Call(number, "bash", "shell", (), {"input": {"command": command}, "command": command})
        actor, self.emitter.actor = self.emitter.actor, "human"
        self.emitter.call(call, command)
        self.emitter.actor = actor
        exit = message.get("exitCode")
        exit = exit if type(exit) is int else None
        ok = False if message.get("cancelled") is True else exit == 0 if exit is not None else None
        self.emitter.result(call, clean(message.get("output")), ok=ok, exit=exit)

    def _detailed(self, call: Call, details: Mapping[str, Any]) -> None:
        """Add what only the result's details tell: the list as it stands, the human's answer."""
        todos = details.get("todos")
        if call.role == "todo" and type(todos) is list:
            self.emitter.listed([_todo(entry) for entry in todos if type(entry) is dict])
        answer = clean(details.get("answer"))
        if call.role == "question" and answer:
            self.emitter.answered({clean(details.get("question")) or clean(call.input.get("question")): answer})


def said(content: Any) -> str:
    """The text of a message's content as it is kept; a picture becomes a note of its size."""
    if type(content) is list:
        content = [picture(data) if (data := _image(block)) else block for block in content]
    return clean(gathered(content))


def _image(block: Any) -> str:
    data = block.get("data") if type(block) is dict and block.get("type") == "image" else None
    return data if type(data) is str else ""


def _data(role: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What of the arguments has a name of its own for every agent."""
    if role == "shell":
        return {"command": clean(given.get("command"))}
    if role == "write":
        return {"content": clean(given.get("content"))}
    if role != "edit":
        return {}
    edits = given.get("edits")
    pairs = [edit for edit in (edits if type(edits) is list else [given]) if type(edit) is dict]
    return joined((_text(edit, "oldText", "old_text"), _text(edit, "newText", "new_text")) for edit in pairs)


def _text(given: Mapping[str, Any], *keys: str) -> str:
    return next((clean(given[key]) for key in keys if key in given), "")


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    if call.role == "shell":
        return str(call.data["command"])
    return next((clean(given) for key in _SUMMARY if type(given := call.input.get(key)) is str and given), "")


def _todo(entry: Mapping[str, Any]) -> dict[str, str]:
    if "status" in entry or type(entry.get("done")) is not bool:
        return todo(entry)
    id = entry.get("id")
    return todo({**entry, "id": str(id) if type(id) is int else id, "status": "completed" if entry["done"] else "pending"})
