"""What Antigravity's logs say, though nothing in them joins a call to its result."""

import csv
import io
import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.records.transcript import KEPT_CHARACTERS, Event, Transcript
from handoffsite.sources import antigravity, identify, open_transcript, peek

SAMPLES = Path(__file__).parents[1] / "samples"
ROOT = SAMPLES / "antigravity" / "antigravity-cli"
CONVERSATION = "b7d1c2e4-3f50-4a61-9b82-c3d4e5f60718"
AGENT = "0e4f9a11-7b2c-4d3e-8f50-a1b2c3d4e5f6"
LOGS = Path("brain") / CONVERSATION / ".system_generated" / "logs"
LOG = ROOT / LOGS / "transcript_full.jsonl"
ARTIFACTS = f"/home/u/.gemini/antigravity-ide/brain/{CONVERSATION}"

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
COLUMNS = ("lines", "bad", "human", "assistant", "calls", "results", "unanswered", "errors")

# The independent count took no step for a result; seven of nine have lost their calls, and one step is there twice.
OURS = {"agent-sessions_cli_small.jsonl": {"results": 9}}


def step(index: int, kind: str, content: str | None = None, source: str = "MODEL", **more: Any) -> dict[str, Any]:
    entry = {"step_index": index, "source": source, "type": kind, "status": "DONE", "created_at": "2026-11-05T09:15:07Z"}
    return {**entry, **({} if content is None else {"content": content}), **more}


def user(index: int, text: str) -> dict[str, Any]:
    return step(index, "USER_INPUT", text, "USER_EXPLICIT")


def calls(index: int, *named: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return step(index, "PLANNER_RESPONSE", tool_calls=[{"name": name, "args": args} for name, args in named])


def run(index: int, command: str) -> dict[str, Any]:
    return calls(index, ("run_command", {"CommandLine": command, "Cwd": "/srv/harbour", "WaitMsBeforeAsync": 500}))


def read(*entries: dict[str, Any]) -> tuple[list[Event], Transcript]:
    transcript = antigravity.read(io.BytesIO(b"".join(json.dumps(one).encode() + b"\n" for one in entries)))
    return list(transcript), transcript


def results(*entries: dict[str, Any]) -> list[tuple[str, str]]:
    """The command or path of each call that was answered, and the answer."""
    asked = {one.call: one.text for one in read(*entries)[0] if one.kind == "call"}
    return [(asked.get(one.call, ""), one.text) for one in read(*entries)[0] if one.kind == "result"]


def outcome(content: str, **more: Any) -> Event:
    (found,) = (one for one in read(run(2, "make"), step(3, "RUN_COMMAND", content, **more))[0] if one.kind == "result")
    return found


def test_the_sample_is_read_event_by_event() -> None:
    """It gives the events that are written beside it, no more and no less."""
    expected = json.loads((SAMPLES / "antigravity" / "conversation.events.json").read_text(encoding="utf-8"))
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(LOG)
    ]

    assert expected == json.loads(json.dumps(events))


def test_both_logs_tell_the_same() -> None:
    """The shorter log spells each argument in JSON once more; what it says is the same."""
    short = list(open_transcript(LOG.with_name("transcript.jsonl")))

    assert list(open_transcript(LOG)) == short


@pytest.mark.parametrize(
    ("args", "command"),
    [
        ({"CommandLine": '"echo hi"', "WaitMsBeforeAsync": "500"}, "echo hi"),
        ({"CommandLine": '"echo \\"a\\"\\n<truncated 9 bytes>', "toolSummary": '"Say"'}, 'echo "a"\n<truncated 9 bytes>'),
        ({"CommandLine": '"quoted"', "WaitMsBeforeAsync": 500}, '"quoted"'),
        ({"CommandLine": '"quoted"', "toolSummary": "Say"}, '"quoted"'),
        ({"CommandLine": "true"}, "true"),
    ],
)
def test_arguments_are_decoded_once_more_where_they_must(args: dict[str, Any], command: str) -> None:
    """A cut value is taken as far as it goes; a value that only looks encoded stays as it is."""
    assert [command] == [one.text for one in read(calls(2, ("run_command", args)))[0]]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Created At: x\nCompleted At: y\n\n\t\t\t\tThe command completed successfully.\n\t\t\t\tOutput:\n\t\t\t\tok\n", (True, 0, "ok")),
        ("\n\t\t\t\tThe command failed with exit code: 2\n\t\t\t\tOutput:\n\t\t\t\tno\n", (False, 2, "no")),
        ("The command exited with code 0.\nStdout:\n\nStderr:\n", (True, 0, "")),
        ("The command exited with code 7.\nOutput:\nboom\n", (False, 7, "boom")),
        ("something else", (None, None, "something else")),
    ],
)  # fmt: skip
def test_the_exit_status_decides(content: str, expected: tuple[bool | None, int | None, str]) -> None:
    """The step of a failed command is as done as any; only the text says how the command ended."""
    event = outcome(content)

    assert expected == (event.ok, event.exit, event.text)


