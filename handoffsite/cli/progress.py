"""A bar for long work: on a terminal alone, on standard error, gone when the work is done."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

WIDE = 24
PATIENCE = 0.5  # seconds of work before a bar is worth it
_PAUSE = 0.1  # seconds between two drawings


class Bar:
    """How far the work is. Called with what is counted, how many are done, and how many there are."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._drawn = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Draw it, where that is due."""
        now = time.monotonic()
        if now - self._begun < PATIENCE or now - self._drawn < _PAUSE:
            return
        self._drawn = now
        full = WIDE * done // total if total else WIDE
        self._say(f"\r{'#' * full}{'.' * (WIDE - full)} {done} of {total} {what}\x1b[K")

    def clear(self) -> None:
        """Leave the line as it was."""
        if self._drawn:
            self._say("\r\x1b[K")

    def _say(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def bar() -> Iterator[Bar | None]:
    """A bar while the work goes on; None where nobody sees one."""
    if not (sys.stderr and sys.stderr.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        yield None
        return
    drawn = Bar()
    try:
        yield drawn
    finally:
        drawn.clear()
