"""What Codex's logs say, each thing once."""

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import codex, open_transcript

SAMPLES = Path(__file__).parents[1] / "samples" / "codex"
SESSION = "019f4a10-6c2b-7d3e-8a41-2b5c7d9e1f30"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"


def line(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-11-06T09:00:00.000Z", "type": kind, "payload": payload}


def item(**payload: Any) -> dict[str, Any]:
    return line("response_item", **payload)


def event(**payload: Any) -> dict[str, Any]:
    return line("event_msg", **payload)


def message(role: str, text: str) -> dict[str, Any]:
    return item(
        type="message", role=role, content=[{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
    )


def prompt(text: str) -> dict[str, Any]:
    return event(type="user_message", message=text)


def call(name: str, arguments: dict[str, Any], id: str = "c1") -> dict[str, Any]:
    return item(type="function_call", name=name, arguments=json.dumps(arguments), call_id=id)


def output(text: Any, id: str = "c1") -> dict[str, Any]:
    return item(type="function_call_output", call_id=id, output=text)


def done(code: int, text: str = "") -> str:
    return f"Chunk ID: 1a2b3c\nWall time: 0.4 seconds\nProcess exited with code {code}\nOriginal token count: 9\nOutput:\n{text}"


def runs(session: int, text: str = "") -> str:
    return f"Chunk ID: 1a2b3c\nWall time: 9.0 seconds\nProcess running with session ID {session}\nOriginal token count: 9\nOutput:\n{text}"


def read(*entries: dict[str, Any], name: str = "") -> tuple[list[Event], Transcript]:
    data = b"".join(json.dumps(one).encode() + b"\n" for one in entries)
    transcript = codex.read(io.BytesIO(data), Path(name) if name else None)
    return list(transcript), transcript


def kinds(*entries: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in read(*entries)[0]]


def only(kind: str, *entries: dict[str, Any]) -> Event:
    (found,) = (one for one in read(*entries)[0] if one.kind == kind)
    return found


META = line("session_meta", id=SESSION, cwd="/srv/atlas", timestamp="2026-11-06T08:59:00.000Z", git={"branch": "main"})


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.events.json")), ids=lambda path: path.name[:18])
def test_samples_are_read_event_by_event(sample: Path) -> None:
    """Each sample gives the events that are written beside it, no more and no less."""
    log = sample.with_name(sample.name.replace(".events.json", ".jsonl"))
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(log)
    ]

    assert json.loads(sample.read_text(encoding="utf-8")) == json.loads(json.dumps(events))


def test_the_first_header_says_whose_the_log_is() -> None:
    """A fork holds its ancestors' headers, too; they change nothing but that directories stay known."""
    ancestor = line("session_meta", id="019f0000-0000-7000-8000-000000000001", cwd="/srv/elsewhere")
    transcript = read(META, ancestor, line("turn_context", cwd="/srv/atlas/web"))[1]

    assert (f"codex:{SESSION}", "/srv/atlas", ["/srv/atlas", "/srv/atlas/web"]) == (
        transcript.source,
        transcript.cwd,
        transcript.directories,
    )
    assert ("main", "2026-11-06T08:59:00.000Z", "") == (transcript.branch, transcript.started, transcript.parent)


def test_a_fork_and_a_sub_agent_name_their_parents() -> None:
    """A fork is a session, a sub-agent's log is none, and nobody's prompt stands in it."""
    fork = read(line("session_meta", id="b", forked_from_id="a"))[1]
    spawned = line("session_meta", id="c", source={"subagent": {"thread_spawn": {"parent_thread_id": "a", "depth": 1}}})
    events, sub_agent = read(spawned, prompt("Look into it."))

    assert ("a", "") == (fork.parent, fork.agent)
    assert ("a", "c", 0) == (sub_agent.parent, sub_agent.agent, sub_agent.account.human)
    assert [("injected", "c")] == [(one.kind, one.agent) for one in events]


def test_a_lost_header_costs_the_header_alone() -> None:
    """The ID in the file's name stands in, the first line is named, and everything behind it is used."""
    log = SAMPLES / "rollout-2026-11-07T09-00-00-019f4b77-0a1b-7c2d-8e3f-405162738495.jsonl"
    transcript = open_transcript(log)
    events = list(transcript)

    assert "019f4b77-0a1b-7c2d-8e3f-405162738495" == transcript.session
    assert [f"Step {n}" for n in range(4)] == [one.text for one in events if one.kind == "prompt"]
    assert [(1, True)] == [
        (one.line, one.reason.startswith("no header; the session's ID is that in the file's name: not JSON"))
        for one in transcript.account.skipped
    ]


def test_a_name_precedes_an_ancestors_header() -> None:
    """Where a fork lost its own header, the next one is its parent's."""
    transcript = read(META, name="rollout-2026-11-07T09-00-00-019f4b77-0a1b-7c2d-8e3f-405162738495.jsonl")[1]

    assert ("019f4b77-0a1b-7c2d-8e3f-405162738495", SESSION) == (transcript.session, transcript.parent)


def test_what_is_said_twice_counts_once() -> None:
    """Both halves of the log tell of prompts, answers and thoughts, in either order; what is really said twice stays."""
    halves = [
        [message("user", "Go"), prompt("Go")],
        [event(type="agent_message", message="Going"), message("assistant", "Going")],
        [event(type="agent_reasoning", text="Hm"), item(type="reasoning", summary=[{"type": "summary_text", "text": "Hm"}])],
    ]
    expected = [("prompt", "Go"), ("text", "Going"), ("thinking", "Hm")] * 2
    there = [entry for pair in halves for entry in pair]
    back = [entry for pair in halves for entry in reversed(pair)]

    assert expected == kinds(META, event(type="task_started"), *there, *there)
    assert expected == kinds(META, event(type="task_started"), *back, *back)
    assert 2 == read(META, *there, *there)[1].account.human


def test_either_half_is_enough() -> None:
    """A log without events, or one that lost one half of what was said, still says it."""
    assert [("prompt", "Go"), ("text", "Going")] == kinds(META, message("user", "Go"), message("assistant", "Going"))
    assert [("prompt", "Go"), ("text", "Going")] == kinds(META, prompt("Go"), event(type="agent_message", message="Going"))


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /srv/atlas\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
        "<environment_context>\n<cwd>/srv/atlas</cwd>\n</environment_context>",
        "<user_instructions>\nx\n</user_instructions>",
        "<turn_aborted>\nx\n</turn_aborted>",
        "<permissions instructions>\nx\n</permissions instructions>",
    ],
)
def test_what_the_client_adds_is_no_prompt(text: str) -> None:
    """Instructions and the environment stand where a user speaks, also in a log without events."""
    events, transcript = read(META, message("user", text), message("user", "Go"))

    assert ["injected", "prompt"] == [one.kind for one in events]
    assert (1, "Go") == (transcript.account.human, transcript.title)


