"""`watch` while people, editors and agents write: everything is built, nothing twice, and no event is relied upon."""

import contextlib
import errno
import queue
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands import add
from handoffsite.commands import hook as hooks
from handoffsite.commands.init import init, init_workspace
from handoffsite.commands.place import Place
from handoffsite.records.hooked import Call
from handoffsite.server import watch as module
from handoffsite.server.watch import Round, Watch

pytestmark = pytest.mark.gate  # each waits for the system's events

WAIT = 30.0  # seconds until a test gives up
STILL = 1.0  # seconds in which nothing may happen: longer than a look by the clock and what follows it


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes faster than for users."""
    monkeypatch.setattr(module, "TURN", 0.4)


class Running:
    """A watch at work in a thread, and what it tells."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home = folder, home
        self.rounds: queue.Queue[Round] = queue.Queue()
        self.warnings: list[str] = []
        self.watch = Watch(self.place, self.rounds.put, self.warnings.append)

    def place(self) -> Place:
        """The surroundings of one build."""
        environment = {"HOME": str(self.home)}
        return Place(
            folder=self.folder, now=datetime.now(UTC), cache=self.home / ".cache" / "handoffsite", environment=environment
        )

    def run(self) -> None:
        """Until it is stopped."""
        with self.watch.watching():
            self.watch.run()

    def until(self, fits: Callable[[Round], bool]) -> Round:
        """The next round that *fits*."""
        while True:
            one = self.rounds.get(timeout=WAIT)
            if fits(one):
                return one

    def settled(self) -> None:
        """Wait until nothing is built any more."""
        with contextlib.suppress(queue.Empty):
            while True:
                self.rounds.get(timeout=STILL)

    def page(self, text: str) -> bool:
        """Whether the site's first page shows *text*."""
        return text in (self.watch.sources.site / "index.html").read_text(encoding="utf-8")


def wrote(one: Round) -> bool:
    """Whether a page was written."""
    return one.built is not None and any(project.written for project in one.built.projects)


@contextlib.contextmanager
def at_work(running: Running) -> Iterator[Running]:
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        yield running
    finally:
        running.watch.stop()
        thread.join(WAIT)


@pytest.fixture
def idle(tmp_path: Path) -> Running:
    """A watch of a lone boundary, not yet begun."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    (tmp_path / "home").mkdir()
    init(Place(folder=folder, now=datetime.now(UTC), cache=tmp_path / "home/.cache/handoffsite"), Path())
    return Running(folder, tmp_path / "home")


@pytest.fixture
def running(idle: Running) -> Iterator[Running]:
    """The same at work, with all built that there is."""
    with at_work(idle):
        idle.settled()
        yield idle


def decide(running: Running, title: str) -> None:
    add.add(running.place(), "decision", {"title": title})


def test_a_save_is_built(running: Running) -> None:
    """A record that a command of ours writes, which the folder sees only as a move, is on the page after the next round."""
    decide(running, "Keep one file a session")
    running.until(wrote)

    assert running.page("Keep one file a session")
    assert [] == running.warnings


def test_many_saves_are_all_built(running: Running) -> None:
    """A flood of them ends with all of them on the page."""
    for number in range(8):
        decide(running, f"Decision number {number}")
    running.settled()

    assert all(running.page(f"Decision number {number}") for number in range(8))


def test_what_editors_leave_is_not_built(running: Running) -> None:
    """Hundreds of files that lie there while something is saved start no round, nor does reading."""
    sessions = running.folder / ".handoff/sessions"
    for number in range(300):
        (sessions / f".{number}.swp").write_text("x")
        (sessions / f"{number}.md~").write_text("x")
        list(sessions.iterdir())

    with pytest.raises(queue.Empty):
        running.rounds.get(timeout=STILL)


def test_the_site_within_the_tree_starts_nothing(running: Running) -> None:
    """A build writes the site, and STATE.md beside the records; then all is still."""
    decide(running, "Once")
    running.settled()
    (running.folder / ".handoff/build/mine.txt").write_text("x")

    with pytest.raises(queue.Empty):
        running.rounds.get(timeout=STILL)


def test_what_is_broken_is_told_and_mended(running: Running) -> None:
    """The error names its file; when it is mended, the next round has none. What was built stays."""
    file = running.folder / ".handoff/project.toml"
    whole = file.read_bytes()
    file.write_text("name = [")
    broken = running.until(lambda one: one.error is not None)
    new = file.with_name(".project.toml.new")
    new.write_bytes(whole)
    new.replace(file)
    mended = running.until(lambda one: one.error is None)

    assert broken.error is not None
    assert "project.toml" in str(broken.error)
    assert mended.built is not None
    assert [] == mended.built.problems
    assert running.page("atlas")


def test_a_damaged_record_is_a_problem_with_its_file(running: Running) -> None:
    """The rest is built; the file is named, and again is not once it is gone."""
    damaged = running.folder / ".handoff/sessions/2026-11-30-S-9-k3f-x.md"
    damaged.write_text("---\nnothing")
    told = running.until(lambda one: one.built is not None and bool(one.built.problems))
    damaged.unlink()
    after = running.until(lambda one: one.built is not None and not one.built.problems)

    assert told.built is not None
    assert any(damaged.name in problem.file for problem in told.built.problems)
    assert after.error is None


def test_folders_that_come_back_are_watched_again(running: Running) -> None:
    """All records go, as when another branch is checked out, and come back; events still tell of them."""
    decide(running, "Before")
    running.settled()
    sessions = running.folder / ".handoff/sessions"
    sessions.rename(running.home / "kept")
    running.settled()
    (running.home / "kept").rename(sessions)
    running.settled()
    decide(running, "After")
    running.until(wrote)

    assert running.page("After")
    assert [] == running.warnings


def test_no_watches_left_is_said(idle: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system has none to give, the clock does, and the user is told why."""

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr("watchdog.observers.api.BaseObserver.schedule", refuse)
    with at_work(idle):
        idle.settled()
        decide(idle, "Seen by the clock")
        idle.until(wrote)

    assert idle.page("Seen by the clock")
    assert ["no watches (inotify watch limit reached)"] == [one.partition(":")[0] for one in idle.warnings]


