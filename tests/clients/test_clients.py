"""Each client's logs are found where it keeps them, and nothing else is."""

import hashlib
import json
from pathlib import Path

import pytest

from handoffsite import clients
from handoffsite.clients import Retention

UUID = "5e55a1d0-0000-4000-8000-000000000001"
HASH = hashlib.sha256(b"/srv/atlas").hexdigest()
CODE = ".config/Code/User"

# For each client: its logs, and what lies beside them and is none.
PLACES = {
    "claude-code": (
        [f".claude/projects/-srv-atlas/{UUID}.jsonl"],
        [
            ".claude/projects/-srv-atlas/agent-a1.jsonl",
            f".claude/projects/-srv-atlas/{UUID}/subagents/agent-a1.jsonl",
            ".claude/history.jsonl",
        ],
    ),
    "codex": (
        [".codex/archived_sessions/rollout-2.jsonl", ".codex/sessions/2026/11/06/rollout-1.jsonl"],
        [".codex/history.jsonl", ".codex/session_index.jsonl", ".codex/sessions/2026/11/06/rollout-1.jsonl.zst"],
    ),
    "gemini-cli": (
        [f".gemini/tmp/{HASH}/chats/session-1.json", ".gemini/tmp/atlas/chats/session-2.jsonl"],
        [
            ".gemini/tmp/atlas/logs.json",
            f".gemini/tmp/atlas/chats/{UUID}/agent.jsonl",
            ".gemini/tmp/atlas/chats/session-2.jsonl.unreadable-1",
        ],
    ),
    "antigravity": (
        [
            f".gemini/antigravity-cli/brain/{UUID}/.system_generated/logs/transcript_full.jsonl",
            ".gemini/antigravity-cli/brain/other/.system_generated/logs/transcript.jsonl",
        ],
        [
            f".gemini/antigravity-cli/brain/{UUID}/.system_generated/logs/transcript.jsonl",
            ".gemini/antigravity-cli/history.jsonl",
            ".gemini/antigravity-cli/conversations/x.db",
        ],
    ),
    "copilot-cli": (
        [
            ".copilot/history-session-state/old.json",
            f".copilot/session-state/{UUID}.jsonl",
            f".copilot/session-state/{UUID}/events.jsonl",
        ],
        [f".copilot/session-state/{UUID}/workspace.yaml", f".copilot/session-state/{UUID}/checkpoints/index.md"],
    ),
    "copilot-vscode": (
        [
            f".config/Code - Insiders/User/workspaceStorage/w/chatSessions/{UUID}.json",
            f"{CODE}/globalStorage/emptyWindowChatSessions/{UUID}.jsonl",
            f"{CODE}/workspaceStorage/w/GitHub.copilot-chat/transcripts/{UUID}.jsonl",
            f"{CODE}/workspaceStorage/w/chatSessions/{UUID}.jsonl",
            f".vscode-server/data/User/workspaceStorage/w/chatSessions/{UUID}.json",
            f"Library/Application Support/Code/User/workspaceStorage/w/chatSessions/{UUID}.json",
        ],
        [f"{CODE}/workspaceStorage/w/workspace.json", f"{CODE}/workspaceStorage/w/state.vscdb"],
    ),
    "opencode": (
        [".local/share/opencode/opencode.db", ".local/share/opencode/storage/session/p/ses_1.json"],
        [
            ".local/share/opencode/opencode.db-wal",
            ".local/share/opencode/auth.json",
            ".local/share/opencode/storage/message/ses_1/msg_1.json",
            ".local/share/opencode/storage/part/msg_1/prt_1.json",
            ".local/share/opencode/storage/project/p.json",
        ],
    ),
    "cursor": (
        [
            ".cursor/projects/srv-atlas/agent-transcripts/a.jsonl",
            ".cursor/projects/srv-atlas/agent-transcripts/b.txt",
            ".cursor/projects/srv-atlas/agent-transcripts/c/c.jsonl",
        ],
        [
            ".cursor/projects/srv-atlas/agent-transcripts/c/subagents/d.jsonl",
            ".cursor/projects/srv-atlas/repo.json",
            ".cursor/chats/x/y/store.db",
        ],
    ),
    "pi": ([".pi/agent/sessions/--srv-atlas--/1_x.jsonl"], [".pi/agent/settings.json"]),
    "droid": (
        [f".factory/sessions/-srv-atlas/{UUID}.jsonl", f".factory/sessions/{UUID}.jsonl"],
        [f".factory/sessions/-srv-atlas/{UUID}.settings.json"],
    ),
    "amp": ([".local/share/amp/threads/T-1.json"], [".local/share/amp/secrets.json", ".local/share/amp/threads/T-1.json.amptmp"]),
    "cline": (
        [
            ".cline/data/sessions/1_a/1_a.messages.json",
            ".cline/data/tasks/2/api_conversation_history.json",
            ".config/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/tasks/4/api_conversation_history.json",
            f"{CODE}/globalStorage/saoudrizwan.claude-dev/tasks/3/api_conversation_history.json",
        ],
        [".cline/data/sessions/1_a/1_a.json", f"{CODE}/globalStorage/saoudrizwan.claude-dev/tasks/3/ui_messages.json"],
    ),
    "windsurf": ([".windsurf/transcripts/t.jsonl"], [".codeium/windsurf/cascade/t.pb"]),
    "aider": (
        ["work/.aider.chat.history.md"],
        ["work/.aider.input.history", "work/sub/.aider.chat.history.md", ".aider.chat.history.md"],
    ),
    "specstory": (
        ["work/.specstory/history/2026-10-07_14-00-00Z-a.md"],
        ["work/.specstory/.what-is-this.md", ".specstory/history/a.md"],
    ),
}


