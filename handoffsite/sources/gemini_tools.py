"""Gemini CLI's tools: what was called, what came of it, and what the human said to it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.lines import Entry, parsed
from handoffsite.sources.text import arguments, base_name, clean, named, plain, renamed, word
from handoffsite.sources.todos import Todos, todo

ROLES = {
    **dict.fromkeys(("run_shell_command", "shell"), "shell"),
    **dict.fromkeys(("replace", "edit"), "edit"),
    "write_file": "write",
    **dict.fromkeys(("read_file", "read_many_files", "read_background_output"), "read"),
    **dict.fromkeys(("glob", "search_file_content", "grep_search", "list_directory", "list_background_processes"), "search"),
    **dict.fromkeys(("web_fetch", "google_web_search"), "fetch"),
    **dict.fromkeys(("write_todos", "tracker_create_task", "tracker_update_task", "tracker_list_tasks"), "todo"),
    "exit_plan_mode": "plan",
    "ask_user": "question",
    **dict.fromkeys(("delegate_to_agent", "invoke_agent", "codebase_investigator", "generalist", "cli_help"), "agent"),
}

KEPT_PLANS = 8  # files that a plan is written to before it is put to the human

_DONE = {"success": True, "error": False, "cancelled": False}
_PATHS = ("file_path", "absolute_path", "path", "dir_path")
_SUMMARY = (*_PATHS, "pattern", "query", "url", "prompt", "plan_path", "plan_filename", "title", "name")
_AGENT = ("description", "objective", "prompt", "task", "query", "agent_name")
_PARTS = {"old_string": "old", "new_string": "new", "content": "content"}

_HEADER = re.compile(r"(?:Command: .*?\nDirectory: [^\n]*\n)?(?:Output|Stdout): ?", re.DOTALL)
_TRAILER = re.compile(r"\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): ")
_EXIT = re.compile(r"^Exit Code: (-?\d{1,10})$", re.MULTILINE)
_SIGNAL = re.compile(r"^Signal: (?!\(none\)$|0$)(\S+)$", re.MULTILINE)
_ERROR = re.compile(r"^Error: (?!\(none\)$)(.+)", re.MULTILINE)
_BACKGROUND = re.compile(r"Command moved to background \(PID: (\d{1,12}|[^)]{0,40})\)")
_CANCELLED = ("Command was cancelled by user", "Command was automatically cancelled", "Command timed out")
_TAIL = 2_000  # characters at the end of a shell's output in which the client tells how it ended

_APPROVED = "Plan approved."
_FEEDBACK = re.compile(r"Plan rejected\. User feedback: (.+?)(?:\n\nThe plan is stored at:|\Z)", re.DOTALL)
_NOT_APPROVED = ("Plan rejected.", "User cancelled the plan approval")
_DISMISSED = "User dismissed"
_TRACKED = re.compile(r"(?:Created|Updated) task ([\w-]{1,40})")


@dataclass(slots=True)
class Outcome:
    """What a result says; *refused* where the human did not let it happen, *background* where it was only started."""

    text: str
    ok: bool | None
    exit: int | None = None
    refused: bool = False
    background: str = ""


class Tools:
    """Tells of calls, each of which the log holds together with what it gave back."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()
        self._todos = Todos()
        self._plans: dict[str, str] = {}

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._open)

    def call(self, entry: Entry, id: str) -> None:
        """Add what *entry* asks for; *id* is what pairs it with its result."""
        self.account.calls += 1
        given = arguments(entry.get("args"))
        name = word(entry.get("name"))
        role = ROLES.get(name) or ("agent" if entry.get("agentId") else "other")
        call = Call(id, name, role, _paths(given), {"input": given, **_data(role, given)})
        self._open.add(call)
        self.emitter.call(call, _summary(call))
        failed = entry.get("status") in ("error", "cancelled")
        if name == "write_todos" and not failed and type(todos := given.get("todos")) is list:
            self.emitter.listed([todo(one) for one in todos if type(one) is dict])
        elif role == "plan" and (plan := self._plan(call)):
            self.emitter.say("plan", plan)

    def result(self, entry: Entry, id: str) -> None:
        """Add what the call *id* gave back, as *entry* tells it."""
        self.account.results += 1
        call = self._open.close(id)
        outcome = _outcome(call, entry)
        self.account.errors += outcome.ok is False
        data: dict[str, Any] = {"refused": True} if outcome.refused else {}
        if outcome.background:
            data["background"] = outcome.background
        paths = call.paths or _shown_paths(entry.get("resultDisplay"))
        self.emitter.result(call, outcome.text, ok=outcome.ok, exit=outcome.exit, paths=paths, data=data)
        if call.role == "plan":
            self._decided(call, outcome)
        elif call.role == "question" and outcome.ok:
            self._answered(call, outcome.text)
        elif call.role == "todo" and outcome.ok:
            self._tracked(call, outcome.text)
        elif call.role in ("edit", "write") and outcome.ok:
            self._remember(call)

    def answer(self, id: str, response: Any) -> bool:
        """Add a result that stands in a message of its own; whether a call waited for it."""
        if not self._open.get(id).name:
            return False
        self.result({"result": [{"functionResponse": {"response": response}}]}, id)
        return True

    def _remember(self, call: Call) -> None:
        """Hold the text of a plan's file: when the plan is put to the human, only the file is named."""
        path = next(iter(call.paths), "")
        if not path.endswith(".md") or "plans" not in re.split(r"[/\\]", path)[:-1]:
            return
        name = base_name(path)
        if call.role == "write":
            self._plans[name] = str(call.data.get("content", ""))
        elif name in self._plans:
            self._plans[name] = self._plans[name].replace(str(call.data.get("old", "")), str(call.data.get("new", "")), 1)
        if len(self._plans) > KEPT_PLANS:
            del self._plans[next(iter(self._plans))]

    def _plan(self, call: Call) -> str:
        given = call.input
        name = word(given.get("plan_path")) or word(given.get("plan_filename"))
        return clean(given.get("plan")) or clean(self._plans.get(base_name(name)))

    def _decided(self, call: Call, outcome: Outcome) -> None:
        """Add whether the human approved the plan, and why not."""
        plan = self._plan(call)
        if plan and (outcome.refused or outcome.text.startswith(_APPROVED)):
            self.emitter.decided(plan, approved=not outcome.refused)
        if feedback := _FEEDBACK.match(outcome.text):
            self.emitter.prompt(feedback[1].strip(), refused=call.id)

    def _answered(self, call: Call, text: str) -> None:
        """Add the human's answers to the call's questions; the log numbers the questions."""
        told = parsed(text)
        given = told.get("answers") if type(told) is dict else None
        if type(given) is dict:
            self.emitter.answered({_question(call, word(number)): clean(said) or plain(said) for number, said in given.items()})

    def _tracked(self, call: Call, text: str) -> None:
        """Fold a tracker tool's result into the list as a whole."""
        given, found = call.input, _TRACKED.search(text[:400])
        changed = False
        if call.name == "tracker_create_task" and found:
            changed = self._todos.created({"subject": given.get("title")}, {"task": {"id": found[1]}}, "")
        elif call.name == "tracker_update_task":
            status = "completed" if given.get("status") == "closed" else given.get("status")
            changed = self._todos.updated({"id": given.get("id"), "status": status, "subject": given.get("title")}, {})
        if changed:
            self.emitter.listed(self._todos.whole())


