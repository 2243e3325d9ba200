"""`task` and `ledger`: from parsed words to a command, and from its value to an answer."""

import argparse
import contextlib
import json
import signal
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from handoffsite.cli.answer import Answer
from handoffsite.cli.given import text_of
from handoffsite.commands import delivering, desk, ledger, tasking
from handoffsite.commands.place import Place
from handoffsite.errors import Malformed, UsageError

_TYPES = {"commit": "commit", "test_report": "test_report"}


def run(given: argparse.Namespace, place: Place) -> Answer:
    """Carry out the verb of `task` that *given* names."""
    with tasking.asked(place, given.actor, role=given.role) as front:
        if given.verb == "show":
            data = front.show(given.id)
            return Answer(data, _shown(data), notes=tuple(data["warnings"]))
        if given.verb == "list":
            data = front.listed(state=given.state, role=given.of, after=given.after, limit=given.limit)
            lines = [_line(one) for one in data["tasks"]]
            return Answer(data, "\n".join([*(lines or ["no tasks"]), *_more(data)]))
        if given.verb == "events":
            data = front.events(given.id, after=given.after, limit=given.limit)
            return Answer(data, "\n".join([*([_event(one) for one in data["events"]] or ["nothing happened"]), *_more(data)]))
        if given.verb == "scope":
            data = front.scope(given.id)
            return Answer(data, _scope(data))
        if given.verb == "pack":
            data = front.pack(given.id, given.budget)
            return Answer(data, data["text"], notes=tuple(data["warnings"]))
        data = front.move(given.verb, getattr(given, "id", ""), _body(given), key=given.key)
        return Answer(data, _line(data), notes=tuple(data["warnings"]))


def ledger_run(given: argparse.Namespace, now: Callable[[], Place]) -> Answer:
    """Carry out the verb of `ledger` that *given* names."""
    with desk.opened(now()) as opened:
        if given.verb == "serve":
            return _serve(given, opened, now)
        found: Answer = _LEDGER[given.verb](given, opened)
        return found


def _body(given: argparse.Namespace) -> dict[str, Any]:
    """What is sent to make the move."""
    body = _object(given.file) if given.verb == "create" else {}
    if given.reason:
        body["reason"] = given.reason
    if given.verb == "create":
        return body
    body["expected_version"] = given.expected_version
    if getattr(given, "packet", ""):
        body["packet"] = _object(given.packet)
    for name in ("summary", "tokens", "review_seconds", "outcome", "missing"):
        if (content := getattr(given, name, None)) not in (None, ""):
            body[name] = content
    artefacts = [{"type": type, "ref": ref} for name, type in _TYPES.items() for ref in getattr(given, name, [])]
    artefacts += [_pair(one) for one in getattr(given, "artefact", [])]
    return {**body, "artifacts": artefacts} if artefacts else body


def _object(file: str) -> dict[str, Any]:
    name = "" if file == "-" else file
    try:
        found = json.loads(text_of(file))
    except ValueError as error:
        raise Malformed(f"not JSON: {error}", file=name, hint="`handoffsite schema task` prints what is allowed") from error
    if not isinstance(found, dict):
        raise Malformed("not a JSON object", file=name, hint="`handoffsite schema task` prints what is allowed")
    return found


def _pair(text: str) -> dict[str, str]:
    kind, sign, reference = text.partition("=")
    if not (kind and sign and reference):
        raise UsageError(f"{text[:80]!r} is no artefact", hint="TYPE=REF, as deployment=deploy://staging/12")
    return {"type": kind, "ref": reference}


def _serve(given: argparse.Namespace, opened: desk.Desk, now: Callable[[], Place]) -> Answer:
    try:
        from handoffsite.server import ledger as server  # noqa: PLC0415 -- an extra, and slow to load
    except ImportError as error:
        raise UsageError("the libraries of the server are not installed", hint="pip install 'handoffsite[ledger]'") from error

    def said(url: str) -> None:
        line = json.dumps({"url": url}) if given.json else f"The ledger answers at {url} (this machine only), until Ctrl-C"
        print(line, flush=True)

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            server.serve(opened, lambda: now().now, server.PORT if given.port is None else given.port, said)
    finally:
        signal.signal(signal.SIGTERM, before)
    return Answer({}, "")


def _check(_given: argparse.Namespace, opened: desk.Desk) -> Answer:
    data = ledger.check(opened)
    lines = [f"{one['severity']}: {one['file']}: {one['message']} [{one['code']}]\n    {one['fix']}" for one in data["problems"]]
    return Answer(data, "\n".join(lines) or "No problem found.", status=0 if data["ok"] else 1)


def _export(_given: argparse.Namespace, opened: desk.Desk) -> Answer:
    lines = [line.rstrip("\n") for line in ledger.export(opened)]
    return Answer({"lines": lines}, "\n".join(lines))


def _import(given: argparse.Namespace, opened: desk.Desk) -> Answer:
    lines = text_of(given.file).splitlines(keepends=True)
    data = ledger.import_(opened, lines, "" if given.file == "-" else given.file)
    return Answer(data, f"{data['tasks']} tasks and {data['events']} events added, {data['known']} were known")


def _report(_given: argparse.Namespace, opened: desk.Desk) -> Answer:
    data = ledger.report(opened)
    return Answer(data, reported(data))


