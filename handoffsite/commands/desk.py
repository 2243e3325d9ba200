"""Where the task ledger is and who stands before it: what every command on tasks begins with."""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from handoffsite import config
from handoffsite.commands import authority
from handoffsite.commands.place import Place, find_boundary, find_workspace, workspace_at
from handoffsite.errors import Malformed, NoProject, UsageError
from handoffsite.records import shape, task
from handoffsite.records.move import EVERYWHERE, HUMAN, Actor
from handoffsite.records.redaction import Redactor
from handoffsite.records.task import TaskPacket
from handoffsite.store import boundary as boundaries
from handoffsite.store import ledger as ledgers
from handoffsite.store import tokens
from handoffsite.store import workspace as workspaces
from handoffsite.store.boundary import Boundary
from handoffsite.store.ledger import Ledger
from handoffsite.store.ledger_postgres import PostgresEngine
from handoffsite.store.ledger_sqlite import SqliteEngine, file_of
from handoffsite.store.workspace import Workspace

POSTGRES = ("postgresql://", "postgres://")
_AFAR = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The *ledger*, seen from a *place*: the *workspace* around it, and the *boundary* in which it lies, as *project*.

    With *embedded*, the ledger knows no project but these.
    """

    place: Place
    ledger: Ledger
    workspace: Workspace | None = None
    boundary: Boundary | None = None
    project: str = ""
    embedded: bool = True

    def at(self, now: datetime) -> "Desk":
        """The same at another moment."""
        return replace(self, place=replace(self.place, now=now))

    @property
    def home(self) -> Path:
        """Where the settings are looked for."""
        return self.workspace.root if self.workspace else self.boundary.home if self.boundary else self.place.folder

    @property
    def is_owner(self) -> bool:
        """Whether all of the ledger may be looked at from here: not within one of several projects, which sees its own tasks alone."""
        return not self.project or (self.embedded and (self.workspace is None or self.workspace.names() == (self.project,)))

    def knows(self, project: str) -> bool:
        """Whether there is such a project; a ledger that machines share may know more than can be seen from here."""
        return not self.embedded or project == self.project or (self.workspace is not None and project in self.workspace.names())

    def boundary_of(self, project: str) -> Boundary | None:
        """The boundary of *project*, where it can be reached from here."""
        if self.boundary and project == self.project:  # read anew: a server stands here for long, and its settings may change
            return replace(boundaries.load(self.boundary.root), home=self.boundary.home)
        with contextlib.suppress(NoProject):
            return self.workspace.named(project) if self.workspace and project in self.workspace.names() else None
        return None

    def redactor(self, packet: TaskPacket) -> Redactor:
        """What takes secrets out of all that is said of the task of *packet*: with the patterns of both its projects."""
        return self.redactor_of(str(packet.said[name]) for name in ("from_project", "to_project"))

    def redactor_of(self, projects: Iterable[str]) -> Redactor:
        """The same with the patterns of *projects*, as far as they can be reached from here."""
        found = [boundary for name in dict.fromkeys(projects) if (boundary := self.boundary_of(name))]
        return Redactor(tuple(pattern for one in found for pattern in one.project.redact), key=self.ledger.id.encode())


@contextlib.contextmanager
def opened(place: Place, *, address: str = "") -> Iterator[Desk]:
    """The ledger that *place* speaks of: at *address*, as the user's own settings say, or of the workspace around it, or of the boundary.

    UsageError where there is none, or it has to be asked over HTTP.
    """
    wanted = address or config.own(place.environment).ledger
    if _AFAR.match(wanted):
        raise UsageError("this ledger is asked over HTTP", hint=f"leave {config.LEDGER} out to use the workspace's own")
    shared = wanted.startswith(POSTGRES)
    workspace, boundary, project = _surroundings(place, "" if shared else wanted)
    root = workspace.root if workspace else boundary.home if boundary else None
    if root is None and not shared:
        hint = "`handoffsite init --workspace` makes one"
        raise UsageError("a ledger belongs to a workspace or a project, and there is none here", hint=hint)
    engine = PostgresEngine(wanted) if shared or root is None else SqliteEngine(root)
    try:
        ledger = ledgers.opened(engine, os.urandom(16).hex())
        yield Desk(
            place=place,
            ledger=ledger,
            workspace=workspace,
            boundary=boundary,
            project=project,
            embedded=not shared,
        )
    finally:
        engine.close()


def address(place: Place) -> str:
    """Where the user's own settings say that the ledger is; empty where they say nothing."""
    return config.own(place.environment).ledger


def is_there(place: Place) -> bool:
    """Whether there is a ledger for *place*; none is made by asking."""
    wanted = address(place)
    if wanted.startswith(POSTGRES) or _AFAR.match(wanted):
        return True
    workspace, boundary, _ = _surroundings(place, wanted)
    root = workspace.root if workspace else boundary.home if boundary else None
    return root is not None and os.path.lexists(file_of(root))


def actor(desk: Desk, name: str = "", *, role: str = "") -> Actor:
    """Who acts here: *name*, or the human; in the *role* that the settings give it, or in one of its own name.

    It works on the project in which it stands; outside of them all, in the workspace, on every one.
    """
    name = name or HUMAN
    known = authority.known_in(desk.place, desk.home).agents
    agent = known.get(name)
    return checked(Actor(name=name, role=role or (agent.role if agent else "") or name, projects=(desk.project or EVERYWHERE,)))


def authenticate(desk: Desk, text: str) -> Actor:
    """Whose token *text* is; Unauthenticated where it does not hold."""
    return tokens.holder(desk.ledger.engine, text)


def checked(found: Actor) -> Actor:
    """*found*, if these can be names; Malformed otherwise."""
    for kind, text in (("actor", found.name), ("role", found.role)):
        if not shape.is_like(text, task.NAME):
            raise Malformed(f"{text[:80]!r} cannot name an {kind}", hint="letters, digits and ._:@/- only, at most 80")
    for project in found.projects:
        if project != EVERYWHERE:
            workspaces.checked_name(project)
    return found


def _surroundings(place: Place, folder: str) -> tuple[Workspace | None, Boundary | None, str]:
    """The workspace at *folder*, or around *place*, the boundary in which it lies, and what that is called.

    A boundary that is none of the workspace's has nothing to do with it, whatever it is called.
    """
    workspace = _workspace_at(place, folder) if folder else find_workspace(place)
    try:
        boundary = find_boundary(place)
    except NoProject:
        return workspace, None, ""
    name = workspace.name_of(boundary) if workspace else ""
    if name:
        return workspace, boundary, name
    if folder:
        hint = f'[projects.NAME] path = "…" in its {config.FILE} makes it one'
        raise UsageError(f"{boundary.project.name} is no project of the workspace that has the ledger", hint=hint)
    return None, boundary, workspaces.slugged(boundary.project.name) or "project"


def _workspace_at(place: Place, folder: str) -> Workspace:
    root = place.folder / Path(folder).expanduser()
    if not (root / config.FILE).is_file():
        hint = "a ledger's address is the folder of a workspace, or a postgresql:// or http URL"
        raise UsageError(f"{folder[:200]!r} is no workspace", hint=hint)
    return workspace_at(root.resolve())
