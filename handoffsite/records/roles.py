"""Who produces and who consumes which artefact; a project may name more roles."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handoffsite.errors import Malformed

# The kinds of artefacts, and the folder in which each lies.
FOLDERS = {"plan": "plans", "research": "research", "review": "reviews", "qa-log": "qa-logs"}

_PRODUCERS = {
    "plan": ("planner", "plan"),
    "research": ("analyst", "architect", "explore", "deep-interview", "tracer"),
    "review": ("critic", "code-reviewer", "security-reviewer", "verifier"),
    "qa-log": ("ultraqa", "autopilot", "ralph"),
}
_CONSUMERS = {
    "plan": ("autopilot", "ralph", "team", "verifier"),
    "research": ("planner", "executor", "autopilot"),
    "review": ("planner", "executor"),
    "qa-log": ("ultraqa", "autopilot", "ralph"),
}
# Who may set the memory's own keys.
SETTERS = {
    "omg:active-plan": ("planner",),
    "omg:active-spec": ("deep-interview", "analyst"),
    "omg:last-review": ("critic", "code-reviewer", "verifier"),
}
_LISTS = ("produces", "consumes", "sets")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The roles of a project: what each *produces*, *consumes* and *sets*."""

    produces: Mapping[str, frozenset[str]]
    consumes: Mapping[str, frozenset[str]]
    sets: Mapping[str, frozenset[str]]

    def is_known(self, role: str) -> bool:
        """Whether anything is said of *role*."""
        return any(role in table for table in (self.produces, self.consumes, self.sets))


def roles(own: Mapping[str, Any], file: str = "project.toml") -> Roles:
    """The roles that everybody knows, and the project's *own*, as `[roles.NAME] produces = ["plan"]`. Malformed where they are odd."""
    tables: dict[str, dict[str, set[str]]] = {name: {} for name in _LISTS}
    for name, table in zip(_LISTS, (_PRODUCERS, _CONSUMERS, SETTERS), strict=True):
        for kind, those in table.items():
            for role in those:
                tables[name].setdefault(role, set()).add(kind)
    for role, said in own.items():
        if not isinstance(said, dict) or not set(said) <= set(_LISTS):
            raise Malformed(f"[roles.{role}] holds {', '.join(_LISTS)} and nothing else", file=file)
        for name, many in said.items():
            if not isinstance(many, list) or not all(isinstance(one, str) for one in many):
                raise Malformed(f"[roles.{role}] {name} must be a list of texts", file=file)
            unknown = [one for one in many if name != "sets" and one not in FOLDERS]
            if unknown:
                raise Malformed(f"[roles.{role}] {name} {unknown[0]!r}", file=file, hint=f"known are {', '.join(FOLDERS)}")
            tables[name].setdefault(role, set()).update(many)
    frozen = {name: {role: frozenset(kinds) for role, kinds in table.items()} for name, table in tables.items()}
    return Roles(produces=frozen["produces"], consumes=frozen["consumes"], sets=frozen["sets"])
