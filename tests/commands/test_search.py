"""`search` by a process that goes on: its index stays open, and still it never answers from what was."""

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands.place import Place
from handoffsite.commands.search import Searcher
from handoffsite.config import INDEX
from handoffsite.store.kept import KeptFold


class Asker:
    """A process that asks again and again, as the MCP server does."""

    def __init__(self, folder: Path, tmp_path: Path, **environment: str) -> None:
        self.searcher = Searcher()
        self.place = Place(
            folder=folder,
            now=datetime(2026, 11, 30, tzinfo=UTC),
            cache=tmp_path / "home" / ".cache" / "handoffsite",
            environment={"HOME": str(tmp_path / "home"), **environment},
            kept=KeptFold(),
        )

    def titles(self, query: str) -> list[str]:
        return [hit["title"] for hit in self.searcher.search(self.place, query)["hits"]]


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    run("add", "decision", "Keep sessions in Redis", cwd=folder)
    return folder


def settings(tmp_path: Path, text: str) -> None:
    file = tmp_path / "home" / ".config" / "handoffsite" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize("engine", ["whoosh", "fts5"])
def test_what_changes_is_found_at_the_next_call(project: Path, tmp_path: Path, run: Any, engine: str) -> None:
    """A record that comes, one that is damaged in place and one that comes back: none is answered from an index of before."""
    settings(tmp_path, f'engine = "{engine}"\n')
    asker = Asker(project, tmp_path)
    seen = [asker.titles("redis"), asker.titles("redis")]
    run("add", "decision", "Keep Redis for a week", cwd=project)
    seen.append(asker.titles("redis"))
    record = min((project / ".handoff" / "sessions").glob("*S-1-*"))
    whole = record.read_bytes()
    record.write_bytes(whole[:-20])
    seen.append(asker.titles("redis"))
    record.write_bytes(whole)
    seen.append(asker.titles("redis"))

    both = ["Keep sessions in Redis", "Keep Redis for a week"]
    assert [both[:1], both[:1], both, both[1:], both] == seen


def test_another_engine_takes_over_at_once(project: Path, tmp_path: Path) -> None:
    """One line of settings, under a process that runs."""
    asker = Asker(project, tmp_path)
    before = asker.titles("redis")
    settings(tmp_path, 'engine = "fts5"\n')
    after = asker.titles("redis")

    assert ["Keep sessions in Redis"] == before == after
    assert list((tmp_path / "home" / ".cache" / "handoffsite" / "projects").glob("*/index-fts5/fts5.sqlite"))


@pytest.mark.parametrize("engine", ["whoosh", "fts5"])
def test_whichever_thread_asks(project: Path, tmp_path: Path, engine: str) -> None:
    """A server runs one search at a time, in a thread that is not always the same; with a word that stands nowhere, too."""
    settings(tmp_path, f'engine = "{engine}"\n')
    asker = Asker(project, tmp_path)
    found: list[list[str]] = []
    for query in ("redis", "redsi", "redis"):
        thread = threading.Thread(target=lambda query=query: found.append(asker.titles(query)))
        thread.start()
        thread.join()

    assert [["Keep sessions in Redis"], [], ["Keep sessions in Redis"]] == found


@pytest.mark.gate
def test_a_shared_index_that_was_restarted(project: Path, tmp_path: Path, postgres: str) -> None:
    """A connection that broke in between is made again; nobody who asks meets an error."""
    psycopg = pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    settings(tmp_path, 'engine = "postgres"\n')
    asker = Asker(project, tmp_path, **{INDEX: postgres})
    before = asker.titles("redis")
    with psycopg.connect(postgres, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    after = asker.titles("redis")

    assert ["Keep sessions in Redis"] == before == after
