from pathlib import Path
from typing import Any

import pytest

from handoffsite.errors import Refused
from handoffsite.records import session
from handoffsite.records.decision import Decision
from handoffsite.records.project import Project
from handoffsite.records.redaction import CleanRecord
from handoffsite.records.session import SessionRecord, Update
from handoffsite.records.thread import Thread
from handoffsite.store import boundary, sessions, state
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold


@pytest.fixture
def home(tmp_path: Path) -> Boundary:
    made, _ = boundary.create(tmp_path / "p" / ".handoff", Project(id="0123456789ab", name="p"))
    return made


def append(home: Boundary, minute: int, **fields: Any) -> SessionRecord:
    record = SessionRecord(source=f"note:{minute}", project="p", recorded=f"2026-11-01T00:{minute:02}:00Z", **fields)
    with Fold(home, None) as fold:
        numbered = session.numbered(CleanRecord(record), fold.highest())
        sessions.append(home, numbered)
    return numbered


def fold_again(home: Boundary) -> str:
    with Fold(home, None) as fold:
        state.write(home, fold)
    return (home.root / "STATE.md").read_text()


def edit(home: Boundary, text: str) -> None:
    (home.root / "STATE.md").write_text(text)


def found(home: Boundary) -> dict[str, Any]:
    read = state.read(home)
    assert read
    with Fold(home, None) as fold:
        edits = state.edits(home, fold, read)
    fields = edits.fields()
    fields["updates"] = {one.id: dict(one.changes) for one in edits.updates}
    return {key: content for key, content in fields.items() if content}


def codes(home: Boundary) -> list[str]:
    with Fold(home, None) as fold:
        return [problem.code for problem in state.problems(home, fold)]


def test_an_edit_is_compared_with_the_fold_that_it_was_made_on(home: Boundary) -> None:
    """Records that came since, from whatever clock, are neither taken back nor taken for edits."""
    first = append(home, 5, threads=(Thread(title="One", next="a"), Thread(title="Two")), decisions=(Decision(title="D"),))
    text = fold_again(home)
    append(home, 9, updates=(Update(id=first.threads[0].id, changes={"next": "b"}),), threads=(Thread(title="Three"),))
    append(home, 2, threads=(Thread(title="From a slow clock"),))

    edit(home, text.replace(f"| {first.threads[1].id} | active", f"| {first.threads[1].id} | paused"))

    assert {"updates": {first.threads[1].id: {"status": "paused"}}} == found(home)


def test_a_row_is_removed_only_from_a_fold_that_is_known(home: Boundary) -> None:
    """Where the records that the footer names are not all here, a row that is missing was not removed."""
    first = append(home, 5, threads=(Thread(title="One"), Thread(title="Two")))
    second = append(home, 6, threads=(Thread(title="Three"),))
    text = fold_again(home)
    without = "\n".join(line for line in text.split("\n") if not line.startswith(f"| {first.threads[1].id}"))

    edit(home, without)
    assert [first.threads[1].id] == [one.id for one in found(home)["retired"]]
    next(home.sessions.glob(f"*{second.id}*")).unlink()
    append(home, 7, threads=(Thread(title="Four"),))
    assert {"unfiled"} == found(home).keys()  # the row of the record that is lost


def test_another_budget_is_no_edit(home: Boundary) -> None:
    """A file that was folded under another budget is compared with the fold under that one: what it left out was not removed."""
    append(home, 5, decisions=tuple(Decision(title=f"Decision {n}", rationale="because " * 30) for n in range(60)))
    small = boundary.Boundary(home.root, home.home, Project(id="0123456789ab", name="p", budget=600))
    text = fold_again(small)

    edit(home, text.replace("## Archived", "Say it again\n\n## Archived"))

    assert "more decisions" in text
    assert {"unfiled": ("Say it again",)} == found(home)


def test_an_older_version_put_back_is_stale(home: Boundary) -> None:
    """Its footer fits, its record set is an older one: it says which copy is older, nothing of it is an edit, and it is replaced."""
    append(home, 1, threads=(Thread(title="One"),))
    old = fold_again(home)
    append(home, 2, threads=(Thread(title="Two"),))
    new = fold_again(home)

    edit(home, old)

    assert ["stale"] == codes(home)
    with Fold(home, None) as fold:
        assert "older than the records: folded from generation 1" in state.problems(home, fold)[0].message
    assert new == fold_again(home)


def test_records_that_are_older_than_the_state_are_said_to_be(home: Boundary) -> None:
    """A lost record is not a stale STATE.md: the answer says that the records are the older copy."""
    append(home, 1, threads=(Thread(title="One"),))
    second = append(home, 2, threads=(Thread(title="Two"),))
    fold_again(home)
    next(home.sessions.glob(f"*{second.id}*")).unlink()

    with Fold(home, None) as fold:
        assert "the records are older" in state.problems(home, fold)[0].message


def test_a_state_is_not_emptied(home: Boundary) -> None:
    """With the records gone it would shrink to nothing: it is refused, and names what would be lost."""
    record = append(home, 1, decisions=tuple(Decision(title=f"Decision {n}", rationale="because " * 9) for n in range(9)))
    before = fold_again(home)
    next(home.sessions.glob("*.md")).unlink()

    with Fold(home, None) as fold, pytest.raises(Refused, match=record.decisions[0].id):
        state.write(home, fold)

    assert before == (home.root / "STATE.md").read_text()


def test_an_edit_that_nobody_read_is_never_written_over(home: Boundary) -> None:
    """A file that somebody saved while a command ran is left for the next command."""
    append(home, 1, threads=(Thread(title="One"),))
    text = fold_again(home)
    edit(home, text.replace("One", "Other"))

    with Fold(home, None) as fold:
        assert state.write(home, fold).left
    assert "Other" in (home.root / "STATE.md").read_text()
