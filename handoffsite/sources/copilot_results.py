"""What came of the calls in Copilot's event logs, be it said at once or while a command or a sub-agent runs on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.copilot_tools import answered, called, is_own_plan, listed, planned, summary
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.printed import is_refusal
from handoffsite.sources.text import clean, gathered, word

RUNNING = 64  # commands and sub-agents that run on at the same time, and refusals that wait for their result

_POLLS = frozenset(("read_bash", "read_powershell"))
_WRITES = frozenset(("write_bash", "write_powershell"))
_STOPS = frozenset(("stop_bash", "stop_powershell"))
_TAIL = 400  # characters at the end of an output, in which the client says how the command ended
_EXITED = re.compile(r"\n?<[^<>\n]{0,200}?\b(?:completed|exited) with (?:exit )?code (-?\d{1,10})>\s*\Z")
_RUNS_ON = re.compile(
    r"<command (?:started in [^<>\n]{0,40}|with )\b(?:shellId|sessionId|id|pid): ([^<>\s]{1,200})(?:>| is still running\b)"
)
_RUNS_ON_LINE = re.compile(r"\n?<command [^<>\n]{1,400}>[^\n]{0,400}\Z")
_AGENT_RUNS_ON = re.compile(r"Agent started in background with agent_id: ([\w.-]{1,200})")
_FEEDBACK = re.compile(r"\b(?:feedback|the user said|reason):\s*(\S.*)", re.IGNORECASE | re.DOTALL)
_APPROVED = re.compile(r"\s*(?:the )?(?:user (?:has )?)?(?:approved the plan|plan (?:was |is )?approved)", re.IGNORECASE)
_NOT_APPROVED = re.compile(r"\b(?:reject|declin|den(?:y|ied)|dismiss|not approve|keep planning|stay in plan mode)", re.IGNORECASE)
_HUMAN_DENIALS = ("denied-interactively", "cancelled")


@dataclass(slots=True)
class _Run:
    """A command that runs on after its call was answered; *ended* is where the log says how it ended."""

    call: Call
    text: str
    exit: int | None = None
    ended: tuple[int, str] | None = None


@dataclass(slots=True)
class _Outcome:
    text: str
    ok: bool | None
    exit: int | None = None
    error: str = ""
    failed: bool = False  # by the client's own word


class Tools:
    """Tells of calls and their results, and pairs them across entries."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()
        self._called: set[int] = set()  # of the IDs only the hash: a log may have millions
        self._running: dict[str, _Run] = {}
        self._polls: dict[str, _Run] = {}
        self._agents: dict[str, Call] = {}
        self._refused: dict[str, str] = {}
        self._requests: dict[str, str] = {}
        self._table: Any = None
        self._plan = ""

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._open)

    def call(self, id: str, name: str, arguments: Any) -> None:
        """Add that a tool is called, if the log has not said so before: it does when it is asked for, and when it starts."""
        mark = hash(id)
        if id and mark in self._called:
            return
        self._called.add(mark)
        self.account.calls += 1
        call = called(id, name, arguments)
        self._open.add(call)
        if (name in _POLLS or name in _WRITES) and (run := self._running.get(_shell(call))):
            _keep(self._polls, id, run)
            if name in _POLLS:
                return  # what it shows is told as the command's result
        self.emitter.call(call, summary(call))
        if call.name == "exit_plan_mode" and not self.emitter.aside and (plan := self._proposed(call)):
            self.emitter.say("plan", plan)

    def permission(self, data: Mapping[str, Any]) -> None:
        """Remember what a request for permission came to; its result follows."""
        request, given = data.get("permissionRequest"), data.get("result")
        if type(request) is dict:
            _keep(self._requests, word(data.get("requestId")), word(request.get("toolCallId")))
            return
        id = word(data.get("toolCallId")) or self._requests.pop(word(data.get("requestId")), "")
        if id and type(given) is dict and word(given.get("kind")).startswith(_HUMAN_DENIALS):
            _keep(self._refused, id, clean(given.get("feedback")).strip())

    def result(self, data: Mapping[str, Any]) -> None:
        """Add what a call gave back."""
        id = word(data.get("toolCallId"))
        call = self._open.close(id)
        if not call.name and id and hash(id) in self._called:
            self.account.repeated += 1
            return
        self.account.results += 1
        run = self._polls.pop(id, None)
        outcome = _outcome(data, is_shell="command" in call.data or run is not None)
        self.account.errors += outcome.failed
        if run is not None:
            if call.name in _WRITES:
                self.emitter.result(call, "", ok=not outcome.failed)
            self._polled(run, call, outcome)
            return
        self._told(call, outcome)
        if outcome.ok is not False:
            self._settled(call, outcome)

    def notify(self, kind: Mapping[str, Any], text: str) -> None:
        """Add what the client notes between the agent's turns: that a command has ended, or something else."""
        run = self._running.get(word(kind.get("shellId")))
        exit = kind.get("exitCode")
        if run is not None and kind.get("type") == "shell_completed" and type(exit) is int:
            run.exit, run.ended = exit, (self.emitter.line, self.emitter.time)
        else:
            self.emitter.inject(text)

    def agent_ended(self, data: Mapping[str, Any], *, ok: bool) -> None:
        """Add that a sub-agent has ended that ran in the background."""
        call = self._agents.pop(word(data.get("toolCallId")), None)
        if call is not None and data.get("cancelled") is not True:
            self.emitter.result(call, clean(data.get("error")), ok=ok)

    def settle(self) -> None:
        """Add the ends of commands whose output the agent has not asked for."""
        for shell, run in list(self._running.items()):
            if run.ended is not None:
                del self._running[shell]
                here = self.emitter.line, self.emitter.time
                self.emitter.line, self.emitter.time = run.ended
                self.emitter.result(run.call, run.text, ok=run.exit == 0, exit=run.exit)
                self.emitter.line, self.emitter.time = here

    def _told(self, call: Call, outcome: _Outcome) -> None:
        refused = outcome.ok is False and (call.id in self._refused or is_refusal(outcome.error[:_TAIL]))
        feedback = self._refused.pop(call.id, "")
        data: dict[str, Any] = {"refused": True} if refused else {}
        ok = outcome.ok
        if "command" in call.data and outcome.exit is None and (found := _RUNS_ON.search(outcome.text[-_TAIL:])):
            ok, data = None, {"background": found[1]}
            _keep(self._running, found[1], _Run(call, _RUNS_ON_LINE.sub("", outcome.text).rstrip()))
        elif call.role == "agent" and ok and (found := _AGENT_RUNS_ON.match(outcome.text)):
            ok, data = None, {"background": found[1]}
            _keep(self._agents, call.id, call)
        self.emitter.result(call, outcome.text, ok=ok, exit=outcome.exit, data=data)
        if refused and not self.emitter.aside:
            self._reason(call, feedback or _feedback(outcome.error))

    def _reason(self, call: Call, feedback: str) -> None:
        if call.name == "exit_plan_mode":
            self._decided(call, approved=False)
        if feedback:
            self.emitter.prompt(feedback, refused=call.id)

    def _settled(self, call: Call, outcome: _Outcome) -> None:
        """What follows from a call that worked."""
        if call.name in _STOPS:
            self._running.pop(_shell(call), None)
        elif is_own_plan(call):
            self._plan = planned(call, self._plan)
        elif call.role == "todo":
            self._todos(call)
        elif self.emitter.aside:
            return
        elif call.role == "question":
            self.emitter.answered(answered(call, outcome.text))
        elif call.name == "exit_plan_mode":
            self._answer_to_plan(call, outcome.text)

    def _answer_to_plan(self, call: Call, text: str) -> None:
        if _APPROVED.match(text):
            self._decided(call, approved=True)
        elif _NOT_APPROVED.search(text[:_TAIL]):
            self._decided(call, approved=False)
            if feedback := _feedback(text):
                self.emitter.prompt(feedback, refused=call.id)

    def _decided(self, call: Call, *, approved: bool) -> None:
        self.emitter.decided(self._proposed(call), approved=approved)

    def _proposed(self, call: Call) -> str:
        return clean(call.input.get("plan")) or self._plan or clean(call.input.get("summary"))

    def _todos(self, call: Call) -> None:
        given = call.input
        if call.name == "manage_todo_list":
            entries = given.get("todoList")
            todos = listed(entries) if type(entries) is list else None
        else:
            # sqlite3 costs some milliseconds to load, and many logs have no list.
            from handoffsite.sources.copilot_todos import TodoTable, checklist  # noqa: PLC0415

            if call.name == "sql":
                self._table = self._table or TodoTable()
                todos = self._table.run(given.get("query")) if given.get("database") in (None, "", "session") else None
            else:
                todos = checklist(given.get("todos")) or None
        if todos is not None:
            self.emitter.listed(todos)

    def _polled(self, run: _Run, poll: Call, outcome: _Outcome) -> None:
        """What came later of a command that ran on is that command's result."""
        if outcome.failed:
            return
        run.text = clean(f"{run.text}\n{_RUNS_ON_LINE.sub('', outcome.text).rstrip()}".strip("\n"))
        exit = outcome.exit if outcome.exit is not None else run.exit
        if exit is not None and self._running.pop(_shell(poll), None) is not None:
            self.emitter.result(run.call, run.text, ok=exit == 0, exit=exit)


