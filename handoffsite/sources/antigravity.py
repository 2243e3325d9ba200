"""Antigravity's logs, of its command line and of its editor: one JSON line for each step of a conversation."""

import re
from collections.abc import Iterator
from pathlib import Path

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.antigravity_artifacts import APPROVED, Artifacts
from handoffsite.sources.antigravity_folder import Folder, conversation
from handoffsite.sources.antigravity_tools import RESULTS, Tools
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry, Readable, documents, first_objects
from handoffsite.sources.text import clean, gathered, moment, title, word

NAME = "antigravity"

_SOURCES = frozenset(("USER_EXPLICIT", "USER_IMPLICIT", "SYSTEM", "MODEL"))
_MARK = re.compile(rb'\{\s*"step_index"\s*:\s*\d+\s*,\s*"source"\s*:')
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_KIND = re.compile(r"[A-Z][A-Z0-9_]{1,60}")

_OPENING, _CLOSING = "<USER_REQUEST>", "</USER_REQUEST>"
_ADDED = re.compile(
    r"<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE|EPHEMERAL_MESSAGE|SYSTEM_MESSAGE|USER_RULES)>.*?(?:</\1>|\Z)", re.DOTALL
)
_COMMAND = re.compile(r"(/[a-zA-Z][\w:-]{0,80})(?:[ \t]+(\S.*))?", re.DOTALL)
_REMARK = "Comments on artifact URI:"  # what the human wrote beside a plan's lines
_NOT_HUMAN = frozenset(("SYSTEM", "MODEL", "USER_IMPLICIT"))
_NOISE = frozenset(("CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE", "KNOWLEDGE_ARTIFACTS", "USER_SETTINGS_CHANGE"))
_LOGS = ("transcript", "transcript_full")

