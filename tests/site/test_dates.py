"""Moments read the same on every machine."""

import pytest

from handoffsite.site.dates import when


@pytest.mark.parametrize(
    ("moment", "whole"),
    [
        ("2026-11-30T18:02:11Z", "30 November 2026, 18:02 UTC"),
        ("2026-11-30T18:02:11.532+00:00", "30 November 2026, 18:02 UTC"),
        ("2026-01-05T08:00:00+05:30", "5 January 2026, 08:00 +05:30"),
        ("2026-01-05", "5 January 2026"),
        ("2026-13-05", "2026-13-05"),
        ("yesterday", "yesterday"),
        ("", ""),
    ],
)
def test_a_moment_is_read_without_locale_or_zone(moment: str, whole: str) -> None:
    """What is no moment is shown as it stands."""
    assert whole == when(moment).whole


def test_a_day_is_marked_up_for_machines() -> None:
    """The tag holds the whole moment; a text that is none gets no tag, and is escaped."""
    assert '<time datetime="2026-11-30T18:02:11Z">30 November 2026</time>' == when("2026-11-30T18:02:11Z").tag
    assert "&lt;script&gt;" == when("<script>").tag
