"""Text that agents wrote is shown whole, and never becomes markup, script or a link to anywhere but the web."""

import runpy
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.site import markdown
from handoffsite.site.links import Brief
from handoffsite.site.markdown import document, line, plain, prose, too_costly
from tests.site.bombs import BOMBS

KNOWN = {
    "D-1": Brief("D-1-x2m", "decisions/D-1-x2m.html", 'Keep "sessions" <b>', "accepted", "decision", ("", "")),
    "S-1-x2m.c1": Brief("S-1-x2m.c1", "sessions/S-1-x2m.html#c1", "Done", "proven", "completed", ("", "")),
}
LINK = '<a class="id" href="../decisions/D-1-x2m.html" title="D-1-x2m · accepted · Keep &quot;sessions&quot; &lt;b&gt;">D-1</a>'
TOOLS = Path(__file__).parents[3] / "shared" / "tools"
SECONDS = 2.0

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "Leave the <style> block alone. SENTINEL",
    "text <!-- never closed. SENTINEL",
    "</div></main></body><script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "[click](JaVa\tScript:alert(1))",
    "[click](&#106;avascript:alert(1))",
    "[click](data:text/html;base64,PHNjcmlwdD4=)",
    "[click](//evil.test/x)",
    "[click](/etc/passwd)",
    "[\\*x](relative.md)",
    "![x](https://evil.test/pixel.png)",
    '![x](x"onerror="alert(1))',
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "# Title {: onclick=alert(1) }",
    '```"><img src=x onerror=alert(1)>\ncode\n```',
    "| a |\n|---|\n| <img src=x onerror=alert(1)> [c](vbscript:1) |",
    "a \u202e\u2066b &#x202e; &#8238; \u200b \U000e0041",
    "x\x00\x1b[31mred\x1b[0m \ud800",
    'https://example.test/"><script>alert(1)</script>',
    "`<script>`**<b>**[<i>](https://example.test/<u>)",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "render", [line, prose, document, lambda text, _known: plain(text)], ids=["line", "prose", "document", "plain"]
)
def test_nothing_hostile_survives(text: str, render: Callable[..., str], faults: Callable[[str], list[str]]) -> None:
    """Whatever renders it: no tag of its own, no handler, no address but the web's, nothing hidden, and what follows still shows."""
    html = render(text, KNOWN)

    assert [] == faults(f"<p>{html}</p>")
    if "SENTINEL" in text:
        assert "SENTINEL" in html


@pytest.mark.skipif(not TOOLS.is_dir(), reason="the folder shared/tools is not beside the checkout")
def test_no_known_vector_survives(faults: Callable[[str], list[str]]) -> None:
    """The shared list of vectors, through every renderer."""
    vectors = [text for _, text in runpy.run_path(str(TOOLS / "xss_vectors.py"))["V"]]
    found = {text: faults(f"<p>{html}</p>") for text in vectors for html in (line(text, {}), prose(text, {}), document(text, {}))}

    assert len(vectors) > 70
    assert {} == {text: fault for text, fault in found.items() if fault}


@given(st.text(alphabet=st.sampled_from("<>&\"'`*[]()!#|-=:/\\\n \tajD1.é\u202e\u200d\ud83d\U0001f9d1&x;")))
@settings(max_examples=300, deadline=None)
def test_any_text_is_safe(faults: Callable[[str], list[str]], text: str) -> None:
    """Random texts of the characters that matter leave no tag but the allowed ones, and encode."""
    for html in (line(text, KNOWN), prose(text, KNOWN), document(text, KNOWN)):
        html.encode()

        assert [] == faults(f"<p>{html}</p>")


def test_code_emphasis_and_addresses_are_read_in_a_line() -> None:
    """The light renderer knows what people write in one line."""
    html = line("Use `a < b`, **not** *that*; see [it](https://example.test/a?b=1&c=2) or https://example.test/x.", {})

    assert (
        "Use <code>a &lt; b</code>, <strong>not</strong> <em>that</em>; see "
        '<a href="https://example.test/a?b=1&amp;c=2" rel="noopener noreferrer">it</a> or '
        '<a href="https://example.test/x" rel="noopener noreferrer">https://example.test/x</a>.' == html
    )


@pytest.mark.parametrize("text", ["__init__ and foo._bar_", "2*3*4 and **", "a_b_c `x", "&lt; &copy; AT&T", "[1] [x][y] (z)"])
def test_what_is_no_markup_stays_as_it_was_written(text: str) -> None:
    """Identifiers, entities and brackets come out as they went in."""
    for html in (line(text, {}), prose(text, {}), plain(text)):
        shown = html.removeprefix("<p>").removesuffix("</p>")

        assert (
            text == shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("<copy;", "&copy;")
            or "&" in text
        )