def is_answered(entry: Entry) -> bool:
    """Whether *entry*, a call, holds what came of it."""
    status = entry.get("status")
    return (type(status) is str and status in _DONE) or bool(entry.get("result"))


def response_of(entry: Entry) -> Entry:
    """What the tool answered, as far as *entry* holds an object for it."""
    parts = entry.get("result")
    for part in parts if type(parts) is list else [parts]:
        answer = part.get("functionResponse") if type(part) is dict else None
        response = answer.get("response") if type(answer) is dict else None
        if type(response) is dict:
            return response
    return {}


def _outcome(call: Call, entry: Entry) -> Outcome:
    response = response_of(entry)
    error = response.get("error")
    text = (
        plain(response.get("output"))
        or plain(error)
        or plain(response.get("content"))
        or plain(response.get("result"))
        or plain(entry.get("result"))
        or plain(entry.get("resultDisplay"))
    )
    status = entry.get("status")
    ok = _DONE.get(status) if type(status) is str else None
    outcome = Outcome(text, not error if ok is None else ok, refused=status == "cancelled")
    if call.role == "shell" and not outcome.refused:
        return _shell(outcome)
    if call.role in ("plan", "question") and text.startswith((*_NOT_APPROVED, _DISMISSED)):
        outcome.ok, outcome.refused = False, True
    elif call.role == "plan" and outcome.ok and not text.startswith(_APPROVED):
        outcome.ok = False  # the plan's file could not be read
    return outcome


def _shell(outcome: Outcome) -> Outcome:
    """How a command ended: the client calls it a success whatever its status was."""
    text = outcome.text
    if background := _BACKGROUND.match(text):
        return Outcome(text, None, background=background[1])
    if text.startswith(_CANCELLED):
        return Outcome(text, ok=False, refused=text.startswith(_CANCELLED[0]))
    header = _HEADER.match(text)
    if header is None or not outcome.ok:
        return outcome
    tail = text[-_TAIL:]
    exits = _EXIT.findall(tail)
    signal, error = _SIGNAL.search(tail), _ERROR.search(tail)
    if exits:
        exit: int | None = int(exits[-1])
    else:  # newer clients tell only of another status than 0
        exit = None if signal or error or text.startswith("Command: ") else 0
    ok = exit == 0 if exit is not None else False if signal or error else None
    body = text[header.end() :]
    trailer = next(_TRAILER.finditer(body, max(0, len(body) - _TAIL)), None)
    output = body[: trailer.start()] if trailer else body
    output = "" if output == "(empty)" else output
    return Outcome(f"{output}\n{error[1]}".strip("\n") if error else output, ok, exit)


def _data(role: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What of the arguments has a name of its own for every agent."""
    if role == "shell":
        return {"command": clean(given.get("command"))}
    if role not in ("edit", "write"):
        return {}
    return renamed(given, _PARTS)


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    given = call.input
    if call.role == "shell":
        return str(call.data.get("command", ""))
    if call.role == "agent":
        return next((said for key in _AGENT if (said := clean(given.get(key)))), "")
    if call.role == "question" and call.questions:
        return "\n".join(call.questions)
    return named(given, _SUMMARY)


def _question(call: Call, number: str) -> str:
    """The question that has this *number* in the call."""
    questions = call.input.get("questions")
    questions = questions if type(questions) is list else []
    index = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else len(questions)
    asked = questions[index] if index < len(questions) else None
    return (clean(asked.get("question")) or clean(asked.get("header")) if type(asked) is dict else "") or number


def _paths(given: Mapping[str, Any]) -> tuple[str, ...]:
    path = named(given, _PATHS)
    return (path,) if path else ()


def _shown_paths(shown: Any) -> tuple[str, ...]:
    path = word(shown.get("filePath")) or word(shown.get("fileName")) if type(shown) is dict else ""
    return (path,) if path else ()
