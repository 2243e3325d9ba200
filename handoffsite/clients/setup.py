"""What sets a client up, in a project or for the user: hooks, the MCP server, skills, and a word to the agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoffsite.clients.part import MARK, Block, Entry, Json, Part, Whole

SERVER = {"command": "handoffsite", "args": ["mcp"]}
SEAL = "provided-by: handoffsite"  # in the front matter of a skill of ours

IN_PROJECT = """\
## Project state

This project's decisions, constraints (what failed and why) and open threads are kept by handoffsite in `.handoff/`.
`handoffsite pack` prints what a session starts with, `handoffsite search WORDS` finds what was decided before, and
`handoffsite check --plan -` says which constraints a plan runs into. At the end of a session `handoffsite end --note FILE`
records what was done; the skill `session-end` says how the note is written."""
FOR_USER = """\
## Project state

A project with a folder `.handoff/` keeps its decisions, constraints (what failed and why) and open threads there by handoffsite.
Inside such a project `handoffsite pack` prints what a session starts with, `handoffsite search WORDS` finds what was decided
before, and `handoffsite end --note FILE` records a session; the skill `session-end` says how the note is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Where a set-up goes: into the folder *project*, or, where that is None, into the user's own settings.

    *skills* are the shipped ones by name, *plugin* the file that OpenCode loads.
    """

    project: Path | None
    environment: Mapping[str, str]
    skills: Mapping[str, str] = field(default_factory=dict)
    plugin: str = ""

    def place(self, in_project: str, of_user: Path) -> Path:
        """The file or folder *in_project*, or *of_user*."""
        return self.project / in_project if self.project else of_user

    def skill_files(self, in_project: str, of_user: Path) -> list[Part]:
        """The skills, each in a folder of its name."""
        folder = self.place(in_project, of_user)
        return [
            Whole(file=folder / name / "SKILL.md", what=f"skill {name}", text=text, seal=SEAL)
            for name, text in self.skills.items()
        ]

    def word(self, in_project: str, of_user: Path | None) -> list[Part]:
        """What the agent is told of us wherever it works; nothing where the client keeps no such file."""
        if self.project is None and of_user is None:
            return []
        file = self.project / in_project if self.project else of_user
        return [Block(file=file or Path(), what="instructions", text=IN_PROJECT if self.project else FOR_USER)]


def command(client: str, event: str) -> str:
    """The shell command of a hook, for whatever shell the client has.

    Where handoffsite is not installed it says nothing and succeeds: nobody is harmed by a colleague's set-up.
    """
    return f"command -v handoffsite >/dev/null && {MARK}{client} {event} 2>/dev/null || true"


def grouped(client: str, events: Mapping[str, tuple[str, int]], **more: str) -> tuple[Entry, ...]:
    """Entries in the form of Claude Code, Codex and Gemini: groups of handlers by event; *events* gives our event and its time limit."""
    return tuple(
        Entry(
            path=("hooks", theirs),
            value={"hooks": [{"type": "command", "command": command(client, ours), "timeout": limit, **more}]},
            listed=True,
        )
        for theirs, (ours, limit) in events.items()
    )


def server_file(file: Path, *path: str, **more: Any) -> Part:
    """The MCP server in a file of JSON, under *path*."""
    entry = Entry(path=(*path, "handoffsite"), value={**SERVER, **more})
    return Json(file=file, what="MCP server", entries=(entry,))


def parts_of(*groups: Sequence[Part]) -> list[Part]:
    """All parts of *groups*, in their order."""
    return [part for group in groups for part in group]
