"""What Gemini CLI's chats say, however the client keeps and revises them."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.records.transcript import KEPT_CHARACTERS, Event, Transcript
from handoffsite.sources import gemini_cli, identify, open_transcript, peek

SAMPLES = Path(__file__).parents[1] / "samples"
DOCUMENT = SAMPLES / "gemini-cli" / "session-2026-11-03T09-15-4c1e7a90.json"
CHATS = SAMPLES / "gemini-cli" / "lantern" / "chats"
SESSION = "9d2f6b31-40aa-4e0e-b7c5-6f1d2a3b4c5d"
LOG = CHATS / "session-2026-11-04T09-15-9d2f6b31.jsonl"
AGENT = CHATS / SESSION / "inv-7c1.jsonl"

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
COLUMNS = ("lines", "bad", "human", "assistant", "calls", "results", "unanswered", "errors")

# The independent count saw no results, for they stand inside the calls; a call without one has no status either.
OURS = {
    "entireio-cli_9c_53780d06b7_0.json": {"results": 4},
    "entireio-cli_ab_2b9748b105_0.json": {"results": 9},
    "entireio-cli_c9_45f262e88d_0.json": {"results": 1},
    "git-ai_gemini-session-simple.jsonl": {"unanswered": 4},
}

META = {"sessionId": SESSION, "projectHash": "5d0f", "startTime": "2026-11-04T09:15:01.000Z", "kind": "main"}


def message(kind: str, content: Any, id: str = "m1", **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2026-11-04T09:16:00.000Z", "type": kind, "content": content, **more}


def call(name: str, args: Any, output: str | None = None, id: str = "c1", **more: Any) -> dict[str, Any]:
    result = [{"functionResponse": {"id": id, "name": name, "response": {"output": output}}}]
    return {"id": id, "name": name, "args": args, **({} if output is None else {"result": result, "status": "success"}), **more}


def agent(*calls: dict[str, Any], id: str = "m2", content: Any = "") -> dict[str, Any]:
    return message("gemini", content, id, toolCalls=list(calls))


def read(*entries: dict[str, Any], path: Path | None = None) -> tuple[list[Event], Transcript]:
    data = b"".join(json.dumps(one).encode() + b"\n" for one in entries)
    transcript = gemini_cli.read(io.BytesIO(data), path)
    return list(transcript), transcript


def told(*entries: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in read(META, *entries)[0]]


def outcome(one: dict[str, Any]) -> Event:
    (found,) = (event for event in read(META, agent(one))[0] if event.kind == "result")
    return found


def shell(output: str, **more: Any) -> Event:
    return outcome(call("run_shell_command", {"command": "make"}, output, **more))


@pytest.mark.parametrize("log", [DOCUMENT, LOG, AGENT], ids=lambda path: path.stem[-8:])
def test_samples_are_read_event_by_event(log: Path) -> None:
    """Each sample gives the events that are written beside it, no more and no less."""
    expected = json.loads((SAMPLES / "gemini-cli" / f"{log.stem}.events.json").read_text(encoding="utf-8"))
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(log)
    ]

    assert expected == json.loads(json.dumps(events))


def test_a_document_and_a_log_of_it_tell_the_same() -> None:
    """The same chat as one document, laid out or on one line, and as a log gives the same events but for their lines."""
    whole = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    about = {key: value for key, value in whole.items() if key != "messages"}

    def said(data: bytes) -> list[tuple[str, ...]]:
        return [(one.kind, one.text, one.time, str(one.ok)) for one in gemini_cli.read(io.BytesIO(data))]

    laid_out = said(DOCUMENT.read_bytes())
    assert 25 == len(laid_out)
    assert laid_out == said(json.dumps(whole).encode())
    assert laid_out == said("".join(json.dumps(one) + "\n" for one in [about, *whole["messages"]]).encode())


def test_a_documents_lines_are_physical_ones() -> None:
    """Each event's line is that on which its message, its call or its answer opens."""
    lines = DOCUMENT.read_text(encoding="utf-8").split("\n")
    events = list(open_transcript(DOCUMENT))

    assert all(lines[one.line - 1].strip() == "{" for one in events if one.kind in ("prompt", "text", "call"))
    assert {'"response": {'} == {lines[one.line - 1].strip() for one in events if one.kind == "result"}


