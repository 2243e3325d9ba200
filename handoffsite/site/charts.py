"""Figures of a project over time, as plain numbers that a template draws."""

import datetime as dt
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

from handoffsite.records.item import Item
from handoffsite.records.session import SessionRecord

MAX_BARS = 48
WIDTH = 720
MIN_WIDTH = 200
MAX_PITCH = 56  # from bar to bar: few bars make a narrow chart, not wide bars
HEIGHT = 122
STRIP = 160  # the longest bar that lies
_FLOOR = HEIGHT - 1
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


Series = tuple[tuple[str, str], ...]
Rows = Sequence[tuple[str, tuple[int, ...]]]
_TOLD = ""  # the key of a series that stands in the table and is not drawn
ACTIVITY: Series = (("completed", "completed"), ("decisions", "decisions"), ("constraints", "constraints"), (_TOLD, "sessions"))

_TURNOVER: Series = (("made", "new"), ("ended", "no longer in force"))
_CHURN: Series = tuple((change, change) for change in ("added", "upgraded", "downgraded", "changed", "removed"))


@dataclass(frozen=True, slots=True)
class Block:
    """One coloured part of a bar, in the drawing's units."""

    series: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Strip:
    """One coloured part of a bar that lies, in the drawing's units."""

    series: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    """What one stretch of time brought, for each series; *label* names it."""

    label: str
    x: float
    width: float
    values: tuple[int, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars in time, what a bar stands for, and the height of the tallest; *series* are keys and the words for them, the key empty where it is not drawn."""

    unit: str
    series: Series
    bars: tuple[Bar, ...]
    top: int
    width: int
    height: int = HEIGHT
    floor: int = _FLOOR

    @property
    def summary(self) -> str:
        """The sum of each series, in words."""
        totals = (sum(bar.values[place] for bar in self.bars) for place in range(len(self.series)))
        return ", ".join(f"{total} {word}" for total, (_, word) in zip(totals, self.series, strict=True))


def activity(sessions: Sequence[SessionRecord]) -> Chart | None:
    """What sessions brought over time, and how many there were; nothing where no session brought anything."""
    return over_time(
        ACTIVITY,
        (
            (record.ended or record.recorded, (*(len(getattr(record, key)) for key, _ in ACTIVITY if key != _TOLD), 1))
            for record in sessions
        ),
    )


def turnover(items: Iterable[Item]) -> Chart | None:
    """When *items* came to hold, and when they ceased to."""
    return over_time(_TURNOVER, _turns(items))


def churn(items: Iterable[Item]) -> Chart | None:
    """When packages were added, moved to another version and removed."""
    return over_time(_CHURN, ((item.defined, _churned(item)) for item in items if item.is_live))


def _turns(items: Iterable[Item]) -> Iterator[tuple[str, tuple[int, ...]]]:
    for item in items:
        if item.status != "proposed":
            yield item.defined, (1, 0)
            if not item.is_live:
                yield item.touched, (0, 1)


def _churned(item: Item) -> tuple[int, ...]:
    return tuple(int(getattr(item.value, "change", "") == change) for change, _ in _CHURN)


@dataclass(frozen=True, slots=True)
class Churn:
    """How often packages of each ecosystem changed: *series* as in a chart, and a row for each ecosystem."""

    series: Series
    rows: tuple["Row", ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One ecosystem's numbers, and the same drawn: *strips* from left to right."""

    ecosystem: str
    values: tuple[int, ...]
    strips: tuple[Strip, ...]


def churns(items: Iterable[Item]) -> Churn | None:
    """How often packages changed, by ecosystem, in the order of *items*; nothing where none did."""
    counts: dict[str, tuple[int, ...]] = {}
    for item in items:
        if item.is_live:
            name = str(getattr(item.value, "ecosystem", ""))
            counts[name] = _sum(counts.get(name, (0,) * len(_CHURN)), _churned(item))
    series, rows = _occurring(_CHURN, list(counts.items()))
    top = max((sum(values) for _, values in rows), default=0)
    return Churn(series, tuple(Row(name, values, tuple(_strips(series, values, top))) for name, values in rows)) if top else None


def _strips(series: Series, values: tuple[int, ...], top: int) -> Iterator[Strip]:
    x = 0.0
    for (key, _), value in zip(series, values, strict=True):
        width = round(value / top * STRIP, 1)
        if width:
            yield Strip(key, round(x, 1), width)
            x += width


def _occurring(series: Series, rows: Rows) -> tuple[Series, Rows]:
    """*series* and the numbers of *rows* without those that are 0 everywhere."""
    some = [any(values[place] for _, values in rows) for place in range(len(series))]
    return tuple(compress(series, some)), [(label, tuple(compress(values, some))) for label, values in rows]


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(one, other, strict=True)))


def over_time(series: Series, found: Iterable[tuple[str, tuple[int, ...]]]) -> Chart | None:
    """Numbers at moments, for each of *series*, added up by day, week, month or year, whichever fits on the page; nothing where all are 0."""
    dated = sorted((day, values) for moment, values in found if (day := _day(moment)) and any(values))
    if not dated:
        return None
    unit, days = _axis([day for day, _ in dated])
    sums = {day: (0,) * len(series) for day in days[-MAX_BARS:]}
    for day, values in dated:
        if total := sums.get(start := _start(day, unit)):
            sums[start] = _sum(total, values)
    return _chart(unit, series, [(_label(day, unit), total) for day, total in sums.items()])


def _axis(days: Sequence[dt.date]) -> tuple[str, list[dt.date]]:
    """The shortest unit of which few enough lie between *days*, ascending, and the first day of each; at worst the years that are among them."""
    for unit, length in _DAYS.items():
        if (days[-1] - days[0]).days < length * (MAX_BARS - 1):
            found = [_start(days[0], unit)]
            while (following := _next(found[-1], unit)) <= days[-1]:
                found.append(following)
            return unit, found
    return "year", list(dict.fromkeys(_start(day, "year") for day in days))


def _chart(unit: str, series: Series, rows: Rows) -> Chart | None:
    series, rows = _occurring(series, rows)
    top = max(
        (sum(value for (key, _), value in zip(series, values, strict=True) if key != _TOLD) for _, values in rows), default=0
    )
    if not top:
        return None
    pitch = min(WIDTH / len(rows), MAX_PITCH)
    bars = (
        Bar(label, round(place * pitch, 1), round(pitch * 0.72, 1), values, tuple(_blocks(series, values, top)))
        for place, (label, values) in enumerate(rows)
    )
    return Chart(unit, series, tuple(bars), top, max(math.ceil(pitch * len(rows)), MIN_WIDTH))


def _blocks(series: Series, values: tuple[int, ...], top: int) -> Iterator[Block]:
    y = float(_FLOOR)
    for (key, _), value in zip(series, values, strict=True):
        height = round(value / top * _FLOOR, 1)
        if height and key != _TOLD:
            y -= height
            yield Block(key, round(y, 1), height)


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
