"""Warnings of commands that worked."""

import pytest

from handoffsite.extract.notices import Notices
from handoffsite.extract.step import Step
from handoffsite.records.transcript import Event

WARNING = "[feed] Note: the index was written, but readers will not be able to find it until feed.toml is published."


def ran(line: int, output: str, exit: int = 0) -> Step:
    call = Event(line=line, kind="call", tool="shell", data={"command": "feed sync --all"})
    return Step(call, Event(line=line + 1, kind="result", text=output, ok=exit == 0, exit=exit), "feed sync --all")


def test_a_warning_that_comes_again_is_a_limit() -> None:
    """Both places are its evidence."""
    notices = Notices()
    first = list(notices.step(ran(1, f"done\n{WARNING}")))
    (limit,) = notices.step(ran(3, f"{WARNING}\ndone"))

    assert [] == first
    assert ("active", "`feed sync --all`") == (limit.status, limit.tried)
    assert limit.outcome.startswith("the index was written, but readers will not be able to find it")
    assert ["transcript:2", "transcript:4"] == [proof.address for proof in limit.proofs]


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (1, "It warns that readers cannot find the index until it is published."),
        (0, "A note on the tests: they pass."),
        (0, "Now the docs."),
    ],
)
def test_a_warning_that_the_agent_speaks_of_is_a_limit(expected: int, said: str) -> None:
    """It has to speak of this one."""
    notices = Notices()
    list(notices.step(ran(1, WARNING)))

    assert expected == len(list(notices.text(Event(line=3, kind="text", text=said))))


@pytest.mark.parametrize(
    "output",
    [
        "warning: 3 packages are deprecated and will go away some day",
        "note: see the manual for more about this",
        "all good: nothing cannot be",
    ],
)
def test_a_mere_remark_is_none(output: str) -> None:
    """What does not say that something is impossible limits nothing."""
    notices = Notices()
    list(notices.step(ran(1, output)))

    assert [] == list(notices.step(ran(3, output)))


def test_what_failed_is_no_warning() -> None:
    """Failures are followed elsewhere."""
    notices = Notices()
    list(notices.step(ran(1, WARNING, exit=1)))

    assert [] == list(notices.step(ran(3, WARNING, exit=1)))
