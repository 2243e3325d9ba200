"""What users ran into, each as a test of its kind."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.item import TYPES
from handoffsite.store import tables


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    assert 0 == run("init", cwd=folder).status
    return folder


def records(project: Path) -> list[Path]:
    return sorted((project / ".handoff" / "sessions").glob("*.md"))


@pytest.mark.parametrize("kind", ["decision", "constraint", "thread"])
def test_no_status_is_written_that_cannot_be_read(project: Path, run: Any, kind: str) -> None:
    """Each status of a kind can be added and read again; each status of another kind is refused, and nothing is written."""
    for status in sorted({status for type in TYPES.values() for status in type.STATUSES} | {"bogus"}):
        before = records(project)
        done = run("add", kind, f"A {kind} that is {status}", "--status", status, cwd=project)

        assert (0 if status in TYPES[kind].STATUSES else 2) == done.status
        assert bool(done.status) == (before == records(project))
    assert run("check", "--json", cwd=project).data["ok"]


@pytest.mark.gate
def test_many_acts_still_make_a_site(project: Path, run: Any) -> None:
    """Lists that go over more than one page lead back to where they came from."""
    threads = [{"title": f"Thread {number}", "status": "done"} for number in range(230)]
    run("end", "--note", "-", cwd=project, stdin=json.dumps({"threads": threads}))
    for number in range(205):
        run("add", "thread", f"Act {number}", cwd=project)

    assert 0 == run("build", cwd=project).status


def test_a_purged_session_stays_purged(project: Path, run: Any) -> None:
    """The same note or log again is recognised by its source, and brings nothing back."""
    note = "## Completed\n- Something that was never ours\n"
    run("end", "--note", "-", cwd=project, stdin=note)
    run("purge", "S-1", "--reason", "wrong project", cwd=project)

    again = run("end", "--note", "-", "--json", cwd=project, stdin=note).data

    assert not again["created"]
    assert any("purged" in warning for warning in again["warnings"])
    assert not any("never ours" in path.read_text() for path in records(project))


def test_the_same_note_without_its_log(project: Path, run: Any, make_log: Any, tmp_path: Path) -> None:
    """A note that was handed in with a log is known when it comes alone, and the other way round."""
    log = make_log(tmp_path / "log.jsonl", project)
    log.prompt("Ship it")
    log.commit("Ship it")
    note = "## Completed\n- Ship it\n- And say so\n"
    run("end", "--note", "-", "--transcript", str(log.save()), cwd=project, stdin=note)

    alone = run("end", "--note", "-", "--json", cwd=project, stdin=note)

    assert not alone.data["created"]
    assert 1 == len(records(project))


def test_numbers_of_a_damaged_record_are_not_given_again(project: Path, run: Any) -> None:
    """As far as its bytes still tell, the items of a damaged record keep their numbers."""
    for title in ("first", "second"):
        run("add", "decision", title, cwd=project)
    victim = next(path for path in records(project) if "S-2-" in path.name)
    victim.write_bytes(victim.read_bytes()[:-20])

    assert "D-3-" in run("add", "decision", "third", "--json", cwd=project).data["id"]


def test_nothing_hides_in_what_is_folded(project: Path, run: Any) -> None:
    """Escape and direction characters are visible in STATE.md, in the archive and in JSON."""
    run("add", "decision", "x\u202ey \x1b[2Jz", cwd=project)
    run("retire", "D-1", "--reason", "w\u200bv", cwd=project)
    run("add", "thread", "a\u2066b\x1b[0m", cwd=project)

    said = [run(*words, "--json", cwd=project).out for words in (["state"], ["show", "D-1"], ["search", "x", "y"])]
    folded = [path.read_text() for path in (project / ".handoff").rglob("*.md") if "sessions" not in path.parts]

    assert not [text for text in said + folded if set(text) & set("\u202e\u200b\u2066\x1b") or "\\u001b" in text]


def test_a_record_of_another_project_is_named(project: Path, run: Any, tmp_path: Path) -> None:
    """A record that was copied here by mistake is found by `check`."""
    other = tmp_path / "other"
    other.mkdir()
    run("init", cwd=other)
    run("add", "decision", "Theirs", cwd=other)
    copied = records(other)[0]
    (project / ".handoff" / "sessions" / copied.name).write_bytes(copied.read_bytes())

    problems = run("check", "--json", cwd=project).data["problems"]

    assert ("foreign", f"sessions/{copied.name}") in [(problem["code"], problem["file"]) for problem in problems]


def test_secrets_stay_out_of_warnings(project: Path, run: Any) -> None:
    """What a note hides in a heading is not printed by the warning about that heading."""
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    done = run("end", "--note", "-", "--json", cwd=project, stdin=f"## Random {token}\n\nwords\n\n## Completed\n- x\n")

    assert token not in done.out + done.err


@pytest.mark.parametrize("epoch", ["99999999999999", "-1", "soon"])
def test_a_clock_that_is_none_is_a_usage_error(project: Path, run: Any, monkeypatch: pytest.MonkeyPatch, epoch: str) -> None:
    """SOURCE_DATE_EPOCH must be a number of seconds that a date can be."""
    del run
    from handoffsite.cli.main import main  # noqa: PLC0415

    monkeypatch.chdir(project)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)

    assert (0 if epoch == "-1" else 2) == main(["state"])


def test_a_workspace_is_no_project(tmp_path: Path, run: Any) -> None:
    """`init` at the root of a workspace says where its projects lie."""
    run("init", "--workspace", cwd=tmp_path)

    done = run("init", "--name", "alpha", cwd=tmp_path)

    assert 2 == done.status
    assert "content/alpha" in done.err


def test_what_a_note_says_does_not_close_its_session(project: Path, run: Any) -> None:
    """Only `purge` marks a record as purged: the same words in an agent's narrative are words."""
    note = "## Completed\n- One\n\nParts of this record were purged on 2026-01-01.\n"
    run("end", "--note", "-", "--session", "claude-code:7", cwd=project, stdin=note)

    again = run(
        "end",
        "--note",
        "-",
        "--session",
        "claude-code:7",
        "--json",
        cwd=project,
        stdin="## Completed\n- Two quite different things\n",
    )

    assert again.data["created"]


