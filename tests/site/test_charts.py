"""The activity chart is numbers that a template draws."""

import datetime as dt
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records.completed import Completed
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site.charts import HEIGHT, MAX_BARS, STRIP, WIDTH, activity, churn, churns, over_time, turnover

Make = Callable[..., SessionRecord]


def test_activity_is_what_sessions_brought_over_time(snapshot: Snapshot) -> None:
    """In their days or weeks, gaps included; how many sessions there were is told in the table, and not drawn."""
    chart = activity(snapshot.sessions)

    assert chart is not None
    assert ("day", 37, "14 Sep 2026", "20 Oct 2026") == (chart.unit, len(chart.bars), chart.bars[0].label, chart.bars[-1].label)
    assert ("completed", "decisions", "constraints", "sessions") == tuple(words for _, words in chart.series)
    assert (2, 2, 0, 1) == chart.bars[0].values
    assert ["completed", "decisions"] == [block.series for block in chart.bars[0].blocks]
    assert "4 completed, 7 decisions, 3 constraints, 6 sessions" == chart.summary


def test_many_sessions_are_gathered_until_they_fit(make: Make) -> None:
    """Two hundred sessions over a year become weeks or months, at most as many as the page holds, gaps included."""
    done = (Completed(id="S-1-aaa.c1", text="x"),)
    sessions = [make(n, "aaa", f"2026-{1 + n % 12:02}-{1 + n % 28:02}", completed=done) for n in range(1, 201)]
    chart = activity(sessions)

    assert chart is not None
    assert "month" == chart.unit
    assert 12 == len(chart.bars)
    assert 200 == sum(bar.values[0] for bar in chart.bars)


def test_items_come_and_go(snapshot: Snapshot) -> None:
    """A decision is drawn where it came to hold and where it ceased to; a proposal is not drawn."""
    chart = turnover(snapshot.of("decision"))

    assert chart is not None
    assert "6 new, 3 no longer in force" == chart.summary


def test_what_never_happens_has_no_key(snapshot: Snapshot) -> None:
    """A series of nothing but zeros stands in no legend and no table."""
    chart = churn(snapshot.of("dependency"))

    assert chart is not None
    assert (("added", "added"), ("upgraded", "upgraded"), ("removed", "removed")) == chart.series


def test_churn_is_drawn_by_ecosystem(snapshot: Snapshot) -> None:
    """Each has its numbers, and strips as long as they are many; what was taken back does not count; nothing is no drawing."""
    found = churns(snapshot.of("dependency"))

    assert found is not None
    assert [("npm", (2, 0, 1)), ("docker", (0, 1, 0))] == [(row.ecosystem, row.values) for row in found.rows]
    assert [("added", 0.0, 106.7), ("removed", 106.7, 53.3)] == [(one.series, one.x, one.width) for one in found.rows[0].strips]
    assert all(one.x + one.width <= STRIP for row in found.rows for one in row.strips)
    assert churns(()) is None


def test_gaps_are_part_of_the_axis() -> None:
    """A month in which nothing happened has its place between those in which something did."""
    chart = over_time((("made", "new"),), [("2026-01-05", (1,)), ("2026-06-05", (2,))])

    assert chart is not None
    assert ("week", 22, 3) == (chart.unit, len(chart.bars), sum(bar.values[0] for bar in chart.bars))
    assert "5 Jan 2026" == chart.bars[0].label


@given(st.lists(st.tuples(st.dates(), st.tuples(st.integers(0, 9), st.integers(0, 9)))))
def test_nothing_is_lost_on_the_axis(found: list[tuple[dt.date, tuple[int, int]]]) -> None:
    """Whatever the dates, few bars are drawn, in order, and inside of the drawing; where all fit, all is counted."""
    chart = over_time((("made", "a"), ("ended", "b")), ((day.isoformat(), values) for day, values in found))

    if chart is not None:
        assert len(chart.bars) <= MAX_BARS
        assert all(0 <= block.y and block.y + block.height <= HEIGHT for bar in chart.bars for block in bar.blocks)
        days = [day for day, values in found if any(values) and day.year in range(1970, 2200)]
        if len({day.year for day in days}) <= MAX_BARS:
            assert sum(sum(bar.values) for bar in chart.bars) == sum(sum(values) for day, values in found if day in days)


def test_everything_stays_inside_the_drawing(make: Make) -> None:
    """No bar leaves the canvas, whatever the numbers."""
    sessions = [
        make(n, "aaa", "2026-03-01", completed=tuple(Completed(id=f"S-{n}-aaa.c{k}", text="x") for k in range(n % 7)))
        for n in range(1, MAX_BARS + 1)
    ]
    chart = activity(sessions)

    assert chart is not None
    assert all(0 <= bar.x and bar.x + bar.width <= WIDTH for bar in chart.bars)
    assert all(0 <= block.y and block.y + block.height <= HEIGHT for bar in chart.bars for block in bar.blocks)


def test_a_clock_that_was_never_set_does_not_stretch_the_axis(make: Make) -> None:
    """A date of year 1 or 9999 is left out of the days, weeks and months."""
    done = (Completed(id="S-1-aaa.c1", text="x"),)
    sessions = [make(n, "aaa", "2026-03-01", completed=done) for n in range(1, 60)]
    sessions += [make(60, "aaa", "9999-12-31", completed=done), make(61, "aaa", "0001-01-01", completed=done)]
    chart = activity(sessions)

    assert chart is not None
    assert 1 == len(chart.bars)


def test_no_session_is_no_chart(make: Make) -> None:
    """Nothing to draw is nothing, also where sessions brought nothing."""
    assert activity(()) is None
    assert activity((make(1, "aaa", "2026-03-01"),)) is None
