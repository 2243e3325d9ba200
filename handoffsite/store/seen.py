"""Which logs were read already, and what they said."""

import contextlib
import json
import os
from pathlib import Path
from typing import Any, Self

from handoffsite import durable
from handoffsite.errors import Unwritten
from handoffsite.store.boundary import PROJECT_FILE
from handoffsite.store.workspace import Workspace


class Seen:
    """Which logs were read, as they were then; a private cache, so losing it costs time and nothing else."""

    def __init__(self, file: Path | None, found: dict[str, list[str]], workspace: Workspace) -> None:
        self._file = file
        self._found = found
        self._workspace = workspace
        self._marks: dict[str, str] = {}

    @classmethod
    def load(cls, cache: Path, workspace: Workspace) -> Self:
        """What is known of *workspace*, below the user's *cache*."""
        key = durable.digest(str(workspace.root.resolve()).encode("utf-8", "surrogateescape"))[:20]
        folder = durable.cache_folder(cache, "workspaces", key)
        file = folder / "imported.json" if folder else None
        if folder:
            durable.clear_litter(folder, shared=True)
        try:
            found = json.loads(file.read_bytes()) if file and file.is_file() else {}
        except ValueError:
            found = {}
        return cls(file, found, workspace)

    def project(self, log: str, stamp: str) -> str:
        """The project that this log was recorded in, if it is unchanged and the project's records are still there."""
        known = self._found.get(log)
        return known[1] if known and known[0] == stamp and known[2] == self._mark(known[1]) else ""

    def note(self, log: str, stamp: str, project: str) -> None:
        """The log of that name was read, as *stamp* tells it, into *project*."""
        self._found[log] = [stamp, project, self._mark(project)]

    def save(self) -> None:
        """Keep what is known for the next time."""
        if self._file:
            durable.write(self._file, json.dumps(self._found).encode(), sync=False, mode=durable.PRIVATE_FILE)

    def _mark(self, project: str) -> str:
        """What tells that a project is the same as it was: a workspace made anew at the same place has other ids."""
        if project not in self._marks:
            file = self._workspace.content_of(project) / PROJECT_FILE
            self._marks[project] = durable.digest(file.read_bytes())[:16] if file.is_file() else ""
        return self._marks[project]


class Looked:
    """What the logs in their agents' own places said when they were looked at, and how far each was recorded.

    A private cache: losing it costs time and nothing else. What another *version* kept is not used, for it may have read otherwise.
    """

    def __init__(self, file: Path | None, version: str, found: dict[str, Any]) -> None:
        self._file = file
        self._version = version
        self._logs: dict[str, Any] = found.get("logs", {})
        self._done: dict[str, Any] = found.get("done", {})
        self._met: dict[str, Any] = {}
        self._is_changed = False

    @classmethod
    def load(cls, cache: Path, version: str) -> Self:
        """What is known below the user's *cache*."""
        folder = durable.cache_folder(cache, "logs")
        file = folder / "looked.json" if folder else None
        try:
            found = json.loads(file.read_bytes()) if file and file.is_file() else {}
        except (ValueError, OSError):
            found = {}
        is_ours = isinstance(found, dict) and found.get("version") == version
        return cls(file, version, found if is_ours else {})

    def said(self, log: str, stamp: str) -> Any:
        """What `keep` was given of *log*; None where the log is not as *stamp* tells it, or was never looked at."""
        known = self._logs.get(log)
        if known is None or known[0] != stamp:
            return None
        self._met[log] = known
        return known[1]

    def keep(self, log: str, stamp: str, said: Any) -> None:
        """Know what *log* said, as *stamp* tells it."""
        self._met[log] = [stamp, said]
        self._is_changed = True

    def recorded(self, boundary: str, session: str) -> str:
        """The mark with which *session* was recorded in *boundary* last, or nothing."""
        return str(self._done.get(boundary, {}).get(session, ""))

    def record(self, boundary: str, session: str, mark: str) -> None:
        """The *session* is recorded in *boundary* as far as *mark* tells it."""
        self._done.setdefault(boundary, {})[session] = mark
        self._is_changed = True

    def save(self) -> None:
        """Keep what is known for the next time; what was known of logs that are gone is forgotten."""
        gone = {log for log in self._logs.keys() - self._met.keys() if not os.path.lexists(log)}
        if self._file is None or not (self._is_changed or gone):
            return
        kept = {log: known for log, known in (self._logs | self._met).items() if log not in gone}
        done = {
            boundary: {session: mark for session, mark in marks.items() if session.partition("#")[0] not in gone}
            for boundary, marks in self._done.items()
        }
        found = {"version": self._version, "logs": kept, "done": done}
        with contextlib.suppress(Unwritten):
            durable.write(self._file, json.dumps(found).encode(), sync=False, mode=durable.PRIVATE_FILE)
