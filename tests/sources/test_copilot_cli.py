"""What Copilot CLI's event logs say, in whichever version they were written."""

import csv
import io
import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.errors import HandoffError
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import claude_code, codex, copilot_cli, copilot_todos, open_transcript, peek

SAMPLES = Path(__file__).parents[1] / "samples"
SESSION = "3f1b6c1e-52a4-4c8e-9d57-0b6a1f2e7c44"
LOG = SAMPLES / "copilot-cli" / SESSION / "events.jsonl"
HOME = f"/srv/home/dev/.copilot/session-state/{SESSION}"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
COLUMNS = ("lines", "bad", "multi", "human", "assistant", "calls", "results", "unanswered", "errors", "sidechain")


def entry(type: str, *, id: str = "", agent: str = "", **data: Any) -> dict[str, Any]:
    made = {"type": type, "data": data, "id": id, "timestamp": "2026-11-09T08:10:00.000Z", "parentId": None}
    return {**made, "agentId": agent} if agent else made


def prompt(text: str, id: str = "", **data: Any) -> dict[str, Any]:
    return entry("user.message", id=id, content=text, **data)


def start(name: str, arguments: Any, id: str = "c1", agent: str = "") -> dict[str, Any]:
    return entry("tool.execution_start", agent=agent, toolCallId=id, toolName=name, arguments=arguments)


def done(content: Any, id: str = "c1", *, success: Any = True, **data: Any) -> dict[str, Any]:
    return entry("tool.execution_complete", toolCallId=id, success=success, result={"content": content}, **data)


def failed(message: str, id: str = "c1", code: str = "failure") -> dict[str, Any]:
    return entry("tool.execution_complete", toolCallId=id, success=False, error={"message": message, "code": code})


def read(*entries: dict[str, Any], path: Path | None = None) -> tuple[list[Event], Transcript]:
    data = b"".join(json.dumps(one).encode() + b"\n" for one in entries)
    transcript = copilot_cli.read(io.BytesIO(data), path)
    return list(transcript), transcript


def kinds(*entries: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in read(*entries)[0]]


def of(kind: str, *entries: dict[str, Any]) -> list[Event]:
    return [one for one in read(*entries)[0] if one.kind == kind]


def test_the_sample_is_read_event_by_event() -> None:
    """The sample gives the events that are written beside it, no more and no less."""
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(LOG)
    ]

    assert json.loads(LOG.with_name("events.events.json").read_text(encoding="utf-8")) == json.loads(json.dumps(events))


def test_the_sample_tells_whose_session_it_is() -> None:
    """ID, directory, branch and times come from the log, the title from the workspace file beside it."""
    transcript = open_transcript(LOG)
    list(transcript)
    account = transcript.account

    assert (f"copilot-cli:{SESSION}", "/srv/work/tidepool", "tide-tables", "Validate the tide endpoint's query") == (
        transcript.source,
        transcript.cwd,
        transcript.branch,
        transcript.title,
    )
    assert ("2026-11-09T08:10:00.100Z", "2026-11-09T08:11:42.975Z", False) == (
        transcript.started,
        transcript.ended,
        transcript.incomplete,
    )
    assert (80, 3, 18, 18, 18, 0, 1, 5, []) == (
        account.lines,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
        account.errors,
        account.sidechain,
        account.skipped,
    )


