"""The tasks of a project: a board by state, and a page for each that keeps what moved it apart from who was told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import pages, tasks
from handoffsite.site.build import build
from tests.site.tasking import made


def test_a_page_tells_the_whole_story(snapshot: Snapshot, tmp_path: Path) -> None:
    """What moved it, with commits and tests; who answered for it; who was told, and that it did not arrive."""
    build(snapshot, tmp_path / "atlas", tasks=[made()])
    page = (tmp_path / "atlas" / "tasks" / "task-report-timeout-17.html").read_text()

    for text in (
        "git://backend@91f8c2a",
        "ci://run-771",
        "retest by <bdi>frontend-agent",
        "A lock wait",
        "<bdi>request_id</bdi>: <bdi>req-8842</bdi>",
        "test_run",
    ):
        assert text in page
    assert page.index("What moved it") < page.index("Who was told") < page.index("gone")
    assert 2 == page.count('class="turn"')
    assert "Active, for the receiver alone." in page
    assert "report-timeout-17" in (tmp_path / "atlas" / "tasks" / "index.html").read_text()
    assert '"id":"report-timeout-17"' in (tmp_path / "atlas" / "tasks.json").read_text()


def test_a_new_record_is_no_part_of_a_task(records: list[SessionRecord], fold: Callable[..., Snapshot], tmp_path: Path) -> None:
    """Its page names the task itself as what it was made of, so a build that writes only what changed gives what a whole one does."""
    for target in ("grown", "whole"):
        for some in [records[:-1], records] if target == "grown" else [records]:
            build(fold(some), tmp_path / target, tasks=[made()])
    pages = [(tmp_path / target / "tasks/task-report-timeout-17.html").read_text() for target in ("grown", "whole")]

    assert pages[0] == pages[1]
    assert "Newest record on this page: report-timeout-17" in pages[0]


def test_the_board_is_by_state(snapshot: Snapshot) -> None:
    """In the order of the lifecycle, the newest first in each."""
    given = [made("a", "CLOSED"), made("b", "OPEN"), made("c", "NEEDS_INFO"), made("d", "OPEN")]
    listing = tasks.listing(given)
    view = listing.view(listing.parts()[0], "../")

    assert [("Open", ["d", "b"]), ("Closed", ["a"])] == [
        (group["name"], [str(row["id"]) for row in group["rows"]]) for group in view["groups"] if group["name"] != "Needs info"
    ]
    assert "tasks/index.html" in [page.path for page in pages.plan(snapshot)]


def test_names_that_only_case_tells_apart_have_pages_of_their_own(snapshot: Snapshot, tmp_path: Path) -> None:
    """Also where the file system tells no case, and where a name is that of the list."""
    given = [made("A"), made("a"), made("index"), made("page-2")]
    build(snapshot, tmp_path / "atlas", tasks=given)
    found = [path.name.lower() for path in (tmp_path / "atlas" / "tasks").iterdir()]

    assert 5 == len(found) == len(set(found))


def test_hostile_text_stays_text(snapshot: Snapshot, tmp_path: Path, faults: Callable[[str], list[str]]) -> None:
    """In each slot of a task."""
    text = "</title><script>alert(1)</script><img src=x onerror=alert(2)> javascript:alert(3) \u202egnp.exe"
    one = made(title=text)
    one["packet"].update(known_facts=[text, {"x": text}], acceptance=[text], next_required=text)
    one["history"][0].update(reason=text, actor=text)
    one["deliveries"][0].update(error=text)
    one["responsibility"][0].update(role=text)
    build(snapshot, tmp_path / "atlas", tasks=[one])

    for path in (tmp_path / "atlas" / "tasks").glob("*.html"):
        page = path.read_text()
        assert [] == faults(page)
        assert "\u202e" not in page
        assert "&lt;script&gt;" in page


@pytest.mark.parametrize("moment", ["", "not a time", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_a_drawing_needs_moments(moment: str) -> None:
    """What cannot be drawn is left out, and nothing leaves the canvas."""
    one = made()
    one["responsibility"][0]["since"] = moment
    for step in one["history"][:1]:
        step["at"] = moment

    assert "nan" not in str(tasks.drawing(one))
