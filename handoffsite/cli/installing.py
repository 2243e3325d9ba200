"""`install`, `uninstall`: what was done, in words."""

import argparse
from typing import Any

from handoffsite.cli.answer import Answer
from handoffsite.commands.place import Place

_MADE = {"created": "created", "edited": "edited", "removed": "removed", "unchanged": "unchanged"}
_WOULD = {"created": "would be created", "edited": "would be edited", "removed": "would be removed", "unchanged": "unchanged"}


def run(given: argparse.Namespace, place: Place) -> Answer:
    """Carry out what *given* names."""
    from handoffsite.commands import install  # noqa: PLC0415 -- as in run

    act = install.install if given.word == "install" else install.uninstall
    done = act(place, given.client, user=given.user, dry=given.dry_run)
    data = done.mapping()
    return Answer(data, _text(data, given.word), notes=tuple(data["notes"]))


def _text(data: dict[str, Any], word: str) -> str:
    where = "this project" if data["level"] == "project" else "this user"
    files = [one for one in data["files"] if one["action"] != "unchanged"]
    if data["dry_run"] and files:
        return f"{data['difference']}\n{len(files)} files would change; nothing was written."
    if not files:
        left = "is set up" if word == "install" else "is not set up"
        return f"{data['client']} {left} for {where}: nothing to change."
    did = "is set up" if word == "install" else "is no longer set up"
    lines = [f"{data['client']} {did} for {where}:"]
    words = _WOULD if data["dry_run"] else _MADE
    wide = max(len(words[one["action"]]) for one in files)
    for one in files:
        backup = one["backup"] and (f"  backup: {one['backup']}" if word == "install" else "  as it was before")
        lines.append(f"  {words[one['action']]:<{wide}}  {one['file']}  ({one['what']}){backup}")
    if word == "install":
        lines += ["", f"`handoffsite uninstall {data['client']}{' --user' * (data['level'] == 'user')}` takes it back."]
    return "\n".join(lines)
