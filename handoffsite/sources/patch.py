"""Patches in the grammar of `apply_patch`: as a tool's argument, or inside a shell command."""

import re

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
