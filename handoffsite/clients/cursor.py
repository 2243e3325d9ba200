"""Cursor: where its agent's transcripts lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log
from handoffsite.clients.part import Entry, Json, Part
from handoffsite.clients.setup import Level, command, parts_of, server_file

NAME = "cursor"

retention = folder.unlimited

_STEPS = (("*.jsonl",), ("*.txt",), ("*", "*.jsonl"), ("*", "*.txt"))


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's transcript; sub-agents' lie one folder deeper.

    They do not say where they were held, and the folder's name may mean several paths; the file by which the user trusted the
    workspace names it.
    """
    del roots
    for project in folder.folders(folder.home(environment) / ".cursor" / "projects", "*"):
        cwd = folder.settings(project / ".workspace-trusted").get("workspacePath")
        for steps in _STEPS:
            yield from folder.logs(NAME, project, "agent-transcripts", *steps, cwd=cwd if isinstance(cwd, str) else "")


# No time limits: their unit differs between its versions.
_EVENTS = {"sessionStart": "session-start", "sessionEnd": "session-end", "preCompact": "pre-compact"}


def setup(level: Level) -> list[Part]:
    """What sets it up. What it is told for the user lies in its own settings, not in a file."""
    own = folder.home(level.environment) / ".cursor"
    entries = tuple(
        Entry(path=("hooks", theirs), value={"command": command(NAME, ours)}, listed=True) for theirs, ours in _EVENTS.items()
    )
    hooks = level.place(".cursor/hooks.json", own / "hooks.json")
    return parts_of(
        [Json(file=hooks, what="hooks", entries=(Entry(path=("version",), value=1, frame=True), *entries))],
        [server_file(level.place(".cursor/mcp.json", own / "mcp.json"), "mcpServers")],
        level.skill_files(".cursor/skills", own / "skills"),
        level.word("AGENTS.md", None),
    )


def remarks(level: Level) -> list[str]:
    """What only the user can do."""
    return ["Cursor runs a project's hooks only in a workspace that is trusted"] if level.project else []
