"""Contracts on the site: by state, and each with its drawn lifecycle, its attempts, its evidence and what it may do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handoffsite.records.handoff import Handoff, Transition
from handoffsite.records.lifecycle import CONTRACT, RESUME
from handoffsite.records.snapshot import Snapshot
from handoffsite.site.dates import when
from handoffsite.site.items import badge
from handoffsite.site.links import Brief, Targets, shortened, url
from handoffsite.site.listing import Listing
from handoffsite.site.markdown import line, plain, prose
from handoffsite.site.markup import Html, escape

_ROOT = "../"
_TITLE_CHARACTERS = 300
_RESULTS = {"risks": "unresolved", "excluded": "left out", "receipts": "receipts", "links": "links"}
_OUTPUT_CHARACTERS = 2_000
# Where each state stands in the drawing: column and row.
_PLACES = {
    "proposed": (0, 0),
    "accepted": (1, 0),
    "running": (2, 0),
    "verifying": (3, 0),
    "succeeded": (4, 0),
    "blocked": (1, 1),
    "cancelled": (2, 1),
    "failed": (4, 1),
}
_WIDE, _HIGH, _BOX, _TALL = 150, 90, 112, 34


@dataclass(frozen=True, slots=True)
class ContractInputs:
    """All that a contract's page shows."""

    handoff: Handoff
    known: Mapping[str, Brief]
    evidence: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]]


def listing(snapshot: Snapshot) -> Listing:
    """Every contract, those that somebody has to do with first."""
    order = list(CONTRACT.moves)
    newest = sorted(snapshot.handoffs, key=lambda one: one.history[-1].at, reverse=True)
    rows = sorted(newest, key=lambda one: order.index(one.state))
    return Listing("handoffs/index.html", "handoffs.html", "handoffs", "Handoffs", rows, _row)


def gather(snapshot: Snapshot, targets: Targets) -> Iterator[tuple[str, ContractInputs]]:
    """The address of each contract's page, and what it is made of."""
    for one in snapshot.handoffs:
        said = one.contract.said
        texts = (one.contract.objective, *said["constraints"], *(str(check["assertion"]) for check in one.contract.acceptance))
        known = targets.known((*texts, *(step.reason for step in one.history)))
        yield url(one.id), ContractInputs(one, known, snapshot.evidence.get(one.id, {}))


def view(inputs: ContractInputs) -> dict[str, Any]:
    """The values of a contract's page."""
    one, known = inputs.handoff, inputs.known
    said = one.contract.said
    return {
        "title": shortened(one.contract.objective),
        "heading": line(shortened(one.contract.objective, _TITLE_CHARACTERS), known, _ROOT),
        "id": one.id,
        "state": one.state,
        "badge": badge("handoff", one.state),
        "issuer": said["issuer"],
        "assignee": said["assignee"],
        "created": when(one.history[0].at),
        "attempt": one.attempt,
        "most": one.contract.most_attempts,
        "seconds": one.contract.seconds,
        "route": said["escalation"]["route"],
        "drawing": drawing(one),
        "history": [_step(step, known) for step in one.history],
        "acceptance": [{**check, "assertion": line(str(check["assertion"]), known, _ROOT)} for check in one.contract.acceptance],
        "constraints": [line(text, known, _ROOT) for text in said["constraints"]],
        "inputs": said["inputs"],
        "include": said["scope"]["include"],
        "exclude": said["scope"]["exclude"],
        "permissions": one.contract.permissions,
        "result": _result(one.result, known) if one.result else None,
        "attempts": [
            {"name": name.replace("-", " "), "files": [_evidence(*file) for file in files]}
            for name, files in inputs.evidence.items()
        ],
        "newest": {"tag": one.id, "when": when(one.history[-1].at)},
    }


