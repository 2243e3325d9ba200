"""Packages that were tried and taken out again: what failed with them, and what the agent said of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.extract import shell
from handoffsite.extract.complaint import telling
from handoffsite.extract.evidence import Proof, proof
from handoffsite.extract.installs import asked
from handoffsite.extract.limits import Limit
from handoffsite.extract.prose import keywords, one_line, plain, sentences
from handoffsite.extract.step import Step
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

NEAR = 12  # commands after an install within which a failure may be the package's
NEXT = 3  # commands after it within which a check that fails is taken to fail for the package
KEPT = 50  # packages on trial

_DISCARDS = lazy(r"\bgit (?:checkout (?:-\S+ )*\.(?!\S)|restore (?:-\S+ )*\.(?!\S)|reset --hard)")
_CAUSE = lazy(r"\b(?:because|since|so|needs?|requires?|raises?|not|never|only|full|too|neither|no)\b", re.IGNORECASE)


_PLAN = lazy(r"^(?:so |now |then )?(?:I|we|let)\b", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Trial:
    """One package that the session added; *error* is the first failure after it, *reason* what the agent said then."""

    name: str
    at: int
    error: str = ""
    reason: str = ""
    proofs: list[Proof] = field(default_factory=list)


class Trials:
    """Follows installs; a package that failed and was removed again is a limit."""

    def __init__(self) -> None:
        self._open: dict[str, Trial] = {}
        self._steps = 0
        self._failed: Step | None = None

    def step(self, step: Step) -> Iterator[Limit]:
        """The packages that *step* gives up."""
        if step.call.tool != "shell" or step.refused or not step.command:
            return
        self._steps += 1
        installs = asked(step.command)
        if step.succeeded:
            gone = [requirement.name for install in installs if install.verb == "remove" for requirement in install.requirements]
            if self._open and _DISCARDS.search(step.command):
                gone = list(self._open)
            for name in gone:
                trial = self._open.pop(name.lower(), None)
                if trial is not None and trial.error:
                    yield _limit(trial, proof(step.result))
        for install in installs if step.succeeded or shell.check(step.command) else ():
            for requirement in install.requirements if install.verb == "add" else ():
                if len(self._open) < KEPT:
                    self._open.setdefault(requirement.name.lower(), Trial(name=requirement.name, at=self._steps))
        self._failed = step if step.failed and not shell.only_looks(step.command) else None
        if self._failed is not None and self._open:
            self._fail(step)

    def text(self, event: Event) -> None:
        """What the agent says right after a failure."""
        waiting = [trial for trial in self._open.values() if not trial.reason]
        if not waiting or (self._failed is None and not any(trial.error for trial in waiting)):
            return
        failed, self._failed = self._failed, None
        said = [plain(sentence) for sentence in sentences(event.text[:2_000])]
        for trial in waiting:
            named = [sentence for sentence in said if _names(trial.name, sentence)]
            if named and failed is not None and not trial.error:
                _blame(trial, failed)
            if trial.error:
                trial.reason = one_line(
                    next((words for words in (*named, *said) if _CAUSE.search(words) and not _PLAN.match(words)), "")
                )
                if trial.reason:
                    trial.proofs.append(proof(event, trial.reason))

    def _fail(self, step: Step) -> None:
        """A failure is a package's if its output names it, or if it is that of a check right after the install."""
        waiting = [trial for trial in self._open.values() if not trial.error and self._steps - trial.at <= NEAR]
        named = [trial for trial in waiting if _names(trial.name, step.result.text)]
        if not named and shell.check(step.command):
            named = [trial for trial in waiting if self._steps - trial.at <= NEXT]
        for trial in named:
            _blame(trial, step)


def _blame(trial: Trial, step: Step) -> None:
    trial.error = one_line(telling(step.result.text), 160)
    trial.proofs.append(proof(step.result, trial.error))


def _names(name: str, text: str) -> bool:
    return name.lower() in text.lower() and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None


def _limit(trial: Trial, removed: Proof) -> Limit:
    limit = Limit(
        status="active", tried=f"`{trial.name}`", outcome=trial.error, because=trial.reason, proofs=[*trial.proofs, removed]
    )
    limit.words = keywords(trial.name)
    return limit
