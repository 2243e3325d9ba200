"""`hook` as an agent's program calls it: a process of its own, with a pipe that may stay open, and killed when the client likes."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.gate  # each starts processes, and waits for them

ROOT = Path(__file__).parents[2]
UUID = "5e55a1d0-0000-4000-8000-00000000000"
PAYLOADS = ROOT.parent / "shared" / "corpus" / "hook-payloads"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with nothing in it."""
    folder = tmp_path / "home"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Iterator[Path]:
    """A repository with a boundary. Whatever a hook left running is over before the folder goes."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    ours("init", cwd=folder, home=home)
    yield folder
    wait_for(lambda: not workers(folder))


def environment(home: Path) -> dict[str, str]:
    """What a client hands on."""
    return {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


def ours(*words: str, cwd: Path, home: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command line of ours as a process."""
    command = [sys.executable, "-m", "handoffsite", *words]
    return subprocess.run(command, cwd=cwd, env=environment(home), input=stdin, capture_output=True, text=True, check=False)


def hook(project: Path, home: Path, client: str, event: str, **payload: Any) -> subprocess.CompletedProcess[str]:
    """What *client* gets when it calls for *event*."""
    return ours("hook", client, event, cwd=project, home=home, stdin=json.dumps(payload))


def workers(project: Path) -> list[int]:
    """The processes that hooks left at work in *project*."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if b"--background" in (entry / "cmdline").read_bytes() and project in (entry / "cwd").resolve().parents:
                found.append(int(entry.name))
    return found


def wait_for(happened: Callable[[], Any], seconds: float = 60.0) -> Any:
    """What *happened* says once it is true; the last word when it never is."""
    deadline = time.monotonic() + seconds
    while not (said := happened()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return said


def records(project: Path) -> list[Path]:
    """The records that stand."""
    return sorted((project / ".handoff" / "sessions").glob("*.md"))


def pointers(project: Path) -> list[Path]:
    """What waits."""
    return sorted((project / ".handoff" / "inbox").glob("*.json"))


def worked(make_log: Any, path: Path, project: Path, number: int = 1, subject: str = "Sign-in posts to the API") -> Any:
    """A session's log in which something was committed."""
    log = make_log(path, project, UUID + str(number))
    log.prompt("Make the login form work")
    log.commit(subject, f"1a2b3c{number}")
    log.text(f"Done: {subject}.")
    log.save()
    return log


def claude(home: Path, number: int = 1) -> Path:
    """Where Claude Code would keep the log of a session."""
    return home / ".claude" / "projects" / "-work-atlas" / f"{UUID}{number}.jsonl"


def payload_of(log: Any, project: Path) -> dict[str, Any]:
    """What Claude Code says when a session ends."""
    return {
        "session_id": log.session,
        "transcript_path": str(log.path),
        "cwd": str(project),
        "hook_event_name": "SessionEnd",
        "reason": "clear",
    }


def test_a_session_that_ends_is_recorded_by_a_process_that_outlives_the_hook(project: Path, home: Path, make_log: Any) -> None:
    """The client gets its answer at once and silently; a moment later there is a record, and nothing waits any more."""
    log = worked(make_log, claude(home), project)

    done = hook(project, home, "claude-code", "session-end", **payload_of(log, project))

    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
    assert wait_for(lambda: records(project) and not pointers(project))
    assert "Sign-in posts to the API" in records(project)[0].read_text()


def test_the_inbox_holds_no_byte_of_the_log(project: Path, home: Path, make_log: Any) -> None:
    """A pointer says where the session lies; only its owner may read even that."""
    log = worked(make_log, claude(home), project, subject="A canary 7f3e9b")
    from handoffsite.commands import hook as hooks  # noqa: PLC0415
    from handoffsite.records.hooked import Call  # noqa: PLC0415

    hooks.keep(project / ".handoff", Call(client="claude-code", event="session-end", transcript=str(log.path)))
    (pointer,) = pointers(project)

    assert "canary" not in pointer.read_text()
    assert (0o600, 0o700) == (pointer.stat().st_mode & 0o777, pointer.parent.stat().st_mode & 0o777)


def test_the_pipe_may_stay_open(project: Path, home: Path, make_log: Any) -> None:
    """A client that never closes it is not waited for once the document is whole."""
    log = worked(make_log, claude(home), project)
    command = [sys.executable, "-m", "handoffsite", "hook", "claude-code", "session-end"]
    with subprocess.Popen(command, cwd=project, env=environment(home), stdin=subprocess.PIPE) as client:
        assert client.stdin
        client.stdin.write(json.dumps(payload_of(log, project)).encode())
        client.stdin.flush()

        assert 0 == client.wait(timeout=60)
        assert not client.stdin.closed
    assert wait_for(lambda: records(project))


