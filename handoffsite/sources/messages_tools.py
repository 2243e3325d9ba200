"""Tools by whatever name a chat calls them: which role each has, and what its arguments say of command, file and change."""

import re
import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from handoffsite.sources.emitter import Call
from handoffsite.sources.lines import parsed
from handoffsite.sources.patch import deletion, joined, patch_in, patched
from handoffsite.sources.text import KEPT_ENTRIES, clean, tidy, word

# Names as `plain_name` gives them. A shell is one only where a command stands among the arguments.
_NAMES = {
    "shell": (
        "bash shell sh zsh cmd command terminal console powershell execute exec run run_command run_commands run_shell run_bash "
        "execute_command execute_bash execute_shell exec_command shell_command shell_exec local_shell unified_exec container_exec "
        "run_shell_command run_bash_command run_terminal_cmd run_terminal_command run_in_terminal execute_shell_command bash_tool "
        "terminal_execute bash_command command_line"
    ),
    "edit": (
        "edit edit_file file_edit multi_edit str_replace str_replace_editor str_replace_based_edit_tool search_replace replace editor "
        "text_editor apply_patch apply_diff patch patch_file replace_in_file replace_string_in_file multi_replace_string_in_file "
        "insert insert_content insert_edit_into_file replace_file_content multi_replace_file_content notebook_edit edit_notebook "
        "edit_block modify_file update_file undo_edit delete_file remove_file format_file"
    ),
    "write": "write write_file file_write create_file write_to_file save_file create_text_file new_file overwrite_file",
    "read": "read read_file read_files view view_file view_image cat open open_file get_file_contents file_read look_at notebook_read",
    "search": (
        "grep glob ls list_dir list_directory list_files search_files codebase_search codebase_search_agent grep_search file_search "
        "find find_by_name find_file finder search_code search_dir search_file ripgrep rg tree"
    ),
    "fetch": "web_search search_web web_fetch fetch fetch_url fetch_web_content read_web_page read_url_content browse",
    "todo": "todo_write todo_read todo todos todo_list write_todos update_plan manage_todo_list update_todo_list task_list",
    "plan": "exit_plan_mode",
    "question": "ask_user_question ask_followup_question ask_user request_user_input",
    "agent": "task agent subagent spawn_agent dispatch_agent oracle librarian",
}
_ROLES = {name: role for role, names in _NAMES.items() for name in names.split()}

_COMMAND = ("command", "cmd", "CommandLine", "command_line", "script", "commands")
_PATH = (
    *("path", "file_path", "filePath", "filepath", "file", "filename", "notebook_path", "target_file", "TargetFile"),
    *("AbsolutePath", "absolute_path", "relative_path", "paths", "files"),
)
_OLD = ("old_string", "old_str", "oldString", "old_text", "oldText", "old", "search", "TargetContent")
_NEW = (
    *("new_string", "new_str", "newString", "new_text", "newText", "new", "replace", "ReplacementContent", "new_source"),
    *("insert_text", "code_edit"),
)
_CONTENT = ("content", "contents", "file_text", "fileText", "CodeContent", "file_content", "text")
_PATCH = ("patch", "patchText", "patch_text", "diff", "input")
_EDITS = ("edits", "replacements", "ReplacementChunks")
_SUMMARY = ("description", "task", "prompt", "pattern", "query", "url", "question", "message", "instruction")

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SHELL_WORD = re.compile(r"(?:^|_)(?:bash|shell|terminal)(?:_|$)")
_SEARCH = re.compile(r"[<-]{3,9} SEARCH>?")
_DIVIDER = re.compile(r"={5,9}")
_REPLACE = re.compile(r"[>+]{3,9} REPLACE>?")
_PLACE = re.compile(r":start_line:.*|-{5,9}")
_DRIVE = re.compile(r"/[A-Za-z]:")
KEPT_PATHS = 100
KEPT_NAMES = 256


@lru_cache(maxsize=KEPT_NAMES)
def plain_name(name: str) -> str:
    """*name* without the prefix of its server, in lower case with underscores."""
    name = name.rpartition("__")[2] if name.startswith("mcp__") else name
    name = name.rpartition(":")[2].removeprefix("functions.")
    return _CAPITAL.sub("_", name).lower().replace("-", "_").replace(".", "_")


def loaded(arguments: Any) -> dict[str, Any]:
    """A call's arguments, which may be an object or the JSON text of one; what is neither stands under `arguments`."""
    value = parsed(arguments) if type(arguments) is str else arguments
    if type(value) is dict:
        return value
    return {"arguments": arguments} if arguments else {}


