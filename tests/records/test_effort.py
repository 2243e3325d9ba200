"""What closed tasks took, and whether handing them over was worth it."""

from typing import Any

from handoffsite.records import effort, ledger, task
from handoffsite.records.ledger import Event, Request, Task
from handoffsite.records.move import HUMAN, Actor
from handoffsite.records.redaction import Redactor
from tests.packet import EVIDENCE, packet

SENDER = Actor(name="frontend-agent", role="frontend-agent", projects=("*",))
RECEIVER = Actor(name="backend-agent", role="backend-agent", projects=("*",))
PERSON = Actor(name="ada", role=HUMAN, projects=("*",))
FIRST = {"artifacts": EVIDENCE, "tokens": 900, "review_seconds": 60}
SECOND = {"artifacts": EVIDENCE, "tokens": 100}
# Minute by minute: who does what.
STORY: list[tuple[int, str, Actor, dict[str, Any]]] = [
    (1, "offer", SENDER, {}),
    (3, "needs-info", RECEIVER, {"missing": "acceptance"}),
    (7, "resume", SENDER, {}),
    (8, "accept", RECEIVER, {}),
    (10, "start", RECEIVER, {}),
    (20, "block", RECEIVER, {}),
    (50, "resume", RECEIVER, {}),
    (60, "submit-result", RECEIVER, FIRST),
    (61, "retest", SENDER, {"outcome": "failed"}),
    (71, "submit-result", RECEIVER, SECOND),
    (72, "retest", SENDER, {"outcome": "passed", "review_seconds": 30}),
]


def told(story: list[tuple[int, str, Actor, dict[str, Any]]], **more: Any) -> tuple[Task, list[Event]]:
    redactor = Redactor()

    def asked(minute: int, event: str, actor: Actor, body: dict[str, Any]) -> Any:
        at = f"2026-09-12T{10 + minute // 60:02}:{minute % 60:02}:00Z"
        return ledger.cleaned(Request(event=event, actor=actor, at=at, body=body), redactor)

    events: list[Event] = [ledger.opened(task.cleaned(task.packet(packet(**more)), redactor), asked(0, "create", SENDER, {}))]
    for step in story:
        events.append(ledger.replay(events).step(asked(*step)))
    return ledger.replay(events), events


def test_what_a_task_took() -> None:
    """Waiting is from the offer to the acceptance and in each pause; each passing on, rejection and retest counts."""
    found = effort.effort(*told(STORY), defects=1)

    assert {"OFFERED": 3 * 60, "NEEDS_INFO": 4 * 60, "BLOCKED": 30 * 60} == found.waits
    assert (72 * 60, 37 * 60, 32 * 60) == (found.elapsed, found.waiting, found.working)
    assert (4, 1, 2, 1, 1) == (found.handoffs, found.rejections, found.retests, found.failed_retests, found.defects)
    assert (1000, 90) == (found.tokens, found.review_seconds)


def test_the_baseline_is_one_actor_alone() -> None:
    """The medians of both kinds, and how much more the handing over took; what nobody told is not known."""
    alone = [
        (minute, event, PERSON if event == "retest" else SENDER, body)
        for minute, event, _, body in STORY
        if event not in {"needs-info", "block", "resume"}
    ]
    own = {"to_role": "frontend-agent", "to_project": "frontend"}
    bare = [
        (minute, event, actor, {name: body[name] for name in body if name in {"artifacts", "outcome"}})
        for minute, event, actor, body in alone
    ]
    found = effort.compared([effort.effort(*told(STORY)), effort.effort(*told(bare, **own))])

    assert (1, 1) == (found["handed_over"]["tasks"], found["alone"]["tasks"])
    assert (4, 0, 4) == (found["handed_over"]["handoffs"], found["alone"]["handoffs"], found["difference"]["handoffs"])
    assert (1000, None, None) == (found["handed_over"]["tokens"], found["alone"]["tokens"], found["difference"]["tokens"])
    assert 37 * 60 - 7 * 60 == found["difference"]["waiting"]


def test_nothing_to_compare() -> None:
    """Is said as nothing, not as zero."""
    found = effort.compared([])

    assert (0, None) == (found["alone"]["tasks"], found["difference"]["waiting"])
