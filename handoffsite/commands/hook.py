"""`hook`: what an agent's program tells us of its session. Nothing here may take long or load much: the client waits for it.

Only a pointer is kept. What reads the log is another process, which the client's end does not end.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from handoffsite.errors import HandoffError
from handoffsite.records.hooked import Call
from handoffsite.store import spool

WORKER = ("-P", "-m", "handoffsite", "catch-up", "--background")  # -P: no module of the folder in which it runs is ours


def root_of(call: Call, folder: Path) -> Path | None:
    """The root of the boundary in which *call*'s session works, which is *folder* where the client does not say; None where there is none."""
    cwd = Path(call.cwd) if call.cwd else folder
    try:
        if not cwd.is_absolute():
            return None
        return _nearest(cwd) or _owner(cwd)
    except (HandoffError, OSError, ValueError, RuntimeError):  # another user's folder, a loop of links, no path at all
        return None


def keep(root: Path, call: Call) -> bool:
    """Point to the session that *call* tells of from the inbox at *root*, durably; whether there was anything to point to."""
    goes_on = call.event == "stop"
    transcript = call.transcript if Path(call.transcript).is_absolute() and Path(call.transcript).is_file() else ""
    if call.event == "post-compact" and call.summary:
        _keep_summary(root, call)
    if not (transcript or call.session):
        return False
    session = "" if transcript else call.session
    spool.put(root, {"transcript": transcript, "session": session, "client": call.client, "goes_on": goes_on})
    return True


def start_worker(root: Path, environment: Mapping[str, str]) -> None:
    """Start the process that extracts what waits at *root*: in a session of its own, so that the end of the client is not its end."""
    os.chdir(root)
    actions: list[tuple[int | str, ...]] = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    actions += [(os.POSIX_SPAWN_CLOSE, number) for number in _open_files()]  # a client may wait until its pipe is closed
    os.posix_spawn(sys.executable, [sys.executable, *WORKER], environment, file_actions=actions, setsid=True)


def _keep_summary(root: Path, call: Call) -> None:
    """Keep what the client wrote when it compacted the talk: a note of which nothing holds before somebody accepts it."""
    from handoffsite.commands.reading import redactor_of  # noqa: PLC0415 -- a compaction took minutes: here is time to redact
    from handoffsite.store import boundary as boundaries  # noqa: PLC0415 -- as above
    from handoffsite.store import inbox  # noqa: PLC0415 -- as above

    text = redactor_of(boundaries.load(root)).clean(call.summary)
    note = inbox.put_note(root, text)
    source = f"{call.client}:{call.session}" if call.session else ""
    spool.put(root, {"note": note, "session": source, "client": call.client, "claimed": True})


def _nearest(folder: Path) -> Path | None:
    """The boundary in a folder's own repository, at or above it: what nearly every session has, found without loading what knows all cases.

    None where that may be needed: no boundary, a linked worktree, or a project inside a workspace.
    """
    folder = folder.resolve()
    for parent in (folder, *folder.parents):
        if (parent / ".handoff" / "project.toml").is_file():
            return parent / ".handoff" if _is_plain(parent) else None
        if parent.name == ".handoff" or (parent / ".git").exists():
            return None
    return None


def _is_plain(folder: Path) -> bool:
    """Whether no linked worktree's `.git`, which is a file, stands at *folder* or above it before the repository's own."""
    found = next((git for parent in (folder, *folder.parents) if (git := parent / ".git").exists()), None)
    return found is None or found.is_dir()


def _owner(cwd: Path) -> Path | None:
    from datetime import UTC, datetime  # noqa: PLC0415 -- hardly ever needed

    from handoffsite.commands.place import Place, find_workspace, owner  # noqa: PLC0415 -- as above

    place = Place(folder=cwd, now=datetime.fromtimestamp(0, UTC), cache=Path("/nonexistent"))
    return owner(find_workspace(place), str(cwd))


def _open_files() -> list[int]:
    """The files that whoever started us left open to us."""
    try:
        found = [int(link.name) for link in Path("/proc/self/fd").iterdir()]
    except OSError:
        return []
    return [number for number in found if number > 2 and _is_inherited(number)]


def _is_inherited(number: int) -> bool:
    try:
        return os.get_inheritable(number)
    except OSError:  # the listing's own
        return False
