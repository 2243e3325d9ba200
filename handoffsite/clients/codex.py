"""OpenAI Codex: where its logs lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "codex"

retention = folder.unlimited

_DAY = ("sessions", "*", "*", "*")


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's log, put aside ones too; a compressed one only where it does not lie there as it was written, too."""
    del roots
    root = folder.named(environment, "CODEX_HOME", ".codex")
    for place in (_DAY, ("archived_sessions",), ("archived_sessions", *_DAY[1:])):
        plain = list(folder.logs(NAME, root, *place, "rollout-*.jsonl"))
        known = {log.path for log in plain}
        yield from plain
        packed = folder.logs(NAME, root, *place, "rollout-*.jsonl.zst")
        yield from (log for log in packed if not log.fault and log.path.with_suffix("") not in known)
