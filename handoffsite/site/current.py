"""Whether a site shows the records as they stand: answered from digests, without drawing a page."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from handoffsite import durable
from handoffsite.records.problem import Problem
from handoffsite.records.project import Project
from handoffsite.site import swap, theme


def stamp(
    project: Project,
    record_set: str,
    *,
    problems: Sequence[Problem] = (),
    overrides: Sequence[Path] = (),
    workspace: bool = False,
    base_url: str = "",
    tasks: Sequence[Any] = (),
) -> str:
    """The digest of everything that a site is made of: equal stamps, equal sites."""
    told = [(one.code, one.severity, location(one), one.line, one.message, one.fix) for one in problems]
    return digest_of(generator(project, theme.digest(overrides), workspace), record_set, told, base_url, tasks)


def is_current(out: Path, stamp: str) -> bool:
    """Whether the site at *out* was built from what has *stamp*, and no file of it is missing. Reads names and one manifest."""
    manifest = swap.read(out)
    return manifest is not None and manifest.stamp == stamp and manifest.files.keys() <= swap.names(out)


def settle(out: Path, cache: Path | None) -> None:
    """Clear what builds that died left in and beside the site at *out*, and in the *cache* of compiled templates."""
    swap.settle(out)
    if cache:
        durable.clear_litter(cache, shared=True)


def generator(project: Project, look: str, workspace: bool) -> str:
    """The digest of what all pages of a site share."""
    return digest_of(project.id, project.name, project.title, project.description, project.repository, look, workspace)


def digest_of(*values: Any) -> str:
    """One digest for *values*, by how they print."""
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def location(problem: Problem) -> str:
    """The file of *problem*, without the folder that the project happens to lie in."""
    file = problem.file
    return file.rpartition("/")[2] if file.startswith(("/", "\\")) or ":" in file[:3] else file
