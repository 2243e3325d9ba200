"""Who is known here, and what they may do: the settings of the workspace and of the user, as factors of a scope."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handoffsite import config
from handoffsite.commands.place import Place
from handoffsite.config import Agent
from handoffsite.errors import Forbidden
from handoffsite.records import task as tasks
from handoffsite.records.authority import Effective, Removed, Scope, covers, intersection
from handoffsite.records.contract import Contract
from handoffsite.records.ledger import Task
from handoffsite.store import workspace as workspaces
from handoffsite.store.boundary import Boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The *agents* and the *policy*; *trusts* says whether their probes may be run, *file* where they stand."""

    agents: dict[str, Agent]
    policy: dict[str, Any]
    trusts: frozenset[str]
    file: str


def known(place: Place, boundary: Boundary) -> Known:
    """What the workspace's settings say, and the user's own on top of it. Only the user's own, and trusted folders, name programs to run."""
    return known_in(place, boundary.home)


def known_in(place: Place, folder: Path) -> Known:
    """The same for work that is done in *folder*."""
    own = config.own(place.environment)
    root = workspaces.find(folder, config.FILE)
    around = config.load(root).delegation if root else config.Delegation()
    is_trusted = bool(root) and any(one.is_absolute() and one.resolve() == root.resolve() for one in own.trusted if root)
    agents = {**around.agents, **own.delegation.agents}
    trusts = frozenset(name for name in agents if is_trusted or name in own.delegation.agents)
    policy = {**around.policy, **own.delegation.policy}
    return Known(agents=agents, policy=policy, trusts=trusts, file=str(own.file) if root is None else config.FILE)


def scope(found: Known, contract: Contract) -> Effective:
    """The effective scope: what the task asks, cut down by user, role, tool and resource; each removal names the one that removed it."""
    assignee = contract.said["assignee"]
    role = found.policy.get("roles", {}).get(assignee["role"], {})
    tool = found.policy.get("agents", {}).get(contract.assignee, {})
    resource: dict[str, Any] = {**found.policy.get("resource", {})}
    factors: dict[str, Scope] = {"user": found.policy.get("user", {}), "role": role, "tool": tool, "resource": resource}
    return intersection(contract.permissions, factors)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskScope:
    """What may be done in a task's name: what was *asked* for, cut down by the *factors*; *why* each of these allows no more.

    It is empty where it is not *active*: the stage for which it was given is over, or has not begun.
    """

    active: bool
    stage: str
    asked: Scope
    factors: Mapping[str, Scope]
    denied: Scope
    why: Mapping[str, str]

    def mapping(self) -> dict[str, Any]:
        """As JSON shows it: what is granted, and each thing that is not, by which factor, and why."""
        effective = intersection(self.asked, self.factors, tasks.KINDS)
        removed = [self._removed(one) for one in effective.removed]
        if not self.active:
            removed = [self._removed(Removed(kind, entry, "stage")) for kind in tasks.KINDS for entry in self.asked[kind]]
        granted = {kind: list(effective.granted[kind]) if self.active else [] for kind in tasks.KINDS}
        return {"active": self.active, "granted": granted, "removed": removed, "reason": self.stage}

    def refuse(self, kind: str, entry: str) -> None:
        """Forbidden where *entry* of *kind* is not in the scope."""
        factor = "" if self.active else "stage"
        if not factor and self._is_denied(entry):
            factor = "task"
        factor = factor or next(
            (name for name, one in self.factors.items() if kind in one and not covers(kind, one[kind], entry)), ""
        )
        if factor:
            told = self._removed(Removed(kind, entry, factor))
            raise Forbidden(
                f"{kind} {entry[:80]!r} is not in the scope of this task, by {factor}: {told['reason']}", hint=self.stage
            )

    def _is_denied(self, entry: str) -> bool:
        return any(covers(kind, self.denied[kind], entry) for kind in tasks.KINDS)

    def _removed(self, one: Removed) -> dict[str, str]:
        why = self.why[one.factor]
        if one.factor == "task" and self._is_denied(one.entry):
            why = "the packet denies it"
        return {"kind": one.kind, "entry": one.entry, "by": one.factor, "reason": why}


def task_scope(found: Known, task: Task, actor: str, *, active: bool) -> TaskScope:
    """The scope of *actor*, who receives *task*: user, task, role, tool and resource, of which each can only take away.

    What its role or its own settings would allow is asked for as well, so that it is seen what the task does not hold.
    """
    role = str(task.packet.said["to_role"])
    said = task.packet.authority
    denied = {kind: said.get(f"denied_{kind}", []) for kind in tasks.KINDS}
    allowed = {kind: said.get(f"allowed_{kind}", []) for kind in tasks.KINDS}
    # A denial is of a name: who may not write to production by an action may not by a tool of that name.
    names = [one for entries in denied.values() for one in entries]
    granted = {kind: [one for one in entries if not covers(kind, names, one)] for kind, entries in allowed.items()}
    policy = found.policy
    own = {"role": policy.get("roles", {}).get(role, {}), "tool": policy.get("agents", {}).get(actor, {})}
    more = {kind: [one for scope in own.values() for one in scope.get(kind, ()) if "*" not in one] for kind in tasks.KINDS}
    asked = {kind: list(dict.fromkeys((*allowed[kind], *more[kind], *denied[kind]))) for kind in tasks.KINDS}
    factors = {"user": policy.get("user", {}), "task": granted, **own, "resource": policy.get("resource", {})}
    why = {
        "user": f"[policy.user] in {found.file} does not list it",
        "task": "the packet does not allow it",
        "role": f"[policy.roles.{role}] in {found.file} does not list it",
        "tool": f"[policy.agents.{actor}] in {found.file} does not list it",
        "resource": f"[policy.resource] in {found.file} does not list it",
        "stage": "temporary authority is active only while the task is ACCEPTED or IN_PROGRESS",
    }
    stage = f"the task is {task.state}: its authority is {'active' if active else 'not active'}, and {role} alone has it"
    return TaskScope(active=active, stage=stage, asked=asked, factors=factors, denied=denied, why=why)
