"""A log's bytes as JSON objects, each with its physical line; damage costs the line that it is on."""

import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Protocol

from handoffsite.records.transcript import Account, Transcript

CHUNK = 1 << 20

# A line over LONGEST is left out. One over ROOMY loses the middle of its long strings before it is parsed, so that pages
# of base64 take no memory; what is still over DENSE then could become twenty times its size.
LONGEST = 64 << 20
ROOMY = 4 << 20
DENSE = 16 << 20
KEPT_BYTES = 1 << 17  # at either end of a long string
LONGEST_DOCUMENT = 32 << 20  # one that goes over many lines is held as a whole
_TOO_LONG = f"the document has more than {LONGEST_DOCUMENT >> 20} MiB; the rest was not read"
FAULTS = 100  # in such a document, each of which costs a look at all that stands before it

Entry = dict[str, Any]

_BOM = b"\xef\xbb\xbf"
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_BROKEN_ESCAPE = re.compile(rb"\\u[0-9a-fA-F]{0,3}\Z")
_LEFT_OUT = re.compile(r"…\[([\d,]+) bytes left out\]…")
_WRAPPED = re.compile(r'\{[^{}\[\]]*"loglines"\s*:\s*\[')
_BLANK = re.compile(r"[\s\ufeff\0]*")
_BETWEEN = re.compile(r"[\s,\ufeff\0]*")

# Not json.loads: its wrapper costs half as much again on a short line, and it says nothing of what stands behind the value.
_scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


class Readable(Protocol):
    """What a log is read from: a file, or a pipe."""

    def read(self, size: int, /) -> bytes:
        """At most *size* bytes; none at the end."""
        ...


class Rejoined:
    """*stream*, of which the beginning, *head*, was looked at: *size* bytes, in however many pieces they come."""

    def __init__(self, stream: Readable, size: int) -> None:
        self.head = b""
        while len(self.head) < size and (piece := stream.read(size - len(self.head))):
            self.head += piece
        self._left = self.head
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        """At most *size* bytes, from the beginning on; none at the end."""
        if self._left:
            piece, self._left = self._left[:size], self._left[size:]
            return piece
        return self._stream.read(size)


def documents(stream: Readable, transcript: Transcript) -> Iterator[tuple[int, Entry]]:
    """Every JSON object of *stream* with its line (1-based); what could not be used goes to the transcript's account."""
    lines = physical_lines(stream, transcript.account)
    opening = []
    for line in lines:
        opening.append(line)
        if line is None or line.strip(b" \t\r\0" + _BOM):
            break
    whole = chain(opening, lines)
    if opening and _opens_document(opening[-1]):
        yield from _from_document(whole, transcript)
    else:
        yield from _from_lines(whole, transcript)


def physical_lines(stream: Readable, account: Account) -> Iterator[bytes | None]:
    """The lines of *stream* without their newline, None for one that is too long.

    A last line that no newline ends, as when its writer was stopped, comes with one.
    """
    digest = hashlib.sha256()
    held: list[bytes] = []
    length = 0
    while chunk := stream.read(CHUNK):
        digest.update(chunk)
        account.bytes += len(chunk)
        first, *pieces = chunk.split(b"\n")
        length += len(first)
        if length <= LONGEST:
            held.append(first)
        if not pieces:
            continue
        account.lines += len(pieces)
        line = b"".join(held) if length <= LONGEST else None
        held = [pieces.pop()]
        length = len(held[0])
        yield line
        yield from pieces
    account.sha256 = digest.hexdigest()
    if length:
        account.lines += 1
        yield (b"".join(held) + b"\n") if length <= LONGEST else None


