"""What people reported of tools that do this job, as they would meet it here: log in, record out."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records import summarizer
from handoffsite.sources import open_transcript
from tests.conftest import git
from tests.robust.talks import SESSION, Turn, claude_code, codex, gemini_cli, lines

TURNS = 20


@pytest.fixture
def project(run: Any, tmp_path: Path) -> Path:
    """A project."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    return folder


def said(number: int, text: str = "") -> str:
    return json.dumps(claude_code(Turn(number, "ask" if number == 0 else "say", text or f"Word {number}."))[0])


def previewed(run: Any, folder: Path, path: Path) -> Any:
    """What `end --dry-run` says of the log at *path*."""
    done = run("end", "--dry-run", "--json", "--transcript", str(path), cwd=folder)

    assert done.status == 0, done.err
    return done.data


def recorded(project: Path) -> list[dict[str, Any]]:
    """The front matter of every record, as far as a test looks at it."""
    return [{"file": path.name, "text": path.read_text()} for path in sorted(project.glob(".handoff/sessions/**/*.md"))]


@pytest.mark.parametrize("share", [0.05, 0.4, 0.6, 0.95])
def test_a_cut_last_line_costs_that_line(run: Any, project: Path, make_log: Any, tmp_path: Path, share: float) -> None:
    """B01: what was written before a power cut is all used, the cut line is named, and the record says that it is partial."""
    log = make_log(tmp_path / "logs" / "a.jsonl", project)
    log.prompt("Make the loader faster.")
    for _ in range(8):
        log.text("Looking at it.")
    log.commit("Make the loader faster")
    path = log.save()
    last = log.lines[-1]
    with path.open("a") as file:
        file.write(last[: int(len(last) * share)])
    done = run("end", "--transcript", str(path), "--json", cwd=project)

    assert [len(log.lines) + 1] == [one["line"] for one in done.data["account"]["skipped"]]
    assert ["proven"] == [item["status"] for item in done.data["completed"]]
    assert "the last line is cut" in recorded(project)[0]["text"]


@pytest.mark.parametrize("count", [1, 200, 300, 700, 5_000])
@pytest.mark.parametrize("newline", ["\n", ""])
def test_nul_bytes_hide_nothing(run: Any, tmp_path: Path, count: int, newline: str) -> None:
    """B04: the lines before and behind a run of NUL bytes are used, and the run is named."""
    path = tmp_path / "a.jsonl"
    commit = claude_code(Turn(2, "run", command="git commit -m x", output="[main 1a2b3c4] Mend it\n 1 file changed"))
    path.write_text(said(0, "Make it.") + "\n" + "\0" * count + newline + "\n".join(map(json.dumps, commit)) + "\n")
    found = previewed(run, tmp_path, path)

    assert [2] == [one["line"] for one in found["account"]["skipped"]]
    assert 1 == len(found["completed"])


def test_a_damaged_header_costs_the_header(run: Any, tmp_path: Path) -> None:
    """B06: a rollout whose first line is cut is known by the ID in its name, and its content is used."""
    path = tmp_path / f"rollout-2026-10-01T08-00-00-{SESSION}.jsonl"
    whole = list(lines("codex", 10))
    path.write_text("\n".join([whole[0][:60], *whole[1:]]) + "\n")
    found = previewed(run, tmp_path, path)

    assert f"codex:{SESSION}" == found["account"]["source"]
    assert [1] == [one["line"] for one in found["account"]["skipped"]]
    assert found["completed"]


def test_a_chat_is_not_empty_because_nothing_lists_it(run: Any, tmp_path: Path) -> None:
    """B09: a chat of two turns that no other file mentions is read."""
    path = tmp_path / "chats" / "session-2026-10-01T08-00-5e55a1d0.json"
    path.parent.mkdir()
    messages = [entry for number, kind in ((0, "ask"), (1, "say")) for entry in gemini_cli(Turn(number, kind, f"Word {number}."))]
    head = {
        "sessionId": SESSION,
        "projectHash": "5d" * 32,
        "startTime": "2026-10-01T08:00:00Z",
        "lastUpdated": "2026-10-01T08:00:00Z",
    }
    path.write_text(json.dumps({**head, "messages": messages}, indent=2))
    found = previewed(run, tmp_path, path)

    assert ("gemini-cli", "Word 0.") == (found["account"]["format"], found["focus"])


