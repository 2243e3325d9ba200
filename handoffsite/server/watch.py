"""Build again when something changed. Events only wake; what decides is how the files lie there.

So an event too many costs a look and no build, a build that writes beside what it reads does not start the next one, and a file
that changes during a build is built after it. Where the system gives no events, or loses them, the look comes by the clock.
"""

import contextlib
import logging
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handoffsite.commands.build import Built, build
from handoffsite.commands.place import Place
from handoffsite.commands.watching import Look, sources
from handoffsite.errors import Conflict, HandoffError

QUIET = 0.15  # seconds without an event, after which what was saved is taken to be whole
PATIENCE = 1.0  # seconds of events without a pause, after which it is built all the same
GRACE = 3.0  # seconds that an event may be late: half a second is usual for a file that moved away
TURN = 1.0  # seconds between two looks by the clock
_SHARE = 100  # of the time, a look by the clock takes at most one part in so many
_CHANGES = frozenset({"created", "modified", "moved", "deleted", "closed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One build: what *changed* before it, what was *built* or which *error* stopped it, and the *seconds* that it took."""

    changed: tuple[str, ...]
    seconds: float
    built: Built | None = None
    error: HandoffError | OSError | None = None


class Watch:
    """Builds what *now* speaks of whenever its sources change. *tell* hears of each round, *warn* of what else a user should know."""

    def __init__(
        self, now: Callable[[], Place], tell: Callable[[Round], None], warn: Callable[[str], None], *, workspace: bool = False
    ) -> None:
        self._now, self._tell, self._warn, self._workspace = now, tell, warn, workspace
        self.sources = sources(now(), workspace=workspace)
        self.polls = False
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._unfinished = False
        self._seen: dict[Path, Look] = {}
        self._turn = TURN
        self._observer: Any = None
        self._watched: dict[Path, tuple[int, Any]] = {}  # with the number of the folder on the disk, by which another one is told
        self._failure = ""
        self._missed = 0.0  # when the clock saw what no event had told of

    def stop(self) -> None:
        """End `run`, from another thread."""
        self._stopped.set()
        self._wake.set()

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Be woken by events from here on; say so where there are none to be had."""
        before = threading.excepthook
        threading.excepthook = self._failed
        log = logging.getLogger("watchdog")
        log.addHandler(logging.NullHandler())
        log.propagate = False
        try:
            with warnings.catch_warnings():
                # It warns of a folder that it meets twice while it comes into being; the user has nothing to do about it.
                warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
                self._observe()
                yield
        finally:
            threading.excepthook = before
            self._dismiss()

    def run(self) -> None:
        """Build, and build again, until `stop`; within `watching`."""
        self._build(())
        while not self._stopped.is_set():
            woken = self._woken()
            if self._stopped.is_set():
                return
            if self._failure:
                self._poll(self._failure)
            changed = _changed(self._seen, self._look())
            self._judge(changed, woken=woken)
            if changed or self._unfinished:
                self._build(changed)

    def _woken(self) -> bool:
        """Whether there were events, and all is quiet after them; False after a turn of the clock without any."""
        if not self._wake.wait(self._turn):
            return False
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not self._stopped.is_set():
            self._wake.clear()
            if not self._wake.wait(QUIET):
                break
        self._wake.clear()
        return True

    def _judge(self, changed: tuple[str, ...], *, woken: bool) -> None:
        """Rely on the clock alone where it saw a change of which no event told, then or soon after."""
        now = time.monotonic()
        if woken:
            self._missed = 0.0
        elif changed and not self._missed and self._is_watched(changed):
            self._missed = now
        if self._missed and now - self._missed > GRACE:
            self._missed = 0.0
            self._poll("the system did not report a change")

    def _build(self, changed: tuple[str, ...]) -> None:
        self._seen = self._look()
        started = time.monotonic()
        built, error = None, None
        try:
            built = build(self._now(), workspace=self._workspace)
        except (HandoffError, OSError) as found:
            error = found
        # Another writer held the records: nobody will save them again for our sake.
        self._unfinished = isinstance(error, Conflict) or (
            built is not None and any(one.code == Conflict.code for one in built.problems)
        )
        self._tell(Round(changed=changed, seconds=time.monotonic() - started, built=built, error=error))
        with contextlib.suppress(HandoffError, OSError):  # the old ones hold until what is broken is mended
            self.sources = sources(self._now(), workspace=self._workspace)
            self._observe()
        if _changed(self._seen, self._look()):
            self._wake.set()

    def _look(self) -> dict[Path, Look]:
        started = time.monotonic()
        found = self.sources.look()
        self._turn = max(TURN, _SHARE * (time.monotonic() - started))
        return found

    def _observe(self) -> None:
        """Watch every folder that there is, and no other."""
        if self.polls:
            return
        from watchdog.observers import Observer  # noqa: PLC0415 -- only who watches pays for it

        wanted = self._wanted()
        try:
            if self._observer is None:
                self._observer = Observer()
                self._observer.start()
            for folder, (number, watch) in list(self._watched.items()):
                if wanted.get(folder, (0, False))[0] != number:
                    del self._watched[folder]
                    self._observer.unschedule(watch)
            for folder in wanted.keys() - self._watched.keys():
                number, whole = wanted[folder]
                self._watched[folder] = number, self._observer.schedule(self, str(folder), recursive=whole)
        except (OSError, LookupError, RuntimeError) as error:
            self._poll(getattr(error, "strerror", "") or f"the watching library says {type(error).__name__}")

    def _wanted(self) -> dict[Path, tuple[int, bool]]:
        """Each folder to watch, its number on the disk, and whether it is watched with all that is in it.

        Not so where the site is in it: a build swaps it in whole, at which watches below break.
        """
        found: dict[Path, bool] = {file.parent: False for file in self.sources.files}
        for folder in self.sources.folders:
            whole = not self.sources.site.is_relative_to(folder)
            found[folder] = whole
            if not whole and folder.is_dir():
                found |= {inside: True for inside in folder.iterdir() if inside.is_dir() and self.sources.holds(str(inside))}
        wanted = {}
        for folder, whole in found.items():
            with contextlib.suppress(OSError):
                if folder.is_dir():
                    wanted[folder] = folder.stat().st_ino, whole
        return wanted

    def dispatch(self, event: Any) -> None:
        """Take one event, as watchdog hands it over. Opening and reading, which a build does itself, is no change."""
        if event.event_type in _CHANGES and any(
            path and self.sources.holds(os.fsdecode(path)) for path in (event.src_path, getattr(event, "dest_path", ""))
        ):
            self._wake.set()

    def _failed(self, failure: threading.ExceptHookArgs) -> None:
        """A thread of the watching library ended: so do its events."""
        self._failure = f"the watching library ended with {failure.exc_type.__name__}"
        self._wake.set()

    def _poll(self, why: str) -> None:
        if not self.polls:
            self.polls = True
            self._warn(f"no watches ({why}): the files are looked at every {self._turn:.1f} s instead")
            self._dismiss()

    def _dismiss(self) -> None:
        observer, self._observer = self._observer, None
        self._watched.clear()
        if observer is not None:
            with contextlib.suppress(OSError, LookupError, RuntimeError):  # it may be broken already
                observer.stop()

    def _is_watched(self, changed: tuple[str, ...]) -> bool:
        """Whether an event should have told of any of *changed*: it lies in a folder that is watched and was there."""
        return not self.polls and any(Path(path).is_relative_to(folder) for folder in self._watched for path in changed)


def _changed(old: Mapping[Path, Look], new: Mapping[Path, Look]) -> tuple[str, ...]:
    """The paths that differ."""
    found = []
    for top in sorted(old.keys() | new.keys()):
        before, after = old.get(top, {}), new.get(top, {})
        if before != after:
            found += sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return tuple(found)
