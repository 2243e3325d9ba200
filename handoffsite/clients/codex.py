"""OpenAI Codex: where its logs lie."""

from collections.abc import Iterator, Mapping
from pathlib import Path

NAME = "codex"


def transcripts(environment: Mapping[str, str]) -> Iterator[Path]:
    """Every session's log."""
    root = environment.get("CODEX_HOME") or str(Path(environment.get("HOME", "/nonexistent")) / ".codex")
    yield from Path(root).glob("sessions/*/*/*/rollout-*.jsonl")
