"""How far a log has come is told from its end alone, and never guessed."""

import json
import shutil
from pathlib import Path

import pytest

from handoffsite.sources import ending, heads, open_transcript

SAMPLES = Path(__file__).parents[1] / "samples"
TIMED = [
    "claude-code/7b0e5a52-3c1d-4e6f-9a21-5d8c4b7e9f10.jsonl",
    "codex/rollout-2026-11-06T09-00-00-019f4a10-6c2b-7d3e-8a41-2b5c7d9e1f30.jsonl",
    "gemini-cli/session-2026-11-03T09-15-4c1e7a90.json",
    "copilot-cli/3f1b6c1e-52a4-4c8e-9d57-0b6a1f2e7c44/events.jsonl",
    "droid/9d8c7b6a-5f4e-4d3c-8b2a-100f0e0d0c0b.jsonl",
    "amp/T-019f4b3c-7d10-7a52-9c3e-6f0d2b8a4e51.json",
]


@pytest.mark.parametrize("name", TIMED, ids=lambda name: name.partition("/")[0])
def test_the_last_entry_tells_the_time(name: str) -> None:
    """The same time as reading all of it, and the digest that its account has."""
    path = SAMPLES / name
    whole = open_transcript(path)
    assert list(whole)

    assert ending.seconds(whole.ended) == ending.last_time(path, whole.format)
    assert whole.account.sha256 == ending.digest(path)


def test_a_long_log_is_not_read_for_its_last_time(tmp_path: Path) -> None:
    """Its end will do, whatever stands before it; a line that is longer than what is looked at first costs another look."""
    lines = (SAMPLES / TIMED[0]).read_bytes().splitlines(keepends=True)
    last = json.loads(lines[-1]) | {"timestamp": "2026-11-03T12:00:00.000Z", "padding": "x" * 100_000}
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"{" * 200_000 + b"\n" + lines[0] + json.dumps(last).encode() + b"\n")

    assert ending.seconds("2026-11-03T12:00:00Z") == ending.last_time(path, "claude-code")


@pytest.mark.parametrize("name", ["cursor/older.txt", "specstory/2025-04-12_10-20Z-health-check-for-the-server.md"])
def test_who_writes_no_times_has_no_last_one(name: str) -> None:
    """The time of a prompt or of a header is not that of the last word."""
    path = SAMPLES / name

    assert 0.0 == ending.last_time(path, heads(path)[0].format)


def test_a_log_that_is_gone_has_no_last_time(tmp_path: Path) -> None:
    """It vanished between the listing and here."""
    assert 0.0 == ending.last_time(tmp_path / "gone.jsonl", "claude-code")
    assert not ending.is_closed(tmp_path / "gone.jsonl", "claude-code")


@pytest.mark.parametrize(
    ("format", "last", "expected"),
    [
        ("claude-code", {"type": "user", "message": {"content": "<command-name>/exit</command-name>"}}, True),
        ("claude-code", {"type": "user", "message": {"content": "Why does <command-name>/exit</command-name> hang?"}}, False),
        ("claude-code", {"type": "assistant", "message": {"content": [{"type": "text", "text": "/exit"}]}}, False),
        ("copilot-cli", {"type": "session.shutdown", "data": {}}, True),
        ("copilot-cli", {"type": "assistant.turn_end", "data": {}}, False),
        ("droid", {"type": "session_end"}, True),
        ("codex", {"type": "session_end"}, False),
    ],
)
def test_the_human_left(tmp_path: Path, format: str, last: object, expected: bool) -> None:
    """As far as the client writes it down."""
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"type": "x"}) + "\n" + json.dumps(last) + "\n")

    assert expected == ending.is_closed(path, format)


def test_a_session_that_went_on_is_not_closed(tmp_path: Path) -> None:
    """What the human did long ago says nothing of now."""
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps({"type": kind}) + "\n" for kind in ("session_end", *"abcde")))

    assert not ending.is_closed(path, "droid")


def test_each_chat_of_a_history_has_a_stamp_of_its_own(tmp_path: Path) -> None:
    """It changes where the chat goes on, and not where another begins; the earlier one ended when the next began."""
    path = tmp_path / ".aider.chat.history.md"
    shutil.copy(SAMPLES / "aider" / "weather.aider.chat.history.md", path)
    before = ending.steps(path, "aider")
    with path.open("a") as file:
        file.write("\n# aider chat started at 2026-10-07 08:00:00\n\n#### One more\n\nYes.\n")

    after = ending.steps(path, "aider")

    first, second, third = after
    assert (first, second) == tuple(before)
    assert before[first] == after[first]
    assert (0.0, ending.seconds("2026-10-07T08:00:00Z"), 0.0) == (before[second][1], after[second][1], after[third][1])


def test_one_session_in_a_file_has_the_stamp_of_the_file() -> None:
    """There is nothing to tell apart."""
    assert {} == ending.steps(SAMPLES / TIMED[0], "claude-code")
    assert {} == ending.steps(SAMPLES / "opencode" / "ses_3a71c0d5effeQ4mLw8ZkT1vBnX.json", "opencode")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cline/1795334400000_k2v9q.messages.json", "/srv/tides"),
        (
            "copilot-vscode/workspaceStorage/GitHub.copilot-chat/transcripts/d1e8a7b6-3c52-4f90-a7c1-6f5b9e4d2a03.jsonl",
            "/srv/work/tidepool",
        ),
        ("cursor/older.txt", ""),
    ],
)
def test_the_files_beside_a_log_name_its_directory(name: str, expected: str) -> None:
    """Where the log itself does not."""
    path = SAMPLES / name

    assert expected == ending.directory(path, heads(path)[0].format)
