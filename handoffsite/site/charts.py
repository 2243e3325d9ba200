"""Figures of a project over time, as plain numbers that a template draws."""

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from handoffsite.records.session import SessionRecord

SERIES = ("completed", "decisions", "constraints")
MAX_BARS = 48
WIDTH = 720
MIN_WIDTH = 200
MAX_PITCH = 56  # from bar to bar: few bars make a narrow chart, not wide bars
HEIGHT = 140
_FLOOR = HEIGHT - 18
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


@dataclass(frozen=True, slots=True)
class Block:
    """One coloured part of a bar, in the drawing's units."""

    series: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """What the sessions of one stretch of time brought; *label* names it."""

    label: str
    x: float
    width: float
    sessions: int
    values: tuple[int, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars in time, what a bar stands for, and the height of the tallest."""

    unit: str
    bars: tuple[Bar, ...]
    top: int
    width: int
    height: int = HEIGHT
    floor: int = _FLOOR

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of each series."""
        return tuple(sum(bar.values[place] for bar in self.bars) for place in range(len(SERIES)))


def activity(sessions: Sequence[SessionRecord]) -> Chart | None:
    """What each session, week or month brought, whichever fits on the page; nothing where no session did."""
    for unit in ("session", "day", "week", "month", "year"):
        stretches = list(_stretches(sessions, unit))
        if len(stretches) <= MAX_BARS or unit == "year":
            break
    stretches = stretches[-MAX_BARS:]
    rows = [
        (label, len(records), tuple(sum(len(getattr(r, s)) for r in records) for s in SERIES)) for label, records in stretches
    ]
    top = max((sum(values) for _, _, values in rows), default=0)
    if not top:
        return None
    pitch = min(WIDTH / len(rows), MAX_PITCH)
    bars = (
        Bar(label, round(place * pitch, 1), round(pitch * 0.72, 1), count, values, tuple(_blocks(values, top)))
        for place, (label, count, values) in enumerate(rows)
    )
    return Chart(unit, tuple(bars), top, max(math.ceil(pitch * len(rows)), MIN_WIDTH))


def _blocks(values: tuple[int, ...], top: int) -> Iterator[Block]:
    y = float(_FLOOR)
    for series, value in zip(SERIES, values, strict=True):
        height = round(value / top * (_FLOOR - 12), 1)
        if height:
            y -= height
            yield Block(series, round(y, 1), height)


def _stretches(sessions: Sequence[SessionRecord], unit: str) -> Iterator[tuple[str, list[SessionRecord]]]:
    if unit == "session":
        yield from ((record.id.rpartition("-")[0] or record.id, [record]) for record in sessions)
        return
    dated = [(_start(day, unit), record) for record in sessions if (day := _day(record.ended or record.recorded))]
    if not dated:
        return
    gathered: dict[dt.date, list[SessionRecord]] = {}
    start, last = min(day for day, _ in dated), max(day for day, _ in dated)
    if (last - start).days < _DAYS[unit] * MAX_BARS:
        while start <= last:
            gathered[start] = []
            start = _next(start, unit)
    for day, record in sorted(dated, key=lambda pair: pair[0]):
        gathered.setdefault(day, []).append(record)
    yield from ((_label(day, unit), records) for day, records in gathered.items())


_YEARS = range(1970, 2200)  # a clock that was never set must not stretch the axis
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


def _day(moment: str) -> dt.date | None:
    try:
        day = dt.date.fromisoformat(moment[:10])
    except ValueError:
        return None
    return day if day.year in _YEARS else None


def _start(day: dt.date, unit: str) -> dt.date:
    if unit == "week":
        return day - dt.timedelta(days=min(day.weekday(), day.toordinal() - 1))
    return day.replace(day=1) if unit == "month" else day.replace(month=1, day=1) if unit == "year" else day


def _next(day: dt.date, unit: str) -> dt.date:
    return _start(day + dt.timedelta(days=_DAYS[unit]), unit)


def _label(day: dt.date, unit: str) -> str:
    month = _MONTHS[day.month - 1]
    if unit == "year":
        return str(day.year)
    return f"{month} {day.year}" if unit == "month" else f"{day.day} {month} {day.year}"
