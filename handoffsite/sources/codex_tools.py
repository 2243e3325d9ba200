"""Codex's tools: what was called, and what came of it, be it said at once or while a command runs on."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.lines import parsed
from handoffsite.sources.patch import patch_in, patched
from handoffsite.sources.printed import is_refusal
from handoffsite.sources.text import chosen, clean, gathered, tidy, word
from handoffsite.sources.todos import todo

ROLES = {
    **dict.fromkeys(("exec_command", "shell", "shell_command", "local_shell", "container.exec", "unified_exec"), "shell"),
    **dict.fromkeys(("apply_patch",), "edit"),
    "update_plan": "todo",
    **dict.fromkeys(("view_image", "read_file"), "read"),
    **dict.fromkeys(("grep_files", "list_dir", "tool_search"), "search"),
    "web_search": "fetch",
    "request_user_input": "question",
    **dict.fromkeys(("spawn_agent", "send_input", "wait", "wait_agent", "close_agent", "resume_agent"), "agent"),
}

RUNNING = 64  # commands that run on at the same time

_EXITED = re.compile(r"(?:^|\n)(?:Process exited with code|Exit code:) (-?\d{1,10})(?=\n|$)")
_RUNS_ON = re.compile(r"(?:^|\n)Process running with session ID (\d{1,20})")
_HEADER = ("Chunk ID:", "Wall time:", "Exit code:", "Process ")
_OUTPUT = "Output:\n"
_FAILED = re.compile(
    r"(?:error|failed|failure|fatal|unsupported|execution error|sandbox error|patch rejected|aborted|timed? ?out|command timed out|"
    r"apply_patch verification failed|exec_command failed|exec command rejected|rejected)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Run:
    """A command that runs on after its first output."""

    call: Call
    session: str
    text: str
    line: int
    time: str


@dataclass(slots=True)
class _Poll:
    """A call that only asks how a command does; *run* is None where the log does not know the command."""

    run: _Run | None
    is_told: bool


@dataclass(slots=True)
class _Outcome:
    """What an output says: *session* is where the command runs on, if it does."""

    text: str
    ok: bool | None
    exit: int | None = None
    session: str = ""


class Tools:
    """Tells of calls and their outputs, and pairs them across entries."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()
        self._polls: dict[str, _Poll] = {}
        self._running: dict[str, _Run] = {}
        self._applied: dict[str, None] = {}
        self._failed: dict[str, None] = {}

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._open)

    def call(self, payload: Mapping[str, Any]) -> None:
        """Add what a call asks for."""
        self.account.calls += 1
        call = _call(payload)
        self._open.add(call)
        if call.name == "write_stdin":
            run = self._running.get(str(call.input.get("session_id")))
            poll = self._polls[call.id] = _Poll(run, is_told=run is None or bool(call.input.get("chars")))
            if not poll.is_told:
                return
        self.emitter.call(call, _summary(call))
        if call.role == "todo" and type(plan := call.input.get("plan")) is list:
            self.emitter.listed([todo(step) for step in plan if type(step) is dict])

    def searched(self, payload: Mapping[str, Any]) -> None:
        """Add a search of the web, which has no result in the log."""
        action = payload.get("action")
        query = word(action.get("query") or action.get("url")) if type(action) is dict else ""
        self.emitter.call(Call(name="web_search", role="fetch", data={"input": tidy(action)}), query)

    def patched(self, payload: Mapping[str, Any]) -> None:
        """Add what the client says of a patch that it applied."""
        id = word(payload.get("call_id"))
        call = self._open.get(id)
        if not call.name:
            call = Call(id, "apply_patch", "edit")
        changes = payload.get("changes")
        paths = tuple(dict.fromkeys(_changed(changes))) if type(changes) is dict else ()
        ok = payload.get("success")
        text = clean(payload.get("stdout")) if ok is True else clean(payload.get("stderr")) or clean(payload.get("stdout"))
        self.emitter.result(call, text, ok=ok if type(ok) is bool else None, paths=paths)
        if call.name == "apply_patch":
            self._applied[id] = None

    def called(self, payload: Mapping[str, Any]) -> None:
        """Remember that a tool of another server failed, which its output does not say."""
        result = payload.get("result")
        result = result if type(result) is dict else {}
        done = result.get("Ok")
        if "Err" in result or (type(done) is dict and (done.get("isError") or done.get("is_error"))):
            self._failed[word(payload.get("call_id"))] = None

    def result(self, payload: Mapping[str, Any]) -> None:
        """Add what a call gave back."""
        self.account.results += 1
        id = word(payload.get("call_id"))
        call = self._open.close(id)
        poll = self._polls.pop(id, None)
        outcome = _outcome(payload.get("output"), is_shell="command" in call.data or poll is not None)
        self.account.errors += outcome.exit not in (None, 0)
        if id in self._failed:
            del self._failed[id]
            outcome = replace(outcome, ok=False)
        if poll is not None and poll.run is not None:
            if poll.is_told:
                self.emitter.result(call, "", ok=True)
            self._continued(poll.run, outcome)
        elif outcome.session:
            self._run(_Run(call, outcome.session, outcome.text, self.emitter.line, self.emitter.time))
        elif id in self._applied:
            del self._applied[id]
        else:
            self._told(call, outcome)

    def _told(self, call: Call, outcome: _Outcome) -> None:
        data = {"refused": True} if outcome.ok is False and is_refusal(outcome.text[:400]) else None
        ok = None if call.name == "spawn_agent" and outcome.ok else outcome.ok
        self.emitter.result(call, outcome.text, ok=ok, exit=outcome.exit, data=data)
        if call.role == "question" and ok is not False:
            self._answered(call, outcome.text)

    def leave_running(self) -> None:
        """Add what is known of the commands that still ran when the log ended."""
        for run in self._running.values():
            self._left(run)
        self._running.clear()

    def _run(self, run: _Run) -> None:
        self._running[run.session] = run
        if len(self._running) > RUNNING:
            self._left(self._running.pop(next(iter(self._running))))

    def _continued(self, run: _Run, outcome: _Outcome) -> None:
        """What came later of a command that ran on is that command's result."""
        run.text = clean(f"{run.text.rstrip()}\n{outcome.text}".lstrip("\n"))
        run.line, run.time = self.emitter.line, self.emitter.time
        if not outcome.session:
            self._running.pop(run.session, None)
            self.emitter.result(run.call, run.text, ok=outcome.ok, exit=outcome.exit)

    def _left(self, run: _Run) -> None:
        self.emitter.line, self.emitter.time = run.line, run.time
        self.emitter.result(run.call, run.text, ok=None, data={"background": run.session})

    def _answered(self, call: Call, text: str) -> None:
        """Add the human's answers to the call's questions."""
        given = _loaded(text).get("answers")
        questions = call.input.get("questions")
        questions = questions if type(questions) is list else []
        asked = {word(one.get("id")): clean(one.get("question")) for one in questions if type(one) is dict}
        if type(given) is not dict or not given:
            return
        self.emitter.answered({asked.get(word(id)) or word(id): _chosen(answer) for id, answer in given.items()})


