"""What the main job costs on generated sessions: CPU seconds of whole processes, medians, peers in the same run.

    python tests/benchmarks/sessions.py [--generator gen_sessions.py] [--runs 3]

The generator of the sessions is looked for beside the checkout; a peer (claude-code-transcripts, ai-code-sessions, claude-code-log) is
run where its command is installed. Nothing here asserts a time: machines differ. Compare figures of one run.
"""

import argparse
import functools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT.parent / "shared" / "tools" / "gen_sessions.py"
PEERS = {
    "claude-code-transcripts": ["claude-code-transcripts", "all", "--source", "{logs}", "--output", "{out}"],
    "ai-code-sessions": ["ai-code-sessions", "all", "--source", "{logs}", "--output", "{out}"],
    "claude-code-log": ["claude-code-log", "--all-projects", "--no-cache", "--output", "{out}"],
}


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds and the largest process's memory in MiB."""

    cpu: float
    peak: float


class Bench:
    """A folder of its own: logs, a workspace, a home."""

    def __init__(self, folder: Path, logs: Path) -> None:
        self.folder, self.logs = folder, logs
        self.space = folder / "space"
        self.home = folder / "home"
        (self.home / ".claude").mkdir(parents=True)
        (self.home / ".claude" / "projects").symlink_to(logs)  # where one peer insists on looking

    def run(self, *words: str, cwd: Path | None = None) -> Cost:
        """Run one command of ours; what it cost."""
        return self.measure([sys.executable, "-m", "handoffsite", *words], cwd or self.space)

    def measure(self, command: Sequence[str], cwd: Path) -> Cost:
        """What *command* cost, as the system accounts it."""
        env = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "",
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "PYTHONPATH": str(ROOT),
        }
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen(command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=said)
            _, status, used = os.wait4(process.pid, 0)  # of this process and its own alone
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            if process.returncode:
                sys.exit(f"{' '.join(command)}: exit {process.returncode}: {said.read()[-500:]}")
        return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)

    def fresh(self) -> None:
        """An empty workspace and an empty cache."""
        shutil.rmtree(self.space, ignore_errors=True)
        shutil.rmtree(self.home / "cache", ignore_errors=True)
        self.space.mkdir()
        self.run("init", "--workspace")


def size_of(folder: Path) -> tuple[int, int]:
    """Files and bytes below *folder*."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return len(files), sum(path.stat().st_size for path in files)


def repeated(times: int, prepare: Callable[[], object], job: Callable[[], Cost]) -> Cost:
    """The median of *times* runs of *job*, each after *prepare*."""
    costs = []
    for _ in range(times):
        prepare()
        costs.append(job())
    return Cost(statistics.median(cost.cpu for cost in costs), max(cost.peak for cost in costs))


def add(*costs: Cost) -> Cost:
    """Several commands as one job."""
    return Cost(sum(cost.cpu for cost in costs), max(cost.peak for cost in costs))


def measure(bench: Bench, runs: int) -> None:
    """Print what each job costs."""

    def cold() -> Cost:
        return add(bench.run("import", "transcripts", str(bench.logs)), bench.run("build"))

    def extraction() -> Cost:
        return bench.run("import", "transcripts", str(bench.logs))

    def without_index() -> Cost:
        """As `cold`, but the index is there already: what the build that made it costs is not counted, and nothing else is left of it."""
        extracted = extraction()
        bench.run("build")
        shutil.rmtree(bench.space / "build")
        shutil.rmtree(bench.home / "cache" / "handoffsite" / "templates")
        return add(extracted, bench.run("build"))

    def again() -> Cost:
        return add(extraction(), bench.run("build"))

    def append() -> None:
        log = min(bench.logs.glob("*/*.jsonl"))
        last = json.loads(next(line for line in reversed(log.read_text().splitlines()) if '"user"' in line))
        last["uuid"] = os.urandom(16).hex()
        last["message"] = {"role": "user", "content": f"One more thing {os.urandom(3).hex()}"}
        with log.open("a") as file:
            file.write(json.dumps(last) + "\n")

    show("cold extraction", repeated(runs, bench.fresh, extraction))
    show("cold extraction and site", repeated(runs, bench.fresh, without_index))
    show("cold extraction, site and index", repeated(runs, bench.fresh, cold))
    files, size = size_of(bench.space / "build")
    print(f"{'site':40} {files} files, {size / 1e6:.1f} MB")
    show("nothing changed: import and build", repeated(runs, lambda: None, again))
    show("one message appended: import and build", repeated(runs, append, again))
    project = bench.space / "content" / "proj0"
    show("search, cold process", repeated(runs, lambda: None, lambda: bench.run("search", "watchdog", "archive", cwd=project)))
    show(
        "add decision",
        repeated(runs, lambda: None, lambda: bench.run("add", "decision", f"Choice {os.urandom(4).hex()}", cwd=project)),
    )
    show("--help", repeated(runs * 3, lambda: None, lambda: bench.run("--help")))


def peers(bench: Bench, runs: int) -> None:
    """Print what each installed peer costs on the same logs; none of them extracts or indexes."""
    for name, command in PEERS.items():
        if shutil.which(command[0]) is None:
            print(f"{name:40} not installed")
            continue
        out = bench.folder / "peer"
        words = [word.format(logs=bench.logs, out=out) for word in command]
        clear = functools.partial(shutil.rmtree, out, ignore_errors=True)
        show(name, repeated(runs, clear, functools.partial(bench.measure, words, bench.folder)))


def show(name: str, cost: Cost) -> None:
    """One line of the table."""
    print(f"{name:40} {cost.cpu:6.2f} s CPU  {cost.peak:5.0f} MiB", flush=True)


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--generator", type=Path, default=GENERATOR)
    words.add_argument("--runs", type=int, default=3)
    words.add_argument("--sessions", type=int, default=200)
    given = words.parse_args()
    if not given.generator.is_file():
        sys.exit(f"no generator of sessions at {given.generator}: name one with --generator")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        logs = folder / "logs"
        subprocess.run([sys.executable, given.generator, logs, "--sessions", str(given.sessions)], check=True)
        bench = Bench(folder, logs)
        measure(bench, given.runs)
        peers(bench, given.runs)


if __name__ == "__main__":
    main()
