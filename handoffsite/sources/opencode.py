"""OpenCode's sessions: its database, its older folder of small files, and what `opencode export` prints."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import opencode_store as store
from handoffsite.sources import opencode_tree as tree
from handoffsite.sources.document import LineOf, document
from handoffsite.sources.lines import Entry, Readable, Rejoined, first_objects, whole_text
from handoffsite.sources.opencode_session import TYPES, Message, Session, Tally, table
from handoffsite.sources.opencode_talk import Talk, describe
from handoffsite.sources.text import instant, word

NAME = "opencode"

_TABLE = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?[`\"'\[]?(\w{1,80})", re.IGNORECASE)
_TABLES = {b"session", b"message", b"part"}
_IDENTITY = re.compile(rb"(?:ses|msg|prt)_[0-9a-f]{12}[0-9A-Za-z]{14}")
_LEAF = b"\x0d"  # the kind of a page that holds all of its tree

# What export says before its document, where the two outputs went into one file.
_ANNOUNCED = re.compile(r"\s*Exporting session: [^\s{]{0,200}\s*(?=\{)")
_EXPORT = re.compile(
    rb"\s*(?:Exporting session: [^\s{]{0,200}\s*)?\{\s*\"info\"\s*:\s*\{[^{}]{0,2000}\"(?:projectID|directory|slug|version)\"\s*:"
)
_MESSAGE = re.compile(rb"\s*\{[^{}]{0,400}\"(?:sessionID|messageID)\"\s*:\s*\"")

OPENING = 400  # bytes that tell one form from another


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is of OpenCode: of its database, one of its small files or an export."""
    if head.startswith(store.MAGIC):
        return _is_database(head)
    entry = next(first_objects(head), None)
    if entry is not None:
        return bool(_kind(entry))
    return _EXPORT.match(head) is not None or (_MESSAGE.match(head) is not None and b'"id"' in head[:400])


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:
    """The session that *stream* holds; of a database the newest that is no sub-agent's.

    *path* leads to the files of the older store. Of such and of a database, which have no lines, parts are numbered instead.
    """
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        read=lambda transcript: _events(transcript, stream, path, beside=beside),
    )


def sessions(path: Path) -> list[Transcript]:
    """Every session in the database at *path*, oldest first, sub-agents' among them, which *agent* tells; of other files the one."""
    with path.open("rb") as file:
        if file.read(len(store.MAGIC)) != store.MAGIC:
            return [Transcript(format=NAME, file=path.name, read=lambda transcript: _reopened(transcript, path))]
    with store.opened(path) as base:
        return [_listed(path, session) for session in base.sessions()]


def _is_database(head: bytes) -> bool:
    """Whether the tables in *head* are OpenCode's, as far as it shows them all."""
    found = {name.lower() for name in _TABLE.findall(head)}
    if found >= _TABLES or len(head) < 108:
        return found >= _TABLES
    if head[103:105] == b"\0\0":  # no table yet: the first ones stand in the file that is written ahead
        return head[18:19] == b"\x02"
    is_elsewhere = head[100:101] != _LEAF  # what describes the tables takes more than the first page
    return is_elsewhere and (bool(found & _TABLES) or _IDENTITY.search(head) is not None)


def _kind(entry: Entry) -> str:
    """Which of OpenCode's documents *entry* is."""
    has_time = type(entry.get("time")) is dict
    if type(info := entry.get("info")) is dict and type(messages := entry.get("messages")) is list:
        first = table(messages[0]) if messages else {}
        is_ours = "parts" in first or any(key in info for key in ("projectID", "directory", "slug", "version"))
        return "export" if is_ours else ""
    if entry.get("role") in ("user", "assistant") and "sessionID" in entry and has_time:
        return "message"
    kind = entry.get("type")
    if "messageID" in entry and "id" in entry and type(kind) is str and kind in TYPES:
        return "part"
    if "projectID" in entry and has_time and ("directory" in entry or "version" in entry):
        return "session"
    return "session" if word(entry.get("id")).startswith("ses_") and has_time and "title" in entry else ""


def _events(transcript: Transcript, stream: Readable, path: Path | None, *, beside: bool) -> Iterator[Event]:
    whole = Rejoined(stream, OPENING)
    if not whole.head.startswith(store.MAGIC):
        yield from _from_document(transcript, whole, path, beside=beside)
    elif path is None:
        with store.spooled(whole) as copy:
            yield from _from_database(transcript, copy, "")
    else:
        yield from _from_database(transcript, path, "")


