"""What the trajectories of SWE-agent and mini-swe-agent say."""

import io
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.errors import HandoffError
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import open_transcript, swe_agent

SAMPLES = Path(__file__).parents[1] / "samples" / "swe-agent"
LOGS = sorted(path for path in SAMPLES.iterdir() if not path.name.endswith(".events.json"))
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "swe-agent-traj"
PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
STATE = '{"open_file": "/w/a.py", "working_dir": "/w"}'


def read(value: Any, name: str = "") -> tuple[list[Event], Transcript]:
    data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
    transcript = swe_agent.read(io.BytesIO(data), Path(name) if name else None)
    return list(transcript), transcript


def step(action: str, observation: str, **fields: Any) -> dict[str, Any]:
    return {"action": action, "observation": observation, "thought": "", "state": STATE, **fields}


def steps(*listed: dict[str, Any], **info: Any) -> dict[str, Any]:
    return {"environment": "swe_main", "trajectory": list(listed), "history": [], "info": info}


def only(kind: str, value: Any) -> Event:
    (found,) = (one for one in read(value)[0] if one.kind == kind)
    return found


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.name)
def test_samples_are_read_event_by_event(log: Path) -> None:
    """Each sample gives the events that are written beside it, no more and no less."""
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(log)
    ]

    expected = log.with_name(f"{log.name}.events.json").read_text(encoding="utf-8")
    assert json.loads(expected) == json.loads(json.dumps(events))


def test_the_file_and_the_state_say_whose_the_session_is() -> None:
    """The task's name is the ID, the state names the directory, and nothing tells a time."""
    transcript = open_transcript(SAMPLES / "tides__tides-42.traj")
    list(transcript)

    assert ("swe-agent:tides__tides-42", "/tides", "Rounding of tides", "") == (
        transcript.source,
        transcript.cwd,
        transcript.title,
        transcript.started,
    )


def test_times_and_the_directory_of_mini() -> None:
    """They come from its messages and its settings."""
    transcript = open_transcript(SAMPLES / "tides__tides-43.traj.json")
    list(transcript)

    assert ("swe-agent:tides__tides-43", "/testbed") == (transcript.source, transcript.cwd)
    assert ("2026-11-23T08:00:49.250Z", "2026-11-23T08:00:52.250Z") == (transcript.started, transcript.ended)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("We're currently solving the following issue within our repository. Here's the issue text:\nISSUE:\nIt breaks\n\n\nINSTRUCTIONS:\nNow, you", "It breaks"),
        ("<uploaded_files>\n/w\n</uploaded_files>\nConsider this:\n<pr_description>\nIt breaks\n</pr_description>\nCan you help", "It breaks"),
        ("Please solve this issue: It breaks\n\nYou can execute bash commands and edit files", "It breaks"),
        ("It breaks", "It breaks"),
        ([{"type": "text", "text": "It breaks"}], "It breaks"),
    ],
)  # fmt: skip
def test_the_task_is_told_from_its_instructions(content: Any, expected: str) -> None:
    """In each wrapping that the clients put around it; what demonstrates how to work is no task."""
    history = [
        {"role": "system", "content": "SETTING"},
        {"role": "user", "content": "ISSUE:\nAnother\n\nINSTRUCTIONS:", "is_demo": True},
        {"role": "user", "content": content},
    ]

    assert expected == only("prompt", {**steps(step("ls", "a")), "history": history}).text
    assert expected == only("prompt", {"history": history}).text
    assert expected == only("prompt", {"messages": history, "info": {}}).text


@pytest.mark.parametrize(
    ("action", "tool", "paths", "data"),
    [
        ("pytest -q", "shell", (), {"command": "pytest -q"}),
        ("edit 1:2\nx = 1\nend_of_edit\n", "edit", ("/w/a.py",), {"new": "x = 1"}),
        ("edit 'x = 1' 'x = 2'", "edit", ("/w/a.py",), {"old": "x = 1", "new": "x = 2"}),
        ("create b.py", "write", ("b.py",), {}),
        ("open b.py 12", "read", ("b.py",), {}),
        ("find_file b.py src", "search", ("b.py",), {}),
        ("str_replace_editor view /w/b.py", "read", ("/w/b.py",), {}),
        ("str_replace_editor create /w/b.py --file_text 'it'\"'\"'s'", "write", ("/w/b.py",), {"content": "it's"}),
        ("str_replace_editor str_replace /w/b.py --old_str 'a b' --new_str c", "edit", ("/w/b.py",), {"old": "a b", "new": "c"}),
        ("str_replace_editor insert /w/b.py --insert_line 3 --new_str c", "edit", ("/w/b.py",), {"new": "c"}),
        ("str_replace_editor create /w/b.py --file_text 'open", "write", ("/w/b.py",), {"content": "'open"}),
    ],
)
def test_commands_are_told_from_the_editors(action: str, tool: str, paths: tuple[str, ...], data: dict[str, str]) -> None:
    """What the agent's own editor does is an edit of the file that it names, or of the one that is open."""
    found = only("call", steps(step(action, "ok")))

    assert (tool, paths) == (found.tool, found.paths)
    assert data == {key: value for key, value in found.data.items() if key != "input"}


