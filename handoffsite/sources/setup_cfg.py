"""What a setup.cfg declares."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.requirement import Requirement
from handoffsite.records.requirement import pypi as stated
from handoffsite.records.setup_cfg import entries
from handoffsite.records.setup_cfg import setup_cfg as read
from handoffsite.sources.lock import Warn

_ELSEWHERE = ("file:", "attr:")


def setup_cfg(text: str, warn: Warn) -> Iterator[Requirement]:
    """What the options of a setup.cfg ask for; what they take from another file is a warning."""
    lines = text.split("\n")
    for entry in entries(lines):
        if entry.asks and entry.value.startswith(_ELSEWHERE):
            warn(entry.line, f"what {entry.value[:60]!r} lists is not read here")
        elif entry.asks and stated(entry.value.partition(" #")[0]) is None:
            raise Malformed(f"not a requirement: {entry.value[:60]!r}", line=entry.line)
    yield from read(lines)
