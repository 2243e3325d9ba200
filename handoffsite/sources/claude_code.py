"""Claude Code's session logs: one JSON line for each message, result or notice, sub-agents in files of their own."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.claude_prompts import Words, words
from handoffsite.sources.claude_tools import Tools
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry, Readable, documents, first_objects
from handoffsite.sources.text import clean, moment, plain, title, word

NAME = "claude-code"

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_MARK = re.compile(rb'"(?:parentUuid|isSidechain|leafUuid)"\s*:')

# Entries that say nothing of the session's work; whatever is in neither list is counted as not understood.
_NOISE = frozenset(
    "progress file-history-snapshot queue-operation last-prompt agent-name agent-setting agent-color mode permission-mode tag "
    "bridge-session frame-link system result stream_event rate_limit_event worktree-state content-replacement task-summary".split()
)
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_KNOWN = _NOISE | {"user", "assistant", "attachment", "pr-link", *_TITLES}
_KEYS = ("sessionId", "parentUuid", "leafUuid", "session_id")

_AGENT = "agent-"

# Logs of the client's own errands: they repeat the talk that they condense.
_ERRANDS = ("agent-acompact-", "agent-aprompt_suggestion-", "agent-aside_question-")
_HEAD = 1 << 12  # bytes in which an entry names its session
BOUND = 64  # of what is remembered to tell the like from the like: recent messages, session IDs


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of Claude Code."""
    found = False
    for entry in first_objects(head):
        if _is_entry(entry):
            return True
        found = True
    return not found and head.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"{") and _MARK.search(head, 0, 4096) is not None


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:
    """The session that *stream* holds; *path* tells its ID, and where its sub-agents' files are if those are wanted, too."""
    stem = path.stem if path else ""
    agent = word(stem.removeprefix(_AGENT)) if stem.startswith(_AGENT) else ""
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        session=stem if agent or _UUID.fullmatch(stem) else "",
        agent=agent,
        read=lambda transcript: _Reading(transcript).events(stream, path, beside=beside),
    )


def _is_entry(entry: Entry) -> bool:
    kind, message = entry.get("type"), entry.get("message")
    if type(kind) is not str or kind not in _KNOWN:
        return False
    if kind in ("user", "assistant") and isinstance(message, dict):
        return "parts" not in message and ("content" in message or "role" in message)
    return any(key in entry for key in _KEYS) or (kind == "file-history-snapshot" and "snapshot" in entry)


