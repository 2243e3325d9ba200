"""Claude Code: where its logs lie, and how long."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log
from handoffsite.clients.part import Json, Part
from handoffsite.clients.setup import Level, grouped, parts_of, server_file

NAME = "claude-code"

_DAYS = 30  # where the settings do not say


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's log; sub-agents' logs lie beside it or one folder deeper, and are read with their session."""
    del roots
    found = folder.logs(NAME, _place(environment) / "projects", "*", "*.jsonl")
    yield from (log for log in found if not log.path.name.startswith("agent-"))


def retention(environment: Mapping[str, str]) -> int | None:
    """After how many days a log is deleted."""
    days = folder.settings(_place(environment) / "settings.json").get("cleanupPeriodDays")
    return int(days) if isinstance(days, int | float) and not isinstance(days, bool) and 0 <= days < 1e9 else _DAYS


def retained_by(environment: Mapping[str, str]) -> str:
    """Where that is set."""
    return f"cleanupPeriodDays in {_place(environment) / 'settings.json'}"


def _place(environment: Mapping[str, str]) -> Path:
    return folder.named(environment, "CLAUDE_CONFIG_DIR", ".claude")


# Seconds. The greatest limit that a settings file gives SessionEnd is the budget of all its hooks; without one they share 1.5 s.
_EVENTS = {
    "SessionStart": ("session-start", 30),
    "SessionEnd": ("session-end", 10),
    "PreCompact": ("pre-compact", 30),
    "PostCompact": ("post-compact", 30),
}


def setup(level: Level) -> list[Part]:
    """What sets it up. It reads CLAUDE.md, and no AGENTS.md."""
    own = _place(level.environment)
    state = (
        own / ".claude.json" if level.environment.get("CLAUDE_CONFIG_DIR") else folder.home(level.environment) / ".claude.json"
    )
    settings = level.place(".claude/settings.json", own / "settings.json")
    return parts_of(
        [Json(file=settings, what="hooks", entries=grouped(NAME, _EVENTS))],
        [server_file(level.place(".mcp.json", state), "mcpServers")],
        level.skill_files(".claude/skills", own / "skills"),
        level.word("CLAUDE.md", own / "CLAUDE.md"),
    )


def remarks(level: Level) -> list[str]:
    """What only the user can do."""
    if level.project is None:
        return []
    return [
        "Claude Code asks whether the folder is trusted, and whether the server in .mcp.json may run, when it starts there next"
    ]