@pytest.mark.parametrize(
    ("action", "observation", "ok"),
    [
        ("make", "built", True),
        ("make", "make: *** [all] Error 2", False),
        ("make", "", True),
        ("make", "EXECUTION TIMED OUT", False),
        ("make", "The command 'make' was cancelled because it took more than 30 seconds.", False),
        ("edit 1:1\nx\nend_of_edit", "File updated. Please review the changes", True),
        ("edit 1:1\nx\nend_of_edit", "[File: /w/a.py (9 lines total)]\n1:x", True),
        ("edit 1:1\nx\nend_of_edit", "Your proposed edit has introduced new syntax error(s).", False),
        ("edit 'a' 'b'", "No replacement was performed", False),
        ("create a.py", "Error: File 'a.py' already exists.", False),
        ("str_replace_editor create /w/b.py --file_text x", "File created successfully at: /w/b.py", True),
        ("str_replace_editor str_replace /w/b.py --old_str a --new_str b", "The file /w/b.py has been edited.", True),
    ],
)
def test_an_observation_shows_whether_it_worked(action: str, observation: str, ok: bool) -> None:
    """The editor says it in its own words, a command by what it printed."""
    assert ok == only("result", steps(step(action, observation))).ok


@pytest.mark.parametrize(("returned", "ok"), [(0, True), (1, False), (-9, False)])
def test_minis_exit_status_decides(returned: int, ok: bool) -> None:
    """Whether it stands beside the message or only in its text, and whatever was printed."""
    asked = {"role": "assistant", "content": "```bash\nmake\n```"}
    text = f"<returncode>{returned}</returncode>\n<output>\nTraceback (most recent call last):</output>"
    beside = {"role": "user", "content": "x", "extra": {"returncode": returned, "raw_output": "made"}}
    old = {"role": "user", "content": f"Observation: {{'output': 'made', 'returncode': {returned}}}"}
    task = {"role": "user", "content": "Go"}
    for answer in ({"role": "user", "content": text}, beside, old):
        found = only("result", {"messages": [task, asked, answer], "info": {}})

        assert (ok, returned) == (found.ok, found.exit)


def test_what_was_submitted_is_a_patch() -> None:
    """It is the last edit, of the files that it names; how the session ended decides whether it was taken."""
    for status, ok in (("submitted", True), ("Submitted", True), ("exit_cost", False)):
        events = read(steps(step("submit", PATCH), exit_status=status, submission=PATCH))[0]

        assert ["call", "result", "injected"] == [one.kind for one in events]
        assert ("edit", ("a.py",), PATCH.strip()) == (events[0].tool, events[0].paths, events[0].data["patch"].strip())
        assert (ok, f"exit status: {status}") == (events[1].ok, events[2].text)


def test_a_patch_that_the_client_took_by_itself() -> None:
    """As when the budget was spent: it stands where the log tells of it."""
    events = read(steps(step("ls", "a"), exit_status="submitted (exit_cost)", submission=PATCH))[0]

    assert [("call", "submit"), ("result", "submit")] == [(one.kind, one.name) for one in events[2:4]]
    assert (True, ("a.py",)) == (events[3].ok, events[3].paths)


def test_an_answer_that_is_no_patch_is_no_edit() -> None:
    """As in a contest for a flag."""
    assert "other" == only("result", steps(step("submit", "FLAG{x}"), exit_status="submitted", submission="FLAG{x}")).tool


def test_an_edit_that_was_taken_back_is_left_out() -> None:
    """With the command that took it back; both are counted."""
    replaced = "str_replace_editor str_replace /w/b.py --old_str a --new_str b"
    undone = "str_replace_editor undo_edit /w/b.py"
    done = "The file /w/b.py has been edited."
    events, transcript = read(
        steps(step(replaced, done), step(replaced, done), step(undone, "Last edit to /w/b.py undone successfully."))
    )

    assert ["call", "result"] == [one.kind for one in events]
    assert (3, 3, 0) == (transcript.account.calls, transcript.account.results, transcript.account.unanswered)


def test_a_rejected_command_was_not_tried() -> None:
    """The human's words on it are a prompt; an interruption is the human's, too."""
    events = read(
        {
            "messages": [
                {"role": "user", "content": "Go"},
                {"role": "assistant", "content": "```bash\nrm -rf .\n```"},
                {
                    "role": "user",
                    "content": "Command not executed. The user rejected your command with the following message:\nNo",
                },
                {"role": "user", "content": "Interrupted by user"},
                {"role": "user", "content": "The user added a new task: Stop"},
            ],
            "info": {},
        }
    )[0]

    assert [("result", {"refused": True}), ("prompt", {"refused": "call-1"}), ("interrupt", {}), ("prompt", {})] == [
        (one.kind, dict(one.data)) for one in events[2:]
    ]
    assert "Stop" == events[-1].text


