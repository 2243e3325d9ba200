"""What an agent writes at the end of a session; an input to its record."""

from dataclasses import dataclass

from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.session import Retirement, Update
from handoffsite.records.thread import Thread


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note as it was understood; each item's evidence is the line that it stands on, `note:LINE`.

    *session_id* is `agent:session` where the note names both; *started* and *ended* are UTC, `YYYY-MM-DDTHH:MM:SSZ`, or empty.
    *updates* and *retired* are words on items of earlier records. *narrative* holds, verbatim, what belongs to no item;
    *warnings* say what was read otherwise than it was written, and where.
    """

    title: str = ""
    focus: str = ""
    session_id: str = ""
    started: str = ""
    ended: str = ""
    completed: tuple[Completed, ...] = ()
    decisions: tuple[Decision, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    threads: tuple[Thread, ...] = ()
    updates: tuple[Update, ...] = ()
    retired: tuple[Retirement, ...] = ()
    unfiled: tuple[str, ...] = ()
    narrative: str = ""
    warnings: tuple[str, ...] = ()
