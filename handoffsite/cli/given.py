"""What a process is given: its surroundings, and the text in its files and standard input."""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from handoffsite.commands.place import Place
from handoffsite.errors import UsageError


def here(project: str) -> Place:
    """The surroundings of this process. SOURCE_DATE_EPOCH, where it is set, stands for the clock."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not Path(cache).is_absolute():  # the XDG specification has a relative path ignored
        cache = str(Path(os.environ.get("HOME") or os.devnull) / ".cache")
    return Place(
        folder=Path.cwd(),
        now=_clock(epoch) if epoch else datetime.now(UTC),
        cache=Path(cache) / "handoffsite",
        environment=dict(os.environ),
        project=project,
    )


def text_of(file: str) -> str:
    """The text in *file*, or in standard input where it is `-`; UsageError, with the line, where it is no UTF-8."""
    if (
        file != "-" and Path(file).is_fifo() and not file.startswith(("/dev/", "/proc/"))
    ):  # the shell's <(…) is one that has a writer
        raise UsageError("a pipe, which may have no writer", file=file, hint="`- < PIPE` reads it")
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            "not UTF-8 text", file=file, line=line, hint="a note is Markdown or JSON; a log is --transcript"
        ) from error


def _clock(epoch: str) -> datetime:
    try:
        return datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError) as error:
        hint = "unset it, or give it whole seconds since 1970"
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch[:40]!r}, not a number of seconds", hint=hint) from error
