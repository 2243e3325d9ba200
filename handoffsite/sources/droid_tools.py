"""Droid's tools: what was called, what came of it, and what the human answered."""

import re
from collections.abc import Mapping
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.lines import parsed
from handoffsite.sources.patch import joined, patched
from handoffsite.sources.printed import is_refusal
from handoffsite.sources.text import arguments, clean, named, plain, renamed, word
from handoffsite.sources.todos import KEPT_TODOS, todo

ROLES = {
    **dict.fromkeys(("Execute", "Bash", "Shell"), "shell"),
    **dict.fromkeys(("Edit", "MultiEdit", "ApplyPatch"), "edit"),
    **dict.fromkeys(("Create", "Write"), "write"),
    "Read": "read",
    **dict.fromkeys(("Grep", "Glob", "LS"), "search"),
    **dict.fromkeys(("WebSearch", "FetchUrl", "WebFetch"), "fetch"),
    "TodoWrite": "todo",
    **dict.fromkeys(("ExitSpecMode", "ProposeSpec"), "plan"),
    **dict.fromkeys(("AskUser", "AskUserQuestion"), "question"),
    **dict.fromkeys(("Task", "TaskOutput"), "agent"),
}

_PATHS = ("file_path", "path", "directory_path", "folder")
_SUMMARY = ("file_path", "pattern", "query", "url", "description", "questionnaire", "prompt", "title", "path", "directory_path")
_PARTS = {"old_str": "old", "old_string": "old", "new_str": "new", "new_string": "new", "content": "content"}

_EXITS = (
    re.compile(r"\[?Process exited with code (-?\d{1,10})\]?\s*\Z"),
    re.compile(r"\s*(?:Error: )?(?:Command failed \(?exit code:?|Exit code:?|exit code:) (-?\d{1,10})", re.IGNORECASE),
)
_END = 200  # characters at either end in which an exit status stands
_APPROVED = re.compile(r"\b(?<!not )(?:approved|accepted)\b", re.IGNORECASE)
_ERROR = re.compile(r"\s*(?:<tool_use_error>|Error\b|Failed to\b)")
_BACKGROUND = re.compile(r"\b(?:PID|process ID):? (\d{1,10})", re.IGNORECASE)
_TODO = re.compile(r"\s*(?:(\d{1,6})[.)]|[-*])?\s*\[([a-z_ -]{1,20})\]\s*(.{1,2000})", re.IGNORECASE)
_ANSWERED = re.compile(
    r"\[question\][ \t]*([^\n]{1,2000})\n(?:\[(?!question|answer)[^\n]{0,2000}\n)*\[answer\][ \t]*([^\n]{0,2000})"
)


class Tools:
    """Tells of tool blocks, and pairs results with calls across entries."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()
        self._todos: list[dict[str, str]] = []

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._open)

    def call(self, block: Mapping[str, Any]) -> None:
        """Add what a tool_use block asks for."""
        self.account.calls += 1
        given = arguments(block.get("input"))
        name = word(block.get("name"))
        role = ROLES.get(name, "other")
        data = {"input": given, **_data(role, given)}
        path = named(given, _PATHS)
        paths = patched(data["patch"]) if "patch" in data else (path,) if path else ()
        call = Call(word(block.get("id")), name, role, paths, data)
        self._open.add(call)
        self.emitter.call(call, _summary(call))
        if role == "todo":
            self.listed(given.get("todos"))
        elif role == "plan" and not self.emitter.aside and (plan := clean(given.get("plan"))):
            self.emitter.say("plan", plan)

    def listed(self, todos: Any) -> None:
        """Add the whole list *todos*, unless it is what was told last."""
        if (listed := _todos(todos)) and listed != self._todos:
            self._todos = listed
            self.emitter.listed([dict(entry) for entry in listed])

    def result(self, block: Mapping[str, Any]) -> None:
        """Add what a tool_result block gives back."""
        self.account.results += 1
        call = self._open.close(word(block.get("tool_use_id")))
        text = plain(block.get("content"))
        failed = bool(block.get("is_error") or block.get("isError"))
        exit = _exit(text) if call.role == "shell" else None
        if exit is not None:
            failed = failed or exit != 0
        elif not failed and call.role in ("edit", "write"):
            failed = _ERROR.match(text) is not None or _denied(text)
        self.account.errors += failed
        data: dict[str, Any] = {}
        ok: bool | None = not failed
        if failed and is_refusal(text[:_END]):
            data["refused"] = True
        elif ok and call.role == "shell" and call.input.get("fireAndForget") is True:
            ok, exit = None, None
            found = _BACKGROUND.search(text)
            data["background"] = found[1] if found else call.id
        self.emitter.result(call, text, ok=ok, exit=exit, data=data)
        if not self.emitter.aside:
            self._human(call, text, failed=failed, refused="refused" in data)

    def _human(self, call: Call, text: str, *, failed: bool, refused: bool) -> None:
        """Add what the human answered to the call."""
        if call.role == "plan":
            approved = not failed and not is_refusal(text) and _APPROVED.search(text) is not None
            if approved or refused or is_refusal(text):
                self.emitter.decided(clean(call.input.get("plan")), approved=approved)
        elif call.role == "question" and not failed:
            self.emitter.answered({found[1].strip(): found[2].strip() for found in _ANSWERED.finditer(text)})


def _data(role: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What of the arguments has a name of its own for every agent."""
    if role == "shell":
        return {"command": clean(given.get("command"))}
    if role not in ("edit", "write"):
        return {}
    patch = given.get("input") or given.get("patch") or given.get("")
    if type(patch) is str:
        return {"patch": clean(patch)}
    changes = given.get("changes") or given.get("edits")
    if type(changes) is list:
        parts = [renamed(change, _PARTS) for change in changes if type(change) is dict]
        return joined((part.get("old", ""), part.get("new", "")) for part in parts)
    return renamed(given, _PARTS)


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    if call.role == "shell":
        return str(call.data["command"])
    if "patch" in call.data:
        return ", ".join(call.paths)
    return next((clean(given) for key in _SUMMARY if type(given := call.input.get(key)) is str and given), "")


def _exit(text: str) -> int | None:
    """The exit status that a shell's output tells, which stands at its end or its beginning."""
    found = _EXITS[0].search(text[-_END:]) or _EXITS[1].match(text[:_END])
    return int(found[1]) if found else None


def _denied(text: str) -> bool:
    """Whether *text* is the JSON of a tool that says itself that it failed."""
    if not text.startswith("{") or '"success"' not in text:
        return False
    answer = parsed(text)
    return type(answer) is dict and answer.get("success") is False


def _todos(todos: Any) -> list[dict[str, str]]:
    """The list in whichever of its shapes it comes: entries, or one text with a line for each."""
    for _ in range(2):
        if type(todos) is dict:
            todos = todos.get("todos")
    if type(todos) is str and todos.lstrip().startswith("[{"):
        todos = parsed(todos)
    if type(todos) is list:
        return [todo(entry) for entry in todos[:KEPT_TODOS] if type(entry) is dict]
    if type(todos) is not str:
        return []
    lines = [found for line in clean(todos).split("\n")[: 2 * KEPT_TODOS] if (found := _TODO.match(line))]
    return [
        todo({"id": found[1] or "", "content": found[3].strip(), "status": found[2].lower().replace(" ", "_")})
        for found in lines[:KEPT_TODOS]
    ]