def call_of(id: str, name: str, arguments: Any) -> Call:
    """The call of the tool *name* with *arguments*, read as what every such tool means by them."""
    given = loaded(arguments)
    plain = plain_name(name)
    role = _ROLES.get(plain, "shell" if _SHELL_WORD.search(plain) else "other")
    data: dict[str, Any] = {"input": tidy(given)}
    if role == "shell":
        return _shell(id, name, given, data)
    paths = _paths(given)
    if role == "edit":
        role, change = _change(plain, given, paths)
        data |= change
    elif role == "write":
        data |= _named(given, {"content": _CONTENT})
    patch = data.get("patch", "")
    return Call(id, name, role, patched(patch) or paths, data)


def summary(call: Call) -> str:
    """What a reader would call the call."""
    if "command" in call.data:
        return str(call.data["command"])
    given = call.input
    if type(questions := given.get("questions")) is list:
        return "\n".join(clean(one.get("question")) for one in questions if type(one) is dict)
    if call.paths and call.role != "search":
        return ", ".join(call.paths)
    said = next((clean(said) for key in _SUMMARY if (said := given.get(key))), "")
    return said or ", ".join(call.paths)


def _shell(id: str, name: str, given: Mapping[str, Any], data: dict[str, Any]) -> Call:
    command = _command(given)
    if not command:
        return Call(id, name, "other", (), data)
    data["command"] = clean(command)
    if patch := clean(patch_in(command)):
        data["patch"] = patch
        return Call(id, name, "edit", patched(patch), data)
    return Call(id, name, "shell", (), data)


def _command(given: Mapping[str, Any]) -> str:
    """The command among the arguments; the shell that runs it is left out."""
    for key in (*_COMMAND, "arguments"):
        command = given.get(key)
        if type(command) is str and command.strip():
            return command
        if type(command) is list and (words := [part for part in command if type(part) is str]):
            if key == "commands":
                return "\n".join(words)
            if len(words) == 3 and words[1].lower() in ("-c", "-lc", "-command", "/c"):
                return words[2]
            return shlex.join(words)
    return ""


def _paths(given: Mapping[str, Any]) -> tuple[str, ...]:
    for key in _PATH:
        if key not in given:
            continue
        value = given[key]
        listed = value[:KEPT_PATHS] if type(value) is list else [value]
        listed = [one.get("path") if type(one) is dict else one for one in listed]
        if found := tuple(dict.fromkeys(path for one in listed if (path := word(one)))):
            return tuple(local(path) for path in found)
    return ()


def local(path: str) -> str:
    """*path* without the scheme and the escapes of a file's address."""
    if not path.startswith("file://"):
        return path
    path = word(unquote(path[len("file://") :]))
    return path[1:] if _DRIVE.match(path) else path


def _change(plain: str, given: Mapping[str, Any], paths: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    """The role of an edit once its arguments are known, and what it changes."""
    action = given.get("command") if plain.startswith(("str_replace_", "text_editor", "editor")) else None
    if action == "view":
        return "read", {}
    if action == "create":
        return "write", _named(given, {"content": _CONTENT})
    if plain in ("delete_file", "remove_file"):
        return "edit", {"patch": deletion(paths)} if paths else {}
    change: dict[str, Any] = _named(given, {"old": _OLD, "new": _NEW, "content": _CONTENT})
    if (patch := _text(given, (*_PATCH, "arguments"))) and "new" not in change:
        pairs = _replacements(patch) if " SEARCH" in patch else []
        change |= joined(pairs) if pairs else {"patch": clean(patch)}
    for key in _EDITS:
        if type(edits := given.get(key)) is list and edits:
            pairs = [(_text(edit, _OLD), _text(edit, _NEW)) for edit in edits[:KEPT_ENTRIES] if type(edit) is dict]
            change |= {**joined(pairs), "input": _with_edits(given, pairs)}
    return "edit", change


def _with_edits(given: Mapping[str, Any], pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """The arguments with the parts of a change under one name, whatever the tool calls them."""
    return {**tidy(given), "edits": [{"old_string": clean(old), "new_string": clean(new)} for old, new in pairs]}


def _replacements(text: str) -> list[tuple[str, str]]:
    """The pairs of a *text* of SEARCH and REPLACE blocks."""
    pairs: list[tuple[str, str]] = []
    part: list[str] | None = None
    old: list[str] = []
    new: list[str] = []
    for line in text.splitlines(keepends=True):
        bare = line.rstrip()
        if _SEARCH.fullmatch(bare):
            old, new = [], []
            part = old
        elif part is old and _DIVIDER.fullmatch(bare):
            part = new
        elif part is new and _REPLACE.fullmatch(bare):
            pairs.append(("".join(old), "".join(new)))
            part = None
        elif part is not None and not (part is old and not old and _PLACE.fullmatch(bare)):
            part.append(line)
    return pairs


def _named(given: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """What of *given* has one of the *names*, cleaned, under the name that every tool's gets."""
    found = {name: next((given[key] for key in keys if type(given.get(key)) is str), None) for name, keys in names.items()}
    return {name: clean(value) for name, value in found.items() if value is not None}


def _text(given: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((value for key in keys if type(value := given.get(key)) is str and value), "")
