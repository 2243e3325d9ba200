"""Agent-written text as HTML that is safe to show: no markup of its own survives but what is allowed, and no text is lost."""

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from html import escape

from handoffsite.records.visible import visible
from handoffsite.site.limits import MAX_LINE, MAX_SHOWN, are_tight, cut
from handoffsite.site.links import Brief, mentions
from handoffsite.site.markup import Html

Known = Mapping[str, Brief]

# Python-Markdown is quadratic on many inputs, and recursive on nesting. A time limit would make pages differ from machine to
# machine, so what a text may cost is estimated from the text alone; what is over is shown as it was written.
MAX_CHARACTERS = 50_000
MAX_MARKERS = 1_500  # lines that open or end a block
MAX_FENCES = 300
MAX_NESTING = 12
MAX_BRACKET_STEPS = 1_000_000  # characters scanned for the ends of links
MAX_RUN_STEPS = 4_000_000  # characters scanned for the ends of code spans

_MARKER = re.compile(r"^[ \t>]*(?:[-+*=#:]|\d{1,9}[.)]|\|)", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_NESTED = re.compile(
    rf"^[ \t]*(?:>[ \t]*|(?:[-+*]|\d{{1,9}}[.)])[ \t]+){{{MAX_NESTING}}}"
    rf"|^(?:    |\t){{{MAX_NESTING}}}[ \t]*(?:[-+*]|\d{{1,9}}[.)])[ \t]",
    re.MULTILINE,
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_BRACKET = re.compile(r"[\[\]()]")
_QUOTE = re.compile(r"[\"']")
_RUN = re.compile(r"`+")

# What makes a text more than paragraphs of running words.
_BLOCKS = re.compile(r"^(?: {0,3}(?:[-+*][ \t]|[#>|]|\d{1,9}[.)][ \t]|```|~~~|={3,}|-{3,})| {4}|\t)", re.MULTILINE)
_INLINE = re.compile(
    r"(?P<code>`[^`\n]+`)"
    r"|\*\*(?P<strong>[^*\n]{1,300})\*\*"
    r"|(?<![\w*])\*(?P<em>[^*\s][^*\n]{0,300})\*(?![\w*])"
    r"|\[(?P<label>[^\[\]\n]{1,300})\]\((?P<href>(?:https?://|mailto:)[^\s()<>\"]{1,2000})\)"
    r"|(?<!\w)(?P<url>https?://[^\s<>\"'`|]{1,2000})"
)
_MARKED = re.compile(r"[`*\[]|://")
_URL = re.compile(r"(?<![\w\"=])https?://[^\s<>\"'`|]{1,2000}")
_TRAILING = ".,:!?)]}'\""


def line(text: str, known: Known, root: str = "") -> Html:
    """One-line *text*: code, emphasis, addresses, and a link for each ID in *known*; *root* leads to the project's folder."""
    if not text:
        return Html()
    shown = visible(cut(text, MAX_LINE))
    if not _MARKED.search(shown):
        return Html(_linked(shown, known, root))
    return Html("".join(_pieces(shown, known, root)))


def tag(brief: Brief, root: str, id: str) -> str:
    """The link to *brief*, written as *id*; title and status show on hovering, but on a page that is too large."""
    return f'<a class="id" href="{root}{brief.url}">{id}</a>' if are_tight() else _hinted(brief, root, id)


@functools.lru_cache(maxsize=1 << 14)
def _hinted(brief: Brief, root: str, id: str) -> str:
    return f'<a class="id" href="{root}{brief.url}" title="{escape(visible(brief.hint))}">{id}</a>'


def plain(text: str) -> Html:
    """One-line *text* for a place where no link may stand: only its code is marked."""
    shown = visible(cut(text, MAX_LINE))
    if "`" not in shown:
        return Html(escape(shown))
    pieces = re.split(r"`([^`\n]+)`", shown)
    marked = (f"<code>{escape(piece)}</code>" if place % 2 else escape(piece) for place, piece in enumerate(pieces))
    return Html("".join(marked))


def prose(text: str, known: Known, root: str = "") -> Html:
    """*text* as paragraphs; the Markdown library is asked only where there is more than that."""
    if not text.strip():
        return Html()
    if len(text) > MAX_LINE or _BLOCKS.search(text):
        return document(text, known, root)
    paragraphs = (paragraph.strip() for paragraph in _PARAGRAPHS.split(text))
    html = "\n".join(f"<p>{line(part, known, root)}</p>" for part in paragraphs if part)
    return Html(html)


def document(text: str, known: Known, root: str = "") -> Html:
    """*text* read as Markdown; where that would cost too much, as it was written, with a note that says so."""
    shown = visible(cut(text, MAX_SHOWN)).replace("\r\n", "\n")
    reason = too_costly(shown)
    if reason:
        return _as_written(shown, reason)
    from handoffsite.site import converter  # noqa: PLC0415 -- costly to import, and most builds change no narrative

    html = converter.convert(shown)
    return (
        _as_written(shown, "words of it would be lost") if html is None else Html(_with_links(html, converter.TAG, known, root))
    )


def _as_written(text: str, reason: str) -> Html:
    return Html(f'<p class="note">Shown as written: {reason}.</p>\n<pre>{escape(text)}</pre>')


def too_costly(text: str) -> str:
    """Why *text* is not given to the Markdown library, in words; nothing where it may be."""
    if len(text) > MAX_CHARACTERS:
        return f"it is longer than {MAX_CHARACTERS:,} characters"
    if _count(_FENCE, text) > MAX_FENCES or _count(_MARKER, text) > MAX_MARKERS:
        return "it has too many parts to be laid out"
    if _NESTED.search(text):
        return "it is nested too deeply to be laid out"
    bracket_steps = run_steps = 0
    for block in _PARAGRAPHS.split(text):
        bracket_steps += _bracket_steps(block)
        run_steps += _run_steps(block)
    if bracket_steps > MAX_BRACKET_STEPS or run_steps > MAX_RUN_STEPS:
        return "it has too many open brackets or marks to be laid out"
    return ""


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _bracket_steps(block: str) -> int:
    """How many characters are scanned to find the ends of all brackets in *block*.

    Those without an end scan to that of the block, as does an address with a quotation mark, which may open a title.
    """
    steps = 0
    end = len(block)
    open_at: dict[str, list[int]] = {"]": [], ")": []}
    for found in _BRACKET.finditer(block):
        bracket = found.group()
        if bracket == "[":
            open_at["]"].append(found.start())
        elif bracket == "(":
            open_at[")"].append(found.start())
        elif open_at[bracket]:
            start = open_at[bracket].pop()
            quoted = bracket == ")" and block[start - 1 : start] == "]" and _QUOTE.search(block, start, found.start())
            steps += (end if quoted else found.start()) - start
    return steps + sum(end - start for starts in open_at.values() for start in starts)


def _run_steps(block: str) -> int:
    """How many characters are scanned for the ends of code spans: a run seeks one of its own length, and of each shorter length.

    Where a backslash cuts a run, the rest seeks a length that no run may have.
    """
    lengths = {len(run) for run in _RUN.findall(block)} if "`" in block else set()
    return (len(lengths) + max(lengths) + block.count("\\`")) * len(block) if lengths else 0


def _with_links(html: str, tags: re.Pattern[str], known: Known, root: str) -> str:
    """Sanitised *html*, in which *tags* finds each tag, with a link for each known ID and bare address that is not inside a link already."""
    if not known and "://" not in html:
        return html
    pieces: list[str] = []
    inside = False
    end = 0
    for found in (*tags.finditer(html), None):
        text = html[end : found.start() if found else len(html)]
        pieces.append(text if inside else _linked(text, known, root, escaped=True))
        if found:
            pieces.append(found.group())
            inside = found.group().startswith("<a") or (inside and found.group() != "</a>")
            end = found.end()
    return "".join(pieces)


def _pieces(text: str, known: Known, root: str) -> Iterator[str]:
    end = 0
    for found in _INLINE.finditer(text):
        yield _linked(text[end : found.start()], known, root)
        end = found.end()
        kind = found.lastgroup
        if kind == "code":
            yield f"<code>{_linked(found.group()[1:-1], known, root)}</code>"
        elif kind == "href":
            yield _outward(found["href"], escape(found["label"]))
        elif kind == "url":
            address = found.group().rstrip(_TRAILING)
            yield _outward(address, escape(address))
            end = found.start() + len(address)
        else:
            yield f"<{kind}>{_linked(found[kind or 0], known, root)}</{kind}>"
    yield _linked(text[end:], known, root)


def _outward(address: str, label: str) -> str:
    return f'<a href="{escape(address)}" rel="noopener noreferrer">{label}</a>'


def _linked(text: str, known: Known, root: str, *, escaped: bool = False) -> str:
    """*text*, escaped, with a link for each ID in *known*."""
    keep: Callable[[str], str] = _addressed if escaped else escape
    if not known:
        return keep(text)
    pieces: list[str] = []
    end = 0
    for start, stop, id in mentions(text):
        brief = known.get(str(id))
        if brief:
            pieces += (keep(text[end:start]), tag(brief, root, text[start:stop]))
            end = stop
    pieces.append(keep(text[end:]))
    return "".join(pieces)


def _addressed(html: str) -> str:
    """Escaped *html* without tags, its bare addresses made links."""
    return _URL.sub(_address, html) if "://" in html else html


def _address(found: re.Match[str]) -> str:
    whole = found.group()
    for entity in ("&lt;", "&gt;", "&quot;"):
        whole = whole.partition(entity)[0]
    address = whole.rstrip(_TRAILING)
    return f'<a href="{address}" rel="noopener noreferrer">{address}</a>{found.group()[len(address) :]}'
