"""The talk of a session in few lines: what the human said, what the agent came back with, and what failed."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from handoffsite.extract.complaint import telling
from handoffsite.extract.evidence import QUOTE, Proof
from handoffsite.extract.prose import one_line
from handoffsite.extract.session import Home
from handoffsite.extract.step import Calls
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event
from handoffsite.records.visible import visible

BUDGET = 48_000  # bytes of all lines together
MOST_CITED = 100  # lines that one address may span

_FIRST, _LAST = 20, 300  # entries of each speaker that are kept: how it began, and how it went on to the end
_START, _REST = 1_000, 500  # characters of a longer text that are kept
_COMMAND = 300
_SPEAKERS = ("tool", "agent", "human")  # whose lines go first where there are too many
_KNOWN = 60
_LOST = 100  # bytes that it takes to say what was left out
_PARTS = 100_000
_LINES = lazy(r"(transcript(?::.*)?):([0-9]{1,12})(?:-([0-9]{1,12}))?")


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    line: int  # of the session's own log; 0 where that has none, or the line is another's
    proof: Proof
    who: str
    text: str
    command: str = ""

    def dumps(self, clean: Callable[[str], str]) -> str:
        command = {"failed": clean(self.command)} if self.command else {}
        return _dumps({"at": self.proof.address, "who": self.who, **command, "text": clean(self.text)})


class Digest:
    """Follows a session's events. What it keeps went through *clean*, and memory does not grow with the log.

    *directories* are those that the session worked in, complete when the last event was seen: paths are told as seen from there.
    """

    def __init__(self, clean: Callable[[str], str], directories: Sequence[str] = ()) -> None:
        self._clean = clean
        self._directories = directories
        self._calls = Calls()
        self._first: dict[str, list[_Entry]] = {who: [] for who in _SPEAKERS}
        self._last: dict[str, deque[_Entry]] = {who: deque(maxlen=_LAST) for who in _SPEAKERS}
        self._lost = dict.fromkeys(_SPEAKERS, 0)
        self._closing: Event | None = None
        self._count = 0
        self._ends: dict[str, int] = {}  # the last line of each log
        self._parts: set[str] = set()

    def see(self, event: Event) -> None:
        """Take note of *event*."""
        self._stand(event)
        kind = event.kind
        if kind == "call":
            self._calls.see(event)
        elif kind == "result":
            self._result(event)
        elif event.agent or event.actor == "subagent":
            return
        elif kind == "text":
            self._closing = event
        elif kind == "plan":
            self._close()
            self._keep("agent", event, event.text)
        elif kind in ("prompt", "answer", "undo", "interrupt"):
            self._close()
            self._keep("human", event, _said(event))

    def lines(self, known: Iterable[tuple[str, str]] = (), after: int = 0) -> str:
        """The talk as lines of JSON, at most BUDGET bytes, oldest first; nothing where nobody said anything *after* that line of the log.

        *known* are kinds and headlines of what is recorded already. What was left out is counted in the first line.
        """
        self._close()
        entries = {who: [*self._first[who], *self._last[who]] for who in _SPEAKERS}
        opening = entries["human"][:1]
        left = {who: [one for one in entries[who] if not 0 < one.line <= after] for who in _SPEAKERS}
        if not any(left[who] for who in ("human", "agent")):
            return ""
        left["human"] = opening + [one for one in left["human"] if one not in opening]
        heads = [_dumps({"known": kind, "text": one_line(self._clean(text))}) for kind, text in islice(known, _KNOWN)]
        written, lost = self._fit(left, BUDGET - _LOST - sum(map(_size, heads)))
        return "\n".join((*(_dumps({"left_out": lost}) for _ in range(bool(lost))), *heads, *written))

    def proof(self, address: str) -> Proof | None:
        """What stands at *address*; without a quotation where it was not kept, None where the log has no such line."""
        for one in self._all():
            if one.proof.address == address:
                return one.proof
        return Proof(address) if self._exists(address) else None

    def relative(self, text: str) -> str:
        """*text* with paths as seen from the project."""
        return Home(tuple(self._directories), ()).strip(text)

    def _exists(self, address: str) -> bool:
        if address in self._parts:
            return True
        found = _LINES.fullmatch(address)
        if found is None:
            return False
        first, last = int(found[2]), int(found[3] or found[2])
        return 0 < first <= last <= self._ends.get(found[1], 0) and last - first < MOST_CITED

    def _stand(self, event: Event) -> None:
        if event.part:
            if len(self._parts) < _PARTS:
                self._parts.add(event.address)
        else:
            log = f"transcript:{event.agent}" if event.agent else "transcript"
            self._ends[log] = max(event.line, self._ends.get(log, 0))

    def _result(self, event: Event) -> None:
        step = self._calls.see(event)
        if step is not None and step.failed and step.command:
            self._keep("tool", event, telling(event.text), step.command)

    def _close(self) -> None:
        closing, self._closing = self._closing, None
        if closing is not None:
            self._keep("agent", closing, closing.text)

    def _keep(self, who: str, event: Event, text: str, command: str = "") -> None:
        text = _shortened(visible(self._clean(text)).strip())
        if not text and not command:
            return
        self._count += 1
        line = 0 if event.agent or event.part else event.line
        proof = Proof(event.address, one_line(text, QUOTE), event.message)
        entry = _Entry(self._count, line, proof, who, text, one_line(visible(self._clean(command)), _COMMAND))
        if len(self._first[who]) < _FIRST:
            self._first[who].append(entry)
            return
        self._lost[who] += len(self._last[who]) == _LAST
        self._last[who].append(entry)

    def _all(self) -> Iterator[_Entry]:
        for who in _SPEAKERS:
            yield from self._first[who]
            yield from self._last[who]

    def _fit(self, entries: dict[str, list[_Entry]], most: int) -> tuple[list[str], dict[str, int]]:
        """*entries* in their order, as far as *most* bytes take them: each speaker's middle goes before how it began and ended."""
        # A second time: what a later entry gave away as a secret is known by now.
        home = Home(tuple(self._directories), ())
        texts = {one.number: one.dumps(lambda text: home.strip(self._clean(text))) for who in _SPEAKERS for one in entries[who]}
        excess = sum(map(_size, texts.values())) - most
        lost = {who: count for who, count in self._lost.items() if count}
        middles = [one for who in _SPEAKERS for one in entries[who][1:-2]]
        ends = [one for who in _SPEAKERS for one in (*entries[who][:1], *entries[who][-2:])]
        for one in (*middles, *ends):
            if excess <= 0:
                break
            if one.number in texts:
                excess -= _size(texts.pop(one.number))
                lost[one.who] = lost.get(one.who, 0) + 1
        return [texts[number] for number in sorted(texts)], lost


def _said(event: Event) -> str:
    """What the human says in *event*, by words or by an act."""
    if event.kind == "undo":
        return "(took earlier work back)"
    if event.kind == "interrupt":
        return "(stopped the agent)"
    answers = event.data.get("answers")
    if isinstance(answers, dict) and answers:
        return "\n".join(f"{question}: {answer}" for question, answer in answers.items())
    approved = event.data.get("approved")
    verdict = "(approved the plan) " if approved is True else "(turned the plan down) " if approved is False else ""
    refused = "(refused a call of a tool) " if event.data.get("refused") else ""
    return f"{verdict}{refused}{event.text}"


def _shortened(text: str) -> str:
    """*text*, of a long one its beginning and end, cut between words, so that no half of a secret is left."""
    if len(text) <= _START + _REST:
        return text
    start, end = text[:_START].rsplit(None, 1)[0], text[-_REST:].split(None, 1)[-1]
    return f"{start} … {end}"


def _dumps(found: object) -> str:
    # Nothing in it can end the line, or look like the mark after the data.
    return json.dumps(found, ensure_ascii=False).replace("<", "\\u003c")


def _size(line: str) -> int:
    return len(line.encode("utf-8", "replace")) + 1