def drawing(one: Handoff) -> Html:
    """The lifecycle as it is drawn, with the states that this contract went through; the history beside it says the same in words."""
    been = {step.after for step in one.history}
    moved = {(step.before, step.after) for step in one.history}
    parts = []
    for state, following in CONTRACT.moves.items():
        for to in following:
            targets = [to] if to != RESUME else [before for before in CONTRACT.moves if "blocked" in CONTRACT.moves[before]]
            parts += [_arrow(state, target, was=(state, target) in moved) for target in targets]
    for state, (column, row) in _PLACES.items():
        kind = "now" if state == one.state else "been" if state in been else ""
        x, y = column * _WIDE + 6, row * _HIGH + 6
        parts.append(
            f'<g class="state {kind}"><rect x="{x}" y="{y}" width="{_BOX}" height="{_TALL}" rx="6"/>'
            f'<text x="{x + _BOX // 2}" y="{y + 22}" text-anchor="middle">{state}</text></g>'
        )
    wide, high = 5 * _WIDE - 20, _HIGH + _TALL + 24
    label = escape(f"Lifecycle: {' to '.join(step.after for step in one.history)}")
    return Html(f'<svg class="lifecycle" viewBox="0 0 {wide} {high}" role="img" aria-label="{label}">{"".join(parts)}</svg>')


def _arrow(before: str, after: str, *, was: bool) -> str:
    (column, row), (to, below) = _PLACES[before], _PLACES[after]
    half = _TALL // 2
    if row == below and to > column:
        points = (column * _WIDE + 6 + _BOX, row * _HIGH + 6 + half, to * _WIDE + 4, below * _HIGH + 6 + half)
    else:
        down = below > row
        start, end = (_TALL + 6, 4) if down else (6, _TALL + 8)
        points = (column * _WIDE + 6 + _BOX // 2, row * _HIGH + start, to * _WIDE + 6 + _BOX // 2, below * _HIGH + end)
    x, y, to_x, to_y = points
    return f'<line class="{"been" if was else "move"}" x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"/>'


def _row(one: Handoff, root: str) -> dict[str, Any]:
    return {
        "id": one.id,
        "href": f"{root}{url(one.id)}",
        "text": plain(shortened(one.contract.objective, _TITLE_CHARACTERS)),
        "is_link": True,
        "kind": "handoff",
        "status": one.state,
        "badge": badge("handoff", one.state),
        "assignee": one.contract.assignee,
        "issuer": one.contract.issuer,
        "attempt": one.attempt,
        "since": when(one.history[-1].at),
        "group": one.state.capitalize(),
    }


def _step(step: Transition, known: Mapping[str, Brief]) -> dict[str, Any]:
    return {
        "when": when(step.at),
        "event": step.event,
        "after": step.after,
        "actor": step.actor,
        "attempt": step.attempt,
        "reason": line(shortened(step.reason, 600), known, _ROOT) if step.reason else "",
    }


def _result(said: Mapping[str, Any], known: Mapping[str, Brief]) -> dict[str, Any]:
    """What the assignee handed in; *lists* are named as the page has them, and only those that hold something."""
    lists = {name: [line(str(text), known, _ROOT) for text in said.get(key) or ()] for key, name in _RESULTS.items()}
    return {
        **{name: said[name] for name in ("revision", "changed", "commands")},
        "summary": prose(str(said.get("summary") or ""), known, _ROOT),
        "lists": [(name, found) for name, found in lists.items() if found],
        "evidence": [(name, line(str(text), known, _ROOT)) for name, text in (said.get("evidence") or {}).items()],
    }


def _evidence(name: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """What the file *name* says; it lies in a folder that anybody may edit, so each part of it may be missing, or something else."""
    verdicts = said.get("verdicts")
    words = ("assertion", "why", "claim", "command", "network", "error")
    return {
        "name": name,
        "badge": badge("review", "passed" if said["passed"] else "failed") if "passed" in said else "",
        **{word: str(said.get(word, "")) for word in words},
        "output": _end(str(said.get("output", ""))),
        "verdicts": [_verdict(one) for one in verdicts if isinstance(one, Mapping)] if isinstance(verdicts, list) else [],
    }


def _end(text: str) -> str:
    """The last part of what a command printed, where it says how it ended; a cut is shown."""
    cut = len(text) - _OUTPUT_CHARACTERS
    return f"[{cut:,} characters before are in the file] …{text[cut:]}" if cut > 0 else text


def _verdict(said: Mapping[str, Any]) -> dict[str, Any]:
    words = {word: str(said.get(word, "")) for word in ("check", "message", "repair")}
    return {**words, "badge": badge("review", "passed" if said.get("passed") else "failed")}
