"""OpenCode: where its sessions lie."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

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
