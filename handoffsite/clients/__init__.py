"""The agents' own programs: where their logs lie, and for how long."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from handoffsite.clients import (
    aider,
    amp,
    antigravity,
    claude_code,
    cline,
    codex,
    copilot_cli,
    copilot_vscode,
    cursor,
    droid,
    gemini_cli,
    opencode,
    pi,
    specstory,
    windsurf,
)
from handoffsite.clients.log import Log


class Client(Protocol):
    """What is known of one agent's program."""

    NAME: str

    def transcripts(self, environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
        """Its logs on this machine; those that lie in a repository itself only of the repositories *roots*."""
        ...

    def retention(self, environment: Mapping[str, str]) -> int | None:
        """After how many days it deletes them; None where it does not."""
        ...


# Where one session is kept twice, the first place counts: an agent's own before what others save of it.
CLIENTS: tuple[Client, ...] = (
    claude_code,
    codex,
    gemini_cli,
    antigravity,
    copilot_cli,
    copilot_vscode,
    opencode,
    cursor,
    pi,
    droid,
    amp,
    cline,
    windsurf,
    aider,
    specstory,
)
_LIMITED = (claude_code, gemini_cli)
_SET_UP = {client.NAME: client for client in (claude_code, codex, gemini_cli, antigravity, copilot_cli, cursor, opencode)}
SET_UP = tuple(_SET_UP)  # the clients that `install` knows
IN_REPOSITORY = frozenset((aider.NAME, specstory.NAME))


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """After how many *days* the *client* deletes a log, and what sets that."""

    client: str
    days: int
    setting: str


def named(name: str) -> Any:
    """The module of the client *name*, one of SET_UP: `setup(level)` is what sets it up, `remarks(level)` what is left to its user."""
    return _SET_UP[name]


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """The logs of all clients on this machine; they are never written to. Those in a repository itself only of the repositories *roots*."""
    for client in CLIENTS:
        yield from client.transcripts(environment, roots)


def retentions(environment: Mapping[str, str]) -> list[Retention]:
    """The clients that delete their logs by age."""
    found = [(client, client.retention(environment)) for client in _LIMITED]
    return [
        Retention(client=client.NAME, days=days, setting=client.retained_by(environment))
        for client, days in found
        if days is not None
    ]
