"""What every agent's log becomes: one stream of events, and an account of what was read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

# What of one text is kept; a log holds screens of output that nobody will quote.
KEPT_CHARACTERS = 20_000

# How many skipped lines are named; a file that is not a log at all could name millions.
KEPT_SKIPS = 1_000

KEPT_UNKNOWN = 64  # kinds of entries that are not understood, each named once
KEPT_DIRECTORIES = 64


# Not frozen, though nobody changes one: freezing makes it three times as slow to make, and a log holds a million.
@dataclass(slots=True, kw_only=True)
class Event:
    """One thing that happened in a session.

    *kind* is one of
      prompt     the human's own words          answer     the human's answer to the agent's question
      text       the agent's words to the human thinking   the agent's words to itself
      call       a tool is called               result     what the tool gave back
      todo       the whole to-do list, in data["todos"]: [{"id", "text", "status": pending|in_progress|completed|cancelled}]
      plan       a plan is put to the human (approved when a later `answer` says so)
      compact    a summary replaced earlier talk (nobody's statement)
      undo       earlier work was taken back: data["turns"] or data["commit"] or data["message"]
      interrupt  the human stopped the agent    link       a pull request or other address, in *text*
      injected   reminders, skill bodies, pasted plans: nobody's statement

    *tool* is the tool's role: shell, edit, write, read, search, fetch, todo, plan, question, agent, other; *name* its own name.
    *call* pairs a call with its result. *ok* is True, False, or None where the log does not say; *exit* a shell's exit status.
    A result whose *ok* is None says that the work was only started; another result of the same call may follow it.
    *data* holds what has more structure than text:
      prompt   {"command"}: the slash command whose arguments the text is; {"refused"}: the call that the human refused with these words
      call     {"command"} for shell; {"old", "new", "content", "patch"} where present for edit and write; {"input"}: the raw arguments
      result   {"refused": True} where the human did not let it happen; {"background"}: the ID of what was only started;
               {"existed": True} where a write replaced a file
      answer   {"answers": {question: answer}} for a question, {"approved": bool, "plan": str} for a plan
    """

    line: int
    kind: str
    actor: str = "agent"  # human, agent, subagent, tool, system
    text: str = ""
    time: str = ""  # ISO 8601, UTC
    tool: str = ""
    name: str = ""
    call: str = ""
    ok: bool | None = None
    exit: int | None = None
    paths: tuple[str, ...] = ()
    message: str = ""  # the message's own ID in the log
    agent: str = ""  # the sub-agent that this belongs to
    part: str = ""  # the entry's own ID, in a store without lines
    rows: Sequence[int] = ()  # the line of each line of the text, where they have lines of their own
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Where the event stands, as evidence."""
        return self.at(0)

    def at(self, row: int) -> str:
        """Where line *row* of the text stands, counted from 0, as far as the log tells."""
        place = self.part or (self.rows[row] if row < len(self.rows) else self.line)
        return f"transcript:{self.agent}:{place}" if self.agent else f"transcript:{place}"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that could not be used, and why."""

    line: int
    reason: str


@dataclass(slots=True, kw_only=True)
class Account:
    """What was read, counted; complete once the events have been read to the end.

    *lines*, *bytes* and *sha256* are those of the file itself; the other counts hold what its sub-agents did, too.
    """

    lines: int = 0
    bad: int = 0  # lines that hold no readable document
    multi: int = 0  # lines that hold more than one
    human: int = 0  # prompts that were typed; a slash command is none
    assistant: int = 0  # messages, not lines
    calls: int = 0
    results: int = 0
    unanswered: int = 0
    errors: int = 0  # results that the log itself marks as failed, or whose exit status is not 0
    sidechain: int = 0
    repeated: int = 0  # entries that the log holds a second time; they count once
    skipped: list[Skipped] = field(default_factory=list)
    unnamed: int = 0  # skipped lines beyond those that are named
    sha256: str = ""
    bytes: int = 0
    _unknown: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def skip(self, line: int, reason: str) -> None:
        """Note that *line* could not be used."""
        if len(self.skipped) < KEPT_SKIPS:
            self.skipped.append(Skipped(line, reason))
        else:
            self.unnamed += 1

    def note_unknown(self, line: int, what: str, agent: str = "") -> None:
        """Note that *what* stands on *line*, of the sub-agent *agent* if one is named, and is not understood.

        The like is named once, with a count, when the account is closed.
        """
        reason = f"sub-agent {agent}: unknown {what}" if agent else f"unknown {what}"
        if reason in self._unknown:
            self._unknown[reason][1] += 1
        elif len(self._unknown) < KEPT_UNKNOWN:
            self._unknown[reason] = [line, 1]

    def close(self) -> None:
        """Name what was not understood, and put what was skipped into the order of the lines."""
        for reason, (line, count) in self._unknown.items():
            self.skip(line, reason + (f", {count} times from here on" if count > 1 else ""))
        self._unknown.clear()
        self.skipped.sort(key=attrgetter("line"))

    def add(self, other: "Account", agent: str) -> None:
        """Add what the sub-agent *agent* did, and what was found wrong in its log."""
        for count in (
            "assistant",
            "calls",
            "results",
            "unanswered",
            "errors",
            "sidechain",
            "repeated",
            "bad",
            "multi",
            "unnamed",
        ):
            setattr(self, count, getattr(self, count) + getattr(other, count))
        for skipped in other.skipped:
            self.skip(skipped.line, f"sub-agent {agent}: {skipped.reason}")


@dataclass(slots=True, kw_only=True)
class Transcript:
    """One session's log. Iterate to get its events, once; the other fields are final when the events are exhausted.

    *format* is the reader's name, *session* the agent's own session ID, *cwd* the first working directory that an entry
    names, *directories* all of them in the order met. Where *agent* is set, the log is a sub-agent's, and no session of its own.
    """

    format: str
    file: str = ""
    session: str = ""
    cwd: str = ""
    directories: list[str] = field(default_factory=list)
    branch: str = ""
    title: str = ""
    started: str = ""
    ended: str = ""
    parent: str = ""  # the session that this one was forked from, or whose sub-agent it is
    agent: str = ""  # the sub-agent whose log this is
    incomplete: bool = False  # the last line is cut: the writer may still be at it
    account: Account = field(default_factory=Account)
    read: Callable[["Transcript"], Iterator[Event]]

    def __iter__(self) -> Iterator[Event]:
        return self.read(self)

    def note_directory(self, directory: str) -> None:
        """Add a working directory that an entry names, if it names one; the first is the session's own."""
        if directory and directory not in self.directories and len(self.directories) < KEPT_DIRECTORIES:
            self.cwd = self.cwd or directory
            self.directories.append(directory)

    def note_time(self, time: str) -> str:
        """Widen the session to hold *time*, which is given back; an empty one changes nothing."""
        if time:
            if time > self.ended:  # noqa: PLR1730 - on every line, and mostly true
                self.ended = time
            if time < self.started or not self.started:
                self.started = time
        return time

    def close(self, name: str = "") -> None:
        """All events were told: a session without an ID gets *name*, or else one from the file's digest."""
        self.account.close()
        self.session = self.session or name or f"sha256-{self.account.sha256[:16]}"

    @property
    def source(self) -> str:
        """The agent and its own session ID: the idempotency key."""
        return f"{self.format}:{self.session}"
