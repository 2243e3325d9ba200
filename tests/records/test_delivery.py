"""Who is to hear of a move, and when it is tried again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records import delivery, task
from handoffsite.records.ledger import Event
from tests.packet import packet

AT = "2026-12-31T23:59:55Z"


def event(word: str, party: str) -> Event:
    return Event(task="t", version=2, event=word, after="OFFERED", actor="a", role="a", party=party, at=AT)


@pytest.mark.parametrize(
    ("word", "party", "told"),
    [
        ("create", "sender", ("", "")),
        ("offer", "sender", ("backend", "backend-agent")),
        ("accept", "receiver", ("frontend", "frontend-agent")),
        ("block", "human", ("frontend", "frontend-agent")),
    ],
)
def test_the_other_party_is_told(word: str, party: str, told: tuple[str, str]) -> None:
    """Of everything but a task that nobody was offered yet."""
    assert told == delivery.addressee(task.packet(packet()), event(word, party))


def test_nobody_is_told_of_its_own_move() -> None:
    """Where sender and receiver are one role of one project."""
    own = task.packet(packet(to_role="frontend-agent", to_project="frontend"))

    assert ("", "") == delivery.addressee(own, event("offer", "sender"))


def test_each_pause_is_longer_up_to_an_hour() -> None:
    """From ten seconds on; the last year ends in it as well."""
    pauses = [delivery.back_off(attempts) for attempts in range(1, delivery.MOST_ATTEMPTS + 1)]

    assert (10, 20, 40) == tuple(pauses[:3])
    assert pauses == sorted(pauses)
    assert 3600 == delivery.back_off(10**9)
    assert "2027-01-01T00:00:05Z" == delivery.later(AT, 10)


@given(st.integers(min_value=0, max_value=10**7))
def test_later_is_later(seconds: int) -> None:
    """Times are compared as texts."""
    assert AT <= delivery.later(AT, seconds) <= delivery.later(AT, seconds + 1)
