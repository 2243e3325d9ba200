"""`install` and `uninstall`: what is others' stays as it is, byte for byte, and what was done is taken back whole."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from handoffsite.cli.words import CLIENTS
from handoffsite.clients import setup
from tests.conftest import git

# For each client: the project's settings file of its hooks or server, what somebody keeps there, and what of it must stay, byte for byte.
SETTINGS = {
    "claude-code": (
        ".claude/settings.json",
        '{\n  "hooks": {\n    "SessionStart": [\n      {"hooks": [{"type": "command",   "command": "echo hi"}]}\n    ]\n  }\n}\n',
        ['    "SessionStart": [\n      {"hooks": [{"type": "command",   "command": "echo hi"}]}'],
    ),
    "codex": (
        ".codex/hooks.json",
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo done"}]}]}}\n',
        ['{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo done"}]}]'],
    ),
    "gemini-cli": (
        ".gemini/settings.json",
        '{\n\t// how it looks\n\t"ui": {"theme": "ANSI"}, // mine\n\t"hooks": {\n\t\t"SessionEnd": [\n\t\t\t{"hooks": []} // none\n\t\t]\n\t}\n}',
        [
            '{\n\t// how it looks\n\t"ui": {"theme": "ANSI"}, // mine\n\t"hooks": {\n\t\t"SessionEnd": [\n\t\t\t{"hooks": []}',
            " // none\n",
        ],
    ),
    "antigravity": (
        ".agents/hooks.json",
        '{\r\n    "lint": {"Stop": [{"command": "make lint"}]}\r\n}\r\n',
        [
            '{\r\n    "lint": {"Stop": [{"command": "make lint"}]}',
            '\r\n    "handoffsite": {\r\n        "SessionStart"',
            "\r\n}\r\n",
        ],
    ),
    "copilot-cli": (
        ".mcp.json",
        '{"mcpServers": {"other": {"command": "other"}}}',
        ['{"mcpServers": {"other": {"command": "other"}, '],
    ),
    "cursor": (
        ".cursor/hooks.json",
        '{\n  "version": 1,\n  "hooks": {\n    "stop": [\n      {"command": "./mine.sh"}\n    ]\n  }\n}\n',
        ['{\n  "version": 1,\n  "hooks": {\n    "stop": [\n      {"command": "./mine.sh"}\n    ]'],
    ),
    "opencode": (
        "opencode.jsonc",
        '{\n  "$schema": "https://example.test/c.json", /* of ours */\n  "mcp": {},\n}\n',
        ['{\n  "$schema": "https://example.test/c.json", /* of ours */\n  "mcp": {', "},\n}\n"],
    ),
}


@pytest.fixture
def project(run: Any, tmp_path: Path) -> Path:
    """A repository with a boundary."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    git(folder, "init", "-q")
    run("init", cwd=folder)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file, by its path; the records and the lock of the boundary aside."""
    files = (
        path for path in folder.rglob("*") if path.is_file() and not {".git", ".cache"} & set(path.relative_to(folder).parts)
    )
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.name != ".lock"}


def put(folder: Path, name: str, text: str) -> Path:
    """The file *name* with *text*."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("client", CLIENTS)
def test_others_settings_stay_and_come_back(run: Any, project: Path, client: str) -> None:
    """Every line that stood there stands there still; a second run writes nothing; uninstall leaves what was there before."""
    name, text, stays = SETTINGS[client]
    put(project, name, text)
    put(project, "AGENTS.md", "# For agents\n\nBe brief.")
    before = tree(project)

    first = run("install", client, "--json", cwd=project)
    installed = tree(project)
    again = run("install", client, "--json", cwd=project)

    assert (0, 0) == (first.status, again.status)
    assert {"unchanged"} == {one["action"] for one in again.data["files"]}
    assert installed == tree(project)
    assert [] == [part for part in stays if part.encode() not in installed[name]]
    assert text.encode() in installed.values(), "a backup"

    undone = run("uninstall", client, "--json", cwd=project)

    assert 0 == undone.status
    assert before == tree(project)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_empty_project_is_empty_again(run: Any, project: Path, client: str) -> None:
    """What was made is removed with its folders."""
    before = sorted(project.rglob("*"))

    run("install", client, cwd=project)
    run("uninstall", client, cwd=project)

    assert before == sorted(project.rglob("*"))


