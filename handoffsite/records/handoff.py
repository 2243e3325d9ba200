"""A handoff as it stands: its contract, every transition that it made, and where that leaves it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NewType

from handoffsite.errors import IllegalTransition, Malformed
from handoffsite.records import identity
from handoffsite.records.contract import Contract
from handoffsite.records.lifecycle import CONTRACT
from handoffsite.records.redaction import Redactor, clean_document

# The words of the command line that move a handoff, and where each leads; an empty one leads back to before the block.
MOVES: Mapping[str, str] = {
    "accept": "accepted",
    "start": "running",
    "submit": "verifying",
    "block": "blocked",
    "unblock": "",
    "fail": "failed",
    "cancel": "cancelled",
    "retry": "accepted",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One move: by whom, when, why, in which attempt, with what more there is to say. *version* is its place in the history."""

    version: int
    event: str
    before: str = ""
    after: str
    actor: str
    at: str
    reason: str = ""
    attempt: int = 1
    data: Mapping[str, Any] | None = None


# A transition of which every text is Clean; `store` takes no other.
CleanTransition = NewType("CleanTransition", Transition)


def cleaned(step: Transition, redactor: Redactor) -> CleanTransition:
    """*step* without secrets and hidden characters in its reason and in what more it says."""
    said = clean_document({"reason": step.reason, "data": step.data or {}}, redactor)
    return CleanTransition(replace(step, reason=said["reason"], data=said["data"] or None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """*contract*, with the *history* of its transitions; the first one proposed it."""

    contract: Contract
    history: tuple[Transition, ...]

    @property
    def id(self) -> str:
        """Its ID."""
        return self.contract.id

    @property
    def version(self) -> int:
        """How many transitions it made."""
        return len(self.history)

    @property
    def state(self) -> str:
        """Where it stands."""
        return self.history[-1].after

    @property
    def attempt(self) -> int:
        """Which attempt this is."""
        return self.history[-1].attempt

    @property
    def before_block(self) -> str:
        """The state to which a block leads back."""
        return next((one.before for one in reversed(self.history) if one.after == "blocked"), "")

    @property
    def failed_as(self) -> str:
        """The class of the last failure; empty where the verification failed, which is one of acceptance."""
        last = next((one for one in reversed(self.history) if one.after == "failed"), None)
        return str((last.data or {}).get("class", "acceptance")) if last else ""

    def of_attempt(self, event: str) -> Transition | None:
        """The last transition of this attempt that *event* made."""
        return next((one for one in reversed(self.history) if one.event == event and one.attempt == self.attempt), None)

    @property
    def result(self) -> Mapping[str, Any] | None:
        """What the assignee handed in for this attempt."""
        found = self.of_attempt("submit")
        return (found.data or {}).get("result") if found else None

    def envelope(self) -> dict[str, Any]:
        """The contract as it stands now: with state, attempt and result."""
        said = {**self.contract.said, "state": self.state, "attempt": self.attempt}
        return {**said, "result": dict(self.result)} if self.result else said

    def step(
        self, event: str, to: str, *, actor: str, at: str, reason: str = "", data: Mapping[str, Any] | None = None
    ) -> Transition:
        """The transition that *event* makes from here. IllegalTransition where the lifecycle does not list it."""
        attempt = self.attempt
        if event == "retry":
            if self.state != "failed":
                raise IllegalTransition(f"contract: only what failed can be retried, and {self.id} is {self.state}")
            attempt += 1
        else:
            to = CONTRACT.step(self.state, to or self.before_block, before=self.before_block)
        return Transition(
            version=self.version + 1,
            event=event,
            before=self.state,
            after=to,
            actor=actor,
            at=at,
            reason=reason,
            attempt=attempt,
            data=data,
        )

    def after(self, step: Transition) -> "Handoff":
        """The handoff once *step* was made."""
        return replace(self, history=(*self.history, step))


def dumps(history: Sequence[Transition]) -> str:
    """The lines of transitions.jsonl; each holds the digest of the one before, so that none can be changed or left out unseen."""
    lines, before = [], ""
    for one in history:
        found = {name: content for name in Transition.__slots__ if (content := getattr(one, name)) not in (None, "")}
        line = json.dumps({**found, "after_line": before}, ensure_ascii=False, sort_keys=True)
        lines.append(line)
        before = identity.digest(line)[:16]
    return "".join(f"{line}\n" for line in lines)


def resealed(text: str, effect: str) -> str:
    """The lines in *text*, in which a text was replaced, as a chain again; the first one names the *effect* of its contract. ValueError where they are none."""
    found = []
    for line in text.splitlines():
        said = json.loads(line)
        del said["after_line"]
        found.append(Transition(**said))
    first = replace(found[0], data={**(found[0].data or {}), "effect": effect})
    return dumps((first, *found[1:]))


def loads(text: str, file: str) -> tuple[Transition, ...]:
    """The transitions in *text*; Malformed, with the line, where one is cut, changed, left out, or not listed by the lifecycle."""
    found: list[Transition] = []
    before, blocked = "", ""
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1], 1):
        try:
            said = json.loads(line)
            mark = said.pop("after_line")
            one = Transition(**said)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise _damaged("malformed", f"no transition: {error}", file, number) from error
        if mark != before or one.version != number:
            raise _damaged("edited", "a transition before it was changed, or left out", file, number)
        if found and not _may_follow(found[-1], one, blocked):
            raise _damaged("edited", f"{found[-1].after} cannot become {one.after}", file, number)
        blocked = one.before if one.after == "blocked" else blocked
        found.append(one)
        before = identity.digest(line)[:16]
    if lines[-1]:
        raise _damaged("truncated", "the last line was cut short", file, len(lines))
    if not found:
        raise _damaged("truncated", "no transition", file, 1)
    return tuple(found)


def _may_follow(last: Transition, one: Transition, blocked: str) -> bool:
    if one.before != last.after:
        return False
    if one.event == "retry":
        return last.after == "failed" and one.after == "accepted" and one.attempt == last.attempt + 1
    return one.attempt == last.attempt and one.after in CONTRACT.following(last.after, before=blocked)


def _damaged(code: str, message: str, file: str, line: int) -> Malformed:
    error = Malformed(message, file=file, line=line, hint="restore the file from git; nothing is written behind it until then")
    error.code = code
    return error
