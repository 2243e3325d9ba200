"""Codex's rollout logs: what was said and called, each once, though the log often says it twice."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Skipped, Transcript
from handoffsite.sources.codex_tools import Tools
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry, Readable, documents, first_objects
from handoffsite.sources.text import between, clean, gathered, moment, plain, title, word

NAME = "codex"

_FILE = re.compile(r"rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)
_MARK = re.compile(rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|compacted)"|"payload"\s*:\s*\{')
_WRAPPED = frozenset(
    "session_meta response_item event_msg turn_context compacted world_state inter_agent_communication "
    "inter_agent_communication_metadata".split()
)
_ITEMS = frozenset(
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call".split()
)

# Put in the human's place by the client.
_INJECTED = (
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<environment_context>",
    "<INSTRUCTIONS>",
    "<skill>",
    "<turn_aborted>",
)
_TAGGED = re.compile(r"<[a-z]+(?:[_ ][a-z]+)+>")
_IN_EDITOR = ("# Context from my IDE setup", "## My request for Codex:")
_PLAN = "proposed_plan"
_GO_AHEAD = "Implement the plan."  # what the client writes when the human approves the plan

RECENT = 32  # texts that the other half of the log may say again


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of Codex."""
    found = False
    for entry in first_objects(head):
        if _is_entry(entry):
            return True
        found = True
    return not found and head.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"{") and _MARK.search(head, 0, 400) is not None


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:  # noqa: ARG001 - nothing is kept beside these logs
    """The session that *stream* holds; the name of *path* tells its ID where the log's first line is lost."""
    named = _FILE.match(path.name) if path else None
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        session=named[1].lower() if named else "",
        read=lambda transcript: _Reading(transcript).events(stream, path),
    )


def _is_entry(entry: Entry) -> bool:
    kind = entry.get("type")
    if type(kind) is str and kind in _WRAPPED:
        return type(entry.get("payload")) is dict
    return _is_bare_item(entry) or _is_bare_header(entry)


def _is_bare_item(entry: Entry) -> bool:
    """Whether *entry* is an item as clients before 0.44 wrote it."""
    kind = entry.get("type")
    if type(kind) is not str or kind not in _ITEMS or "payload" in entry:
        return False
    if kind == "message":
        content = entry.get("content")
        blocks = content if type(content) is list else []
        return any(type(block) is dict and block.get("type") in ("input_text", "output_text", "input_image") for block in blocks)
    return "call_id" in entry or "summary" in entry or "encrypted_content" in entry


def _is_bare_header(entry: Entry) -> bool:
    return "type" not in entry and "id" in entry and "timestamp" in entry and ("instructions" in entry or "git" in entry)


