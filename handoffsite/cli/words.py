"""What a command of the command line is: data, from which the parser is made."""

from dataclasses import dataclass
from typing import Any

Argument = tuple[tuple[str, ...], dict[str, Any]]

# Where an item of each kind may stand when it is added; repeated here because --help loads no values.
STATUSES = {
    "decision": ("proposed", "accepted", "rejected", "superseded", "retired", "expired"),
    "constraint": ("proposed", "active", "lifted", "rejected", "expired"),
    "thread": ("active", "waiting", "blocked", "paused", "done"),
}
CLIENTS = ("claude-code", "codex", "gemini-cli", "antigravity", "copilot-cli", "cursor", "opencode")
EVENTS = ("session-start", "session-end", "pre-compact", "post-compact", "stop")


def argument(*names: str, **settings: Any) -> Argument:
    """One argument, as argparse takes it."""
    return names, settings


@dataclass(frozen=True, slots=True)
class Word:
    """One command: its name, what it does, its arguments or those of each of its verbs, and an *example* command line."""

    name: str
    does: str
    arguments: tuple[Argument, ...] = ()
    writes: bool = False
    verbs: tuple["Word", ...] = ()
    example: str = ""


SPAN = argument("--workspace", action="store_true", help="every project of the workspace")