def test_the_same_id_replaces_the_message() -> None:
    """A message that is written again says only what it says last, once, at its last line; its calls are not lost."""
    first = message("gemini", "I will sta", "m2")
    second = {**first, "content": "I will start."}
    third = {**second, "toolCalls": [call("run_shell_command", {"command": "make"}, "Output: ok")]}
    events, transcript = read(META, message("user", "Go"), first, {"$set": {"lastUpdated": "x"}}, second, third, second)

    assert [(2, "prompt", "Go"), (7, "text", "I will start."), (6, "call", "make"), (6, "result", "ok")] == [
        (one.line, one.kind, one.text) for one in events
    ]
    assert (1, 1, 1, 3) == (
        transcript.account.assistant,
        transcript.account.calls,
        transcript.account.results,
        transcript.account.repeated,
    )


def test_a_message_that_comes_again_much_later_counts_once() -> None:
    """However far apart its states stand, nothing is told twice, and what is new is told."""
    between = [message("gemini", f"Step {n}", f"s{n}") for n in range(200)]
    one = call("run_shell_command", {"command": "make"})
    events, transcript = read(META, agent(one, content="Go"), *between, agent({**one, "status": "success"}, content="Go"))

    assert ["Go", *(f"Step {n}" for n in range(200))] == [event.text for event in events if event.kind == "text"]
    assert (1, 1, 0, 201) == (
        transcript.account.calls,
        transcript.account.results,
        transcript.account.unanswered,
        transcript.account.assistant,
    )


def test_a_rewind_takes_back_turns() -> None:
    """Going back to a prompt undoes it and what follows; to a message of the agent, what of the turn follows."""
    talk = [message("user", "One", "u1"), agent(id="a1", content="1"), message("user", "Two", "u2"), agent(id="a2", content="2")]

    def undone(*rewinds: str) -> list[dict[str, Any]]:
        entries = [*talk, *({"$rewindTo": id} for id in rewinds)]
        return [dict(one.data) for one in read(META, *entries)[0] if one.kind == "undo"]

    assert [{"turns": 1}] == undone("u2")
    assert [{"turns": 2}] == undone("u1")
    assert [{"turns": 1}, {"message": "a1"}] == undone("a1")
    assert [{"message": "a2"}] == undone("a2")
    assert [{"turns": 2}] == undone("nobody knows this")
    assert [{"turns": 1}, {"turns": 1}] == undone("u2", "u1")


def test_a_compaction_loses_nothing() -> None:
    """A list that begins with a summary replaces earlier talk, which happened all the same; nobody said the summary."""
    summary = message("user", [{"text": "<state_snapshot>All is well</state_snapshot>"}], "s1")
    taken = message("gemini", [{"text": "Got it. Thanks for the additional context!"}], "s2")
    kept = message("user", "Two", "u2")
    events = told(message("user", "One", "u1"), agent(id="a1", content="1"), kept, {"$set": {"messages": [summary, taken, kept]}})

    assert [
        ("prompt", "One"),
        ("text", "1"),
        ("prompt", "Two"),
        ("compact", "<state_snapshot>All is well</state_snapshot>"),
        ("injected", "Got it. Thanks for the additional context!"),
    ] == events


def test_a_list_that_ends_earlier_goes_back() -> None:
    """Where the list of messages is set to its own beginning, the human went back to there."""
    first, second = message("user", "One", "u1"), message("user", "Two", "u2")

    assert [("prompt", "One"), ("prompt", "Two"), ("undo", "")] == told(first, second, {"$set": {"messages": [first]}})
    assert [("prompt", "One"), ("prompt", "Two")] == told(first, second, {"$set": {"messages": [first, second]}})
    assert [("prompt", "One")] == told({"$set": {"messages": [first]}})