@pytest.mark.parametrize("client", CLIENTS)
def test_what_a_project_gets_is_fit_to_be_committed(run: Any, project: Path, tmp_path: Path, client: str) -> None:
    """No path of this machine stands in it, and git has nothing but the set-up to add."""
    run("install", client, cwd=project)

    made = {name: data for name, data in tree(project).items() if not name.startswith(".handoff/")}

    assert made
    assert not [name for name, data in made.items() if str(tmp_path).encode() in data or b"/home/" in data]
    assert not re.search(r"before-", git(project, "status", "--short", "--untracked-files=all"))


@pytest.mark.parametrize("client", CLIENTS)
def test_a_dry_run_shows_the_difference_and_writes_nothing(run: Any, project: Path, client: str) -> None:
    """As a unified difference, of which each file is named."""
    name, text, _ = SETTINGS[client]
    put(project, name, text)
    before = tree(project)

    done = run("install", client, "--dry-run", "--json", cwd=project)

    assert before == tree(project)
    assert f"--- a/{name}\n+++ b/{name}\n" in done.data["difference"]
    assert "+++ b/" in run("install", client, "--dry-run", cwd=project).out


@pytest.mark.parametrize("client", CLIENTS)
def test_the_user_level_leaves_the_project_alone(run: Any, project: Path, tmp_path: Path, client: str) -> None:
    """It goes to the user's own folders, needs no project, and comes out again."""
    before, home = tree(project), tree(tmp_path / "home")

    done = run("install", client, "--user", "--json", cwd=tmp_path)
    made = tree(tmp_path / "home")
    run("uninstall", client, "--user", cwd=tmp_path)

    assert 0 == done.status
    assert made != home
    assert {one["file"][:2] for one in done.data["files"]} == {"~/"}
    assert home == tree(tmp_path / "home")
    assert before == tree(project)


@pytest.mark.parametrize(
    "text", ['{"hooks": {', "[]", '{"hooks": 5}', '{"hooks": {}, "hooks": {}}', "{'a': 1}", '{"a": NaN}', '{"a": "\\q"}', "{} {}"]
)
@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "cursor"])
def test_a_malformed_file_is_refused_untouched(run: Any, project: Path, client: str, text: str) -> None:
    """Nothing else of the set-up is written either; the file and the line are named."""
    name = SETTINGS[client][0]
    put(project, name, text)
    before = tree(project)

    done = run("install", client, cwd=project)

    assert 1 == done.status
    assert f"{Path(name).name}:1: " in done.err
    assert before == tree(project)


def test_a_client_that_reads_strict_json_gets_no_comment_accepted(run: Any, project: Path) -> None:
    """Antigravity drops a file with a comment whole, so it is damaged already."""
    put(project, ".agents/hooks.json", "{\n  // lint\n}\n")

    done = run("install", "antigravity", cwd=project)

    assert 1 == done.status
    assert "hooks.json:2: not JSON: a comment, which this client does not read" in done.err


def test_a_read_only_file_is_refused_before_anything_is_written(run: Any, project: Path) -> None:
    """Whoever protected it meant it."""
    path = put(project, ".claude/settings.json", "{}\n")
    path.chmod(0o444)
    before = tree(project)

    done = run("install", "claude-code", cwd=project)

    assert 1 == done.status
    assert "read-only" in done.err
    assert before == tree(project)


def test_a_file_keeps_its_mode(run: Any, project: Path) -> None:
    """Settings may hold what only their owner may read; so may their backup."""
    path = put(project, ".claude/settings.json", '{"a": 1}\n')
    path.chmod(0o600)

    run("install", "claude-code", cwd=project)
    backup = project / ".handoff/quarantine/before-install/.claude/settings.json"

    assert [0o600, 0o600] == [file.stat().st_mode & 0o777 for file in (path, backup)]


