"""The agent's own to-do lists: which items were closed, on the strength of what, and which stayed open."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.extract.evidence import Proof, proof
from handoffsite.extract.prose import one_line
from handoffsite.records.transcript import Event

MOST = 1_000  # items over all lists of a session

_NUMBER = re.compile(r"^(?:(?:task|step|phase|part)\s*#?[\d.]+\s*[:.)–-]|\d+[.)])\s*(?=\S{2})", re.IGNORECASE)
# Steps that leave nothing behind: looking, asking, reporting.
_LOOKING = re.compile(
    r"^\W*(?:analy[sz]e|analysis|ask|assess|audit|check|clarify|compare|confirm|consider|debug|decide|determine|diagnose|discuss|ensure|estimate|evaluate|examine|explain|explore|figure out|find|gather|get|"
    r"identify|inspect|investigate|learn|list|locate|look|map|plan|present|propose|provide|read|recommend|report|reproduce|research|review|scan|search|see|show|study|summari[sz]e|tell|trace|understand|verify|view|wait)\b",
    re.IGNORECASE,
)
_CHECKING = re.compile(
    r"^(?:\W*)(?:(?:re-?)?run|execute|test|lint|build|validate|perform|do)\b.*\b(?:tests?|lint\w*|checks?|verification|build|typecheck|suite|validation|functionality|everything|fmt|format\w*)\b|^\W*(?:final )?(?:test(?:ing)?|verification|validation|qa)\b",
    re.IGNORECASE,
)
_TESTS = re.compile(r"\btest", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Todo:
    """One item. *began* and *closed* are numbers of deeds done by then; *turn* is when it was closed."""

    text: str
    where: str
    status: str
    began: int
    closed: int = -1
    turn: int = 0
    at: Proof

    @property
    def looks(self) -> bool:
        """Whether the item asks for nothing that would last."""
        return bool(_LOOKING.match(self.text))

    @property
    def checks(self) -> bool:
        """Whether the item asks for checks to be run."""
        return bool(_CHECKING.search(self.text))

    @property
    def tests(self) -> bool:
        """Whether the item speaks of tests."""
        return bool(_TESTS.search(self.text))


class Todos:
    """All lists of a session. Each agent has its own; a list that is replaced leaves its closed items behind."""

    def __init__(self) -> None:
        self._items: dict[tuple[str, str], Todo] = {}
        self._current: dict[str, list[tuple[str, str]]] = {}

    def see(self, event: Event, where: str, turn: int, deeds: int) -> None:
        """The list as *event* shows it, after so many *deeds*."""
        listed = event.data.get("todos")
        if not isinstance(listed, list):
            return
        current: list[tuple[str, str]] = []
        for entry in listed:
            if not isinstance(entry, Mapping):
                continue
            slot = self._note(entry, event, where, turn, deeds)
            if slot:
                current.append(slot)
        self._current[where] = current

    def _note(self, entry: Mapping[str, Any], event: Event, where: str, turn: int, deeds: int) -> tuple[str, str] | None:
        text = _NUMBER.sub("", one_line(str(entry.get("text") or "")))
        status = str(entry.get("status") or "")
        if not text:
            return None
        slot = (where, str(entry.get("id") or "") or text)
        if slot in self._items and self._items[slot].text != text and not entry.get("subject"):
            slot = (where, text)
        old = self._items.get(slot)
        if old is None:
            if len(self._items) >= MOST:
                return None
            old = self._items[slot] = Todo(text=text, where=where, status="pending", began=deeds, at=proof(event, text))
            if status == "completed" and not self._current.get(where):
                old.closed = deeds  # it was closed before the log begins: nothing here proves it
        if status != old.status:
            if status == "in_progress":
                old.began = deeds
            if status == "completed":
                old.closed, old.turn = deeds, turn
            old.status, old.at = status, proof(event, text)
        return slot

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
