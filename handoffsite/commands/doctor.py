"""`doctor`: what is set up, what is not, and what was not checked."""

import platform
from typing import Any

from handoffsite import __version__, clients
from handoffsite.commands import check, set_up, summarizer
from handoffsite.commands.logs import Search, Session
from handoffsite.commands.place import Place, cache_of, find_boundary, find_workspace
from handoffsite.commands.set_up import Known
from handoffsite.errors import HandoffError, NoProject
from handoffsite.sources import git
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

# So many of the newest logs that nobody looked at yet are looked at; a machine may hold thousands.
MOST_LOGS = 500
MOST_FAULTS = 10  # named one by one
SHORT_DAYS = 30


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
        names = workspace.names()
        told = "" if boundary else f": {', '.join(names) or 'none yet'}"  # inside a project, nobody is told of the others
        findings.append(_finding("ok", "workspace", f"{len(names)} projects{told}"))
    if boundary:
        findings += _of_boundary(place, boundary)
    findings += _of_logs(place, boundary)
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
    asking = summarizer.chosen(place, boundary)
    found += [_finding("note", "summariser", warning) for warning in asking.warnings]
    said = f"{asking.name}, for at most {asking.seconds} s a session" if asking else "none: items are extracted without one"
    found.append(_finding("ok", "summariser", said))
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
    """How many logs there are on this machine, how many of their sessions are this project's, and how many belong to no project."""
    search = Search(place, [boundary] if boundary else [])
    sessions = [one for one in search.sessions(most=MOST_LOGS) if not one.is_agents]
    own = search.own(boundary, sessions) if boundary else []
    new = _unrecorded(place, boundary, search, own) if boundary else []
    of_clients = set_up.findings(Known(place=place, boundary=boundary, search=search, own=own, new=new))
    found = [_finding("unchecked", "logs", f"{one['file']}: {one['reason']}") for one in search.faults[:MOST_FAULTS]]
    if len(search.faults) > MOST_FAULTS:
        found.append(_finding("unchecked", "logs", f"{len(search.faults) - MOST_FAULTS} more cannot be read"))
    if not search.files:
        return [_finding("note", "logs", "no agent's logs were found in their usual places"), *found, *of_clients]
    unassigned = sum(search.owner(one) is None for one in sessions)
    looked_at = f"{search.files - search.left} logs looked at, of {', '.join(sorted(search.clients))}"
    message = f"{looked_at}: {len(own)} sessions of this project, {unassigned} of no project known here, {len(search.faults)} logs unreadable"
    found.insert(0, _finding("ok", "logs", message))
    if new:
        message = f"{len(new)} of them are not recorded yet, or went on since"
        found.append(_finding("note", "sessions", message, "`handoffsite catch-up` records those that are finished"))
    if search.left:
        found.append(_finding("unchecked", "logs", f"{search.left} older ones; `handoffsite catch-up` looks at all"))
    search.save()
    return found + of_clients + _of_retention(place, search)


def _unrecorded(place: Place, boundary: Boundary, search: Search, own: list[Session]) -> list[Session]:
    with Fold(boundary, cache_of(place, boundary)) as fold:
        return search.unrecorded(boundary, fold, own)


def _of_retention(place: Place, search: Search) -> list[dict[str, str]]:
    """The clients in use here that delete logs so soon that a holiday may cost a session."""
    short = [one for one in clients.retentions(place.environment) if one.days <= SHORT_DAYS and one.client in search.clients]
    return [
        _finding(
            "note",
            "retention",
            f"{one.client} deletes its logs after {one.days} days; what is not recorded by then is lost",
            f"raise {one.setting}",
        )
        for one in short
    ]


def _finding(state: str, what: str, message: str, fix: str = "") -> dict[str, str]:
    return {"state": state, "what": what, "message": message, "fix": fix}
