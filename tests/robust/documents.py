"""The same made-up talk as each tool that keeps its log as one document would write it: JSON laid out over lines, or Markdown."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from tests.robust.talks import CWD, HEADERS, SESSION, Entry, Turn, _tool, gemini_cli, turns


@dataclass(frozen=True, slots=True)
class Dialect:
    """A file's *name*, what it begins and ends with, and how a turn is written; between turns stands *between*."""

    name: str
    opening: str
    spell: Callable[[Turn], list[str]]
    closing: str
    between: str = ""


def _json(name: str, head: Entry, key: str, spell: Callable[[Turn], list[Entry]]) -> Dialect:
    """A document with *head*, whose *key* holds the list of what *spell* gives, laid out as JSON.stringify(…, null, 2) does."""
    margin = "    " if key else "  "
    opening = json.dumps(head, indent=2)[:-1].rstrip() + f',\n  "{key}": [\n' if key else "[\n"
    closing = "\n  ]\n}\n" if key else "\n]\n"

    def pieces(turn: Turn) -> list[str]:
        return [indent(json.dumps(entry, indent=2), margin) for entry in spell(turn)]

    return Dialect(name, opening, pieces, closing, ",\n")


def openai(turn: Turn) -> list[Entry]:
    if turn.kind in ("ask", "say"):
        return [{"role": "user" if turn.kind == "ask" else "assistant", "content": turn.text}]
    name, given, output = _tool(turn, "bash", "edit_file", "path", "old_string", "new_string")
    call = {"id": f"call_{turn.number}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": output},
    ]


def cline(turn: Turn) -> list[Entry]:
    def entry(role: str, part: int, *content: Entry) -> Entry:
        return {"id": f"msg_{turn.number}_{part}", "role": role, "content": [*content], "ts": 1790841600000 + turn.number * 3000}

    if turn.kind in ("ask", "say"):
        return [entry("user" if turn.kind == "ask" else "assistant", 0, {"type": "text", "text": turn.text})]
    id = f"toolu_{turn.number}"
    name, result = "run_commands", {"query": turn.command, "result": turn.output, "success": "1 failed" not in turn.output}
    given: Entry = {"commands": [turn.command]}
    if turn.kind == "edit":
        name, result = "editor", {"query": f"edit:{turn.path}", "result": "Edited", "success": True}
        given = {"path": turn.path, "old_text": "a", "new_text": turn.text}
    return [
        entry("assistant", 0, {"type": "tool_use", "id": id, "name": name, "input": given}),
        entry("user", 1, {"type": "tool_result", "tool_use_id": id, "name": name, "content": [result]}),
    ]


def amp(turn: Turn) -> list[Entry]:
    sent: Entry = {"messageId": turn.number, "meta": {"sentAt": 1790841600000 + turn.number * 3000}}
    if turn.kind in ("ask", "say"):
        return [{"role": "user" if turn.kind == "ask" else "assistant", "content": [{"type": "text", "text": turn.text}], **sent}]
    id = f"toolu_{turn.number}"
    if turn.kind == "run":
        use: Entry = {"name": "Bash", "input": {"cmd": turn.command, "cwd": CWD}}
        result: Entry = {"output": turn.output, "exitCode": int("1 failed" in turn.output)}
    else:
        use = {"name": "edit_file", "input": {"path": turn.path, "old_str": "a", "new_str": turn.text}}
        result = {"diff": f"```diff\n-a\n+{turn.text}\n```", "lineRange": [1, 3]}
    return [
        {"role": "assistant", "content": [{"type": "tool_use", "complete": True, "id": id, **use}], **sent},
        {
            "role": "user",
            "content": [{"type": "tool_result", "toolUseID": id, "run": {"status": "done", "result": result}}],
            **sent,
        },
    ]


def opencode(turn: Turn) -> list[Entry]:
    at = 1790841600000 + turn.number * 3000
    ids: Entry = {"sessionID": "ses_1", "messageID": f"msg_{turn.number:09}"}
    info = {
        "id": ids["messageID"],
        "sessionID": "ses_1",
        "role": "user" if turn.kind == "ask" else "assistant",
        "time": {"created": at},
    }
    part: Entry = {"id": f"prt_{turn.number:09}", **ids, "type": "text", "text": turn.text}
    if turn.kind in ("run", "edit"):
        name, given, output = _tool(turn, "bash", "edit", "filePath", "oldString", "newString")
        state = {
            "status": "completed", "input": given, "output": output, "title": "", "time": {"start": at, "end": at + 900},
            "metadata": {"output": output[:60], "exit": int("1 failed" in output)},
        }  # fmt: skip
        part = {
            "id": f"prt_{turn.number:09}",
            **ids,
            "type": "tool",
            "callID": f"toolu_{turn.number}",
            "tool": name,
            "state": state,
        }
    return [{"info": info, "parts": [part]}]


def copilot_vscode(turn: Turn) -> list[Entry]:
    response: list[Entry] = []
    if turn.kind == "say":
        response = [{"value": turn.text, "supportThemeIcons": False, "supportHtml": False}]
    elif turn.kind == "run":
        details = {"kind": "terminal", "commandLine": {"original": turn.command}, "language": "sh"}
        output = {"text": turn.output, "exitCode": int("1 failed" in turn.output)}
        response = [
            {
                "kind": "toolInvocationSerialized", "toolId": "run_in_terminal", "toolCallId": f"t{turn.number}", "isComplete": True,
                "isConfirmed": {"type": 1}, "toolSpecificData": {**details, "terminalCommandOutput": output},
            }
        ]  # fmt: skip
    elif turn.kind == "edit":
        where = {"$mid": 1, "path": turn.path, "scheme": "file"}
        change = {"text": turn.text, "range": {"startLineNumber": 2, "startColumn": 1, "endLineNumber": 2, "endColumn": 40}}
        response = [{"kind": "textEditGroup", "uri": where, "edits": [[change]], "done": True}]
    return [
        {
            "requestId": f"request_{turn.number}", "message": {"text": turn.text if turn.kind == "ask" else "Go on", "parts": []},
            "response": response, "responseId": f"response_{turn.number}", "isCanceled": False, "timestamp": 1790841600000 + turn.number * 3000,
        }
    ]  # fmt: skip