def test_in_a_log_with_events_only_they_make_prompts() -> None:
    """A user's message that no event repeats was put there by the client."""
    assert [("injected", "Be brief"), ("prompt", "Go")] == kinds(
        META, event(type="task_started"), message("user", "Be brief"), prompt("Go")
    )


def test_an_editors_context_is_cut_off() -> None:
    """What an editor wraps around a request is not the request."""
    wrapped = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nMend a.py"

    assert [("prompt", "Mend a.py")] == kinds(META, message("user", wrapped), prompt(wrapped))


@pytest.mark.parametrize(
    ("text", "ok", "exit", "kept"),
    [
        (done(0, "fine\n"), True, 0, "fine\n"),
        (done(-9), False, -9, ""),
        ("Exit code: 2\nWall time: 0 seconds\nOutput:\nbad\nExit code: 0\n", False, 2, "bad\nExit code: 0\n"),
        ('{"output":"x","metadata":{"exit_code":7,"duration_seconds":0.1}}', False, 7, "x"),
        ("exec command rejected by user", False, None, "exec command rejected by user"),
        ("failed to parse arguments", False, None, "failed to parse arguments"),
        ("words only", None, None, "words only"),
        (
            [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}],
            None,
            None,
            "a\n[image, 1 kB]",
        ),
        ({"content": "x", "success": True}, True, None, "x"),
        (None, None, None, ""),
    ],
)
def test_an_output_shows_how_the_command_ended(text: Any, ok: bool | None, exit: int | None, kept: str) -> None:
    """The exit status comes from the output's head in each of its shapes, and never from what the command printed."""
    found = only("result", META, call("shell", {"command": ["bash", "-lc", "make"]}), output(text))

    assert (ok, exit, kept) == (found.ok, found.exit, found.text)


def test_a_refusal_is_marked() -> None:
    """What the user turned down was not tried; a policy that turns things down is no user."""
    assert {"refused": True} == only("result", META, call("shell", {}), output("exec command rejected by user")).data
    assert {} == only("result", META, call("shell", {}), output("rejected by user approval settings")).data


