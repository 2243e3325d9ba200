"""Two clones of one project, merged by real git."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NOTE = "## Completed\n- {0}\n\n## Decisions\n- Choose {0}, because of {0}\n"


def git(folder: Path, *words: str, check: bool = True) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, check=check, capture_output=True, text=True)
    return done.stdout


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "records")


@pytest.fixture
def clones(tmp_path: Path, run: Any) -> tuple[Path, Path]:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    git(one, "init", "-q", "-b", "main")
    run("init", "--name", "atlas", cwd=one)
    run("end", "--note", "-", cwd=one, stdin=NOTE.format("the first thing"))
    commit(one)
    git(tmp_path, "clone", "-q", str(one), str(other))
    return one, other


def merge(one: Path, other: Path, run: Any) -> None:
    """Merge *other* into *one*; what is derived may conflict, and is folded again; a record never conflicts."""
    commit(one)
    commit(other)
    git(one, "pull", "-q", "--no-rebase", "--no-edit", str(other), "main", check=False)
    conflicts = git(one, "diff", "--name-only", "--diff-filter=U").split()
    assert not [name for name in conflicts if "/sessions/" in name]
    assert run("build", cwd=one).status == 0
    if conflicts:
        commit(one)


def titles(run: Any, folder: Path) -> list[str]:
    ids = [id for record in run("log", "--json", cwd=folder).data for id in record["items"]]
    found = {item["id"]: item.get("title") or item["text"] for id in ids if (item := run("show", id, "--json", cwd=folder).data)}
    return sorted(found.values())


def test_different_sessions_merge(clones: tuple[Path, Path], run: Any) -> None:
    """Both clones took the same numbers: nothing is lost, no ID changes, and the short form is refused with both candidates."""
    one, other = clones
    mine = run("end", "--note", "-", "--json", cwd=one, stdin=NOTE.format("mine")).data["decisions"][0]["id"]
    theirs = run("end", "--note", "-", "--json", cwd=other, stdin=NOTE.format("theirs")).data["decisions"][0]["id"]

    merge(one, other, run)

    assert mine.split("-")[1] == theirs.split("-")[1] == "2"
    assert ["Choose mine", "Choose theirs"] == [run("show", id, "--json", cwd=one).data["title"] for id in (mine, theirs)]
    short = run("show", "D-2", cwd=one)
    assert 1 == short.status
    assert mine in short.err
    assert theirs in short.err
    assert run("check", "--json", cwd=one).data["ok"]
    assert "D-3-" in run("add", "decision", "Afterwards", "--json", cwd=one).data["id"]


def test_the_same_session_in_both_clones(clones: tuple[Path, Path], run: Any) -> None:
    """It is there once after the merge, and the IDs of both clones mean it, in the short form too."""
    one, other = clones
    run("end", "--note", "-", cwd=other, stdin=NOTE.format("only theirs"))
    ids = [
        run("end", "--note", "-", "--json", cwd=folder, stdin=NOTE.format("shared")).data["decisions"][0]["id"]
        for folder in clones
    ]

    merge(one, other, run)

    shown = [run("show", id, "--json", cwd=one).data for id in ids]
    assert ids[0] != ids[1]
    assert shown[0] == shown[1]
    assert 1 == titles(run, one).count("Choose shared")
    assert 1 == (one / ".handoff" / "STATE.md").read_text().count("Choose shared")
    assert run("check", "--json", cwd=one).data["ok"]


def test_the_same_session_with_the_same_numbers(clones: tuple[Path, Path], run: Any) -> None:
    """Recorded at different times in clones that knew the same, the two files merge without a conflict."""
    one, other = clones
    ids = [
        run("end", "--note", "-", "--json", cwd=folder, stdin=NOTE.format("shared")).data["decisions"][0]["id"]
        for folder in clones
    ]

    merge(one, other, run)

    assert ids[0] == ids[1]
    assert 1 == titles(run, one).count("Choose shared")
    assert ids[0] == run("show", "D-2", "--json", cwd=one).data["id"]
    assert run("check", "--json", cwd=one).data["ok"]


def test_both_clones_follow_up(clones: tuple[Path, Path], run: Any, make_log: Any, tmp_path: Path) -> None:
    """A session that both recorded and both followed up, one further than the other: each item once, each ID as it was."""
    one, other = clones
    log = make_log(tmp_path / "log.jsonl", tmp_path / "nowhere")
    log.prompt("Begin")
    log.commit("Begin the work", "1111111")
    path = log.save()
    for folder in clones:
        run("end", "--transcript", str(path), cwd=folder)
    log.prompt("Go on")
    log.commit("Go on with it", "2222222")
    log.save()
    mine = run("end", "--transcript", str(path), "--json", cwd=one).data
    log.prompt("And finish")
    log.commit("Finish all of it", "3333333")
    log.save()
    theirs = run("end", "--transcript", str(path), "--json", cwd=other).data

    merge(one, other, run)

    found = titles(run, one)
    assert sorted(set(found)) == found
    assert all(any(subject in title for title in found) for subject in ("Begin the work", "Go on with it", "Finish all of it"))
    for item in (*mine["completed"], *theirs["completed"]):
        assert item["text"] == run("show", item["id"], "--json", cwd=one).data["text"]


def test_everything_derived_comes_back(
    clones: tuple[Path, Path], run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleted and built again, at another path, in another time zone and locale, with new file times: byte for byte the same."""
    one, _ = clones
    run("supersede", "D-1", "--by", run("add", "decision", "Better", "--json", cwd=one).data["id"], cwd=one)
    run("add", "constraint", "Tried it", "--outcome", "failed", cwd=one)
    assert 0 == run("build", cwd=one).status
    elsewhere = tmp_path / "a" / "b c"
    shutil.copytree(one, elsewhere)
    for name in ("STATE.md", "archive", "build"):
        target = elsewhere / ".handoff" / name
        shutil.rmtree(target) if target.is_dir() else target.unlink()
    shutil.rmtree(tmp_path / "home" / ".cache")
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setenv("LC_ALL", "C")

    assert 0 == run("build", cwd=elsewhere).status

    def tree(root: Path) -> dict[str, bytes]:
        return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}

    assert tree(one / ".handoff") == tree(elsewhere / ".handoff")
