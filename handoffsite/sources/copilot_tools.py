"""Copilot's tools, in the terminal and in VS Code: what a call asks for, under the names that every agent's tools get."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from handoffsite.sources.emitter import Call
from handoffsite.sources.lines import parsed
from handoffsite.sources.patch import joined, patch_in, patched
from handoffsite.sources.text import clean, named, tidy, word
from handoffsite.sources.todos import KEPT_TODOS, todo

ROLES = {
    **dict.fromkeys(
        ("bash", "powershell", "local_shell", "shell", "run_in_terminal", "create_and_run_task", "run_task"), "shell"
    ),
    **dict.fromkeys(("edit", "apply_patch", "str_replace", "insert", "str_replace_editor", "insert_edit_into_file"), "edit"),
    **dict.fromkeys(("replace_string_in_file", "multi_replace_string_in_file", "edit_notebook_file"), "edit"),
    **dict.fromkeys(("create", "create_file"), "write"),
    **dict.fromkeys(("view", "read_file", "view_image", "copilot_getNotebookSummary"), "read"),
    **dict.fromkeys(("rg", "grep", "glob", "grep_search", "file_search", "semantic_search", "list_dir"), "search"),
    **dict.fromkeys(("list_code_usages", "test_search", "tool_search", "tool_search_tool_regex"), "search"),
    **dict.fromkeys(("web_fetch", "web_search", "fetch", "fetch_webpage", "github_repo"), "fetch"),
    **dict.fromkeys(("update_todo", "manage_todo_list"), "todo"),
    "exit_plan_mode": "plan",
    **dict.fromkeys(("ask_user", "ask_questions", "vscode_askQuestions"), "question"),
    **dict.fromkeys(("task", "runSubagent", "search_subagent", "execution_subagent"), "agent"),
}

# The same tools under the IDs by which VS Code's chat knows them.
ALIASES = {
    "copilot_replaceString": "replace_string_in_file",
    "copilot_multiReplaceString": "multi_replace_string_in_file",
    "copilot_insertEdit": "insert_edit_into_file",
    "copilot_applyPatch": "apply_patch",
    "copilot_editNotebook": "edit_notebook_file",
    "copilot_createFile": "create_file",
    "copilot_createDirectory": "create_directory",
    "copilot_readFile": "read_file",
    "copilot_viewImage": "view_image",
    "copilot_findTextInFiles": "grep_search",
    "copilot_findFiles": "file_search",
    "copilot_searchCodebase": "semantic_search",
    "copilot_listDirectory": "list_dir",
    "copilot_getErrors": "get_errors",
    "copilot_fetchWebPage": "fetch_webpage",
    "vscode_fetchWebPage_internal": "fetch_webpage",
    "copilot_githubRepo": "github_repo",
    "copilot_runInTerminal": "run_in_terminal",
    "copilot_runInTerminal1": "run_in_terminal",
    "copilot_getTerminalOutput": "get_terminal_output",
    "copilot_askQuestions": "vscode_askQuestions",
    "ask_questions": "vscode_askQuestions",
    "copilot_getChangedFiles": "get_changed_files",
    "copilot_memory": "memory",
    "copilot_testSearch": "test_search",
    "copilot_listCodeUsages": "list_code_usages",
}

EDITS = 64  # replacements of one call

_PATHS = ("path", "filePath", "file_path", "dirPath")
_SUMMARY = (*_PATHS, "pattern", "query", "includePattern", "url", "urls", "summary", "description")
_SEARCHED = ("pattern", "query", *_SUMMARY)
_OLD = ("old_str", "oldString", "old_string")
_NEW = ("new_str", "newString", "new_string", "code", "newCode")
_CONTENT = ("file_text", "content")
_OWN = re.compile(r"[/\\]session-state[/\\][0-9a-f]{8}-[0-9a-f-]{27}[/\\]", re.IGNORECASE)
_ANSWER = re.compile(r"User (?:responded|selected|answered|chose|replied|picked)(?: with)?:\s*(.+)", re.DOTALL)
_CHOICES = ("selected", "selectedValue", "selectedValues", "freeText", "freeformValue", "value")
_PLAN_FILE = re.compile(r"[/\\]plan\.md\Z")


def called(id: str, name: str, arguments: Any) -> Call:
    """The call of the tool *name* with *arguments*, be they an object, the text of one, or a patch."""
    given = _loaded(name, arguments)
    role = _role(name, given)
    data: dict[str, Any] = {"input": tidy(given)}
    paths = _named(given)
    if role == "shell":
        command = _command(given)
        data["command"] = clean(command)
        if patch := patch_in(command):
            role = "edit"
            paths = _patch(data, patch)
    elif role in ("edit", "write"):
        paths = _change(data, given, paths)
    if role in ("edit", "write") and paths and all(_OWN.search(path) for path in paths):
        return Call(id, name, "plan" if _PLAN_FILE.search(paths[0]) else "other", paths, {"input": data["input"]})
    return Call(id, name, role, paths, data)


def summary(call: Call) -> str:
    """What a reader would call the call."""
    given = call.input
    if "command" in call.data:
        return str(call.data["command"])
    if call.role == "agent":
        return clean(given.get("description")) or clean(given.get("prompt"))
    if call.role == "question":
        return "\n".join(question for question, _ in questions(given))
    if call.role in ("edit", "write"):
        return ", ".join(call.paths)
    for key in _SEARCHED if call.role == "search" else _SUMMARY:
        said = given.get(key)
        if said and (told := word(said[0] if type(said) is list else said)):
            return told
    return ""


def questions(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each question among the arguments, and the name by which its answer calls it."""
    asked = given.get("questions")
    if type(asked) is not list:
        question = clean(given.get("question")) or clean(given.get("message"))
        return [(question, "")] if question else []
    return [
        (clean(one.get("question")) or clean(one.get("title")), word(one.get("header")) or word(one.get("id")))
        for one in asked[:EDITS]
        if type(one) is dict
    ]


