"""What Antigravity keeps beside a conversation's log: the workspaces of its prompts, and the logs of sub-agents."""

import re
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

from handoffsite.sources.lines import parsed
from handoffsite.sources.text import clean, word

NEAR = 120  # seconds between a prompt in the history and the same one in the log
LOGS = 50
LONGEST_LOG = 1 << 20
LONGEST_HISTORY = 32 << 20

_ID = re.compile(r"[\w-]{8,100}", re.ASCII)
_PROJECT = re.compile(rb"Conversation using project ID: ([\w-]{8,100})")


class Folder:
    """The agent's folder, and the conversation in it whose log is at *path*."""

    def __init__(self, path: Path) -> None:
        self.conversation = conversation(path)
        self.brain = path.parents[3] if self.conversation else None

    def workspace(self, prompt: str, time: str) -> str:
        """The directory in which the conversation was held, which began with *prompt*; nothing where no file says so.

        The history of prompts names it, the first one without the conversation; else the client's own log names the project.
        """
        if self.brain is None:
            return ""
        return self._of_history(prompt, time) or self._of_project()

    def agent_log(self, agent: str) -> Path | None:
        """The log of the sub-agent's conversation *agent*, if there is one."""
        if self.brain is None or not _ID.fullmatch(agent):
            return None
        logs = self.brain / agent / ".system_generated" / "logs"
        names = (logs / "transcript_full.jsonl", logs / "transcript.jsonl")
        return next((file for file in names if _is_own(file, self.brain)), None)

    def _of_history(self, prompt: str, time: str) -> str:
        file = self.brain.parent / "history.jsonl" if self.brain else None
        if file is None or not _is_own(file, file.parent):
            return ""
        candidates: dict[str, None] = {}
        own = self.conversation.encode()
        try:
            lines = _beginning(file, LONGEST_HISTORY).split(b"\n")
        except OSError:
            return ""
        for line in lines:
            if own not in line and b'"conversationId"' in line:
                continue
            entry = parsed(line.decode(errors="replace"))
            workspace = word(entry.get("workspace")) if type(entry) is dict else ""
            if not workspace:
                continue
            if entry.get("conversationId") == self.conversation:
                return workspace
            same = prompt and not entry.get("conversationId") and clean(entry.get("display")).strip() == prompt
            if same and _is_near(entry.get("timestamp"), time):
                candidates[workspace] = None
        return next(iter(candidates)) if len(candidates) == 1 else ""

    def _of_project(self) -> str:
        """The folder of the project that the client's log names for the conversation."""
        root = self.brain.parent if self.brain else None
        if root is None or not (root / "log").is_dir():
            return ""
        created = b"Created conversation " + self.conversation.encode()
        for file in sorted((root / "log").glob("cli-*.log"), reverse=True)[:LOGS]:
            try:
                text = _beginning(file) if _is_own(file, root) else b""
            except OSError:
                continue
            before, found, _ = text.partition(created)
            projects = _PROJECT.findall(before) if found else []
            if projects:
                return _project_folder(root.parent / "config" / "projects" / f"{projects[-1].decode()}.json")
        return ""


def conversation(path: Path) -> str:
    """The conversation whose log is at *path*: the name of its folder."""
    parents = path.parents
    if len(parents) < 5 or parents[0].name != "logs" or parents[1].name != ".system_generated":
        return ""
    name = parents[2].name
    return name if _ID.fullmatch(name) else ""


def _project_folder(file: Path) -> str:
    try:
        text = _beginning(file).decode(errors="replace") if _is_own(file, file.parent) else ""
    except OSError:
        return ""
    project = parsed(text)
    resources = project.get("projectResources") if type(project) is dict else None
    listed = resources.get("resources") if type(resources) is dict else None
    for resource in listed if type(listed) is list else ():
        folder = resource.get("gitFolder") if type(resource) is dict else None
        uri = word(folder.get("folderUri")) if type(folder) is dict else ""
        if uri.startswith("file:///"):
            return unquote(uri.removeprefix("file://"))
    return ""


def _beginning(file: Path, size: int = LONGEST_LOG) -> bytes:
    with file.open("rb") as stream:
        return stream.read(size)


def _is_own(file: Path, root: Path) -> bool:
    """Whether *file* is one that no symbolic link between *root* and it leads elsewhere to."""
    steps = [file, *file.parents]
    return file.is_file() and not any(step.is_symlink() for step in steps[: steps.index(root)])


def _is_near(stamp: object, time: str) -> bool:
    if type(stamp) not in (int, float) or not time:
        return False
    try:
        return abs(float(stamp) / 1_000 - datetime.fromisoformat(time).timestamp()) <= NEAR  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return False