SUB_AGENTS = 256


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of Antigravity."""
    found = False
    for entry in first_objects(head):
        if _is_step(entry):
            return True
        found = True
    return not found and _MARK.match(head.lstrip(b"\xef\xbb\xbf \t\r\n\0")) is not None


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:
    """The conversation that *stream* holds; *path* leads to the folder that names it, and to what tells its workspace.

    That is looked up whatever *beside* says, for the log itself does not tell where the agent worked; sub-agents only with it.
    """
    path = path.absolute() if path else None
    named = conversation(path) if path else ""
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        session=named or (path.stem if path and _UUID.fullmatch(path.stem) else ""),
        read=lambda transcript: _Reading(transcript, path).events(stream, beside=beside),
    )


def _is_step(entry: Entry) -> bool:
    source, kind = entry.get("source"), entry.get("type")
    if type(source) is not str or type(kind) is not str or not _KIND.fullmatch(kind):
        return False
    return type(entry.get("step_index")) is int or (source in _SOURCES and "created_at" in entry)


class _Reading:
    """What has to be remembered from step to step."""

    def __init__(self, transcript: Transcript, path: Path | None) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.artifacts = Artifacts()
        self.tools = Tools(transcript.account, self.emitter, self.artifacts)
        self.path = path
        self.folder = Folder(path) if path else None
        self.seen: set[int] = set()
        self.located = False

    def events(self, stream: Readable, *, beside: bool) -> Iterator[Event]:
        """The conversation's own events, then those of its sub-agents."""
        for line, entry in documents(stream, self.transcript):
            self._step(line, entry)
            yield from self.emitter.drain()
        self.tools.settle()
        yield from self.emitter.drain()
        self._conclude()
        if beside and self.folder is not None:
            yield from self._agents(self.folder)

    def _step(self, line: int, entry: Entry) -> None:
        kind, index = word(entry.get("type")), entry.get("step_index")
        index = index if type(index) is int else -1
        if self._is_repeated(entry, kind, index):
            self.account.repeated += 1
            return
        emitter = self.emitter
        emitter.line, emitter.message = line, str(index) if index >= 0 else ""
        emitter.time = self.transcript.note_time(moment(entry.get("created_at")))
        self.account.sidechain += emitter.aside
        if kind == "USER_INPUT":
            self._user(entry)
        elif kind == "PLANNER_RESPONSE":
            self._planner(entry, index)
        elif kind == "CHECKPOINT":
            emitter.say("compact", clean(entry.get("content")), actor="system")
        elif kind == "SYSTEM_MESSAGE":
            text = clean(entry.get("content"))
            if not self.tools.notify(text):
                emitter.inject(text)
        elif _KIND.fullmatch(kind) and "source" in entry:
            if kind not in _NOISE:
                self._other(kind, entry, index)
        else:
            self.account.note_unknown(line, f"entry type {kind!r}" if kind else "entry without a type")

    def _other(self, kind: str, entry: Entry, index: int) -> None:
        """What a tool gave back, for each kind of tool has a step of its own; unless it is one of the client's own notices."""
        if entry.get("source") == "SYSTEM" and kind not in RESULTS:
            self.emitter.inject(clean(entry.get("content")))
        else:
            self.tools.result(kind, entry, index)

    def _is_repeated(self, entry: Entry, kind: str, index: int) -> bool:
        if index < 0:
            return False
        calls = entry.get("tool_calls")
        called = tuple(word(call.get("name")) for call in calls if type(call) is dict) if type(calls) is list else ()
        said = (gathered(entry.get("content")), gathered(entry.get("thinking")), called)
        mark = hash((index, kind, word(entry.get("status")), word(entry.get("created_at")), said))
        before = len(self.seen)
        self.seen.add(mark)
        return len(self.seen) == before

    def _user(self, entry: Entry) -> None:
        self.tools.settle()
        content = gathered(entry.get("content"))
        is_approval = self.artifacts.approved(content, self.emitter)
        text = "" if is_approval and _OPENING not in content else _request(content)
        if not text:
            return
        if word(entry.get("source")) in _NOT_HUMAN or self.transcript.agent:
            self.emitter.inject(clean(text))
            return
        self._locate(text)
        command = _COMMAND.fullmatch(text)
        if command and not command[2]:
            self.emitter.inject(clean(text))
            return
        said = clean(command[2] if command else text)
        self.transcript.title = self.transcript.title or title(said)
        self.account.human += command is None
        self.emitter.prompt(said, command=command[1] if command else "")

    def _planner(self, entry: Entry, index: int) -> None:
        self.tools.settle(index)
        self.account.assistant += 1
        for kind, text in (("thinking", clean(entry.get("thinking"))), ("text", clean(gathered(entry.get("content"))))):
            if text.strip():
                self.emitter.say(kind, text)
        calls = entry.get("tool_calls")
        for place, call in enumerate(calls if type(calls) is list else ()):
            if type(call) is dict:
                self.tools.call(call, index, place)
            else:
                self.account.skip(self.emitter.line, "a tool call that is no object")

    def _locate(self, prompt: str) -> None:
        """Learn the workspace as soon as the first prompt is known, by which the history may be searched."""
        if self.located or self.folder is None:
            return
        self.located = True
        self.transcript.note_directory(self.folder.workspace(prompt, self.emitter.time))

    def _conclude(self) -> None:
        if not self.transcript.agent:
            self._locate("")
        self.account.unanswered = self.tools.unanswered
        self.transcript.close(self.path.stem if self.path and self.path.stem not in _LOGS else "")

    def _agents(self, folder: Folder) -> Iterator[Event]:
        """The events of the conversations that this one began, and those that they began."""
        ahead = list(self.tools.spawned)
        seen = {self.transcript.session}
        while ahead and len(seen) <= SUB_AGENTS:
            agent = ahead.pop(0)
            file = folder.agent_log(agent) if agent not in seen else None
            seen.add(agent)
            if file is None:
                continue
            log = Transcript(format=NAME, agent=agent, read=lambda _: iter(()))
            reading = _Reading(log, None)
            reading.emitter.speak_for(agent)
            try:
                with file.open("rb") as stream:
                    yield from reading.events(stream, beside=False)
            except OSError as error:
                self.account.skip(0, f"sub-agent {agent}: {error.strerror}")
            self.account.add(log.account, agent)
            ahead += reading.tools.spawned


def _request(content: str) -> str:
    """What the human typed: what stands between the tags, or everything but what the client put beside it."""
    start, end = content.find(_OPENING), content.rfind(_CLOSING)
    if start >= 0:
        remark = content[:start] if content.startswith(_REMARK) and APPROVED not in content[:start] else ""
        content = remark + content[start + len(_OPENING) : end if end > start else len(content)]
    if "<" in content:
        content = _ADDED.sub("", content)
    return content.replace(_OPENING, "").replace(_CLOSING, "").strip()
