"""`doctor`: what is set up, what is not, and what was not checked."""

import platform
from typing import Any

from handoffsite import __version__, clients, sources
from handoffsite.commands import check
from handoffsite.commands.place import Place, cache_of, find_boundary, find_workspace
from handoffsite.commands.reading import belongs
from handoffsite.errors import HandoffError, NoProject
from handoffsite.sources import git
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

# So many of the newest logs are looked at; a machine may hold thousands.
MOST_LOGS = 500


def doctor(place: Place) -> dict[str, Any]:
    """Findings, each `ok`, `note`, `problem` or `unchecked`, with what to do."""
    findings = [_finding("ok", "handoffsite", f"{__version__}, Python {platform.python_version()}")]
    boundary: Boundary | None = None
    try:
        boundary = find_boundary(place)
    except NoProject as error:
        findings.append(_finding("note", "project", str(error), error.hint))
    except HandoffError as error:
        findings.append(_finding("problem", "project", str(error), error.hint))
    workspace = find_workspace(place)
    if workspace:
        findings.append(
            _finding("ok", "workspace", f"{len(workspace.names())} projects: {', '.join(workspace.names()) or 'none yet'}")
        )
    if boundary:
        findings += _of_boundary(place, boundary)
    findings += _of_logs(place, boundary)
    findings.append(_finding("unchecked", "hooks", "whether an agent's client calls handoffsite by itself"))
    return {"findings": findings}


def _of_boundary(place: Place, boundary: Boundary) -> list[dict[str, str]]:
    found = [_finding("ok", "project", f"{boundary.project.name} ({boundary.project.id})")]
    folder = cache_of(place, boundary)
    found.append(
        _finding("ok", "cache", "kept in the user's own cache folder")
        if folder
        else _finding(
            "note",
            "cache",
            "none can be kept, so every command folds all records anew",
            "make XDG_CACHE_HOME a folder of your own",
        )
    )
    with Fold(boundary, folder) as fold:
        found.append(_finding("ok", "records", f"{fold.generation()}, of which {fold.session_count()} are sessions"))
    repository = boundary.repository
    if repository is None:
        found.append(_finding("note", "git", "no repository, so dependency changes come from logs and notes alone"))
    else:
        head = git.head(repository)
        found.append(_finding("ok", "git", f"at {head[:12]}" if head else "a repository without a commit"))
    problems = check.problems_of(boundary)
    found += [
        _finding("problem" if one.severity == "error" else "note", "check", f"{one.file}: {one.message}", one.fix)
        for one in problems
    ]
    return found


def _of_logs(place: Place, boundary: Boundary | None) -> list[dict[str, str]]:
    """How many logs there are on this machine, how many are this project's, and how many belong to no project."""
    count = own = unassigned = unreadable = 0
    for path in clients.transcripts(place.environment):
        count += 1
        if count > MOST_LOGS:
            break
        try:
            head = sources.peek(path)
        except (HandoffError, OSError):
            unreadable += 1
            continue
        answer = belongs(place, boundary, head.cwd) if boundary else None
        own += answer is True
        unassigned += answer is None
    if not count:
        return [_finding("note", "logs", "no agent's logs were found in their usual places")]
    found = [
        _finding(
            "ok",
            "logs",
            f"{min(count, MOST_LOGS)} looked at: {own} of this project, {unassigned} of no project known here, {unreadable} unreadable",
        )
    ]
    if count > MOST_LOGS:
        found.append(_finding("unchecked", "logs", f"older than the newest {MOST_LOGS}"))
    return found


def _finding(state: str, what: str, message: str, fix: str = "") -> dict[str, str]:
    return {"state": state, "what": what, "message": message, "fix": fix}