@pytest.mark.parametrize("render", [line, prose, document])
def test_ids_become_links_that_show_title_and_status(render: Callable[..., str]) -> None:
    """Known IDs are links, also in code and emphasis; unknown ones stay text; none is made inside a link or a word."""
    html = render("See D-1, `D-1`, **D-1**, D-9, XD-1 and [D-1](https://example.test/D-1).", KNOWN, "../")

    assert 3 == html.count(LINK)
    assert 3 == html.count('class="id"')
    assert "D-9, XD-1 and" in html
    assert '<a href="https://example.test/D-1" rel="noopener noreferrer">D-1</a>' in html


def test_ids_in_blocks_of_code_are_links_too() -> None:
    """A log that names an item leads to it."""
    html = document("```\nfixed S-1-x2m.c1\n```", KNOWN)

    assert '<pre><code>fixed <a class="id" href="sessions/S-1-x2m.html#c1"' in html


def test_markdown_is_laid_out() -> None:
    """Headings below the page's own, lists, tables with alignment, fences."""
    html = document("# One\n\n- a\n- b\n\n| x | y |\n|---|--:|\n| 1 | 2 |\n\n~~~\ncode\n~~~\n", {})

    assert "<h3>One</h3>" in html
    assert "<li>b</li>" in html
    assert '<td class="right">2</td>' in html
    assert "<pre><code>code\n</code></pre>" in html


def test_no_text_is_lost() -> None:
    """Definitions, titles, pictures and addresses that lead nowhere are shown in words."""
    html = document('[a]: b "c"\n\n[x](docs/y.md "T") ![pic](p.png) *[H]: long [^1]: note', {})

    for words in ("[a]: b", "docs/y.md T", "pic (p.png)", "*[H]: long", "[^1]: note"):
        assert words in html


def test_emoji_and_real_scripts_stay() -> None:
    """Joined emoji, Arabic, Persian with its non-joiner and Chinese are shown as they are written."""
    text = "🧑‍💻 مراجعة می‌شود 登录 ❤️"

    assert text == line(text, {})
    assert f"<p>{text}</p>" == document(text, {})


def test_a_text_too_long_for_a_page_is_cut_and_says_so() -> None:
    """The record has the rest; the page says how much that is."""
    html = document("word " * 100_000, {})

    assert "200,000 more characters are in the record" in html
    assert len(html) < 320_000


def test_no_text_looks_like_an_attribute() -> None:
    """HTML that is shown, in running words or in a fence, has its quotes escaped; links keep theirs."""
    html = document('Write <a href="x.html" id="y"> or\n\n```\n<b id="z">\n```\n\n[it](https://example.test/ "t")', {})

    assert 4 + 2 == html.count('"')
    assert "&lt;a href=&quot;x.html&quot; id=&quot;y&quot;&gt;" in html
    assert "&lt;b id=&quot;z&quot;&gt;" in html


@pytest.mark.parametrize("name", BOMBS)
def test_no_text_hangs_the_build(name: str) -> None:
    """Each is laid out within two seconds, or shown as it was written with a note that says why."""
    started = time.process_time()
    html = document(BOMBS[name], {})

    assert time.process_time() - started < SECONDS
    assert html.startswith('<p class="note">Shown as written: ') == bool(too_costly(BOMBS[name]))


@pytest.mark.skipif(not TOOLS.is_dir(), reason="the folder shared/tools is not beside the checkout")
def test_no_known_bomb_hangs_the_build() -> None:
    """The shared list of texts on which renderers hang, whole and cut to the size that is laid out."""
    bombs = runpy.run_path(str(TOOLS / "markdown_bombs.py"))["BOMBS"]
    slow = {}
    for name, text in bombs.items():
        for part in (text, text[: markdown.MAX_CHARACTERS]):
            started = time.process_time()
            document(part, {})
            if time.process_time() - started > SECONDS:
                slow[name] = len(part)

    assert len(bombs) > 20
    assert {} == slow


def test_ordinary_texts_are_laid_out() -> None:
    """A long note of the usual kind does not fall back."""
    part = '## Part {n}\n\nSome **bold** words, `code`, a [link](https://example.test/{n} "title") and (brackets [x]).\n\n- [ ] one\n- two\n\n'

    assert "" == too_costly("".join(part.replace("{n}", str(n)) for n in range(250)))
    assert "" == too_costly(
        "\n".join(f"- **Lead {n}**: uses `name_{n}` and it's [here](https://example.test/{n})" for n in range(300))
    )
