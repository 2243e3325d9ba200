"""How many moves a second the task ledger takes, and how long each waits; and that none of them is lost, or made twice.

python tests/benchmarks/ledger.py [--clients 64] [--tasks 1000] [--postgres]

The clients are threads of one process with connections of their own. Each task is moved from its creation to its end by two of them at once, who
both ask for every move at the version that they see: one wins, the other is told that it is late. Afterwards every history is replayed.
"""

import argparse
import contextlib
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from handoffsite.errors import Stale  # noqa: E402 -- as below
from handoffsite.store import ledger as ledgers  # noqa: E402 -- as below
from handoffsite.store.ledger import Ledger  # noqa: E402 -- as below
from handoffsite.store.ledger_postgres import PostgresEngine  # noqa: E402 -- as below
from handoffsite.store.ledger_sqlite import SqliteEngine  # noqa: E402 -- as below
from handoffsite.store.ledger_tables import Engine  # noqa: E402 -- as below
from tests.postgres import server  # noqa: E402 -- no package holds the tests
from tests.store.test_ledger import create, move  # noqa: E402 -- the same

MOVES = ("offer", "accept", "start", "submit-result", "retest")


class Client(threading.Thread):
    """Moves the tasks that it is given, one after the other, until there are none; counts what it won and lost."""

    def __init__(self, name: str, ledger: Ledger, given: "queue.SimpleQueue[tuple[str, threading.Barrier] | None]") -> None:
        super().__init__(name=name)
        self.ledger, self.given = ledger, given
        self.seconds: list[float] = []
        self.won: dict[tuple[str, int], int] = {}
        self.late = 0

    def run(self) -> None:
        """Until there is nothing more to do."""
        while one := self.given.get():
            id, together = one
            for version, event in enumerate(MOVES, 1):
                together.wait()
                self._move(id, event, version)

    def _move(self, id: str, event: str, version: int) -> None:
        began = time.perf_counter()
        try:
            move(self.ledger, event, version, id=id, key=f"{self.name}-{id}-{version}")
        except Stale as error:
            self.late += error.version == version + 1
            return
        self.seconds.append(time.perf_counter() - began)
        self.won[id, version + 1] = 1


def play(ledger: Ledger, clients: int, tasks: int) -> None:
    """Let the *clients* move the *tasks*, print how fast they were, and check what is there afterwards."""
    queues = [queue.SimpleQueue[tuple[str, threading.Barrier] | None]() for _ in range(clients // 2)]
    crowd = [Client(f"c{number}", ledger, queues[number // 2]) for number in range(clients // 2 * 2)]
    for number in range(tasks):
        create(ledger, f"t-{number}")
    for number in range(tasks):
        one = (f"t-{number}", threading.Barrier(2))
        for _ in range(2):  # both of a pair wait for each other, so neither takes a task twice
            queues[number % len(queues)].put(one)
    for waiting in queues:
        for _ in range(2):
            waiting.put(None)
    began = time.perf_counter()
    for client in crowd:
        client.start()
    for client in crowd:
        client.join()
    took = time.perf_counter() - began
    seconds = sorted(second for client in crowd for second in client.seconds)
    assert len(seconds) == tasks * len(MOVES) == sum(client.late for client in crowd)
    assert len({won for client in crowd for won in client.won}) == len(seconds)
    assert [] == ledger.problems()
    assert all([*range(1, 7)] == [entry.event.version for entry in entries] for _, entries in ledger.histories())
    p50, p95 = (seconds[int(len(seconds) * part)] * 1000 for part in (0.5, 0.95))
    print(f"{clients:>8}{tasks:>8}{len(seconds) / took:>10.0f}/s{p50:>9.1f}{p95:>9.1f} ms   none lost, none twice, all replayed")


@contextlib.contextmanager
def engine(*, postgres: bool) -> Iterator[Engine]:
    """A new database of that kind."""
    if postgres:
        with server() as url, contextlib.closing(PostgresEngine(url)) as made:
            yield made
        return
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(SqliteEngine(Path(folder))) as embedded:
        yield embedded


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--clients", type=int, default=64)
    words.add_argument("--tasks", type=int, default=1000)
    words.add_argument("--postgres", action="store_true")
    given = words.parse_args()
    print(f"{'clients':>8}{'tasks':>8}{'moves':>12}{'median':>9}{'p95':>9}   {'PostgreSQL' if given.postgres else 'SQLite'}")
    with engine(postgres=given.postgres) as made:
        play(ledgers.opened(made, "0" * 32), given.clients, given.tasks)


if __name__ == "__main__":
    main()