def test_files_without_a_session_are_no_success(run: Any, tmp_path: Path) -> None:
    """B09: where every file is left out, each is named with its reason, and the exit status says so."""
    run("init", "--workspace", cwd=tmp_path)
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.jsonl").write_text("\n")
    (folder / "b.jsonl").write_text('{"kind": "of another"}\n')
    done = run("import", "transcripts", str(folder), "--json", cwd=tmp_path)

    assert (1, 2, 0) == (done.status, done.data["files"], done.data["sessions"])
    assert ["a.jsonl", "b.jsonl"] == sorted(Path(one["file"]).name for one in done.data["ignored"])
    assert all(one["reason"] for one in done.data["ignored"])


def test_a_replay_counts_once(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """B10: entries that a resumed session repeats are counted once, and it does not end before it began."""
    log = make_log(tmp_path / "logs" / "a.jsonl", project)
    log.prompt("Make the loader faster.")
    log.tool("Bash", {"command": "pip install httpx==1.0"}, "Successfully installed httpx-1.0")
    log.commit("Make the loader faster")
    log.entry("user", "This session is being continued from another.", isCompactSummary=True)
    before = [*log.lines]
    log.lines += before[1:]
    path = log.save()
    transcript = open_transcript(path)
    kinds = [event.kind for event in transcript]
    found = previewed(run, project, path)

    assert (1, len(before) - 1) == (kinds.count("compact"), transcript.account.repeated)
    assert (1, 1) == (len(found["completed"]), len(found["dependencies"]))
    assert transcript.started < transcript.ended


def test_sub_agents_are_no_sessions(run: Any, tmp_path: Path, make_log: Any) -> None:
    """B14: a session and the files of its sub-agents are one session, and what they did is told under their names."""
    run("init", "--workspace", cwd=tmp_path)
    project = tmp_path / "atlas"
    project.mkdir()
    log = make_log(tmp_path / "logs" / "S1.jsonl", project, session="S1")
    log.prompt("Make the loader faster.")
    log.text("I hand it over.")
    log.save()
    for name in ("a", "b"):
        agent = make_log(tmp_path / "logs" / "S1" / "subagents" / f"agent-{name}.jsonl", project, session=name)
        agent.entry("user", "Do your part.", isSidechain=True, agentId=name)
        agent.commit(f"Mend part {name}", sha=f"{name}{name}2b3c4")
        agent.lines = [
            json.dumps(json.loads(line) | {"sessionId": "S1", "isSidechain": True, "agentId": name}) for line in agent.lines
        ]
        agent.save()
    done = run("import", "transcripts", str(tmp_path / "logs"), "--json", cwd=tmp_path)
    records = [path.read_text() for path in tmp_path.rglob("sessions/**/*.md")]

    assert 1 == done.data["sessions"]
    assert 1 == len(records)
    assert all(f"transcript:{name}:" in records[0] for name in ("a", "b"))


@pytest.mark.parametrize(
    "caveat",
    [
        "<local-command-caveat>Caveat: The messages below were generated by the user while running local commands.</local-command-caveat>",
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
        "<local-command-stdout></local-command-stdout>",
        "<system-reminder>\nBe brief.\n</system-reminder>",
    ],
)
def test_markup_is_no_title(run: Any, project: Path, make_log: Any, tmp_path: Path, caveat: str) -> None:
    """B17: the title is the first thing that the human really said."""
    log = make_log(tmp_path / "logs" / "a.jsonl", project)
    log.entry("user", caveat, isMeta=caveat.startswith("<local-command-caveat"))
    log.prompt("Make the loader faster.")
    log.commit("Make the loader faster")
    run("end", "--transcript", str(log.save()), cwd=project)

    assert "title: Make the loader faster" in recorded(project)[0]["text"]


def test_an_image_is_shown_by_its_size(tmp_path: Path) -> None:
    """B20: base64 is never text; what the picture was is said."""
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 200_000}
    block = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image", "source": source}]}
    call = claude_code(Turn(1, "run", command="shoot"))[0]
    call["message"]["content"][0]["id"] = "t"
    answer = claude_code(Turn(2, "ask", "x"))[0] | {"message": {"role": "user", "content": [block]}}
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([said(0), json.dumps(call), json.dumps(answer)]) + "\n")
    texts = [event.text for event in open_transcript(path) if event.kind == "result"]

    assert ["[image, 2 MB]"] == texts


