"""What hooks leave to a process of its own: the inbox extracted and finished sessions found, by one process at a time.

A session whose client has no end of session is taken up when nothing was said in it for a while; until then this process waits.
"""

import time
from pathlib import Path

from handoffsite.commands.catch_up import CaughtUp, catch_up
from handoffsite.commands.place import Place, cache_of, find_boundary
from handoffsite.errors import HandoffError
from handoffsite.store import inbox
from handoffsite.store.boundary import Boundary
from handoffsite.store.inbox import Pointer
from handoffsite.store.turn import tell, turn

IDLE = 10 * 60  # seconds without a word after which a turn's end counts as the session's
PAUSE = 2.0  # seconds between two looks at the inbox
LONGEST = 6 * 3600  # seconds that a process waits in all: what waits longer is the next one's
SETTLED = 0.3  # seconds in which a log did not grow: its client writes the last lines while its hooks run already
PATIENCE = 5.0  # seconds that a log may take to settle
MOST_TOLD = 20  # problems that the report names


def run(place: Place) -> CaughtUp | None:
    """Catch up with the project around *place* until nothing waits; None where another process does so already."""
    boundary = find_boundary(place)
    folder = cache_of(place, boundary)
    with turn(folder, LONGEST) as is_ours:
        if not is_ours:
            return None
        caught = _caught_up(place, boundary, folder)
        deadline = time.monotonic() + LONGEST
        while (waiting := [pointer for _, pointer in inbox.pointers(boundary)[0]]) and time.monotonic() < deadline:
            if any(is_ready(boundary, pointer, time.time()) for pointer in waiting):
                again = _caught_up(place, boundary, folder)
                if not again.inbox:  # what is left cannot be read, now or in two seconds
                    break
            elif not any(_may_be_ready(boundary, pointer) for pointer in waiting):
                break
            time.sleep(PAUSE)
    return caught


def is_ready(boundary: Boundary, pointer: Pointer, now: float) -> bool:
    """Whether the session of *pointer* is over at *now*, seconds since 1970."""
    if not pointer.goes_on:
        return True
    written = _written(boundary, pointer)
    return abs(now - written) >= IDLE


def _caught_up(place: Place, boundary: Boundary, folder: Path | None) -> CaughtUp:
    for _, pointer in inbox.pointers(boundary)[0]:
        _settle(boundary, pointer)
    try:
        caught = catch_up(place, ready=lambda pointer: is_ready(boundary, pointer, time.time()))
    except HandoffError as error:
        tell(folder, {"time": place.time, "recorded": [], "problems": [str(error)]})
        raise
    problems = [f"{one.file}: {one.message}" for one in caught.problems]
    tell(folder, {"time": place.time, "recorded": caught.recorded, "problems": problems[:MOST_TOLD]})
    return caught


def _settle(boundary: Boundary, pointer: Pointer) -> None:
    """Wait until the log of *pointer* has not grown for a moment."""
    deadline = time.monotonic() + PATIENCE
    size = inbox.size_of(boundary, pointer)
    while size is not None and time.monotonic() < deadline:
        time.sleep(SETTLED)
        before, size = size, inbox.size_of(boundary, pointer)
        if size == before:
            return


def _may_be_ready(boundary: Boundary, pointer: Pointer) -> bool:
    """Whether waiting helps: the log is there to be looked at."""
    return pointer.goes_on and inbox.size_of(boundary, pointer) is not None


def _written(boundary: Boundary, pointer: Pointer) -> float:
    try:
        return (boundary.root / pointer.transcript).stat().st_mtime if pointer.transcript else 0.0
    except OSError:
        return 0.0
