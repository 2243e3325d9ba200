"""Lists and the overview in a real browser, from disk: what the address asks for is shown, and nothing else."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.decision import Decision
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.search.documents import documents
from handoffsite.site.build import build
from handoffsite.site.listing import ROWS

pytestmark = pytest.mark.gate

SAID = "#narrow-status:not([hidden])"
MANY = ROWS + 150
TOPIC = 'a "quoted" & <b>topic</b>'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site of this module lies."""
    return tmp_path_factory.mktemp("site") / "atlas"


@pytest.fixture
def whole(records: list[SessionRecord], make: Callable[..., SessionRecord], fold: Callable[..., Snapshot]) -> Snapshot:
    """The story, and more decisions than a page holds, each third on one topic."""
    titles = ("Take", "Keep", "Drop")
    decisions = tuple(
        Decision(id=f"D-{n}-v7w", title=f"{titles[n % 3]} {n}", topic=TOPIC if n % 3 else "") for n in range(100, 100 + MANY)
    )
    return fold([*records, make(8, "v7w", "2026-11-02", title="Many", decisions=decisions)])


@pytest.fixture
def page(browser: Any, whole: Snapshot, made: Path) -> Iterator[Any]:
    """A page that goes nowhere but to the disk; whatever the browser complains of fails the test."""
    if not made.is_dir():
        build(whole, made, documents=documents(whole))
    opened, said = browser.new_page(), []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    yield opened
    opened.close()

    assert [] == said


def go(page: Any, made: Path, address: str) -> str:
    """What the page at *address* says of what it shows."""
    path, _, query = address.partition("?")
    page.goto((made / path).as_uri() + (f"?{query}" if query else ""))
    if not query:
        return ""
    page.wait_for_selector(SAID)
    return str(page.inner_text(SAID))


def shown(page: Any) -> list[str]:
    """The IDs of the rows that can be seen."""
    return [
        str(id)
        for id in page.eval_on_selector_all(
            "#list [id]", "(rows) => rows.filter((one) => one.checkVisibility()).map((one) => one.id)"
        )
    ]


def test_a_list_shows_what_the_address_asks_for(page: Any, made: Path) -> None:
    """Status, topic and day together; the rows stay as they are, groups without any go, and the form says what was asked."""
    said = go(page, made, "constraints/index.html?status=active&topic=session-store&since=2026-09")

    assert "Active, on session-store, since 2026-09: 1 of 3. Show all" == said
    assert ["C-1-q7d"] == shown(page)
    assert ["In force"] == page.locator("#list h2:visible").all_inner_texts()
    assert ("active", "session-store") == (page.input_value("[name=status]"), page.input_value("[name=topic]"))
    page.click("#narrow-status a")
    page.wait_for_url("**/constraints/index.html")
    assert ["C-3-k3f", "C-1-q7d", "C-2-q7d"] == shown(page)


def test_the_form_writes_the_address_and_going_back_works(page: Any, made: Path) -> None:
    """What was asked is a page of the browser's history like any other."""
    go(page, made, "threads/index.html")
    everything = shown(page)
    page.select_option("[name=status]", "done")
    page.click("#narrow [type=submit]")
    page.wait_for_selector(SAID)
    done = shown(page)
    page.go_back()
    page.wait_for_url("**/threads/index.html")

    assert (["T-1-x2m", "T-3-m4w", "T-2-q7d"], ["T-2-q7d"], everything) == (everything, done, shown(page))


def test_nothing_found_is_said(page: Any, made: Path) -> None:
    """No row, no heading, and a sentence; what is no filter is said as well, and hides nothing."""
    nothing = go(page, made, "dependencies.html?since=2031-01-01")

    assert "Since 2031-01-01: none of 4. Show all" == nothing
    assert page.locator("#list").is_hidden()
    assert "is no date" in go(page, made, "dependencies.html?since=yesterday")
    assert 4 == len(shown(page))


