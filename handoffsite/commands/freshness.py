"""Whether what is read here is older than what others know: STATE.md, the records, the mailbox, git and the ledger compared."""

from dataclasses import asdict, dataclass
from typing import Any

from handoffsite.errors import HandoffError, Refused
from handoffsite.records.sealed import EDITED, WHOLE
from handoffsite.records.state import State
from handoffsite.sources import git
from handoffsite.store import state, work
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

_BEHIND = frozenset({"missing", "stale", "truncated", "malformed", "conflict", "foreign", "newer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two copies of what is known: *what* was compared with the state, whether one of them is older, which, and what to do."""

    what: str
    stale: bool = False
    checked: bool = True
    older: str = ""
    message: str = ""
    fix: str = ""

    def mapping(self) -> dict[str, Any]:
        """As `state --json` prints it."""
        return asdict(self)


def comparisons(boundary: Boundary, fold: Fold, now: State) -> list[Comparison]:
    """STATE.md against the records, and what the records say *now* against the mailbox's receipts, git's HEAD and the ledger."""
    return [_file(boundary, fold), _mailbox(boundary, now), _git(boundary, now), _ledger()]


def at_a_glance(boundary: Boundary, now: State) -> list[Comparison]:
    """The same, without folding STATE.md again: by its footer. *now* need not hold any items."""
    return [_footer(boundary, now), _mailbox(boundary, now), _git(boundary, now), _ledger()]


def _footer(boundary: Boundary, now: State) -> Comparison:
    found = state.read(boundary)
    fix = "`handoffsite build` folds it again"
    if found is None:
        return Comparison(what="records", stale=now.generation > 0, older=state.FILE, message="there is no STATE.md", fix=fix)
    if found.kind == EDITED:
        fix = "the next writing command records it"
        return Comparison(what="records", stale=True, older="records", message="STATE.md was edited by hand", fix=fix)
    if found.kind != WHOLE:
        return Comparison(what="records", stale=True, older=state.FILE, message=f"STATE.md: {found.message}", fix=fix)
    if (found.generation, found.record_set) == (now.generation, now.record_set[:16]):
        return Comparison(what="records", message="STATE.md is of these records")
    message = f"STATE.md was folded from generation {found.generation}, and the records are at {now.generation}"
    older = "records" if found.generation > now.generation else state.FILE
    fix = "`git pull`, or restore sessions/ from a backup" if older == "records" else fix
    return Comparison(what="records", stale=True, older=older, message=message, fix=fix)


def _file(boundary: Boundary, fold: Fold) -> Comparison:
    for problem in state.problems(boundary, fold):
        if problem.code in _BEHIND:
            older = "records" if problem.message.startswith("the records are older") else state.FILE
            fix = "`git pull`, or restore sessions/ from a backup" if older == "records" else problem.fix
            return Comparison(what="records", stale=True, older=older, message=problem.message, fix=fix)
    return Comparison(what="records", message="STATE.md is of these records")


def _mailbox(boundary: Boundary, now: State) -> Comparison:
    try:
        last = work.last_receipt(boundary)
    except HandoffError as error:
        return Comparison(what="mailbox", checked=False, message=str(error), fix=error.hint)
    if last <= now.generation:
        return Comparison(what="mailbox", message="no message was taken at a later generation")
    message = f"a message was taken at generation {last}, and the records are at {now.generation}"
    return Comparison(
        what="mailbox", stale=True, older="records", message=message, fix="`git pull`, or wait for the mount to catch up"
    )


def _git(boundary: Boundary, now: State) -> Comparison:
    root = boundary.repository
    head = git.head(root) if root else ""
    if not (root and head and now.head):
        why = "no session names a commit" if root and head else "no repository with a commit"
        return Comparison(what="git", checked=False, message=why)
    try:
        last = git.resolve(root, now.head)
    except Refused as error:
        message = f"{now.session} ended at commit {now.head[:12]}, and {error.message}"
        return Comparison(what="git", stale=True, older="git", message=message, fix="`git fetch`, then `git pull`")
    if last == head:
        return Comparison(what="git", message=f"{now.session} ended at HEAD")
    ours = boundary.root.resolve().relative_to(root.resolve()).as_posix()
    ahead, behind = git.count(root, last, head, ours), git.count(root, head, last)
    if ahead and behind:
        message = f"{now.session} ended {behind} commits away from HEAD, on another branch or before a rebase"
        return Comparison(
            what="git", stale=True, older="state", message=message, fix="`handoffsite end` records what was done here"
        )
    if behind:
        message = f"HEAD is {behind} commits older than where {now.session} ended"
        return Comparison(what="git", stale=True, older="git", message=message, fix="`git pull`, or check the branch out again")
    if ahead:
        message = f"HEAD is {ahead} commits ahead of where {now.session} ended"
        return Comparison(
            what="git", stale=True, older="state", message=message, fix="`handoffsite end` records the session that made them"
        )
    return Comparison(what="git", message=f"since {now.session} nothing was committed but records")


def _ledger() -> Comparison:
    return Comparison(what="ledger", checked=False, message="no ledger is configured")
