"""A workspace: many boundaries, side by side. The only part that takes project names."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import NotFound, UsageError
from handoffsite.records.project import NAME, SPELLING
from handoffsite.store import boundary
from handoffsite.store.boundary import FOLDER, PROJECT_FILE, Boundary

CONTENT = "content"
BUILD = "build"


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folder *root*; *paths* says where the work of a project is done, if not in its folder under content/."""

    root: Path
    paths: Mapping[str, Path]

    def names(self) -> tuple[str, ...]:
        """The projects that there are, sorted."""
        try:
            here = {folder.name for folder in (self.root / CONTENT).iterdir() if self._is_here(folder.name)}
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            here = set()
        return tuple(sorted(here | self.paths.keys()))

    def named(self, name: str) -> Boundary:
        """The boundary of the project *name*; never a neighbour's."""
        if name not in self.paths and not self._is_here(name):
            known = ", ".join(self.names()) or "none yet"
            raise NotFound(f"no project {name[:80]!r} in this workspace", hint=f"known are: {known}")
        root = self.root_of(name)
        if not durable.is_file(root / PROJECT_FILE):
            raise NotFound(f"the project {name} has no boundary", hint=f"`handoffsite init` in {self.paths[name]}")
        found = boundary.load(root)
        return replace(found, home=self.paths[name]) if name in self.paths else found

    def root_of(self, name: str) -> Path:
        """Where the boundary of *name* is, or would be: in its own repository if it has one there, else under content/."""
        if name in self.paths and durable.is_file(self.paths[name] / FOLDER / PROJECT_FILE):
            return self.paths[name] / FOLDER
        return self.root / CONTENT / name

    def name_of(self, found: Boundary) -> str:
        """What the project *found* is called here, whatever its own file says; nothing where it is none of ours."""
        own = found.root.resolve()
        near = (own.name,) if self._is_here(own.name) else ()
        return next((name for name in (*near, *self.paths) if self.root_of(name).resolve() == own), "")

    def _is_here(self, name: str) -> bool:
        """Whether there is a project of that name under content/, which this user may read."""
        return NAME.fullmatch(name) is not None and durable.is_file(self.root / CONTENT / name / PROJECT_FILE)

    def content_of(self, name: str) -> Path:
        """The folder of *name* under content/, whether or not its boundary is there."""
        return self.root / CONTENT / name

    def containing(self, folder: Path) -> str:
        """The project in whose path *folder* lies, or nothing; the others are not looked at."""
        homes = {path: name for name, path in self.paths.items()}
        content = self.root / CONTENT
        name = folder.relative_to(content).parts[0] if content in folder.parents else ""
        if name and self._is_here(name):
            homes[content / name] = name
        found = boundary.containing(folder, homes)
        return homes[found] if found else ""

    def free_name(self, path: Path) -> str:
        """A name for a project at *path*: its last component, prefixed by parents until no other project has it."""
        taken = set(self.names())
        parts = [slug for part in path.parts if (slug := slugged(part))]
        for count in range(1, len(parts) + 1):
            name = "-".join(parts[-count:])[-64:].strip("-._")
            if name not in taken:
                return name
        stem = "-".join(parts)[:56] or "project"
        return next(name for number in range(2, 10_000) if (name := f"{stem}-{number}") not in taken)


def copy_tree(shipped: Path, target: Path) -> None:
    """A copy of the *shipped* folder at *target*, which must not exist; its files belong to whoever asks for the copy."""
    durable.copy_tree(shipped, target, frozenset({"inbox", "build", ".lock", "__pycache__"}))


def create(root: Path, marker: str, settings: str) -> bool:
    """Make a workspace in *root*, with *settings* in the file *marker*, content/ and build/; whether it was not there before."""
    durable.make_folder(root)
    files = {root / marker: settings, root / BUILD / ".gitignore": "*\n!.gitignore\n"}
    created = not (root / marker).exists()
    for folder in ("", CONTENT, BUILD):
        durable.clear_litter(durable.make_folder(root / folder), shared=True)
    for path, text in files.items():
        if not path.exists():
            durable.write(path, text.encode())
    return created


def rewrite(file: Path, change: Callable[[str], str]) -> None:
    """Change the text of the settings in *file*, durably; no change of another process is lost."""
    with durable.lock(durable.make_folder(file.parent / BUILD) / ".lock"):
        durable.clear_litter(file.parent)
        durable.write(file, change(file.read_text(encoding="utf-8")).encode())


def clear_tree(folder: Path) -> None:
    """Delete *folder* and all that is in it."""
    durable.remove_tree(folder)


def mark(folder: Path, name: str) -> None:
    """Make *folder* known again by an empty file."""
    durable.write(folder / name, b"")


def find(folder: Path, marker: str) -> Path | None:
    """The nearest folder at or above *folder* that holds *marker*, the workspace's settings."""
    folder = folder.resolve()
    return next((parent for parent in (folder, *folder.parents) if durable.is_file(parent / marker)), None)


def checked_name(name: str) -> str:
    """*name*, if it can name a project; UsageError otherwise, so that no name is ever a path."""
    if not NAME.fullmatch(name):
        raise UsageError(f"{name[:80]!r} cannot name a project", hint=f"use {SPELLING}")
    return name


def slugged(text: str) -> str:
    """*text* as far as a project's name allows."""
    return re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-._")
