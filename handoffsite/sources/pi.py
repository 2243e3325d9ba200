"""pi's session logs: a tree of entries, of which the way to the last one is the session."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import CHUNK, Entry, Readable, documents, first_objects
from handoffsite.sources.pi_tools import Tools, said
from handoffsite.sources.pi_tree import KEPT, LEFT, REPEATED, Tree
from handoffsite.sources.text import clean, instant, title, word

NAME = "pi"

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_SKILL = re.compile(r'<skill name="([^"\n]{0,200})"')

_ROLES = frozenset("user assistant toolResult bashExecution custom hookMessage branchSummary compactionSummary".split())

# Entries that say nothing of the session's work; whatever is in neither list is counted as not understood.
_NOISE = frozenset("model_change thinking_level_change custom label".split())

HELD = 8 << 20  # bytes of a stream that cannot be read twice, before they go to a file


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of pi."""
    return any(_is_entry(entry) for entry in first_objects(head))


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:  # noqa: ARG001 - nothing is kept beside these logs
    """The session that *stream* holds; the name of *path* tells its ID where the log's first line is lost.

    Branches that were left for another one tell nothing of the session: they are left out, and the account says where they stand.
    """
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        read=lambda transcript: _Reading(transcript).events(stream, path),
    )


def _is_entry(entry: Entry) -> bool:
    kind, message = entry.get("type"), entry.get("message")
    if kind == "session":
        return type(entry.get("id")) is str and type(entry.get("cwd")) is str and type(entry.get("timestamp")) is str
    if kind != "message" or type(message) is not dict or type(role := message.get("role")) is not str:
        return False
    if role in ("user", "assistant"):
        return type(message.get("timestamp")) in (int, float) and "content" in message
    return role in _ROLES and ("parentId" in entry or "timestamp" in message)


