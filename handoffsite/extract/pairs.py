"""What an edit replaces, part by part, as the tools of different agents are asked for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_OLD = ("old_string", "oldString", "oldText", "old_str", "old_text")
_NEW = ("new_string", "newString", "newText", "new_str", "new_text")
_EVERYWHERE = ("replace_all", "replaceAll", "allow_multiple")


@dataclass(frozen=True, slots=True)
class Pair:
    """*new* in the place of *old*, once or *everywhere*."""

    old: str
    new: str
    everywhere: bool = False


def pairs(data: Mapping[str, Any]) -> list[Pair]:
    """The parts of the edit that a call with *data* asks for; none where it does not say what is to stand there."""
    given = data.get("input")
    given = given if isinstance(given, dict) else {}
    edits = given.get("edits")
    parts = [_pair(edit) for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    if parts and (known := [part for part in parts if part is not None]):
        return known
    new = data.get("new")
    return [Pair(str(data.get("old") or ""), new, _everywhere(given))] if isinstance(new, str) else []


def edited(text: str, pairs: Iterable[Pair]) -> str:
    """*text* with the edit made in it; nothing where a part of it does not fit."""
    for pair in pairs:
        if not pair.old or pair.old not in text:
            return ""
        text = text.replace(pair.old, pair.new, -1 if pair.everywhere else 1)
    return text


def _pair(edit: Mapping[str, Any]) -> Pair | None:
    old = next((edit[key] for key in _OLD if isinstance(edit.get(key), str)), "")
    new = next((edit[key] for key in _NEW if isinstance(edit.get(key), str)), None)
    return None if new is None else Pair(old, new, _everywhere(edit))


def _everywhere(given: Mapping[str, Any]) -> bool:
    """Whether all that is like the old text is replaced; Gemini's tool says how many there are."""
    count = given.get("expected_replacements")
    return any(given.get(key) is True for key in _EVERYWHERE) or (isinstance(count, int) and count > 1)
