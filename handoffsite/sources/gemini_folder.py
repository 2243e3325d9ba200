"""What Gemini CLI keeps beside a chat: the folder of its project, and the chats of its sub-agents."""

import re
from pathlib import Path

from handoffsite.sources.text import word

CHATS = "chats"
SUB_AGENTS = 1_000
LONGEST_PATH = 4_096

_FOLDER = re.compile(r"[\w-][\w.-]{0,200}", re.ASCII)


def is_agents(path: Path) -> bool:
    """Whether the chat at *path* is a sub-agent's: those lie in a folder of their session."""
    return path.parent.parent.name == CHATS


def project_root(path: Path) -> str:
    """The working directory that the project's folder names, in which the chat at *path* is kept; nothing where it does not."""
    folder = path.parent.parent if is_agents(path) else path.parent
    root = folder.parent / ".project_root"
    if folder.name != CHATS or root.is_symlink():
        return ""
    try:
        with root.open("rb") as stream:
            named = word(stream.read(LONGEST_PATH).decode(errors="replace").strip())
    except OSError:
        return ""
    return named if named.startswith(("/", "\\\\")) or named[1:3] in (":\\", ":/") else ""


def agent_files(path: Path, session: str) -> list[Path]:
    """The chats of the *session*'s sub-agents: they lie in a folder that has the session's ID for a name."""
    folder = path.parent / session
    if not _FOLDER.fullmatch(session) or folder.is_symlink() or not folder.is_dir():
        return []
    files = sorted(file for file in folder.iterdir() if file.suffix in (".json", ".jsonl"))
    return [file for file in files[:SUB_AGENTS] if file.is_file() and not file.is_symlink()]