def found(home: Path, environment: dict[str, str] | None = None) -> list[tuple[str, str]]:
    logs = clients.transcripts({"HOME": str(home)} | (environment or {}), [home / "work"])
    return [(log.client, str(log.path.relative_to(home))) for log in logs]


@pytest.mark.parametrize("name", PLACES)
def test_logs_are_found_where_the_client_keeps_them(tmp_path: Path, name: str) -> None:
    """What lies beside them is left alone, sub-agents' logs among it: they are read with their session."""
    logs, others = PLACES[name]
    for file in (*logs, *others):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("{}")

    assert sorted((name, log) for log in logs) == sorted(found(tmp_path))


def test_every_client_has_a_place() -> None:
    """The table above is whole."""
    assert list(PLACES) == [clients.named(name).NAME for name in clients.CLIENTS]


def test_a_machine_without_agents_has_no_logs(tmp_path: Path) -> None:
    """Nothing is an error, nothing is made."""
    assert [] == found(tmp_path)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("variable", "file"),
    [
        ("CLAUDE_CONFIG_DIR", "projects/p/x.jsonl"),
        ("CODEX_HOME", "sessions/2026/11/06/rollout-x.jsonl"),
        ("COPILOT_HOME", "session-state/x/events.jsonl"),
        ("GEMINI_CLI_HOME", ".gemini/tmp/p/chats/x.json"),
        ("PI_CODING_AGENT_DIR", "sessions/p/x.jsonl"),
        ("XDG_DATA_HOME", "opencode/opencode.db"),
        ("XDG_CONFIG_HOME", "Code/User/workspaceStorage/w/chatSessions/x.json"),
    ],
)
def test_the_environment_moves_a_place(tmp_path: Path, variable: str, file: str) -> None:
    """As the client's own documentation has it."""
    (tmp_path / "moved" / file).parent.mkdir(parents=True)
    (tmp_path / "moved" / file).write_text("{}")

    assert [f"moved/{file}"] == [path for _, path in found(tmp_path, {variable: str(tmp_path / "moved")})]


