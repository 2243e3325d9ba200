"""What an engine keeps between processes is used only where it is ours, whole, and of the records asked for."""

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from handoffsite import config
from handoffsite.errors import UsageError
from handoffsite.records.snapshot import Snapshot
from handoffsite.search.current import stamped
from handoffsite.search.engine import Update
from handoffsite.search.kept import ENGINES, is_current, kept
from handoffsite.search.query import Index
from handoffsite.search.shared import POSTGRES

NewSnapshot = Callable[..., Snapshot]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cache").mkdir(mode=0o700)
    return tmp_path / "cache" / "index"


@pytest.mark.parametrize("kind", ENGINES)
def test_what_one_process_keeps_the_next_one_finds(folder: Path, snapshot: NewSnapshot, kind: str) -> None:
    """Made once, opened again, brought in line at the cost of what changed."""
    told = snapshot("Sessions in Redis", "Postgres for the rest")

    assert Update(added=3, removed=0, total=3) == Index(folder, kind=kind).update(told)
    assert is_current(folder, told.record_set, kind)
    assert ["Sessions in Redis", "First"] == [hit.title for hit in Index(folder, kind=kind).search("redis").hits]
    assert Update(added=0, removed=0, total=3) == Index(folder, kind=kind).update(told)
    assert 0 < Index(folder, kind=kind).update(snapshot("Sessions in Redis", "Postgres for the rest", "Caddy in front")).added < 5


def test_engines_do_not_stand_in_each_others_way(folder: Path, snapshot: NewSnapshot) -> None:
    """Another engine is one word and one build; going back costs nothing."""
    told = snapshot("Sessions in Redis")
    for kind in ENGINES:
        Index(folder, kind=kind).update(told)

    assert [True] * len(ENGINES) == [is_current(folder, told.record_set, kind) for kind in ENGINES]
    with pytest.raises(UsageError, match="'lucene' is no search engine"):
        kept(folder, "lucene")


def test_settings_name_the_engines_that_there_are(folder: Path) -> None:
    """Each one, and no other; another is an error with file and line."""
    assert (*ENGINES, POSTGRES) == config.ENGINES
    folder.mkdir(parents=True, exist_ok=True)
    (folder / config.FILE).write_text('title = "Atlas"\nengine = "lucene"\n')

    with pytest.raises(UsageError, match="'lucene' is no search engine") as caught:
        config.load(folder)
    assert (str(folder / config.FILE), 2, "known are whoosh, fts5, postgres") == (
        caught.value.file,
        caught.value.line,
        caught.value.hint,
    )


def test_a_file_that_was_brought_here_is_not_used(folder: Path, snapshot: NewSnapshot, tmp_path: Path) -> None:
    """A copy is another file, whatever it says of itself; it is written anew."""
    told = snapshot("Sessions in Redis")
    Index(folder, kind="fts5").update(told)
    file = next(folder.parent.rglob("fts5.sqlite"))
    shutil.copy(file, tmp_path / "copy")
    (tmp_path / "copy").replace(file)

    assert not is_current(folder, told.record_set, "fts5")
    assert kept(folder, "fts5").load() is None
    assert Update(added=2, removed=0, total=2) == Index(folder, kind="fts5").update(told)


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0" + b"\xff" * 5000], ids=["emptied", "overwritten"])
def test_a_damaged_file_is_written_anew(folder: Path, snapshot: NewSnapshot, damage: bytes) -> None:
    """Nobody sees an error: an index can be built again."""
    told = snapshot("Sessions in Redis")
    Index(folder, kind="fts5").update(told)
    file = next(folder.parent.rglob("fts5.sqlite"))
    file.write_bytes(damage)
    index = Index.ready(folder, told.record_set, lambda: told, kind="fts5")

    assert ["Sessions in Redis", "First"] == [hit.title for hit in index.search("redis").hits]
    assert is_current(folder, told.record_set, "fts5")


WRITER = """
import sys
from pathlib import Path
from handoffsite.search import fts5
from handoffsite.search.documents import Document
from handoffsite.search.engine import Content
from handoffsite.search.kept import kept
fields = dict(kind="decision", status="accepted", live=True, date="2026-11-30", topic="", session="S-1-k3f", url="x.html")
made = [Document(id=f"D-{n}-k3f", title=f"word{n} of many", body="text " * 40, names=(f"D-{n}-k3f",), **fields) for n in range(4000)]
print("ready", flush=True)
kept(Path(sys.argv[1]), "fts5").update(Content(documents=made, stamp=sys.argv[2]), 5)
"""


@pytest.mark.parametrize("delay", [0.02, 0.1, 0.3])
def test_a_killed_writer_leaves_the_old_index_or_none(folder: Path, snapshot: NewSnapshot, delay: float) -> None:
    """A reader then, and a writer after it, see no error and no half of anything."""
    told = snapshot("Sessions in Redis")
    Index(folder, kind="fts5").update(told)
    with subprocess.Popen([sys.executable, "-c", WRITER, str(folder), stamped("other")], stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        writer.stdout.readline()
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)

    index = Index.ready(folder, told.record_set, lambda: told, kind="fts5")
    assert ["Sessions in Redis", "First"] == [hit.title for hit in index.search("redis").hits]
    assert is_current(folder, told.record_set, "fts5")
