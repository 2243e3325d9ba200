"""Cursor's tools: what was called, under whichever of their names, and the rare word of what came of it."""

import re
from collections.abc import Mapping
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.emitter import Call, Emitter, OpenCalls
from handoffsite.sources.lines import parsed
from handoffsite.sources.patch import deletion, joined, patched
from handoffsite.sources.printed import is_refusal
from handoffsite.sources.text import arguments, clean, named, plain, renamed, word
from handoffsite.sources.todos import KEPT_TODOS, todo

# By their names in lower case without underscores.
ROLES = {
    **dict.fromkeys(("shell", "bash", "terminal", "runterminalcmd", "runterminalcommand", "runterminalcommandv2"), "shell"),
    **dict.fromkeys(("strreplace", "multistrreplace", "edit", "multiedit", "editfile", "editfilev2", "searchreplace"), "edit"),
    **dict.fromkeys(("applypatch", "editnotebook", "delete", "deletefile", "reapply"), "edit"),
    **dict.fromkeys(("write", "createfile", "writefile"), "write"),
    **dict.fromkeys(("read", "readfile", "readfilev2", "readlints"), "read"),
    **dict.fromkeys(("grep", "glob", "ls", "listdir", "grepsearch", "ripgrep", "filesearch", "globfilesearch"), "search"),
    **dict.fromkeys(("semanticsearch", "codebasesearch", "search"), "search"),
    **dict.fromkeys(("websearch", "webfetch", "fetch"), "fetch"),
    **dict.fromkeys(("todowrite", "updatetodos"), "todo"),
    "createplan": "plan",
    **dict.fromkeys(("askquestion", "askfollowupquestion"), "question"),
    **dict.fromkeys(("task", "subagent"), "agent"),
}

_DELETIONS = frozenset(("delete", "deletefile"))
_PATHS = ("path", "file_path", "target_file", "target_notebook", "notebook_path", "filePath", "relative_workspace_path")
_SUMMARY = ("command", *_PATHS, "pattern", "search_term", "query", "url", "description", "prompt", "name", "title")
_PARTS = {
    "old_string": "old",
    "old_str": "old",
    "new_string": "new",
    "new_str": "new",
    "contents": "content",
    "content": "content",
    "code_edit": "content",
    "file_text": "content",
}

_EXIT = re.compile(r"(?:^|\n)\s*(?:exit[ _]code|process exited with code):? (-?\d{1,10})\b", re.IGNORECASE)
_ERROR = re.compile(r"\s*(?:error\b|failed\b|rejected\b)", re.IGNORECASE)
_ENDS = 400  # characters at either end in which a status stands
WAITING = 256  # calls without an ID, whose result may still come


