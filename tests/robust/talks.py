"""One made-up talk of any length, written as each agent that keeps its log in lines would write it."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

SESSION = "5e55a1d0-0000-4000-8000-00000000beef"
CWD = "/srv/harbor"
_START = datetime(2026, 10, 1, 8, tzinfo=UTC)
_WORDS = (
    "the parser reads a line and keeps what it holds of each state file while the index grows with every branch that the "
    "build merges so that a test can find the table where the cache had lost its version of the schema"
).split()

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """What happens once: the human asks, or the agent says something, runs a command, or changes a file."""

    number: int
    kind: str  # ask, say, run, edit
    text: str = ""
    command: str = ""
    output: str = ""
    path: str = ""

    @property
    def id(self) -> str:
        """An ID of its own, in the form of a UUID."""
        digest = hashlib.md5(str(self.number).encode(), usedforsecurity=False).hexdigest()
        return f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:]}"

    @property
    def time(self) -> str:
        """When, in ISO 8601."""
        return (_START + timedelta(seconds=self.number * 3)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def prose(number: int, length: int) -> str:
    """A sentence of *length* words that nobody said before."""
    words = [_WORDS[(number * 7 + at * (3 + number % 5)) % len(_WORDS)] for at in range(length)]
    return " ".join(words).capitalize() + f" {number}."


def turns(count: int, output: int = 900) -> Iterator[Turn]:
    """A talk of *count* turns with *output* characters printed by each command, in which everything happens that is looked for."""
    for number in range(count):
        text, at = prose(number, 24), number % 10
        if at == 0:
            yield Turn(number, "ask", f"Please make the loader of table {number} faster. {text}")
        elif at in {1, 6}:
            yield Turn(number, "say", f"We will use httpx for the client because it is async ({number}). {text}")
        elif at in {2, 7}:
            yield Turn(number, "edit", text, path=f"{CWD}/src/part_{number % 400}.py")
        elif at == 3:
            package, version = f"lib{number % 300}", f"1.{number}"
            told = f"Successfully installed {package}-{version}"
            yield Turn(number, "run", command=f"pip install {package}=={version}", output=told)
        elif at == 4:
            yield Turn(
                number,
                "run",
                command="pytest -q",
                output=f"FAILED tests/test_{number}.py\n1 failed, {number} passed in 2s\nExit code: 1",
            )
        elif at == 8:
            sha = f"{number * 2654435761 % (1 << 28):07x}"
            yield Turn(
                number,
                "run",
                command=f"git commit -am 'Mend part {number}'",
                output=f"[main {sha}] Mend part {number}\n 1 file changed",
            )
        else:
            lines = "\n".join(f"src/part_{line}.py:{line}: {prose(number + line, 10)}" for line in range(max(1, output // 70)))
            yield Turn(number, "run", command=f"rg -n part_{number} src", output=lines)


def claude_code(turn: Turn) -> list[Entry]:
    def entry(role: str, content: Any, part: str = "") -> Entry:
        message: Entry = {"role": role, "content": content}
        if role == "assistant":
            message |= {"id": f"msg_{turn.number}", "type": "message", "model": "m"}
        return {
            "parentUuid": None, "isSidechain": False, "userType": "external", "cwd": CWD, "sessionId": SESSION, "version": "2.1.0",
            "gitBranch": "main", "type": role, "message": message, "uuid": turn.id[:-1] + (part or "0"), "timestamp": turn.time,
        }  # fmt: skip

    if turn.kind == "ask":
        return [entry("user", turn.text)]
    if turn.kind == "say":
        return [entry("assistant", [{"type": "text", "text": turn.text}])]
    name, given, output = _tool(turn, "Bash", "Edit", "file_path", "old_string", "new_string")
    call = f"toolu_{turn.number}"
    return [
        entry("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}]),
        entry("user", [{"type": "tool_result", "tool_use_id": call, "content": output, "is_error": "1 failed" in output}], "1"),
    ]


def codex(turn: Turn) -> list[Entry]:
    def item(payload: Entry) -> Entry:
        return {"timestamp": turn.time, "type": "response_item", "payload": payload}

    if turn.kind in {"ask", "say"}:
        role, kind = ("user", "input_text") if turn.kind == "ask" else ("assistant", "output_text")
        return [item({"type": "message", "role": role, "content": [{"type": kind, "text": turn.text}]})]
    call = f"call_{turn.number}"
    command = (
        turn.command
        or f"apply_patch <<'E'\n*** Begin Patch\n*** Update File: {turn.path}\n@@\n-a\n+{turn.text}\n*** End Patch\nE"
    )
    output = json.dumps({"output": turn.output or "Success.", "metadata": {"exit_code": int("1 failed" in turn.output)}})
    arguments = json.dumps({"command": ["bash", "-lc", command]})
    return [
        item({"type": "function_call", "name": "shell", "arguments": arguments, "call_id": call}),
        item({"type": "function_call_output", "call_id": call, "output": output}),
    ]


def copilot_cli(turn: Turn) -> list[Entry]:
    def entry(kind: str, part: int, **data: Any) -> Entry:
        return {"type": kind, "data": data, "id": f"{turn.id[:-1]}{part}", "timestamp": turn.time, "parentId": None}

    if turn.kind == "ask":
        return [entry("user.message", 0, content=turn.text, attachments=[], interactionId=f"i-{turn.number}")]
    if turn.kind == "say":
        return [entry("assistant.message", 0, messageId=turn.id, content=turn.text, toolRequests=[])]
    name, given, output = _tool(turn, "bash", "edit", "path", "old_str", "new_str")
    call = {"toolCallId": f"toolu_{turn.number}"}
    result = {"content": output, "detailedContent": output}
    return [
        entry("assistant.message", 0, messageId=turn.id, content="", toolRequests=[{**call, "name": name, "arguments": given}]),
        entry("tool.execution_start", 1, **call, toolName=name, arguments=given),
        entry("tool.execution_complete", 2, **call, success="1 failed" not in output, result=result),
    ]


def gemini_cli(turn: Turn) -> list[Entry]:
    head: Entry = {"id": turn.id, "timestamp": turn.time}
    if turn.kind in {"ask", "say"}:
        return [{**head, "type": "user" if turn.kind == "ask" else "gemini", "content": turn.text}]
    name, given, output = _tool(turn, "run_shell_command", "replace", "file_path", "old_string", "new_string")
    response = {"functionResponse": {"id": f"c-{turn.number}", "name": name, "response": {"output": output}}}
    call = {
        "id": f"c-{turn.number}",
        "name": name,
        "args": given,
        "result": [response],
        "status": "success",
        "timestamp": turn.time,
    }
    return [{**head, "type": "gemini", "content": "", "toolCalls": [call]}]


def pi(turn: Turn) -> list[Entry]:
    def entry(message: Entry, part: int = 0) -> Entry:
        before = turn.number - 1
        parent = f"{turn.number:07x}0" if part else f"{before:07x}{int(before % 10 not in {0, 1, 6})}" if turn.number else None
        return {
            "type": "message",
            "id": f"{turn.number:07x}{part}",
            "parentId": parent,
            "timestamp": turn.time,
            "message": message,
        }

    if turn.kind in {"ask", "say"}:
        role = "user" if turn.kind == "ask" else "assistant"
        return [entry({"role": role, "content": [{"type": "text", "text": turn.text}]})]
    name, given, output = _tool(turn, "bash", "edit", "path", "oldText", "newText")
    call = f"c{turn.number}"
    result = {
        "toolCallId": call,
        "toolName": name,
        "content": [{"type": "text", "text": output}],
        "isError": "1 failed" in output,
    }
    return [
        entry({"role": "assistant", "content": [{"type": "toolCall", "id": call, "name": name, "arguments": given}]}),
        entry({"role": "toolResult", **result}, 1),
    ]


def droid(turn: Turn) -> list[Entry]:
    def entry(role: str, content: list[Entry], part: int = 0) -> Entry:
        return {
            "type": "message",
            "id": f"{turn.id[:-1]}{part}",
            "timestamp": turn.time,
            "message": {"role": role, "content": content},
        }

    if turn.kind in {"ask", "say"}:
        return [entry("user" if turn.kind == "ask" else "assistant", [{"type": "text", "text": turn.text}])]
    name, given, output = _tool(turn, "Execute", "Edit", "file_path", "old_str", "new_str")
    call = f"call_{turn.number}"
    return [
        entry("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}]),
        entry("user", [{"type": "tool_result", "tool_use_id": call, "content": output, "is_error": "1 failed" in output}], 1),
    ]


def cursor(turn: Turn) -> list[Entry]:
    if turn.kind == "ask":
        return [{"role": "user", "message": {"content": [{"type": "text", "text": f"<user_query>\n{turn.text}\n</user_query>"}]}}]
    if turn.kind == "say":
        return [{"role": "assistant", "message": {"content": [{"type": "text", "text": turn.text}]}}]
    name, given, output = _tool(turn, "Shell", "StrReplace", "path", "old_string", "new_string")
    call = {"toolCallId": f"k{turn.number}", "toolName": name}
    return [
        {"role": "assistant", "message": {"content": [{"type": "tool_call", **call, "args": json.dumps(given)}]}},
        {"role": "tool", "message": {"content": [{"type": "tool-result", **call, "result": output}]}},
    ]


def windsurf(turn: Turn) -> list[Entry]:
    step: dict[str, Entry] = {
        "ask": {"user_input": {"user_response": turn.text}},
        "say": {"planner_response": {"response": turn.text}},
        "run": {
            "run_command": {
                "command": turn.command, "cwd": CWD, "exit_code": int("1 failed" in turn.output), "output": turn.output,
                "user_rejected": False,
            }
        },
        "edit": {
            "code_action": {
                "acknowledgement_type": "ACKNOWLEDGEMENT_TYPE_ACCEPT", "original_content": "a\n", "new_content": f"{turn.text}\n",
                "path": f"file://{turn.path}",
            }
        },
    }  # fmt: skip
    found = step[turn.kind]
    return [{**found, "status": "done", "type": next(iter(found))}]


def _tool(turn: Turn, shell: str, edit: str, path: str, old: str, new: str) -> tuple[str, Entry, str]:
    if turn.kind == "run":
        return shell, {"command": turn.command}, turn.output
    return edit, {path: turn.path, old: "a", new: turn.text}, f"The file {turn.path} has been updated."


HEADERS: dict[str, Entry | None] = {
    "claude-code": None,
    "codex": {
        "timestamp": "2026-10-01T08:00:00.000Z",
        "type": "session_meta",
        "payload": {
            "id": SESSION,
            "timestamp": "2026-10-01T08:00:00.000Z",
            "cwd": CWD,
            "originator": "codex_cli",
            "cli_version": "1",
        },
    },
    "copilot-cli": {
        "type": "session.start",
        "data": {"sessionId": SESSION, "version": 1, "producer": "copilot-agent", "context": {"cwd": CWD, "branch": "main"}},
        "id": "0",
        "timestamp": "2026-10-01T08:00:00.000Z",
        "parentId": None,
    },
    "gemini-cli": {
        "sessionId": SESSION,
        "projectHash": "5d" * 32,
        "startTime": "2026-10-01T08:00:00.000Z",
        "lastUpdated": "2026-10-01T08:00:00.000Z",
        "kind": "main",
        "directories": [CWD],
    },
    "pi": {"type": "session", "version": 3, "id": SESSION, "timestamp": "2026-10-01T08:00:00.000Z", "cwd": CWD},
    "droid": {"type": "session_start", "id": SESSION, "title": "Faster tables", "owner": "dev", "version": 2, "cwd": CWD},
    "cursor": None,
    "windsurf": None,
}
DIALECTS: dict[str, Callable[[Turn], list[Entry]]] = {
    "claude-code": claude_code,
    "codex": codex,
    "copilot-cli": copilot_cli,
    "gemini-cli": gemini_cli,
    "pi": pi,
    "droid": droid,
    "cursor": cursor,
    "windsurf": windsurf,
}


def lines(format: str, count: int, output: int = 900) -> Iterator[str]:
    """The lines of a log of *count* turns, as the agent of *format* writes them."""
    header, spell = HEADERS[format], DIALECTS[format]
    if header:
        yield json.dumps(header)
    for turn in turns(count, output):
        for entry in spell(turn):
            yield json.dumps(entry)


def log_of(format: str, folder: Path, size: int, output: int = 900) -> Path:
    """A log of at least *size* bytes in *folder*, named as the agent names it."""
    path = folder / ("events.jsonl" if format == "copilot-cli" else f"{format}-{SESSION}.jsonl")
    folder.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for line in lines(format, 1 << 40, output):
            file.write(line + "\n")
            if file.tell() >= size:
                break
    return path
