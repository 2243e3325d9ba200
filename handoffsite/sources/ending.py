"""How far a log has come: when it was written last, whether it says that it ended, and its digest."""

import hashlib
import io
from datetime import datetime
from pathlib import Path

from handoffsite.errors import HandoffError
from handoffsite.records.transcript import Transcript
from handoffsite.sources import aider_parts, open_transcript, opencode_store, reader_of
from handoffsite.sources.compressed import opened
from handoffsite.sources.lines import CHUNK, first_objects
from handoffsite.sources.opencode_session import milliseconds, table

_TAILS = (1 << 16, 1 << 20)  # bytes at the end of a log, tried one after the other: some lines are long
_SMALL = 4 << 20  # bytes of a log that is read as a whole where its end does not stand alone
_BESIDE = frozenset(("copilot-vscode", "copilot-cli", "cline"))  # of these, files beside a log may name its directory

# Of these every entry says when it was written; the others' last time may be that of the last prompt.
_TIMED = frozenset("claude-code codex gemini-cli antigravity copilot-cli copilot-vscode droid pi amp windsurf".split())

# What a log's last entries say when the human left, as far as a client writes it.
_MARKS = {"copilot-cli": ("type", "session.shutdown"), "droid": ("type", "session_end")}
_LEFT = ("<command-name>/exit</command-name>", "<command-name>/quit</command-name>")
_LAST = 4  # entries among which such a mark stands


def digest(path: Path) -> str:
    """The SHA-256 of the log at *path*, as its account gives it."""
    found = hashlib.sha256()
    with opened(path) as stream:
        while chunk := stream.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


def steps(path: Path, format: str) -> dict[str, tuple[str, float]]:
    """Of each session in the store at *path* a stamp that changes when it does, and when it was written last, in seconds since 1970.

    Nothing where *format* keeps one session in a file. What is written last in a history of Aider is not known; its earlier sessions
    ended when the next one began.
    """
    if format == "aider":
        parts = aider_parts.parts_of(path)
        ends = [seconds(part.started) for part in parts[1:]]
        return {part.session: (f"{part.end - part.offset}", end) for part, end in zip(parts, [*ends, 0.0], strict=False)}
    if format != "opencode" or not _is_database(path):
        return {}
    with opencode_store.opened(path) as base:
        times = {session.id: milliseconds(table(session.info.get("time")).get("updated")) for session in base.sessions()}
    return {id: (f"{time:.0f}", time / 1000) for id, time in times.items() if time}


def last_time(path: Path, format: str) -> float:
    """When the last entry of the log at *path* was written, by its own account, in seconds since 1970; 0 where it does not say."""
    try:
        return seconds(_last_time(path, format)) if format in _TIMED else 0.0
    except (HandoffError, OSError):
        return 0.0


def is_closed(path: Path, format: str) -> bool:
    """Whether the last entries of the log at *path* say that the human left."""
    if format not in _MARKS and format != "claude-code":
        return False
    try:
        tail = _tail(path, _TAILS[0])
    except OSError:
        return False
    last = list(first_objects(tail))[-_LAST:]
    if format in _MARKS:
        key, mark = _MARKS[format]
        return any(entry.get(key) == mark for entry in last)
    says = (entry.get("message") for entry in last if entry.get("type") == "user")
    contents = [message.get("content") for message in says if isinstance(message, dict)]
    return any(isinstance(content, str) and content.startswith(_LEFT) for content in contents)


def directory(path: Path, format: str) -> str:
    """The working directory that the files beside the log at *path* name; nothing where none do."""
    if format not in _BESIDE:
        return ""
    transcript = open_transcript(path, format)
    for _ in transcript:
        if transcript.cwd:
            break
    return transcript.cwd


def seconds(time: str) -> float:
    """*time*, as logs give it, in seconds since 1970; 0 where it is none."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def _last_time(path: Path, format: str) -> str:
    size = path.stat().st_size
    for length in _TAILS:
        transcript = reader_of(format).read(io.BytesIO(_tail(path, length)), None, beside=False)
        if ended := _spent(transcript).ended:
            return ended
        if length >= size:
            return ""
    return _spent(open_transcript(path, format)).ended if size <= _SMALL else ""


def _spent(transcript: Transcript) -> Transcript:
    for _ in transcript:
        pass
    return transcript


def _tail(path: Path, length: int) -> bytes:
    """The whole lines among the last *length* bytes."""
    with path.open("rb") as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(max(0, size - length))
        data = stream.read(length)
    return data if size <= length else data.partition(b"\n")[2]


def _is_database(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(opencode_store.MAGIC)) == opencode_store.MAGIC
