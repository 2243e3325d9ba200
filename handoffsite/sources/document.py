"""A log that is one JSON document: its value, and the physical line of every object in it; a cut one up to the cut."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from handoffsite.records.transcript import Transcript
from handoffsite.sources.lines import CHUNK, Readable, whole_text

LineOf = Callable[[Any], int]

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)

# Up to the next brace: what is skipped without a step of Python's is most of a document. It always matches, if only at the end,
# so that what stands behind a string without an end is not looked at again and again.
_BRACE = re.compile(r'(?:[^"{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z))*+([{}]|\Z)', re.DOTALL)
_DEEPEST = 200
_CLOSER = {"{": "}", "[": "]"}


def document(stream: Readable, transcript: Transcript) -> tuple[Any, LineOf]:
    """The value that *stream* spells and what tells the line (1-based) of an object in it; None where nothing can be read.

    What stands behind a cut or a fault is lost, and the account says so.
    """
    text = whole_text(stream, transcript.account).strip("\ufeff\0").rstrip()
    value, lines, fault = _parsed(text)
    if fault is not None:
        transcript.incomplete = fault.msg.startswith("Unterminated") or len(text) - fault.pos < len("false")
        line = text.count("\n", 0, fault.pos) + 1
        transcript.account.bad += 1
        transcript.account.skip(line, f"not JSON: {fault.msg} at column {fault.colno}; what stands behind it was not read")
        value, lines, _ = _parsed(_mended(text[: fault.pos]))
    return value, lambda entry: lines.get(id(entry), 1)


def _parsed(text: str) -> tuple[Any, dict[int, int], json.JSONDecodeError | None]:
    """The value of *text*, the line of each object by its identity, and what is wrong with *text*."""
    objects: list[Any] = []  # in the order in which they close

    def met(entry: Any) -> Any:
        objects.append(entry)
        return entry

    try:
        value = json.loads(text, object_hook=met)
    except json.JSONDecodeError as error:
        return None, {}, error
    except (RecursionError, ValueError):
        return None, {}, json.JSONDecodeError("nested too deeply, or a number with thousands of digits", "", 0)
    opened = _laid_out(text)
    if len(opened) != len(objects):
        opened = _closing_order(text)
    return value, dict(zip(map(id, objects), opened, strict=False)), None


def _laid_out(text: str) -> list[int]:
    """The same as `_closing_order` for a *text* that opens and closes each object on a line of its own, as most programs write it.

    Another *text* has more objects than this finds. No string can end in a brace, so that the ends of lines tell.
    """
    open_lines: list[int] = []
    closed: list[int] = []
    for number, line in enumerate(_lines(text), 1):
        end = line[-2:]
        if end[-1:] == "{":
            open_lines.append(number)
        elif end[-1:] == "}" or end == "},":
            bare = line.strip(" \t,")
            if bare == "}" and open_lines:
                closed.append(open_lines.pop())
            elif bare.endswith("{}"):
                closed.append(number)
            else:
                return []
    return closed


def _lines(text: str) -> Iterator[str]:
    """The lines of *text*, of which only some are held at once."""
    start = 0
    while start <= len(text):
        end = text.find("\n", start + CHUNK)
        end = end if end >= 0 else len(text)
        yield from text[start:end].split("\n")
        start = end + 1


def _closing_order(text: str) -> list[int]:
    """The line on which each object opens, in the order in which they close: the order in which they are parsed."""
    line, counted = 1, 0
    open_lines: list[int] = []
    closed: list[int] = []
    for found in _BRACE.finditer(text):
        if found[1] == "{":
            at = found.end()
            line, counted = line + text.count("\n", counted, at), at
            open_lines.append(line)
        elif found[1] and open_lines:
            closed.append(open_lines.pop())
    return closed


def _mended(text: str) -> str:
    """*text* up to its last whole object, with what is open there closed."""
    stack: list[str] = []
    end, still_open = 0, ""
    for found in _TOKEN.finditer(text):
        mark = found[0]
        if mark in _CLOSER:
            stack.append(_CLOSER[mark])
            if len(stack) > _DEEPEST:
                break
        elif stack and mark == stack[-1]:
            stack.pop()
            if mark == "}":
                end, still_open = found.end(), "".join(reversed(stack))
    return text[:end] + still_open
