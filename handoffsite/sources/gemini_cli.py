"""Gemini CLI's chats: one JSON document from older clients, a log of JSON lines that may revise each other from newer ones."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.document import LineOf, document
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.gemini_folder import agent_files, is_agents, project_root
from handoffsite.sources.gemini_messages import Message, Part, parts
from handoffsite.sources.gemini_prompts import CANCELLED, SUMMARY_TAKEN, words
from handoffsite.sources.gemini_tools import Tools, is_answered
from handoffsite.sources.lines import Entry, Readable, Rejoined, documents, first_objects
from handoffsite.sources.text import clean, gathered, moment, title, word

NAME = "gemini-cli"

_TYPES = frozenset(("user", "gemini", "info", "error", "warning"))
_MESSAGE = frozenset(
    "id timestamp type content displayContent thoughts tokens model toolCalls finishReason citations usageMetadata".split()
)
_ABOUT = frozenset("sessionId projectHash startTime lastUpdated summary directories kind memoryScratchpad".split())
_MARKS = (re.compile(rb'"sessionId"\s*:\s*"'), re.compile(rb'"projectHash"\s*:\s*"'))
_OPENS_DOCUMENT = re.compile(rb'(?:\xef\xbb\xbf)?[\s\0]*+[{\[][ \t\r]*+(?:\n|"[^\n]*,[ \t\r]*\n\s*")')
_HEAD = 1 << 12

HELD = 64  # messages that a later line may still replace as a whole
BOUND = 64  # messages by which a document is known, directories of one entry


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of Gemini CLI."""
    found = False
    for entry in first_objects(head):
        if _is_entry(entry):
            return True
        found = True
    beginning = head.lstrip(b"\xef\xbb\xbf \t\r\n\0")[:_HEAD]
    return not found and beginning.startswith(b"{") and all(mark.search(beginning) for mark in _MARKS)


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:
    """The session that *stream* holds; *path* leads to its project's folder, which names the working directory.

    That is looked up whatever *beside* says, for the chat itself does not tell where it was held; sub-agents' chats only with it.
    """
    path = path.absolute() if path else None
    agents = path if path and is_agents(path) else None
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        session=agents.stem if agents else "",
        agent=agents.stem if agents else "",
        parent=agents.parent.name if agents else "",
        read=lambda transcript: _Reading(transcript).events(stream, path, beside=beside),
    )


def _is_entry(entry: Entry) -> bool:
    if type(entry.get("sessionId")) is str and type(entry.get("projectHash")) is str:
        return True
    if type(entry.get("$set")) is dict or type(entry.get("$rewindTo")) is str:
        return len(entry) == 1
    if type(messages := entry.get("messages")) is list and "sessionId" in entry:
        return any(type(message) is dict and _is_message(message) for message in messages[:BOUND])
    return _is_message(entry)


def _is_message(entry: Entry) -> bool:
    kind = entry.get("type")
    return (
        type(kind) is str
        and kind in _TYPES
        and type(entry.get("id")) is str
        and type(entry.get("timestamp")) is str
        and "content" in entry
        and entry.keys() <= _MESSAGE
    )


