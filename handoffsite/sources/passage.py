"""A log that is written as text: its lines with their numbers, and passages of it, of bounded length."""

from collections import deque
from collections.abc import Iterator

from handoffsite.records.transcript import KEPT_CHARACTERS, Transcript
from handoffsite.sources.lines import LONGEST, Readable, physical_lines
from handoffsite.sources.text import clean

LONGEST_LINE = 1 << 18  # characters; a line that has more is data, and nobody's words

_ENDS = ("\n", "\r")


def numbered(stream: Readable, transcript: Transcript, first: int = 1) -> Iterator[tuple[int, str]]:
    """Every line of *stream* with its number, that of the *first* being given; the end of a last line that is cut is noted."""
    account = transcript.account
    for number, raw in enumerate(physical_lines(stream, account), first):
        if raw is None:
            account.bad += 1
            account.skip(number, f"more than {LONGEST >> 20} MiB")
            continue
        try:
            line = raw.decode()
        except UnicodeDecodeError:
            line = raw.decode(errors="replace")
        if line.endswith(_ENDS):
            transcript.incomplete = transcript.incomplete or line[-1] == "\n"  # nothing ended it in the file
            line = line.rstrip("\r\n")
        if number == 1:
            line = line.removeprefix("\ufeff")
        yield number, line if len(line) <= LONGEST_LINE else _cut(line)


def _cut(line: str) -> str:
    half = LONGEST_LINE // 2
    return f"{line[:half]}…[{len(line) - 2 * half:,} bytes left out]…{line[-half:]}"


class Passage:
    """Lines that belong together; of very many, the first and the last. *line* is where the first stands."""

    __slots__ = ("_head", "_left", "_left_out", "_tail", "_tail_length", "line")

    def __init__(self, line: int = 0) -> None:
        self.line = line
        self._head: list[str] = []
        self._left = KEPT_CHARACTERS
        self._tail: deque[str] = deque()
        self._tail_length = 0
        self._left_out = 0

    def __bool__(self) -> bool:
        return bool(self._head)

    def add(self, line: str) -> None:
        """Put *line* behind the others."""
        if self._left > 0:
            self._left -= len(line) + 1
            self._head.append(line)
            return
        self._tail.append(line)
        self._tail_length += len(line) + 1
        while self._tail_length > KEPT_CHARACTERS and len(self._tail) > 1:
            gone = len(self._tail.popleft()) + 1
            self._tail_length -= gone
            self._left_out += gone

    def raw(self) -> str:
        """The lines as they stand."""
        text = "\n".join(self._head)
        if self._left_out:
            text += f"\n…[{self._left_out:,} bytes left out]…"
        return "\n".join((text, *self._tail)) if self._tail else text

    def text(self) -> str:
        """The lines as they are kept."""
        return clean(self.raw())
