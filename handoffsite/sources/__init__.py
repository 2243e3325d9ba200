"""Where records come from: agents' logs, each read by a module of its own, notes, and git."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from handoffsite.errors import HandoffError, Malformed, NotFound, Refused, UsageError
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import claude_code, codex
from handoffsite.sources.lines import CHUNK, Readable, first_objects

HEAD = 1 << 16  # bytes that tell the format
DEEPEST_PEEK = 4 << 20  # bytes in which a log says whose it is


class Reader(Protocol):
    """What reads the logs of one agent."""

    NAME: str

    def detect(self, head: bytes) -> bool:
        """Whether a file that begins with *head* is this agent's."""
        ...

    def read(self, stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:
        """The session in *stream*; *path* names it, and leads to what the agent keeps *beside* it."""
        ...


FORMATS: tuple[Reader, ...] = (claude_code, codex)

_MAGIC = {
    b"\x28\xb5\x2f\xfd": ("compressed with zstd", "decompress it first: zstd -d"),
    b"\x1f\x8b": ("compressed with gzip", "decompress it first: gunzip -k"),
    b"PK\x03\x04": ("a zip archive", "unpack it first"),
    b"SQLite format 3\0": ("an SQLite database", "export the session from its agent first"),
}


def identify(head: bytes, file: str) -> Reader:
    """The reader for a file that begins with *head*; Malformed, with what was looked for, where there is none."""
    for reader in FORMATS:
        if reader.detect(head):
            return reader
    names = ", ".join(reader.NAME for reader in FORMATS)
    what, hint = _nature(head)
    raise Malformed(f"{what}; looked for a session log of {names}", file=file, hint=hint)


def open_transcript(path: Path, format: str | None = None) -> Transcript:
    """The session in the file at *path*; it is open only while events are drawn from it.

    Malformed where the content is of no known format, NotFound and Refused where the file cannot be read.
    """
    if _is_pipe(path):
        return _from_pipe(path, format)
    reader = _reader_of(path, format)
    transcript = reader.read(_Beginning(None), path)
    transcript.read = lambda opened: _events(reader, path, opened)
    return transcript


def peek(path: Path, format: str | None = None) -> Transcript:
    """What the first lines of the log at *path* say of its session: ID, directory, parent. Its events are spent.

    The same errors as of `open_transcript`.
    """
    reader = _reader_of(path, format)
    try:
        with path.open("rb") as stream:
            transcript = reader.read(_Beginning(stream), path, beside=False)
            for _ in transcript:
                if transcript.cwd and transcript.session:
                    break
    except OSError as error:
        raise _unreadable(path, error) from error
    transcript.session = transcript.session or path.stem
    return transcript


def count_lines(path: Path) -> int:
    """How many lines the file at *path* has, as an account counts them."""
    count, last = 0, b"\n"
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                count += chunk.count(b"\n")
                last = chunk
    except OSError as error:
        raise _unreadable(path, error) from error
    return count + (not last.endswith(b"\n"))


def read_stream(stream: BinaryIO, format: str | None = None) -> Transcript:
    """The session that comes in through *stream*, which need not be a file."""
    head = b""
    while len(head) < HEAD and (piece := stream.read(HEAD - len(head))):
        head += piece
    return _chosen(format, head, "standard input").read(_Rejoined(head, stream))


def _is_pipe(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise _unreadable(path, error) from error
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def _reader_of(path: Path, format: str | None) -> Reader:
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError as error:
        raise _unreadable(path, error) from error
    return _chosen(format, head, str(path))


def _chosen(format: str | None, head: bytes, file: str) -> Reader:
    if format is None:
        return identify(head, file)
    known = {reader.NAME: reader for reader in FORMATS}
    if format not in known:
        raise UsageError(f"{format!r} is no format of a session log", hint=f"known are {', '.join(known)}")
    if not head.strip(b"\0 \t\r\n"):
        raise Malformed(f"{_nature(head)[0]}; a session log of {format} was expected", file=file, hint=_nature(head)[1])
    return known[format]


def _events(reader: Reader, path: Path, transcript: Transcript) -> Iterator[Event]:
    try:
        with path.open("rb") as stream:
            yield from reader.read(stream, path).read(transcript)
    except OSError as error:
        raise _unreadable(path, error) from error


def _from_pipe(path: Path, format: str | None) -> Transcript:
    """What a pipe says it says once: it is opened once, and closed when its events are drawn."""
    stream = path.open("rb")
    try:
        transcript = read_stream(stream, format)
    except HandoffError:
        stream.close()
        raise
    inner = transcript.read

    def events(opened: Transcript) -> Iterator[Event]:
        with stream:
            yield from inner(opened)

    transcript.read = events
    return transcript


def _unreadable(path: Path, error: OSError) -> HandoffError:
    if isinstance(error, FileNotFoundError):
        return NotFound("no such file", file=str(path), hint="name the session log that the agent wrote")
    if isinstance(error, IsADirectoryError):
        return Refused("a folder, not a session log", file=str(path), hint="name one of the files in it")
    return Refused(f"cannot be read: {error.strerror}", file=str(path), hint="see to its permissions")


def _nature(head: bytes) -> tuple[str, str]:
    """What *head* is instead of a log, and what can be done."""
    if not head.strip():
        return "the file is empty", "the agent may not have written it yet"
    if not head.strip(b"\0 \t\r\n"):
        return "the file holds only NUL bytes", "it was lost when the machine stopped; take a copy of it, if there is one"
    for magic, nature in _MAGIC.items():
        if head.startswith(magic):
            return nature
    first = next(first_objects(head), None)
    if first is not None:
        keys = ", ".join(str(key)[:40] for key in list(first)[:6])
        return (
            f"JSON of another kind, its first object has the keys {keys}",
            "name the format with --format, if it is one of these",
        )
    if b"\0" in head:
        return "the file is binary", "name the session log that the agent wrote"
    return "no JSON object in its first 64 KiB", "name the session log that the agent wrote"


class _Rejoined:
    """A stream of which the beginning was read already."""

    def __init__(self, head: bytes, stream: Readable) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        if self._head:
            piece, self._head = self._head[:size], self._head[size:]
            return piece
        return self._stream.read(size)


class _Beginning:
    """The first part of a stream, in small pieces: whoever looks for something there reads no more than that takes."""

    def __init__(self, stream: Readable | None) -> None:
        self._stream = stream
        self._left = DEEPEST_PEEK

    def read(self, size: int, /) -> bytes:
        piece = self._stream.read(min(size, HEAD, self._left)) if self._stream and self._left else b""
        self._left -= len(piece)
        return piece
