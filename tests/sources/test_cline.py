"""What Cline's and Roo's sessions say, in each shape that they are kept in."""

import io
import json
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.errors import HandoffError
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import cline, open_transcript

SAMPLES = Path(__file__).parents[1] / "samples" / "cline"
TASK = SAMPLES / "1795165200000"
ROO = SAMPLES / "019a9e51-7c11-7a2e-9c1d-3f6b8a7e5d42"
COMMAND_LINE = SAMPLES / "1795334400000_k2v9q.messages.json"
EXPORT = SAMPLES / "export.md"
LOGS = (TASK / "api_conversation_history.json", ROO / "api_conversation_history.json", COMMAND_LINE, EXPORT)
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "cline"
TASK_WORDS = {"role": "user", "content": [{"type": "text", "text": "<task>\nGo\n</task>"}]}


def read(value: Any, name: str = "") -> tuple[list[Event], Transcript]:
    data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
    transcript = cline.read(io.BytesIO(data), Path(name) if name else None, beside=False)
    return list(transcript), transcript


def user(*texts: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}


def agent(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def native(name: str, **given: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": name, "input": given}]}


def answered(content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": content, **fields}]}


def only(kind: str, *messages: dict[str, Any]) -> Event:
    (found,) = (one for one in read([TASK_WORDS, *messages])[0] if one.kind == kind)
    return found


def told(events: list[Event]) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in events]


@pytest.mark.parametrize("log", LOGS, ids=lambda path: f"{path.parent.name[:8]}-{path.name[:8]}")
def test_samples_are_read_event_by_event(log: Path) -> None:
    """Each sample gives the events that are written beside it, no more and no less."""
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(log)
    ]

    expected = log.with_name(f"{log.name}.events.json").read_text(encoding="utf-8")
    assert json.loads(expected) == json.loads(json.dumps(events))


def test_a_tasks_folder_says_whose_the_session_is() -> None:
    """The folder's name is the ID, the panel tells the times, the client's description the directory."""
    transcript = open_transcript(LOGS[0])
    events = list(transcript)

    assert ("cline:1795165200000", "/srv/tides", ["/srv/tides"]) == (transcript.source, transcript.cwd, transcript.directories)
    assert ("2026-11-20T09:00:00.000Z", "2026-11-20T09:04:29.000Z") == (transcript.started, transcript.ended)
    assert "The table of tides shows local time. Make it show UTC, with a test." == transcript.title
    assert sorted(one.time for one in events) == [one.time for one in events]
    account = transcript.account
    assert (3, 11, 9, 9, 0, 2) == (
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
        account.errors,
    )


def test_a_session_is_the_same_whichever_of_its_files_is_given() -> None:
    """What the panel showed leads to the messages beside it, which are read once, and counted as the file they are."""
    messages, panel = open_transcript(LOGS[0]), open_transcript(TASK / "ui_messages.json")
    expected, actual = list(messages), list(panel)

    assert expected == actual
    assert (messages.source, messages.file, messages.account.sha256) == (panel.source, panel.file, panel.account.sha256)


def test_the_checklist_beside_the_messages_is_the_last_word() -> None:
    """A human may have gone on in the file; it counts where it differs from what the agent listed."""
    todos = [one for one in open_transcript(LOGS[0]) if one.kind == "todo"]

    assert [("Tell the harbour office", "pending")] == [(one["text"], one["status"]) for one in todos[-1].data["todos"][2:]]


def test_damaged_neighbours_cost_themselves(tmp_path: Path) -> None:
    """A broken file beside the messages is named; a link is not followed; the messages are read."""
    folder = tmp_path / TASK.name
    shutil.copytree(TASK, folder)
    (folder / "ui_messages.json").write_text('[{"ts":', encoding="utf-8")
    (tmp_path / "elsewhere.json").write_text('{"workspace": "/secret"}', encoding="utf-8")
    (folder / "history_item.json").symlink_to(tmp_path / "elsewhere.json")
    transcript = open_transcript(folder / "api_conversation_history.json")
    events = list(transcript)

    assert 9 == sum(one.kind == "call" for one in events)
    assert ["ui_messages.json, which is beside it: not JSON; it was not used"] == [
        one.reason for one in transcript.account.skipped
    ]
    assert ["/srv/tides"] == transcript.directories


def test_roos_record_tells_of_its_task() -> None:
    """The directory and the title; a task that no other asked for has no parent."""
    transcript = open_transcript(ROO / "api_conversation_history.json")
    list(transcript)

    assert ("/srv/tides", "Add a --json switch to the tides command.", "") == (
        transcript.cwd,
        transcript.title,
        transcript.parent,
    )


def test_a_sub_task_is_told_from_a_task(tmp_path: Path) -> None:
    """The same messages under a parent: the first words are injected, later ones are the human's."""
    folder = tmp_path / ROO.name
    shutil.copytree(ROO, folder)
    (folder / "history_item.json").write_text('{"id": "b", "parentTaskId": "a"}', encoding="utf-8")
    transcript = open_transcript(folder / "api_conversation_history.json")
    events = list(transcript)

    assert ("a", 1) == (transcript.parent, transcript.account.human)
    assert "injected" == events[0].kind


def test_the_record_beside_the_command_lines_messages() -> None:
    """It tells directory, title, times, and the session that this one was forked from."""
    transcript = open_transcript(COMMAND_LINE)
    events = list(transcript)

    assert ("cline:1795334400000_k2v9q", "/srv/tides", "Faster parser", "1795330000000_aaaaa") == (
        transcript.source,
        transcript.cwd,
        transcript.title,
        transcript.parent,
    )
    assert ("2026-11-22T08:00:00.000Z", "2026-11-22T08:09:00.000Z") == (transcript.started, transcript.ended)
    assert (1, 1) == (transcript.account.unanswered, transcript.account.repeated)
    assert {"msg_a1", "msg_a2"} <= {one.message for one in events}


def test_the_command_line_alone() -> None:
    """Without the record, as through a pipe, the messages tell their own session."""
    transcript = cline.read(io.BytesIO(COMMAND_LINE.read_bytes()))
    list(transcript)

    assert ("1795334400000_k2v9q", "", "2026-11-22T08:00:01.000Z") == (transcript.session, transcript.cwd, transcript.started)


def test_the_export_keeps_the_lines_of_its_text() -> None:
    """What stands within a message has the line on which it stands; a quoted heading opens no message."""
    lines = EXPORT.read_text(encoding="utf-8").split("\n")
    events = list(open_transcript(EXPORT))
    calls = [lines[one.line - 1] for one in events if one.kind == "call"]

    assert ["<write_to_file>", "[Tool Use: execute_command]"] == calls
    assert [("prompt", "Name the harbour in the heading."), ("prompt", "Then leave the build.")] == [
        one for one in told(events) if one[0] == "prompt"
    ]
    assert ["2026-11-20T09:00:05Z", "2026-11-20T09:03:00Z"] == [one.time for one in events if one.kind == "prompt"]


@pytest.mark.parametrize(
    ("text", "ok", "exit", "data"),
    [
        ("Command executed successfully (exit code 0).\nOutput:\nExit code: 3", True, 0, {}),
        ("Command failed with exit code 1.\nOutput:\nx", False, 1, {}),
        ("Command executed in terminal  within working directory '/a'. Exit code: 0\nOutput:\n", True, 0, {}),
        ("Command executed in terminal 1 within working directory '/a'. Exit code: -1\nOutput:\n", False, -1, {}),
        (
            "Command executed in terminal  within working directory '/a'. Command execution was not successful.\nExit code: 2\n",
            False,
            2,
            {},
        ),
        ("Command executed.", True, None, {}),
        ("Command executed.\nOutput:\nadded 3 packages", True, None, {}),
        ("Command executed.\nOutput:\nnpm ERR! 404", False, None, {}),
        ("Command is still running in the user's terminal.\nHere's the output so far:\nready", None, None, {}),
        ("Command execution timed out after 30 seconds", False, None, {}),
        ("The user denied this operation.", False, None, {"refused": True}),
        ('{"status":"denied","message":"The user denied this operation."}', False, None, {"refused": True}),
        ("The tool execution failed with the following error:\n<error>\nx\n</error>", False, None, {}),
        ('{"query":"make","result":"","error":"Command failed: exited with code 2","success":false}', False, 2, {}),
        ('[{"query":"make","result":"built","success":true}]', True, 0, {}),
    ],
)
def test_a_result_shows_how_a_command_ended(text: str, ok: bool | None, exit: int | None, data: dict[str, Any]) -> None:
    """By the client's own words; where it says only that the command ended, by what that printed."""
    found = only("result", native("execute_command", command="make"), answered(text))

    assert (ok, exit, data) == (found.ok, found.exit, dict(found.data))


@pytest.mark.parametrize(
    ("name", "text", "ok"),
    [
        ("write_to_file", "The content was successfully saved to a.py.", True),
        ("replace_in_file", "The tool execution failed with the following error:\n<error>\nno match\n</error>", False),
        ("replace_in_file", "Tool [replace_in_file] was not executed because a tool has already been used", False),
        ("write_to_file", "Missing value for required parameter 'content'. Please retry", False),
        ("write_to_file", "[ERROR] You did not use a tool", False),
        ("write_to_file", "This tool cannot be used in PLAN MODE.", False),
        ("apply_diff", '{"status":"error","message":"The tool execution failed"}', False),
        ("read_file", "<files><file><path>a</path>\n<error>Error reading file</error></file></files>", False),
        ("read_file", "def error(): ...", True),
    ],
)
def test_a_result_shows_whether_a_tool_worked(name: str, text: str, ok: bool) -> None:
    """Edits that did not match, tools out of turn and files that are not there have failed."""
    assert ok == only("result", native(name, path="a"), answered(text)).ok


def test_an_errors_flag_counts() -> None:
    """Whatever the text says."""
    assert only("result", native("read_file", path="a"), answered("fine", is_error=True)).ok is False


def test_a_result_in_words_belongs_to_the_call_of_that_name() -> None:
    """Providers without results of their own get a header; several results may stand in one message, in any order."""
    calls = {
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": "a", "name": "read_file", "input": {"path": "a"}},
            {"type": "tool_use", "id": "b", "name": "execute_command", "input": {"command": "make"}},
        ],
    }
    apart = user(
        "[execute_command for 'make'] Result:\nCommand failed with exit code 1.", "[read_file for 'a'] Result:", "x = 1", "y = 2"
    )
    joined = {
        "role": "user",
        "content": "[execute_command for 'make'] Result:\nCommand failed with exit code 1.\n[read_file for 'a'] Result:\nx = 1\ny = 2",
    }
    for results in (apart, joined):
        events, transcript = read([TASK_WORDS, calls, results])

        assert [("b", False, "Command failed with exit code 1."), ("a", True, "x = 1\ny = 2")] == [
            (one.call, one.ok, one.text.strip()) for one in events if one.kind == "result"
        ]
        assert 0 == transcript.account.unanswered