def test_logs_are_known_by_their_content() -> None:
    """The sample is taken, also where its first line is longer than what is looked at; other agents' logs are not."""
    long = json.dumps(entry("session.start", sessionId=SESSION, context={"cwd": "x" * 70_000})).encode()
    others = [path for name in ("claude-code", "codex", "copilot-vscode") for path in (SAMPLES / name).rglob("*.json*")]
    taken = [path.name for path in others if copilot_cli.detect(path.read_bytes()[: 1 << 16])]

    assert (True, True, []) == (copilot_cli.detect(LOG.read_bytes()[: 1 << 16]), copilot_cli.detect(long[: 1 << 16]), taken)
    assert (False, False) == (claude_code.detect(LOG.read_bytes()), codex.detect(LOG.read_bytes()))
    assert (False, False, False) == (
        copilot_cli.detect(b'{"type":"message.updated","data":{},"timestamp":1}'),
        copilot_cli.detect(b'{"type":"user.message","content":"no data"}'),
        copilot_cli.detect(b""),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / SESSION
    place.mkdir()
    (place / "events.jsonl").write_text(json.dumps(prompt("Go on")) + "\n", encoding="utf-8")
    return place


def test_a_lost_header_is_made_up_for_by_the_workspace_file(folder: Path) -> None:
    """A log that lost its first line is known by its folder and by the file beside it."""
    (folder / "workspace.yaml").write_text(
        f"id: {SESSION}\ncwd: /srv/work/tidepool\nbranch: main\nname: Tides\n", encoding="utf-8"
    )
    transcript = open_transcript(folder / "events.jsonl")
    list(transcript)

    assert (SESSION, "/srv/work/tidepool", ["/srv/work/tidepool"], "main", "Tides") == (
        transcript.session,
        transcript.cwd,
        transcript.directories,
        transcript.branch,
        transcript.title,
    )
    assert SESSION == peek(folder / "events.jsonl").session


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "other", "damaged"])
def test_a_neighbour_that_is_no_workspace_file_costs_itself(folder: Path, tmp_path: Path, kind: str) -> None:
    """A link, a pipe, a folder, another session's file and a damaged one are not used, and hold nothing up."""
    file = folder / "workspace.yaml"
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_text("cwd: /srv/secret\n", encoding="utf-8")
    if kind == "link":
        file.symlink_to(elsewhere)
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file.write_text({"other": "id: another\ncwd: /srv/other\n", "damaged": "cwd: [\n"}[kind], encoding="utf-8")
    transcript = open_transcript(folder / "events.jsonl")
    events = list(transcript)

    assert (["Go on"], "") == ([one.text for one in events], transcript.cwd)
    assert (kind == "damaged") == any("workspace.yaml" in one.reason for one in transcript.account.skipped)


def test_only_the_human_asks() -> None:
    """What skills, other agents, the autopilot and the client put in the human's place is nobody's statement."""
    told = kinds(
        prompt("Mine"),
        prompt("Also mine", source="user", transformedContent="<system_reminder>no</system_reminder>"),
        prompt("A skill", source="skill-pdf"),
        prompt("The client", source="system"),
        prompt("Go on", isAutopilotContinuation=True),
        {**prompt("For a sub-agent"), "agentId": "a1"},
        prompt("", attachments=[{"type": "blob", "mimeType": "image/png", "data": "AAAA"}]),
        prompt("[[PLAN]] Think first"),
        prompt("   "),
    )

    assert [
        ("prompt", "Mine"),
        ("prompt", "Also mine"),
        ("injected", "A skill"),
        ("injected", "The client"),
        ("injected", "Go on"),
        ("injected", "For a sub-agent"),
        ("prompt", "[image]"),
        ("prompt", "Think first"),
    ] == told


@pytest.mark.parametrize(
    ("content", "telemetry", "expected"),
    [
        ("out\n<shellId: 7 completed with exit code 0>", {}, (True, 0, "out")),
        ("out\n<shellId: 7 completed with exit code 128>", {}, (False, 128, "out")),
        ("out\n<exited with exit code 1>", {}, (False, 1, "out")),
        ("out\n<command with id: web exited with exit code -1>", {}, (False, -1, "out")),
        ("out", {"metrics": {"exit_code": 2}}, (False, 2, "out")),
        ("out", {}, (None, None, "out")),
        ("I quote <exited with exit code 1>\nall well\n<shellId: 7 completed with exit code 0>", {}, (True, 0, None)),
    ],
)
def test_the_exit_code_decides(content: str, telemetry: dict[str, Any], expected: tuple[Any, ...]) -> None:
    """A command that failed is logged as a success: whether it was one stands in its text, or in newer fields."""
    events, transcript = read(start("bash", {"command": "make"}), done(content, toolTelemetry=telemetry))
    result = events[-1]

    assert expected[:2] == (result.ok, result.exit)
    assert expected[2] in (None, result.text)
    assert 0 == transcript.account.errors  # the log itself marks none of them


def test_a_structured_exit_code_is_read() -> None:
    """Newer clients say the exit status in a block of its own."""
    blocks = [{"type": "text", "text": "boom"}, {"type": "shell_exit", "shellId": "1", "exitCode": 3}]
    result = entry("tool.execution_complete", toolCallId="c1", success=True, result={"content": "boom", "contents": blocks})

    assert [(False, 3)] == [(one.ok, one.exit) for one in of("result", start("bash", {"command": "make"}), result)]