@pytest.mark.parametrize(
    ("name", "arguments", "command"),
    [
        ("exec_command", {"cmd": "make"}, "make"),
        ("shell_command", {"command": "make"}, "make"),
        ("shell", {"command": ["bash", "-lc", "make all"]}, "make all"),
        ("shell", {"command": ["git", "commit", "-m", "two words"]}, "git commit -m 'two words'"),
        ("shell", {"command": 7}, ""),
        ("shell", {}, ""),
    ],
)
def test_commands_come_without_their_shell(name: str, arguments: dict[str, Any], command: str) -> None:
    """Whatever the tool is called, the command is what somebody would type."""
    found = only("call", META, call(name, arguments))

    assert ("shell", command) == (found.tool, found.data["command"])


def test_a_command_that_runs_on_has_one_result() -> None:
    """It comes with the poll that sees the end, holds all output, and belongs to the command; the polls are no work."""
    events, transcript = read(
        META,
        call("exec_command", {"cmd": "make"}),
        output(runs(41, "one\n")),
        call("write_stdin", {"session_id": 41, "chars": ""}, "c2"),
        output(runs(41, "two\n"), "c2"),
        call("write_stdin", {"session_id": 41, "chars": ""}, "c3"),
        output(done(2, "three\n"), "c3"),
    )

    assert [("call", "c1", 2), ("result", "c1", 7)] == [(one.kind, one.call, one.line) for one in events]
    assert (False, 2, "one\ntwo\nthree\n") == (events[1].ok, events[1].exit, events[1].text)
    assert (3, 3, 0, 1) == (
        transcript.account.calls,
        transcript.account.results,
        transcript.account.unanswered,
        transcript.account.errors,
    )


def test_a_command_that_never_ended_is_open() -> None:
    """What it printed is told at the end, and that it was only started."""
    found = only("result", META, call("exec_command", {"cmd": "npm run dev"}), output(runs(41, "ready\n")))

    assert (None, None, "ready\n", 3, {"background": "41"}) == (found.ok, found.exit, found.text, found.line, found.data)


def test_typing_into_a_command_is_told() -> None:
    """Characters that were sent are a call of their own."""
    events = read(
        META,
        call("exec_command", {"cmd": "npm init"}),
        output(runs(41)),
        call("write_stdin", {"session_id": 41, "chars": "y\n"}, "c2"),
        output(done(0, "ok"), "c2"),
    )[0]

    assert [("call", "c1"), ("call", "c2"), ("result", "c2"), ("result", "c1")] == [(one.kind, one.call) for one in events]


def test_a_poll_of_an_unknown_command_is_told_as_it_stands() -> None:
    """In a log that starts later the poll's result is its own."""
    events = read(META, call("write_stdin", {"session_id": 9, "chars": ""}), output(done(3)))[0]

    assert [("call", None), ("result", 3)] == [(one.kind, one.exit) for one in events]


@pytest.mark.parametrize(
    "entry",
    [
        item(type="custom_tool_call", name="apply_patch", input=PATCH, call_id="c1", status="completed"),
        call("apply_patch", {"input": PATCH}),
        call("apply_patch", {"patch": PATCH}),
        call("shell", {"command": ["apply_patch", PATCH]}),
        call("exec_command", {"cmd": f"apply_patch <<'EOF'\n{PATCH}\nEOF"}),
    ],
)
def test_patches_are_edits(entry: dict[str, Any]) -> None:
    """By whichever way it comes, a patch is an edit of the files that it names."""
    found = only("call", META, entry)

    assert ("edit", ("a.py",), PATCH) == (found.tool, found.paths, found.data["patch"])


def test_an_applied_patch_is_confirmed_once() -> None:
    """The client's word comes first and names the files; the output after it adds nothing, and may be missing."""
    applied = event(
        type="patch_apply_end", call_id="c1", success=True, stdout="Success.", changes={"/srv/a.py": {"move_path": "/srv/b.py"}}
    )
    patch = call("apply_patch", {"input": PATCH})
    for entries in ([patch, applied, output("Exit code: 0\nOutput:\nSuccess.")], [patch, applied], [applied]):
        found = only("result", META, *entries)

        assert (True, ("/srv/a.py", "/srv/b.py"), "edit") == (found.ok, found.paths, found.tool)


def test_a_patch_that_did_not_apply_failed() -> None:
    """Whether the client or the output says so."""
    patch = call("apply_patch", {"input": PATCH})

    assert only("result", META, patch, output("apply_patch verification failed: Failed to find expected lines")).ok is False
    assert only("result", META, patch, event(type="patch_apply_end", call_id="c1", success=False, stderr="no")).ok is False


