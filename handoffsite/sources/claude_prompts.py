"""What a user entry of Claude Code really is: the human's words, or something that the client put in their place."""

import re
from dataclasses import dataclass
from typing import Any

from handoffsite.sources.text import between, clean, gathered, parted, word

# Added to what the human typed, by the client, by an editor, by a hook.
_TAGS = "system-reminder ide_opened_file ide_selection ide_diagnostics user-prompt-submit-hook session-start-hook"
_ADDED = tuple((f"<{tag}>", f"</{tag}>") for tag in _TAGS.split())

_COMMAND = ("<command-name>", "<command-message>", "<command-args>")
_INJECTED = ("<local-command-", "<bash-", "<command-", "Caveat:", "<task-notification>", "<teammate-message")
INTERRUPTED = "[Request interrupted by user"
_NOTIFICATION = "<task-notification>"
_CONTINUED = "This session is being continued from a previous conversation"
_PLAN = "Implement the following plan:"
_BEHIND_PLAN = "\n\nIf you need specific details from before exiting plan mode"

_REASON = re.compile(r"(?:the user said:|reason for the rejection:)\s*(.+)", re.DOTALL)
_BEHIND_REASON = "\n\nNote: The user's next message"
_PAIR = re.compile(r'"([^"]{1,2000})"="([^"]{0,2000})"')


@dataclass(frozen=True, slots=True)
class Words:
    """*kind* is prompt, plan, interrupt, injected, compact or notification; *command* the slash command that the text is for."""

    kind: str
    text: str
    command: str = ""


def words(content: Any, *, is_plan: bool = False) -> Words:
    """What *content* says, and in whose place; *is_plan* where the entry itself says that it carries a plan."""
    text = gathered(content)
    for opening, closing in _ADDED:
        if opening in text:
            text = parted(text, opening, closing)[1]
    text = text.strip()
    if (is_plan or text.startswith(_PLAN)) and (plan := text.removeprefix(_PLAN).partition(_BEHIND_PLAN)[0].strip()):
        return Words("plan", clean(plan))
    if text.startswith(INTERRUPTED):
        return Words("interrupt", clean(text))
    if text.startswith(_NOTIFICATION):
        return Words("notification", clean(text))
    if text.startswith(_CONTINUED):
        return Words("compact", clean(text))
    if text.startswith(_COMMAND):
        return _slash_command(text)
    if not text or text.startswith(_INJECTED):
        return Words("injected", clean(text))
    return Words("prompt", clean(text))


def reason(text: str) -> str:
    """Why the human refused a call, as far as its result *text* says so."""
    found = _REASON.search(text)
    return found[1].partition(_BEHIND_REASON)[0].strip() if found else ""


def pairs(text: str) -> dict[str, str]:
    """The answer to each question, in the client's own sentence about them."""
    return dict(_PAIR.findall(text))


def _slash_command(text: str) -> Words:
    """The human's part of a slash command is its arguments; its body follows in an entry of its own."""
    name = word(between(text, "command-name"))
    arguments = clean(between(text, "command-args"))
    return Words("prompt", arguments, name or "/") if arguments else Words("injected", name or clean(text))
