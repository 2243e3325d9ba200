"""The repository is read as data: what it says comes out exactly, and nothing in it runs."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from handoffsite.errors import Refused
from handoffsite.sources.git import UNREADABLE, Change, changed_files, commit_before, commits, head, known, resolve

Git = Callable[..., str]
WHO = {"GIT_AUTHOR_NAME": "tester", "GIT_AUTHOR_EMAIL": "tester@example.test"}
WHO |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in WHO.items()}


def anything(_path: str) -> bool:
    return True


def runner(root: Path) -> Git:
    def run(*arguments: str, at: str = "2026-11-30T12:00:00Z") -> str:
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(
            ["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True, env={**os.environ, **WHO, **dates}
        ).stdout.strip()

    return run


@pytest.fixture
def git(tmp_path: Path) -> Git:
    run = runner(tmp_path)
    run("init", "-q", "-b", "main")
    return run


def commit(git: Git, root: Path, files: dict[str, str], subject: str = "Change", at: str = "2026-11-30T12:00:00Z") -> str:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", subject, at=at)
    return git("rev-parse", "HEAD")


def test_head_is_empty_before_the_first_commit(git: Git, tmp_path: Path) -> None:
    """An unborn branch has no head, and then it has one."""
    assert head(tmp_path) == ""

    sha = commit(git, tmp_path, {"a": "1"})

    assert sha == head(tmp_path)


def test_head_outside_a_repository_is_empty(tmp_path: Path) -> None:
    """No repository is no error where only the head is asked for."""
    assert head(tmp_path) == ""


def test_missing_git_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without git there is no head and no known commit; what needs one says what is missing."""
    monkeypatch.setenv("PATH", str(tmp_path))

    assert head(tmp_path) == ""
    assert known(tmp_path, ["abcdef1"]) == frozenset()
    with pytest.raises(Refused, match="git is not installed"):
        resolve(tmp_path, "HEAD")


def test_no_repository_is_refused(tmp_path: Path) -> None:
    """A folder without a repository is named, with what to do."""
    with pytest.raises(Refused, match="is in no git repository") as caught:
        changed_files(tmp_path, "", "HEAD", anything)

    assert "git init" in caught.value.hint


@pytest.mark.parametrize("revision", ["", "--all", "-n1", "a\nb", "HEAD\0", "no-such-branch", "0" * 40])
def test_what_names_no_commit_is_refused(git: Git, tmp_path: Path, revision: str) -> None:
    """An option, a line break or an unknown name is never passed for a revision."""
    commit(git, tmp_path, {"a": "1"})

    with pytest.raises(Refused) as caught:
        resolve(tmp_path, revision)

    assert caught.value.hint


def test_a_blob_is_no_commit(git: Git, tmp_path: Path) -> None:
    """An object of another kind does not resolve."""
    commit(git, tmp_path, {"a": "1"})

    with pytest.raises(Refused):
        resolve(tmp_path, git("rev-parse", "HEAD:a"))


def test_commits_oldest_first(git: Git, tmp_path: Path) -> None:
    """Each commit comes with its time in UTC and its subject as it was written."""
    first = commit(git, tmp_path, {"a": "1"}, "First", at="2026-11-30T12:00:00+02:00")
    second = commit(git, tmp_path, {"a": "2"}, "Zweiter: übrig\n\nbody", at="2026-11-30T12:30:00Z")

    assert [(first, "2026-11-30T10:00:00Z", "First"), (second, "2026-11-30T12:30:00Z", "Zweiter: übrig")] == [
        (c.sha, c.time, c.subject) for c in commits(tmp_path, "", "main")
    ]
    assert [second] == [c.sha for c in commits(tmp_path, first[:8], "HEAD")]
    assert () == commits(tmp_path, second, "")


def test_the_last_commit_before_a_session(git: Git, tmp_path: Path) -> None:
    """A session's base is what was committed at its start or earlier."""
    first = commit(git, tmp_path, {"a": "1"}, at="2026-11-30T12:00:00Z")
    second = commit(git, tmp_path, {"a": "2"}, at="2026-11-30T13:00:00Z")

    times = ["2026-11-30T11:59:59Z", "2026-11-30T12:00:00Z", "2026-11-30T14:00:00.250+02:00", "2026-11-30T13:00:00"]

    assert ["", first, first, second] == [commit_before(tmp_path, time) for time in times]
    with pytest.raises(Refused, match="not an ISO 8601 time"):
        commit_before(tmp_path, "yesterday")


def test_known_commits(git: Git, tmp_path: Path) -> None:
    """Whole and abbreviated SHAs are known; blobs, strangers, branches of that name and words are not."""
    sha = commit(git, tmp_path, {"a": "1"})
    git("branch", "decade")
    blob = git("rev-parse", "HEAD:a")
    asked = [sha, sha[:7], sha[:9].upper(), blob, blob[:8], "0" * 40, "decade", "no", "--all", "g" * 8]

    assert frozenset((sha, sha[:7], sha[:9].upper())) == known(tmp_path, asked)


@pytest.mark.usefixtures("git")
def test_an_ambiguous_abbreviation_is_not_known(tmp_path: Path) -> None:
    """Of many commits some share their first four digits; only what names exactly one commit counts."""
    lines = [
        f"commit refs/heads/main\ncommitter t <t@example.test> {n} +0000\ndata 1\n{n % 10}\n"
        for n in range(1_700_000_000, 1_700_000_900)
    ]
    done = subprocess.run(
        ["git", "-C", str(tmp_path), "fast-import", "--quiet"], input="".join(lines), text=True, check=True, capture_output=True
    )
    assert done.returncode == 0

    shas = [c.sha for c in commits(tmp_path, "", "main")]
    shared = {sha[:4] for sha in shas if sum(other.startswith(sha[:4]) for other in shas) > 1}

    assert shared
    assert frozenset(sha[:4] for sha in shas) - shared == known(tmp_path, [sha[:4] for sha in shas])


