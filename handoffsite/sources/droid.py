"""Factory droid's session logs: messages in Anthropic's blocks, and the to-do list beside them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.droid_tools import Tools
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry, Readable, documents, first_objects
from handoffsite.sources.text import between, clean, moment, named, parted, plain, title, word

NAME = "droid"

# Entries that say nothing of the session's work; whatever is none that we know is counted as not understood.
_NOISE = frozenset("session_settings session_end hook_result".split())
_BLOCKS = frozenset("text thinking redacted_thinking tool_use tool_result image document".split())
_THOUGHTS = frozenset("thinking reasoning thought".split())
_PLACEHOLDER = "New Session"

_REMINDER = ("<system-reminder>", "</system-reminder>")
_QUERY = "user_query"
_MENTIONED = re.compile(r"Contents of [^\n]{1,1000} \(lines \d{1,9}-\d{1,9} of \d{1,9}\):")
_CONTINUED = "A previous instance of Droid has summarized the conversation"
_AUTOMATIC = frozenset("automation system hook agent".split())
_STOPPED = re.compile(r"interrupt|cancel|abort", re.IGNORECASE)


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of droid."""
    return any(_is_entry(entry) for entry in first_objects(head))


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:  # noqa: ARG001 - what is kept beside these logs tells nothing of the work
    """The session that *stream* holds; the name of *path* tells its ID where the log does not."""
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        read=lambda transcript: _Reading(transcript).events(stream, path),
    )


def _is_entry(entry: Entry) -> bool:
    kind = entry.get("type")
    if kind == "session_start":
        return type(entry.get("id")) is str or type(entry.get("session")) is dict
    if kind in ("todo_state", "compaction_state"):
        return "todos" in entry or "summaryText" in entry or "summaryKind" in entry
    message = entry.get("message")
    if kind != "message" or type(message) is not dict or message.get("role") not in ("user", "assistant"):
        return False
    content = message.get("content")
    blocks = content if type(content) is list else []
    known = any(type(block) is dict and type(name := block.get("type")) is str and name in _BLOCKS for block in blocks)
    return known and type(entry.get("id")) is str and "timestamp" not in message


class _Reading:
    """What has to be remembered from line to line."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter)
        self.headed = False
        self.asked = ""
        self.seen: set[int] = set()  # of IDs only the hash: a log may have millions

    def events(self, stream: Readable, path: Path | None) -> Iterator[Event]:
        """Everything that happened, in the order of the log."""
        for line, entry in documents(stream, self.transcript):
            self.emitter.line = line
            self._entry(entry)
            yield from self.emitter.drain()
        self._conclude(path)

    def _entry(self, entry: Entry) -> None:
        kind = entry.get("type")
        self.emitter.message = word(entry.get("id"))
        self.emitter.time = self.transcript.note_time(moment(entry.get("timestamp")) or moment(entry.get("created_at")))
        if kind == "session_start":
            self._header(entry)
        elif kind == "message":
            self._message(entry)
        elif kind == "todo_state":
            self.tools.listed(entry.get("todos"))
        elif kind == "compaction_state":
            summary = entry.get("summary")
            said = clean(entry.get("summaryText")) or clean(summary.get("body") if type(summary) is dict else summary)
            self.emitter.say("compact", said, actor="system")
        elif kind == "agent_turn_outcome":
            reason = word(entry.get("reason"))
            if _STOPPED.search(reason):
                self.emitter.say("interrupt", reason, actor="human")
        elif type(kind) is not str or kind not in _NOISE:
            self.account.note_unknown(self.emitter.line, f"entry type {word(kind)!r}" if kind else "entry without a type")

    def _header(self, entry: Entry) -> None:
        """The first header counts."""
        if self.headed:
            return
        self.headed = True
        transcript = self.transcript
        inner = entry.get("session")
        fields = {**inner, **entry} if type(inner) is dict else entry
        transcript.session = word(fields.get("id"))
        called = title(clean(fields.get("sessionTitle")))
        transcript.title = called if called and called != _PLACEHOLDER else title(clean(fields.get("title")))
        transcript.note_directory(named(fields, ("cwd", "workspace_root")))
        transcript.parent = word(fields.get("parent"))
        if caller := word(fields.get("callingSessionId")):
            transcript.parent = caller
            transcript.agent = transcript.session or "subagent"
            self.emitter.speak_for(transcript.agent)

    def _message(self, entry: Entry) -> None:
        message = entry.get("message")
        message = message if type(message) is dict else entry if "role" in entry else None
        if message is None or (content := message.get("content")) is None:
            self.account.skip(self.emitter.line, "a message entry without content")
            return
        id = entry.get("id")
        if type(id) is str and self._is_repeated(id):
            return
        role = message.get("role")
        blocks = content if type(content) is list else [content]
        if role == "user":
            self._user(message, blocks)
        elif role == "assistant":
            self.account.assistant += 1
            for block in blocks:
                self._block(block)
        else:
            self.account.note_unknown(self.emitter.line, f"message role {word(role)!r}")

    def _is_repeated(self, id: str) -> bool:
        before = len(self.seen)
        self.seen.add(hash(id))
        if len(self.seen) > before:
            return False
        self.account.repeated += 1
        return True

    def _block(self, block: Any) -> None:
        """Add one block of what the agent says."""
        kind = block.get("type") if type(block) is dict else "text"
        if kind == "tool_use":
            self.tools.call(block)
        elif kind == "tool_result":
            self.tools.result(block)
        elif kind == "text":
            self._tell("text", plain(block))
        elif type(kind) is str and kind in _THOUGHTS:
            self._tell("thinking", clean(block.get("thinking")) or clean(block.get("text")))
        elif type(kind) is not str or kind not in _BLOCKS:
            self.account.note_unknown(self.emitter.line, f"content block {word(kind)!r}")

    def _user(self, message: Entry, blocks: list[Any]) -> None:
        """What stands where the human speaks: results, what the client put in, and the human's words."""
        typed: list[str] = []
        for block in blocks:
            if type(block) is dict and block.get("type") == "tool_result":
                self.tools.result(block)
            elif text := plain(block).strip():
                self._sort(text, typed)
        if not typed:
            return
        said = "\n".join(typed)
        source = message.get("userMessageSource")
        hidden = message.get("visibility") in ("llm_only", "user_only") or "hookEventName" in message
        if hidden or self.transcript.agent or (type(source) is str and source in _AUTOMATIC):
            self.emitter.inject(said)
            return
        self.account.human += 1
        self.asked = self.asked or title(said)
        self.emitter.prompt(clean(said))

    def _sort(self, text: str, typed: list[str]) -> None:
        """Add *text* to what was *typed*, or tell of it if the client put it in."""
        if text.startswith(_CONTINUED):
            self.emitter.say("compact", text, actor="system")
        elif _MENTIONED.match(text):
            self.emitter.inject(text)
        elif left := between(text, _QUERY) or parted(text, *_REMINDER)[1].strip():
            typed.append(left)
        else:
            self.emitter.inject(text)

    def _tell(self, kind: str, text: str) -> None:
        if text.strip():
            self.emitter.say(kind, text)

    def _conclude(self, path: Path | None) -> None:
        self.account.close()
        if not self.headed:
            self.account.skip(1, "no header")
        self.account.unanswered = self.tools.unanswered
        self.transcript.title = self.transcript.title or self.asked
        self.transcript.close(word(path.stem) if path else "")
