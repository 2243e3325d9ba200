"""What a tool's answer says of success, where only its text tells: an exit status, an error, a refusal."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.sources.lines import parsed
from handoffsite.sources.printed import is_refusal
from handoffsite.sources.text import clean, gathered, tidy

_STATUS = ("exit_code", "exitCode", "exit_status", "exitStatus", "returncode", "return_code", "returnCode")
_TEXTS = ("output", "stdout", "stderr", "content", "diff", "text", "result", "message")

_EXIT = re.compile(
    r"\W{0,3}(?:error: )?(?:the )?(?:(?:command|process)\b.{0,40}?\b)?"
    r"(?:exit[ _-]?(?:code|status)|return[ _]?code|exited with(?: code| status)?)\b[^\w-]{0,4}(?:was |is )?(-?\d{1,10})\b",
    re.IGNORECASE,
)
_NONZERO = re.compile(r"returned non-zero exit status (\d{1,10})")
_FAILED = re.compile(
    r"\s*(?:<tool_use_error>|<error>|(?:tool |execution |internal |api |validation )?error\b|failed\b|failure\b|fatal\b|exception\b|"
    r"traceback \(most recent|command failed|command timed out|timed out\b|patch rejected|permission denied\b|unknown tool\b|"
    r"no such (?:file|tool)|(?:bash|sh|zsh)(?:: line \d+)?: )",
    re.IGNORECASE,
)
SMALL = 6  # keys of an object that wraps an output
_BEGINNING = 400  # characters at the beginning in which a client tells of a refusal
_EDGE = 3  # lines at either end of an output where a harness puts the status


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call; *ok* is None where nothing tells."""

    text: str
    ok: bool | None
    exit: int | None = None
    refused: bool = False


def outcome(content: Any, *, is_shell: bool, failed: bool | None = None, is_quiet: bool = False) -> Outcome:
    """What *content* says; *failed* is what the chat itself says of it, None if nothing.

    That a shell printed something proves nothing, unless the chat *is_quiet* about what worked.
    """
    text = gathered(content)
    value = parsed(text) if text[:1] == "{" else None
    if type(value) is dict and _is_wrapped(value, is_shell=is_shell):
        found = told(value, is_shell=is_shell)
    else:
        exit = _exit(text) if is_shell else None
        found = Outcome(clean(text), exit == 0 if exit is not None else None, exit)
    ok = found.ok
    if failed is True:
        ok = False
    elif ok is None and failed is False:
        ok = True
    elif ok is None and _FAILED.match(found.text):
        ok = False
    elif ok is None and (is_quiet or not is_shell):
        ok = True
    return Outcome(found.text, ok, found.exit, ok is False and is_refusal(found.text[:_BEGINNING]))


def _is_wrapped(value: Mapping[str, Any], *, is_shell: bool) -> bool:
    """Whether *value* is what a harness makes of an answer; a command may print an object of its own."""
    if any(key in value for key in (*_STATUS, "stdout")) or ("output" in value and len(value) <= SMALL):
        return True
    return not is_shell and ("error" in value or type(value.get("success")) is bool)


def told(value: Mapping[str, Any], *, is_shell: bool) -> Outcome:
    """What an answer that is an object says."""
    metadata = value.get("metadata")
    places = (value, metadata) if type(metadata) is dict else (value,)
    exit = None
    if is_shell:
        exit = next((code for place in places for key in _STATUS if type(code := place.get(key)) is int), None)
    ok: bool | None = exit == 0 if exit is not None else None
    error = value.get("error")
    if error or value.get("success") is False or value.get("status") in ("error", "failed") or value.get("is_error") is True:
        ok = False
    elif ok is None and (value.get("success") is True or value.get("ok") is True):
        ok = True
    return Outcome(_said(value, error), ok, exit)


def spelled(value: Any) -> str:
    """*value* as text: itself, the lines of a list, or what an object spells in JSON."""
    if type(value) is str:
        return clean(value)
    if type(value) is dict:
        return _said(value, value.get("error"))
    if type(value) is list and (text := gathered(value)):
        return clean(text)
    return "" if value in (None, [], {}) else clean(json.dumps(tidy(value), ensure_ascii=False))


def _said(value: Mapping[str, Any], error: Any) -> str:
    """The texts of an answer, one after the other; all of it where none is known by its name."""
    if type(error) is dict:
        error = error.get("message")
    said = [gathered(error), *(gathered(value.get(key)) for key in _TEXTS)]
    return clean("\n".join(text for text in said if text)) or clean(json.dumps(tidy(value), ensure_ascii=False))


def _exit(text: str) -> int | None:
    """The exit status that the first or the last lines of a shell's output tell."""
    lines = text[:2_000].split("\n")[:_EDGE] + text[-2_000:].rstrip().split("\n")[-_EDGE:]
    for line in lines:
        if found := _EXIT.match(line.strip()[:200]) or _NONZERO.search(line[:2_000]):
            return int(found[1])
    return None
