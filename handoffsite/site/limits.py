"""How much of one text a page may hold: enough for any reader, and less where the page as a whole would be too large."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

MAX_PAGE = 1_000_000  # bytes
MAX_SHOWN = 300_000  # characters of one text; the record has them all
MAX_LINE = 20_000  # characters of a text that should be a line
# Characters of each text, tried one after the other until the page is small enough.
TIGHTER = (20_000, 4_000, 800, 160, 40)

_allowed: ContextVar[int] = ContextVar("characters of one text on the page that is being drawn", default=MAX_SHOWN)


def cut(text: str, limit: int) -> str:
    """At most *limit* characters of *text*, or fewer where the page is too large; a cut says how much is left out."""
    limit = min(limit, allowed())
    return text if len(text) <= limit else f"{text[:limit]}… [{len(text) - limit:,} more characters are in the record]"


def allowed() -> int:
    """How many characters of one text the page that is being drawn may hold."""
    return _allowed.get()


def are_tight() -> bool:
    """Whether the page that is being drawn was too large, so that it does without what repeats other pages."""
    return allowed() < MAX_SHOWN


@contextmanager
def tight(characters: int) -> Iterator[None]:
    """Within it no text is longer than *characters*."""
    token = _allowed.set(characters)
    try:
        yield
    finally:
        _allowed.reset(token)
