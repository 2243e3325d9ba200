"""The search engines side by side, with peers in the same run: what an index costs to make, to update, to open and to ask.

    python tests/benchmarks/engines.py [--sizes 1000 10000 100000] [--engines whoosh fts5 …]

Each job is a process of its own, and CPU seconds are that process's. So are the milliseconds of answers, but for PostgreSQL's, which are
wall clock, since another process does half of the work.
Peers are FTS5 with its own tokenizer, and Tantivy (`pip install tantivy`): they rank by themselves, and know neither identifiers nor
kinds; what is not installed is said. Each query is asked three times, and its best time counts.
"""

import argparse
import contextlib
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

OURS = ("whoosh", "fts5", "postgres")
PEERS = ("plain fts5", "tantivy")
PROJECT = "bench"
QUERIES = 100  # of each kind
CHANGED = 10

Ask = Callable[[str], int]


class Store(Protocol):
    """One engine, with its index in a folder or at a URL."""

    def update(self, documents: list[Any], version: int) -> None:
        """Make the index, or bring it in line with *documents*, of which `CHANGED` are others than in the version before."""

    def opened(self) -> Ask:
        """What answers a query: it gives the number of documents that are shown."""


def corpus(count: int) -> list[Any]:
    """*count* documents of words drawn by Zipf's law, an identifier among twelve words; the same every time."""
    from handoffsite.search.documents import Document

    chance = random.Random(4)
    words = [
        "".join(chance.choice("bcdfglmnprst") + chance.choice("aeiou") for _ in range(chance.randint(2, 4)))
        for _ in range(20_000)
    ]
    heavy = list(itertools.accumulate(1 / (place + 5) for place in range(len(words))))

    def text(length: int) -> str:
        drawn = chance.choices(words, cum_weights=heavy, k=length)
        return " ".join(
            word if chance.random() > 1 / 12 else f"{word}_{chance.choice(words)}.{chance.choice('abc')}" for word in drawn
        )

    common: dict[str, Any] = {
        "kind": "decision",
        "status": "accepted",
        "live": True,
        "topic": "",
        "session": "S-1-k3f",
        "url": "",
    }
    ids = (f"D-{number}-k3f" for number in range(1, count + 1))
    return [Document(id=id, title=text(6), body=text(60), date="2026-11-30T18:00:00Z", names=(id,), **common) for id in ids]


def changed(documents: list[Any]) -> list[Any]:
    """*documents*, `CHANGED` of them with another title."""
    step = len(documents) // CHANGED
    return [replace(one, title=f"{one.title} again") if place % step == 7 else one for place, one in enumerate(documents)]


def questions(documents: list[Any]) -> dict[str, list[str]]:
    """Queries by kind, all of which find something."""
    chance = random.Random(7)

    def of(make: Callable[[list[str]], str]) -> list[str]:
        return [make([word for word in chance.choice(documents).body.split() if word.isalpha()]) for _ in range(QUERIES)]

    return {
        "word": of(lambda words: f'"{chance.choice(words)}"'),
        "two words": of(lambda words: " ".join(f'"{word}"' for word in chance.sample(words, 2))),
        "phrase": of(lambda words: f'"{words[3]} {words[4]}"'),
        "beginning": of(lambda words: chance.choice(words)[:4]),
        "identifier": [next(word for word in chance.choice(documents).body.split() if "_" in word) for _ in range(QUERIES)],
    }


class Own:
    """One of our engines, as a command uses it."""

    def __init__(self, name: str, folder: Path, url: str) -> None:
        from handoffsite.search.shared import Shared

        self.name, self.folder = name, folder / "index"
        self.kind: Any = Shared(url=url, project=PROJECT) if name == "postgres" else name

    def update(self, documents: list[Any], version: int) -> None:
        from handoffsite.search.current import stamped
        from handoffsite.search.engine import Content
        from handoffsite.search.kept import kept

        known = frozenset({"S-1-k3f"})
        first = Content(documents=documents, stamp=stamped(f"{version:064}"), records=known, generation=version)
        index = kept(self.folder, self.kind)
        if version == 1:
            index.update(first, 600)
            return
        ids = frozenset(one.id for one in documents if one.title.endswith(" again"))
        content = replace(
            first, documents=[one for one in documents if one.id in ids], ids=ids, since=stamped(f"{version - 1:064}")
        )
        if not index.advance(content, 600):
            index.update(first, 600)

    def opened(self) -> Ask:
        from handoffsite.search.query import Index

        index = Index(self.folder, kind=self.kind)
        return lambda query: len(index.search(query).hits)


