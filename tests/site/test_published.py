"""A site as a static host gives it to a browser: under any path, and with nothing asked of anybody else."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from handoffsite.records.project import Project
from handoffsite.records.snapshot import Snapshot
from handoffsite.search.documents import documents
from handoffsite.site import workspace
from handoffsite.site.build import build
from tests.site.everything import everything
from tests.site.stories import snapshot_of

pytestmark = pytest.mark.gate

BELOW = "a/b"


class _Host(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serves a workspace of two projects under a path; its address."""
    root = tmp_path_factory.mktemp("host")
    out = root / BELOW
    whole: Snapshot = everything()
    for name, snapshot in (("atlas", whole), ("empty", snapshot_of([], Project(id="e", name="empty")))):
        build(
            snapshot,
            out / name,
            workspace=True,
            documents=documents(snapshot),
            base_url=f"https://docs.example.org/{BELOW}/{name}/",
        )
    cards = [card for name in ("atlas", "empty") if (card := workspace.card_of(out / name))]
    workspace.build_index(cards, out, base_url=f"https://docs.example.org/{BELOW}/")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Host, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{BELOW}/"
    server.shutdown()
    server.server_close()


def test_it_works_under_any_path(browser: Any, host: str) -> None:
    """One page of each list and its first item, links of every kind, search, filters and what is new: each answer is whole, and below the path."""
    page, answers, said = browser.new_page(), [], []
    page.on("response", lambda answer: answers.append((answer.url, answer.status)))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(host)
    page.click("main h2 a >> nth=0")
    page.wait_for_url("**/atlas/index.html")
    overview = page.url
    for section in page.eval_on_selector_all("nav[aria-label=Project] a", "(links) => links.map((link) => link.href)"):
        page.goto(section)
        first = page.locator("#list a.t, main .rows a.t").first
        if first.count():
            first.click()
            page.wait_for_load_state()
            if (record := page.locator("footer a.id")).count():
                record.click()
                page.wait_for_load_state()
    page.goto(f"{overview}?since=2026-01-01")
    page.wait_for_selector("#beyond li")
    page.fill("#q", "redis")
    page.keyboard.press("Enter")
    page.wait_for_selector("#found li")
    page.click("#found li a >> nth=0")
    page.wait_for_load_state()
    page.goto(f"{overview.rpartition('/')[0]}/decisions/index.html?status=superseded")
    page.wait_for_selector("#narrow-status:not([hidden])")
    page.click("a.up")
    page.wait_for_url("**/a/b/index.html")
    page.close()

    assert [] == [one for one in answers if not one[0].startswith(host) or one[1] not in {200, 304}]
    assert len({url for url, _ in answers}) > 30
    assert [] == said


def test_what_machines_fetch_is_there(browser: Any, host: str) -> None:
    """Feeds, data, schemas, the contract's schema among them, and a sitemap whose addresses are pages of the host."""
    context = browser.new_context()
    asked = context.request
    atlas = f"{host}atlas/"
    names = ("feed.xml", "llms.txt", "decisions.json", "schemas/decisions.json", "schemas/contract.json", "sitemap.xml")
    statuses = [asked.get(f"{atlas}{name}").status for name in names]
    sitemap = asked.get(f"{atlas}sitemap.xml").text()
    pages = [part.partition("</loc>")[0] for part in sitemap.split("<loc>")[1:]]
    found = [asked.get(one.replace(f"https://docs.example.org/{BELOW}/", host)).status for one in pages]
    context.close()

    assert [200] * len(names) == statuses
    assert (True, {200}) == (len(pages) > 50, set(found))
