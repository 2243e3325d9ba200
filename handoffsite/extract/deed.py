"""One thing that was done."""

from dataclasses import dataclass, field

from handoffsite.extract.evidence import Proof
from handoffsite.extract.prose import keywords

CHANGES = ("edit", "write", "delete")


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

    @property
    def about(self) -> frozenset[str]:
        """The key words of all that it shows."""
        return keywords(f"{' '.join(self.paths)} {self.text} {self.purpose} {self.body}")


def base_name(path: str) -> str:
    """The last component of *path*."""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
