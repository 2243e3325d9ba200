"""`build`: extract what waits in the inbox, then everything derived: STATE.md, archive, site, index."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from handoffsite import config
from handoffsite.commands.place import Place, cache_of, engine_of, find_boundary, find_workspace
from handoffsite.commands.waiting import extract, located, summarised
from handoffsite.commands.writing import refold, writing
from handoffsite.errors import Conflict, HandoffError, NoProject, Refused, UsageError
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.snapshot import Snapshot
from handoffsite.search import kept as index
from handoffsite.search import saving
from handoffsite.site import current as site
from handoffsite.site import workspace as front
from handoffsite.site.swap import Built as Made
from handoffsite.store import boundary as boundaries
from handoffsite.store import inbox, state
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold
from handoffsite.store.workspace import BUILD, Workspace

TEMPLATES = "templates"
LEDGER = ".handoff-ledger"  # what lies there is store/ledger_sqlite.py's
Tasks = Sequence[Mapping[str, Any]]
INDEX = "index"


@dataclass(slots=True, kw_only=True)
class Project:
    """What `build` did for one project."""

    name: str
    recorded: list[str] = field(default_factory=list)
    sessions: int = 0
    items: int = 0
    pages: int = 0
    written: int = 0
    removed: int = 0
    indexed: int = 0
    state_changed: bool = False


@dataclass(slots=True, kw_only=True)
class Built:
    """What `build` did: each project, where the site is, and what was wrong."""

    site: Path
    projects: list[Project] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: tuple[str, ...] = ()

    def mapping(self) -> dict[str, Any]:
        """As `build --json` prints it."""
        projects = [{name: getattr(one, name) for name in Project.__slots__} for one in self.projects]
        problems = [{name: getattr(one, name) for name in Problem.__slots__} for one in self.problems]
        return {"site": str(self.site), "projects": projects, "problems": problems, "warnings": list(self.warnings)}


def build(place: Place, *, workspace: bool = False) -> Built:
    """Build the project around *place*, or every project of the workspace where *place* is its root or *workspace* asks for it."""
    return _built(place, *scope(place, workspace=workspace))


def build_one(place: Place, boundary: Boundary) -> Built:
    """Build *boundary*, and the front page of the workspace that it is in."""
    return _built(place, [boundary], _inside(find_workspace(place), boundary), [])


def _built(place: Place, boundaries: list[Boundary], around: Workspace | None, damaged: list[Problem]) -> Built:
    built = Built(site=(around.root if around else boundaries[0].root) / BUILD, problems=list(damaged))
    for boundary in boundaries:
        try:
            _build_one(place, boundary, around, built)
        except HandoffError as error:  # it costs this project its build, and no other
            built.problems.append(problem_of(error, boundary.project.name))
    if around:
        cards = [replace(card, name=name) for name in around.names() if (card := front.card_of(built.site / name))]
        front.build_index(
            cards, built.site, overrides=_overrides(around, None), cache=_compiled(place), base_url=_published(around)
        )
    return built


def behind(place: Place, *, workspace: bool = False) -> list[dict[str, str]]:
    """What is older than the records: STATE.md, the site, the index, and what waits in the inbox. Nothing is written."""
    boundaries, around, damaged = scope(place, workspace=workspace)
    found = [{"project": problem.file, "what": "project", "message": problem.message} for problem in damaged]
    for boundary in boundaries:
        name = boundary.project.name
        with Fold(boundary, cache_of(place, boundary)) as fold:
            stale = [(problem.file, problem.message) for problem in state.problems(boundary, fold)]
            stamp = _stamp(boundary, fold, around, _tasks(place, boundary, around, []))
            waiting = len(inbox.pointers(boundary)[0])
            folder = cache_of(place, boundary)
            indexed = folder is not None and index.is_current(folder / INDEX, fold.searchable(), engine_of(place, boundary))
        if not site.is_current(output(boundary, around), stamp):
            stale.append(("site", "built from other records, or not at all"))
        if not indexed:
            stale.append(("index", "built from other records, or not at all"))
        if waiting:
            stale.append(("inbox", f"{waiting} sessions wait to be extracted"))
        found += [{"project": name, "what": what, "message": message} for what, message in stale]
    return found


def scope(place: Place, *, workspace: bool) -> tuple[list[Boundary], Workspace | None, list[Problem]]:
    """The boundaries that a command speaks of, the workspace around them, and the projects of it that cannot be opened.

    The root of a workspace means all of it.
    """
    around = find_workspace(place)
    if around and not place.project and (workspace or around.root == place.folder.resolve()):
        names = around.names()
        if not names and not workspace and boundaries.nearest(place.folder):  # settings of a lone project, beside its .handoff/
            return [find_boundary(place)], None, []
        if not names:
            raise NoProject(
                "this workspace has no project yet", hint="`handoffsite init content/NAME`, or `import transcripts DIR`"
            )
        return _opened(around, names)
    if workspace and around:
        raise UsageError("--project and --workspace exclude each other", hint="one means a project, the other all of them")
    if workspace:
        raise NoProject("no workspace here", hint="`handoffsite init --workspace` makes one")
    boundary = find_boundary(place)
    return [boundary], _inside(around, boundary), []


def _inside(around: Workspace | None, boundary: Boundary) -> Workspace | None:
    """The workspace *around*, if *boundary* is a project of it, and this user one who sees its projects: else its site is no part of theirs."""
    return around if around and around.name_of(boundary) in around.names() else None


def _opened(around: Workspace, names: Sequence[str]) -> tuple[list[Boundary], Workspace, list[Problem]]:
    boundaries, damaged = [], []
    for name in names:
        try:
            boundaries.append(around.named(name))
        except HandoffError as error:
            damaged.append(problem_of(error, name))
    return boundaries, around, damaged


def output(boundary: Boundary, around: Workspace | None) -> Path:
    """Where the boundary's site is built: in its workspace's build/, or in its own."""
    return around.root / BUILD / _called(boundary, around) if around else boundary.root / BUILD


def _called(boundary: Boundary, around: Workspace | None) -> str:
    """The project's name in its workspace: its own file may say what it likes, and reaches no other project by it."""
    return (around.name_of(boundary) if around else "") or boundary.project.name