def test_twice_is_once(project: Path, home: Path, make_log: Any) -> None:
    """Fired twice, by two clients, and caught up with: one record, each item once."""
    log = worked(make_log, claude(home), project)
    for client in ("claude-code", "claude-code", "copilot-cli"):
        hook(project, home, client, "session-end", **payload_of(log, project))
    wait_for(lambda: records(project) and not pointers(project) and not workers(project))
    ours("catch-up", cwd=project, home=home)

    assert 1 == len(records(project))


def test_a_session_that_wrote_its_own_note_is_one(project: Path, home: Path, make_log: Any) -> None:
    """What the note claims, the log proves: one item, not two."""
    log = worked(make_log, claude(home), project)
    note = f"---\nsession_id: claude-code:{log.session}\n---\n## Completed\n\n- Sign-in posts to the API\n"
    ours("end", "--note", "-", cwd=project, home=home, stdin=note)
    hook(project, home, "claude-code", "session-end", **payload_of(log, project))
    wait_for(lambda: len(records(project)) == 2 and not pointers(project) and not workers(project))
    found = ours("search", "--json", "kind:completed", cwd=project, home=home)

    assert ["proven"] == [hit["status"] for hit in json.loads(found.stdout)["hits"]]


@pytest.mark.parametrize("milliseconds", [10, 50, 200])
def test_a_killed_hook_loses_no_session(project: Path, home: Path, make_log: Any, milliseconds: int) -> None:
    """Whenever it dies: the session waits in the inbox, or is found where its client keeps it."""
    log = worked(make_log, claude(home), project)
    command = [sys.executable, "-m", "handoffsite", "hook", "claude-code", "session-end"]
    with subprocess.Popen(command, cwd=project, env=environment(home), stdin=subprocess.PIPE) as client:
        assert client.stdin
        client.stdin.write(json.dumps(payload_of(log, project)).encode())
        client.stdin.close()
        time.sleep(milliseconds / 1000)
        client.send_signal(signal.SIGKILL)
    wait_for(lambda: not workers(project))
    os.utime(log.path, (1_760_000_000, 1_760_000_000))
    ours("catch-up", cwd=project, home=home)

    assert 1 == len(records(project))
    assert not pointers(project)


def test_the_next_session_starts_informed(project: Path, home: Path, make_log: Any) -> None:
    """What ended a moment ago stands in the context of the session that begins, in the form that the client reads."""
    ours("add", "decision", "Keep sessions in Redis", cwd=project, home=home)
    log = worked(make_log, claude(home), project)
    log.prompt("We decided: no cookies")
    log.save()
    from handoffsite.store import inbox  # noqa: PLC0415

    inbox.put(project / ".handoff", inbox.Pointer(transcript=str(log.path), client="claude-code"))

    done = hook(project, home, "claude-code", "session-start", session_id="new", cwd=str(project), source="startup")
    context = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]

    assert 0 == done.returncode
    assert "Keep sessions in Redis" in context
    assert 1 == len([one for one in records(project) if log.session in one.read_text()])
    assert len(context) < 10_000


def test_a_folder_of_no_project_is_left_in_silence(tmp_path: Path, home: Path) -> None:
    """Hooks of the user's own settings fire everywhere: nothing is printed, nothing is made."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for event in ("session-start", "session-end", "stop", "pre-compact", "post-compact"):
        done = hook(folder, home, "claude-code", event, session_id="s", cwd=str(folder))

        assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
    assert [] == list(folder.iterdir())


@pytest.mark.parametrize("data", ["", "{}", "[1]", "{", '{"session_id": 12345, "cwd": null}', '{"cwd": "/no/such/folder"}', "\0"])
def test_a_payload_that_is_none_harms_nobody(project: Path, home: Path, data: str) -> None:
    """Empty, cut, of the wrong types: exit status 0, and nothing that a client would show."""
    done = ours("hook", "claude-code", "session-end", cwd=project, home=home, stdin=data)

    assert (0, "") == (done.returncode, done.stdout)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("claude", "session-end"), ("claude-code", "sessionEnd"), (), ("claude-code",)])
def test_a_wrong_word_blocks_nothing(project: Path, home: Path, words: tuple[str, ...]) -> None:
    """Exit status 2 would stop a client's compaction: what is wrong is said on stderr alone."""
    done = ours("hook", *words, cwd=project, home=home)

    assert (0, "") == (done.returncode, done.stdout)
    assert "is none of" in done.stderr


