"""The shapes in which chats are stored, each as a list of messages: bare, under a key, many in one file, or as ChatML text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from handoffsite.sources.lines import parsed
from handoffsite.sources.text import KEPT_ENTRIES, parted

# Who speaks, by whatever word; the value is the word that the reader goes on with.
SPEAKERS = {
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "gpt", "chatgpt", "model", "bot"), "assistant"),
    **dict.fromkeys(("tool", "function", "observation", "tool_response", "function_response", "ipython"), "tool"),
    **dict.fromkeys(("function_call", "tool_call"), "call"),
}

# What may stand before a file's first value.
SPACE = "\ufeff\0 \t\r\n"

LISTS = ("messages", "conversations", "conversation", "traj")

# Of a lone message in no list of messages: with other keys beside these it is a record of something else.
_KEYS = frozenset(
    "role content name tool_calls tool_call_id function_call id message_id timestamp created_at created time ts type refusal annotations "
    "audio reasoning reasoning_content reasoning_details thinking cache_control model usage metadata weight stop_reason stop_sequence "
    "finish_reason status index parent_id conversation_id session_id sessionId cwd tool_use_id is_error function_name tool_name".split()
)
_CHATML = re.compile(r"<\|im_start\|>[ \t]*([a-z_]{1,20})(?:[ =][^\n<]{0,80})?\n")
_CHATML_END = "<|im_end|>"
_THINKING = re.compile(r"\s*<think>(.*?)</think>\s*", re.DOTALL)


@dataclass(slots=True)
class Conversation:
    """One chat: its *messages*, the *line* on which it begins, and what the object *about* it says beside them."""

    line: int
    messages: list[Any]
    about: Mapping[str, Any] = field(default_factory=dict)


def speaker(message: Any) -> str:
    """Who speaks in *message*, empty where it is no message."""
    if type(message) is not dict:
        return ""
    role = message.get("role") if "role" in message else message.get("from")
    return SPEAKERS.get(role.strip().lower(), "") if type(role) is str and len(role) < 30 else ""


def is_message(entry: Any) -> bool:
    """Whether *entry* is one thing that somebody says, calls or gives back."""
    if not speaker(entry) or "parts" in entry:
        return False
    if "role" not in entry:
        return type(entry.get("value")) is str
    content = entry.get("content")
    if type(content) is list:
        return all(type(block) in (dict, str) for block in content[:KEPT_ENTRIES])
    return type(content) is str or (content is None and any(key in entry for key in ("tool_calls", "function_call", "content")))


def is_bare_message(entry: Any) -> bool:
    """Whether *entry* is a message even where nothing around it says so."""
    return is_message(entry) and (entry.keys() <= _KEYS or entry.keys() == {"from", "value"})


def conversation(entry: Any, line: int) -> Conversation | None:
    """The chat that *entry* holds under one of the usual keys, or is."""
    if type(entry) is list:
        return Conversation(line, entry) if entry and all(is_message(one) for one in entry[:2]) else None
    if type(entry) is not dict:
        return None
    for key in LISTS:
        messages = entry.get(key)
        if type(messages) is list and any(is_message(one) for one in messages[:KEPT_ENTRIES]):
            return Conversation(line, messages, entry)
    return None


def chatml(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The messages of a ChatML *text*, each with the line of its opening mark."""
    line, counted = 1, 0
    found = _CHATML.search(text)
    while found:
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        after = _CHATML.search(text, found.end())
        body = text[found.end() : after.start() if after else len(text)].partition(_CHATML_END)[0]
        yield line, {"role": found[1], "content": body.strip("\n")}
        found = after


def is_chatml(text: str) -> bool:
    """Whether *text* begins as ChatML does."""
    found = _CHATML.match(text.lstrip())
    return found is not None and found[1] in SPEAKERS


def parts(text: str) -> tuple[str, str, list[dict[str, Any]]]:
    """What an assistant's *text* thinks, says, and calls where calls are written as tags in it."""
    thought = ""
    if text.lstrip().startswith("<think>") and (found := _THINKING.match(text)):
        thought, text = found[1].strip(), text[found.end() :]
    calls: list[dict[str, Any]] = []
    if "<tool_call>" in text:
        inside, rest = parted(text, "<tool_call>", "</tool_call>")
        calls = [call for one in inside if type(call := parsed(one)) is dict and "name" in call]
        text = rest.strip() if calls else text
    return thought, text, calls


def responses(text: str) -> list[str]:
    """What tools gave back, where *text* wraps each answer in tags; else all of it as one."""
    return [answer.strip() for answer in parted(text, "<tool_response>", "</tool_response>")[0]] or [text]


def layout(text: str) -> str:
    """How a file that begins with *text* is laid out: chatml, a document over several lines, or lines."""
    text = text.lstrip(SPACE)
    if text.startswith("<|im_start|>"):
        return "chatml"
    first, newline, rest = text.partition("\n")
    if not newline:
        return "document" if text.startswith("[") else "lines"
    if parsed(first) is not None:
        return "document" if text.startswith("[") and not rest.strip(SPACE) else "lines"
    return "lines" if rest.startswith("{") and not first.rstrip().endswith(("{", "[", ",", ":")) else "document"