class Tools:
    """Tells of calls, and pairs results with them as far as the log has any; most calls stay unanswered."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self._open = OpenCalls()
        self._nameless: dict[str, str] = {}  # the calls without an ID of their own, with their names
        self._todos: dict[str, dict[str, str]] = {}

    @property
    def unanswered(self) -> int:
        """How many calls have no result."""
        return len(self._open)

    def call(self, block: Mapping[str, Any]) -> None:
        """Add what a block asks for; where it has no ID, it gets one."""
        self.account.calls += 1
        name = word(_first(block, "name", "toolName", "tool_name", "tool"))
        given = _given(_first(block, "input", "args", "arguments", "params", "parameters"))
        id = _id(block)
        if not id:
            id = f"{self.emitter.line}:{self.account.calls}"
            self._nameless[id] = name
            if len(self._nameless) > WAITING:
                del self._nameless[next(iter(self._nameless))]
        kind = name.lower().replace("_", "")
        role = ROLES.get(kind, "other")
        path = named(given, _PATHS)
        data = {"input": given, **_data(role, given, path if kind in _DELETIONS else "")}
        paths = patched(data["patch"]) if "patch" in data else (path,) if path else ()
        call = Call(id, name, role, paths, data)
        self._open.add(call)
        self.emitter.call(call, _summary(call))
        if role == "todo" and type(todos := given.get("todos")) is list:
            self._list(todos, merge=given.get("merge") in (True, "true"))
        elif role == "plan" and not self.emitter.aside and (plan := clean(given.get("plan")) or clean(given.get("overview"))):
            self.emitter.say("plan", plan)

    def result(self, block: Mapping[str, Any]) -> None:
        """Add what a call gave back; a result without an ID is the oldest such call's, of its name if it has one."""
        self.account.results += 1
        name = word(_first(block, "name", "toolName", "tool_name", "tool"))
        call = self._open.close(_id(block) or self._waiting(name))
        self._nameless.pop(call.id, None)
        if not call.name and name:
            call = Call(call.id, name, ROLES.get(name.lower().replace("_", ""), "other"))
        content = _first(block, "content", "result", "output", "text")
        text = plain(content)
        if not text and type(content) is dict:
            text = plain(_first(content, "output", "content", "stdout", "error"))
        ok, exit = _outcome(call, block, content, text)
        self.account.errors += ok is False
        refused = ok is False and is_refusal(text[:_ENDS])
        self.emitter.result(call, text, ok=ok, exit=exit, data={"refused": True} if refused else None)

    def _waiting(self, name: str) -> str:
        """The oldest call without an ID that waits for a result, of that *name* if one is given."""
        return next((id for id, called in self._nameless.items() if not name or called == name), "")

    def _list(self, todos: list[Any], *, merge: bool) -> None:
        """Add the list as it stands, *todos* being all of it or only what changed."""
        if not merge:
            self._todos.clear()
        for number, entry in enumerate(todos[:KEPT_TODOS]):
            if type(entry) is dict:
                new = todo(entry)
                known = self._todos.get(new["id"] or f"#{number}", {})
                changed = new if "status" in entry or not known else {**new, "status": known["status"]}
                self._todos[new["id"] or f"#{number}"] = {**known, **{key: value for key, value in changed.items() if value}}
        while len(self._todos) > KEPT_TODOS:
            del self._todos[next(iter(self._todos))]
        if self._todos:
            self.emitter.listed([{"id": "", "text": "", "status": "pending", **entry} for entry in self._todos.values()])


def _first(given: Mapping[str, Any], *keys: str) -> Any:
    """What *given* holds under the first of *keys* that it has."""
    return next((given[key] for key in keys if given.get(key) is not None), None)


def _id(block: Mapping[str, Any]) -> str:
    return word(_first(block, "tool_use_id", "toolCallId", "tool_call_id", "call_id", "id"))


def _given(given: Any) -> dict[str, Any]:
    """The arguments, which may be spelt in JSON, or be one text."""
    return arguments(parsed(given) if type(given) is str and given.lstrip().startswith("{") else given)


def _data(role: str, given: Mapping[str, Any], deleted: str) -> dict[str, Any]:
    """What of the arguments has a name of its own for every agent."""
    if role == "shell":
        return {"command": clean(given.get("command"))}
    if role not in ("edit", "write"):
        return {}
    if deleted:
        return {"patch": deletion((deleted,))}
    patch = _first(given, "patch", "input", "patchContent", "")
    if type(patch) is str and patch:
        return {"patch": patch}
    edits = _first(given, "edits", "replacements")
    if type(edits) is list:
        parts = [renamed(edit, _PARTS) for edit in edits if type(edit) is dict]
        return joined((part.get("old", ""), part.get("new", "")) for part in parts)
    return renamed(given, _PARTS)


def _summary(call: Call) -> str:
    """What a reader would call the call."""
    questions = call.input.get("questions")
    if call.role == "question" and type(questions) is list:
        said = [clean(_first(one, "prompt", "question")) for one in questions if type(one) is dict]
        return "\n".join(line for line in said if line)
    if "patch" in call.data:
        return ", ".join(call.paths)
    return next((clean(given) for key in _SUMMARY if type(given := call.input.get(key)) is str and given), "")


def _outcome(call: Call, block: Mapping[str, Any], content: Any, text: str) -> tuple[bool | None, int | None]:
    """Whether it worked, and the exit status if the log tells one: a shell's text alone tells nothing."""
    failed = _first(block, "is_error", "isError")
    if call.role == "shell":
        exit = _first(content, "exitCode", "exit_code") if type(content) is dict else None
        found = None if type(exit) is int else _EXIT.search(text[:_ENDS]) or _EXIT.search(text[-_ENDS:])
        exit = exit if type(exit) is int else int(found[1]) if found else None
        if exit is not None:
            return exit == 0 and not failed, exit
        return (not failed if type(failed) is bool else None), None
    if failed or (call.role in ("edit", "write") and _ERROR.match(text)):
        return False, None
    return (True if text or type(failed) is bool else None), None
