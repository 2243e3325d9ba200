"""A call together with its result, and whether the work that it asked for happened."""

import re
from dataclasses import dataclass

from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

OPEN = 1_000  # calls that wait for a result; a log with more of them has lost its results

_ERROR = lazy(r"\s*(?:<tool_use_error>|error\b|failed\b|fatal\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Step:
    """One call and its result; *command* is the shell command, empty for other tools."""

    call: Event
    result: Event
    command: str = ""

    @property
    def where(self) -> str:
        """The stream that it belongs to."""
        return stream(self.call)

    @property
    def succeeded(self) -> bool:
        """Whether the log shows that it worked; an exit status counts for more than the client's own word."""
        if self.result.exit is not None:
            return self.result.exit == 0 and self.result.ok is not False
        if self.result.ok is None and self.call.tool in ("edit", "write"):
            return bool(self.result.text) and not self.refused and not _ERROR.match(self.result.text)
        return self.result.ok is True

    @property
    def failed(self) -> bool:
        """Whether the log shows that it did not work; a refusal is no failure, it was never tried."""
        if self.result.exit not in (None, 0):
            return True
        return self.result.ok is False and not self.refused

    @property
    def refused(self) -> bool:
        """Whether the human did not let it happen."""
        return bool(self.result.data.get("refused"))


class Calls:
    """Pairs calls with their results as they stream by."""

    def __init__(self) -> None:
        self.open: dict[str, Event] = {}

    def see(self, event: Event) -> Step | None:
        """The step that *event* completes, if it is the result of an open call."""
        if event.kind == "call":
            if event.call:
                if len(self.open) >= OPEN:
                    del self.open[next(iter(self.open))]
                self.open[event.call] = event
            return None
        if event.kind != "result" or (call := self.open.get(event.call)) is None:
            return None
        if event.ok is not None or event.exit is not None:
            del self.open[event.call]  # what was only started stays open: its end may come later
        return Step(call, event, str(call.data.get("command") or ""))


def stream(event: Event) -> str:
    """Which agent *event* belongs to: nothing for the session's own, else its sub-agent."""
    return event.agent or ("subagent" if event.actor == "subagent" else "")