def test_what_runs_on_has_its_result_when_it_ends() -> None:
    """A command in the background is started, no more; what is read of it later is its own result."""
    told = of(
        "result",
        start("bash", {"command": "pytest", "mode": "async"}),
        done("collected 3\n<command with shellId: t is still running after 30 seconds. Use read_bash to continue waiting.>"),
        start("read_bash", {"shellId": "t"}, "c2"),
        done("1 of 3\n<command with shellId: t is still running after 5 seconds.>", "c2"),
        start("read_bash", {"shellId": "t"}, "c3"),
        done("3 passed\n<shellId: t completed with exit code 0>", "c3"),
    )

    assert [("c1", None, None), ("c1", True, 0)] == [(one.call, one.ok, one.exit) for one in told]
    assert ("t", "collected 3\n1 of 3\n3 passed") == (told[0].data["background"], told[1].text)


def test_a_notice_of_the_end_counts_unless_the_command_was_stopped() -> None:
    """What the client notes of a command that has ended stands in for its output; of a stopped one it says anything."""
    begun = (start("bash", {"command": "pytest"}), done("<command started in background with shellId: t>"))
    ended = entry(
        "system.notification", content="Shell t has completed", kind={"type": "shell_completed", "shellId": "t", "exitCode": 1}
    )
    stopped = (start("stop_bash", {"shellId": "t"}, "c2"), done("<command with id: t stopped>", "c2"))

    assert [(2, None), (3, False)] == [(one.line, one.ok) for one in of("result", *begun, ended, prompt("And?"))]
    assert [None, True] == [one.ok for one in of("result", *begun, *stopped, ended)]


def test_refusals_are_the_humans_alone() -> None:
    """What the human refused is refused, with the reason as the human's word; what a hook denied has just failed."""
    asked = entry("permission.requested", requestId="p", permissionRequest={"kind": "shell", "toolCallId": "c1"})
    answer = entry(
        "permission.completed", requestId="p", result={"kind": "denied-interactively-by-user", "feedback": "Not on main."}
    )
    events = read(start("bash", {"command": "git push"}), asked, answer, failed("Permission denied", code="denied"))[0]
    by_hook = of("result", start("bash", {"command": "ls"}), failed("Denied by preToolUse hook (hook errored)", code="denied"))

    assert [(False, {"refused": True})] == [(one.ok, one.data) for one in events if one.kind == "result"]
    assert [("Not on main.", {"refused": "c1"})] == [(one.text, one.data) for one in events if one.kind == "prompt"]
    assert [(False, {})] == [(one.ok, one.data) for one in by_hook]


def test_calls_are_told_once_and_unanswered_ones_stay_open() -> None:
    """A call stands in the message that asks for it and again when it starts; one that never starts has no result."""
    request = {"toolCallId": "c1", "name": "view", "arguments": '{"path": "a.ts"}', "type": "function"}
    lost = {"toolCallId": "c2", "name": "bash", "arguments": {"command": "make"}}
    message = entry("assistant.message", messageId="m1", content="Looking", toolRequests=[request, lost])
    events, transcript = read(message, start("view", {"path": "a.ts"}), done("text"), done("text"))

    assert ["text", "call", "call", "result"] == [one.kind for one in events]
    assert (("a.ts",), "c2") == (events[1].paths, events[2].call)
    assert (2, 1, 1, 1) == (
        transcript.account.calls,
        transcript.account.results,
        transcript.account.unanswered,
        transcript.account.repeated,
    )


def test_what_is_said_twice_counts_once() -> None:
    """A repeated entry, a repeated message, and a thought that has an entry of its own are told once."""
    message = entry("assistant.message", id="e1", messageId="m1", content="Done.", reasoningText="Hm")
    again = entry("assistant.message", id="e2", messageId="m1", content="Done.", reasoningText="Hm")
    events, transcript = read(
        entry("assistant.reasoning", content="Hm"), message, message, again, entry("session.task_complete", summary="Done.")
    )

    assert [("thinking", "Hm"), ("text", "Done.")] == [(one.kind, one.text) for one in events]
    assert (1, 1) == (transcript.account.assistant, transcript.account.repeated)


def test_a_task_that_was_not_accepted_as_done_is_not_claimed() -> None:
    """The summary of a task is the agent's word only where the client took the task for done."""
    entries = [
        entry("session.task_complete", summary="First", outcome="continue"),
        entry("session.task_complete", summary="Second", outcome="blocked"),
        entry("session.task_complete", summary="Third", outcome="completed", success=True),
    ]

    assert [("text", "Third")] == kinds(*entries)


