"""Threads: what the session leaves in flight."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.extract.aims import WITHDRAWN, first_words, wanted
from handoffsite.extract.checks import Checks
from handoffsite.extract.evidence import Proof, proof
from handoffsite.extract.prose import keywords, lines, one_line, plain, same, sentences
from handoffsite.extract.shell import only_looks
from handoffsite.extract.todos import Todos
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

MOST = 100  # threads of one session

_NEXT = lazy(
    r"^\s{0,3}(?:#{1,6}\s*|\*\*)?(?:\W{0,4})(?:(?:recommended|suggested|immediate|remaining|your|"
    r"possible) )?(?:next (?:steps?|actions?|up)|remaining(?: work| tasks| steps)?|still (?:to do|open)|to ?do|"
    r"what['’]s (?:next|left)|follow[- ]?ups?|not (?:yet )?done|open (?:points|items|questions))\W*$",
    re.IGNORECASE,
)
_BULLET = lazy(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[ \]\s*)?(.+)$")
_OPEN = lazy(
    r"\b(?:you (?:may|might|(?:will|['’]ll)) (?:want|need) to|you should|don['’]t forget to|remember to|still (?:needs?|have|"
    r"has) to|remains to be|(?:needs?|has|have) to be|is (?:still )?(?:pending|queued|missing)|(?:is|are) still (?:stale|"
    r"failing|broken|open|missing)|"
    r"not yet|(?:has|have) not been|(?:has|have)n['’]t been|next,? (?:I|we)(?:['’]ll| will)|after (?:this|that|it) (?:lands|"
    r"is merged|merges))\b",
    re.IGNORECASE,
)
_SUGGESTED = lazy(
    r"^.*?\b(?:you (?:may|might|(?:will|['’]ll)) (?:want|need) to|you should|don['’]t forget to|remember to)\s+", re.IGNORECASE
)


@dataclass(slots=True, kw_only=True)
class Strand:
    """A thread in the making."""

    title: str
    status: str = "active"
    next: str = ""
    proofs: tuple[Proof, ...] = ()


class Threads:
    """Follows what is asked and announced; `finish` gives what was not brought to an end."""

    def __init__(self) -> None:
        self.left_out = 0  # for want of room, known at the end
        self._prompt: Event | None = None
        self._worked = False
        self._last: Event | None = None
        self._plan: Event | None = None
        self._interrupted = False

    def see(self, event: Event) -> None:
        """Follow one event."""
        if event.kind == "call":
            self._worked = self._worked or _works(event)
        elif event.kind == "prompt" and event.actor == "human":
            if WITHDRAWN.match(event.text[:200]):
                self._prompt = None
            if wanted(event.text):
                self._prompt, self._worked = event, False
            self._interrupted, self._last = False, None
        elif event.kind == "text" and event.actor == "agent":
            self._last = event
        elif event.kind == "plan":
            self._plan = event
        elif event.kind == "answer" and event.data.get("approved") is True:
            self._plan = None
        elif event.kind == "interrupt":
            self._interrupted = True
        elif event.kind == "undo":
            self._prompt = None

    def finish(self, todos: Todos, checks: Checks, waiting: Iterator[Event]) -> list[Strand]:
        """The open ends: *waiting* are calls without a result."""
        found: list[Strand] = []
        for strand in (
            *self._todos(todos),
            *self._plans(),
            *self._asked(),
            *self._calls(waiting),
            *_failing(checks),
            *self._said(),
        ):
            words = keywords(strand.title)
            if words and not any(same(words, keywords(other.title)) for other in found):
                found.append(strand)
        self.left_out = max(len(found) - MOST, 0)
        return found[:MOST]

    def _todos(self, todos: Todos) -> Iterator[Strand]:
        for todo in todos.unfinished():
            if todo.closes:
                continue
            yield Strand(title=one_line(plain(todo.text)), proofs=(todo.at,))

    def _plans(self) -> Iterator[Strand]:
        if self._plan is not None:
            title = next((plain(line) for line in lines(self._plan.text) if len(keywords(line)) > 1), "")
            if title:
                yield Strand(
                    title=one_line(re.sub(r"^plan\s*:\s*", "", title, flags=re.IGNORECASE)),
                    status="waiting",
                    next="The plan was not approved",
                    proofs=(proof(self._plan, title),),
                )

    def _asked(self) -> Iterator[Strand]:
        """A request after which nothing was done is at most a thread."""
        if (
            self._prompt is not None
            and (self._interrupted or not self._worked)
            and (self._interrupted or self._last is None or not self._answered())
        ):
            yield Strand(
                title=one_line(wanted(self._prompt.text) or first_words(self._prompt.text), 160), proofs=(proof(self._prompt),)
            )

    def _answered(self) -> bool:
        """Whether the prompt was a question, which an answer settles."""
        return self._prompt is not None and (
            "?" in self._prompt.text
            or re.match(
                r"^\W*(?:what|why|how|which|where|who|when|is|are|does|do|did|can you (?:explain|tell|show)|explain|tell|show|"
                r"list|summari[sz]e|review|describe)\b",
                self._prompt.text,
                re.IGNORECASE,
            )
            is not None
        )

    @staticmethod
    def _calls(waiting: Iterator[Event]) -> Iterator[Strand]:
        for call in waiting:
            command = one_line(str(call.data.get("command") or ""), 100)
            if call.tool in ("edit", "write") and call.paths:
                names = ", ".join(path.replace("\\", "/").rsplit("/", 1)[-1] for path in call.paths[:4])
                yield Strand(title=f"{call.tool.capitalize()} {names}", next="The log shows no result", proofs=(proof(call),))
            elif call.tool == "shell" and re.search(r"\b(?:commit|push|deploy|publish|merge|release|migrate|install)\b", command):
                yield Strand(
                    title=f"`{command.replace('`', '')}`", next="The log shows no result", proofs=(proof(call, command),)
                )

    def _said(self) -> Iterator[Strand]:
        """What the last message leaves to be done."""
        if self._last is None:
            return
        listing = False
        for line in lines(self._last.text):
            if _NEXT.match(line.strip().rstrip("*:")):
                listing = True
                continue
            bullet = _BULLET.match(line)
            if listing and bullet:
                yield Strand(title=one_line(plain(bullet[1]), 160), proofs=(proof(self._last, line),))
                continue
            listing = listing and not line.strip()
            for sentence in sentences(line):
                if _OPEN.search(sentence) and not sentence.endswith("?") and len(sentence) < 300:
                    title = _SUGGESTED.sub("", plain(sentence)).rstrip(" .:")
                    yield Strand(title=one_line(title, 160), proofs=(proof(self._last, sentence),))


def _works(call: Event) -> bool:
    """Whether *call* does more than look."""
    if call.tool == "shell":
        return not only_looks(str(call.data.get("command") or ""))
    return call.tool in ("edit", "write", "agent", "other")


def _failing(checks: Checks) -> Iterator[Strand]:
    for run in checks.failing():
        yield Strand(
            title=f"`{run.command.replace('`', '')}` fails",
            status="blocked" if run.failures > 2 else "active",
            proofs=tuple(run.proofs[-1:]),
        )
