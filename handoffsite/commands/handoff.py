"""`handoff`: a contract proposed, checked, accepted, executed, verified; every move by somebody, at some time, for some reason."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from handoffsite.commands import authority, preflight, verifying
from handoffsite.commands.place import Place, find_boundary
from handoffsite.commands.reading import redactor_of
from handoffsite.errors import Conflict, Refused, UsageError
from handoffsite.records import contract, packet
from handoffsite.records.contract import TEMPLATES
from handoffsite.records.handoff import MOVES, Handoff, Transition, cleaned
from handoffsite.records.packet import NEEDS_INFO, Packet
from handoffsite.records.redaction import clean_document
from handoffsite.sources import git
from handoffsite.store import boundary as boundaries
from handoffsite.store import contracts
from handoffsite.store.boundary import Boundary

HUMAN = "human"
# Which moves are the assignee's alone, and which follows from what class of failure.
_ASSIGNEES = frozenset(("accept", "start", "submit"))
_RETRIES: Mapping[str, str] = {
    "transient": "",
    "acceptance": "",
    "capability": "a missing capability is repaired, not retried: name the repair with --reason",
    "scope": "a conflict of scope is not retried: it goes to the issuer or a human",
    "unknown-effect": "an unknown effect is not retried blindly: reconcile it first, and say what was found with --reconciled",
}


def propose(place: Place, text: str, *, actor: str = "", template: str = "", file: str = "") -> dict[str, Any]:
    """Keep the contract in *text*; the same key again is the same handoff. However it arrives, this is the one way in."""
    if template and template not in TEMPLATES:
        raise UsageError(f"{template!r} is no template", hint=f"there are {', '.join(TEMPLATES)}")
    boundary = find_boundary(place)
    new = contract.cleaned(contract.loads(text, file), redactor_of(boundary))
    with boundaries.locked(boundary):
        made, created = contracts.propose(boundary, new, actor=actor or new.issuer, at=place.time, template=template)
    return {**mapping(made), "created": created}


def check(place: Place, id: str, *, actor: str = "") -> dict[str, Any]:
    """The six verdicts on the handoff; kept as evidence, and its state stays as it is."""
    boundary = find_boundary(place)
    found = contracts.find(boundary, id)
    verdicts = [one.mapping() for one in preflight.verdicts(place, boundary, found)]
    passed = all(one["passed"] for one in verdicts)
    report = {"at": place.time, "actor": actor or HUMAN, "attempt": found.attempt, "passed": passed, "verdicts": verdicts}
    with boundaries.locked(boundary):
        file = contracts.keep(boundary, found.id, found.attempt, "preflight", clean_document(report, redactor_of(boundary)))
    return {**mapping(found), "passed": passed, "verdicts": verdicts, "evidence": file}


def move(
    place: Place,
    id: str,
    event: str,
    *,
    actor: str = "",
    reason: str = "",
    expected: int | None = None,
    data: Mapping[str, Any] | None = None,
    reconciled: str = "",
) -> dict[str, Any]:
    """Make the move *event*; Conflict where somebody else moved it first, IllegalTransition where the lifecycle does not list it."""
    boundary = find_boundary(place)
    found = contracts.find(boundary, id)
    _refuse_stale(found, expected)
    actor = _actor(found, event, actor)
    more = dict(data or {})
    if event in {"block", "fail", "cancel"} and not reason:
        raise UsageError(f"{event} needs a reason", hint=f'handoffsite handoff {event} {found.id} --reason "…"')
    if event == "retry":
        more |= _may_retry(found, reason, reconciled)
    step = found.step(event, MOVES[event], actor=actor, at=place.time)  # an illegal move costs no preflight
    if event in {"accept", "retry"}:
        more |= _passed(place, boundary, found.after(step) if event == "retry" else found)
    if event == "start":
        more["head"] = git.head(boundary.repository) if boundary.repository else ""
    with _moving(boundary, found) as standing:
        step = standing.step(event, MOVES[event], actor=actor, at=place.time, reason=reason, data=more or None)
        moved = contracts.append(boundary, standing, cleaned(step, redactor_of(boundary)))
    return mapping(moved)


def submit(place: Place, id: str, text: str, *, actor: str = "", expected: int | None = None) -> dict[str, Any]:
    """Hand in the result in *text*; prose alone is refused, and so is what comes after the wall clock ran out."""
    boundary = find_boundary(place)
    found = contracts.find(boundary, id)
    result = contract.result(text, redactor_of(boundary))
    started = found.of_attempt("start")
    if found.state == "running" and started and (late := _seconds(started.at, place) - found.contract.seconds) > 0:
        hint = f'`handoffsite handoff fail {found.id} --class transient --reason "out of time"`, then retry'
        raise Refused(f"the wall clock of {found.contract.seconds} s ran out {late:.0f} s ago", hint=hint)
    return move(place, id, "submit", actor=actor, expected=expected, data={"result": result})


def verify(place: Place, id: str, *, actor: str = "", expected: int | None = None) -> dict[str, Any]:
    """Run every acceptance check, keep what each found, and move to succeeded or failed. The assignee does not verify its own work."""
    boundary = find_boundary(place)
    found = contracts.find(boundary, id)
    _refuse_stale(found, expected)
    actor = actor or HUMAN
    if actor == found.contract.assignee:
        raise Refused(f"{actor} is the assignee, and does not verify its own work", hint="let somebody else do it: --actor")
    found.step("verify", "succeeded", actor=actor, at=place.time)
    done = verifying.verified(place, boundary, found)
    to = "succeeded" if done.passed else "failed"
    failing = [{"id": one["id"], "why": one.get("why", "")} for one in done.checks if not one["passed"]]
    reason = "every required check passed" if done.passed else f"failed: {', '.join(one['id'] for one in failing)}"
    with _moving(boundary, found) as standing:
        more = {"evidence": list(done.files), **({"class": "acceptance", "failing": failing} if failing else {})}
        step = standing.step("verify", to, actor=actor, at=place.time, reason=reason, data=more)
        moved = contracts.append(boundary, standing, cleaned(step, redactor_of(boundary)))
    return {**mapping(moved), "passed": done.passed, "checks": [dict(one) for one in done.checks]}


def show(place: Place, id: str, *, scope: bool = False) -> dict[str, Any]:
    """One handoff: its envelope as it stands, its history, its evidence; with *scope*, what it may do and who took what away."""
    boundary = find_boundary(place)
    found = contracts.find(boundary, id)
    said = {
        **mapping(found),
        "envelope": found.envelope(),
        "history": [_step(one) for one in found.history],
        "attempts": {
            name: [{"name": file, **evidence} for file, evidence in files]
            for name, files in contracts.evidence(boundary, found.id).items()
        },
    }
    if scope:
        effective = authority.scope(authority.known(place, boundary), found.contract)
        over = found.state in {"succeeded", "failed", "cancelled"}
        granted = {kind: [] if over else list(entries) for kind, entries in effective.granted.items()}
        removed = [{"kind": one.kind, "entry": one.entry, "by": one.factor} for one in effective.removed]
        said["scope"] = {"granted": granted, "removed": removed, "active": not over}
    return said


def listed(place: Place, state: str = "") -> dict[str, Any]:
    """Every handoff, newest first, or those in one state."""
    boundary = find_boundary(place)
    held = contracts.read(boundary)
    shown = [mapping(one) for one in reversed(held.handoffs) if state in {"", one.state}]
    warnings = [f"{one.file}{f':{one.line}' if one.line else ''}: {one.message}" for one in held.problems]
    return {"project": boundary.project.name, "handoffs": shown, "warnings": warnings}


def light(place: Place, id: str) -> str:
    """The packet to paste to another agent."""
    boundary = find_boundary(place)
    found = contracts.find(boundary, id)
    said = found.contract.said
    checks = contracts.evidence(boundary, found.id).get(f"attempt-{found.attempt}", [])
    proven = [f"{one['id']}: {one['assertion']}" for name, one in checks if name.startswith("check-") and one.get("passed")]
    passed = {one.get("id") for name, one in checks if name.startswith("check-") and one.get("passed")}
    open_ = [f"{one['id']}: {one['assertion']}" for one in said["acceptance"] if one["id"] not in passed]
    evidence = [f"{one['name']}: {one['uri']}" for one in said["inputs"]]
    evidence += [f".handoff/{contracts.FOLDER}/{found.id}/attempt-{found.attempt}/{name}.json" for name, _ in checks]
    observed = (f"state {found.state}, attempt {found.attempt} of {found.contract.most_attempts}", *said["constraints"], *proven)
    return packet.dumps(
        Packet(id=found.id, goal=found.contract.objective, observed=observed, unverified=tuple(open_), evidence=tuple(evidence))
    )


def replied(place: Place, id: str, text: str, *, actor: str = "") -> dict[str, Any]:
    """What the reply to a packet does: ACCEPTED accepts, NEEDS_INFO blocks with what is missing."""
    word, missing = packet.reply(text)
    if word == NEEDS_INFO:
        return move(place, id, "block", actor=actor, reason=f"needs info: {missing}")
    return move(place, id, "accept", actor=actor, reason="accepted by its reply")


def mapping(found: Handoff) -> dict[str, Any]:
    """*found* as JSON shows it everywhere."""
    return {
        "id": found.id,
        "kind": "handoff",
        "status": found.state,
        "state": found.state,
        "version": found.version,
        "attempt": found.attempt,
        "title": found.contract.objective,
        "assignee": found.contract.assignee,
        "issuer": found.contract.issuer,
        "key": found.contract.key,
        "created": found.contract.said["createdAt"],
        "reason": found.history[-1].reason or None,
    }


@contextmanager
def _moving(boundary: Boundary, found: Handoff) -> Iterator[Handoff]:
    """Hold the boundary, with the handoff as it stands; Conflict where it moved since it was *found*."""
    with boundaries.locked(boundary):
        standing = contracts.load(boundary, found.id)
        if standing.version != found.version:
            raise Conflict(
                f"{found.id} is at version {standing.version}, not {found.version}: it is {standing.state}",
                hint="look at it again, and decide again",
            )
        yield standing


def _refuse_stale(found: Handoff, expected: int | None) -> None:
    if expected is not None and expected != found.version:
        raise Conflict(f"{found.id} is at version {found.version}, not {expected}", hint="look at it again, and decide again")


def _actor(found: Handoff, event: str, actor: str) -> str:
    """Who makes the move; the assignee's moves are its own."""
    assignee = found.contract.assignee
    if event in _ASSIGNEES and actor and actor != assignee:
        raise Refused(f"only the assignee, {assignee}, may {event} it", hint="propose it anew for another assignee")
    return actor or (assignee if event in _ASSIGNEES else HUMAN)


