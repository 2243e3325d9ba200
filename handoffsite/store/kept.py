"""The fold that a process keeps open between its commands, which come one at a time and only read."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from handoffsite.errors import HandoffError
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold


class KeptFold:
    """One project's fold, open: each command finds it in line with the records, and pays for what has changed since the last."""

    def __init__(self) -> None:
        self._fold: Fold | None = None
        self._cache: Path | None = None

    @contextlib.contextmanager
    def of(self, boundary: Boundary, cache: Path | None) -> Iterator[Fold]:
        """The fold of *boundary* as it is now, as `Fold` gives it."""
        fold, self._fold = self._fold, None  # while it is in use, it is nobody else's
        if fold and (fold.is_alone or (fold.boundary.root, self._cache) != (boundary.root, cache)):
            fold.close()
            fold = None
        if fold is None:
            fold = Fold(boundary, cache, kept=True)
        fold.boundary = boundary  # its settings may have changed
        try:
            with fold:
                yield fold
        except HandoffError:  # a question without an answer says nothing against the fold
            self._keep(fold, cache)
            raise
        except BaseException:
            fold.close()
            raise
        self._keep(fold, cache)

    def _keep(self, fold: Fold, cache: Path | None) -> None:
        if self._fold:
            fold.close()
        else:
            self._fold, self._cache = fold, cache
