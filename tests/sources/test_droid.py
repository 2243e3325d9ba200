"""What droid's logs say."""

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import HEAD, droid, identify, open_transcript

SAMPLES = Path(__file__).parents[1] / "samples"
SAMPLE = SAMPLES / "droid" / "9d8c7b6a-5f4e-4d3c-8b2a-100f0e0d0c0b.jsonl"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "droid"
START = {"type": "session_start", "id": "s1", "title": "First words", "sessionTitle": "New Session", "cwd": "/srv/atelier"}
COUNT = iter(range(10_000))


def message(role: str, *blocks: Any, **fields: Any) -> dict[str, Any]:
    said = {"role": role, "content": list(blocks), **fields}
    return {"type": "message", "id": f"m{next(COUNT)}", "timestamp": "2026-10-22T10:00:00.000Z", "message": said}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(name: str, **given: Any) -> dict[str, Any]:
    return message("assistant", {"type": "tool_use", "id": "c", "name": name, "input": given})


def result(content: Any, **fields: Any) -> dict[str, Any]:
    return message("user", {"type": "tool_result", "tool_use_id": "c", "content": content, **fields})


def encoded(*entries: Any) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in entries)


def read(*entries: Any) -> tuple[list[Event], Transcript]:
    transcript = droid.read(io.BytesIO(encoded(*entries)))
    return list(transcript), transcript


def said(*entries: Any) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in read(START, *entries)[0]]


def only(kind: str, *entries: Any) -> Event:
    (found,) = (one for one in read(START, *entries)[0] if one.kind == kind)
    return found


def test_the_sample_is_read_event_by_event() -> None:
    """The sample gives the events that are written beside it, no more and no less."""
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(SAMPLE)
    ]

    assert json.loads(SAMPLE.with_suffix(".events.json").read_text(encoding="utf-8")) == json.loads(json.dumps(events))


def test_the_header_tells_of_the_session() -> None:
    """ID, directory, title, times and counts."""
    transcript = open_transcript(SAMPLE)
    account = transcript.account
    list(transcript)

    assert (f"droid:{SAMPLE.stem}", "/srv/atelier", "Upload limit") == (transcript.source, transcript.cwd, transcript.title)
    assert ("2026-10-22T10:01:00.000Z", "2026-10-22T10:16:00.000Z") == (transcript.started, transcript.ended)
    assert (21, 2, 7, 10, 9, 1, 3) == (
        account.lines,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
        account.errors,
    )


def test_a_title_that_nobody_chose_is_none() -> None:
    """The client's placeholder gives way to the title before it, and that to the first prompt."""
    nameless = {"type": "session_start", "session": {"id": "s2", "cwd": "/srv/x"}, "sessionTitle": "New Session"}
    named, asked = read(START, message("user", text("Go")))[1], read(nameless, message("user", text("Go")))[1]

    assert [("First words", "s1"), ("Go", "s2")] == [(one.title, one.session) for one in (named, asked)]
    assert "/srv/x" == asked.cwd


def test_a_fork_and_a_sub_agent_name_their_parents() -> None:
    """A fork is a session, a sub-agent's log is none, and nobody's prompt stands in it."""
    fork = read({**START, "parent": "s0"})[1]
    events, sub_agent = read(
        {**START, "callingSessionId": "s0"}, message("user", text("Look.")), message("assistant", text("Ok"))
    )

    assert ("s0", "") == (fork.parent, fork.agent)
    assert ("s0", "s1", 0) == (sub_agent.parent, sub_agent.agent, sub_agent.account.human)
    assert [("injected", "system"), ("text", "subagent")] == [(one.kind, one.actor) for one in events]


def test_only_what_was_typed_is_a_prompt() -> None:
    """Reminders, mentioned files, notices, hooks and automations stand in the human's place."""
    mentioned = "Contents of /srv/a.py (lines 1-2 of 2):\nx"
    entries = [
        message("user", text("<system-reminder>\nMind.\n</system-reminder>\nFix @a.py"), text(mentioned)),
        message("user", text("notice"), visibility="user_only"),
        message("user", text("context"), visibility="llm_only"),
        message("user", text("hook"), hookEventName="Stop"),
        message("user", text("timer"), userMessageSource="automation"),
    ]
    events, transcript = read(START, *entries)

    assert ["Fix @a.py"] == [one.text for one in events if one.kind == "prompt"]
    assert [mentioned, "notice", "context", "hook", "timer"] == [one.text for one in events if one.kind == "injected"]
    assert 1 == transcript.account.human


def test_the_same_list_is_told_once() -> None:
    """The client writes down again the list that the agent wrote; what it alone knows is told, in any of its shapes."""
    words = "1. [in_progress] Check\n2. [pending] Test"
    state = {"type": "todo_state", "id": "t", "todos": {"todos": words}}
    listed = {"type": "todo_state", "id": "u", "todos": [{"id": "1", "content": "Check", "status": "completed"}]}
    events = [one for one in read(START, call("TodoWrite", todos=words), state, listed)[0] if one.kind == "todo"]

    assert [(2, ["in_progress", "pending"]), (4, ["completed"])] == [
        (one.line, [entry["status"] for entry in one.data["todos"]]) for one in events
    ]
    assert ["Check", "Test"] == [entry["text"] for entry in events[0].data["todos"]]


