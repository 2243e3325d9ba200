import sys
from pathlib import Path
from typing import Any

import pytest

NOTE = """\
## Focus
Ship sign-in

## Completed
- The login form posts to /api/session

## Decisions
- Keep sessions in Redis, because two nodes must share them
"""


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    assert 0 == run("init", cwd=folder).status
    return folder


def worked(make_log: Any, project: Path, tmp_path: Path) -> Any:
    log = make_log(tmp_path / "logs" / "5e55a1d0-0000-4000-8000-000000000001.jsonl", project)
    log.prompt("Make the login form post to /api/session")
    log.tool("Edit", {"file_path": f"{project}/login.py", "old_string": "a", "new_string": "b"}, "The file has been updated.")
    log.commit("The login form posts to /api/session")
    log.text("Decision: we will keep sessions in Redis because two nodes must share them.")
    return log


def records(project: Path) -> list[str]:
    return sorted(path.name for path in (project / ".handoff" / "sessions").glob("*.md"))


def test_a_note_becomes_a_record(run: Any, project: Path) -> None:
    """What the note says is recorded, claimed as long as nothing proves it, and stands in STATE.md."""
    done = run("end", "--note", "-", "--json", cwd=project, stdin=NOTE)

    assert (0, True, "Ship sign-in") == (done.status, done.data["created"], done.data["focus"])
    assert ["claimed"] == [item["status"] for item in done.data["completed"]]
    assert [("accepted", "Keep sessions in Redis")] == [(item["status"], item["title"]) for item in done.data["decisions"]]
    assert "Keep sessions in Redis" in (project / ".handoff" / "STATE.md").read_text()


@pytest.mark.parametrize(
    ("note", "title"),
    [
        ("## Focus\n\nRotate the deploy token\n", "Rotate the deploy token"),
        ("## Completed\n- The form posts\n", "The form posts"),
        ("# What we *saw*\n\nNothing that fits anywhere.\n", "What we *saw*"),
        (f"## Focus\n\n{'Long words of a focus ' * 9}\n", f"{'Long words of a focus ' * 3}Long words…"),
        (f"## Focus\n\n{'x' * 50} postgres://app:Xq9vW2kLp8ZrT4mN7bQs@db/main\n", f"{'x' * 50}…"),
    ],
    ids=["focus", "item", "narrative", "long", "secret"],
)
def test_a_note_has_a_title(run: Any, project: Path, note: str, title: str) -> None:
    """Its focus, its first item or its first words, cut between words, and only after what is secret in them is gone."""
    run("end", "--note", "-", cwd=project, stdin=note)

    assert title == run("log", "--json", cwd=project).data[0]["title"]