def test_a_call_without_a_result_is_open() -> None:
    """A later message's result is not its own."""
    events, transcript = read(
        [
            TASK_WORDS,
            agent("<execute_command>\n<command>make</command>\n</execute_command>"),
            user("<feedback>\nStop\n</feedback>"),
            agent("<read_file>\n<path>a</path>\n</read_file>"),
            user("[read_file for 'a'] Result:", "x"),
        ]
    )

    assert [("call-2", "read")] == [(one.call, one.tool) for one in events if one.kind == "result"]
    assert 1 == transcript.account.unanswered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<task>\nGo\n</task>", [("prompt", "Go")]),
        ("<user_message>\nGo\n</user_message>", [("prompt", "Go")]),
        ("<feedback>\nNo\n</feedback>", [("prompt", "No")]),
        ("[TASK RESUMPTION] This task was interrupted. The current working directory is now '/srv/b'.", None),
        ("New instructions for task continuation:\n<user_message>\nGo on\n</user_message>", [("prompt", "Go on")]),
        ("[ERROR] You did not use a tool in your previous response!", None),
        ("Files attached by the user:\n\n<file_content path='a'>x</file_content>", None),
        ("<explicit_instructions>x</explicit_instructions>", None),
        ("\n# task_progress List\n", None),
        ("This session is being continued from a previous conversation that ran out of context.", "compact"),
    ],
)
def test_the_humans_words_are_told_from_the_clients(text: str, expected: Any) -> None:
    """Words that the client wrapped are prompts, what it added is not, and a summary is nobody's."""
    events, _ = read([TASK_WORDS, user(text)])
    rest = told(events)[1:]

    if isinstance(expected, list):
        assert expected == [one for one in rest if one[0] == "prompt"]
    else:
        assert [expected or "injected"] == [kind for kind, _ in rest]


