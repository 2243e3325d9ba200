"""Cline's and Roo's sessions: the messages of the editor's extension and of the command line, the panel, the Markdown export."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Account, Event, Transcript
from handoffsite.sources.cline_beside import MESSAGES, SCREEN, Beside, session_record, task_folder
from handoffsite.sources.cline_export import exported, turns
from handoffsite.sources.cline_markup import (
    environment,
    header,
    human_words,
    interrupted,
    pieces,
    resumed_in,
    without_environment,
)
from handoffsite.sources.cline_screen import Screen
from handoffsite.sources.cline_tools import Tools
from handoffsite.sources.document import LineOf, document
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry, Readable, Rejoined, first_objects, whole_text
from handoffsite.sources.text import clean, gathered, instant, plain, title, word

NAME = "cline"

HEAD = 1 << 16  # bytes that tell a document from a text

_TOPLEVEL = re.compile(
    rb'\{\s*(?:"[A-Za-z_]{1,40}"\s*:\s*(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|-?[\d.eE+]+|true|false|null)\s*,\s*)*+"messages"\s*:\s*\[',
    re.DOTALL,
)
_MESSAGE_FIRST = re.compile(rb'\[\s*\{\s*"(?:role|content|ts|id)"\s*:')
_WRAPPER = re.compile(rb'"(?:text|content)"\s*:\s*"(?:\\n|\s){0,20}<(?:task|user_message|feedback|environment_details)>')
_EXPORTED = re.compile(
    rb"\*\*User:\*\*\r?\n.*?(?:<task>|<user_message>|<environment_details>|\n---\r?\n\s*\*\*Assistant:\*\*)", re.DOTALL
)
_NATIVE_RESULT = re.compile(r"\[(Tool|\w{1,80})( \(Error\))?\]\n")
_NEXT_RESULT = re.compile(r"^\[(\w{1,80})(?: for '|\] Result:)", re.MULTILINE)
_TASK = re.compile(r"\d{10,}|[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_COMPACTED = ("<SYSTEM_NOTICE>", "This session is being continued from a previous conversation", "Context summary:")
_NOTES = ("[", "<", "# ", "\n# ", "Files attached by the user", "You seem to be having trouble", "New instructions", "The user ")


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of Cline or Roo."""
    head = head.lstrip(b"\xef\xbb\xbf \t\r\n\0")
    if head.startswith(b"{"):
        opened = _TOPLEVEL.match(head)
        keys = opened[0] if opened else b""
        return b'"sessionId"' in keys and b"projectHash" not in keys and (b'"agent"' in keys or b'"updated_at"' in keys)
    if head.startswith(b"["):
        if _MESSAGE_FIRST.match(head) and _WRAPPER.search(head):
            return True
        return any(_is_shown(entry) for entry in first_objects(head))
    return head.startswith(b"**User:**") and _EXPORTED.match(head) is not None


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:
    """The session that *stream* holds.

    Where *path* is what the panel showed and the messages are *beside* it, these are read, and the transcript names their file.
    A line is that on which an entry opens. Times are those of the entries, or else those that the panel or the client noted.
    """
    messages = path.with_name(MESSAGES) if path and beside and path.name == SCREEN else None
    if messages and messages.is_file() and not messages.is_symlink():
        return Transcript(format=NAME, file=messages.name, read=lambda opened: _other(messages, opened))
    return Transcript(
        format=NAME, file=path.name if path else "", read=lambda opened: _Reading(opened, path, beside=beside).events(stream)
    )


def _other(messages: Path, transcript: Transcript) -> Iterator[Event]:
    transcript.file = messages.name
    with messages.open("rb") as stream:
        yield from _Reading(transcript, messages, beside=True).events(stream)


def _is_shown(entry: Entry) -> bool:
    kind = entry.get("type")
    return kind in ("say", "ask") and type(entry.get(kind)) is str and type(entry.get("ts")) in (int, float)


