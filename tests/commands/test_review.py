"""A human's word on items, and on all that a session introduced."""

from pathlib import Path
from typing import Any

import pytest

NOTE = "## Completed\n- The form posts\n\n## Decisions\n- Keep sessions in Redis\n\n## Constraints\n- Tried: a script. Outcome: refused.\n"


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    run("end", "--note", "-", cwd=folder, stdin=NOTE)
    return folder


def test_a_session_is_retired_with_all_that_it_introduced_once(run: Any, project: Path) -> None:
    """What it says first is said of each item; said again, or of a record that introduced nothing, it changes and records nothing."""
    first, again = run("retire", "S-1", "--json", cwd=project).data, run("retire", "S-1", cwd=project)
    act = run("retire", first["session"], "--json", cwd=project).data

    assert {"retired", "lifted"} == {item["status"] for item in first["items"]}
    assert 3 == len(first["items"])
    assert again.out.endswith("retire: nothing to change\n")
    assert (False, []) == (act["created"], act["items"])
    assert 2 == run("state", "--json", cwd=project).data["generation"]


@pytest.mark.parametrize("word", ["accept", "reject", "retire", "lift", "done"])
def test_a_word_on_a_session_is_a_word_on_what_it_fits(run: Any, project: Path, word: str) -> None:
    """`--session` leaves out what the word does not fit; where nothing is left, nothing is recorded, and that is said."""
    done = run(word, "--session", "S-1", "--json", cwd=project)

    fitting = {"accept": 0, "reject": 2, "retire": 3, "lift": 1, "done": 0}[word]
    assert (0, fitting, bool(fitting)) == (done.status, len(done.data["items"]), done.data["created"])