def test_the_environment_is_no_word_of_anybody() -> None:
    """It is cut off, and tells the directory and the time; a quoted one inside a result stays."""
    quoted = "[read_file for 'a'] Result:\n<environment_details>\nx\n</environment_details>\nmore"
    events, transcript = read(
        [
            user(
                "<task>\nGo\n</task>\n<environment_details>\n# Current Working Directory (/srv/a b) Files\nx\n</environment_details>"
            ),
            agent("<read_file>\n<path>a</path>\n</read_file>"),
            user(quoted),
        ]
    )

    assert ("/srv/a b", "Go") == (transcript.cwd, events[0].text)
    assert events[-1].text.endswith("more")


def test_a_plan_is_approved_by_letting_the_agent_act() -> None:
    """By the client's own sentence, or by the mode that it describes; an answer in between approves nothing."""
    plan = agent("<plan_mode_respond>\n<response>\n1. One\n2. Two\n</response>\n</plan_mode_respond>")
    act = user("[plan_mode_respond] Result:", "[The user has switched to ACT MODE, so you may now proceed with the task.]")
    talk = user("[plan_mode_respond] Result:", "<user_message>\nWhy?\n</user_message>")
    modes = [
        user(f"<feedback>\n{mode}\n</feedback>\n<environment_details>\n# Current Mode\n{mode} MODE\n</environment_details>")
        for mode in ("PLAN", "ACT")
    ]

    assert {"approved": True, "plan": "1. One\n2. Two"} == only("answer", plan, act).data
    assert {"approved": True, "plan": "1. One\n2. Two"} == only("answer", plan, *modes).data
    assert ["plan", "prompt"] == [kind for kind, _ in told(read([TASK_WORDS, plan, talk])[0])[1:]]
    assert ["text"] == [
        kind
        for kind, _ in told(read([TASK_WORDS, agent("<plan_mode_respond><response>Which?</response></plan_mode_respond>")])[0])[
            1:
        ]
    ]


