"""Which sessions lie in the agents' own places on this machine, whose they are, and which of them are not recorded yet."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from handoffsite import __version__, clients, sources
from handoffsite.clients.log import Log
from handoffsite.commands.place import Place, find_workspace, is_ours, owner
from handoffsite.errors import HandoffError, Malformed, NotFound
from handoffsite.records.transcript import Transcript
from handoffsite.sources import ending
from handoffsite.store import boundary as boundaries
from handoffsite.store.boundary import Boundary
from handoffsite.store.seen import Looked
from handoffsite.store.snapshot import Fold

# Seconds without a word after which a session counts as finished. A command that the agent runs may take ten minutes, the longest that
# the clients allow by default, and nothing is written meanwhile. A session that goes on later gets a follow-up all the same.
QUIET = 15 * 60

# What these clients keep is kept a second time: in a newer store, or by the agent itself whose session was saved.
_COPIES = frozenset(("opencode", "specstory", "copilot-vscode"))

_NOTHING = "nothing in it "  # before the mark of a session in which nobody said anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session in *log*: what its first lines say. *stamp* changes when it goes on; *time* is when it was written last.

    Where *of_many*, the log holds several; where *is_over*, the log itself says that this one is.
    """

    log: Log
    format: str
    session: str
    cwd: str
    started: str
    is_agents: bool
    stamp: str
    time: float
    of_many: bool
    is_over: bool

    @property
    def source(self) -> str:
        """The agent and its own session ID."""
        return f"{self.format}:{self.session}"

    @property
    def key(self) -> str:
        """What names the session among all on this machine."""
        return f"{self.log.path}#{self.session}"


class Search:
    """The sessions on this machine, of whatever project. Each log is looked at once as long as it does not change; `save` keeps that.

    *files* counts the logs, *faults* names those that cannot be read, *left* counts those that were not looked at.
    """

    def __init__(self, place: Place, projects: Sequence[Boundary] = ()) -> None:
        self._place = place
        self._workspace = find_workspace(place)
        self._looked = Looked.load(place.cache, __version__)
        self._roots = list(dict.fromkeys(root for project in projects for root in _roots_of(project)))
        self._owners: dict[str, Path | None] = {}
        self._open: tuple[Path, dict[str, Transcript]] = (Path(), {})
        self.files = 0
        self.left = 0
        self.clients: set[str] = set()
        self.faults: list[dict[str, str]] = []

    def sessions(self, most: int | None = None) -> list[Session]:
        """All of them, the one written last first; at most *most* logs are looked at that are not known yet."""
        logs = sorted(clients.transcripts(self._place.environment, self._roots), key=lambda log: log.time, reverse=True)
        found: list[Session] = []
        for log in self._place.counting("logs", logs):
            if log.fault:
                self._fault(log, log.fault)
                continue
            self.files += 1
            self.clients.add(log.client)
            said = self._looked.said(str(log.path), log.stamp)
            if said is None:
                if most is not None and most <= 0:
                    self.left += 1
                    continue
                most = None if most is None else most - 1
                said = self._look(log)
            found += _sessions(log, said["sessions"])
            if said.get("fault"):
                self._fault(log, said["fault"])
        return sorted(self._placed(found), key=lambda one: (one.time, one.started), reverse=True)

    def owner(self, session: Session) -> Path | None:
        """The root of the boundary that *session* belongs to; None where this machine cannot tell."""
        if session.cwd not in self._owners:
            self._owners[session.cwd] = owner(self._workspace, session.cwd)
        return self._owners[session.cwd]

    def is_finished(self, session: Session) -> bool:
        """Whether nobody is at it any more, as far as that can be seen."""
        now = self._place.now.timestamp()
        # A time far ahead is a wrong clock's, and as old as one far back: nobody is at work there now.
        if session.is_over or abs(now - session.time) >= QUIET:
            return True
        if session.of_many:
            return False
        last = ending.last_time(session.log.path, session.format)
        return (last > 0 and abs(now - last) >= QUIET) or ending.is_closed(session.log.path, session.format)

    def own(self, boundary: Boundary, sessions: Iterable[Session]) -> list[Session]:
        """Those of *sessions* that are this *boundary*'s, each once; sub-agents' are none of their own, and ours record nobody's work."""
        root = boundary.root.resolve()
        mine = [one for one in sessions if not one.is_agents and self.owner(one) == root and not is_ours(self._place, one.cwd)]
        return list(_without_copies(mine))

    def unrecorded(self, boundary: Boundary, fold: Fold, own: Iterable[Session]) -> list[Session]:
        """Those of its *own* sessions that are not recorded in *boundary* yet, or went on since."""
        return [one for one in own if not self._is_recorded(boundary, fold, one)]

    def transcript(self, session: Session) -> Transcript:
        """The log of *session*, to be read once."""
        log = session.log
        if not session.of_many:
            transcript = sources.open_transcript(log.path, session.format)
        else:
            if self._open[0] != log.path:
                self._open = (log.path, {one.session: one for one in sources.open_transcripts(log.path, session.format)})
            found = self._open[1].pop(session.session, None)
            if found is None:
                raise NotFound(
                    f"no session {session.session} in it any more", file=str(log.path), hint="it was written to just now"
                )
            transcript = found
        # The times of what lies in a repository itself have no zone: they do not tell which commits are the session's.
        if log.client not in clients.IN_REPOSITORY:
            transcript.cwd = session.cwd
        return transcript

    def note(self, boundary: Boundary, session: Session, *, is_empty: bool = False) -> None:
        """The session is recorded in *boundary* as it stands; where it *is_empty*, there is nothing to record."""
        self._looked.record(str(boundary.root.resolve()), session.key, f"{_NOTHING * is_empty}{session.stamp}")

    def save(self) -> None:
        """Keep for the next time what was found."""
        self._looked.save()

    def _is_recorded(self, boundary: Boundary, fold: Fold, session: Session) -> bool:
        mark = self._looked.recorded(str(boundary.root.resolve()), session.key)
        if mark == f"{_NOTHING}{session.stamp}":
            return True
        if not fold.keyed(f"family {session.source}"):
            is_copy = session.format in _COPIES and any(one.transcript for one in fold.of_session(session.session))
            if is_copy:
                self.note(boundary, session, is_empty=True)
            return is_copy
        if mark == session.stamp:
            return True
        known = {one.transcript.sha256 for one in fold.of_source(session.source) if one.transcript}
        is_same = bool(known) and self._digest(session) in known
        if is_same:
            self.note(boundary, session)
        return is_same

    def _digest(self, session: Session) -> str:
        try:
            if not session.of_many:
                return ending.digest(session.log.path)
            transcript = self.transcript(session)
            for _ in transcript:
                pass
        except (HandoffError, OSError):
            return ""
        return transcript.account.sha256

    def _look(self, log: Log) -> dict[str, Any]:
        """What *log* says of its sessions, or why it cannot be read; known from now on unless that may change by itself."""
        try:
            heads = sources.heads(log.path)
            said: dict[str, Any] = {"sessions": _described(log, heads)}
        except (HandoffError, OSError) as error:
            reason = error.message if isinstance(error, HandoffError) else str(error.strerror)
            said = {"sessions": [], "fault": reason}
            if not isinstance(error, Malformed):
                return said
        self._looked.keep(str(log.path), log.stamp, said)
        return said

    def _placed(self, sessions: list[Session]) -> Iterator[Session]:
        """*sessions*, also those of which only the digest of their directory is known, with the directory."""
        known = {one.cwd for one in sessions} | {str(root) for root in (*self._roots, self._place.folder)}
        digests = {hashlib.sha256(cwd.encode(errors="surrogateescape")).hexdigest(): cwd for cwd in known if cwd}
        for one in sessions:
            cwd = one.cwd or one.log.cwd or digests.get(one.log.digest, "")
            yield one if cwd == one.cwd else replace(one, cwd=cwd)

    def _fault(self, log: Log, reason: str) -> None:
        self.faults.append({"file": str(log.path), "client": log.client, "reason": reason})