def _call(payload: Mapping[str, Any]) -> Call:
    """The call that *payload* spells in one of three ways."""
    id = word(payload.get("call_id")) or word(payload.get("id"))
    name = word(payload.get("name"))
    if payload.get("type") == "local_shell_call":
        action = payload.get("action")
        name, given = "local_shell", action if type(action) is dict else {}
    elif payload.get("type") == "custom_tool_call":
        given = {"input": payload.get("input")}
    else:
        given = _loaded(payload.get("arguments"))
    role = ROLES.get(name, "other")
    data: dict[str, Any] = {"input": tidy(given)}
    patch = ""
    if role == "shell":
        command = _command(given)
        data["command"] = clean(command)
        patch = patch_in(command)
    elif role == "edit":
        patch = _patch(given)
    if patch:
        data["patch"] = clean(patch)
        return Call(id, name, "edit", patched(patch), data)
    path = word(given.get("path") or given.get("file_path"))
    return Call(id, name, role, (path,) if path else (), data)


def _patch(given: Mapping[str, Any]) -> str:
    patch = given.get("input") or given.get("patch")
    return patch if type(patch) is str else ""


def _command(given: Mapping[str, Any]) -> str:
    """The shell command among the arguments; the shell that runs it is left out."""
    command = given.get("cmd") or given.get("command")
    if type(command) is str:
        return command
    if type(command) is not list:
        return ""
    words = [part for part in command if type(part) is str]
    if len(words) == 3 and words[1].lower() in ("-c", "-lc", "-command", "/c"):
        return words[2]
    return " ".join(words) if len(words) == 2 and words[0] == "apply_patch" else shlex.join(words)


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    if "command" in call.data:
        return str(call.data["command"])
    if call.role == "question":
        return "\n".join(call.questions)
    return clean(call.input.get("message")) if call.role == "agent" else ", ".join(call.paths)


def _changed(changes: Mapping[str, Any]) -> list[str]:
    paths = []
    for path, change in changes.items():
        paths.append(word(path))
        if type(change) is dict and (moved := word(change.get("move_path"))):
            paths.append(moved)
    return [path for path in paths if path]


def _loaded(text: Any) -> dict[str, Any]:
    """The object that *text* spells in JSON; what is none stands under `arguments`."""
    if type(text) is dict:
        return text
    if type(text) is not str or not text:
        return {}
    value = parsed(text)
    return value if type(value) is dict else {"arguments": text}


def _outcome(output: Any, *, is_shell: bool) -> _Outcome:
    """What *output* says, in whichever of its shapes it comes."""
    success = None
    if type(output) is dict:
        success = output.get("success")
        output = output.get("content")
    text = gathered(output)
    if text.startswith('{"output":'):
        loaded = _loaded(text)
        metadata = loaded.get("metadata")
        exit = metadata.get("exit_code") if type(metadata) is dict else None
        text = gathered(loaded.get("output", text))
        if type(exit) is int:
            return _Outcome(clean(text), exit == 0, exit)
    elif text.startswith(_HEADER):
        header, colon, _ = text[:1000].partition(_OUTPUT)
        text = text[len(header) + len(colon) :] if colon else text
        if exited := _EXITED.search(header):
            exit = int(exited[1])
            return _Outcome(clean(text), exit == 0, exit)
        if runs_on := _RUNS_ON.search(header):
            return _Outcome(clean(text), None, session=runs_on[1])
    if success is False or _FAILED.match(text):
        return _Outcome(clean(text), ok=False)
    return _Outcome(clean(text), None if is_shell and success is None else True)


def _chosen(answer: Any) -> str:
    return chosen(answer.get("answers") if type(answer) is dict else answer)