def test_a_rewind_takes_turns_back() -> None:
    """The entry that a rewind names is gone, and all behind it; a second rewind counts from what is left."""
    entries = [
        prompt("one", "p1"),
        entry("assistant.message", id="a1", content="x"),
        prompt("two", "p2"),
        prompt("three", "p3"),
        entry("session.snapshot_rewind", id="r1", upToEventId="p2", eventsRemoved=2),
        prompt("four", "p4"),
        entry("session.snapshot_rewind", id="r2", upToEventId="p1", eventsRemoved=5),
        prompt("five", "p5"),
        entry("session.snapshot_rewind", id="r3", upToEventId="lost", eventsRemoved=1),
        entry("session.snapshot_rewind", id="r4", upToEventId="lost"),
    ]
    events, transcript = read(*entries)

    assert [2, 2, 1] == [one.data["turns"] for one in events if one.kind == "undo"]
    assert [10] == [one.line for one in transcript.account.skipped]


def test_todos_live_in_a_table() -> None:
    """What the agent's SQL does to the table is done, and the list is told as a whole each time that it changes."""
    insert = "INSERT INTO todos (id, title, status) VALUES ('a', 'It''s; first', 'pending'), ('b', 'Second', 'in_progress')"
    case = "UPDATE todos SET status = CASE WHEN id = 'a' THEN 'done' ELSE 'blocked' END WHERE id IN ('a', 'b')"
    entries: list[dict[str, Any]] = []
    queries = (insert, "SELECT * FROM todos", case, "DELETE FROM todos WHERE status = 'done'")
    for number, query in enumerate(queries):
        entries += [start("sql", {"description": "x", "query": query}, f"c{number}"), done("ok", f"c{number}")]
    entries += [start("sql", {"query": "DELETE FROM todos"}, "c9"), failed("locked", "c9")]

    assert [
        [("a", "It's; first", "pending"), ("b", "Second", "in_progress")],
        [("a", "It's; first", "completed"), ("b", "Second", "pending")],
        [("b", "Second", "pending")],
    ] == [[(one["id"], one["text"], one["status"]) for one in told.data["todos"]] for told in of("todo", *entries)]


def test_older_clients_keep_a_checklist() -> None:
    """The to-do list of older clients is Markdown."""
    told = of("todo", start("update_todo", {"todos": "# Work\n- [x] One\n- [ ] Two\n1. [~] Three\n- four"}), done("ok"))

    assert [[("One", "completed"), ("Two", "pending"), ("Three", "in_progress")]] == [
        [(one["text"], one["status"]) for one in event.data["todos"]] for event in told
    ]