@pytest.mark.parametrize(
    ("content", "fields", "ok", "exit"),
    [
        ("fine\n\n\n[Process exited with code 0]", {}, True, 0),
        ("bad\n\n\n[Process exited with code 2]", {}, False, 2),
        ("Error: Command failed (exit code: 3)\nbad", {"is_error": True}, False, 3),
        ("bad", {"is_error": True}, False, None),
        ([{"type": "text", "text": "fine"}], {}, True, None),
    ],
)
def test_a_shells_exit_status_decides(content: Any, fields: dict[str, Any], ok: bool, exit: int | None) -> None:
    """A status at either end of the output counts for more than the client's own word."""
    one = only("result", call("Execute", command="x"), result(content, **fields))

    assert (ok, exit) == (one.ok, one.exit)


def test_a_command_in_the_background_was_only_started() -> None:
    """Nobody waits for it; its process ID is kept."""
    one = only("result", call("Execute", command="serve", fireAndForget=True), result("Started in background with PID 4711"))

    assert (None, {"background": "4711"}) == (one.ok, one.data)


def test_what_the_human_did_not_let_happen_is_refused() -> None:
    """A cancelled call was never tried."""
    one = only("result", call("Execute", command="x"), result("Error: Tool execution cancelled by user", is_error=True))

    assert (False, {"refused": True}) == (one.ok, one.data)


def test_a_tool_may_say_itself_that_it_failed() -> None:
    """A patch's answer is JSON with its success."""
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch"
    results = [only("result", call("ApplyPatch", input=patch), result(json.dumps({"success": ok}))) for ok in (True, False)]

    assert [(True, ("a.py",)), (False, ("a.py",))] == [(one.ok, one.paths) for one in results]


def test_edits_carry_their_texts() -> None:
    """An edit names what it replaces, be it one text or several, a file that is created its content."""
    one = only("call", call("Edit", file_path="a.py", old_str="x", new_str="y"))
    more = only("call", call("MultiEdit", file_path="a.py", changes=[{"old_str": "x", "new_str": "y"}, 7, {"old_str": "z"}]))
    made = only("call", call("Create", file_path="b.py", content="x"))

    assert [("x", "y"), ("x\nz", "y\n")] == [(e.data["old"], e.data["new"]) for e in (one, more)]
    assert ("write", ("b.py",), "x") == (made.tool, made.paths, made.data["content"])


@pytest.mark.parametrize(
    ("words", "approved"), [("User approved the spec.", True), ("User rejected the spec.", False), ("?", None)]
)
def test_a_specification_is_a_plan(words: str, approved: bool | None) -> None:
    """It is put to the human, who approves or rejects it; what says neither decides nothing."""
    events = read(START, call("ExitSpecMode", plan="Build"), result(words))[0]

    assert ["Build"] == [one.text for one in events if one.kind == "plan"]
    assert ([] if approved is None else [approved]) == [one.data["approved"] for one in events if one.kind == "answer"]


def test_an_answered_question_is_an_answer() -> None:
    """Each question stands with its answer."""
    told = "1. [question] Which?\n[topic] X\n[answer] This\n2. [question] When?\n[answer] Now"

    assert {"Which?": "This", "When?": "Now"} == only("answer", call("AskUser", questionnaire="…"), result(told)).data["answers"]


def test_an_interruption_is_told_by_the_turns_end() -> None:
    """A turn that was cancelled was interrupted, one that was completed was not."""
    ends = [{"type": "agent_turn_outcome", "reason": reason} for reason in ("completed", "cancelled")]

    assert [("interrupt", "cancelled")] == said(*ends)


def test_summaries_are_nobodys_statement() -> None:
    """Whether it stands in the log itself or at the beginning of the next one."""
    continued = "A previous instance of Droid has summarized the conversation thus far as follows:\n\n<summary>S</summary>"
    entries = [{"type": "compaction_state", "summaryText": "S"}, {"type": "compaction_state", "summary": {"body": "T"}}]

    assert [("compact", "S"), ("compact", "T"), ("compact", continued)] == said(*entries, message("user", text(continued)))


def test_a_message_that_stands_there_twice_counts_once() -> None:
    """The ID tells."""
    twice = message("assistant", text("Done"))
    events, transcript = read(START, twice, twice)

    assert (1, 1, 1) == (len(events), transcript.account.repeated, transcript.account.assistant)


def test_what_is_not_understood_is_named_once() -> None:
    """An unknown kind of entry, of role, of block is counted with the line on which it is met first; a lost header is named."""
    transcript = read(
        message("oracle", text("x")), message("assistant", {"type": "smell"}), {"type": "telepathy"}, {"type": "telepathy"}
    )[1]

    assert [
        (1, "unknown message role 'oracle'"),
        (1, "no header"),
        (2, "unknown content block 'smell'"),
        (3, "unknown entry type 'telepathy', 2 times from here on"),
    ] == [(one.line, one.reason) for one in transcript.account.skipped]


def test_the_format_is_known_by_its_content() -> None:
    """Our sample is droid's, also without its header; those of other agents are not."""
    head = SAMPLE.read_bytes()[:HEAD]
    others = [path for name in ("claude-code", "codex", "pi", "cursor") for path in (SAMPLES / name).glob("*.[jt]*")]

    assert "droid" == identify(head, "").NAME
    assert droid.detect(head.partition(b"\n")[2])
    assert [] == [path.name for path in others if ".events" not in path.name and droid.detect(path.read_bytes()[:HEAD])]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the checkout")
def test_the_corpus_is_read_with_its_counts() -> None:
    """As counted, but for the prompts: a message that carries results alone was counted as one there."""
    (log,) = CORPUS.glob("*.jsonl")
    transcript = open_transcript(log)
    list(transcript)
    account = transcript.account

    assert (13, 0, 1, 5, 5, 5, 0) == (
        account.lines,
        account.bad,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
    )
