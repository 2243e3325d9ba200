"""What an agent's program tells a hook, and the form in which it takes an answer.

Payloads differ by client and version: camelCase or snake_case, with or without a path to the log. Whatever is missing or of another
type is left empty: a hook is never the place to complain.
"""

import json
from collections.abc import Mapping

CLIENTS = ("claude-code", "codex", "gemini-cli", "antigravity", "copilot-cli", "cursor", "opencode")
EVENTS = ("session-start", "session-end", "pre-compact", "post-compact", "stop")

_SESSION = ("session_id", "sessionId", "conversation_id", "conversationId", "thread-id", "sessionID", "id")
_TRANSCRIPT = ("transcript_path", "transcriptPath", "agent_transcript_path")
_FOLDER = ("cwd", "directory", "worktree")
_SUMMARY = ("compact_summary", "compactSummary", "summary")
_LONGEST = 4096  # characters of a path or an ID

# Claude Code shows what a hook prints; of the others some demand JSON of every hook, and an empty object says nothing to all of them.
_SILENT = frozenset(("claude-code", "opencode"))
# Claude Code cuts a hook's text at 10,000 characters and spills the rest to a file; no other client is known to take more.
MOST_CONTEXT = 9_500


class Call:
    """A *client* calls for an *event* of its *session*: where it works, where its log lies, and the *summary* after a compaction.

    Written out, as the client waits: to import dataclasses takes longer than all else that a hook does.
    """

    __slots__ = ("client", "cwd", "event", "session", "summary", "transcript")

    def __init__(
        self, *, client: str, event: str, session: str = "", transcript: str = "", cwd: str = "", summary: str = ""
    ) -> None:
        self.client, self.event, self.session = client, event, session
        self.transcript, self.cwd, self.summary = transcript, cwd, summary

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Call) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


def call(client: str, event: str, data: bytes) -> Call:
    """The call whose payload is *data*; what is no JSON object says nothing."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    payload: Mapping[str, object] = found if isinstance(found, dict) else {}
    roots = payload.get("workspace_roots") or payload.get("workspacePaths")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    return Call(
        client=client,
        event=event,
        session=_short(payload, _SESSION),
        transcript=_short(payload, _TRANSCRIPT),
        cwd=_short(payload, _FOLDER) or root[:_LONGEST],
        summary=_first(payload, _SUMMARY),
    )


def answer(client: str, context: str) -> str:
    """*context* for the session that begins, in the form that *client* takes; nothing but what its protocol asks for where it is empty."""
    if not context:
        return "" if client in _SILENT else "{}"
    if client == "opencode":  # our own plugin reads it
        return context
    shapes: dict[str, dict[str, object]] = {
        "antigravity": {"injectSteps": [{"ephemeralMessage": context}]},
        "copilot-cli": {"additionalContext": context},
        "cursor": {"additional_context": context},
    }
    hooked = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": context}}
    return json.dumps(shapes.get(client, hooked), ensure_ascii=False)


def _short(payload: Mapping[str, object], names: tuple[str, ...]) -> str:
    """The first of *names* that can be a path or an ID: nobody's is longer, or holds a NUL or a line break."""
    found = _first(payload, names)
    return found if len(found) <= _LONGEST and not set(found) & {"\0", "\n", "\r"} else ""


def _first(payload: Mapping[str, object], names: tuple[str, ...]) -> str:
    return next((text for name in names if isinstance(text := payload.get(name), str) and text), "")
