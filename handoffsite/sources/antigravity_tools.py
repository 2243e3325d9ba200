"""Antigravity's tools: what was called, and which later step tells what came of it; no ID joins the two."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.antigravity_artifacts import Artifacts
from handoffsite.sources.emitter import Call, Emitter
from handoffsite.sources.lines import Entry, parsed
from handoffsite.sources.patch import joined
from handoffsite.sources.printed import is_refusal
from handoffsite.sources.text import KEPT_ENTRIES, arguments, clean, named, renamed, word

ROLES = {
    "run_command": "shell",
    **dict.fromkeys(("replace_file_content", "multi_replace_file_content"), "edit"),
    "write_to_file": "write",
    **dict.fromkeys(("view_file", "view_file_outline", "view_code_item", "view_content_chunk"), "read"),
    **dict.fromkeys(("grep_search", "find_by_name", "codebase_search", "list_dir"), "search"),
    **dict.fromkeys(("search_web", "read_url_content"), "fetch"),
    "ask_question": "question",
    **dict.fromkeys(("invoke_subagent", "define_subagent", "manage_subagents", "send_message", "browser_subagent"), "agent"),
}

# The type of step in which a tool's result comes; any other tool's comes in one of a type of its own, or in a generic one.
STEPS = {
    "run_command": "RUN_COMMAND",
    **dict.fromkeys(("replace_file_content", "multi_replace_file_content", "write_to_file"), "CODE_ACTION"),
    "view_file": "VIEW_FILE",
    "grep_search": "GREP_SEARCH",
    "list_dir": "LIST_DIRECTORY",
    "search_web": "SEARCH_WEB",
    "read_url_content": "READ_URL_CONTENT",
    "generate_image": "GENERATE_IMAGE",
    "invoke_subagent": "INVOKE_SUBAGENT",
    "ask_question": "ASK_QUESTION",
}
_OF_STEP = {
    "RUN_COMMAND": "shell",
    "CODE_ACTION": "edit",
    "VIEW_FILE": "read",
    **dict.fromkeys(("GREP_SEARCH", "LIST_DIRECTORY", "FIND"), "search"),
    **dict.fromkeys(("SEARCH_WEB", "READ_URL_CONTENT"), "fetch"),
    "INVOKE_SUBAGENT": "agent",
    "ASK_QUESTION": "question",
}
_KNOWN_STEPS = frozenset(STEPS.values())
ERROR = "ERROR_MESSAGE"
RESULTS = _KNOWN_STEPS | {ERROR, "GENERIC", "MCP_TOOL"}

WAITING = 256  # calls whose result may still come
RUNNING = 64  # tasks in the background
EARLY = 64  # results whose calls may still come

_PATHS = ("TargetFile", "AbsolutePath", "File", "DirectoryPath", "SearchPath", "SearchDirectory")
_SUMMARY = (*_PATHS, "Query", "query", "Url", "url", "Pattern", "TaskName", "toolSummary", "toolAction")
_PARTS = {"TargetContent": "old", "ReplacementContent": "new", "CodeContent": "content"}

_PREAMBLE = re.compile(r"(?:(?:Created|Completed) At: [^\n]{0,60}(?:\n|$))+\s*")
_ENDED = re.compile(
    r"\s*The command (?:completed (successfully)|(?:failed with exit code|exited with code|failed with code):? ?(-?\d{1,10}))"
    r"[^\n]{0,40}\n?"
)
_OUTPUT = re.compile(r"^\t*(?:Output:[ \t]*\n|(?:Stdout|Stderr):[ \t]*(?:\n|\Z))", re.MULTILINE)
_BOILERPLATE = "If relevant, proactively run terminal commands to execute this code for the USER. Don't ask for permission."
_STARTED = re.compile(r"Tool is running as a background task with task id: (\S{1,200})")
_NEWS = re.compile(
    r'Task(?: id)?:? "?([\w-]{1,100}/task-\d{1,9})"?\s+(?:has |was |is )?'
    r"(finished|completed|failed|cancell?ed|killed)\b[^\n]{0,80}\n?"
)
_BEHIND_NEWS = re.compile(r"\n\s*Log: (?:file:)?/|</SYSTEM_MESSAGE>")
_TASK_STATUS = re.compile(r"Task: ([\w-]{1,100}/task-\d{1,9})\nStatus: (\w{1,20})")
_OVER = {"finished", "completed", "done", "success", "succeeded"}
_FELL = {"failed", "canceled", "cancelled", "killed", "error"}
_ERRORS = ("Encountered error in step execution", "Error:", "error:")
_FILE = re.compile(
    r"(?:tool to: |file://|File Path: `file://)([^\n`]{1,1000}?)(?:`|\. If relevant| with requested content|\.?\n|\Z)"
)
_ANSWER = re.compile(r"^A(\d{1,3}): ?(.*?)(?=^A\d{1,3}: ?|\Z)", re.MULTILINE | re.DOTALL)
_CONVERSATION = re.compile(r'"conversationId"\s*:\s*"([\w-]{1,100})"')


@dataclass(slots=True)
class Waiting:
    """A call without a result; *index* is that of its step."""

    call: Call
    index: int


@dataclass(frozen=True, slots=True)
class Given:
    """A step that tells what a tool gave back, and where it stands."""

    kind: str
    entry: Entry
    index: int
    line: int
    time: str
    message: str


@dataclass(slots=True)
class Outcome:
    """What a result says; *background* names the task where the work was only started."""

    text: str
    ok: bool | None
    exit: int | None = None
    refused: bool = False
    background: str = ""


class Tools:
    """Tells of calls and of what came of them; pairs the two by order and kind."""

    def __init__(self, account: Account, emitter: Emitter, artifacts: Artifacts) -> None:
        self.account = account
        self.emitter = emitter
        self.artifacts = artifacts
        self.spawned: dict[str, None] = {}
        self._waiting: list[Waiting] = []
        self._lost = 0
        self._early: list[Given] = []  # steps that stand before their calls in the log, or have none
        self._running: dict[str, Call] = {}
        self._steps: dict[int, Call] = {}

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._waiting) + self._lost

    def call(self, entry: Entry, index: int, place: int) -> None:
        """Add what *entry*, the one in *place* among the calls of the step *index*, asks for."""
        self.account.calls += 1
        given = arguments(_decoded(entry.get("args")))
        name = word(entry.get("name"))
        role = ROLES.get(name) or _role(given)
        paths = _paths(given)
        artifact = role in ("edit", "write") and self.artifacts.role(next(iter(paths), ""))
        call = Call(f"step-{index}.{place}", name, artifact or role, paths, {"input": given, **_data(role, given)})
        self.emitter.call(call, _summary(call))
        self._waiting.append(Waiting(call, index))
        if len(self._waiting) > WAITING:
            del self._waiting[0]
            self._lost += 1
        for early in [early for early in self._early if early.index > index]:
            if self._paired(early):
                self._early.remove(early)

    def result(self, kind: str, entry: Entry, index: int) -> None:
        """Add what a step of that *kind* gives back; one that stands before its call in the log waits for that."""
        emitter = self.emitter
        given = Given(kind, entry, index, emitter.line, emitter.time, emitter.message)
        if self._paired(given):
            return
        if kind == ERROR:
            emitter.inject(clean(entry.get("content")))
        else:
            self._early.append(given)
            if len(self._early) > EARLY:
                self._orphan(self._early.pop(0))

    def settle(self, index: int | None = None) -> None:
        """Add the results from before the step *index* whose calls did not come; all of them where none is named."""
        for early in [early for early in self._early if index is None or early.index < index]:
            self._early.remove(early)
            self._orphan(early)

    def notify(self, text: str) -> bool:
        """Add the end of a task in the background, if *text* tells of one; whether it does."""
        found = _NEWS.search(text[:4_000])
        call = self._running.pop(found[1], None) if found else None
        if found is None or call is None:
            return False
        body = _BEHIND_NEWS.split(text[found.end() :], maxsplit=1)[0].strip("\n")
        outcome = _ended(call.role, body)
        if outcome.ok is None:
            outcome.ok = found[2] in _OVER and not body.startswith(_ERRORS)
        self._tell(call, outcome)
        return True

    def _paired(self, given: Given) -> bool:
        """Add a result if a call waits for it."""
        ended = given.index >= 0 and given.entry.get("status") != "RUNNING"
        call = self._steps.pop(given.index, None) if ended else None
        if call is None:
            waiting = self._asked(given)
            if waiting is None:
                return False
            self._waiting.remove(waiting)
            call = waiting.call
            self.account.results += 1
        outcome = _outcome(call.role, given.entry)
        spawned = _CONVERSATION.findall(outcome.text) if call.role == "agent" and outcome.ok else []
        if spawned:
            self.spawned.update(dict.fromkeys(spawned))
            outcome.ok, outcome.background = None, spawned[0]
        elif outcome.background:
            self._runs_on(call, given.index, outcome.background)
        self._tell(call, outcome, given)
        if call.name == "manage_task" and (status := _TASK_STATUS.search(outcome.text[:600])):
            self._checked(status[1], status[2].lower(), outcome.text)
        return True

    def _runs_on(self, call: Call, index: int, task: str) -> None:
        self._running[task] = self._steps[index] = call
        if len(self._running) > RUNNING:
            del self._running[next(iter(self._running))]
        if len(self._steps) > RUNNING:
            del self._steps[next(iter(self._steps))]

    def _asked(self, given: Given) -> Waiting | None:
        """The call that the step answers: the first of its kind in the last step that has one; else one of no certain kind."""
        earlier = [one for one in self._waiting if one.index < given.index or given.index < 0]
        same = _latest([one for one in earlier if STEPS.get(one.call.name) == given.kind])
        if same:
            return same[0]
        latest = _latest(earlier)
        unsure = [one for one in latest if one.call.name not in STEPS]
        return next(iter(unsure if given.kind in _KNOWN_STEPS else unsure or latest), None)

    def _tell(self, call: Call, outcome: Outcome, given: Given | None = None) -> None:
        """Add what *call* came to; at the place of *given*, if that is another one."""
        emitter = self.emitter
        place = emitter.line, emitter.time, emitter.message
        if given is not None:
            emitter.line, emitter.time, emitter.message = given.line, given.time, given.message
        self.account.errors += outcome.ok is False
        data: dict[str, Any] = {"refused": True} if outcome.refused else {}
        if outcome.background:
            data["background"] = outcome.background
        self.emitter.result(call, outcome.text, ok=outcome.ok, exit=outcome.exit, data=data)
        if call.role == "question" and outcome.ok:
            self._answered(call, outcome.text)
        elif outcome.ok and call.paths:
            self.artifacts.written(call, emitter)
        emitter.line, emitter.time, emitter.message = place

    def _checked(self, task: str, status: str, text: str) -> None:
        """Take over what the agent was told when it asked how a task does."""
        if status in _OVER | _FELL and (call := self._running.pop(task, None)):
            outcome = _ended(call.role, text)
            outcome.ok = status in _OVER if outcome.ok is None else outcome.ok
            self._tell(call, outcome)

    def _orphan(self, given: Given) -> None:
        """A result whose call the log does not hold."""
        self.account.results += 1
        role = _OF_STEP.get(given.kind, "other")
        outcome = _outcome(role, given.entry)
        path = _FILE.search(outcome.text[:2_000]) if role in ("edit", "read") else None
        self._tell(Call("", given.kind.lower(), role, (word(path[1]),) if path else ()), outcome, given)

    def _answered(self, call: Call, text: str) -> None:
        """Add the human's answers to the call's questions."""
        questions = call.input.get("questions")
        questions = questions if type(questions) is list else []
        asked = [clean(one.get("question")) if type(one) is dict else clean(one) for one in questions]
        answers = {}
        for found in _ANSWER.finditer(text):
            number = int(found[1])
            answers[asked[number - 1] if 0 < number <= len(asked) else f"A{number}"] = found[2].strip()
        self.emitter.answered(answers)


def _latest(waiting: list[Waiting]) -> list[Waiting]:
    """Those of the last step among *waiting*."""
    last = max((one.index for one in waiting), default=0)
    return [one for one in waiting if one.index == last]


def _decoded(args: Any) -> Any:
    """The arguments; the shorter of the two logs that the agent writes spells each value in JSON once more."""
    if type(args) is not dict or not args or not all(type(value) is str for value in args.values()):
        return args
    told = [args[key] for key in ("toolAction", "toolSummary") if key in args] or list(args.values())
    if any(parsed(value) is None and value != "null" for value in told) or not any(
        value.startswith('"') for value in args.values()
    ):
        return args
    return {key: _spelled(value) for key, value in args.items()}


def _spelled(value: str) -> Any:
    """What *value* spells in JSON; a text that was cut is taken as far as it goes."""
    decoded = parsed(value)
    if decoded is not None or value == "null" or not value.startswith('"'):
        return value if decoded is None and value != "null" else decoded
    return value.strip('"').replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t")


def _role(given: Mapping[str, Any]) -> str:
    """The role of a tool of an unknown name, as its arguments show it."""
    if "CommandLine" in given:
        return "shell"
    if "TargetFile" in given:
        return "edit" if "ReplacementContent" in given or "ReplacementChunks" in given else "write"
    return "other"


def _data(role: str, given: dict[str, Any]) -> dict[str, Any]:
    """What of the arguments has a name of its own for every agent."""
    if role == "shell":
        return {"command": clean(given.get("CommandLine"))}
    if role not in ("edit", "write"):
        return {}
    data = renamed(given, _PARTS)
    chunks = given.get("ReplacementChunks")
    if type(chunks) is list:
        pairs = [(clean(chunk.get("TargetContent")), clean(chunk.get("ReplacementContent"))) for chunk in _objects(chunks)]
        given["edits"] = [{"old_string": old, "new_string": new} for old, new in pairs]
        data |= joined(pairs)
    return data


def _objects(values: list[Any]) -> list[Entry]:
    return [value for value in values[:KEPT_ENTRIES] if type(value) is dict]


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    given = call.input
    if call.role == "shell":
        return str(call.data.get("command", ""))
    if call.role == "question" and call.questions:
        return "\n".join(call.questions)
    if call.role == "agent" and type(agents := given.get("Subagents")) is list:
        return clean("\n".join(clean(one.get("Prompt")) or word(one.get("name")) for one in _objects(agents)))
    return named(given, _SUMMARY)


def _paths(given: Mapping[str, Any]) -> tuple[str, ...]:
    path = named(given, _PATHS)
    return (path.removeprefix("file://"),) if path else ()


def _outcome(role: str, entry: Entry) -> Outcome:
    """What a step says that a tool gave back; its status is that of the step, not that of the command."""
    content = clean(entry.get("content"))
    text = _PREAMBLE.sub("", content, count=1) if content.startswith(("Created At:", "Completed At:")) else content
    text = text.replace(_BOILERPLATE, "").rstrip() if _BOILERPLATE in text else text
    status = entry.get("status")
    started = _STARTED.match(text)
    if started or status == "RUNNING":
        return Outcome(text, None, background=started[1] if started else "running")
    if status in ("ERROR", "CANCELED", "CANCELLED") or entry.get("type") == ERROR or text.startswith(_ERRORS[0]):
        refused = status in ("CANCELED", "CANCELLED") or _is_denial(text[:600])
        return Outcome(text, ok=False, refused=refused)
    outcome = _ended(role, text)
    if role == "shell" and type(exit := entry.get("exit_code")) is int and outcome.exit is None:
        return Outcome(outcome.text, exit == 0, exit)
    if role != "shell":
        outcome.ok = True
        if text.startswith("Permission for ") and _is_denial(text[:200]):
            outcome.ok, outcome.refused = False, True
    return outcome


def _is_denial(text: str) -> bool:
    return is_refusal(text) or " was denied" in text


def _ended(role: str, text: str) -> Outcome:
    """How a command ended, and what it printed."""
    found = _ENDED.search(text[:600]) if role == "shell" else None
    if found is None:
        return Outcome(text, None)
    exit = 0 if found[1] else int(found[2])
    body = text[found.end() :]
    return Outcome(_OUTPUT.sub("", body, count=2).strip("\n\t"), exit == 0, exit)
