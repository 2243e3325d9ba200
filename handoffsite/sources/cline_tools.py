"""Cline's and Roo's tools: what was called, what came of it, and what the human said to it."""

import re
import shlex
from collections.abc import Mapping
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.lines import parsed
from handoffsite.sources.patch import patched
from handoffsite.sources.printed import has_failed
from handoffsite.sources.text import KEPT_ENTRIES, arguments, clean, gathered, word
from handoffsite.sources.todos import KEPT_TODOS

ROLES = {
    **dict.fromkeys(("execute_command", "run_commands", "bash"), "shell"),
    **dict.fromkeys(("replace_in_file", "apply_diff", "insert_content", "search_and_replace", "search_replace"), "edit"),
    **dict.fromkeys(("edit_file", "edit", "editor", "apply_patch"), "edit"),
    **dict.fromkeys(("write_to_file", "new_rule"), "write"),
    **dict.fromkeys(("read_file", "read_files", "access_mcp_resource", "read_command_output"), "read"),
    **dict.fromkeys(("search_files", "list_files", "list_code_definition_names", "codebase_search", "search_codebase"), "search"),
    **dict.fromkeys(("web_fetch", "web_search", "fetch_web_content", "browser_action"), "fetch"),
    "update_todo_list": "todo",
    **dict.fromkeys(("plan_mode_respond", "plan_mode_response"), "plan"),
    **dict.fromkeys(("ask_followup_question", "ask_question"), "question"),
    **dict.fromkeys(("new_task", "use_subagents", "spawn_agent"), "agent"),
    **dict.fromkeys(("attempt_completion", "submit_and_exit", "switch_mode", "use_mcp_tool", "fetch_instructions"), "other"),
    **dict.fromkeys(("load_mcp_documentation", "skills", "use_skill", "skill", "run_slash_command", "generate_image"), "other"),
    **dict.fromkeys(("condense", "summarize_task", "report_bug", "generate_explanation"), "other"),
}

_CLOSING = ("attempt_completion", "submit_and_exit")
_PATHS = ("path", "absolutePath", "file_path", "filePath")
_MARKS = {"x": "completed", "X": "completed", "-": "in_progress", "~": "in_progress", " ": "pending", "": "pending"}

_ITEM = re.compile(r"^[ \t]{0,20}(?:[-*] {1,3}|\d{1,3}[.)] {1,3})?\[([ xX~-]?)\] {1,3}(\S.{0,2000})$", re.MULTILINE)
_LISTED = re.compile(r"^ {0,8}(?:[-*+]|\d{1,3}[.)]) {1,3}\S|^#{1,6} ", re.MULTILINE)
_NESTED_PATH = re.compile(r"<path>\s*([^<\n]{1,1000}?)\s*</path>")
_EXIT = re.compile(r"\b[Ee]xit(?:ed with)? (?:code|status):? (-?\d{1,5})\b")
_LATER = re.compile(r"^Command is still running|^\[?Command (?:is )?running in (?:the )?background", re.MULTILINE)
_SHELL_FAILED = re.compile(
    r"Command (?:failed|execution timed out|timed out|execution failed)|Command executed in terminal[^\n]*(?:not successful|by signal)|"
    r"Command execution was not successful"
)
_FAILED = re.compile(
    r"\s*(?:The tool execution failed|Missing value for required parameter|\[ERROR\]|Error[: ]|Tool \[\w+\] was not executed|"
    r"Skipping tool \[|This tool cannot be used in PLAN MODE|Tool '?\w+'? is not allowed|Access to \S{1,400} is blocked|"
    r"Invalid JSON argument|Unable to apply diff|Failed to |<error_details>|<error>|Operation failed)"
)
_READ_FAILED = re.compile(r"<file>\s*<path>[^<\n]{1,1000}</path>\s*<error>|<status>denied")
_REFUSED = re.compile(
    r"\s*(?:The user (?:denied|rejected|declined)|Skipping tool \[\w+\] due to user|Tool (?:use|call|execution)?\s?(?:was )?"
    r"(?:denied|rejected|declined) by (?:the )?user|User (?:denied|rejected|declined))",
    re.IGNORECASE,
)
_FEEDBACK = re.compile(
    r"(?:following (?:feedback|context|message)|attempt completion again|switching to ACT MODE)[^<]{0,80}<(feedback|user_message)>"
)
_WRAPPED = re.compile(r"\s{0,20}<(feedback|user_message|answer)>")
_TO_ACT = "[The user has switched to ACT MODE"