class _Reading:
    """What has to be remembered from message to message."""

    def __init__(self, transcript: Transcript, path: Path | None, *, beside: bool) -> None:
        self.transcript = transcript
        self.account: Account = transcript.account
        self.path = path
        self.beside = beside
        self.found = Beside()
        self.emitter = Emitter()
        self.tools = Tools(self.account, self.emitter)
        self.wraps = False  # whether the client marks the human's words
        self.mode = ""
        self.physical = False  # whether the lines of a text are lines of the file
        self.number = 0
        self.calls = 0
        self.seen: set[str] = set()
        self.title = ""

    def events(self, stream: Readable) -> Iterator[Event]:
        """Everything that happened, in the order of the log."""
        opened = Rejoined(stream, HEAD)
        is_document = opened.head.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith((b"{", b"["))
        for _ in self._document(opened) if is_document else self._export(opened):
            yield from self.emitter.drain()
        self.tools.todo(self.found.checklist)
        yield from self.emitter.drain()
        self._conclude()

    def _document(self, stream: Readable) -> Iterator[None]:
        value, line_of = document(stream, self.transcript)
        if type(value) is dict:
            self._open_record(value)
            messages = value.get("messages")
        else:
            messages = value
            self._open_task()
        if type(messages) is not list:
            if value is not None:
                self.account.skip(1, "no list of messages")
            return
        if any(type(one) is dict and _is_shown(one) for one in messages[:20]):
            yield from self._shown(messages, line_of)
            return
        for number, message in enumerate(messages):
            self.number = number
            if type(message) is dict:
                self._message(message, line_of)
            else:
                self.account.skip(self.emitter.line or 1, "a message that is not an object")
            yield

    def _open_record(self, value: Mapping[str, Any]) -> None:
        transcript = self.transcript
        transcript.session = word(value.get("sessionId"))
        if self.path and self.beside:
            self.found = session_record(self.path, transcript)
        if self.found.spawned or word(value.get("agent")).startswith(("subagent", "teammate")):
            transcript.agent = self.emitter.agent = transcript.session or "subagent"
            self.emitter.actor = "subagent"

    def _open_task(self) -> None:
        path = self.path
        if path is None or path.name not in (MESSAGES, SCREEN):
            return
        if _TASK.fullmatch(path.parent.name):
            self.transcript.session = path.parent.name
        if self.beside:
            self.found = task_folder(path, self.transcript)

    def _shown(self, entries: list[Any], line_of: LineOf) -> Iterator[None]:
        """What the panel showed, where the messages themselves are not to be had."""
        screen = Screen(self.emitter, self.tools)
        for entry in entries:
            if type(entry) is not dict:
                self.account.skip(self.emitter.line or 1, "an entry that is not an object")
                continue
            self.emitter.line = line_of(entry)
            self._note_time(instant(entry.get("ts")))
            if unknown := screen.show(entry):
                self.account.note_unknown(self.emitter.line, unknown)
            self._entitle()
            yield
        screen.finish()

    def _export(self, stream: Readable) -> Iterator[None]:
        self.physical = True
        for number, turn in enumerate(turns(whole_text(stream, self.account))):
            self.number = number
            self.emitter.line = turn.line
            if turn.is_human:
                self._user([turn.text])
            else:
                self._assistant([turn.text], [turn.line])
            yield

    def _message(self, message: Entry, line_of: LineOf) -> None:
        emitter = self.emitter
        emitter.line = line_of(message)
        emitter.message = word(message.get("id"))
        if emitter.message and emitter.message in self.seen:
            self.account.repeated += 1
            return
        self.seen.add(emitter.message)
        self._note_time(instant(message.get("ts")) or self.found.times.get(self.number, ""))
        content = message.get("content")
        blocks = content if type(content) is list else [content] if content is not None else []
        lines = [line_of(block) if type(block) is dict else emitter.line for block in blocks]
        role, about = message.get("role"), message.get("metadata")
        kind = about.get("kind") if type(about) is dict else ""
        if message.get("isSummary") is True or message.get("isTruncationMarker") is True or kind == "compaction_summary":
            emitter.say("compact", plain(content), actor="system")
        elif role == "assistant":
            self._assistant(blocks, lines)
        elif role == "user":
            self._user(blocks, lines)
        elif role != "system":
            self.account.note_unknown(self.emitter.line, f"role {word(role)!r}" if role else "message without a role")

    def _assistant(self, blocks: list[Any], lines: list[int]) -> None:
        self.tools.begin()
        self.account.assistant += 1
        for block, line in zip(blocks, lines, strict=True):
            self.emitter.line = line
            kind = block.get("type") if type(block) is dict else "text"
            if kind == "tool_use":
                self.tools.call(word(block.get("name")), block.get("input"), word(block.get("id")) or self._id())
            elif kind in ("thinking", "reasoning"):
                if thought := plain(block.get("thinking") or block.get("text") or block.get("summary")):
                    self.emitter.say("thinking", thought)
            elif kind == "text":
                self._said(gathered(block), line)
            elif kind not in ("redacted_thinking", "image", "thoughtSignature"):
                self.account.note_unknown(self.emitter.line, f"block {word(kind)!r}")

    def _said(self, text: str, line: int) -> None:
        text, by_human = interrupted(text)
        counted = 0
        for piece in exported(text) if self.physical else pieces(text):
            if self.physical:
                line += text.count("\n", counted, piece.at)
                counted = piece.at
                self.emitter.line = line
            if piece.kind == "tool":
                self.tools.call(piece.text, piece.given, self._id())
            else:
                self.emitter.say(piece.kind, clean(piece.text))
        if by_human:
            self.emitter.say("interrupt", "response interrupted", actor="human")

    def _user(self, blocks: list[Any], lines: list[int] | None = None) -> None:
        """A message in the human's place: results, the human's words, and what the client adds."""
        waiting: list[Any] = []  # the header of a result and the blocks that belong to it
        for at, block in enumerate(blocks):
            if lines:
                self.emitter.line = lines[at]
            kind = block.get("type") if type(block) is dict else "text"
            if kind == "text":
                text, around = without_environment(gathered(block))
                if around:
                    self._environment(around)
                for part in self._results(text):
                    waiting = self._user_text(part, waiting)
            elif kind == "image" and waiting:
                waiting.append(block)
            elif kind == "tool_result":
                self._flush(waiting)
                waiting = []
                self._tool_result(block)
            elif kind in ("image", "file", "document"):
                self.emitter.inject(f"[{kind} {word(block.get('path'))}]".replace(" ]", "]"))
            else:
                self.account.note_unknown(self.emitter.line, f"block {word(kind)!r}")
        self._flush(waiting)
        self._entitle()

    def _tool_result(self, block: Entry) -> None:
        content = block.get("content")
        self.tools.result(
            content, id=word(block.get("tool_use_id")), name=word(block.get("name")), failed=block.get("is_error") is True
        )

    def _results(self, text: str) -> list[str]:
        """*text* as the single results that it holds, if it holds more than one."""
        cuts = [found.start() for found in _NEXT_RESULT.finditer(text) if self.tools.waits(found[1])] if "Result:" in text else []
        if len(cuts) < 2:
            return [text]
        return [text[start:end] for start, end in zip([0, *cuts[1:]], [*cuts[1:], len(text)], strict=True)]

    def _user_text(self, text: str, waiting: list[Any]) -> list[Any]:
        """Take one text; what still waits for more of a result."""
        name, start = header(text)
        if name and (not waiting or self.tools.waits(name)):
            self._flush(waiting)
            return [(name, False), text[start:].lstrip("\n")]
        if self.physical and (found := _NATIVE_RESULT.match(text)):
            self._flush(waiting)
            return [("" if found[1] == "Tool" else found[1], bool(found[2])), text[found.end() :]]
        if waiting:
            waiting.append(text)
            return waiting
        self._words(text)
        return []

    def _flush(self, waiting: list[Any]) -> None:
        if waiting:
            (name, failed), *content = waiting
            text = "\n".join(part for part in (gathered(one) for one in content) if part)
            self.tools.result(text, name=name, failed=failed)

    def _words(self, text: str) -> None:
        """What is no result: the human's words, or the client's."""
        tag, words, rest = human_words(text)
        self.transcript.note_directory(resumed_in(text))
        if tag:
            self.wraps = True
            self._prompt(words)
        if not rest.strip():
            return
        if rest.lstrip().startswith(_COMPACTED):
            self.emitter.say("compact", clean(rest.strip()), actor="system")
        elif tag or self.wraps or rest.startswith(_NOTES):
            self.emitter.inject(clean(rest.strip()))
        else:
            self._prompt(rest)

    def _prompt(self, text: str) -> None:
        """The human's words; those that start what another agent asked for are that agent's."""
        self.title = self.title or title(text)
        if self.transcript.agent or (self.found.spawned and self.number == 0):
            self.emitter.inject(clean(text))
        else:
            self.tools.human(text)

    def _environment(self, text: str) -> None:
        here, now, mode = environment(text)
        self.transcript.note_directory(word(here))
        if now and (self.physical or not self.emitter.time):
            self._note_time(now)
        if mode == "ACT" and self.mode == "PLAN":
            self.tools.switched()
        self.mode = mode or self.mode

    def _id(self) -> str:
        """An ID for a call that has none."""
        self.calls += 1
        return f"call-{self.calls}"

    def _note_time(self, time: str) -> None:
        self.emitter.time = self.transcript.note_time(time)

    def _entitle(self) -> None:
        if not self.title and (first := next((one for one in self.emitter.out if one.kind == "prompt"), None)):
            self.title = title(first.text)

    def _conclude(self) -> None:
        self.account.unanswered = self.tools.unanswered
        self.transcript.title = self.transcript.title or self.title
        self.transcript.close(self.path.name.partition(".")[0] if self.path and self.path.name not in (MESSAGES, SCREEN) else "")
