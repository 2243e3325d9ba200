"""pi: where its logs lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "pi"

retention = folder.unlimited


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's log."""
    del roots
    root = folder.named(environment, "PI_CODING_AGENT_DIR", ".pi", "agent")
    yield from folder.logs(NAME, root / "sessions", "*", "*.jsonl")