def test_the_same_twice_changes_nothing(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """A note or a log that was recorded already makes no record, takes no number, and says what stands."""
    log = worked(make_log, project, tmp_path).save()
    first = [
        run("end", "--note", "-", "--json", cwd=project, stdin=NOTE),
        run("end", "--transcript", str(log), "--json", cwd=project),
    ]
    before = {name: (project / ".handoff" / "sessions" / name).read_bytes() for name in records(project)}
    state = (project / ".handoff" / "STATE.md").read_bytes()

    again = [
        run("end", "--note", "-", "--json", cwd=project, stdin=NOTE),
        run("end", "--transcript", str(log), "--json", cwd=project),
    ]

    assert [False, False] == [done.data["created"] for done in again]
    assert [done.data["session"] for done in first] == [done.data["session"] for done in again]
    assert first[0].data["decisions"][0]["id"] == again[0].data["decisions"][0]["id"]
    assert before == {name: (project / ".handoff" / "sessions" / name).read_bytes() for name in records(project)}
    assert state == (project / ".handoff" / "STATE.md").read_bytes()


def test_a_log_proves_its_own_note(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """A session that wrote a note and is then extracted from its log has each item once, and the claimed one is proven."""
    noted = run("end", "--note", "-", cwd=project, stdin=NOTE, at=1_792_490_700)  # while the session still ran
    log = worked(make_log, project, tmp_path)
    log.tool("Bash", {"command": "handoffsite end --note NOTE.md"}, noted.out)

    done = run("end", "--transcript", str(log.save()), "--json", cwd=project)
    shown = run("show", "S-1", "--json", cwd=project).data

    assert [("proven", "S-1")] == [(item["status"], item["id"][:3]) for item in done.data["completed"]]
    assert 1 == len({item["title"] for item in shown["items"] if item["kind"] == "decision"})
    state = (project / ".handoff" / "STATE.md").read_text()
    assert 1 == state.lower().count("keep sessions in redis")


def test_the_session_may_be_named(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """`--session` says outright which session a note is of, so its log adds evidence and no second copy."""
    log = worked(make_log, project, tmp_path)
    run("end", "--note", "-", "--session", f"claude-code:{log.session}", cwd=project, stdin=NOTE)

    done = run("end", "--transcript", str(log.save()), "--json", cwd=project)

    assert ["proven"] == [item["status"] for item in done.data["completed"]]
    assert 1 == len(run("show", "S-1", "--json", cwd=project).data["completed"])


def test_note_and_log_together(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """The note decides: its decision is accepted; the log proves: its commit is the evidence, and the quote is kept."""
    log = worked(make_log, project, tmp_path).save()

    done = run("end", "--note", "-", "--transcript", str(log), "--json", cwd=project, stdin=NOTE)
    shown = run("show", done.data["session"], "--json", cwd=project).data

    assert ["proven"] == [item["status"] for item in done.data["completed"]]
    assert ["accepted"] == [item["status"] for item in done.data["decisions"]]
    evidence = [address for address in done.data["completed"][0]["evidence"] if address.startswith("transcript:")]
    assert evidence
    lines = log.read_text().splitlines()
    for address in evidence:
        if address in shown["quotes"]:
            assert shown["quotes"][address].split("\n")[0][:20] in lines[int(address.split(":")[1]) - 1]


def test_a_session_that_went_on_adds_only_what_is_new(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """The follow-up holds the later commit and not the earlier one."""
    log = worked(make_log, project, tmp_path)
    first = run("end", "--transcript", str(log.save()), "--json", cwd=project).data
    log.prompt("Now rotate the refresh tokens")
    log.tool("Edit", {"file_path": f"{project}/tokens.py", "old_string": "a", "new_string": "b"}, "The file has been updated.")
    log.commit("Rotate refresh tokens", "5d6e7f8")

    done = run("end", "--transcript", str(log.save()), "--json", cwd=project).data

    assert done["created"]
    assert ["Rotate refresh tokens" in item["text"] for item in done["completed"]] == [True]
    assert first["session"] != done["session"]
    titles = [item["title"] for item in run("log", "--json", cwd=project).data]
    assert 2 == len(titles)


def test_a_fork_does_not_tell_the_same_again(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """Messages copied into another session's file belong to the session that recorded them first; a warning says so."""
    log = worked(make_log, project, tmp_path)
    run("end", "--transcript", str(log.save()), cwd=project)
    fork = make_log(tmp_path / "logs" / "fork.jsonl", project, "5e55a1d0-0000-4000-8000-000000000002")
    fork.lines = [line.replace(log.session, fork.session) for line in log.lines]
    fork.minute = log.minute
    fork.prompt("Go another way")
    fork.commit("Another way", "7777777")

    done = run("end", "--transcript", str(fork.save()), "--json", cwd=project).data

    assert ["Another way" in item["text"] for item in done["completed"]] == [True]
    assert any("belongs to S-1" in warning for warning in done["warnings"])


def test_a_dry_run_needs_no_project_and_writes_nothing(run: Any, make_log: Any, tmp_path: Path) -> None:
    """It prints what a record would hold, without IDs."""
    empty = tmp_path / "empty"
    empty.mkdir()
    log = worked(make_log, empty, tmp_path).save()

    done = run("end", "--transcript", str(log), "--dry-run", "--json", cwd=empty)

    assert 0 == done.status
    assert ["proven"] == [item["status"] for item in done.data["completed"]]
    assert not any("id" in item for item in done.data["completed"])
    assert [] == list(empty.iterdir())


def test_another_projects_session_is_refused(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """A log whose session worked in another project is not recorded here."""
    other = tmp_path / "other"
    other.mkdir()
    run("init", cwd=other)
    log = worked(make_log, other, tmp_path).save()

    done = run("end", "--transcript", str(log), cwd=project)

    assert 1 == done.status
    assert "another project" in done.err
    assert [] == records(project)


def test_bare_end_finds_the_newest_unrecorded_log(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """It looks where the client keeps its logs, takes this project's alone, and says so when none is left."""
    logs = tmp_path / "home" / ".claude" / "projects" / "-x"
    mine = make_log(logs / "5e55a1d0-0000-4000-8000-000000000001.jsonl", project)
    mine.prompt("Ship it")
    mine.commit("Ship it")
    mine.save()
    foreign = make_log(logs / "5e55a1d0-0000-4000-8000-00000000000f.jsonl", tmp_path, "5e55a1d0-0000-4000-8000-00000000000f")
    foreign.prompt("Foreign work")
    foreign.save()

    first, second = run("end", "--json", cwd=project), run("end", cwd=project)

    assert (0, True) == (first.status, first.data["created"])
    assert 1 == second.status
    assert "no unrecorded session" in second.err


@pytest.mark.parametrize(
    ("words", "stdin", "status", "said"),
    [
        (["end", "--note", "-"], "", 1, "empty"),
        (["end", "--note", "/dev/zero"], "", 1, "more than 32 MiB"),
        (["end", "--note", sys.executable], "", 1, "not UTF-8 text"),
        (["end", "--note", "-"], "## Decisions\n- TODO\n", 1, "TODO"),
        (["end", "--note", "-", "--transcript", "-"], "", 2, "standard input"),
        (["end", "--transcript", "/nowhere.jsonl"], "", 1, "nowhere.jsonl"),
        (["end", "--transcript", "-"], "hello\n", 1, "looked for"),
        (["end", "--note", "-", "--if-generation", "7"], NOTE, 3, "generation 0"),
    ],
    ids=["empty", "endless", "binary", "placeholder", "both from stdin", "missing", "no log", "stale"],
)
def test_bad_input_is_refused(run: Any, project: Path, words: list[str], stdin: str, status: int, said: str) -> None:
    """Nothing is written, and the message says what is wrong."""
    done = run(*words, cwd=project, stdin=stdin)

    assert (status, []) == (done.status, records(project))
    assert said in done.err
    assert "Traceback" not in done.err


def test_what_a_record_cannot_hold_is_said(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """Of more than a thousand completed items the last are recorded, and how many are left out is said."""
    log = make_log(tmp_path / "long.jsonl", project)
    log.prompt("Mend the sails")
    for number in range(1_020):
        log.commit(f"Mend sail {number + 100}", f"{number + 1:07x}")
    done = run("end", "--transcript", str(log.save()), "--json", cwd=project)

    assert 1_000 == len(done.data["completed"])
    assert "20 completed items of this session are left out: it has more than one record can hold" in done.data["warnings"]


SESSIONS = sorted(
    path
    for path in (Path(__file__).parents[1] / "samples").glob("*/*")
    if path.suffix in {".json", ".jsonl"} and not path.name.endswith(".events.json")
)


@pytest.mark.parametrize("sample", SESSIONS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_same_log_again_changes_nothing(run: Any, tmp_path: Path, sample: Path) -> None:
    """In whatever format: what one item says is never taken for further evidence of another that resembles it."""
    project = tmp_path / "again"
    project.mkdir()
    run("init", cwd=project)
    first = run("end", "--transcript", str(sample), "--json", cwd=project)
    again = run("end", "--transcript", str(sample), "--json", cwd=project)

    assert first.status == again.status
    assert first.status or not again.data["created"]