class PlainFts5:
    """FTS5 with its own tokenizer and its own order, each text kept in the index."""

    def __init__(self, folder: Path) -> None:
        import sqlite3

        self.base = sqlite3.connect(folder / "plain.sqlite", isolation_level=None)

    def update(self, documents: list[Any], version: int) -> None:
        self.base.execute("BEGIN")
        if version == 1:
            self.base.execute("CREATE VIRTUAL TABLE term USING fts5(id UNINDEXED, title, body)")
            self.base.executemany("INSERT INTO term VALUES (?, ?, ?)", ((one.id, one.title, one.body) for one in documents))
        for place, one in enumerate(documents if version > 1 else (), 1):
            if one.title.endswith(" again"):
                self.base.execute("UPDATE term SET title = ? WHERE rowid = ?", (one.title, place))
        self.base.execute("COMMIT")

    def opened(self) -> Ask:
        query = "SELECT id, title, snippet(term, 2, '', '', '…', 24) FROM term WHERE term MATCH ? ORDER BY bm25(term, 0, 2, 1) LIMIT 10"
        return lambda asked: len(self.base.execute(query, (_for_fts5(asked),)).fetchall())


def _for_fts5(asked: str) -> str:
    return asked if '"' in asked else f'"{asked}"*' if asked.isalpha() else f'"{asked}"'


class Tantivy:
    """Tantivy with its own tokenizer and its own order."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        self.lib = tantivy
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw")
        for name in ("title", "body"):
            schema.add_text_field(name, stored=True)
        self.schema = schema.build()
        (folder / "tantivy").mkdir(exist_ok=True)
        self.index = tantivy.Index(self.schema, path=str(folder / "tantivy"))

    def update(self, documents: list[Any], version: int) -> None:
        writer = self.index.writer(num_threads=1)
        for one in documents:
            if version == 1 or one.title.endswith(" again"):
                writer.delete_documents_by_term("id", one.id)
                writer.add_document(self.lib.Document(id=one.id, title=one.title, body=one.body))
        writer.commit()
        writer.wait_merging_threads()

    def opened(self) -> Ask:
        self.index.reload()
        searcher = self.index.searcher()

        def ask(asked: str) -> int:
            if asked.isalpha():
                query = self.lib.Query.regex_query(self.schema, "body", f"{asked}.*")
            else:
                query, _ = self.index.parse_query_lenient(asked.replace('" "', '" AND "'), ["title", "body"])
            return len([searcher.doc(address).to_dict() for _, address in searcher.search(query, 10).hits])

        return ask


def store_of(engine: str, folder: Path, url: str) -> Store:
    """The engine of that name."""
    if engine in OURS:
        return Own(engine, folder, url)
    return PlainFts5(folder) if engine == "plain fts5" else Tantivy(folder)


def job(engine: str, name: str, size: int, folder: Path, url: str) -> dict[str, Any]:
    """One job, in this process: what it cost."""
    asked = folder.with_name(f"{folder.name}.json")
    if name == "questions":
        asked.write_text(json.dumps(questions(corpus(size))), encoding="utf-8")
        return {}
    store = store_of(engine, folder, url)
    if name == "cold":
        return {"shown": store.opened()("bapo")}
    if name == "warm":
        ask, found, clock = store.opened(), {}, time.perf_counter if engine == "postgres" else time.process_time
        for kind, queries in json.loads(asked.read_text(encoding="utf-8")).items():
            times = sorted(_timed(ask, query, clock) for query in queries)
            found[kind] = [1e3 * times[len(times) // 2], 1e3 * times[int(len(times) * 0.95)]]
        return {"answers": found, "memory": _peak()}
    documents = corpus(size) if name == "build" else changed(corpus(size))
    start = time.process_time()
    store.update(documents, 1 if name == "build" else 2)
    return {"cpu": time.process_time() - start}


def _peak() -> float:
    """The most memory that this process has held, in MiB; what its parent held when it was made is not counted."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _timed(ask: Ask, query: str, clock: Callable[[], float]) -> float:
    """The best of three: what another process takes meanwhile is not the engine's."""
    times = []
    for _ in range(3):
        start = clock()
        ask(query)
        times.append(clock() - start)
    return min(times)


