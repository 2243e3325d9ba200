"""Files that hold many chats, each of which is a session of its own."""

import hashlib
import io
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from handoffsite.records.transcript import Account, Event, Transcript
from handoffsite.sources.compressed import opened
from handoffsite.sources.document import LineOf, document
from handoffsite.sources.lines import CHUNK, LONGEST, documents
from handoffsite.sources.messages_shapes import Conversation, conversation, is_message
from handoffsite.sources.messages_talk import Talk, cwd_of, marks_of, session_of
from handoffsite.sources.text import word

PLAIN = 64  # lines without a chat, by which a file is known to be one of messages

_Reading = Callable[[Transcript], Iterator[Event]]


def in_document(path: Path, format: str) -> list[Transcript]:
    """The chats in a list of chats. Its text is parsed once, and held as long as the list is."""
    scratch = _scratch(format)
    with opened(path) as stream:
        value, line_of = document(stream, scratch)
    entries = value if type(value) is list else []
    chats = [chat for entry in entries if not is_message(entry) and (chat := conversation(entry, _line(entry, line_of)))]
    return _listed(path, scratch, [(chat, _held(chat, line_of)) for chat in chats])


def in_lines(path: Path, format: str) -> list[Transcript]:
    """The chats of a file with one on each line; none where the lines are messages. A line is read again when its events are drawn."""
    whole = _scratch(format)
    starts = _line_starts(path, whole.account)
    found: list[tuple[Conversation, _Reading]] = []
    before: list[int] = []
    with path.open("rb") as stream:
        for number, (start, end) in enumerate(pairwise(starts), 1):
            chat = _on_line(stream, (start, end), number, _scratch(format))
            if chat is None and not found and number == PLAIN:
                break
            if chat is None:
                continue
            marks = marks_of(chat)
            if before and marks[: len(before)] == before:
                found.pop()  # the same chat, stored again with what was said since
            before = marks
            bare = Conversation(number, [], {key: word(value) for key, value in chat.about.items() if type(value) is str})
            found.append((bare, _stored(path, (start, end), number)))
    return _listed(path, whole, found)


def _scratch(format: str) -> Transcript:
    return Transcript(format=format, read=lambda _: iter(()))


def _line(entry: object, line_of: LineOf) -> int:
    """The line of a chat, or of its first message where it is a bare list."""
    return line_of(entry[0]) if type(entry) is list and entry else line_of(entry)


def _held(chat: Conversation, line_of: LineOf) -> _Reading:
    return lambda transcript: _events(transcript, chat, line_of)


def _stored(path: Path, place: tuple[int, int], number: int) -> _Reading:
    def events(transcript: Transcript) -> Iterator[Event]:
        with path.open("rb") as stream:
            chat = _on_line(stream, place, number, transcript)
        if chat is not None:
            yield from _events(transcript, chat, lambda _: number)

    return events


def _events(transcript: Transcript, chat: Conversation, line_of: LineOf) -> Iterator[Event]:
    talk = Talk(transcript)
    yield from talk.chat(chat, line_of)
    talk.conclude(transcript.session)


def _line_starts(path: Path, account: Account) -> list[int]:
    """Where each line of the file begins, and where the last one ends."""
    digest = hashlib.sha256()
    starts, at = [0], 0
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
            place = chunk.find(b"\n")
            while place >= 0:
                starts.append(at + place + 1)
                place = chunk.find(b"\n", place + 1)
            at += len(chunk)
    if starts[-1] != at:
        starts.append(at)
    account.lines, account.bytes, account.sha256 = len(starts) - 1, at, digest.hexdigest()
    return starts


def _on_line(stream: io.BufferedReader, place: tuple[int, int], number: int, transcript: Transcript) -> Conversation | None:
    """The chat on one line; what is wrong with the line goes to the account of *transcript*."""
    start, end = place
    stream.seek(start)
    scratch = _scratch(transcript.format)
    entries = [entry for _, entry in documents(io.BytesIO(stream.read(min(end - start, LONGEST + 2))), scratch)]
    transcript.account.bad += scratch.account.bad
    transcript.incomplete = transcript.incomplete or scratch.incomplete
    for skipped in scratch.account.skipped:
        transcript.account.skip(number, skipped.reason)
    if len(entries) > 1 and all(is_message(entry) for entry in entries):
        return Conversation(number, list(entries))
    return conversation(entries[0], number) if entries and not is_message(entries[0]) else None


def _listed(path: Path, whole: Transcript, found: list[tuple[Conversation, _Reading]]) -> list[Transcript]:
    """A transcript for each chat. Lines, bytes and digest are the file's."""
    listed = []
    known: set[str] = set()
    for count, (chat, events) in enumerate(found, 1):
        id = session_of(chat.about)
        session = id if id and id not in known else f"{id or path.stem}-{count}"
        known.add(session)
        account = Account(lines=whole.account.lines, bytes=whole.account.bytes, sha256=whole.account.sha256)
        transcript = Transcript(format=whole.format, file=path.name, session=session, account=account, read=events)
        transcript.cwd = cwd_of(chat.about)
        listed.append(transcript)
    return listed
