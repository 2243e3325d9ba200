"""A fold that stays open answers as one that was just opened, whatever happens to the boundary between its uses."""

import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from handoffsite import durable
from handoffsite.errors import NotFound
from handoffsite.records import session
from handoffsite.records.decision import Decision
from handoffsite.records.project import Project
from handoffsite.records.redaction import CleanRecord
from handoffsite.records.session import SessionRecord
from handoffsite.store import boundary, sessions, state
from handoffsite.store.boundary import Boundary
from handoffsite.store.kept import KeptFold
from handoffsite.store.snapshot import Fold


@pytest.fixture
def home(tmp_path: Path) -> Boundary:
    made, _ = boundary.create(tmp_path / "p" / ".handoff", Project(id="0123456789ab", name="p"))
    return made


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return durable.private_folder(tmp_path / "cache")


def append(home: Boundary, cache: Path | None, minute: int) -> None:
    """Another process records a decision."""
    record = SessionRecord(
        source=f"note:{minute}",
        project="p",
        recorded=f"2026-11-01T{minute // 60:02}:{minute % 60:02}:00Z",
        decisions=(Decision(title=f"Way {minute}"),),
    )
    with Fold(home, cache) as fold:
        numbered = session.numbered(CleanRecord(record), fold.highest())
        name, data = sessions.append(home, numbered)
        fold.extend(numbered, name, data)


class Boundaries:
    """What others may do to a boundary, each drawn at random; *minute* is their clock."""

    def __init__(self, home: Boundary, cache: Path | None, seed: int) -> None:
        self.home, self.cache, self.chance, self.minute = home, cache, random.Random(seed), 0  # noqa: S311 -- the same every time
        self.away = home.root.parent / "away"
        self.away.mkdir()

    def files(self) -> list[Path]:
        return sorted(file for file in self.home.sessions.glob("*.md") if file.is_file())

    def record(self) -> None:
        self.minute += 1
        append(self.home, self.cache, self.minute)

    def record_without_the_cache(self) -> None:
        self.minute += 1
        append(self.home, None, self.minute)

    def damage_in_place(self) -> None:
        for file in self.chance.sample(self.files(), min(1, len(self.files()))):
            with file.open("r+b") as opened:
                opened.truncate(self.chance.randrange(file.stat().st_size + 1))

    def take_away(self) -> None:
        for file in self.chance.sample(self.files(), min(1, len(self.files()))):
            file.rename(self.away / file.name)

    def bring_back(self) -> None:
        for file in sorted(self.away.iterdir()):
            file.rename(self.home.sessions / file.name)

    def lay_something_else_there(self) -> None:
        (self.home.sessions / "notes.txt").write_text(str(self.minute))
        (self.home.sessions / "2026-11-01-S-77-abc-a-folder.md").mkdir(exist_ok=True)

    def delete_the_cache(self) -> None:
        for file in self.cache.iterdir() if self.cache else ():
            file.unlink()

    def only_look(self) -> None:
        with Fold(self.home, self.cache):
            pass


DEEDS: tuple[Callable[[Boundaries], None], ...] = tuple(
    deed for name, deed in vars(Boundaries).items() if callable(deed) and not name.startswith("_") and name != "files"
)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("is_cached", [True, False])
def test_it_says_what_a_new_one_says(home: Boundary, cache: Path, seed: int, is_cached: bool) -> None:
    """Records that come, go, are cut in place or come back, other processes that write, a cache that is deleted: all of it is seen."""
    others = Boundaries(home, cache if is_cached else None, seed)
    kept = KeptFold()
    for _ in range(25):
        others.chance.choice(DEEDS)(others)
        with kept.of(home, others.cache) as fold, Fold(home, None) as anew:
            assert anew.snapshot() == fold.snapshot()
            assert anew.record_set() == fold.record_set()
            assert state.gather(home, anew) == state.gather(home, fold)
            assert not is_cached or (cache / "fold.sqlite").is_file()
            assert state.text_of(state.gather(home, anew), anew) == state.text_of(state.gather(home, fold), fold)


