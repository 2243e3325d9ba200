"""OpenAI Codex: where its logs lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log
from handoffsite.clients.part import Json, Part, Toml
from handoffsite.clients.setup import Level, grouped, parts_of

NAME = "codex"

retention = folder.unlimited

_DAY = ("sessions", "*", "*", "*")


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's log, put aside ones too; a compressed one only where it does not lie there as it was written, too."""
    del roots
    root = _place(environment)
    for place in (_DAY, ("archived_sessions",), ("archived_sessions", *_DAY[1:])):
        plain = list(folder.logs(NAME, root, *place, "rollout-*.jsonl"))
        known = {log.path for log in plain}
        yield from plain
        packed = folder.logs(NAME, root, *place, "rollout-*.jsonl.zst")
        yield from (log for log in packed if not log.fault and log.path.with_suffix("") not in known)


# Seconds. It cuts SessionEnd at 3, and warns at every start of more.
_EVENTS = {"SessionStart": ("session-start", 30), "SessionEnd": ("session-end", 3), "PreCompact": ("pre-compact", 10)}


def setup(level: Level) -> list[Part]:
    """What sets it up."""
    own = _place(level.environment)
    return parts_of(
        [Json(file=level.place(".codex/hooks.json", own / "hooks.json"), what="hooks", entries=grouped(NAME, _EVENTS))],
        [
            Toml(
                file=level.place(".codex/config.toml", own / "config.toml"),
                what="MCP server",
                table=("mcp_servers", "handoffsite"),
                pairs={"command": '"handoffsite"', "args": '["mcp"]'},
            )
        ],
        level.skill_files(".agents/skills", folder.home(level.environment) / ".agents" / "skills"),
        level.word("AGENTS.md", own / "AGENTS.md"),
    )


def remarks(level: Level) -> list[str]:
    """What only the user can do."""
    del level
    return [
        "Codex runs no hook before it is reviewed: type /hooks there, and trust the new ones (SessionEnd needs 0.145 or newer)"
    ]


def _place(environment: Mapping[str, str]) -> Path:
    return folder.named(environment, "CODEX_HOME", ".codex")
