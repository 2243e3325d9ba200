"""Copilot's chats in VS Code: a session as one JSON document, as a log of its changes, or as a log of events."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import copilot_cli
from handoffsite.sources.copilot_parts import Parts
from handoffsite.sources.copilot_replay import replayed
from handoffsite.sources.copilot_shapes import uri_path
from handoffsite.sources.copilot_tools import EDITS
from handoffsite.sources.document import document
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import Entry, Readable, Rejoined, documents, first_objects
from handoffsite.sources.text import clean, gathered, instant, plain, title, word

NAME = "copilot-vscode"

HEAD = 1 << 16  # bytes that tell in which of the three forms a session is stored

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_KEYS = ("responderUsername", "requesterUsername", "initialLocation", "creationDate", "sessionId")
_CHANGES = re.compile(rb'\{\s*"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{')
_OPENING = re.compile(
    rb'\{\s*"(?:version|requesterUsername|responderUsername|initialLocation|sessionId|creationDate|customTitle|requests)"\s*:'
)
_MARK = re.compile(rb'"(responderUsername|requesterUsername|initialLocation|responderAvatarIconUri|requests)"\s*:')
_FOLDERS = re.compile(r"workspace with the following folders:\s*\n((?:[ \t]*- [^\n]{1,1000}\n?){1,64})")
_SLASH = re.compile(r"/([\w.:-]{1,80})(?:\s+|\Z)")
_DRIVE = re.compile(r"/[A-Za-z]:/")
_CANCELLED = 2  # the state of a response that the human stopped
_UNDONE = 2  # the kind of event by which the human took back the edits of a file


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of a chat with Copilot in VS Code."""
    return _form(head) != ""


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:
    """The session that *stream* holds; *path* names it, and leads to what the editor says *beside* it of the workspace."""
    stem = path.stem if path else ""
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        session=stem.lower() if _UUID.fullmatch(stem) else "",
        read=lambda transcript: _events(transcript, stream, path, beside=beside),
    )


def _form(head: bytes) -> str:
    """In which form a session is stored: events, changes, document; nothing where *head* is of none."""
    if copilot_cli.is_event_log(head):
        return "events" if copilot_cli.is_of_vscode(head) else ""
    entry = next(first_objects(head), None)
    if entry is not None:
        if _is_session(entry):
            return "document"
        value, path = entry.get("v"), entry.get("k")
        begins = entry.get("kind") == 0 and type(value) is dict and _is_session(value)
        goes_on = type(path) is list and path[:1] == ["requests"] and type(entry.get("kind")) is int
        return "changes" if begins or goes_on else ""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\0")
    marks = len(set(_MARK.findall(text)))
    if _CHANGES.match(text):
        return "changes" if marks else ""
    return "document" if marks > 1 and _OPENING.match(text) else ""


def _is_session(entry: Entry) -> bool:
    requests = entry.get("requests")
    return type(requests) is list and any(key in entry for key in _KEYS)


def _events(transcript: Transcript, stream: Readable, path: Path | None, *, beside: bool) -> Iterator[Event]:
    whole = Rejoined(stream, HEAD)
    form = _form(whole.head)
    if form == "events":
        transcript.directories = _workspace(path) if path and beside else []
        transcript.cwd = next(iter(transcript.directories), "")
        yield from copilot_cli.events(transcript, whole, path, beside=False)
        return
    if form == "changes":
        session, line_of = replayed(documents(whole, transcript), transcript.account)
    else:
        session, line_of = document(whole, transcript)
    yield from _Reading(transcript, line_of).events(session, path if beside else None)
    transcript.close(path.stem if path else "")