def test_a_lost_header_costs_the_header_alone() -> None:
    """Without the line that names the session the file's name stands in."""
    events, transcript = read(message("user", "Go"), path=Path("/x/session-1.jsonl"))

    assert [("prompt", "Go")] == [(one.kind, one.text) for one in events]
    assert ("session-1", "2026-11-04T09:16:00.000Z", []) == (
        transcript.session,
        transcript.started,
        transcript.account.skipped,
    )


def test_the_projects_folder_names_the_directory(tmp_path: Path) -> None:
    """The directory comes from the file beside the chats, or from the chat, and never from a link or a relative path."""
    assert "/srv/lantern" == peek(LOG).cwd == peek(AGENT).cwd
    chats = tmp_path / "chats"
    chats.mkdir()
    log = chats / "session-1.jsonl"
    log.write_bytes(LOG.read_bytes())
    root = tmp_path / ".project_root"

    assert "" == peek(log).cwd
    root.write_text("relative/path")
    assert "" == peek(log).cwd
    root.write_text("C:\\work\\lantern\n")
    assert "C:\\work\\lantern" == peek(log).cwd
    root.unlink()
    root.symlink_to(CHATS.parent / ".project_root")
    assert "" == peek(log).cwd
    assert ["/a", "/b"] == read({**META, "directories": ["/a", 3, "/b", "/a"]}, message("user", "Go"))[1].directories


def test_sub_agents_are_read_with_their_session(tmp_path: Path) -> None:
    """Their events follow the session's, no prompt in them is a human's, and a damaged or linked one costs itself alone."""
    folder = tmp_path / "chats" / SESSION
    folder.mkdir(parents=True)
    log = folder.parent / LOG.name
    log.write_bytes(LOG.read_bytes())
    (folder / "a.jsonl").write_bytes(b"\0\xff{[")
    (folder / "b.jsonl").symlink_to(AGENT)
    (folder / "inv-7c1.jsonl").write_bytes(AGENT.read_bytes())
    transcript = open_transcript(log)
    events = [one for one in transcript if one.agent]

    assert [("injected", "system"), ("text", "subagent"), ("call", "subagent"), ("result", "tool")] == [
        (one.kind, one.actor) for one in events
    ]
    assert {"inv-7c1"} == {one.agent for one in events}
    assert (1, True) == (transcript.account.bad, transcript.account.skipped[-1].reason.startswith("sub-agent a: "))
    alone = peek(AGENT)
    assert ("inv-7c1", "inv-7c1", SESSION) == (alone.agent, alone.session, alone.parent)


def test_a_sessions_id_leads_nowhere_else() -> None:
    """An ID that is a path opens no other folder."""
    events, _ = read({**META, "sessionId": "../chats/" + SESSION}, message("user", "Go"), path=LOG)

    assert ["Go"] == [one.text for one in events]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Look at @a.py\n--- Content from referenced files ---\nx = 1\n--- End of content ---", ("prompt", "Look at @a.py")),
        ("Go <hook_context>noise</hook_context>", ("prompt", "Go")),
        ([{"text": "Go"}, {"inlineData": {"mimeType": "image/png", "data": "aGk="}}], ("prompt", "Go")),
        ("<session_context>\nToday is Monday.", ("injected", "<session_context>\nToday is Monday.")),
        (
            "I ran the following shell command:\n```sh\nls\n```",
            ("injected", "I ran the following shell command:\n```sh\nls\n```"),
        ),
        ("/compress", ("injected", "/compress")),
        ("/etc/hosts is broken", ("prompt", "/etc/hosts is broken")),
    ],
)
def test_the_humans_words_are_told_from_the_clients(content: Any, expected: tuple[str, str]) -> None:
    """What the client adds to a prompt, or puts in the place of one, is nobody's word."""
    assert [expected] == told(message("user", content))


