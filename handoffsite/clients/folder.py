"""What lies in the folders where agents keep their logs; read only, and no link in them is followed."""

import json
import os
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from handoffsite.clients.log import Log

_LONGEST = 4 << 20  # bytes of a settings file


def home(environment: Mapping[str, str]) -> Path:
    """The user's home folder; where none is named, one in which nothing can be."""
    return Path(environment.get("HOME") or os.devnull)


def named(environment: Mapping[str, str], variable: str, *otherwise: str) -> Path:
    """The folder that *variable* names; else the one to which *otherwise* leads from the home folder."""
    folder = environment.get(variable, "")
    return Path(folder) if folder else home(environment).joinpath(*otherwise)


def data_home(environment: Mapping[str, str]) -> Path:
    """Where programs keep the user's data; the XDG specification has a relative path ignored."""
    folder = environment.get("XDG_DATA_HOME", "")
    return Path(folder) if folder.startswith("/") else home(environment) / ".local" / "share"


def unlimited(environment: Mapping[str, str]) -> int | None:
    """After how many days logs are deleted: they are not."""
    del environment
    return None


def logs(client: str, root: Path, *steps: str, cwd: str = "", digest: str = "") -> Iterator[Log]:
    """The files below *root* to which *steps* lead, each the pattern of one name; by name.

    *root* may be a link, as parts of a home folder often are; below it none is followed. What is missing yields nothing, what cannot
    be read a Log that says why.
    """
    for entry in _entries(client, str(root), steps):
        if isinstance(entry, Log):
            yield entry
            continue
        try:
            if not entry.is_file(follow_symlinks=False):
                continue
            status = entry.stat(follow_symlinks=False)
        except OSError:  # it vanished between the listing and here
            continue
        stamp = f"{status.st_size}.{status.st_mtime_ns}"
        yield Log(path=Path(entry.path), client=client, stamp=stamp, time=status.st_mtime, cwd=cwd, digest=digest)


def folders(root: Path, *steps: str) -> Iterator[Path]:
    """The folders below *root* to which *steps* lead, by name; what cannot be read is left out."""
    for entry in _entries("", str(root), steps):
        if not isinstance(entry, Log) and _is_folder(entry):
            yield Path(entry.path)


def settings(file: Path) -> Mapping[str, Any]:
    """The object in *file*; an empty one where there is none to be read."""
    try:
        with file.open("rb") as stream:
            found = json.loads(stream.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _entries(client: str, folder: str, steps: tuple[str, ...]) -> Iterator[os.DirEntry[str] | Log]:
    """What stands at the end of *steps*, whatever it is."""
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry for entry in entries if fnmatchcase(entry.name, steps[0])), key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        yield Log(path=Path(folder), client=client, fault=error.strerror or str(error))
        return
    for entry in found:
        if len(steps) == 1:
            yield entry
        elif _is_folder(entry):
            yield from _entries(client, entry.path, steps[1:])


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
