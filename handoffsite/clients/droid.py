"""Factory droid: where its logs lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "droid"

retention = folder.unlimited


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's log: in a folder for each directory, or, from older clients, without one."""
    del roots
    root = folder.home(environment) / ".factory" / "sessions"
    for steps in (("*.jsonl",), ("*", "*.jsonl")):
        yield from folder.logs(NAME, root, *steps)
