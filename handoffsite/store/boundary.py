"""Where a project's boundary is: found as git finds a repository, and never anybody else's."""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Malformed, NoProject, Refused
from handoffsite.records import project
from handoffsite.records.project import Project
from handoffsite.store import spool

FOLDER = ".handoff"
PROJECT_FILE = "project.toml"
QUARANTINE = "quarantine"
WRITTEN = ("sessions", "archive", "inbox", "quarantine", "mail", "plans", "research", "reviews", "qa-logs", "handoffs", "tasks")
_OWN = (PROJECT_FILE, "STATE.md", "WORK.md", "memory.json", ".gitignore", *WRITTEN)
UNLOCKED = frozenset({"inbox"})  # a hook does not wait for who writes
LOCAL = ("inbox/", "quarantine/", "build/", ".build.*", ".lock", ".*.tmp-*")


@dataclass(frozen=True, slots=True)
class Boundary:
    """One project's directory. *home* is where its work is done: the repository, or the boundary itself in a workspace."""

    root: Path
    home: Path
    project: Project

    @property
    def repository(self) -> Path | None:
        """The git repository of the work. A boundary inside a workspace has none: the repository around it is the workspace's."""
        return None if self.root == self.home else repository_of(self.home)

    @property
    def sessions(self) -> Path:
        """The folder of the records, which are the truth."""
        return self.root / "sessions"

    @property
    def lock(self) -> Path:
        """The file that a writer holds."""
        return self.root / ".lock"


def nearest(folder: Path) -> Path | None:
    """The `.handoff/` at or above *folder*, within its repository; None where there is none.

    A linked worktree belongs to its main repository. The search never leaves a repository, so a nested one without a boundary
    is not taken for a part of the outer project.
    """
    folder = folder.resolve()
    repository = repository_of(folder)
    main = main_repository(repository) if repository else None
    if repository and main and main != repository:
        folder, repository = main / folder.relative_to(repository), main
    for parent in (folder, *folder.parents):
        if durable.is_file(parent / FOLDER / PROJECT_FILE):
            return parent / FOLDER
        if parent.name == FOLDER and durable.is_file(parent / PROJECT_FILE):
            return parent
        if parent == repository:
            return None
    return None


def repository_of(folder: Path) -> Path | None:
    """The root of the git working tree that holds *folder*; a linked worktree's own root."""
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), None)


def main_repository(repository: Path) -> Path:
    """The main working tree of *repository*, which is itself unless it is a linked worktree."""
    dot_git = repository / ".git"
    if not dot_git.is_file():
        return repository
    try:
        pointed = dot_git.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
        private = (repository / pointed).resolve()
        common = (private / (private / "commondir").read_text(encoding="utf-8").strip()).resolve()
    except (OSError, UnicodeDecodeError):
        return repository  # a submodule, or a worktree that was moved: its own root
    return common.parent if common.name == ".git" else repository


def worktrees(repository: Path) -> list[Path]:
    """The linked working trees of *repository* that are still there."""
    found = []
    for file in sorted(repository.glob(".git/worktrees/*/gitdir")):
        try:
            pointed = Path(file.read_text(encoding="utf-8").strip())
        except (OSError, UnicodeDecodeError):
            continue
        if pointed.name == ".git" and pointed.is_file():
            found.append(pointed.parent)
    return found


def load(root: Path) -> Boundary:
    """The boundary at *root*; Malformed where its project.toml is damaged."""
    _refuse_detours(root)
    file = root / PROJECT_FILE
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise NoProject("no boundary here", file=str(root), hint="`handoffsite init` makes one") from error
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text", file=str(file), hint="restore it from git") from error
    home = root.parent if root.name == FOLDER else root
    return Boundary(root, home, project.loads(text, file=str(file), name=home.name))


def _refuse_detours(root: Path) -> None:
    """Refused where the boundary, or a part of it, is a link or a pipe: a repository may hold links that lead to anybody's files."""
    for path in (root, *(root / name for name in _OWN)):
        try:
            mode = path.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            what = "a symbolic link" if stat.S_ISLNK(mode) else "a pipe or device"
            hint = "put the file or folder itself there; a workspace points to a project elsewhere by [projects.NAME] path"
            raise Refused(f"{what}, and a boundary holds its own files alone", file=str(path), hint=hint)


def create(root: Path, new: Project) -> tuple[Boundary, bool]:
    """The boundary at *root*, and whether it was made just now; one that exists is left as it is."""
    if root.is_symlink() or (root.exists() and not root.is_dir()):
        raise Refused("not a folder", file=str(root), hint="move it away, or choose another place")
    if (root / PROJECT_FILE).exists():
        _furnish(root)
        return load(root), False
    durable.make_folder(root)
    _furnish(root)
    durable.write(root / PROJECT_FILE, project.dumps(new).encode())
    return load(root), True


@contextlib.contextmanager
def locked(boundary: Boundary) -> Iterator[None]:
    """Hold *boundary* for writing; what killed writers left there is cleared first. Conflict where another process holds it too long."""
    with durable.lock(boundary.lock):
        for name in ("", *WRITTEN):
            durable.clear_litter(boundary.root / name, shared=name in UNLOCKED)
        for folder in backups(boundary.root):
            durable.clear_litter(folder, shared=True)
        spool.clear_notes(boundary.root)
        durable.sync_directory(boundary.sessions)  # what a killed writer renamed there is built upon from now on
        yield


def backups(root: Path) -> list[Path]:
    """The folders below quarantine/ of the boundary at *root*: what was mended or installed over lies there as it was. No link is followed."""
    return [Path(folder) for place in (root / QUARANTINE).glob("*/") if not place.is_symlink() for folder, _, _ in os.walk(place)]


def cache(root: Path, boundary: Boundary) -> Path | None:
    """The private cache of *boundary* below *root*, by its real path; None where none can be kept."""
    key = durable.digest(str(boundary.root.resolve()).encode("utf-8", "surrogateescape"))[:20]
    return durable.cache_folder(root, "projects", key)


def shared_cache(root: Path, name: str) -> Path | None:
    """A private cache below *root* that belongs to no project; None where none can be kept."""
    return durable.cache_folder(root, name)


def containing(folder: Path, roots: Iterable[Path]) -> Path | None:
    """The deepest of *roots* that contains *folder*, unless a repository of its own lies between the two."""
    inside = [root for root in roots if folder == root or root in folder.parents]
    if not inside:
        return None
    deepest = max(inside, key=lambda root: len(root.parts))
    repository = repository_of(folder) if folder.exists() else None
    return None if repository and deepest in repository.parents else deepest


def _furnish(root: Path) -> None:
    durable.make_folder(root / "sessions")
    for place, text in ((root / ".gitignore", "".join(f"{name}\n" for name in LOCAL)), (root / "sessions" / ".gitkeep", "")):
        if not os.path.lexists(place):
            durable.write(place, text.encode())
