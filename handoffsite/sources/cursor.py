"""Cursor's agent transcripts: what was asked and called, without IDs or times, and mostly without results."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.cursor_text import is_text, messages
from handoffsite.sources.cursor_tools import Tools
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry, Readable, Rejoined, documents, first_objects, whole_text
from handoffsite.sources.text import between, clean, gathered, moment, plain, title, word

NAME = "cursor"

HEAD = 1 << 16  # bytes that tell in which form a transcript is written

_CALLS = frozenset(("tool_use", "tool_call", "tool-call", "tool-use", "toolCall"))
_RESULTS = frozenset(("tool_result", "tool-result", "toolResult"))
_THOUGHTS = frozenset(("thinking", "reasoning", "redacted_thinking", "redacted-reasoning"))
_HIDDEN = "[REDACTED]"  # stands for thoughts that are not kept
_FOREIGN = ("uuid", "sessionId", "parentUuid", "payload")

_BEGUN = re.compile(rb'\s*\{"role":\s*"(?:user|assistant)",\s*"message":\s*\{')  # of a first line that is not whole

_QUERY = "user_query"
_WRAPPED = re.compile(r"<([a-z][a-z_-]{1,60})(?: [^<>\n]{0,500})?>")
_STAMP = re.compile(
    r"(?:[A-Z][a-z]{2,8}, )?([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2}), (\d{4}),? (?:at )?(\d{1,2}):(\d\d)(?::\d\d)?(?:[ \u202f]([AP])M)?"
    r"(?: ?\((?:UTC|GMT)(?:([+-])(\d{1,2})(?::(\d\d))?)?\))?"
)
_MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}
_STOPPED = re.compile(r"abort|cancel|interrupt|stop", re.IGNORECASE)


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of Cursor, in either form."""
    if is_text(head.decode(errors="replace")):
        return True
    return (
        any(_is_message(entry) for entry in first_objects(head)) or _BEGUN.match(head.removeprefix(b"\xef\xbb\xbf")) is not None
    )


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:  # noqa: ARG001 - the transcripts of sub-agents are read as ones of their own
    """The session that *stream* holds, whose ID is in the name of *path*.

    Times stand only at prompts, to the minute, and hold for what follows; one without a zone is taken for UTC.
    The transcript of a sub-agent lies in a folder `subagents`, and its parent's ID is the name of the folder above.
    """
    transcript = Transcript(
        format=NAME,
        file=path.name if path else "",
        session=word(path.stem) if path else "",
        read=lambda transcript: _Reading(transcript).events(stream),
    )
    if path is not None and path.parent.name == "subagents":
        transcript.agent = transcript.session
        transcript.parent = word(path.parent.parent.name)
    return transcript


def _is_message(entry: Entry) -> bool:
    message = entry.get("message")
    return (
        entry.get("role") in ("user", "assistant", "tool")
        and type(message) is dict
        and type(message.get("content")) in (list, str)
        and not any(key in entry for key in _FOREIGN)
    )


class _Reading:
    """What has to be remembered from line to line."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        if transcript.agent:
            self.emitter.speak_for(transcript.agent)
        self.tools = Tools(transcript.account, self.emitter)

    def events(self, stream: Readable) -> Iterator[Event]:
        """Everything that the transcript tells, in its order."""
        for line, entry in self._entries(stream):
            self.emitter.line = line
            self.emitter.message = word(entry.get("id"))
            self._note_time(moment(entry.get("timestamp")))
            self._entry(entry)
            yield from self.emitter.drain()
        self._conclude()

    def _entries(self, stream: Readable) -> Iterator[tuple[int, Entry]]:
        begun = Rejoined(stream, HEAD)
        if not is_text(begun.head.decode(errors="replace")):
            return documents(begun, self.transcript)
        return messages(whole_text(begun, self.account))

    def _entry(self, entry: Entry) -> None:
        role, message = entry.get("role"), entry.get("message")
        if type(message) is dict and role in ("user", "assistant", "tool"):
            content = message.get("content")
            if content is None:
                self.account.skip(self.emitter.line, f"a message of the {role} without content")
                return
            blocks = content if type(content) is list else [content]
            self.account.assistant += role == "assistant" and entry.get("continues") is not True
            typed = [text for block in blocks if (text := self._block(block, is_agent=role == "assistant"))]
            if typed:
                self._user("\n".join(typed).strip())
        elif entry.get("type") == "turn_ended":
            self._ended(entry)
        else:
            what = entry.get("type") or role
            self.account.note_unknown(self.emitter.line, f"entry {word(what)!r}" if what else "entry without a role")

    def _block(self, block: Any, *, is_agent: bool) -> str:
        """Add one block; what it says where the human speaks is given back."""
        kind = block.get("type") if type(block) is dict else "text"
        kind = kind if type(kind) is str else ""
        if kind in _CALLS:
            self.tools.call(block)
        elif kind in _RESULTS:
            self.tools.result(block)
        elif kind in _THOUGHTS:
            self._tell("thinking", _shown(plain(block.get("thinking") or block.get("text"))))
        elif kind in ("text", "image"):
            if not is_agent:
                return gathered(block)
            self._tell("text", _shown(plain(block)))
        else:
            self.account.note_unknown(self.emitter.line, f"content block {word(kind)!r}")
        return ""

    def _user(self, text: str) -> None:
        """What stands where the human speaks: the query, and what the client put around it."""
        if stamp := between(text[:2000], "timestamp"):
            self._note_time(_moment(stamp))
        typed = clean(between(text, _QUERY) or _unwrapped(text))
        if not typed or self.transcript.agent:
            self.emitter.inject(clean(text))
            return
        self.account.human += 1
        self.transcript.title = self.transcript.title or title(typed)
        self.emitter.prompt(typed)

    def _note_time(self, time: str) -> None:
        self.emitter.time = self.transcript.note_time(time) or self.emitter.time

    def _ended(self, entry: Entry) -> None:
        status = word(entry.get("status"))
        if _STOPPED.search(status):
            self.emitter.say("interrupt", status, actor="human")
        else:
            self.emitter.inject(plain(entry.get("error")))

    def _tell(self, kind: str, text: str) -> None:
        if text.strip():
            self.emitter.say(kind, text)

    def _conclude(self) -> None:
        self.account.unanswered = self.tools.unanswered
        self.transcript.close()


def _shown(text: str) -> str:
    """*text* without the marks of thoughts that are not kept."""
    return text.replace(_HIDDEN, "").strip() if _HIDDEN in text else text


def _unwrapped(text: str) -> str:
    """*text* without what stands in tags at its beginning, which the client put there."""
    at = 0
    while (found := _WRAPPED.match(text, at)) and (end := text.find(f"</{found[1]}>", found.end())) >= 0:
        at = end + len(found[1]) + len("</>")
        while text[at : at + 1].isspace():
            at += 1
    return text[at:]


def _moment(stamp: str) -> str:
    """The *stamp* of a prompt in ISO 8601, or nothing where it is none."""
    found = _STAMP.fullmatch(stamp.strip())
    if found is None or found[1] not in _MONTHS:
        return ""
    hour = int(found[4])
    if found[6]:
        hour = hour % 12 + 12 * (found[6] == "P")
    shift = timedelta(hours=int(found[8] or 0), minutes=int(found[9] or 0))
    try:
        zone = timezone(-shift if found[7] == "-" else shift)
        time = datetime(int(found[3]), _MONTHS[found[1]], int(found[2]), hour, int(found[5]), tzinfo=zone)
        return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""
