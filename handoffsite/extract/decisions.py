"""Decisions: what the human answered, approved or ordered, and what the agent said it chose."""

import re
from collections import deque
from collections.abc import Iterable, Mapping

from handoffsite.extract.approvals import answered, planned
from handoffsite.extract.choices import Choice, stated
from handoffsite.extract.evidence import chosen, proof
from handoffsite.extract.orders import ordered
from handoffsite.extract.prose import EXAMINED, keywords, one_line, overlap, same
from handoffsite.extract.replies import agrees, replied, suggested
from handoffsite.extract.specifics import specified, taken_back
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

MOST = 1_000  # decisions of one session
ASKED = 50  # calls with questions that are kept for their answers
REASONS = 400  # characters of a rationale that was given in several ways

_DENIED = lazy(r"\b(?:don['’]t|do not|never|no longer|not)\b", re.IGNORECASE)
_FORBIDS = lazy(r"^\W*(?:no\W+|please )*(?:do not|don['’]t|never ?mind|stop|wait)\b", re.IGNORECASE)
_REVERSAL = lazy(
    r"^\W*(?:no|nope|actually|wait|hmm|instead|on second thought|scratch that|never ?mind)\b|\b(?:instead|actually)\b",
    re.IGNORECASE,
)


class Decisions:
    """Follows what is chosen in a session; `finish` gives what stands at its end."""

    def __init__(self) -> None:
        self.left_out = 0  # for want of room
        self._choices: list[Choice] = []
        self._asked: deque[Mapping[str, object]] = deque(maxlen=ASKED)
        self._message: Event | None = None
        self._suggestion: tuple[Choice, Event] | None = None
        self._stopped = False
        self._turn = 0
        self._wanted: frozenset[str] = frozenset()  # what the human asks for: said again, it is no choice

    def see(self, event: Event) -> None:
        """Follow one event."""
        if event.kind == "call":
            given = event.data.get("input") if event.tool == "question" else None
            if isinstance(given, Mapping):
                self._asked.appendleft(given)
        elif event.kind == "text":
            self._text(event)
        elif event.kind == "prompt" and event.actor == "human":
            self._turn += 1
            self._wanted = keywords(event.text[:EXAMINED])
            self._prompt(event)
            self._message, self._stopped = None, False
        elif event.kind == "interrupt":
            self._stopped = True
        elif event.kind == "answer":
            self._answer(event)
        elif event.kind == "undo" and isinstance(turns := event.data.get("turns"), int) and turns > 0:
            self._choices = [choice for choice in self._choices if choice.turn <= self._turn - turns]

    def undone(self, turns: Iterable[int]) -> None:
        """What the agent chose in *turns* was taken back with the work."""
        gone = set(turns)
        self._choices = [choice for choice in self._choices if choice.status == "accepted" or choice.turn not in gone]

    def finish(self) -> list[Choice]:
        """The decisions in the order in which they were first stated."""
        return self._choices

    def _text(self, event: Event) -> None:
        if event.actor == "agent":
            self._message = event
            if self._suggestion is not None:
                choice, prompt = self._suggestion
                self._suggestion = None
                if agrees(event.text):
                    self._add(choice, prompt)
                    choice.proofs.append(proof(event))
        for choice in stated(event.text[:EXAMINED]):
            if choice.rationale or choice.alternatives or overlap(keywords(choice.title), self._wanted) < 0.6:
                self._add(choice, event)

    def _prompt(self, event: Event) -> None:
        if self._message is not None and (agreed := replied(self._message.text, event.text)):
            agreed.proofs.append(proof(self._message, agreed.context or agreed.said))
            agreed.said = ""
            self._add(agreed, event)
        if taken_back(event.text):
            self._choices = [choice for choice in self._choices if choice.turn != self._turn - 1]
        stopped = self._stopped or bool(event.data.get("refused"))
        said: list[str] = []
        for choice in ordered(event.text):
            # After a call that was stopped, what shall not be done is that one call.
            if not (stopped and not choice.alternatives and _FORBIDS.match(choice.said)):
                said.append(choice.said)
                self._overrule(choice)
                self._add(choice, event)
        for choice in specified(event.text):
            if not any(choice.said in other or other in choice.said for other in said):
                self._overrule(choice)
                self._add(choice, event)
        told = suggested(event.text[:EXAMINED])
        self._suggestion = (told, event) if told else None

    def _answer(self, event: Event) -> None:
        answers = event.data.get("answers")
        if isinstance(answers, Mapping):
            for question, answer in answers.items():
                choice = answered(str(question), answer, self._asked)
                if choice is not None:
                    self._choices = [old for old in self._choices if old.question != choice.question]
                    self._add(choice, event)
        elif event.data.get("approved") is True:
            for choice in planned(str(event.data.get("plan") or event.text)):
                self._add(choice, event)

    def _overrule(self, choice: Choice) -> None:
        """The last word is the human's: what it goes against no longer stands."""
        words, against = keywords(choice.title), keywords(" ".join(choice.alternatives))
        denied, reverses = _DENIED.search(choice.title) is not None, _REVERSAL.search(choice.said) is not None
        self._choices = [
            old
            for old in self._choices
            if not (
                (against and overlap(against, old.words) >= 0.6 and not words - against <= old.words)
                or (denied and old.status == "proposed" and overlap(words, old.words) >= 0.6)
                or (reverses and overlap(words, old.words) >= 0.6 and not same(words, old.words))
            )
        ]

    def _add(self, choice: Choice, event: Event) -> None:
        choice.turn = self._turn
        choice.proofs.append(proof(event, choice.said))
        if choice.rationale and (reason := proof(event, choice.rationale)).address != choice.proofs[-1].address:
            choice.proofs.append(reason)  # the reason stands on a line of its own
        choice.words = keywords(choice.title)
        if len(choice.words) < (1 if choice.title.lower().startswith("no ") else 2):
            return
        for old in self._choices:
            if same(old.words, choice.words):
                _merge(old, choice)
                return
        if len(self._choices) < MOST:
            self._choices.append(choice)
        else:
            self.left_out += 1


def _merge(old: Choice, new: Choice) -> None:
    """The same decision said again: the human's word and every reason stay."""
    if new.status == "accepted":
        old.status = "accepted"
    if new.rationale and new.rationale.lower() not in old.rationale.lower():
        old.rationale = one_line(f"{old.rationale}; {new.rationale}" if old.rationale else new.rationale, REASONS)
    old.alternatives = tuple(dict.fromkeys((*old.alternatives, *new.alternatives)))
    old.proofs = list(chosen((*old.proofs, *new.proofs)))
