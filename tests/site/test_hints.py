"""An ID that is a link says what it stands for: on hovering, on focus, to a screen reader, and without a script."""

import re
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.snapshot import Snapshot
from handoffsite.site.build import build

SHOWN = """(link) => {
  const { content, display } = getComputedStyle(link, "::after");
  return display === "none" || content === "none" ? "" : JSON.parse(content);
}"""


def test_every_such_link_has_title_and_status(snapshot: Snapshot, tmp_path: Path) -> None:
    """On every page, the record at its foot included; an ID that stands beside its own title needs none."""
    build(snapshot, tmp_path / "atlas")
    found = [
        (path.name, link)
        for path in sorted((tmp_path / "atlas").rglob("*.html"))
        for link in re.findall(r'<a class="id"[^>]*>[^<]*</a>(?! <span class="t")', path.read_text(encoding="utf-8"))
    ]

    assert len(found) > 100
    assert [] == [one for one in found if ' title="' not in one[1]]
    assert any('title="D-3-q7d · superseded · Keep sessions in Postgres"' in link for _, link in found)
    assert any('title="S-7-r5c · A quiet session"' in link for _, link in found)


@pytest.mark.gate
@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_the_keyboard_shows_it_and_puts_it_away(browser: Any, snapshot: Snapshot, tmp_path: Path, *, script: bool) -> None:
    """It is shown while the link has the focus, inside the width of a phone; Escape hides it and leaves the focus where it is."""
    build(snapshot, tmp_path / "atlas")
    context = browser.new_context(java_script_enabled=script, viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.goto((tmp_path / "atlas/decisions/D-3-q7d.html").as_uri())
    links = page.locator("main a.id, footer a.id")
    before = [link.evaluate(SHOWN) for link in links.all()]
    after = []
    for link in links.all():
        link.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        after.append(link.evaluate(SHOWN))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.keyboard.press("Escape")
    last, title = links.last.evaluate(SHOWN), links.last.get_attribute("title")
    focused = links.last.evaluate("(link) => link === document.activeElement")
    titles = [link.get_attribute("title") for link in links.all()]
    context.close()

    assert {""} == set(before)
    assert titles == after
    assert ("" if script else title, True) == (last, focused)
