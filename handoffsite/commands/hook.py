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

BOUNDARY = ".handoff"
WORKER = ("-P", "-m", "handoffsite", "catch-up", "--background")  # -P: no module of the folder in which it runs is ours


def root_of(call: Call, folder: Path) -> Path | None:
    """The root of the boundary in which *call*'s session works, which is *folder* where the client does not say; None where there is none."""
    cwd = Path(call.cwd) if call.cwd else folder
    try:
        if not cwd.is_absolute():
            return None
        root, is_sure = _nearest(cwd.resolve())
        return root if is_sure else _owner(cwd)
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
    source = f"{call.client}:{call.session}" if call.session else ""
    inbox.put_note(root, text, inbox.Pointer(session=source, client=call.client, claimed=True))


def _nearest(folder: Path) -> tuple[Path | None, bool]:
    """The boundary at or above *folder* in its repository, and whether that is sure: told without loading what knows all cases.

    It is not in a linked worktree, inside a boundary, or inside a workspace. Hooks of the user's own settings fire in every folder.
    """
    root = git = None
    for parent in (folder, *folder.parents):
        if parent.name == BOUNDARY:
            return None, False
        if root is None and git is None and (parent / BOUNDARY / "project.toml").is_file():
            root = parent / BOUNDARY
        if git is None and (parent / ".git").exists():
            git = parent / ".git"
        if root is None and (parent / "handoffsite.toml").exists():
            return None, False
    return root, git is None or git.is_dir()


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
