"""SWE-agent's commands: what the shell, its own editor and the submission do, and what came of it."""

import re
from collections.abc import Mapping
from typing import Any

from handoffsite.sources.emitter import Call
from handoffsite.sources.lines import parsed
from handoffsite.sources.printed import has_failed
from handoffsite.sources.text import clean, named, tidy, word

ROLES = {
    **dict.fromkeys(("bash", "execute_bash", "execute_server"), "shell"),
    **dict.fromkeys(("edit", "insert", "append", "str_replace", "undo_edit"), "edit"),
    "create": "write",
    **dict.fromkeys(("open", "goto", "scroll_up", "scroll_down", "view", "view_image"), "read"),
    **dict.fromkeys(("search_dir", "search_file", "find_file", "filemap"), "search"),
    "str_replace_editor": "other",  # its first argument says which
}
EDITOR = "str_replace_editor"

_FINISH = re.compile(r"COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT")
_RANGE = re.compile(r"edit\s+(\d{1,9}:\d{1,9})[ \t]*\n(.*?)(?:\n?end_of_edit\s*)?\Z", re.DOTALL)
_PART = re.compile(
    r"(?P<space>\s+)|'(?P<single>[^']*)'|\"(?P<double>[^\"\\]*+(?:\\.[^\"\\]*+)*+)\"|\\(?P<escaped>.)|(?P<plain>[^\s'\"\\]+|['\"\\])",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\([\"\\$`\n])")
_PATCH = re.compile(r"^diff --git ", re.MULTILINE)
_TOUCHED = re.compile(r"^\+\+\+ (?:b/)?([^\t\n\r]{1,1000})|^--- a/([^\t\n\r]{1,1000})\r?\n\+\+\+ /dev/null", re.MULTILINE)
_SHOWN = re.compile(r"\[File: (\S.{0,1000}?) \(\d+ lines total\)\]")
_DONE = re.compile(
    r"\s*(?:File updated|Text replaced|File created|New file created|The file \S{1,1000} has been edited|Last edit to|\[File: )|has been edited"
)
_FAILED = re.compile(
    r"\s*(?:Your (?:proposed )?edit|No replacement|No edit|No file open|Error|Usage: |usage: |Invalid|The path |Ran into|"
    r"The file \S{1,1000} (?:does not|already)|ERROR|File .{1,300} not found|Parameter |Text not found|Did not find|Multiple occurrences)"
)
_TIMED_OUT = re.compile(
    r"EXECUTION TIMED OUT|COMMAND TIMED OUT|The (?:last )?command .{0,2000}? (?:timed out|was cancelled)", re.DOTALL
)


def calls_in(action: str) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments that *action*, a command line, asks for."""
    action = action.strip()
    name = action.split(None, 1)[0] if action else ""
    if name == "submit" or name.startswith("exit_"):
        return name, {}
    if found := _RANGE.match(action):
        return "edit", {"lines": found[1], "text": found[2]}
    if name not in ROLES or name == "bash":
        return "bash", {"command": action}
    return name, _arguments(name, _words(action)[1:])


def calls_by(function: Any) -> tuple[str, dict[str, Any]]:
    """The same for a call that a model spelt as a function."""
    function = function if isinstance(function, Mapping) else {}
    given = function.get("arguments")
    given = parsed(given) if type(given) is str else given
    return word(function.get("name")) or "bash", given if type(given) is dict else {}


def call(id: str, name: str, given: Mapping[str, Any], *, opened: str, submission: str) -> Call:
    """The call; *opened* is the file that the editor shows, *submission* what the session handed in."""
    given = tidy(given)
    data: dict[str, Any] = {"input": given}
    role = ROLES.get(name, "other")
    command = clean(given.get("command"))
    if name == "submit" or (role == "shell" and _FINISH.search(command)):
        return submit(id, submission, given)
    if role == "shell":
        data["command"] = command
        return Call(id, name, role, (), data)
    if name == EDITOR:
        name = command
        role = ROLES.get(command, "other")
    path = named(given, ("path", "filename", "file_name", "file"))
    if role in ("edit", "write"):
        path = path or opened
        old = next((given[key] for key in ("old_str", "search") if type(given.get(key)) is str), None)
        new = next((given[key] for key in ("new_str", "replace", "text", "file_text") if type(given.get(key)) is str), None)
        data |= {key: text for key, text in (("old", old), ("content" if role == "write" else "new", new)) if text is not None}
    return Call(id, name, role, (path,) if path else (), data)


def submit(id: str, submission: str, given: Mapping[str, Any] | None = None) -> Call:
    """The call that hands in *submission*: where that is a patch, it is what became of all edits."""
    data: dict[str, Any] = {"input": given or {}}
    if not _PATCH.search(submission):
        return Call(id, "submit", "other", (), data)
    data["patch"] = clean(submission.strip("\r\n"))
    paths = dict.fromkeys((new if new != "/dev/null" else old).strip() for new, old in _TOUCHED.findall(submission))
    return Call(id, "submit", "edit", tuple(path for path in paths if path and path != "/dev/null"), data)


def outcome(call: Call, text: str, exit: int | None) -> tuple[bool | None, int | None]:
    """Whether *call* worked, and its exit status; without one, what a command printed decides."""
    head = text[:2_000]
    if call.role == "shell":
        if exit is not None:
            return exit == 0, exit
        return not (_TIMED_OUT.match(head.lstrip()) or has_failed(str(call.data.get("command", "")), text)), None
    if _FAILED.match(head):
        return False, None
    if call.role in ("edit", "write"):
        return (True if _DONE.search(head) else None), None
    return True, None


def shown_file(text: str) -> str:
    """The file that the editor shows after a command."""
    found = _SHOWN.search(text)
    return found[1] if found else ""


def _words(action: str) -> list[str]:
    """The words of a command line; not shlex, which takes four times as long for a line of twice the length."""
    words: list[str] = []
    word = ""
    is_open = False
    for found in _PART.finditer(action):
        if found["space"]:
            if is_open:
                words.append(word)
            word, is_open = "", False
            continue
        double = found["double"]
        word += _ESCAPED.sub(r"\1", double) if double is not None else found["single"] or found["plain"] or found["escaped"] or ""
        is_open = True
    return [*words, word] if is_open else words


def _arguments(name: str, words: list[str]) -> dict[str, Any]:
    """The arguments of one of the agent's own commands: named ones as `--name value`, the others by their place."""
    given: dict[str, Any] = {}
    placed: list[str] = []
    at = 0
    while at < len(words):
        if words[at].startswith("--") and at + 1 < len(words):
            given[words[at][2:]] = words[at + 1]
            at += 1
        else:
            placed.append(words[at])
        at += 1
    names = {EDITOR: ("command", "path"), "edit": ("search", "replace"), "insert": ("line", "text")}
    return dict(zip(names.get(name, ("path",)), placed, strict=False)) | given
