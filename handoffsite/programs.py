"""Somebody else's program, run: without a shell, in a process group of its own, bounded in time and in output."""

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from handoffsite.errors import NotFound, Refused

MOST_OUTPUT = 16_000_000  # bytes, of both outputs together
GRACE = 0.5  # seconds from the request to end to the end
_PAUSE = 0.1  # seconds between two looks at whether a program ended whose pipes others hold
GIT_SECONDS = 120  # that git may take to lay out a working tree
_CHUNK = 65_536
_CLEAN = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a program ended.

    *status* is its exit status, or minus the number of the signal that ended it; None where it could not be ended. *stopped* names the limit that it
    ran into: `time`, `output`, or none. *stdout* and *stderr* hold what it said until then, *seconds* how long it ran.
    """

    command: tuple[str, ...]
    status: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    stopped: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with status 0."""
        return self.status == 0 and not self.stopped

    @property
    def output(self) -> str:
        """What it printed, as text; bytes that are none are shown as U+FFFD."""
        return self.stdout.decode("utf-8", "replace")

    @property
    def complaint(self) -> str:
        """The last line that it said of its failure, on either output."""
        for said in (self.stderr, self.stdout):
            lines = said[-_CHUNK:].decode("utf-8", "replace").split("\n")
            if last := next((line.strip() for line in reversed(lines) if line.strip()), ""):
                return last
        return ""


def clean(environment: Mapping[str, str]) -> dict[str, str]:
    """What of *environment* a program needs to run at all; no token, no key and no setting of another program."""
    return {name: environment[name] for name in _CLEAN if name in environment}


def run(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    seconds: float,
    text: str = "",
    most_output: int = MOST_OUTPUT,
) -> Outcome:
    """Run *command* in *folder* with *text* on its standard input, for at most *seconds*; how it ended.

    What it leaves running in its process group ends with it. A program without a slash is looked for in the PATH of *environment*; one with
    a slash is seen from *folder*. NotFound where there is none, Refused where it cannot be run.
    """
    program = _found(command, folder, environment)
    started = time.monotonic()
    process = _start([program, *command[1:]], folder, environment)
    talk = _Talk(process, text.encode("utf-8", "replace"), most_output)
    try:
        stopped = talk.until(started + seconds)
    finally:
        _end(process)
    return Outcome(
        command=tuple(command),
        status=process.returncode,
        stdout=bytes(talk.stdout),
        stderr=bytes(talk.stderr),
        seconds=time.monotonic() - started,
        stopped=stopped,
    )


@contextlib.contextmanager
def checkout(repository: Path, revision: str, environment: Mapping[str, str]) -> Iterator[Path]:
    """A clean working tree of *revision*, in a private folder of its own; gone afterwards. Refused where git cannot make it.

    One that a killed process left is forgotten by the next.
    """
    with tempfile.TemporaryDirectory(prefix="handoffsite-") as name:
        folder = Path(name) / "checkout"

        def git(*words: str) -> Outcome:
            return run(["git", "-C", str(repository), *words], folder=repository, environment=environment, seconds=GIT_SECONDS)

        git("worktree", "prune")
        made = git("worktree", "add", "--detach", "--quiet", str(folder), revision)
        if not made.succeeded:
            raise Refused(
                f"git cannot check out {revision[:40]}: {made.complaint}", hint="commit the result, and name its revision"
            )
        try:
            yield folder
        finally:
            git("worktree", "remove", "--force", str(folder))


def isolated(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> tuple[list[str], bool]:
    """*command* cut off from every network, and whether this system could do that; else *command* as it is."""
    alone = ["unshare", "--map-root-user", "--net", "--"]
    try:
        works = run([*alone, "true"], folder=folder, environment=environment, seconds=GRACE * 10).succeeded
    except (NotFound, Refused):
        works = False
    return ([*alone, *command], True) if works else (list(command), False)


def _found(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    if not command or not command[0]:
        raise Refused("no program is named", hint="a command is a list: the program, then each argument by itself")
    if not folder.is_dir():
        raise NotFound("no such folder to run a program in", file=str(folder))
    name = command[0]
    if "/" in name:
        path = folder / name
        if not path.exists():
            raise NotFound(f"no program {name}", hint="give its whole path")
        if not path.is_file() or not os.access(path, os.X_OK):
            raise Refused(f"{name} is no program that may be run", hint=f"chmod +x {name}, or name what is to run it")
        return str(path.absolute())
    # A relative entry of PATH would let the folder say which program runs.
    entries = environment.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which(name, path=os.pathsep.join(entry for entry in entries if entry.startswith("/")))
    if found is None:
        raise NotFound(f"no program {name}", hint="install it, give its whole path, or add its folder to PATH")
    return found


def _start(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 -- a list of arguments, and no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # not executable after all, too many arguments, a NUL in one of them
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Refused(f"{command[0]} cannot be run: {reason}") from error


class _Talk:
    """Gives a program its input and takes its outputs, whichever it is ready for."""

    def __init__(self, process: subprocess.Popen[bytes], data: bytes, most: int) -> None:
        self.stdout = bytearray()
        self.stderr = bytearray()
        self._process = process
        self._data = memoryview(data)
        self._left = most

    def until(self, deadline: float) -> str:
        """Talk until the program ends; which limit it ran into, if any."""
        with selectors.DefaultSelector() as selector:
            for pipe, event, kept in (
                (self._process.stdin, selectors.EVENT_WRITE, None),
                (self._process.stdout, selectors.EVENT_READ, self.stdout),
                (self._process.stderr, selectors.EVENT_READ, self.stderr),
            ):
                assert pipe is not None
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, event, kept)
            stopped = self._exchange(selector, deadline)
        if not stopped:
            try:
                self._process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                return "time"
        return stopped

    def _exchange(self, selector: selectors.BaseSelector, deadline: float) -> str:
        has_ended = False
        while selector.get_map():
            now = time.monotonic()
            if now >= deadline:
                return "" if has_ended else "time"
            ready = selector.select(0 if has_ended else min(_PAUSE, deadline - now))
            if has_ended and not ready:
                return ""
            for key, _ in ready:
                if not (self._give(key) if key.data is None else self._take(key)):
                    selector.unregister(key.fileobj)
                    key.fileobj.close()  # type: ignore[union-attr]
            if self._left < 0:
                return "output"
            if not has_ended and self._process.poll() is not None:
                # Whoever else holds its pipes may do so for ever; what it wrote itself is in them already.
                _signal(self._process, signal.SIGKILL)
                has_ended, deadline = True, now + GRACE
        return ""

    def _give(self, key: selectors.SelectorKey) -> bool:
        """Whether the program is to get more input."""
        try:
            self._data = self._data[os.write(key.fd, self._data[:_CHUNK]) :]
        except BlockingIOError:
            return True
        except OSError:  # it reads no more
            return False
        return len(self._data) > 0

    def _take(self, key: selectors.SelectorKey) -> bool:
        """Whether the program may say more."""
        try:
            data = os.read(key.fd, _CHUNK)
        except BlockingIOError:
            return True
        key.data.extend(data[: max(0, self._left)])
        self._left -= len(data)
        return bool(data)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End *process* and all of its group, by force where asking does not help."""
    if process.poll() is None:
        _signal(process, signal.SIGTERM)
        _wait(process)
    _signal(process, signal.SIGKILL)
    _wait(process)  # not for ever: another user's process, or one that waits for a dead disk, outlives this
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _wait(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
