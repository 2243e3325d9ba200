"""The skills and the plugin that we ship: valid by their rules, short, and every command in them runs as it stands there."""

import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from handoffsite import __version__
from handoffsite.cli.parser import GROUPS
from handoffsite.clients import claude_code, shipped
from handoffsite.clients.part import Json
from handoffsite.clients.setup import SERVER, Level
from tests.conftest import git

PLUGIN = Path(__file__).parents[1] / "templates" / "plugin"
SKILLS = sorted(PLUGIN.glob("skills/*/SKILL.md"))
FIELDS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
COMMAND = re.compile(r"`(handoffsite [^`]+)`|^(handoffsite .+)$", re.MULTILINE)
KEBAB = "^[a-z0-9]+(-[a-z0-9]+)*$"
NAME = {"type": "string", "pattern": KEBAB, "maxLength": 64}
TEXT = {"type": "string", "minLength": 1}
PATHS = {"anyOf": [{"type": ["string", "object"]}, {"type": "array", "items": TEXT}]}

# The manifest, the hooks and the servers as the plugin reference documents them.
MANIFEST = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": NAME,
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+(-[\w.]+)?$"},
        **dict.fromkeys(("description", "homepage", "repository", "license"), TEXT),
        "author": {"type": "object", "required": ["name"], "properties": {"name": TEXT, "email": TEXT, "url": TEXT}},
        "keywords": {"type": "array", "items": TEXT},
        **dict.fromkeys(("commands", "agents", "skills", "hooks", "mcpServers", "outputStyles", "lspServers"), PATHS),
    },
}
HANDLER = {
    "type": "object",
    "required": ["type", "command"],
    "additionalProperties": False,
    "properties": {"type": {"const": "command"}, "command": TEXT, "timeout": {"type": "integer", "minimum": 1, "maximum": 600}},
}
GROUP = {
    "type": "object",
    "required": ["hooks"],
    "additionalProperties": False,
    "properties": {"matcher": {"type": "string"}, "hooks": {"type": "array", "items": HANDLER, "minItems": 1}},
}
EVENTS = ("SessionStart", "SessionEnd", "PreCompact", "PostCompact", "Stop", "UserPromptSubmit", "PreToolUse", "PostToolUse")
HOOKS = {
    "type": "object",
    "required": ["hooks"],
    "additionalProperties": False,
    "properties": {
        "description": TEXT,
        "hooks": {"additionalProperties": False, "properties": {key: {"type": "array", "items": GROUP} for key in EVENTS}},
    },
}
SERVERS = {
    "type": "object",
    "required": ["mcpServers"],
    "additionalProperties": False,
    "properties": {
        "mcpServers": {
            "additionalProperties": {
                "required": ["command"],
                "additionalProperties": False,
                "properties": {"command": TEXT, "args": {"type": "array", "items": TEXT}, "env": {"type": "object"}},
            }
        }
    },
}


def front(text: str) -> Any:
    """The front matter of a skill."""
    return yaml.safe_load(text.split("---\n")[1])


def commands(text: str) -> list[list[str]]:
    """The command lines of ours in *text*, in their order; those of words that the parser does not know yet are left out."""
    known = {word.name for _, group in GROUPS for word in group}
    found = [shlex.split(inline or line)[1:] for inline, line in COMMAND.findall(text)]
    return [words for words in found if words[0] in known]


@pytest.mark.parametrize("file", SKILLS, ids=lambda file: file.parent.name)
def test_a_skill_is_valid(file: Path) -> None:
    """By the rules of Agent Skills: its fields, their lengths, and the folder that bears its name."""
    text = file.read_text(encoding="utf-8")
    found = front(text)

    assert text.startswith("---\n")
    assert found.keys() <= FIELDS
    assert file.parent.name == found["name"]
    assert len(found["name"]) <= 64
    assert re.fullmatch(KEBAB, found["name"])
    assert 40 <= len(found["description"]) <= 1024
    assert not set("<>") & set(found["description"])
    assert all(isinstance(value, str) for value in found["metadata"].values())
    assert len(text) <= 4_000, "an agent reads it whole"


def test_the_four_habits_are_there() -> None:
    """How a session ends, how agents hand over, and both sides of the mailbox."""
    assert ["executor", "handoff-protocol", "planner", "session-end"] == [file.parent.name for file in SKILLS]
    assert [file.parent.name for file in SKILLS] == list(shipped.skills())