def _token(given: argparse.Namespace, opened: desk.Desk) -> Answer:
    if given.list:
        data = ledger.token_list(opened)
        lines = [
            f"{one['id']}  {one['actor']} as {one['role']}, for {', '.join(one['projects'])}, made {one['made']}"
            f"{', revoked ' + one['revoked'] if one['revoked'] else ''}"
            for one in data["tokens"]
        ]
        return Answer(data, "\n".join(lines) or "no tokens")
    if given.revoke:
        data = ledger.token_revoke(opened, given.revoke)
        return Answer(data, f"{data['id']} holds no more")
    if not given.actor:
        raise UsageError("whose token?", hint="--actor A --role R --project P; or --list; or --revoke ID")
    data = ledger.token_make(opened, given.actor, given.role or given.actor, given.projects)
    return Answer(data, data["token"])


def _webhook(given: argparse.Namespace, opened: desk.Desk) -> Answer:
    if not given.name:
        data = ledger.webhook_list(opened)
        lines = [f"{one['name']}  {one['url']}, of {', '.join(one['projects'])}" for one in data["webhooks"]]
        return Answer(data, "\n".join(lines) or "no webhooks")
    if given.remove:
        return Answer(ledger.webhook_remove(opened, given.name), f"{given.name} is told nothing more")
    if not given.url:
        raise UsageError(f"which address is {given.name[:80]!r}?", hint="NAME URL, or NAME --remove")
    data = ledger.webhook_add(opened, given.name, given.url, tuple(given.projects) or ("*",))
    return Answer(data, f"{data['name']} is told of every event from now on")


def _deliver(given: argparse.Namespace, opened: desk.Desk) -> Answer:
    if given.list:
        data: dict[str, Any] = ledger.deliveries(opened, state=given.state)
        return Answer(data, "\n".join(map(_delivery, data["deliveries"])) or "nothing to deliver")
    again = ledger.replay(opened) if given.replay else {}
    done = delivering.deliver(opened, lambda: opened.place.now)
    replayed = f"{again['replayed']} given up are tried again, " if again else ""
    return Answer(
        {**again, **done}, f"{replayed}{done['delivered']} delivered, {done['failed']} failed", status=1 if done["failed"] else 0
    )


_LEDGER: dict[str, Callable[[argparse.Namespace, desk.Desk], Answer]] = {
    "check": _check,
    "export": _export,
    "import": _import,
    "report": _report,
    "token": _token,
    "webhook": _webhook,
    "deliver": _deliver,
}


def _line(one: Mapping[str, Any]) -> str:
    who = one["responsible"]
    answers = f"{who['actor'] or who['role']} of {who['project']} answers for it" if who else "over"
    missing = f"; missing: {one['missing']}" if one.get("missing") else ""
    return f"{one['id']} {one['state']}, version {one['version']}, {answers}{missing}: {one['title']}"


def _shown(data: Mapping[str, Any]) -> str:
    lines = [_line(data), f"{data['from_role']} of {data['from_project']} to {data['to_role']} of {data['to_project']}"]
    packet = data["packet"]
    for title, entries in (
        ("Acceptance", packet["acceptance"]),
        ("Known facts", [_fact(one) for one in packet["known_facts"]]),
        ("Hypotheses", [f"{one['statement']} ({one['status']})" for one in packet["hypotheses"]]),
        ("Artifacts", [f"{one['uri']} version {one['version']}" for one in packet["artifacts"]]),
        ("Holds", [f"{one['kind']}: {one['name']}" for one in data["holds"]]),
        ("History", map(_event, data["history"])),
        ("Told", map(_delivery, data["deliveries"])),
    ):
        lines += ["", f"{title}:", *(f"  {one}" for one in entries)] if (entries := list(entries)) else []
    return "\n".join([*lines, "", f"Next: {', '.join(data['next']) or 'nothing, it is over'}"])


def _fact(one: str | Mapping[str, Any]) -> str:
    return one if isinstance(one, str) else ", ".join(f"{name}: {content}" for name, content in one.items())


def _event(one: Mapping[str, Any]) -> str:
    reason = f": {one['reason']}" if one["reason"] else ""
    return f"{one['task']} {one['version']}. {one['at']} {one['event']} by {one['actor']}: {one['before'] or 'nothing'} -> {one['after']}{reason}"


def _delivery(one: Mapping[str, Any]) -> str:
    error = f": {one['error']}" if one["error"] else ""
    return f"{one['id']} {one['state']} after {one['attempts']} attempts{error}"


def _more(data: Mapping[str, Any]) -> list[str]:
    return [] if data["next"] is None else [f"more: --after {data['next']}"]


def _scope(data: Mapping[str, Any]) -> str:
    lines = [data["reason"]]
    lines += [f"  {kind}: {', '.join(entries) or 'nothing'}" for kind, entries in data["granted"].items()]
    return "\n".join([*lines, *(f"  removed by {one['by']}: {one['kind']} {one['entry']}" for one in data["removed"])])


def reported(data: Mapping[str, Any]) -> str:
    """What closed tasks took, in lines."""
    names = ("elapsed", "waiting", "handoffs", "rejections", "retests", "defects", "tokens", "review_seconds")
    lines = [f"{'task':<28}{''.join(f'{name:>15}' for name in names)}"]
    lines += [_row(f"{one['task']}{' (alone)' if one['alone'] else ''}", one, names) for one in data["tasks"]]
    for title in ("handed_over", "alone", "difference"):
        if data.get(title):
            lines.append(_row(title.replace("_", " "), data[title], names))
    return "\n".join([*lines, f"{data['open']} tasks are open"])


def _row(title: str, one: Mapping[str, Any], names: Iterable[str]) -> str:
    return f"{title[:27]:<28}{''.join(f'{_number(one.get(name)):>15}' for name in names)}"


def _number(value: Any) -> str:
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
