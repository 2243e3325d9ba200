"""What git says of a session."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

PYPROJECT = '[project]\nname = "atlas"\nversion = "1"\ndependencies = [{0}]\n'


def git(folder: Path, *words: str, date: str = "2026-10-20T10:00:00Z") -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"]
    env = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(folder)}
    done = subprocess.run(["git", *identity, *words], cwd=folder, env=env, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, subject: str, date: str, *dependencies: str) -> str:
    (folder / "pyproject.toml").write_text(PYPROJECT.format(", ".join(f'"{name}"' for name in dependencies)))
    git(folder, "add", "pyproject.toml")
    git(folder, "commit", "-q", "-m", subject, date=date)
    return git(folder, "rev-parse", "--short=9", "HEAD")


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "Begin", "2026-10-19T10:00:00Z", "httpx==0.27.0", "passlib==1.7.4")
    run("init", cwd=folder)
    return folder


def changes(data: Any) -> set[tuple[str, str, str, str | None, str | None]]:
    return {(one["ecosystem"], one["name"], one["change"], one["from"], one["to"]) for one in data["dependencies"]}


def test_dependency_changes_come_from_git(project: Path, run: Any) -> None:
    """Between the commits of a session they are exact, whatever the note says or leaves out."""
    base = git(project, "rev-parse", "HEAD")
    commit(project, "Hash with argon2", "2026-10-20T10:30:00Z", "httpx==0.28.1", "argon2-cffi==23.1.0")

    done = run("end", "--note", "-", "--base", base, "--json", cwd=project, stdin="## Completed\n- Hash with argon2\n")

    expected = {
        ("pypi", "httpx", "upgraded", "0.27.0", "0.28.1"),
        ("pypi", "passlib", "removed", "1.7.4", None),
        ("pypi", "argon2-cffi", "added", None, "23.1.0"),
    }
    assert expected == changes(done.data)
    shown = run("show", done.data["session"], "--json", cwd=project).data
    assert {"base": base, "head": git(project, "rev-parse", "HEAD")} == shown["commits"]


def test_a_log_is_measured_between_its_own_times(project: Path, run: Any, make_log: Any, tmp_path: Path) -> None:
    """What was committed before the session began or after it ended is not its doing."""
    commit(project, "Before", "2026-10-20T09:00:00Z", "httpx==0.27.2", "passlib==1.7.4")
    log = make_log(tmp_path / "log.jsonl", project)
    log.prompt("Add redis")
    commit(project, "Add redis", "2026-10-20T10:02:00Z", "httpx==0.27.2", "passlib==1.7.4", "redis==5.2.1")
    log.commit("Add redis")
    log.text("Done.")
    commit(project, "After", "2026-10-21T09:00:00Z", "httpx==0.27.2", "redis==5.2.1")

    done = run("end", "--transcript", str(log.save()), "--json", cwd=project)

    assert {("pypi", "redis", "added", None, "5.2.1")} == changes(done.data)


def test_a_known_commit_proves_and_an_unknown_one_is_marked(project: Path, run: Any) -> None:
    """A note that names a commit is proven by it; one that git does not know is unverified, and stands so in the record."""
    sha = commit(project, "Sign in", "2026-10-20T10:30:00Z", "httpx==0.27.0")
    note = f"## Completed\n- Sign-in form (commit {sha})\n- Rotation, fixed in commit deadbee\n"

    done = run("end", "--note", "-", "--json", cwd=project, stdin=note)

    assert ["proven", "claimed"] == [item["status"] for item in done.data["completed"]]
    assert f"commit:{sha}" in done.data["completed"][0]["evidence"]
    assert ["deadbee"] == run("show", done.data["session"], "--json", cwd=project).data["unverified"]


def test_a_worktree_is_the_same_project(project: Path, run: Any, tmp_path: Path) -> None:
    """B48: a linked worktree records into the boundary of its main repository."""
    linked = tmp_path / "linked"
    git(project, "worktree", "add", "-q", str(linked))

    run("add", "decision", "Made in a worktree", cwd=linked)

    assert "Made in a worktree" in run("state", cwd=project).out


def test_a_worthless_base_is_refused(project: Path, run: Any) -> None:
    """A revision that does not exist, or that looks like an option, is an error that names it."""
    for base in ("nowhere", "--output=/tmp/x", "HEAD~99"):
        done = run("end", "--note", "-", f"--base={base}", cwd=project, stdin="## Completed\n- x\n")

        assert done.status in {1, 2}
        assert base in done.err