@pytest.mark.parametrize("file", SKILLS, ids=lambda file: file.parent.name)
def test_the_commands_of_a_skill_run_as_written(run: Any, tmp_path: Path, file: Path) -> None:
    """In a project where what they speak of is there: a note, a plan, and a message for each role."""
    text = file.read_text(encoding="utf-8")
    project = tmp_path / "atlas"
    project.mkdir()
    git(project, "init", "-q")
    run("init", cwd=project)
    note = re.search(r"```markdown\n(.*?)```", text, re.DOTALL)
    (project / "note.md").write_text(note[1] if note else "# Nothing\n")
    (project / "plan.md").write_text(
        "# Plan\n\nAdd the migration for refresh tokens.\n\n## Acceptance criteria\n\n- The tests pass\n"
    )
    for role in ("planner", "executor"):
        run("work", "send", role, "Begin", cwd=project)
    done = []

    for words in commands(text):
        if words[:2] == ["work", "send"]:  # the other side read what waited
            run("work", "take", words[2], cwd=project)
            run("work", "clear", words[2], cwd=project)
        if words[:2] == ["work", "ask"]:
            run("work", "take", "planner", cwd=project)
            run("work", "clear", "planner", cwd=project)
        found = run(*words, cwd=project)
        done.append((found.status, " ".join(words), found.err if found.status else ""))

    assert done or file.parent.name == "handoff-protocol"
    assert [] == [one for one in done if one[0]]


def test_the_note_of_the_skill_is_understood_whole(run: Any, tmp_path: Path) -> None:
    """Each line of the example becomes the item that it is an example of."""
    text = (PLUGIN / "skills" / "session-end" / "SKILL.md").read_text(encoding="utf-8")
    example = re.search(r"```markdown\n(.*?)```", text, re.DOTALL)
    (tmp_path / "note.md").write_text(example[1] if example else "")

    found = run("end", "--note", "note.md", "--dry-run", "--json", cwd=tmp_path).data

    assert [1, 1, 1, 1] == [len(found[name]) for name in ("completed", "decisions", "constraints", "dependencies")]
    assert "two nodes must share them" in found["decisions"][0]["rationale"]
    assert ["signed cookies"] == found["decisions"][0]["alternatives"]
    assert {"tried", "outcome", "because"} <= found["constraints"][0].keys()
    assert {"name": "redis", "to": "5.2.1", "ecosystem": "pypi"}.items() <= found["dependencies"][0].items()


def test_the_plugin_is_valid() -> None:
    """By what the plugin reference documents of its manifest, its hooks and its servers."""
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())

    jsonschema.validate(manifest, MANIFEST)
    jsonschema.validate(json.loads((PLUGIN / "hooks" / "hooks.json").read_text()), HOOKS)
    jsonschema.validate(json.loads((PLUGIN / ".mcp.json").read_text()), SERVERS)
    assert __version__ == manifest["version"]
    assert ["plugin.json"] == [file.name for file in (PLUGIN / ".claude-plugin").iterdir()]


def test_the_plugin_does_what_install_does() -> None:
    """The same hooks and the same server."""
    parts = claude_code.setup(Level(project=Path("/p"), environment={"HOME": "/h"}))
    hooks = next(part for part in parts if isinstance(part, Json) and part.what == "hooks")

    assert {entry.path[1]: [entry.value] for entry in hooks.entries} == json.loads((PLUGIN / "hooks" / "hooks.json").read_text())[
        "hooks"
    ]
    assert {"mcpServers": {"handoffsite": SERVER}} == json.loads((PLUGIN / ".mcp.json").read_text())


def test_nothing_that_is_shipped_names_a_place_of_a_machine() -> None:
    """No absolute path, and no client's own placeholder that another would not fill."""
    for file in PLUGIN.rglob("*"):
        if file.is_file():
            assert not re.search(r"(?:^|[\s\"'`])/(?:home|Users|work|usr|opt)\b|\$\{", file.read_text(encoding="utf-8")), file


def test_the_site_is_not_drawn_by_them(tmp_path: Path, run: Any) -> None:
    """They lie beside the templates, and no page comes of them."""
    run("init", cwd=tmp_path)
    run("build", cwd=tmp_path)

    assert not [
        path
        for path in (tmp_path / ".handoff" / "build").rglob("*")
        if path.name in {"SKILL.md", "plugin.json", "handoffsite.js"}
    ]


@pytest.mark.gate
def test_the_wheel_brings_them(tmp_path: Path) -> None:
    """With the hidden files of the plugin, too."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=PLUGIN.parents[1], check=True, capture_output=True)
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()

    assert {
        "handoffsite/templates/plugin/.claude-plugin/plugin.json",
        "handoffsite/templates/plugin/.mcp.json",
        "handoffsite/templates/plugin/hooks/hooks.json",
        "handoffsite/templates/plugin/skills/session-end/SKILL.md",
        "handoffsite/templates/opencode/handoffsite.js",
    } <= set(names)
