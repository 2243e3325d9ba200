"""What a large project would save with another engine: both measured on a part of its own documents."""

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from handoffsite import durable
from handoffsite.search.documents import Document

LARGE = 5_000  # documents, from which on another engine is worth a word
SAMPLE = 500
_MARK = "told-of-fts5"


@dataclass(frozen=True, slots=True)
class Cost:
    """What an index of all documents takes to be made: *seconds* of CPU, and *size* in bytes."""

    seconds: float
    size: int


def is_told(cache: Path) -> bool:
    """Whether the project of *cache* was told already."""
    return durable.is_file(cache / _MARK)


def note_told(cache: Path) -> None:
    """It has been told now, and is not again."""
    durable.write(cache / _MARK, b"", sync=False, mode=durable.PRIVATE_FILE)


def compared(documents: Sequence[Document], clock: Callable[[], float]) -> tuple[Cost, Cost]:
    """What Whoosh and FTS5 take for *documents*, reckoned from some hundred of them, in memory; *clock* counts CPU seconds."""
    from handoffsite.search import fts5, whoosh_index  # noqa: PLC0415 -- only who is told needs both

    sample = documents[:: max(1, len(documents) // SAMPLE)]
    times = len(documents) / max(1, len(sample))
    start = clock()
    files = whoosh_index.updated({}, sample).files
    between = clock()
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as base:
        fts5.update(base, sample, {})
        end = clock()
        (pages,), (page,) = (base.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    whoosh = Cost(times * (between - start), round(times * sum(map(len, files.values()))))
    return whoosh, Cost(times * (end - between), round(times * pages * page))
