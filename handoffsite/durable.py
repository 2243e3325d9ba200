"""All writing of `store`, `site`, `search` and `clients`: a crash leaves the old or the new; death frees a lock.

Whatever changes a file system is a call of `os` in this module and nowhere else in those parts, so that a test can let each one
fail. Reading needs no such care, and is done where it is wanted. SQLite writes its own files: caches, and the task ledger, of which each
transaction is on disk when it ends.
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from handoffsite.errors import Conflict, Unwritten

LOCK_SECONDS = 30.0
PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
_FOLDER = 0o777
_FILE = 0o666
_TEMPORARY = ".tmp-"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)
_AT_FDCWD = -100
# What a file system without hard links, or one at its limit of them, answers.
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV, errno.ENOSYS}


def digest(data: bytes) -> str:
    """The SHA-256 of *data*, in hex."""
    return hashlib.sha256(data).hexdigest()


def digest_files(named: Iterable[tuple[str, Path]], most: int) -> str:
    """What tells these files, each by a name, from any others: by what they hold, so that it is the same on every machine.

    What is no file, or has more than *most* bytes, counts by its name and size alone; empty where there is nothing.
    """
    told = []
    for name, path in named:
        try:
            status = path.lstat()
            small = stat.S_ISREG(status.st_mode) and status.st_size <= most
            held = digest(path.read_bytes()) if small else str(status.st_size)
        except OSError:
            held = "unreadable"
        told.append(f"{name}\0{held}")
    return digest("\n".join(told).encode("utf-8", "surrogateescape")) if told else ""


def is_file(path: Path) -> bool:
    """Whether there is a file at *path*; what lies in a folder that is closed to this user is not there for it."""
    return os.path.isfile(path)


def write(path: Path, data: bytes, *, sync: bool = True, mode: int = _FILE) -> None:
    """Replace *path* by *data*, whole or not at all; *mode* is for a file that only its owner may read.

    With *sync*, the write is on disk and was read back before this returns: printed success is durable. Without, a power cut may
    lose or tear it; that is enough for what can be rebuilt and is verified when it is read.
    """
    temporary = f"{path.parent}/{_beginning(path.name)}{os.getpid()}-{os.urandom(6).hex()}"
    try:
        fill(temporary, data, sync=sync, mode=mode)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):  # what cannot be deleted now is litter, and cleared at the next start
            os.unlink(temporary)
        raise Unwritten(
            f"not written: {error.strerror}",
            file=str(path),
            hint="what stood there before still stands; mend the cause and run again",
        ) from error
    if sync:
        _confirm(path, data)


def create(path: Path, data: bytes) -> None:
    """Write a new file *path* durably; Conflict where it exists already."""
    if path.exists():
        raise Conflict("exists already", file=str(path))
    write(path, data)


def fill(path: str | Path, data: bytes, *, sync: bool = False, mode: int = _FILE) -> None:
    """Put *data* into the new file *path*, which nobody looks at yet; a fault leaves a part of it."""
    handle = os.open(path, _NEW, mode)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]
        if sync:
            os.fsync(handle)
    finally:
        os.close(handle)


def carry_over(source: str, target: str) -> None:
    """Let *target* be the same file as *source*: a link to it, or a copy of the same age where there can be no link."""
    if _linked(source, target):
        return
    status = os.lstat(source)
    if stat.S_ISLNK(status.st_mode):
        os.symlink(os.readlink(source), target)
        return
    fill(target, Path(source).read_bytes(), mode=stat.S_IMODE(status.st_mode))
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def copy_tree(source: Path, target: Path, without: frozenset[str]) -> None:
    """Copy the files of *source*, but for those of a name in *without*, to the new folder *target*; whoever asks owns them."""
    os.mkdir(target)
    for entry in sorted(os.scandir(source), key=lambda entry: entry.name):
        if entry.name in without:
            continue
        if entry.is_dir(follow_symlinks=False):
            copy_tree(Path(entry.path), target / entry.name, without)
        elif entry.is_file():
            fill(target / entry.name, Path(entry.path).read_bytes())


def remove(path: Path, *, sync: bool = True) -> None:
    """Delete *path*, durably with *sync*; nothing happens where it is gone already."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    if sync:
        sync_directory(path.parent)


def remove_tree(folder: Path) -> None:
    """Delete *folder* and all that is in it; nothing happens where it is gone already, or goes meanwhile."""
    with contextlib.suppress(FileNotFoundError):
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                remove_tree(Path(entry.path))
            else:
                remove(Path(entry.path), sync=False)
        os.rmdir(folder)


def rename(old: Path, new: Path) -> None:
    """Give *old* the free name *new*, durably."""
    os.rename(old, new)
    sync_directory(new.parent)


def take_place(new: Path, out: Path) -> None:
    """The folder *new* takes the place of *out* at once, with all its files; then *new* is what *out* was, or is gone.

    Both lie in one folder. What is in *new* is on disk before the two change places, and so is the change before this returns.
    """
    sync_file_system(new)
    if not out.exists():
        rename(new, out)
        return
    os.chmod(new, stat.S_IMODE(out.stat().st_mode))
    if not _exchanged(new, out):
        aside = out.with_name(f".{out.name}.last-{os.getpid()}")
        os.rename(out, aside)
        try:
            os.rename(new, out)
        except OSError:
            os.rename(aside, out)
            raise
        os.rename(aside, new)
    sync_directory(out.parent)


