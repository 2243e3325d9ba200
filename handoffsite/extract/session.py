"""The extractor: what one session completed, decided, found impossible, changed and left open, in one pass over its events."""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from handoffsite.extract.aims import Aims
from handoffsite.extract.choices import Choice
from handoffsite.extract.completed import Completions
from handoffsite.extract.constraints import Constraints
from handoffsite.extract.decisions import Decisions
from handoffsite.extract.dependencies import Dependencies
from handoffsite.extract.done import Done
from handoffsite.extract.evidence import Proof, addresses, chosen, digest
from handoffsite.extract.limits import Limit
from handoffsite.extract.prose import HEADING, capital, one_line
from handoffsite.extract.spelling import KEPT, in_command, in_text
from handoffsite.extract.step import Calls
from handoffsite.extract.threads import Strand, Threads
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.identity import mentions
from handoffsite.records.pattern import lazy
from handoffsite.records.thread import Thread
from handoffsite.records.transcript import Event, Transcript

Item = TypeVar("Item", Completed, Decision, Constraint, Thread)

PRINTED = 500  # IDs of ours

_NOBODYS = ("thinking", "injected", "compact")  # no statement, and no act
_TEXTS = {  # what of an item is its text
    Completed: ("text",),
    Decision: ("title", "context", "rationale", "alternatives"),
    Constraint: ("tried", "outcome", "because"),
    Thread: ("title", "next"),
}
_OURS = lazy(
    r"(?:^|[\s;&|(/])handoffsite(?:\s+-\S+(?:[= ]\S+)?)*\s+(?!state\b|pack\b|search\b|show\b|log\b|check\b|doctor\b|build\b|"
    r"schema\b|review\b|discover\b|watch\b|serve\b)\w"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a session comes to: values without IDs, their text as the log has it, not yet redacted.

    *quotes* maps evidence addresses to the line that proves it (at most 200 characters), *messages* to eight hexadecimal characters of the
    digest of the message that stands there. *printed* are IDs that a writing `handoffsite` command printed in this session.
    *left_out* counts, by kind, the items for which there was no room.
    """

    title: str = ""
    focus: str = ""
    completed: tuple[Completed, ...] = ()
    decisions: tuple[Decision, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    threads: tuple[Thread, ...] = ()
    quotes: Mapping[str, str] = field(default_factory=dict)
    messages: Mapping[str, str] = field(default_factory=dict)
    printed: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)


def extract(transcript: Iterable[Event]) -> Extraction:
    """What the session in *transcript* did. Events are looked at once, in their order, and not kept."""
    known = transcript if isinstance(transcript, Transcript) else None
    desk = _Desk()
    desk.completions.deeds.roots = known.directories if known else ()
    for event in transcript:
        desk.see(event)
    return desk.finish(known.title if known else "", tuple(known.directories) if known else ())


class _Desk:
    """Hands each event to those who follow one thing each."""

    def __init__(self) -> None:
        self.calls = Calls()
        self.completions = Completions()
        self.decisions = Decisions()
        self.constraints = Constraints()
        self.dependencies = Dependencies()
        self.threads = Threads()
        self.aims = Aims()
        self.printed: dict[str, None] = {}
        self.names: set[str] = set()
        self.last = Event(line=0, kind="")

    def see(self, event: Event) -> None:
        kind = event.kind
        if kind == "result":
            self._result(event)
        elif kind == "call":
            self.calls.see(event)
            self.completions.see(event, None)
            self.decisions.see(event)
            self.threads.see(event)
            if event.tool == "shell" and len(self.names) < KEPT:
                self.names.update(in_command(str(event.data.get("command") or "")))
        elif kind == "undo":
            self._undo(event)
        elif kind not in _NOBODYS:
            self._talk(event)
        self.last = event

    def _result(self, event: Event) -> None:
        step = self.calls.see(event)
        self.dependencies.see(event, step, self.last)
        if step is None:
            return
        self.completions.see(event, step)
        self.constraints.see(event, step)
        # IDs that our own command printed.
        if "handoffsite" in step.command and _OURS.search(step.command) and not step.failed:
            for _, _, identity in mentions(step.result.text):
                if identity.tag and len(self.printed) < PRINTED:
                    self.printed[str(identity)] = None

    def _undo(self, event: Event) -> None:
        self.dependencies.see(event, None, self.last)
        undone = self.completions.see(event, None)
        self.constraints.undone(undone, event)
        self.decisions.undone(deed.turn for deed in undone)
        self.decisions.see(event)
        self.threads.see(event)
        self.aims.see(event)

    def _talk(self, event: Event) -> None:
        if "`" in event.text and len(self.names) < KEPT:
            self.names.update(in_text(event.text))
        self.dependencies.see(event, None, self.last)
        self.completions.see(event, None)
        self.constraints.see(event, None)
        self.decisions.see(event)
        self.threads.see(event)
        self.aims.see(event)

    def finish(self, title: str, directories: tuple[str, ...]) -> Extraction:
        completed = tuple(_completed(done) for done in self.completions.finish())
        decisions = tuple(_decision(choice) for choice in self.decisions.finish())
        constraints = tuple(_constraint(limit) for limit in self.constraints.finish())
        strands = self.threads.finish(self.completions.todos, self.completions.checks, iter(self.calls.open.values()))
        dependencies = self.dependencies.finish(directories)
        shown = [proof for _, proofs in (*completed, *decisions, *constraints) for proof in proofs]
        shown += [proof for strand in strands for proof in strand.proofs]
        shown += self.dependencies.proofs(dependencies)
        home = Home(directories, self.names)
        return Extraction(
            title=home.strip(self.aims.title(title)),
            focus=one_line(capital(home.strip(self.aims.focus()), self.names), HEADING),
            completed=tuple(home.of(item) for item, _ in completed),
            decisions=tuple(home.of(item) for item, _ in decisions),
            constraints=tuple(home.of(item) for item, _ in constraints),
            dependencies=dependencies,
            threads=tuple(home.of(_thread(strand)) for strand in strands),
            quotes={proof.address: home.strip(proof.quote) for proof in reversed(shown) if proof.quote},
            messages={proof.address: digest(proof.message) for proof in shown if proof.message},
            printed=tuple(self.printed),
            left_out=self._left_out(),
        )

    def _left_out(self) -> dict[str, int]:
        counts = {
            "completed items": self.completions.left_out,
            "decisions": self.decisions.left_out,
            "constraints": self.constraints.left_out,
            "threads": self.threads.left_out,
        }
        return {kind: count for kind, count in counts.items() if count}


class Home:
    """The last touch to texts: a capital at their start, and no absolute path of the project."""

    def __init__(self, directories: tuple[str, ...], names: Container[str]) -> None:
        self._names = names
        roots = sorted({directory.rstrip("/\\") for directory in directories if len(directory) > 3}, key=len, reverse=True)
        self._roots = re.compile("|".join(rf"{re.escape(root)}(?:[/\\]|(?![\w.-]))" for root in roots)) if roots else None
        self._marks = tuple(root[:12] for root in roots)

    def strip(self, text: str) -> str:
        """*text* with paths as seen from the project."""
        if self._roots is None or not any(mark in text for mark in self._marks):
            return text
        return self._roots.sub(lambda found: "" if found[0][-1] in "/\\" else ".", text)

    def of(self, item: Item) -> Item:
        """*item* with every text of its own stripped, and a capital where it begins."""
        changed: dict[str, Any] = {}
        for place, name in enumerate(_TEXTS[type(item)]):
            value = getattr(item, name)
            new = self.strip(value) if isinstance(value, str) else tuple(map(self.strip, value))
            if place == 0 and isinstance(new, str):
                new = capital(new, self._names)
            if new != value:
                changed[name] = new
        return replace(item, **changed) if changed else item


def _completed(done: Done) -> tuple[Completed, tuple[Proof, ...]]:
    proofs = chosen(done.evidence())
    return Completed(status="proven" if done.proven else "claimed", text=done.text, evidence=addresses(proofs)), proofs


def _decision(choice: Choice) -> tuple[Decision, tuple[Proof, ...]]:
    proofs = chosen(choice.proofs)
    item = Decision(
        status=choice.status,
        title=choice.title,
        context=choice.context,
        rationale=choice.rationale,
        alternatives=choice.alternatives,
        evidence=addresses(proofs),
    )
    return item, proofs


def _constraint(limit: Limit) -> tuple[Constraint, tuple[Proof, ...]]:
    proofs = chosen(limit.proofs)
    return Constraint(
        status=limit.status, tried=limit.tried, outcome=limit.outcome, because=limit.because, evidence=addresses(proofs)
    ), proofs


def _thread(strand: Strand) -> Thread:
    return Thread(status=strand.status, title=strand.title, next=strand.next, evidence=addresses(strand.proofs))
