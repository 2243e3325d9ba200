"""Whatever a process is started in: names of folders, streams that are closed or full, no home, a foreign locale."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTE = "## Focus\n\nShip sign-in\n\n## Decisions\n\n- Keep sessions in Redis, because two nodes must share them\n"


def process(*words: str, cwd: Path, stdin: str = "", **environment: str | None) -> subprocess.CompletedProcess[str]:
    """Our command line in a process of its own; a variable that is None is not set."""
    wanted = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(cwd / "home"), **environment}
    return subprocess.run(
        [sys.executable, "-m", "handoffsite", *words],
        cwd=cwd,
        input=stdin,
        env={name: value for name, value in wanted.items() if value is not None},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


def shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """*command* in a shell, in which `hs` is our command line."""
    start = f'hs() {{ {sys.executable} -m handoffsite "$@"; }}; '
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(cwd / "home")}
    return subprocess.run(
        ["bash", "-c", start + command], cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    run("add", "decision", "Überall → ok", cwd=folder)
    return folder


@pytest.mark.parametrize(
    ("name", "project"),
    [
        (b"with spaces", "with-spaces"),
        (b"a\nline", "a-line"),
        (b"no\xff\xfeutf8", "no-utf8"),
        ("emoji 🚀".encode(), "emoji"),
        (b"quote'\"$(touch x)`touch y`", "quote-touch-x-touch-y"),
        (b"\xff", "project"),
        (b"-rf", "rf"),
        (b"%s{{7*7}}<b>", "s-7-7-b"),
    ],
)
def test_a_folder_may_be_called_anything(tmp_path: Path, name: bytes, project: str, run: Any) -> None:
    """The whole way, from the boundary to the search, in a lone project and in a workspace."""
    lone, space = tmp_path / os.fsdecode(name), tmp_path / "w" / os.fsdecode(name)
    for folder in (lone, space):
        folder.mkdir(parents=True)
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")

    steps = [run("init", cwd=lone), run("init", "--workspace", cwd=space), run("init", "content/one", cwd=space)]
    for inside in (lone, space / "content" / "one"):
        steps.append(run("end", "--note", str(tmp_path / "note.md"), cwd=inside))
        steps += [run(word, cwd=inside) for word in ("state", "build", "check", "log", "doctor")]
        assert "Keep sessions in Redis" in run("search", "redis", cwd=inside).out
    assert [0] * len(steps) == [step.status for step in steps]
    assert project == run("state", "--json", cwd=lone).data["project"]
    assert (lone / ".handoff" / "build" / "index.html").is_file()
    assert (space / "build" / "one" / "index.html").is_file()
    assert {"x", "y"}.isdisjoint(path.name for path in tmp_path.rglob("*"))


@pytest.mark.parametrize(
    "closed", [*(pytest.param(one, marks=pytest.mark.gate) for one in (">&-", "2>&-", "<&-")), "<&- >&- 2>&-"]
)
def test_closed_streams_change_nothing_of_the_work(project: Path, closed: str) -> None:
    """What is written is written, what is asked of a stream that is closed goes nowhere, and errors stay errors."""
    written = shell(f"hs add decision 'Keep one gate' {closed}", project)
    wrong = shell(f"hs show D-99 --json {closed}", project)
    empty = shell(f"hs end --note - {closed}", project)
    hooked = shell(f"hs hook claude-code session-end {closed}", project)

    assert [0, 1, 1, 0] == [done.returncode for done in (written, wrong, empty, hooked)]
    if closed in {"2>&-", "<&-"}:
        assert "not-found" == json.loads(wrong.stdout)["error"]["code"]
    assert "Keep one gate" in shell("hs log", project).stdout
    assert "No problem found." == shell("hs check", project).stdout.strip()


@pytest.mark.parametrize("words", ["state", "--help", "show D-99 --json"])
def test_an_answer_that_nobody_takes_is_no_fault(project: Path, words: str) -> None:
    """A reader that is gone ends it quietly, a full disk is named; neither shows a traceback or hides an error's status."""
    status = 1 if "D-99" in words else 0

    gone = shell(f"hs {words} > >(exec true); exit $?", project)
    full = shell(f"hs {words} > /dev/full", project)

    assert status == gone.returncode
    assert "Traceback" not in gone.stderr + full.stderr
    assert 1 == full.returncode
    assert "standard output: No space left on device" in full.stderr


