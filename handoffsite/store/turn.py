"""Whose turn it is to work on a project in the background, and what the last one left to tell; in the private cache."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from handoffsite import durable
from handoffsite.errors import Conflict, HandoffError

_REPORT = "background.json"


@contextlib.contextmanager
def turn(cache: Path | None, seconds: float) -> Iterator[bool]:
    """Whether it is this process's turn, after whoever works now; at most one waits, up to *seconds*, and sees what came meanwhile."""
    if cache is None:
        yield True
        return
    with contextlib.ExitStack() as held:
        try:
            with durable.lock(cache / "next.lock", timeout=0, mode=durable.PRIVATE_FILE):
                held.enter_context(durable.lock(cache / "worker.lock", timeout=seconds, mode=durable.PRIVATE_FILE))
        except Conflict:
            yield False
            return
        yield True


def tell(cache: Path | None, report: Mapping[str, Any], name: str = _REPORT) -> None:
    """Keep *report* under *name* for whoever asks; without a cache nobody can."""
    if cache:
        with contextlib.suppress(HandoffError):
            data = json.dumps(report, ensure_ascii=False).encode()
            durable.write(cache / name, data, sync=False, mode=durable.PRIVATE_FILE)


def told(cache: Path | None, name: str = _REPORT) -> dict[str, Any]:
    """What was told last under *name*; empty where nothing was."""
    try:
        found = json.loads((cache / name).read_bytes()) if cache else {}
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