@pytest.mark.parametrize(
    "query",
    [
        "ATTACH DATABASE 'todos.db' AS other; CREATE TABLE other.todos (id)",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) INSERT INTO todos (id) SELECT x FROM c",
        "INSERT INTO todos (id) SELECT hex(randomblob(9)) FROM todos a, todos b, todos c, todos d, todos e, todos f",
        "INSERT INTO todos (id, title) VALUES ('x', zeroblob(2000000000))",
        "PRAGMA writable_schema = ON; DROP TABLE todos",
        "todos" + "/* " * 30_000,
        "todos" + "';" * 40_000,
        "SELECT 'todos' \0 \ud800",
    ],
)
def test_hostile_sql_does_nothing(query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query of a log can neither touch a file nor run for long nor fill the memory."""
    monkeypatch.chdir(tmp_path)
    table = copilot_todos.TodoTable()
    table.run("INSERT INTO todos (id) " + " UNION ALL ".join(f"SELECT '{number}'" for number in range(150)))
    before = time.process_time()
    table.run(query)

    assert time.process_time() - before < 1
    assert [] == list(tmp_path.iterdir())


def test_session_files_are_no_changes_of_the_repository() -> None:
    """The plan and the files that the client keeps for a session are not edits, whichever tool writes them."""
    patch = f"*** Begin Patch\n*** Add File: {HOME}/plan.md\n+# Plan\n+1. Do\n*** End Patch"
    calls = of(
        "call",
        start("create", {"path": f"{HOME}/plan.md", "file_text": "# Plan"}, "c1"),
        start("apply_patch", patch, "c2"),
        start("create", {"path": f"{HOME}/files/notes.md", "file_text": "x"}, "c3"),
        start("create", {"path": "/srv/work/tidepool/plan.md", "file_text": "x"}, "c4"),
    )

    assert ["plan", "plan", "other", "write"] == [one.tool for one in calls]
    assert [False, False, False, True] == ["content" in one.data or "patch" in one.data for one in calls]


@pytest.mark.parametrize(
    ("answer", "approved"),
    [
        ("Plan approved! Exited plan mode.\n\nYou are now in interactive mode.", [True]),
        ("The user rejected the plan. Stay in plan mode. Feedback: smaller steps", [False]),
        ("Exited.", []),
    ],
)
def test_a_plan_is_put_to_the_human(answer: str, approved: list[bool]) -> None:
    """The plan is the file that the agent wrote for it; what the human said to it is the answer."""
    events = read(
        start("create", {"path": f"{HOME}/plan.md", "file_text": "# Plan\n1. Do it"}, "c1"),
        done("Created", "c1"),
        start("exit_plan_mode", {"summary": "- do it"}, "c2"),
        done(answer, "c2"),
    )[0]

    assert ["# Plan\n1. Do it"] == [one.text for one in events if one.kind == "plan"]
    assert approved == [one.data["approved"] for one in events if one.kind == "answer"]
    assert ["smaller steps"] * (approved == [False]) == [one.text for one in events if one.kind == "prompt"]


@pytest.mark.parametrize("said", ["User selected: Postgres", "User responded: Postgres"])
def test_answers_belong_to_their_question(said: str) -> None:
    """What the human answers to a question is the human's decision."""
    told = of("answer", start("ask_user", {"question": "Which database?", "choices": ["Postgres", "SQLite"]}), done(said))

    assert [({"Which database?": "Postgres"}, "human")] == [(one.data["answers"], one.actor) for one in told]
    assert [] == of("answer", start("ask_user", {"question": "Which?"}), done("User skipped the question"))


def test_edits_carry_what_they_change() -> None:
    """The parts of an edit have the names that they have for every agent."""
    several = {
        "replacements": [
            {"filePath": "a", "oldString": "1", "newString": "2"},
            {"filePath": "b", "oldString": "3\n4", "newString": ""},
        ]
    }
    calls = of(
        "call",
        start("edit", {"path": "a.ts", "old_str": "x", "new_str": "y"}, "c1"),
        start("create", {"path": "b.ts", "file_text": "z"}, "c2"),
        start("apply_patch", {"input": "*** Begin Patch\n*** Update File: c.ts\n@@\n-x\n+y\n*** End Patch"}, "c3"),
        start("multi_replace_string_in_file", several, "c4"),
        start("str_replace_editor", {"command": "view", "path": "d.ts"}, "c5"),
    )

    assert [("edit", ("a.ts",)), ("write", ("b.ts",)), ("edit", ("c.ts",)), ("edit", ("a", "b")), ("read", ("d.ts",))] == [
        (one.tool, one.paths) for one in calls
    ]
    assert ("x", "y", "z") == (calls[0].data["old"], calls[0].data["new"], calls[1].data["content"])
    assert "*** Update File: a\n@@\n-1\n+2\n*** Update File: b\n@@\n-3\n-4\n" in calls[3].data["patch"]


def test_sub_agents_speak_for_themselves() -> None:
    """What a sub-agent does stands apart, and one that runs in the background is not done when it is started."""
    events, transcript = read(
        start("task", {"description": "Look", "prompt": "Look around", "mode": "background"}),
        done("Agent started in background with agent_id: explore-1. Use read_agent."),
        start("bash", {"command": "ls"}, "c2", agent="explore-1"),
        entry("assistant.message", agent="explore-1", content="Nothing there"),
        entry("subagent.failed", toolCallId="c1", error="rate limit"),
    )

    assert [("agent", None), ("subagent", None), ("subagent", None)] == [
        (one.actor, one.ok) for one in events if one.kind in ("call", "text")
    ]
    assert [("c1", None), ("c1", False)] == [(one.call, one.ok) for one in events if one.kind == "result"]
    assert 2 == transcript.account.sidechain


def test_interruptions_summaries_and_handovers_are_told() -> None:
    """The human's stop is the human's; what stands in for earlier talk is nobody's statement."""
    told = kinds(
        entry("abort", reason="user_initiated"),
        entry("abort", reason="mcp_error"),
        entry("session.compaction_complete", success=True, summaryContent="Earlier"),
        entry("session.compaction_complete", success=False, error="no"),
        entry("session.handoff", sourceType="remote", remoteSessionId="r", summary="Before", handoffTime="x"),
    )

    assert [("interrupt", "user initiated"), ("compact", "Earlier"), ("compact", "Before")] == told


def test_unknown_entries_are_named_once() -> None:
    """An entry type that nobody knows is noted with its first line and its number, damage with its line."""
    account = read(entry("x.y"), entry("x.y"), {"type": "user.message", "timestamp": "x"}, {"a": 1})[1].account

    assert [
        (1, "unknown entry type 'x.y', 2 times from here on"),
        (3, "a user.message entry without data"),
        (4, "unknown entry without a type"),
    ] == [(one.line, one.reason) for one in account.skipped]


def test_a_cut_line_costs_itself() -> None:
    """The writer may still be at the last line."""
    data = LOG.read_bytes()[:-40]
    transcript = copilot_cli.read(io.BytesIO(data))
    list(transcript)

    assert (True, 1, 80) == (transcript.incomplete, transcript.account.bad, transcript.account.skipped[-1].line)


def test_memory_and_time_grow_with_the_log_alone() -> None:
    """A log of five thousand calls is read in linear time."""
    lines = [
        json.dumps(start("bash", {"command": "make"}, f"c{n}")) + "\n" + json.dumps(done("x", f"c{n}")) for n in range(5_000)
    ]
    before = time.process_time()
    count = sum(1 for _ in copilot_cli.read(io.BytesIO("\n".join(lines).encode())))

    assert 10_000 == count
    assert time.process_time() - before < 5


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just("\ud800\0"),
    st.just([]),
    st.just([None, {"a": [1]}]),
    st.just({}),
    st.just({"x": {"y": 1}}),
)
ENTRIES = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]


