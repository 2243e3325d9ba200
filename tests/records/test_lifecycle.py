import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import IllegalTransition
from handoffsite.records.lifecycle import CONTRACT, PAUSES, RESUME, TASK

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


PATH = ("OPEN", "OFFERED", "ACCEPTED", "IN_PROGRESS", "READY_FOR_RETEST", "CLOSED")
# As the article draws it, written down a second time.
DRAWN = {
    *itertools.pairwise(PATH),
    ("READY_FOR_RETEST", "IN_PROGRESS"),
    *((state, to) for state in (*PATH[:-1], *PAUSES) for to in (*PAUSES, "CANCELED")),
}


def is_drawn(state: str, to: str, before: str) -> bool:
    return (state, to) in DRAWN or (state in PAUSES and to == before)


@pytest.mark.parametrize("state", TASK.moves)
@pytest.mark.parametrize("to", TASK.moves)
def test_every_state_of_a_task_and_every_move(state: str, to: str) -> None:
    """Each pair is a move, or is refused with what may come instead; a pause leads back to where it began and nowhere else."""
    for before in PATH[:-1] if state in PAUSES else ("",):
        if is_drawn(state, to, before):
            assert to == TASK.step(state, to, before=before)
        else:
            with pytest.raises(IllegalTransition, match="next may come"):
                TASK.step(state, to, before=before)


def test_a_task_ends_closed_or_canceled() -> None:
    """Nothing follows these, and everything else goes on."""
    assert {"CLOSED", "CANCELED"} == {state for state in TASK.moves if TASK.is_terminal(state)}


def walk(wanted: list[str]) -> int:
    """Ask for the states in *wanted*, one after the other, beginning anew at an end; how many moves were made."""
    state, before, made = TASK.start, "", 0
    for to in wanted:
        if TASK.is_terminal(state):
            state, before = TASK.start, ""
        try:
            TASK.step(state, to, before=before)
        except IllegalTransition:
            assert not is_drawn(state, to, before)
            continue
        assert is_drawn(state, to, before)
        state, before, made = to, (before or state) if to in PAUSES else "", made + 1
    return made


@given(st.lists(st.sampled_from(list(TASK.moves)), max_size=60))
def test_a_task_takes_only_listed_moves(wanted: list[str]) -> None:
    """However they are asked for."""
    walk(wanted)


@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_steps(seed: int) -> None:
    """A long walk, begun again wherever it ends."""
    dice = random.Random(seed)  # noqa: S311 -- a test's

    assert walk(dice.choices(list(TASK.moves), k=10_000)) > 1000