def _described(log: Log, heads: Sequence[Transcript]) -> list[list[Any]]:
    steps = ending.steps(log.path, heads[0].format) if heads else {}
    found: list[list[Any]] = []
    for head in heads:
        cwd = head.cwd or ("" if len(heads) > 1 or log.cwd or log.digest else ending.directory(log.path, head.format))
        found.append(
            [head.format, head.session, cwd, head.started, bool(head.agent), *steps.get(head.session, ("", -1.0)), len(heads) > 1]
        )
    return found


def _sessions(log: Log, described: list[list[Any]]) -> Iterator[Session]:
    for format, session, cwd, started, is_agents, stamp, time, of_many in described:
        yield Session(
            log=log,
            format=format,
            session=session,
            cwd=cwd,
            started=started,
            is_agents=is_agents,
            stamp=stamp or log.stamp,
            time=time if time > 0 else log.time,
            of_many=of_many,
            is_over=time > 0 and format == "aider",
        )


def _without_copies(sessions: list[Session]) -> Iterator[Session]:
    """*sessions* without those that are in another place, too; of several copies in one place the longest counts."""
    rank = {client: number for number, client in enumerate(clients.CLIENTS)}
    first: dict[str, Session] = {}
    for one in sorted(sessions, key=lambda one: (rank[one.log.client], one.log.path.suffix != ".db", -_size(one))):
        first.setdefault(one.session, one)
    return (one for one in sessions if one.format not in _COPIES or first[one.session] is one)


def _size(session: Session) -> int:
    return int(session.log.stamp.partition(".")[0])


def _roots_of(boundary: Boundary) -> Iterator[Path]:
    """Where the work of *boundary* is done: its home, as it is called and as it really is, and the same in linked worktrees."""
    yield boundary.home
    home = boundary.home.resolve()
    yield home
    repository = boundary.repository
    if repository:
        main = repository.resolve()
        inside = home.relative_to(main) if home.is_relative_to(main) else Path()
        for tree in boundaries.worktrees(main):
            yield tree / inside
