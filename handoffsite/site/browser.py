"""The index of the search page: one script that holds the whole text of every document, each word and each line once.

Numbers are written in signs of printable ASCII, the frequent ones in one sign: those below `_ENDS` end a number, the others carry
it on, the weightiest last. A document is read back by `templates/assets/search-engine.js`, which finds and ranks as the command
line does; nothing is analysed here, so that the rules stand in one place for each language.
"""

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from handoffsite.records.visible import visible
from handoffsite.site.links import address

FORMAT = 1
# Signs that a JavaScript string holds as they are.
SIGNS = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\')
_ENDS = 72

_Value = TypeVar("_Value", bound=Hashable)


class Document(Protocol):
    """What can be found, and all that its rank depends on; *id* makes its address, *names* are what it is called by."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def live(self) -> bool: ...
    @property
    def title(self) -> str: ...
    @property
    def body(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...


def script(documents: Iterable[Document]) -> bytes:
    """The script; the same bytes for the same documents, in whatever order they come."""
    found = sorted(documents, key=lambda one: one.id)
    found.sort(
        key=lambda one: one.date, reverse=True
    )  # of equal rank, the newest comes first: a browser need only keep the order
    packed = json.dumps(_packed(found), ensure_ascii=False, separators=(",", ":"))
    return f"window.handoffsiteIndex = {_written_out(packed)};\n".encode()


def number(value: int) -> str:
    """*value* in signs."""
    signs = ""
    while value >= _ENDS:
        value, rest = divmod(value - _ENDS, len(SIGNS) - _ENDS)
        signs += SIGNS[_ENDS + rest]
    return signs + SIGNS[value]


def _packed(documents: Sequence[Document]) -> dict[str, Any]:
    texts = [(_lines(one.title), _lines(one.body), [*one.names, " ".join(one.topic.split()).casefold()]) for one in documents]
    lines = _by_frequency(line for parts in texts for part in parts for line in part)
    words = _by_frequency(word for line in lines for word in line.split(" "))
    states = _by_frequency((one.kind, one.status, one.live) for one in documents)
    dates = _by_frequency(one.date for one in documents)
    addresses = {place: address(one.id) for place, one in enumerate(documents)}
    stream = []
    for one, parts in zip(documents, texts, strict=True):
        stream += [states[one.kind, one.status, one.live], dates[one.date]]
        for part in parts:
            stream += [len(part), *(lines[line] for line in part)]
    return {
        "format": FORMAT,
        "signs": SIGNS,
        "ends": _ENDS,
        "words": " ".join(words),
        "lines": _numbers(_numbered(lines, words)),
        "states": [list(state) for state in states],
        "dates": list(dates),
        "ids": {place: one.id for place, one in enumerate(documents) if one.names[:1] != (one.id,)},
        "addresses": {place: found for place, found in addresses.items() if found != derived(documents[place].id)},
        "documents": _numbers(stream),
    }


def derived(id: str) -> str:
    """The address that the page makes of an ID by itself."""
    whole, _, part = id.partition(".")
    folder = {"S": "sessions", "D": "decisions", "C": "constraints", "T": "threads"}.get(id[:1], "")
    return f"{folder}/{whole}.html#{part}" if part else f"{folder}/{whole}.html"


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _numbered(lines: Iterable[str], words: dict[str, int]) -> Iterator[int]:
    for line in lines:
        found = line.split(" ")
        yield len(found)
        yield from (words[word] for word in found)


def _numbers(values: Iterable[int]) -> str:
    return "".join(map(number, values))


def _by_frequency(values: Iterable[_Value]) -> dict[_Value, int]:
    """Each of *values*, the most frequent first, and its place; among equals, the first that came."""
    return {value: place for place, (value, _) in enumerate(Counter(values).most_common())}


def _written_out(text: str) -> str:
    """*text*, a JSON document, with what hides in it behind an escape: a script is a file that people may open."""
    if visible(text) is text:
        return text
    return "".join(sign if sign.isascii() or visible(sign) == sign else json.dumps(sign)[1:-1] for sign in text)
