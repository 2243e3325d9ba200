"""Antigravity: where its conversations' logs lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder, gemini_cli
from handoffsite.clients.log import Log
from handoffsite.clients.part import Entry, Json, Part
from handoffsite.clients.setup import Level, command, parts_of, server_file

NAME = "antigravity"

retention = folder.unlimited

_LOGS = ("brain", "*", ".system_generated", "logs")


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every conversation's log: the full one where there is one."""
    del roots
    root = gemini_cli.place(environment) / "antigravity-cli"
    full = set()
    for log in folder.logs(NAME, root, *_LOGS, "transcript_full.jsonl"):
        full.add(log.path.parent)
        yield log
    yield from (
        log for log in folder.logs(NAME, root, *_LOGS, "transcript.jsonl") if not log.fault and log.path.parent not in full
    )


# Seconds, and whole ones: one that is not, and it drops the file without a word. It knows no end of a session.
_EVENTS = {"SessionStart": ("session-start", 30), "Stop": ("stop", 10)}


def setup(level: Level) -> list[Part]:
    """What sets it up: its hooks bear names, and hold flat lists of handlers."""
    own = gemini_cli.place(level.environment)
    handlers = {
        theirs: [{"type": "command", "command": command(NAME, ours), "timeout": limit}]
        for theirs, (ours, limit) in _EVENTS.items()
    }
    hooks = level.place(".agents/hooks.json", own / "config" / "hooks.json")
    return parts_of(
        [Json(file=hooks, what="hooks", entries=(Entry(path=("handoffsite",), value=handlers),), strict=True)],
        [server_file(level.place(".agents/mcp_config.json", own / "config" / "mcp_config.json"), "mcpServers")],
        level.skill_files(".agents/skills", own / "config" / "skills"),
        level.word("AGENTS.md", own / "GEMINI.md"),
    )


def remarks(level: Level) -> list[str]:
    """What only the user can do."""
    del level
    return [
        "Antigravity has no end of a session: one is recorded when nothing was said in it for a while, or when the next begins"
    ]