def test_a_link_out_of_the_project_is_not_followed(run: Any, project: Path, tmp_path: Path) -> None:
    """A repository may hold a link to anybody's settings."""
    target = put(tmp_path, "home/.claude/settings.json", "{}\n")
    (project / ".claude").symlink_to(target.parent)

    done = run("install", "claude-code", cwd=project)

    assert 1 == done.status
    assert "leads out of the project" in done.err
    assert "{}\n" == target.read_text()


def test_what_was_edited_since_is_not_overwritten_by_the_backup(run: Any, project: Path) -> None:
    """Uninstall takes our entries out of what stands there now."""
    path = put(project, ".claude/settings.json", '{\n  "a": 1\n}\n')
    run("install", "claude-code", cwd=project)
    path.write_text(path.read_text().replace('"a": 1', '"a": 2'))

    done = run("uninstall", "claude-code", cwd=project)

    assert '{\n  "a": 2\n}\n' == path.read_text()
    assert "as it was before" not in done.out
    assert '{\n  "a": 1\n}\n' == (project / ".handoff/quarantine/before-install/.claude/settings.json").read_text()


def test_an_older_set_up_is_brought_up_to_date_in_place(run: Any, project: Path) -> None:
    """Our handler is replaced where it stands, also in a group that somebody moved it to; theirs is not."""
    old = {"type": "command", "command": "handoffsite hook claude-code session-end", "timeout": 60}
    theirs = {"type": "command", "command": "echo bye"}
    path = put(project, ".claude/settings.json", json.dumps({"hooks": {"SessionEnd": [{"hooks": [theirs, old]}]}}, indent=2))

    run("install", "claude-code", cwd=project)
    found = json.loads(path.read_text())["hooks"]["SessionEnd"]
    again = run("install", "claude-code", "--json", cwd=project)

    assert 1 == len(found)
    assert theirs == found[0]["hooks"][0]
    assert 2 == len(found[0]["hooks"])
    assert {"unchanged"} == {one["action"] for one in again.data["files"]}

    run("uninstall", "claude-code", cwd=project)

    assert [{"hooks": [theirs]}] == json.loads(path.read_text())["hooks"]["SessionEnd"]


def test_somebody_elses_server_and_skill_of_our_name_are_left_alone(run: Any, project: Path) -> None:
    """They are named, and the rest is set up."""
    server = '{"mcpServers": {"handoffsite": {"command": "/opt/mine"}}}'
    path = put(project, ".mcp.json", server)
    skill = put(project, ".claude/skills/planner/SKILL.md", "---\nname: planner\ndescription: mine\n---\n")

    done = run("install", "claude-code", "--json", cwd=project)
    run("uninstall", "claude-code", cwd=project)

    assert 0 == done.status
    assert [".claude/skills/planner/SKILL.md", ".mcp.json"] == sorted(
        note.split(":")[0] for note in done.data["notes"] if "left out" in note
    )
    assert server == path.read_text()
    assert "mine" in skill.read_text()


def test_what_two_clients_share_goes_with_the_last(run: Any, project: Path) -> None:
    """Codex and Antigravity read the same skills and the same AGENTS.md."""
    run("install", "codex", cwd=project)
    run("install", "antigravity", cwd=project)

    run("uninstall", "codex", cwd=project)
    kept = tree(project)
    run("uninstall", "antigravity", cwd=project)

    assert {".agents/hooks.json", ".agents/skills/planner/SKILL.md", "AGENTS.md"} <= kept.keys()
    assert not [name for name in kept if name.startswith(".codex")]
    assert not [name for name in tree(project) if not name.startswith(".handoff/")]


def test_toml_keeps_its_comments(run: Any, project: Path) -> None:
    """The server's table stands at the end, and the rest is as it was."""
    text = '# mine\nmodel = "m" # the fast one\n\n[mcp_servers.other]\ncommand = "other"'
    path = put(project, ".codex/config.toml", text)

    run("install", "codex", cwd=project)
    new = path.read_text()
    run("uninstall", "codex", cwd=project)

    assert new.startswith(text)
    assert {"command": "handoffsite", "args": ["mcp"]} == tomllib.loads(new)["mcp_servers"]["handoffsite"]
    assert text == path.read_text()