def sync_directory(folder: Path) -> None:
    """Make the names in *folder* durable: a rename is on disk only when its directory is."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_file_system(folder: Path) -> None:
    """Make everything below *folder* durable by one call: a thousand calls of fsync take seconds."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _syncfs(handle)
    finally:
        os.close(handle)


def clear_litter(folder: Path, *, shared: bool = False, of: str = "") -> int:
    """Delete what killed writers left in *folder*; the number of files deleted.

    Call it under the lock that those writers need; where they need none, say *shared*, and what a living process is writing stays.
    In a folder that is others' as well, only what was to become the file *of* that name goes.
    """
    begins = _beginning(of) if of else "."
    try:
        litter = [name for name in os.listdir(folder) if name.startswith(begins) and _TEMPORARY in name]
    except (FileNotFoundError, NotADirectoryError):
        return 0
    dead = [name for name in litter if not shared or not is_alive(name.rpartition(_TEMPORARY)[2].partition("-")[0])]
    for name in dead:
        remove(folder / name, sync=False)
    return len(dead)


def _beginning(name: str) -> str:
    """How the names of the temporary files begin that become *name*."""
    return f".{name[:100]}{_TEMPORARY}"


def is_alive(process: str) -> bool:
    """Whether another process of this number runs. This one does not count: what bears its number is of an earlier one, or is done."""
    if not process.isdecimal() or int(process) in {0, os.getpid()}:
        return False
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def make_folder(path: Path, *, mode: int = _FOLDER, sync: bool = True) -> Path:
    """*path* as a folder, made with all folders above it where it is missing; on disk with *sync*. An error where it is a file."""
    try:
        os.mkdir(path, mode)
    except FileNotFoundError:
        make_folder(path.parent, mode=mode, sync=sync)
        return make_folder(path, mode=mode, sync=sync)
    except FileExistsError:
        if not path.is_dir():
            raise
        return path
    if sync:
        sync_directory(path.parent)
    return path


def private_folder(path: Path) -> Path:
    """*path* as a folder that only its owner may enter, made where it is missing."""
    return make_folder(path, mode=PRIVATE_FOLDER)


def cache_folder(root: Path, *parts: str) -> Path | None:
    """A folder for what can be rebuilt, below *root*; None where there can be none that is ours alone.

    Every folder on the way, from *root* on, must be a real one, owned by this user and writable by nobody else.
    """
    folder = root
    try:
        for part in ("", *parts):
            folder = folder / part
            make_folder(folder, mode=PRIVATE_FOLDER, sync=False)
            status = folder.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
                return None
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def private_file(path: Path) -> Path:
    """*path* as a file that only its owner may read, made empty where it is missing: for what another library fills."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE_FILE))
    return path


@contextlib.contextmanager
def lock(path: Path, timeout: float = LOCK_SECONDS, *, mode: int = _FILE) -> Iterator[None]:
    """Hold *path* as a lock against other processes; Conflict after *timeout* seconds. The kernel frees it when the holder dies.

    Two calls of flock(2) rather than a library: filelock costs 90 ms to import, which is most of what a hook may take.
    """
    handle = _acquired(path, time.monotonic() + timeout, mode)
    if handle is None:
        hint = "try again when it has finished"
        raise Conflict(f"locked by another process for {timeout:.0f} s", file=str(path), hint=hint)
    try:
        yield
    finally:
        os.close(handle)


def _acquired(path: Path, deadline: float, mode: int) -> int | None:
    """A handle that holds the lock, or None at *deadline*. A file that was deleted while it was waited for holds nobody off."""
    pause = 0.001
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
        try:
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        os.close(handle)
                        return None
                time.sleep(pause)
                pause = min(pause * 2, 0.05)
        except OSError:
            os.close(handle)
            raise
        if _is_file(handle, path):
            return handle
        os.close(handle)


def _linked(source: str, target: str) -> bool:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return False
    return True


def _confirm(path: Path, data: bytes) -> None:
    try:
        sync_directory(path.parent)
        found = path.read_bytes()
    except OSError as error:
        hint = "mend the cause and run again: what stands there already is not written twice"
        raise Unwritten(f"written, but perhaps not on disk: {error.strerror}", file=str(path), hint=hint) from error
    if found != data:
        raise Unwritten("reads back otherwise than it was written", file=str(path), hint="the disk or mount cannot be trusted")


def _is_file(handle: int, path: Path) -> bool:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return False
    held = os.fstat(handle)
    return (found.st_dev, found.st_ino) == (held.st_dev, held.st_ino)


def _exchanged(new: Path, out: Path) -> bool:
    """Whether the kernel let the two folders change places in one step."""
    import ctypes  # noqa: PLC0415 -- as below

    call = getattr(ctypes.CDLL(None), "renameat2", None)
    return call is not None and call(_AT_FDCWD, os.fsencode(new), _AT_FDCWD, os.fsencode(out), _EXCHANGE) == 0


def _syncfs(handle: int) -> None:
    import ctypes  # noqa: PLC0415 -- costly to import, and most commands swap in nothing

    call = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if call is None:
        os.sync()
    elif call(handle) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
