"""What recording one decision costs as a project grows from 10 to 10,000 items, each a record of its own.

    python tests/benchmarks/adding.py [--runs 5]

Wall and CPU seconds of the whole process, medians; the process syncs its record and STATE.md before it ends.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from handoffsite.records import session
from handoffsite.records.decision import Decision
from handoffsite.records.session import SessionRecord
from handoffsite.store import sessions
from handoffsite.store.boundary import Boundary, load

ROOT = Path(__file__).parents[2]
SIZES = (10, 100, 1_000, 10_000)


def grow(boundary: Boundary, start: int, count: int) -> None:
    """Write *count* records of one decision each, without syncing them."""
    for number in range(start, start + count):
        when = f"2026-{1 + number // 86400 % 12:02}-01T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}Z"
        decision = Decision(title=f"Choose way {number}", topic=f"way-{number}", rationale="It keeps the file bounded")
        record = SessionRecord(source=f"act:{number}", project="p", recorded=when, title="Add decision", decisions=(decision,))
        numbered = session.numbered(record, {"S": number, "D": number})
        data = session.dumps(numbered).encode()
        (boundary.sessions / sessions.file_name(numbered, data)).write_bytes(data)


def timed(folder: Path, env: dict[str, str], *words: str) -> tuple[float, float]:
    """Wall and CPU seconds of one command of ours."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-m", "handoffsite", *words], cwd=folder, env=env, check=True, capture_output=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--runs", type=int, default=5)
    runs = words.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "p"
        folder.mkdir()
        env = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "",
            "HOME": name,
            "XDG_CACHE_HOME": f"{name}/cache",
            "PYTHONPATH": str(ROOT),
        }
        timed(folder, env, "init")
        there = 0
        for size in SIZES:
            grow(load(folder / ".handoff"), there, size - there)
            there = size
            timed(folder, env, "state")  # folds what was written behind the product's back
            costs = [timed(folder, env, "add", "decision", f"Another {size} {run}") for run in range(runs)]
            wall, cpu = (statistics.median(cost[part] for cost in costs) for part in (0, 1))
            print(f"{size:6} items: {wall:.3f} s, {cpu:.3f} s CPU", flush=True)


if __name__ == "__main__":
    main()
