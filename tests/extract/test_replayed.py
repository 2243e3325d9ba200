"""What careful readers missed in whole sessions, one behaviour each."""

from typing import Any

import pytest

from handoffsite.extract.session import Extraction, extract
from handoffsite.records.transcript import Event


class Log:
    """A session in the making."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(self, kind: str, **fields: Any) -> "Log":
        self.events.append(Event(line=len(self.events) + 1, kind=kind, **fields))
        return self

    def asks(self, text: str, **data: Any) -> "Log":
        return self.add("prompt", actor="human", text=text, data=data)

    def says(self, text: str) -> "Log":
        return self.add("text", text=text)

    def runs(self, command: str, output: str = "", exit: int = 0, **data: Any) -> "Log":
        call = f"c{len(self.events)}"
        self.add("call", tool="shell", call=call, data={"command": command})
        return self.add(
            "result", actor="tool", call=call, text=output, ok=exit == 0 and not data, exit=None if data else exit, data=data
        )

    def edits(self, path: str) -> "Log":
        call = f"c{len(self.events)}"
        self.add("call", tool="edit", call=call, paths=(path,), data={"old": "a", "new": "b"})
        return self.add("result", actor="tool", call=call, text=f"The file {path} has been updated.", ok=True, paths=(path,))

    def todos(self, **items: str) -> "Log":
        listed = [{"id": "", "text": text.replace("_", " "), "status": status} for text, status in items.items()]
        return self.add("todo", data={"todos": listed})

    @property
    def found(self) -> Extraction:
        return extract(self.events)


def test_closing_words_are_no_thread() -> None:
    """After work that was done, a goodbye leaves nothing open."""
    log = Log().asks("Add a cache").edits("a.py").asks("Good. Leave the form for the next session.").says("Then this is done.")

    assert () == log.found.threads


def test_what_failed_and_was_taken_back_is_no_thread() -> None:
    """A build that failed is no open end once its change is gone."""
    log = Log().asks("Add GPS").edits("gps.rs").runs("cargo build", "error: RAM overflowed", 101)
    log.runs("git checkout -q .").edits("time.rs")

    assert () == log.found.threads


def test_a_quiet_commit_holds_its_changes() -> None:
    """The next commit does not get the credit."""
    log = Log().asks("Do both").edits("a.py").runs("git commit -qam 'Add the first' && git rev-parse --short HEAD", "1a2b3c4")
    log.edits("b.py").runs("git commit -am 'Add the second'", "[main 5d6e7f8] Add the second")
    found = {item.text: item.evidence for item in log.found.completed}

    assert ("transcript:3", "transcript:5", "commit:1a2b3c4") == found["Add the first (committed as 1a2b3c4)"]
    assert ("transcript:7", "transcript:9", "commit:5d6e7f8") == found["Add the second (committed as 5d6e7f8)"]


def test_a_note_that_was_not_written_is_not_proven() -> None:
    """Another file's edit does not prove it."""
    log = Log().asks("Go").edits("src/log.rs").says("Written the note to notes/log.md about the log of the gauge.")

    assert ["claimed"] == [item.status for item in log.found.completed if "note" in item.text]


def test_a_run_is_proven_by_its_command() -> None:
    """What was edited meanwhile is not what was measured."""
    log = Log().asks("Measure it").todos(Measure_zoom_6_and_12="in_progress").edits("a.sql")
    log.runs("python time_tile.py 12/2/1", "median 38 ms").todos(Measure_zoom_6_and_12="completed")

    assert ("Measure zoom 6 and 12", ("transcript:6",)) in [(item.text, item.evidence) for item in log.found.completed]


@pytest.mark.parametrize("step", ["Commit", "Note", "commit and push", "Write the handoff note", "End the session", "Wrap up"])
@pytest.mark.parametrize("status", ["completed", "in_progress"])
def test_how_work_ends_is_no_item(step: str, status: str) -> None:
    """A to-do that is called commit says nothing, closed or open."""
    log = Log().asks("Add a cache").todos(**{step: "in_progress"}).edits("a.py").todos(**{step: status})
    found = log.found

    assert ([], ()) == ([item.text for item in found.completed if step.lower() in item.text.lower()], found.threads)


def test_a_folder_is_no_file() -> None:
    """What is copied into a folder of rules does not make the folder a file."""
    log = (
        Log()
        .asks("Install the rule")
        .runs("sudo cp usb.rules /etc/udev/rules.d/")
        .says("Installed the `usb.rules` for the gauge.")
    )

    assert not any("rules.d" in item.text for item in log.found.completed)


def test_checks_count_what_the_same_command_changed_before() -> None:
    """A removal before the tests in one command is not a change after them."""
    log = Log().asks("Go").edits("a.py").runs("git rm -q b.py && pytest -q && git commit -qam x", "3 passed in 1s")

    assert any(item.text == "Tests pass: `pytest -q`" for item in log.found.completed)


def test_what_came_and_went_is_no_change() -> None:
    """Neither the package nor what came along with it was removed from the project."""
    log = (
        Log()
        .asks("Go")
        .runs("pip install frost && pytest -q", "Successfully installed frost-1.5 six-1.16\n1 failed, 1 passed in 1s", 1)
    )
    log.runs("pip uninstall -y frost six", "Found existing installation: frost 1.5\n  Successfully uninstalled frost-1.5")

    assert () == log.found.dependencies


def test_an_install_counts_though_the_tests_behind_it_fail() -> None:
    """A quiet installer is believed where the command behind it ran."""
    log = Log().asks("Go").runs("pip install -q frost==1.5 && pytest -q", "F.\n1 failed, 1 passed in 1s", 1)

    assert [("frost", "added", "1.5")] == [(item.name, item.change, item.after) for item in log.found.dependencies]


def test_names_keep_their_spelling() -> None:
    """A package at the start of a sentence is no word of it."""
    log = Log().asks("Go").runs("pip install passlib==1.7").says("passlib did not work with it because it has no maintainer.")

    assert ["passlib"] == [item.tried for item in log.found.constraints]


def test_what_a_service_denies_is_a_constraint() -> None:
    """The tests pass in the end, but only because the program was written in another way."""
    error = "E   redis.exceptions.NoPermissionError: User has no permissions to run the 'eval' command\n1 failed"
    log = (
        Log().asks("Go").edits("a.py").runs("pytest -q", error, 1).says("The managed plan allows neither scripts nor functions.")
    )
    log.edits("a.py").runs("pytest -q", "2 passed")
    (limit,) = log.found.constraints

    assert ("`eval`", "The managed plan allows neither scripts nor functions.") == (limit.tried, limit.because)


def test_a_refusal_with_a_reason_is_a_constraint() -> None:
    """Nobody should try again what the human refused."""
    log = Log().asks("Go").runs("sudo usermod -aG dialout dev", "refused", refused=True)
    log.asks("No, not by group, because the laptops are locked down.", refused="c1")
    (limit,) = log.found.constraints

    assert ("`sudo usermod -aG dialout dev`", "refused by the human") == (limit.tried, limit.outcome)
    assert "No, not by group, because the laptops are locked down." == limit.because