def test_a_part_is_narrowed_further(page: Any, made: Path) -> None:
    """The page of a status, an ecosystem or a month with a question in its address."""
    assert "On session-store: 2 of 2. Show all" == go(page, made, "decisions/superseded.html?topic=session-store")
    assert "Since 2026-10-01: 1 of 3. Show all" == go(page, made, "dependencies/npm.html?since=2026-10-01")
    assert "Since 2026-10-10: 3 of 4. Show all" == go(page, made, "sessions/2026-10.html?since=2026-10-10")
    assert "Thread, done: 1 of 5. Show all" == go(page, made, "archive.html?kind=thread&status=done")
    assert ["T-2-q7d"] == shown(page)


def test_what_stands_on_other_pages_is_found(page: Any, made: Path) -> None:
    """A list that goes on is narrowed as a whole, by any topic; what is more than a page should hold is left to the search."""
    said = go(page, made, "decisions/index.html?topic=a+%22quoted%22+%26+%3Cb%3Etopic%3C/b%3E")
    count = sum(1 for n in range(100, 100 + MANY) if n % 3)
    beyond = page.locator("#beyond li").count()

    assert f"On {TOPIC}: {count} of {MANY + 7}. Show all" == said
    assert count == len(shown(page)) + beyond
    assert 0 < beyond
    assert page.locator(".pager").is_hidden()
    assert "decisions/D-" in str(page.locator("#beyond a").last.get_attribute("href"))

    go(page, made, "decisions/index.html?since=2026-01-01")
    page.click("#narrow-status a >> nth=0")
    page.wait_for_selector("#found li")
    assert f"{MANY + 7} found" in page.inner_text("#found-status")


def test_topics_are_offered(page: Any, made: Path) -> None:
    """Once the field has the focus; the page itself does not grow with their number."""
    go(page, made, "constraints/index.html")
    assert 0 == page.locator("#topics option").count()
    page.focus("[name=topic]")
    page.wait_for_selector("#topics option", state="attached")

    assert ["session-store"] == page.locator("#topics option").all_text_contents()


def test_a_topic_leads_to_all_that_is_on_it(page: Any, made: Path) -> None:
    """From a decision's page, whatever signs the topic holds."""
    page.goto((made / "decisions/D-100-v7w.html").as_uri())
    page.click("a.topic")
    page.wait_for_selector(SAID)

    assert page.inner_text(SAID).startswith(f"On {TOPIC}: ")


def test_what_is_new_is_asked_in_the_address(page: Any, whole: Snapshot, made: Path) -> None:
    """The overview tells what came since a day, by kind and newest first; a day that is none asks nothing."""
    go(page, made, "index.html")
    page.fill("[name=since]", "2026-10-05")
    page.click("#narrow [type=submit]")
    page.wait_for_selector(SAID)
    dates = [text.rpartition(" · ")[2] for text in page.locator("#beyond .m").all_inner_texts()]
    count = sum(one.date >= "2026-10-05" for one in documents(whole))

    assert page.url.endswith("index.html?since=2026-10-05")
    assert page.inner_text(SAID).startswith(f"Since 2026-10-05: 1 constraint, {MANY + 4} decisions, ")
    assert f"The other {count - 100} are found by the search" in page.inner_text(SAID)
    assert (100, sorted(dates, reverse=True)) == (len(dates), dates)
    assert "Since 9999-01-01: nothing. Show all" == go(page, made, "index.html?since=9999-01-01")
    assert "is no date" in go(page, made, "index.html?since=%22%3E%3Cscript%3E")


def test_without_javascript_links_do_it(browser: Any, page: Any, made: Path) -> None:
    """Each status has a page of its own, and no form stands there that would do nothing."""
    go(page, made, "index.html")
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto((made / "decisions/index.html").as_uri())
    hidden = plain.locator("#narrow").is_hidden()
    plain.click("nav.filters a:has-text('superseded')")
    found = plain.locator("#list li[id]").count()
    context.close()

    assert (True, 2) == (hidden, found)
