"""Which states a handoff and a task pass through, and which moves lead from one to the next."""

from collections.abc import Mapping
from dataclasses import dataclass

from handoffsite.errors import IllegalTransition

# The state that was left by a block or a question, read from the history.
RESUME = "resume"


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """A state machine, as data: each state, and the states that may follow it; the first is where everything begins."""

    name: str
    moves: Mapping[str, tuple[str, ...]]

    @property
    def start(self) -> str:
        """The state in which everything begins."""
        return next(iter(self.moves))

    def is_terminal(self, state: str) -> bool:
        """Whether nothing may follow *state*."""
        return not self.moves[state]

    def step(self, state: str, to: str, *, before: str = "") -> str:
        """Return *to*, if it may follow *state*; *before* is the state that a blocked one goes back to. Raises IllegalTransition."""
        allowed = self.following(state, before=before)
        if to in allowed:
            return to
        words = " or ".join(allowed) or f"nothing: {state} is terminal"
        raise IllegalTransition(f"{self.name}: {state} cannot become {to}; next may come {words}")

    def following(self, state: str, *, before: str = "") -> tuple[str, ...]:
        """The states that may follow *state*, RESUME read as *before*."""
        named = (before if move == RESUME else move for move in self.moves[state])
        return tuple(dict.fromkeys(move for move in named if move))


# A retry is a new attempt under the same idempotency key, so nothing leads out of failed.
CONTRACT = Lifecycle(
    "contract",
    {
        "proposed": ("accepted", "blocked", "cancelled"),
        "accepted": ("running", "blocked", "cancelled"),
        "running": ("blocked", "verifying", "failed", "cancelled"),
        "blocked": (RESUME, "cancelled"),
        "verifying": ("succeeded", "failed"),
        "succeeded": (),
        "failed": (),
        "cancelled": (),
    },
)

# As the seed draws it. Both pauses lead back to where the work stood, and a pause within a pause to the same place.
PAUSES = ("NEEDS_INFO", "BLOCKED")
_ANY = (*PAUSES, "CANCELED")
TASK = Lifecycle(
    "task",
    {
        "OPEN": ("OFFERED", *_ANY),
        "OFFERED": ("ACCEPTED", *_ANY),
        "ACCEPTED": ("IN_PROGRESS", *_ANY),
        "IN_PROGRESS": ("READY_FOR_RETEST", *_ANY),
        "READY_FOR_RETEST": ("CLOSED", "IN_PROGRESS", *_ANY),
        "NEEDS_INFO": (RESUME, *_ANY),
        "BLOCKED": (RESUME, *_ANY),
        "CLOSED": (),
        "CANCELED": (),
    },
)
