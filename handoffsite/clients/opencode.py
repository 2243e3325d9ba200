"""OpenCode: where its sessions lie."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from handoffsite import durable
from handoffsite.clients import folder, jsonc
from handoffsite.clients.log import Log
from handoffsite.clients.part import Entry, Json, Part, Whole
from handoffsite.clients.setup import Level, parts_of
from handoffsite.errors import HandoffError

NAME = "opencode"

retention = folder.unlimited


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """The database, and of the older store each session's own file: the files of messages and parts are read with it."""
    del roots
    root = folder.data_home(environment) / "opencode"
    for log in folder.logs(NAME, root, "opencode*.db"):
        yield _together(log, log.path.with_name(f"{log.path.name}-wal"))
    yield from _tree(root / "storage")
    for storage in folder.folders(root, "project", "*", "storage"):
        yield from _tree(storage)


def _tree(storage: Path) -> Iterator[Log]:
    for log in folder.logs(NAME, storage, "session", "*", "*.json"):
        yield _together(log, storage / "message" / log.path.stem)


def _together(log: Log, beside: Path) -> Log:
    """*log*, which changes whenever what is *beside* it does."""
    try:
        status = beside.lstat()
    except OSError:
        return log
    return replace(log, stamp=f"{log.stamp}+{status.st_size}.{status.st_mtime_ns}", time=max(log.time, status.st_mtime))


PLUGIN_SEAL = "Written by `handoffsite install opencode`"


def setup(level: Level) -> list[Part]:
    """What sets it up: a plugin, as it calls no commands by itself."""
    own = _settings(level.environment)
    plugin = level.place(".opencode/plugins/handoffsite.js", own / "plugins" / "handoffsite.js")
    return parts_of(
        [Whole(file=plugin, what="hooks", text=level.plugin, seal=PLUGIN_SEAL)],
        [_server(level.project or own)],
        level.skill_files(".opencode/skills", own / "skills"),
        level.word("AGENTS.md", own / "AGENTS.md"),
    )


def remarks(level: Level) -> list[str]:
    """What only the user can do."""
    del level
    return ["OpenCode has no end of a session: one is recorded when nothing was said in it for a while, or when the next begins"]


def _server(place: Path) -> Part:
    """The MCP server, in the form of the version that wrote the settings: newer ones keep servers one step deeper."""
    names = ("opencode.json", "opencode.jsonc")
    file = next((place / name for name in names if durable.is_file(place / name)), place / names[0])
    try:
        found = jsonc.contents(jsonc.parse(file.read_text(encoding="utf-8")))
        servers = found["mcp"]["servers"]
    except (OSError, ValueError, LookupError, TypeError, HandoffError):  # what is wrong with it is said when it is to be edited
        servers = None
    is_newer = isinstance(servers, dict) and "command" not in servers
    path = ("mcp", "servers", "handoffsite") if is_newer else ("mcp", "handoffsite")
    value = {"type": "local", "command": ["handoffsite", "mcp"]}
    return Json(file=file, what="MCP server", entries=(Entry(path=path, value=value),))


def _settings(environment: Mapping[str, str]) -> Path:
    found = environment.get("XDG_CONFIG_HOME", "")
    return (Path(found) if found.startswith("/") else folder.home(environment) / ".config") / "opencode"
