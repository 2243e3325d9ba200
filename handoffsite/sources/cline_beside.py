"""What Cline and Roo keep beside a session's messages: its record, the times on the screen, its checklist."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Account, Transcript
from handoffsite.sources.lines import LONGEST_DOCUMENT, parsed
from handoffsite.sources.text import clean, instant, title, word

MESSAGES = "api_conversation_history.json"
SCREEN = "ui_messages.json"


@dataclass(slots=True)
class Beside:
    """What the neighbours tell: *times* of the messages by their number, *checklist* as it stands at the end."""

    times: dict[int, str] = field(default_factory=dict)
    checklist: str = ""
    spawned: bool = False  # another agent asked for the session


def task_folder(path: Path, transcript: Transcript) -> Beside:
    """What is beside the messages of the editor's extension at *path*; *transcript* gets what it says of the session."""
    found = Beside()
    folder, account = path.parent, transcript.account
    if type(screen := _loaded(folder / SCREEN, account)) is list:
        found.times = _times(screen)
        stamps = [time for one in screen if type(one) is dict and (time := instant(one.get("ts")))]
        for time in (*stamps[:1], *stamps[-1:]):
            transcript.note_time(time)
    if type(item := _loaded(folder / "history_item.json", account)) is dict:
        transcript.note_directory(word(item.get("workspace")))
        transcript.title = title(clean(item.get("task")))
        transcript.parent = word(item.get("parentTaskId"))
        found.spawned = bool(transcript.parent)
    for file in _checklists(folder):
        found.checklist = _text(file, account)
    return found


def session_record(path: Path, transcript: Transcript) -> Beside:
    """The same for the messages of the command line at *path*, whose record has the session's name."""
    found = Beside()
    record = _loaded(path.with_name(path.name.partition(".")[0] + ".json"), transcript.account)
    if type(record) is not dict or word(record.get("session_id")) != transcript.session:
        return found
    for key in ("cwd", "workspace_root"):
        transcript.note_directory(word(record.get(key)))
    for key in ("started_at", "ended_at"):
        transcript.note_time(instant(record.get(key)))
    about = record.get("metadata")
    about = about if type(about) is dict else {}
    fork = about.get("fork")
    fork = fork if type(fork) is dict else {}
    transcript.title = title(clean(about.get("title")))
    transcript.branch = word(about.get("branch"))
    transcript.parent = word(record.get("parent_session_id")) or word(fork.get("forkedFromSessionId"))
    found.spawned = record.get("is_subagent") is True
    return found


def _times(screen: list[Any]) -> dict[int, str]:
    """When each message was written: the screen tells how many there were when it showed something."""
    times: dict[int, str] = {}
    for one in screen:
        if type(one) is dict and type(index := one.get("conversationHistoryIndex")) is int and (time := instant(one.get("ts"))):
            times.setdefault(index + 1, time)
    return times


def _checklists(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(folder.glob("focus_chain_taskid_*.md"))[:1]
    except OSError:
        return


def _loaded(file: Path, account: Account) -> Any:
    """The value in *file*, None where there is none; a damaged one costs itself."""
    text = _text(file, account)
    if not text:
        return None
    value = parsed(text.lstrip("\ufeff"))
    if value is None:
        account.skip(0, f"{file.name}, which is beside it: not JSON; it was not used")
    return value if isinstance(value, Mapping | list) else None


def _text(file: Path, account: Account) -> str:
    try:
        if file.is_symlink() or not file.is_file():
            return ""
        if file.stat().st_size > LONGEST_DOCUMENT:
            account.skip(0, f"{file.name}, which is beside it, has more than {LONGEST_DOCUMENT >> 20} MiB; it was not used")
            return ""
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        account.skip(0, f"{file.name}, which is beside it: {error.strerror}")
        return ""
