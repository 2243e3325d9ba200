"""Antigravity: where its conversations' logs lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder, gemini_cli
from handoffsite.clients.log import Log

NAME = "antigravity"

retention = folder.unlimited

_LOGS = ("brain", "*", ".system_generated", "logs")


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every conversation's log: the full one where there is one."""
    del roots
    root = gemini_cli.place(environment) / "antigravity-cli"
    full = set()
    for log in folder.logs(NAME, root, *_LOGS, "transcript_full.jsonl"):
        full.add(log.path.parent)
        yield log
    yield from (
        log for log in folder.logs(NAME, root, *_LOGS, "transcript.jsonl") if not log.fault and log.path.parent not in full
    )
