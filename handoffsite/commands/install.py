"""`install`, `uninstall`: an agent's program set up to tell us of its sessions, in this project or for this user."""

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoffsite import clients
from handoffsite.clients import change as changes_of
from handoffsite.clients import shipped
from handoffsite.clients.change import BACKUP, Change
from handoffsite.clients.part import Part, holds, named
from handoffsite.clients.setup import Level
from handoffsite.commands.place import Place, find_boundary, find_workspace
from handoffsite.errors import HandoffError, NoProject, UsageError
from handoffsite.store import boundary as boundaries
from handoffsite.store.boundary import Boundary

KEPT = "before-install"  # the folder of backups in a boundary's quarantine


@dataclass(slots=True, kw_only=True)
class Installed:
    """What became of each file of *client*'s set-up; *notes* say what is left to the user. *dry*: nothing was written."""

    client: str
    level: str
    dry: bool
    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def mapping(self) -> dict[str, Any]:
        """As `--json` prints it."""
        files = [{"file": one.name, "action": one.action, "what": one.what, "backup": one.kept} for one in self.changes]
        diff = {"difference": "".join(one.difference() for one in self.changes)} if self.dry else {}
        return {"client": self.client, "level": self.level, "dry_run": self.dry, "files": files, **diff, "notes": self.notes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where *client* is set up: at a *level*; *root* is the folder below which files are named, *backups* where they are kept."""

    client: Any
    level: Level
    root: Path
    backups: Path | None

    @property
    def label(self) -> str:
        """The level in a word."""
        return "project" if self.level.project else "user"

    def name(self, file: Path) -> str:
        """*file* as a human calls it."""
        if file.is_relative_to(self.root):
            inside = file.relative_to(self.root).as_posix()
            return inside if self.level.project else f"~/{inside}"
        return str(file)

    def backup(self, file: Path) -> Path:
        """Where the backup of *file* lies."""
        return self.backups / self.name(file) if self.backups else file.with_name(f"{file.name}{BACKUP}")


def install(place: Place, client: str, *, user: bool = False, dry: bool = False) -> Installed:
    """Set *client* up in the project around *place*, or for the *user*; what is there already stays, and what is current is not written."""
    target = target_of(place, client, user=user)
    done = Installed(client=client, level=target.label, dry=dry)
    for file, parts in _by_file(target.client.setup(target.level)):
        before, after, new = _read(target, file), None, []
        after = before
        for part in parts:
            with _naming(part):
                if why := part.foreign(after):
                    done.notes.append(f"{target.name(file)}: {part.what} left out: {why}")
                    continue
                after = part.added(after)
            new.append(part)
        if new:
            is_first = before is not None and before != after and all(holds(part, before) is None for part in new)
            backup = target.backup(file) if is_first else None
            name = target.name(file)
            done.changes.append(Change(file=file, name=name, what=_names(new), before=before, after=after, backup=backup))
    done.notes += [*target.client.remarks(target.level), *_missing(place)]
    if not dry:
        _carry_out(done.changes, keeping=True)
    return done


def uninstall(place: Place, client: str, *, user: bool = False, dry: bool = False) -> Installed:
    """Take out of *client*'s settings what `install` put there; a file that is as `install` left it becomes what it was before."""
    target = target_of(place, client, user=user)
    done = Installed(client=client, level=target.label, dry=dry)
    shared = _shared(target)
    for file, parts in _by_file(target.client.setup(target.level)):
        before = _read(target, file)
        own = [part for part in parts if (part.file, part.what) not in shared]
        if before is None or not own:
            continue
        after = _without(own, before)
        backup = target.backup(file)
        kept = _read(target, backup) if backup.is_file() else None
        if kept is not None and own == parts and _with(parts, kept) == before:
            after = kept
        found = [part for part in own if holds(part, before) is not None]
        is_done = bool(found) and kept is not None and after == kept
        name, what = target.name(file), _names(found or own)
        done.changes.append(
            Change(file=file, name=name, what=what, before=before, after=after, backup=backup if is_done else None)
        )
    if not dry:
        _carry_out(done.changes, keeping=False)
    return done


def target_of(place: Place, client: str, *, user: bool) -> Target:
    """Where *client* is set up; NoProject outside all projects, unless it is for the *user*."""
    module = clients.named(client)
    if user:
        if not place.environment.get("HOME"):
            raise UsageError("no home folder is known", hint="set HOME")
        root = Path(place.environment["HOME"])
        return Target(client=module, level=_level(place, None), root=root, backups=None)
    try:
        boundary = find_boundary(place)
    except NoProject:
        workspace = find_workspace(place)
        if workspace is None:
            raise
        return Target(client=module, level=_level(place, workspace.root), root=workspace.root, backups=None)
    folder = folder_of(place, boundary)
    backups = boundary.root / "quarantine" / KEPT
    return Target(client=module, level=_level(place, folder), root=folder, backups=backups)


def folder_of(place: Place, boundary: Boundary) -> Path:
    """Where agents are started to work on *boundary*: its home, or the same place in the linked worktree around *place*."""
    workspace = find_workspace(place) if boundary.repository is None else None
    if workspace and boundary.root.is_relative_to(workspace.root):
        return workspace.root
    repository = boundary.repository
    around = boundaries.repository_of(place.folder.resolve())
    if repository and around and around != repository and boundaries.main_repository(around) == repository.resolve():
        return around / boundary.home.resolve().relative_to(repository.resolve())
    return boundary.home


def state_of(target: Target) -> bool | None:
    """Whether the hooks stand in *target*'s settings as they are now; None where they do not. What cannot be read has none."""
    found = []
    for part in target.client.setup(target.level):
        if part.what.startswith("hooks"):
            try:
                found.append(holds(part, _read(target, part.file)))
            except (HandoffError, OSError):
                return None
    return None if None in found else all(found)


def _level(place: Place, project: Path | None) -> Level:
    return Level(project=project, environment=place.environment, skills=shipped.skills(), plugin=shipped.opencode())


def _missing(place: Place) -> Iterator[str]:
    if not shutil.which("handoffsite", path=place.environment.get("PATH", "")):
        yield "`handoffsite` is not on PATH: hooks and the MCP server call it by that name, and do nothing until it is (`pipx install handoffsite`)"


def _read(target: Target, file: Path) -> str | None:
    return changes_of.read(file, target.level.project)


def _by_file(parts: Sequence[Part]) -> list[tuple[Path, list[Part]]]:
    found: dict[Path, list[Part]] = {}
    for part in parts:
        found.setdefault(part.file, []).append(part)
    return list(found.items())


@contextlib.contextmanager
def _naming(part: Part) -> Iterator[None]:
    """An error in a file's text gets the file's name."""
    try:
        yield
    except HandoffError as error:
        raise named(part, error) from error


def _with(parts: Sequence[Part], text: str | None) -> str | None:
    for part in parts:
        with _naming(part):
            text = text if part.foreign(text) else part.added(text)
    return text


def _without(parts: Sequence[Part], text: str) -> str | None:
    left: str | None = text
    for part in parts:
        if left is not None:
            with _naming(part):
                left = left if part.foreign(left) else part.removed(left)
    return left


def _names(parts: Sequence[Part]) -> str:
    return ", ".join(part.what for part in parts)


def _carry_out(changes: Sequence[Change], *, keeping: bool) -> None:
    """Write all that changes; backups are made first, or forgotten last."""
    real = [change for change in changes if change.action != "unchanged"]
    changes_of.refuse_unwritable(real)
    for change in real:
        if keeping and change.backup and change.before is not None:
            changes_of.keep(change.backup, change.before, change.file)
        changes_of.write(change)
        if not keeping:
            _tidy(change)


def _tidy(change: Change) -> None:
    """Folders that are empty now go, and so does a backup that has served."""
    if change.backup:
        changes_of.forget(change.backup)
    for emptied in (change.file, change.backup):
        with contextlib.suppress(OSError):  # not empty, or another's
            for folder in emptied.parents[:3] if emptied else ():
                folder.rmdir()


def _shared(target: Target) -> set[tuple[Path, str]]:
    """What other clients that are set up at this level need, too."""
    found: set[tuple[Path, str]] = set()
    for name in clients.SET_UP:
        if name != target.client.NAME:
            other = Target(client=clients.named(name), level=target.level, root=target.root, backups=target.backups)
            if state_of(other) is not None:
                found |= {(part.file, part.what) for part in other.client.setup(other.level)}
    return found
