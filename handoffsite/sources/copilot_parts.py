"""The parts of a response in VS Code's chat: text, thoughts, calls with what came of them, and edits as they were applied."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.copilot_shapes import leaves, markdown, reference, uri_path, uri_text, written
from handoffsite.sources.copilot_tools import ALIASES, EDITS, answered, called, choice, listed, summary
from handoffsite.sources.emitter import Call, Emitter
from handoffsite.sources.lines import Entry
from handoffsite.sources.text import clean, gathered, plain, word

AHEAD = 64  # calls among which the one that a part shows is looked for

_TEXTS = (None, "markdownContent", "markdownVuln")
_CALLS = ("toolInvocationSerialized", "toolInvocation")
_EDITS = ("textEditGroup", "notebookEditGroup", "textEdit")
_NOISE = frozenset(
    "prepareToolInvocation undoStop codeblockUri progressMessage progressTask progressTaskSerialized progressTaskResult warning "
    "info mcpServersStarting mcpServersStartingSerialized mcpServersStartingSlow mcpAuthenticationRequired confirmation command "
    "elicitation elicitation2 elicitationSerialized extensions treeData hook systemNotification multiDiffData workspaceEdit "
    "externalEdit externalEdits autoModeResolution disabledClaudeHooks usage reference codeCitation usedContext move "
    "voiceProgress agentDetection".split()
)
_DENIED, _SKIPPED = 0, 5  # how a call was confirmed: not
_EXIT = re.compile(r"\b(?:exited with|exit)(?: (?:status|code))?:? (-?\d{1,10})\b", re.IGNORECASE)
_EDGE = 300  # characters at either end of an output, in which the client says how the command ended
_RUNS_ON = re.compile(r"\b(?:command is (?:still )?running|terminal)\b[^\n]{0,80}\bID[= :]{1,3}([\w-]{1,80})", re.IGNORECASE)
_ERROR = re.compile(r"\W{0,3}(?:error|failed|could not|cannot|can't|unable to|invalid|no matching text|aborted)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Asked:
    """A call as the model asked for it."""

    id: str
    name: str
    arguments: Any
    line: int


class Parts:
    """Tells of responses, one after the other."""

    def __init__(self, account: Account, emitter: Emitter, line_of: Callable[[Any], int]) -> None:
        self.account = account
        self.emitter = emitter
        self._line_of = line_of
        self._pieces: list[str] = []
        self._line = 0
        self._asked: list[_Asked] = []
        self._next = 0
        self._results: dict[str, Any] = {}

    def tell(self, request: Entry, stop: str) -> None:
        """Add the response to *request*, as far as the undo stop of that ID."""
        result = request.get("result")
        metadata = result.get("metadata") if type(result) is dict else None
        metadata = metadata if type(metadata) is dict else {}
        results = metadata.get("toolCallResults")
        self._results = results if type(results) is dict else {}
        rounds = metadata.get("toolCallRounds")
        rounds = [one for one in rounds if type(one) is dict] if type(rounds) is list else []
        self._asked = [asked for one in rounds for asked in self._calls_of(one)]
        self._next = 0
        self._summary(metadata)
        parts = request.get("response")
        parts = parts if type(parts) is list else [parts] if type(parts) is str else []
        if self._asked and not any(type(part) is dict and part.get("kind") in _CALLS for part in parts):
            self._rounds(rounds)
        else:
            self._parts(parts, stop)
        self._untold(len(self._asked) if not stop else self._next)

    def _summary(self, metadata: Entry) -> None:
        said = metadata.get("summary")
        if type(said) is dict and (text := plain(said.get("text"))):
            self.emitter.say("compact", text, actor="system")

    def _parts(self, parts: list[Any], stop: str) -> None:
        told: set[int] = set()
        for index, part in enumerate(parts):
            kind = part.get("kind") if type(part) is dict else None
            if type(part) not in (str, dict) or (kind is not None and type(kind) is not str):
                self.account.note_unknown(self.emitter.line, "response part")
            elif kind == "undoStop" and stop and part.get("id") == stop:
                break
            elif type(part) is str or kind in _TEXTS or kind == "inlineReference":
                self._add(part)
            elif kind == "clearToPreviousToolInvocation":
                self._pieces.clear()
            elif kind not in _NOISE or kind == "codeblockUri":
                self._flush()
                self._part(kind, part, parts, index, told)
        self._flush()

    def _part(self, kind: str, part: Entry, parts: list[Any], index: int, told: set[int]) -> None:
        emitter = self.emitter
        emitter.line = self._line_of(part)
        if kind in _CALLS:
            self._invocation(part, list(_edits_after(parts, index)), told)
        elif kind in _EDITS:
            if index not in told:
                self._edit(part, index)
        elif kind == "thinking":
            said = part.get("value")
            if text := plain("".join(one for one in said if type(one) is str) if type(said) is list else said).strip():
                emitter.say("thinking", text)
        elif kind == "pullRequest":
            if address := uri_text(part.get("uri")):
                emitter.say("link", address)
        elif kind == "questionCarousel":
            self._questions(part)
        elif kind == "planReview":
            self._plan(part)
        elif kind != "codeblockUri":
            self.account.note_unknown(emitter.line, f"response part {word(kind)!r}")

    # --- text ---

    def _add(self, part: Any) -> None:
        """Add a piece of text; a fence that stands alone is only the frame of an edit."""
        if type(part) is str:
            piece = part
        elif part.get("kind") == "inlineReference":
            piece = reference(part)
        else:
            content = part.get("content")
            piece = gathered(part.get("value") if part.get("kind") is None else None) or gathered(
                content.get("value") if type(content) is dict else content
            )
        if piece.strip() in ("```", "````"):
            return
        if not self._pieces:
            self._line = self._line_of(part) if type(part) is dict else self.emitter.line
        self._pieces.append(piece)

    def _flush(self) -> None:
        text = clean("".join(self._pieces)).strip()
        self._pieces.clear()
        if text:
            self.emitter.line = self._line
            self.account.assistant += 1
            self.emitter.say("text", text)

    def _rounds(self, rounds: list[Entry]) -> None:
        """Tell of a response of which only the model's own rounds are left."""
        told = 0
        for one in rounds:
            self.emitter.line = self._line_of(one)
            thinking = one.get("thinking")
            if type(thinking) is dict and (thought := plain(thinking.get("text")).strip()):
                self.emitter.say("thinking", thought)
            self._line = self.emitter.line
            self._pieces = [gathered(one.get("response"))]
            self._flush()
            told += len(list(self._calls_of(one)))
            self._untold(told)

    # --- calls ---

    def _calls_of(self, one: Entry) -> Iterator[_Asked]:
        calls = one.get("toolCalls")
        for call in calls if type(calls) is list else ():
            if type(call) is dict and (name := word(call.get("name"))):
                yield _Asked(word(call.get("id")), name, call.get("arguments"), self._line_of(call))

    def _untold(self, end: int) -> None:
        """Tell of the calls up to the one numbered *end* that no part shows."""
        for asked in self._asked[self._next : end]:
            call = called(asked.id, asked.name, asked.arguments)
            self.emitter.line = asked.line
            self._call(call)
            if asked.id in self._results:
                self._result(call, {}, self._text(asked.id), applied=False)
            else:
                self.account.unanswered += 1
        self._next = max(self._next, end)

    def _matching(self, id: str, name: str) -> _Asked | None:
        """What the model asked for in the call of that ID, or in the next one of that tool; those before it are told."""
        window = range(self._next, min(self._next + AHEAD, len(self._asked)))
        index = next((at for at in window if id and self._asked[at].id == id), None)
        if index is None:
            index = next((at for at in window if ALIASES.get(self._asked[at].name, self._asked[at].name) == name), None)
        if index is None:
            return None
        self._untold(index)
        self._next = index + 1
        return self._asked[index]

    def _invocation(self, part: Entry, groups: list[tuple[int, Entry]], told: set[int]) -> None:
        emitter = self.emitter
        id = word(part.get("toolCallId"))
        tool = word(part.get("toolId")) or word(part.get("toolName"))
        name = ALIASES.get(tool, tool)
        inside = bool(part.get("subAgentInvocationId"))
        asked = None if inside else self._matching(id, name)
        line = emitter.line = asked.line if asked else self._line_of(part)
        emitter.aside, emitter.actor = inside, "subagent" if inside else "agent"
        self.account.sidechain += inside
        specific = part.get("toolSpecificData")
        specific = specific if type(specific) is dict else {}
        call = called(id or (asked.id if asked else ""), name, _arguments(asked.arguments if asked else None, specific, part))
        applied = False
        if call.role in ("edit", "write"):
            applied = bool(groups)
            _complete(call, groups)
            told.update(index for index, group in groups if not call.paths or uri_path(group.get("uri")) in call.paths)
        self._call(call)
        text = self._text(asked.id if asked and asked.id in self._results else id)
        self._result(call, part, text, applied=applied)
        self._todos(call, specific)
        emitter.line, emitter.aside, emitter.actor = line, False, "agent"

    def _call(self, call: Call) -> None:
        self.account.calls += 1
        self.emitter.call(call, summary(call))

    def _result(self, call: Call, part: Entry, text: str, *, applied: bool) -> None:
        """Add what came of *call*; nothing where neither *part* nor *text* tells."""
        specific = part.get("toolSpecificData")
        specific = specific if type(specific) is dict else {}
        confirmed = part.get("isConfirmed")
        how = confirmed.get("type") if type(confirmed) is dict else confirmed
        if (type(how) is int and how in (_DENIED, _SKIPPED)) or how is False:
            self.account.results += 1
            self.emitter.result(call, text, ok=False, data={"refused": True})
            return
        text = text or _shown(part, specific)
        if not (text or applied or part.get("isComplete") is True):
            self.account.unanswered += 1
            return
        self.account.results += 1
        failed = _is_failed(call, part, text)
        if "command" not in call.data:
            known = bool(text or applied or call.role not in ("edit", "write"))
            ok = False if failed else True if known else None
            self.account.errors += failed
            self.emitter.result(call, text, ok=ok)
        else:
            self._ran(call, specific, text, failed=failed)
        if call.role == "question" and not failed:
            self.emitter.answered(answered(call, text))

    def _ran(self, call: Call, specific: Entry, text: str, *, failed: bool) -> None:
        state = specific.get("terminalCommandState")
        exit = state.get("exitCode") if type(state) is dict else None
        if type(exit) is not int:
            found = _EXIT.search(text[:_EDGE]) or _EXIT.search(text[-_EDGE:])
            exit = int(found[1]) if found else None
        self.account.errors += failed or exit not in (None, 0)
        running = _RUNS_ON.search(text[:_EDGE]) if exit is None else None
        in_background = exit is None and (
            call.input.get("isBackground") is True or specific.get("didContinueInBackground") is True
        )
        if running or in_background:
            self.emitter.result(call, text, ok=None, data={"background": running[1] if running else call.id})
            return
        self.emitter.result(call, text, ok=False if failed else None if exit is None else exit == 0, exit=exit)

    def _todos(self, call: Call, specific: Entry) -> None:
        entries = specific.get("todoList") if specific.get("kind") == "todoList" else None
        if call.name == "manage_todo_list":
            entries = call.input.get("todoList") or entries
        if type(entries) is list:
            self.emitter.listed(listed(entries))

    def _edit(self, part: Entry, index: int) -> None:
        """Tell of an edit that was applied without a call, as from a code block in the agent's answer."""
        path = uri_path(part.get("uri"))
        data = {"input": {}, "new": clean(written(part))}
        call = Call(f"{self.emitter.message}:{index}", "textEditGroup", "edit", (path,) if path else (), data)
        self._call(call)
        self.account.results += 1
        self.emitter.result(call, "", ok=True)

    # --- what the human was asked ---

    def _questions(self, part: Entry) -> None:
        data, asked = part.get("data"), part.get("questions")
        if type(data) is not dict or type(asked) is not list or part.get("autoReply") is True:
            return
        names = {
            word(one.get("id")): plain(markdown(one.get("message"))) or clean(one.get("title"))
            for one in asked[:EDITS]
            if type(one) is dict
        }
        answers = {names.get(word(id)) or word(id): choice(answer) for id, answer in data.items()}
        self.emitter.answered({question: answer for question, answer in answers.items() if question and answer})

    def _plan(self, part: Entry) -> None:
        plan = clean(part.get("content")) or clean(part.get("title"))
        self.emitter.say("plan", plan)
        data = part.get("data")
        if type(data) is not dict:
            return
        approved = data.get("rejected") is not True and bool(data.get("action") or data.get("actionId"))
        self.emitter.decided(plan, approved=approved)
        if feedback := clean(data.get("feedback")).strip():
            self.emitter.prompt(feedback, refused=None if approved else "")

    def _text(self, id: str) -> str:
        """The text of a call's result, which is stored as the tree of a prompt."""
        return clean("".join(leaves(self._results.get(id)))).strip("\n")


