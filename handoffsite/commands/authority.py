"""Who is known here, and what they may do: the settings of the workspace and of the user, as factors of a scope."""

from dataclasses import dataclass
from typing import Any

from handoffsite import config
from handoffsite.commands.place import Place
from handoffsite.config import Agent
from handoffsite.records.authority import Effective, Scope, intersection
from handoffsite.records.contract import Contract
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
    own = config.own(place.environment)
    root = workspaces.find(boundary.home, config.FILE)
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
