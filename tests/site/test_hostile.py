"""Hostile text in every place that holds text, in a real browser: nothing of it runs, hides, leads astray or gets lost."""

import json
import re
import runpy
from collections.abc import Iterator
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from handoffsite.records.visible import visible
from tests.site import tasking
from tests.site.browsing import PATIENCE, pages_in, workspace_of
from tests.site.conftest import TAGS
from tests.site.everything import planted

pytestmark = pytest.mark.gate

SHARED = Path(__file__).parents[3] / "shared" / "tools" / "xss_vectors.py"

# Whatever runs calls one of these; each kind of attack once or more, as a log about web security would quote it.
VECTORS = (
    # elements that run by themselves
    "before <script>canary()</script> after",
    "<SCRIPT SRC=//evil.test/x.js></SCRIPT>",
    "<img src=none onerror=canary()>",
    "<ImG/sRc=none/OnErRoR=canary()>",
    '"><img src=none onerror="canary()',
    "'><svg onload=canary()>",
    "<svg><script>canary()</script><script href=data:,canary()></script></svg>",
    "<svg><a xlink:href=javascript:canary()><rect width=9 height=9 /></a></svg>",
    "<svg><set attributeName=href to=javascript:canary()></svg>",
    "<details open ontoggle=canary()><summary>more</summary></details>",
    "<input autofocus onfocus=canary()><textarea autofocus onfocus=canary()></textarea>",
    "<video><source src=none onerror=canary()></video><audio src=none onerror=canary()></audio>",
    "<body onload=canary()><marquee onstart=canary()>go</marquee>",
    "<div onpointerover=canary() onanimationstart=canary() class=skip>move</div>",
    "<made-up onclick=canary() tabindex=0>click</made-up>",
    # elements that parsers read in two ways
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src onerror=canary()&gt;'>",
    "<svg><desc><noscript><b title='</noscript><img src onerror=canary()>'>",
    "<noscript><i title='</noscript><img src onerror=canary()>'>",
    "<template><script>canary()</script></template>",
    "<form><math><mtext></form><form><mglyph><svg><mtext><style><path id='</style><img src onerror=canary()>'>",
    "<select><option><style></option></select><img src onerror=canary()></style>",
    "<![CDATA[<img src=none onerror=canary()>]]>",
    "<?php canary() ?><?xml-stylesheet href=javascript:canary()?>",
    "<!--><img src=none onerror=canary()>-->",
    "<!-- --!><img src=none onerror=canary()> -->",
    # frames, plugins, forms, and what changes the whole page
    "<iframe srcdoc='<script>parent.canary()</script>'></iframe><iframe src=javascript:parent.canary()></iframe>",
    "<object data=javascript:canary()></object><embed src=javascript:canary()>",
    "<form action=javascript:canary()><button formaction=javascript:canary()>send</button></form>",
    "<base href=javascript:canary()//><a href=x>base</a>",
    "<meta http-equiv=refresh content='0;url=javascript:canary()'>",
    "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline'\"><script>canary()</script>",
    "<link rel=stylesheet href=//evil.test/x.css><style>main { display: none }</style>",
    "<style>@import '//evil.test/x.css'; * { visibility: hidden }</style> shown",
    "<p style='position:fixed;inset:0;background:black'>cover</p>",
    "</main></body></html><script>canary()</script><main>",
    "</title></style></textarea></script><script>canary()</script>",
    # elements that swallow what follows
    "a <style> and then",
    "a <textarea> and then",
    "a <title> and then",
    "a <xmp> and then",
    "a <plaintext> and then",
    "a <!-- and then",
    "a <select> and then",
    "a <a href='x and then",
    # links
    "[go](javascript:canary())",
    "[go](JAVAscript:canary())",
    "[go](java\tscript:canary())",
    "[go](&#x6a;avascript:canary())",
    "[go](\x01javascript:canary())",
    "[go](vbscript:canary) [go](file:///etc/passwd) [go](//evil.test/x)",
    "[go](data:text/html,%3Cscript%3Ecanary()%3C/script%3E)",
    "[go][there]\n\n[there]: javascript:canary()",
    "<javascript:canary()> <data:text/html,x>",
    "<a href=' javascript:canary()'>go</a>",
    '![x](none"onerror="canary())',
    '![x](none "\\" onerror=canary() x=\\"")',
    "![x](//evil.test/pixel.png)",
    # what extensions of Markdown know
    "# Title {: onclick=canary() #q }",
    "[go](#){: onclick=canary() }",
    "<div markdown=1>\n<img src onerror=canary()>\n</div>",
    '```"><img src=none onerror=canary()>\ncode\n```',
    "```python\"onclick='canary()'\ncode\n```",
    "~~~\n</code></pre><script>canary()</script>\n~~~",
    "`<img src=none onerror=canary()>`",
    "| a | b |\n|---|---|\n| <img src=none onerror=canary()> | [c](javascript:canary()) | d |",
    "x[^1]\n\n[^1]: <img src=none onerror=canary()>",
    '*[HTML]: "><img src=none onerror=canary()>\n\nHTML',
    # templates, scripts, data
    "{{ 7*7 }} {% include 'page.html' %} {# gone #} ${canary()} #{canary()} <%= canary() %>",
    "</script><script>canary()</script>",
    "<!--<script>",
    "]]></summary><script>canary()</script>",
    "\\u003cscript\\u003ecanary()\\u003c/script\\u003e \\",
    "a\u2028canary()//\u2029b",
    "'-canary()-' \"-canary()-\" `${canary()}`",
    # names that scripts of ours look for
    "<form id=q name=body><input id=found name=addEventListener><img name=getElementById></form>",
    # what hides
    "pay\u202egnp.exe\u2066 \u200bzero \ufeffwidth \U000e0041tag a\u00adb",
    "<scr\x00ipt>canary()</scr\x00ipt>",
    "&lt;script&gt;canary()&lt;/script&gt; &#60;img src onerror=canary()&#62;",
)  # fmt: skip

