"""Copilot on the command line: where its logs lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "copilot-cli"

retention = folder.unlimited

_STEPS = (("session-state", "*", "events.jsonl"), ("session-state", "*.jsonl"), ("history-session-state", "*.json*"))


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's log; older clients kept one as a file of its own."""
    del roots
    for steps in _STEPS:
        yield from folder.logs(NAME, folder.named(environment, "COPILOT_HOME", ".copilot"), *steps)
