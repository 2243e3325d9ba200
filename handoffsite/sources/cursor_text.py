"""Cursor's older transcripts in plain text, as the messages that its newer ones are made of."""

import re
from collections.abc import Iterator
from typing import Any

from handoffsite.sources.lines import Entry

_SPEAKERS = {"user:": "user", "assistant:": "assistant"}
_MARK = re.compile(r"\[(Thinking|Tool call|Tool result)\](?: (.{0,200}))?")
_ARGUMENT = re.compile(r"  ([a-z][A-Za-z_]{0,40}):(?: (.*))?", re.DOTALL)
_BLOCKS = {"Thinking": "thinking", "Tool call": "tool_call", "Tool result": "tool_result"}
_OPENED, _CLOSED = "<user_query>", "</user_query>"

# Within one of these, what looks like another argument is text.
_TEXTS = frozenset("contents content old_string new_string code_edit patch input plan todos".split())
_FLAGS = frozenset("path command description old_string new_string replace_all contents merge todos".split())


def is_text(head: str) -> bool:
    """Whether a file that begins with *head* is such a transcript."""
    lines = [line.rstrip() for line in head.lstrip("\ufeff\0 \t\r\n").split("\n")]
    if lines[0] == "user:":
        following = next((line.strip() for line in lines[1:] if line.strip()), "")
        return following.startswith("<") or ("assistant:" in lines and any(_MARK.match(line) for line in lines))
    return lines[0] == "assistant:" and any(_MARK.match(line) for line in lines)


def messages(text: str) -> Iterator[tuple[int, Entry]]:
    """The messages of *text*, each with the line on which it begins; a block that `continues` one is a message of its own."""
    role, start = "", 0
    block: dict[str, Any] = {}
    held: list[str] = []
    continues = False
    lines = text.split("\n")
    closings = _closings(lines)
    within = 0  # the line that closes what the human says, where it is open
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r")
        bare = line.strip() if number > within else ""
        mark = _MARK.match(line) if role == "assistant" else None
        if bare in _SPEAKERS and line == line.lstrip():
            yield from _message(role, start, block, held, continues=continues)
            role, start, block, held, continues = _SPEAKERS[bare], number, {"type": "text"}, [], False
        elif mark:
            for message in _message(role, start, block, held, continues=continues):
                yield message
                continues = True
            start, block, held = number, {"type": _BLOCKS[mark[1]], "rest": mark[2] or ""}, []
        elif role:
            if not held and not line.strip():
                continue
            if not held and block["type"] == "text":
                start = number
            held.append(line)
            if role == "user" and _OPENED in line and number > within:
                within = closings[number - 1]
    yield from _message(role, start, block, held, continues=continues)


def _closings(lines: list[str]) -> list[int]:
    """For each line the number of the next one, from itself on, that closes what a human says; 0 where there is none."""
    closings = [0] * len(lines)
    closing = 0
    for index in range(len(lines) - 1, -1, -1):
        if _CLOSED in lines[index]:
            closing = index + 1
        closings[index] = closing
    return closings


def _message(role: str, line: int, block: dict[str, Any], held: list[str], *, continues: bool) -> Iterator[tuple[int, Entry]]:
    """One block as a message, unless it says nothing."""
    if not role:
        return
    kind, rest = block["type"], block.get("rest", "").strip()
    text = "\n".join(held).strip("\n")
    if kind == "thinking":
        content = {"type": kind, "thinking": f"{rest}\n{text}".strip()}
    elif kind == "tool_call":
        content = {"type": kind, "name": rest, "input": _arguments(held)}
    elif kind == "tool_result":
        content = {"type": kind, "name": rest, "content": text.strip()}
    elif text.strip():
        content = {"type": kind, "text": text.strip()}
    else:
        return
    yield line, {"role": role, "message": {"content": [content]}, "continues": continues}


def _arguments(lines: list[str]) -> dict[str, str]:
    """The arguments of a call, one on a line; what follows one without a name is its text's next line."""
    given: dict[str, list[str]] = {}
    last = ""
    for line in lines:
        found = _ARGUMENT.fullmatch(line)
        if found and (last not in _TEXTS or (found[1] in _FLAGS and found[1] not in given)):
            last = found[1]
            given[last] = [found[2] or ""]
        elif last:
            given[last].append(line)
        elif line.strip():
            last = ""
            given.setdefault("", []).append(line)
    return {key: "\n".join(value).strip("\n") for key, value in given.items()}