@pytest.mark.parametrize("text", ["model = ", 'mcp_servers = {other = {command = "x"}}\n', "mcp_servers = 5\n"])
def test_toml_that_cannot_be_added_to_is_refused(run: Any, project: Path, text: str) -> None:
    """Whether it is no TOML, or closed to a new table."""
    put(project, ".codex/config.toml", text)
    before = tree(project)

    done = run("install", "codex", cwd=project)

    assert 1 == done.status
    assert "config.toml" in done.err
    assert before == tree(project)


def test_the_block_stands_between_its_marks(run: Any, project: Path) -> None:
    """It is renewed where it stands; marks that do not pair are refused."""
    path = put(project, "CLAUDE.md", "# Mine\r\n\r\nText\r\n")
    run("install", "claude-code", cwd=project)
    installed = path.read_bytes()
    path.write_bytes(installed.replace(b"keeps", b"KEEPS").replace(b"## Project state", b"## Old") + b"More\r\n")
    run("install", "claude-code", cwd=project)

    assert installed + b"More\r\n" == path.read_bytes()
    assert b"\n" not in installed.replace(b"\r\n", b"")

    path.write_bytes(path.read_bytes().replace(b"handoffsite:end", b"handoffsite:gone"))
    done = run("install", "claude-code", cwd=project)

    assert 1 == done.status
    assert "CLAUDE.md:5: the marks of handoffsite's block do not pair" in done.err


def test_codex_and_gemini_get_time_limits_in_their_own_units(run: Any, project: Path) -> None:
    """Codex cuts SessionEnd at three seconds; Gemini counts milliseconds; Antigravity takes whole seconds alone; Cursor gets none."""
    for client in CLIENTS:
        run("install", client, cwd=project)
    data = {
        client: json.loads((project / SETTINGS[client][0]).read_text())
        for client in ("claude-code", "codex", "gemini-cli", "antigravity", "cursor")
    }

    assert 3 == data["codex"]["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"]
    assert 10 == data["claude-code"]["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"]
    assert 10_000 == data["gemini-cli"]["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"]
    assert [{"type": "command", "command": setup.command("antigravity", "stop"), "timeout": 10}] == data["antigravity"][
        "handoffsite"
    ]["Stop"]
    assert {"command"} == data["cursor"]["hooks"]["sessionEnd"][0].keys()
    assert not [client for client in data if "PreToolUse" in json.dumps(data[client])]


def test_newer_opencode_keeps_servers_one_step_deeper(run: Any, project: Path) -> None:
    """The form is that of the settings that are there."""
    path = put(project, "opencode.json", '{"mcp": {"servers": {"other": {"type": "remote", "url": "https://example.test"}}}}')

    run("install", "opencode", cwd=project)

    assert ["other", "handoffsite"] == list(json.loads(path.read_text())["mcp"]["servers"])


def test_outside_a_project_it_says_so(run: Any, tmp_path: Path) -> None:
    """Exit status 2, as of every command that needs one."""
    done = run("install", "claude-code", cwd=tmp_path)

    assert 2 == done.status


def test_a_hook_that_is_not_installed_harms_nobody(run: Any, project: Path) -> None:
    """A colleague without handoffsite gets no error from a committed set-up, in any shell."""
    run("install", "claude-code", cwd=project)
    command = json.loads((project / ".claude/settings.json").read_text())["hooks"]["SessionEnd"][0]["hooks"][0]["command"]

    for shell in ("sh", "bash", "zsh", "fish"):
        found = next((path for folder in ("/bin", "/usr/bin") if (path := Path(folder, shell)).exists()), None)
        if found:
            done = subprocess.run(
                [found, "-c", command], env={"PATH": "/usr/bin:/bin", "HOME": str(project)}, capture_output=True, check=False
            )

            assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr), shell
