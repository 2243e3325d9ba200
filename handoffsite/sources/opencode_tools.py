"""OpenCode's tools: one part of a message holds a call and what came of it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.claude_prompts import pairs
from handoffsite.sources.emitter import Call, Emitter
from handoffsite.sources.lines import Entry
from handoffsite.sources.opencode_session import table
from handoffsite.sources.patch import joined, patched
from handoffsite.sources.text import arguments, chosen, clean, named, renamed, word
from handoffsite.sources.todos import KEPT_TODOS, todo

ROLES = {
    **dict.fromkeys(("bash", "shell"), "shell"),
    **dict.fromkeys(("edit", "multiedit", "patch", "apply_patch"), "edit"),
    "write": "write",
    "read": "read",
    **dict.fromkeys(("grep", "glob", "list", "ls", "codesearch", "lsp", "lsp_hover", "lsp_diagnostics"), "search"),
    **dict.fromkeys(("webfetch", "websearch"), "fetch"),
    **dict.fromkeys(("todowrite", "todoread"), "todo"),
    "plan_exit": "plan",
    "question": "question",
    "task": "agent",
}

_PATHS = ("filePath", "file_path", "path")
_SUMMARY = (*_PATHS, "pattern", "query", "url", "name")
_PARTS = {"oldString": "old", "newString": "new", "content": "content"}

_NAME = r"(?:[A-Za-z]*Error: )?"
_REFUSED = re.compile(
    _NAME + r"(?:The user (?:rejected permission|has specified a rule which prevents|has specifically restricted access|"
    r"dismissed this question)|Tool execution aborted|Cancelled\s*\Z)"
)
_FEEDBACK = re.compile(_NAME + r"The user rejected permission[^\n]{0,200}? with the following feedback: (.+)", re.DOTALL)
_STOPPED = re.compile(
    r"<(bash_|shell_)?metadata>[^<]{0,2000}(?:terminated command after exceeding timeout|User aborted the command)"
    r"|\(Command (?:timed out after \d+ ms|was aborted)\)\s*\Z"
)
_RUNS_ON = re.compile(r'state: running\b|<task\b[^>\n]{0,400} state="running"')
_PLAN_FILE = re.compile(r"(?:^|[/\\])plans?[/\\][^/\\]{1,200}\.md\Z")


class Tools:
    """Tells of tool parts; *time* gives a part's milliseconds as a time, and notes it."""

    def __init__(self, account: Account, emitter: Emitter, time: Callable[[Any], str]) -> None:
        self.account = account
        self.emitter = emitter
        self.todos: list[dict[str, str]] = []
        self.unanswered = 0
        self._time = time
        self._plan = ""

    def part(self, part: Entry, touched: tuple[str, ...] = ()) -> None:
        """Add the call that *part* holds, and its result if it has one; *touched* are the files that a shell command changed."""
        state = table(part.get("state"))
        times = table(state.get("time"))
        call = _call(part, state)
        self.account.calls += 1
        self.emitter.time = self._time(times.get("start")) or self.emitter.time
        self.emitter.call(call, _summary(call))
        if call.role == "plan" and self._plan and not self.emitter.aside:
            self.emitter.say("plan", self._plan)
        if state.get("status") not in ("completed", "error"):
            self.unanswered += 1
            return
        self.emitter.time = self._time(times.get("end")) or self.emitter.time
        self._result(call, state, touched)

    def listed(self, todos: list[Any]) -> None:
        """Add the to-do list, unless it stands like this already; the database keeps no IDs in it."""
        known = {one["text"]: one["id"] for one in self.todos}
        found = [todo(entry) for entry in todos[:KEPT_TODOS] if type(entry) is dict]
        found = [{**one, "id": one["id"] or known.get(one["text"], "")} for one in found]
        if _told(found) != _told(self.todos):
            self.todos = found
            self.emitter.listed(found)

    def _result(self, call: Call, state: Entry, touched: tuple[str, ...]) -> None:
        self.account.results += 1
        metadata = table(state.get("metadata"))
        failed = state.get("status") == "error"
        output, error = state.get("output"), clean(state.get("error"))
        output = metadata.get("output") if failed and type(output) is not str else output
        text = clean(output)
        text = "\n".join(filter(None, (text, error))) if failed else text
        exit = metadata.get("exit") if call.role == "shell" and type(metadata.get("exit")) is int else None
        ok = False if failed else _succeeded(call, text, metadata, exit)
        self.account.errors += failed or exit not in (None, 0)
        data: dict[str, Any] = {}
        if failed and _REFUSED.match(error):
            data["refused"] = True
        elif ok is None and call.role == "agent":
            data["background"] = word(metadata.get("sessionId"))
        elif call.role == "write" and metadata.get("exists") is True:
            data["existed"] = True  # what it holds now is not all new
        self.emitter.result(call, clean(text), ok=ok, exit=exit, paths=call.paths or touched, data=data)
        if not self.emitter.aside:
            self._human(call, text, error, metadata, failed=failed)
        if not failed:
            self._done(call, metadata)

    def _done(self, call: Call, metadata: Entry) -> None:
        """What a call that worked says of lists and plans."""
        if call.name == "todowrite":
            todos = call.input.get("todos")
            todos = todos if type(todos) is list else metadata.get("todos")
            if type(todos) is list:
                self.listed(todos)
        elif call.role in ("write", "edit") and call.paths and _PLAN_FILE.search(call.paths[0]):
            old, new, content = (call.data.get(key) for key in ("old", "new", "content"))
            if content:
                self._plan = clean(content)
            elif old and new is not None:
                self._plan = clean(self._plan.replace(old, new, 1))

    def _human(self, call: Call, text: str, error: str, metadata: Entry, *, failed: bool) -> None:
        """Add what the human answered to the call."""
        if call.role == "plan" and (not failed or "dismissed" in error):
            self.emitter.decided(self._plan, approved=not failed)
        elif call.role == "question" and not failed:
            self.emitter.answered(_answers(call, text, metadata))
        elif failed and (found := _FEEDBACK.match(error)):
            self.emitter.prompt(found[1].strip(), refused=call.id)


