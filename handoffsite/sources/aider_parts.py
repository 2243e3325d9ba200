"""Where each session stands in a file of Aider's, and what it is called."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from handoffsite.errors import HandoffError, Refused
from handoffsite.sources.lines import CHUNK, Readable

START = 1_000  # bytes of a line that tell what it is
LONGEST = 200  # characters of it by which a session without a header is known

_HEADER = re.compile(rb"# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)[ \t\r]*$")

# The human's words, also those that a command carries; most commands only tend to the chat.
_SAYS = re.compile(
    rb"#### +(?!<blank>)(?:[^/\s]|/(?:ask|code|architect|context|copy-context|run|git|test|lint|commit|undo|web)\b|/\S*/|/\s)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A session's place in its file, in bytes; *line* is its first."""

    session: str
    started: str
    offset: int
    end: int
    line: int


def parts_of(path: Path) -> list[Part]:
    """Where the sessions are; what stands before the first header is one, too, if anything was said in it."""
    try:
        return _found(path)
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> HandoffError:
    """Why the file at *path* gives no session."""
    return Refused(f"cannot be read: {error.strerror}", file=str(path), hint="see to its permissions")


def _found(path: Path) -> list[Part]:
    parts: list[Part] = []
    seen: dict[str, int] = {}
    begun, first, said = Part("", "", 0, 0, 1), b"", False
    offset = 0
    with path.open("rb") as stream:
        for number, (raw, length) in enumerate(_raw_lines(stream), 1):
            if raw.startswith(b"# aider chat") and (found := _HEADER.match(raw)):
                if said:
                    parts.append(_closed(begun, first, offset))
                started = f"{found[1].decode()}T{found[2].decode()}Z"
                begun, first, said = Part(identity(started, seen), started, offset, 0, number), b"", False
            elif not said and raw.startswith(b"#### "):
                first = first or raw
                said = _SAYS.match(raw) is not None
            offset += length
    if said:
        parts.append(_closed(begun, first, offset))
    return parts


def _closed(begun: Part, first: bytes, end: int) -> Part:
    session = begun.session or headless(first[:START].decode(errors="replace"))
    return Part(session, begun.started, begun.offset, end, begun.line)


def _raw_lines(stream: Readable) -> Iterator[tuple[bytes, int]]:
    """The start of each line of *stream*, and how many bytes the line has with its newline."""
    start, length = b"", 0
    while chunk := stream.read(CHUNK):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield (start + line[:START] if length else line), length + len(line) + 1
            start, length = b"", 0
        start = (start + rest[:START])[:START]
        length += len(rest)
    if length:
        yield start, length


def identity(started: str, seen: dict[str, int]) -> str:
    """A session's ID: when it was started, and its number where several were in one second. It stays as the file grows."""
    seen[started] = count = seen.get(started, 0) + 1
    return started.removesuffix("Z").replace(":", "-") + (f"-{count}" if count > 1 else "")


def headless(said: str) -> str:
    """The ID of a session whose header is lost, from the first words in it."""
    return f"headless-{hashlib.sha256(said.strip()[:LONGEST].encode(errors='replace')).hexdigest()[:12]}"


class Stretch:
    """The next *length* bytes of a stream."""

    def __init__(self, stream: Readable, length: int) -> None:
        self._stream = stream
        self._left = length

    def read(self, size: int, /) -> bytes:
        """At most *size* bytes of them."""
        piece = self._stream.read(min(size, self._left))
        self._left -= len(piece)
        return piece
