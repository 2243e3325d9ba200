"""Each client's protocol, played as its documentation has it: set up, start, work, end; the next session starts informed."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.commands import test_hook as played
from tests.commands.test_import_opencode import stored

pytestmark = pytest.mark.gate  # each plays whole sessions, process by process

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "samples"
LONG_AGO = 1_790_000_000


@dataclass(frozen=True, kw_only=True)
class Client:
    """How a client calls its hooks: its *settings* file, which event *starts* and *ends* a session and with what payload, and its log.

    *handler* finds the hook's command among the settings; *learned* is what the log's session leaves for the next one.
    """

    name: str
    settings: str
    starts: str
    ends: str
    sample: str
    log: str
    session: str
    learned: str
    handler: Callable[[Any, str], str]
    payload: Callable[[str, str, str], dict[str, Any]]
    cwd: str = "/srv/atlas"
    context: Callable[[Any], str] = field(default=lambda said: str(said["hookSpecificOutput"]["additionalContext"]))


def grouped(settings: Any, event: str) -> str:
    """The command in groups of handlers."""
    return str(settings["hooks"][event][0]["hooks"][0]["command"])


def snake(session: str, log: str, cwd: str) -> dict[str, Any]:
    """The payload as most clients write it."""
    return {"session_id": session, "transcript_path": log, "cwd": cwd, "source": "startup", "reason": "other"}


CLIENTS = [
    Client(
        name="claude-code",
        settings=".claude/settings.json",
        starts="SessionStart",
        ends="SessionEnd",
        sample="claude-code/7b0e5a52-3c1d-4e6f-9a21-5d8c4b7e9f10.jsonl",
        log=".claude/projects/-srv-atlas/{session}.jsonl",
        session="7b0e5a52-3c1d-4e6f-9a21-5d8c4b7e9f10",
        learned="Rotate tokens",
        handler=grouped,
        payload=snake,
    ),
    Client(
        name="codex",
        settings=".codex/hooks.json",
        starts="SessionStart",
        ends="SessionEnd",
        sample="codex/rollout-2026-11-06T09-00-00-019f4a10-6c2b-7d3e-8a41-2b5c7d9e1f30.jsonl",
        log=".codex/sessions/2026/11/06/rollout-2026-11-06T09-00-00-{session}.jsonl",
        session="019f4a10-6c2b-7d3e-8a41-2b5c7d9e1f30",
        learned="Redis",
        handler=grouped,
        payload=snake,
    ),
    Client(
        name="gemini-cli",
        settings=".gemini/settings.json",
        starts="SessionStart",
        ends="SessionEnd",
        sample="gemini-cli/session-2026-11-03T09-15-4c1e7a90.json",
        log=".gemini/tmp/atlas/chats/session-2026-11-03T09-15-4c1e7a90.json",
        session="4c1e7a90-11d2-4f6b-8a3c-72e5d9b0c611",
        learned="The export drops rows",
        handler=grouped,
        payload=snake,
    ),
    Client(
        name="antigravity",
        settings=".agents/hooks.json",
        starts="SessionStart",
        ends="Stop",
        sample="antigravity/antigravity-cli/brain/b7d1c2e4-3f50-4a61-9b82-c3d4e5f60718/.system_generated/logs/transcript_full.jsonl",
        log=".gemini/antigravity-cli/brain/{session}/.system_generated/logs/transcript_full.jsonl",
        session="b7d1c2e4-3f50-4a61-9b82-c3d4e5f60718",
        learned="One minute",
        handler=lambda settings, event: str(settings["handoffsite"][event][0]["command"]),
        payload=lambda session, log, cwd: {"conversationId": session, "transcriptPath": log, "workspacePaths": [cwd]},
        context=lambda said: str(said["injectSteps"][0]["ephemeralMessage"]),
    ),
    Client(
        name="copilot-cli",
        settings=".github/hooks/handoffsite.json",
        starts="sessionStart",
        ends="sessionEnd",
        sample="copilot-cli/3f1b6c1e-52a4-4c8e-9d57-0b6a1f2e7c44/events.jsonl",
        log=".copilot/session-state/{session}/events.jsonl",
        session="3f1b6c1e-52a4-4c8e-9d57-0b6a1f2e7c44",
        cwd="/srv/work/tidepool",
        learned="zod",
        handler=lambda settings, event: str(settings["hooks"][event][0]["bash"]),
        payload=lambda session, _, cwd: {"sessionId": session, "cwd": cwd, "timestamp": 1_793_000_000_000, "reason": "complete"},
        context=lambda said: str(said["additionalContext"]),
    ),
    Client(
        name="cursor",
        settings=".cursor/hooks.json",
        starts="sessionStart",
        ends="sessionEnd",
        sample="cursor/7e6d5c4b-3a29-4817-9605-f4e3d2c1b0a9.jsonl",
        log=".cursor/projects/srv-atlas/agent-transcripts/{session}.jsonl",
        session="7e6d5c4b-3a29-4817-9605-f4e3d2c1b0a9",
        learned="Make the badge round",
        handler=lambda settings, event: str(settings["hooks"][event][0]["command"]),
        payload=lambda session, log, cwd: {"conversation_id": session, "transcript_path": log, "workspace_roots": [cwd]},
        context=lambda said: str(said["additional_context"]),
    ),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with nothing in it, and a `handoffsite` on PATH."""
    folder = tmp_path / "home"
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin" / "handoffsite"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m handoffsite "$@"\n')
    program.chmod(0o755)
    return folder


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Iterator[Path]:
    """A repository with a boundary; what hooks left running is over before the folder goes."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    played.ours("init", cwd=folder, home=home)
    yield folder
    played.wait_for(lambda: not played.workers(folder))


def environment(home: Path) -> dict[str, str]:
    """What a client hands on."""
    return played.environment(home) | {"PATH": f"{home / 'bin'}:{os.environ['PATH']}"}


def called(project: Path, home: Path, command: str, payload: dict[str, Any]) -> str:
    """What a hook's *command* prints to a client that runs it in a shell."""
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=project,
        env=environment(home),
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_what_one_session_learned_the_next_is_told(project: Path, home: Path, client: Client) -> None:
    """By the very commands that `install` wrote; whatever the client calls its events, and whether or not it says where the log lies."""
    played.ours("install", client.name, cwd=project, home=home)
    settings = json.loads((project / client.settings).read_text())
    start, end = (client.handler(settings, event) for event in (client.starts, client.ends))
    text = (SAMPLES / client.sample).read_text().replace(client.cwd, str(project))
    session = client.session
    log = home / client.log.format(session=session)
    payload = client.payload(session, str(log), str(project))

    before = client.context(json.loads(called(project, home, start, payload)))  # the log may not exist yet
    log.parent.mkdir(parents=True)
    if log.suffix == ".jsonl":  # it grows
        lines = text.splitlines(keepends=True)
        log.write_text("".join(lines[: len(lines) // 2]))
    log.write_text(text)
    os.utime(log, (LONG_AGO, LONG_AGO))
    said = called(project, home, end, payload)
    played.wait_for(lambda: played.records(project) and not played.workers(project))
    after = client.context(json.loads(called(project, home, start, client.payload("another", "", str(project)))))

    assert said.strip() in {"", "{}"}
    assert client.learned not in before
    assert client.learned in after
    assert 1 == len([one for one in played.records(project) if f":{session}" in one.read_text().split("title:")[0]])
    assert [] == played.pointers(project)


NODE = """
import { Handoffsite } from %(plugin)s
const hooks = await Handoffsite({ directory: %(project)s, worktree: %(project)s })
const event = (type, properties) => hooks.event({ event: { type, properties } })
const told = async (sessionID) => {
  const output = { system: ["You are a coding agent."] }
  await hooks["experimental.chat.system.transform"]({ sessionID }, output)
  return output.system
}
await event("session.created", { info: { id: "ses_first" } })
const before = await told("ses_first")
await event("message.updated", { info: { id: "msg_1", sessionID: "ses_first" } })
await event("session.idle", { sessionID: %(session)s })
await event("session.idle", { info: { id: "ses_child", parentID: "ses_first" } })
await event("session.created", {})
const compacted = { context: [] }
await hooks["experimental.session.compacting"]({ sessionID: "ses_first" }, compacted)
console.log(JSON.stringify({ before, compacted: compacted.context, after: await told("ses_next") }))
process.exit(0)
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here to run the plugin")
def test_what_one_session_of_opencode_learned_the_next_is_told(project: Path, home: Path, tmp_path: Path) -> None:
    """By the plugin that `install` wrote, in a JavaScript engine; OpenCode ends no session, so its falling quiet counts."""
    played.ours("install", "opencode", cwd=project, home=home)
    stored(home / ".local/share/opencode/storage", project)
    for file in (home / ".local").rglob("*.json"):
        os.utime(file, (LONG_AGO, LONG_AGO))
    plugin = tmp_path / "plugin.mjs"
    shutil.copy(project / ".opencode/plugins/handoffsite.js", plugin)
    session = "ses_3a71c0d5effeQ4mLw8ZkT1vBnX"
    words = {"plugin": str(plugin), "project": str(project), "session": session}
    script = tmp_path / "play.mjs"
    script.write_text(NODE % {name: json.dumps(word) for name, word in words.items()})

    done = subprocess.run(["node", script], env=environment(home), capture_output=True, text=True, check=False)
    said = json.loads(done.stdout)

    assert (0, "") == (done.returncode, done.stderr)
    assert "Project state" in said["before"][1]
    assert said["compacted"] == said["before"][1:]
    assert "Redis" not in said["before"][1]
    assert "Redis" in said["after"][1]
    played.wait_for(lambda: not played.workers(project))
    assert 1 == len(played.records(project))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here to run the plugin")
def test_the_plugin_of_opencode_harms_nobody(project: Path, home: Path, tmp_path: Path) -> None:
    """Where handoffsite is not on PATH, every hook does nothing, and none fails."""
    played.ours("install", "opencode", cwd=project, home=home)
    plugin = tmp_path / "plugin.mjs"
    shutil.copy(project / ".opencode/plugins/handoffsite.js", plugin)
    script = tmp_path / "play.mjs"
    script.write_text(NODE % {"plugin": json.dumps(str(plugin)), "project": json.dumps(str(project)), "session": '"ses_1"'})
    node = shutil.which("node") or ""

    done = subprocess.run(
        [node, script], env={"PATH": "/nonexistent", "HOME": str(home)}, capture_output=True, text=True, check=False
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert {"before": ["You are a coding agent."], "compacted": [], "after": ["You are a coding agent."]} == json.loads(
        done.stdout
    )


def test_two_clients_that_tell_of_one_session_make_one_record(project: Path, home: Path) -> None:
    """Copilot reads the hooks of Claude Code, too."""
    copilot = next(client for client in CLIENTS if client.name == "copilot-cli")
    log = home / copilot.log.format(session=copilot.session)
    log.parent.mkdir(parents=True)
    log.write_text((SAMPLES / copilot.sample).read_text().replace(copilot.cwd, str(project)))
    for client in ("claude-code", "copilot-cli"):
        played.hook(project, home, client, "session-end", session_id=copilot.session, cwd=str(project))
    played.wait_for(lambda: played.records(project) and not played.pointers(project) and not played.workers(project))

    assert 1 == len(played.records(project))


def test_a_session_of_a_worktree_that_is_gone_is_recorded(project: Path, home: Path) -> None:
    """The hook knew whose it was; with a path to the log, and with the session's ID alone."""
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "-q", "--allow-empty", "-m", "x"],
        cwd=project,
        check=True,
    )
    tree = project.parent / "tree"
    copilot = next(client for client in CLIENTS if client.name == "copilot-cli")
    codex = next(client for client in CLIENTS if client.name == "codex")
    subprocess.run(["git", "worktree", "add", "-q", str(tree)], cwd=project, check=True)
    logs = []
    for client in (copilot, codex):
        logs.append(home / client.log.format(session=client.session))
        logs[-1].parent.mkdir(parents=True)
        logs[-1].write_text((SAMPLES / client.sample).read_text().replace(client.cwd, str(tree)))
    lock = project / ".handoff" / ".lock"
    lock.touch()
    with lock.open() as held:  # nobody extracts before the worktree is gone
        import fcntl  # noqa: PLC0415

        fcntl.flock(held, fcntl.LOCK_EX)
        played.hook(tree, home, "copilot-cli", "session-end", sessionId=copilot.session, cwd=str(tree))
        played.hook(tree, home, "codex", "session-end", session_id=codex.session, transcript_path=str(logs[1]), cwd=str(tree))
        subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=project, check=True)
    played.wait_for(lambda: len(played.records(project)) == 2 and not played.workers(project))

    assert 2 == len(played.records(project))


