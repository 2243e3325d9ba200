"""Which files a shell command writes itself, and which one it prints from beginning to end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.extract.shell import segments, without_heredocs, words
from handoffsite.extract.step import Step
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import KEPT_CHARACTERS

EXAMINED = 30_000  # characters of a command

_HEREDOC = lazy(
    r"(?:(>{1,2})|\btee( -a)?)\s*([^\s<>&|;]+)\s*<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n"
    r"|<<-?\s*['\"]?(\w+)['\"]?\s*(>{1,2})\s*([^\s<>&|;]+)[^\n]*\n"
)
_ECHO = lazy(r"(?:echo|printf)\s(?:-\w+\s)*\s*(?:'([^'\n]*)'|\"([^\"\n]*)\")\s*>>\s*([^\s<>&|;]+)")
_SED = lazy(
    r"sed\s(?:-[iErn]+(?:\.\w+|\s'')?\s)+\s*(?:-e\s)?(['\"])s([/|#@,])((?:(?!\2)[^\n]){1,500})\2((?:(?!\2)[^\n]){0,500})\2g?\1\s+([^\s<>&|;]+)"
)
_CD = lazy(r"\s*cd\s+(['\"]?)([^\s;&|'\"]+)\1\s*(?:&&|;|\n)")
_PRINTERS = ("cat", "bat", "nl", "type", "jq", "Get-Content", "gc")
_QUIET = ("cd ", "pwd", "echo ", "set ")
_NUMBERED = lazy(r"^[ \t]*\d+(?:→|\t|: ?|\| ?|\. ?)", re.MULTILINE)
_REMINDER = lazy(r"\n*<system-reminder>.*", re.DOTALL)
_UNTIL = lazy(r"-n '?1,(\d{1,6})p?'?\Z|head -(?:n ?)?(\d{1,6})\Z")


@dataclass(frozen=True, slots=True)
class Writing:
    """A change of one file: *new* in the place of *old*, or as all of the file where *whole*, or else behind what it holds."""

    path: str
    old: str
    new: str
    whole: bool = False


def writings(step: Step) -> Iterator[Writing]:
    """What the command of *step* writes by a here-document, an echo or a sed."""
    command = step.command[:EXAMINED]
    for found in _HEREDOC.finditer(command) if "<<" in command else ():
        mark = found[4] or found[5]
        content = command[found.end() :].partition(f"\n{mark}")[0]
        appends = ">>" in (found[1], found[6]) or bool(found[2])
        yield Writing(placed(found[3] or found[7], step), "", content, whole=not appends)
    bare = without_heredocs(command)
    for found in _ECHO.finditer(bare) if ">>" in bare else ():
        yield Writing(placed(found[3], step), "", (found[1] or found[2] or "").replace("\\n", "\n"))
    for found in _SED.finditer(bare) if "sed -" in bare else ():
        yield Writing(placed(found[5].strip("\"'"), step), _literal(found[3]), _literal(found[4]))


def printed(step: Step) -> str:
    """The file that the command of *step* prints whole, and nothing beside it; empty where there is none."""
    command = step.command
    if "<<" in command or "|" in command or len(command) > EXAMINED:
        return ""
    telling = [part for part in segments(command) if not part.startswith(_QUIET)]
    parts = words(telling[0]) if len(telling) == 1 else []
    files = [part.strip("\"'") for part in parts[1:] if "." in part and not part.startswith("-")]
    if len(files) != 1:
        return ""
    until = _UNTIL.search(" ".join(parts[:-1])) if parts[0] in ("sed", "head") else None
    is_whole = parts[0] in _PRINTERS or (until and step.result.text.count("\n") + 1 < int(until[1] or until[2]))
    return placed(files[0], step) if is_whole else ""


def shown_text(output: str) -> str:
    """The file that *output* shows, without what a tool put around it; nothing where it is cut, or begins inside the file."""
    if len(output) >= KEPT_CHARACTERS:
        return ""
    text = _REMINDER.sub("", output)
    if (first := _NUMBERED.match(text)) is None:
        return text
    return _NUMBERED.sub("", text) if first[0].strip(" \t→:|.") == "1" else ""


def placed(path: str, step: Step) -> str:
    """*path* as seen from where the command ran, as far as the call says that."""
    given = step.call.data.get("input")
    folder = str(given.get("workdir") or "") if isinstance(given, dict) else ""
    moved = _CD.match(step.command)
    for name in (moved[2] if moved else "", folder):
        if name and not path.startswith(("/", "~")):
            path = f"{name.rstrip('/')}/{path.removeprefix('./')}"
    return path


def _literal(pattern: str) -> str:
    """What a sed expression of plain text and escapes stands for."""
    return re.sub(r"\\(.)", r"\1", pattern)
