"""Whoosh, loaded without what it never calls, and the files that it sees: bytes in memory, and nothing on the disk."""

import contextlib
import functools
import sys
import threading
import types
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

# Whoosh imports urllib.request for a function that it never calls, and cached_property, which loads asyncio, for what functools
# has too. Together they are two thirds of its import.
_STAND_INS = (("urllib.request", "urlretrieve", None), ("cached_property", "cached_property", functools.cached_property))


@contextlib.contextmanager
def spared() -> Iterator[None]:
    """While this lasts, imports find the stand-ins, unless other threads could find them too."""
    names: list[str] = []
    for name, attribute, value in _STAND_INS if threading.active_count() == 1 else ():
        if name not in sys.modules:
            stand_in = types.ModuleType(name)
            setattr(stand_in, attribute, value)
            sys.modules[name] = stand_in
            names.append(name)
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]


with spared():
    from whoosh.filedb.filestore import RamStorage
    from whoosh.filedb.structfile import BufferFile, StructFile

Files = Mapping[str, bytes]


class Memory(RamStorage):  # type: ignore[misc] # Whoosh has no types
    """Files in memory, temporary ones included: Whoosh would put those under a known name into /tmp."""

    def __init__(self, files: Files) -> None:
        super().__init__()
        self.files = dict(files)

    def open_file(self, name: str, **options: Any) -> Any:
        """The file *name*, its bytes shared and not copied."""
        return BufferFile(self.files[name], name=name, **options)

    def temp_storage(self, name: str | None = None) -> "_Runs":  # noqa: ARG002 -- Whoosh's signature
        return _Runs({})


class _Runs(Memory):
    """What Whoosh sorts apart when postings become many. It writes these files, and reads them, without the wrapping that keeps others."""

    def create_file(self, name: str, **_: object) -> Any:
        """A file that is kept when it is closed, whoever closes it."""
        return StructFile(_Run(self.files, name), name=name)

    def open_file(self, name: str, **_: object) -> Any:
        """The file *name*, as a stream."""
        return StructFile(BytesIO(self.files[name]), name=name)


class _Run(BytesIO):
    def __init__(self, files: dict[str, bytes], name: str) -> None:
        super().__init__()
        self._files, self._name = files, name

    def close(self) -> None:
        if not self.closed:
            self._files[self._name] = self.getvalue()
        super().close()
