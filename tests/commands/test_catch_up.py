"""`catch-up` records what no hook reported: every client's finished sessions of this project, each once."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands.logs import Search
from handoffsite.records import summarizer
from handoffsite.store import inbox
from handoffsite.store.inbox import Pointer

SAMPLES = Path(__file__).parents[1] / "samples"
LAST = 1_792_490_700  # when `worked` writes its last entry, 2026-10-20T10:05
NOW = 1_793_000_000  # the clock of `run` begins here
UUID = "5e55a1d0-0000-4000-8000-00000000000"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    (folder / ".git").mkdir(parents=True)
    assert 0 == run("init", cwd=folder).status
    return folder


def claude(home: Path, number: int = 1) -> Path:
    return home / ".claude" / "projects" / "-any" / f"{UUID}{number}.jsonl"


def worked(make_log: Any, path: Path, cwd: Path, subject: str = "The login form posts to /api/session") -> Any:
    """A log of a session that committed."""
    log = make_log(path, cwd, session=path.stem)
    log.prompt("Make the login form post to /api/session")
    log.tool("Edit", {"file_path": f"{cwd}/login.py", "old_string": "a", "new_string": "b"}, "The file has been updated.")
    log.commit(subject)
    log.save()
    return log


def records(project: Path) -> list[str]:
    return sorted(path.name for path in (project / ".handoff" / "sessions").glob("*.md"))


def text_of(project: Path) -> str:
    return "".join(path.read_text() for path in (project / ".handoff" / "sessions").glob("*.md"))


def moved(source: Path, target: Path, cwds: dict[str, str]) -> None:
    """A copy of the sample *source* in which the sessions worked elsewhere."""
    text = source.read_text(encoding="utf-8")
    for old, new in cwds.items():
        text = text.replace(old, new)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def test_a_session_that_no_hook_reported_is_recorded_once(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """Once it is recorded, nothing is left to do, whatever was forgotten meanwhile."""
    worked(make_log, claude(home), project)

    first = run("catch-up", "--json", cwd=project)
    again = run("catch-up", "--json", cwd=project)
    shutil.rmtree(home / ".cache")
    forgotten = run("catch-up", "--json", cwd=project)

    assert (0, 1, 1, {"atlas": 1}) == (first.status, first.data["files"], len(first.data["recorded"]), first.data["projects"])
    assert [(0, [], 1)] * 2 == [(done.status, done.data["recorded"], done.data["unchanged"]) for done in (again, forgotten)]
    assert 1 == len(records(project))


def test_what_a_hook_reported_is_not_recorded_again(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """Nor what `end` recorded: it is compared by its content, and not even read."""
    log = worked(make_log, claude(home), project)
    run("end", "--transcript", str(log.path), cwd=project)

    done = run("catch-up", "--json", cwd=project)

    assert ([], 1) == (done.data["recorded"], done.data["unchanged"])


def test_a_session_that_went_on_gets_its_follow_up(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """With what is new and nothing else."""
    log = worked(make_log, claude(home), project)
    run("catch-up", cwd=project)
    log.prompt("Now rotate the refresh tokens")
    log.tool("Edit", {"file_path": f"{project}/t.py", "old_string": "a", "new_string": "b"}, "The file has been updated.")
    log.commit("Rotate refresh tokens", "5d6e7f8")
    log.save()

    done = run("catch-up", "--json", cwd=project)
    shown = run("show", done.data["recorded"][0], "--json", cwd=project).data

    assert 1 == len(done.data["recorded"])
    assert ["Rotate refresh tokens"] == [item["text"].partition(" (")[0] for item in shown["completed"]]


def test_worktrees_and_sub_directories_belong_to_the_project(
    run: Any, project: Path, home: Path, make_log: Any, tmp_path: Path
) -> None:
    """A repository of its own inside it does not, nor does a sibling of a like name."""
    shutil.rmtree(project / ".git")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.test"]
    for words in (
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "x"],
        ["worktree", "add", "-q", str(tmp_path / "tree")],
    ):
        subprocess.run([*git, *words], cwd=project, check=True, capture_output=True)
    (tmp_path / "tree" / "src").mkdir()
    (project / "src").mkdir()
    (project / "vendor" / ".git").mkdir(parents=True)
    (tmp_path / "atlas-2").mkdir()
    own = [project / "src", tmp_path / "tree", tmp_path / "tree" / "src"]
    for number, cwd in enumerate([*own, project / "vendor", tmp_path / "atlas-2", tmp_path / "gone"], 1):
        worked(make_log, claude(home, number), cwd, f"Commit number {number} of {cwd.name}")

    done = run("catch-up", "--json", cwd=project)

    assert (6, 3, 3) == (done.data["files"], len(done.data["recorded"]), done.data["unassigned"])
    assert {1, 2, 3} == {number for number in range(1, 7) if f"Commit number {number}" in text_of(project)}


def test_a_session_under_way_is_left_alone(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """Its last entry is of just now; a quarter of an hour later it counts as finished, unless the human left before."""
    log = worked(make_log, claude(home), project)
    last = LAST
    os.utime(log.path, (last, last))

    early = run("catch-up", "--json", cwd=project, at=last + 600)
    log.entry("user", "<command-name>/exit</command-name>\n<command-message>exit</command-message>")
    log.save()
    os.utime(log.path, (last, last))
    left = run("catch-up", "--json", cwd=project, at=last + 700)

    assert (0, [], 1) == (early.status, early.data["recorded"], early.data["unfinished"])
    assert (1, 0) == (len(left.data["recorded"]), left.data["unfinished"])


def test_a_quiet_session_is_finished_without_a_mark(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """What counts is when it was written last, by the file or by its own entries: a copy is newer than what it says."""
    log = worked(make_log, claude(home), project)
    last = LAST
    os.utime(log.path, (last + 900, last + 900))

    done = run("catch-up", "--json", cwd=project, at=last + 901)

    assert 1 == len(done.data["recorded"])


def test_what_waits_in_the_inbox_is_extracted(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """First of all, and wherever the log lies."""
    log = worked(make_log, tmp_path / "elsewhere" / f"{UUID}1.jsonl", project)
    inbox.put(project / ".handoff", Pointer(transcript=str(log.path)))

    done = run("catch-up", "--json", cwd=project)

    assert (0, 1, 1) == (done.status, done.data["inbox"], len(done.data["recorded"]))
    assert [] == list((project / ".handoff" / "inbox").glob("*.json"))


@pytest.mark.parametrize("word", ["catch-up", "build"])
def test_what_a_hook_leaves_meanwhile_waits_until_its_log_is_found(
    run: Any, project: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """A pointer that knows its session's ID alone, and comes while the logs are looked through, is no session without a word."""
    inbox.put(project / ".handoff", Pointer(client="opencode", session="ses_first"))

    def sessions(search: Search, *given: Any, **named: Any) -> Any:
        inbox.put(project / ".handoff", Pointer(client="opencode", session="ses_late"))
        return real(search, *given, **named)

    real = Search.sessions
    monkeypatch.setattr(Search, "sessions", sessions)

    assert 0 == run(word, cwd=project).status
    assert [] == records(project)
    assert "ses_late" in "".join(path.read_text() for path in (project / ".handoff" / "inbox").glob("*.json"))


