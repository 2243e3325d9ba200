"""The site is for everyone: by eye, ear, keyboard or paper, in the dark, on a phone, with or without JavaScript, in any script."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.site import tasking
from tests.site.browsing import PATIENCE, kinds_in, pages_in, workspace_of
from tests.site.everything import planted

pytestmark = pytest.mark.gate

PHONE, NARROWEST, DESK = 360, 320, 1200
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

# Words that cannot be broken where a language has it: a name, an address, a path, no spaces, from right to left.
LONG = (
    "W" * 300,
    "https://example.test/" + "a" * 300 + "?q=" + "b" * 100,
    "src/" + "deep_folder_name/" * 20 + "x.py",
    "x" + "`" + "c" * 200 + "`",
    "東京都に行く" * 60,
    "والمستخدمونالذينيكتبون" * 20,
    "| a | b |\n| --- | --- |\n| " + "t" * 200 + " | " + "u" * 200 + " |",
)


@pytest.fixture(scope="module")
def kinds(built: Path) -> list[Path]:
    """Pages on which everything occurs that occurs anywhere."""
    return list(kinds_in(built))


@pytest.fixture(scope="module")
def hebrew(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site whose every text is Hebrew with a word of Latin and a number."""
    texts = ["שלום abc 17 עולם", "שלום abc 18 עולם"]
    snapshot = planted(texts, str)
    ours = tuple(
        one for one in snapshot.problems if not one.message.endswith("no record here")
    )  # of IDs, which no other script has
    return workspace_of(
        tmp_path_factory.mktemp("hebrew"), tasks=tasking.planted(texts, str), atlas=replace(snapshot, problems=ours)
    )