def test_a_closing_summary_is_the_agents_word() -> None:
    """It is no call that waits; the human's word on it is a prompt."""
    done = agent("<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>")
    reply = user(
        "[attempt_completion] Result:",
        "The user has provided feedback on the results. Consider their input to continue the task, and then attempt completion "
        "again.\n<feedback>\nNot yet.\n</feedback>",
    )
    events, transcript = read([TASK_WORDS, done, reply])
    by_function = read([TASK_WORDS, native("attempt_completion", result="Done."), answered("<feedback>\nNot yet.\n</feedback>")])[
        0
    ]

    assert [("prompt", "Go"), ("text", "Done."), ("prompt", "Not yet.")] == told(events) == told(by_function)
    assert (0, 0) == (transcript.account.calls, transcript.account.unanswered)


def test_a_refusal_is_marked_and_its_reason_is_a_prompt() -> None:
    """In both clients' wording."""
    words = "The user denied this operation and provided the following feedback:\n<feedback>\nNo\n</feedback>"
    for text in (words, '{"status":"denied","feedback":"No"}'):
        events = read([TASK_WORDS, native("write_to_file", path="a", content="x"), answered(text)])[0]

        assert [("result", {"refused": True}), ("prompt", {"refused": "t1"})] == [
            (one.kind, dict(one.data)) for one in events[2:]
        ]


