"""What users ran into, each as a test of its kind."""

import json
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.item import TYPES


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
