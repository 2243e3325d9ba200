"""Aider: where its chat history lies."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "aider"

retention = folder.unlimited


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """The history of each of *roots*: it lies in the repository itself."""
    del environment
    for root in roots:
        yield from folder.logs(NAME, root, ".aider.chat.history.md", cwd=str(root))
