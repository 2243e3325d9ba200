"""Text that is HTML already, told apart from text that is not yet."""

import html

from handoffsite.records.visible import visible


class Html(str):
    """HTML that is safe to print as it stands; templates escape every other text."""

    __slots__ = ()

    def __html__(self) -> str:
        """What Jinja prints."""
        return self


NOTHING = Html()


def escape(text: str) -> Html:
    """*text* as HTML, for content and for attributes in quotes, its hidden characters written out."""
    return Html(html.escape(visible(text)))
