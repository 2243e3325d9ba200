"""The same talk, stored by several tools, comes to the same items."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite.extract.session import extract
from handoffsite.sources import open_transcript

PAGES = "class Pager:\n    size = 20\n"
# Who, what, and for calls their arguments and results: (path, text) for a file, (command, output, exit status) for a command.
TALK: list[tuple[str, Any]] = [
    ("human", "Page the list of letters. Use a cursor, not an offset."),
    ("agent", "I'll write the pager first."),
    ("write", ("src/pager.py", PAGES)),
    ("run", ("letterbox inspect src/letters", "letterbox: error: unknown command inspect", 2)),
    ("run", ("letterbox scan src/letters", "0 problems", 0)),
    ("run", ("pytest -q tests", "7 passed in 0.31s", 0)),
    ("run", ("git commit -qam 'Page the letters' && git log --oneline -1", "5c1d2e3 Page the letters", 0)),
    ("agent", "Added the pager in `src/pager.py`. The pages are slow. Should I cache the counts, or load them later?"),
    ("human", "load them later"),
    ("agent", "Understood, I will do that next."),
]
CWD = "/srv/letters"


def lines(*objects: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(entry)}\n" for entry in objects)


def claude_code() -> str:
    def row(kind: str, content: Any, **more: Any) -> dict[str, Any]:
        at = {"sessionId": "s-1", "uuid": f"u-{len(rows)}", "parentUuid": f"u-{len(rows) - 1}" if rows else None, "cwd": CWD}
        message = {"role": kind, "content": content, **({"id": f"m-{len(rows)}"} if kind == "assistant" else {})}
        return {"type": kind, "timestamp": f"2026-11-06T09:00:{len(rows):02}.000Z", **at, "message": message, **more}

    rows: list[dict[str, Any]] = []
    for number, (who, said) in enumerate(TALK):
        if who in ("human", "agent"):
            rows.append(row("user", said) if who == "human" else row("assistant", [{"type": "text", "text": said}]))
            continue
        name = "Write" if who == "write" else "Bash"
        given = {"file_path": f"{CWD}/{said[0]}", "content": said[1]} if who == "write" else {"command": said[0]}
        rows.append(row("assistant", [{"type": "tool_use", "id": f"t-{number}", "name": name, "input": given}]))
        failed = who == "run" and said[2] != 0
        shown = (
            f"File created successfully at: {said[0]}"
            if who == "write"
            else f"Exit code {said[2]}\n{said[1]}"
            if failed
            else said[1]
        )
        result = {"type": "tool_result", "tool_use_id": f"t-{number}", "content": shown, "is_error": failed}
        rows.append(
            row(
                "user",
                [result],
                toolUseResult=f"Error: {shown}"
                if failed
                else {"stdout": said[1], "stderr": "", "interrupted": False}
                if who == "run"
                else {"type": "create", "filePath": said[0]},
            )
        )
    return lines(*rows)


def codex() -> str:
    def item(**payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-11-06T09:00:00.000Z", "type": "response_item", "payload": payload}

    rows = [
        {
            "timestamp": "2026-11-06T09:00:00.000Z",
            "type": "session_meta",
            "payload": {"id": "s-1", "cwd": CWD, "cli_version": "0.142.3"},
        }
    ]
    for number, (who, said) in enumerate(TALK):
        if who in ("human", "agent"):
            role, kind = ("user", "input_text") if who == "human" else ("assistant", "output_text")
            rows.append(item(type="message", role=role, content=[{"type": kind, "text": said}]))
        elif who == "write":
            patch = "\n".join(
                ["*** Begin Patch", f"*** Add File: {said[0]}", *(f"+{line}" for line in said[1].splitlines()), "*** End Patch"]
            )
            rows.append(item(type="custom_tool_call", name="apply_patch", call_id=f"t-{number}", input=patch, status="completed"))
            output = json.dumps({"output": f"Success. Updated the following files:\nA {said[0]}\n", "metadata": {"exit_code": 0}})
            rows.append(item(type="custom_tool_call_output", call_id=f"t-{number}", output=output))
        else:
            rows.append(
                item(
                    type="function_call",
                    name="exec_command",
                    call_id=f"t-{number}",
                    arguments=json.dumps({"cmd": said[0], "workdir": CWD}),
                )
            )
            output = f"Chunk ID: a1\nWall time: 0.2 seconds\nProcess exited with code {said[2]}\nOutput:\n{said[1]}"
            rows.append(item(type="function_call_output", call_id=f"t-{number}", output=output))
    return lines(*rows)


def pi() -> str:
    rows: list[dict[str, Any]] = [
        {"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-11-06T09:00:00.000Z", "cwd": CWD}
    ]

    def add(**message: Any) -> None:
        parent = rows[-1]["id"] if len(rows) > 1 else None
        rows.append(
            {
                "type": "message",
                "id": f"e{len(rows):07}",
                "parentId": parent,
                "timestamp": "2026-11-06T09:00:00.000Z",
                "message": message,
            }
        )

    for number, (who, said) in enumerate(TALK):
        if who in ("human", "agent"):
            add(role="user" if who == "human" else "assistant", content=[{"type": "text", "text": said}])
            continue
        name = "write" if who == "write" else "bash"
        given = {"path": said[0], "content": said[1]} if who == "write" else {"command": said[0]}
        add(role="assistant", content=[{"type": "toolCall", "id": f"t-{number}", "name": name, "arguments": given}])
        failed = who == "run" and said[2] != 0
        shown = (
            f"Successfully wrote 30 bytes to {said[0]}"
            if who == "write"
            else f"{said[1]}\n\nCommand exited with code {said[2]}"
            if failed
            else said[1]
        )
        add(role="toolResult", toolCallId=f"t-{number}", toolName=name, content=[{"type": "text", "text": shown}], isError=failed)
    return lines(*rows)


def gemini() -> str:
    messages: list[dict[str, Any]] = []
    for number, (who, said) in enumerate(TALK):
        at = {"id": f"m-{number}", "timestamp": f"2026-11-06T09:00:{number:02}.000Z"}
        if who in ("human", "agent"):
            messages.append({**at, "type": "user" if who == "human" else "gemini", "content": said})
            continue
        name = "write_file" if who == "write" else "run_shell_command"
        given = {"file_path": f"{CWD}/{said[0]}", "content": said[1]} if who == "write" else {"command": said[0]}
        shown = (
            f"Successfully created and wrote to new file: {CWD}/{said[0]}."
            if who == "write"
            else (
                f"Command: {said[0]}\nDirectory: (root)\nOutput: {said[1]}\nError: (none)\nExit Code: {said[2]}\nSignal: (none)"
            )
        )
        response = {"functionResponse": {"id": f"t-{number}", "name": name, "response": {"output": shown}}}
        call = {
            "id": f"t-{number}",
            "name": name,
            "args": given,
            "result": [response],
            "status": "success",
            "timestamp": at["timestamp"],
        }
        messages.append({**at, "type": "gemini", "content": "", "toolCalls": [call]})
    return json.dumps({"sessionId": "s-1", "projectHash": "5d" * 32, "messages": messages})


def items(log: Path) -> Iterator[tuple[str, ...]]:
    found = extract(open_transcript(log))
    yield ("title", found.title)
    yield ("focus", found.focus)
    yield from ((done.status, done.text) for done in found.completed)
    yield from ((choice.status, choice.title, choice.rationale, *choice.alternatives) for choice in found.decisions)
    yield from ((limit.status, limit.tried, limit.outcome, limit.because) for limit in found.constraints)


@pytest.mark.parametrize(("name", "stored"), [("s.jsonl", claude_code), ("s.jsonl", codex), ("s.jsonl", pi), ("s.json", gemini)])
def test_the_same_talk_comes_to_the_same_items(tmp_path: Path, name: str, stored: Callable[[], str]) -> None:
    """What was done, chosen and found impossible does not depend on who kept the log."""
    log = tmp_path / name
    log.write_text(stored(), encoding="utf-8")
    expected = [
        ("title", "Page the list of letters. Use a cursor, not an offset."),
        ("focus", "Load them later"),
        ("proven", "Added the pager in `src/pager.py`"),
        ("proven", "Page the letters (committed as 5c1d2e3)"),
        ("proven", "Tests pass: `pytest -q tests`"),
        ("accepted", "Use a cursor", "", "an offset"),
        ("accepted", "Load them later", "", "cache the counts"),
        (
            "active",
            "`letterbox inspect src/letters`",
            "letterbox: error: unknown command inspect; `letterbox scan src/letters` worked",
            "",
        ),
    ]

    assert expected == list(items(log))
