"""What a chat says, message for message: the human's words, the agent's, its calls and what they gave back."""

from collections.abc import Iterator, Mapping
from typing import Any

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources.claude_prompts import words
from handoffsite.sources.document import LineOf
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.messages_calls import Tools
from handoffsite.sources.messages_results import outcome
from handoffsite.sources.messages_shapes import Conversation, is_message, parts, responses, speaker
from handoffsite.sources.text import between, clean, gathered, instant, named, plain, title, word

BOUND = 64  # recent messages that are remembered to tell the like from the like

_SESSION = ("session_id", "sessionId", "conversation_id", "conversationId", "thread_id", "chat_id", "id", "uuid")
_TITLE = ("title", "name")
_TIME = ("timestamp", "created_at", "createdAt", "create_time", "created", "time", "ts", "started_at", "date")
_DIRECTORY = ("cwd", "working_directory", "workingDirectory", "workdir")
_BRANCH = ("git_branch", "gitBranch", "branch")
_MESSAGE = ("id", "uuid", "message_id")
_REASONING = ("reasoning_content", "reasoning", "thinking")

_CALLS = frozenset(("tool_use", "tool-call", "tool_call", "toolCall"))
_RESULTS = frozenset(("tool_result", "tool-result"))
_SAID = frozenset(("text", "output_text", "input_text", "refusal"))
_UNHEARD = frozenset("redacted_thinking image image_url input_image input_audio audio file document step-start".split())

# What a simulated user says at the end, for the program that plays it.
_SIGN_OFFS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")

# Put around or before the human's words by the program that sends them.
_WRAPPED = ("user_query", "task", "user_message")
_INJECTED = (
    "<environment_context>",
    "<environment_details>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
)


def session_of(about: Mapping[str, Any]) -> str:
    """The ID that *about* gives its chat."""
    return named(about, _SESSION)


def cwd_of(about: Mapping[str, Any]) -> str:
    """The directory that *about* says its chat was held in."""
    return named(about, _DIRECTORY)


