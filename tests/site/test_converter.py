"""Markdown becomes HTML in which every word of the text still stands, in an order of headings that a page can hold."""

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.site.converter import convert
from handoffsite.site.markdown import document

# What Markdown is made of, and what its readers stumble over.
_MARKS = (
    '``` ~~~ | |---| --- === [ ]( ](https://x.test/ " ) ![ < > <!-- ** * ` `` : [^ {: } \\ &amp; &#x41; https:// ```python *['
)
_BLOCKS = (
    "# ",
    "## ",
    "- ",
    "1. ",
    "> ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "  \n",
    "[x]: ",
    "``` {.x #y}\n",
    "\n| a |\n|---|\n| b | c |\n",
)
PIECES = (*_MARKS.split(), *_BLOCKS)


@given(st.lists(st.sampled_from([*PIECES, "word"]), max_size=12))
@settings(max_examples=500)
def test_no_word_is_lost(pieces: list[str]) -> None:
    """Whatever marks stand between them: each numbered word is shown, or is in the address or the title of a link."""
    words = iter(range(len(pieces)))
    text = "".join(f"w{next(words)}w" if piece == "word" else piece for piece in pieces)
    html = unescape(document(text, {}))

    assert [] == [word for word in re.findall(r"w\d+w", text) if word not in html]


def test_what_would_lose_words_is_not_laid_out() -> None:
    """What the library drops is known by the words that are missing, and the whole is shown as it was written."""
    text = '# Run\n\n``` {.sh #numbered title="two"}\nmake\n```\n'

    assert convert(text) is None
    assert '<p class="note">Shown as written: words of it would be lost.</p>' in document(text, {})
    assert "title=&quot;two&quot;" in document(text, {})


def test_a_row_with_more_cells_than_columns_keeps_them() -> None:
    """An unescaped bar in a cell is common in notes of commands."""
    html = str(convert("| command | does |\n| --- | --- |\n| ls | cat | wc | counts |\n"))

    assert "<td>cat | wc | counts</td>" in html


def test_the_language_of_a_fence_is_shown() -> None:
    """It is text like any other."""
    assert '<pre><b class="language">c++</b><code>int x;\n</code></pre>' == convert("```c++\nint x;\n```")


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("# a\n\n## b\n\n# c", [3, 4, 3]),
        ("## a\n\n### b\n\n## c", [3, 4, 3]),
        ("#### a\n\n# b\n\n###### c", [3, 3, 4]),
        ("# a\n\n## b\n\n### c\n\n#### d\n\n##### e", [3, 4, 5, 6, 6]),
        ("a\n=\n\nb\n-", [3, 4]),
    ],
)
def test_headings_follow_those_of_the_page(text: str, levels: list[int]) -> None:
    """The page has the first two levels; none is skipped, whichever the text begins with."""
    assert levels == [int(found) for found in re.findall(r"<h(\d)>", str(convert(text)))]


def test_a_wide_table_can_be_scrolled_by_keyboard() -> None:
    """It is wrapped in a group that takes the focus; what a title says opens nothing."""
    html = str(convert('| a |\n|---|\n| [x](https://x.test/ "<table>") |\n'))

    assert 1 == html.count('<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    assert 1 == html.count("</table></div>")
