"""`check --plan`: which constraints a plan would run into, before anybody carries it out."""

from collections.abc import Sequence
from typing import Any

from handoffsite.commands.place import Place, find_boundary, reading
from handoffsite.errors import Refused
from handoffsite.extract import guard
from handoffsite.extract.guard import Known, Repetition
from handoffsite.records.constraint import Constraint
from handoffsite.store.snapshot import Fold


def check(place: Place, text: str, file: str) -> dict[str, Any]:
    """What of the plan *text* repeats an approach that failed; `ok` is False where anything does. Nothing is written."""
    boundary = find_boundary(place)
    with reading(place, boundary) as fold:
        known = _known(fold)
    problems = [
        {
            "code": "repeats",
            "severity": "error",
            "file": file,
            "line": one.line,
            "message": f"repeats {one.id}: {one.tried}",
            "fix": f"plan another way, or `handoffsite lift {one.id}` where it holds no longer",
            "constraint": one.id,
            "tried": one.tried,
            "sentence": one.sentence,
            "reason": one.reason,
        }
        for one in guard.repetitions(text, known)
    ]
    return {"ok": not problems, "problems": problems, "constraints": known.count}


def refuse_repeated(fold: Fold, text: str, despite: Sequence[str]) -> None:
    """Refused, with the sentences and the constraints, where *text* repeats what failed and *despite* does not name it."""
    found = [one for one in guard.repetitions(text, _known(fold)) if one.id not in despite]
    if not found:
        return
    told = [f"line {one.line} repeats {one.id} ({_reason(one)}): {one.sentence}" for one in found]
    ids = list(dict.fromkeys(one.id for one in found))
    again = " ".join(f"--despite {id}" for id in ids)
    error = Refused(
        f"not sent, because it repeats what failed before: {', '.join(ids)}\n  " + "\n  ".join(told),
        hint=f"send another plan, or this one with {again}; `handoffsite lift ID` where a constraint holds no longer",
    )
    error.code = "repeats"
    raise error


def _known(fold: Fold) -> Known:
    """The constraints that hold, ready to be compared."""
    values = (item.value for item in fold.live("constraint"))
    return fold.made("known constraints", lambda: guard.known(tuple(value for value in values if isinstance(value, Constraint))))


def _reason(one: Repetition) -> str:
    return f"{one.tried}: {one.reason}" if one.reason else one.tried
