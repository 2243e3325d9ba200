"""What a user's message of Gemini CLI really is: the human's words, or something that the client put in their place."""

import re
from dataclasses import dataclass
from typing import Any

from handoffsite.sources.text import clean, gathered, parted

_ADDED = (
    ("--- Content from referenced files ---", "--- End of content ---"),
    ("<hook_context>", "</hook_context>"),
    ("<system-reminder>", "</system-reminder>"),
)
_INJECTED = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context",
    "I ran the following shell command:",
    "Here is the user's editor context",
    "Here is a summary of changes in the user's editor context",
    "System: Please continue.",
)
_SUMMARY = "<state_snapshot>"
SUMMARY_TAKEN = "Got it. Thanks for the additional context!"  # the client's own words in the agent's place, behind a summary
CANCELLED = "Request cancelled."
_COMMAND = re.compile(r"(/[a-zA-Z][\w:-]{0,80})(?:[ \t]+(\S.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Words:
    """*kind* is prompt, injected or compact; *command* the slash command that the text is for."""

    kind: str
    text: str
    command: str = ""


def words(content: Any, shown: Any = None) -> Words:
    """What *content* says, and in whose place; *shown* is what the client showed of it, where that is another text."""
    text = gathered(shown).strip() or gathered(content)
    for opening, closing in _ADDED:
        text = parted(text, opening, closing)[1]
    text = text.strip()
    if text.startswith(_SUMMARY):
        return Words("compact", clean(text))
    if not text or text.startswith(_INJECTED):
        return Words("injected", clean(text))
    if command := _COMMAND.fullmatch(text):
        return Words("prompt", clean(command[2]), command[1]) if command[2] else Words("injected", clean(text))
    return Words("prompt", clean(text))
