"""The way of a new user, through the installed command, in an empty folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

NOTE = """\
## Focus
Ship sign-in

## Completed
- The login form posts to /api/session

## Decisions
- Keep sessions in Redis, because two nodes must share them. Alternatives: signed cookies. [topic: session-store]

## Constraints
- Tried: a Lua script for rotation. Outcome: refused by the managed Redis plan. Because: EVAL is disabled.

## Dependencies
- added redis 5.2.1 (pypi, pyproject.toml)

## Threads
- Rotate refresh tokens. Next: write the migration
"""


def test_the_first_hour(tmp_path: Path) -> None:
    """init, end, state, search, build, retire: each does what the README says, and the site opens from disk."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    env = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[1])}

    def run(*words: str, stdin: str = "") -> str:
        command = [sys.executable, "-m", "handoffsite", *words]
        done = subprocess.run(command, cwd=folder, env=env, input=stdin, capture_output=True, text=True, check=False)
        assert 0 == done.returncode, done.stderr
        return done.stdout

    run("init")
    ended = json.loads(run("end", "--note", "-", "--json", stdin=NOTE))
    assert [1, 1, 1, 1, 1] == [len(ended[name]) for name in ("completed", "decisions", "constraints", "dependencies", "threads")]
    decision = ended["decisions"][0]
    assert ("Keep sessions in Redis", "session-store", ["signed cookies"]) == (
        decision["title"],
        decision["topic"],
        decision["alternatives"],
    )
    assert "Keep sessions in Redis" in run("state")
    assert decision["id"] == json.loads(run("search", "redis", "session", "--json"))["hits"][0]["id"]
    run("build")
    page = (folder / ".handoff" / "build" / "decisions" / f"{decision['id']}.html").read_text()
    assert "signed cookies" in page
    run("retire", decision["id"], "--reason", "one node is enough")
    assert "Keep sessions in Redis" not in (folder / ".handoff" / "STATE.md").read_text()
    assert "one node is enough" in (folder / ".handoff" / "archive" / "decisions.md").read_text()
    assert "No problem found." in run("check")
