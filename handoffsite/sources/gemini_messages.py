"""A message of Gemini CLI, which later lines of the log may revise."""

from dataclasses import dataclass, field

from handoffsite.sources.document import LineOf
from handoffsite.sources.gemini_tools import is_answered, response_of
from handoffsite.sources.lines import Entry
from handoffsite.sources.text import word


@dataclass(slots=True)
class Part:
    """A call, the line on which it stands, and that of its result."""

    entry: Entry
    line: int
    answer: int


@dataclass(slots=True)
class Message:
    """A message as far as the log has revised it."""

    line: int
    entry: Entry
    calls: dict[str, Part] = field(default_factory=dict)

    def revise(self, line: int, entry: Entry, line_of: LineOf) -> None:
        """Take over *entry*, a later state; a call that it does not hold, or not its result any more, stays as it was."""
        self.line, self.entry = line, entry
        calls = entry.get("toolCalls")
        for index, call in enumerate(calls if type(calls) is list else ()):
            if type(call) is dict:
                id = word(call.get("id")) or f"{word(entry.get('id'))}#{index}"
                known = self.calls.get(id)
                if known is None or is_answered(call) or not is_answered(known.entry):
                    start = line_of(call)
                    self.calls[id] = Part(call, start, max(start, line_of(response_of(call))))


def parts(entry: Entry) -> list[Entry]:
    """The parts of a message's content; a text is one."""
    content = entry.get("content")
    found: list[Entry] = []
    for part in content if type(content) is list else [content]:
        if type(part) is str:
            found.append({"text": part})
        elif type(part) is dict:
            found.append(part)
    return found