class _Reading:
    """Goes through a session's requests."""

    def __init__(self, transcript: Transcript, line_of: Callable[[Any], int]) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.line_of = line_of
        self.emitter = Emitter()
        self.parts = Parts(transcript.account, self.emitter, line_of)
        self.asked = ""
        self.undone = 0

    def events(self, session: Any, path: Path | None) -> Iterator[Event]:
        """Everything that happened, in the order of the requests; *path* leads to what the editor says of the workspace."""
        if type(session) is not dict:
            self.account.skip(1, "no chat session")
            return
        requests = session.get("requests")
        requests = requests if type(requests) is list else []
        self._header(session, requests, path)
        for request in requests:
            if type(request) is dict:
                self._request(request)
            else:
                self.account.skip(1, "a request that is no object")
            yield from self.emitter.drain()
        self._undo()
        yield from self.emitter.drain()
        self.transcript.title = self.transcript.title or self.asked

    def _header(self, session: Entry, requests: list[Any], path: Path | None) -> None:
        transcript = self.transcript
        transcript.session = word(session.get("sessionId")) or transcript.session
        transcript.title = title(clean(session.get("customTitle")))
        for key in ("creationDate", "lastMessageDate"):
            transcript.note_time(instant(session.get(key)))
        repository = session.get("repoData")
        if type(repository) is dict:
            transcript.note_directory(word(repository.get("workspacePath")))
            transcript.branch = word(repository.get("localBranch"))
        for folder in _workspace(path) if path else ():
            transcript.note_directory(folder)
        for request in requests if not transcript.cwd else ():
            for folder in _folders(request):
                transcript.note_directory(folder)

    def _request(self, request: Entry) -> None:
        emitter = self.emitter
        removed = request.get("shouldBeRemovedOnSend")
        stop = word(removed.get("afterUndoStop")) if type(removed) is dict else ""
        is_undone = (bool(removed) and not stop) or request.get("isHidden") is True
        if not is_undone:
            self._undo()
        emitter.line, emitter.message = self.line_of(request), word(request.get("requestId"))
        emitter.time = self.transcript.note_time(instant(request.get("timestamp")))
        emitter.aside, emitter.actor = False, "agent"
        self._edited(request.get("editedFileEvents"))
        is_turn = self._prompt(request)
        self.parts.tell(request, stop)
        state = request.get("modelState")
        state = state if type(state) is dict else {}
        self.transcript.note_time(instant(state.get("completedAt")))
        if request.get("isCanceled") is True or state.get("value") == _CANCELLED:
            emitter.say("interrupt", "the response was stopped", actor="human")
        self.undone += is_undone and is_turn

    def _undo(self) -> None:
        """Add that the human went back to before the last requests, which are told as they happened."""
        if self.undone:
            self.emitter.say("undo", "", actor="human", data={"turns": self.undone})
        self.undone = 0

    def _prompt(self, request: Entry) -> bool:
        """Add what the human asked; whether a human did."""
        message = request.get("message")
        if type(message) is dict:
            self.emitter.line = self.line_of(message)
            said = gathered(message.get("text")) or gathered(message.get("parts"))
        else:
            said = gathered(message)
        text = clean(said).strip()
        if not text:
            return False
        if any(request.get(key) for key in ("confirmation", "isSystemInitiated", "hideFromTranscript", "requestSource")):
            self.emitter.inject(text)
            return False
        command = request.get("slashCommand")
        name = word(command.get("name")) if type(command) is dict else ""
        found = _SLASH.match(text)
        if name and found and found[1] == name:
            text = text[found.end() :].strip()
            if not text:
                self.emitter.inject(f"/{name}")
                return False
        self.account.human += not name
        self.asked = self.asked or title(text)
        self.emitter.prompt(text, command=f"/{name}" if name else "")
        return True

    def _edited(self, events: Any) -> None:
        """Add which of the agent's edits the human took back since the last request."""
        paths = [
            path
            for event in (events[:EDITS] if type(events) is list else ())
            if type(event) is dict and event.get("eventKind") == _UNDONE and (path := uri_path(event.get("uri")))
        ]
        if paths:
            self.emitter.say("injected", f"The human took back the edits of {', '.join(paths)}.", actor="system")


def _folders(request: Any) -> list[str]:
    """The workspace's folders, as the client told them to the model."""
    result = request.get("result") if type(request) is dict else None
    metadata = result.get("metadata") if type(result) is dict else None
    context = metadata.get("renderedGlobalContext") if type(metadata) is dict else None
    found = _FOLDERS.search(plain(context)) if context else None
    return [line.strip().removeprefix("- ").strip() for line in found[1].splitlines()] if found else []


def _workspace(path: Path) -> list[str]:
    """The folder that the editor keeps the session for, as the file beside its chats names it."""
    kept_in = path.parent.name, path.parent.parent.name
    above = 1 if kept_in[0] == "chatSessions" else 2 if kept_in == ("transcripts", "GitHub.copilot-chat") else 0
    text = copilot_cli.beside_text(path.parents[above] / "workspace.json") if 0 < above < len(path.parents) else ""
    try:
        known = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return []
    address = word(known.get("folder")) if type(known) is dict else ""
    try:
        parts = urlsplit(address) if address.startswith("file://") else None
    except ValueError:
        return []
    folder = unquote(parts.path) if parts else ""
    return [folder[1:] if _DRIVE.match(folder) else folder] if folder else []
