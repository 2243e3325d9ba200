"""`hook`: called by an agent's program, which must never be harmed: no traceback, nothing printed that it does not expect, exit status 0."""

import json
import os
import select
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from handoffsite.errors import HandoffError
from handoffsite.records import hooked
from handoffsite.records.hooked import CLIENTS, EVENTS, Call

PATIENCE = 1.0  # seconds; a payload is written at once, but some clients never close the pipe
_MOST = 64 << 20  # bytes of a payload
_CHUNK = 1 << 20


def run(words: Sequence[str]) -> int:
    """Do what `hook CLIENT EVENT` asks for; 0, whatever happens."""
    client, event = (*words, "", "")[:2]
    if client not in CLIENTS or event not in EVENTS:
        what = client if client not in CLIENTS else event
        known = CLIENTS if client not in CLIENTS else EVENTS
        _say(2, f"handoffsite: hook: {what!r} is none of {', '.join(known)}")
        return 0
    context = ""
    try:
        context = _done(hooked.call(client, event, _payload()))
    except HandoffError as error:
        _say(2, f"handoffsite: {error}")
    except KeyboardInterrupt:  # the user ends the client, and the client's group with it
        pass
    except Exception as error:  # noqa: BLE001 -- a fault of ours is not the client's
        _say(2, f"handoffsite: hook: {type(error).__name__}: {error}")
    if said := hooked.answer(client, context):
        _say(1, said)
    return 0


def _say(handle: int, text: str) -> None:
    """Write *text*, whatever the locale, and whether or not anybody listens still."""
    left = memoryview(f"{text}\n".encode("utf-8", "backslashreplace"))
    try:
        while left:
            left = left[os.write(handle, left) :]
    except OSError:  # the client went away, or never opened it
        pass


def _done(call: Call) -> str:
    """Keep what *call* tells; the context for a session that begins."""
    from handoffsite.commands import hook  # noqa: PLC0415 -- a wrong word needs none of it

    root = hook.root_of(call, Path.cwd())
    if root is None:
        return ""
    if call.event == "session-start":
        from handoffsite.cli.given import here  # noqa: PLC0415 -- as above
        from handoffsite.commands import briefing  # noqa: PLC0415 -- the pack is slow to load, and a session's end has no time for it

        context = briefing.briefing(here(""), root, call)
        hook.start_worker(root, os.environ)
        return context
    if hook.keep(root, call):
        hook.start_worker(root, os.environ)
    return ""


def _payload() -> bytes:
    """One JSON document from standard input, or what came of it in time. The end of the file is not waited for."""
    found = bytearray()
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    handle, deadline = sys.stdin.fileno(), time.monotonic() + PATIENCE
    while len(found) < _MOST and select.select([handle], [], [], max(0.0, deadline - time.monotonic()))[0]:
        chunk = os.read(handle, _CHUNK)
        found += chunk
        if not chunk or (_may_be_whole(found) and not select.select([handle], [], [], 0)[0] and _is_whole(found)):
            break
    return bytes(found)


def _may_be_whole(data: bytearray) -> bool:
    return data[-64:].rstrip().endswith(b"}")


def _is_whole(data: bytearray) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
