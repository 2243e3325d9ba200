"""STATE.md edited by hand, or damaged, or somebody else's: what each command makes of it."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

NOTE = """## Focus
Ship sign-in

## Decisions
- Keep sessions in Redis, because two nodes must share them
- Use pnpm

## Constraints
- Tried: a Lua script. Outcome: refused. Because: EVAL is disabled.

## Threads
- Rotate refresh tokens. Next: write the migration
- Measure
"""


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    root = tmp_path / "atlas"
    root.mkdir()
    run("init", cwd=root)
    run("end", "--note", "-", cwd=root, stdin=NOTE)
    return root


def text_of(project: Path) -> str:
    return (project / ".handoff" / "STATE.md").read_text(encoding="utf-8")


def edit(project: Path, *pairs: tuple[str, str]) -> str:
    text = text_of(project)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    (project / ".handoff" / "STATE.md").write_text(text, encoding="utf-8")
    return text


def row(project: Path, words: str) -> str:
    return next(line for line in text_of(project).split("\n") if words in line and line.startswith("|"))


def kept(project: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((project / ".handoff").glob("quarantine/*"))]


def records(project: Path) -> int:
    return len(list((project / ".handoff" / "sessions").glob("*.md")))


def problems(project: Path, run: Any) -> list[tuple[str, str]]:
    return [
        (one["code"], one["severity"])
        for one in run("check", "--json", cwd=project).data["problems"]
        if one["file"] == "STATE.md"
    ]


def test_edits_become_a_record_by_human(project: Path, run: Any) -> None:
    """Shown as not yet recorded until the next writing command, which records them as one act before it does its own work."""
    edit(
        project,
        ("Ship sign-in", "Ship sign-out"),
        ("write the migration", "test the migration"),
        (f"{row(project, 'Measure')}\n", ""),
        ("| D-2", "| new | proposed | Use uv | It is faster |\n| D-2"),
    )

    before = run("state", "--json", cwd=project).data
    assert 1 == before["generation"] == records(project)
    assert 4 == len(before["unrecorded"])
    assert before["stale"] is True
    assert [("edited", "warning")] * 4 == problems(project, run)
    done = run("add", "thread", "Another", cwd=project)

    assert 0 == done.status
    assert 3 == records(project)
    log = run("log", "--json", cwd=project).data[1]
    act = run("show", log["id"], "--json", cwd=project).data
    assert act["source"].startswith("act:")
    assert "human" in act["narrative"]
    assert "removed by hand" == act["retired"][0]["reason"]
    after = run("state", "--json", cwd=project).data
    assert ("Ship sign-out", [], False) == (after["focus"], after["unrecorded"], after["stale"])
    assert ["test the migration", ""] == [one["next"] for one in after["threads"]]
    assert 1 == after["proposed"]
    assert [] == problems(project, run)
    assert [] == kept(project)


def test_build_records_edits(project: Path, run: Any) -> None:
    """And a second build finds nothing left to do."""
    edit(project, ("write the migration", "test the migration"))

    assert 1 == run("build", "--check", cwd=project).status
    assert 0 == run("build", cwd=project).status
    assert 2 == records(project)
    assert 0 == run("build", "--check", cwd=project).status
    run("build", cwd=project)
    assert 2 == records(project)


def test_a_command_that_fails_leaves_the_edits_recorded_once(project: Path, run: Any) -> None:
    """The edits are recorded before the command; if it is refused, they are neither lost nor recorded again."""
    edit(project, ("| D-2", "| | | Use uv | |\n| D-2"))

    assert 0 != run("accept", "D-99", cwd=project).status
    assert 2 == records(project)
    run("build", cwd=project)
    assert 2 == records(project)
    assert 1 == text_of(project).count("Use uv")


def test_killed_between_record_and_state(project: Path, run: Any) -> None:
    """The record was written, STATE.md was not folded again: the same edits are not recorded a second time."""
    edited = edit(
        project, ("| D-2", "| | | Use uv | |\n| D-2"), ("Ship sign-in", "Ship it"), (f"{row(project, 'Measure')}\n", "")
    )
    run("build", cwd=project)
    (project / ".handoff" / "STATE.md").write_text(edited)

    run("build", cwd=project)

    assert 2 == records(project)
    assert 1 == text_of(project).count("Use uv")


def test_a_stale_writer_is_told_first(project: Path, run: Any) -> None:
    """`--if-generation` speaks of what was read: the edits do not count until they are recorded."""
    edit(project, ("write the migration", "test the migration"))

    assert 3 == run("add", "thread", "x", "--if-generation", "0", cwd=project).status
    assert 1 == records(project)
    assert 0 == run("add", "thread", "x", "--if-generation", "1", cwd=project).status
    assert 3 == records(project)


def test_what_cannot_be_understood_is_kept(project: Path, run: Any) -> None:
    """An error with its line; the text stands under Unfiled and whole in quarantine; the rest of the edits is taken."""
    edited = edit(
        project,
        ("write the migration", "test the migration"),
        ("| D-2", "| D-77 | accepted | A ghost | |\n| D-2"),
        ("## Archived", "## Riskz\n\nThe vendor may go.\n\n## Archived"),
    )

    line = edited.split("\n").index("| D-77 | accepted | A ghost | |") + 1
    found = run("check", "--json", cwd=project)
    assert (1, [line]) == (
        found.status,
        [one["line"] for one in found.data["problems"] if one["code"] == "unknown-id" and one["severity"] == "error"],
    )
    built = run("build", "--json", cwd=project)

    assert 1 == built.status
    assert ("unknown-id", line) in [(one["code"], one["line"]) for one in built.data["problems"]]
    assert [edited.encode()] == kept(project)
    assert "> | D-77 | accepted | A ghost | |" in text_of(project)
    assert "> ## Riskz\n> The vendor may go." in text_of(project)
    assert "test the migration" in text_of(project)
    data = run("state", "--json", cwd=project).data
    assert ["| D-77 | accepted | A ghost | |", "## Riskz\nThe vendor may go."] == data["unfiled"]
    assert "quarantined" in [one["code"] for one in run("check", "--json", cwd=project).data["problems"]]


def test_unfiled_text_leaves_when_it_is_settled(project: Path, run: Any) -> None:
    """Deleted from STATE.md by hand, or after the next session; the records keep it."""
    edit(project, ("## Archived", "First loose\n\nSecond\n\n## Archived"), ("## Focus", "Third\n\n## Focus"))
    run("build", cwd=project)
    assert ["Third", "First loose", "Second"] == run("state", "--json", cwd=project).data["unfiled"]
    edit(project, ("> Third\n", ""))
    run("build", cwd=project)

    assert ["First loose", "Second"] == run("state", "--json", cwd=project).data["unfiled"]
    run("end", "--note", "-", cwd=project, stdin="## Completed\n- Something\n")
    assert [] == run("state", "--json", cwd=project).data["unfiled"]
    assert "Unfiled" not in text_of(project)


def test_secrets_typed_by_hand_are_redacted(project: Path, run: Any) -> None:
    """What a human writes goes through the redactor like everything else."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    edit(project, ("write the migration", f"use token {secret}"))

    run("build", cwd=project)

    assert not [path for path in (project / ".handoff").rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert "[redacted:" in text_of(project)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_cut_file_is_never_read(project: Path, run: Any, share: float) -> None:
    """Named as truncated, kept whole in quarantine, folded again from the records, and nothing of it recorded."""
    whole = text_of(project)
    cut = whole.encode()[: int(len(whole.encode()) * share)]
    (project / ".handoff" / "STATE.md").write_bytes(cut)

    assert [("truncated", "error")] == problems(project, run)
    assert run("state", "--json", cwd=project).data["comparisons"][0]["stale"]
    built = run("build", "--json", cwd=project)

    assert (1, ["truncated"]) == (built.status, [one["code"] for one in built.data["problems"]])
    assert (whole, [cut], 1) == (text_of(project), kept(project), records(project))
    assert 0 == run("build", cwd=project).status


def test_an_older_version_put_back_is_replaced(project: Path, run: Any) -> None:
    """It is stale, which is no edit: nothing of it is recorded, and the answer says which copy is older."""
    old = text_of(project)
    run("done", "T-1", cwd=project)
    new = text_of(project)
    (project / ".handoff" / "STATE.md").write_text(old)

    compared = run("state", "--json", cwd=project).data["comparisons"][0]
    assert ("records", True, "STATE.md") == (compared["what"], compared["stale"], compared["older"])
    assert "handoffsite build" in compared["fix"]
    run("build", cwd=project)

    assert (new, 2) == (text_of(project), records(project))


def test_a_file_of_somebody_else_is_kept(project: Path, run: Any) -> None:
    """A STATE.md that another tool or a human wrote is kept whole, and the command that takes what it says is named."""
    foreign = "# Project State\n\n## Accumulated Context\n\n| Decision | Why |\n| --- | --- |\n" + "| One | x |\n" * 200
    (project / ".handoff" / "STATE.md").write_text(foreign)

    assert [("foreign", "error")] == problems(project, run)
    done = run("add", "thread", "x", cwd=project)

    assert "handoffsite import handoff" in done.err
    assert [foreign.encode()] == kept(project)
    assert "| T-1" in text_of(project)


def test_a_newer_file_is_refused(project: Path, run: Any) -> None:
    """What a later version wrote is not written over."""
    edited = edit(project, ("handoffsite/state@1", "handoffsite/state@2"))

    done = run("add", "thread", "x", cwd=project)

    assert (1, edited, 1) == (done.status, text_of(project), records(project))
    assert "update" in done.err


def test_an_unfinished_merge_is_folded_again(project: Path, run: Any) -> None:
    """Both sides are in the records; only edits that no record holds are worth a copy."""
    line = row(project, "Measure")
    edit(project, (line, f"<<<<<<< ours\n{line}\n=======\n{line}\n>>>>>>> theirs"))
    assert [("conflict", "error")] == problems(project, run)
    assert 0 == run("build", cwd=project).status
    assert ([], 1) == (kept(project), records(project))

    edit(project, (line, f"<<<<<<< ours\n{line}\n=======\n| new | active | Only here | |\n>>>>>>> theirs"))
    run("build", cwd=project)

    assert 1 == len(kept(project))
    assert "<<<<<<<" not in text_of(project)


def test_edits_wait_while_a_record_is_damaged(project: Path, run: Any) -> None:
    """A fold that lacks a record is no measure: the file stays as it is until the record can be read again."""
    run("add", "thread", "Other", cwd=project)
    edited = edit(project, ("write the migration", "test the migration"))
    victim = next((project / ".handoff" / "sessions").glob("*add-thread*"))
    data = victim.read_bytes()
    victim.write_bytes(data[:-40])

    run("build", cwd=project)
    assert (edited, 2) == (text_of(project), records(project))
    victim.write_bytes(data)
    run("build", cwd=project)

    assert ("test the migration" in text_of(project), 3) == (True, records(project))


def test_the_head_of_git_is_compared(project: Path, run: Any) -> None:
    """Commits since the last session, an older checkout, a commit that is not here: each names the older copy; our own commits do not count."""

    def git(*words: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *identity, *words], cwd=project, check=True, capture_output=True, text=True).stdout

    def compared() -> tuple[bool, str]:
        found = next(one for one in run("state", "--json", cwd=project).data["comparisons"] if one["what"] == "git")
        assert found["stale"] == bool(found["fix"])
        return found["stale"], found["older"]

    assert (False, "") == compared()
    git("init", "-q", "-b", "main")
    (project / "a.txt").write_text("1")
    git("add", "a.txt")
    git("commit", "-qm", "one")
    run("end", "--note", "-", cwd=project, stdin="## Completed\n- One\n")
    assert (False, "") == compared()
    git("add", "-A")
    git("commit", "-qm", "records")
    assert (False, "") == compared()
    (project / "a.txt").write_text("2")
    git("commit", "-qam", "two")
    assert (True, "state") == compared()
    run("end", "--note", "-", cwd=project, stdin="## Completed\n- Two\n")
    assert (False, "") == compared()
    git("reset", "-q", "--soft", "HEAD~2")
    assert (True, "git") == compared()


