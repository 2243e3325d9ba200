"""Where records come from: agents' logs, each read by a module of its own, notes, and git."""

import functools
import stat
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from handoffsite.errors import HandoffError, Malformed, NotFound, Refused, UsageError
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.compressed import opened
from handoffsite.sources.lines import Readable, Rejoined, first_objects

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


# One module each, loaded when the ones before it have not known the file. A looser rule stands behind a stricter one.
FORMATS = (
    "claude-code",
    "codex",
    "gemini-cli",
    "antigravity",
    "copilot-cli",
    "copilot-vscode",
    "opencode",
    "aider",
    "specstory",
    "pi",
    "droid",
    "cursor",
    "amp",
    "windsurf",
    "cline",
    "swe-agent",
    "messages",
)


class Store(Reader, Protocol):
    """A reader of files that hold many sessions."""

    def sessions(self, path: Path) -> list[Transcript]:
        """Every session in the file at *path*, oldest first; each is read when its events are drawn."""
        ...


_MAGIC = {
    b"\x28\xb5\x2f\xfd": ("compressed with zstd", "decompress it first: zstd -d"),
    b"\x1f\x8b": ("compressed with gzip", "decompress it first: gunzip -k"),
    b"PK\x03\x04": ("a zip archive", "unpack it first"),
    b"SQLite format 3\0": (
        "an SQLite database without OpenCode's tables session, message and part",
        "export the session from its agent first",
    ),
}


def identify(head: bytes, file: str) -> Reader:
    """The reader for a file that begins with *head*; Malformed, with what was looked for, where there is none."""
    for name in FORMATS:
        reader = reader_of(name)
        if reader.detect(head):
            return reader
    names = ", ".join(FORMATS)
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


def open_transcripts(path: Path, format: str | None = None) -> list[Transcript]:
    """Every session in the file at *path*, oldest first: most agents keep one in a file. Each is read when its events are drawn.

    The same errors as of `open_transcript`, and Malformed where a file of a known format holds no session.
    """
    listing = None if _is_pipe(path) else getattr(_reader_of(path, format), "sessions", None)
    if listing is None:
        return [open_transcript(path, format)]
    found = _listed(path, listing)
    for transcript in found:
        transcript.read = functools.partial(_drawn, transcript.read, path)
    return found


def heads(path: Path) -> list[Transcript]:
    """What the file at *path* says of each of its sessions before they are read: ID, directory, parent.

    The events of a file's only session are spent; where there are more, they are still to be drawn.
    """
    found = open_transcripts(path)
    return found if len(found) > 1 else [peek(path)]


def peek(path: Path, format: str | None = None) -> Transcript:
    """What the first lines of the log at *path* say of its session: ID, directory, parent. Its events are spent.

    The same errors as of `open_transcript`.
    """
    reader = _reader_of(path, format)
    try:
        with opened(path) as stream:
            transcript = reader.read(_Beginning(stream), path, beside=False)
            for _ in transcript:
                if transcript.cwd and transcript.session:
                    break
    except OSError as error:
        raise _unreadable(path, error) from error
    transcript.session = transcript.session or path.stem
    return transcript


def read_stream(stream: BinaryIO, format: str | None = None) -> Transcript:
    """The session that comes in through *stream*, which need not be a file."""
    whole = Rejoined(stream, HEAD)
    return _chosen(format, whole.head, "standard input").read(whole)


def _listed(path: Path, listing: Callable[[Path], list[Transcript]]) -> list[Transcript]:
    try:
        found = listing(path)
    except OSError as error:
        raise _unreadable(path, error) from error
    if not found:
        raise Malformed("it holds no session", file=str(path), hint="the agent may not have begun one yet")
    return found


def _drawn(read: Callable[[Transcript], Iterator[Event]], path: Path, transcript: Transcript) -> Iterator[Event]:
    try:
        yield from read(transcript)
    except OSError as error:
        raise _unreadable(path, error) from error


def _is_pipe(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise _unreadable(path, error) from error
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def _reader_of(path: Path, format: str | None) -> Reader:
    try:
        with opened(path) as stream:
            head = Rejoined(stream, HEAD).head
    except OSError as error:
        raise _unreadable(path, error) from error
    return _chosen(format, head, str(path))


def _chosen(format: str | None, head: bytes, file: str) -> Reader:
    if format is None:
        return identify(head, file)
    if format not in FORMATS:
        raise UsageError(f"{format!r} is no format of a session log", hint=f"known are {', '.join(FORMATS)}")
    if not head.strip(b"\0 \t\r\n"):
        raise Malformed(f"{_nature(head)[0]}; a session log of {format} was expected", file=file, hint=_nature(head)[1])
    return reader_of(format)


def reader_of(name: str) -> Reader:
    """The module that reads logs of the format *name*."""
    return cast("Reader", import_module(f"handoffsite.sources.{name.replace('-', '_')}"))


def _events(reader: Reader, path: Path, transcript: Transcript) -> Iterator[Event]:
    try:
        with opened(path) as stream:
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


class _Beginning:
    """The first part of a stream, in small pieces: whoever looks for something there reads no more than that takes."""

    def __init__(self, stream: Readable | None) -> None:
        self._stream = stream
        self._left = DEEPEST_PEEK

    def read(self, size: int, /) -> bytes:
        piece = self._stream.read(min(size, HEAD, self._left)) if self._stream and self._left else b""
        self._left -= len(piece)
        return piece
