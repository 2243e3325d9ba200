"""What was said and done in a session of OpenCode, message by message, and in its sub-agents' sessions."""

import re
from collections.abc import Iterator
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry
from handoffsite.sources.opencode_session import NOISE, Message, Session, Tally, table
from handoffsite.sources.opencode_tools import ROLES, Tools
from handoffsite.sources.text import clean, instant, picture, title, word

_UNTITLED = re.compile(r"(?:New|Child) session - \d{4}-")
_REMINDER = "<system-reminder>"
_ASSISTANTS = frozenset("reasoning tool step-start step-finish patch".split())

Parts = list[tuple[int, Entry]]


def describe(transcript: Transcript, session: Session) -> None:
    """What is known of *session* before its messages are read."""
    transcript.session = session.id
    transcript.parent = session.parent
    transcript.agent = session.id if session.is_agent else ""
    transcript.started = transcript.ended = session.created
    named = title(clean(session.info.get("title")))
    transcript.title = "" if _UNTITLED.match(named) else named
    transcript.note_directory(word(session.info.get("directory")))


class Talk:
    """What has to be remembered from message to message."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter, self._time)
        self.seen: set[int] = set()
        self.prompt = ""
        self.replays = False  # a summary was made in the middle of a turn: the client says the prompt again

    def events(self, session: Session, stem: str = "") -> Iterator[Event]:
        """The session's own events, then those of its sub-agents' sessions; *stem* names a session that has no ID."""
        transcript = self.transcript
        describe(transcript, session)
        transcript.session = transcript.session or stem
        transcript.agent = transcript.session if session.is_agent else ""
        tally = Tally(self.account)
        yield from self._session(session, transcript.agent, tally)
        if not self.account.sha256:  # the file has no lines of its own
            tally.close()
        waiting, seen = list(session.children()), {session.id}
        while waiting:
            child = waiting.pop(0)
            if child.id not in seen:
                seen.add(child.id)
                agent = word(child.id)
                yield from self._session(child, agent, Tally(self.account, f"sub-agent {agent}: "))
                waiting[:0] = child.children()
        self._conclude()

    def _session(self, session: Session, agent: str, tally: Tally) -> Iterator[Event]:
        emitter = self.emitter
        emitter.agent, emitter.aside = agent, agent != ""
        emitter.actor = "subagent" if agent else "agent"
        self._stand(1, {})
        self.tools.todos = []
        undone = _Undone(session.info.get("revert"))
        for message in session.messages(tally):
            if self._is_repeated(message) or not undone.begin(message):
                continue
            self.account.sidechain += emitter.aside
            self._message(message)
            undone.count(emitter.out)
            yield from emitter.drain()
        if todos := session.todos():
            self.tools.listed(todos)
        undone.tell(emitter, tally)
        yield from emitter.drain()

    def _stand(self, line: int, entry: Entry) -> None:
        """Events are now of *entry*; in a store without lines, its ID tells where they stand."""
        self.emitter.line = line
        self.emitter.part = "" if self.account.sha256 else word(entry.get("id"))

    def _is_repeated(self, message: Message) -> bool:
        id = word(message.info.get("id"))
        if not id:
            return False
        before = len(self.seen)
        self.seen.add(hash((self.emitter.agent, id)))
        if len(self.seen) > before:
            return False
        self.account.repeated += 1
        return True

    def _message(self, message: Message) -> None:
        info, parts, emitter = message.info, message.parts, self.emitter
        times = table(info.get("time"))
        self._stand(message.line, info)
        emitter.message = word(info.get("id"))
        emitter.time = self._time(times.get("created"))
        self._time(times.get("completed"))
        role = info.get("role")
        if role not in ("user", "assistant") and any(_kind(part) in _ASSISTANTS for _, part in parts):
            role = "assistant"  # its own entry is damaged, but only an agent thinks and calls tools
        if role == "assistant":
            self._assistant(info, parts)
        elif role == "user":
            self._user(parts)
        else:
            self._note_unknown(message.line, f"message of role {word(role)!r}" if role else "message without a role")

    def _user(self, parts: Parts) -> None:
        """The human's own words, then what the client added to them."""
        emitter = self.emitter
        own = [(line, part) for line, part in parts if _kind(part) == "text" and not _is_added(part)]
        text = clean(
            "\n".join(filter(None, (*(clean(part.get("text")) for _, part in own), *_attached(parts, names_files=bool(own)))))
        ).strip()
        self._note_kinds(parts)
        if own:
            self._stand(*own[0])
        if text:
            self._said(text)
        for line, part in parts:
            self._stand(line, part)
            kind = _kind(part)
            said = part.get("prompt") if kind == "subtask" else part.get("text") if kind == "text" and _is_added(part) else ""
            emitter.inject(clean(said))
            if kind == "compaction" and part.get("overflow") is True:
                self.replays = True

    def _said(self, text: str) -> None:
        if self.emitter.aside or text.startswith(_REMINDER):
            self.emitter.inject(text)
        elif self.replays and text == self.prompt:
            self.account.repeated += 1
            self.replays = False
        else:
            self.account.human += 1
            self.prompt = text
            self.transcript.title = self.transcript.title or title(text)
            self.emitter.say("prompt", text, actor="human")

    def _assistant(self, info: Entry, parts: Parts) -> None:
        emitter = self.emitter
        is_summary = info.get("summary") is True or "compaction" in (info.get("mode"), info.get("agent"))
        self.account.assistant += not is_summary
        self.transcript.note_directory(word(table(info.get("path")).get("cwd")))
        self._note_kinds(parts)
        touched = _touched(parts)
        for place, (line, part) in enumerate(parts):
            self._stand(line, part)
            kind, times = _kind(part), table(part.get("time"))
            if kind == "tool":
                self.tools.part(part, touched.get(place, ()))
            elif kind in ("text", "reasoning") and (text := clean(part.get("text")).strip()):
                emitter.time = self._time(times.get("start")) or emitter.time
                self._tell(kind, text, is_summary=is_summary, is_added=_is_added(part))
        self._failed(table(info.get("error")))

    def _tell(self, kind: str, text: str, *, is_summary: bool, is_added: bool) -> None:
        if is_summary:
            if kind == "text":
                self.emitter.say("compact", text, actor="system")
        elif is_added:
            self.emitter.inject(text)
        else:
            self.emitter.say("thinking" if kind == "reasoning" else "text", text)

    def _failed(self, error: Entry) -> None:
        """Why the message came to no end: the human stopped it, or the model could not be reached."""
        name, said = word(error.get("name")), clean(table(error.get("data")).get("message"))
        if name == "MessageAbortedError":
            self.emitter.say("interrupt", said or "aborted", actor="human")
        else:
            self.emitter.inject(clean(": ".join(filter(None, (name, said)))))

    def _time(self, value: Any) -> str:
        """*value* as a time, of which the transcript takes note."""
        return self.transcript.note_time(instant(value))

    def _note_kinds(self, parts: Parts) -> None:
        for line, part in parts:
            kind = _kind(part)
            if kind not in NOISE and kind not in ("text", "reasoning", "tool", "file", "subtask"):
                self._note_unknown(line, f"part type {word(kind)!r}" if kind else "part without a type")

    def _note_unknown(self, line: int, what: str) -> None:
        self.account.note_unknown(line, what, self.emitter.agent)

    def _conclude(self) -> None:
        self.account.unanswered = self.tools.unanswered
        self.transcript.close()