def changed(value: Any, path: list[int], junk: Any) -> Any:
    """*value* with *junk* where *path* leads."""
    if not path or not isinstance(value, dict | list) or not value:
        return junk
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[path[0] % len(keys)]
    new = changed(value[key], path[1:], junk)
    return {**value, key: new} if isinstance(value, dict) else [*value[:key], new, *value[key + 1 :]]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(0, len(ENTRIES) - 1), st.lists(st.integers(0, 9), max_size=5), JUNK), max_size=12))
def test_values_of_any_type_do_no_harm(changes: list[tuple[int, list[int], Any]]) -> None:
    """Whatever stands where something else is expected, the rest is read, and every line is one of the log's."""
    entries = list(ENTRIES)
    for index, path, junk in changes:
        entries[index] = changed(entries[index], path, junk)
    data = "\n".join(json.dumps(one) for one in entries).encode()
    transcript = copilot_cli.read(io.BytesIO(data))
    events = list(transcript)

    assert all(1 <= one.line <= len(entries) for one in events)
    assert json.dumps([asdict(one) for one in events], ensure_ascii=False).encode()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 33_000), st.integers(0, 400), st.binary(max_size=20))
def test_bytes_of_any_kind_do_no_harm(at: int, cut: int, put: bytes) -> None:
    """Damage raises nothing but the errors that say so."""
    data = LOG.read_bytes()
    data = data[:at] + put + data[at + cut :]
    try:
        copilot_cli.detect(data[: 1 << 16])
        transcript = copilot_cli.read(io.BytesIO(data))
        events = list(transcript)
    except HandoffError:
        return

    assert all(1 <= one.line <= transcript.account.lines for one in events)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not kept in this repository")
def test_real_logs_have_the_counts_that_were_taken_by_hand() -> None:
    """Every log of this format is known, read without a skipped line, and agrees with an independent count."""
    with (CORPUS / "COUNTS.tsv").open(encoding="utf-8") as stream:
        counts = {row["file"]: row for row in csv.DictReader(stream, delimiter="\t")}
    logs = sorted((CORPUS / "copilot-cli").glob("*.jsonl"))
    different = []
    for log in logs:
        transcript = open_transcript(log)
        list(transcript)
        row = counts[f"copilot-cli/{log.name}"]
        different += [(log.name, name) for name in COLUMNS if int(row[name]) != getattr(transcript.account, name)]
        different += [(log.name, one.reason) for one in transcript.account.skipped]
        different += [(log.name, "format")] * (transcript.format != "copilot-cli")

    assert [] == different