def test_an_error_of_the_step_is_a_failure() -> None:
    """So is a message of an error in the place of a result; where the human denied it, the call was refused."""
    failed = outcome("Encountered error in step execution: no such directory", status="ERROR")
    denied = outcome("User denied permission to run command:\nmake", status="ERROR")
    events, _ = read(run(2, "make"), step(3, "ERROR_MESSAGE", "TypeName is required"), step(5, "ERROR_MESSAGE", "a warning"))

    assert [(False, {}), (False, {"refused": True})] == [(one.ok, one.data) for one in (failed, denied)]
    assert [("call", None), ("result", False), ("injected", None)] == [(one.kind, one.ok) for one in events]


def test_results_find_their_calls() -> None:
    """By kind among the calls of one step, across the index that is always missing, and before their calls in the file."""
    both = calls(5, ("list_dir", {"DirectoryPath": "/a"}), ("run_command", {"CommandLine": "make"}))
    entries = [
        step(3, "VIEW_FILE", "early"),
        calls(2, ("view_file", {"AbsolutePath": "/a.py"})),
        both,
        step(6, "RUN_COMMAND", "ran"),
        step(7, "LIST_DIRECTORY", "listed"),
        calls(8, ("a_servers_tool", {"q": 1})),
        step(9, "MCP_TOOL", "found"),
        calls(10, ("list_permissions", {})),
        step(11, "GENERIC", "none"),
    ]

    assert [("/a.py", "early"), ("make", "ran"), ("/a", "listed"), ("", "found"), ("", "none")] == results(*entries)
    assert 0 == read(*entries)[1].account.unanswered


def test_a_result_is_not_given_to_another_call() -> None:
    """A call without a result stays open, whatever comes later; a result without a call is told on its own."""
    entries = [run(2, "first"), user(3, "Stop"), run(5, "second"), step(6, "RUN_COMMAND", "ran"), step(7, "SEARCH_WEB", "found")]
    events, transcript = read(*entries)

    assert [("second", "ran"), ("", "found")] == results(*entries)
    assert (2, 2, 1) == (transcript.account.calls, transcript.account.results, transcript.account.unanswered)
    assert ["step-5.0", ""] == [one.call for one in events if one.kind == "result"]


def test_a_task_in_the_background_ends_later() -> None:
    """It is open until a message, or the answer to a question about it, says how it ended; that is the command's result."""
    started = step(3, "RUN_COMMAND", "Tool is running as a background task with task id: c/task-3\nTask Description: make", status="RUNNING")  # fmt: skip
    news = step(5, "SYSTEM_MESSAGE", '<SYSTEM_MESSAGE>\ncontent=Task id "c/task-3" finished with result:\n\nThe command exited with code 2.\nStdout:\nno\n\nLog: file:///x\n</SYSTEM_MESSAGE>', "SYSTEM")  # fmt: skip
    asked = [calls(5, ("manage_task", {"Action": "status", "TaskId": "c/task-3"})), step(6, "GENERIC", "Task: c/task-3\nStatus: DONE\nLog: /x")]  # fmt: skip
    killed = step(5, "SYSTEM_MESSAGE", 'Task id "c/task-3" was canceled with result:\nTool execution was canceled', "SYSTEM")

    def of_make(*entries: dict[str, Any]) -> list[tuple[bool | None, int | None]]:
        return [(one.ok, one.exit) for one in read(run(2, "make"), started, *entries)[0] if one.call == "step-2.0"][1:]

    assert [(None, None)] == of_make()
    assert [(None, None), (False, 2)] == of_make(news)
    assert [(None, None), (True, None)] == of_make(*asked)
    assert [(None, None), (False, None)] == of_make(killed)
    assert [(None, None), (True, 0)] == of_make(step(3, "RUN_COMMAND", "The command completed successfully."))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<USER_REQUEST>\nGo\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nlate\n</ADDITIONAL_METADATA>", ["Go"]),
        ("<USER_REQUEST>\nGo\n<USER_SETTINGS_CHANGE>x</USER_SETTINGS_CHANGE>\n</USER_REQUEST>", ["Go"]),
        ("<USER_REQUEST>\nWrite `</USER_REQUEST>` there\n</USER_REQUEST>", ["Write `` there"]),
        ("Go", ["Go"]),
        ("<USER_REQUEST>\n\n</USER_REQUEST>", []),
    ],
)
def test_a_prompt_is_what_was_typed(content: str, expected: list[str]) -> None:
    """Only what stands between the tags is the human's; what the client adds, within or without, is not."""
    assert expected == [one.text for one in read(user(0, content))[0] if one.kind == "prompt"]