class Tools:
    """Tells of calls, pairs results with them, and tells of the human's words among the results."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()
        self._pending: list[Call] = []  # the last message's calls, whose results may come without an ID
        self._talk: dict[str, str] = {}  # what looks like a call and is a word to the human: its name by its ID
        self._todos: list[dict[str, str]] = []
        self._plan = ""

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._open)

    def begin(self) -> None:
        """A new message of the agent: results without an ID belong to its calls alone."""
        self._pending.clear()

    def call(self, name: str, given: Any, id: str) -> None:
        """Add what a call asks for; a closing summary and a plan are words to the human."""
        given = arguments(given)
        if type(progress := given.get("task_progress")) is str:
            self.todo(progress)
        role = ROLES.get(name, "other")
        if name in _CLOSING or role == "plan":
            self._talk[id] = name
            self._pending.append(Call(id, name, role))
            self._speak(role, given)
            return
        self.account.calls += 1
        call = _call(id, name, role, given)
        self._open.add(call)
        self._pending.append(call)
        for part in _parts(call):
            self.emitter.call(part, _summary(part))
        if role == "todo" and type(todos := given.get("todos")) is str:
            self.todo(todos)

    def todo(self, checklist: str) -> None:
        """Add the list that *checklist* shows in Markdown, unless it stands like that."""
        items = _ITEM.findall(checklist)[:KEPT_TODOS]
        todos = [{"id": "", "text": clean(text.strip()), "status": _MARKS[mark]} for mark, text in items]
        if todos and todos != self._todos:
            self._todos = todos
            self.emitter.listed(todos)

    def waits(self, name: str) -> bool:
        """Whether a call of that name waits for a result that comes without an ID."""
        return any(call.name == name for call in self._pending)

    def result(self, content: Any, *, id: str = "", name: str = "", failed: bool = False) -> None:
        """Add what a call gave back: that with the *id*, or else the next one that waits, *name* being its own."""
        if id:
            self._pending = [call for call in self._pending if call.id != id]
        else:
            id = self._next(name)
        name = self._talk.pop(id, name) if id else name
        role = ROLES.get(name, "other")
        if name in _CLOSING or role == "plan":
            self._words(Call(id, name, role), _readable(content))
            return
        self.account.results += 1
        call = self._open.close(id) if id else Call()
        self._told(call if call.name else Call(id, name, role), content, failed=failed)

    def switched(self) -> None:
        """The human let the agent act: what was planned is approved."""
        if self._plan:
            self.emitter.decided(self._plan, approved=True)
            self._plan = ""

    def human(self, text: str, *, refused: str = "") -> None:
        """Add a prompt."""
        if text := clean(text).strip():
            self.account.human += 1
            self.emitter.prompt(text, refused=refused or None)

    def _speak(self, role: str, given: Mapping[str, Any]) -> None:
        said = given.get("response") if role == "plan" else given.get("result") or given.get("summary")
        if not (text := clean(said).strip()):
            return
        if role == "plan" and len(_LISTED.findall(text)) > 1:
            self._plan = text
            self.emitter.say("plan", text)
        else:
            self.emitter.say("text", text)

    def _next(self, name: str) -> str:
        """The ID of the call to which a result without one belongs."""
        at = next((at for at, call in enumerate(self._pending) if call.name == name), 0 if self._pending else None)
        return "" if at is None else self._pending.pop(at).id

    def _told(self, call: Call, content: Any, *, failed: bool) -> None:
        operations = _operations(content)
        parts = _parts(call)
        if len(parts) > 1 and len(operations) == len(parts):
            told = [_outcome(part, *_operation(one)) for part, one in zip(parts, operations, strict=True)]
        elif operations:
            texts, well = zip(*(_operation(one) for one in operations), strict=True)
            told = [_outcome(part, "\n".join(texts), all(well) and not failed) for part in parts]
        else:
            told = [_outcome(part, _readable(content), False if failed else None) for part in parts]
        self.account.errors += any(ok is False for _, ok, _, _ in told)
        for part, (text, ok, exit, data) in zip(parts, told, strict=True):
            self.emitter.result(part, clean(text), ok=ok, exit=exit, data=data)
        text, _, _, data = told[0]
        self._words(call, text, refused="refused" in data)

    def _words(self, call: Call, text: str, *, refused: bool = False) -> None:
        """Add what the human said in the place of a result."""
        if _TO_ACT in text[:400]:
            self.switched()
        wrapped = _WRAPPED.match(text)
        if call.role == "question" and not refused:
            answer = clean(_inside(text, wrapped) if wrapped else text).strip()
            if answer and not _FAILED.match(answer):
                self.emitter.answered({clean(call.input.get("question")): answer})
            return
        by = call.id if refused else ""
        loaded = parsed(text) if text.startswith('{"') else None
        if wrapped and (call.name in _CLOSING or call.role in ("plan", "agent")):
            self.human(_inside(text, wrapped), refused=by)
        elif type(loaded) is dict and loaded.get("status") in ("denied", "approved", "guidance"):
            self.human(clean(loaded.get("feedback")), refused=by)
        elif found := _FEEDBACK.search(text, 0, 4_000) or _FEEDBACK.search(text, max(0, len(text) - 4_000)):
            self.human(_inside(text, found), refused=by)


def _inside(text: str, opened: re.Match[str]) -> str:
    """What stands in the tag that *opened*."""
    return text[opened.end() :].partition(f"</{opened[1]}>")[0].strip()


def _call(id: str, name: str, role: str, given: dict[str, Any]) -> Call:
    data: dict[str, Any] = {"input": given}
    if role == "shell":
        data["command"] = "\n".join(_commands(given))
    elif name == "apply_patch":
        data["patch"] = clean(given.get("input") or given.get("patch") or given.get(""))
        return Call(id, name, role, patched(str(data["patch"])), data)
    elif role in ("edit", "write"):
        role = _change(role, given, data)
    return Call(id, name, role, _paths(given), data)


def _change(role: str, given: Mapping[str, Any], data: dict[str, Any]) -> str:
    """Note in *data* what an edit changes; the role, since one tool may write a whole file or a part of it."""
    old = next((given[key] for key in ("old_text", "old_string", "search") if type(given.get(key)) is str), None)
    new = next((given[key] for key in ("new_text", "new_string", "replace") if type(given.get(key)) is str), None)
    content = given.get("content")
    if role == "write" and type(content) is str:
        data["content"] = content
    elif type(diff := given.get("diff") or given.get("args")) is str:
        if "SEARCH" in diff:
            data["old"], data["new"] = blocks(diff)
        else:
            data["patch"] = diff
    elif old is not None or new is not None:
        if old is None and "new_text" in given and given.get("insert_line") is None:
            data["content"] = new
            return "write"
        data["old"], data["new"] = old or "", new or ""
    elif type(content) is str:
        data["new"] = content
    return role


def blocks(diff: str) -> tuple[str, str]:
    """What the search-and-replace blocks of *diff* look for, and what they put there."""
    old: list[str] = []
    new: list[str] = []
    into: list[str] | None = None
    for line in diff.split("\n"):
        if line.startswith(("<<<<<<<", "------- SEARCH")):
            into = old
        elif line.startswith("=======") and into is old:
            into = new
        elif line.startswith((">>>>>>>", "+++++++ REPLACE")):
            into = None
        elif into is old and (line.startswith((":start_line:", ":end_line:")) or line == "-------"):
            continue
        elif into is not None:
            into.append(line)
    return "\n".join(old), "\n".join(new)


def _commands(given: Mapping[str, Any]) -> list[str]:
    """The shell commands among the arguments, of which one tool takes many."""
    asked = next((given[key] for key in ("commands", "command", "cmd", "") if given.get(key)), None)
    args = given.get("args")
    if type(asked) is str and type(args) is list:
        asked = {"command": asked, "args": args}
    asked = asked if type(asked) is list else [asked]
    return [command for one in asked[:KEPT_ENTRIES] if (command := _command(one))]


def _command(one: Any) -> str:
    if type(one) is not dict:
        return clean(one).strip()
    args = one.get("args")
    words = [arg for arg in args if type(arg) is str] if type(args) is list else []
    return f"{clean(one.get('command'))} {shlex.join(words)}".strip()


def _parts(call: Call) -> list[Call]:
    """*call* as the single commands that it is made of."""
    commands = _commands(call.input) if call.role == "shell" and call.data else []
    if len(commands) < 2:
        return [call]
    return [
        Call(
            f"{call.id}.{number}" if number > 1 else call.id, call.name, call.role, call.paths, {**call.data, "command": command}
        )
        for number, command in enumerate(commands, 1)
    ]


def _paths(given: Mapping[str, Any]) -> tuple[str, ...]:
    for key in _PATHS:
        if path := word(given.get(key)):
            return (path,)
    found: list[str] = []
    for key in ("files", "paths", "file_paths"):
        listed = given.get(key)
        listed = listed[:KEPT_ENTRIES] if type(listed) is list else [listed]
        found += [word(one.get("path") if type(one) is dict else one) for one in listed]
    if type(args := given.get("args")) is str:
        found += _NESTED_PATH.findall(args)
    return tuple(dict.fromkeys(path for path in found if path))


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    given = call.input
    if call.role == "shell":
        return str(call.data.get("command", ""))
    if call.paths:
        return ", ".join(call.paths)
    for key in (
        "question",
        "message",
        "prompt",
        "prompt_1",
        "regex",
        "query",
        "queries",
        "url",
        "context",
        "tool_name",
        "mode_slug",
    ):
        if said := given.get(key):
            return clean(said) if type(said) is str else ", ".join(clean(one) for one in said) if type(said) is list else ""
    return ""


def _operations(content: Any) -> list[Mapping[str, Any]]:
    """The single results of which *content* is made, where each says for itself whether it worked."""
    if type(content) is str and content.startswith(("{", "[")):
        content = parsed(content)
    elif type(content) is list and len(content) == 1 and type(content[0]) is dict and content[0].get("type") == "text":
        return _operations(content[0].get("text"))
    listed = content if type(content) is list else [content]
    if listed and all(type(one) is dict and "success" in one for one in listed):
        return listed[:KEPT_ENTRIES]
    return []


def _operation(one: Mapping[str, Any]) -> tuple[str, bool]:
    text = gathered(one.get("result"))
    if one.get("success") is not True:
        text = "\n".join(part for part in (gathered(one.get("error")), text) if part)
    return text, one.get("success") is True


def _readable(content: Any) -> str:
    """The text of a result, without the header that repeats its call."""
    text = gathered(content)
    if text.startswith("[") and (end := text.find("] Result:", 0, 4_000)) > 0:
        text = text[end + len("] Result:") :].lstrip("\n")
    return text


def _outcome(call: Call, text: str, well: bool | None) -> tuple[str, bool | None, int | None, dict[str, Any]]:
    """The text, whether it worked, the exit status, and what more there is to say; *well* is the log's own word, if it has one."""
    head = text[:2_000]
    loaded = parsed(text) if text.startswith('{"status"') else None
    status = loaded.get("status") if type(loaded) is dict else ""
    if status == "denied" or _REFUSED.match(head):
        return text, False, None, {"refused": True}
    if call.role == "shell":
        return text, *_shell(str(call.data.get("command", "")), text, well), {}
    failed = well is False or status == "error" or _FAILED.match(head) or (call.role == "read" and _READ_FAILED.search(head))
    return text, not failed, None, {}


def _shell(command: str, text: str, well: bool | None) -> tuple[bool | None, int | None]:
    """Whether a command worked, and its exit status; what stands behind the client's own words is the command's."""
    own, _, output = text.partition("Output:\n")
    own = own[:1_000]
    if well is not False and not own.startswith("Command"):
        return (False, None) if _FAILED.match(own) else (well, 0 if well else None)
    if _LATER.search(own):
        return None, None
    if found := _EXIT.search(own):
        exit = int(found[1])
        return exit == 0 and well is not False, exit
    if well is False or _SHELL_FAILED.match(own) or _FAILED.match(own):
        return False, None
    return well or not has_failed(command, output), 0 if well else None
