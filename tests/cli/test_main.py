import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.project import KEYS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    return folder


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["show", "D-1"], 1, "not-found"),
        (["show", "nonsense"], 2, "usage"),
        (["nonsense"], 2, "usage"),
        (["add", "decision"], 2, "usage"),
        (["add", "decision", "  "], 2, "usage"),
        (["add", "thread", "x", "--because", "y"], 2, "usage"),
        (["accept"], 2, "usage"),
        (["supersede", "D-1"], 2, "usage"),
        (["add", "decision", "x", "--if-generation", "4"], 3, "conflict"),
        (["add", "decision", "x", "--supersedes", "D-9"], 1, "not-found"),
        (["schema", "nonsense"], 1, "not-found"),
        (["search", "x", "--since", "tomorrow"], 2, "usage"),
        (["search", "x", "--kind", "nonsense"], 2, "usage"),
        (["state", "--project", "x"], 2, "usage"),
    ],
)
def test_errors_have_a_code_and_a_status(run: Any, project: Path, words: list[str], status: int, code: str) -> None:
    """With --json an error is one document on stdout; the exit status is the same without, and stdout then stays empty."""
    as_json, plain = run(*words, "--json", cwd=project), run(*words, cwd=project)

    assert (status, status, "") == (as_json.status, plain.status, plain.out)
    error = as_json.data["error"]
    assert {"code", "message", "hint"} == error.keys()
    assert code == error["code"]
    assert plain.err.startswith("handoffsite: ")


def test_help_and_version(run: Any, tmp_path: Path) -> None:
    """Both need no project."""
    assert "everyday:" in run("--help", cwd=tmp_path).out
    assert "everyday:" in run(cwd=tmp_path).out


def test_alone_in_a_project_it_says_where_things_stand(run: Any, project: Path) -> None:
    """`handoffsite` without a command shows the state."""
    run("add", "thread", "Ship sign-in", cwd=project)

    assert "Ship sign-in" in run(cwd=project).out


def test_every_report_is_one_document(run: Any, project: Path) -> None:
    """Each command prints JSON and nothing else when it is asked to, whatever it does; diagnostics go to standard error."""
    note = "## Completed\n- The form posts\n\n## Constraints\n- Tried: a script. Outcome: refused.\n\n## Threads\n- Rotate\n"
    for words, stdin in (
        (["init"], ""),
        (["end", "--note", "-"], note),
        (["end", "--note", "-", "--dry-run"], note),
        (["end", "--draft"], ""),
        (["end"], ""),
        (["add", "decision", "Keep one gate", "--topic", "gate"], ""),
        (["add", "decision", "Keep two gates", "--topic", "gate", "--status", "proposed"], ""),
        (["review"], ""),
        (["accept", "D-2"], ""),
        (["check"], ""),
        (["supersede", "D-1", "--by", "D-2"], ""),
        (["lift", "C-1"], ""),
        (["done", "T-1"], ""),
        (["reject", "D-2"], ""),
        (["retire", "S-1"], ""),
        (["state"], ""),
        (["log"], ""),
        (["show", "D-1"], ""),
        (["show", "S-1"], ""),
        (["search", "gate"], ""),
        (["pack"], ""),
        (["build", "--check"], ""),
        (["build"], ""),
        (["catch-up"], ""),
        (["check", "--fix"], ""),
        (["check", "--plan", "-"], "Try a script again."),
        (["work", "send", "executor", "hello"], ""),
        (["work", "show"], ""),
        (["memory", "set", "tech_stack", "python"], ""),
        (["memory", "get"], ""),
        (["discover"], ""),
        (["artefact", "list"], ""),
        (["handoff", "list"], ""),
        (["import", "adr", "."], ""),
        (["import", "transcripts", "."], ""),
        (["install", "claude-code", "--dry-run"], ""),
        (["purge", "Keep one gate", "--reason", "r"], ""),
        (["schema"], ""),
        (["schema", "session"], ""),
        (["completion", "bash"], ""),
        (["doctor"], ""),
        (["nonsense"], ""),
        (["--help"], ""),
        ([], ""),
    ):
        done = run(*words, "--json", cwd=project, stdin=stdin)

        assert isinstance(json.loads(done.out), dict | list), words
        assert done.status in {0, 1, 2}, words


def test_the_schema_of_a_project_names_every_key_that_is_read(run: Any, project: Path) -> None:
    """No more and no fewer: an unknown key is an error."""
    assert KEYS == run("schema", "project", "--json", cwd=project).data["properties"].keys()


def test_the_state_has_the_shape_that_scripts_rely_on(run: Any, project: Path) -> None:
    """The keys of `state --json` and of `search --json` are those of the design."""
    run("add", "constraint", "A Lua script", "--outcome", "refused", cwd=project)

    state, found = run("state", "--json", cwd=project).data, run("search", "lua", "--json", cwd=project).data

    assert {
        "project",
        "generation",
        "focus",
        "threads",
        "decisions",
        "constraints",
        "proposed",
        "budget",
        "stale",
    } <= state.keys()
    assert {"limit", "used", "over"} == state["budget"].keys()
    assert ["project", "query", "total", "stale", "hits"] == list(found)[:5]
    assert ["id", "kind", "title", "status", "date", "url", "score", "snippet"] == list(found["hits"][0])[:8]


def test_a_contradiction_is_found(run: Any, project: Path) -> None:
    """Two accepted decisions of one topic are named, and superseding one mends it."""
    for title in ("Keep one gate", "Keep two gates"):
        run("add", "decision", title, "--topic", "gate", cwd=project)

    before = run("check", "--json", cwd=project).data["problems"]
    run("supersede", "D-1", "--by", "D-2", cwd=project)

    assert ["contradiction"] == [problem["code"] for problem in before]
    assert [] == run("check", "--json", cwd=project).data["problems"]


def test_invisible_characters_are_shown(run: Any, project: Path) -> None:
    """What hides in a title is visible in every output."""
    run("add", "decision", "Safe\u202eevil\u200b", cwd=project)

    for words in (["state"], ["log"], ["show", "D-1"], ["show", "D-1", "--json"], ["search", "safe", "--json"]):
        out = run(*words, cwd=project).out

        assert not set(out) & {"\u202e", "\u200b"}


def test_a_closed_pipe_is_no_error(project: Path, run: Any) -> None:
    """`handoffsite log | head -1` ends quietly."""
    for number in range(3):
        run("add", "thread", f"Thread {number}", cwd=project)
    command = f"{sys.executable} -m handoffsite log | head -c 1"

    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=project,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(project)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)


def test_help_imports_no_command() -> None:
    """`--help` stays quick: nothing heavy is loaded for it."""
    code = "import sys; from handoffsite.cli.main import main; main(['--help']); print([m for m in sys.modules if m.split('.')[0] in {'yaml', 'jinja2', 'whoosh', 'sqlite3'} or m.startswith('handoffsite.commands')])"

    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)

    assert done.stdout.endswith("[]\n")