def test_changed_files(git: Git, tmp_path: Path) -> None:
    """Added, changed, removed and moved files come with both texts; others are not read."""
    base = commit(git, tmp_path, {"keep.toml": "k", "edit.toml": "1", "gone.toml": "g", "old/name.toml": "m" * 50, "x.txt": "no"})
    (tmp_path / "gone.toml").unlink()
    (tmp_path / "old/name.toml").unlink()
    tip = commit(git, tmp_path, {"edit.toml": "2", "new ü\t.toml": "n", "to/name.toml": "m" * 50, "x.txt": "other"})

    assert (
        Change("edit.toml", "1", "2"),
        Change("gone.toml", "g", None),
        Change("new ü\t.toml", None, "n"),
        Change("old/name.toml", "m" * 50, None),
        Change("to/name.toml", None, "m" * 50),
    ) == changed_files(tmp_path, base, tip, lambda path: path.endswith(".toml"))


def test_from_the_beginning(git: Git, tmp_path: Path) -> None:
    """Without a base everything is new; without a head nothing is."""
    commit(git, tmp_path, {"a": "1"})

    assert (Change("a", None, "1"),) == changed_files(tmp_path, "", "HEAD", anything)
    assert () == changed_files(tmp_path, "", "", anything)


def test_links_are_no_files(git: Git, tmp_path: Path) -> None:
    """A symbolic link's target is not the text of a manifest."""
    (tmp_path / "package.json").symlink_to("/etc/hostname")
    commit(git, tmp_path, {})

    assert (Change("package.json", None, None),) == changed_files(tmp_path, "", "HEAD", anything)


def test_a_file_too_large_is_never_read(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A blob over the limit is marked, not loaded, and never taken for a removal."""
    monkeypatch.setattr("handoffsite.sources.git.LARGEST_FILE", 10)
    commit(git, tmp_path, {"a": "1234567890", "b": "12345678901"})

    assert (Change("a", None, "1234567890"), Change("b", None, UNREADABLE)) == changed_files(tmp_path, "", "HEAD", anything)


def test_any_bytes(git: Git, tmp_path: Path) -> None:
    """Neither a path nor a text that is not UTF-8 stops the reading; UTF-16, as PowerShell writes it, is text."""
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_bytes(b"\xff\x00\xe9")
    (tmp_path / "wide.txt").write_bytes("httpx==1".encode("utf-16"))
    (tmp_path / "empty.txt").write_bytes(b"")
    commit(git, tmp_path, {})

    assert [("caf\\xe9.txt", "\ufffd\0\ufffd"), ("empty.txt", ""), ("wide.txt", "httpx==1")] == [
        (change.path, change.after) for change in changed_files(tmp_path, "", "HEAD", anything)
    ]


def test_nothing_in_the_repository_runs(git: Git, tmp_path: Path) -> None:
    """Hooks, monitors, filters, external diffs, pagers and textconv of a hostile repository stay unused."""
    base = commit(git, tmp_path, {".gitattributes": "* diff=evil filter=evil\n", "package.json": "{}"})
    tip = commit(git, tmp_path, {"package.json": '{"a": 1}'})
    marker = tmp_path / "ran"
    evil = f"touch {marker} #"
    settings = ["core.fsmonitor", "core.pager", "diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.smudge"]
    settings += [
        "filter.evil.clean",
        "core.sshCommand",
        "core.askPass",
        "gpg.program",
        "core.alternateRefsCommand",
        "pager.rev-list",
    ]
    for setting in settings:
        git("config", setting, evil)
    git("config", "log.showSignature", "true")
    hook = tmp_path / ".git/hooks/post-index-change"
    hook.write_text(f"#!/bin/sh\n{evil}\n", encoding="utf-8")
    hook.chmod(0o755)

    assert head(tmp_path) == tip
    assert len(commits(tmp_path, base, tip)) == 1
    assert len(changed_files(tmp_path, base, tip, anything)) == 1
    assert frozenset((tip,)) == known(tmp_path, [tip])
    assert not marker.exists()


def test_a_hook_of_another_repository_does_not_mislead(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GIT_DIR and its kin, which git sets for its hooks, do not decide which repository is read."""
    sha = commit(git, tmp_path, {"a": "1"})
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")

    assert sha == head(tmp_path)


def test_worktrees_and_folders_beneath(git: Git, tmp_path: Path) -> None:
    """A linked worktree has a head of its own, and a folder of the repository is as good as its root."""
    first = commit(git, tmp_path, {"deep/er/a": "1"})
    git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    second = commit(runner(tmp_path / "side"), tmp_path / "side", {"b": "2"})

    assert [first, second] == [head(tmp_path / "deep/er"), head(tmp_path / "side")]


def test_a_shallow_clone_says_so(git: Git, tmp_path: Path) -> None:
    """A commit that a shallow clone left behind is refused with the way to get it."""
    first = commit(git, tmp_path, {"a": "1"})
    second = commit(git, tmp_path, {"a": "2"})
    runner(tmp_path)("clone", "-q", "--depth=1", tmp_path.as_uri(), str(tmp_path / "shallow"))

    assert frozenset((second,)) == known(tmp_path / "shallow", [first, second])
    with pytest.raises(Refused, match="shallow") as caught:
        resolve(tmp_path / "shallow", first)
    assert "unshallow" in caught.value.hint
