"""Copilot in VS Code: where its chats lie."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handoffsite.clients import editors, folder
from handoffsite.clients.log import Log

NAME = "copilot-vscode"

retention = folder.unlimited

_STEPS = (
    ("workspaceStorage", "*", "chatSessions", "*.json*"),
    ("workspaceStorage", "*", "GitHub.copilot-chat", "transcripts", "*.jsonl"),
    ("globalStorage", "emptyWindowChatSessions", "*.json*"),
)


def transcripts(environment: Mapping[str, str], roots: Sequence[Path] = ()) -> Iterator[Log]:
    """Every chat of every workspace, and those held where none was open."""
    del roots
    for user in editors.users(environment, *editors.VS_CODE):
        for steps in _STEPS:
            yield from folder.logs(NAME, user, *steps)
