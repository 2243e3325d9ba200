"""Texts on which others hang: every page is drawn in time, and small enough to be opened."""

import runpy
import time
from dataclasses import replace
from pathlib import Path

import pytest

from handoffsite.search.documents import documents
from handoffsite.site import build as site
from handoffsite.site import pages
from handoffsite.site.limits import MAX_PAGE
from tests.site import tasking
from tests.site.bombs import BOMBS
from tests.site.everything import planted
from tests.site.stories import many_sessions, snapshot_of

SHARED = Path(__file__).parents[3] / "shared" / "tools" / "markdown_bombs.py"
SECONDS = 2.0
SECONDS_OF_ALL = 60.0


def theirs() -> dict[str, str]:
    """The shared list of such texts; empty where it is not beside the checkout."""
    return dict(runpy.run_path(str(SHARED))["BOMBS"]) if SHARED.is_file() else {}


@pytest.mark.gate
@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in {**theirs(), **BOMBS}.items()])
def test_no_text_makes_a_page_slow_or_large(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every place of every page at once: each is drawn within two seconds of the processor, and smaller than a megabyte."""
    spent: dict[str, float] = {}
    draw = site._Site.render  # noqa: SLF001 -- a page is the unit that may cost so much, and this draws one

    def timed(self: site._Site, page: pages.Page, found: site._Links) -> bytes:
        started = time.process_time()
        drawn = draw(self, page, found)
        spent[page.path] = time.process_time() - started
        return drawn

    monkeypatch.setattr(site._Site, "render", timed)  # noqa: SLF001 -- as above
    snapshot = planted([text, text], str)
    site.build(snapshot, tmp_path / "atlas", documents=documents(snapshot), tasks=tasking.planted([text], str))
    sizes = {path: (tmp_path / "atlas" / path).stat().st_size for path in spent}

    assert len(spent) > 20
    assert {} == {path: seconds for path, seconds in spent.items() if seconds > SECONDS}
    assert {} == {path: size for path, size in sizes.items() if size > MAX_PAGE}


@pytest.mark.long
def test_a_thousand_records_and_all_these_texts_are_built_in_a_minute(tmp_path: Path) -> None:
    """With the index of the search page; each text is a note of its own, in its narrative, a decision and a thread."""
    bombs = {**theirs(), **BOMBS}
    hostile = planted(bombs.values(), str).records
    ordinary = [replace(one, project="atlas") for one in many_sessions(1_000).records]
    snapshot = snapshot_of([*ordinary, *hostile])
    started = time.process_time()
    built = site.build(snapshot, tmp_path / "atlas", documents=documents(snapshot))
    spent = time.process_time() - started

    assert built.pages > 9_000
    assert spent < SECONDS_OF_ALL