def snapshot_of(place: Place, boundary: Boundary) -> Snapshot:
    """The project's read model."""
    with Fold(boundary, cache_of(place, boundary)) as fold:
        return fold.snapshot()


def _build_one(place: Place, boundary: Boundary, around: Workspace | None, built: Built) -> None:
    project = Project(name=boundary.project.name)
    built.projects.append(project)
    said: list[str] = []
    waiting, unreadable = located(place, boundary, said)
    built.problems += unreadable
    known = summarised(place, boundary, waiting, said)
    tasks = _tasks(place, boundary, around, built.problems)
    with writing(place, boundary, verify=True) as writer:
        writer.warnings += said
        if waiting:
            extracted = extract(place, writer, waiting, known)
            project.recorded += extracted.recorded
            built.problems += extracted.problems
        project.state_changed = refold(writer)
        fold = writer.fold
        project.sessions = fold.session_count()
        built.problems += (*fold.problems(), *writer.problems)
        warnings = tuple(one for one in writer.warnings if one not in writer.said())
        site.settle(output(boundary, around), _compiled(place))
        current = site.is_current(output(boundary, around), _stamp(boundary, fold, around, tasks))
        indexed = _is_indexed(place, boundary, fold, built)
        may_save = _may_save(place, boundary, fold)
        snapshot = None if current and indexed and not may_save else fold.snapshot()
    built.warnings = (*built.warnings, *warnings)
    if snapshot is None:
        return
    project.items = len(snapshot.items)
    if not current:
        made = _build_site(place, boundary, around, snapshot, tasks)
        project.pages, project.removed = made.pages, len(made.removed)
        project.written = sum(path.endswith(".html") for path in made.written)
    if not indexed:
        _index(place, boundary, snapshot, built)
    if may_save:
        _tell_saving(place, boundary, snapshot, built)


def _is_indexed(place: Place, boundary: Boundary, fold: Fold, built: Built) -> bool:
    """Whether the index needs nothing; one that cannot be had costs nothing else, and is a problem."""
    folder = cache_of(place, boundary)
    try:
        return folder is None or index.is_current(folder / INDEX, fold.searchable(), engine_of(place, boundary))
    except HandoffError as error:
        built.problems.append(problem_of(error, boundary.project.name))
        return True