def _outcome(data: Mapping[str, Any], *, is_shell: bool) -> _Outcome:
    """What a tool.execution_complete entry says, in whichever of its shapes it comes."""
    result = data.get("result")
    result = result if type(result) is dict else {"content": result}
    success = data.get("success")
    kind = word(result.get("result_type") or result.get("resultType"))
    if type(success) is not bool:
        success = kind == "success" if kind else None
    said = gathered(data.get("error"))
    error = data.get("error")
    if type(error) is dict:
        said = gathered(error.get("message"))
        said = f"{said}\nrejected by the user" if error.get("code") == "rejected" and not is_refusal(said) else said
    keys = ("content", "text_result_for_llm", "textResultForLlm", "detailedContent", "contents")
    text = next((found for key in keys if (found := gathered(result.get(key)))), "")
    text = clean(text or said)
    failed = success is False
    if not is_shell:
        return _Outcome(text, success, error=clean(said) or text, failed=failed)
    exit = _structured_exit(result, data)
    if exited := _EXITED.search(text, max(len(text) - _TAIL, 0)):
        exit = int(exited[1]) if exit is None else exit
        text = text[: exited.start()]
    if exit is not None:
        return _Outcome(text, exit == 0 and not failed, exit, error=clean(said), failed=failed)
    # That a shell call was a success says no more than that the command was run.
    return _Outcome(text, False if failed else None, error=clean(said) or text, failed=failed)


def _structured_exit(result: Mapping[str, Any], data: Mapping[str, Any]) -> int | None:
    """The exit status where newer clients put it."""
    blocks = result.get("contents")
    for block in blocks[-4:] if type(blocks) is list else ():
        if type(block) is dict and block.get("type") in ("shell_exit", "terminal") and type(block.get("exitCode")) is int:
            return int(block["exitCode"])
    telemetry = data.get("toolTelemetry")
    metrics = telemetry.get("metrics") if type(telemetry) is dict else None
    exit = metrics.get("exit_code") if type(metrics) is dict else None
    return exit if type(exit) is int else None


def _feedback(text: str) -> str:
    found = _FEEDBACK.search(text)
    return found[1].strip() if found else ""


def _shell(call: Call) -> str:
    given = call.input.get("shellId") or call.input.get("sessionId")
    return str(given) if type(given) in (str, int) else ""


def _keep(kept: dict[str, Any], key: str, value: Any) -> None:
    """Put *value* into *kept*, which forgets its oldest when there are too many."""
    if key:
        kept[key] = value
        if len(kept) > RUNNING:
            del kept[next(iter(kept))]