def run(engine: str, name: str, size: int, folder: Path, url: str) -> dict[str, Any]:
    """One job in a process of its own: what it says, and its whole CPU."""
    words = [sys.executable, __file__, "--job", engine, name, str(size), str(folder), url]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env) as process:
        out = process.stdout.read() if process.stdout else ""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(words)}: exit {process.returncode}")
    return {**json.loads(out), "whole": used.ru_utime + used.ru_stime}


@contextlib.contextmanager
def databases(engines: list[str]) -> Iterator[str]:
    """The URL of a PostgreSQL of our own, if it is wanted; a login that may read one project alone."""
    if "postgres" not in engines:
        yield ""
        return
    import psycopg

    from handoffsite.search import postgres
    from tests.postgres import server

    with server() as url:
        with psycopg.connect(url, autocommit=True) as admin:
            postgres.prepare(admin, PROJECT, f"handoffsite_{PROJECT}")
            admin.execute("CREATE ROLE executor LOGIN")
            admin.execute(f"GRANT handoffsite_{PROJECT} TO executor")
        yield url.replace("admin@", "executor@")


def size_of(engine: str, folder: Path, url: str) -> int:
    """The bytes of the index."""
    if engine != "postgres":
        return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    import psycopg

    query = (
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'handoffsite'::regnamespace AND relkind = 'r'"
    )
    with psycopg.connect(url) as base:
        base.execute("SELECT 1")
        found = base.execute(query).fetchone()
    return int(found[0]) if found else 0


def measure(engine: str, size: int) -> None:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as name, databases([engine]) as url:
        folder = Path(name) / "index"
        folder.mkdir(mode=0o700)
        run(engine, "questions", size, folder, url)
        built, disk = run(engine, "build", size, folder, url), size_of(engine, folder, url)
        updated = run(engine, "update", size, folder, url)
        cold = statistics.median(run(engine, "cold", size, folder, url)["whole"] for _ in range(5))
        warm = run(engine, "warm", size, folder, url)
        answers = "  ".join(f"{middle:6.2f} /{late:7.2f}" for middle, late in warm["answers"].values())
        costs = f"{built['cpu']:7.2f} s {1e3 * updated['cpu']:6.0f} ms {cold:6.2f} s"
        print(f"{engine:10} {costs}  {answers}  {warm['memory']:5.0f} MiB {disk / 1e6:6.1f} MB", flush=True)


def is_here(engine: str) -> bool:
    """Whether the engine can run on this machine; says what is missing."""
    from tests.postgres import programs

    module = {"postgres": "psycopg", "tantivy": "tantivy"}.get(engine)
    with contextlib.suppress(ImportError):
        if module:
            __import__(module)
        if engine != "postgres" or programs():
            return True
    print(f"{engine:10} not installed")
    return False


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    words.add_argument("--engines", nargs="+", default=[*OURS, *PEERS])
    words.add_argument("--job", nargs=5, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.job:
        engine, name, size, folder, url = given.job
        print(json.dumps(job(engine, name, int(size), Path(folder), url)))
        return
    engines = [engine for engine in given.engines if is_here(engine)]
    for size in given.sizes:
        print(
            f"\n{size:,} documents: CPU of building, of {CHANGED} changes, of a cold process; p50 / p95 of answers, ms; memory; disk"
        )
        print(f"{'':42}word              two words         phrase            beginning         identifier")
        for engine in engines:
            measure(engine, size)


if __name__ == "__main__":
    main()
