"""Secrets in the column of a table that has a telling head: `| user | password |`, `user,password`."""

from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.records.assignment import kind_of
from handoffsite.records.credentials import Span
from handoffsite.records.pattern import lazy
from handoffsite.records.plausibility import is_chosen

_STEMS = ("passw", "pwd", "secret", "token", "key", "kennwort", "contrase", "senha", "парол", "密码", "密碼", "パスワード")
_BEFORE = lazy(r"(?:\A|[,;|\t\n])[ \t\"*`']{0,6}([\w .\-]{0,30})\Z")
_AFTER = lazy(r"([\w ]{0,12}?)[ \t\"*`']{0,6}(?=[,;|\t\r\n])")
_REACH = 40
_WIDEST = 400
_SEPARATORS = "|\t;,"


@dataclass(frozen=True, slots=True)
class _Column:
    """One column: which *place* it has in rows of *width* separators."""

    separator: str
    place: int
    width: int


def spans(text: str, lower: str) -> Iterator[Span]:
    """Where *text*, given also in lower case, holds a secret under a column's head: start, end, kind."""
    if "\n" not in text:
        return
    read: dict[_Column, int] = {}  # how far, as a row that looks like a head may stand in the table of another
    for stem in _STEMS:
        at = lower.find(stem)
        while at >= 0:
            stop = at + len(stem)
            after = _AFTER.match(text, stop)
            before = _BEFORE.search(text[max(0, at - _REACH) : at]) if after else None
            if before and after:
                yield from _beneath(text, at, before.group(1) + text[at:stop] + after.group(1), read)
            at = lower.find(stem, stop)


def _beneath(text: str, at: int, name: str, read: dict[_Column, int]) -> Iterator[Span]:
    """The secrets beneath the head that stands *at* and is called *name*."""
    start = text.rfind("\n", max(0, at - _WIDEST), at) + 1
    end = text.find("\n", at, at + _WIDEST)
    head = text[start : max(start, end)]
    separator = next((one for one in _SEPARATORS if one in head), "")
    if not separator:
        return
    column = _Column(separator, text.count(separator, start, at), head.count(separator))
    if read.get(column, -1) > at:
        return
    while 0 <= end < len(text):
        start, end = end + 1, text.find("\n", end + 1)
        row = text[start : end if end >= 0 else len(text)]
        read[column] = start + len(row)
        if row.count(separator) != column.width or len(row) > 2 * _WIDEST:
            return
        cells = row.split(separator)
        value = cells[column.place].strip(" \t\r\"'*`")
        kind = kind_of(name, value)
        if kind and (kind != "password" or is_chosen(value)):
            begin = text.index(value, start + sum(map(len, cells[: column.place])) + column.place)
            yield begin, begin + len(value), kind
