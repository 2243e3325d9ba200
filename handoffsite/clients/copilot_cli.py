"""Copilot on the command line: where its logs lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log
from handoffsite.clients.part import Entry, Json, Part
from handoffsite.clients.setup import Level, command, parts_of, server_file

NAME = "copilot-cli"

retention = folder.unlimited

_STEPS = (("session-state", "*", "events.jsonl"), ("session-state", "*.jsonl"), ("history-session-state", "*.json*"))


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's log; older clients kept one as a file of its own."""
    del roots
    for steps in _STEPS:
        yield from folder.logs(NAME, _place(environment), *steps)


# Seconds. Never a hook before a tool: one that fails denies every tool.
_EVENTS = {"sessionStart": ("session-start", 30), "sessionEnd": ("session-end", 10), "preCompact": ("pre-compact", 30)}


def setup(level: Level) -> list[Part]:
    """What sets it up."""
    own = _place(level.environment)
    entries = tuple(
        Entry(path=("hooks", theirs), value={"type": "command", "bash": command(NAME, ours), "timeoutSec": limit}, listed=True)
        for theirs, (ours, limit) in _EVENTS.items()
    )
    hooks = level.place(".github/hooks/handoffsite.json", own / "hooks" / "handoffsite.json")
    server = (
        server_file(level.project / ".mcp.json", "mcpServers")
        if level.project
        else server_file(own / "mcp-config.json", "mcpServers", type="local", tools=["*"])
    )
    return parts_of(
        [Json(file=hooks, what="hooks", entries=(Entry(path=("version",), value=1, frame=True), *entries))],
        [server],
        level.skill_files(".github/skills", own / "skills"),
        level.word("AGENTS.md", own / "copilot-instructions.md"),
    )


def remarks(level: Level) -> list[str]:
    """What only the user can do, or should know."""
    if level.project is None:
        return []
    return [
        "Copilot CLI reads the hooks in .claude/settings.json, too: where both are set up, each session is told of twice and recorded once"
    ]


def _place(environment: Mapping[str, str]) -> Path:
    return folder.named(environment, "COPILOT_HOME", ".copilot")
