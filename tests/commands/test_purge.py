from pathlib import Path
from typing import Any

import pytest

LEAKED = "hushhushword"


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    run("add", "decision", f"Call it {LEAKED}", "--rationale", f'said "{LEAKED}"\\', cwd=folder)
    run("add", "constraint", "Something else", "--because", "of that", cwd=folder)
    run("end", "--note", "-", cwd=folder, stdin=f"## Completed\n- Named it {LEAKED}\n\nA paragraph about {LEAKED}.\n")
    run("build", cwd=folder)
    run("search", LEAKED, cwd=folder)
    return folder


def holding(*roots: Path) -> list[str]:
    return [
        str(path)
        for root in roots
        for path in root.rglob("*")
        if LEAKED in str(path) or (path.is_file() and LEAKED.encode() in path.read_bytes())
    ]


def test_a_text_is_gone_everywhere(project: Path, run: Any, tmp_path: Path) -> None:
    """No byte of it is left in records, state, archive, site or cache; a record says that something was purged, and why."""
    assert holding(project, tmp_path / "home")

    done = run("purge", LEAKED, "--reason", "leaked", "--json", cwd=project)

    assert 0 == done.status
    assert [] == holding(project, tmp_path / "home")
    assert "leaked" in run("show", done.data["session"], "--json", cwd=project).data["narrative"]
    assert run("check", "--json", cwd=project).data["ok"]
    assert "Something else" in run("state", cwd=project).out


def test_an_item_keeps_its_id(project: Path, run: Any) -> None:
    """A purged item has lost its words and holds no longer; its number is never given again."""
    assert 0 == run("purge", "D-1", "--reason", "wrong project", cwd=project).status

    shown = run("show", "D-1", "--json", cwd=project).data

    assert ("retired", True) == (shown["status"], "purged" in shown["title"])
    assert "D-2-" in run("add", "decision", "Another", "--json", cwd=project).data["id"]
    assert run("check", "--json", cwd=project).data["ok"]


@pytest.mark.parametrize(
    ("words", "status"), [(["xyz", "--reason", "r"], 1), (["not there at all", "--reason", "r"], 1), (["abcdef"], 2)]
)
def test_a_purge_that_cannot_be_meant_is_refused(project: Path, run: Any, words: list[str], status: int) -> None:
    """Too short a text, one that is nowhere, and a purge without a reason change nothing."""
    before = {path.name: path.read_bytes() for path in (project / ".handoff" / "sessions").iterdir()}

    assert status == run("purge", *words, cwd=project).status
    assert before == {path.name: path.read_bytes() for path in (project / ".handoff" / "sessions").iterdir()}
