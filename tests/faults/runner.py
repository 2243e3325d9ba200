"""Command lines of ours, each in a process of its own that a fault may kill; forked from one that has loaded everything already.

The process reads jobs from standard input and answers on standard output, both pickled.
"""

import contextlib
import gc
import io
import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults import disk
from tests.faults.disk import Call, Disk

ROOT = Path(__file__).parents[2]
CLOCK = 1_793_000_000
_FIRST = (
    ("init",),
    ("end", "--note", "-"),
    ("add", "decision", "Load it"),
    ("state",),
    ("build",),
    ("check", "--json"),
    ("retire", "D-1"),
    ("search", "everything"),
    ("end", "--transcript", "-"),
    ("purge", "narrative", "--reason", "r"),
    ("import", "transcripts", "."),
)


@dataclass(frozen=True, kw_only=True)
class Job:
    """Command lines to run, one after another, in *cwd* with *home*; *fault* names a function of `disk` and its arguments.

    *patch* is code that runs first, to break our own. *seed* makes what is random the same each time; with *steady*, all of it. With *acks*, the file of that
    name gets a line for each command that said it was done. *within* seconds the process is killed.
    """

    commands: tuple[tuple[str, ...], ...]
    cwd: str
    home: str
    stdin: str = ""
    seed: str = ""
    fault: tuple[Any, ...] = ("nowhere",)
    keep: bool = False
    patch: str = ""
    acks: str = ""
    within: float = 0
    umask: int = 0o022
    steady: bool = False
    at: int = CLOCK


@dataclass(frozen=True, kw_only=True)
class Ran:
    """How a job ended: *status* is that of its last command, or a signal's number below zero; *calls* are those *tried* that worked."""

    status: int
    out: str
    err: str
    count: int = 0
    calls: Sequence[Call] = ()
    tried: Sequence[tuple[str, str]] = ()
    points: frozenset[str] = frozenset()
    struck: str = ""
    seconds: float = 0


class Runner:
    """The process that forks."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from tests.faults.runner import serve; serve()"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, *jobs: Job) -> list[Ran]:
        """Run *jobs* at the same moment."""
        assert self._process.stdin
        assert self._process.stdout
        pickle.dump(jobs, self._process.stdin)
        self._process.stdin.flush()
        found: list[Ran] = pickle.load(self._process.stdout)
        return found

    def one(self, *words: str, cwd: Path, home: Path, **how: Any) -> Ran:
        """Run one command line."""
        return self.run(Job(commands=(words,), cwd=str(cwd), home=str(home), **how))[0]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def serve() -> None:
    """Answer jobs until standard input ends."""
    questions, answers, sys.stdout = sys.stdin.buffer, sys.stdout.buffer, io.TextIOWrapper(io.BytesIO())
    with tempfile.TemporaryDirectory() as folder:
        _load(Path(folder))
        while True:
            try:
                jobs = pickle.load(questions)
            except EOFError:
                os.chdir(ROOT)
                return
            pickle.dump(_together(jobs, Path(folder) / "ran"), answers)
            answers.flush()


def _load(folder: Path) -> None:
    """Run each command once, so that everything is loaded that a fork would load again."""
    from handoffsite.cli.main import main

    os.environ.update({"HOME": str(folder), "SOURCE_DATE_EPOCH": str(CLOCK)})
    os.chdir(folder)
    for words in _FIRST:
        sys.stdin = io.TextIOWrapper(io.BytesIO(b"## Decisions\n- Load everything\n\nA narrative.\n"))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(words)
    gc.freeze()


def _together(jobs: Sequence[Job], folder: Path) -> list[Ran]:
    folder.mkdir(exist_ok=True)
    started = [(_forked(job, folder / str(number)), job, time.monotonic()) for number, job in enumerate(jobs)]
    found: dict[int, Ran] = {}
    while len(found) < len(jobs):
        for number, (process, job, since) in enumerate(started):
            if number in found:
                continue
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                found[number] = _result(folder / str(number), os.waitstatus_to_exitcode(status), time.monotonic() - since)
            elif job.within and time.monotonic() - since > job.within:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        time.sleep(0.0005)
    return [found[number] for number in range(len(jobs))]


def _result(path: Path, status: int, seconds: float) -> Ran:
    texts = [path.with_suffix(suffix).read_text(errors="replace") for suffix in (".out", ".err")]
    rest = {}
    told = path.with_suffix(".told")
    if told.exists():
        rest = pickle.loads(told.read_bytes())
        told.unlink()
    return Ran(status=status, out=texts[0], err=texts[1], seconds=seconds, **rest)


def _forked(job: Job, path: Path) -> int:
    process = os.fork()
    if process:
        return process
    status = 70
    try:
        status = _child(job, path)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _child(job: Job, path: Path) -> int:
    from handoffsite import durable
    from handoffsite.cli.main import main

    for handle, suffix in ((1, ".out"), (2, ".err")):
        os.dup2(os.open(path.with_suffix(suffix), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), handle)
    sys.stdout, sys.stderr = (open(handle, "w", encoding="utf-8", closefd=False) for handle in (1, 2))
    os.umask(job.umask)
    os.environ.clear()
    os.environ.update({"HOME": job.home, "PATH": os.defpath, "SOURCE_DATE_EPOCH": str(job.at), "HANDOFFSITE_TRACEBACK": ""})
    os.chdir(job.cwd)
    dice = random.Random(job.seed or repr(job.commands))
    os.urandom = (lambda size: random.Random(job.seed).randbytes(size)) if job.steady else dice.randbytes
    exec(job.patch, {})
    decide = getattr(disk, job.fault[0])
    disk_here = Disk(decide(*job.fault[1:]) if job.fault[1:] else decide, keep=job.keep)
    patched: Mapping[str, Any] = {
        "os": disk_here,
        "_syncfs": disk_here.syncfs(durable._syncfs),
        "_exchanged": disk_here.exchange(durable._exchanged),
    }
    for name, value in patched.items():
        setattr(durable, name, value)
    status = 0
    for words in job.commands:
        sys.stdin = io.TextIOWrapper(io.BytesIO(job.stdin.encode()))
        status = main(words)
        if job.acks and status == 0:
            handle = os.open(job.acks, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.write(handle, f"{words[-1]}\n".encode())
            os.close(handle)
    told = {
        "count": disk_here.count,
        "calls": disk_here.calls,
        "tried": disk_here.tried,
        "points": frozenset(disk_here.points),
        "struck": disk_here.struck,
    }
    path.with_suffix(".told").write_bytes(pickle.dumps(told))
    return status
