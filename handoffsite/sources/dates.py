"""Relative dates: `tomorrow` means nothing to whoever reads it next week, so the day is put beside it."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNITS = {"day": 1, "week": 7}
_RELATIVE = re.compile(
    r"(?<![\w`/.\-])(?:"
    r"(?P<day>today|tonight|tomorrow|yesterday|the day after tomorrow|the day before yesterday|demain|завтра|вчера)"
    rf"|(?P<which>next|last|this|coming)\s+(?P<name>{'|'.join(_DAYS)}|week|month|year|sprint|quarter)"
    r"|in\s+(?P<ahead>\d{1,3}|a|two|three)\s+(?P<unit>day|week)s?"
    r"|(?P<back>\d{1,3}|a|two|three)\s+(?P<ago>day|week)s?\s+ago"
    r")(?![\w`/]|-\w|\.\w|\s*[(\[]\s*\d{4}-\d\d-\d\d)"
    r"|(?:明天|昨天|今天|後天|明日|昨日)(?!\s*[(\[]\s*\d{4}-\d\d-\d\d)",
    re.IGNORECASE,
)
_OFFSETS = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2, "the day before yesterday": -2, "demain": 1,
    "завтра": 1, "вчера": -1, "明天": 1, "昨天": -1, "今天": 0, "後天": 2, "明日": 1, "昨日": -1,
}  # fmt: skip
_NUMBERS = {"a": 1, "two": 2, "three": 3}
_CODE = re.compile(r"(`+)(?!`)(?:(?!\1).){0,400}\1(?!`)")


def relative(text: str) -> Iterator[re.Match[str]]:
    """Each relative date in *text* that has no date beside it; what stands in code is none."""
    if _HINT.search(text) is None:
        return
    code = [found.span() for found in _CODE.finditer(text)] if "`" in text else []
    for found in _RELATIVE.finditer(text):
        while code and code[0][1] <= found.start():
            code.pop(0)
        if not code or found.start() < code[0][0]:
            yield found


def dated(text: str, today: date) -> str:
    """*text* with `[YYYY-MM-DD]` behind each relative date that means one day."""
    parts: list[str] = []
    at = 0
    for found in relative(text):
        day = _day(found, today)
        if day:
            parts += text[at : found.end()], f" [{day.isoformat()}]"
            at = found.end()
    return "".join((*parts, text[at:]))


def utc(text: str) -> str:
    """The ISO 8601 time *text* as `YYYY-MM-DDTHH:MM:SSZ`; empty where it is no time, or only a day. Without a zone it is UTC."""
    if not _TIME.match(text):
        return ""
    try:
        when = datetime.fromisoformat(text.upper())
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""


def _day(found: re.Match[str], today: date) -> date | None:
    """The day that *found* means; None where it means a span of days."""
    word = (found["day"] or (found.group() if found.lastgroup is None else "")).lower()
    try:
        if word:
            return today + timedelta(_OFFSETS[word])
        if found["ahead"]:
            return today + timedelta(_number(found["ahead"]) * _UNITS[found["unit"].lower()])
        if found["back"]:
            return today - timedelta(_number(found["back"]) * _UNITS[found["ago"].lower()])
        return _weekday(found["which"].lower(), found["name"].lower(), today)
    except OverflowError:
        return None


def _weekday(which: str, name: str, today: date) -> date | None:
    if name not in _DAYS:
        return None
    ahead = (_DAYS.index(name) - today.weekday()) % 7
    if which == "last":
        return today - timedelta((today.weekday() - _DAYS.index(name)) % 7 or 7)
    return today + timedelta(ahead or (0 if which == "this" else 7))


def _number(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)


_TIME = re.compile(r"\d{4}-?\d\d-?\d\d[Tt ]\d\d")
_HINT = re.compile(
    r"to(?:day|night|morrow)|yester|next|last|this|coming|ago|\bin\s+\w|demain|завтра|вчера|明|昨|今天|後天", re.IGNORECASE
)
