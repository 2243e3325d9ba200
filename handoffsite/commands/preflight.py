"""`handoff preflight`: six checks before a token is spent; each verdict says what to repair."""

import hashlib
import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handoffsite import programs
from handoffsite.commands import authority
from handoffsite.commands.authority import Known
from handoffsite.commands.place import Place, cache_of
from handoffsite.errors import HandoffError, Refused
from handoffsite.records import authority as scopes
from handoffsite.records.contract import INTEGRATION, Contract
from handoffsite.records.handoff import Handoff
from handoffsite.sources import git
from handoffsite.store import turn
from handoffsite.store.boundary import Boundary

KEPT_SECONDS = 3600  # for which an agent's answer to its probe counts
_MOST_OUTPUT = 256_000
_WHOLE = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SCHEDULED = re.compile(
    r"\b(?:cron|scheduled?|nightly|hourly|daily|weekly|every (?:\d+ )?(?:minutes?|hours?|days?|night|morning|week))\b",
    re.IGNORECASE,
)
# What shows that something compiles, and nothing about whether anybody can reach it.
_BUILDS_ONLY = re.compile(
    r"^(?:(?:go|cargo|dotnet|gradle|\./gradlew|mvn|bazel|docker|swift|zig|yarn|(?:npm|pnpm|yarn|bun) run)\s+(?:build|compile|assemble|package|check|vet)"
    r"|(?:make|ninja)(?:\s+(?:build|all|compile))?$|cmake --build|tsc|gcc|clang|cc|javac|rustc|python3? -m (?:compileall|py_compile)|node --check|true|:|echo)"
    r"(?:\s|$)"
)
_TESTS = re.compile(r"\b(?:tests?|spec|verify|e2e|integration|curl|pytest)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one check found: whether it *passed*, what it saw, and the *repair*."""

    check: str
    passed: bool
    message: str
    repair: str = ""

    def mapping(self) -> dict[str, Any]:
        """As `handoff preflight --json` prints it."""
        return {name: getattr(self, name) for name in ("check", "passed", "message", "repair")}


def verdicts(place: Place, boundary: Boundary, handoff: Handoff) -> list[Verdict]:
    """The six verdicts on *handoff* as things are now."""
    found = authority.known(place, boundary)
    contract = handoff.contract
    return [
        _assignee(found, contract),
        _capabilities(place, boundary, found, contract),
        _inputs(boundary, contract),
        _scope(found, contract),
        _acceptance(boundary, contract),
        _budget(handoff),
    ]


def task_of(contract: Contract) -> str:
    """What kind of work it is: as a constraint `task-type: …` says, else scheduled, code or reading."""
    said = next(
        (one.partition(":")[2].strip() for one in contract.said["constraints"] if one.lower().startswith("task-type:")), ""
    )
    if said:
        return said.lower()
    if "schedul" in contract.said["issuer"]["role"].lower() or _SCHEDULED.search(contract.objective):
        return "scheduled"
    return "code" if contract.permissions["write"] else "reading"


def _assignee(found: Known, contract: Contract) -> Verdict:
    agent, task = found.agents.get(contract.assignee), task_of(contract)
    role = contract.said["assignee"]["role"]
    if agent is None:
        known = ", ".join(found.agents) or "none"
        return _no(
            "assignee",
            f"{contract.assignee} is not known",
            f"name it under [agents.{contract.assignee}] in {found.file}; known are {known}",
        )
    if agent.role and agent.role != role:
        return _no(
            "assignee",
            f"{contract.assignee} is {agent.role}, not {role}",
            f"hand it to a {role}, or mend its role in {found.file}",
        )
    if agent.tasks and task not in agent.tasks:
        return _no(
            "assignee",
            f"{contract.assignee} does not do {task} work",
            f"it does {', '.join(agent.tasks)}: choose another assignee or route",
        )
    if task == "scheduled" and not contract.permissions["write"]:
        return _no("assignee", "a scheduled job that changes no file needs no coding agent", "run it by the scheduler itself")
    return Verdict(check="assignee", passed=True, message=f"{contract.assignee} is known, and fit for {task} work")


def _capabilities(place: Place, boundary: Boundary, found: Known, contract: Contract) -> Verdict:
    wanted = contract.permissions["tools"]
    if not wanted:
        return Verdict(check="capabilities", passed=True, message="no tool is asked for")
    agent = found.agents.get(contract.assignee)
    if agent is None or not agent.probe:
        return _no(
            "capabilities",
            "nobody can say which tools it sees in its own process",
            f"give [agents.{contract.assignee}] a probe: a command of its own that lists them",
        )
    if contract.assignee not in found.trusts:
        return _no(
            "capabilities",
            f"its probe {agent.probe[0]!r} was not run: the settings that name it are not trusted",
            "add their folder to `trusted` in your own config.toml",
        )
    try:
        seen, when = _probed(place, boundary, contract.assignee, agent.probe, agent.probe_timeout)
    except HandoffError as error:
        return _no(
            "capabilities",
            f"its probe failed: {error.message}",
            "mend the probe; another agent's settings say nothing of this one",
        )
    missing = [tool for tool in wanted if tool not in seen]
    if missing:
        return _no(
            "capabilities",
            f"not among its {len(seen)} tools at {when}: {', '.join(missing)}",
            "register them in the assignee's own process, and ask again",
        )
    return Verdict(
        check="capabilities", passed=True, message=f"all {len(wanted)} are among the {len(seen)} that it saw at {when}"
    )


def _probed(place: Place, boundary: Boundary, name: str, command: Sequence[str], seconds: int) -> tuple[list[str], str]:
    """The tools that the agent lists in its own process, and when it did; an answer counts for an hour."""
    cache = cache_of(place, boundary)
    key = hashlib.sha256("\0".join((name, *command)).encode()).hexdigest()[:16]
    kept = turn.told(cache, f"probe-{key}.json")
    now = place.now.timestamp()
    if kept and 0 <= now - float(kept.get("asked", 0)) < KEPT_SECONDS:
        return [str(one) for one in kept["tools"]], str(kept["when"])
    done = programs.run(command, folder=boundary.home, environment=place.environment, seconds=seconds, most_output=_MOST_OUTPUT)
    if not done.succeeded:
        raise HandoffError(f"{'no answer in time' if done.stopped else f'status {done.status}'}: {done.complaint[:200]}")
    tools = _tools(done.output)
    turn.tell(cache, {"tools": tools, "when": place.time, "asked": now}, f"probe-{key}.json")
    return tools, place.time


def _tools(output: str) -> list[str]:
    """The names in *output*: a JSON list of names or of objects with one, or one on each line."""
    try:
        found = json.loads(output)
    except (ValueError, RecursionError):
        return [line.split()[0].lstrip("-*") or line.split()[-1] for line in output.splitlines() if line.strip()]
    found = found.get("tools", []) if isinstance(found, dict) else found
    return [str(one.get("name", "")) if isinstance(one, dict) else str(one) for one in found] if isinstance(found, list) else []


def _inputs(boundary: Boundary, contract: Contract) -> Verdict:
    wrong = [f"{one['name']}: {fault}" for one in contract.said["inputs"] if (fault := _fault(boundary, one))]
    if wrong:
        return _no("inputs", "; ".join(wrong[:5]), "pin each input: git:COMMIT:PATH, or file:PATH with its sha256 digest")
    return Verdict(
        check="inputs", passed=True, message=f"{len(contract.said['inputs'])} are there, at the revisions that are named"
    )


def _fault(boundary: Boundary, given: dict[str, str]) -> str:
    """What is wrong with an input; nothing where it is there and cannot change."""
    scheme, _, rest = given["uri"].partition(":")
    digest = given.get("digest", "").removeprefix("sha256:")
    if scheme == "git":
        revision, _, path = rest.partition(":")
        root = boundary.repository
        if root is None:
            return "there is no repository here"
        whole = _resolved(root, revision)
        if not whole:
            return f"git knows no revision {revision[:60]!r}"
        if not _WHOLE.fullmatch(revision):
            return f"{revision[:60]!r} may move: pin it to {whole}"
        content = git.content(root, whole, path) if path else b""
        if content is None:
            return f"{path} is not in {revision[:12]}"
        return _differs(content, digest) if path else ""
    if scheme == "file":
        if not digest:
            return "a file may change: give its digest"
        path_ = (boundary.home / rest.removeprefix("//")).resolve()
        if not path_.is_relative_to(boundary.home.resolve()):
            return "it leads out of the repository"
        return _differs(path_.read_bytes(), digest) if path_.is_file() else "it is not there"
    return f"{scheme[:20]}: is not known; git: and file: are"


def _resolved(root: Path, revision: str) -> str:
    try:
        return git.resolve(root, revision)
    except Refused:
        return ""


def _differs(content: bytes, digest: str) -> str:
    found = hashlib.sha256(content).hexdigest()
    return f"its digest is sha256:{found}" if digest and digest != found else ""


def _scope(found: Known, contract: Contract) -> Verdict:
    effective = authority.scope(found, contract)
    if effective.removed:
        said = "; ".join(f"{one.kind} {one.entry} (by {one.factor})" for one in effective.removed[:8])
        return _no("scope", f"more than the policy allows: {said}", f"ask for less, or widen [policy] in {found.file}")
    outside = [one for one in contract.permissions["write"] if contract.said["scope"]["include"] and not _in_scope(contract, one)]
    if outside:
        return _no(
            "scope",
            f"it may write {', '.join(outside)}, which its own scope does not include",
            "make permissions.write and scope.include agree",
        )
    return Verdict(check="scope", passed=True, message="nothing that it asks for is taken away")


def _in_scope(contract: Contract, path: str) -> bool:
    plain = path.replace("**", "x").replace("*", "x")
    return scopes.covers("write", contract.said["scope"]["include"], plain) or path in contract.said["scope"]["include"]


def _acceptance(boundary: Boundary, contract: Contract) -> Verdict:
    checks = contract.acceptance
    bare = [one["assertion"] for one in checks if one["assertion"] in INTEGRATION and not one.get("verificationCommand")]
    if bare:
        return _no(
            "acceptance", f"points of the integration without a check: {', '.join(bare)}", "give each a verificationCommand"
        )
    commands = [str(one["verificationCommand"]) for one in checks if one.get("verificationCommand")]
    if not commands:
        return _no("acceptance", "no check has a verificationCommand", "say what to run, so that somebody else can")
    if all(builds_only(command) for command in commands):
        return _no(
            "acceptance", f"only shows that it builds: {commands[0]}", "add a check that calls what was made, as its users will"
        )
    entries = boundary.project.entry_points
    if entries and not any(entry in command for command in commands for entry in entries):
        return _no("acceptance", "no check goes through a public entry point", f"let one use {' or '.join(entries)}")
    told = "through an entry point" if entries else "the project names no entry_points in project.toml"
    return Verdict(check="acceptance", passed=True, message=f"{len(commands)} of {len(checks)} checks can be run; {told}")


def builds_only(command: str) -> bool:
    """Whether *command*, each part of it, only compiles or says something."""
    parts = [part.strip() for part in re.split(r"&&|\|\||;|\n", command) if part.strip()]
    return all(_BUILDS_ONLY.match(part) and not _TESTS.search(" ".join(_words(part)[1:])) for part in parts)


def _words(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:
        return part.split()


def _budget(handoff: Handoff) -> Verdict:
    contract = handoff.contract
    if handoff.attempt > contract.most_attempts:
        return _no(
            "budget",
            f"attempt {handoff.attempt} of {contract.most_attempts}",
            "propose it anew with a larger budget, under a new key",
        )
    return Verdict(
        check="budget",
        passed=True,
        message=f"reserved: {contract.seconds} s for attempt {handoff.attempt} of {contract.most_attempts}",
    )


def _no(check: str, message: str, repair: str) -> Verdict:
    return Verdict(check=check, passed=False, message=message, repair=repair)
