"""The lines that prove an item: where they stand and what they say."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from handoffsite.extract.prose import one_line
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

QUOTE = 200  # characters
TELLING = 60  # characters by which a line is known again
ENOUGH = 20  # of them, where the line ends before they do
MOST = 12  # addresses of one item: enough to find every part of it, few enough to read

# What a tool says before it says anything: that it has begun, that it has ended.
_EMPTY = lazy(
    r"Success\. Updated the following files|Exit code \d|Process exited|Chunk ID|Wall time|Output:$|Collecting |Found existing |"
    r"Requirement already|Using cached|Downloading |Installing collected|Attempting uninstall|Uninstalling |Updating crates|Compiling |"
    r"Adding \S+ v\S+ to |Removing \S+ from |Features:|[+-] [\w-]+$|[.FEsxX]+ *\[ *\d+%\]|=+ |-{5,}|_{5,}"
)


_WORDS = lazy(r"\w+")


@dataclass(frozen=True, slots=True)
class Proof:
    """One line of the log; *message* is the message's own ID there."""

    address: str
    quote: str = ""
    message: str = ""


def proof(event: Event, quote: str = "") -> Proof:
    """The proof that *event* gives; *quote* is its telling line, by default the first that says something."""
    quote = quote or first_line(event.text)
    return Proof(event.at(_row(event, quote)), one_line(quote, QUOTE), event.message)


def _row(event: Event, quote: str) -> int:
    """The line of the text, counted from 0, on which *quote* begins; the first one where that is not known."""
    if len(event.rows) < 2:
        return 0
    telling = _bare(quote)[:TELLING]
    return next((row for row, line in enumerate(event.text.split("\n")) if _begins(telling, _bare(line))), 0)


def _begins(telling: str, line: str) -> bool:
    """Whether what is *telling* stands on *line*, or begins there and goes on behind its end."""
    at = line.find(telling[:ENOUGH]) if telling else -1
    return at >= 0 and (telling in line or telling.startswith(line[at:]))


def _bare(text: str) -> str:
    return " ".join(_WORDS.findall(text)).lower()


def first_line(text: str) -> str:
    """The first line of *text* that says something of its own; where none does, the first that is not blank."""
    start = text[:4_000].lstrip()
    first = start.partition("\n")[0].rstrip()
    if not _EMPTY.match(first):
        return first
    return next((line.strip() for line in start.splitlines()[1:40] if line.strip() and not _EMPTY.match(line.strip())), first)


def chosen(proofs: Iterable[Proof], most: int = MOST) -> tuple[Proof, ...]:
    """*proofs* without repetition, at most *most*: where there are more, the first and the last."""
    unique = tuple({proof.address: proof for proof in proofs}.values())
    if len(unique) <= most:
        return unique
    return (*unique[: most // 2], *unique[-(most - most // 2) :])


def addresses(proofs: Iterable[Proof]) -> tuple[str, ...]:
    """Where *proofs* stand."""
    return tuple(proof.address for proof in proofs)


def digest(message: str) -> str:
    """Eight hexadecimal characters by which a copy of *message* is known again."""
    return hashlib.sha256(message.encode("utf-8", "surrogatepass")).hexdigest()[:8]
