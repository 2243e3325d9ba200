"""Plain chats: messages of OpenAI's or Anthropic's interfaces, ShareGPT and ChatML, one chat in a file or many."""

import io
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.compressed import MAGIC, opened
from handoffsite.sources.document import LineOf, document
from handoffsite.sources.lines import Readable, Rejoined, documents, whole_text
from handoffsite.sources.messages_many import in_document, in_lines
from handoffsite.sources.messages_shapes import (
    SPACE,
    Conversation,
    chatml,
    conversation,
    is_bare_message,
    is_chatml,
    is_message,
    layout,
    speaker,
)
from handoffsite.sources.messages_talk import Talk

NAME = "messages"

HEAD = 1 << 16

# The beginning of a message whose text goes on beyond the head.
_SPEAKS = rb'\{\s*"(?:role|from)"\s*:\s*"(?:system|developer|user|human|assistant|gpt)"\s*,\s*"(?:content|value)"\s*:'
_CUT = re.compile(rb"(?:\[\s*)?" + _SPEAKS)
_CUT_LIST = re.compile(rb'"(?:messages|conversations|traj)"\s*:\s*\[\s*' + _SPEAKS)


def detect(head: bytes) -> bool:
    """Whether *head*, the first 64 KiB of a file, is a chat: what can be read of it is message after message, or chats."""
    text = head.decode(errors="replace").lstrip(SPACE)
    if text.startswith("<|im_start|>"):
        return is_chatml(text)
    if not text.startswith(("{", "[")):
        return False
    scratch = Transcript(format=NAME, read=lambda _: iter(()))
    entries: list[Any] = []
    if layout(text) == "lines":
        entries = [entry for _, entry in documents(io.BytesIO(head), scratch)]
    if not entries:
        value = document(io.BytesIO(head), scratch)[0]
        entries = value if type(value) is list else [value] if value else []
    if entries:
        return _are_chats(entries)
    bare = head.lstrip(b"\xef\xbb\xbf\0 \t\r\n")
    return _CUT.match(bare) is not None or _CUT_LIST.search(bare) is not None


def read(stream: Readable, path: Path | None = None, *, beside: bool = True) -> Transcript:  # noqa: ARG001 - nothing is kept beside these logs
    """The chat that *stream* holds; where it holds several, all of them, one after the other."""
    return Transcript(
        format=NAME,
        file=path.name if path else "",
        read=lambda transcript: _events(stream, transcript, path.stem if path else ""),
    )


def sessions(path: Path) -> list[Transcript]:
    """Every chat in the file at *path* as a session of its own, in the order of the file; of a compressed file of lines all as one."""
    with path.open("rb") as file:
        is_compressed = file.read(len(MAGIC)) == MAGIC
    with opened(path) as stream:
        head = Rejoined(stream, HEAD).head
    kind = layout(head.decode(errors="replace"))
    found = []
    if kind == "document" and _may_hold_many(head):
        found = in_document(path, NAME)
    elif kind == "lines" and not is_compressed:
        found = in_lines(path, NAME)
    return found if len(found) > 1 else [Transcript(format=NAME, file=path.name, read=lambda whole: _whole(path, whole))]


def _may_hold_many(head: bytes) -> bool:
    """Whether a document that begins with *head* may be a list of chats; to know it, all of it has to be read."""
    bare = head.lstrip(b"\xef\xbb\xbf\0 \t\r\n")
    return bare.startswith(b"[") and _CUT.match(bare) is None


def _are_chats(entries: list[Any]) -> bool:
    """Whether *entries* are the messages of one chat, or chats."""
    if is_message(entries[0]):
        whole = all(is_message(entry) for entry in entries[:-1])  # the last one may be cut
        return whole and (
            all(is_bare_message(entry) for entry in entries[:-1] or entries) or len({speaker(entry) for entry in entries}) > 1
        )
    return conversation(entries[0], 1) is not None


def _whole(path: Path, transcript: Transcript) -> Iterator[Event]:
    with opened(path) as stream:
        yield from _events(stream, transcript, path.stem)


def _events(stream: Readable, transcript: Transcript, stem: str) -> Iterator[Event]:
    """Everything that was said and done, in the order of the file."""
    rejoined = Rejoined(stream, HEAD)
    kind = layout(rejoined.head.decode(errors="replace"))
    talk = Talk(transcript)
    if kind == "chatml":
        for line, message in chatml(whole_text(rejoined, transcript.account)):
            yield from talk.message(line, message)
    elif kind == "document":
        yield from _of_document(talk, *document(rejoined, transcript))
    else:
        yield from _of_lines(talk, documents(rejoined, transcript))
    talk.conclude(stem)


def _of_document(talk: Talk, value: Any, line_of: LineOf) -> Iterator[Event]:
    entries = value if type(value) is list and not (value and is_message(value[0])) else [value]
    for entry in entries:
        line = line_of(entry[0]) if type(entry) is list and entry else line_of(entry)
        if chat := conversation(entry, line):
            yield from talk.chat(chat, line_of)
        elif entry is not None:
            yield from talk.message(line, entry)


def _of_lines(talk: Talk, entries: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Event]:
    """Each line is a message of the one chat, or a chat: an object with messages, or a list of them."""
    are_lists = None
    for line, group in groupby(entries, key=lambda entry: entry[0]):
        found = [entry for _, entry in group]
        if are_lists is None:
            are_lists = len(found) > 1 and all(is_message(entry) for entry in found)
        if are_lists:
            yield from talk.chat(Conversation(line, list(found)), _always(line))
            continue
        for entry in found:
            chat = None if is_message(entry) else conversation(entry, line)
            if chat is None:
                yield from talk.message(line, entry)
            else:
                yield from talk.chat(chat, _always(line))


def _always(line: int) -> LineOf:
    return lambda _: line
