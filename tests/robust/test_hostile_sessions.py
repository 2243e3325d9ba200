"""Sessions that were made to do harm, from log to page: all are read or refused by name, and none of them does any."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

GENERATOR = Path(__file__).parents[3] / "shared" / "tools" / "gen_sessions.py"
RUNS = re.compile(
    r"<script[^>]*>[^<]*alert|<(?:img|svg|iframe|details)\b[^>]*\bon\w+=|href=[\"']?\s*(?:javascript|vbscript|data):",
    re.IGNORECASE,
)

pytestmark = pytest.mark.skipif(not GENERATOR.is_file(), reason="what makes the sessions is not part of the repository")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few ordinary sessions and all hostile ones."""
    folder = tmp_path_factory.mktemp("made") / "logs"
    words = [sys.executable, str(GENERATOR), str(folder), "--sessions", "2", "--hostile", "--collide"]
    subprocess.run(words, check=True, capture_output=True)
    return folder


@pytest.fixture
def truth(logs: Path) -> dict[str, Any]:
    """What was planted."""
    return dict(json.loads(logs.with_name("logs.truth.json").read_text()))


def of(kind: str, logs: Path, truth: dict[str, Any]) -> Path:
    session = next(one["session"] for one in truth["hostile"] if one["kind"] == kind)
    return logs / "-srv-hostile" / f"{session}.jsonl"


@pytest.mark.parametrize(
    ("kind", "skipped"),
    [
        ("xss", 0),
        ("secrets", 0),
        ("cut", 1),
        ("big", 0),
    ],
)
def test_each_is_read_to_its_end(run: Any, logs: Path, truth: dict[str, Any], tmp_path: Path, kind: str, skipped: int) -> None:
    """Every line is accounted for, and what is damaged is named."""
    path = of(kind, logs, truth)
    account = run("end", "--dry-run", "--json", "--transcript", str(path), cwd=tmp_path).data["account"]

    assert (len(path.read_text(errors="replace").splitlines()), skipped) == (account["lines"], len(account["skipped"]))


def test_damage_in_the_middle_costs_its_lines(run: Any, logs: Path, truth: dict[str, Any], tmp_path: Path) -> None:
    """Each line that is no entry is named, and what follows is read."""
    path = of("bad", logs, truth)
    lines = path.read_text().splitlines()
    found = run("end", "--dry-run", "--json", "--transcript", str(path), cwd=tmp_path).data["account"]
    named = {one["line"] for one in found["skipped"]}
    strange = ("not json at all", "[1,2,3]", "null", '"str"', "42")

    assert {number for number, line in enumerate(lines, 1) if line in strange or line.endswith('"half')} <= named
    assert {number for number, line in enumerate(lines, 1) if "brand-new-type" in line} <= named
    assert len(lines) == found["lines"]


def test_an_empty_log_is_refused_by_name(run: Any, logs: Path, tmp_path: Path) -> None:
    """A file of one newline is no session, and the message says so."""
    path = next(path for path in (logs / "-srv-hostile").iterdir() if path.stat().st_size < 2)
    done = run("end", "--dry-run", "--transcript", str(path), cwd=tmp_path)

    assert 1 == done.status
    assert "the file is empty" in done.err


def pages(folder: Path) -> Iterator[tuple[Path, str]]:
    yield from (
        (path, path.read_text(errors="replace")) for path in folder.rglob("*") if path.is_file() and ".cache" not in path.parts
    )


def test_a_workspace_takes_them_all(run: Any, logs: Path, truth: dict[str, Any], tmp_path: Path) -> None:
    """All are filed under their projects; no page runs anything, nothing holds a secret, no project shows another's word."""
    space = tmp_path / "space"
    space.mkdir()
    run("init", "--workspace", cwd=space)
    done = run("import", "transcripts", str(logs), "--json", cwd=space)
    run("build", cwd=space)
    secrets = next(one["secrets"] for one in truth["hostile"] if one["kind"] == "secrets")
    hidden = [part for secret in secrets.values() for part in secret.split("\n") if len(part) > 12 and "-----" not in part]
    found = list(pages(space))

    assert ["the file is empty"] == [one["reason"].split(";")[0].split(": ")[-1] for one in done.data["ignored"]]
    assert [] == [path for path, text in found if path.suffix == ".html" and RUNS.search(text)]
    assert [] == [(path, part) for path, text in found for part in hidden if part in text]
    words = [one["word"] for one in truth["collide"]]
    projects = {path.parts[path.parts.index("content") + 1] for path, _ in found if "content" in path.parts[:-2]}

    for project in projects:
        own = "".join(text for path, text in found if project in path.parts)

        assert sum(word in own for word in words) <= 1, project
