"""Claude Code's tools: what was called, what came of it, and what the human said to it."""

import re
from collections.abc import Mapping
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.claude_prompts import INTERRUPTED, pairs, reason
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.patch import joined
from handoffsite.sources.text import arguments, between, chosen, clean, named, plain, renamed, word
from handoffsite.sources.todos import Todos, todo

ROLES = {
    **dict.fromkeys(("Bash", "PowerShell"), "shell"),
    **dict.fromkeys(("Edit", "MultiEdit", "NotebookEdit"), "edit"),
    "Write": "write",
    **dict.fromkeys(("Read", "NotebookRead"), "read"),
    **dict.fromkeys(("Grep", "Glob", "LS", "ToolSearch"), "search"),
    **dict.fromkeys(("WebFetch", "WebSearch"), "fetch"),
    **dict.fromkeys(("TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"), "todo"),
    "ExitPlanMode": "plan",
    "AskUserQuestion": "question",
    **dict.fromkeys(("Task", "Agent"), "agent"),
}

BACKGROUND = 256  # tasks at the same time

_LATER = frozenset(("BashOutput", "TaskOutput", "AgentOutputTool"))  # what a task in the background has printed since
_PATHS = ("file_path", "notebook_path", "path", "filePath")
_SUMMARY = (*_PATHS, "pattern", "query", "url", "subject")
_PARTS = {"old_string": "old", "new_string": "new", "content": "content", "new_source": "new"}

_EXIT = re.compile(r"(?:Error: )?Exit code (-?\d{1,5})\b")
_STATUS = re.compile(r"<status>(\w+)</status>")
_LATER_EXIT = re.compile(r"<exit_code>(-?\d{1,5})</exit_code>|\bexit code (-?\d{1,5})\b")
_IN_BACKGROUND = re.compile(r"Command (?:running|was manually backgrounded|was backgrounded)[^\n]{0,80}? ID: ([\w-]{1,80})")
_REFUSED = ("The user doesn't want to proceed with this tool use", "The user doesn't want to take this action right now")


class Tools:
    """Tells of tool blocks, and pairs results with calls across entries."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()
        self._background: dict[str, Call] = {}
        self._todos: dict[tuple[str, bool], Todos] = {}

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
        if name in _LATER and (started := self._background.get(_task(given))):
            role, data["command"] = started.role, started.data.get("command", "")
        call = Call(word(block.get("id")), name, role, _paths(given), data)
        self._open.add(call)
        self.emitter.call(call, _summary(call))
        if name == "TodoWrite" and type(todos := given.get("todos")) is list:
            self.emitter.listed([todo(entry) for entry in todos if type(entry) is dict])
        elif role == "plan" and not self.emitter.aside and (plan := clean(given.get("plan"))):
            self.emitter.say("plan", plan)

    def result(self, block: Mapping[str, Any], twin: Any) -> None:
        """Add what a tool_result block gives back; *twin* is the same in the entry's own structure."""
        self.account.results += 1
        id = word(block.get("tool_use_id"))
        call = self._open.close(id)
        text = plain(block.get("content"))
        failed = bool(block.get("is_error"))
        self.account.errors += failed
        twin = twin if type(twin) is dict else {}
        ok, exit = self._outcome(call, text, twin, failed=failed)
        data: dict[str, Any] = {}
        if failed and text.startswith(_REFUSED):
            data["refused"] = True
        elif ok is None and (task := self._started(call, text, twin)):
            data["background"] = task
        self.emitter.result(call, text, ok=ok, exit=exit, paths=call.paths or _paths(twin), data=data)
        if not self.emitter.aside:
            self._human(call, text, twin, failed=failed)
        if call.role == "todo" and not failed and call.name != "TodoWrite":
            self._tasks(call, text, twin)

    def notify(self, text: str) -> None:
        """Add the end of a task that ran in the background, as its call's result."""
        call = self._background.get(between(text, "task-id"))
        status = between(text, "status")
        if call is None or status not in ("completed", "failed", "killed"):
            self.emitter.inject(text)
            return
        exit = _exit(_LATER_EXIT.search(between(text, "summary")))
        ok = exit == 0 if exit is not None else status == "completed"
        self.emitter.result(call, text, ok=ok, exit=exit if call.role == "shell" else None)

    def _outcome(self, call: Call, text: str, twin: Mapping[str, Any], *, failed: bool) -> tuple[bool | None, int | None]:
        """Whether it worked, and the exit status if the log tells one."""
        if failed:
            return False, _exit(_EXIT.match(text)) if call.role == "shell" else None
        if call.name in _LATER:
            return _later(text, twin)
        if call.role == "shell":
            if twin.get("backgroundTaskId") or call.input.get("run_in_background") is True or _in_background(text):
                return None, None
            if twin.get("interrupted") is True:
                return False, None
            # The client's word for a status that is not 0 and yet no failure, as when grep finds nothing.
            return True, None if twin.get("returnCodeInterpretation") else 0
        if call.role == "agent" and (twin.get("status") == "async_launched" or twin.get("isAsync") is True):
            return None, None
        return twin.get("success") is not False, None

    def _started(self, call: Call, text: str, twin: Mapping[str, Any]) -> str:
        """The ID of the task that the call started in the background."""
        task = word(twin.get("backgroundTaskId")) or word(twin.get("agentId")) or _in_background(text)
        if task and call.name not in _LATER:
            self._background[task] = call
            if len(self._background) > BACKGROUND:
                del self._background[next(iter(self._background))]
        return task

    def _human(self, call: Call, text: str, twin: Mapping[str, Any], *, failed: bool) -> None:
        """Add what the human answered to the call."""
        refused = failed and text.startswith(_REFUSED)
        if call.role == "plan" and (refused or not failed):
            plan = clean(twin.get("plan")) or clean(call.input.get("plan"))
            self.emitter.decided(plan, approved=not refused)
        elif call.role == "question" and not failed:
            self.emitter.answered(_answers(text, twin))
        if failed and text.startswith(INTERRUPTED):
            self.emitter.say("interrupt", text, actor="human")
        if refused and (said := reason(text)):
            self.emitter.prompt(said, refused=call.id)

    def _tasks(self, call: Call, text: str, twin: Mapping[str, Any]) -> None:
        """Fold a task tool's result into the list as a whole."""
        todos = self._todos.setdefault((self.emitter.agent, self.emitter.aside), Todos())
        if call.name == "TaskCreate":
            changed = todos.created(call.input, twin, text)
        elif call.name == "TaskUpdate":
            changed = todos.updated(call.input, twin)
        else:
            changed = todos.listed(twin)
        if changed:
            self.emitter.listed(todos.whole())


