"""The Whoosh engine: what an update costs, and what an import does."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from handoffsite.search import whoosh_files, whoosh_index
from handoffsite.search.documents import Document
from handoffsite.search.query import Index
from handoffsite.search.syntax import parse

Many = Callable[..., list[Document]]


def found(files: whoosh_files.Files, query: str) -> list[str]:
    """The IDs of the documents in *files* that hold all words of *query*."""
    candidates = whoosh_index.WhooshIndex(files).find(parse(query), 1).candidates
    return sorted(candidate.id for candidate in candidates if None not in candidate.matches)


def test_an_update_touches_what_changed(many: Many) -> None:
    """A new, a changed and a deleted document among 100 leave the files of the others as they are."""
    documents = many(100)
    before = whoosh_index.updated({}, documents)
    changed = replace(documents[0], title="moonlight")
    new = replace(documents[1], id="D-999-k3f", body="moonlight")
    after = whoosh_index.updated(before.files, [changed, new, *documents[2:]])
    large = max(before.files, key=lambda name: len(before.files[name]))

    assert (100, 0, 100) == (before.added, before.removed, before.total)
    assert (2, 2, 100) == (after.added, after.removed, after.total)
    assert before.files[large] is after.files[large]
    assert [documents[0].id, "D-999-k3f"] == found(after.files, "moonlight")


def test_nothing_changed(many: Many) -> None:
    """The index is the same object: there is nothing to store."""
    documents = many(20)
    before = whoosh_index.updated({}, documents)
    after = whoosh_index.updated(before.files, documents)

    assert before.files is after.files
    assert (0, 0, 20) == (after.added, after.removed, after.total)


def test_few_segments_after_many_updates(document: Callable[..., Document]) -> None:
    """Sixty updates leave about as many segments as sixty has binary digits, and no document twice."""
    files: whoosh_files.Files = {}
    documents = []
    for number in range(1, 61):
        documents.append(document(f"D-{number}-k3f", title="moonlight"))
        files = whoosh_index.updated(files, documents).files
    segments = {name.partition(".")[0] for name in files if name.startswith("MAIN_")}

    assert 60 == len(found(files, "moonlight"))
    assert len(segments) <= 7


def test_emptied(many: Many) -> None:
    """An index from which everything was removed answers, and takes documents again."""
    documents = many(5)
    files = whoosh_index.updated({}, documents).files
    empty = whoosh_index.updated(files, [])
    again = whoosh_index.updated(empty.files, documents)

    assert (0, 5, 0) == (empty.added, empty.removed, empty.total)
    assert [] == found(empty.files, "kind:decision")
    assert (5, 0, 5) == (again.added, again.removed, again.total)


def test_another_format_is_made_anew(many: Many) -> None:
    """What another release wrote is not opened, not even to see what has changed."""
    documents = many(5)
    files = {"facts.json": b'{"format": "0", "documents": 0, "positions": 0}', "_MAIN_1.toc": b"unreadable"}
    made = whoosh_index.updated(files, documents)

    assert not whoosh_index.is_ours(files)
    assert (5, 0, 5) == (made.added, made.removed, made.total)


@pytest.mark.parametrize("text", ["\ud800", "a\x1fb\x1fc", "\0", "x" * 100_000, "word " * 70_000, "検" * 1_000, "é" * 1_000])
def test_hostile_text(document: Callable[..., Document], text: str) -> None:
    """A document comes back as it went in, whatever is in it."""
    hostile = document(title=text, body=f"{text} moonlight", topic=text)
    files = whoosh_index.updated({}, [hostile]).files
    index = whoosh_index.WhooshIndex(files)
    candidates = index.find(parse("moonlight"), 1).candidates

    assert [hostile] == [index.document(candidate.place) for candidate in candidates]
    assert 0 == whoosh_index.updated(files, [hostile]).added


def test_whoosh_leaves_nothing_on_disk(many: Many, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoosh's temporary files have a name that anybody could have taken; ours never exist."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    files = whoosh_index.updated({}, many(20)).files
    whoosh_index.updated(files, many(21))

    assert [] == list(tmp_path.iterdir())


def test_import() -> None:
    """Loading Whoosh warns of nothing, leaves no stand-in behind, and does not load what it has no use for."""
    code = (
        "import sys; import handoffsite.search.whoosh_index; "
        "assert 'asyncio' not in sys.modules and 'cached_property' not in sys.modules; "
        "assert 'urllib.request' not in sys.modules; "
        "import urllib.request, cached_property; assert urllib.request.urlretrieve and cached_property.__file__"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)


def test_import_beside_other_threads() -> None:
    """Where another thread could see a stand-in, there is none."""
    code = (
        "import threading, sys; event = threading.Event(); threading.Thread(target=event.wait).start(); "
        "import handoffsite.search.whoosh_index; event.set(); assert sys.modules['urllib.request'].urlretrieve"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize("megabytes", [0.002, 0.05])
def test_postings_that_are_sorted_in_parts(many: Many, monkeypatch: pytest.MonkeyPatch, megabytes: float) -> None:
    """Where there are too many to be sorted at once, as in a large project, the index is the same, when it is made and when it grows."""
    documents = many(150)
    expected = dict(whoosh_index.updated({}, documents[:100]).files)
    grown = whoosh_index.WhooshIndex(whoosh_index.updated(expected, documents).files)
    monkeypatch.setattr(whoosh_index, "POOL", megabytes)
    parts = whoosh_index.WhooshIndex(whoosh_index.updated(whoosh_index.updated({}, documents[:100]).files, documents).files)

    for query in ("req", "quest toqu", '"reken inken"', "getUserById", "kind:decision"):
        assert Index(None, engine=grown).search(query, limit=200) == Index(None, engine=parts).search(query, limit=200)
