"""`serve` and `watch` as a user has them: a process with two streams, a browser, and Ctrl-C."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.gate

ROOT = Path(__file__).parents[2]
WAIT = 30


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A lone boundary."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    (tmp_path / "home").mkdir()
    ours(folder, "init")
    return folder


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    environment = {
        "HOME": str(folder.parent / "home"),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "handoffsite", *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ours(folder: Path, *words: str) -> str:
    out, err = started(folder, *words).communicate(timeout=WAIT)
    return out + err


@contextlib.contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    process = started(folder, *words)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=WAIT)


def document(process: subprocess.Popen[str]) -> Any:
    """The JSON document that *process* begins with."""
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or lines[-1] != "}\n":
        lines.append(process.stdout.readline())
    return json.loads("".join(lines))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("word", ["watch", "serve"])
def test_it_ends_when_told(project: Path, word: str, how: signal.Signals) -> None:
    """One document on standard output at the start; on Ctrl-C nothing more, no traceback, and the status of an interrupt."""
    with running(project, word, "--json", *(["--port", "0"] if word == "serve" else [])) as process:
        found = document(process)
        process.send_signal(how)
        out, err = process.communicate(timeout=WAIT)

        assert {"url", "site", "watching"} == set(found)
        assert (130, "") == (process.returncode, out)
        assert "Traceback" not in err


def test_a_port_that_is_taken_is_an_error(project: Path) -> None:
    """It says which port, and what to do; nothing is watched."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with running(project, "serve", "--port", str(port)) as process:
            out, err = process.communicate(timeout=WAIT)

    assert (1, "") == (process.returncode, out)
    assert f"port {port} cannot be used: Address already in use" in err
    assert "--port 0" in err


def test_outside_every_project_it_says_so(tmp_path: Path) -> None:
    """As every command that needs one."""
    with running(tmp_path, "serve", "--port", "0") as process:
        _, err = process.communicate(timeout=WAIT)

    assert 2 == process.returncode
    assert "belongs to no project" in err


def test_an_open_page_shows_what_is_new(project: Path, browser: Any) -> None:
    """Nobody reloads it: a decision that is recorded elsewhere appears, and the built site holds nothing of the server."""
    with running(project, "serve", "--port", "0", "--json") as process:
        page, said = browser.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        page.goto(document(process)["url"])
        ours(project, "add", "decision", "Keep one file a session")
        page.wait_for_selector("text=Keep one file a session", timeout=WAIT * 1000)
        page.goto(page.url.replace("index.html", "") + "search.html?q=file")
        page.wait_for_selector("#found li")
        page.close()

    assert [] == said
    assert not any(b"/-/" in path.read_bytes() for path in (project / ".handoff/build").rglob("*.html"))
