"""VS Code's chat logs in lines: the first holds a session as it was, each other one a change of it."""

from collections.abc import Callable, Iterable
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.lines import Entry

INITIAL, SET, PUSH, DELETE = range(4)

# What no reader looks at, and what holds whole files; dropped at once, as the session is held until its last change.
_HEAVY = frozenset(
    "variableData contentReferences codeCitations usedContext renderedUserMessage followups inputState "
    "responderAvatarIconUri requesterAvatarIconUri pendingRequests diffs".split()
)
_NOWHERE = "a change to something that the log does not hold"


def replayed(entries: Iterable[tuple[int, Entry]], account: Account) -> tuple[Any, Callable[[Any], int]]:
    """The session after the last change, None without one, and what tells the line that last wrote an object of it."""
    state: Any = None
    lines: dict[int, int] = {}
    for line, entry in entries:
        kind, path, value = entry.get("kind"), entry.get("k"), entry.get("v")
        if type(kind) is not int or not INITIAL <= kind <= DELETE:
            account.skip(line, "no change of a session")
            continue
        _slimmed(value, line, lines)
        if kind == INITIAL:
            state = value if type(value) is dict else state
        elif type(path) is not list or not path or not _applied(state, kind, path, value, entry.get("i")):
            account.skip(line, _NOWHERE)
    return state, lambda written: lines.get(id(written), 1)


def _slimmed(value: Any, line: int, lines: dict[int, int]) -> None:
    """Note *line* for every object in *value*, without what is heavy."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if type(one) is dict:
            for key in _HEAVY & one.keys():
                del one[key]
            lines[id(one)] = line
            waiting += one.values()
        elif type(one) is list:
            waiting += one


def _applied(state: Any, kind: int, path: list[Any], value: Any, index: Any) -> bool:
    """Change *state* at *path*; whether there was such a place."""
    if any(type(step) is str and step in _HEAVY for step in path):
        return True
    holder = state
    for step in path[:-1]:
        holder = _at(holder, step)
    last = path[-1]
    if kind == PUSH:
        return _pushed(holder, last, value, index)
    if type(holder) is dict and type(last) is str:
        if kind == DELETE:
            holder.pop(last, None)
        else:
            holder[last] = value
        return True
    if type(holder) is list and type(last) is int and 0 <= last <= len(holder):
        holder[last : last + 1] = [None if kind == DELETE else value]
        return True
    return False


def _at(holder: Any, step: Any) -> Any:
    if type(holder) is dict and type(step) is str:
        return holder.get(step)
    if type(holder) is list and type(step) is int and 0 <= step < len(holder):
        return holder[step]
    return None


def _pushed(holder: Any, last: Any, values: Any, index: Any) -> bool:
    """Cut the list at *last* off at *index*, if one is given, and add *values* to it."""
    kept = _at(holder, last)
    if kept is None and type(holder) is dict and type(last) is str:
        kept = holder[last] = []
    if type(kept) is not list:
        return False
    if type(index) is int and index >= 0:
        del kept[index:]
    if type(values) is list:
        kept += values
    return True
