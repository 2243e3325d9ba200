"""The agents' own programs: where their logs lie, and for how long."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from handoffsite.clients.log import Log
from handoffsite.records import hooked


class Client(Protocol):
    """What is known of one agent's program."""

    NAME: str

    def transcripts(self, environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
        """Its logs on this machine; those that lie in a repository itself only of the repositories *roots*."""
        ...

    def retention(self, environment: Mapping[str, str]) -> int | None:
        """After how many days it deletes them; None where it does not."""
        ...


# A module each, loaded when it is asked. Where one session is kept twice, the first place counts: an agent's own before what others save of it.
CLIENTS = (
    "claude-code",
    "codex",
    "gemini-cli",
    "antigravity",
    "copilot-cli",
    "copilot-vscode",
    "opencode",
    "cursor",
    "pi",
    "droid",
    "amp",
    "cline",
    "windsurf",
    "aider",
    "specstory",
)
_LIMITED = ("claude-code", "gemini-cli")
SET_UP = hooked.CLIENTS  # the clients that `install` knows
IN_REPOSITORY = frozenset(("aider", "specstory"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """After how many *days* the *client* deletes a log, and what sets that."""

    client: str
    days: int
    setting: str


def named(name: str) -> Any:
    """The module of the client *name*; of one of SET_UP, `setup(level)` is what sets it up, `remarks(level)` what is left to its user."""
    return import_module(f"{__name__}.{name.replace('-', '_')}")


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """The logs of all clients on this machine; they are never written to. Those in a repository itself only of the repositories *roots*."""
    for name in CLIENTS:
        yield from cast("Client", named(name)).transcripts(environment, roots)


def retentions(environment: Mapping[str, str]) -> list[Retention]:
    """The clients that delete their logs by age."""
    found = [(name, named(name)) for name in _LIMITED]
    return [
        Retention(client=name, days=days, setting=client.retained_by(environment))
        for name, client in found
        if (days := client.retention(environment)) is not None
    ]