def test_nobody_said_what_the_system_says() -> None:
    """Messages and checkpoints are no statements, nor is a prompt that no human gave."""
    entries = [
        step(0, "USER_INPUT", "<USER_REQUEST>Go</USER_REQUEST>", "USER_IMPLICIT"),
        step(1, "CONVERSATION_HISTORY", source="SYSTEM"),
        step(2, "SYSTEM_MESSAGE", "<SYSTEM_MESSAGE>x</SYSTEM_MESSAGE>", "SYSTEM"),
        step(3, "CHECKPOINT", "{{ CHECKPOINT 1 }}", "SYSTEM"),
    ]
    events, transcript = read(*entries)

    assert [("injected", "system"), ("injected", "system"), ("compact", "system")] == [(one.kind, one.actor) for one in events]
    assert 0 == transcript.account.human


def test_the_plan_is_an_artifact() -> None:
    """It is put to the human as it was written last; only the client's own word for it is an approval."""
    path = f"{ARTIFACTS}/implementation_plan.md"
    approval = f"Comments on artifact URI: file://{path}\n\nThe user has approved this document.\n\n\n<USER_REQUEST>\n\n</USER_REQUEST>"  # fmt: skip
    remark = f"Comments on artifact URI: file://{path}\n\nNo server, please.\n<USER_REQUEST>\n\n</USER_REQUEST>"
    entries = [
        calls(2, ("write_to_file", {"TargetFile": path, "CodeContent": "Use Redis.", "IsArtifact": True})),
        step(3, "CODE_ACTION", "Created file"),
        user(5, remark),
        calls(6, ("replace_file_content", {"TargetFile": path, "TargetContent": "Redis", "ReplacementContent": "a cache"})),
        step(7, "CODE_ACTION", "The following changes were made"),
        user(8, approval),
    ]
    events, transcript = read(*entries)

    assert [("plan", "Use Redis."), ("plan", "Use a cache."), ("answer", "Use a cache.")] == [
        (one.kind, one.text) for one in events if one.kind in ("plan", "answer")
    ]
    assert ["No server, please."] == [one.text.split("\n\n")[1] for one in events if one.kind == "prompt"]
    assert ({"approved": True, "plan": "Use a cache."}, 1) == (events[-1].data, transcript.account.human)


def test_artifacts_change_nothing_in_the_project() -> None:
    """The list of tasks is a list of tasks, a report is neither a write nor an edit; a file of the same name elsewhere is."""
    tasks = "# Tasks\n- [x] Cache <!-- id: 0 -->\n    - [/] Bound it\n* [ ] Test it\n- no task"
    entries = [
        calls(2, ("write_to_file", {"TargetFile": f"{ARTIFACTS}/task.md", "CodeContent": tasks})),
        step(3, "CODE_ACTION", "Created file"),
        calls(5, ("write_to_file", {"TargetFile": f"{ARTIFACTS}/walkthrough.md", "CodeContent": "Done."})),
        step(6, "CODE_ACTION", "Created file"),
        calls(7, ("write_to_file", {"TargetFile": "/srv/harbour/task.md", "CodeContent": tasks})),
        step(8, "CODE_ACTION", "Created file"),
    ]
    events, _ = read(*entries)
    (listed,) = (one for one in events if one.kind == "todo")

    assert ["todo", "other", "write"] == [one.tool for one in events if one.kind == "call"]
    assert [("Cache", "completed"), ("Bound it", "in_progress"), ("Test it", "pending")] == [
        (todo["text"], todo["status"]) for todo in listed.data["todos"]
    ]


def test_edits_say_what_they_change() -> None:
    """Each part of an edit of several is there for the proof."""
    chunks = [{"TargetContent": "a", "ReplacementContent": "b"}, {"TargetContent": "c", "ReplacementContent": "d"}, 3]
    (call,) = read(calls(2, ("multi_replace_file_content", {"TargetFile": "/x.py", "ReplacementChunks": chunks})))[0]

    assert ("edit", ("/x.py",), "a\nc", "b\nd") == (call.tool, call.paths, call.data["old"], call.data["new"])
    assert [("a", "b"), ("c", "d")] == [(part["old_string"], part["new_string"]) for part in call.data["input"]["edits"]]