def test_markup_that_is_talked_about_is_no_call() -> None:
    """A tool's name in running words opens nothing; a written file keeps the tags that it holds."""
    events = read(
        [
            TASK_WORDS,
            agent("I would use `<execute_command>` or <read_file> here."),
            agent("<write_to_file>\n<path>a</path>\n<content>\n<content>x</content>\n</content>\n</write_to_file>"),
        ]
    )[0]

    assert [("text", ""), ("call", "write")] == [(one.kind, one.tool) for one in events[1:]]
    assert "<content>x</content>" == events[-1].data["content"]


def test_a_call_that_was_cut_off_is_still_a_call() -> None:
    """Without its end marks, and with the note of who stopped it."""
    events = read([TASK_WORDS, agent("Go.\n<execute_command>\n<command>make\n\n[Response interrupted by user]")])[0]

    assert [("text", "Go."), ("call", "make"), ("interrupt", "response interrupted")] == told(events)[1:]


def test_lists_are_told_when_they_change() -> None:
    """With any tool, in both clients' marks."""
    listed = "- [x] One\n- [ ] Two"
    again = f"<read_file>\n<path>a</path>\n<task_progress>\n{listed}\n</task_progress>\n</read_file>"
    found = only("todo", agent(again), agent(again))
    roo = only("todo", native("update_todo_list", todos="[x] One\n[-] Two\n[ ] Three"), answered("Todo list updated."))

    assert [("One", "completed"), ("Two", "pending")] == [(one["text"], one["status"]) for one in found.data["todos"]]
    assert ["completed", "in_progress", "pending"] == [one["status"] for one in roo.data["todos"]]


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("editor", {"path": "a", "new_text": "x"}, ("write", {"content": "x"})),
        ("editor", {"path": "a", "old_text": "y", "new_text": "x"}, ("edit", {"old": "y", "new": "x"})),
        ("editor", {"path": "a", "new_text": "x", "insert_line": 3}, ("edit", {"old": "", "new": "x"})),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a\n@@\n-y\n+x\n*** End Patch"}, ("edit", {"patch"})),
        ("insert_content", {"path": "a", "line": 1, "content": "x"}, ("edit", {"new": "x"})),
        ("search_and_replace", {"path": "a", "search": "y", "replace": "x"}, ("edit", {"old": "y", "new": "x"})),
        ("apply_diff", {"path": "a", "diff": "<<<<<<< SEARCH\n:start_line:2\n-------\ny\n=======\nx\n>>>>>>> REPLACE"}, ("edit", {"old": "y", "new": "x"})),
        ("write_to_file", {"absolutePath": "a", "content": "x"}, ("write", {"content": "x"})),
    ],
)  # fmt: skip
def test_edits_carry_what_they_change(name: str, given: dict[str, Any], expected: tuple[str, Any]) -> None:
    """Under the names that every agent's edits have."""
    found = only("call", native(name, **given))
    data = {key: value for key, value in found.data.items() if key != "input"}

    assert (expected[0], ("a",)) == (found.tool, found.paths)
    assert expected[1] == (data if isinstance(expected[1], dict) else set(data))


def test_a_summary_replaced_earlier_talk() -> None:
    """In either client's mark, and in the command line's own file of what it kept."""
    roo = {"role": "assistant", "content": "So far: all.", "isSummary": True}
    kept = {"version": 1, "updated_at": "x", "sessionId": "s", "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Context summary:\n\nx"}], "metadata": {"kind": "compaction_summary"}},
        user("Go on", "<SYSTEM_NOTICE>\nEarlier context was compacted.\n</SYSTEM_NOTICE>"),
    ]}  # fmt: skip

    assert "So far: all." == only("compact", roo).text
    assert ["compact", "prompt", "compact"] == [kind for kind, _ in told(read(kept)[0])]