class _Reading:
    """What has to be remembered from message to message; what was told is known by its hash, for a log may be long."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter)
        self.held: dict[str, Message] = {}
        self.told: set[int] = set()
        self.order: dict[int, int] = {}  # of each message of the talk, by its ID's hash, the turns before it
        self.prompts: set[int] = set()
        self.turns = 0
        self.titles: dict[str, str] = {}
        self.nameless = 0
        self.tellers: dict[str, Callable[[str, Message], None]] = {
            "user": self._user,
            "gemini": self._gemini,
            **dict.fromkeys(("info", "error", "warning"), self._notice),
        }
        if transcript.agent:
            self.emitter.speak_for(transcript.agent)

    def events(self, stream: Readable, path: Path | None, *, beside: bool) -> Iterator[Event]:
        """The session's own events, then those of its sub-agents' chats."""
        if path is not None:
            self.transcript.note_directory(project_root(path))
        for _ in self._entries(stream):
            yield from self.emitter.drain()
        self._tell_all()
        yield from self.emitter.drain()
        self._conclude(path.stem if path else "")
        if beside and path is not None and not self.transcript.agent:
            for file in agent_files(path, self.transcript.session):
                yield from self._agent_events(file)

    def _entries(self, stream: Readable) -> Iterator[None]:
        """Take in every entry, one a step."""
        whole = Rejoined(stream, _HEAD)
        if not _OPENS_DOCUMENT.match(whole.head):
            for line, entry in documents(whole, self.transcript):
                self._entry(line, entry, _all_on(line))
                yield
            return
        value, line_of = document(whole, self.transcript)
        for entry in value if type(value) is list else [value]:
            if type(entry) is dict:
                yield from self._document(entry, line_of)

    def _document(self, entry: Entry, line_of: LineOf) -> Iterator[None]:
        messages = entry.get("messages")
        if type(messages) is not list:
            self._entry(line_of(entry), entry, line_of)
            return
        self._about(entry)
        for message in messages:
            if type(message) is dict:
                self._take(line_of(message), message, line_of)
                yield
            else:
                self.account.skip(line_of(entry), "a message that is no object")

    def _entry(self, line: int, entry: Entry, line_of: LineOf) -> None:
        if type(entry.get("$rewindTo")) is str:
            self._rewind(line, word(entry["$rewindTo"]))
        elif type(entry.get("id")) is str and "sessionId" not in entry:
            self._take(line, entry, line_of)
        elif type(changes := entry.get("$set")) is dict:
            self._about(changes)
            self._rebuild(line, changes.get("messages"), line_of)
        elif _ABOUT & entry.keys() or type(entry.get("messages")) is list:
            self._about(entry)
            self._rebuild(line, entry.get("messages"), line_of)
        elif type(kind := entry.get("type")) is str and kind in _TYPES:
            self._take(line, entry, line_of)
        else:
            kind = entry.get("type")
            self.account.note_unknown(line, f"entry type {word(kind)!r}" if kind else "entry without a type")

    def _about(self, entry: Entry) -> None:
        """What an entry says of the session as a whole."""
        transcript = self.transcript
        session = word(entry.get("sessionId"))
        if session and (not transcript.session or transcript.agent):
            transcript.session = session
        if entry.get("kind") == "subagent" and not transcript.agent:
            transcript.agent = transcript.session or "subagent"
            self.emitter.speak_for(transcript.agent)
        directories = entry.get("directories")
        for directory in directories[:BOUND] if type(directories) is list else ():
            transcript.note_directory(word(directory))
        for key in ("startTime", "lastUpdated"):
            transcript.note_time(moment(entry.get(key)))
        if summary := title(clean(entry.get("summary"))):
            self.titles["summary"] = summary

    def _take(self, line: int, entry: Entry, line_of: LineOf) -> None:
        """Hold a message, or revise the one of the same ID."""
        id = word(entry.get("id"))
        if not id:
            self.nameless += 1
            id = f"@{self.nameless}"
        message = self.held.get(id)
        if message is not None or hash(id) in self.order:
            self.account.repeated += 1
        if message is None:
            message = self.held[id] = Message(line, entry)
        message.revise(line, entry, line_of)
        if len(self.held) > HELD:
            self._tell(oldest := next(iter(self.held)), self.held.pop(oldest))

    def _rebuild(self, line: int, messages: Any, line_of: LineOf) -> None:
        """The whole list anew, as after a compaction; what it does not hold any more happened all the same.

        Where it only ends earlier than before, with nothing new, the human went back to a checkpoint.
        """
        if type(messages) is not list:
            return
        self._tell_all()
        listed = [message for message in messages if type(message) is dict]
        ids = {hash(word(message.get("id"))) for message in listed}
        for message in listed:
            id = word(message.get("id"))
            if hash(id) not in self.order:
                self._take(line, message, line_of)
        left = next(islice(self.order, len(ids), None), None)
        if left is not None and ids and ids == set(islice(self.order, len(ids))):
            self._undo(line, left, "")
        self._tell_all()

    def _rewind(self, line: int, id: str) -> None:
        """Go back to before the message *id*; to the beginning where the log has none of that name."""
        self._tell_all()
        mark = hash(id)
        self._undo(line, mark if mark in self.order else next(iter(self.order), mark), id)

    def _undo(self, line: int, first: int, id: str) -> None:
        """Take back everything from the message *first* on, whole turns, and what of one stands behind its prompt."""
        before = self.order.get(first, 0)
        while self.order and self.order.popitem()[0] != first:
            pass
        undone, self.turns = self.turns - before, before
        self.emitter.line, self.emitter.message = line, ""
        if undone > 0:
            self.emitter.say("undo", "", actor="human", data={"turns": undone})
        if first not in self.prompts and id:
            self.emitter.say("undo", "", actor="human", data={"message": id})

    def _tell_all(self) -> None:
        for id, message in self.held.items():
            self._tell(id, message)
        self.held.clear()

    def _tell(self, id: str, message: Message) -> None:
        entry, emitter = message.entry, self.emitter
        kind = entry.get("type")
        if kind in ("user", "gemini"):
            self.order.setdefault(hash(id), self.turns)
        self.account.sidechain += emitter.aside
        emitter.line = message.line
        emitter.time = self.transcript.note_time(moment(entry.get("timestamp")))
        emitter.message = "" if id.startswith("@") else id
        if type(kind) is str and kind in self.tellers:
            self.tellers[kind](id, message)
        else:
            self.account.note_unknown(message.line, f"message type {word(kind)!r}" if kind else "message without a type")

    def _is_new(self, *key: str) -> bool:
        before = len(self.told)
        self.told.add(hash(key))
        return len(self.told) > before

    def _user(self, id: str, message: Message) -> None:
        entry = message.entry
        answers = [part["functionResponse"] for part in parts(entry) if type(part.get("functionResponse")) is dict]
        for answer in answers:
            self.tools.answer(word(answer.get("id")), answer.get("response"))
        said = words(entry.get("content"), entry.get("displayContent"))
        if not said.text or not self._is_new(id, said.text):
            return
        if said.kind == "prompt" and not self.transcript.agent:
            self.titles.setdefault("prompt", title(said.text))
            self.account.human += not said.command
            self.turns += 1
            self.prompts.add(hash(id))
            self.emitter.prompt(said.text, command=said.command)
        else:
            self.emitter.say("injected" if said.kind == "prompt" else said.kind, said.text, actor="system")

    def _gemini(self, id: str, message: Message) -> None:
        entry = message.entry
        self.account.assistant += self._is_new(id, "message")
        thoughts = entry.get("thoughts")
        for thought in thoughts if type(thoughts) is list else ():
            if type(thought) is dict:
                self._say(id, "thinking", f"{clean(thought.get('subject'))}\n{clean(thought.get('description'))}".strip())
        for part in parts(entry):
            if part.get("thought") is True:
                self._say(id, "thinking", clean(part.get("text")))
        self._say(id, "text", clean(gathered([part for part in parts(entry) if part.get("thought") is not True])))
        for call_id, called in message.calls.items():
            self._call(id, call_id, called)
        for part in () if message.calls else parts(entry):
            call = part.get("functionCall")
            if type(call) is dict and (call_id := word(call.get("id"))):
                self._call(id, call_id, Part(call, message.line, message.line))

    def _say(self, id: str, kind: str, text: str) -> None:
        if text.strip() and self._is_new(id, kind, text):
            ours = kind != "text" or text.strip() != SUMMARY_TAKEN
            self.emitter.say(kind if ours else "injected", clean(text), actor="" if ours else "system")

    def _call(self, id: str, call_id: str, part: Part) -> None:
        emitter = self.emitter
        if self._is_new(id, "call", call_id):
            emitter.line = part.line
            self.tools.call(part.entry, call_id)
        if is_answered(part.entry) and self._is_new(id, "result", call_id):
            emitter.line = part.answer
            emitter.time = self.transcript.note_time(moment(part.entry.get("timestamp"))) or emitter.time
            self.tools.result(part.entry, call_id)

    def _notice(self, id: str, message: Message) -> None:
        """The client's own notices are nobody's statement, but for the one that says that the human stopped the agent."""
        text = gathered(message.entry.get("content")).strip()
        if text == CANCELLED and self._is_new(id, text):
            self.emitter.say("interrupt", text, actor="human")

    def _conclude(self, stem: str) -> None:
        self.account.unanswered = self.tools.unanswered
        self.transcript.close(stem)
        self.transcript.title = self.titles.get("summary") or self.titles.get("prompt", "")

    def _agent_events(self, file: Path) -> Iterator[Event]:
        agent = word(file.stem)
        log = Transcript(format=NAME, agent=agent, read=lambda _: iter(()))
        try:
            with file.open("rb") as stream:
                yield from _Reading(log).events(stream, None, beside=False)
        except OSError as error:
            self.account.skip(0, f"sub-agent {agent}: {error.strerror}")
        self.account.add(log.account, agent)


def _all_on(line: int) -> LineOf:
    return lambda _: line