def test_a_call_without_an_observation_is_open() -> None:
    """It gets no result."""
    events, transcript = read(
        {"messages": [{"role": "user", "content": "Go"}, {"role": "assistant", "content": "```bash\nls\n```"}], "info": {}}
    )

    assert ["prompt", "call"] == [one.kind for one in events]
    assert 1 == transcript.account.unanswered


HEADS: list[tuple[bytes, bool]] = [
    (b'{"environment":"swe_main","trajectory":[{"action":"ls","observation":"a"', True),
    (b'{"trajectory": [\n{"query": [], "action": "ls"', True),
    (b'{"history":[{"role":"system","content":"x","agent":"main","message_type":"system_prompt"}', True),
    (b'{"info":{"model_stats":{}},"messages":[],"trajectory_format":"mini-swe-agent-1.1"}', True),
    (b'{"messages":[{"role":"system","content":"run echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}', True),
    (b'{"messages":[{"role":"user","content":"Go"}],"info":{}}', False),
    (b'{"trajectory":[{"x":1}]}', False),
    (b'{"history":[{"role":"user","content":"Go"}]}', False),
    (b'[{"action":"ls","observation":"a"}]', False),
    (b"{", False),
    (b"", False),
]


@pytest.mark.parametrize(("head", "is_ours"), HEADS)
def test_the_format_is_told_by_content(head: bytes, is_ours: bool) -> None:
    """In each of its shapes; plain chats are not taken for it."""
    assert is_ours == swe_agent.detect(head)


def test_other_agents_samples_are_left_alone() -> None:
    """And its own are taken."""
    others = [path for name in ("claude-code", "codex", "cline") for path in (SAMPLES.parent / name).rglob("*") if path.is_file()]

    assert [] == [path.name for path in others if swe_agent.detect(path.read_bytes()[: 1 << 16])]
    assert [True] * len(LOGS) == [swe_agent.detect(path.read_bytes()) for path in LOGS]


@pytest.mark.parametrize(
    "value",
    [
        "{",
        "[]",
        "null",
        '{"trajectory": 7}',
        '{"trajectory": [1, null]}',
        '{"messages": [[]]}',
        '{"info": []}',
        "[" * 100_000,
        "",
    ],
)
def test_what_is_no_trajectory_gives_no_events(value: str) -> None:
    """Neither does it fail."""
    assert [] == read(value)[0]


def mutated(value: Any, draw: Callable[[Any], Any], depth: int = 0) -> Any:
    """*value* with some of what it holds swapped for something else."""
    if draw(st.integers(0, 25)) == 0 and depth:
        return draw(st.sampled_from([None, True, -1, 10**400, 0.5, "", "\0\ud83d'", [], {}, [[]], {"text": 7}, "edit 1:1\n"]))
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
    value = mutated(json.loads(data.draw(st.sampled_from(LOGS)).read_text(encoding="utf-8")), data.draw)
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
    middle = data.draw(st.sampled_from([b"", b"\0", b'"', b"}", b"\xff", b"[", raw[start : start + 99]]))
    transcript = swe_agent.read(io.BytesIO(raw[:start] + middle + raw[end:]))
    events = list(transcript)

    assert sound(events, transcript)


@pytest.mark.parametrize(
    "text",
    ["```bash\n" * 50_000, "<returncode>" * 50_000, "ISSUE:\n" * 50_000, " " * 400_000, "The command " * 30_000, "'" * 99_999],
)
def test_endless_text_takes_no_time(text: str) -> None:
    """What opens again and again is looked at once."""
    talk = [{"role": "user", "content": text}, {"role": "assistant", "content": text}, {"role": "user", "content": text}]
    walked = steps(step(f"str_replace_editor {text}", text), step(f"edit {text}", text))

    assert len(read({"messages": talk, "info": {}})[0]) + len(read(walked)[0]) < 100


@pytest.mark.skipif(not CORPUS.is_dir(), reason="needs the corpus beside the checkout")
def test_real_trajectories_are_read() -> None:
    """Every one, without anything skipped; a result for each call, and a prompt."""
    logs = sorted(CORPUS.glob("*.traj"))

    assert logs
    for log in logs:
        transcript = open_transcript(log)
        events = list(transcript)
        account = transcript.account

        assert "swe-agent" == transcript.format
        assert (0, [], 0, 1) == (account.bad, account.skipped, account.unanswered, account.human)
        assert account.calls == account.results > 0
        assert sound(events, transcript)
