"""Patterns that are looked for only where a cue stands."""

import re

from handoffsite.extract.cued import Cued


def test_without_a_cue_nothing_is_looked_for() -> None:
    """The pattern is compiled when its cue is first met, not before."""
    pattern = Cued(("because",), r"because\s+(.+)")

    assert pattern.find("so it is", "so it is") is None
    assert "_compiled" not in vars(pattern)


def test_with_a_cue_the_pattern_decides() -> None:
    """The text's own case is what is found, and a cue alone is no match."""
    pattern = Cued(("because",), r"because\s+(.+)", re.IGNORECASE | re.DOTALL)
    found = pattern.find("Because It is", "because it is")

    assert found is not None
    assert "It is" == found[1]
    assert pattern.find("because", "because") is None
