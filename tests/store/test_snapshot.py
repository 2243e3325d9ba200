import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite import durable
from handoffsite.errors import Ambiguous, NotFound
from handoffsite.records import history, session
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.project import Project
from handoffsite.records.redaction import CleanRecord
from handoffsite.records.session import Retirement, SessionRecord, Update
from handoffsite.records.thread import Thread
from handoffsite.store import archive, boundary, sessions, state
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold


@pytest.fixture
def home(tmp_path: Path) -> Boundary:
    made, _ = boundary.create(tmp_path / "p" / ".handoff", Project(id="0123456789ab", name="p"))
    return made


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return durable.private_folder(tmp_path / "cache")


def append(home: Boundary, cache: Path | None, minute: int, source: str = "", **fields: Any) -> SessionRecord:
    record = SessionRecord(source=source or f"note:{minute}", project="p", recorded=f"2026-11-01T00:{minute:02}:00Z", **fields)
    with Fold(home, cache) as fold:
        numbered = session.numbered(CleanRecord(record), fold.highest())
        name, data = sessions.append(home, numbered)
        fold.extend(numbered, name, data)
    return numbered


def grow(home: Boundary, cache: Path | None) -> list[SessionRecord]:
    first = append(home, cache, 1, decisions=(Decision(title="Cookies", topic="store"),), threads=(Thread(title="Sign-in"),))
    second = append(home, cache, 2, decisions=(Decision(title="Redis", topic="store", supersedes=(first.decisions[0].id,)),))
    third = append(home, cache, 3, "act:1", updates=(Update(id=first.threads[0].id, changes={"status": "done"}),))
    return [first, second, third]


def test_growing_equals_folding_anew(home: Boundary, cache: Path) -> None:
    """Record by record on the cache, or all at once from the files: one history, one STATE.md, one archive."""
    grow(home, cache)
    append(home, cache, 0, retired=(Retirement(id="S-1-zzz", reason="nothing"),), title="from a slow clock")

    with Fold(home, cache) as grown, Fold(home, None) as anew:
        assert anew.snapshot() == grown.snapshot()
        assert anew.highest() == grown.highest()
        assert state.gather(home, anew) == state.gather(home, grown)
        assert archive.dumps("decision", anew.archived("decision"), anew) == archive.dumps(
            "decision", grown.archived("decision"), grown
        )
        assert history.fold({one.id: one for one in grown.snapshot().records}).history.items == dict(grown.snapshot().items)


