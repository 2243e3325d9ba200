"""`handoff`: from parsed words to a command, and from its value to an answer."""

import argparse
from collections.abc import Mapping
from typing import Any

from handoffsite.cli.answer import Answer
from handoffsite.cli.given import text_of
from handoffsite.commands import handoff
from handoffsite.commands.place import Place


def run(given: argparse.Namespace, place: Place) -> Answer:
    """Carry out what *given* names."""
    verb = given.verb
    if verb == "propose":
        data = handoff.propose(
            place, text_of(given.file), actor=given.actor, template=given.template, file="" if given.file == "-" else given.file
        )
        return Answer(data, f"{_line(data)}{'' if data['created'] else ' (known already)'}")
    if verb == "preflight":
        data = handoff.check(place, given.id, actor=given.actor)
        lines = [
            f"{'ok  ' if one['passed'] else 'FAIL'} {one['check']}: {one['message']}{_repair(one)}" for one in data["verdicts"]
        ]
        return Answer(data, "\n".join([_line(data), *lines]), status=0 if data["passed"] else 1)
    if verb == "verify":
        data = handoff.verify(place, given.id, actor=given.actor, expected=given.expected_version)
        lines = [f"{'ok  ' if one['passed'] else 'FAIL'} {one['id']}: {one['assertion']}{_why(one)}" for one in data["checks"]]
        return Answer(data, "\n".join([_line(data), *lines]), status=0 if data["passed"] else 1)
    if verb == "show":
        data = handoff.show(place, given.id, scope=given.scope)
        return Answer(data, shown(data))
    if verb == "list":
        data = handoff.listed(place, given.state)
        return Answer(data, "\n".join(map(_line, data["handoffs"])) or "no handoffs", notes=tuple(data["warnings"]))
    if verb == "packet" and not given.reply:
        text = handoff.light(place, given.id)
        return Answer({"packet": text}, text)
    data = _moved(given, place)
    return Answer(data, _line(data))


def _moved(given: argparse.Namespace, place: Place) -> dict[str, Any]:
    if given.verb == "packet":
        return handoff.replied(place, given.id, text_of(given.reply), actor=given.actor)
    if given.verb == "submit":
        return handoff.submit(place, given.id, text_of(given.file), actor=given.actor, expected=given.expected_version)
    return handoff.move(
        place,
        given.id,
        given.verb,
        actor=given.actor,
        reason=given.reason,
        expected=given.expected_version,
        data={"class": given.kind} if given.verb == "fail" else None,
        reconciled=getattr(given, "reconciled", ""),
    )


def shown(data: Mapping[str, Any]) -> str:
    """One handoff, as it is printed."""
    said = data["envelope"]
    lines = [_line(data), f"issuer {data['issuer']}, key {data['key']}, version {data['version']}", "", "Acceptance:"]
    lines += [f"  {one['id']}: {one['assertion']}" for one in said["acceptance"]]
    lines += ["", "History:"]
    lines += [
        f"  {one['version']}. {one['at']} {one['event']} by {one['actor']}: {one['before'] or 'nothing'} -> {one['after']}{': ' + one['reason'] if one['reason'] else ''}"
        for one in data["history"]
    ]
    for name, files in data["attempts"].items():
        lines += ["", f"{name}:", *(f"  {one['name']}: {_verdict(one)}" for one in files)]
    if "scope" in data:
        lines += ["", "Scope:" if data["scope"]["active"] else "Scope: ended with the work"]
        lines += [f"  {kind}: {', '.join(entries) or 'denied'}" for kind, entries in data["scope"]["granted"].items()]
        lines += [f"  removed by {one['by']}: {one['kind']} {one['entry']}" for one in data["scope"]["removed"]]
    return "\n".join(lines)


def _line(one: Mapping[str, Any]) -> str:
    return f"{one['id']} {one['state']}, attempt {one['attempt']}, for {one['assignee']}: {one['title']}"


def _repair(one: Mapping[str, Any]) -> str:
    return f"\n       {one['repair']}" if one["repair"] else ""


def _why(one: Mapping[str, Any]) -> str:
    claim = f" (the assignee said: {one['claim']})" if one.get("claim") else ""
    return f"{': ' + one['why'] if one.get('why') else ''}{claim}"


def _verdict(one: Mapping[str, Any]) -> str:
    return ("passed" if one["passed"] else f"failed: {one.get('why', '')}") if "passed" in one else str(one.get("error", ""))