def test_notes_that_nobody_takes_keep_the_answer(project: Path) -> None:
    """Standard error may be full: what goes to standard output is whole."""
    shell(f"hs add decision '{'x' * 10}' --topic t; hs add decision y --topic t", project)

    done = shell("hs check --json 2> /dev/full", project)

    assert ["contradiction"] == [problem["code"] for problem in json.loads(done.stdout)["problems"]]


@pytest.mark.gate
@pytest.mark.parametrize("home", [None, "", "relative", "/dev/null/home"])
def test_nobody_needs_a_home(tmp_path: Path, home: str | None) -> None:
    """Without a place for a cache everything is done all the same."""
    steps = [
        process(*words, cwd=tmp_path, stdin=stdin, HOME=home, XDG_CACHE_HOME=None)
        for words, stdin in (
            (("init",), ""),
            (("end", "--note", "-"), NOTE),
            (("state",), ""),
            (("build",), ""),
            (("search", "redis"), ""),
            (("check",), ""),
            (("doctor",), ""),
        )
    ]

    assert [0] * len(steps) == [step.returncode for step in steps], [step.stderr for step in steps]
    assert "Keep sessions in Redis" in steps[4].stdout


@pytest.mark.gate
@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "xx_YY.nonsense"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    ],
)
def test_no_locale_changes_what_is_said(project: Path, environment: dict[str, str]) -> None:
    """UTF-8 comes out, whatever the locale says of itself, as text and as JSON."""
    plain = process("show", "D-1", cwd=project, **environment)
    as_json = process("show", "D-1", "--json", cwd=project, **environment)
    note = process("end", "--note", "-", cwd=project, stdin=NOTE.replace("sign-in", "Größe"), **environment)

    assert "Überall → ok" in plain.stdout
    assert "Überall → ok" == json.loads(as_json.stdout)["title"]
    assert "Ship Größe" in note.stdout


@pytest.mark.gate
@pytest.mark.parametrize(
    "environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"COLUMNS": "20"}, {"COLUMNS": "nonsense"}, {"FORCE_COLOR": "1"}]
)
def test_no_terminal_changes_what_is_said(project: Path, environment: dict[str, str]) -> None:
    """No escape ever, and no line is cut for the width of a terminal."""
    said = [process(*words, cwd=project, **environment) for words in (("log",), ("state",), ("search", "ok"), ("--help",))]
    wide = [process(*words, cwd=project) for words in (("log",), ("state",), ("search", "ok"), ("--help",))]

    assert [done.stdout for done in wide] == [done.stdout for done in said]
    assert "\x1b" not in "".join(done.stdout + done.stderr for done in said)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["serach", "x"], "perhaps `handoffsite search`"),
        (["stat"], "perhaps `handoffsite state`"),
        (["zzz"], "`handoffsite --help` lists them"),
        (["state", "extra"], "`handoffsite state --help`"),
        (["accept", "--bogus"], "`handoffsite accept --help`"),
        (["log", "--limit", "-1"], "give at least 1"),
    ],
)
def test_a_word_that_is_wrong_is_answered_with_what_may_be_meant(run: Any, project: Path, words: list[str], hint: str) -> None:
    """One line that says what is wrong, one that says what to do; never the list of all words."""
    done = run(*words, cwd=project)

    assert 2 == done.status
    assert hint in done.err.splitlines()[1]
    assert "supersede" not in done.err


def test_without_a_home_nothing_is_set_up_for_the_user(run: Any, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is missing, and makes no folder anywhere."""
    monkeypatch.delenv("HOME")

    done = run("install", "claude-code", "--user", "--json", cwd=project)

    assert (2, "set HOME") == (done.status, done.data["error"]["hint"])


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    """Whatever is asked there, but for help; a hook ends quietly."""
    for words, status in (("state", 2), ("init", 2), ("doctor", 2), ("--help", 0), ("hook claude-code session-end", 0)):
        done = shell(f"mkdir gone && cd gone && rmdir ../gone && PYTHONPATH={ROOT} hs {words}", tmp_path)

        assert status == done.returncode, done.stderr
        assert "Traceback" not in done.stderr
        assert ("the current folder is gone" in done.stderr) == (status == 2)
