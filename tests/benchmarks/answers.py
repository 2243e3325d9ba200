"""What an answer costs in a project of 10,000 documents: a cold search, one after a record, and what a running MCP server says.

    python tests/benchmarks/answers.py [--documents 10000] [--runs 60]

Commands in CPU seconds of the whole process, medians; the server's answers in milliseconds of wall clock, p50 and p95, over a real pipe,
with a record added by another process now and then. Nothing here asserts a time: machines differ.
"""

import argparse
import itertools
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from handoffsite.records import session
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.session import SessionRecord
from handoffsite.store import sessions
from handoffsite.store.boundary import Boundary, load

ROOT = Path(__file__).parents[2]
EACH = 7  # documents of a session: itself and its items
ENGINES = ("whoosh", "fts5")


class Bench:
    """A project, and a home of its own."""

    def __init__(self, folder: Path, engine: str) -> None:
        self.project, self.home = folder / "p", folder
        self.project.mkdir()
        settings = folder / ".config" / "handoffsite"
        settings.mkdir(parents=True)
        (settings / "config.toml").write_text(f'engine = "{engine}"\n', encoding="utf-8")
        self.env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "HOME": str(folder), "PYTHONPATH": str(ROOT)}
        self.env = {name: value for name, value in self.env.items() if not name.startswith("XDG_")}

    def run(self, *words: str) -> float:
        """CPU seconds of one command of ours."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "handoffsite", *words], cwd=self.project, env=self.env, check=True, capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def grow(boundary: Boundary, documents: int) -> list[str]:
    """Write sessions with *documents* together, without syncing them; some of their words."""
    chance = random.Random(4)
    words = [
        "".join(chance.choice("bcdfglmnprst") + chance.choice("aeiou") for _ in range(chance.randint(2, 4))) for _ in range(8_000)
    ]
    heavy = list(itertools.accumulate(1 / (place + 5) for place in range(len(words))))

    def text(length: int) -> str:
        return " ".join(chance.choices(words, cum_weights=heavy, k=length))

    numbers = {"S": 1, "D": 1, "C": 1}
    for number in range(documents // EACH):
        when = f"2026-{1 + number // 2_000 % 12:02}-{1 + number // 100 % 28:02}T{number % 24:02}:{number % 60:02}:00Z"
        record = SessionRecord(
            source=f"codex:{number}",
            project="p",
            recorded=when,
            title=text(6),
            focus=text(8),
            narrative=text(60),
            decisions=tuple(Decision(title=text(6), topic=text(1), rationale=text(30)) for _ in range(2)),
            constraints=(Constraint(tried=text(7), outcome=text(6), because=text(10)),),
            completed=tuple(Completed(text=text(10)) for _ in range(2)),
            dependencies=(Dependency(ecosystem="pypi", name=text(1), change="added", after="1.2", file="pyproject.toml"),),
        )
        record = session.numbered(record, numbers)
        numbers = {"S": numbers["S"] + 1, "D": numbers["D"] + 2, "C": numbers["C"] + 1}
        data = session.dumps(record).encode()
        (boundary.sessions / sessions.file_name(record, data)).write_bytes(data)
    return words


def commands(bench: Bench, words: list[str], runs: int) -> None:
    """Print what commands of a process of their own cost."""
    chance = random.Random(5)

    def median(*given: str) -> float:
        return statistics.median(bench.run(*given) for _ in range(runs))

    print(f"  {'search, cold process':34} {median('search', words[40]):6.2f} s CPU")
    print(f"  {'search of two words, one unknown':34} {median('search', words[40], 'bapotixu'):6.2f} s CPU")
    after = []
    for _ in range(runs):
        bench.run("add", "decision", f"Another {chance.random()}")
        after.append(bench.run("search", words[40]))
    print(f"  {'search after a record':34} {statistics.median(after):6.2f} s CPU", flush=True)


class Client:
    """What speaks to a server over a pipe, a line at a time."""

    def __init__(self, bench: Bench) -> None:
        command = [sys.executable, "-m", "handoffsite", "mcp"]
        self.server = subprocess.Popen(
            command, cwd=bench.project, env=bench.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.number = 0
        start = time.perf_counter()
        given = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", given)
        self.started = time.perf_counter() - start
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to one request."""
        self.number += 1
        self._send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            line = self.server.stdout.readline() if self.server.stdout else ""
            found = json.loads(line) if line else sys.exit("the server ended")
            if found.get("id") == self.number:
                return found["result"]

    def close(self) -> None:
        """Let the server end."""
        if self.server.stdin:
            self.server.stdin.close()
        self.server.wait(timeout=30)

    def _send(self, message: dict[str, Any]) -> None:
        if self.server.stdin:
            self.server.stdin.write(f"{json.dumps(message)}\n")
            self.server.stdin.flush()


def answers(bench: Bench, words: list[str], runs: int) -> None:
    """Print how long a running server takes for each of its tools."""
    chance, client = random.Random(6), Client(bench)
    asked: dict[str, Callable[[], dict[str, Any]]] = {
        "search": lambda: {"query": chance.choice(words[20:])},
        "search, two words": lambda: {"query": " ".join(chance.sample(words[20:400], 2))},
        "search, misspelt": lambda: {"query": f"{chance.choice(words)[:-1]}x"},
        "show": lambda: {"id": f"D-{chance.randint(1, 2_000)}"},
        "state": dict,
        "pack": lambda: {"for": " ".join(chance.sample(words[:400], 8))},
        "check_plan": lambda: {"plan": f"Use {' '.join(chance.sample(words[:400], 8))}."},
        "work": lambda: {"action": "show"},
    }
    print(f"  {'start of the server':34} {1e3 * client.started:6.0f} ms")
    for name, make in asked.items():
        times = []
        for number in range(runs):
            if number % 20 == 19:
                bench.run("add", "decision", f"Another {chance.random()}")
            given, start = make(), time.perf_counter()
            answer = client.ask("tools/call", {"name": name.partition(",")[0], "arguments": given})
            times.append(1e3 * (time.perf_counter() - start))
            if answer.get("isError"):
                sys.exit(f"{name}: {answer}")
        times.sort()
        print(f"  {name:34} {times[len(times) // 2]:6.1f} / {times[int(len(times) * 0.95)]:6.1f} ms", flush=True)
    client.close()


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--documents", type=int, default=10_000)
    words.add_argument("--runs", type=int, default=60)
    given = words.parse_args()
    for engine in ENGINES:
        with tempfile.TemporaryDirectory() as name:
            bench = Bench(Path(name), engine)
            bench.run("init")
            known = grow(load(bench.project / ".handoff"), given.documents)
            bench.run("search", known[40])  # folds and indexes what was written behind the product's back
            print(f"{engine}, {given.documents:,} documents")
            commands(bench, known, 5)
            answers(bench, known, given.runs)


if __name__ == "__main__":
    main()
