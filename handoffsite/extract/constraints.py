"""Constraints: what was tried, failed and was given up, and limits that somebody states."""

import re
from collections import deque
from collections.abc import Container, Iterable

from handoffsite.extract.attempts import Attempts
from handoffsite.extract.deed import Deed
from handoffsite.extract.evidence import Proof, chosen, proof
from handoffsite.extract.findings import Shown, findings
from handoffsite.extract.limits import PART, PRONOUN, Limit, limits
from handoffsite.extract.prose import EXAMINED, keywords, one_line, overlap, plain, same, sentences
from handoffsite.extract.step import Step
from handoffsite.extract.trials import Trials
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

MOST = 1_000  # constraints of one session
REASONS = 400  # characters of a reason that was given in several ways

SAID = 4  # key words of a refusal that gives a reason
REMEMBERED = 50  # prompts, of which a later undo may be the consequence

_COMPLAINS = lazy(
    r"\b(?:\w*error|exception|warnings?|undefined|NaN|null|fail\w*|broken|wrong|crash\w*|still|not|no longer|does ?n['’]?t|did ?n['’]?t|"
    r"is ?n['’]?t|never|nothing|"
    r"missing|empty|worse|instead)\b",
    re.IGNORECASE,
)
_TAKES_BACK = lazy(
    r"\bi(?:['’]ve| have)? (?:just )?(?:undid|undone|reverted|rolled back|discarded|threw away) (?:your|all|the|that|those|everything|it)\b|"
    r"^(?:\W*(?:yes|yeah|ok(?:ay)?|no|nope|actually|hm+|then|please|so|and|let['’]s|let us|(?:can|could) you|you can|just)\b[, ]*)*"
    r"(?:undo|revert|roll ?back|back out)\b(?! (?:to|the (?:merge|release|version)))",
    re.IGNORECASE,
)
_REASSURES = lazy(
    r"^\W*(?:perfect|great|done|excellent|got it|good|all (?:set|done)|you['’]re (?:absolutely )?right|yes|ok(?:ay)?)\b[^.!:]{0,30}[.!:]\s*$",
    re.IGNORECASE,
)
_PASTED_ERROR = lazy(
    r"^\s*(?:error|fatal|err!|e:|failed|failure)\b|: command not found|\berror:|permission denied", re.IGNORECASE
)