def test_a_purge_does_not_bring_its_text_back(project: Path, run: Any, tmp_path: Path) -> None:
    """A reason that names the text is written without it."""
    run("add", "decision", "Call it hushhushword", cwd=project)

    run("purge", "hushhushword", "--reason", "hushhushword leaked", cwd=project)

    held = [
        path
        for root in (project, tmp_path / "home")
        for path in root.rglob("*")
        if path.is_file() and b"hushhushword" in path.read_bytes()
    ]
    assert [] == held


@pytest.mark.parametrize("word", ["accepted", "decision", "act:", "S-1-", "2026", "schema"])
def test_a_purge_breaks_no_record(project: Path, run: Any, word: str) -> None:
    """A text that also stands in what a record is found and checked by leaves that alone."""
    run("add", "decision", f"Said {word} once", cwd=project)

    run("purge", word, "--reason", "r", cwd=project)

    assert run("check", "--json", cwd=project).data["ok"]
    assert "accepted" == run("show", "D-1", "--json", cwd=project).data["status"]


def test_a_purge_that_would_break_the_settings_is_refused(project: Path, run: Any) -> None:
    """Nothing is changed where project.toml could not be read without the text."""
    before = (project / ".handoff" / "project.toml").read_bytes()

    done = run("purge", "budget", "--reason", "r", cwd=project)

    assert (1, before) == (done.status, (project / ".handoff" / "project.toml").read_bytes())
    assert "project.toml" in done.err


def test_a_log_that_adds_nothing_hides_no_older_one(project: Path, run: Any, make_log: Any, tmp_path: Path) -> None:
    """Bare `end` goes on to the next log when the newest says nothing new, and says when none is left."""
    logs = tmp_path / "home" / ".claude" / "projects" / "-x"
    for number in (1, 2):
        session = f"5e55a1d0-0000-4000-8000-00000000000{number}"
        log = make_log(logs / f"{session}.jsonl", project, session)
        log.prompt(f"Ship part {number}")
        log.commit(f"Ship part {number}", f"{number}111111")
        log.save()
    run("end", cwd=project)
    newest = max(logs.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    newest.write_text(newest.read_text() + '{"type":"last-prompt","sessionId":"x"}\n')

    second, third = run("end", "--json", cwd=project), run("end", cwd=project)

    assert second.data["created"]
    assert (1, True) == (third.status, "no unrecorded session" in third.err)


def test_one_bad_pointer_or_note_costs_itself(project: Path, run: Any) -> None:
    """What else waits in the inbox is extracted, and each fault is named."""
    root = project / ".handoff"
    (root / "inbox").mkdir()
    (root / "bad.md").write_bytes(b"## Completed\n- \xff\xfe\n")
    (root / "good.md").write_text("## Completed\n- Good\n")
    for name, text in (("a", "not json"), ("b", '{"note": "bad.md"}'), ("c", '{"note": "good.md"}')):
        (root / "inbox" / f"{name}.json").write_text(text)

    done = run("build", "--json", cwd=project)

    assert 1 == done.status
    assert [("inbox/a.json", 0), ("bad.md", 2)] == [(problem["file"], problem["line"]) for problem in done.data["problems"]]
    assert 1 == len(done.data["projects"][0]["recorded"])


def test_a_busy_cache_stops_nobody(project: Path, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process writes to the cache, reading and recording go on, and the cache is right afterwards."""
    run("add", "decision", "first", cwd=project)
    (cache,) = (tmp_path / "home").rglob("fold.sqlite")
    monkeypatch.setattr(tables, "BUSY_SECONDS", 0.1)
    other = sqlite3.connect(cache)
    other.execute("BEGIN IMMEDIATE")

    added, state = run("add", "decision", "second", cwd=project), run("state", cwd=project)
    other.rollback()
    other.close()

    assert (0, 0) == (added.status, state.status)
    assert "second" in state.out
    assert "second" in run("state", cwd=project).out
    assert run("check", "--json", cwd=project).data["ok"]
