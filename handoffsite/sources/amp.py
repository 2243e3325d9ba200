"""Amp's threads: one JSON document each, rewritten as the talk goes on; results say in their own words how the call ended."""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.claude_prompts import words
from handoffsite.sources.document import document
from handoffsite.sources.emitter import Call, Emitter
from handoffsite.sources.lines import Readable
from handoffsite.sources.messages_calls import Tools
from handoffsite.sources.messages_results import Outcome, outcome, spelled, told
from handoffsite.sources.messages_tools import local
from handoffsite.sources.text import clean, gathered, instant, plain, title, word

NAME = "amp"

TREES = 64

_THREAD = r"T-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ID = re.compile(_THREAD, re.IGNORECASE)
_OPENING = re.compile(
    rf'\s*\{{(?:\s*"(?!id")\w+"\s*:\s*(?:-?[\d.]+|"[^"\\]*"|true|false|null)\s*,)*+\s*"id"\s*:\s*"{_THREAD}"'.encode(),
    re.IGNORECASE,
)
_BRANCH = "refs/heads/"
_UNDER_WAY = frozenset(("in-progress", "queued", "blocked-on-user", "running", "pending"))
_QUIET = frozenset("redacted_thinking image server_tool_use web_search_tool_result image_ref".split())


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of an Amp thread: an object with such an ID and messages."""
    bare = head.lstrip(b"\xef\xbb\xbf\0 \t\r\n")
    if not bare.startswith(b"{") or b"T-" not in bare:
        return False
    value = document(io.BytesIO(bare), Transcript(format=NAME, read=lambda _: iter(())))[0]
    if type(value) is dict and "id" in value:
        id = value["id"]
        return (
            type(id) is str
            and _ID.fullmatch(id) is not None
            and any(key in value for key in ("messages", "created", "agentMode"))
        )
    return not value and _OPENING.match(bare) is not None


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:  # noqa: ARG001 - a thread is one file
    """The thread that *stream* holds; the name of *path* tells its ID where the thread has lost it."""
    named = _ID.match(path.name) if path else None
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        session=named[0] if named else "",
        read=lambda transcript: _Reading(transcript).events(stream, path.stem if path else ""),
    )


class _Reading:
    """What has to be remembered from message to message."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter)
        self.ran: dict[str, str] = {}  # when the tools that a message called had ended
        self.callers: dict[str, str] = {}
        self.stopped = False

    def events(self, stream: Readable, stem: str) -> Iterator[Event]:
        """Everything that happened, in the order of the thread."""
        thread, self.line_of = document(stream, self.transcript)
        thread = thread if type(thread) is dict else {}
        self._about(thread)
        messages = thread.get("messages")
        for message in messages if type(messages) is list else []:
            self._message(message)
            yield from self.emitter.drain()
        self._conclude(stem)

    def _about(self, thread: Mapping[str, Any]) -> None:
        transcript = self.transcript
        transcript.session = word(thread.get("id")) or transcript.session
        transcript.title = title(clean(thread.get("title")))
        transcript.note_time(instant(thread.get("created")))
        env = _inside(thread, "env", "initial")
        trees = env.get("trees")
        for tree in (trees if type(trees) is list else [])[:TREES]:
            if type(tree) is not dict:
                continue
            transcript.note_directory(local(word(tree.get("uri"))))
            ref = word(_inside(tree, "repository").get("ref"))
            transcript.branch = transcript.branch or ref.removeprefix(_BRANCH)
        transcript.parent = word(thread.get("mainThreadID")) or _forked(thread.get("relationships"))
        traces = _inside(thread, "meta").get("traces")
        for trace in traces if type(traces) is list else []:
            if type(trace) is dict:
                self._trace(trace)

    def _trace(self, trace: Mapping[str, Any]) -> None:
        ended = self.transcript.note_time(instant(trace.get("endTime")))
        if trace.get("name") == "tools" and ended:
            self.ran[_key(_inside(trace, "context").get("messageId"))] = ended

    def _message(self, message: Any) -> None:
        line = self.line_of(message)
        if type(message) is not dict:
            self.account.skip(line, "a message that is no object")
            return
        role, content = message.get("role"), message.get("content")
        emitter = self.emitter
        emitter.line = line
        emitter.message = _key(message.get("messageId"))
        sent, used = _inside(message, "meta").get("sentAt"), _inside(message, "usage").get("timestamp")
        emitter.time = self.transcript.note_time(instant(sent) or instant(used))
        emitter.aside = bool(message.get("parentToolUseId"))
        self.account.sidechain += emitter.aside
        emitter.actor = "subagent" if emitter.aside else "agent"
        blocks = content if type(content) is list else [content]
        if role == "assistant":
            self._assistant(message, blocks)
        elif role == "user":
            self._user(message, blocks)
        elif role == "info":
            for block in blocks:
                self._info(block)
        else:
            self.account.note_unknown(self.emitter.line, f"role {word(role)!r}")

    def _stand_at(self, block: Any) -> str:
        """Take the line of *block*; its type."""
        if type(block) is not dict:
            return "text" if type(block) is str else ""
        self.emitter.line = self.line_of(block)
        return word(block.get("type"))

    def _assistant(self, message: Mapping[str, Any], blocks: list[Any]) -> None:
        self.account.assistant += 1
        self.stopped = False
        for block in blocks:
            kind = self._stand_at(block)
            if kind == "tool_use":
                call = self.tools.call(word(block.get("id")), word(block.get("name")), block.get("input"))
                self.callers[call.id] = self.emitter.message
            elif kind == "thinking":
                self._tell("thinking", clean(block.get("thinking")))
            elif kind == "text":
                self._tell("text", plain(block))
            elif kind not in _QUIET:
                self.account.note_unknown(self.emitter.line, f"content block {kind!r}")
        if _inside(message, "state").get("type") == "cancelled":
            self._interrupted()

    def _tell(self, kind: str, text: str) -> None:
        if text.strip():
            self.emitter.say(kind, text)

    def _interrupted(self) -> None:
        """The human stopped the agent; message, results and the next prompt may all say so."""
        if not self.stopped:
            self.stopped = True
            self.emitter.say("interrupt", "cancelled", actor="human")

    def _user(self, message: Mapping[str, Any], blocks: list[Any]) -> None:
        said: list[Any] = []
        first = self.emitter.line
        if message.get("interrupted") is True:
            self._interrupted()
        for block in blocks:
            kind = self._stand_at(block)
            if kind == "tool_result":
                self._result(block)
            elif kind in ("text", "image"):
                first = first if said else self.emitter.line
                said.append(block)
            elif block is not None:
                self.account.note_unknown(self.emitter.line, f"content block {kind!r}")
        self.emitter.line = first
        meta = _inside(message, "meta")
        if any(type(block) is str or block.get("hidden") is not True for block in said):
            self._said(gathered(said).strip(), is_foreign=bool(meta.get("fromAggman") or meta.get("fromExecutorThreadID")))

    def _said(self, text: str, *, is_foreign: bool) -> None:
        told = words(text)
        if not told.text:
            return
        if self.emitter.aside or is_foreign or told.kind in ("injected", "notification"):
            self.emitter.inject(told.text)
        elif told.kind in ("compact", "interrupt"):
            self.emitter.say(told.kind, told.text, actor="system" if told.kind == "compact" else "human")
        else:
            self.account.human += not told.command
            self.transcript.title = self.transcript.title or title(text)
            self.emitter.prompt(clean(text) if told.kind == "plan" else told.text)

    def _result(self, block: Mapping[str, Any]) -> None:
        call = self.tools.pending(word(block.get("toolUseID")) or word(block.get("tool_use_id")))
        self.emitter.time = self.emitter.time or self.ran.get(self.callers.get(call.id, ""), "")
        run = block.get("run")
        if type(run) is not dict:
            failed = block.get("is_error") is True or None
            self.tools.result(call, outcome(block.get("content"), is_shell="command" in call.data, failed=failed, is_quiet=True))
        elif run.get("status") not in _UNDER_WAY:
            self.tools.result(call, _outcome(run, is_shell="command" in call.data))
            if run.get("status") == "cancelled":
                self._interrupted()

    def _info(self, block: Any) -> None:
        """What the client itself put into the thread."""
        kind = self._stand_at(block)
        if kind == "manual_bash_invocation":
            self._typed(block)
        elif kind == "summary":
            summary = block.get("summary")
            text = summary.get("summary") if type(summary) is dict else summary
            self.emitter.say("compact", clean(text), actor="system")
        elif kind == "text":
            self.emitter.inject(plain(block))
        else:
            self.account.note_unknown(self.emitter.line, f"content block {kind!r}")

    def _typed(self, block: Mapping[str, Any]) -> None:
        """A command that the human ran through the client."""
        self.emitter.actor = "human"
        call: Call = self.tools.call("", "Bash", block.get("args"))
        run = block.get("toolRun")
        if type(run) is dict and run.get("status") not in _UNDER_WAY:
            self.tools.result(call, _outcome(run, is_shell=True))
        self.emitter.actor = "agent"

    def _conclude(self, stem: str) -> None:
        self.account.unanswered = self.tools.unanswered
        self.transcript.close(stem)


