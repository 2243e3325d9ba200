"""What a task took: waiting, handoffs, rejections, retests, tokens; and whether handing it over was worth it, against one actor alone."""

import itertools
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from handoffsite.records.ledger import ACTIVE, Event, Task
from handoffsite.records.lifecycle import PAUSES
from handoffsite.records.move import RECEIVER

# What is compared; of each the median, since one task that lay about says nothing of the others.
MEASURES = (
    "elapsed",
    "waiting",
    "working",
    "handoffs",
    "rejections",
    "retests",
    "failed_retests",
    "defects",
    "tokens",
    "review_seconds",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """One closed task. Times are in seconds; *tokens*, *review_seconds* are None where no result or retest told them.

    *waiting* is from the offer to the acceptance, and in each pause; *working* is what the receiver had the work for. *handoffs*
    counts how often responsibility went from one party to the other, *rejections* how often the receiver asked for more before it
    accepted. *defects* counts the tasks that were made later to mend what this one did.
    """

    task: str
    alone: bool
    elapsed: int
    waiting: int
    waits: Mapping[str, int]
    working: int
    handoffs: int
    rejections: int
    retests: int
    failed_retests: int
    defects: int
    tokens: int | None
    review_seconds: int | None


def effort(found: Task, events: Sequence[Event], defects: int = 0) -> Effort:
    """What *found*, whose whole history is *events*, took."""
    spent: dict[str, int] = {}
    for one, following in itertools.pairwise(events):
        spent[one.after] = spent.get(one.after, 0) + _seconds(one.at, following.at)
    waits = {state: spent.get(state, 0) for state in ("OFFERED", *PAUSES)}
    said = found.packet.said
    alone = (said["from_role"], said["from_project"]) == (said["to_role"], said["to_project"])
    return Effort(
        task=found.id,
        alone=alone,
        elapsed=_seconds(events[0].at, events[-1].at),
        waiting=sum(waits.values()),
        waits=waits,
        working=sum(spent.get(state, 0) for state in ACTIVE),
        handoffs=0 if alone else _handoffs(events),
        rejections=sum(
            one.event == "needs-info" and one.party == RECEIVER and one.before in {"OFFERED", *PAUSES} for one in events
        ),
        retests=len(found.retests),
        failed_retests=sum(one["outcome"] == "failed" for one in found.retests),
        defects=defects,
        tokens=_sum(found, "tokens"),
        review_seconds=_sum(found, "review_seconds"),
    )


def compared(efforts: Iterable[Effort]) -> dict[str, Any]:
    """The medians of tasks that were handed over, of those that one actor did, and the difference; None where nothing is known."""
    found = list(efforts)
    sides = {"handed_over": [one for one in found if not one.alone], "alone": [one for one in found if one.alone]}
    medians = {
        name: {"tasks": len(some), **{measure: _median(some, measure) for measure in MEASURES}} for name, some in sides.items()
    }
    over, alone = medians["handed_over"], medians["alone"]
    difference = {name: _less(over[name], alone[name]) for name in MEASURES}
    return {**medians, "difference": difference}


def _handoffs(events: Sequence[Event]) -> int:
    """How often the work went to the other side: by each acceptance, each result, and each retest that returned it."""
    return sum(
        one.event in {"accept", "submit-result"} or (one.event == "retest" and one.after == "IN_PROGRESS") for one in events
    )


def _sum(found: Task, name: str) -> int | None:
    known = [int(one[name]) for one in (*found.results, *found.retests) if one.get(name) is not None]
    return sum(known) if known else None


def _median(some: Sequence[Effort], name: str) -> float | None:
    known = [value for one in some if (value := getattr(one, name)) is not None]
    return round(statistics.median(known), 1) if known else None


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else round(one - other, 1)


def _seconds(since: str, until: str) -> int:
    return max(0, int((datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds()))
