"""A log that its agent has compressed with zstd, read as if it had not."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from handoffsite.errors import Refused
from handoffsite.sources.lines import Readable

MAGIC = b"\x28\xb5\x2f\xfd"
_WINDOW = 1 << 27  # what the format's own tools refuse to go beyond without being told to


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Readable]:
    """The file at *path* for reading, decompressed where need be; Refused where it is, and the package for that is missing."""
    with path.open("rb") as file:
        is_compressed = file.read(len(MAGIC)) == MAGIC
        file.seek(0)
        yield _Decompressed(file, path) if is_compressed else file


class _Decompressed:
    """What *file* holds, piece by piece; what stands behind damage is lost, as if the file were cut there."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        try:
            import zstandard  # noqa: PLC0415 -- an extra, and few logs are compressed
        except ImportError as error:
            hint = "pip install 'handoffsite[zstd]', or decompress it first: zstd -d"
            raise Refused("compressed with zstd, and the package that reads it is missing", file=str(path), hint=hint) from error
        self._fault = zstandard.ZstdError
        self._stream = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(file, read_across_frames=True)

    def read(self, size: int, /) -> bytes:
        """At most *size* bytes; none at the end, or where the damage begins."""
        try:
            return bytes(self._stream.read1(size))
        except self._fault:
            return b""
