"""Gemini CLI: where its chats lie, and how long."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log
from handoffsite.clients.part import Entry, Json, Part
from handoffsite.clients.setup import SERVER, Level, grouped, parts_of

NAME = "gemini-cli"

_DAYS = 30  # where the settings do not say
_DIGEST = re.compile(r"[0-9a-f]{64}")
_AGE = re.compile(r"(\d{1,6})([hdwm])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24}


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's chat. Older clients name a project's folder by the digest of its path, and say no more of it.

    Sub-agents' chats lie one folder deeper, and are read with their session.
    """
    del roots
    for project in folder.folders(place(environment) / "tmp", "*"):
        digest = project.name if _DIGEST.fullmatch(project.name) else ""
        for pattern in ("*.json", "*.jsonl"):
            yield from folder.logs(NAME, project, "chats", pattern, digest=digest)


def retention(environment: Mapping[str, str]) -> int | None:
    """After how many days a chat is deleted."""
    general = folder.settings(_settings(environment)).get("general")
    kept = general.get("sessionRetention") if isinstance(general, dict) else None
    if not isinstance(kept, dict):
        return _DAYS
    if kept.get("enabled") is False:
        return None
    age = kept.get("maxAge")
    found = _AGE.fullmatch(age) if isinstance(age, str) else None
    return int(found[1]) * _HOURS[found[2]] // 24 if found else _DAYS


def retained_by(environment: Mapping[str, str]) -> str:
    """Where that is set."""
    return f"general.sessionRetention.maxAge in {_settings(environment)}"


def place(environment: Mapping[str, str]) -> Path:
    """The folder where it keeps all that it keeps."""
    return folder.named(environment, "GEMINI_CLI_HOME") / ".gemini"


def _settings(environment: Mapping[str, str]) -> Path:
    return place(environment) / "settings.json"


# Milliseconds.
_EVENTS = {
    "SessionStart": ("session-start", 30_000),
    "SessionEnd": ("session-end", 10_000),
    "PreCompress": ("pre-compact", 30_000),
}


def setup(level: Level) -> list[Part]:
    """What sets it up. It reads GEMINI.md, and AGENTS.md where its settings name that."""
    own = place(level.environment)
    settings = level.place(".gemini/settings.json", own / "settings.json")
    entries = (*grouped(NAME, _EVENTS, name="handoffsite"), Entry(path=("mcpServers", "handoffsite"), value=SERVER))
    return parts_of(
        [Json(file=settings, what="hooks and MCP server", entries=entries)],
        level.skill_files(".gemini/skills", own / "skills"),
        level.word("AGENTS.md", None),
        level.word("GEMINI.md", own / "GEMINI.md"),
    )


def remarks(level: Level) -> list[str]:
    """What only the user can do."""
    return ["Gemini CLI shows new hooks of a project once, and asks whether the folder is trusted"] if level.project else []
