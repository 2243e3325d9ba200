"""An executor that is another user than the planner, and may read its own project alone, lacks nothing."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.gate

ROOT = Path(__file__).parents[2]
USER = 61_234  # nobody on any machine
FOREIGN = "canary of the others"
AS_USER = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs", "--")


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the executor works: in *project*, with the interpreter *python*, and with *home* as its home folder."""

    project: Path
    python: str
    home: Path
    packages: str

    def environment(self, home: Path | None = None) -> dict[str, str]:
        """What its processes are given."""
        given = {
            "HOME": str(home or self.home),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": self.packages,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return {**given, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}

    def run(self, *words: str, stdin: str = "", home: Path | None = None) -> subprocess.CompletedProcess[str]:
        """One command line of ours, as that user."""
        command = [*AS_USER, self.python, "-m", "handoffsite", *words]
        return subprocess.run(
            command, cwd=self.project, env=self.environment(home), input=stdin, capture_output=True, text=True, check=False
        )


@pytest.fixture(params=["in its own repository", "in a workspace"])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A project of the executor's own, beside others, in folders that it may pass and not list; their settings are closed, too."""
    if os.geteuid() or not shutil.which("setpriv"):
        pytest.skip("only root can become another user, with setpriv")
    with tempfile.TemporaryDirectory(prefix="handoffsite-") as name:  # pytest's own folders are closed to others
        root = Path(name).resolve()
        packages = os.pathsep.join((str(ROOT), *(path for path in sys.path if path.endswith("-packages"))))
        python, space = interpreter(packages), root / "space"
        planner(root, "init", "--workspace", "space")
        for other in ("theirs", "more"):
            planner(root, "init", f"space/content/{other}")
            planner(space / "content" / other, "add", "decision", FOREIGN)
            (space / "content" / other).chmod(0o700)
        made = Desk(
            space / "content" / "mine" if "workspace" in request.param else root / "mine", python, root / "home", packages
        )
        if "workspace" in request.param:
            planner(root, "init", "space/content/mine")
        else:
            made.project.mkdir()
        made.home.mkdir()
        for path in (made.home, made.project, *made.project.rglob("*")):
            os.chown(path, USER, USER)
        (space / "handoffsite.toml").chmod(0o600)
        for folder in (root, space, space / "content"):
            folder.chmod(0o711)
        yield made


def interpreter(packages: str) -> str:
    """A Python that another user may run, with all that we need; skips where there is none."""
    for candidate in dict.fromkeys((sys.executable, os.path.realpath(sys.executable), "/usr/bin/python3")):
        command = [*AS_USER, candidate, "-c", "import handoffsite, whoosh, mcp"]
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1"}
        if not subprocess.run(command, cwd="/", env=environment, capture_output=True, check=False).returncode:
            return candidate
    return pytest.skip("no Python here that another user may run with these packages")


def planner(folder: Path, *words: str) -> None:
    """The planner, who is root here, runs a command line of ours."""
    environment = {**os.environ, "HOME": "/nonexistent", "XDG_CACHE_HOME": "", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "handoffsite", *words], cwd=folder, env=environment, check=True, capture_output=True)


WRITING: Sequence[tuple[str, ...]] = (
    ("init",),
    ("add", "decision", "Keep sessions in Redis", "--rationale", "Two nodes share them"),
    ("add", "constraint", "Lua script for rotation", "--because", "EVAL is disabled"),
    ("work", "send", "executor", "Write the migration."),
    ("work", "take"),
    ("work", "ask", "Which table?"),
    ("build",),
)
READING: Sequence[tuple[str, ...]] = (
    ("state",),
    ("search", "redis"),
    ("search", "redsi"),
    ("show", "D-1"),
    ("pack", "--for", "rotate the tokens"),
    ("log",),
    ("check",),
    ("doctor",),
    ("work", "show"),
    ("discover",),
    ("catch-up",),
    ("end", "--draft"),
)


