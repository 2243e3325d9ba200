"""SWE-agent's trajectories, and those of mini-swe-agent: commands, what they printed, and the patch that was handed in."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import swe_agent_tools as tools
from handoffsite.sources.document import LineOf, document
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.lines import Entry, Readable, parsed
from handoffsite.sources.text import between, clean, gathered, instant, plain, title, word

NAME = "swe-agent"

_STEPS = re.compile(rb'\{\s*(?:"[a-z_]{1,40}"\s*:\s*(?:"[^"\\]{0,1000}"|null)\s*,\s*)*"trajectory"\s*:\s*\[')
_STEP = re.compile(rb'"(?:action|observation)"\s*:')
_TALK = re.compile(rb'\{\s*(?:"[a-z_]{1,40}"\s*:\s*(?:"[^"\\]{0,1000}"|null)\s*,\s*)*"history"\s*:\s*\[\s*\{')
_TURN = re.compile(rb'"(?:message_type|thought|action)"\s*:')
_MINI = re.compile(rb'\{\s*"(?:info|messages|trajectory_format|instance_id)"\s*:')
_MINIS = re.compile(rb'"trajectory_format"\s*:\s*"mini-swe-agent|"mini_version"\s*:|COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT')

_LEAD = "We're currently solving the following issue within our repository. Here's the issue text:\nISSUE:\n"
_MINI_TASK = re.compile(r"\A\s*(?:Please solve this issue|Your task): (.*?)\n\nYou can execute bash commands", re.DOTALL)
_PROMPT_TAIL = re.compile(r"\s*\(Open file: ([^\n]{1,1000})\)\n\(Current directory: ([^\n]{1,1000})\)\nbash-\$\s*\Z")
_BLOCK = re.compile(r"```(?:bash|mswea_bash_command|sh)?[ \t]*\n(.*?)\n```", re.DOTALL)
_RETURNED = re.compile(r"<returncode>(-?\d{1,5})</returncode>|'returncode': (-?\d{1,5})\b")
_TIMED_OUT = re.compile(r"The last command <command>")
_REJECTED = re.compile(r"\ACommand not executed\. The user rejected your command with the following message:\s*", re.IGNORECASE)
_ADDED = re.compile(r"\AThe user added a new task: ")
_STOPPED = re.compile(r"\A(?:Interrupted by user|Temporary interruption)", re.IGNORECASE)


@dataclass(slots=True)
class _Step:
    """What the agent said and asked for at once, and what it got."""

    line: int
    thought: str = ""
    asked: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)  # the ID, the tool, its arguments
    time: str = ""


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of SWE-agent or mini-swe-agent."""
    head = head.lstrip(b"\xef\xbb\xbf \t\r\n\0")
    if not head.startswith(b"{"):
        return False
    if _STEPS.match(head) or _TALK.match(head):
        return (_STEP if _STEPS.match(head) else _TURN).search(head) is not None
    return _MINI.match(head) is not None and _MINIS.search(head) is not None


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:  # noqa: ARG001 - nothing is kept beside these logs
    """The session that *stream* holds; the file's name tells its ID, that of the task that was set.

    A line is that on which a step, or a message, opens. The issue that was to be solved is the prompt.
    """
    name = path.name if path else ""
    return Transcript(
        format=NAME,
        file=name,
        session=word(name.removesuffix(".json").removesuffix(".traj")),
        read=lambda transcript: _Reading(transcript).events(stream),
    )


