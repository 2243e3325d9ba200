"""OpenAI Codex: where its logs lie."""

from collections.abc import Iterator, Mapping
from pathlib import Path

NAME = "codex"


def transcripts(environment: Mapping[str, str]) -> Iterator[Path]:
    """Every session's log; a compressed one only where it does not lie there as it was written, too."""
    root = environment.get("CODEX_HOME") or str(Path(environment.get("HOME", "/nonexistent")) / ".codex")
    plain = set(Path(root).glob("sessions/*/*/*/rollout-*.jsonl"))
    yield from plain
    yield from (path for path in Path(root).glob("sessions/*/*/*/rollout-*.jsonl.zst") if path.with_suffix("") not in plain)
