"""Cline and Roo: where their tasks lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import editors, folder
from handoffsite.clients.log import Log

NAME = "cline"

retention = folder.unlimited

_EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")
_TASK = ("tasks", "*", "api_conversation_history.json")


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every task of the extensions, and every session of the command line."""
    del roots
    data = folder.home(environment) / ".cline" / "data"
    yield from folder.logs(NAME, data, "sessions", "*", "*.messages.json")
    yield from folder.logs(NAME, data, *_TASK)
    for user in editors.users(environment, *editors.VS_CODE, *editors.OTHERS):
        for extension in _EXTENSIONS:
            yield from folder.logs(NAME, user / "globalStorage" / extension, *_TASK)