def _call(part: Entry, state: Entry) -> Call:
    given = arguments(state.get("input"))
    name = word(part.get("tool"))
    role = ROLES.get(name, "other")
    data: dict[str, Any] = {"input": given}
    path = named(given, _PATHS)
    paths: tuple[str, ...] = (path,) if path else ()
    if role == "shell":
        data["command"] = clean(given.get("command"))
        paths = ()
    elif role in ("edit", "write"):
        data |= _change(given)
        paths = paths or patched(data.get("patch", ""))
    return Call(word(part.get("callID")) or word(part.get("id")), name, role, paths, data)


def _change(given: Mapping[str, Any]) -> dict[str, Any]:
    """What an edit puts in whose place."""
    if type(patch := given.get("patchText")) is str:
        return {"patch": patch}
    data = renamed(given, _PARTS)
    edits = given.get("edits")
    if type(edits) is list:
        data |= joined((clean(one.get("oldString")), clean(one.get("newString"))) for one in edits if type(one) is dict)
    return data


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    given = call.input
    if call.role == "shell":
        return str(call.data["command"])
    if call.role == "agent":
        return clean(given.get("description")) or clean(given.get("prompt"))
    if call.role == "question":
        return clean("\n".join(call.questions))
    if "patch" in call.data:
        return ", ".join(call.paths)
    return named(given, _SUMMARY)


def _succeeded(call: Call, text: str, metadata: Entry, exit: int | None) -> bool | None:
    """Whether a call that came to its end did what it was to do."""
    if call.role == "shell":
        if _STOPPED.search(text[-4_000:]):
            return False
        # A signal leaves no status; a command that the human typed leaves nothing, whatever came of it.
        return exit == 0 if exit is not None else False if "exit" in metadata else None
    if call.role == "agent" and (metadata.get("background") is True or _RUNS_ON.search(text[:400])):
        return None
    return call.name != "invalid"


def _answers(call: Call, text: str, metadata: Entry) -> dict[str, str]:
    """The human's answer to each question that got one."""
    given = metadata.get("answers")
    if type(given) is not list:
        return {clean(question): clean(answer) for question, answer in pairs(text).items() if answer != "Unanswered"}
    return {question: said for question, answer in zip(call.questions, given, strict=False) if (said := chosen(answer))}


def _told(todos: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(one["text"], one["status"]) for one in todos]