def _build_site(place: Place, boundary: Boundary, around: Workspace | None, snapshot: Snapshot, tasks: Tasks) -> Made:
    from handoffsite.search.documents import documents  # noqa: PLC0415 -- as below
    from handoffsite.site.build import build  # noqa: PLC0415 -- what draws pages is slow to load, and often nothing has changed

    out, overrides = output(boundary, around), _overrides(around, boundary)
    return build(
        snapshot,
        out,
        overrides=overrides,
        workspace=around is not None,
        cache=_compiled(place),
        documents=documents(snapshot),
        base_url=_base_url(boundary, around),
        tasks=tasks,
        progress=partial(place.tell, f"pages of {boundary.project.name}"),
    )


def _index(place: Place, boundary: Boundary, snapshot: Snapshot, built: Built) -> None:
    from handoffsite.search.query import Index  # noqa: PLC0415 -- as above

    project, folder = built.projects[-1], cache_of(place, boundary)
    if folder is None:
        return
    try:
        updated = Index(folder / INDEX, kind=engine_of(place, boundary)).update(snapshot)
    except (Conflict, Refused) as error:
        built.warnings = (*built.warnings, f"the index was not updated: {error}")
        return
    except HandoffError as error:
        built.problems.append(problem_of(error, project.name))
        return
    project.indexed = updated.added


def _may_save(place: Place, boundary: Boundary, fold: Fold) -> bool:
    """Whether the project is large, keeps its index by Whoosh, and was not told yet that it could save something."""
    folder = cache_of(place, boundary)
    try:
        is_default = engine_of(place, boundary) in {"", index.DEFAULT}
    except HandoffError:  # reported where the index is made
        return False
    is_large = is_default and fold.session_count() + sum(fold.counts().values()) >= saving.LARGE
    return is_large and folder is not None and not saving.is_told(folder)


def _tell_saving(place: Place, boundary: Boundary, snapshot: Snapshot, built: Built) -> None:
    from handoffsite.search.documents import documents  # noqa: PLC0415 -- as above

    folder, all_of_them = cache_of(place, boundary), list(documents(snapshot))
    if folder is None:
        return
    whoosh, fts5 = saving.compared(all_of_them, time.process_time)
    saving.note_told(folder)
    message = (
        f"{boundary.project.name}: for its {len(all_of_them):,} documents Whoosh takes about {whoosh.seconds:.1f} s of CPU and"
        f" {(index.size_of(folder / INDEX) or whoosh.size) / 1e6:.0f} MB, SQLite's FTS5 {fts5.seconds:.1f} s and {fts5.size / 1e6:.0f} MB, measured on some of them;"
        ' to change, write engine = "fts5" into handoffsite.toml and build again. This is said once'
    )
    built.warnings = (*built.warnings, message)


def _tasks(place: Place, boundary: Boundary, around: Workspace | None, problems: list[Problem]) -> Tasks:
    """The project's tasks in the ledger; one that cannot be read costs nothing else, and is a problem."""
    root = around.root if around else boundary.home
    if not (root / LEDGER).exists() and not config.own(place.environment).ledger:
        return ()
    from handoffsite.commands.task_pages import of_project  # noqa: PLC0415 -- most projects have no ledger

    try:
        return of_project(place, _called(boundary, around))
    except HandoffError as error:
        problems.append(problem_of(error, boundary.project.name))
        return ()


def _compiled(place: Place) -> Path | None:
    return boundaries.shared_cache(place.cache, "templates")


def _stamp(boundary: Boundary, fold: Fold, around: Workspace | None, tasks: Tasks) -> str:
    overrides = _overrides(around, boundary)
    return site.stamp(
        boundary.project,
        fold.searchable(),
        problems=fold.problems(),
        overrides=overrides,
        workspace=around is not None,
        base_url=_base_url(boundary, around),
        tasks=tasks,
    )


def _base_url(boundary: Boundary, around: Workspace | None) -> str:
    """Where the site of *boundary* is published, as its own file or the workspace's says; it ends in a slash, or is empty."""
    own, above = boundary.project.base_url, _published(around)
    return _folder(own) if own else f"{above}{quote(_called(boundary, around))}/" if above else ""


def _published(around: Workspace | None) -> str:
    return _folder(config.load(around.root).base_url) if around and (around.root / config.FILE).is_file() else ""


def _folder(address: str) -> str:
    return f"{address.rstrip('/')}/" if address else ""


def _overrides(around: Workspace | None, boundary: Boundary | None) -> Sequence[Path]:
    folders = [around.root / TEMPLATES] if around else [boundary.root / TEMPLATES] if boundary else []
    return [folder for folder in folders if folder.is_dir()]
