"""The records on disk: one file each, written once."""

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from handoffsite import durable
from handoffsite.errors import Malformed
from handoffsite.records import session
from handoffsite.records.redaction import CleanRecord
from handoffsite.records.session import SessionRecord
from handoffsite.store.boundary import Boundary

NAME = re.compile(r"\d{4}-\d{2}-\d{2}-(?P<id>S-\d+-[0-9a-hjkmnp-tv-z]{3})-[a-z0-9-]+\.md", re.ASCII)
MOST_BYTES = 16 * 1024 * 1024
_SLUG = 40
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Listed(NamedTuple):
    """A record's file as the directory shows it; a change of content changes *stamp*."""

    name: str
    stamp: str


def listing(boundary: Boundary) -> tuple[Listed, ...]:
    """The files that are records, by name; whatever else lies there (copies of a sync tool, editors' files) is no record."""
    try:
        entries = os.scandir(boundary.sessions)
    except FileNotFoundError:
        return ()
    with entries:
        records = [entry for entry in entries if NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)]
        return tuple(sorted(Listed(entry.name, _stamp(entry.stat(follow_symlinks=False))) for entry in records))


def listed(boundary: Boundary, name: str) -> Listed:
    """One file as `listing` shows it."""
    return Listed(name, _stamp((boundary.sessions / name).lstat()))


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


def _stamp(status: os.stat_result) -> str:
    # No program can set the change time back, so it tells more than the modification time does.
    return f"{status.st_size}.{status.st_ctime_ns}"


def strangers(boundary: Boundary) -> tuple[str, ...]:
    """Names under sessions/ that are no records and not ours."""
    names = (entry.name for entry in os.scandir(boundary.sessions)) if boundary.sessions.is_dir() else ()
    return tuple(sorted(name for name in names if not NAME.fullmatch(name) and name != ".gitkeep"))


def read(boundary: Boundary, name: str) -> tuple[SessionRecord, str]:
    """The record in the file *name*, and the digest of its bytes; Malformed where it is damaged."""
    return parse((boundary.sessions / name).read_bytes(), f"sessions/{name}")


def parse(data: bytes, file: str) -> tuple[SessionRecord, str]:
    """The record in *data*, and the digest of those bytes."""
    if len(data) > MOST_BYTES:
        raise Malformed(f"{len(data)} bytes are more than a record holds", file=file, hint="this is no file of ours")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Malformed("not UTF-8 text", file=file, line=line, hint="restore it from git or a backup") from error
    return session.loads(text, file), durable.digest(data)


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
    words = re.sub(r"[^a-z0-9]+", "-", unicodedata.normalize("NFKD", record.title).encode("ascii", "ignore").decode().lower())
    mark = durable.digest(data)[:6]
    slug = "-".join(part for part in (words[:_SLUG].strip("-"), mark) if part)
    date = next((time[:10] for time in (record.ended, record.recorded) if _DATE.match(time)), "0000-00-00")
    return f"{date}-{record.id}-{slug}.md"


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
