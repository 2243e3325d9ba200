"""Patches in the grammar of `apply_patch`: as a tool's argument, or inside a shell command."""

import re
from collections.abc import Iterable

from handoffsite.sources.text import clean

_BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_FILE = re.compile(r"^\*\*\* (?:(?:Add|Delete|Update) File|Move to): ([^\n]{1,1000})$", re.MULTILINE)


def patch_in(command: str) -> str:
    """The patches that a shell *command* applies, or nothing."""
    if _BEGIN not in command or "apply" not in command:
        return ""
    start = command.index(_BEGIN)
    end = command.rfind(_END)
    return command[start : end + len(_END)] if end > start else command[start:]


def patched(patch: str) -> tuple[str, ...]:
    """The paths that *patch* touches, each once, as they are written in it."""
    return tuple(dict.fromkeys(path.strip() for path in _FILE.findall(patch)))


def deletion(paths: Iterable[str]) -> str:
    """A patch that deletes the files at *paths*."""
    return "\n".join((_BEGIN, *(f"*** Delete File: {path}" for path in paths), _END))


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Several replacements in one file, each of an old text and a new one, told as one."""
    pairs = list(pairs)
    return {"old": clean("\n".join(old for old, _ in pairs)), "new": clean("\n".join(new for _, new in pairs))}
