"""A task as its events leave it: who may move it, on what evidence, and what is allowed meanwhile."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import Forbidden, HandoffError, IllegalTransition, Malformed, Unproven
from handoffsite.records import ledger, task
from handoffsite.records.ledger import Event, Request, Task
from handoffsite.records.lifecycle import PAUSES, TASK
from handoffsite.records.move import HUMAN, MOVES, Actor
from handoffsite.records.redaction import Redactor
from tests.packet import EVIDENCE, packet

FRONTEND = Actor(name="frontend-agent", role="frontend-agent", projects=("frontend",))
BACKEND = Actor(name="backend-agent", role="backend-agent", projects=("backend",))
PERSON = Actor(name="ada", role=HUMAN, projects=("*",))
STRANGER = Actor(name="mallory", role="backend-agent", projects=("elsewhere",))
AT = "2026-09-12T10:00:00Z"
REDACTOR = Redactor()


def asked(event: str, actor: Actor, body: dict[str, Any] | None = None, **more: Any) -> Any:
    return ledger.cleaned(Request(event=event, actor=actor, at=AT, body=body, **more), REDACTOR)


def opened(**more: Any) -> tuple[Task, list[Event]]:
    event = ledger.opened(task.cleaned(task.packet(packet(**more)), REDACTOR), asked("create", FRONTEND))
    return ledger.begun(event), [event]


BODIES: dict[str, dict[str, Any]] = {"submit-result": {"artifacts": EVIDENCE}, "retest": {"outcome": "passed"}}
OWN = {"offer": FRONTEND, "retest": FRONTEND}


def at(state: str, **more: Any) -> Task:
    """A task in *state*, by the ordinary way."""
    found, _ = opened(**more)
    for event in ("offer", "accept", "start", "submit-result", "retest"):
        if found.state == state:
            return found
        found = found.after(found.step(asked(event, OWN.get(event, BACKEND), BODIES.get(event))))
    return found


def test_from_the_offer_to_the_end() -> None:
    """Responsibility goes with the work: to who accepts it, back with the result, and to nobody at the end."""
    states = ("OPEN", "OFFERED", "ACCEPTED", "IN_PROGRESS", "READY_FOR_RETEST", "CLOSED")
    found = [at(state) for state in states]

    assert [*states] == [one.state for one in found]
    assert ["sender", "sender", "receiver", "receiver", "sender", ""] == [one.responsible for one in found]
    assert [1, 2, 3, 4, 5, 6] == [one.version for one in found]


@pytest.mark.parametrize("state", [state for state in TASK.moves if not TASK.is_terminal(state) and state not in PAUSES])
@pytest.mark.parametrize("event", MOVES)
@pytest.mark.parametrize("actor", [FRONTEND, BACKEND, PERSON, STRANGER], ids=lambda one: one.name)
def test_every_state_every_move_everybody(state: str, event: str, actor: Actor) -> None:
    """A move is made by whom the table names, out of the states that it names, or not at all."""
    found = at(state)
    move = MOVES[event]
    parties = actor.parties(found.packet)
    own_repair = event == "retest" and actor.name == found.submitted_by
    body = {"missing": "acceptance"} if event == "needs-info" else BODIES.get(event)
    try:
        step = found.step(asked(event, actor, body))
    except Forbidden:
        assert own_repair or not set(parties) & set(move.by)
    except IllegalTransition:
        assert move.of
        assert state not in move.of
    else:
        assert set(parties) & set(move.by)
        assert not move.of or state in move.of
        assert step.after in (*move.to, state)


@pytest.mark.parametrize(
    ("artifacts", "missing"),
    [
        ([], "commit and test_report"),
        (EVIDENCE[:1], "test_report"),
        (EVIDENCE[1:], "commit"),
        ([{"type": "deployment", "ref": "v1"}], "commit and test_report"),
    ],
)
def test_fixed_is_no_evidence(artifacts: list[dict[str, str]], missing: str) -> None:
    """Without the repair version and the test evidence a task is not ready for a retest."""
    with pytest.raises(Unproven, match=f"{missing} missing"):
        at("IN_PROGRESS").step(asked("submit-result", BACKEND, {"artifacts": artifacts, "summary": "fixed"}))


@pytest.mark.parametrize(
    "artifacts", [[{"type": "commit"}], [{"type": "commit", "ref": "it is fixed"}], "git://x", [{"ref": "x", "type": ""}]]
)
def test_evidence_is_a_reference(artifacts: Any) -> None:
    """Each artefact has a type and an address; prose is neither."""
    with pytest.raises(Malformed, match="artifacts"):
        asked("submit-result", BACKEND, {"artifacts": artifacts})


def test_a_failed_retest_returns_the_task() -> None:
    """To the receiver, who hands in another result; only a retest of the newest one closes it."""
    found = at("READY_FOR_RETEST")
    returned = found.after(found.step(asked("retest", FRONTEND, {"outcome": "failed"})))
    with pytest.raises(IllegalTransition):
        returned.step(asked("retest", FRONTEND, {"outcome": "passed"}))
    again = returned.after(returned.step(asked("submit-result", BACKEND, BODIES["submit-result"])))
    closed = again.after(again.step(asked("retest", FRONTEND, {"transition": "CLOSED"})))

    assert ("IN_PROGRESS", "receiver", "CLOSED") == (returned.state, returned.responsible, closed.state)
    assert [("failed", 1), ("passed", 2)] == [(one["outcome"], one["result"]) for one in closed.retests]


def test_a_retest_says_what_it_found() -> None:
    """Once, and not two things."""
    found = at("READY_FOR_RETEST")
    with pytest.raises(Unproven, match="says what it found"):
        found.step(asked("retest", FRONTEND, {}))
    with pytest.raises(Malformed, match="leads to IN_PROGRESS"):
        found.step(asked("retest", FRONTEND, {"outcome": "failed", "transition": "CLOSED"}))


def test_nobody_retests_its_own_repair() -> None:
    """Not in another role either; somebody else may, in the same one."""
    both = Actor(name="backend-agent", role="frontend-agent", projects=("frontend", "backend"))
    found = at("READY_FOR_RETEST")
    with pytest.raises(Forbidden, match="its own repair"):
        found.step(asked("retest", both, {"outcome": "passed"}))
    step = found.step(asked("retest", replace(both, name="third"), {"outcome": "passed"}))

    assert "CLOSED" == step.after


@pytest.mark.parametrize("state", ["OPEN", "OFFERED", "ACCEPTED", "IN_PROGRESS", "READY_FOR_RETEST"])
@pytest.mark.parametrize("pauses", [("block",), ("needs-info",), ("block", "needs-info", "block")])
def test_a_pause_leads_back(state: str, pauses: tuple[str, ...]) -> None:
    """To where the work stood, however many pauses followed each other."""
    found = at(state)
    for event in pauses:
        found = found.after(found.step(asked(event, BACKEND, {"missing": "goal"} if event == "needs-info" else None)))
    paused = found
    found = found.after(found.step(asked("resume", FRONTEND)))

    assert (state, state) == (paused.resumes, found.state)
    assert not paused.is_active
    assert ("", "") == (found.resumes, found.missing)
    with pytest.raises(IllegalTransition):
        found.step(asked("resume", FRONTEND))


def test_a_pause_is_no_way_around() -> None:
    """Out of a pause only its own state is reached: what was not accepted is not started."""
    found = at("OFFERED")
    paused = found.after(found.step(asked("block", BACKEND)))
    for event in ("accept", "start", "submit-result", "retest"):
        with pytest.raises(IllegalTransition):
            paused.step(asked(event, OWN.get(event, BACKEND), BODIES.get(event)))


@pytest.mark.parametrize("missing", ["", "budget", "task_id", "authority.sudo"])
def test_a_rejection_names_the_missing_field(missing: str) -> None:
    """One that a packet has."""
    with pytest.raises(Unproven, match="field"):
        at("OFFERED").step(asked("needs-info", BACKEND, {"missing": missing} if missing else {}))


def test_the_sender_answers_with_another_version_of_the_packet() -> None:
    """The parts that it says anew; the parties stay, and only the sender changes what it handed over."""
    found = at("OFFERED")
    paused = found.after(found.step(asked("needs-info", BACKEND, {"missing": "known_facts"})))
    with pytest.raises(Forbidden, match="only the sender"):
        paused.step(asked("resume", BACKEND, {"packet": {"authority": {"allowed_tools": ["deploy"]}}}))
    with pytest.raises(Malformed, match="to_role"):
        asked("resume", FRONTEND, {"packet": {"to_role": "x"}})
    resumed = paused.after(paused.step(asked("resume", FRONTEND, {"packet": {"known_facts": ["it is deployed"]}})))

    assert ("known_facts", "sender", 1) == (paused.missing, paused.responsible, paused.packet_version)
    assert (2, "OFFERED", ["it is deployed"]) == (resumed.packet_version, resumed.state, resumed.packet.said["known_facts"])
    assert found.packet.goal == resumed.packet.goal


MOVING = st.lists(
    st.tuples(st.sampled_from(list(MOVES)), st.sampled_from([FRONTEND, BACKEND, PERSON]), st.booleans()), max_size=40
)


def played(wanted: list[tuple[str, Actor, bool]]) -> tuple[Task, list[Event]]:
    """Ask for these moves, one after the other; what came of it."""
    found, events = opened(domains=[{"kind": "schema", "name": "reports"}])
    for event, actor, flag in wanted:
        bodies = {**BODIES, "needs-info": {"missing": "goal"}, "retest": {"outcome": "passed" if flag else "failed"}}
        try:
            step = found.step(asked(event, actor, bodies.get(event)))
        except HandoffError:
            continue
        found = found.after(step)
        events.append(step)
        check(found, step)
    return found, events


def check(found: Task, step: Event) -> None:
    """What holds after every move, whatever came before."""
    assert found.is_active is (found.state in {"ACCEPTED", "IN_PROGRESS"})
    assert bool(found.holds) is (found.started and found.state not in {"CLOSED", "CANCELED"})
    if found.state == "CLOSED":
        assert ("passed", len(found.results)) == (found.retests[-1]["outcome"], found.retests[-1]["result"])
        assert step.actor != found.submitted_by
    if found.state == "READY_FOR_RETEST" and step.event != "resume":
        assert {"commit", "test_report"} <= {one["type"] for one in found.results[-1]["artifacts"]}


@given(MOVING)
def test_the_events_are_the_task(wanted: list[tuple[str, Actor, bool]]) -> None:
    """Whatever was done, its events, written and read again, add up to the same task, and so does what is kept of it."""
    found, events = played(wanted)
    lines = [ledger.dumps(one) for one in events]

    assert found == ledger.replay(map(ledger.loads, lines))
    assert found == ledger.loads_task(ledger.dumps_task(found))
    assert lines == [ledger.dumps(ledger.loads(line)) for line in lines]


def test_ten_thousand_steps() -> None:
    """Long walks of everybody through everything, mostly wrong; what holds after every move is looked at on the way."""
    dice = random.Random(17)  # noqa: S311 -- a test's
    events = 0
    for _ in range(100):
        wanted = [(dice.choice(list(MOVES)), dice.choice([FRONTEND, BACKEND, PERSON]), dice.random() < 0.3) for _ in range(100)]
        wanted = [one for one in wanted if one[0] != "cancel" or dice.random() < 0.05]
        found, made = played(wanted)
        events += len(made)
        assert found == ledger.replay(made)

    assert events > 500


@pytest.mark.parametrize(
    "change",
    [
        {"after": "CLOSED"},
        {"version": 4},
        {"before": "OPEN"},
        {"event": "retest"},
        {"event": "teleport"},
        {"task": "other"},
    ],
)
def test_a_history_that_does_not_follow(change: dict[str, Any]) -> None:
    """Is not replayed: the version that does not fit is named."""
    _, events = played([("offer", FRONTEND, True), ("accept", BACKEND, True)])
    with pytest.raises(Malformed, match="version"):
        ledger.replay([*events[:2], replace(events[2], **change)])
    with pytest.raises(Malformed):
        ledger.replay([])
    with pytest.raises(Malformed, match="creation"):
        ledger.replay(events[1:])


def test_only_the_sender_hands_over() -> None:
    """Nobody opens a task in another's name."""
    new = task.cleaned(task.packet(packet()), REDACTOR)
    for actor in (BACKEND, STRANGER, PERSON, replace(FRONTEND, projects=("backend",))):
        with pytest.raises(Forbidden, match="does not hand over"):
            ledger.opened(new, asked("create", actor))


def test_the_same_request_is_known_again() -> None:
    """By what is meant: the time and the form do not matter, all else does."""
    one = asked("offer", FRONTEND, {"packet": {"goal": "a"}}, key="k", task="t", expected=1)
    later = ledger.cleaned(
        replace(one, at="2027-01-01T00:00:00Z", body={**(one.body or {}), "actor": "frontend-agent"}), REDACTOR
    )
    others = [
        replace(one, task="u"),
        replace(one, expected=2),
        replace(one, reason="x"),
        replace(one, body={"packet": {"goal": "b"}}),
    ]

    assert ledger.request_digest(one) == ledger.request_digest(later)
    assert len({ledger.request_digest(other) for other in (one, *others)}) == 5
    assert "" == ledger.request_digest(replace(one, key=""))


def test_secrets_do_not_stay() -> None:
    """In no reason, result or packet, nor under a name."""
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    step = asked("submit-result", BACKEND, {"artifacts": EVIDENCE, "summary": f"token {secret}"}, reason=f"with {secret}")

    assert secret not in str(step)
