"""Where a reader stands in its log, and the events that it makes there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from handoffsite.records.transcript import Event
from handoffsite.sources.text import clean

KEPT_CALLS = 1_000


@dataclass(slots=True)
class Call:
    """A call as its result needs it again."""

    id: str = ""
    name: str = ""
    role: str = "other"
    paths: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def input(self) -> Mapping[str, Any]:
        """The arguments."""
        given = self.data.get("input")
        return given if type(given) is dict else {}

    @property
    def questions(self) -> list[str]:
        """The questions among the arguments."""
        asked = self.input.get("questions")
        return [clean(one.get("question")) for one in asked if type(one) is dict] if type(asked) is list else []


class OpenCalls:
    """The calls that wait for their results; of the older ones only what pairs them is held."""

    def __init__(self) -> None:
        self._recent: dict[str, Call] = {}
        self._older: dict[str, tuple[str, str]] = {}

    def __len__(self) -> int:
        return len(self._recent) + len(self._older)

    def add(self, call: Call) -> None:
        """Wait for the result of *call*."""
        self._recent[call.id] = call
        if len(self._recent) > KEPT_CALLS:
            oldest = self._recent.pop(next(iter(self._recent)))
            self._older[oldest.id] = (oldest.name, oldest.role)

    def get(self, id: str) -> Call:
        """The call of that ID; one that says nothing but the ID where the log has none."""
        return self._recent.get(id) or Call(id, *self._older.get(id, ("", "other")))

    def close(self, id: str) -> Call:
        """The same, and it waits no longer."""
        call = self.get(id)
        self._recent.pop(id, None)
        self._older.pop(id, None)
        return call


class Emitter:
    """Makes events at one place of the log; what they share is set once for each entry.

    *actor* is who speaks if nothing else is said; *aside* is true for what no human sees, the talk with a sub-agent.
    """

    __slots__ = ("_spread", "actor", "agent", "aside", "line", "message", "out", "part", "time")

    def __init__(self) -> None:
        self.line = 0
        self.part = ""
        self.time = ""
        self.message = ""
        self.agent = ""
        self.actor = "agent"
        self.aside = False
        self.out: list[Event] = []
        self._spread = ""

    def stand(self, raw: str, text: str) -> None:
        """*raw* begins at this line; *text* is what is to be said of it, and its lines are the log's where *raw* holds it as it is."""
        at = raw.find(text) if text else -1
        self._spread = text if at >= 0 else ""
        self.line += raw.count("\n", 0, at) if at > 0 else 0

    def say(self, kind: str, text: str, *, actor: str = "", data: Mapping[str, Any] | None = None) -> Event:
        """Add an event without a tool."""
        event = Event(
            line=self.line,
            kind=kind,
            actor=actor or self.actor,
            text=text,
            time=self.time,
            message=self.message,
            agent=self.agent,
            part=self.part,
            rows=range(self.line, self.line + text.count("\n") + 1) if text and text is self._spread else (),
            data=data or {},
        )
        self.out.append(event)
        return event

    def drain(self) -> Collection[Event]:
        """The events that were made since the last time."""
        if not self.out:  # as on most lines of some logs
            return ()
        out, self.out = self.out, []
        return out

    def speak_for(self, agent: str) -> None:
        """From here on everything is of the sub-agent *agent*."""
        self.agent, self.actor, self.aside = agent, "subagent", True

    def prompt(self, text: str, *, command: str = "", refused: str | None = None) -> None:
        """Add the human's own words, be they for a slash *command* or the reason why the call *refused* was."""
        data = {"command": command} if command else {"refused": refused} if refused is not None else None
        self.say("prompt", text, actor="human", data=data)

    def inject(self, text: str) -> None:
        """Add what is nobody's statement, if it says anything."""
        if text:
            self.say("injected", text, actor="system")

    def listed(self, todos: list[dict[str, str]]) -> None:
        """Add the whole to-do list."""
        self.say("todo", "", data={"todos": todos})

    def decided(self, plan: str, *, approved: bool) -> None:
        """Add what the human said to *plan*."""
        self.say("answer", plan, actor="human", data={"approved": approved, "plan": plan})

    def brought(self, plan: str) -> None:
        """Add *plan*, with which the human began: it was approved at the end of another session."""
        self.say("plan", plan)
        self.decided(plan, approved=True)

    def answered(self, answers: Mapping[str, str]) -> None:
        """Add what the human answered to each question, if to any."""
        if answers:
            said = "\n".join(f"{question} {answer}".strip() for question, answer in answers.items())
            self.say("answer", clean(said), actor="human", data={"answers": answers})

    def call(self, call: Call, text: str) -> None:
        """Add that a tool is called; *text* is what a reader would call the call."""
        event = Event(
            line=self.line,
            kind="call",
            actor=self.actor,
            text=text,
            time=self.time,
            tool=call.role,
            name=call.name,
            call=call.id,
            paths=call.paths,
            message=self.message,
            agent=self.agent,
            part=self.part,
            data=call.data,
        )
        self.out.append(event)

    def result(
        self,
        call: Call,
        text: str,
        *,
        ok: bool | None,
        exit: int | None = None,
        paths: tuple[str, ...] = (),
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Add what *call* gave back; *paths* are those that the result tells."""
        event = Event(
            line=self.line,
            kind="result",
            actor="tool",
            text=text,
            time=self.time,
            tool=call.role,
            name=call.name,
            call=call.id,
            ok=ok,
            exit=exit,
            paths=paths or call.paths,
            message=self.message,
            agent=self.agent,
            part=self.part,
            rows=range(self.line, self.line + text.count("\n") + 1) if text and text is self._spread else (),
            data=data or {},
        )
        self.out.append(event)