def test_events_that_never_come_are_noticed(idle: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network mount reports nothing: what changed is built all the same, and from then on by the clock."""
    monkeypatch.setattr(module, "GRACE", 0.5)
    monkeypatch.setattr(Watch, "dispatch", lambda *_: None)
    with at_work(idle):
        idle.settled()
        decide(idle, "Reported by nobody")
        idle.until(wrote)
        deadline = time.monotonic() + WAIT
        while not idle.warnings and time.monotonic() < deadline:
            time.sleep(0.05)

    assert idle.page("Reported by nobody")
    assert ["no watches (the system did not report a change)"] == [one.partition(":")[0] for one in idle.warnings]


def test_a_thread_that_dies_is_noticed(idle: Running, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """A fault within the watching library costs its events and nothing else; no traceback is shown."""

    def fail(*_: Any) -> None:
        raise KeyError("x")

    monkeypatch.setattr(Watch, "dispatch", fail)
    with at_work(idle):
        idle.settled()
        decide(idle, "After the fault")
        idle.until(wrote)

    assert idle.page("After the fault")
    assert ["no watches (the watching library ended with KeyError)"] == [one.partition(":")[0] for one in idle.warnings]
    assert "Traceback" not in capfd.readouterr().err


def test_a_session_in_the_inbox_is_extracted(running: Running, make_log: Any) -> None:
    """A pointer that a hook leaves is a change: the session is recorded and shown."""
    log = make_log(running.home / ".claude/projects/-atlas/5e55a1d0-0000-4000-8000-000000000001.jsonl", running.folder)
    log.prompt("Add the sign-in form")
    log.tool("Write", {"file_path": str(running.folder / "form.py"), "content": "x"}, "File created successfully")
    log.commit("Sign-in posts to the API")
    log.text("Done: the sign-in form posts to the API.")
    log.save()
    hooks.keep(running.folder / ".handoff", Call(client="claude-code", event="session-end", transcript=str(log.path)))
    found = running.until(lambda one: one.built is not None and any(project.recorded for project in one.built.projects))

    assert found.built is not None
    assert (running.folder / f".handoff/build/sessions/{found.built.projects[0].recorded[0]}.html").is_file()


def test_a_new_project_of_the_workspace_joins(tmp_path: Path) -> None:
    """A boundary that is made while the workspace is watched is built, and watched from then on."""
    root = tmp_path / "space"
    root.mkdir()
    (tmp_path / "home").mkdir()
    place = Place(folder=root, now=datetime.now(UTC), cache=tmp_path / "home/.cache/handoffsite")
    init_workspace(place, Path(), "")
    init(place, Path("content/one"))
    with at_work(Running(root, tmp_path / "home")) as running:
        running.settled()
        init(running.place(), Path("content/two"))
        running.settled()
        inside = Running(root / "content/two", tmp_path / "home")
        decide(inside, "Said in the second")
        running.until(wrote)

        assert "Said in the second" in (root / "build/two/index.html").read_text(encoding="utf-8")
        assert [] == running.warnings
