"""`import transcripts`: file each log of a folder under its own project, and make the project where it is missing."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoffsite import config, sources
from handoffsite.commands import init
from handoffsite.commands.place import Place, find_workspace, is_ours, workspace_at
from handoffsite.commands.writing import Writer, writing
from handoffsite.errors import HandoffError, NotFound, Unwritten, UsageError
from handoffsite.records.transcript import Transcript
from handoffsite.sources import ending
from handoffsite.store import boundary as boundaries
from handoffsite.store import workspace as workspaces
from handoffsite.store.seen import Seen
from handoffsite.store.workspace import Workspace


@dataclass(slots=True, kw_only=True)
class Imported:
    """What was found in *files* files: how many hold a session that is *read*, the records *created*, and what was *ignored* and why."""

    files: int = 0
    read: int = 0
    created: list[str] = field(default_factory=list)
    unchanged: int = 0
    ignored: list[dict[str, str]] = field(default_factory=list)
    projects: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def mapping(self) -> dict[str, Any]:
        """As `import --json` prints it."""
        return {
            "files": self.files,
            "sessions": self.read,
            "created": len(self.created),
            "unchanged": self.unchanged,
            "ignored": self.ignored,
            "projects": self.projects,
            "warnings": self.warnings,
        }

    def notes(self) -> tuple[str, ...]:
        """What stands on stderr: each ignored file with its reason; what was looked for in all of them once."""
        reasons = [one["reason"].partition(_LOOKED) for one in self.ignored]
        ignored = (f"{one['file']}: ignored: {reason}" for one, (reason, _, _) in zip(self.ignored, reasons, strict=True))
        looked = dict.fromkeys(f"looked for {names}" for _, _, names in reasons if names)
        return (*ignored, *looked, *self.warnings)


_LOOKED = "; looked for "  # what follows is the same for every file of no known format


@dataclass(frozen=True, slots=True)
class _Found:
    path: Path
    label: str
    stamp: str
    head: Transcript
    log: Transcript | None = None  # still to be read, where the file holds more sessions than one

    @property
    def key(self) -> str:
        """What names the session among all that were read: its file, and its ID where that is not all of the file."""
        return f"{self.path}#{self.head.session}" if self.log else str(self.path)


def transcripts(place: Place, path: Path, *, generation: int | None = None) -> Imported:
    """Read every log below *path* that changed since the last time; each session is recorded once, in the project that it worked in.

    Conflict where a project that gets a session is no longer at *generation*.
    """
    workspace = find_workspace(place)
    if workspace is None:
        raise UsageError(
            "import transcripts needs a workspace",
            hint="`handoffsite init --workspace` makes one; `end --transcript` records one log here",
        )
    path = (place.folder / path).absolute()
    if not (path.is_file() or path.is_dir()):
        what = "a pipe or device" if path.exists() else "no such file or folder"
        raise NotFound(what, file=str(path), hint="name the folder that holds the logs")
    seen = Seen.load(place.cache, workspace)
    imported = Imported()
    groups: dict[str, list[_Found]] = defaultdict(list)
    changed = _once(_changed(place, path, seen, imported))
    for found in sorted(changed, key=lambda one: (one.head.started, one.label)):
        name, workspace = _project_of(place, workspace, found, imported)
        if name:
            groups[name].append(found)
    for name, logs in groups.items():
        init.make(workspace.root_of(name), name)  # a crash may have come after it was named in the settings
        with writing(place, workspace.named(name), generation) as writer:
            _record_all(place, writer, logs, seen, imported)
        imported.warnings += (f"{name}: {warning}" for warning in writer.warnings)
    seen.save()
    return imported


def _changed(place: Place, path: Path, seen: Seen, imported: Imported) -> list[_Found]:
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    changed: list[_Found] = []
    pieces = _Pieces()
    for file in place.counting("files", files):
        if file != path and pieces.holds(file):
            continue
        label = str(file.relative_to(path)) if file != path else file.name
        imported.files += 1
        if file.is_symlink() and file != path:
            imported.ignored.append({"file": label, "reason": "a link: import what it leads to"})
            continue
        status = file.stat()
        stamp = f"{status.st_size}.{status.st_mtime_ns}"
        if _is_known(str(file), stamp, seen, imported):
            continue
        try:
            changed += _sessions(file, label, stamp, seen, imported)
        except (HandoffError, OSError) as error:
            imported.ignored.append({"file": label, "reason": getattr(error, "message", str(error))})
    imported.files += pieces.count
    if pieces.count:
        label = f"{pieces.first.relative_to(path)}" + (f" and {pieces.count - 1} more" if pieces.count > 1 else "")
        imported.ignored.append({"file": label, "reason": "messages and parts of OpenCode's sessions, read with them"})
    return changed


class _Pieces:
    """The small files of OpenCode's older store that are no session; one message of each session stands for it, lest its own file is lost."""

    def __init__(self) -> None:
        self.count = 0
        self.first = Path()
        self._sessions: set[Path] = set()

    def holds(self, file: Path) -> bool:
        """Whether *file* is one that need not be opened."""
        if not file.name.startswith(("msg_", "prt_")) or file.suffix != ".json":
            return False
        if file.name.startswith("msg_") and file.parent not in self._sessions:
            self._sessions.add(file.parent)
            return False
        self.first = self.first if self.count else file
        self.count += 1
        return True


