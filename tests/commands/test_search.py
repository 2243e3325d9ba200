"""`search` by a process that goes on: its index stays open, and still it never answers from what was."""

import json
import random
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands.place import Place, find_boundary
from handoffsite.commands.search import Searcher
from handoffsite.config import INDEX
from handoffsite.records.kinds import KINDS
from handoffsite.records.snapshot import Snapshot
from handoffsite.search.query import Index
from handoffsite.store.kept import KeptFold
from handoffsite.store.snapshot import Fold


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


WORDS = "redis session store token rotate lua script cookie image bucket proxy login form nightly table migration".split()


class Team:
    """People and agents at work in one project, each doing something drawn at random."""

    def __init__(self, project: Path, run: Any, seed: int) -> None:
        self.project, self.run, self.turn = project, run, 0
        self.chance = random.Random(seed)  # noqa: S311 -- the same every time

    def work(self) -> None:
        """One of them does something; it need not succeed."""
        self.turn += 1
        deeds = (
            self.add,
            self.add,
            self.add,
            self.say,
            self.say,
            self.supersede,
            self.end,
            self.end,
            self.send,
            self.plan,
            self.rename,
        )
        self.chance.choice(deeds)()

    def words(self, count: int = 4) -> str:
        return " ".join(self.chance.sample(WORDS, count))

    def item(self, letter: str) -> str:
        return f"{letter}-{self.chance.randint(1, 1 + self.turn // 2)}"

    def add(self) -> None:
        kind = self.chance.choice(("decision", "constraint", "thread"))
        more = ("--status", "proposed") if kind != "thread" and self.chance.random() < 0.4 else ()
        self.run("add", kind, self.words(), *more, cwd=self.project)

    def say(self) -> None:
        word, letter = self.chance.choice(
            (("accept", "D"), ("reject", "D"), ("retire", "D"), ("lift", "C"), ("done", "T"), ("retire", "S"))
        )
        self.run(word, self.item(letter), "--reason", self.words(2), cwd=self.project)

    def supersede(self) -> None:
        self.run("supersede", self.item("D"), "--by", self.item("D"), cwd=self.project)

    def end(self) -> None:
        """A session ends, or one goes on that ended before."""
        said = {
            "session_id": f"session-{self.chance.randint(1, 6)}",
            "focus": self.words(),
            "completed": [{"text": self.words()}],
            "decisions": [
                {"title": self.words(), "rationale": self.words(), "status": self.chance.choice(("accepted", "proposed"))}
            ],
            "threads": [{"id": self.item("T"), "status": "done"}] if self.chance.random() < 0.3 else [],
        }
        self.run("end", "--note", "-", cwd=self.project, stdin=json.dumps(said))

    def send(self) -> None:
        words = self.chance.choice((("work", "send", "executor", self.words(), "--append"), ("work", "take"), ("work", "clear")))
        self.run(*words, cwd=self.project)

    def plan(self) -> None:
        text = f"# {self.words()}\n\n## Acceptance criteria\n\n- {self.words()}\n"
        self.run("artefact", "add", "plan", "-", "--by", "planner", cwd=self.project, stdin=text)

    def rename(self) -> None:
        """Somebody writes another title into STATE.md."""
        state = self.project / ".handoff" / "STATE.md"
        self.run("build", cwd=self.project)
        word = self.chance.choice(WORDS)
        state.write_text(state.read_text().replace(f" {word} ", f" {word}{self.turn} ", 1))
        self.run("add", "thread", self.words(), cwd=self.project)


def everything(place: Place) -> dict[str, Any]:
    """What reading all of the project finds, by a query of each kind and of some words."""
    boundary = find_boundary(place)
    with Fold(boundary, None) as fold:
        index = Index.in_memory(fold.snapshot())
    return {query: index.search(query, limit=1_000) for query in ASKED}


ASKED = (*(f"kind:{kind}" for kind in KINDS), *WORDS[:4], "redis token", "status:superseded", '"session store"', "sesion")


@pytest.mark.parametrize("engine", ["whoosh", "fts5"])
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.gate) for seed in range(2, 8))])
def test_what_was_entered_piece_by_piece_is_the_whole(
    project: Path, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, engine: str, seed: int
) -> None:
    """Whatever is recorded, changed, sent and handed over: an index that learns only that finds what reading everything finds."""
    settings(tmp_path, f'engine = "{engine}"\n')
    team, asker = Team(project, run, seed), Asker(project, tmp_path)
    steps, snapshot = 25, Fold.snapshot
    whole: list[Fold] = []

    def counted(fold: Fold) -> Snapshot:
        whole.append(fold)
        return snapshot(fold)

    asker.titles("redis")
    for _ in range(steps):
        team.work()
        expected = everything(asker.place)
        monkeypatch.setattr(Fold, "snapshot", counted)
        asker.titles("redis")
        monkeypatch.setattr(Fold, "snapshot", snapshot)
        index = asker.searcher.index
        assert index
        assert expected == {query: index.search(query, limit=1_000) for query in ASKED}
    assert len(whole) < steps / 2


def test_a_new_title_is_found_in_the_sessions_that_touched_the_item(project: Path, tmp_path: Path, run: Any) -> None:
    """What one document tells of another is told anew: a session's document holds the titles of what the session changed."""
    asker, state = Asker(project, tmp_path), project / ".handoff" / "STATE.md"
    run("add", "thread", "Rotate the tokens", cwd=project)
    said = {"session_id": "one", "focus": "Sign-in", "threads": [{"id": "T-1", "status": "waiting"}]}
    run("end", "--note", "-", cwd=project, stdin=json.dumps(said))
    asker.titles("tokens")
    state.write_text(state.read_text().replace("Rotate the tokens", "Rotate the cookies"))
    run("add", "thread", "Another", cwd=project)
    found = asker.searcher.search(asker.place, "cookies")

    assert {"thread", "session"} == {hit["kind"] for hit in found["hits"]}
    assert 0 == asker.searcher.search(asker.place, '"the tokens"')["total"]