def test_what_is_made_of_it_is_made_once(home: Boundary, cache: Path) -> None:
    """As long as nothing changes: after a record, and after one that was damaged in place, it is made again."""
    kept, made = KeptFold(), []

    def titles() -> list[str]:
        def make() -> list[str]:
            made.append(0)
            return [item.title for item in fold.live("decision")]

        with kept.of(home, cache) as fold:
            return fold.made("titles", make)

    append(home, cache, 1)
    first, again = titles(), titles()
    append(home, cache, 2)
    second = titles()
    file = min(home.sessions.glob("*.md"))
    file.write_bytes(file.read_bytes()[:-9])
    third = titles()

    assert [["Way 1"], ["Way 1"], ["Way 1", "Way 2"], ["Way 2"]] == [first, again, second, third]
    assert 3 == len(made)


def test_a_number_is_never_given_twice(home: Boundary, cache: Path) -> None:
    """An old look at the highest number is not written over the one that another process reached since."""
    kept = KeptFold()
    for minute in range(1, 6):
        append(home, cache, minute)
        with kept.of(home, cache) as fold:
            assert minute == fold.highest()["D"]
    with Fold(home, cache) as fold:
        assert 5 == fold.highest()["D"]


def test_a_question_without_an_answer(home: Boundary, cache: Path) -> None:
    """It ends the question, and not the fold; and what is asked inside another question gets a fold of its own."""
    append(home, cache, 1)
    kept = KeptFold()
    with pytest.raises(NotFound), kept.of(home, cache) as fold:
        fold.resolve("D-9")
    with kept.of(home, cache) as again, kept.of(home, cache) as inner:
        assert again is fold
        assert inner is not fold
        assert again.snapshot() == inner.snapshot()


def test_another_boundary_is_another_fold(home: Boundary, cache: Path, tmp_path: Path) -> None:
    """Nothing of the one is known in the other; settings are those of the boundary that is given."""
    append(home, cache, 1)
    other, _ = boundary.create(tmp_path / "q" / ".handoff", Project(id="0123456789ac", name="q"))
    kept = KeptFold()
    with kept.of(home, cache) as fold:
        assert 1 == fold.generation()
    with kept.of(other, durable.private_folder(tmp_path / "other")) as fold:
        assert 0 == fold.generation()
        assert "q" == state.gather(fold.boundary, fold).project
    renamed = replace(home, project=replace(home.project, budget=321))
    with kept.of(renamed, cache) as fold:
        assert 321 == state.gather(fold.boundary, fold).limit


def test_a_damaged_cache_costs_nothing_but_time(home: Boundary, cache: Path) -> None:
    """It is folded anew, in memory, and the next time in a new cache."""
    append(home, cache, 1)
    kept = KeptFold()
    with kept.of(home, cache):
        pass
    for file in cache.iterdir():
        file.write_bytes(b"no database at all" * 100)
    for minute in (2, 3):
        append(home, None, minute)
        with kept.of(home, cache) as fold:
            assert minute == fold.generation()
            assert [f"Way {number}" for number in range(1, minute + 1)] == [item.title for item in fold.live("decision")]
    shutil.rmtree(cache)
    with kept.of(home, cache) as fold:
        assert 3 == fold.generation()


def test_what_another_process_writes_into_the_tables_is_looked_at(home: Boundary, cache: Path) -> None:
    """Also where no record changed with it, as when it entered one that was folded here in the same moment."""
    append(home, cache, 1)
    kept = KeptFold()
    with kept.of(home, cache) as fold:
        expected = fold.record_set()
    base = sqlite3.connect(cache / "fold.sqlite")
    base.execute("UPDATE meta SET value = '00' WHERE name IN ('listing', 'record_set')")
    base.commit()
    base.close()
    with kept.of(home, cache) as fold:
        assert expected == fold.record_set()


def test_threads_take_turns(home: Boundary, cache: Path) -> None:
    """A server runs its commands one at a time, but in whichever thread is free."""
    append(home, cache, 1)
    kept, found = KeptFold(), []

    def look() -> None:
        with kept.of(home, cache) as fold:
            found.append(fold.generation())

    for _ in range(3):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()

    assert [1, 1, 1] == found