def test_questions_are_answered_by_number() -> None:
    """An answer may go over several lines."""
    asked = {"questions": [{"question": "How long?", "options": ["a"]}, {"question": "Where?"}]}
    events, _ = read(calls(2, ("ask_question", asked)), step(3, "ASK_QUESTION", "A1: One\nminute\nA2: Here\nA9: odd"))

    assert {"answers": {"How long?": "One\nminute", "Where?": "Here", "A9": "odd"}} == events[-1].data


def test_a_step_counts_once() -> None:
    """A step that the log holds twice is told once."""
    entries = [user(0, "Go"), step(2, "PLANNER_RESPONSE", "Going."), user(0, "Go"), step(2, "PLANNER_RESPONSE", "Going.")]
    events, transcript = read(*entries)

    assert ["prompt", "text"] == [one.kind for one in events]
    assert (2, 1, 1) == (transcript.account.repeated, transcript.account.human, transcript.account.assistant)


def copied(tmp_path: Path) -> tuple[Path, Path]:
    """A folder of the agent's own, and the log in it."""
    root = tmp_path / ".gemini" / "antigravity-cli"
    shutil.copytree(ROOT, root)
    return root, root / LOGS / "transcript_full.jsonl"


def test_the_folder_names_the_conversation() -> None:
    """The session's ID is the name of the conversation's folder; elsewhere a file's own name, if it is one."""
    assert (CONVERSATION, "/srv/harbour") == (peek(LOG).session, peek(LOG).cwd)
    assert "x1" == list_and_session(Path("/srv/x1.jsonl"))
    assert list_and_session(Path("/srv/transcript.jsonl")).startswith("sha256-")


def list_and_session(path: Path) -> str:
    transcript = antigravity.read(io.BytesIO(b'{"step_index":0}\n'), path)
    list(transcript)
    return transcript.session


def test_the_history_tells_the_workspace(tmp_path: Path) -> None:
    """By the conversation, or by the same first prompt at the same time if only one prompt fits; never by the paths in the log."""
    root, log = copied(tmp_path)
    history = root / "history.jsonl"
    first, later = history.read_text().splitlines()
    elsewhere = json.dumps({**json.loads(first), "workspace": "/srv/other"})
    long_ago = json.dumps({**json.loads(first), "timestamp": 1_700_000_000_000})

    for lines, expected in (
        ([first, later], "/srv/harbour"),
        ([first], "/srv/harbour"),
        (["{", "[]", first], "/srv/harbour"),
        ([first, elsewhere], ""),
        ([long_ago], ""),
        ([], ""),
    ):
        history.write_text("\n".join(lines))
        assert expected == peek(log).cwd, lines


def test_the_clients_log_tells_the_workspace(tmp_path: Path) -> None:
    """Where the history is silent, the client's log names the project, and the project's file its folder."""
    root, log = copied(tmp_path)
    (root / "history.jsonl").unlink()
    (root / "log").mkdir()
    project = "00000000-0000-4000-8000-000000000002"
    said = f"Conversation using project ID: x1234567\nConversation using project ID: {project}\nCreated conversation {CONVERSATION}\n"
    (root / "log" / "cli-20261105_091500.log").write_text(said)
    config = root.parent / "config" / "projects" / f"{project}.json"
    config.parent.mkdir(parents=True)

    assert "" == peek(log).cwd
    for text, expected in (
        (json.dumps({"projectResources": {"resources": [{"gitFolder": {"folderUri": "file:///srv/my%20harbour"}}]}}), "/srv/my harbour"),
        (json.dumps({"projectResources": {"resources": [3, {"gitFolder": 3}]}}), ""),
        ("{", ""),
    ):  # fmt: skip
        config.write_text(text)
        assert expected == peek(log).cwd


def test_no_link_leads_out(tmp_path: Path) -> None:
    """A history or a sub-agent's folder that is a link is not followed."""
    root, log = copied(tmp_path)
    (root / "history.jsonl").unlink()
    (root / "history.jsonl").symlink_to(ROOT / "history.jsonl")
    shutil.rmtree(root / "brain" / AGENT)
    (root / "brain" / AGENT).symlink_to(ROOT / "brain" / AGENT)
    transcript = open_transcript(log)

    assert [] == [one for one in transcript if one.agent]
    assert "" == transcript.cwd