class _Reading:
    """What has to be remembered from line to line."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.emitter.agent = transcript.agent
        self.tools = Tools(transcript.account, self.emitter)
        self.seen: set[int] = set()  # of UUIDs only the hash: a log may have millions
        self.messages: dict[str, None] = {}
        self.sessions: dict[str, None] = {}
        self.titles: dict[str, str] = {}
        self.summaries: list[tuple[str, str]] = []
        self.origin: Any = None
        self.time = ""

    def events(self, stream: Readable, path: Path | None, *, beside: bool) -> Iterator[Event]:
        """The session's own events, then those of its sub-agents' files."""
        yield from self._all(documents(stream, self.transcript))
        self.account.close()
        if beside and path is not None and not self.transcript.agent:
            for file in self._agent_files(path):
                yield from self._agent_events(file)
        self.account.unanswered = self.tools.unanswered
        self._conclude(path.stem if path else "")

    def _all(self, entries: Iterable[tuple[int, Entry]]) -> Iterator[Event]:
        out = self.emitter.out
        for line, entry in entries:
            kind = entry.get("type")
            if kind == "user" or kind == "assistant":  # noqa: PLR1714 - a set would choke on a hostile type
                self._message(line, kind, entry)
            else:
                self._notice(line, kind, entry)
            if out:
                yield from out
                out.clear()

    def _message(self, line: int, kind: str, entry: Entry) -> None:
        message = entry.get("message")
        aside = bool(entry.get("isSidechain"))
        self.account.sidechain += aside
        if type(message) is not dict:
            self.account.skip(line, f"a {kind} entry without a message")
            return
        uuid = entry.get("uuid")
        if type(uuid) is str and self._is_repeated(uuid):
            return
        content = message.get("content")
        if content is None:
            self.account.skip(line, f"a {kind} entry without content")
            return
        emitter = self._enter(line, entry, aside=aside)
        if kind == "assistant":
            self._assistant(emitter, entry, message, content)
        else:
            emitter.message = word(uuid)
            self._user(emitter, entry, content)

    def _is_repeated(self, uuid: str) -> bool:
        before = len(self.seen)
        self.seen.add(hash(uuid))
        if len(self.seen) > before:
            return False
        self.account.repeated += 1
        return True

    def _enter(self, line: int, entry: Entry, *, aside: bool) -> Emitter:
        """Where the entry stands; the transcript learns what it says of the session."""
        emitter = self.emitter
        origin = (entry.get("sessionId"), entry.get("cwd"), entry.get("gitBranch"))
        if origin != self.origin:
            self._note_origin(origin, entry)
        emitter.line = line
        emitter.time = time = moment(entry.get("timestamp"))
        if time != self.time:  # what is said at once has one time
            self.time = self.transcript.note_time(time)
        emitter.aside = aside or emitter.agent != ""
        emitter.actor = "subagent" if emitter.aside else "agent"
        return emitter

    def _note_origin(self, origin: tuple[Any, Any, Any], entry: Entry) -> None:
        self.origin = origin
        transcript = self.transcript
        session = word(entry.get("sessionId")) or word(entry.get("session_id"))
        if session and session not in self.sessions and len(self.sessions) < BOUND:
            self._note_session(session, entry)
        branch = word(entry.get("gitBranch"))
        if branch and (transcript.agent or not self.emitter.agent):
            transcript.branch = branch  # a sub-agent may work on another one
        transcript.note_directory(word(entry.get("cwd")))

    def _note_session(self, session: str, entry: Entry) -> None:
        transcript = self.transcript
        if not self.sessions and not transcript.session and entry.get("isSidechain") and (agent := word(entry.get("agentId"))):
            transcript.agent = self.emitter.agent = agent
            transcript.session = f"{_AGENT}{agent}"
        if transcript.agent and not transcript.parent:
            transcript.parent = session
        self.sessions[session] = None
        forked = entry.get("forkedFrom")
        if type(forked) is dict and not transcript.parent:
            transcript.parent = word(forked.get("sessionId"))
        transcript.session = transcript.session or session

    def _assistant(self, emitter: Emitter, entry: Entry, message: Entry, content: Any) -> None:
        id = word(message.get("id") or entry.get("uuid"))
        if not id or id not in self.messages:
            self.account.assistant += 1
            self.messages[id] = None
            if len(self.messages) > BOUND:
                del self.messages[next(iter(self.messages))]
        emitter.message = id
        if entry.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            emitter.inject(plain(content))
            return
        for block in content if type(content) is list else [content]:
            kind = block.get("type") if type(block) is dict else "text"
            if kind == "tool_use":
                self.tools.call(block)
            elif kind == "thinking":
                self._tell("thinking", clean(block.get("thinking")))
            elif kind == "text":
                self._tell("text", plain(block))
            elif kind != "redacted_thinking":
                self.account.note_unknown(emitter.line, f"content block {word(kind)!r}")

    def _tell(self, kind: str, text: str, *, actor: str = "") -> None:
        if text:
            self.emitter.say(kind, text, actor=actor)

    def _user(self, emitter: Emitter, entry: Entry, content: Any) -> None:
        results = []
        if type(content) is list:
            results = [block for block in content if type(block) is dict and block.get("type") == "tool_result"]
        # The twin tells of one result; which one, where there are several, nothing says.
        twin = entry.get("toolUseResult") if len(results) == 1 else None
        for block in results:
            self.tools.result(block, twin)
        if results and len(content) == len(results):
            return
        if entry.get("isCompactSummary"):
            emitter.say("compact", plain(content), actor="system")
            return
        said = words(content, is_plan=bool(entry.get("planContent")))
        hidden = results or emitter.aside or entry.get("isMeta") or entry.get("isVisibleInTranscriptOnly") or _is_foreign(entry)
        if hidden and said.kind not in ("interrupt", "notification"):
            emitter.inject(said.text)
        else:
            self._said(said)

    def _said(self, said: Words) -> None:
        """What stands where the human speaks."""
        if said.kind == "notification":
            self.tools.notify(said.text)
        elif said.kind == "plan":
            self.account.human += 1
            self.titles.setdefault("prompt", title(said.text))
            self.emitter.brought(said.text)
        elif said.kind == "prompt":
            self.account.human += not said.command
            self.titles.setdefault("prompt", title(said.text))
            self.emitter.prompt(said.text, command=said.command)
        else:
            self._tell(said.kind, said.text, actor="system" if said.kind in ("compact", "injected") else "human")

    def _notice(self, line: int, kind: Any, entry: Entry) -> None:
        aside = bool(entry.get("isSidechain"))
        self.account.sidechain += aside
        if kind == "attachment":
            attachment = entry.get("attachment")
            if type(attachment) is dict and attachment.get("type") == "queued_command":
                self._queued(line, entry, attachment)
        elif kind == "pr-link":
            self._enter(line, entry, aside=aside).message = ""
            self._tell("link", word(entry.get("prUrl")), actor="tool")
        elif type(kind) is str and kind in _TITLES:
            if kind == "summary":
                if len(self.summaries) < BOUND:
                    self.summaries.append((word(entry.get("leafUuid")), title(clean(entry.get("summary")))))
            else:
                self.titles[kind] = title(clean(entry.get(_TITLES[kind])))
        elif type(kind) is str and kind in _NOISE:
            if kind == "system":
                self._enter(line, entry, aside=aside)
                if type(uuid := entry.get("uuid")) is str:
                    self.seen.add(hash(uuid))  # a summary may be of this leaf
        else:
            self.account.note_unknown(line, f"entry type {word(kind)!r}" if kind else "entry without a type")

    def _queued(self, line: int, entry: Entry, attachment: Entry) -> None:
        """What was typed while the agent was at work, and reached it in the middle of that."""
        uuid = entry.get("uuid")
        if type(uuid) is str and self._is_repeated(uuid):
            return
        emitter = self._enter(line, entry, aside=bool(entry.get("isSidechain")))
        emitter.message = word(uuid)
        said = words(attachment.get("prompt"))
        if emitter.aside or (_is_foreign(attachment) and said.kind != "notification"):
            emitter.inject(said.text)
        elif attachment.get("commandMode") in (None, "prompt", "task-notification"):
            self._said(said)

    def _agent_files(self, path: Path) -> list[Path]:
        """The files of this session's sub-agents: in a folder of its own, or, from older clients, beside it."""
        own = path.with_suffix("") / "subagents"
        files = sorted(own.rglob("agent-*.jsonl"))
        session = self.transcript.session.encode(errors="replace")
        files += (file for file in sorted(path.parent.glob("agent-*.jsonl")) if session and _mentions(file, session))
        return [file for file in files if not file.name.startswith(_ERRANDS) and not file.is_symlink()]

    def _agent_events(self, file: Path) -> Iterator[Event]:
        self.emitter.agent = agent = word(file.stem.removeprefix("agent-"))
        log = Transcript(format=NAME, read=lambda _: iter(()))
        try:
            with file.open("rb") as stream:
                yield from self._all(documents(stream, log))
        except OSError as error:
            self.account.skip(0, f"sub-agent {agent}: {error.strerror}")
        self.account.close()
        self.account.add(log.account, agent)

    def _conclude(self, stem: str) -> None:
        transcript = self.transcript
        first = next(iter(self.sessions), "")
        transcript.close(stem)
        if first != transcript.session and not transcript.parent:
            transcript.parent = first
        own = next((text for leaf, text in reversed(self.summaries) if hash(leaf) in self.seen), "")
        titles = self.titles
        transcript.title = titles.get("custom-title") or titles.get("ai-title") or own or titles.get("prompt", "")


def _is_foreign(entry: Entry) -> bool:
    """Whether *entry* says that its words are another program's: another session's, a channel's, a task's."""
    origin = entry.get("origin")
    return type(origin) is dict and origin.get("kind", "human") != "human"


def _mentions(file: Path, session: bytes) -> bool:
    try:
        with file.open("rb") as stream:
            return b'"sessionId":"' + session + b'"' in stream.read(_HEAD).replace(b'": "', b'":"')
    except OSError:
        return False