def test_the_inbox_may_mean_one_session_of_a_store(run: Any, project: Path) -> None:
    """A client that keeps all in one file names the session that ended."""
    file = project / "history.md"
    shutil.copy(SAMPLES / "aider" / "weather.aider.chat.history.md", file)
    inbox.put(project / ".handoff", Pointer(transcript=str(file), session="2026-10-05T09-13-02"))

    done = run("catch-up", "--json", cwd=project)

    assert (1, 1) == (done.data["inbox"], len(done.data["recorded"]))
    assert "2026-10-05T09-13-02" in text_of(project)


def test_a_vanished_log_never_takes_its_record_with_it(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """Its client deleted it by age; the record stands, and nothing complains."""
    log = worked(make_log, claude(home), project)
    run("catch-up", cwd=project)
    before = records(project)
    log.path.unlink()

    done = run("catch-up", "--json", cwd=project)

    assert (0, 0, before) == (done.status, done.data["files"], records(project))
    assert 0 == run("build", cwd=project).status
    assert "The login form posts" in "".join(
        page.read_text() for page in (project / ".handoff" / "build" / "sessions").glob("S-*.html")
    )


def test_what_waits_and_vanished_is_named(run: Any, project: Path, tmp_path: Path) -> None:
    """It stays where it is, and the exit status says that something is lost."""
    inbox.put(project / ".handoff", Pointer(transcript=str(tmp_path / "gone.jsonl")))

    done = run("catch-up", "--json", cwd=project)

    assert (1, ["not-found"]) == (done.status, [one["code"] for one in done.data["problems"]])


def test_sub_agents_and_our_own_sessions_are_none(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """The work of a sub-agent is its session's; what a summariser was asked is nobody's, and the next run adds nothing either."""
    log = worked(make_log, claude(home), project)
    beside = claude(home).with_suffix("") / "subagents" / "agent-a1.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_text(log.path.read_text())
    own = make_log(claude(home, 2), project, session=f"{UUID}2")
    own.prompt(f"{summarizer.OPENING} Decisions, as JSON.")
    own.text('{"decisions": [{"title": "We will keep sessions in Redis because two nodes must share them"}]}')
    own.save()
    cached = home / ".cache" / "handoffsite"
    cached.mkdir(parents=True, exist_ok=True)
    worked(make_log, claude(home, 3), cached)

    done = [run("catch-up", "--json", cwd=project) for _ in range(2)]

    assert [1, 0] == [len(one.data["recorded"]) for one in done]
    assert [1, 0] == [one.data["silent"] for one in done]
    assert "Redis" not in text_of(project)


def test_what_cannot_be_read_is_named(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """With its reason; where nothing at all can be read, that is no success."""
    claude(home).parent.mkdir(parents=True)
    claude(home, 1).write_text("")
    claude(home, 2).write_text('{"no": "log"}\n')

    failed = run("catch-up", "--json", cwd=project)
    plain = run("catch-up", cwd=project)
    worked(make_log, claude(home, 3), project)
    done = run("catch-up", "--json", cwd=project)

    assert (1, 2, 0) == (failed.status, failed.data["files"], failed.data["sessions"])
    assert ["the file is empty", "JSON of another kind"] == sorted(
        (one["reason"].partition(",")[0].partition(";")[0] for one in failed.data["ignored"]), reverse=True
    )
    assert "No log could be read" in plain.out
    assert f"{claude(home)}: ignored: the file is empty" in plain.err
    assert (0, 1, 2) == (done.status, len(done.data["recorded"]), len(done.data["ignored"]))


def test_no_logs_at_all_are_no_failure(run: Any, project: Path) -> None:
    """A machine on which no agent ran has nothing to catch up with; a folder of no project has no answer."""
    done = run("catch-up", "--json", cwd=project)

    assert (0, 0) == (done.status, done.data["files"])
    assert 2 == run("catch-up", cwd=project.parent).status


def test_a_workspace_catches_up_with_all_its_projects(run: Any, home: Path, make_log: Any, tmp_path: Path) -> None:
    """At its root, or with --workspace; each session is filed in its own, and a project alone gets its own only."""
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)
    for name in ("alpha", "beta"):
        run("init", f"content/{name}", cwd=root)
    for number, name in enumerate(("alpha", "beta", "alpha"), 1):
        worked(make_log, claude(home, number), root / "content" / name, f"Commit {number} of {name}")

    alone = run("catch-up", "--json", cwd=root / "content" / "beta")
    done = run("catch-up", "--json", cwd=root)
    again = run("catch-up", "--workspace", "--json", cwd=root / "content" / "beta")

    assert {"beta": 1} == alone.data["projects"]
    assert {"alpha": 2} == {name: count for name, count in done.data["projects"].items() if count}
    assert ([], 3) == (again.data["recorded"], again.data["unchanged"])
    assert "of alpha" not in "".join(path.read_text() for path in (root / "content" / "beta" / "sessions").glob("*.md"))


def test_a_generation_that_is_past_is_a_conflict(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """Whoever read the state before somebody else wrote is told."""
    worked(make_log, claude(home), project)

    assert 3 == run("catch-up", "--if-generation", "7", cwd=project).status
    assert 0 == run("catch-up", "--if-generation", "0", cwd=project).status


def opencode_database(path: Path, *exports: Path, cwd: Path) -> None:
    """A database of OpenCode in which the sessions of *exports* worked in *cwd*."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as base:
        base.executescript((SAMPLES / "opencode" / "schema.sql").read_text())
        for export in exports:
            found = json.loads(export.read_text())
            info, times = found["info"], found["info"]["time"]
            base.execute(
                "INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)"
                " VALUES (?, 'p', ?, 's', ?, ?, '1.2.9', ?, ?)",
                (info["id"], info.get("parentID"), str(cwd), info["title"], times["created"], times["updated"]),
            )
            for message in found["messages"]:
                one, created = message["info"], message["info"]["time"]["created"]
                base.execute(
                    "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (one["id"], info["id"], created, created, json.dumps(one))
                )
                for part in message["parts"]:
                    row = (part["id"], one["id"], info["id"], created, created, json.dumps(part))
                    base.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
        base.commit()


def opencode_tree(storage: Path, export: Path, cwd: Path) -> None:
    """The same session in OpenCode's older store."""
    found = json.loads(export.read_text())
    info = found["info"] | {"directory": str(cwd)}

    def put(*steps: str, value: Any) -> None:
        file = storage.joinpath(*steps[:-1], f"{steps[-1]}.json")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))

    put("session", "p", info["id"], value=info)
    for message in found["messages"]:
        put("message", info["id"], message["info"]["id"], value=message["info"])
        for part in message["parts"]:
            put("part", message["info"]["id"], part["id"], value=part)


def gemini(home: Path, project: Path) -> None:
    digest = hashlib.sha256(str(project).encode()).hexdigest()
    target = home / ".gemini" / "tmp" / digest / "chats" / "session-2026-11-03T09-15-4c1e7a90.json"
    moved(SAMPLES / "gemini-cli" / target.name, target, {})


def cursor(home: Path, project: Path) -> None:
    (log,) = (SAMPLES / "cursor").glob("*-*.jsonl")
    folder = home / ".cursor" / "projects" / "any"
    moved(log, folder / "agent-transcripts" / log.stem / log.name, {})
    (folder / ".workspace-trusted").write_text(json.dumps({"trustedAt": "2026-10-22T11:00:00Z", "workspacePath": str(project)}))


def cline(home: Path, project: Path) -> None:
    for log in (SAMPLES / "cline").glob("*_k2v9q*.json"):
        if not log.name.endswith(".events.json"):
            moved(log, home / ".cline" / "data" / "sessions" / "1795334400000_k2v9q" / log.name, {"/srv/tides": str(project)})


def copilot_vscode(home: Path, project: Path) -> None:
    source = SAMPLES / "copilot-vscode" / "workspaceStorage"
    for log in (*source.rglob("*.jsonl"), *source.rglob("????????-*.json"), source / "workspace.json"):
        if not log.name.endswith(".events.json"):
            target = home / ".config" / "Code" / "User" / "workspaceStorage" / "w" / log.relative_to(source)
            moved(log, target, {"/srv/work/tidepool": str(project)})


def antigravity(home: Path, project: Path) -> None:
    source = SAMPLES / "antigravity" / "antigravity-cli"
    for log in source.rglob("*.jsonl"):
        moved(log, home / ".gemini" / "antigravity-cli" / log.relative_to(source), {"/srv/harbour": str(project)})


def opencode(home: Path, project: Path) -> None:
    exports = sorted((SAMPLES / "opencode").glob("ses_*uKjM.json")) + sorted((SAMPLES / "opencode").glob("ses_*BnX.json"))
    root = home / ".local" / "share" / "opencode"
    opencode_database(root / "opencode.db", *exports, cwd=project)
    opencode_tree(root / "storage", exports[1], project)


def one_file(sample: str, place: str, old: str) -> Any:
    def put(home: Path, project: Path) -> None:
        (log,) = (one for one in SAMPLES.glob(sample) if not one.name.endswith(".events.json"))
        moved(log, home / place / log.name, {old: str(project)})

    return put


def aider(home: Path, project: Path) -> None:
    del home
    shutil.copy(SAMPLES / "aider" / "weather.aider.chat.history.md", project / ".aider.chat.history.md")


def specstory(home: Path, project: Path) -> None:
    del home
    shutil.copytree(SAMPLES / "specstory", project / ".specstory" / "history", ignore=shutil.ignore_patterns("*.json"))


CLIENTS = {
    "aider": (aider, 2),
    "amp": (one_file("amp/T-*.json", ".local/share/amp/threads", "/srv/lumen"), 1),
    "antigravity": (antigravity, 1),
    "claude-code": (one_file("claude-code/7b0e*.jsonl", ".claude/projects/-srv-atlas", "/srv/atlas"), 1),
    "cline": (cline, 1),
    "codex": (one_file("codex/rollout-2026-11-06*.jsonl", ".codex/sessions/2026/11/06", "/srv/atlas"), 1),
    "copilot-cli": (one_file("copilot-cli/*/events.jsonl", ".copilot/session-state/3f1b", "/srv/work/tidepool"), 1),
    "copilot-vscode": (copilot_vscode, 3),
    "cursor": (cursor, 1),
    "droid": (one_file("droid/*.jsonl", ".factory/sessions/-srv-atelier", "/srv/atelier"), 1),
    "gemini-cli": (gemini, 1),
    "opencode": (opencode, 1),
    "pi": (one_file("pi/2026-*.jsonl", ".pi/agent/sessions/--srv--", "/srv/tide-table"), 1),
    "specstory": (specstory, 3),
    "windsurf": (one_file("windsurf/*.jsonl", ".windsurf/transcripts", "/srv/harbor"), 1),
}


@pytest.mark.parametrize("name", CLIENTS)
def test_every_client_is_caught_up_with(run: Any, project: Path, home: Path, name: str) -> None:
    """Its sessions are found where it keeps them, recorded under its name, and never again; its own files stay as they were."""
    put, count = CLIENTS[name]
    put(home, project)
    files = {path: path.read_bytes() for root in (home, project) for path in root.rglob("*") if path.is_file()}
    before = {path: data for path, data in files.items() if ".handoff" not in path.parts and ".cache" not in path.parts}

    done = run("catch-up", "--json", cwd=project, at=1_800_000_000)
    again = run("catch-up", "--json", cwd=project, at=1_800_001_000)
    shutil.rmtree(home / ".cache")
    forgotten = run("catch-up", "--json", cwd=project, at=1_800_002_000)

    assert (0, count, count) == (done.status, done.data["sessions"], len(done.data["recorded"])), done.err
    assert count == text_of(project).count(f"\nsource: {name}:")
    assert [[], []] == [again.data["recorded"], forgotten.data["recorded"]]
    assert before == {path: path.read_bytes() for path in before}


def test_a_session_in_a_database_goes_on_by_itself(run: Any, project: Path, home: Path) -> None:
    """Only what was written to since is read again, though all of them are in one file."""
    export = next((SAMPLES / "opencode").glob("ses_*BnX.json"))
    other = home / "other.json"
    other.write_text(export.read_text().replace("ses_3a71c0d5effeQ4mLw8ZkT1vBnX", "ses_3a71c0d5effeQ4mLw8ZkT1vBnY"))
    text = other.read_text()
    for kind in ("msg_", "prt_"):
        text = text.replace(kind, f"{kind}x")
    other.write_text(text)
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    opencode_database(path, export, other, cwd=project)
    first = run("catch-up", "--json", cwd=project, at=1_800_000_000)
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE session SET time_updated = time_updated + 60000 WHERE id LIKE '%BnY'")
        said = json.dumps({"role": "user", "time": {"created": 1_795_000_000_000}})
        base.execute("INSERT INTO message VALUES ('msg_z', 'ses_3a71c0d5effeQ4mLw8ZkT1vBnY', 1795000000000, 0, ?)", (said,))
        words = json.dumps({"type": "text", "text": "We will use Redis for the cache, because two nodes share it."})
        base.execute(
            "INSERT INTO part VALUES ('prt_z', 'msg_z', 'ses_3a71c0d5effeQ4mLw8ZkT1vBnY', 1795000000000, 0, ?)", (words,)
        )
        base.commit()

    again = run("catch-up", "--json", cwd=project, at=1_800_001_000)

    assert 2 == len(first.data["recorded"])
    assert (2, 1) == (again.data["sessions"], again.data["unchanged"])


def test_the_last_chat_of_a_history_is_under_way(run: Any, project: Path) -> None:
    """The earlier ones ended when the next began; of the last only the file's time tells."""
    aider(project, project)
    os.utime(project / ".aider.chat.history.md", (NOW + 1000, NOW + 1000))

    early = run("catch-up", "--json", cwd=project, at=NOW + 1100)
    late = run("catch-up", "--json", cwd=project, at=NOW + 2000)

    assert (1, 1) == (len(early.data["recorded"]), early.data["unfinished"])
    assert (1, 0) == (len(late.data["recorded"]), late.data["unfinished"])


def test_what_two_tools_keep_of_one_session_is_one_session(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """The agent's own log counts, and what was saved of it is not read; where the log is gone, that is all there is."""
    worked(make_log, claude(home), project)
    specstory(home, project)
    saved = project / ".specstory" / "history" / "2026-10-07_14-00-00Z-the-export-drops-rows.md"
    text = saved.read_text()
    uuid = text.partition(" Session ")[2].partition(" ")[0]
    for path in saved.parent.glob("*.md"):
        if path != saved:
            path.unlink()
    saved.write_text(text.replace(uuid, f"{UUID}1"))
    (saved.parent / "again.md").write_text(text.replace(uuid, f"{UUID}1"))
    (saved.parent / "other.md").write_text(text)

    done = run("catch-up", "--json", cwd=project, at=1_800_000_000)

    assert (4, 2) == (done.data["files"], len(done.data["recorded"]))
    assert f"source: claude-code:{UUID}1" in text_of(project)
    assert f"source: specstory:{uuid}" in text_of(project)


def test_bare_end_takes_the_newest(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """Also one that is still under way: whoever says `end` is at its end; then the older ones, then none is left."""
    put, _ = CLIENTS["codex"]
    put(home, project)
    os.utime(next(home.rglob("rollout-*")), (NOW - 5000, NOW - 5000))
    log = worked(make_log, claude(home), project)
    os.utime(log.path, (NOW, NOW))
    aider(home, project)
    os.utime(project / ".aider.chat.history.md", (NOW - 9000, NOW - 9000))

    sources = [run("end", "--json", cwd=project).data.get("account", {}).get("source", "") for _ in range(5)]

    assert ["claude-code", "codex", "aider", "aider", ""] == [source.partition(":")[0] for source in sources]


def test_doctor_warns_of_what_will_be_deleted(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """By client, days, and the file in which to change it; only where the client is in use, and keeps logs for so short a time."""
    worked(make_log, claude(home), project)
    settings = home / ".claude" / "settings.json"

    def retention() -> list[tuple[str, str]]:
        found = run("doctor", "--json", cwd=project).data["findings"]
        return [(one["message"], one["fix"]) for one in found if one["what"] == "retention"]

    default = retention()
    settings.write_text('{"cleanupPeriodDays": 365}')
    longer = retention()

    assert [
        (
            "claude-code deletes its logs after 30 days; what is not recorded by then is lost",
            f"raise cleanupPeriodDays in {settings}",
        )
    ] == default
    assert [] == longer


def test_doctor_counts_what_is_not_recorded(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """And says what records it."""
    worked(make_log, claude(home), project)

    def unrecorded() -> list[str]:
        found = run("doctor", "--json", cwd=project).data["findings"]
        return [f"{one['message']}: {one['fix']}" for one in found if one["what"] == "sessions"]

    before = unrecorded()
    run("catch-up", cwd=project)

    assert 1 == len(before)
    assert before[0].startswith("1 of them are not recorded yet")
    assert "handoffsite catch-up" in before[0]
    assert [] == unrecorded()


def test_hostile_directories_are_nobodys(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """A path that is none, that is too long, or that leads up and away belongs to no project, and stops nobody."""
    for number, cwd in enumerate(("relative", "/" + "x" * 5000, "/a\0b", "", "/dev/null/x", f"{project}/../elsewhere"), 1):
        worked(make_log, claude(home, number), cwd)  # type: ignore[arg-type]
    worked(make_log, claude(home, 9), project)

    done = run("catch-up", "--json", cwd=project)

    assert (0, 1, 6) == (done.status, len(done.data["recorded"]), done.data["unassigned"])


def test_our_own_session_is_nobodys_work_whoever_names_it(
    run: Any, project: Path, make_log: Any, home: Path, tmp_path: Path
) -> None:
    """Neither `end` nor `import` records what a summariser was asked, and no project is made of our cache."""
    own = make_log(tmp_path / "logs" / f"{UUID}1.jsonl", project, session=f"{UUID}1")
    own.prompt(f"{summarizer.OPENING} Decisions, as JSON.")
    own.text("Decision: we will keep sessions in Redis because two nodes must share them.")
    own.save()
    cache = home / ".cache" / "handoffsite" / "summaries"
    worked(make_log, tmp_path / "logs" / f"{UUID}2.jsonl", cache)
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)

    ended = run("end", "--transcript", str(own.path), cwd=project)
    imported = run("import", "transcripts", str(tmp_path / "logs"), "--json", cwd=root)

    assert 1 == ended.status
    assert "one of handoffsite's own sessions" in ended.err
    assert [] == records(project)
    assert (1, 0, 2) == (imported.status, imported.data["created"], len(imported.data["ignored"]))
    assert "summaries" not in (root / "handoffsite.toml").read_text()


def test_many_ignored_files_are_counted_on_the_terminal(run: Any, project: Path, home: Path) -> None:
    """Their names are all in the JSON, and the terminal says how many it leaves out."""
    claude(home).parent.mkdir(parents=True)
    for number in range(25):
        claude(home, 100 + number).write_text("")

    done = run("catch-up", "--json", cwd=project)

    assert 25 == len(done.data["ignored"])
    assert "5 more ignored: --json names them all" in done.err


def test_bare_end_goes_past_what_cannot_be_read(run: Any, project: Path, home: Path, make_log: Any) -> None:
    """The newest log holds nothing that anybody said; the one before it is recorded."""
    worked(make_log, claude(home), project)
    silent = make_log(claude(home, 2), project, session=f"{UUID}2")
    silent.entry("user", "<local-command-stdout></local-command-stdout>")
    silent.save()
    os.utime(silent.path, (NOW + 9, NOW + 9))

    done = run("end", "--json", cwd=project)

    assert (0, True) == (done.status, done.data["created"])
    assert done.data["account"]["source"].endswith("1")