def panel(*shown: tuple[str, str, Any]) -> list[dict[str, Any]]:
    return [
        {"ts": 1795165200000 + number, "type": type, type: kind, "text": text if isinstance(text, str) else json.dumps(text)}
        for number, (type, kind, text) in enumerate(shown)
    ]


def test_the_panel_tells_what_it_can() -> None:
    """Where the messages are lost: words, questions, what ran by itself; how commands ended was never shown."""
    events, transcript = read(
        panel(
            ("say", "task", "Go"),
            ("say", "api_req_started", "{}"),
            ("say", "reasoning", "Hm"),
            ("say", "text", "Going"),
            ("say", "tool", {"tool": "newFileCreated", "path": "a", "content": "x"}),
            (
                "say",
                "tool",
                {"tool": "editedExistingFile", "path": "a", "diff": "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"},
            ),
            ("say", "diff_error", "no match"),
            ("ask", "tool", {"tool": "appliedDiff", "path": "b", "diff": "x"}),
            ("ask", "command", "make"),
            ("say", "command_output", "made"),
            ("ask", "followup", {"question": "Which?", "options": ["a"]}),
            ("say", "user_feedback", "a"),
            ("ask", "completion_result", "Done"),
            ("say", "user_feedback", "Thanks"),
            ("say", "no_such_thing", ""),
        )
    )

    assert ["prompt", "thinking", "text", "call", "result", "call", "result", "call", "call", "result", "call", "result", "answer",
            "text", "prompt"] == [one.kind for one in events]  # fmt: skip
    assert [("write", True), ("edit", False), ("shell", None), ("question", True)] == [
        (one.tool, one.ok) for one in events if one.kind == "result"
    ]
    assert (2, 1, "2026-11-20T09:00:00.000Z") == (transcript.account.human, transcript.account.unanswered, transcript.started)
    assert ["unknown entry 'no_such_thing'"] == [one.reason for one in transcript.account.skipped]


