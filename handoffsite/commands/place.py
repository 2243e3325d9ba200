"""Where and when a command runs, and which project that makes it speak of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from handoffsite import config
from handoffsite.errors import NoProject, NotFound, UsageError
from handoffsite.search.shared import POSTGRES, Shared
from handoffsite.store import boundary as boundaries
from handoffsite.store import workspace as workspaces
from handoffsite.store.boundary import Boundary
from handoffsite.store.kept import KeptFold
from handoffsite.store.snapshot import Fold
from handoffsite.store.workspace import Workspace

_NAMED = 8  # projects of a workspace, in a hint
Progress = Callable[[str, int, int], None]  # what is counted, how many are done, and how many there are
_One = TypeVar("_One")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The surroundings of a command: the current *folder*, the clock, the user's *cache* and *environment*, and `--project`.

    *kept* is the fold that a process keeps open between its commands. *progress* is told how far long work is.
    """

    folder: Path
    now: datetime
    cache: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    project: str = ""
    kept: KeptFold | None = None
    progress: Progress | None = None

    def tell(self, what: str, done: int, total: int) -> None:
        """Tell whoever looks on how many of *what* are done."""
        if self.progress:
            self.progress(what, done, total)

    def counting(self, what: str, things: Sequence[_One]) -> Iterator[_One]:
        """Each of *things*, while whoever looks on is told how many of *what* are done."""
        for done, one in enumerate(things):
            self.tell(what, done, len(things))
            yield one

    @property
    def time(self) -> str:
        """The time of the command as records write it."""
        return self.now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def find_boundary(place: Place) -> Boundary:
    """The boundary that the command speaks of; NoProject where there is none, never a neighbour's."""
    if place.project:
        found = find_workspace(place)
        if found is None:
            raise UsageError("--project needs a workspace", hint="run it inside one, or go to the project's own folder")
        try:
            return found.named(place.project)
        except NotFound as error:
            if not _is_inside(place, found):
                raise
            raise NotFound(error.message, hint="at the root of the workspace, `handoffsite doctor` lists its projects") from error
    root = boundaries.nearest(place.folder)
    if root:
        return boundaries.load(root)
    workspace = find_workspace(place)
    name = workspace.containing(place.folder.resolve()) if workspace else ""
    if workspace and name:
        return workspace.named(name)
    raise _no_project(place, workspace)


def _no_project(place: Place, workspace: Workspace | None) -> NoProject:
    """What is wrong with the current folder, and what would be a project."""
    here, names = place.folder.resolve(), workspace.names() if workspace else ()
    some = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    if workspace and here in {workspace.root.resolve(), workspace.root.resolve() / workspaces.CONTENT}:
        what = "a workspace, and no project of it is named"
        hint = f"--project NAME: {some}" if names else f"`handoffsite init {workspaces.CONTENT}/NAME` makes one"
    else:
        what = "this repository has no boundary" if boundaries.repository_of(here) else "this folder belongs to no project"
        hint = "`handoffsite init` makes one here" + (f", or --project NAME: {some}" if names else "")
    return NoProject(what, file=place.folder.name or "/", hint=hint)


def _is_inside(place: Place, workspace: Workspace) -> bool:
    """Whether the current folder belongs to a project of *workspace*: whoever works there is told of no other."""
    return boundaries.nearest(place.folder) is not None or bool(workspace.containing(place.folder.resolve()))


def find_workspace(place: Place) -> Workspace | None:
    """The workspace around the current folder, if any."""
    root = workspaces.find(place.folder, config.FILE)
    return workspace_at(root) if root else None


def workspace_at(root: Path) -> Workspace:
    """The workspace whose settings lie in *root*."""
    return Workspace(root, config.load(root).projects)


def engine_of(place: Place, boundary: Boundary) -> str | Shared:
    """What *boundary*'s index is kept by: as the workspace says, else as the user's own settings do, else nothing.

    Where the shared one is, only the user's own settings say: its address holds a name, and often a password.
    """
    root = workspaces.find(place.folder, config.FILE)
    own = config.own(place.environment)
    engine = (config.load(root).engine if root else "") or own.engine
    if engine != POSTGRES:
        return engine
    if not own.index:
        hint = f'set {config.INDEX}, or write index = "postgresql://…" into {own.file}'
        raise UsageError("the shared index has no address", hint=hint)
    return Shared(url=own.index, project=boundary.project.id)


def owner(workspace: Workspace | None, cwd: str) -> Path | None:
    """The root of the boundary to which a session that worked in *cwd* belongs; None where this machine cannot tell."""
    folder = Path(cwd)
    if not cwd or not folder.is_absolute():
        return None
    try:
        nearest = boundaries.nearest(folder) if folder.exists() else None
        name = workspace.containing(folder) if workspace and not nearest else ""
    except OSError:  # another user's folder, or no path at all
        return None
    if nearest:
        return nearest.resolve()
    return workspace.root_of(name).resolve() if workspace and name else None


def is_ours(place: Place, cwd: str) -> bool:
    """Whether a session that worked in *cwd* is one of our own: nobody but us works in our cache."""
    return bool(cwd) and Path(cwd).is_relative_to(place.cache)


def reading(place: Place, boundary: Boundary) -> AbstractContextManager[Fold]:
    """The fold of *boundary*, for a command that only reads: the one that this process keeps open, where it does."""
    cache = cache_of(place, boundary)
    return place.kept.of(boundary, cache) if place.kept else Fold(boundary, cache)


def cache_of(place: Place, boundary: Boundary) -> Path | None:
    """The private cache of *boundary*, by its real path; None where none can be kept."""
    return boundaries.cache(place.cache, boundary)
