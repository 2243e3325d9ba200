"""The day that a heading, a line or a file's name gives, however it is spelled."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_TIME = r"(?:[T,\s]{{1,3}}(?:at\s)?(?P<hour{0}>[01]?\d|2[0-3]):(?P<minute{0}>[0-5]\d)(?::(?P<second{0}>[0-5]\d)(?:\.\d{{1,9}})?)?\s?(?P<zone{0}>Z|[+-]\d\d:?\d\d)?)?"
_FORMS = (
    r"(?<!\d)(?P<year{0}>(?:19|20)\d\d)(?P<sep{0}>[-/.])(?P<number{0}>0?[1-9]|1[0-2])(?P=sep{0})(?P<day{0}>0?[1-9]|[12]\d|3[01])(?![\d])" + _TIME,
    r"(?<!\d)(?P<year{0}>(?:19|20)\d\d)年(?P<number{0}>0?[1-9]|1[0-2])月(?P<day{0}>0?[1-9]|[12]\d|3[01])日",
    r"\b" + _MONTH + r"\s(?P<day{0}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?,?\s(?P<year{0}>(?:19|20)\d\d)\b" + _TIME,
    r"(?<!\d)(?P<day{0}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)?\s" + _MONTH + r",?\s(?P<year{0}>(?:19|20)\d\d)\b" + _TIME,
    r"(?<![\d.])(?P<day{0}>0?[1-9]|[12]\d|3[01])\.(?P<number{0}>0?[1-9]|1[0-2])\.(?P<year{0}>(?:19|20)\d\d)(?![\d.])",
)  # fmt: skip
_DAY = re.compile("|".join(f"(?P<form{place}>{form.format(place)})" for place, form in enumerate(_FORMS)), re.IGNORECASE)
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_]?(0[1-9]|1[0-2])[-_]?(0[1-9]|[12]\d|3[01])(?!\d)")
_LONGEST = 400  # characters of a line in which a day is looked for

# What may stand before the day in the heading of an entry.
_OPENING = re.compile(
    r"\W*(?:(?:session|entry|update|hand-?off|hand-?over|log|day|status|progress|work-?log|notes?|checkpoint|sprint|week|iteration|日志|会话)"
    r"\b[\s\w#№.:–—|·-]{0,24}?)?\W*",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"\b(?:(?:last[\s-])?(?:updated?|modified|changed|edited|activity|session|revised)|date|dated|as of|written|generated|on date|status as of"
    r"|saved|snapshot)\b|更新|日期|تاريخ|آخر تحديث",
    re.IGNORECASE,
)
_HEAD, _TAIL = 40, 12  # lines of a file in which it may say of when it is


def moment(text: str) -> str:
    """The first day in *text* as `YYYY-MM-DDTHH:MM:SSZ`; a time without a zone is UTC, a day without a time its beginning."""
    return next((when for found in _DAY.finditer(text[:_LONGEST]) if (when := _read(found))), "")


def heads(heading: str) -> str:
    """The moment with which the *heading* of an entry begins, or in which it ends; nothing where it is a heading like any other."""
    heading = heading[:_LONGEST].strip()
    for found in _DAY.finditer(heading):
        opens = _OPENING.fullmatch(heading, 0, found.start()) is not None
        closes = not heading[found.end() :].strip(" \t)]}*_.·|-—–")
        if (opens or closes) and (when := _read(found)):
            return when
    return ""


def of_file(text: str, name: str) -> str:
    """When a file was written, as far as it says so: the latest day that it calls that of its last change, or the day in its *name*."""
    lines = text.split("\n")
    near = lines if len(lines) <= _HEAD + _TAIL else [*lines[:_HEAD], *lines[-_TAIL:]]
    said = [when for line in near if _LABELLED.search(line[:_LONGEST]) for when in _all(line)]
    titles = [when for line in lines[:_HEAD] if line.startswith("# ") and (when := moment(line))][:1]
    return max(said, default="") or (titles[0] if titles else "") or in_name(name)


def in_name(name: str) -> str:
    """The day in a file's *name*, be it `2026-11-30-…` or `20261130-…`."""
    found = _COMPACT.search(name)
    return _iso((int(found[1]), int(found[2]), int(found[3]))) if found else ""


def _all(line: str) -> Iterator[str]:
    yield from (when for found in _DAY.finditer(line[:_LONGEST]) if (when := _read(found)))


def _read(found: re.Match[str]) -> str:
    place = (found.lastgroup or "")[-1]
    parts = {name[:-1]: value for name, value in found.groupdict().items() if name.endswith(place) and value}
    month = int(parts["number"]) if "number" in parts else _MONTHS.index(parts["month"][:3].lower()) + 1
    clock = (int(parts.get("hour", 0)), int(parts.get("minute", 0)), int(parts.get("second", 0)))
    return _iso((int(parts["year"]), month, int(parts["day"])), clock, parts.get("zone", ""))


def _iso(day: tuple[int, int, int], clock: tuple[int, int, int] = (0, 0, 0), zone: str = "") -> str:
    try:
        when = datetime(*day, *clock, tzinfo=UTC)
        if zone and zone not in "Zz":
            when = datetime.fromisoformat(f"{when:%Y-%m-%dT%H:%M:%S}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"
