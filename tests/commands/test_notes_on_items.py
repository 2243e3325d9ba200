"""A note's words on items of earlier sessions."""

from pathlib import Path
from typing import Any

import pytest

FIRST = "## Decisions\n- Signed cookies, because they need no store\n\n## Threads\n- Rotate refresh tokens\n"


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    run("end", "--note", "-", cwd=folder, stdin=FIRST)
    return folder


def test_short_ids_in_a_note(project: Path, run: Any) -> None:
    """A note may say D-1 and T-1: they are resolved before they are written."""
    note = '{"threads": [{"id": "T-1", "status": "done"}], "decisions": [{"title": "Redis", "supersedes": ["D-1"]}]}'

    assert 0 == run("end", "--note", "-", cwd=project, stdin=note).status
    assert ["done", "superseded"] == [run("show", id, "--json", cwd=project).data["status"] for id in ("T-1", "D-1")]
    assert run("check", "--json", cwd=project).data["ok"]


def test_the_same_words_twice_are_one_record(project: Path, run: Any) -> None:
    """A note that holds only words on known items makes no second record when it is handed in again."""
    note = '{"threads": [{"id": "T-1", "status": "done"}]}'

    created = [run("end", "--note", "-", "--json", cwd=project, stdin=note).data["created"] for _ in range(2)]

    assert [True, False] == created


def test_a_word_on_an_unknown_item_is_kept_as_text(project: Path, run: Any) -> None:
    """It is warned about, stands in the record, and breaks nothing."""
    done = run("end", "--note", "-", "--json", cwd=project, stdin='{"threads": [{"id": "T-9", "status": "done"}], "focus": "x"}')

    assert 0 == done.status
    assert any("T-9" in warning for warning in done.data["warnings"])
    assert "T-9" in run("show", done.data["session"], "--json", cwd=project).data["unfiled"][0]
    assert run("check", "--json", cwd=project).data["ok"]


def test_a_mined_focus_does_not_replace_a_noted_one(project: Path, run: Any, make_log: Any, tmp_path: Path) -> None:
    """The last prompt of a log says less of the focus than what an agent wrote down."""
    run("end", "--note", "-", cwd=project, stdin="## Focus\nShip sign-in\n")
    log = make_log(tmp_path / "log.jsonl", project)
    log.prompt("Write it down and end.")
    log.commit("A commit")
    run("end", "--transcript", str(log.save()), cwd=project)

    assert "Ship sign-in" == run("state", "--json", cwd=project).data["focus"]