def test_what_was_shown_is_what_was_typed() -> None:
    """Where the client sends another text than it shows, the one that it shows is the human's."""
    assert [("prompt", "Review it")] == told(message("user", "You are a reviewer. Review it", displayContent="Review it"))


def test_a_slash_command_is_no_prompt_of_its_own() -> None:
    """Its arguments are the human's words; the count of prompts leaves it out."""
    events, transcript = read(META, message("user", "/review the parser"))

    assert [("the parser", "/review")] == [(one.text, one.data["command"]) for one in events]
    assert 0 == transcript.account.human


def test_the_clients_notices_are_nobodys_word() -> None:
    """Update hints, warnings and errors are left out; that a request was cancelled tells of the human."""
    notices = [message("info", "Gemini CLI update available! 0.23.0 → 0.24.0", "n1"), message("error", "[API Error]", "n2")]

    assert [("interrupt", "Request cancelled.")] == told(
        *notices, message("warning", "Hook failed", "n3"), message("info", "Request cancelled.", "n4")
    )


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Command: make\nDirectory: (root)\nOutput: ok\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)", (True, 0, "ok")),
        ("Command: make\nDirectory: a\nOutput: no\nError: (none)\nExit Code: 2\nSignal: 0", (False, 2, "no")),
        ("Command: make\nDirectory: a\nOutput: (empty)\nError: spawn E\nExit Code: (none)\nSignal: (none)", (False, None, "spawn E")),
        ("Command: make\nDirectory: a\nStdout: x\nError: (none)\nExit Code: (none)\nSignal: SIGTERM", (False, None, "x")),
        ("Output: ok\nProcess Group PGID: 4121", (True, 0, "ok")),
        ("Output: two\nlines\nExit Code: 127\nProcess Group PGID: 4121", (False, 127, "two\nlines")),
        ("Output: says Exit Code: 1 itself\nProcess Group PGID: 4121", (True, 0, "says Exit Code: 1 itself")),
        ("Output: (empty)\nSignal: SIGKILL", (False, None, "")),
        ("Command was cancelled by user before it could complete.", (False, None, "Command was cancelled by user before it could complete.")),
    ],
)  # fmt: skip
def test_the_exit_status_decides(output: str, expected: tuple[bool | None, int | None, str]) -> None:
    """The client calls every command that ran a success; what it printed and how it ended stand in the text."""
    event = shell(output)

    assert expected == (event.ok, event.exit, event.text)


def test_a_command_in_the_background_was_only_started() -> None:
    """It is neither done nor failed."""
    event = shell("Command moved to background (PID: 77). Output hidden. Press Ctrl+B to view.")

    assert (None, "77") == (event.ok, event.data["background"])


def test_a_cancelled_call_was_refused() -> None:
    """What the human did not let happen is not done, and was not tried; a failed edit was."""
    refused = outcome(call("replace", {"file_path": "a"}, "[Operation Cancelled] Reason: User denied.", status="cancelled"))
    failed = outcome(call("replace", {"file_path": "a"}, id="c2", status="error", result=[{"functionResponse": {"response": {"error": "0 occurrences"}}}]))  # fmt: skip

    assert (False, {"refused": True}) == (refused.ok, refused.data)
    assert (False, {}, "0 occurrences") == (failed.ok, failed.data, failed.text)


def test_a_call_without_a_result_is_open() -> None:
    """Neither status nor result: it is unanswered, and no event says that anything came of it."""
    events, transcript = read(
        META, agent(call("replace", {"file_path": "a"}), call("read_file", {}, id="c2", status="executing"))
    )

    assert ["call", "call"] == [one.kind for one in events]
    assert (2, 0, 2) == (transcript.account.calls, transcript.account.results, transcript.account.unanswered)