def test_a_cut_document_is_read_up_to_the_cut() -> None:
    """And the account says that the writer may still be at it."""
    data = LOGS[0].read_text(encoding="utf-8")
    events, transcript = read(data[: len(data) // 2])

    assert len(events) > 5
    assert (True, 1) == (transcript.incomplete, transcript.account.bad)


HEADS: list[tuple[bytes, bool]] = [
    (b'[{"role":"user","content":[{"type":"text","text":"<task>\\nGo', True),
    (b'[{"role":"user","content":"<user_message>\\nGo</user_message>"}]', True),
    (b'[{"ts":1795165200000,"type":"say","say":"task","text":"Go"}]', True),
    (b'{"version":1,"updated_at":"x","agent":"lead","sessionId":"s","messages":[', True),
    (b"**User:**\n\n<task>\nGo\n</task>\n", True),
    (b"**User:**\n\nGo\n\n---\n\n**Assistant:**\n\nGone", True),
    (b'[{"role":"user","content":"Go"},{"role":"assistant","content":"What is a <task>?"}]', False),
    (b'{"sessionId":"s","projectHash":"h","startTime":"t","lastUpdated":"t","messages":[', False),
    (b'{"messages":[{"role":"user","content":"Go"}]}', False),
    (b"**User:** Go\n\n**Assistant:** Gone", False),
    (b"_**User**_\n\nGo\n", False),
    (b"[1, 2]", False),
    (b"[", False),
    (b"", False),
]


@pytest.mark.parametrize(("head", "is_ours"), HEADS)
def test_the_format_is_told_by_content(head: bytes, is_ours: bool) -> None:
    """In each of its shapes; other agents' logs and plain chats are not taken for it."""
    assert is_ours == cline.detect(head)


def test_other_agents_samples_are_left_alone() -> None:
    """And its own are taken."""
    others = [path for name in ("claude-code", "codex") for path in (SAMPLES.parent / name).rglob("*") if path.is_file()]

    assert [] == [path.name for path in others if cline.detect(path.read_bytes()[: 1 << 16])]
    assert [True] * 5 == [cline.detect(path.read_bytes()) for path in (*LOGS, TASK / "ui_messages.json")]


@pytest.mark.parametrize(
    "value",
    ["[", "{}", "[null, 1]", '{"messages": 7}', "null", "9" * 5_000, "[" * 100_000, "", "\0\0", "**User:**", " " * 100],
)
def test_what_is_no_session_gives_no_events(value: str) -> None:
    """Neither does it fail."""
    assert [] == read(value)[0]


def mutated(value: Any, draw: Callable[[Any], Any], depth: int = 0) -> Any:
    """*value* with some of what it holds swapped for something else."""
    if draw(st.integers(0, 25)) == 0 and depth:
        return draw(
            st.sampled_from([None, True, -1, 10**400, 0.5, "", "\0\ud83d<task>", [], {}, [[]], {"text": 7}, "[x] Result:"])
        )
    if isinstance(value, dict):
        return {key: mutated(one, draw, depth + 1) for key, one in value.items()}
    if isinstance(value, list):
        return [mutated(one, draw, depth + 1) for one in value]
    return value


def sound(events: list[Event], transcript: Transcript) -> bool:
    """Whether every event stands in the file, with text that can be written."""
    last = max(1, transcript.account.lines)
    return all(1 <= one.line <= last and one.text.encode() is not None for one in events)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_value_makes_it_fail(data: st.DataObject) -> None:
    """Whatever stands where something else should, there are only events in the file, or one of our own errors."""
    log = data.draw(st.sampled_from([LOGS[0], LOGS[1], COMMAND_LINE, TASK / "ui_messages.json"]))
    value = mutated(json.loads(log.read_text(encoding="utf-8")), data.draw)
    try:
        events, transcript = read(json.dumps(value, indent=1))
    except HandoffError:
        return

    assert sound(events, transcript)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_bytes_make_it_fail(data: st.DataObject) -> None:
    """Cut, doubled or overwritten anywhere."""
    raw = data.draw(st.sampled_from(LOGS)).read_bytes()
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(raw)), st.integers(0, len(raw)))))
    middle = data.draw(
        st.sampled_from([b"", b"\0", b'"', b"}", b"\xff", b"<content>", b"\n---\n\n**User:**\n", raw[start : start + 99]])
    )
    transcript = cline.read(io.BytesIO(raw[:start] + middle + raw[end:]))
    events = list(transcript)

    assert sound(events, transcript)


@pytest.mark.parametrize(
    "text",
    [
        "<write_to_file>\n<path>" * 20_000,
        "<read_file>\n<a>" * 20_000,
        "[execute_command for '" * 20_000,
        " " * 400_000,
        "<task>" * 50_000,
    ],
)
def test_endless_markup_takes_no_time(text: str) -> None:
    """What opens again and again is looked at once."""
    events, _ = read([TASK_WORDS, agent(text), user(text)])

    assert len(events) < 100_000


@pytest.mark.skipif(not CORPUS.is_dir(), reason="needs the corpus beside the checkout")
def test_real_sessions_are_read() -> None:
    """Every one, without anything skipped; a call for each result."""
    logs = sorted(path for path in CORPUS.glob("*.json") if path.name.endswith((".messages.json", ".compaction.json")))

    assert logs
    for log in logs:
        transcript = open_transcript(log)
        events = list(transcript)
        account = transcript.account

        assert "cline" == transcript.format
        assert (0, [], 0) == (account.bad, account.skipped, account.unanswered)
        assert account.calls == account.results
        assert account.human == sum(one.kind == "prompt" for one in events) > 0
        assert sound(events, transcript)
