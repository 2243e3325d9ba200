"""Windsurf: where its transcripts lie, once its hook for them is on."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "windsurf"

retention = folder.unlimited  # it keeps the newest hundred, however old


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every conversation's transcript."""
    del roots
    yield from folder.logs(NAME, folder.home(environment) / ".windsurf" / "transcripts", "*.jsonl")