class _Reading:
    """What has to be remembered from line to line."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter)
        self.headed = False
        self.named = ""
        self.left: list[int] = []

    def events(self, stream: Readable, path: Path | None) -> Iterator[Event]:
        """Everything that happened on the way to the last entry, in the order of the log."""
        with _rewindable(stream) as log:
            start = log.tell()
            fates = _fates(log)
            log.seek(start)
            yield from self._all(log, fates)
        self._conclude(path)

    def _all(self, log: IO[bytes] | io.BufferedIOBase, fates: bytes) -> Iterator[Event]:
        number = 0
        for line, entry in documents(log, self.transcript):
            if entry.get("type") == "session":
                self._header(line, entry)
                continue
            fate = fates[number] if number < len(fates) else KEPT  # the writer is at it while we read
            number += 1
            self.account.repeated += fate == REPEATED
            if fate == LEFT:
                self.left.append(line)
            elif self.left:
                self._account_for_left()
            if fate == KEPT:
                self._entry(line, entry)
                yield from self.emitter.drain()
        self._account_for_left()

    def _entry(self, line: int, entry: Entry) -> None:
        emitter = self.emitter
        emitter.line = line
        emitter.message = word(entry.get("id"))
        message = entry.get("message")
        stamp = message.get("timestamp") if type(message) is dict else None
        emitter.time = self.transcript.note_time(instant(entry.get("timestamp")) or instant(stamp))
        kind = entry.get("type")
        if kind == "message":
            if type(message) is dict:
                self._message(message)
            else:
                self.account.skip(line, "a message entry without a message")
        elif kind in ("compaction", "branch_summary"):
            emitter.say("compact", clean(entry.get("summary")), actor="system")
        elif kind == "custom_message":
            emitter.inject(said(entry.get("content")))
        elif kind == "session_info":
            self.named = title(clean(entry.get("name"))) or self.named
        elif type(kind) is not str or kind not in _NOISE:
            self.account.note_unknown(self.emitter.line, f"entry type {word(kind)!r}" if kind else "entry without a type")

    def _header(self, line: int, entry: Entry) -> None:
        """The first header counts."""
        self.emitter.line = line
        if self.headed:
            return
        self.headed = True
        transcript = self.transcript
        transcript.session = word(entry.get("id"))
        transcript.parent = _id_in(word(entry.get("parentSession")) or word(entry.get("branchedFrom")))
        transcript.title = title(clean(entry.get("title")))
        transcript.note_directory(word(entry.get("cwd")))
        self.emitter.time = transcript.note_time(instant(entry.get("timestamp")))

    def _message(self, message: Entry) -> None:
        role, content = message.get("role"), message.get("content")
        if role == "user":
            self._user(said(content).strip())
        elif role == "assistant":
            self._assistant(message, content)
        elif role == "toolResult":
            self.tools.result(message)
        elif role == "bashExecution":
            self.tools.executed(message)
        elif role in ("branchSummary", "compactionSummary"):
            self.emitter.say("compact", clean(message.get("summary")), actor="system")
        elif role in ("custom", "hookMessage"):
            self.emitter.inject(said(content))
        else:
            self.account.note_unknown(self.emitter.line, f"message role {word(role)!r}")

    def _user(self, text: str) -> None:
        """What the human typed; the files and the skill that the client put before it are nobody's words."""
        start, command = 0, ""
        while text.startswith('<file name="', start) and (end := text.find("</file>", start)) >= 0:
            start = _behind(text, end + len("</file>"))
        if (skill := _SKILL.match(text, start)) and (end := text.find("\n</skill>", start)) >= 0:
            start, command = _behind(text, end + len("\n</skill>")), f"/skill:{skill[1]}"
        self.emitter.inject(text[:start].rstrip())
        if not (typed := text[start:]):
            return
        self.account.human += not command
        self.transcript.title = self.transcript.title or title(typed)
        self.emitter.prompt(typed, command=command)

    def _assistant(self, message: Entry, content: Any) -> None:
        self.account.assistant += 1
        for block in content if type(content) is list else [content]:
            kind = block.get("type") if type(block) is dict else "text"
            if kind == "toolCall":
                self.tools.call(block)
            elif kind == "thinking":
                self._tell("thinking", clean(block.get("thinking")))
            elif kind == "text":
                self._tell("text", said([block]))
            else:
                self.account.note_unknown(self.emitter.line, f"content block {word(kind)!r}")
        reason = message.get("stopReason")
        if reason == "aborted":
            self.emitter.say("interrupt", clean(message.get("errorMessage")) or "aborted", actor="human")
        elif reason == "error":
            self.emitter.inject(clean(message.get("errorMessage")))

    def _tell(self, kind: str, text: str) -> None:
        if text.strip():
            self.emitter.say(kind, text)

    def _account_for_left(self) -> None:
        if not self.left:
            return
        first, last, count = self.left[0], self.left[-1], len(self.left)
        self.left.clear()
        entries = f"{count} entries, up to line {last}," if count > 1 else "an entry"
        self.account.skip(first, f"{entries} of a branch that was left for another one")

    def _conclude(self, path: Path | None) -> None:
        self.account.close()
        if not self.headed:
            self.account.skip(1, "no header")
        self.account.unanswered = self.tools.unanswered
        self.transcript.title = self.named or self.transcript.title
        self.transcript.close(_id_in(path.name) if path else "")


@contextmanager
def _rewindable(stream: Readable) -> Iterator[IO[bytes] | io.BufferedIOBase]:
    """*stream* as one that can be read twice: only its end tells which branch the session went on with."""
    if isinstance(stream, io.BufferedIOBase) and stream.seekable():
        yield stream
        return
    with SpooledTemporaryFile(max_size=HELD) as copy:
        while chunk := stream.read(CHUNK):
            copy.write(chunk)
        copy.seek(0)
        yield copy


def _fates(log: IO[bytes] | io.BufferedIOBase) -> bytes:
    """What became of each entry behind the header."""
    tree = Tree()
    for _, entry in documents(log, Transcript(format=NAME, read=lambda _: iter(()))):
        if entry.get("type") != "session":
            tree.add(entry)
    return tree.fates()


def _behind(text: str, at: int) -> int:
    """Where the first character from *at* on stands that is no blank."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _id_in(name: str) -> str:
    """The session's ID in a log's *name*, which is the time and the ID; the name itself where it holds none."""
    stem = PurePosixPath(name.replace("\\", "/")).name.removesuffix(".jsonl")
    found = _UUID.search(stem)
    return found[0].lower() if found else stem
