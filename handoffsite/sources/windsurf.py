"""Windsurf's transcripts: one JSON line for each step of Cascade, in which a call and its outcome stand together."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.emitter import Call, Emitter
from handoffsite.sources.lines import Entry, Readable, documents, first_objects
from handoffsite.sources.messages_calls import Tools
from handoffsite.sources.messages_results import Outcome, spelled
from handoffsite.sources.messages_tools import call_of, loaded, local
from handoffsite.sources.text import clean, instant, plain, title, word

NAME = "windsurf"

_STEPS = "user_input planner_response code_action run_command view_file list_directory grep_search find mcp_tool search_web read_url_content"
_KNOWN = frozenset(_STEPS.split())
_MARK = re.compile(
    rb'\{\s*"(?:user_input|planner_response|code_action|run_command|view_file)"\s*:\s*\{'
    rb'|\{[^{}\[\]]{0,300}?"type"\s*:\s*"(?:user_input|planner_response|code_action)"'
)
_UNDER_WAY = frozenset("pending queued running in_progress generating waiting".split())
_STOPPED = frozenset(("canceled", "cancelled", "interrupted"))
_INJECTED = frozenset(
    "system_message ephemeral_message memory retrieve_memory user_rules rule_application knowledge_base checkpoint "
    "conversation_history error_message lint_diff".split()
)
_OUTPUTS = ("output", "result", "content", "response", "user_response", "answer", "error", "error_message")


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of Windsurf: an entry holds its step under the step's own name."""
    found = False
    for entry in first_objects(head):
        if _is_step(entry) and entry["type"] in _KNOWN:
            return True
        found = True
    return not found and _MARK.match(head.lstrip(b"\xef\xbb\xbf\0 \t\r\n")) is not None


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:  # noqa: ARG001 - nothing is kept beside these logs
    """The session that *stream* holds; its ID is the name of *path*, the log has none."""
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        session=path.stem if path else "",
        read=lambda transcript: _Reading(transcript).events(stream),
    )


def _is_step(entry: Entry) -> bool:
    kind = entry.get("type")
    return type(kind) is str and type(entry.get(kind)) is dict


class _Reading:
    """What has to be remembered from line to line."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter)

    def events(self, stream: Readable) -> Iterator[Event]:
        """Everything that happened, in the order of the log."""
        for line, entry in documents(stream, self.transcript):
            self.emitter.line = line
            self._entry(line, entry)
            yield from self.emitter.drain()
        self._conclude()

    def _entry(self, line: int, entry: Entry) -> None:
        self.emitter.time = self.transcript.note_time(instant(entry.get("timestamp")))
        kind = entry.get("type")
        step = entry.get(kind) if type(kind) is str else None
        if type(kind) is not str or type(step) is not dict:
            what = word(kind)
            self.account.note_unknown(line, f"entry type {what!r} without its step" if what else "entry without a type")
        elif kind == "user_input":
            self._prompt(plain(step.get("user_response")))
        elif kind == "planner_response":
            self._response(step)
        elif kind in _INJECTED:
            self.emitter.inject(spelled(step))
        else:
            self._step(kind, step, entry.get("status"))

    def _prompt(self, text: str) -> None:
        if text.strip():
            self.account.human += 1
            self.transcript.title = self.transcript.title or title(text)
            self.emitter.prompt(text.strip())

    def _response(self, step: Mapping[str, Any]) -> None:
        self.account.assistant += 1
        for kind, key in (("thinking", "thinking"), ("text", "response")):
            if (text := plain(step.get(key))).strip():
                self.emitter.say(kind, text)

    def _step(self, kind: str, step: Mapping[str, Any], status: Any) -> None:
        """A call, and what came of it."""
        self.transcript.note_directory(local(word(step.get("cwd"))))
        call = _call(f"step-{self.emitter.line}-{self.account.calls}", kind, step)
        self.tools.add(call)
        found = _outcome(call, step, status)
        if found is not None:
            self.tools.result(call, found)
        if type(status) is str and status in _STOPPED:
            self.emitter.say("interrupt", "cancelled", actor="human")

    def _conclude(self) -> None:
        self.account.unanswered = self.tools.unanswered
        self.transcript.close()


def _call(id: str, kind: str, step: Mapping[str, Any]) -> Call:
    """The call that a step of *kind* is."""
    if kind == "code_action":
        return _change(id, step)
    if kind == "mcp_tool":
        arguments = next(
            (given for key in ("arguments", "arguments_json", "input") if (given := step.get(key)) is not None), None
        )
        return call_of(id, word(step.get("tool_name")) or word(step.get("name")) or kind, loaded(arguments))
    asked = {key: value for key, value in step.items() if key not in _OUTPUTS}
    return call_of(id, kind, asked)


def _change(id: str, step: Mapping[str, Any]) -> Call:
    """A file as it was and as it is; one that was not there is written."""
    old, new = clean(step.get("original_content")), clean(step.get("new_content"))
    path = local(word(step.get("path")) or word(step.get("file_path")))
    given = {key: word(value) for key, value in step.items() if key in ("path", "acknowledgement_type", "description")}
    change = {"old": old, "new": new} if old else {"content": new}
    return Call(id, "code_action", "edit" if old else "write", (path,) if path else (), {"input": given, **change})


def _outcome(call: Call, step: Mapping[str, Any], status: Any) -> Outcome | None:
    """What came of a call; None while it is under way."""
    status = status if type(status) is str else ""
    text = next((said for key in _OUTPUTS if (said := spelled(step.get(key)))), "")
    acknowledged = step.get("acknowledgement_type")
    refused = type(acknowledged) is str and "REJECT" in acknowledged
    if step.get("user_rejected") is True or refused or status == "rejected":
        return Outcome(text, ok=False, refused=True)
    if status in _UNDER_WAY:
        return None
    exit = step.get("exit_code")
    if type(exit) is int:
        return Outcome(text, ok=exit == 0 and status != "error", exit=exit)
    if status == "error" or status in _STOPPED:
        return Outcome(text, ok=False)
    # A command without a status was left to run on.
    return Outcome(text, ok=None if call.role == "shell" else True)
