"""A workspace of two projects with its ledger, and the server of it as a process of its own."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple

PACKET = {
    "to_role": "backend-agent",
    "to_project": "backend",
    "goal": "Fix the /reports/summary timeout without changing the API contract",
    "known_facts": [{"request_id": "req-8842"}],
    "hypotheses": [{"statement": "A database lock wait may be involved", "status": "unverified"}],
    "acceptance": ["the original reproduction no longer times out"],
    "next_required": "repair commit, test report, and a version for retest",
}
EVIDENCE = [{"type": "commit", "ref": "git://backend@91f8c2a"}, {"type": "test_report", "ref": "ci://run-771"}]


class Answer(NamedTuple):
    """What came back."""

    status: int
    data: Any
    headers: Message


@dataclass(frozen=True)
class Ledger:
    """A running server: its workspace, where it listens, and the tokens of its actors."""

    space: Path
    home: Path
    port: int
    process: subprocess.Popen[str]
    tokens: Mapping[str, str]

    def ask(self, method: str, path: str, who: str = "", body: Any = None, *, raw: bytes | None = None, **headers: Any) -> Answer:
        """Ask as *who*; *headers* with `_` for `-`."""
        given = {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        if data is not None:
            given["Content-Type"] = "application/json"
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            connection.request(method, path, data, given)
            answer = connection.getresponse()
            text = answer.read()
        kind = answer.headers.get_content_type()
        return Answer(answer.status, json.loads(text) if kind.endswith("json") and text else text, answer.headers)

    def move(self, event: str, id: str, who: str, version: int | None, **more: Any) -> Answer:
        """The move *event*, on the version that was seen."""
        body = {**({"expected_version": version} if version is not None else {}), **more}
        return self.ask("POST", f"/tasks/{id}/{event}", who, body)

    def create(self, id: str, who: str = "frontend-agent", **more: Any) -> Answer:
        """A task of the frontend's for the backend."""
        return self.ask("POST", "/tasks", who, {"task_id": id, **PACKET, **more})


def ours(*words: str, cwd: Path, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command line of ours, as a process."""
    env = {**_environment(home), **environment}
    return subprocess.run(
        [sys.executable, "-m", "handoffsite", *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HANDOFFSITE", "SOURCE_DATE", "XDG"))}
    return {**kept, "HOME": str(home)}


def workspace(folder: Path) -> tuple[Path, dict[str, str]]:
    """A workspace of the projects web, backend and other, and a token for somebody in each."""
    space, home = folder / "space", folder / "home"
    home.mkdir()
    space.mkdir()
    ours("init", "--workspace", cwd=space, home=home)
    tokens = {}
    for name, actor in (("web", "frontend-agent"), ("backend", "backend-agent"), ("other", "stranger")):
        ours("init", f"content/{name}", cwd=space, home=home)
        done = ours("ledger", "token", "--actor", actor, "--project", name, cwd=space, home=home)
        assert 0 == done.returncode, done.stderr
        tokens[actor] = done.stdout.strip()
    done = ours("ledger", "token", "--actor", "owner", "--role", "human", "--project", "*", cwd=space, home=home)
    return space, {**tokens, "owner": done.stdout.strip()}


@contextlib.contextmanager
def serving(space: Path, tokens: Mapping[str, str], **environment: str) -> Iterator[Ledger]:
    """The server of the ledger of *space*."""
    home = space.parent / "home"
    process = subprocess.Popen(
        [sys.executable, "-m", "handoffsite", "ledger", "serve", "--port", "0", "--json"],
        cwd=space,
        env={**_environment(home), **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        port = int(json.loads(process.stdout.readline())["url"].rpartition(":")[2])
        yield Ledger(space, home, port, process, tokens)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(20)
        process.stdout.close()
