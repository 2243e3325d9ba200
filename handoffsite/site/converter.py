"""Markdown as sanitised HTML, by a library that is told what of it must not happen; costly to import."""

import re
from collections import Counter
from collections.abc import Sequence
from html import unescape
from xml.etree.ElementTree import Element

import nh3
from markdown import Markdown
from markdown.extensions.fenced_code import FencedCodeExtension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.extensions.tables import TableExtension, TableProcessor
from markdown.inlinepatterns import SimpleTagInlineProcessor
from markdown.treeprocessors import Treeprocessor

from handoffsite.records.visible import visible

TAG = re.compile(r'<(?:[^<>"]|"[^"]*")*>')
_TAG_OR_QUOTE = re.compile(rf'{TAG.pattern}|"')

_TAGS = frozenset("a blockquote br code em h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul".split())
_ATTRIBUTES = {"a": {"href", "title"}, "code": {"class"}, "ol": {"start"}, "td": {"class"}, "th": {"class"}}
_SCHEMES = {"http", "https", "mailto"}
_SAFE_HREF = re.compile(r"(?:https?://|mailto:)[^\s]", re.IGNORECASE)

# Raw HTML; what would vanish, or come out otherwise than it was written; and emphasis, which differs between versions of the
# library and reads `__init__` as bold: our own two patterns take its place.
_PATTERNS_OFF = frozenset(
    "html entity autolink automail reference image_reference short_reference short_image_ref em_strong em_strong2 not_strong".split()
)
_PATTERNS_REQUIRED = {"html", "entity", "em_strong"}  # a library that calls them otherwise must not pass unnoticed
_STRONG = r"(\*\*)(?![\s*])((?:[^*]|\*(?!\*)){1,500}?)(?<!\s)\*\*(?!\*)"
_EMPHASIS = r"(?<![\w*])(\*)([^*\s](?:[^*]{0,500}[^*\s])?)\*(?![\w*])"

_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_ABOVE = 2  # the page has the h1, and the section in which the text stands an h2

_WORD = re.compile(r"[^\W_]+")
_NUMBER_OF_A_LIST = re.compile(r"(?<!\S)\d{1,9}[.)](?!\S)")  # which a browser counts by itself
_ADDRESS = re.compile(r' (?:href|title)="([^"]*)"')


def convert(text: str) -> str | None:
    """*text* as HTML of a few harmless elements; None where that would lose one of its words."""
    _MARKDOWN.reset()
    html = _sanitised(_MARKDOWN.convert(text))
    return html if _words(text) <= _words_shown(html) else None


class _Tables(TableProcessor):
    """Tables whose last column holds what a row has more than its columns."""

    def _build_row(self, row: str, parent: Element, align: Sequence[str | None]) -> None:
        super()._build_row(row, parent, align)  # type: ignore[misc] # the stubs leave it out
        surplus = self._split_row(row)[len(align) :]  # type: ignore[attr-defined] # the same
        if surplus:
            last = parent[-1][-1]
            last.text = " | ".join((last.text or "", *(cell.strip(" ") for cell in surplus)))


class _Places(Treeprocessor):
    """Turns what would load, or lead elsewhere than the web, into text; headings follow those of the page."""

    def run(self, root: Element) -> None:
        above: list[str] = []
        for element in root.iter():
            if element.tag in _HEADINGS:
                _place(element, above)
            _tame(element)


def _made() -> Markdown:
    """Python-Markdown without raw HTML, without attributes, and without definitions that would vanish from the page."""
    made = Markdown(extensions=[TableExtension(), FencedCodeExtension(), SaneListExtension()], output_format="html")
    made.preprocessors.deregister("html_block")
    for name in _PATTERNS_OFF:
        made.inlinePatterns.deregister(name, strict=name in _PATTERNS_REQUIRED)
    made.inlinePatterns.register(SimpleTagInlineProcessor(_STRONG, "strong"), "strong", 60)
    made.inlinePatterns.register(SimpleTagInlineProcessor(_EMPHASIS, "em"), "em", 50)
    made.parser.blockprocessors.deregister("reference")
    made.parser.blockprocessors.register(_Tables(made.parser, {"use_align_attribute": False}), "table", 75)
    made.treeprocessors.register(_Places(made), "places", 1)
    return made


def _place(heading: Element, above: list[str]) -> None:
    """Give *heading* the level that follows those *above* it, none skipped, whichever the text began with."""
    level = heading.tag
    while above and above[-1] >= level:
        above.pop()
    above.append(level)
    heading.tag = f"h{min(_ABOVE + len(above), 6)}"


def _tame(element: Element) -> None:
    if element.tag == "img":
        address, label = element.get("src", ""), element.get("alt", "")
        element.attrib.pop("src", None)
        element.attrib.pop("alt", None)
        element.tag, element.text = "a", label or address
        element.set("href", address)
    if element.tag == "a":
        _tame_link(element)
    elif style := element.attrib.pop("style", ""):  # of a table's cell, and refused by our content security policy
        element.set("class", style.removeprefix("text-align:").strip(" ;"))


def _tame_link(element: Element) -> None:
    address = element.get("href", "")
    if _SAFE_HREF.match(address):
        return
    words = " ".join(part for part in (address, element.get("title", "")) if part)
    element.attrib.clear()
    element.tag = "span"
    if words:
        last = element[-1] if len(element) else None
        shown = f" ({words})"
        if last is None:
            element.text = f"{element.text or ''}{shown}"
        else:
            last.tail = f"{last.tail or ''}{shown}"


def _sanitised(html: str) -> str:
    clean = nh3.clean(html, tags=set(_TAGS), attributes=_ATTRIBUTES, url_schemes=_SCHEMES, link_rel="noopener noreferrer")
    shown = visible(clean)  # once more: a character reference may have spelled a hidden one
    return _TAG_OR_QUOTE.sub(_finished, shown) if '"' in shown or "<table>" in shown else shown


_LANGUAGE = '<code class="language-'
# A table that is wider than the page scrolls, by keyboard too; a quotation mark in text is escaped, so that no text looks like an attribute.
_FINISHED = {
    '"': "&quot;",
    "<table>": '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
    "</table>": "</table></div>",
}


def _finished(found: re.Match[str]) -> str:
    whole = found.group()
    if whole.startswith(_LANGUAGE):  # of a fence: it is text like any other
        language = whole.removeprefix(_LANGUAGE).removesuffix('">')
        return f'<b class="language">{language}</b><code>'
    return _FINISHED.get(whole, whole)


def _words(text: str) -> Counter[str]:
    """Every word of *text* with its number; markup has none, and references to characters are read as these."""
    return Counter(_WORD.findall(_NUMBER_OF_A_LIST.sub(" ", unescape(unescape(text)))))


def _words_shown(html: str) -> Counter[str]:
    """Every word that a reader of *html* sees, or that the address or the title of a link has."""
    addresses = " ".join(_ADDRESS.findall(html)) if "<a " in html else ""
    return Counter(_WORD.findall(unescape(unescape(f"{TAG.sub(' ', html)} {addresses}"))))


_MARKDOWN = _made()
