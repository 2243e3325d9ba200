"""A session of OpenCode as its database, its folder of files and its exports hold it alike: messages, each with its parts."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.lines import LONGEST, Entry, parsed
from handoffsite.sources.text import instant, word

_SUB_AGENT = re.compile(r"\(@[^()\s]{1,80} subagent\)\s*\Z")
_LATEST = 253_402_300_800_000  # milliseconds until the year 10000

# What a part of a message can be; those of the second list say nothing of the session's work.
TYPES = frozenset("text reasoning tool file step-start step-finish snapshot patch agent subtask retry compaction".split())
NOISE = frozenset("step-start step-finish snapshot patch agent retry compaction".split())

TOO_LONG = f"more than {LONGEST >> 20} MiB"


@dataclass(slots=True)
class Message:
    """What one side said: *info* is about it, *parts* are its parts, each with its line; *line* is its own."""

    info: Entry
    parts: list[tuple[int, Entry]]
    line: int


class Tally:
    """Numbers and digests what is read of one session; a *label* says in the account whose it is, where it is a sub-agent's."""

    def __init__(self, account: Account, label: str = "") -> None:
        self.account = account
        self.parts = 0
        self._label = label
        self._digest = hashlib.sha256()

    @property
    def line(self) -> int:
        """The number of the part that was read last."""
        return max(1, self.parts)

    def entry(self, raw: bytes | str, what: str, *, is_part: bool) -> Entry | None:
        """The object that *raw* spells, if it is one; else the account says why, as *raw* does where it is a text.

        Only parts are numbered.
        """
        self.parts += is_part
        if type(raw) is bytes:
            if not self._label:
                self._digest.update(raw)
                self.account.bytes += len(raw)
            value = parsed(raw.decode(errors="replace").strip("\ufeff\0"))
            if type(value) is dict:
                return value
        self.bad(f"{what}: {raw if type(raw) is str else 'no JSON object'}")
        return None

    def bad(self, reason: str) -> None:
        """Count what could not be read."""
        self.account.bad += 1
        self.skip(reason)

    def skip(self, reason: str) -> None:
        """Note what was not used, at the part that was read last."""
        self.account.skip(self.line, f"{self._label}{reason}")

    def close(self) -> None:
        """What was read is all: parts count as lines where there are none."""
        if not self._label:
            self.account.lines = self.parts
            self.account.sha256 = self._digest.hexdigest()


@dataclass(slots=True, kw_only=True)
class Session:
    """*info* is what an export says of it; its messages, oldest first, its to-do list and its sub-agents' sessions are read when asked for."""

    id: str
    info: Entry
    is_agent: bool
    messages: Callable[[Tally], Iterator[Message]]
    todos: Callable[[], list[Any]]
    children: Callable[[], Iterator["Session"]]

    @property
    def parent(self) -> str:
        """The session whose sub-agent this is, or that it was forked from."""
        return word(self.info.get("parentID")) or word(self.info.get("forkID"))

    @property
    def created(self) -> str:
        """When it began."""
        return instant(table(self.info.get("time")).get("created"))


def table(value: Any) -> Entry:
    """*value* where it is an object, else an empty one."""
    return value if type(value) is dict else {}


def milliseconds(value: Any) -> float:
    """*value* where it is a time since 1970, else 0."""
    return value if type(value) in (int, float) and 0 < value < _LATEST else 0


def names_sub_agent(title: Any) -> bool:
    """Whether the client itself gave a session this *title*, as one that a task was handed to."""
    return type(title) is str and _SUB_AGENT.search(title[-200:]) is not None
