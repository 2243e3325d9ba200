"""One index for many machines, through the command line: two homes, two clones, one PostgreSQL."""

from pathlib import Path
from typing import Any

import pytest

from handoffsite.config import INDEX

pytest.importorskip("psycopg", reason="the extra postgres is not installed")
pytestmark = pytest.mark.gate


def boundary(folder: Path, run: Any) -> Path:
    folder.mkdir()
    run("init", cwd=folder)
    return folder


def settings(tmp_path: Path) -> None:
    file = tmp_path / "home" / ".config" / "handoffsite" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('engine = "postgres"\n')


def test_the_shared_index_answers_as_an_own_one(run: Any, tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line of settings and one build; the same hits, and a change is found at once, without a build."""
    project = boundary(tmp_path / "atlas", run)
    run("add", "decision", "Keep sessions in Redis", "--rationale", "Two nodes share them", cwd=project)
    own = run("search", "redis", "--json", cwd=project).data
    settings(tmp_path)
    monkeypatch.setenv(INDEX, postgres)
    built = run("build", "--json", cwd=project)
    checked = run("build", "--check", "--json", cwd=project)
    shared = run("search", "redis", "--json", cwd=project).data
    run("add", "decision", "Keep sessions in Redis for a week", cwd=project)

    assert (0, [], own) == (built.status, checked.data["behind"], shared)
    assert 2 == run("search", "redis", "--json", cwd=project).data["total"]


def test_without_an_answer_the_search_works_all_the_same(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index is made in memory for the call, and the reason said, without the address's password."""
    project = boundary(tmp_path / "atlas", run)
    run("add", "decision", "Keep sessions in Redis", cwd=project)
    settings(tmp_path)
    monkeypatch.setenv(INDEX, "postgresql://somebody:hunter2secret@127.0.0.1:9/none")
    done = run("search", "redis", cwd=project)

    assert 0 == done.status
    assert "Keep sessions in Redis" in done.out
    assert "no connection to the index" in done.err
    assert "hunter2secret" not in done.out + done.err


def test_an_index_without_an_address_is_a_clear_error(run: Any, tmp_path: Path) -> None:
    """It names the setting, and the file."""
    project = boundary(tmp_path / "atlas", run)
    settings(tmp_path)
    done = run("search", "redis", cwd=project)

    assert 2 == done.status
    assert INDEX in done.err