def whole_text(stream: Readable, account: Account) -> str:
    """All of *stream* as text, as far as that can be held; the account says what cannot."""
    digest = hashlib.sha256()
    kept: list[bytes] = []
    length, last = 0, b"\n"
    while chunk := stream.read(CHUNK):
        digest.update(chunk)
        account.lines += chunk.count(b"\n")
        if length <= LONGEST_DOCUMENT:
            kept.append(chunk)
        length += len(chunk)
        last = chunk[-1:]
    account.bytes += length
    account.lines += last != b"\n"
    account.sha256 = digest.hexdigest()
    data = b"".join(kept)
    kept.clear()  # a long document must not be there three times
    if length > LONGEST_DOCUMENT:
        data = data[: data.rfind(b"\n", 0, LONGEST_DOCUMENT) + 1]
        account.skip(data.count(b"\n") + 1, _TOO_LONG)
    return data.decode(errors="replace").removesuffix("\n")


def first_objects(head: bytes) -> Iterator[Entry]:
    """The objects that stand whole in *head*, the beginning of a file."""
    scratch = Transcript(format="", read=lambda _: iter(()))
    return (entry for _, entry in documents(io.BytesIO(head), scratch))


def parsed(text: str) -> Any:
    """The value that *text* spells, None where it spells none."""
    text = text.strip()
    try:
        value, end = _scan(text, 0)
    except (StopIteration, ValueError, RecursionError):
        return None
    return value if end == len(text) else None


def left_out(text: str) -> int:
    """How many bytes of *text* were left out before it was parsed."""
    found = _LEFT_OUT.search(text)
    return int(found[1].replace(",", "")) if found else 0


def _from_lines(lines: Iterator[bytes | None], transcript: Transcript) -> Iterator[tuple[int, Entry]]:
    account = transcript.account
    for number, raw in enumerate(lines, 1):
        line = raw if raw is None or len(raw) <= ROOMY else _slimmed(raw)
        if line is None or len(line) > DENSE:
            account.bad += 1
            account.skip(number, f"more than {LONGEST >> 20} MiB, or {DENSE >> 20} MiB of short values")
            continue
        try:
            text = line.decode()
            value, end = _scan(text, 0)
        except (StopIteration, ValueError, RecursionError):
            pass
        else:
            if type(value) is dict and (end == len(text) or text[end:].isspace()) and "loglines" not in value:
                yield number, value
                continue
        for value in _salvaged(line, number, transcript):
            yield number, value


def _salvaged(raw: bytes, number: int, transcript: Transcript) -> Iterator[Entry]:
    """The objects on a line that is not simply one object; why the rest is none goes to the account."""
    account = transcript.account
    text = raw.decode(errors="replace")
    values, end, fault = _values(text)
    if fault:
        if raw.endswith(b"\n"):
            transcript.incomplete = True
            fault = "cut off: the writer stopped in the middle of the line, or is still at it"
        if not values:
            account.bad += 1
        account.skip(number, fault if not values else f"the rest of the line, from column {end + 1}: {fault}")
    elif text.startswith("\0"):
        account.skip(number, f"{_leading_nuls(text)} NUL bytes before the entry, which was read")
    if len(values) > 1:
        account.multi += 1
    for value in values:
        yield from _objects(value, number, account)


def _objects(value: Any, number: int, account: Account) -> Iterator[Entry]:
    """The entries that *value* stands for: itself, or what an export wrapped into one array."""
    wrapped = value.get("loglines") if type(value) is dict else value
    if type(wrapped) is list and wrapped and all(type(entry) is dict for entry in wrapped):
        yield from wrapped
    elif type(value) is dict:
        yield value
    else:
        account.skip(number, f"not an object but {_article(value)}")