class Constraints:
    """Follows what fails in a session; `finish` gives what was given up or stated as a limit."""

    def __init__(self) -> None:
        self.left_out = 0  # for want of room
        self._limits: list[Limit] = []
        self._attempts = Attempts()
        self._trials = Trials()
        self._results = Shown()
        self._refused: Step | None = None
        self._message: Event | None = None
        self._replies: dict[int, Event] = {}
        self._undone: list[tuple[Deed, Event]] = []
        self._turn = 0
        self._edited: deque[Proof] = deque(maxlen=2)  # edits of this turn
        self._trouble = False  # whether something in this turn goes on that should not
        self._asked = ""

    def see(self, event: Event, step: Step | None) -> None:
        """Follow one event; *step* is the call and result that it completes."""
        if step is not None:
            self._attempts.step(step)
            if step.call.tool != "todo":
                self._results.see(event)
            if step.call.tool in ("edit", "write") and step.succeeded:
                self._edited.append(proof(step.result))
            for limit in self._trials.step(step):
                self._tried(limit)
            if step.refused and step.call.tool in ("shell", "edit", "write"):
                self._refused = step
        elif event.kind == "text":
            self._text(event)
        elif event.kind == "prompt" and event.actor == "human":
            self._turn += 1
            self._trouble, self._asked = False, event.text[:2_000]
            self._attempts.begin()
            self._taken_back(event)
            self._edited.clear()
            self._refusal(event)
            self._reply(event)
            self._pasted(event)
            self._results.see(event)

    def undone(self, commits: Iterable[Deed], event: Event) -> None:
        """Commits that *event* takes back were tries that did not do, if the human says why: right after them, or now."""
        for commit in commits:
            reply = self._replies.get(commit.turn + 1)
            if reply is not None and _COMPLAINS.search(reply.text[:400]):
                self._undo(commit, event, reply)
            else:
                self._undone.append((commit, event))

    def _taken_back(self, event: Event) -> None:
        """The human undoes what the agent did last, or has it undone, and says why."""
        said, message = event.text[:400], self._message
        if message is None or not self._edited or not _TAKES_BACK.search(said) or len(keywords(said)) < SAID:
            return
        told = (plain(sentence).rstrip(" .:!") for sentence in sentences(message.text[:2_000]) if not _REASSURES.match(sentence))
        tried = one_line(next((words for words in told if len(keywords(words)) >= SAID), ""), PART)
        why = one_line(said.strip().split("\n", 1)[0])
        if tried:
            proofs = [*self._edited, proof(message, tried), proof(event, why)]
            self._add(
                Limit(
                    status="active", tried=tried, outcome="undone at the human's word", because=why, proofs=list(chosen(proofs))
                )
            )

    def _reply(self, event: Event) -> None:
        """What the human says at the beginning of a turn may tell what was wrong with the one before."""
        self._replies[self._turn] = event
        if len(self._replies) > REMEMBERED:
            del self._replies[next(iter(self._replies))]
        if self._undone and event.text.strip():
            if _COMPLAINS.search(event.text[:400]):
                for commit, undo in self._undone:
                    self._undo(commit, undo, event)
            self._undone.clear()

    def _undo(self, commit: Deed, event: Event, complaint: Event) -> None:
        why = one_line(complaint.text.strip().split("\n", 1)[0])
        tried = one_line(commit.text)
        proofs = [*commit.proofs, proof(event, f"undone: {commit.commit}"), proof(complaint, why)]
        self._add(Limit(tried=tried, outcome=f"undone (commit {commit.commit})", because=why, proofs=proofs))

    def finish(self) -> list[Limit]:
        """The constraints: stated ones first, then what the log alone shows."""
        for limit in self._attempts.given_up():
            self._add(limit)
        return self._limits

    def _tried(self, limit: Limit) -> None:
        """A package that was given up; where the agent stated that itself, its words stay and the log proves them."""
        name = limit.tried.strip("`").lower()
        stated = next(
            (old for old in self._limits if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", old.tried.lower())), None
        )
        if stated is None:
            self._add(limit)
        else:
            stated.status, stated.proofs = "active", list(chosen((*stated.proofs, *limit.proofs)))

    def _refusal(self, event: Event) -> None:
        """The human refused a call, and says why."""
        step, self._refused = self._refused, None
        if step is None or event.data.get("refused") != step.call.call or len(keywords(event.text)) < SAID:
            return
        done = step.command or f"{step.call.tool} {' '.join(step.call.paths[:4])}"
        why = one_line(event.text)
        proofs = [proof(step.call, done), proof(event, why)]
        self._add(Limit(status="active", tried=one_line(f"`{done}`"), outcome="refused by the human", because=why, proofs=proofs))

    def _pasted(self, event: Event) -> None:
        """The human shows what became of a command that the agent proposed."""
        first, _, rest = event.text[:4_000].strip().partition("\n")
        command = first.strip().lstrip("$>% ").strip()
        if not rest or len(command) < 6 or self._message is None or command not in self._message.text:
            return
        error = next((line.strip() for line in rest.splitlines() if _PASTED_ERROR.search(line)), "")
        if error:
            tried = f"`{one_line(command, 160)}`"
            self._add(Limit(status="active", tried=tried, outcome=one_line(error), proofs=[proof(event, error)]))

    def _text(self, event: Event) -> None:
        if event.actor == "agent":
            self._message = event
        stated = list(limits(event.text[:EXAMINED]))
        if not stated:
            self._attempts.remark(event, event.text[:1_500])
        self._trials.text(event)
        for limit in stated:
            limit.proofs.append(proof(event, limit.said))
            if self._shown(limit) or not PRONOUN.match(limit.tried):
                self._add(limit)
        if event.actor == "agent":
            self._found(event, {limit.said for limit in stated})

    def _found(self, event: Event, known: Container[str]) -> None:
        """What the agent states as found counts where a result, or what the human pasted, shows it."""
        for limit in findings(event.text[:EXAMINED]):
            self._trouble = self._trouble or limit.kind == "still"
            if limit.kind == "source" and not (self._trouble or _COMPLAINS.search(self._asked)):
                continue  # how a program works is no limit, unless something went wrong with it
            if limit.said not in known and (shown := self._results.where(limit)):
                limit.status, limit.proofs = "active", [shown, proof(event, limit.said)]
                self._add(limit)

    def _shown(self, limit: Limit) -> bool:
        """Whether a failure just before shows what *limit* states; then it is proven, and the failure is told."""
        failed = self._attempts.latest()
        vague = PRONOUN.match(limit.tried) is not None
        if failed is None or not (vague or overlap(limit.words, failed.words) >= 0.3):
            return False
        if vague:
            limit.tried = f"`{failed.command}`"
        limit.status, limit.proofs, failed.times = "active", [*failed.proofs, *limit.proofs], 0
        return True

    def _add(self, limit: Limit) -> None:
        limit.turn, limit.words = self._turn, keywords(limit.tried)
        if not limit.words:
            return
        for old in self._limits:
            if same(old.words, limit.words):
                _merge(old, limit)
                return
        if len(self._limits) < MOST:
            self._limits.append(limit)
        else:
            self.left_out += 1


def _merge(old: Limit, new: Limit) -> None:
    """The same constraint again: every reason stays, and what shows it counts."""
    if new.because and new.because.lower() not in old.because.lower():
        old.because = one_line(f"{old.because}; {new.because}" if old.because else new.because, REASONS)
    old.outcome = old.outcome or new.outcome
    old.status = "active" if "active" in (old.status, new.status) else old.status
    old.proofs = list(chosen((*old.proofs, *new.proofs)))