LISTEN = """
for (const name of ["canary", "alert", "confirm", "prompt", "msgbox", "print"])
  globalThis[name] = () => console.error(`${name} ran at ${location.href}`);
document.addEventListener("securitypolicyviolation", (event) => console.error(`refused ${event.violatedDirective} ${event.blockedURI}`));
"""
# What in the page as the browser understood it is none of ours.
FOREIGN = """(tags) => {
  const faults = [];
  for (const one of document.querySelectorAll("*")) {
    const found = [];
    if (!tags.includes(one.localName)) found.push("element");
    for (const { name, value } of one.attributes) {
      if (/^on|^(style|srcdoc|formaction|background|ping|srcset|xlink:href)$/.test(name)) found.push(name);
      if (/^(href|src|action|data)$/.test(name) && !/^(file|https?|mailto):$/.test(new URL(value, document.baseURI).protocol)) found.push(name);
      if (/^(src|action)$/.test(name) && new URL(value, document.baseURI).protocol !== "file:") found.push(name);
      if (name === "http-equiv" && value !== "Content-Security-Policy") found.push(name);
    }
    if (one.localName === "script" && one.textContent) found.push("script");
    if (found.length) faults.push([found.join(), one.outerHTML.slice(0, 120)]);
  }
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  if (new Set(ids).size !== ids.length) faults.push(["one ID twice", ids.join()]);
  if (frames.length) faults.push(["frames", frames.length]);
  return faults;
}"""


class Planted:
    """Texts in every place of a site, each with a mark behind it by which it is found again."""

    def __init__(self, vectors: tuple[str, ...], folder: Path) -> None:
        self.texts: dict[str, str] = {}
        self._numbers = count(1)
        snapshot = planted(vectors, self.say)
        self.searched = [*self.texts]
        told = {item.id: item.value for item in snapshot.of("constraint")}
        # What a later record said otherwise; the page of the session that said it first holds the beginning of it.
        self.replaced = {
            mark
            for record in snapshot.records
            for one in record.constraints
            if one.because != getattr(told[one.id], "because", "")
            for mark in self.marks(one.because)
        }
        self.folder = workspace_of(folder, tasks=tasking.planted(vectors, self.say), atlas=snapshot)

    def say(self, text: str) -> str:
        """*text* with a mark of its own."""
        mark = f"q{next(self._numbers)}q"
        self.texts[mark] = text
        return f"{text}\n\n{mark}"

    def lost(self, shown: str) -> Iterator[tuple[str, str]]:
        """Each mark in *shown* before which not all words of its text stand, in their order; what stands there instead."""
        words = words_of(shown)
        for place, word in enumerate(words):
            if word in self.texts:
                text = visible(self.texts[word])
                ways = [
                    words_of(text),
                    words_of(visible(unescape(text))),
                ]  # in Markdown a reference is the character that it names
                if not any(words[max(0, place - len(way)) : place] == way for way in ways):
                    yield word, " ".join(words[max(0, place - len(ways[0])) : place])

    def marks(self, text: str) -> set[str]:
        """The marks in *text*."""
        return {word for word in words_of(text) if word in self.texts}


