"""The activity chart is numbers that a template draws."""

from collections.abc import Callable

from handoffsite.records.completed import Completed
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site.charts import HEIGHT, MAX_BARS, WIDTH, activity

Make = Callable[..., SessionRecord]


def test_few_sessions_are_a_bar_each(snapshot: Snapshot) -> None:
    """A project of a few sessions shows each of them, with what it brought."""
    chart = activity(snapshot.sessions)

    assert chart is not None
    assert ("session", ["S-1", "S-2", "S-3", "S-5", "S-6", "S-7"]) == (chart.unit, [bar.label for bar in chart.bars])
    assert (2, 2, 0) == chart.bars[0].values
    assert (4, 7, 3) == chart.totals


def test_many_sessions_are_gathered_until_they_fit(make: Make) -> None:
    """Two hundred sessions over a year become weeks or months, at most as many as the page holds, gaps included."""
    done = (Completed(id="S-1-aaa.c1", text="x"),)
    sessions = [make(n, "aaa", f"2026-{1 + n % 12:02}-{1 + n % 28:02}", completed=done) for n in range(1, 201)]
    chart = activity(sessions)

    assert chart is not None
    assert "month" == chart.unit
    assert 12 == len(chart.bars)
    assert 200 == sum(bar.sessions for bar in chart.bars)


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
