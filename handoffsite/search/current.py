"""Whether an index holds the records as they stand: answered from its seal, without opening it."""

from pathlib import Path

from handoffsite import __version__
from handoffsite.search.cache import Cache

# Raised when a rule of `tokens` changes: all indexes are then built anew.
TOKENS = 1

MADE_BY = f" by {__version__} with tokens {TOKENS}"


def stamped(record_set: str) -> str:
    """The stamp of an index of *record_set* that is made now."""
    return f"{record_set}{MADE_BY}"


def is_current(folder: Path, record_set: str) -> bool:
    """Whether the index in *folder* holds exactly the records of *record_set*, as this version reads them."""
    seal = Cache(folder).seal()
    return seal is not None and seal.stamp == stamped(record_set)
