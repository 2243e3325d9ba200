"""Writing so that a crash leaves the old file or the new one; locks that death frees; digests.

All writing of `store`, `site` and `search` goes through here.
"""

import contextlib
import fcntl
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from handoffsite.errors import Conflict, Refused

LOCK_SECONDS = 30.0
_TEMPORARY = ".tmp-"


def digest(data: bytes) -> str:
    """The SHA-256 of *data*, in hex."""
    return hashlib.sha256(data).hexdigest()


def write(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Replace *path* by *data*, whole or not at all.

    With *sync*, the write is on disk and was read back before this returns: printed success is durable. Without, a power cut may
    lose it; that is enough for what can be rebuilt.
    """
    temporary = path.with_name(f".{path.name[:100]}{_TEMPORARY}{os.urandom(6).hex()}")
    try:
        _fill(temporary, data, sync=sync)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise Refused(
            f"not written: {error.strerror}",
            file=str(path),
            hint="what stood there before still stands; mend the cause and run again",
        ) from error
    if sync:
        sync_directory(path.parent)
        if path.read_bytes() != data:
            raise Refused("reads back otherwise than it was written", file=str(path), hint="the disk or mount cannot be trusted")


def create(path: Path, data: bytes) -> None:
    """Write a new file *path* durably; Conflict where it exists already."""
    if path.exists():
        raise Conflict("exists already", file=str(path))
    write(path, data)


def remove(path: Path) -> None:
    """Delete *path*, durably; nothing happens where it is gone already."""
    path.unlink(missing_ok=True)
    sync_directory(path.parent)


def sync_directory(folder: Path) -> None:
    """Make the names in *folder* durable: a rename is on disk only when its directory is."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def clear_litter(folder: Path) -> int:
    """Delete what killed writers left in *folder*; call it under the folder's lock. The number of files deleted."""
    litter = [name for name in os.listdir(folder) if name[0] == "." and _TEMPORARY in name]  # noqa: PTH208 -- no objects for 10,000 records
    for name in litter:
        (folder / name).unlink(missing_ok=True)
    return len(litter)


def private_folder(path: Path) -> Path:
    """*path* as a folder that only its owner may enter, made where it is missing."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def cache_folder(root: Path, *parts: str) -> Path | None:
    """A folder for what can be rebuilt, below *root*; None where there can be none that is ours alone.

    Every folder on the way, from *root* on, must be a real one, owned by this user and writable by nobody else.
    """
    folder = root
    try:
        for part in ("", *parts):
            folder = folder / part
            folder.mkdir(mode=0o700, parents=not part, exist_ok=True)
            status = folder.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
                return None
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


@contextlib.contextmanager
def lock(path: Path, timeout: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold *path* as a lock against other processes; Conflict after *timeout* seconds. The kernel frees it when the holder dies.

    Two calls of flock(2) rather than a library: filelock costs 90 ms to import, which is most of what a hook may take.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        _acquire(handle, path, timeout)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, path: Path, timeout: float) -> None:
    deadline = time.monotonic() + timeout
    pause = 0.001
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                hint = "try again when it has finished"
                raise Conflict(f"locked by another process for {timeout:.0f} s", file=str(path), hint=hint) from error
        else:
            return
        time.sleep(pause)
        pause = min(pause * 2, 0.05)


def _fill(path: Path, data: bytes, *, sync: bool) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with open(handle, "wb") as file:  # noqa: PTH123 -- a descriptor, not a path
        file.write(data)
        if sync:
            file.flush()
            os.fsync(file.fileno())
