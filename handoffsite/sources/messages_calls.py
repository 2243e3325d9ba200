"""Calls and results across the messages of a chat, told as every agent's are: with to-do lists, plans, questions and refusals."""

from collections import OrderedDict
from itertools import islice
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.claude_prompts import pairs, reason
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.messages_results import Outcome
from handoffsite.sources.messages_tools import call_of, plain_name, summary
from handoffsite.sources.text import clean
from handoffsite.sources.todos import KEPT_TODOS, todo

_TODOS = ("todos", "todoList", "todo_list", "items", "plan")
EXAMINED = 64  # of the calls that wait, for a result that names none
UNDOABLE = 64  # files of which the edits are remembered, and edits of each


class Tools:
    """Tells of calls and their results, and pairs them."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()
        self._waiting: OrderedDict[str, str] = (
            OrderedDict()
        )  # of a dict that is emptied from its front, the first is slow to find
        self._edits: dict[str, list[tuple[str, str]]] = {}

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._open)

    def call(self, id: str, name: str, arguments: Any) -> Call:
        """Add the call of the tool *name*; where the chat gives it no *id*, it gets one."""
        call = call_of(id or f"call-{self.account.calls + 1}", name, arguments)
        if plain_name(name) == "undo_edit" or call.input.get("command") == "undo_edit":
            call = self._undone(call)
        self.add(call)
        return call

    def add(self, call: Call) -> None:
        """Add *call*, whose ID is its own."""
        self.account.calls += 1
        self._open.add(call)
        self._waiting[call.id] = call.name
        self.emitter.call(call, summary(call))
        if call.role == "todo":
            self._listed(call)
        elif call.role == "plan" and not self.emitter.aside and (plan := clean(call.input.get("plan"))):
            self.emitter.say("plan", plan)

    def pending(self, id: str, name: str = "") -> Call:
        """The call that a result of *id* is for; without one the oldest that waits, of that *name* if there is such."""
        if not id and self._waiting:
            oldest = islice(self._waiting.items(), EXAMINED)
            id = next((one for one, called in oldest if called == name), next(iter(self._waiting)))
        call = self._open.get(id)
        return call if call.name else call_of(id, name, {})

    def result(self, call: Call, outcome: Outcome) -> None:
        """Add what *call* gave back."""
        self.account.results += 1
        self.account.errors += outcome.ok is False
        self._open.close(call.id)
        self._waiting.pop(call.id, None)
        data = {"refused": True} if outcome.refused else None
        self.emitter.result(call, outcome.text, ok=outcome.ok, exit=outcome.exit, data=data)
        if outcome.ok and call.role in ("edit", "write"):
            self._remember(call)
        if not self.emitter.aside:
            self._human(call, outcome)

    def _listed(self, call: Call) -> None:
        given = call.input
        todos = next((value for key in _TODOS if type(value := given.get(key)) is list), None)
        if todos is not None:
            self.emitter.listed([todo(entry) for entry in todos[:KEPT_TODOS] if type(entry) is dict])

    def _human(self, call: Call, outcome: Outcome) -> None:
        """Add what the human answered to the call."""
        if call.role == "plan" and (outcome.refused or outcome.ok):
            self.emitter.decided(clean(call.input.get("plan")), approved=not outcome.refused)
        elif call.role == "question" and outcome.ok:
            self.emitter.answered(_answers(call, outcome.text))
        if outcome.refused and (said := reason(outcome.text)):
            self.emitter.prompt(said, refused=call.id)

    def _remember(self, call: Call) -> None:
        if len(call.paths) != 1:
            return
        data = call.data
        edits = self._edits.setdefault(call.paths[0], [])
        edits.append((str(data.get("old", "")), str(data.get("new", "") or data.get("content", ""))))
        del edits[:-UNDOABLE]
        if len(self._edits) > UNDOABLE:
            del self._edits[next(iter(self._edits))]

    def _undone(self, call: Call) -> Call:
        """The call that takes the latest edit back, as the edit that does so."""
        edits = self._edits.get(call.paths[0]) if call.paths else None
        if not edits:
            return call
        old, new = edits.pop()
        return Call(call.id, call.name, "edit", call.paths, {**call.data, "old": new, "new": old})


def _answers(call: Call, text: str) -> dict[str, str]:
    """The human's answer to each question of *call*."""
    if found := pairs(text):
        return found
    text = text.strip().removeprefix("<answer>").removesuffix("</answer>").strip()
    return {summary(call): text} if text else {}
