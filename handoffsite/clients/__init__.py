"""The agents' own programs: where their logs lie."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from handoffsite.clients import claude_code, codex

CLIENTS = (claude_code, codex)


def transcripts(environment: Mapping[str, str]) -> Iterator[Path]:
    """The logs of all clients on this machine, the one changed last first; they are never written to."""
    found = [path for client in CLIENTS for path in client.transcripts(environment)]
    yield from sorted(found, key=_changed, reverse=True)


def _changed(path: Path) -> float:
    try:
        return os.stat(path).st_mtime  # noqa: PTH116 -- a file may vanish between the listing and here
    except OSError:
        return 0.0