def _outcome(run: Mapping[str, Any], *, is_shell: bool) -> Outcome:
    """How a call ended: done (though its command may have failed), error, cancelled, or refused by the human."""
    status, result = run.get("status"), run.get("result")
    if status == "done":
        found = told(result, is_shell=is_shell) if type(result) is dict else Outcome(spelled(result), None)
        if is_shell and found.exit is None and found.ok is None:
            # Older clients give a command's output as a text, which names only a status that is not 0.
            found = outcome(found.text, is_shell=True, is_quiet=True)
        return replace(found, ok=found.ok is not False)
    text = spelled(run.get("error")) or clean(run.get("reason")) or spelled(result)
    return Outcome(text or word(status), ok=False, refused=status == "rejected-by-user")


def _inside(entry: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """The object in *entry* to which *keys* lead; an empty one where there is none."""
    found: Any = entry
    for key in keys:
        found = found.get(key) if type(found) is dict else None
    return found if type(found) is dict else {}


def _key(id: Any) -> str:
    """A message's ID, which is a number in some threads and a text in others."""
    return str(id) if type(id) is int and abs(id) < 1 << 53 else word(id)


def _forked(relationships: Any) -> str:
    """The thread that this one goes on from."""
    for one in relationships if type(relationships) is list else []:
        if type(one) is dict and one.get("role") == "child":
            return word(one.get("threadID"))
    return ""
