"""A project's index as commands use it: right whatever happens to its cache, and never a door for anybody's code."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from whoosh.filedb.structfile import StructFile

from handoffsite.errors import Conflict, Refused, UsageError
from handoffsite.records.snapshot import Snapshot
from handoffsite.search import whoosh_files, whoosh_index
from handoffsite.search.cache import Cache
from handoffsite.search.current import fits, stamped
from handoffsite.search.engine import Update
from handoffsite.search.query import Hit, Index

NewSnapshot = Callable[..., Snapshot]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a project's index goes."""
    (tmp_path / "cache").mkdir(mode=0o700)
    return tmp_path / "cache" / "index"


def titles(index: Index, query: str) -> list[str]:
    """What *index* finds."""
    return [hit.title for hit in index.search(query).hits]


def test_made_kept_and_asked(folder: Path, snapshot: NewSnapshot) -> None:
    """What one process wrote, the next one finds."""
    told = snapshot("Sessions in Redis", "Postgres for the rest")
    updated = Index(folder).update(told)
    index = Index(folder)
    expected = Hit(
        id="D-1-k3f",
        kind="decision",
        title="Sessions in Redis",
        status="accepted",
        date="2026-11-30T18:00:00Z",
        url="decisions/D-1-k3f.html",
        score=index.search("redis").hits[0].score,
        snippet="Sessions in Redis",
        marks=((12, 17),),
    )

    assert Update(added=3, removed=0, total=3) == updated
    assert expected == index.search("redis").hits[0]
    assert (2, False) == (index.search("redis").total, index.search("redis").stale)


def test_an_update_makes_no_ghosts(folder: Path, snapshot: NewSnapshot) -> None:
    """What is gone is not found, what changed is found as it is now, and nothing twice."""
    others = ("Tabs", "Long lines", "Short names")
    Index(folder).update(snapshot("Sessions in Redis", *others, "Postgres for the rest", "Cookies"))
    updated = Index(folder).update(snapshot("Sessions in Redis", *others, "SQLite for the rest"))
    index = Index(folder)

    # The session holds the titles of what it decided, so it changed as well.
    assert Update(added=2, removed=3, total=6) == updated
    assert ["Sessions in Redis", "First"] == titles(index, "redis")
    assert [] == titles(index, "postgres")
    assert [] == titles(index, "cookies")


def test_the_stamp(folder: Path, snapshot: NewSnapshot) -> None:
    """It says what the index was built from, and fits nothing else."""
    told = snapshot("Redis")
    before = Index(folder).stamp()
    Index(folder).update(told)
    after = Index(folder).stamp()

    assert ("", stamped(told.record_set)) == (before, after)
    assert [True, False, False] == [fits(after, told.record_set), fits(after, "other"), fits(before, "")]


def test_stale(folder: Path, snapshot: NewSnapshot) -> None:
    """Who says which records there are now is told whether the answer knows them."""
    told = snapshot("Redis")
    Index(folder).update(told)

    assert [False, True] == [Index(folder).search("redis", record_set=one).stale for one in (told.record_set, "other")]


def test_all_words_first_then_some(folder: Path, snapshot: NewSnapshot) -> None:
    """Where enough documents hold all words, the others do not count; else they follow."""
    Index(folder).update(snapshot("Redis cluster", "Redis cluster two", "Redis alone"))
    index = Index(folder)
    few, many = index.search("redis cluster", limit=2), index.search("redis cluster", limit=10)

    assert (3, {"Redis cluster", "Redis cluster two"}) == (few.total, {hit.title for hit in few.hits})
    assert (4, "Redis alone") == (many.total, many.hits[-1].title)


def test_filters(folder: Path, snapshot: NewSnapshot) -> None:
    """They narrow what is found, and alone they list."""
    Index(folder).update(snapshot("Redis", "Postgres"))
    index = Index(folder)

    assert ["First"] == titles(index, "redis kind:session")
    assert ["Redis", "Postgres"] == titles(index, "kind:decision status:accepted since:2026-11-30")
    assert [] == titles(index, "redis since:2026-12")
    assert 2 == index.search("", kinds=["decision"]).total


@pytest.mark.parametrize("query", ["*", '"""', "- -- ...", "\u200b"])
def test_signs_alone_find_nothing(folder: Path, snapshot: NewSnapshot, query: str) -> None:
    """They are neither an error nor everything."""
    Index(folder).update(snapshot("Redis"))

    assert 0 == Index(folder).search(query).total


def test_a_limit_of_nothing() -> None:
    """It is refused, not obeyed."""
    with pytest.raises(UsageError, match="a limit of 0 leaves nothing"):
        Index(None).search("redis", limit=0)