def test_sub_agents_are_read_with_their_conversation() -> None:
    """The call began a conversation of its own, whose events follow; what it was asked is no human's prompt."""
    transcript = open_transcript(LOG)
    events = list(transcript)
    (begun,) = (one for one in events if one.kind == "result" and one.tool == "agent")

    assert (None, AGENT) == (begun.ok, begun.data["background"])
    assert [("injected", "system"), ("text", "subagent")] == [(one.kind, one.actor) for one in events if one.agent == AGENT]
    assert (1, 2) == (transcript.account.human, transcript.account.sidechain)


def test_what_is_not_understood_is_counted() -> None:
    """Entries that are no steps are named once each, and what is no call at its place."""
    entries: list[dict[str, Any]] = [
        {"x": 1},
        {"x": 2},
        {"type": "odd", "source": "MODEL"},
        step(2, "PLANNER_RESPONSE", tool_calls=[3]),
    ]

    assert [
        (1, "unknown entry without a type, 2 times from here on"),
        (3, "unknown entry type 'odd'"),
        (4, "a tool call that is no object"),
    ] == [(one.line, one.reason) for one in read(*entries)[1].account.skipped]


def test_formats_are_told_by_content() -> None:
    """Logs are known without their names, also by a first line that is cut; other agents' logs are not taken."""
    heads = [LOG.read_bytes(), LOG.read_bytes()[:200], json.dumps(step(0, "CHECKPOINT")).encode()]
    others = [path for path in SAMPLES.glob("*/**/*") if path.is_file() and "antigravity" not in path.parts]

    assert ["antigravity"] * len(heads) == [identify(head, "x").NAME for head in heads]
    assert [] == [path.name for path in others if antigravity.detect(path.read_bytes()[:65536])]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not part of the repository")
def test_real_logs_are_counted_right() -> None:
    """Counts agree with independent ones, and no line lies outside its file."""
    with (CORPUS / "COUNTS.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"].startswith("antigravity/")]
    for row in rows:
        transcript = open_transcript(CORPUS / row["file"])
        events = list(transcript)
        expected = {column: int(row[column]) for column in COLUMNS} | OURS.get(Path(row["file"]).name, {})

        assert expected == {column: getattr(transcript.account, column) for column in COLUMNS}, row["file"]
        assert all(0 < one.line <= transcript.account.lines for one in events)


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud83d\x1b[0m\0"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.sampled_from(["name", "args"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def altered(data: st.DataObject, value: Any) -> Any:
    if isinstance(value, dict) and value and data.draw(st.integers(0, 6)):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: altered(data, value[key])}
    if isinstance(value, list) and value and data.draw(st.integers(0, 6)):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], altered(data, value[at]), *value[at + 1 :]]
    return data.draw(ANYTHING)


def check(data: bytes) -> None:
    transcript = antigravity.read(io.BytesIO(data))
    for event in transcript:
        assert 0 < event.line <= transcript.account.lines
        assert len(event.text) <= KEPT_CHARACTERS
        json.dumps([event.kind, event.actor, event.text, *event.paths, dict(event.data)], ensure_ascii=False).encode()
    assert data.count(b"\n") + (not data.endswith(b"\n") and data != b"") == transcript.account.lines


def places(value: Any) -> Iterator[tuple[Any, ...]]:
    """The path of every value within *value*."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield (key,)
        yield from ((key, *path) for path in places(one))


def replaced(value: Any, path: tuple[Any, ...], wrong: Any) -> Any:
    """A copy of *value* with *wrong* at *path*."""
    if not path:
        return wrong
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], wrong)
    return copy


@pytest.mark.parametrize("wrong", [None, [], {}, 3, True, "\ud83d\x1b[0m\0"], ids=repr)
def test_no_place_is_trusted(wrong: Any) -> None:
    """Every single value of the sample may be of another type."""
    entries = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
    for before, entry in pairwise([{}, *entries]):
        for path in places(entry):
            check(b"".join(json.dumps(one).encode() + b"\n" for one in (before, replaced(entry, path, wrong))))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_entries_of_any_shape_are_taken(data: st.DataObject) -> None:
    """A value of another type anywhere costs at most what it stands for."""
    entries = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(entries) - 1))
        entries[at] = altered(data, entries[at])
    check(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_bytes_are_taken(data: st.DataObject) -> None:
    """Bytes that are cut out, put in or cut off raise nothing, and lines stay within the file."""
    whole = LOG.read_bytes()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole)))
        whole = whole[:at] + data.draw(st.binary(max_size=6)) + whole[at + data.draw(st.integers(0, 40)) :]
    check(whole[: data.draw(st.integers(0, len(whole)))])