def test_a_receipt_of_the_mailbox_is_compared(project: Path, run: Any) -> None:
    """A message that was taken at a later generation than the records are at tells that they are the older copy."""
    run("work", "send", "executor", "Do it", cwd=project)
    run("add", "thread", "x", cwd=project)
    run("work", "take", "executor", cwd=project)
    newest = next((project / ".handoff" / "sessions").glob("*add-thread*"))
    newest.unlink()

    found = next(one for one in run("state", "--json", cwd=project).data["comparisons"] if one["what"] == "mailbox")

    assert (True, "records") == (found["stale"], found["older"])


def test_an_edit_survives_a_merge(project: Path, run: Any, tmp_path: Path) -> None:
    """One clone edits STATE.md and records nothing, the other records a session: after git merged them the edit is recorded, and no more."""

    def git(folder: Path, *words: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)

    git(project, "init", "-q", "-b", "main")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "records")
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(project), str(other))
    edit(project, ("Ship sign-in", "Ship sign-out"))
    git(project, "commit", "-qam", "by hand")
    run("end", "--note", "-", cwd=other, stdin="## Constraints\n- Tried: polling. Outcome: too slow.\n")
    git(other, "add", "-A")
    git(other, "commit", "-qm", "session")
    git(project, "pull", "-q", "--no-rebase", "--no-edit", str(other), "main")

    assert ["focus: Ship sign-out"] == run("state", "--json", cwd=project).data["unrecorded"]
    run("build", cwd=project)

    assert ("Ship sign-out" in text_of(project), "polling" in text_of(project), 3) == (True, True, records(project))
    assert [] == kept(project)


NOTES = Path(__file__).parents[3] / "shared" / "corpus" / "notes"


@pytest.mark.skipif(not NOTES.is_dir(), reason="needs the corpus of real notes beside the checkout")
def test_real_files_of_other_tools_are_kept(project: Path, run: Any) -> None:
    """However large: whole, byte for byte, and the state is what the records say."""
    own = text_of(project)
    files = sorted(path for path in NOTES.iterdir() if path.suffix == ".md")[:12]
    files += sorted(path for path in NOTES.iterdir() if "STATE" in path.name)

    for path in files:
        (project / ".handoff" / "STATE.md").write_bytes(path.read_bytes())
        assert [("foreign", "error")] == problems(project, run)
        run("build", cwd=project)
        assert own == text_of(project)

    assert {path.read_bytes() for path in files} == set(kept(project))
    assert 1 == records(project)
