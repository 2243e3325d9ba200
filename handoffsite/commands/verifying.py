"""`handoff verify`: every check run by us, in a clean checkout of the result's revision; what it printed is the evidence."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handoffsite import programs
from handoffsite.commands import authority
from handoffsite.commands.place import Place
from handoffsite.commands.reading import redactor_of
from handoffsite.errors import HandoffError, Refused
from handoffsite.records import authority as scopes
from handoffsite.records.handoff import Handoff
from handoffsite.records.identity import digest
from handoffsite.records.redaction import clean_document
from handoffsite.records.visible import visible
from handoffsite.sources import git
from handoffsite.store import contracts
from handoffsite.store.boundary import Boundary

_KEPT = 64_000  # characters of what a check printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Whether every check passed, what each found, and where the evidence lies."""

    passed: bool
    checks: tuple[Mapping[str, Any], ...]
    files: tuple[str, ...]


def verified(place: Place, boundary: Boundary, handoff: Handoff) -> Verified:
    """Run the acceptance checks of *handoff* against its result. The evidence of each is kept before the next one begins."""
    result = handoff.result
    if result is None:
        raise Refused(f"{handoff.id} has no result", hint=f"`handoffsite handoff submit {handoff.id}` hands one in")
    repository = boundary.repository
    if repository is None:
        raise Refused("there is no repository to check out", hint="a contract is verified where its work is done")
    deadline = time.monotonic() + handoff.contract.seconds
    checks: list[Mapping[str, Any]] = []
    files: list[str] = []

    redactor = redactor_of(boundary)

    def keep(said: Mapping[str, Any]) -> None:
        found = clean_document(said, redactor)
        checks.append(found)
        files.append(contracts.keep(boundary, handoff.id, handoff.attempt, f"check-{found['id']}", found))

    revision = git.resolve(repository, result["revision"])
    keep(_scope(place, boundary, handoff, revision))
    environment = programs.clean(place.environment)
    with programs.checkout(repository, revision, environment) as folder:
        for one in handoff.contract.acceptance:
            keep(_check(boundary, handoff, one, folder=folder, environment=environment, deadline=deadline, revision=revision))
    return Verified(passed=all(one["passed"] for one in checks), checks=tuple(checks), files=tuple(files))


def _check(
    boundary: Boundary,
    handoff: Handoff,
    one: Mapping[str, Any],
    *,
    folder: Path,
    environment: Mapping[str, str],
    deadline: float,
    revision: str,
) -> dict[str, Any]:
    """One acceptance check: run where it can be run, else judged by the evidence that was handed in."""
    found: dict[str, Any] = {"id": one["id"], "assertion": one["assertion"], "revision": revision, "claim": _claim(handoff, one)}
    command = one.get("verificationCommand")
    if not command:
        given = (handoff.result or {}).get("evidence", {}).get(one["id"], "")
        required = bool(one.get("evidenceRequired"))
        why = "" if given or not required else "evidence is required, and none was handed in"
        return {
            **found,
            "passed": not why,
            "executed": False,
            "evidence": given,
            "why": why or "judged by the evidence alone: no command was given",
        }
    words, network = ["sh", "-c", command], "permitted, not limited"
    if not handoff.contract.permissions["network"]:
        words, offline = programs.isolated(words, environment, folder)
        network = "none, enforced" if offline else "not enforced by this system"
    left = deadline - time.monotonic()
    try:
        if left <= 0:
            raise Refused("the contract's wall clock ran out before it could run")
        done = programs.run(words, folder=folder, environment=environment, seconds=left, most_output=4 * _KEPT)
    except HandoffError as error:
        return {**found, "passed": False, "executed": False, "command": command, "why": error.message, "network": network}
    redactor = redactor_of(boundary)
    output = visible(redactor.clean((done.stdout + done.stderr).decode("utf-8", "replace")[:_KEPT]))
    return {
        **found,
        "passed": done.succeeded,
        "executed": True,
        "command": redactor.clean(command),
        "exitStatus": done.status,
        "stopped": done.stopped,
        "seconds": round(done.seconds, 3),
        "output": output,
        "outputDigest": f"sha256:{digest(output)}",
        "network": network,
        "why": "" if done.succeeded else f"stopped: {done.stopped}" if done.stopped else f"exit status {done.status}",
    }


def _scope(place: Place, boundary: Boundary, handoff: Handoff, revision: str) -> dict[str, Any]:
    """Whether the result changed nothing but what it may: compared with the commit at which the attempt started."""
    repository = boundary.repository
    started = handoff.of_attempt("start")
    base = str((started.data or {}).get("head", "")) if started else ""
    found: dict[str, Any] = {
        "id": "scope",
        "assertion": "every changed file is within the scope",
        "revision": revision,
        "base": base,
    }
    if not base or repository is None:
        return {**found, "passed": False, "executed": False, "why": "the commit at which it started is not known"}
    effective = authority.scope(authority.known(place, boundary), handoff.contract)
    include, exclude = handoff.contract.said["scope"]["include"], handoff.contract.said["scope"]["exclude"]
    own = f"{boundary.root.relative_to(repository).as_posix()}/"  # what the protocol itself writes is nobody's work
    changed = [path for path in git.changed_paths(repository, base, revision) if not path.startswith(own)]
    outside = [
        path
        for path in changed
        if not scopes.covers("write", effective.granted["write"], path)
        or (include and not scopes.covers("write", include, path))
        or scopes.covers("write", exclude, path)
    ]
    why = f"changed outside of its scope: {', '.join(outside[:20])}" if outside else ""
    return {
        **found,
        "passed": not outside,
        "executed": True,
        "changed": list(changed)[:500],
        "outside": outside[:500],
        "why": why,
    }


def _claim(handoff: Handoff, one: Mapping[str, Any]) -> str:
    """What the assignee says of this check: a claim, which may disagree with what was found."""
    commands = {str(said["command"]).strip(): said["exitStatus"] for said in (handoff.result or {}).get("commands", ())}
    status = commands.get(str(one.get("verificationCommand", "")).strip())
    return "" if status is None else f"exit status {status}"
