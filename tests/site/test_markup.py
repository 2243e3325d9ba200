"""Text and HTML are told apart by their type."""

from handoffsite.site.markup import Html, escape


def test_escape_leaves_no_markup_and_no_hidden_character() -> None:
    """Quotes, angle brackets and ampersands are escaped, and what hides is written out."""
    assert "&lt;a title=&quot;x&#x27;&quot;&gt; &amp; [U+202E]" == escape('<a title="x\'"> & \u202e')
    assert isinstance(escape("x"), Html)


def test_html_is_printed_as_it_stands() -> None:
    """A template asks a value for its HTML; ours answers with itself."""
    assert "<b>x</b>" == Html("<b>x</b>").__html__()
