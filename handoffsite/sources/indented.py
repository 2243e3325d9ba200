"""The lock files that are YAML, as their programs write them: one `key: value` a line, nesting by indentation, nothing else that matters."""

from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.errors import Malformed

DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: its number (1-based), the keys that lead to it, and its value as text (empty where a block follows)."""

    line: int
    keys: tuple[str, ...]
    value: str


def entries(text: str) -> Iterator[Entry]:
    """The entries of *text*, lists and the lines of longer texts left out; Malformed where a line at the margin is none."""
    stack: list[int] = []
    keys: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if not bare or bare[0] == "#" or bare in ("---", "..."):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if line[indent] == "\t":
            raise Malformed("indented by a tab", line=number)
        found = _pair(bare) if bare[0] != "-" else None
        if found is None:
            if not indent and bare[0] != "-":
                raise Malformed(f"not `key: value`: {bare[:60]!r}", line=number)
            continue
        while stack and stack[-1] >= indent:
            stack.pop()
            keys = keys[:-1]
        if len(stack) >= DEEPEST:
            raise Malformed(f"nested deeper than {DEEPEST}", line=number)
        stack.append(indent)
        keys = (*keys, found[0])
        yield Entry(number, keys, found[1])


def _pair(bare: str) -> tuple[str, str] | None:
    if bare[0] in "\"'":
        end = bare.find(bare[0], 1)
        key, rest = bare[1:end], bare[end + 1 :]
        if end < 0 or not rest.startswith(":"):
            return None
        return key, _scalar(rest[1:])
    key, colon, rest = bare.partition(": ")
    if not colon:
        return (bare[:-1], "") if bare.endswith(":") else None
    return key, _scalar(rest)


def _scalar(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] in "\"'" and (end := text.find(text[0], 1)) > 0:
        return text[1:end]
    return text.partition(" #")[0].rstrip()
