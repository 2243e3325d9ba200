"""A private cache of files that only this install may have made: sealed when written, verified when read.

    <parent>/search.key      a secret of this install
    <folder>/seal.json       what the files are, under a keyed digest; replaced last, so it is the commit
    <folder>/<digest>.part   the files, by content
    <folder>/lock

Whoever can write elsewhere, or brings a whole cache along, has neither the secret nor the very file that it is kept in. What does
not verify is as good as not there.
"""

import contextlib
import hmac
import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Refused

_KEY = "search.key"
_SEAL = "seal.json"
_LOCK = "lock"
_PART = ".part"
_KEY_BYTES = 32
_LONGEST_SEAL = 1 << 20
# How often a reader that is overtaken by writers looks again.
_ATTEMPTS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What a writer left: its *stamp*, and for each file its size and digest."""

    stamp: str
    files: Mapping[str, tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Sealed:
    """The files under a seal."""

    seal: Seal
    files: Mapping[str, bytes]


class Cache:
    """The sealed files in *folder*."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextlib.contextmanager
    def writing(self, timeout: float) -> Iterator[None]:
        """Be the only writer; Refused where no private folder can be had, Conflict after *timeout* seconds."""
        if not durable.cache_folder(self._folder.parent, self._folder.name):
            hint = "it must be a real folder of your own that nobody else may write to"
            raise Refused("no private cache can be kept here", file=str(self._folder), hint=hint)
        try:
            with durable.lock(self._folder / _LOCK, timeout, mode=durable.PRIVATE_FILE):
                yield
        except OSError as error:
            raise Refused(f"the cache cannot be used: {error.strerror}", file=str(self._folder)) from error

    def seal(self) -> Seal | None:
        """What was written last, if it is ours and all there; the files themselves are not read."""
        if not self._is_private():
            return None
        key, data = self._key(), _read(self._folder / _SEAL, _LONGEST_SEAL)
        if not key or not data:
            return None
        content, _, mac = data.rpartition(b"\n")
        if not hmac.compare_digest(mac, self._mac(key, content)):
            return None
        found = json.loads(content)
        files = {name: (size, digest) for name, (size, digest) in found["files"].items()}
        return Seal(stamp=found["stamp"], files=files) if all(map(self._is_there, files.values())) else None

    def load(self) -> Sealed | None:
        """The files that were written last, each verified; None where there are none, or none of ours."""
        before = None
        for _ in range(_ATTEMPTS):
            seal = self.seal()
            if seal is None or seal == before:
                return None
            before = seal
            files = {name: _read(self._part(digest), size) for name, (size, digest) in seal.files.items()}
            if all(durable.digest(files[name]) == digest for name, (_, digest) in seal.files.items()):
                return Sealed(seal, files)
        return None

    def store(self, stamp: str, files: Mapping[str, bytes], before: Sealed | None) -> Sealed:
        """Make *files* the ones that were written last, under *stamp*; what they share with *before* is not written again.

        Call it while `writing`. What the seal until now named stays until the next time, for who still reads it.
        """
        durable.clear_litter(self._folder)
        durable.clear_litter(self._folder.parent, shared=True)
        old = self.seal()
        named = {}
        for name, data in files.items():
            if before and before.files.get(name) is data:
                named[name] = before.seal.files[name]
                continue
            named[name] = len(data), durable.digest(data)
            self._write(self._part(named[name][1]), data)
        content = json.dumps({"stamp": stamp, "files": named}).encode()
        key = self._key() or self._new_key()
        self._write(self._folder / _SEAL, content + b"\n" + self._mac(key, content))
        self._remove_but({digest for _, digest in (*named.values(), *(old.files.values() if old else ()))})
        return Sealed(Seal(stamp=stamp, files=named), files)

    def _part(self, digest: str) -> Path:
        return self._folder / f"{digest}{_PART}"

    def _is_there(self, named: tuple[int, str]) -> bool:
        size, digest = named
        try:
            return self._part(digest).lstat().st_size == size
        except OSError:
            return False

    def _is_private(self) -> bool:
        try:
            return all(_is_ours(folder.lstat(), stat.S_ISDIR, 0o022) for folder in (self._folder.parent, self._folder))
        except OSError:
            return False

    def _key(self) -> bytes:
        """The secret, and what tells its file from a copy: a cache that was brought here as a whole is not of this install."""
        found = _read(self._folder.parent / _KEY, _KEY_BYTES, 0o077)
        if len(found) != _KEY_BYTES:
            return b""
        status = (self._folder.parent / _KEY).lstat()
        return found + f"{status.st_ino} {status.st_ctime_ns}".encode()

    def _new_key(self) -> bytes:
        durable.write(self._folder.parent / _KEY, os.urandom(_KEY_BYTES), sync=False, mode=durable.PRIVATE_FILE)
        return self._key()

    def _mac(self, key: bytes, content: bytes) -> bytes:
        """The keyed digest of *content* in this place: the seal of another project does not fit here."""
        place = os.fsencode(self._folder.resolve())
        return hmac.new(key, place + b"\0" + content, "sha256").hexdigest().encode()

    def _write(self, path: Path, data: bytes) -> None:
        durable.write(path, data, sync=False, mode=durable.PRIVATE_FILE)

    def _remove_but(self, digests: set[str]) -> None:
        for entry in os.scandir(self._folder):
            if entry.name.endswith(_PART) and entry.name.removesuffix(_PART) not in digests:
                durable.remove(Path(entry.path), sync=False)


def _read(path: Path, most: int, shared: int = 0o022) -> bytes:
    """What is in *path*; nothing if it is larger than *most* bytes, a link, another's, or open to others in a bit of *shared*."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
            status = os.fstat(file.fileno())
            return file.read() if _is_ours(status, stat.S_ISREG, shared) and status.st_size <= most else b""
    except OSError:
        return b""


def _is_ours(status: os.stat_result, is_kind: Callable[[int], bool], shared: int) -> bool:
    return is_kind(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & shared
