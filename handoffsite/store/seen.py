"""Which logs a workspace has read already."""

import json
from pathlib import Path
from typing import Self

from handoffsite import durable
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