class Talk:
    """Tells of chats; what has to be remembered from message to message."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.account = transcript.account
        self.emitter = Emitter()
        self.tools = Tools(transcript.account, self.emitter)
        self.line_of: LineOf | None = None
        self.is_named = bool(transcript.session)
        self.chats = 0
        self.left_open = 0
        self.last: Conversation | None = None
        self.before: list[int] = []  # the marks of the one before, once another follows it
        self.ids: dict[str, None] = {}

    def chat(self, chat: Conversation, line_of: LineOf) -> Iterator[Event]:
        """Everything in *chat*; what the chat before it said already, of which it is a later state, counts once."""
        messages = chat.messages
        known = self._known(chat)
        self.last = chat
        self.line_of = line_of
        if known:
            self.account.repeated += known
        else:
            self._begin(chat)
            yield from self.emitter.drain()
        for message in messages[known:]:
            yield from self.message(line_of(message) if type(message) is dict else chat.line, message)

    def _known(self, chat: Conversation) -> int:
        """How many messages of *chat* the one before it held already, all that there were."""
        if self.last is None:
            return 0
        before, self.before = self.before or marks_of(self.last), marks_of(chat)
        return len(before) - 1 if self.before[: len(before)] == before else 0

    def message(self, line: int, message: Any) -> Iterator[Event]:
        """Everything in one message."""
        self.emitter.line = line
        if not is_message(message):
            self.account.skip(line, "neither a message nor a chat")
            return
        self._note(message)
        self.emitter.message = named(message, _MESSAGE)
        role, content = speaker(message), message.get("content" if "role" in message else "value")
        if role == "assistant":
            self._assistant(message, content)
        elif role == "user":
            self._user(content)
        elif role == "tool":
            self._result(message, content)
        elif role == "call":
            self._call(message, content)
        else:
            self.emitter.inject(plain(content))
        yield from self.emitter.drain()

    def conclude(self, stem: str) -> None:
        """Say of the session what is known only now."""
        self.account.unanswered = self.left_open + self.tools.unanswered
        self.transcript.close(stem)

    def _begin(self, chat: Conversation) -> None:
        """Another chat: its calls are its own. Where there are several, no ID of theirs is that of all."""
        self.chats += 1
        self.left_open += self.tools.unanswered
        self.tools = Tools(self.account, self.emitter)
        about, transcript = chat.about, self.transcript
        self._note(about)
        if not self.is_named:
            transcript.session = session_of(about) if self.chats == 1 else ""
        transcript.title = transcript.title or title(named(about, _TITLE))
        transcript.branch = transcript.branch or named(about, _BRANCH)
        self.emitter.line, self.emitter.message = chat.line, ""
        self.emitter.inject(plain(about.get("system") or about.get("system_prompt")))

    def _note(self, entry: Mapping[str, Any]) -> None:
        """What *entry* tells of time and place."""
        transcript = self.transcript
        stamps = [entry[key] for key in _TIME if key in entry]
        self.emitter.time = transcript.note_time(next(filter(None, map(instant, stamps)), ""))
        transcript.note_directory(cwd_of(entry))

    def _assistant(self, message: Mapping[str, Any], content: Any) -> None:
        id = self.emitter.message
        self.account.assistant += not id or id not in self.ids
        self.ids[id] = None
        if len(self.ids) > BOUND:
            del self.ids[next(iter(self.ids))]
        self._tell("thinking", next((text for key in _REASONING if key in message and (text := plain(message[key]))), ""))
        line = self.emitter.line
        for block in content if type(content) is list else [content]:
            self._stand_at(block)
            self._block(block)
        self.emitter.line = line
        calls = message.get("tool_calls")
        for call in calls if type(calls) is list else []:
            self._stand_at(call)
            self._named_call(call)
        if type(call := message.get("function_call")) is dict:
            self._named_call(call)

    def _stand_at(self, part: Any) -> None:
        """Where *part* of a message begins, if it has a line of its own."""
        if self.line_of is not None and type(part) is dict:
            self.emitter.line = self.line_of(part)

    def _block(self, block: Any) -> None:
        """One part of what the agent says."""
        kind = block.get("type") if type(block) is dict else "text"
        kind = kind if type(kind) is str else ""
        if kind in _CALLS:
            self._named_call(block)
        elif kind in _RESULTS:
            self._result(block, block.get("content"))
        elif kind in ("thinking", "reasoning"):
            self._tell("thinking", plain(block.get("thinking") or block.get("text") or block.get("summary")))
        elif kind in _SAID:
            self._say(gathered(block.get("refusal") if kind == "refusal" else block))
        elif kind not in _UNHEARD:
            self.account.note_unknown(self.emitter.line, f"content block {word(kind)!r}")

    def _say(self, text: str) -> None:
        thought, said, calls = parts(text)
        self._tell("thinking", clean(thought))
        self._tell("text", clean(said))
        for call in calls:
            self._named_call(call)

    def _tell(self, kind: str, text: str) -> None:
        if text.strip():
            self.emitter.say(kind, text)

    def _named_call(self, call: Any) -> None:
        """A call, in whichever of the shapes that interfaces give it."""
        if type(call) is not dict:
            self.account.skip(self.emitter.line, "a call that is no object")
            return
        function = next((inner for key in ("function", "custom", "functionCall") if type(inner := call.get(key)) is dict), call)
        name = word(function.get("name") or function.get("toolName"))
        arguments = next(
            (given for key in ("arguments", "input", "args", "parameters") if (given := function.get(key)) is not None), None
        )
        self.tools.call(named(call, ("id", "call_id", "toolCallId", "tool_call_id")), name, arguments)

    def _call(self, message: Mapping[str, Any], content: Any) -> None:
        """A message that is a call and nothing else."""
        self.account.assistant += 1
        _, said, calls = parts(f"<tool_call>{gathered(content)}</tool_call>")
        for call in calls:
            self._named_call(call)
        if not calls:
            self._tell("text", clean(said))
        del message

    def _result(self, message: Mapping[str, Any], content: Any) -> None:
        """What a tool gave back, or several."""
        blocks = [block for block in content if _is_result(block)] if type(content) is list else []
        for block in blocks:
            self._stand_at(block)
            self._one_result(block, block.get("content"))
        if not blocks:
            first, *others = responses(content) if type(content) is str else [content]
            self._one_result(message, first)
            for other in others:
                self._one_result({}, other)

    def _one_result(self, block: Mapping[str, Any], content: Any) -> None:
        id = named(block, ("tool_use_id", "tool_call_id", "toolCallId", "call_id"))
        call = self.tools.pending(id, named(block, ("name", "tool_name", "toolName")))
        if content is None:
            content = block.get("output") or block.get("result")
        if type(content) is dict:
            content = content.get("value", content.get("content"))
        failed = next((mark for key in ("is_error", "isError") if type(mark := block.get(key)) is bool), None)
        if block.get("status") == "error":
            failed = True
        # Anthropic's interface says only of failures what they are.
        is_quiet = "tool_use_id" in block
        self.tools.result(call, outcome(content, is_shell="command" in call.data, failed=failed, is_quiet=is_quiet))

    def _user(self, content: Any) -> None:
        """What stands where the human speaks: results of tools, and words."""
        rest, line = content, self.emitter.line
        if type(content) is list:
            rest = []
            for block in content:
                self._stand_at(block)
                line = self.emitter.line if not rest else line
                if _is_result(block):
                    self._one_result(block, block.get("content"))
                else:
                    rest.append(block)
            if content and not rest:
                return
        elif type(content) is str and content.lstrip().startswith("<tool_response>"):
            self._result({}, content)
            return
        self.emitter.line = line
        text = _unwrapped(gathered(rest).strip())
        if not text:
            return
        if text.startswith(_INJECTED):
            self.emitter.inject(clean(text))
            return
        self._said(text)

    def _said(self, text: str) -> None:
        said = words(text)
        if said.kind == "plan":
            self.account.human += 1
            self.emitter.brought(said.text)
        elif said.kind == "prompt":
            self.account.human += not said.command
            self.transcript.title = self.transcript.title or title(said.text)
            self.emitter.prompt(said.text, command=said.command)
        elif said.kind == "interrupt":
            self.emitter.say("interrupt", said.text, actor="human")
        elif said.text:
            self.emitter.say("compact" if said.kind == "compact" else "injected", said.text, actor="system")


def _is_result(block: Any) -> bool:
    kind = block.get("type") if type(block) is dict else None
    return type(kind) is str and kind in _RESULTS


def marks_of(chat: Conversation) -> list[int]:
    """What is the same for the same chat and for the same message in it; a later state of a chat begins with an earlier one's."""
    return [hash(session_of(chat.about)), *(_mark(message) for message in chat.messages)]


def _mark(message: Any) -> int:
    try:
        return hash(repr(message))
    except RecursionError:
        return id(message)


def _unwrapped(text: str) -> str:
    """*text* without what the client put around and behind the human's words."""
    for tag in _WRAPPED:
        if text.startswith(f"<{tag}>") and (inside := between(text, tag)):
            return inside
    before, found, _ = text.partition("<environment_details>")
    text = before.strip() if found and before.strip() else text
    for mark in _SIGN_OFFS if text.endswith("###") else ():
        text = text.removesuffix(mark).rstrip()
    return text