class _Undone:
    """What the human took back last: from a prompt on, or from a part of the agent's message on.

    The client deletes it with the next prompt; until then it stands in the log, and can be brought back.
    """

    def __init__(self, revert: Any) -> None:
        self._message = word(table(revert).get("messageID"))
        self._part = word(table(revert).get("partID"))
        self._begun = False
        self._turns = 0
        self._left_out = 0
        self._line = 0

    def begin(self, message: Message) -> bool:
        """Whether anything of *message* is to be told; what is taken back from the middle of a turn is not."""
        is_first = not self._begun and self._message != "" and word(message.info.get("id")) == self._message
        self._begun = self._begun or is_first
        if not self._begun or not (self._part or self._left_out or (is_first and message.info.get("role") != "user")):
            return True
        ids = [part.get("id") for _, part in message.parts]
        kept = ids.index(self._part) if is_first and self._part in ids else 0
        self._line = self._line or (message.parts[kept][0] if kept else message.line)
        self._left_out += max(1, len(ids) - kept)
        message.parts = message.parts[:kept]
        return kept > 0

    def count(self, out: list[Event]) -> None:
        """Count the prompts among the events that were taken back."""
        self._turns += self._begun * sum(event.kind == "prompt" and "refused" not in event.data for event in out)

    def tell(self, emitter: Emitter, tally: Tally) -> None:
        """Add that it was taken back."""
        if self._left_out:
            tally.account.skip(self._line, f"{self._left_out} parts from here on were taken back")
        elif self._begun:
            emitter.say("undo", "", actor="human", data={"turns": self._turns} if self._turns else {"message": self._message})


def _kind(part: Entry) -> str:
    kind = part.get("type")
    return kind if type(kind) is str else ""


def _is_added(part: Entry) -> bool:
    """Whether nobody said *part*: the client added it, or shows it to the human alone."""
    return part.get("synthetic") is True or part.get("ignored") is True


def _attached(parts: Parts, *, names_files: bool) -> list[str]:
    """A note for each picture that was handed over; for other files only where no text *names_files*."""
    notes = []
    for _, part in parts:
        if _kind(part) != "file" or _is_added(part):
            continue
        url = part.get("url")
        if word(part.get("mime")).startswith("image/"):
            notes.append(picture(url.partition(",")[2]) if type(url) is str and url.startswith("data:") else "[image]")
        elif not names_files:
            notes.append(f"[file {word(part.get('filename'))}]")
    return notes


def _touched(parts: Parts) -> dict[int, tuple[str, ...]]:
    """The files that a step changed though no edit names them, by the place of the one shell command in that step."""
    touched: dict[int, tuple[str, ...]] = {}
    shells: list[int] = []
    named: list[str] = []
    for place, (_, part) in enumerate(parts):
        kind = _kind(part)
        if kind == "step-start":
            shells, named = [], []
        elif kind == "tool":
            role = ROLES.get(word(part.get("tool")), "other")
            given = table(table(part.get("state")).get("input"))
            shells += [place] if role == "shell" else []
            named += [word(given.get("filePath")), *([clean(given.get("patchText"))] if role == "edit" else [])]
        elif kind == "patch" and len(shells) == 1 and type(files := part.get("files")) is list:
            said = "\n".join(named)
            paths = [path for file in files[:200] if (path := word(file)) and path not in said]
            touched[shells[0]] = tuple(paths)
    return touched