def _article(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _values(text: str) -> tuple[list[Any], int, str]:
    """All values that *text* holds one after the other, how far they reach, and what is wrong behind them."""
    values: list[Any] = []
    at = _skip(_BLANK, text, 0)
    while at < len(text):
        value, end, fault = _value(text, at)
        if fault:
            return values, at, fault
        values.append(value)
        at = _skip(_BLANK, text, end)
    return values, at, "" if values or "\0" not in text else f"{_leading_nuls(text)} NUL bytes"


def _leading_nuls(text: str) -> int:
    return len(text) - len(text.lstrip("\0"))


def _value(text: str, at: int) -> tuple[Any, int, str]:
    """The value that starts *at*, its end, and what is wrong with it, if something is."""
    try:
        value, end = _scan(text, at)
    except StopIteration as stop:
        return None, at, f"not JSON: no value at column {int(stop.value) + 1}"
    except json.JSONDecodeError as error:
        return None, error.pos, f"not JSON: {error.msg.removesuffix(' at')} at column {error.pos + 1}"
    except ValueError:
        return None, at, "not JSON that can be read: a number with thousands of digits"
    except RecursionError:
        return None, at, "not JSON that can be read: nested too deeply"
    return value, end, ""


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _opens_document(line: bytes | None) -> bool:
    """Whether *line* is the first of a JSON document that goes on over many lines."""
    if line is None or len(line) > ROOMY:
        return False
    text = line.decode(errors="replace").strip("\ufeff\0 \t\r\n")
    if text in ("{", "["):
        return True
    opens = text.startswith("[") or _WRAPPED.match(text) is not None
    return opens and bool(_value(text, 0)[2])


def _from_document(lines: Iterator[bytes | None], transcript: Transcript) -> Iterator[tuple[int, Entry]]:
    """The objects of a document that was laid out over many lines, or of several; a damaged one costs itself alone."""
    account = transcript.account
    text = _joined(lines, account)
    at = _skip(_BETWEEN, text, 0)
    wrapped = _WRAPPED.match(text, at)
    is_array = wrapped is not None or text.startswith("[", at)
    at = _skip(_BETWEEN, text, wrapped.end() if wrapped else at + is_array)
    indent = text[text.rfind("\n", 0, at) + 1 : at]
    again = f"\n{indent}{{" if not indent.strip() else "\n{"
    line, counted, faults = 1, 0, 0
    while at < len(text) and not (is_array and text.startswith("]", at)):
        line, counted = line + text.count("\n", counted, at), at
        value, end, fault = _value(text, at)
        if fault:
            account.bad += 1
            faults += 1
            account.skip(line, fault if faults <= FAULTS else f"{fault}; the rest was not read")
            end = text.find(again, at + 1) if faults <= FAULTS else -1
            if end < 0:
                transcript.incomplete = True
                return
        elif type(value) is dict:
            yield line, value
        else:
            account.skip(line, f"not an object but {_article(value)}")
        at = _skip(_BETWEEN, text, end)
    transcript.incomplete = is_array and at >= len(text)


def _joined(lines: Iterator[bytes | None], account: Account) -> str:
    """The whole text, as far as that can be held."""
    kept: list[bytes] = []
    length = 0
    for number, raw in enumerate(lines, 1):
        length += LONGEST_DOCUMENT if raw is None else len(raw) + 1
        if raw is None or length > LONGEST_DOCUMENT:
            account.skip(number, _TOO_LONG)
            break
        kept.append(raw)
    for _ in lines:  # the digest is that of the whole file
        pass
    return b"\n".join(kept).decode(errors="replace")


def _slimmed(raw: bytes) -> bytes:
    """*raw* without the middle of its long strings."""
    kept: list[bytes] = []
    start = 0
    for found in _STRING.finditer(raw):
        if found.end() - found.start() <= 4 * KEPT_BYTES:
            continue
        head = _cut_before(raw, found.start() + KEPT_BYTES)
        tail = _cut_after(raw, found.end() - KEPT_BYTES, found.end() - 1)
        kept += (raw[start:head], f"…[{tail - head:,} bytes left out]…".encode())
        start = tail
    return b"".join((*kept, raw[start:])) if kept else raw


def _cut_before(raw: bytes, at: int) -> int:
    """The last place up to *at* that is in no escape sequence and in no character."""
    broken = _BROKEN_ESCAPE.search(raw, at - 6, at)
    at = broken.start() if broken else at
    while raw[at - 1] == 0x5C or raw[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _cut_after(raw: bytes, at: int, end: int) -> int:
    """The first place from *at* on that no backslash precedes and that is in no character; *end* if there is none."""
    while at < end and (raw[at - 1] == 0x5C or raw[at] & 0xC0 == 0x80):
        at += 1
    return at