def test_edits_say_what_they_change() -> None:
    """Old and new text, content and paths are there for the proof, and each tool has its role."""
    edit = call("replace", {"file_path": "/a", "old_string": "x", "new_string": "y"}, "ok")
    write = call("write_file", {"file_path": "/b", "content": "z"}, "ok", "c2")
    other = call("some_server__lookup", {"q": 1}, "ok", "c3", agentId=None)
    calls = [one for one in read(META, agent(edit, write, other))[0] if one.kind == "call"]

    assert [("edit", ("/a",)), ("write", ("/b",)), ("other", ())] == [(one.tool, one.paths) for one in calls]
    assert ("x", "y", "z") == (calls[0].data["old"], calls[0].data["new"], calls[1].data["content"])


def test_a_plan_is_put_to_the_human() -> None:
    """The call names only the plan's file; its text is what was written there last, and the answer says what became of it."""
    path = "/home/u/.gemini/tmp/p/plans/cache.md"
    writes = [
        call("write_file", {"file_path": path, "content": "# Cache\nUse Redis."}, "ok", "c1"),
        call("replace", {"file_path": path, "old_string": "Redis", "new_string": "SQLite"}, "ok", "c2"),
    ]
    rejected = call("exit_plan_mode", {"plan_path": path}, f"Plan rejected. User feedback: No server.\n\nThe plan is stored at: {path}", "c3")  # fmt: skip
    approved = call("exit_plan_mode", {"plan_filename": "cache.md"}, "Plan approved. Switching to Default mode.", "c4")
    events = [one for one in read(META, agent(*writes, rejected, approved))[0] if one.kind in ("plan", "answer", "prompt")]

    plan = "# Cache\nUse SQLite."
    assert [("plan", plan), ("answer", plan), ("prompt", "No server."), ("plan", plan), ("answer", plan)] == [
        (one.kind, one.text) for one in events
    ]
    assert [False, True] == [one.data["approved"] for one in events if one.kind == "answer"]
    assert {"refused": "c3"} == events[2].data


def test_a_question_is_answered_or_dismissed() -> None:
    """Answers come by number and are told by question; a dismissed question is no decision."""
    asked = {"questions": [{"question": "Which store?", "header": "Store"}]}
    answered = call("ask_user", asked, '{"answers": {"0": "SQLite", "7": "odd"}}')
    events, _ = read(META, agent(answered, call("ask_user", asked, "User dismissed ask_user dialog without answering.", "c2")))

    assert [{"answers": {"Which store?": "SQLite", "7": "odd"}}] == [one.data for one in events if one.kind == "answer"]
    assert [None, True] == [one.data.get("refused") for one in events if one.kind == "result"]


def test_to_do_lists_are_whole() -> None:
    """Each list is told as it stands, be it set at once or task by task; one that was refused was not set."""
    listed = call("write_todos", {"todos": [{"description": "A", "status": "completed"}, 3]}, "ok")
    refused = call("write_todos", {"todos": [{"description": "B"}]}, "no", "c2", status="cancelled")
    created = call("tracker_create_task", {"title": "C"}, "Created task 1a2b: C", "c3")
    closed = call("tracker_update_task", {"id": "1a2b", "status": "closed"}, "Updated task 1a2b.", "c4")
    lists = [one.data["todos"] for one in read(META, agent(listed, refused, created, closed))[0] if one.kind == "todo"]

    assert [[("A", "completed")], [("C", "pending")], [("C", "completed")]] == [
        [(todo["text"], todo["status"]) for todo in todos] for todos in lists
    ]


def test_parts_of_a_message_are_told_apart() -> None:
    """Thoughts among the parts are thoughts; calls and answers in messages of their own are paired."""
    model = message("gemini", [{"text": "Hm", "thought": True}, {"text": "Go"}, {"functionCall": {"id": "f1", "name": "glob", "args": {}}}], "m2")  # fmt: skip
    answer = message("user", [{"functionResponse": {"id": "f1", "response": {"output": "a.py"}}}], "m3")

    assert [("thinking", "Hm"), ("text", "Go"), ("call", ""), ("result", "a.py")] == told(model, answer)


def test_the_summary_is_the_title() -> None:
    """What the client calls the chat, or the first prompt where it calls it nothing."""
    assert "Go" == read(META, message("user", "Go\nnow"))[1].title
    assert "A cache" == read(META, message("user", "Go"), {"$set": {"summary": "A cache"}})[1].title