def words_of(text: str) -> list[str]:
    """The words of *text*, without what Markdown is made of."""
    return re.findall(r"[^\W_]+", text)


@pytest.fixture(scope="module", params=["ours", "shared"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Planted:
    """A site with every vector in every place."""
    if request.param == "ours":
        return Planted(VECTORS, tmp_path_factory.mktemp("ours"))
    if not SHARED.is_file():
        pytest.skip("the folder shared/tools is not beside the checkout")
    vectors = tuple(text for _, text in runpy.run_path(str(SHARED))["V"])
    assert len(vectors) > 70
    return Planted(vectors, tmp_path_factory.mktemp("shared"))


@pytest.fixture
def page(browser: Any, site: Planted) -> Iterator[Any]:
    """A page in which whatever runs, is refused, or asks for something elsewhere, fails the test."""
    opened, said = browser.new_page(), []
    opened.set_default_timeout(PATIENCE)
    opened.add_init_script(LISTEN)
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: said.append(request.url) if not request.url.startswith(site.folder.as_uri()) else None)
    yield opened
    opened.close()

    assert [] == said


def test_nothing_of_it_runs_hides_or_is_lost(page: Any, site: Planted) -> None:
    """On every page: elements, attributes and addresses are ours alone, and each text is seen whole, in its order."""
    foreign, lost, seen = {}, {}, set()
    for path in pages_in(site.folder):
        page.goto(path.as_uri())
        shown = page.evaluate("document.body.innerText")
        name = path.relative_to(site.folder).as_posix()
        if faults := page.evaluate(FOREIGN, [*TAGS, "noscript"]):
            foreign[name] = faults[:3]
        if faults := list(site.lost(shown)):
            lost[name] = [(site.texts[mark], instead) for mark, instead in faults][:3]
        seen |= site.marks(shown)

        assert page.url == path.as_uri()

    assert {} == foreign
    assert {} == lost
    assert site.replaced == site.texts.keys() - seen


def test_what_is_found_is_text(page: Any, site: Planted) -> None:
    """Results and snippets of the search page hold the texts as the browser's own text, and nothing more."""
    page.goto((site.folder / "atlas/search.html").as_uri())
    seen = set()
    for mark in site.searched[:: max(1, len(site.searched) // 150)]:
        page.fill("#q", mark)
        shown = page.inner_text("#found")
        seen |= site.marks(shown) & {mark}

        assert [] == page.evaluate(FOREIGN, [*TAGS, "noscript", "mark"])
        assert not set("\u202e\u2066\u200b\ufeff\x00\u2028") & set(shown)
    assert len(seen) > 60


def test_data_and_feeds_hold_it_whole(page: Any, site: Planted) -> None:
    """Every text is in the data as it was written, hidden characters as escapes; as pages of their own they run nothing either."""
    files = {path.name: path for path in (site.folder / "atlas").glob("[a-z]*.*") if path.suffix in {".json", ".xml", ".txt"}}
    data = [text for path in files.values() if path.suffix == ".json" for text in texts_in(json.loads(path.read_bytes()))]
    feed = [*ET.parse(files["feed.xml"]).getroot().itertext()]  # noqa: S314 -- we wrote it
    for text in (*data, *feed):
        for mark in site.marks(text):
            assert spaced(f"{visible(site.texts[mark])} {mark}") in spaced(text)

    assert len(site.marks(" ".join(data))) > len(site.texts) // 2
    assert len(site.marks(" ".join(feed))) > 70
    for path in files.values():
        page.goto(path.as_uri())


def texts_in(value: Any) -> Iterator[str]:
    """Every text in *value*, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for content in value.values() if isinstance(value, dict) else value:
            yield from texts_in(content)


def spaced(text: str) -> str:
    """*text* with one space wherever it has any: a title is one line."""
    return " ".join(text.split())