class _Reading:
    """What has to be remembered from line to line."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter)
        self.stamp: Any = None
        self.headed = False
        self.has_events = False
        self.compacted = False
        self.waiting: Event | None = None  # a prompt of which the log may say in the next line that it is one
        self.settled = ""  # the last one that was taken for a prompt without such word
        self.prompt = ""  # the last one that an event told of, while its item has not come
        self.plan = ""
        self.echoes: dict[str, deque[int]] = {half: deque(maxlen=RECENT) for half in ("item", "event")}
        self.happened: dict[str, Callable[[Entry], None]] = {
            "user_message": self._user_message,
            "agent_message": lambda payload: self._say("event", "text", plain(payload.get("message"))),
            "agent_reasoning": lambda payload: self._say("event", "thinking", plain(payload.get("text"))),
            "patch_apply_end": self.tools.patched,
            "mcp_tool_call_end": self.tools.called,
            "turn_aborted": self._turn_aborted,
            "thread_rolled_back": self._rolled_back,
            "context_compacted": self._context_compacted,
            "item_completed": self._item_completed,
        }

    def events(self, stream: Readable, path: Path | None) -> Iterator[Event]:
        """Everything that happened, in the order of the log."""
        out = self.emitter.out
        for line, entry in documents(stream, self.transcript):
            self._entry(line, entry)
            if out:
                yield from out
                out.clear()
        self._settle()
        self.tools.leave_running()
        yield from out
        self._conclude(path.stem if path else "")

    def _entry(self, line: int, entry: Entry) -> None:
        kind, payload = entry.get("type"), entry.get("payload")
        if self.waiting is not None and not _is_prompt(kind, payload):
            self._settle()
        emitter = self.emitter
        emitter.line = line
        stamp = entry.get("timestamp")
        if stamp != self.stamp:
            self._note_time(stamp)
        if type(payload) is dict and type(kind) is str:
            if kind == "response_item":
                self._item(payload)
            elif kind == "event_msg":
                self.has_events = True
                event = payload.get("type")
                if type(event) is str and event in self.happened:
                    emitter.message = ""
                    self.happened[event](payload)
            elif kind in _WRAPPED:
                emitter.message = ""
                self._about(kind, payload)
            else:
                self.account.note_unknown(line, f"entry type {word(kind)!r}")
        else:
            self._bare(line, kind, entry)

    def _bare(self, line: int, kind: Any, entry: Entry) -> None:
        """An entry without the usual wrapper, as older clients wrote all."""
        if type(kind) is str and kind in _WRAPPED:
            self.account.skip(line, f"a {kind} entry without a payload")
        elif _is_bare_header(entry):
            self._about("session_meta", entry)
        elif type(kind) is str and kind in _ITEMS:
            self._item(entry)
        elif "record_type" not in entry:
            self.account.note_unknown(line, f"entry type {word(kind)!r}" if kind else "entry without a type")

    def _note_time(self, stamp: Any) -> None:
        self.stamp = stamp
        if time := self.transcript.note_time(moment(stamp)):
            self.emitter.time = time

    def _about(self, kind: str, payload: Entry) -> None:
        if kind == "compacted":
            self.compacted = True
            self.emitter.say("compact", clean(payload.get("message")), actor="system")
        elif kind == "turn_context":
            self.transcript.note_directory(word(payload.get("cwd")))
        elif kind == "session_meta" and not self.headed:
            self.headed = True
            self._header(payload)

    def _header(self, payload: Entry) -> None:
        """The first header counts: a fork holds those of its ancestors, too."""
        transcript = self.transcript
        id = word(payload.get("id"))
        transcript.session = transcript.session or id
        stray = id if id != transcript.session else ""  # an ancestor's: the log's own header is lost
        transcript.parent = word(payload.get("parent_thread_id")) or word(payload.get("forked_from_id")) or stray
        self.transcript.note_directory(word(payload.get("cwd")))
        transcript.note_time(moment(payload.get("timestamp")))
        git = payload.get("git")
        if type(git) is dict:
            transcript.branch = word(git.get("branch"))
        source = payload.get("source")
        if type(source) is dict and "subagent" in source:
            spawn = source["subagent"]
            spawn = spawn.get("thread_spawn") if type(spawn) is dict else spawn
            transcript.agent = transcript.session or "subagent"
            self.emitter.agent, self.emitter.actor = transcript.agent, "subagent"
            if type(spawn) is dict:
                transcript.parent = transcript.parent or word(spawn.get("parent_thread_id"))

    def _item(self, payload: Entry) -> None:
        kind = payload.get("type")
        self.emitter.message = word(payload.get("id"))
        if kind in ("function_call_output", "custom_tool_call_output"):
            self.tools.result(payload)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            self.tools.call(payload)
        elif kind == "reasoning":
            self._say("item", "thinking", plain(payload.get("summary")))
        elif kind == "web_search_call":
            self.tools.searched(payload)
        elif kind == "message" or (kind is None and "role" in payload):
            self._message(payload)

    def _message(self, payload: Entry) -> None:
        role, content = payload.get("role"), payload.get("content")
        if role == "assistant":
            self._say("item", "text", plain(content))
        elif role == "user":
            text = gathered(content).strip()
            if _is_injected(text):
                if text.startswith("<environment_context>"):
                    self.transcript.note_directory(word(between(text, "cwd")))
                self.emitter.inject(clean(text))
            elif text and clean(text) != self.prompt:
                self.waiting = self.emitter.say("prompt", clean(text), actor="human")
                self.emitter.out.pop()
            self.prompt = ""

    def _settle(self) -> None:
        """Decide on a user's message that no event names a prompt: it is one only in a log without events."""
        event, self.waiting = self.waiting, None
        if event is not None:
            self.emitter.out.append(event)
            self.settled = "" if self.has_events else event.text
            self._take(event, said=not self.has_events)

    def _user_message(self, payload: Entry) -> None:
        text = gathered(payload.get("message")).strip()
        if self.waiting is not None and self.waiting.text == clean(text):
            self.waiting = None
        else:
            self._settle()
            settled, self.settled = self.settled, ""
            if settled and settled == clean(text):
                return
            self.prompt = clean(text)
        if payload.get("kind") not in (None, "plain") or _is_injected(text):
            self.emitter.inject(clean(text))
            return
        opening, request = _IN_EDITOR
        asked = text.partition(request)[2].strip() if text.startswith(opening) else text
        images = sum(len(payload[key]) for key in ("images", "local_images") if type(payload.get(key)) is list)
        asked = "\n".join((asked, *["[image]"] * min(images, RECENT))).strip()
        if asked:
            self._take(self.emitter.say("prompt", clean(asked), actor="human"), said=True)

    def _take(self, event: Event, *, said: bool) -> None:
        """Count *event* as the human's word, if it was *said* by one: a sub-agent hears none."""
        if not said or self.transcript.agent:
            event.kind, event.actor = "injected", "system"
            return
        self.account.human += 1
        self.transcript.title = self.transcript.title or title(event.text)
        if self.plan and event.text == _GO_AHEAD:
            self.emitter.decided(self.plan, approved=True)
            self.plan = ""

    def _say(self, half: str, kind: str, text: str) -> None:
        """Add what the agent says, unless the other half of the log has said it already."""
        other = self.echoes["event" if half == "item" else "item"]
        mark = hash((kind, text))
        if mark in other:
            other.remove(mark)
            return
        if not text:
            return
        self.echoes[half].append(mark)
        self.account.assistant += kind == "text"
        self.emitter.say(kind, text)
        if kind == "text" and (plan := between(text, _PLAN)):
            self._propose(plan)

    def _propose(self, plan: str) -> None:
        if plan != self.plan:
            self.plan = plan
            self.emitter.say("plan", plan)

    def _item_completed(self, payload: Entry) -> None:
        item = payload.get("item")
        if type(item) is dict and item.get("type") == "Plan" and (plan := clean(item.get("text")).strip()):
            self._propose(plan)

    def _turn_aborted(self, payload: Entry) -> None:
        if payload.get("reason") in (None, "interrupted"):
            self.emitter.say("interrupt", "turn aborted", actor="human")

    def _rolled_back(self, payload: Entry) -> None:
        turns = payload.get("num_turns")
        self.emitter.say("undo", "", actor="human", data={"turns": turns if type(turns) is int else 1})

    def _context_compacted(self, _: Entry) -> None:
        if not self.compacted:
            self.emitter.say("compact", "", actor="system")
        self.compacted = False

    def _conclude(self, stem: str) -> None:
        is_named = bool(self.transcript.session)
        self.account.unanswered = self.tools.unanswered
        self.transcript.close(stem)
        if not self.headed:
            _note_no_header(self.account.skipped, by_name=is_named)


def _note_no_header(skipped: list[Skipped], *, by_name: bool) -> None:
    note = "no header" + ("; the session's ID is that in the file's name" if by_name else "")
    if skipped and skipped[0].line == 1:
        skipped[0] = Skipped(1, f"{note}: {skipped[0].reason}")
    else:
        skipped.insert(0, Skipped(1, note))


def _is_prompt(kind: Any, payload: Any) -> bool:
    return kind == "event_msg" and type(payload) is dict and payload.get("type") == "user_message"


def _is_injected(text: str) -> bool:
    return text.startswith(_INJECTED) or _TAGGED.match(text) is not None
