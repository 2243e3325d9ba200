"""The extractor: what one session completed, decided, found impossible, changed and left open, in one pass over its events."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from handoffsite.extract.aims import Aims
from handoffsite.extract.choices import Choice
from handoffsite.extract.completed import Completions
from handoffsite.extract.constraints import Constraints
from handoffsite.extract.decisions import Decisions
from handoffsite.extract.dependencies import Dependencies
from handoffsite.extract.done import Done
from handoffsite.extract.evidence import QUOTE, Proof, addresses, chosen, digest, first_line
from handoffsite.extract.limits import Limit
from handoffsite.extract.prose import one_line
from handoffsite.extract.step import Calls, Step
from handoffsite.extract.threads import Strand, Threads
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.identity import mentions
from handoffsite.records.thread import Thread
from handoffsite.records.transcript import Event, Transcript

Item = TypeVar("Item", Completed, Decision, Constraint, Thread)

REMEMBERED = 20_000  # lines whose quotation is kept for whoever cites them
PRINTED = 500  # IDs of ours

_NOBODYS = ("thinking", "injected", "compact")  # no statement, and no act
_OURS = re.compile(
    r"(?:^|[\s;&|(/])handoffsite(?:\s+-\S+(?:[= ]\S+)?)*\s+(?!state\b|pack\b|search\b|show\b|log\b|check\b|doctor\b|build\b|"
    r"schema\b|review\b|discover\b|watch\b|serve\b)\w"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a session comes to: values without IDs, their text as the log has it, not yet redacted.

    *quotes* maps evidence addresses to the line that proves it (at most 200 characters), *messages* to eight hexadecimal characters of the
    digest of the message that stands there. *printed* are IDs that a writing `handoffsite` command printed in this session.
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
        self.lines: dict[str, tuple[str, str]] = {}
        self.printed: dict[str, None] = {}

    def see(self, event: Event) -> None:
        kind = event.kind
        self.dependencies.see(event)
        if kind in _NOBODYS:
            return
        step = self.calls.see(event)
        undone = self.completions.see(event, step)
        if kind == "undo":
            self.constraints.undone(undone, event)
            self.decisions.undone(deed.turn for deed in undone)
        else:
            self.constraints.see(event, step)
        self.decisions.see(event)
        self.threads.see(event)
        self.aims.see(event)
        if kind in ("call", "result"):
            self._remember(event, step)

    def finish(self, title: str, directories: tuple[str, ...]) -> Extraction:
        completed = tuple(_completed(done) for done in self.completions.finish())
        decisions = tuple(_decision(choice) for choice in self.decisions.finish())
        constraints = tuple(_constraint(limit) for limit in self.constraints.finish())
        strands = self.threads.finish(self.completions.todos, self.completions.checks, iter(self.calls.open.values()))
        dependencies = self.dependencies.finish(directories)
        shown = [proof for _, proofs in (*completed, *decisions, *constraints) for proof in proofs]
        shown += [proof for strand in strands for proof in strand.proofs]
        shown += [self._line(address) for item in dependencies for address in item.evidence if address in self.lines]
        home = _Home(directories)
        return Extraction(
            title=home.strip(self.aims.title(title)),
            focus=home.strip(self.aims.focus()),
            completed=tuple(home.of(item) for item, _ in completed),
            decisions=tuple(home.of(item) for item, _ in decisions),
            constraints=tuple(home.of(item) for item, _ in constraints),
            dependencies=dependencies,
            threads=tuple(home.of(_thread(strand)) for strand in strands),
            quotes={proof.address: home.strip(proof.quote) for proof in reversed(shown) if proof.quote},
            messages={proof.address: digest(proof.message) for proof in shown if proof.message},
            printed=tuple(self.printed),
        )

    def _line(self, address: str) -> Proof:
        said, message = self.lines[address]
        return Proof(address, one_line(first_line(said), QUOTE), message)

    def _remember(self, event: Event, step: Step | None) -> None:
        """Keep the line for those who cite it, and the IDs that our own command printed."""
        tool = event.tool or (step.call.tool if step is not None else "")
        if tool in ("shell", "edit", "write") and len(self.lines) < REMEMBERED:
            said = event.data.get("command") or " ".join(event.paths) or event.text
            self.lines[event.address] = (str(said)[: 2 * QUOTE], event.message)
        if step is not None and "handoffsite" in step.command and _OURS.search(step.command) and not step.failed:
            for _, _, identity in mentions(step.result.text):
                if identity.tag and len(self.printed) < PRINTED:
                    self.printed[str(identity)] = None


class _Home:
    """Takes the machine's own folders out of texts: a record holds no absolute path of its project."""

    def __init__(self, directories: tuple[str, ...]) -> None:
        roots = sorted({directory.rstrip("/\\") for directory in directories if len(directory) > 3}, key=len, reverse=True)
        self._roots = re.compile("|".join(rf"{re.escape(root)}(?:[/\\]|(?![\w.-]))" for root in roots)) if roots else None
        self._marks = tuple(root[:12] for root in roots)

    def strip(self, text: str) -> str:
        """*text* with paths as seen from the project."""
        if self._roots is None or not any(mark in text for mark in self._marks):
            return text
        return self._roots.sub(lambda found: "" if found[0][-1] in "/\\" else ".", text)

    def of(self, item: Item) -> Item:
        """*item* with every text of its own stripped."""
        changed: dict[str, Any] = {}
        for entry in fields(item):
            value = getattr(item, entry.name)
            if entry.name in ("id", "status", "evidence"):
                continue
            new = self.strip(value) if isinstance(value, str) else tuple(map(self.strip, value))
            if new != value:
                changed[entry.name] = new
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
