"""The agent's own to-do lists: which items were closed, on the strength of what, and which stayed open."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from handoffsite.extract.deed import Deed
from handoffsite.extract.evidence import Proof, proof
from handoffsite.extract.prose import one_line
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

MOST = 1_000  # items over all lists of a session
ROOM = 100  # how many of them go at once when there are more

_NUMBER = lazy(r"^(?:(?:task|step|phase|part)\s*#?[\d.]+\s*[:.)–-]|\d+[.)])\s*(?=\S{2})", re.IGNORECASE)
# Steps that leave nothing behind: looking, asking, reporting.
_LOOKING = lazy(
    r"^\W*(?:analy[sz]e|analysis|ask|assess|audit|check|clarify|compare|confirm|consider|debug|decide|determine|diagnose|"
    r"discuss|ensure|estimate|evaluate|examine|explain|explore|figure out|find|gather|get|"
    r"identify|inspect|investigate|learn|list|locate|look|map|plan|present|propose|provide|read|recommend|report|reproduce|"
    r"research|review|scan|search|see|show|study|summari[sz]e|tell|trace|understand|verify|view|wait)\b",
    re.IGNORECASE,
)
_CHECKING = lazy(
    r"^(?:\W*)(?:(?:re-?)?run|execute|test|lint|build|validate|perform|do)\b.*\b(?:tests?|lint\w*|checks?|verification|build|"
    r"typecheck|suite|validation|functionality|everything|fmt|format\w*)\b|^\W*(?:final )?(?:test(?:ing)?|verification|"
    r"validation|qa)\b",
    re.IGNORECASE,
)
_CLOSING = lazy(
    r"^\W*(?:(?:and|then|finally|git|commit(?:ting)?|push(?:ing)?|(?:hand|wrap|finish|clean|write|close|end)(?:ing)?(?:[ -]?(?:over|off|up|"
    r"down|it))?|note|handoff|handover|session|end|done|finish|report|pr|pull request|open|the|a|an|it|all|changes|work|"
    r"everything|to|remote|origin|main|message|summary|turn)\b\W*)+$",
    re.IGNORECASE,
)
_RUNNING = lazy(
    r"^\W*(?:measur|run|benchmark|profil|load[- ]test|(?:re)?build(?= (?:in|on|for|under|inside|again|once|the image)\b)|deploy|execute|"
    r"smoke[- ]test|stress[- ]test|dry[- ]run)\w*\b(?!.*\b(?:page|form|component|module|class|function|endpoint|parser|script|view|ui|cli|api|helper|"
    r"archive|support|feature|schema|query|limit|zone|out)\b)",
    re.IGNORECASE,
)
_TESTS = lazy(r"\btest", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Todo:
    """One item. *began* and *closed* are numbers of deeds done by then; *turn* is when it was closed, *deeds* what backs it."""

    text: str
    where: str
    status: str
    began: int
    closed: int = -1
    turn: int = 0
    at: Proof
    taken_up: bool = False  # it was in progress, not merely ticked off
    deeds: list[Deed] = field(default_factory=list)

    @property
    def looks(self) -> bool:
        """Whether the item asks for nothing that would last."""
        return bool(_LOOKING.match(self.text))

    @property
    def checks(self) -> bool:
        """Whether the item asks for checks to be run."""
        return bool(_CHECKING.search(self.text))

    @property
    def closes(self) -> bool:
        """Whether the item is only how a piece of work ends: a commit, a note, a goodbye."""
        return bool(_CLOSING.match(self.text))

    @property
    def runs(self) -> bool:
        """Whether the item asks for something to be run: what proves it is the command, not an edit."""
        return bool(_RUNNING.match(self.text))

    @property
    def tests(self) -> bool:
        """Whether the item speaks of tests."""
        return bool(_TESTS.search(self.text))


class Todos:
    """All lists of a session. Each agent has its own; a list that is replaced leaves its closed items behind."""

    def __init__(self) -> None:
        self._items: dict[tuple[str, str], Todo] = {}
        self._current: dict[str, list[tuple[str, str]]] = {}
        self.forgotten = 0  # items that were closed, or might have been, for which there was no room

    def see(self, event: Event, where: str, turn: int, deeds: int) -> list[Todo]:
        """The items that the list in *event*, which comes after so many *deeds*, closes."""
        listed = event.data.get("todos")
        if not isinstance(listed, list):
            return []
        current: list[tuple[str, str]] = []
        closed: list[Todo] = []
        for entry in listed:
            slot = self._slot(entry, where) if isinstance(entry, Mapping) else None
            if slot is None:
                continue
            todo = self._items.get(slot)
            if todo is None:
                if len(self._items) >= MOST and not self._forget(current):
                    self.forgotten += 1
                    continue
                text = _text(entry)
                todo = self._items[slot] = Todo(text=text, where=where, status="pending", began=deeds, at=proof(event, text))
            current.append(slot)
            if self._change(todo, str(entry.get("status") or ""), event, deeds):
                todo.turn = turn
                closed.append(todo)
        self._current[where] = current
        return closed

    def _forget(self, current: Sequence[tuple[str, str]]) -> bool:
        """Make room: what stands in no list any more goes, first what was given up, then the oldest of what was closed."""
        listed = {*current, *(slot for slots in self._current.values() for slot in slots)}
        stale = [slot for slot in self._items if slot not in listed]
        given_up = [slot for slot in stale if self._items[slot].status != "completed"]
        for slot in given_up or stale[:ROOM]:
            self.forgotten += self._items.pop(slot).status == "completed"
        return bool(stale)

    def _slot(self, entry: Mapping[str, Any], where: str) -> tuple[str, str] | None:
        """What stays the same of an item from list to list: its ID, or its text where IDs are numbers of the line."""
        text = _text(entry)
        if not text:
            return None
        slot = (where, str(entry.get("id") or "") or text)
        known = self._items.get(slot)
        return slot if known is None or known.text == text else (where, text)

    @staticmethod
    def _change(todo: Todo, status: str, event: Event, deeds: int) -> bool:
        """Whether the item is closed by its new *status*."""
        if status == todo.status:
            return False
        todo.status, todo.at = status, proof(event, todo.text)
        if status == "in_progress":
            todo.began, todo.taken_up = deeds, True
        if status == "completed":
            todo.closed = deeds
        return status == "completed"

    def closed(self) -> Iterator[Todo]:
        """The items that were closed and stayed so."""
        return (todo for todo in self._items.values() if todo.status == "completed")

    def unfinished(self) -> Iterator[Todo]:
        """What the last list of each agent leaves to do."""
        for slots in self._current.values():
            for slot in slots:
                if self._items[slot].status in ("pending", "in_progress"):
                    yield self._items[slot]

    def undo(self, turn: int) -> None:
        """Open again what was closed from *turn* on."""
        for todo in self._items.values():
            if todo.status == "completed" and todo.turn >= turn:
                todo.status = "pending"


def _text(entry: Mapping[str, Any]) -> str:
    return _unnumbered(str(entry.get("text") or ""))


@lru_cache(maxsize=256)  # a list comes whole each time that one item changes
def _unnumbered(text: str) -> str:
    return _NUMBER.sub("", one_line(text))
