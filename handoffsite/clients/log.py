"""A session log as it lies in its agent's own place."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The file at *path*, of *client*. *stamp* changes whenever the file does; *time* is when, in seconds since 1970.

    *cwd* is where it was held as far as the place says so, *digest* the SHA-256 of that path where the place says no more.
    Where *fault* is set, *path* is something in the place that cannot be read, and no log.
    """

    path: Path
    client: str
    stamp: str = ""
    time: float = 0.0
    cwd: str = ""
    digest: str = ""
    fault: str = ""