def test_without_an_index(folder: Path) -> None:
    """Who asks before anything was built is told what to do."""
    with pytest.raises(Refused, match="there is no index") as caught:
        Index(folder).search("redis")

    assert "run `handoffsite build`" == caught.value.hint


def test_in_memory(folder: Path, snapshot: NewSnapshot) -> None:
    """Without a cache the answers are the same."""
    told = snapshot("Sessions in Redis", "Redis cluster", "Postgres for redis users", "Cookies")
    Index(folder).update(told)
    kept, memory = Index(folder), Index.in_memory(told)

    assert kept.search("redis") == memory.search("redis")
    assert stamped(told.record_set) == memory.stamp()
    assert Update(added=2, removed=0, total=2) == memory.update(snapshot("Moonlight"))
    assert ["Moonlight", "First"] == titles(memory, "moonlight")


def test_ready_asks_for_the_records_only_when_it_must(folder: Path, snapshot: NewSnapshot) -> None:
    """An index that fits is opened; one that does not is brought up to date; where there can be none, it is made for the call."""
    asked: list[Snapshot] = []

    def give(told: Snapshot) -> Callable[[], Snapshot]:
        def give_it() -> Snapshot:
            asked.append(told)
            return told

        return give_it

    first, second = snapshot("Redis"), snapshot("Redis", "Postgres")
    found = [
        (len(titles(Index.ready(where, told.record_set, give(told)), "postgres")), len(asked))
        for where, told in ((folder, first), (folder, first), (folder, second), (folder, second), (None, second))
    ]

    assert [(0, 1), (0, 1), (2, 2), (2, 2), (2, 3)] == found
    assert "no private cache can be kept here" == Index.ready(None, second.record_set, give(second)).note