def test_no_module_of_the_project_runs(project: Path, home: Path, tmp_path: Path) -> None:
    """The process in the background works in the boundary, which may have come with a clone."""
    proof = tmp_path / "proof"
    for name in ("handoffsite", "json", "tomllib"):
        (project / ".handoff" / f"{name}.py").write_text(f"open({str(proof)!r}, 'w')\n")
        (project / f"{name}.py").write_text(f"open({str(proof)!r}, 'w')\n")
    program = home / "bin" / "handoffsite"
    program.write_text(program.read_text().replace(" -m ", " -P -m "))
    for event in ("session-end", "session-start"):
        command = f"handoffsite hook claude-code {event}"
        called(project, home, command, {"session_id": "s", "cwd": str(project)})
    played.wait_for(lambda: not played.workers(project))

    assert not proof.exists()


def test_a_client_that_listens_no_more_is_not_harmed(project: Path, home: Path) -> None:
    """It closed the pipe, or gave none: exit status 0, and no complaint."""
    payload = json.dumps({"session_id": "s", "cwd": str(project)}).encode()
    for closing in (">&-", "2>&- >&-", "<&-", "| true"):
        command = f"handoffsite hook claude-code session-start {closing}"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=project,
            env=environment(home),
            input=payload,
            capture_output=True,
            check=False,
        )

        assert (0, b"") == (done.returncode, done.stderr), closing


def test_settings_are_what_each_client_reads(project: Path, home: Path) -> None:
    """JSON, or TOML, in the form of its kind, and every server is ours."""
    for client in (*CLIENTS, None):
        played.ours("install", client.name if client else "opencode", cwd=project, home=home)
    servers = [
        json.loads((project / ".mcp.json").read_text())["mcpServers"]["handoffsite"],
        tomllib.loads((project / ".codex/config.toml").read_text())["mcp_servers"]["handoffsite"],
        json.loads((project / ".gemini/settings.json").read_text())["mcpServers"]["handoffsite"],
        json.loads((project / ".agents/mcp_config.json").read_text())["mcpServers"]["handoffsite"],
        json.loads((project / ".cursor/mcp.json").read_text())["mcpServers"]["handoffsite"],
    ]

    assert [{"command": "handoffsite", "args": ["mcp"]}] * 5 == servers
    assert {"type": "local", "command": ["handoffsite", "mcp"]} == json.loads((project / "opencode.json").read_text())["mcp"][
        "handoffsite"
    ]
