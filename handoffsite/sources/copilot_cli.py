"""Copilot CLI's event logs: one JSON line for each thing that happened, and what the client knows of the session beside them."""

import os
import re
import stat
from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from handoffsite.errors import HandoffError
from handoffsite.records.grammar import yaml
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.copilot_results import Tools
from handoffsite.sources.copilot_tools import EDITS
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry, Readable, documents, first_objects
from handoffsite.sources.text import clean, gathered, instant, plain, title, word

NAME = "copilot-cli"

BOUND = 64  # recent messages that are remembered to tell the like from the like

_EVENTS = "events.jsonl"
_WORKSPACE = "workspace.yaml"
_LONGEST_WORKSPACE = 1 << 16
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_PLAN_MODE = "[[PLAN]]"

# Entries that say nothing of the session's work; whatever is in neither list is counted as not understood.
_SESSION = frozenset(
    "remote_steerable_changed error idle schedule_created schedule_cancelled schedule_rearmed autopilot_objective_changed info "
    "warning model_change mode_changed mode_notice_delivered session_limits_changed limits_changed permissions_changed plan_changed "
    "todos_changed workspace_file_changed truncation shutdown usage_checkpoint usage_info context_cleared compaction_start "
    "fusion_route_started fusion_route_failed fusion_resolved fusion_completed limits_exhausted_requested "
    "limits_exhausted_completed auto_mode_resolved managed_settings_resolved managed_settings_enforced tools_updated "
    "background_tasks_changed skills_loaded custom_agents_updated mcp_servers_loaded mcp_server_status_changed "
    "mcp_tools_list_changed mcp_resources_list_changed mcp_prompts_list_changed extensions_loaded binary_asset "
    "custom_notification end import_legacy".split()
)
_NOISE = frozenset(
    "assistant.turn_start assistant.turn_end assistant.intent assistant.idle assistant.usage assistant.message_start "
    "assistant.message_delta assistant.reasoning_delta assistant.streaming_delta assistant.tool_call_delta "
    "assistant.server_tool_progress assistant.fusion_phase_started assistant.fusion_phase_completed "
    "assistant.fusion_phase_failed hook.start hook.end hook.progress system.message model.call_failure model.call_finished "
    "tool.user_requested tool.execution_partial_result tool.execution_progress tool_search.activated subagent.started "
    "subagent.configured subagent.selected subagent.deselected pending_messages.modified user_input.requested "
    "user_input.completed elicitation.requested elicitation.completed sampling.requested sampling.completed "
    "mcp.oauth_required mcp.oauth_completed mcp.headers_refresh_required mcp.headers_refresh_completed "
    "external_tool.requested external_tool.completed command.queued command.execute command.completed commands.changed "
    "capabilities.changed auto_mode_switch.requested auto_mode_switch.completed exit_plan_mode.requested "
    "exit_plan_mode.completed session_limits_exhausted.requested session_limits_exhausted.completed ui.ephemeral_query".split()
)
_TOLD = frozenset(
    "session.start session.resume session.context_changed session.title_changed session.handoff session.compaction_complete "
    "session.task_complete session.snapshot_rewind user.message assistant.message assistant.reasoning tool.execution_start "
    "tool.execution_complete permission.requested permission.completed subagent.completed subagent.failed skill.invoked "
    "system.notification abort".split()
)
_MARK = re.compile(
    rb'\{(?:"(?:id|timestamp|parentId)"\s*:\s*(?:"[^"]{0,80}"|null)\s*,\s*)*"type"\s*:\s*"(?:session\.start|user\.message|'
    rb'assistant\.message|tool\.execution_(?:start|complete)|hook\.start|system\.message)"\s*,\s*"data"\s*:\s*\{'
)


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of Copilot CLI; the like that VS Code writes is not."""
    return is_event_log(head) and not is_of_vscode(head)


def is_event_log(head: bytes) -> bool:
    """Whether *head* is of a log of Copilot's events."""
    found = False
    for entry in first_objects(head):
        if _is_known(entry.get("type")) and type(entry.get("data")) is dict and ("timestamp" in entry or "parentId" in entry):
            return True
        found = True
    return not found and _MARK.match(head.lstrip(b"\xef\xbb\xbf \t\r\n\0")) is not None


def is_of_vscode(head: bytes) -> bool:
    """Whether the event log that begins with *head* says that the editor wrote it."""
    for entry in first_objects(head):
        if entry.get("type") == "session.start":
            data = entry.get("data")
            return type(data) is dict and "vscodeVersion" in data
    return False


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:
    """The session that *stream* holds; *path* names it, and leads to the workspace file *beside* it."""
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        session=_named(path) if path else "",
        read=lambda transcript: events(transcript, stream, path, beside=beside),
    )