def swe_agent(turn: Turn) -> list[Entry]:
    action = turn.command or f"str_replace_editor str_replace {turn.path} --old_str a --new_str '{turn.text}'"
    action = "ls\n" if turn.kind in ("ask", "say") else f"{action}\n"
    output = turn.output or "The file has been edited successfully."
    return [
        {
            "action": action,
            "observation": output,
            "response": f"{turn.text}\n\n```\n{action}```",
            "state": "{}",
            "thought": turn.text,
        }
    ]


def specstory(turn: Turn) -> list[str]:
    when = f"{turn.time[:10]} {turn.time[11:19]}Z"
    if turn.kind == "ask":
        return [f"---\n\n_**User ({when})**_\n\n{turn.text}\n\n---\n\n"]
    head = f"_**Agent (example-large-2 {when})**_\n\n"
    if turn.kind == "say":
        return [f"{head}{turn.text}\n\n"]
    kind, name = ("shell", "Bash") if turn.kind == "run" else ("write", "Edit")
    asked = f"\n`{turn.command}`\n" if turn.kind == "run" else ""
    output = turn.output or f"The file {turn.path} has been updated successfully."
    use = f'<tool-use data-tool-type="{kind}" data-tool-name="{name}"><details>\n<summary>Tool use: **{name}**</summary>'
    return [f"{head}{use}\n{asked}\n```text\n{output}\n```\n</details></tool-use>\n\n"]


def aider(turn: Turn) -> list[str]:
    if turn.kind == "ask":
        return [f"\n#### {turn.text}  \n\n"]
    if turn.kind == "say":
        return [f"{turn.text}\n\n"]
    if turn.kind == "run":
        return [f"> Running {turn.command}  \n{turn.output}\n\n"]
    sha = turn.id[:7]
    block = f"{turn.path}\n```python\n<<<<<<< SEARCH\na = 1\n=======\na = {turn.number}\n>>>>>>> REPLACE\n```\n"
    return [
        f"{turn.text}\n\n{block}\n> Tokens: 5.1k sent, 412 received.  \n> Applied edit to {turn.path}  \n> Commit {sha} Change {turn.number}  \n\n"
    ]


def chatml(turn: Turn) -> list[str]:
    role = "user" if turn.kind == "ask" else "assistant" if turn.kind in ("say", "edit") else "tool"
    return [f"<|im_start|>{role}\n{turn.output or turn.text}<|im_end|>\n"]


_SPECSTORY = (
    "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# 2026-10-01 08:00:00Z\n\n"
    f"<!-- Claude Code Session {SESSION} (2026-10-01 08:00:00Z) -->\n\n"
)
_GEMINI: Entry = {key: value for key, value in (HEADERS["gemini-cli"] or {}).items() if key != "kind"}
_COPILOT: Entry = {"version": 3, "requesterUsername": "dev", "responderUsername": "GitHub Copilot", "initialLocation": "panel"}
_EXPORT: Entry = {"info": {"id": "ses_1", "directory": CWD, "title": "Faster tables", "time": {"created": 1790841600000}}}

DOCUMENTS: dict[str, Dialect] = {
    "gemini-cli": _json("session-2026-10-01T08-00-5e55a1d0.json", _GEMINI, "messages", gemini_cli),
    "copilot-vscode": _json("5e55a1d0.json", {**_COPILOT, "sessionId": SESSION}, "requests", copilot_vscode),
    "opencode": _json("ses_1.json", _EXPORT, "messages", opencode),
    "amp": _json(f"T-{SESSION}.json", {"v": 61, "id": f"T-{SESSION}", "created": 1790841600000}, "messages", amp),
    "cline": _json("1.messages.json", {"version": 1, "updated_at": "2026-10-01T08:00:00Z", "agent": "lead", "sessionId": "1"}, "messages", cline),
    "swe-agent": _json("a.traj", {"environment": "swe_main"}, "trajectory", swe_agent),
    "messages": _json("chat.json", {}, "", openai),
    "chatml": Dialect("chat.txt", "", chatml, ""),
    "specstory": Dialect("2026-10-01_08-00-00Z-faster.md", _SPECSTORY, specstory, ""),
    "aider": Dialect(".aider.chat.history.md", "# aider chat started at 2026-10-01 08:00:00\n\n", aider, ""),
}  # fmt: skip


def document_of(format: str, folder: Path, size: int, output: int = 900) -> Path:
    """A log of at least *size* bytes in *folder*, named as its tool names it."""
    dialect = DOCUMENTS[format]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / dialect.name
    with path.open("w", encoding="utf-8") as file:
        file.write(dialect.opening)
        between = ""
        for piece in _pieces(dialect, output):
            file.write(between + piece)
            between = dialect.between
            if file.tell() >= size:
                break
        file.write(dialect.closing)
    return path


def _pieces(dialect: Dialect, output: int) -> Iterator[str]:
    for turn in turns(1 << 40, output):
        yield from dialect.spell(turn)