def test_a_damaged_project_harms_nobody(project: Path, home: Path, make_log: Any) -> None:
    """A project.toml that is cut: the client goes on; the session still waits."""
    log = worked(make_log, claude(home), project)
    (project / ".handoff" / "project.toml").write_text("id = [")
    done = hook(project, home, "claude-code", "session-end", **payload_of(log, project))
    start = hook(project, home, "claude-code", "session-start", cwd=str(project))

    assert (0, "", 0, "") == (done.returncode, done.stdout, start.returncode, start.stdout)
    assert 1 == len(pointers(project))


def test_a_turns_end_waits_until_nothing_is_said(project: Path, home: Path, make_log: Any) -> None:
    """A client without an end of session tells of each turn: recorded when the talk rests, not before."""
    log = worked(make_log, claude(home), project)
    from handoffsite.commands import background  # noqa: PLC0415
    from handoffsite.commands import hook as hooks  # noqa: PLC0415
    from handoffsite.records.hooked import Call  # noqa: PLC0415
    from handoffsite.store import boundary as boundaries  # noqa: PLC0415
    from handoffsite.store import inbox  # noqa: PLC0415

    for _ in range(3):
        hooks.keep(project / ".handoff", Call(client="antigravity", event="stop", transcript=str(log.path)))
    boundary = boundaries.load(project / ".handoff")
    ((_, pointer),) = inbox.pointers(boundary)[0]

    assert not background.is_ready(boundary, pointer, time.time())
    assert background.is_ready(boundary, pointer, time.time() + background.IDLE)


def test_a_summary_is_a_note_of_which_nothing_holds_yet(project: Path, home: Path) -> None:
    """What a client wrote when it compacted the talk is only claimed: decisions are proposals, secrets are gone."""
    summary = "## Decisions\n\n- Keep sessions in Redis: two nodes share them\n\n## Completed\n\n- The form posts, key AKIAIOSFODNN7EXAMPLQ\n"
    hook(
        project,
        home,
        "claude-code",
        "post-compact",
        session_id=UUID + "7",
        cwd=str(project),
        compact_summary=summary,
        trigger="auto",
    )
    wait_for(lambda: records(project) and not pointers(project))
    wait_for(lambda: not [*(project / ".handoff" / "inbox").rglob("*.md")])  # it goes after its pointer
    text = records(project)[0].read_text()

    assert "status: proposed" in text
    assert "status: claimed" in text
    assert "AKIA" not in text
    assert f"claude-code:{UUID}7" in text


def test_a_pointer_that_came_with_a_clone_leads_nowhere(project: Path, home: Path, tmp_path: Path) -> None:
    """A repository that brings an inbox of its own makes nobody read a file of the user's into its records."""
    secret = tmp_path / "private.md"
    secret.write_text("## Decisions\n\n- The private plan\n")
    folder = project / ".handoff" / "inbox"
    folder.mkdir(exist_ok=True)
    (folder / "planted.json").write_text(json.dumps({"note": str(secret)}))
    (folder / "private.json").write_text(json.dumps({"note": "../../private.md"}))
    (folder / "private.json").chmod(0o600)  # so it may be after a clone, where the user's files are private
    (folder / "log.json").write_text(json.dumps({"transcript": str(secret)}))
    done = ours("build", cwd=project, home=home)

    assert 1 == done.returncode
    assert 2 == done.stdout.count("its note, private.md, is not in this project")
    assert 1 == done.stdout.count("it leads out of this project, to private.md")
    assert [] == records(project)


def test_a_session_of_another_project_is_left_to_it(project: Path, home: Path, make_log: Any, tmp_path: Path) -> None:
    """The log itself says where it worked, whatever a hook said; nothing of it is recorded here."""
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=other, check=True)
    ours("init", cwd=other, home=home)
    log = worked(make_log, claude(home, 2), other, 2, subject="Foreign canary")
    hook(project, home, "claude-code", "session-end", **payload_of(log, project))
    wait_for(lambda: not pointers(project) and not workers(project))

    assert [] == records(project)


@pytest.mark.skipif(not PAYLOADS.is_dir(), reason="the payloads are not beside the checkout")
def test_every_payload_of_the_corpus_is_taken(project: Path, home: Path) -> None:
    """Real shapes and edge cases of all events: exit status 0, and nothing printed."""
    for file in sorted(PAYLOADS.rglob("*.json")):
        for event in ("session-end", "stop"):
            done = ours("hook", "claude-code", event, cwd=project, home=home, stdin=file.read_text())

            assert (0, "") == (done.returncode, done.stdout), file
