"""Cursor: where its agent's transcripts lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import folder
from handoffsite.clients.log import Log

NAME = "cursor"

retention = folder.unlimited

_STEPS = (("*.jsonl",), ("*.txt",), ("*", "*.jsonl"), ("*", "*.txt"))


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every session's transcript; sub-agents' lie one folder deeper.

    They do not say where they were held, and the folder's name may mean several paths; the file by which the user trusted the
    workspace names it.
    """
    del roots
    for project in folder.folders(folder.home(environment) / ".cursor" / "projects", "*"):
        cwd = folder.settings(project / ".workspace-trusted").get("workspacePath")
        for steps in _STEPS:
            yield from folder.logs(NAME, project, "agent-transcripts", *steps, cwd=cwd if isinstance(cwd, str) else "")