def test_ready_does_not_wait_for_others(folder: Path, snapshot: NewSnapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody else writes, the answer comes from memory, and says so."""
    monkeypatch.setattr("handoffsite.search.query.PATIENCE", 0.01)
    told = snapshot("Redis")
    with Cache(folder).writing(1):
        index = Index.ready(folder, told.record_set, lambda: told)
        with pytest.raises(Conflict):
            Index(folder).update(told, timeout=0.01)

    assert (["Redis", "First"], True) == (titles(index, "redis"), "locked by another process" in index.note)


# A hostile index


class Payload:
    """What a pickle runs when it is read: it makes the folder *flag*."""

    def __init__(self, flag: Path) -> None:
        self.flag = flag

    def __reduce__(self) -> tuple[Any, ...]:
        return os.makedirs, (str(self.flag), 0o700, True)


def hostile(flag: Path, files: whoosh_files.Files) -> dict[str, bytes]:
    """*files* with a table of contents that makes *flag* when it is opened."""
    name = next(name for name in files if name.endswith(".toc"))
    made: list[bytes] = []
    stream = StructFile(BytesIO(), onclose=lambda file: made.append(file.file.getvalue()))
    for size in (4, 8, 4):
        stream.write_varint(size)
    stream.write_int(-12345)
    stream.write_int(-111)
    for number in (2, 7, 5):
        stream.write_varint(number)
    stream.write_string(pickle.dumps(Payload(flag), 2))
    stream.write_int(int(name.removesuffix(".toc").rpartition("_")[2]))
    stream.write_int(0)
    stream.write_pickle(Payload(flag))
    stream.close()
    return {**files, name: made[0]}


@pytest.fixture
def planted(tmp_path: Path, snapshot: NewSnapshot) -> tuple[Path, Path]:
    """A cache that somebody else made, sealed with a key of theirs, with a hostile index in it; and the flag that it raises."""
    theirs, flag = tmp_path / "theirs" / "index", tmp_path / "flag"
    (tmp_path / "theirs").mkdir(mode=0o700)
    told = snapshot("Redis")
    Index(theirs).update(told)
    cache = Cache(theirs)
    sealed = cache.load()
    assert sealed
    with cache.writing(1):
        cache.store(sealed.seal.stamp, hostile(flag, sealed.files), None)
    return theirs, flag


def test_the_hostile_index_is_hostile(planted: tuple[Path, Path]) -> None:
    """Whoever opens it runs what is in it: only what does not open it is safe."""
    theirs, flag = planted
    sealed = Cache(theirs).load()
    assert sealed
    with pytest.raises(TypeError):
        whoosh_index.WhooshIndex(sealed.files)

    assert flag.exists()


def in_the_place(theirs: Path, folder: Path) -> None:
    """In the place of ours, before we were ever there."""
    shutil.copytree(theirs, folder)


def with_its_key(theirs: Path, folder: Path) -> None:
    """The same, key included."""
    shutil.rmtree(folder.parent)
    shutil.copytree(theirs.parent, folder.parent)


def as_a_link(theirs: Path, folder: Path) -> None:
    """As a link."""
    folder.symlink_to(theirs)


def in_its_stead(theirs: Path, folder: Path) -> None:
    """Instead of ours, which had been there."""
    shutil.rmtree(folder)
    shutil.copytree(theirs, folder)


def under_our_seal(theirs: Path, folder: Path) -> None:
    """Their files beside ours, and over the first bytes of ours."""
    small = min(theirs.glob("*.part"), key=lambda path: path.stat().st_size)
    for path in folder.glob("*.part"):
        path.write_bytes(small.read_bytes())
    for path in theirs.glob("*.part"):
        shutil.copy(path, folder)


def with_their_seal(theirs: Path, folder: Path) -> None:
    """Their files and their seal, beside our key."""
    under_our_seal(theirs, folder)
    shutil.copy(theirs / "seal.json", folder)


def as_whooshs_own(theirs: Path, folder: Path) -> None:
    """As Whoosh itself lays its files out."""
    sealed = Cache(theirs).load()
    assert sealed
    for name, data in sealed.files.items():
        (folder / name).write_bytes(data)


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize(
    "plant", [in_the_place, with_its_key, as_a_link, in_its_stead, under_our_seal, with_their_seal, as_whooshs_own]
)
def test_a_hostile_index_is_never_opened(
    plant: Callable[[Path, Path], None], before: bool, planted: tuple[Path, Path], folder: Path, snapshot: NewSnapshot
) -> None:
    """Wherever it is planted, whether or not there was one of ours, its code does not run, and the answer is right."""
    theirs, flag = planted
    told = snapshot("Redis")
    if before:
        Index(folder).update(told)
    if before and plant in {in_the_place, as_a_link}:
        shutil.rmtree(folder)
    if not before and plant in {in_its_stead, under_our_seal, with_their_seal, as_whooshs_own}:
        folder.mkdir(mode=0o700)
    plant(theirs, folder)
    found = [titles(Index.ready(folder, one.record_set, lambda one=one: one), "redis") for one in (told, snapshot("Redis"), told)]  # type: ignore[misc]

    assert [["Redis", "First"]] * 3 == found
    assert not flag.exists()


# Several processes

WRITER = """
import sys
from pathlib import Path
from handoffsite.records.decision import Decision
from handoffsite.records.item import Item
from handoffsite.records.project import Project
from handoffsite.records.snapshot import Snapshot
from handoffsite.search.query import Index

folder, name, rounds, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for turn in range(rounds):
    decisions = tuple(Decision(id=f"D-{number}-k3f", title=f"turn{turn} of {name}") for number in range(1, count + 1))
    at = "2026-11-30T18:00:00Z"
    items = {one.id: Item(value=one, session="S-1-k3f", defined=at, touched=at) for one in decisions}
    project = Project(id="p", name="atlas")
    Index(folder).update(
        Snapshot(project=project, records=(), items=items, aliases={}, record_set=f"{name}{turn}", files={})
    )
    print(turn, flush=True)
"""


def writer(folder: Path, name: str, rounds: int, count: int) -> subprocess.Popen[str]:
    """Another process that updates the index in *folder* again and again."""
    words = [sys.executable, "-c", WRITER, str(folder), name, str(rounds), str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check(folder: Path, count: int) -> str:
    """A reader's view: either nothing yet, or all of exactly one turn."""
    index = Index(folder)
    stamp = index.opened()
    if stamp:
        hits = index.search("kind:decision", limit=count + 1).hits
        names = {hit.title for hit in hits}

        assert (count, 1) == (len(hits), len(names))
        turn, _, name = names.pop().partition(" of ")
        assert stamp == stamped(f"{name}{turn.removeprefix('turn')}")
    return stamp


def test_two_writers_and_a_reader(folder: Path) -> None:
    """Nobody meets an error or half of an update; the last word of one of the writers stands."""
    writers = [writer(folder, name, 25, 20) for name in ("one", "two")]
    seen = set()
    while any(process.poll() is None for process in writers):
        seen.add(check(folder, 20))
        time.sleep(0.01)
    done = [process.communicate()[1] for process in writers]

    assert ["", ""] == done
    assert [0, 0] == [process.returncode for process in writers]
    assert check(folder, 20) in {stamped("one24"), stamped("two24")}
    assert len(seen) > 2


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.02, 0.04])
def test_a_killed_writer(folder: Path, delay: float, snapshot: NewSnapshot) -> None:
    """However a writer dies, the index is the one before or the one after, and the next writer is not held up."""
    process = writer(folder, "one", 1000, 60)
    assert process.stdout
    process.stdout.readline()
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    stamp = check(folder, 60)
    told = replace(snapshot("Redis"), record_set="new")
    Index(folder).update(told, timeout=0.5)

    assert stamp.startswith("one")
    assert ["Redis", "First"] == titles(Index(folder), "redis")
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]