def _data(role: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What of the arguments has a name of its own for every agent."""
    if role == "shell":
        return {"command": clean(given.get("command"))}
    if role not in ("edit", "write"):
        return {}
    data = renamed(given, _PARTS)
    edits = given.get("edits")
    if type(edits) is list:
        data |= joined((clean(one.get("old_string")), clean(one.get("new_string"))) for one in edits if type(one) is dict)
    return data


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    given = call.input
    if call.role == "shell":
        return str(call.data.get("command", ""))
    if call.role == "agent":
        return clean(given.get("description")) or clean(given.get("prompt"))
    if call.role == "question":
        return "\n".join(call.questions)
    return named(given, _SUMMARY)


def _paths(given: Mapping[str, Any]) -> tuple[str, ...]:
    path = named(given, _PATHS)
    return (path,) if path else ()


def _in_background(text: str) -> str:
    """The ID of the task that *text* says was started."""
    found = _IN_BACKGROUND.match(text) if text.startswith("Command ") else None
    return found[1] if found else ""


def _task(given: Mapping[str, Any]) -> str:
    return next((word(given[key]) for key in ("bash_id", "task_id", "shell_id", "agentId") if given.get(key)), "")


def _exit(found: re.Match[str] | None) -> int | None:
    return None if found is None else int(next(group for group in found.groups() if group is not None))


def _later(text: str, twin: Mapping[str, Any]) -> tuple[bool | None, int | None]:
    """What a task in the background came to so far."""
    task = twin.get("task")
    task = task if type(task) is dict else twin
    status = word(task.get("status")) or (found[1] if (found := _STATUS.search(text)) else "")
    exit = task.get("exitCode")
    exit = exit if type(exit) is int else _exit(_LATER_EXIT.search(text[:400]))
    if status not in ("completed", "failed", "killed"):
        return None, None
    return (exit == 0 if exit is not None else status == "completed"), exit


def _answers(text: str, twin: Mapping[str, Any]) -> dict[str, str]:
    """The human's answer to each question."""
    answers = twin.get("answers")
    if type(answers) is dict:
        return {clean(question): chosen(answer) for question, answer in answers.items()}
    return pairs(text)