def _passed(place: Place, boundary: Boundary, found: Handoff) -> dict[str, Any]:
    """That the preflight passed just now; Refused, with each verdict and its repair, where it did not."""
    verdicts = preflight.verdicts(place, boundary, found)
    failed = [one for one in verdicts if not one.passed]
    if failed:
        told = "\n  ".join(f"{one.check}: {one.message}; {one.repair}" for one in failed)
        hint = f"repair it, then `handoffsite handoff preflight {found.id}`"
        raise Refused(f"the preflight failed, and {found.id} stays {found.state}:\n  {told}", hint=hint)
    return {"preflight": [one.mapping() for one in verdicts]}


def _may_retry(found: Handoff, reason: str, reconciled: str) -> dict[str, Any]:
    """What a new attempt begins with; Refused where the class of the failure allows none."""
    kind = found.failed_as
    if found.state != "failed":
        return {}
    if found.attempt >= found.contract.most_attempts:
        raise Refused(
            f"all {found.contract.most_attempts} attempts are used", hint="propose it anew with a larger budget, under a new key"
        )
    if kind == "scope" or (kind == "capability" and not reason) or (kind == "unknown-effect" and not reconciled):
        raise Refused(_RETRIES[kind], hint=f"escalate to {found.contract.said['escalation']['route']}")
    last = found.history[-1].data or {}
    return {
        "class": kind,
        **({"failing": last["failing"]} if "failing" in last else {}),
        **({"reconciled": reconciled} if reconciled else {}),
    }


def _step(one: Transition) -> dict[str, Any]:
    names = ("version", "event", "before", "after", "actor", "at", "reason", "attempt", "data")
    return {name: getattr(one, name) or None for name in names}


def _seconds(since: str, place: Place) -> float:
    return place.now.timestamp() - datetime.fromisoformat(since).timestamp()
