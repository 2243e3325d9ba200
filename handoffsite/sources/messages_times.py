"""Moments as the tools that write plain chats spell them: ISO 8601, or seconds or milliseconds since 1970."""

from datetime import UTC, datetime
from typing import Any

from handoffsite.sources.text import moment

_FIRST = 500_000_000  # seconds; a smaller number is no time but a count
_LAST = 10_000_000_000
_MILLISECONDS = 1_000


def instant(value: Any) -> str:
    """*value* as ISO 8601 in UTC, to the millisecond where it tells them, or nothing where it is no time."""
    if type(value) is str:
        return moment(value)
    if type(value) not in (int, float):
        return ""
    if _FIRST * _MILLISECONDS <= value < _LAST * _MILLISECONDS:
        value /= _MILLISECONDS
    if not _FIRST <= value < _LAST:
        return ""
    return datetime.fromtimestamp(value, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
