"""What another engine would save is measured on the project's own documents."""

import itertools
from collections.abc import Callable
from pathlib import Path

from handoffsite.search import saving
from handoffsite.search.documents import Document


def test_both_engines_are_measured_and_reckoned_up(many: Callable[..., list[Document]]) -> None:
    """From one document in so many: the time by the clock that is given, the size by what each engine wrote."""
    clock = itertools.chain([0.0, 3.0, 4.0])
    whoosh, fts5 = saving.compared(many(2_000), lambda: next(clock))
    twice = saving.compared(many(4_000), lambda: 0.0)

    assert (12.0, 4.0) == (whoosh.seconds, fts5.seconds)
    assert all(100_000 < one.size < 10_000_000 for one in (whoosh, fts5))
    assert 1.5 < twice[0].size / whoosh.size < 2.5


def test_few_documents_are_measured_whole(many: Callable[..., list[Document]]) -> None:
    """And none at all cost nothing but the files themselves."""
    whoosh, fts5 = saving.compared(many(3), lambda: 0.0)
    nothing = saving.compared([], lambda: 0.0)

    assert 0 < whoosh.size < 100_000
    assert 0 < fts5.size < 200_000
    assert 0 == nothing[0].seconds


def test_it_is_told_once(tmp_path: Path) -> None:
    """A mark in the project's cache says so."""
    (tmp_path / "cache").mkdir(mode=0o700)
    before = saving.is_told(tmp_path / "cache")
    saving.note_told(tmp_path / "cache")

    assert (False, True) == (before, saving.is_told(tmp_path / "cache"))
