"""Amp: where its threads lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "amp"

retention = folder.unlimited


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every thread."""
    del roots
    yield from folder.logs(NAME, folder.data_home(environment) / "amp" / "threads", "T-*.json")
