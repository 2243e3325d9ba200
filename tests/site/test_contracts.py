"""The page of a contract shows what was kept of each attempt, whatever lies in the folder."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.records.lifecycle import CONTRACT
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import contracts, theme
from handoffsite.site.links import Targets
from tests.site import stories
from tests.site.everything import part

LOOK = theme.environment()
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
_NAMES = st.sampled_from(["passed", "verdicts", "check", "message", "repair", "output", "why", "error"])


def drawn(snapshot: Snapshot) -> str:
    """The first contract's page, without its frame."""
    ((_, inputs),) = contracts.gather(snapshot, Targets(snapshot))
    values = {"root": "../", "site": {"title": ""}, "chrome": {"head": "", "top": ""}, **contracts.view(inputs)}
    return str(LOOK.get_template("handoff.html").render(values))


def snapshot_of(evidence: Any, state: str = "succeeded") -> Snapshot:
    """One contract in *state*, with *evidence* of its first attempt."""
    handoff = part(1, state).handoffs[0]
    return replace(stories.snapshot_of([]), handoffs=(handoff,), evidence={handoff.id: {"attempt-1": evidence}})


@pytest.mark.parametrize("state", CONTRACT.moves)
def test_every_state_is_drawn(state: str) -> None:
    """It is marked in the drawing, and said in words beside it."""
    html = drawn(snapshot_of([], state))

    assert 1 == html.count('<g class="state now">')
    assert f" to {state}" in html or state == "proposed"


@settings(max_examples=50, suppress_health_check=[HealthCheck.data_too_large])
@given(st.dictionaries(_NAMES, _JSON | st.lists(st.dictionaries(_NAMES, _JSON))))
def test_evidence_of_any_shape_is_shown(said: dict[str, Any]) -> None:
    """Anybody may edit a file of evidence: what it lacks, or has otherwise, costs no page."""
    assert "Evidence of <bdi>attempt 1</bdi>" in drawn(snapshot_of([("check-1", said)]))


def test_evidence_that_cannot_be_read_says_so() -> None:
    """The file is named, with what is wrong with it."""
    assert "it cannot be read: <bdi>no object</bdi>" in drawn(snapshot_of([("check-1", {"error": "no object"})]))
