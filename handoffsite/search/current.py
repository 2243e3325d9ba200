"""What an index is stamped with: the records that it holds, and by which rules they were read."""

from handoffsite import __version__

# Raised when a rule of `tokens` changes: all indexes are then built anew.
TOKENS = 2

_DIGITS = 64  # of a record set; what follows tells of mail, artefacts and handoffs

MADE_BY = f" by {__version__} with tokens {TOKENS}"


def stamped(record_set: str) -> str:
    """The stamp of an index of *record_set* that is made now."""
    return f"{record_set}{MADE_BY}"


def record_set_of(stamp: str) -> str:
    """The digest of the records alone that an index of *stamp* holds; nothing where it was made by other rules."""
    return stamp[:_DIGITS] if stamp.endswith(MADE_BY) else ""


def fits(stamp: str, record_set: str) -> bool:
    """Whether an index of *stamp* holds exactly the records of *record_set*, as this version reads them."""
    return stamp == stamped(record_set)
