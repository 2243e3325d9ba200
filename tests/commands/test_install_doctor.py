"""`doctor` says of each client what is set up, whether its last session arrived, and what was not looked at."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from handoffsite.store import inbox
from handoffsite.store.inbox import Pointer

UUID = "5e55a1d0-0000-4000-8000-000000000001"
LATER = 1_900_000_000


@pytest.fixture
def project(run: Any, tmp_path: Path) -> Path:
    """A repository with a boundary, and no `handoffsite` on PATH."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    run("init", cwd=folder)
    return folder


def said(run: Any, project: Path, what: str) -> list[tuple[str, str]]:
    """What `doctor` finds of *what*."""
    found = run("doctor", "--json", cwd=project, at=LATER).data["findings"]
    return [(one["state"], one["message"]) for one in found if one["what"] == what]


def test_nothing_is_set_up(run: Any, project: Path) -> None:
    """It says so, and how it is done."""
    assert [("note", "no agent's program is set up to tell of its sessions here")] == said(run, project, "hooks")


def test_a_client_in_use_is_named(run: Any, project: Path, tmp_path: Path, make_log: Any) -> None:
    """With its last session, which is recorded or not."""
    log = make_log(tmp_path / "home" / ".claude" / "projects" / "-p" / f"{UUID}.jsonl", project)
    log.prompt("Make it round")
    log.commit("Make it round")
    log.save()

    before = said(run, project, "claude-code")
    run("catch-up", cwd=project, at=LATER)
    run("install", "claude-code", cwd=project)
    after = said(run, project, "claude-code")

    assert [
        ("note", "in use here, and not set up to tell of its sessions"),
        ("note", "its last session here began 2026-10-20T10:01:00.000Z, and is not recorded, or went on since"),
    ] == before
    assert [
        ("ok", "set up for this project"),
        ("unchecked", "whether claude-code runs its hooks and trusts them: only it knows"),
        ("ok", "its last session here began 2026-10-20T10:01:00.000Z, and is recorded"),
    ] == after


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "antigravity", "copilot-cli", "cursor", "opencode"])
def test_each_client_is_seen_at_both_levels(run: Any, project: Path, client: str) -> None:
    """In the project, and for the user."""
    run("install", client, cwd=project)
    run("install", client, "--user", cwd=project)
    both = said(run, project, client)
    run("uninstall", client, cwd=project)
    one = said(run, project, client)

    assert ("ok", "set up for this project and for this user") == both[0]
    assert ("ok", "set up for this user") == one[0]


def test_an_older_set_up_is_told_from_a_current_one(run: Any, project: Path) -> None:
    """And damaged settings from both."""
    run("install", "codex", cwd=project)
    file = project / ".codex" / "hooks.json"
    file.write_text(file.read_text().replace('"timeout": 3', '"timeout": 60'))
    older = said(run, project, "codex")
    file.write_text("{")
    damaged = said(run, project, "codex")

    assert ("note", "the set-up for this project is not that of this version") in older
    assert [] == damaged


def test_a_program_that_is_not_on_path_is_a_problem(run: Any, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once something calls it; exit status 1."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    run("install", "cursor", cwd=project)
    done = run("doctor", cwd=project)

    assert 1 == done.status
    assert "`handoffsite` is not on PATH" in done.out


def test_what_waits_is_counted(run: Any, project: Path, tmp_path: Path) -> None:
    """With the word that extracts it."""
    inbox.put(project / ".handoff", Pointer(transcript=str(tmp_path / "gone.jsonl"), client="codex"))

    assert [("note", "1 sessions wait to be extracted")] == said(run, project, "inbox")
