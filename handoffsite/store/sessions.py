"""The records on disk: one file each, written once."""

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from handoffsite import durable
from handoffsite.errors import Malformed
from handoffsite.records import grammar, session
from handoffsite.records.redaction import CleanRecord
from handoffsite.records.session import SessionRecord
from handoffsite.records.utf8 import decoded
from handoffsite.store.boundary import Boundary

NAME = re.compile(r"\d{4}-\d{2}-\d{2}-(?P<id>S-\d+-[0-9a-hjkmnp-tv-z]{3})-[a-z0-9-]+\.md", re.ASCII)
MOST_BYTES = 16 * 1024 * 1024
_SLUG = 40
_ID = re.compile(r"\bS-\d+-[0-9a-hjkmnp-tv-z]{3}\b", re.ASCII)
_OWN_ID = re.compile(rb"^id: (S-\d+-[0-9a-hjkmnp-tv-z]{3})\r?$", re.MULTILINE)
_COPY = re.compile(
    r"\.sync-conflict-|conflicted copy|conflict(?:ed)?[ _-]\d{4}-\d\d-\d\d|\(case conflict|\.(?:orig|rej|bak|mine|sw[a-p])$|\.r\d+$|~$|^\.#|^#.*#$"
    r"|_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+\.",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Listed(NamedTuple):
    """A record's file as the directory shows it: its *size*, and when it was last *changed*, in nanoseconds."""

    name: str
    size: int
    changed: int

    @property
    def stamp(self) -> str:
        """What changes with the file's content."""
        return f"{self.size}.{self.changed}"


def listing(boundary: Boundary) -> tuple[Listed, ...]:
    """The files that are records, by name; whatever else lies there (copies of a sync tool, editors' files) is no record."""
    try:
        folder = os.open(boundary.sessions, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return ()
    try:  # each file is asked for within the folder: to follow its whole path takes as long again
        with os.scandir(folder) as entries:
            names = sorted([entry.name for entry in entries if _is_record(entry)])
        return tuple([_listed(name, os.stat(name, dir_fd=folder, follow_symlinks=False)) for name in names])
    finally:
        os.close(folder)


def is_as_listed(boundary: Boundary, before: Sequence[Listed]) -> bool:
    """Whether the `listing` would be *before* again; to know that costs half as much."""
    try:
        folder = os.open(boundary.sessions, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return not before
    try:
        for name, size, changed in before:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if status.st_ctime_ns != changed or status.st_size != size:
                return False
        known = {one.name for one in before}
        with os.scandir(folder) as entries:
            return all(entry.name in known or not _is_record(entry) for entry in entries)
    except FileNotFoundError:
        return False
    finally:
        os.close(folder)


def listed(boundary: Boundary, name: str) -> Listed:
    """One file as `listing` shows it."""
    return _listed(name, (boundary.sessions / name).lstat())


def digest_of(records: Iterable[Listed], before: str = "") -> str:
    """One digest for how a directory looks, in whatever order it is listed; *before* is that of the files listed already."""
    total = int(before or "0", 16)
    for one in records:
        total += int.from_bytes(hashlib.blake2b(f"{one.name} {one.stamp}".encode(), digest_size=16).digest())
    return f"{total % (1 << 128):032x}"


def folder_stamp(boundary: Boundary) -> str:
    """What changes whenever a file comes, goes or is replaced under sessions/; nothing where the file system's clock is too coarse.

    A file that is written over in place does not change it: who must know of that lists the files.
    """
    try:
        status = boundary.sessions.stat()
    except FileNotFoundError:
        return ""
    coarse = status.st_mtime_ns % 1_000_000 == 0
    return "" if coarse else f"{status.st_dev}.{status.st_ino}.{status.st_mtime_ns}.{status.st_ctime_ns}"


def _listed(name: str, status: os.stat_result) -> Listed:
    # No program can set the change time back, so it tells more than the modification time does.
    return Listed(name, status.st_size, status.st_ctime_ns)


class Stranger(NamedTuple):
    """What lies under sessions/ and is no record: the *ids* that its name and its content give, and why it is there.

    *original* is the file of the record that it is a *copy* of, made by a sync tool or an editor; *identical*, byte for byte.
    *nature* is what it is where it bears a record's name and is no file: a `symbolic link`, a `folder`, a `pipe or device`.
    """

    name: str
    ids: tuple[str, ...] = ()
    copy: bool = False
    original: str = ""
    identical: bool = False
    nature: str = ""


def strangers(boundary: Boundary) -> tuple[Stranger, ...]:
    """What lies under sessions/ and is neither a record nor ours, by name."""
    found = []
    try:
        entries = sorted(os.scandir(boundary.sessions), key=lambda entry: entry.name)
    except FileNotFoundError:
        return ()
    files = {id_of(entry.name): entry.name for entry in entries if _is_record(entry)}
    for entry in entries:
        if entry.name == ".gitkeep" or _is_record(entry) or is_litter(entry.name):
            continue
        if not entry.is_file(follow_symlinks=False):
            nature = "symbolic link" if entry.is_symlink() else "folder" if entry.is_dir() else "pipe or device"
            found.append(Stranger(entry.name, nature=nature))
        else:
            found.append(_stranger(boundary, entry.name, files))
    return tuple(found)


def is_copy(name: str) -> bool:
    """Whether a file of this name was left by a sync tool, a merge or an editor beside the file that is meant."""
    return _COPY.search(name) is not None


def is_litter(name: str) -> bool:
    """Whether a file of this name was being written."""
    return name.startswith(".") and ".tmp-" in name


def raw(boundary: Boundary, name: str) -> str:
    """The text of the file *name* under sessions/ as it stands there, as far as it is one."""
    try:
        with (boundary.sessions / name).open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def content(boundary: Boundary, name: str) -> str:
    """The same, with line feeds alone at the ends of lines."""
    return raw(boundary, name).removeprefix("\ufeff").replace("\r\n", "\n")


def _is_record(entry: os.DirEntry[str]) -> bool:
    return NAME.fullmatch(entry.name) is not None and entry.is_file(follow_symlinks=False)


def _stranger(boundary: Boundary, name: str, files: dict[str, str]) -> Stranger:
    try:
        with (boundary.sessions / name).open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError:
        return Stranger(name, copy=is_copy(name))
    own = _OWN_ID.search(data[:4096])
    named = _ID.search(name)
    ids = tuple(dict.fromkeys([*([named[0]] if named else []), *([own[1].decode()] if own else [])]))
    original = next((files[id] for id in reversed(ids) if id in files), "")
    identical = bool(original) and (boundary.sessions / original).read_bytes() == data
    return Stranger(name, ids, is_copy(name), original, identical)


def read(boundary: Boundary, name: str) -> tuple[SessionRecord, str]:
    """The record in the file *name*, and the digest of its bytes; Malformed where it is damaged."""
    return parse((boundary.sessions / name).read_bytes(), f"sessions/{name}")


def parse(data: bytes, file: str) -> tuple[SessionRecord, str]:
    """The record in *data*, and the digest of the bytes that were sealed: a clone with other line ends holds the same record."""
    if len(data) > MOST_BYTES:
        raise Malformed(f"{len(data)} bytes are more than a record holds", file=file, hint="this is no file of ours")
    text = grammar.plain(decoded(data, file, "restore it from git or a backup"))
    return session.loads(text, file), durable.digest(text.encode())


def append(boundary: Boundary, record: CleanRecord) -> tuple[str, bytes]:
    """Write *record* as a new file, durably; its name and bytes. The caller holds the boundary's lock."""
    # What the reader would refuse is never written: a record cannot be mended afterwards.
    session.record_from(session.mapping(record), "the new record")
    data = session.dumps(record).encode()
    name = file_name(record, data)
    durable.create(boundary.sessions / name, data)
    return name, data


def file_name(record: SessionRecord, data: bytes) -> str:
    """`<date>-<id>-<slug>.md`.

    The slug ends in a mark of the whole record, so that two clones that recorded one session at different times make two files
    that git merges, instead of two versions of one.
    """
    mark = durable.digest(data)[:6]
    slug = "-".join(part for part in (slug_of(record.title)[:_SLUG].strip("-"), mark) if part)
    date = next((time[:10] for time in (record.ended, record.recorded) if _DATE.match(time)), "0000-00-00")
    return f"{date}-{record.id}-{slug}.md"


def slug_of(text: str) -> str:
    """*text* as it stands in a file's name."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")


def id_of(name: str) -> str:
    """The record's ID, as its file is named."""
    found = NAME.fullmatch(name)
    assert found
    return found["id"]


def ids_in(boundary: Boundary, name: str) -> tuple[str, ...]:
    """The IDs that the damaged record *name* gave, as far as its bytes still tell; its own always."""
    id = id_of(name)
    try:
        with (boundary.sessions / name).open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError:
        return (id,)
    found = re.findall(rb"\b[DCT]-[1-9]\d{0,8}-" + id.rsplit("-", 1)[1].encode() + rb"\b", data)
    return (id, *sorted({one.decode() for one in found}))