def _edits_after(parts: list[Any], index: int) -> Iterator[tuple[int, Entry]]:
    """The edits that were applied between the call at *index* and the next one."""
    for at in range(index + 1, min(len(parts), index + 1 + 4 * EDITS)):
        part = parts[at]
        kind = part.get("kind") if type(part) is dict else None
        if kind in _CALLS:
            return
        if kind in _EDITS:
            yield at, part


def _complete(call: Call, groups: list[tuple[int, Entry]]) -> None:
    """Where the arguments of an edit are lost, what was applied tells of it."""
    if groups and not call.data.keys() & {"old", "new", "content", "patch"}:
        paths = dict.fromkeys(path for _, group in groups if (path := uri_path(group.get("uri"))))
        call.paths = call.paths or tuple(paths)
        call.data = {**call.data, "new": clean("\n".join(written(group) for _, group in groups))}


def _arguments(asked: Any, specific: Entry, part: Entry) -> Any:
    """What was asked for; of a command, what was really run: the client or the human may have changed it."""
    line = specific.get("commandLine")
    command = specific.get("command")
    if type(line) is dict:
        command = next((line[key] for key in ("userEdited", "toolEdited", "original") if type(line.get(key)) is str), None)
    if specific.get("kind") == "terminal" and type(command) is str:
        given = called("", "", asked).input
        return {**given, "command": command}
    if asked is not None:
        return asked
    kind = specific.get("kind")
    if kind == "input":
        return specific.get("rawInput")
    if kind in ("todoList", "subagent"):
        return {key: value for key, value in specific.items() if key in ("todoList", "description", "prompt", "agentName")}
    details = part.get("resultDetails")
    return details.get("input") if type(details) is dict else None


def _shown(part: Entry, specific: Entry) -> str:
    """What the chat itself keeps of a result."""
    output = specific.get("terminalCommandOutput")
    details = part.get("resultDetails")
    for said in (
        output.get("text") if type(output) is dict else None,
        specific.get("result"),
        details.get("output") if type(details) is dict else None,
        part.get("resultError") or None,
        markdown(part.get("pastTenseMessage")),
    ):
        if text := clean("".join(leaves(said))):
            return text
    return ""


def _is_failed(call: Call, part: Entry, text: str) -> bool:
    details = part.get("resultDetails")
    if bool(part.get("resultError")) or (type(details) is dict and details.get("isError") is True):
        return True
    return call.role in ("edit", "write", "read", "search", "fetch", "shell") and _ERROR.match(text) is not None
