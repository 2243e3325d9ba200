"""Claude Code: where its logs lie."""

from collections.abc import Iterator, Mapping
from pathlib import Path

NAME = "claude-code"


def transcripts(environment: Mapping[str, str]) -> Iterator[Path]:
    """Every session's log; sub-agents' logs lie one folder deeper and are read with their session."""
    root = environment.get("CLAUDE_CONFIG_DIR") or str(Path(environment.get("HOME", "/nonexistent")) / ".claude")
    yield from (path for path in Path(root).glob("projects/*/*.jsonl") if not path.name.startswith("agent-"))