def listed(entries: list[Any]) -> list[dict[str, str]]:
    """The to-do list that *entries* are, whose IDs may be numbers."""
    kept = (entry for entry in entries[:KEPT_TODOS] if type(entry) is dict)
    return [todo({**entry, "id": str(id)} if type(id := entry.get("id")) is int else entry) for entry in kept]


def is_own_plan(call: Call) -> bool:
    """Whether *call* writes the plan that the client keeps for the session, beside its log."""
    return call.role == "plan" and bool(call.paths)


def planned(call: Call, plan: str) -> str:
    """The session's plan after *call* wrote it; *plan* is what it was."""
    given = call.input
    if content := _first(given, _CONTENT):
        return content
    if patch := _first(given, ("input", "patch")):
        lines = [line[1:] for line in patch.split("\n") if line.startswith("+")]
        return "\n".join(lines) if "*** Add File:" in patch else "\n".join((plan, *lines)).strip()
    old, new = _first(given, _OLD), _first(given, _NEW)
    return plan.replace(old, new, 1) if old and old in plan else plan


def _role(name: str, given: Mapping[str, Any]) -> str:
    if name == "sql":
        return "todo" if "todos" in str(given.get("query")).lower() else "other"
    if name == "str_replace_editor":
        return {"view": "read", "create": "write"}.get(word(given.get("command")), "edit")
    return ROLES.get(name, "other")


def _loaded(name: str, arguments: Any) -> dict[str, Any]:
    if type(arguments) is dict:
        return arguments
    if type(arguments) is not str or not arguments:
        return {}
    value = parsed(arguments)
    if type(value) is dict:
        return value
    return {"input" if name == "apply_patch" else "arguments": arguments}


def _named(given: Mapping[str, Any]) -> tuple[str, ...]:
    path = named(given, _PATHS)
    return (path,) if path else ()


def _command(given: Mapping[str, Any]) -> str:
    task = given.get("task")
    command = given.get("command") or (task.get("command") if type(task) is dict else None)
    if type(command) is list:
        command = " ".join(part for part in command if type(part) is str)
    arguments = task.get("args") if type(task) is dict else None
    if type(command) is str and type(arguments) is list:
        return " ".join((command, *(part for part in arguments if type(part) is str)))
    return command if type(command) is str else ""


def _change(data: dict[str, Any], given: Mapping[str, Any], paths: tuple[str, ...]) -> tuple[str, ...]:
    """Put what an edit changes into *data*; the paths that it touches."""
    if patch := _first(given, ("input", "patch")):
        return _patch(data, patch)
    replacements = given.get("replacements") or given.get("edits")
    if type(replacements) is list:
        return _replacements(data, [one for one in replacements[:EDITS] if type(one) is dict], paths)
    for name, keys in (("old", _OLD), ("new", _NEW), ("content", _CONTENT)):
        if any(type(given.get(key)) is str for key in keys):
            data[name] = clean(_first(given, keys))
    return paths


def _replacements(data: dict[str, Any], edits: list[dict[str, Any]], paths: tuple[str, ...]) -> tuple[str, ...]:
    """Several replacements: of one file told as one, of several as a patch, which names the file of each."""
    found = [(next(iter(_named(one) or paths), ""), _first(one, _OLD), _first(one, _NEW)) for one in edits]
    touched = tuple(dict.fromkeys(path for path, _, _ in found if path))
    if len(touched) < 2:
        data |= joined((old, new) for _, old, new in found)
        return touched
    hunks = (f"*** Update File: {path}\n@@\n{_marked('-', old)}{_marked('+', new)}" for path, old, new in found if path)
    data["patch"] = clean("*** Begin Patch\n" + "".join(hunks) + "*** End Patch")
    return touched


def _marked(sign: str, text: str) -> str:
    return "".join(f"{sign}{line}\n" for line in text.split("\n")) if text else ""


def _patch(data: dict[str, Any], patch: str) -> tuple[str, ...]:
    data["patch"] = clean(patch)
    return patched(patch)


def _first(given: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next((value for key in keys if type(value := given.get(key)) is str and value), "")


def answered(call: Call, text: str) -> dict[str, str]:
    """The human's answer to each question of *call*, as its result says it; none where it was left unanswered."""
    asked = questions(call.input)
    value = parsed(text) if text.lstrip().startswith("{") else None
    given = value.get("answers", value) if type(value) is dict else None
    if type(given) is dict:
        names = {name: question for question, name in asked}
        chosen = {names.get(word(name), word(name)): choice(answer) for name, answer in given.items()}
        return {question: answer for question, answer in chosen.items() if question and answer}
    found = _ANSWER.match(text)
    return {asked[0][0]: found[1].strip()} if found and asked and found[1].strip() else {}


def choice(answer: Any) -> str:
    """An *answer* in words, be it text, a choice, or several."""
    if type(answer) is list:
        return ", ".join(said for one in answer[:EDITS] if (said := choice(one)))
    if type(answer) is not dict:
        return clean(answer)
    if answer.get("skipped") is True:
        return ""
    parts = (choice(answer.get(key)) for key in _CHOICES)
    return ", ".join(part for part in parts if part)