def test_plans_and_lists() -> None:
    """A list is told whole; a plan that was put is approved by the client's own sentence."""
    steps = [{"step": "One", "status": "completed"}, "broken", {"step": "Two", "status": "new"}]
    todo = only("todo", META, call("update_plan", {"plan": steps}), output("Plan updated"))
    said = "Here it is.\n<proposed_plan>\n# Cache\n</proposed_plan>"
    events = read(
        META,
        event(type="agent_message", message=said),
        event(type="item_completed", item={"type": "Plan", "text": "# Cache"}),
        prompt("Implement the plan."),
    )[0]

    assert [("One", "completed"), ("Two", "pending")] == [(one["text"], one["status"]) for one in todo.data["todos"]]
    assert ["text", "plan", "prompt", "answer"] == [one.kind for one in events]
    assert {"approved": True, "plan": "# Cache"} == events[3].data


def test_answers_are_the_humans() -> None:
    """An answer is paired with its question's words."""
    asked = call("request_user_input", {"questions": [{"id": "s", "question": "Which?"}]})

    assert {"answers": {"Which?": "A, B"}} == only("answer", META, asked, output('{"answers":{"s":{"answers":["A","B"]}}}')).data
    assert "answer" not in [kind for kind, _ in kinds(META, asked, output("cancelled"))]


def test_what_was_taken_back_is_told() -> None:
    """Rolled-back turns, interruptions and compactions come out as what they are."""
    entries = [
        event(type="thread_rolled_back", num_turns=2),
        event(type="turn_aborted", reason="interrupted"),
        event(type="turn_aborted", reason="replaced"),
        line("compacted", message="Earlier: all done."),
        event(type="context_compacted"),
        event(type="context_compacted"),
    ]
    events = read(META, *entries)[0]

    assert [("undo", "human"), ("interrupt", "human"), ("compact", "system"), ("compact", "system")] == [
        (one.kind, one.actor) for one in events
    ]
    assert {"turns": 2} == events[0].data


def test_a_failed_tool_of_another_server_failed() -> None:
    """Its output does not say so; the client's event does."""
    failed = event(type="mcp_tool_call_end", call_id="c1", result={"Ok": {"content": [], "isError": True}})

    assert only("result", META, call("ask", {}), failed, output("Wall time: 1 seconds\nOutput:\nsome text")).ok is False
    assert only("result", META, call("ask", {}), output("Wall time: 1 seconds\nOutput:\nsome text")).ok is True


def test_calls_without_answer_are_counted() -> None:
    """A call is open until its output comes, whatever else was called under its ID."""
    account = read(META, call("shell", {}, "a"), call("shell", {}, "b"), output(done(0), "b"))[1].account

    assert (2, 1, 1) == (account.calls, account.results, account.unanswered)


@pytest.mark.parametrize("arguments", ["{", "[1]", "7", '"x"', "", None, 7, "[" * 100_000, "9" * 5_000])
def test_arguments_may_be_anything(arguments: Any) -> None:
    """A call whose arguments cannot be read is still a call."""
    assert "shell" == only("call", META, item(type="function_call", name="shell", arguments=arguments, call_id="c1")).tool


@pytest.mark.parametrize(
    ("head", "is_ours"),
    [
        (json.dumps(META).encode(), True),
        (b'{"type":"session_m\n' + json.dumps(prompt("a")).encode(), True),
        (b'{"timestamp":"x","type":"session_meta","payload":{"base_instructions":"' + b"x" * 70_000, True),
        (b'{"id":"s","timestamp":"t","instructions":null}\n', True),
        (b'{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}\n', True),
        (b'{"type":"function_call_output","call_id":"c","output":"x"}\n', True),
        (b'{"type":"message","role":"user","content":"a"}\n', False),
        (b'{"type":"message","id":"m","message":{"role":"user","content":[{"type":"text","text":"a"}]}}\n', False),
        (b'{"type":"session","id":"s","timestamp":"t","cwd":"/"}\n', False),
        (b'{"id":"s","timestamp":"t","type":"user","content":"a"}\n', False),
        (b'{"type":"event_msg"}\n', False),
        (b"", False),
    ],
)
def test_the_format_is_told_by_content(head: bytes, is_ours: bool) -> None:
    """Also by later lines where the first is damaged, and by bare items; other agents' logs are not taken for it."""
    assert is_ours == codex.detect(head)
