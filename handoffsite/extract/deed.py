"""One thing that was done."""

from dataclasses import dataclass, field

from handoffsite.extract.evidence import Proof
from handoffsite.extract.prose import keywords

CHANGES = ("edit", "write", "delete")
NONE: frozenset[str] = frozenset()  # one for all: a session has tens of thousands of deeds
NOT_KNOWN = (-1, NONE)


@dataclass(slots=True, kw_only=True, eq=False)
class Deed:
    """One change that the log shows to have worked.

    *kind* is write, edit, delete, commit, push, request, scaffold, outward or other; *where* the stream (the agent or one of
    its sub-agents); *body* what was written, while its turn lasts; *purpose* what the agent announced. A deed that was taken
    back is no longer *live*.
    """

    kind: str
    turn: int
    where: str = ""
    paths: tuple[str, ...] = ()
    text: str = ""
    commit: str = ""
    purpose: str = ""
    body: str = ""
    message: str = ""
    proofs: list[Proof] = field(default_factory=list)
    live: bool = True
    command: bool = False  # a shell command, not another tool
    stashed: bool = False
    committed: str = ""
    replaced: tuple[int, int] = (0, 0)  # digests of the text before and after
    known: tuple[int, frozenset[str]] = NOT_KNOWN
    added: frozenset[str] = NONE  # lines that it put in, as far as the log shows

    @property
    def about(self) -> frozenset[str]:
        """The key words of all that it shows."""
        size = len(self.body) + len(self.text)  # both only grow, until the body goes
        if self.known[0] != size:
            self.known = (size, keywords(f"{' '.join(self.paths)} {self.text} {self.purpose} {self.body}"))
        return self.known[1]


def base_name(path: str) -> str:
    """The last component of *path*."""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
