"""`init`: make a boundary, or a workspace; doing it again changes nothing."""

import os
from dataclasses import dataclass
from pathlib import Path

from handoffsite import config
from handoffsite.commands.place import Place
from handoffsite.commands.writing import refold, writing
from handoffsite.errors import Refused, UsageError
from handoffsite.records import grammar
from handoffsite.records.identity import ALPHABET
from handoffsite.records.project import Project
from handoffsite.records.visible import visible
from handoffsite.store import boundary as boundaries
from handoffsite.store import workspace as workspaces
from handoffsite.store.boundary import FOLDER, PROJECT_FILE, Boundary
from handoffsite.store.workspace import CONTENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What stands at *root* now: a `boundary` or a `workspace`, and whether it was *created* just now."""

    kind: str
    root: Path
    name: str
    created: bool


def init(place: Place, folder: Path, name: str = "") -> Made:
    """A boundary for the work done in *folder*: `.handoff/` there, or in a workspace's content/ the folder itself."""
    folder = (place.folder / folder).absolute()
    if folder.name == FOLDER:
        folder = folder.parent
    if (folder / config.FILE).is_file():
        raise UsageError(
            "this is a workspace, and its projects lie in content/", hint=f"handoffsite init {CONTENT}/{name or 'NAME'}"
        )
    in_content = folder.parent.name == CONTENT and (folder.parent.parent / config.FILE).is_file()
    if name:
        workspaces.checked_name(name)
    repository = boundaries.repository_of(folder.resolve()) if folder.exists() else None
    if repository and boundaries.main_repository(repository) != repository:
        hint = f"run it in {boundaries.main_repository(repository)}"
        raise Refused("this is a linked worktree, which belongs to its main repository", file=folder.name, hint=hint)
    root = folder if in_content else folder / FOLDER
    if not name and not (root / PROJECT_FILE).exists() and any((root / "sessions").glob("*.md")):
        hint = "restore it from git, since its id makes clones one project; `handoffsite init --name NAME` gives it another"
        raise Refused("there are records, and their project.toml is lost", file=str(root), hint=hint)
    made, created = make(root, name or workspaces.slugged(folder.name) or "project", "" if name else _title(folder))
    if created:
        with writing(place, made) as writer:
            refold(writer)
    return Made(kind="boundary", root=made.root, name=made.project.name, created=created)


def make(root: Path, name: str, title: str = "") -> tuple[Boundary, bool]:
    """The boundary at *root*, with an id of its own where it is new."""
    return boundaries.create(root, Project(id=_fresh_id(), name=name, title=title or name))


def init_workspace(place: Place, folder: Path, name: str = "") -> Made:
    """A workspace in *folder*: its settings, content/ and build/."""
    root = (place.folder / folder).absolute()
    if root.exists() and not root.is_dir():
        raise UsageError("not a folder", file=str(folder))
    created = workspaces.create(root, config.FILE, config.dumps(name or _title(root)))
    return Made(kind="workspace", root=root, name=config.load(root).title, created=created)


def _title(folder: Path) -> str:
    """The folder's name as a text: one line, and bytes that are no UTF-8 made visible."""
    return grammar.one_line(visible(folder.name))


def _fresh_id() -> str:
    """Twelve base32 characters: two projects made apart never share an id."""
    return "".join(ALPHABET[byte & 31] for byte in os.urandom(12))