@contextmanager
def opened(browser: Any, **options: Any) -> Iterator[Any]:
    """A page in a context of its own."""
    context = browser.new_context(viewport={"width": options.pop("width", DESK), "height": 900}, **options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.mark.parametrize("width", [DESK, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Any, kinds: list[Path], built: Path, scheme: str, width: int) -> None:
    """WCAG 2.2 AA and axe's best practices, on every kind of page, with everything on it opened."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed: pip install 'handoffsite[test]'"
    )
    found = {}
    with opened(browser, color_scheme=scheme, width=width) as page:
        for path in kinds:
            page.goto(path.as_uri())
            page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
            said = axe.Axe().run(page, options=options).response
            faults = [(one["id"], node["html"]) for one in said["violations"] for node in one["nodes"]]
            if faults:
                found[path.relative_to(built).as_posix()] = faults

    assert len(kinds) > 20
    assert {} == found


# Everything on a page that the keyboard has to reach, numbered in the order in which it stands there.
CONTROLS = """() => {
  const found = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const shown = found.filter((one) => one.checkVisibility());
  shown.forEach((one, place) => (one.dataset.place = place));
  return shown.length;
}"""
# Which of them has the focus, and whether that can be seen: an outline, on the screen, under nothing else.
FOCUS = """() => {
  const one = document.activeElement;
  if (!one || one === document.body || one === document.documentElement) return [-1, true];
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
  const box = [...one.getClientRects()].find((box) => box.width && box.height) || one.getBoundingClientRect();
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
  const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
  const top = document.elementFromPoint(x, y);
  const seen = top && (one.contains(top) || top.contains(one));
  return [Number(one.dataset.place ?? -2), outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && Boolean(seen)];
}"""


def test_the_keyboard_reaches_everything(browser: Any, kinds: list[Path]) -> None:
    """Every control in the order of the page, each seen while it has the focus, and out again at the end and backwards."""
    with opened(browser, reduced_motion="reduce", width=PHONE) as page:
        for path in kinds:
            page.goto(path.as_uri())
            count = page.evaluate(CONTROLS)
            for key, places in (("Tab", [*range(count)]), ("Shift+Tab", [*reversed(range(count))])):
                stops: list[int] = []
                while len(stops) < count + 1:
                    page.keyboard.press(key)
                    place, seen = page.evaluate(FOCUS)
                    assert seen, (path.name, key, place, page.evaluate("document.activeElement.outerHTML"))
                    if place not in stops[-1:]:  # a date has several fields of its own
                        stops.append(place)

                assert places == stops[:-1], path.name
                assert stops[-1] in {-1, places[0]}  # out of the page; a browser without a frame of its own begins again


def test_the_first_stop_leads_past_the_frame(browser: Any, kinds: list[Path]) -> None:
    """The skip link is seen once it has the focus, and the stop after it is in the content."""
    with opened(browser, reduced_motion="reduce") as page:
        for path in kinds:
            page.goto(path.as_uri())
            page.keyboard.press("Tab")
            box = page.locator(":focus").bounding_box()
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")

            assert box["y"] >= 0
            assert page.evaluate(
                "document.activeElement.closest('main, footer') !== null || document.activeElement === document.body"
            )


@pytest.mark.parametrize("width", [PHONE, NARROWEST])
def test_no_page_is_wider_than_the_screen(browser: Any, built: Path, tmp_path: Path, width: int) -> None:
    """Whatever words stand on it, at 360 pixels, and at the 320 of WCAG's reflow; what is cut off can be scrolled to by itself."""
    long = workspace_of(tmp_path, tasks=tasking.planted(LONG, str), atlas=planted(LONG, str))
    wide = {}
    with opened(browser, width=width) as page:
        for path in (*pages_in(long), *kinds_in(built)):
            page.goto(path.as_uri())
            page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            found = page.evaluate(
                """() => [document.scrollingElement.scrollWidth, [...document.querySelectorAll("body *")].filter((one) =>
                  one.scrollWidth > one.clientWidth + 1 && ["hidden", "clip"].includes(getComputedStyle(one).overflowX)
                  && !one.matches(".find label, input")).map((one) => one.outerHTML.slice(0, 80))]"""
            )
            if found != [width, []]:
                wide[path.name] = found

    assert {} == wide


def test_paper_holds_the_content_alone(browser: Any, kinds: list[Path], built: Path) -> None:
    """No navigation, nothing cut off at the edge or folded away, dark ink also where the screen is dark, addresses beside the links."""
    faults = {}
    with opened(browser, color_scheme="dark", width=700) as page:
        page.emulate_media(media="print", color_scheme="dark")
        for path in kinds:
            page.goto(path.as_uri())
            said = page.evaluate(
                """() => {
                  const shown = (one) => one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
                  const light = (color) => Math.max(...color.match(/[\\d.]+/g).slice(0, 3).map(Number)) > 110;
                  const texts = [...document.querySelectorAll("main *, footer *")].filter((one) =>
                    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
                  const chrome = [...document.querySelectorAll("nav:not(.chain), .skip, .find, .pager, .filters, form")];
                  const folded = [...document.querySelectorAll("main details:not(figure + details) *")];
                  return {
                    chrome: chrome.filter(shown).map((one) => one.outerHTML.slice(0, 60)),
                    pale: texts.filter((one) => shown(one) && !one.closest("svg") && light(getComputedStyle(one).color)).map((one) => one.outerHTML.slice(0, 60)),
                    cut: [...document.querySelectorAll("body *")].filter((one) => !one.closest("svg") && shown(one)
                      && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 60)),
                    folded: folded.filter((one) => !shown(one)).map((one) => one.outerHTML.slice(0, 60)),
                    bare: [...document.querySelectorAll(".text a[href^=http]")].filter((one) =>
                      !getComputedStyle(one, "::after").content.includes("http")).map((one) => one.outerHTML.slice(0, 60)),
                  };
                }"""
            )
            if any(said.values()):
                faults[path.relative_to(built).as_posix()] = {name: found[:3] for name, found in said.items() if found}

    assert {} == faults


def words_of(page: Any) -> list[str]:
    """Every word that the content of *page* shows."""
    return str(page.locator("main").inner_text()).split()


def test_without_javascript_nothing_is_missing(browser: Any, kinds: list[Path]) -> None:
    """All that the pages show with it they show without, but for the form by which a list is narrowed further than by links."""
    with opened(browser) as scripted, opened(browser, java_script_enabled=False) as plain:
        for path in kinds:
            scripted.goto(path.as_uri())
            plain.goto(path.as_uri())
            form = scripted.locator("#narrow")
            asks = form.inner_text().split() if form.count() else ()

            assert set(words_of(scripted)) - set(words_of(plain)) <= set(asks), path.name


def test_filters_are_links(browser: Any, built: Path) -> None:
    """Without JavaScript each leads to as many rows as it says, and says there that it is chosen."""
    with opened(browser, java_script_enabled=False) as page:
        wholes = [path for path in pages_in(built) if 'aria-current="page"><bdi>All</bdi>' in path.read_text(encoding="utf-8")]
        for path in wholes:
            page.goto(path.as_uri())
            links = page.locator(".filters a")
            for place in range(links.count()):
                count = int(links.nth(place).locator("b").inner_text())
                label = links.nth(place).inner_text()
                links.nth(place).click()
                rows = page.locator("#list [id]").count()

                assert label in page.locator(".filters a[aria-current]").all_inner_texts()
                assert count == rows or page.locator(".pager").count()
                page.goto(path.as_uri())

        assert len(wholes) > 5


def test_a_search_without_javascript_comes_to_the_list_of_everything(browser: Any, built: Path) -> None:
    """The form of any page leads there, and the page says what to do."""
    with opened(browser, java_script_enabled=False) as page:
        page.goto((built / "atlas/decisions/index.html").as_uri())
        page.fill("#q", "redis")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?q=redis")

        assert page.locator("noscript p, main > p").first.is_visible()
        assert page.locator("#everything li").count() > 100


# For each text node with a word of Hebrew: its own words read from the right, and nothing but such texts stands with it in what keeps it apart.
APART = """() => {
  const faults = [];
  const hebrew = /[\\u0590-\\u05ff]/;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const place = (node, word) => {
    const range = document.createRange();
    const start = node.data.indexOf(word);
    range.setStart(node, start);
    range.setEnd(node, start + word.length);
    return range.getClientRects();
  };
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!hebrew.test(node.data) || !node.parentElement.checkVisibility() || node.parentElement.closest("svg, title, code")) continue;
    let apart = node.parentElement;
    const keeps = (style) => /isolate|plaintext/.test(style.unicodeBidi) || !/^(inline|contents)$/.test(style.display);
    while (!keeps(getComputedStyle(apart))) apart = apart.parentElement;
    const rest = apart.textContent.replace(/שלום abc 1[78] עולם/g, "").replace(/[\\s.,;:…#*|→-]/g, "");
    if (rest) faults.push(["not apart: " + rest.slice(0, 40), apart.outerHTML.slice(0, 200)]);
    const [first, last] = [place(node, "שלום"), place(node, "עולם")];
    if (first.length === 1 && last.length === 1 && first[0].top === last[0].top && first[0].left < last[0].left)
      faults.push(["reads from the left", node.parentElement.outerHTML.slice(0, 200)]);
  }
  return faults;
}"""


def test_words_from_right_to_left_stand_apart(browser: Any, hebrew: Path) -> None:
    """Each text reads from its own side, and turns nothing around that stands beside it."""
    found = {}
    with opened(browser) as page:
        for path in pages_in(hebrew):
            page.goto(path.as_uri())
            page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            faults = page.evaluate(APART)
            if faults:
                found[path.relative_to(hebrew).as_posix()] = faults

    assert {} == found


def test_ids_and_days_read_from_the_left_everywhere(browser: Any, hebrew: Path) -> None:
    """Also amid words from right to left: each sign stands to the right of the one before."""
    found = {}
    with opened(browser) as page:
        for path in kinds_in(hebrew):
            page.goto(path.as_uri())
            faults = page.evaluate(
                """() => [...document.querySelectorAll(".id, time, .badge")].filter((one) => {
                  const node = one.firstChild;
                  if (!one.checkVisibility() || !node || node.nodeType !== 3 || /[^\\x20-\\x7e]/.test(node.data)) return false;
                  const lefts = [...node.data].map((_, place) => {
                    const range = document.createRange();
                    range.setStart(node, place);
                    range.setEnd(node, place + 1);
                    return range.getBoundingClientRect();
                  });
                  return lefts.some((box, place) => place && box.top === lefts[place - 1].top && box.left < lefts[place - 1].left);
                }).map((one) => one.outerHTML)"""
            )
            if faults:
                found[path.name] = faults

    assert {} == found


def test_nothing_moves_for_whom_that_disturbs(browser: Any, kinds: list[Path]) -> None:
    """No transition and no animation where the system asks for none."""
    with opened(browser, reduced_motion="reduce") as page:
        for path in kinds:
            page.goto(path.as_uri())

            assert not page.evaluate(
                """[...document.querySelectorAll("*")].flatMap((one) => [null, "::before", "::after"].map((part) => getComputedStyle(one, part)))
                  .some((style) => parseFloat(style.transitionDuration) > 0 || style.animationName !== "none" || style.scrollBehavior === "smooth")"""
            )


# What is drawn, and how far it stands out from what lies beneath it, which is the page or what is drawn before it.
CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const pixel = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const beneath = (one) => {
    const found = [];
    for (; one; one = one.parentElement) found.unshift(getComputedStyle(one).backgroundColor);
    return pixel(["Canvas", ...found]);
  };
  const drawn = (one, name) => [one, getComputedStyle(one)[name]];
  const parts = [
    ...[...document.querySelectorAll(".chart rect")].map((one) => drawn(one, "fill")),
    ...[...document.querySelectorAll(".chart .axis, .lifecycle line, .lifecycle rect")].map((one) => drawn(one, "stroke")),
    ...[...document.querySelectorAll(".chart text, .lifecycle text")].map((one) => drawn(one, "fill")),
    ...[...document.querySelectorAll(".key")].map((one) => [one, getComputedStyle(one, "::before").backgroundColor]),
    ...[...document.querySelectorAll("input")].map((one) => drawn(one, "borderTopColor")),
  ];
  return parts.map(([one, color]) => [one.outerHTML.slice(0, 80), contrast(pixel([color]), beneath(one.closest("svg") ?? one.parentElement))])
    .filter(([, found]) => found < 3);
}"""


@pytest.mark.parametrize("colours", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}], ids=str)
def test_what_is_drawn_stands_out(browser: Any, kinds: list[Path], colours: dict[str, str]) -> None:
    """Bars, keys, lines and the edges of fields: three to one against the page, also in the colours that a user forces on it."""
    found = {}
    with opened(browser, **colours) as page:
        for path in kinds:
            page.goto(path.as_uri())
            faults = page.evaluate(CONTRAST)
            if faults:
                found[path.name] = faults[:6]

    assert {} == found


def test_pages_ask_nobody_and_are_refused_nothing(browser: Any, kinds: list[Path], built: Path) -> None:
    """No request but for files of the site, no word in the console, no breach of the policy that it sets itself."""
    with opened(browser) as page:
        said: list[str] = []
        asked: set[str] = set()
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', (event) => console.error(event.violatedDirective))"
        )
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.add(request.url.partition("?")[0]))
        for path in kinds:
            page.goto(path.as_uri())
            policy = page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content")

            assert "default-src 'none'" in policy
            assert "unsafe" not in policy

    assert [] == said
    assert [] == [address for address in asked if not address.startswith(f"{built.as_uri()}/")]
