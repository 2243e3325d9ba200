"""What many tests need: our command line in this process, and logs in the shape of a real agent's."""

import io
import json
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from handoffsite.cli.main import main
from tests.postgres import server

# A test says what is right, not how fast a busy machine shows it.
settings.register_profile("handoffsite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("handoffsite")


@dataclass(frozen=True, slots=True)
class Done:
    """A command line that ran."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


Run = Callable[..., Done]

CHROMIUM = Path("/usr/bin/chromium")
# A browser in a test asks nobody for anything, and a container has no sandbox to give.
_QUIET = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A real Chromium, headless; a test that needs one is for the gate, and is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'handoffsite[test]'")
    if not CHROMIUM.is_file():
        pytest.skip(f"there is no {CHROMIUM}")
    with playwright.sync_playwright() as player:
        started = player.chromium.launch(executable_path=str(CHROMIUM), args=_QUIET.split())
        yield started
        started.close()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line of ours in *cwd*, with a home of its own and a clock that goes on a minute with each command."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in (
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "GEMINI_CLI_HOME",
        "PI_CODING_AGENT_DIR",
        "HANDOFFSITE_SUMMARIZER",
    ):
        monkeypatch.delenv(name, raising=False)
    clock = [1_793_000_000]

    def call(*words: str, cwd: Path, stdin: str = "", at: int = 0) -> Done:
        clock[0] = at or clock[0] + 60
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(clock[0]))
        monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsys.readouterr()
        status = main(list(words))
        captured = capsys.readouterr()
        return Done(status, captured.out, captured.err)

    return call


def git(folder: Path, *words: str) -> str:
    """Run git in *folder*."""
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


class Log:
    """A session log in the shape of Claude Code's, written entry by entry."""

    def __init__(self, path: Path, cwd: Path | str, session: str = "5e55a1d0-0000-4000-8000-000000000001") -> None:
        self.path, self.cwd, self.session = path, str(cwd), session
        self.lines: list[str] = []
        self.minute = 0

    def entry(self, kind: str, content: Any, **fields: Any) -> None:
        """Add one line."""
        self.minute += 1
        message: dict[str, Any] = {"role": kind, "content": content}
        if kind == "assistant":
            message |= {"id": f"msg_{len(self.lines)}", "type": "message", "model": "m"}
        own = uuid.uuid5(uuid.NAMESPACE_URL, f"{self.session}/{len(self.lines)}")
        line = {
            "parentUuid": None,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.0",
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": str(own),
            "timestamp": f"2026-10-20T10:{self.minute:02}:00.000Z",
            **fields,
        }
        self.lines.append(json.dumps(line, ensure_ascii=False))

    def prompt(self, text: str) -> None:
        """The human says *text*."""
        self.entry("user", text)

    def text(self, text: str) -> None:
        """The agent says *text*."""
        self.entry("assistant", [{"type": "text", "text": text}])

    def tool(self, name: str, given: dict[str, Any], result: str, *, error: bool = False) -> None:
        """The agent calls a tool, and it answers."""
        call = f"toolu_{len(self.lines)}"
        self.entry("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}])
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call, "content": result}
        self.entry("user", [block | ({"is_error": True} if error else {})])

    def commit(self, subject: str, sha: str = "1a2b3c4") -> None:
        """The agent commits its work."""
        self.tool(
            "Bash", {"command": f"git commit -am '{subject}'"}, f"[main {sha}] {subject}\n 2 files changed, 10 insertions(+)"
        )

    def save(self) -> Path:
        """Write the log as it is now."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
        return self.path


@pytest.fixture
def make_log() -> type[Log]:
    """The class `Log`."""
    return Log


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL of the tests' own, as its superuser; skips where none can be started."""
    with server() as url:
        yield url
