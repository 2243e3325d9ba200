"""What `watch` looks at: the files that a build reads, and what tells one state of them from another."""

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from handoffsite import config
from handoffsite.commands.build import TEMPLATES, output, scope
from handoffsite.commands.place import Place
from handoffsite.store import artefacts
from handoffsite.store.boundary import Boundary
from handoffsite.store.workspace import BUILD, CONTENT, Workspace

# Of each file: its size, its times and its number on the disk.
Look = Mapping[str, tuple[int, int, int, int]]

# What programs write beside a file while they save it, and what no build reads.
_PASSING = re.compile(
    r"\.|#.*#\Z|4913\Z|.*(?:~|\.(?:tmp|temp|swp|swx|swo|part|bak|orig)|___jb_(?:tmp|old)___)\Z", re.DOTALL | re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Sources:
    """What a build reads: whole *folders*, and single *files*; *outputs* are what it writes, wherever that lies. *site* is the site's folder."""

    folders: tuple[Path, ...]
    files: tuple[Path, ...]
    outputs: frozenset[str]
    site: Path

    def holds(self, path: str) -> bool:
        """Whether a build could read the file *path*: not what it wrote itself, and nothing that lies there while a file is saved."""
        one = Path(path)
        if one in self.files or one in self.folders:
            return True
        for folder in self.folders:
            if one.is_relative_to(folder):
                parts = one.relative_to(folder).parts
                inside = (str(folder.joinpath(*parts[: count + 1])) for count in range(len(parts)))
                return not any(map(is_passing, parts)) and self.outputs.isdisjoint(inside)
        return False

    def look(self) -> dict[Path, Look]:
        """Every file as it lies there now, by the folder or file that it was found in."""
        found: dict[Path, Look] = {folder: dict(self._walk(str(folder))) for folder in self.folders}
        for file in self.files:
            with contextlib.suppress(OSError):
                found[file] = {str(file): _stamp(file.stat())}
        return found

    def _walk(self, top: str) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
        folders = [top]
        while folders:
            with contextlib.suppress(OSError), os.scandir(folders.pop()) as entries:  # gone, or not to be read: a build says so
                for entry in entries:
                    if is_passing(entry.name) or entry.path in self.outputs:
                        continue
                    with contextlib.suppress(OSError):
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                        else:
                            yield entry.path, _stamp(entry.stat())


def sources(place: Place, *, workspace: bool = False) -> Sources:
    """What `build` reads for the same words; NoProject where there is nothing to build."""
    boundaries, around, _ = scope(place, workspace=workspace)
    folders = dict.fromkeys(folder for boundary in boundaries for folder in _folders(boundary))
    files: tuple[Path, ...] = ()
    if around:
        whole = len(boundaries) != 1 or workspace or around.root == place.folder.resolve()
        folders = dict.fromkeys([*([around.root / CONTENT] if whole else []), around.root / TEMPLATES, *folders])
        files = (around.root / config.FILE,)
    outputs = {str(boundary.root / BUILD) for boundary in boundaries} | ({str(around.root / BUILD)} if around else set())
    top = [folder for folder in folders if not any(folder != other and folder.is_relative_to(other) for other in folders)]
    return Sources(tuple(top), files, frozenset(outputs), _site(boundaries[0] if boundaries else None, around))


def is_passing(name: str) -> bool:
    """Whether a file of this *name* only lies there while another one is saved."""
    return _PASSING.match(name) is not None


def _folders(boundary: Boundary) -> Iterator[Path]:
    yield boundary.root
    yield boundary.home / artefacts.OMG
    yield artefacts.home_of(boundary)


def _site(boundary: Boundary | None, around: Workspace | None) -> Path:
    if around:
        return around.root / BUILD
    assert boundary is not None  # where there is no workspace, there is a boundary
    return output(boundary, None)


def _stamp(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
