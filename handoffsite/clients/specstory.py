"""SpecStory: where what it saves of other agents' sessions lies."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "specstory"

retention = folder.unlimited


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """The saved sessions in each of *roots*: they lie in the repository itself."""
    del environment
    for root in roots:
        yield from folder.logs(NAME, root, ".specstory", "history", "*.md", cwd=str(root))
