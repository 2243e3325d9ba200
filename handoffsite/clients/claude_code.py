"""Claude Code: where its logs lie, and how long."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "claude-code"

_DAYS = 30  # where the settings do not say


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's log; sub-agents' logs lie beside it or one folder deeper, and are read with their session."""
    del roots
    found = folder.logs(NAME, _place(environment) / "projects", "*", "*.jsonl")
    yield from (log for log in found if not log.path.name.startswith("agent-"))


def retention(environment: Mapping[str, str]) -> int | None:
    """After how many days a log is deleted."""
    days = folder.settings(_place(environment) / "settings.json").get("cleanupPeriodDays")
    return int(days) if isinstance(days, int | float) and not isinstance(days, bool) and 0 <= days < 1e9 else _DAYS


def retained_by(environment: Mapping[str, str]) -> str:
    """Where that is set."""
    return f"cleanupPeriodDays in {_place(environment) / 'settings.json'}"


def _place(environment: Mapping[str, str]) -> Path:
    return folder.named(environment, "CLAUDE_CONFIG_DIR", ".claude")
