"""What a summariser proposes, held against the session's own log: what cites no line of it is not said."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffsite.extract.digest import Digest
from handoffsite.extract.evidence import Proof, addresses, chosen, digest
from handoffsite.extract.prose import one_line, plain
from handoffsite.extract.reconcile import alike
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.session import LISTS
from handoffsite.records.summarizer import DETAIL, FIELDS, HEADLINE, MOST_ITEMS, ORIGIN
from handoffsite.records.visible import visible

_LONGEST = 4  # times its limit: what is longer is no longer a text of that kind
_MOST_ALTERNATIVES = 10
_SAME = 0.5


@dataclass(slots=True, kw_only=True)
class Proposals:
    """The items, all `proposed`, with what they cite; *known* counts what was found already, *warnings* name what was left out and why."""

    decisions: list[Decision] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    quotes: dict[str, str] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    known: int = 0
    warnings: list[str] = field(default_factory=list)


def proposals(answer: Mapping[str, Any], log: Digest, known: Sequence[tuple[str, str]], program: str) -> Proposals:
    """What of *answer* may be proposed: each item cites lines that *log* has, and says nothing of *known*, pairs of kind and headline.

    *program* is who proposes it.
    """
    sieve = _Sieve(log, known, program)
    foreign = sorted(str(key)[:40] for key in answer.keys() - FIELDS.keys())
    if foreign:
        sieve.warn(f"ignored {', '.join(foreign[:10])}: only {' and '.join(FIELDS)} may be proposed")
    for name in FIELDS:
        entries = answer.get(name)
        if entries is not None and not isinstance(entries, list):
            sieve.warn(f"{name} is no list")
        entries = entries if isinstance(entries, list) else []
        if len(entries) > MOST_ITEMS:
            sieve.warn(f"of {len(entries)} {name}, the first {MOST_ITEMS} were read")
        for place, entry in enumerate(entries[:MOST_ITEMS], 1):
            sieve.pass_on(_Entry(LISTS[name], f"{LISTS[name]} {place}", entry))
    return sieve.found


class _Entry:
    """One proposed item as it was printed, and how to speak of it."""

    def __init__(self, kind: str, name: str, content: Any) -> None:
        self.kind, self.name, self.content = kind, name, content
        self.headline, *self.details = FIELDS["decisions" if kind == "decision" else "constraints"]

    def texts(self, strip: Callable[[str], str]) -> dict[str, Any]:
        """Its texts, paths in them stripped by *strip*; ValueError says what is wrong with it."""
        if not isinstance(self.content, dict):
            raise ValueError("is no object")  # noqa: TRY004 -- the answer's fault, not a caller's
        texts: dict[str, Any] = {self.headline: strip(_text(self.content, self.headline, HEADLINE))}
        if not texts[self.headline]:
            raise ValueError(f"has no {self.headline}")
        for name in self.details:
            texts[name] = strip(_text(self.content, name, DETAIL))
        if self.kind == "decision":
            others = self.content.get("alternatives") or []
            if not isinstance(others, list) or not all(isinstance(one, str) for one in others):
                raise ValueError("alternatives are no list of texts")
            texts["alternatives"] = tuple(filter(None, (strip(_line(one, HEADLINE)) for one in others[:_MOST_ALTERNATIVES])))
        return texts

    def cited(self, log: Digest) -> Iterator[tuple[str, Proof | None]]:
        """Each address that it cites, and what *log* has there."""
        found = self.content.get("evidence")
        for address in found if isinstance(found, list) else ():
            yield str(address)[:80], log.proof(address) if isinstance(address, str) else None

    def ignored(self) -> list[str]:
        """What it has and may not have: an ID, a status, a proof."""
        allowed = {self.headline, *self.details, "evidence", *(("alternatives",) if self.kind == "decision" else ())}
        return sorted(str(key)[:40] for key in self.content.keys() - allowed)


class _Sieve:
    """Lets through what is new and rests on the log."""

    def __init__(self, log: Digest, known: Sequence[tuple[str, str]], program: str) -> None:
        self.found = Proposals()
        self._log, self._program = log, program
        self._known = list(known)

    def warn(self, message: str) -> None:
        """Name what was left out."""
        self.found.warnings.append(message)

    def pass_on(self, entry: _Entry) -> None:
        """Propose what *entry* says, if it may be."""
        try:
            texts = entry.texts(self._log.relative)
        except ValueError as error:
            self.warn(f"{entry.name} {error}, so it was left out")
            return
        headline = str(texts[entry.headline])
        if ignored := entry.ignored():
            self.warn(f"{entry.name}: ignored {', '.join(ignored[:10])}")
        proofs = self._proofs(entry)
        if not proofs:
            self.warn(f"{entry.name}, {headline[:80]!r}, cites no line of the log, so it was left out")
            return
        if any(kind == entry.kind and _says_the_same(headline, text) for kind, text in self._known):
            self.found.known += 1
            return
        self._known.append((entry.kind, headline))
        evidence = (*addresses(proofs), f"{ORIGIN}{self._program}")
        if entry.kind == "decision":
            self.found.decisions.append(Decision(status="proposed", **texts, evidence=evidence))
        else:
            self.found.constraints.append(Constraint(status="proposed", **texts, evidence=evidence))
        self.found.quotes |= {proof.address: self._log.relative(proof.quote) for proof in proofs if proof.quote}
        self.found.messages |= {proof.address: digest(proof.message) for proof in proofs if proof.message}

    def _proofs(self, entry: _Entry) -> tuple[Proof, ...]:
        cited = list(entry.cited(self._log))
        missing = [address for address, proof in cited if proof is None]
        if missing:
            self.warn(f"{entry.name} cites {', '.join(missing[:5])}, which the log does not have")
        return chosen(proof for _, proof in cited if proof)


def _says_the_same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold() or alike(one, other) >= _SAME


def _text(content: Mapping[str, Any], name: str, most: int) -> str:
    found = content.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise ValueError(f"has a {name} that is no text")  # noqa: TRY004 -- as above
    if len(found) > _LONGEST * most:
        raise ValueError(f"has a {name} of {len(found)} characters")
    return _line(found, most)


def _line(text: str, most: int) -> str:
    return one_line(plain(visible(text)), most)