def _once(changed: list[_Found]) -> list[_Found]:
    """*changed* with each session of OpenCode once: every file of its older store leads to all of the session it belongs to."""
    first: dict[str, _Found] = {}
    for one in sorted(changed, key=lambda one: (not one.log, one.path.name.startswith("msg_"), one.label)):
        first.setdefault(one.head.source, one)
    return [one for one in changed if one.head.format != "opencode" or first[one.head.source] is one]


def _is_known(key: str, stamp: str, seen: Seen, imported: Imported) -> bool:
    project = seen.project(key, stamp)
    if project:
        imported.read += 1
        imported.unchanged += 1
        imported.projects[project] = imported.projects.get(project, 0) + 1
    return bool(project)


def _sessions(file: Path, label: str, stamp: str, seen: Seen, imported: Imported) -> Iterator[_Found]:
    """The sessions in *file* that are to be read."""
    found = sources.heads(file)
    for head in found:
        head.cwd = head.cwd or (ending.directory(file, head.format) if len(found) == 1 else "")
        one = _Found(file, label, stamp, head) if len(found) == 1 else _Found(file, f"{label}#{head.session}", stamp, head, head)
        if head.agent:
            imported.ignored.append({"file": one.label, "reason": "a sub-agent's log, read with its session"})
        elif one.log is None or not _is_known(one.key, stamp, seen, imported):
            yield one


def _project_of(place: Place, workspace: Workspace, found: _Found, imported: Imported) -> tuple[str, Workspace]:
    """The project that the session worked in, made where it is missing; nothing where the log does not say."""
    folder = Path(found.head.cwd) if found.head.cwd else None
    if folder is None or not folder.is_absolute() or ".." in folder.parts:
        imported.ignored.append({"file": found.label, "reason": "it names no working directory, so it belongs to no project"})
        return "", workspace
    if is_ours(place, found.head.cwd):
        imported.ignored.append({"file": found.label, "reason": "one of handoffsite's own sessions, held with a summariser"})
        return "", workspace
    name = workspace.containing(folder)
    if name:
        return name, workspace
    repository = boundaries.repository_of(folder.resolve()) if folder.exists() else None
    home = boundaries.main_repository(repository) if repository else folder
    if workspace.root == home or home in workspace.root.parents:
        imported.ignored.append({"file": found.label, "reason": "it worked in the workspace itself, which is no project"})
        return "", workspace
    known = workspace.containing(home)
    if known:
        return known, workspace
    name = workspace.free_name(home)
    workspaces.rewrite(workspace.root / config.FILE, lambda text: config.with_project(text, name, home))
    workspace = workspace_at(workspace.root)
    return name, workspace


def _record_all(place: Place, writer: Writer, logs: list[_Found], seen: Seen, imported: Imported) -> None:
    from handoffsite.commands import end  # noqa: PLC0415 -- the extractor is slow to load, and often nothing has changed
    from handoffsite.commands.reading import Input, read  # noqa: PLC0415 -- as above

    boundary = writer.boundary
    name = boundary.project.name
    for found in place.counting(f"sessions of {name}", logs):
        try:
            given = Input(transcript=found.path, format=found.head.format, log=found.log, filed=True)
            ended = end.record(writer, read(place, boundary, given))
        except Unwritten:
            raise  # the log is not to blame, and the next one would not be written either
        except (HandoffError, OSError) as error:
            imported.ignored.append({"file": found.label, "reason": getattr(error, "message", str(error))})
            continue
        imported.read += 1
        imported.projects[name] = imported.projects.get(name, 0) + 1
        imported.created += [ended.session] if ended.created else []
        imported.warnings += [f"{found.label}: {warning}" for warning in ended.warnings]
        seen.note(found.key, found.stamp, name)