def events(transcript: Transcript, stream: Readable, path: Path | None, *, beside: bool) -> Iterator[Event]:
    """What the event log in *stream* tells, be it of this client or of VS Code; *transcript* learns whose it is."""
    return _Reading(transcript).events(stream, path, beside=beside)


def _is_known(kind: Any) -> bool:
    if type(kind) is not str:
        return False
    return kind in _TOLD or kind in _NOISE or (kind.startswith("session.") and kind[8:] in _SESSION)


def _named(path: Path) -> str:
    """The session's ID as the log's place tells it."""
    found = _UUID.fullmatch(path.parent.name if path.name == _EVENTS else path.stem)
    return found[0].lower() if found else ""


class _Reading:
    """What has to be remembered from line to line."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter)
        self.headed = False
        self.title = ""
        self.asked = ""
        self.seen: dict[int, int] = {}  # the number of each entry by the hash of its ID: a log may have millions
        self.number = 0
        self.prompts: list[int] = []  # the numbers of the entries in which the human spoke, as far as they hold
        self.messages: dict[str, int] = {}
        self.said: dict[int, None] = {}
        self.happened: dict[str, Callable[[Entry], None]] = {
            "session.start": self._start,
            "session.resume": lambda data: self._note_context(data.get("context")),
            "session.context_changed": self._note_context,
            "session.title_changed": self._title,
            "session.handoff": self._handed_over,
            "session.compaction_complete": self._compacted,
            "session.task_complete": self._task_complete,
            "session.snapshot_rewind": self._rewound,
            "user.message": self._user,
            "assistant.message": self._assistant,
            "assistant.reasoning": lambda data: self._say("thinking", plain(data.get("content"))),
            "tool.execution_start": self._execution,
            "tool.execution_complete": self.tools.result,
            "permission.requested": self.tools.permission,
            "permission.completed": self.tools.permission,
            "subagent.completed": lambda data: self.tools.agent_ended(data, ok=True),
            "subagent.failed": lambda data: self.tools.agent_ended(data, ok=False),
            "skill.invoked": lambda data: self.emitter.inject(plain(data.get("content"))),
            "system.notification": self._notification,
            "abort": self._abort,
        }

    def events(self, stream: Readable, path: Path | None, *, beside: bool) -> Iterator[Event]:
        """Everything that happened, in the order of the log."""
        for line, entry in documents(stream, self.transcript):
            self._entry(line, entry)
            out = self.emitter.drain()
            if any(event.kind == "prompt" for event in out):
                self.prompts.append(self.number)
            yield from out
        self.tools.settle()
        yield from self.emitter.drain()
        self._conclude(path, beside=beside)

    def _entry(self, line: int, entry: Entry) -> None:
        kind, data, id = entry.get("type"), entry.get("data"), entry.get("id")
        self.number += 1
        if type(id) is str and id and self.seen.setdefault(hash(id), self.number) != self.number:
            self.account.repeated += 1
            return
        if not _is_known(kind):
            self.account.note_unknown(line, f"entry type {word(kind)!r}" if kind else "entry without a type")
            return
        if type(data) is not dict:
            self.account.skip(line, f"a {kind} entry without data")
            return
        emitter = self.emitter
        emitter.line = line
        emitter.message = word(id)
        if time := self.transcript.note_time(instant(entry.get("timestamp"))):
            emitter.time = time
        emitter.aside = bool(entry.get("agentId") or data.get("parentToolCallId"))
        emitter.actor = "subagent" if emitter.aside else "agent"
        self.account.sidechain += emitter.aside
        if happened := self.happened.get(word(kind)):
            happened(data)

    def _start(self, data: Entry) -> None:
        transcript = self.transcript
        if not self.headed:
            self.headed = True
            transcript.session = word(data.get("sessionId")) or transcript.session
            transcript.parent = word(data.get("detachedFromSpawningParentSessionId")) or word(data.get("parentSessionId"))
        transcript.note_time(instant(data.get("startTime")))
        self._note_context(data.get("context"))

    def _note_context(self, context: Any) -> None:
        if type(context) is not dict:
            return
        transcript = self.transcript
        transcript.branch = word(context.get("branch")) or transcript.branch
        transcript.note_directory(word(context.get("cwd")))

    def _title(self, data: Entry) -> None:
        self.title = title(clean(data.get("title"))) or self.title

    def _handed_over(self, data: Entry) -> None:
        self.transcript.parent = self.transcript.parent or word(data.get("remoteSessionId"))
        if said := "\n\n".join(text for key in ("summary", "context") if (text := plain(data.get(key)))):
            self.emitter.say("compact", said, actor="system")

    def _compacted(self, data: Entry) -> None:
        if data.get("success") is not False:
            self.emitter.say("compact", plain(data.get("summaryContent")), actor="system")

    def _task_complete(self, data: Entry) -> None:
        """The agent's last word; where the client did not accept that the task is done, nothing was said to the human."""
        text = plain(data.get("summary"))
        if (
            data.get("success") is not False
            and data.get("outcome") in (None, "completed")
            and hash(("text", text)) not in self.said
        ):
            self._say("text", text)

    def _rewound(self, data: Entry) -> None:
        """The entry that is named was removed, and all after it: with them the turns that they began."""
        removed = data.get("eventsRemoved")
        first = self.seen.get(hash(data.get("upToEventId"))) if type(data.get("upToEventId")) is str else None
        if first is None and type(removed) is int and 0 <= removed < self.number:
            first = self.number - removed
        if first is None:
            self.account.skip(self.emitter.line, "a rewind to an entry that the log does not hold")
            return
        kept = bisect_left(self.prompts, first)
        turns = len(self.prompts) - kept
        del self.prompts[kept:]
        if turns:
            self.emitter.say("undo", "", actor="human", data={"turns": turns})

    def _user(self, data: Entry) -> None:
        text = clean(gathered(data.get("content")).strip().removeprefix(_PLAN_MODE).strip())
        images = min(_images(data.get("attachments")), EDITS)
        text = "\n".join((text, *["[image]"] * images)).strip()
        is_human = data.get("source") in (None, "", "user") and not data.get("isAutopilotContinuation")
        if self.emitter.aside or not is_human or data.get("crossSession"):
            self.emitter.inject(text)
        elif text:
            self.tools.settle()
            self.account.human += 1
            self.asked = self.asked or title(text)
            self.emitter.say("prompt", text, actor="human")

    def _assistant(self, data: Entry) -> None:
        emitter = self.emitter
        id = word(data.get("messageId")) or emitter.message
        text = plain(data.get("content"))
        mark = hash(text)
        is_new = not id or id not in self.messages
        self.account.assistant += is_new
        emitter.message = id
        if is_new or self.messages[id] != mark:
            self.messages[id] = mark
            if len(self.messages) > BOUND:
                del self.messages[next(iter(self.messages))]
            self._say("thinking", plain(data.get("reasoningText")))
            self._say("text", text)
        requests = data.get("toolRequests")
        for request in requests if type(requests) is list else ():
            if type(request) is dict:
                self.tools.call(word(request.get("toolCallId")), word(request.get("name")), request.get("arguments"))

    def _say(self, kind: str, text: str) -> None:
        """Add what the agent says, unless it has just said it in an entry of another type."""
        if not text.strip():
            return
        mark = hash((kind, text))
        if mark in self.said and kind == "thinking":
            return
        self.said[mark] = None
        if len(self.said) > BOUND:
            del self.said[next(iter(self.said))]
        self.emitter.say(kind, text)

    def _execution(self, data: Entry) -> None:
        self.tools.call(word(data.get("toolCallId")), word(data.get("toolName")), data.get("arguments"))

    def _notification(self, data: Entry) -> None:
        kind = data.get("kind")
        self.tools.notify(kind if type(kind) is dict else {}, plain(data.get("content")))

    def _abort(self, data: Entry) -> None:
        reason = word(data.get("reason"))
        if not self.emitter.aside and (not reason or reason.startswith(("user", "remote"))):
            self.emitter.say("interrupt", reason.replace("_", " ") or "aborted", actor="human")

    def _conclude(self, path: Path | None, *, beside: bool) -> None:
        transcript = self.transcript
        self.account.unanswered = self.tools.unanswered
        known = _workspace(path, transcript) if beside and path is not None and path.name == _EVENTS else {}
        branch = transcript.branch or word(known.get("branch"))
        if not transcript.cwd:
            self._note_context(known)
        transcript.branch = branch
        transcript.title = title(clean(known.get("name"))) or title(clean(known.get("summary"))) or self.title or self.asked
        transcript.close(word(known.get("id")) or (path.stem if path else ""))


def _images(attachments: Any) -> int:
    """How many pictures are among the *attachments*."""
    given = attachments if type(attachments) is list else []
    return sum(type(one) is dict and word(one.get("mimeType")).startswith("image/") for one in given)


def _workspace(path: Path, transcript: Transcript) -> dict[str, Any]:
    """What the file beside the log says of the session; nothing where it is none, or none of this session."""
    text = beside_text(path.with_name(_WORKSPACE))
    try:
        known = dict(yaml(text, _WORKSPACE)) if text else {}
    except HandoffError as error:
        transcript.account.skip(0, f"{_WORKSPACE} was not used: {error}")
        return {}
    id = word(known.get("id"))
    return known if not id or not transcript.session or id == transcript.session else {}


def beside_text(file: Path) -> str:
    """The text of *file*, if it is a file: a link is not followed, and nothing waits for a pipe."""
    try:
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    try:
        is_file = stat.S_ISREG(os.fstat(handle).st_mode)
        return os.read(handle, _LONGEST_WORKSPACE).decode(errors="replace") if is_file else ""
    except OSError:
        return ""
    finally:
        os.close(handle)