def test_it_works_fully(desk: Desk) -> None:
    """Every command, as that user: it succeeds, finds its own and nothing of the others, which nobody there can read."""
    others = [path for path in desk.home.parent.rglob("project.toml") if desk.project not in path.parents]
    assert 2 == len(others)
    for path in others:
        assert subprocess.run([*AS_USER, "cat", path], capture_output=True, check=False).returncode
    for words in WRITING:
        done = desk.run(*words)
        assert (0, "") == (done.returncode, done.stderr), words
    note = json.dumps({"session_id": "one", "focus": "Ship it", "completed": [{"text": "Sign-in posts to the API"}]})
    assert 0 == desk.run("end", "--note", "-", stdin=note).returncode
    for words in READING:
        done = desk.run(*words, "--json")
        assert 0 == done.returncode, (words, done.stdout, done.stderr)
        assert FOREIGN not in done.stdout + done.stderr
    hits = json.loads(desk.run("search", "redis", "--json").stdout)
    assert "Keep sessions in Redis" == hits["hits"][0]["title"]
    assert not [one for one in hits["hits"] if FOREIGN in json.dumps(one)]
    assert 0 == json.loads(desk.run("search", "canary", "--json").stdout)["total"]
    assert 1 == desk.run("check", "--plan", "-", stdin="Write a Lua script for the rotation.").returncode
    owners = {path.stat().st_uid for path in (*desk.project.rglob("*"), *desk.home.rglob("*"))}
    assert {USER} == owners


def test_it_reads_where_it_may_not_write(desk: Desk) -> None:
    """A boundary that is another's to write, and no home of its own: all is read, an index is made in memory, and that is said."""
    for words in WRITING[:4]:
        desk.run(*words)
    for path in (desk.project, *desk.project.rglob("*")):
        os.chown(path, 0, 0, follow_symlinks=False)
    closed = desk.home.parent / "space" / "content" / "theirs"
    for words, home in zip(READING[:10], itertools.cycle((Path("/nonexistent"), Path("/root"), closed)), strict=False):
        done = desk.run(*words, home=home)
        assert 0 == done.returncode, (words, home, done.stderr)
        assert done.stdout
        assert words[0] != "search" or "built for this call alone" in done.stderr


def test_the_server_answers(desk: Desk) -> None:
    """All tools, over MCP, by a server that is that user."""
    anyio = pytest.importorskip("anyio", reason="the extra mcp is not installed")
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    stdio = pytest.importorskip("mcp.client.stdio", reason="the extra mcp is not installed")
    for words in WRITING[:4]:
        desk.run(*words)
    answers: list[Any] = []

    async def ask() -> None:
        server = stdio.StdioServerParameters(
            command=AS_USER[0],
            args=[*AS_USER[1:], desk.python, "-m", "handoffsite", "mcp", "--profile", "delegation"],
            env=desk.environment(),
            cwd=str(desk.project),
        )
        async with mcp.Client(server) as client:
            for tool, given in (
                ("search", {"query": "redis"}),
                ("search", {"query": "canary"}),
                ("show", {"id": "D-1"}),
                ("state", {}),
                ("pack", {"for": "rotate the tokens"}),
                ("check_plan", {"plan": "Write a Lua script for the rotation."}),
                ("work", {"action": "take"}),
                ("add", {"kind": "decision", "title": "Rotate nightly"}),
                ("memory", {"action": "discover"}),
                ("handoff", {"action": "list"}),
            ):
                answers.append(await client.call_tool(tool, given))

    with ThreadPoolExecutor(1) as own:  # the browser of other tests keeps a loop of its own running in this thread
        own.submit(anyio.run, ask).result()

    assert [False] * 10 == [answer.is_error for answer in answers]
    assert 0 == answers[1].structured_content["total"]
    assert FOREIGN not in "".join(answer.model_dump_json() for answer in answers)