def test_what_is_not_understood_is_counted() -> None:
    """Unknown entries and messages are named once each, and cut documents and lines say so."""
    transcript = read(META, {"type": "new"}, {"type": "new"}, message("weather", "fine"), {"$unset": 1})[1]
    cut = gemini_cli.read(io.BytesIO(DOCUMENT.read_bytes()[:6000]))
    events = list(cut)

    assert [
        (2, "unknown entry type 'new', 2 times from here on"),
        (4, "unknown message type 'weather'"),
        (5, "unknown entry without a type"),
    ] == [(one.line, one.reason) for one in transcript.account.skipped]
    assert (True, 1) == (cut.incomplete, cut.account.bad)
    assert "prompt" == events[0].kind


def test_formats_are_told_by_content() -> None:
    """Whole and cut documents and logs are known without their names; other agents' logs are not taken."""
    heads = [
        DOCUMENT.read_bytes(),
        DOCUMENT.read_bytes()[:900],
        json.dumps(json.loads(DOCUMENT.read_bytes())).encode()[:900],
        LOG.read_bytes(),
        AGENT.read_bytes(),
        json.dumps(message("user", "Go")).encode(),
        b'{"$set":{"lastUpdated":"x"}}\n',
    ]
    others = [path for path in SAMPLES.glob("*/**/*") if path.is_file() and "gemini-cli" not in path.parts]

    assert ["gemini-cli"] * len(heads) == [identify(head, "x").NAME for head in heads]
    assert [] == [path.name for path in others if gemini_cli.detect(path.read_bytes()[:65536])]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not part of the repository")
def test_real_chats_are_counted_right() -> None:
    """Counts agree with independent ones, and no line lies outside its file."""
    with (CORPUS / "COUNTS.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"].startswith("gemini-cli/")]
    for row in rows:
        transcript = open_transcript(CORPUS / row["file"])
        events = list(transcript)
        expected = {column: int(row[column]) for column in COLUMNS} | OURS.get(Path(row["file"]).name, {})

        assert expected == {column: getattr(transcript.account, column) for column in COLUMNS}, row["file"]
        assert all(0 < one.line <= transcript.account.lines for one in events)


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud83d\x1b[0m\0"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.sampled_from(["id", "text"]), inner, max_size=3)
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
    transcript = gemini_cli.read(io.BytesIO(data))
    for event in transcript:
        assert 0 < event.line <= max(1, transcript.account.lines)
        assert len(event.text) <= KEPT_CHARACTERS
        json.dumps([event.kind, event.actor, event.text, *event.paths, dict(event.data)], ensure_ascii=False).encode()
    assert data.count(b"\n") + (not data.endswith(b"\n") and data != b"") == transcript.account.lines


def as_document(entries: list[Any]) -> bytes:
    return json.dumps(entries[0], indent=1).encode()


def as_log(entries: list[Any]) -> bytes:
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


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
            check(as_log([before, replaced(entry, path, wrong)]))


@pytest.mark.parametrize("spell", [as_document, as_log])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_entries_of_any_shape_are_taken(spell: Callable[[list[Any]], bytes], data: st.DataObject) -> None:
    """A value of another type anywhere costs at most what it stands for."""
    if spell is as_document:
        entries = [json.loads(DOCUMENT.read_bytes())]
    else:
        entries = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(entries) - 1))
        entries[at] = altered(data, entries[at])
    check(spell(entries))


@pytest.mark.parametrize("log", [DOCUMENT, LOG], ids=["document", "log"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_bytes_are_taken(log: Path, data: st.DataObject) -> None:
    """Bytes that are cut out, put in or cut off raise nothing, and lines stay within the file."""
    whole = log.read_bytes()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole)))
        whole = whole[:at] + data.draw(st.binary(max_size=6)) + whole[at + data.draw(st.integers(0, 40)) :]
    check(whole[: data.draw(st.integers(0, len(whole)))])
