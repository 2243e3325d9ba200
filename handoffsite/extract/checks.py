"""Tests, linters, type checks and builds: which ran, how they ended last, and what was changed after."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.extract import shell
from handoffsite.extract.complaint import telling
from handoffsite.extract.evidence import Proof, proof
from handoffsite.extract.step import Step

MOST = 200  # different commands that are kept apart
NAMED = 5  # commands that a summary names
_ORDER = ("tests", "lint", "types", "build")
_LABELS = {"tests": "Tests", "lint": "lint", "types": "type check", "build": "build"}


@dataclass(slots=True, kw_only=True)
class Run:
    """One check by its words, as it ended the last time; *after* is how many deeds there were by then."""

    kind: str
    command: str
    turn: int
    passed: bool
    after: int
    proofs: list[Proof] = field(default_factory=list)
    line: str = ""
    failures: int = 0


class Checks:
    """The checks of a session, each command once."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}

    def step(self, step: Step, turn: int, deeds: int) -> None:
        """Note how the check that *step* ran, if it ran one, ended; *deeds* counts what was done before it."""
        found = shell.check(step.command) if step.call.tool == "shell" else None
        if found is None or step.refused:
            return
        kind, command = found
        line = shell.verdict(step.result.text)
        broken = shell.broken(step.result.text)
        # Of commands in a row a later one may have failed.
        failed = broken or (step.failed and not (line and not shell.ends_in_check(step.command)))
        if not failed and not (step.succeeded or step.failed):
            return
        line = line or (telling(step.result.text) if failed else "")
        old = self._runs.pop(command, None)
        if old is None and len(self._runs) >= MOST:
            return
        proofs = [] if failed or old is None or not old.passed else old.proofs[-3:]
        run = Run(
            kind=kind,
            command=command,
            turn=turn,
            passed=not failed,
            after=deeds,
            line=line,
            proofs=[*proofs, proof(step.result, line)],
        )
        run.failures = (old.failures if old else 0) + failed
        self._runs[command] = run

    def passing(self) -> Iterator[Run]:
        """The checks that passed when they ran last, and that nothing of their kind contradicts since."""
        runs = list(self._runs.values())
        for index, run in enumerate(runs):
            if run.passed and not any(later.kind == run.kind and not later.passed for later in runs[index + 1 :]):
                yield run

    def failing(self) -> Iterator[Run]:
        """The checks that failed when they ran last, unless another of their kind passed since."""
        runs = list(self._runs.values())
        for index, run in enumerate(runs):
            if not run.passed and not any(later.kind == run.kind and later.passed for later in runs[index + 1 :]):
                yield run

    def fails(self, kind: str) -> bool:
        """Whether the last check of *kind* failed."""
        last = next((run for run in reversed(self._runs.values()) if run.kind == kind), None)
        return last is not None and not last.passed

    def drop_failing(self) -> None:
        """What failed was taken back."""
        self._runs = {command: run for command, run in self._runs.items() if run.passed}

    def undo(self, turn: int) -> None:
        """Forget what ran from *turn* on."""
        self._runs = {command: run for command, run in self._runs.items() if run.turn < turn}


def summary(runs: list[Run], changed: int) -> str:
    """One line on *runs*; *changed* is the index of the last deed that altered a file."""
    kinds = [_LABELS[kind] for kind in _ORDER if any(run.kind == kind for run in runs)]
    names = list(dict.fromkeys(f"`{shell.brief(run.command.replace('`', ''), 50)}`" for run in runs))
    named = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    joined = ", ".join(kinds[:-1]) + (" and " if len(kinds) > 1 else "") + kinds[-1]
    verb = "pass" if len(kinds) > 1 or kinds == ["Tests"] else "passes"
    stale = " (before the last changes)" if all(run.after <= changed for run in runs) else ""
    return f"{joined[:1].upper()}{joined[1:]} {verb}: {named}{stale}"
