"""The headers of SpecStory's turns, and the times that they tell."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

_TURN = re.compile(r"_\*\*(User|Agent|Assistant|)( - sidechain)?(?: \(([^\n]{0,300})\))?\*\*_\s*$")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?(?![\d:])")


@dataclass(frozen=True, slots=True)
class Turn:
    """Who speaks from here on: *role* is user or agent, *aside* is true for a sub-agent's talk, *time* is in UTC, if any is told."""

    role: str
    aside: bool
    time: str


def turn(line: str) -> Turn | None:
    """The turn that *line* opens, None where it is no header of one."""
    if not line.startswith("_**") or (found := _TURN.match(line)) is None:
        return None
    return Turn("user" if found[1] == "User" else "agent", found[2] is not None, utc(found[3] or ""))


def utc(text: str) -> str:
    """The time in *text* as ISO 8601 in UTC, or nothing where none is told, or none with a zone."""
    found = _TIME.search(text)
    if found is None or not found[4]:
        return ""
    zone = "+00:00" if found[4] == "Z" else found[4]
    stamp = f"{found[1]}T{found[2]}{found[3] or ':00'}"
    try:
        time = datetime.fromisoformat(f"{stamp}{zone}")
        return f"{stamp}Z" if found[4] == "Z" else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""


def local(text: str) -> str:
    """The time in *text* as it stands, with a Z, where it has no zone."""
    found = _TIME.search(text)
    return f"{found[1]}T{found[2]}{found[3] or ':00'}Z" if found and not found[4] else ""
