from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def projects() -> list[str]:
    return sorted(path.name for path in (ROOT / "content").iterdir() if (path / "project.toml").is_file())


def test_the_tour_extracts_what_waits(tmp_path: Path, run: Any, projects: list[str]) -> None:
    """A copy of the examples: every waiting log and note is recorded, every site is built, nothing is wrong, and it can be repeated."""
    first = run("tour", "--json", cwd=tmp_path)
    again = run("tour", "--json", cwd=tmp_path)

    assert (0, 0) == (first.status, again.status)
    assert projects == [project["name"] for project in first.data["projects"]]
    waiting = [path for name in projects for path in (ROOT / "content" / name / "waiting").glob("*")]
    assert waiting
    assert len(waiting) == sum(len(project["recorded"]) for project in first.data["projects"])
    assert [] == first.data["problems"]
    for name in projects:
        assert (tmp_path / ".tour" / "build" / name / "index.html").is_file()
    assert [one["recorded"] for one in first.data["projects"]] == [one["recorded"] for one in again.data["projects"]]


def test_the_tour_replaces_nothing_of_yours(tmp_path: Path, run: Any) -> None:
    """A folder that is no tour is refused, and what lies in it stays."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "precious.txt").write_text("x")

    done = run("tour", "mine", cwd=tmp_path)

    assert 1 == done.status
    assert "x" == (tmp_path / "mine" / "precious.txt").read_text()


def test_the_shipped_content_is_whole(run: Any, projects: list[str]) -> None:
    """Every record that we ship is sealed and every ID is known; STATE.md is what the records fold to."""
    for name in projects:
        found = run("check", "--json", cwd=ROOT / "content" / name).data

        assert [] == [problem for problem in found["problems"] if problem["code"] != "contradiction"]


def test_the_examples_tell_a_story(run: Any, projects: list[str]) -> None:
    """Two projects of ten sessions or more, with replaced decisions, lifted constraints, dependency changes and finished threads."""
    told = 0
    for name in projects:
        folder = ROOT / "content" / name
        log = run("log", "--json", cwd=folder).data
        items = [run("show", id, "--json", cwd=folder).data for record in log for id in record["items"]]
        found = {(item["kind"], item["status"]) for item in items}
        wanted = {
            ("decision", "superseded"),
            ("constraint", "lifted"),
            ("dependency", "recorded"),
            ("thread", "done"),
            ("completed", "proven"),
        }
        told += wanted <= found and sum(not record["act"] for record in log) >= 10

    assert told >= 2
