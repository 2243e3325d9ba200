"""What tools warn of although they succeed: a limit, where the warning comes again or the agent speaks of it."""

from collections.abc import Iterator

from handoffsite.extract import shell
from handoffsite.extract.evidence import Proof, chosen, proof
from handoffsite.extract.limits import Limit
from handoffsite.extract.prose import LINE, keywords, one_line, overlap, plain, sentences
from handoffsite.extract.step import Step
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

EXAMINED = 8_000  # characters of an output
KEPT = 40  # warnings that may come again
NEAR = 3  # commands after which nobody speaks of a warning any more

_WORDS = ("ote: ", "arning", "WARN", "warn", "otice: ", "OTE: ")
_WARNING = lazy(r"^[^\w\n]{0,4}(?:\[[\w -]{1,30}\] ?)?(?:note|warn(?:ing)?|notice)\b[^:\n]{0,20}: *(\S.{20,})$")
_UNABLE = lazy(
    r"will not be able to|won['’]t be able to|cannot\b|can['’]t\b|will not (?:be|work|run)|won['’]t (?:be|work|run)|has no effect|"
    r"(?:will be|is|are|was) ignored|not supported|only works|no longer works"
)
_SPEAKS = lazy(r"\b(?:warn(?:s|ed|ing|ings)?|notes?|notice|caution|caveat|complain(?:s|ed)?)\b")


class Notices:
    """Follows the warnings of commands that worked."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, str, list[Proof], int]] = {}
        self._steps = 0

    def step(self, step: Step) -> Iterator[Limit]:
        """The warnings of *step* that came before."""
        self._steps += 1
        text = step.result.text[:EXAMINED]
        if ": " not in text or not step.succeeded or not any(map(text.__contains__, _WORDS)):
            return
        for line in text.splitlines():
            found = _WARNING.match(line[:LINE].strip().lower()) if ": " in line[:60] else None
            if found is None or not _UNABLE.search(found[1]):
                continue
            told = line.strip()[found.start(1) :]
            slot = found[1][:80]
            command, _, proofs, _ = self._seen.pop(slot, (shell.gist(step.command), told, list[Proof](), 0))
            again = bool(proofs)
            proofs = list(chosen((*proofs, proof(step.result, line.strip())), 4))
            if len(self._seen) >= KEPT:
                del self._seen[next(iter(self._seen))]
            self._seen[slot] = (command, told, proofs, self._steps)
            if again:
                yield _limit(command, told, proofs)

    def text(self, event: Event) -> Iterator[Limit]:
        """The warnings just before that the agent speaks of."""
        recent = [entry for entry in self._seen.values() if self._steps - entry[3] <= NEAR]
        if not recent or not _SPEAKS.search(event.text[:2_000].lower()):
            return
        for command, told, proofs, _ in recent:
            said = next((plain(part) for part in sentences(event.text[:2_000]) if _SPEAKS.search(part.lower())), "")
            if overlap(keywords(said), keywords(told)) >= 0.2:
                yield _limit(command, told, [*proofs, proof(event, said)])


def _limit(command: str, told: str, proofs: list[Proof]) -> Limit:
    return Limit(status="active", tried=one_line(f"`{command}`", 160), outcome=one_line(told, 300), proofs=list(proofs))
