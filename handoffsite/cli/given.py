"""What a process is given: its surroundings, and the text in its files and standard input."""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from handoffsite.commands.place import Place
from handoffsite.errors import Malformed, UsageError
from handoffsite.records.utf8 import decoded

_MOST = 32 << 20  # bytes of a text


def here(project: str) -> Place:
    """The surroundings of this process. SOURCE_DATE_EPOCH, where it is set, stands for the clock."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not Path(cache).is_absolute():  # the XDG specification has a relative path ignored
        cache = str(Path(os.environ.get("HOME") or os.devnull) / ".cache")
    try:
        folder = Path.cwd()
    except FileNotFoundError as error:
        raise UsageError("the current folder is gone", hint="go to one that exists") from error
    return Place(
        folder=folder,
        now=_clock(epoch) if epoch else datetime.now(UTC),
        cache=Path(cache) / "handoffsite",
        environment=dict(os.environ),
        project=project,
    )


def text_of(file: str) -> str:
    """The text in *file*, or in standard input where it is `-`; Malformed, with the line, where it is no UTF-8, or has no end."""
    if file == "-":
        data = sys.stdin.buffer.read(_MOST + 1)
    else:
        with path_of(file).open("rb") as stream:
            data = stream.read(_MOST + 1)
    hint = "a note is Markdown or JSON; a log is --transcript"
    if len(data) > _MOST:
        raise Malformed(f"more than {_MOST >> 20} MiB, and no text that somebody wrote is so long", file=file, hint=hint)
    return decoded(data, file, hint)


def path_of(file: str) -> Path:
    """*file* as a path; UsageError for a named pipe, on which a reader may wait for ever. The shell's `<(…)` has its writer."""
    path = Path(file)
    if path.is_fifo() and not file.startswith(("/dev/fd/", "/dev/std", "/proc/")):
        raise UsageError("a pipe, which may have no writer", file=file, hint="`- < PIPE` reads it")
    return path


def _clock(epoch: str) -> datetime:
    try:
        return datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError) as error:
        hint = "unset it, or give it whole seconds since 1970"
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch[:40]!r}, not a number of seconds", hint=hint) from error