def _reopened(transcript: Transcript, path: Path) -> Iterator[Event]:
    with path.open("rb") as stream:
        yield from _events(transcript, stream, path, beside=True)


def _listed(path: Path, session: Session) -> Transcript:
    transcript = Transcript(format=NAME, file=path.name, read=lambda opened: _from_database(opened, path, session.id))
    describe(transcript, session)
    return transcript


def _from_database(transcript: Transcript, path: Path, id: str) -> Iterator[Event]:
    with store.opened(path) as base:
        session = base.get(id) if id else base.newest()
        if session is None:
            hint = "it may have been deleted in OpenCode" if id else "name another database"
            raise Malformed(
                f"a database of OpenCode without {'the session ' + id if id else 'a session'}", file=path.name, hint=hint
            )
        yield from Talk(transcript).events(session)


def _from_document(transcript: Transcript, stream: Rejoined, path: Path | None, *, beside: bool) -> Iterator[Event]:
    scratch = Transcript(format=NAME, read=lambda _: iter(()))
    value, line_of = _document(stream, scratch)
    name = path.name if path else ""
    kind = _kind(value) if type(value) is dict else ""
    if kind == "part":
        hint = "name the session's file, storage/session/PROJECT/ID.json, or the database, opencode.db"
        raise Malformed("one part of a message of OpenCode, not a session", file=name, hint=hint)
    if kind in ("session", "message"):
        if not beside or path is None:
            _describe_alone(transcript, kind, value)
            if path is None:
                raise Malformed(
                    f"a {kind}'s own file, without the files that belong to it", file=name, hint="name the file in its folder"
                )
            return
        session = tree.of_session(path, value) if kind == "session" else tree.of_message(path)
    else:
        if not (kind or scratch.incomplete or scratch.account.bad):
            raise Malformed(
                "no session of OpenCode: neither its database nor its files nor an export", file=name, hint=store.HINT
            )
        transcript.account, transcript.incomplete = scratch.account, scratch.incomplete
        session = _exported(table(value), line_of)
    yield from Talk(transcript).events(session, path.stem if path else "")


def _document(stream: Rejoined, transcript: Transcript) -> tuple[Any, LineOf]:
    """The document in *stream*, and the lines in it; what was announced before it is left out."""
    announced = _ANNOUNCED.match(stream.head.decode(errors="replace"))
    if announced is None:
        return document(stream, transcript)
    text = whole_text(stream, transcript.account)
    counted = transcript.account.lines, transcript.account.bytes, transcript.account.sha256
    blank = "".join(letter if letter == "\n" else " " for letter in announced[0])
    found = document(BytesIO((blank + text[announced.end() :]).encode(errors="replace")), transcript)
    transcript.account.lines, transcript.account.bytes, transcript.account.sha256 = counted
    return found


def _exported(value: Entry, line_of: LineOf) -> Session:
    """The session in an export; its sub-agents' are exported apart."""
    info = table(value.get("info"))
    todos = value.get("todos")

    def read_messages(tally: Tally) -> Iterator[Message]:
        for entry in _objects(value, "messages", 1, tally):
            line = line_of(entry)
            yield Message(
                table(entry.get("info")), [(line_of(part), part) for part in _objects(entry, "parts", line, tally)], line
            )

    return Session(
        id=word(info.get("id")),
        info=info,
        is_agent=bool(word(info.get("parentID"))),
        messages=read_messages,
        todos=lambda: todos if type(todos) is list else [],
        children=lambda: iter(()),
    )


def _objects(entry: Entry, key: str, line: int, tally: Tally) -> Iterator[Entry]:
    """The objects in the list *key*; what is none is named in the account."""
    found = entry.get(key)
    if type(found) is not list:
        tally.account.skip(line, f"no list of {key}")
        return
    for one in found:
        if type(one) is dict:
            yield one
        else:
            tally.account.skip(line, f"something that is no object among the {key}")


def _describe_alone(transcript: Transcript, kind: str, value: Entry) -> None:
    """What one small file says of its session."""
    if kind == "message":
        transcript.session = word(value.get("sessionID"))
        transcript.note_directory(word(table(value.get("path")).get("cwd")))
    else:
        transcript.session, transcript.parent = word(value.get("id")), word(value.get("parentID"))
        transcript.started = instant(table(value.get("time")).get("created"))
        transcript.note_directory(word(value.get("directory")))