def test_what_the_place_says_of_the_directory(tmp_path: Path) -> None:
    """A digest of the path, the file by which the user trusted it, the repository itself; a folder's mere name says nothing."""
    for file in (
        f".gemini/tmp/{HASH}/chats/a.json",
        ".gemini/tmp/atlas/chats/b.jsonl",
        ".cursor/projects/srv-atlas/agent-transcripts/c.jsonl",
        ".cursor/projects/srv-other/agent-transcripts/d.jsonl",
        "work/.aider.chat.history.md",
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("{}")
    (tmp_path / ".cursor/projects/srv-atlas/.workspace-trusted").write_text(json.dumps({"workspacePath": "/srv/atlas"}))

    logs = clients.transcripts({"HOME": str(tmp_path)}, [tmp_path / "work"])

    assert {
        "a.json": ("", HASH),
        "b.jsonl": ("", ""),
        "c.jsonl": ("/srv/atlas", ""),
        "d.jsonl": ("", ""),
        ".aider.chat.history.md": (str(tmp_path / "work"), ""),
    } == {log.path.name: (log.cwd, log.digest) for log in logs}


def test_a_repository_leads_nowhere_else(tmp_path: Path) -> None:
    """What was cloned may hold links, which are not followed."""
    (tmp_path / "secret" / "history").mkdir(parents=True)
    (tmp_path / "secret" / "history" / "a.md").write_text("x")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / ".specstory").symlink_to(tmp_path / "secret")
    (tmp_path / "work" / ".aider.chat.history.md").symlink_to(tmp_path / "secret" / "history" / "a.md")

    assert [] == found(tmp_path)


@pytest.mark.parametrize("beside", ["opencode.db-wal", "storage/message/ses_1/msg_2.json"])
def test_a_store_goes_on_beside_its_file(tmp_path: Path, beside: str) -> None:
    """A database is written ahead, and a new message is a new file: either changes the stamp."""
    root = tmp_path / ".local/share/opencode"
    for file in ("opencode.db", "opencode.db-wal", "storage/session/p/ses_1.json", "storage/message/ses_1/msg_1.json"):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("{}")
    environment = {"HOME": str(tmp_path)}
    before = {log.path.suffix: log.stamp for log in clients.transcripts(environment)}
    with (root / beside).open("a") as stream:
        stream.write("more")

    after = {log.path.suffix: log.stamp for log in clients.transcripts(environment)}

    assert {".db" if "wal" in beside else ".json"} == {suffix for suffix in before if before[suffix] != after[suffix]}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (None, 30),
        ({}, 30),
        ({"cleanupPeriodDays": 7}, 7),
        ({"cleanupPeriodDays": 0}, 0),
        ({"cleanupPeriodDays": 99_999}, 99_999),
        ({"cleanupPeriodDays": "7"}, 30),
        ({"cleanupPeriodDays": True}, 30),
        ({"cleanupPeriodDays": -1}, 30),
    ],
)
def test_how_long_claude_code_keeps_logs(tmp_path: Path, settings: object, expected: int) -> None:
    """What its settings say; its default where they say nothing that it would take."""
    if settings is not None:
        (tmp_path / "settings.json").write_text(json.dumps(settings))

    first = clients.retentions({"HOME": "/nonexistent", "CLAUDE_CONFIG_DIR": str(tmp_path)})[0]

    assert Retention(client="claude-code", days=expected, setting=f"cleanupPeriodDays in {tmp_path}/settings.json") == first


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        (None, 30),
        ({"maxAge": "7d"}, 7),
        ({"maxAge": "24h"}, 1),
        ({"maxAge": "2w"}, 14),
        ({"maxAge": "2m"}, 60),
        ({"maxAge": 7}, 30),
        ({"maxAge": "soon"}, 30),
        ({"enabled": False}, None),
        ("none", 30),
    ],
)
def test_how_long_gemini_cli_keeps_chats(tmp_path: Path, kept: object, expected: int | None) -> None:
    """The same; it may be told to keep them for ever."""
    (tmp_path / ".gemini").mkdir()
    if kept is not None:
        (tmp_path / ".gemini" / "settings.json").write_text(json.dumps({"general": {"sessionRetention": kept}}))

    days = [one.days for one in clients.retentions({"HOME": str(tmp_path)}) if one.client == "gemini-cli"]

    assert ([] if expected is None else [expected]) == days