def test_our_own_sessions_are_not_observed(run: Any, make_log: Any, tmp_path: Path) -> None:
    """B23: a session that is our own summariser's adds nothing, and neither does a session a second time."""
    run("init", "--workspace", cwd=tmp_path)
    project = tmp_path / "atlas"
    project.mkdir()
    own = make_log(tmp_path / "logs" / "own.jsonl", project, session="own")
    own.prompt(summarizer.prompt("What was said."))
    own.commit("Something")
    log = make_log(tmp_path / "logs" / "a.jsonl", project)
    log.prompt("Make the loader faster.")
    log.commit("Make the loader faster")
    log.save()
    own.save()
    run("import", "transcripts", str(tmp_path / "logs"), cwd=tmp_path)
    first = [path.read_bytes() for path in tmp_path.rglob("sessions/**/*.md")]
    run("import", "transcripts", str(tmp_path / "logs"), cwd=tmp_path)

    assert 1 == len(first)
    assert first == [path.read_bytes() for path in tmp_path.rglob("sessions/**/*.md")]


def test_a_commit_that_git_does_not_know_is_marked(run: Any, tmp_path: Path) -> None:
    """B25: it is unverified in the record, on the page and in the pack; one that git knows is a proof."""
    project = tmp_path / "atlas"
    project.mkdir()
    git(project, "init", "-q", "-b", "main")
    git(project, "commit", "-q", "--allow-empty", "-m", "Mend the loader")
    known = git(project, "rev-parse", "--short=8", "HEAD").strip()
    run("init", cwd=project)
    note = f"# Session\n\n## Completed\n\n- Fixed the parser in deadbee1\n- Mended the loader in {known}\n\n## Decisions\n\n- Use httpx\n"
    done = run("end", "--note", "-", "--json", cwd=project, stdin=note)
    run("build", cwd=project)
    pages = "".join(path.read_text() for path in (project / ".handoff" / "build").rglob("*.html"))

    assert ["claimed", "proven"] == [item["status"] for item in done.data["completed"]]
    assert "deadbee1" in recorded(project)[0]["text"].split("unverified")[1]
    assert "unverified" in pages


