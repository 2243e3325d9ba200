import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import IllegalTransition
from handoffsite.records.lifecycle import CONTRACT, RESUME

MOVES = [(state, to) for state, following in CONTRACT.moves.items() for to in following if to != RESUME]


@pytest.mark.parametrize(("state", "to"), MOVES)
def test_allowed_moves(state: str, to: str) -> None:
    """A move that the table lists returns the new state."""
    assert to == CONTRACT.step(state, to)


def test_done_is_not_a_state() -> None:
    """Work that ran is not finished until it was verified, and the error says what may come instead."""
    with pytest.raises(IllegalTransition) as caught:
        CONTRACT.step("running", "succeeded")

    assert ("contract: running cannot become succeeded; next may come blocked or verifying or failed or cancelled") == str(
        caught.value
    )


@pytest.mark.parametrize("state", ["succeeded", "failed", "cancelled"])
def test_terminal_states_are_immutable(state: str) -> None:
    """Nothing follows a terminal state; a retry is a new attempt."""
    assert CONTRACT.is_terminal(state)


@pytest.mark.parametrize("before", ["proposed", "accepted", "running"])
def test_a_block_leads_back_to_where_it_came_from(before: str) -> None:
    """A blocked handoff goes back to the state before it, and to no other."""
    assert (before, "cancelled") == CONTRACT.following("blocked", before=before)


def test_every_state_is_known() -> None:
    """No move leads to a state that the table forgets."""
    assert {to for following in CONTRACT.moves.values() for to in following} - {RESUME} <= CONTRACT.moves.keys()


@given(st.lists(st.sampled_from(list(CONTRACT.moves)), max_size=50))
def test_a_walk_takes_only_listed_moves(wanted: list[str]) -> None:
    """However the moves are asked for, only listed ones are made."""
    state, before = CONTRACT.start, ""
    for to in wanted:
        allowed = {before if move == RESUME else move for move in CONTRACT.moves[state]}
        try:
            CONTRACT.step(state, to, before=before)
        except IllegalTransition:
            assert to not in allowed
            continue

        assert to in allowed
        state, before = to, state if to == "blocked" else before