class _Reading:
    """What has to be remembered from step to step."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.open = OpenCalls()
        self.pending: list[str] = []
        self.status = ""
        self.submission = ""
        self.submitted = False
        self.opened = ""
        self.undone: set[int] = set()
        self.number = 0
        self.ended_at = 0
        self.line_of: LineOf = lambda _: 1

    def events(self, stream: Readable) -> Iterator[Event]:
        """Everything that happened, in the order of the log."""
        value, self.line_of = document(stream, self.transcript)
        if type(value) is not dict:
            if value is not None:
                self.account.skip(1, "not an object")
            value = {}
        info = value.get("info")
        info = info if type(info) is dict else {}
        self.status, self.submission = word(info.get("exit_status")), _text(info.get("submission"))
        self.submission = self.submission or _last_patch(value)
        self._about(value, info)
        for _ in self._parts(value):
            yield from self.emitter.drain()
        self._handed_in(info)
        yield from self.emitter.drain()
        self._conclude()

    def _about(self, value: Entry, info: Entry) -> None:
        transcript = self.transcript
        transcript.session = transcript.session or word(value.get("instance_id"))
        config = info.get("config")
        environment = config.get("environment") if type(config) is dict else None
        if type(environment) is dict:
            transcript.note_directory(word(environment.get("cwd")))

    def _parts(self, value: Entry) -> Iterator[None]:
        steps, history, messages = (value.get(key) for key in ("trajectory", "history", "messages"))
        if type(steps) is list and steps:
            self._first_prompt(history, steps)
            yield
            yield from self._trajectory(steps)
        elif type(history) is list:
            yield from self._messages(history)
        elif type(messages) is list:
            yield from self._messages(messages)
        elif value:
            self.account.skip(1, "no list of steps or messages")

    def _first_prompt(self, history: Any, steps: list[Any]) -> None:
        """The task; steps do not hold it, the talk beside them does."""
        query = steps[0].get("query") if type(steps[0]) is dict else None
        for talk in (history, query):
            for one in talk if type(talk) is list else ():
                if type(one) is dict and one.get("role") == "user" and not one.get("is_demo") and not one.get("action"):
                    self.emitter.line = self.line_of(one)
                    self._task(plain(one.get("content")))
                    return

    def _trajectory(self, steps: list[Any]) -> Iterator[None]:
        self.undone = _undone(steps)
        for number, step in enumerate(steps):
            if type(step) is not dict:
                self.account.skip(self.emitter.line or 1, "a step that is not an object")
                continue
            self.emitter.line = self.line_of(step)
            state = step.get("state")
            state = parsed(state) if type(state) is str else state
            state = state if type(state) is dict else {}
            self.transcript.note_directory(word(state.get("working_dir")))
            if (opened := word(state.get("open_file"))) and opened != "n/a":
                self.opened = opened  # an edit leaves it as it is, whether the state is that before or after the step
            action, observation = _text(step.get("action")), gathered(step.get("observation"))
            asked = [("", *tools.calls_in(action))] if action.strip() else []
            self._step(
                _Step(self.emitter.line, _text(step.get("thought")) or _text(step.get("response")), asked),
                silent=number in self.undone,
            )
            if asked:
                self._observed(observation, None, silent=number in self.undone)
            elif observation.strip():
                self.emitter.inject(clean(observation))
            yield

    def _messages(self, messages: list[Any]) -> Iterator[None]:
        is_set = False
        for message in messages:
            if type(message) is not dict:
                self.account.skip(self.emitter.line or 1, "a message that is not an object")
                continue
            self.emitter.line = self.line_of(message)
            self._note_time(message)
            role = message.get("role")
            if role == "exit":
                self.ended_at = self.emitter.line
            if message.get("is_demo") or role in ("system", "exit"):
                continue
            if role == "assistant":
                self._step(self._spoken(message))
            elif role in ("user", "tool"):
                text = gathered(message.get("content"))
                if not is_set and role == "user":
                    is_set = True
                    self._task(clean(text))
                else:
                    self._answered(message, text)
            else:
                self.account.note_unknown(self.emitter.line, f"role {word(role)!r}" if role else "message without a role")
            yield

    def _spoken(self, message: Entry) -> _Step:
        """A message of the agent: calls of functions, or the commands that it wrote into its words."""
        content = gathered(message.get("content"))
        step = _Step(self.emitter.line, _text(message.get("thought")) or content)
        extra, spelt = message.get("extra"), message.get("tool_calls")
        actions = extra.get("actions") if type(extra) is dict else None
        if type(spelt) is list and spelt:
            for one in spelt:
                if type(one) is dict:
                    step.asked.append((word(one.get("id")), *tools.calls_by(one.get("function"))))
        elif type(actions) is list:
            for one in actions:
                if type(one) is dict and (command := _text(one.get("command")) or _text(one.get("action"))):
                    step.asked.append((word(one.get("tool_call_id")), "bash", {"command": command}))
        elif action := _text(message.get("action")).strip():
            step.asked.append(("", *tools.calls_in(action)))
        elif len(commands := _BLOCK.findall(content)) == 1:
            step.asked.append(("", "bash", {"command": commands[0].strip()}))
        if step.asked and not message.get("thought"):
            step.thought = _BLOCK.sub("", content).strip().removeprefix("THOUGHT:").strip()
        return step

    def _step(self, step: _Step, *, silent: bool = False) -> None:
        """Add what the agent said and asked for; *silent* where it was taken back."""
        self.account.assistant += 1
        self.pending.clear()
        if thought := clean(step.thought).strip():
            self.emitter.say("text", thought)
        for id, name, given in step.asked:
            self.number += 1
            call = tools.call(id or f"call-{self.number}", name, given, opened=self.opened, submission=self.submission)
            self.account.calls += 1
            self.open.add(call)
            self.pending.append(call.id)
            self.submitted = self.submitted or call.name == "submit"
            if not silent:
                self.emitter.call(call, str(call.data.get("command") or ", ".join(call.paths) or call.name))

    def _answered(self, message: Entry, text: str) -> None:
        """What stands in the place of a human: what a command printed, the human's words, or the client's."""
        text, opened, directory = _without_prompt(text)
        self.transcript.note_directory(word(directory))
        self.opened = opened or self.opened
        if found := _ADDED.match(text):
            self._task(clean(text[found.end() :]))
            return
        if _STOPPED.match(text):
            self.emitter.say("interrupt", clean(text), actor="human")
            return
        ids = message.get("tool_call_ids")
        id = word(message.get("tool_call_id")) or (word(ids[0]) if type(ids) is list and ids else "")
        if not (id or self.pending):
            self.emitter.inject(clean(text))
            return
        extra = message.get("extra")
        extra = extra if type(extra) is dict else {}
        exit = extra.get("returncode")
        if type(exit) is not int:
            found = _RETURNED.search(text[:200]) or _RETURNED.search(text[-200:] if text.startswith("Observation:") else "")
            exit = int(found[1] or found[2]) if found else None
        raw = extra.get("raw_output")
        printed = raw if type(raw) is str else between(text, "output") if "<returncode>" in text else text
        if found := _REJECTED.match(text):
            self._refused(id, clean(text), clean(text[found.end() :]))
        else:
            self._observed(printed, exit, id=id, timed_out=_TIMED_OUT.match(text) is not None)

    def _observed(self, text: str, exit: int | None, *, id: str = "", silent: bool = False, timed_out: bool = False) -> None:
        """Add what a call gave back."""
        call = self._closed(id)
        self.account.results += 1
        if call.name == "submit":
            ok, exit = self._accepted(exit, text), None
        else:
            ok, exit = tools.outcome(call, text, exit)
        ok = False if timed_out else ok
        self.account.errors += ok is False
        self.opened = tools.shown_file(text) or self.opened
        paths = (self.opened,) if call.role == "edit" and not call.paths and self.opened else ()
        if not silent:
            self.emitter.result(call, clean(text).strip("\n"), ok=ok, exit=exit, paths=paths)

    def _refused(self, id: str, text: str, words: str) -> None:
        call = self._closed(id)
        self.account.results += 1
        self.emitter.result(call, text, ok=False, data={"refused": True})
        if words.strip():
            self.account.human += 1
            self.emitter.prompt(words.strip(), refused=call.id)

    def _closed(self, id: str) -> Call:
        id = id or (self.pending[0] if self.pending else "")
        if id in self.pending:
            self.pending.remove(id)
        return self.open.close(id)

    def _accepted(self, exit: int | None, text: str) -> bool | None:
        """Whether what was handed in was taken; where the log has no word for that, the patch that came back is it."""
        if self.status:
            return self.status.lower().startswith("submitted")
        if "diff --git " in text:
            return True
        return None if exit is None else exit == 0

    def _handed_in(self, info: Entry) -> None:
        """Add how the session ended, and the patch, where no command of the agent's handed it in or none was answered."""
        self.emitter.line = self.ended_at or (self.line_of(info) if info else self.emitter.line)
        waiting = next((id for id in self.pending if self.open.get(id).name == "submit"), "")
        if waiting and self._accepted(None, self.submission):
            self._observed(self.submission, None, id=waiting)
        elif self.submission.strip() and not self.submitted:
            call = tools.submit("submission", self.submission)
            self.emitter.call(call, ", ".join(call.paths) or call.name)
            self.emitter.result(call, clean(self.submission), ok=self._accepted(None, self.submission))
        if self.status:
            self.emitter.inject(f"exit status: {self.status}")

    def _task(self, text: str) -> None:
        """Add the task, without the instructions that the client wraps around it."""
        described = between(text, "pr_description").removeprefix("Consider the following PR description:")
        found = _MINI_TASK.match(text)
        set_task = found[1] if found else described or text.partition("\nINSTRUCTIONS:")[0]
        if text := set_task.removeprefix(_LEAD).strip():
            self.account.human += 1
            self.transcript.title = self.transcript.title or title(text)
            self.emitter.prompt(text)

    def _note_time(self, message: Entry) -> None:
        extra = message.get("extra")
        time = instant(extra.get("timestamp") if type(extra) is dict else message.get("timestamp"))
        self.emitter.time = self.transcript.note_time(time) or self.emitter.time

    def _conclude(self) -> None:
        self.account.unanswered = len(self.open)
        self.transcript.close()


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _last_patch(value: Entry) -> str:
    """The patch that the last step or message shows, as the submission does where nothing else tells what was handed in."""
    for key, part in (("trajectory", "observation"), ("history", "content")):
        listed = value.get(key)
        last = listed[-1] if type(listed) is list and listed else None
        if type(last) is dict and "diff --git " in (text := gathered(last.get(part))):
            return _without_prompt(text)[0][text.index("diff --git ") :]
    return ""


def _without_prompt(text: str) -> tuple[str, str, str]:
    """*text* without the prompt of the shell that stands behind it; the open file and the directory that it names."""
    found = _PROMPT_TAIL.search(text, max(0, len(text) - 2_100))
    if found is None:
        return text, "", ""
    return text[: found.start()], "" if found[1] == "n/a" else found[1], found[2]


def _undone(steps: list[Any]) -> set[int]:
    """The numbers of the edits that the agent took back with its editor, and of the commands that did so."""
    undone: set[int] = set()
    edits: dict[str, list[int]] = {}
    for number, step in enumerate(steps):
        action = _text(step.get("action")) if isinstance(step, Mapping) else ""
        if not action.startswith(tools.EDITOR):
            continue
        _, given = tools.calls_in(action)
        path, command = word(given.get("path")), given.get("command")
        if tools.outcome(Call(role="edit"), gathered(step.get("observation")), None)[0] is not True:
            continue
        if command == "undo_edit" and edits.get(path):
            undone |= {number, edits[path].pop()}
        elif command in ("str_replace", "insert"):
            edits.setdefault(path, []).append(number)
    return undone