def test_a_wish_is_no_work(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """B26: what was asked for, and only read about, is open at most."""
    log = make_log(tmp_path / "logs" / "a.jsonl", project)
    log.prompt("Add an auth gate to the admin pages, please.")
    log.tool("Read", {"file_path": f"{project}/admin.py"}, "     1\u2192pass")
    log.tool("Grep", {"pattern": "auth"}, "admin.py:1:pass")
    log.text("I have read the admin pages. The auth gate belongs into admin.py.")
    found = previewed(run, project, log.save())

    assert [] == found["completed"]
    assert [] == found["dependencies"]


def test_the_other_threads_stay_as_they_are(run: Any, project: Path) -> None:
    """B29: a session that closes one of five threads leaves the other four byte for byte."""
    threads = "\n".join(f"- Thread number {number} of the list" for number in "ABCDE")
    run("end", "--note", "-", cwd=project, stdin=f"# One\n\n## Next\n\n{threads}\n")
    before = json.loads(run("state", "--json", cwd=project).out)["threads"]
    closed = before[2]["id"]
    run("done", closed, cwd=project)
    after = json.loads(run("state", "--json", cwd=project).out)["threads"]

    assert 5 == len(before)
    assert [thread for thread in before if thread["id"] != closed] == after


@pytest.mark.parametrize(
    "note",
    [
        "# Session\n\n[Session context goes here]\n",
        "# Session\n\n## Completed\n\n- [Session context goes here]\n",
        "# Session\n\n## Completed\n\n- TODO\n",
        "# Session\n\n## Completed\n\n- {{what was done}}\n",
        "",
    ],
)
def test_a_template_is_not_stored(run: Any, project: Path, note: str) -> None:
    """B31: a note that nobody filled in is refused, and what stands stays untouched."""
    run("end", "--note", "-", cwd=project, stdin="# One\n\n## Completed\n\n- Mended the loader\n")
    before = (recorded(project), run("state", "--json", cwd=project).data["generation"])
    done = run("end", "--note", "-", cwd=project, stdin=note)

    assert done.status == 1
    assert done.err.strip()
    assert before == (recorded(project), run("state", "--json", cwd=project).data["generation"])


@pytest.mark.parametrize("rule", ["'('", "'[a-'", "'*'", "'a*'", "''", "7", "['x']", "'(?P<x>a)(?P<x>b)'"])
@pytest.mark.parametrize(
    "words",
    [
        ("end", "--note", "-"),
        ("end", "--dry-run", "--note", "-"),
        ("end", "--transcript", "log.jsonl"),
        ("end", "--dry-run", "--transcript", "log.jsonl"),
        ("add", "decision", "Use it"),
        ("end",),
    ],
    ids=" ".join,
)
def test_a_broken_rule_stops_the_run(run: Any, project: Path, make_log: Any, rule: str, words: tuple[str, ...]) -> None:
    """A user's rule that cannot run is named with what to do; nothing is written, and never without redaction."""
    log = make_log(project / "log.jsonl", project)
    log.prompt("Make the loader faster.")
    log.commit("Make the loader faster")
    log.save()
    log.path = Path(os.environ["HOME"]) / ".claude" / "projects" / "-atlas" / "a.jsonl"
    log.save()
    settings = project / ".handoff" / "project.toml"
    settings.write_text(settings.read_text() + f"\nredact = ['ACME-[0-9]+', {rule}]\n")
    done = run(*words, cwd=project, stdin="# Session\n\n## Completed\n\n- Mended it\n")

    assert done.status == 1, done.out
    assert "redact" in done.err
    assert [] == recorded(project)
    assert done.out == "" or "Mended" not in done.out


def test_a_rule_of_the_user_holds_everywhere(run: Any, project: Path, make_log: Any) -> None:
    """What a rule matches is in no record and in no output."""
    log = make_log(project.parent / "log.jsonl", project)
    log.prompt("Make the loader of ACME-123456 faster.")
    log.commit("Make ACME-123456 faster")
    settings = project / ".handoff" / "project.toml"
    settings.write_text(settings.read_text() + "\nredact = ['ACME-[0-9]+']\n")
    done = run("end", "--transcript", str(log.save()), "--json", cwd=project)
    run("build", cwd=project)
    found = subprocess.run(["grep", "-rl", "ACME-1234", str(project)], capture_output=True, text=True, check=False)

    assert {"custom"} == set(done.data["account"]["redacted"])
    assert "ACME-1234" not in done.out + done.err
    assert "" == found.stdout


def test_the_same_talk_is_the_same_session_for_both_clients(run: Any, tmp_path: Path) -> None:
    """What two agents write of one talk gives the same items."""
    talk = [
        Turn(0, "ask", "Make the loader faster."),
        Turn(
            1,
            "run",
            command="git commit -m 'Make the loader faster'",
            output="[main 1a2b3c4] Make the loader faster\n 1 file changed",
        ),
    ]
    found = []
    for name, spell in (("claude", claude_code), ("codex", codex)):
        path = tmp_path / f"{name}-{SESSION}.jsonl"
        path.write_text("\n".join(json.dumps(entry) for turn in talk for entry in spell(turn)) + "\n")
        found.append([(item["status"], item["text"]) for item in previewed(run, tmp_path, path)["completed"]])

    assert found[0] == found[1]
