"""Cline's markup inside text: tool calls in XML, and what the client wraps around the human's words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from handoffsite.sources.cline_tools import ROLES

KEPT_PARAMETERS = 50

_NAMES = "|".join(sorted(ROLES, key=len, reverse=True))
_OPENS = re.compile(rf"<(?:(thinking)>|({_NAMES})>(?=\s*<[a-z_0-9]+>|\s*</\2>|\s*\Z))")
_PARAMETER = re.compile(r"<([a-z_][a-zA-Z_0-9]{0,40})>")
_GREEDY = ("content", "diff", "args", "result", "response", "command", "todos")  # may hold their own end mark
_HEADER = re.compile(r"\[(\w{1,80})(?: for '|\] Result:| completed\] Result:)")
_WORDS = re.compile(r"\s{0,40}<(task|user_message|feedback|user_input|answer)(?: [^<>\n]{0,200})?>")
_NOTED = re.compile(r"<(user_message|feedback)>")
_NOTES = (
    "[TASK RESUMPTION]",
    "[The user has switched",
    "New instructions for task continuation",
    "New message to respond to",
    "You seem to be having trouble proceeding",
    "The user has provided feedback",
)
_ENVIRONMENT = "<environment_details>"
_INTERRUPTED = re.compile(r"\n*\[Response interrupted by (user|API Error|a tool use result)[^\]]{0,300}\]\s*\Z")

_HERE = re.compile(r"^# Current W(?:orking|orkspace) Directory \((.{1,1000}?)\) Files$", re.MULTILINE)
_MOVED = re.compile(r"The current working directory is now '([^'\n]{1,1000})'")
_NOW = re.compile(r"ISO 8601 UTC format: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)")
_NOW_THERE = re.compile(
    r"^(\d{1,2}/\d{1,2}/\d{4}, \d{1,2}:\d\d:\d\d [AP]M) \([^()\n]{1,60}, UTC([+-]\d{1,2}):(\d\d)\)$", re.MULTILINE
)
_MODE = re.compile(r"^# Current Mode\s+(PLAN|ACT) MODE", re.MULTILINE)


@dataclass(slots=True)
class Piece:
    """One part of a text; *kind* is text, thinking, or tool, *at* where it begins."""

    kind: str
    at: int
    text: str = ""
    given: dict[str, str] = field(default_factory=dict)


def pieces(text: str) -> Iterator[Piece]:
    """What the agent said, thought and called in *text*, in order; of a tool, *text* is the name."""
    at = 0
    while found := _OPENS.search(text, at):
        yield from _plain(text, at, found.start())
        name = found[1] or found[2]
        end = text.find(f"</{name}>", found.end())
        body = text[found.end() : end if end >= 0 else len(text)]
        at = end + len(name) + 3 if end >= 0 else len(text)
        if found[1]:
            yield Piece("thinking", found.start(), body.strip())
        else:
            yield Piece("tool", found.start(), name, _parameters(body))
    yield from _plain(text, at, len(text))


def interrupted(text: str) -> tuple[str, bool]:
    """*text* without the client's note that the answer was broken off, and whether the human did that."""
    found = _INTERRUPTED.search(text, max(0, len(text) - 400))
    return (text[: found.start()], found[1] == "user") if found else (text, False)


def header(text: str) -> tuple[str, int]:
    """The name of the tool whose result *text* announces, and where the result begins; nothing where it announces none."""
    if not text.startswith("[") or not (found := _HEADER.match(text)):
        return "", 0
    end = text.find("] Result:", found.end(1))
    return (found[1], end + len("] Result:")) if end >= 0 else ("", 0)


def without_environment(text: str) -> tuple[str, str]:
    """*text* and the client's description of the environment that stands at its end."""
    at = text.rfind(_ENVIRONMENT)
    if at < 0:
        return text, ""
    inside, _, behind = text[at + len(_ENVIRONMENT) :].partition("</environment_details>")
    return (text, "") if behind.strip() else (text[:at].rstrip(), inside)


def environment(text: str) -> tuple[str, str, str]:
    """The working directory, the time in UTC and the mode (PLAN or ACT) that the client's description names."""
    here, mode = _HERE.search(text), _MODE.search(text)
    return here[1] if here else "", _written(text), mode[1] if mode else ""


def resumed_in(text: str) -> str:
    """The working directory that the client's note of a resumed task names."""
    found = _MOVED.search(text, 0, 2_000) if text.startswith("[TASK RESUMPTION]") else None
    return found[1] if found else ""


def human_words(text: str) -> tuple[str, str, str]:
    """The tag around the human's words, if it opens *text* or stands behind a note of the client; the words; the rest."""
    found = _WORDS.match(text) or (_NOTED.search(text, 0, 4_000) if text.startswith(_NOTES) else None)
    if found is None:
        return "", "", text
    mark = f"</{found[1]}>"
    end = text.rfind(mark, found.end())
    stop, behind = (end, text[end + len(mark) :]) if end >= 0 else (len(text), "")
    return found[1], text[found.end() : stop].strip(), f"{text[: found.start()].strip()}\n{behind.strip()}".strip()


def _plain(text: str, start: int, end: int) -> Iterator[Piece]:
    if part := text[start:end].strip():
        yield Piece("text", start + len(text[start:end]) - len(text[start:end].lstrip()), part)


def _parameters(body: str) -> dict[str, str]:
    given: dict[str, str] = {}
    at = 0
    while len(given) < KEPT_PARAMETERS and (found := _PARAMETER.search(body, at)):
        name = found[1]
        mark = f"</{name}>"
        end = body.rfind(mark, found.end()) if name in _GREEDY else body.find(mark, found.end())
        value = body[found.end() : end if end >= 0 else len(body)]
        given.setdefault(name, _trimmed(value) if name in ("content", "diff") else value.strip())
        if end < 0:
            break
        at = end + len(mark)
    return given


def _trimmed(value: str) -> str:
    """*value* without the line breaks that the markup adds."""
    return value.removeprefix("\n").removesuffix("\n")


def _written(environment: str) -> str:
    """The time that the client wrote down, in UTC."""
    if found := _NOW.search(environment):
        return found[1]
    if found := _NOW_THERE.search(environment):
        hours, minutes = int(found[2]), int(found[3])
        try:
            there = datetime.strptime(f"{found[1]} {hours:+03}{minutes:02}", "%m/%d/%Y, %I:%M:%S %p %z")
            return there.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        except (ValueError, OverflowError):
            return ""
    return ""
