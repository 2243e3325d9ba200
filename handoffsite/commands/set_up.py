"""What `doctor` says of each client: whether it is set up, whether its last session arrived, and what cannot be looked at from here."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from handoffsite import clients
from handoffsite.commands import install
from handoffsite.commands.install import Target
from handoffsite.commands.logs import Search, Session
from handoffsite.commands.place import Place, cache_of
from handoffsite.errors import HandoffError
from handoffsite.store import inbox, turn
from handoffsite.store.boundary import Boundary

Finding = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What `doctor` found already: *own* are the sessions of *boundary* on this machine, *new* those of them that are not recorded."""

    place: Place
    boundary: Boundary | None
    search: Search
    own: Sequence[Session]
    new: Sequence[Session]


def findings(known: Known) -> list[Finding]:
    """What there is to say of each client, and of what their hooks started."""
    found = [one for name in clients.SET_UP for one in _of_client(known, name)]
    if not any(one["state"] == "unchecked" for one in found):
        found.append(
            _finding("note", "hooks", "no agent's program is set up to tell of its sessions here", "`handoffsite install CLIENT`")
        )
    elif not shutil.which("handoffsite", path=known.place.environment.get("PATH", "")):
        message = "`handoffsite` is not on PATH, so no hook and no MCP server of ours does anything"
        found.append(_finding("problem", "hooks", message, "put it on the PATH that the agents' programs see"))
    return found + (list(_of_background(known.place, known.boundary)) if known.boundary else [])


def _of_client(known: Known, name: str) -> Iterator[Finding]:
    place, boundary, search = known.place, known.boundary, known.search
    states = dict(_states(place, boundary, name))
    where = " and ".join(f"for this {label}" for label, state in states.items() if state is not None)
    mine = [one for one in known.own if one.log.client == name]
    if where:
        yield _finding("ok", name, f"set up {where}")
        for label, state in states.items():
            if state is False:
                fix = f"`handoffsite install {name}{' --user' * (label == 'user')}`"
                yield _finding("note", name, f"the set-up for this {label} is not that of this version", fix)
        asked = f"whether {name} runs its hooks and trusts them: only it knows"
        yield _finding("unchecked", name, asked, _asked(place, boundary, name))
    elif mine or (boundary is None and name in search.clients):
        yield _finding("note", name, "in use here, and not set up to tell of its sessions", f"`handoffsite install {name}`")
    if mine:
        last = max(mine, key=lambda one: (one.time, one.started))
        said = f"its last session here began {last.started or 'at an unknown time'}"
        if last not in known.new:
            yield _finding("ok", name, f"{said}, and is recorded")
        elif search.is_finished(last):
            yield _finding("note", name, f"{said}, and is not recorded, or went on since", "`handoffsite catch-up`")
        else:
            yield _finding("ok", name, f"{said}, and somebody may be at it still")


def _states(place: Place, boundary: Boundary | None, name: str) -> Iterator[tuple[str, bool | None]]:
    for label in ("project", "user"):
        if label == "project" and boundary is None:
            continue
        try:
            yield label, install.state_of(install.target_of(place, name, user=label == "user"))
        except HandoffError:
            yield label, None


def _asked(place: Place, boundary: Boundary | None, name: str) -> str:
    target: Target = install.target_of(place, name, user=boundary is None)
    return " ".join(target.client.remarks(target.level))


def _of_background(place: Place, boundary: Boundary) -> Iterator[Finding]:
    """What waits, and what the process that hooks start left to tell."""
    waiting = inbox.pointers(boundary)[0]
    if waiting:
        yield _finding(
            "note", "inbox", f"{len(waiting)} sessions wait to be extracted", "`handoffsite catch-up`, or the next hook, does it"
        )
    told: dict[str, Any] = turn.told(cache_of(place, boundary))
    if told:
        count, problems = len(told.get("recorded", ())), [str(one) for one in told.get("problems", ())]
        yield _finding("ok", "hooks", f"last at work in the background {told.get('time')}: {count} sessions recorded")
        yield from (
            _finding("problem", "hooks", one, "`handoffsite catch-up` tries again, and says more") for one in problems[:3]
        )


def _finding(state: str, what: str, message: str, fix: str = "") -> Finding:
    return {"state": state, "what": what, "message": message, "fix": fix}