_WORDS = st.sampled_from(("a", "b", "c d"))
_CHANGES: dict[str, st.SearchStrategy[dict[str, Any]]] = {  # what a later record may say of an item, by the letter of its ID
    "D": st.fixed_dictionaries(
        {"status": st.sampled_from(Decision.STATUSES)}, optional={"alternatives": st.tuples(_WORDS, _WORDS), "rationale": _WORDS}
    ),
    "C": st.fixed_dictionaries({"status": st.sampled_from(Constraint.STATUSES)}, optional={"because": _WORDS}),
    "T": st.fixed_dictionaries({"status": st.sampled_from(Thread.STATUSES)}, optional={"next": _WORDS}),
}


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_whatever_is_said_of_items_growing_equals_folding_anew(data: st.DataObject) -> None:
    """Decided, changed, replaced, retired in any order: the cache and the files fold to the same history and the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        home, _ = boundary.create(Path(folder) / "p" / ".handoff", Project(id="0123456789ab", name="p"))
        cache = durable.private_folder(Path(folder) / "cache")
        first = append(
            home,
            cache,
            0,
            decisions=(Decision(title="a", alternatives=("x", "y")), Decision(title="b", status="proposed")),
            constraints=(Constraint(tried="c"),),
            threads=(Thread(title="t"),),
        )
        ids = [value.id for value in first.items()]
        for minute in range(1, data.draw(st.integers(2, 5))):
            named = data.draw(st.sampled_from(ids))
            changes = data.draw(_CHANGES[named[0]])
            fields: dict[str, Any] = data.draw(
                st.sampled_from(
                    (
                        {"updates": (Update(id=named, changes=changes, reason="so"),)},
                        {"updates": (Update(id=first.decisions[1].id, changes={"supersedes": (first.decisions[0].id,)}),)},
                        {"decisions": (Decision(title="new", supersedes=(first.decisions[0].id,)),)},
                        {"retired": (Retirement(id=named, reason="gone"),)},
                    )
                )
            )
            append(home, cache, minute, f"act:{minute}", **fields)

        with Fold(home, cache) as grown, Fold(home, None) as anew:
            assert anew.snapshot() == grown.snapshot()
            assert state.gather(home, anew) == state.gather(home, grown)
            for kind in ("decision", "constraint", "thread"):
                written = [archive.dumps(kind, fold.archived(kind), fold) for fold in (anew, grown)]
                assert written[0] == written[1]


def test_a_copy_elsewhere_folds_to_the_same(home: Boundary, cache: Path, tmp_path: Path) -> None:
    """Path, times and order of files say nothing: the record set and everything folded from it are the same."""
    grow(home, cache)
    copy = tmp_path / "elsewhere" / ".handoff"
    shutil.copytree(home.root, copy)
    for path in copy.rglob("*.md"):
        os.utime(path, (0, 0))

    with Fold(home, cache) as here, Fold(boundary.load(copy), None) as there:
        assert here.record_set() == there.record_set()
        assert state.write(home, here).changed
        assert state.write(boundary.load(copy), there).changed
    assert (home.root / "STATE.md").read_bytes() == (copy / "STATE.md").read_bytes()


def test_a_trusting_fold_sees_every_file_that_comes_goes_or_is_replaced(home: Boundary, cache: Path, tmp_path: Path) -> None:
    """It looks at the folder alone; what git adds, removes or checks out changes that."""
    grow(home, cache)
    names = sorted(path.name for path in home.sessions.glob("*.md"))
    moved = Path(shutil.move(home.sessions / names[0], tmp_path / "aside"))

    with Fold(home, cache, trusting=True) as fold:
        assert 2 == fold.generation()
    shutil.copy(moved, home.sessions / names[0])
    with Fold(home, cache, trusting=True) as fold:
        assert 3 == fold.generation()
    (tmp_path / "torn").write_bytes(moved.read_bytes()[:300])
    (tmp_path / "torn").replace(home.sessions / names[0])
    with Fold(home, cache, trusting=True) as fold:
        assert 1 == len([problem for problem in fold.problems() if problem.file.endswith(names[0])])


def test_what_a_trusting_fold_overlooks_the_next_reader_finds(home: Boundary, cache: Path) -> None:
    """A record written over in place leaves the folder as it was: a writer goes on, a reader names the file."""
    grow(home, cache)
    path = min(home.sessions.glob("*.md"))
    path.write_bytes(path.read_bytes()[:300])

    with Fold(home, cache, trusting=True) as fold:
        assert () == fold.problems()
    append(home, cache, 4, title="meanwhile")
    with Fold(home, cache) as fold:
        assert f"sessions/{path.name}" in [problem.file for problem in fold.problems()]


def test_the_archive_is_written_again_where_somebody_touched_it(home: Boundary, cache: Path) -> None:
    """Nothing changed, nothing is written; a file that was edited or deleted comes back."""
    grow(home, cache)
    with Fold(home, cache) as fold:
        assert ("decisions.md", "threads.md") == archive.write(home, fold)
        assert () == archive.write(home, fold)
    with (home.root / "archive" / "threads.md").open("a") as file:
        file.write("more")
    (home.root / "archive" / "decisions.md").unlink()
    with Fold(home, cache) as fold:
        assert ("decisions.md", "threads.md") == archive.write(home, fold)


def test_the_archive_tells_each_step_in_words(home: Boundary, cache: Path) -> None:
    """What replaced a decision later, and was retired itself, says so the same from the cache and from the files."""
    old = append(home, cache, 1, decisions=(Decision(title="Cookies"),)).decisions[0].id
    new = append(home, cache, 2, decisions=(Decision(title="Redis"),)).decisions[0].id
    append(home, cache, 3, "act:1", updates=(Update(id=new, changes={"supersedes": (old,), "alternatives": ("a", "b")}),))
    append(home, cache, 4, "act:2", retired=(Retirement(id=new, reason="no need"),))

    with Fold(home, cache) as grown, Fold(home, None) as anew:
        said = [archive.dumps("decision", fold.archived("decision"), fold) for fold in (grown, anew)]
    assert said[0] == said[1]
    assert f"- then: supersedes {old}, alternatives a, b in S-3-" in said[0]


def test_a_damaged_record_costs_itself(home: Boundary, cache: Path) -> None:
    """It is named with file and line, the others stand, and its number is not given again."""
    records = grow(home, cache)
    victim = next(path for path in home.sessions.glob("*.md") if records[2].id in path.name)
    victim.write_bytes(victim.read_bytes()[:-40])

    with Fold(home, cache) as fold:
        problems = fold.problems()

        assert [("truncated", f"sessions/{victim.name}")] == [(problem.code, problem.file) for problem in problems]
        assert (2, 3) == (fold.generation(), fold.highest()["S"])
        assert ["Redis"] == [item.title for item in fold.live("decision")]


def test_a_change_in_place_is_seen(home: Boundary, cache: Path) -> None:
    """The same size and the same modification time do not hide an edit."""
    records = grow(home, cache)
    victim = next(path for path in home.sessions.glob("*.md") if records[0].id in path.name)
    times = victim.stat()
    victim.write_bytes(victim.read_bytes().replace(b"Cookies", b"cOOKIES"))
    os.utime(victim, ns=(times.st_atime_ns, times.st_mtime_ns))

    with Fold(home, cache) as fold:
        assert ["edited"] == [problem.code for problem in fold.problems() if problem.code != "unknown-id"]


@pytest.mark.parametrize("damage", [b"", b"not a database, but long enough to look at" * 100], ids=["empty", "rubbish"])
def test_a_damaged_cache_is_made_anew(home: Boundary, cache: Path, damage: bytes) -> None:
    """B67: losing the cache costs time and nothing else."""
    grow(home, cache)
    for path in cache.iterdir():
        path.write_bytes(damage)

    with Fold(home, cache) as fold:
        assert 3 == fold.generation()


def test_short_forms(home: Boundary, cache: Path) -> None:
    """A short ID serves while one item answers to it; two candidates are named, and none is said."""
    records = grow(home, cache)
    twin = SessionRecord(source="note:other", project="p", recorded="2026-11-01T00:09:00Z", decisions=(Decision(title="Other"),))
    numbered = session.numbered(CleanRecord(twin), {"S": 8})
    sessions.append(home, numbered)

    with Fold(home, cache) as fold:
        assert records[1].decisions[0].id == fold.resolve("d-2")
        assert records[0].id == fold.resolve("S-1")
        with pytest.raises(Ambiguous, match=f"{records[0].decisions[0].id} or|or {records[0].decisions[0].id}"):
            fold.resolve("D-1")
        with pytest.raises(NotFound):
            fold.resolve("D-7")


def test_copies_of_a_sync_tool_are_no_records(home: Boundary, cache: Path) -> None:
    """What is not named as a record is never read as one, and is reported."""
    grow(home, cache)
    name = next(home.sessions.glob("*.md")).name
    strange = [
        name.replace(".md", ".sync-conflict-20261101-000000-ABCDEFG.md"),
        f"{name}.orig",
        f".#{name}",
        f"{name}~",
        "README.md",
    ]
    for one in strange:
        (home.sessions / one).write_text("x")

    with Fold(home, cache) as fold:
        assert 3 == fold.generation()
    assert sorted(strange) == [one.name for one in sessions.strangers(home)]
