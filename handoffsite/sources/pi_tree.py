"""The tree of a pi session: which of its entries lie on the way to the last one, and which were left."""

from array import array
from collections.abc import Mapping
from typing import Any

LEFT, KEPT, REPEATED = 0, 1, 2

_ROOT, _TWICE = -1, -2


class Tree:
    """Learns the entries in the order of the log; of each only where it stands and which one it follows is held.

    An entry whose parent nobody knows, as where a line was lost or in logs from before the tree, follows the one before it.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}  # of IDs only the hash: a log may have millions
        self._parents = array("q")
        self._last = _ROOT
        self._linked = False

    def add(self, entry: Mapping[str, Any]) -> None:
        """Take in the next entry."""
        number = len(self._parents)
        id = entry.get("id")
        if type(id) is str and self._numbers.setdefault(hash(id), number) != number:
            self._parents.append(_TWICE)
            return
        self._parents.append(self._parent(entry))
        self._last = number

    def fates(self) -> bytes:
        """What became of each entry: LEFT, KEPT or REPEATED."""
        if not self._linked:
            return bytes(REPEATED if parent == _TWICE else KEPT for parent in self._parents)
        fates = bytearray(REPEATED if parent == _TWICE else LEFT for parent in self._parents)
        number = self._last
        while number != _ROOT:
            fates[number] = KEPT
            number = self._parents[number]
        return bytes(fates)

    def _parent(self, entry: Mapping[str, Any]) -> int:
        """The number of the entry that *entry* follows, always a smaller one than its own."""
        parent = entry.get("parentId", "")
        if parent is None:
            return _ROOT
        known = self._numbers.get(hash(parent)) if type(parent) is str and parent else None
        if known is None or known >= len(self._parents):  # its own, which it has got just now
            return self._last
        self._linked = True
        return known
