"""What Cursor's transcripts say: intentions, and the rare outcome."""

import io
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import HEAD, cursor, identify, open_transcript

SAMPLES = Path(__file__).parents[1] / "samples"
SAMPLE = SAMPLES / "cursor" / "7e6d5c4b-3a29-4817-9605-f4e3d2c1b0a9.jsonl"
OLDER = SAMPLES / "cursor" / "older.txt"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "cursor"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def user(words: str) -> dict[str, Any]:
    return {"role": "user", "message": {"content": [text(words)]}}


def agent(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "message": {"content": list(blocks)}}


def call(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": given}


def encoded(*entries: Any) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in entries)


def read(*entries: Any, path: Path | None = None) -> tuple[list[Event], Transcript]:
    transcript = cursor.read(io.BytesIO(encoded(*entries)), path)
    return list(transcript), transcript


def said(*entries: Any) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in read(*entries)[0]]


def only(kind: str, *entries: Any) -> Event:
    (found,) = (one for one in read(*entries)[0] if one.kind == kind)
    return found


def told(words: str) -> list[Event]:
    return list(cursor.read(io.BytesIO(words.encode())))


@pytest.mark.parametrize("log", [SAMPLE, OLDER], ids=["lines", "text"])
def test_samples_are_read_event_by_event(log: Path) -> None:
    """Each sample gives the events that are written beside it, no more and no less."""
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(log)
    ]

    assert json.loads(log.with_suffix(".events.json").read_text(encoding="utf-8")) == json.loads(json.dumps(events))


def test_the_files_name_is_the_session() -> None:
    """Nothing in a transcript names it; the directory is never guessed."""
    transcript = open_transcript(SAMPLE)
    account = transcript.account
    list(transcript)

    assert (f"cursor:{SAMPLE.stem}", "", []) == (transcript.source, transcript.cwd, transcript.directories)
    assert ("Show the unread count in the header.", "2026-10-22T11:18:00Z", "2026-10-22T11:40:00Z") == (
        transcript.title,
        transcript.started,
        transcript.ended,
    )
    assert (11, 2, 6, 10, 1, 9, 1) == (
        account.lines,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
        account.errors,
    )


def test_a_call_without_a_result_stays_unanswered() -> None:
    """An edit that was only asked for has no outcome, and a call without an ID is told apart from the next one."""
    events, transcript = read(agent(call("Write", path="a.py", contents="x"), call("Write", path="a.py", contents="x")))

    assert [("call", None), ("call", None)] == [(one.kind, one.ok) for one in events]
    assert 2 == len({one.call for one in events})
    assert 2 == transcript.account.unanswered


def test_a_prompt_is_what_stands_in_the_query() -> None:
    """What the client put around it is left out; a prompt from before the tags, or behind others, is one all the same."""
    around = "<user_info>\nOS\n</user_info>\n<user_query>\nGo\n</user_query>"

    assert [("prompt", "Go")] == said(user(around))
    assert [("prompt", "Go")] == said(user("Go"))
    assert [("prompt", "Go")] == said(user("<attached_files>\na\n</attached_files>\nGo"))
    assert [("injected", "<rules>\nBe kind.\n</rules>")] == said(user("<rules>\nBe kind.\n</rules>"))
    assert [("prompt", "Go")] == said({"role": "user", "message": {"content": "<user_query>Go</user_query>"}})


def test_hidden_thoughts_say_nothing() -> None:
    """The mark that stands for them is no word of the agent's."""
    assert [("text", "Done.")] == said(
        agent(text("Done.\n\n[REDACTED]"), text("[REDACTED]"), {"type": "thinking", "thinking": "[REDACTED]"})
    )
    assert [("thinking", "Hm.")] == said(agent({"type": "thinking", "thinking": "Hm."}))


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("Thursday, Jul 23, 2026, 1:18 PM (UTC+9)", "2026-07-23T04:18:00Z"),
        ("Friday, Jan 2, 2026, 12:05 AM (UTC-3:30)", "2026-01-02T03:35:00Z"),
        ("Thursday, Jul 23, 2026, 12:18 PM (UTC)", "2026-07-23T12:18:00Z"),
        ("Thursday, Jul 23, 2026, 1:18 PM", "2026-07-23T13:18:00Z"),
        ("Thursday, Jul 93, 2026, 1:18 PM (UTC+9)", ""),
        ("Thursday, Jul 23, 2026, 1:18 PM (UTC+99)", ""),
        ("Sat", ""),
    ],
)
def test_a_prompt_may_be_stamped(stamp: str, moment: str) -> None:
    """The only time in a transcript, in the human's zone; without one it is taken as it stands."""
    assert moment == only("prompt", user(f"<timestamp>{stamp}</timestamp>\n<user_query>\nGo\n</user_query>")).time


@pytest.mark.parametrize(
    ("asked", "got"),
    [
        ({"type": "tool_use", "name": "Shell", "input": {"command": "x"}}, {"type": "tool_result", "content": "Exit code: 1"}),
        (
            {"type": "tool_call", "id": "k", "name": "run_terminal_cmd", "arguments": '{"command":"x"}'},
            {"type": "tool-result", "tool_call_id": "k", "result": {"exitCode": 1, "stdout": "no"}},
        ),
        (
            {"type": "tool-call", "toolCallId": "k", "toolName": "Shell", "args": {"command": "x"}},
            {"type": "tool-result", "toolCallId": "k", "toolName": "Shell", "output": "no\nExit code: 1"},
        ),
    ],
)
def test_names_of_fields_drift(asked: dict[str, Any], got: dict[str, Any]) -> None:
    """A call and its result are found under each of their names, with an ID or without."""
    events, transcript = read(agent(asked), {"role": "tool", "message": {"content": [got]}})

    assert [("call", "shell", "x"), ("result", "shell", "")] == [
        (one.kind, one.tool, one.data.get("command", "")) for one in events
    ]
    assert (False, 1, 0) == (events[1].ok, events[1].exit, transcript.account.unanswered)


def test_a_result_without_an_id_is_the_oldest_calls() -> None:
    """The oldest of its name, where it has one."""
    results = [{"type": "tool_result", "name": "Grep", "content": "b"}, {"type": "tool_result", "content": "a"}]
    events = read(agent(call("Read", path="a"), call("Grep", pattern="b")), agent(*results))[0]
    calls = {one.call: one.name for one in events if one.kind == "call"}

    assert ["Grep", "Read"] == [calls[one.call] for one in events if one.kind == "result"]


def test_a_shells_output_alone_is_no_outcome() -> None:
    """Without a status nobody knows how it ended."""
    assert only("result", agent(call("Shell", command="x")), agent({"type": "tool_result", "content": "fine"})).ok is None


def test_what_was_refused_failed() -> None:
    """A rejected call was never tried."""
    refused = {"type": "tool_result", "content": "Rejected by user", "is_error": True}
    one = only("result", agent(call("Shell", command="x")), agent(refused))

    assert (False, {"refused": True}) == (one.ok, one.data)


def test_edits_carry_their_texts() -> None:
    """Each way to change a file says what changes; a deletion is a patch, too."""
    patch = "*** Begin Patch\n*** Add File: c.py\n+x\n*** End Patch"
    raw = {"type": "tool_use", "name": "ApplyPatch", "input": patch}
    blocks = [call("StrReplace", path="a.py", old_string="x", new_string="y"), call("write", file_path="b.py", contents="z"), raw]
    calls = read(agent(*blocks, call("Delete", path="d.py")))[0]

    assert [("edit", ("a.py",)), ("write", ("b.py",)), ("edit", ("c.py",)), ("edit", ("d.py",))] == [
        (one.tool, one.paths) for one in calls
    ]
    assert ("x", "y", "z", patch) == (
        calls[0].data["old"],
        calls[0].data["new"],
        calls[1].data["content"],
        calls[2].data["patch"],
    )


def test_a_list_may_be_told_by_its_changes() -> None:
    """A list that is merged changes the one before it; one that is not replaces it."""
    first = call("TodoWrite", merge=False, todos=[{"id": str(n), "content": f"T{n}", "status": "pending"} for n in (1, 2)])
    second = call("TodoWrite", merge=True, todos=[{"id": "1", "status": "completed"}])
    third = call("TodoWrite", todos=[{"id": "3", "content": "T3", "status": "in_progress"}])
    lists = [one.data["todos"] for one in read(agent(first, second, third))[0] if one.kind == "todo"]

    assert [[("T1", "pending"), ("T2", "pending")], [("T1", "completed"), ("T2", "pending")], [("T3", "in_progress")]] == [
        [(entry["text"], entry["status"]) for entry in one] for one in lists
    ]


def test_the_end_of_a_turn_tells_of_interruptions() -> None:
    """An aborted turn was interrupted, a failed one says why, a whole one says nothing."""
    ends = [{"type": "turn_ended", "status": status} for status in ("success", "aborted")]

    assert [("interrupt", "aborted"), ("injected", "Limit hit.")] == said(
        *ends, {"type": "turn_ended", "status": "error", "error": "Limit hit."}
    )


def test_a_sub_agents_transcript_is_no_session() -> None:
    """Where it lies tells whose it is; nobody's prompt stands in it."""
    events, transcript = read(user("<user_query>Look.</user_query>"), path=Path("agent-transcripts/p1/subagents/a1.jsonl"))

    assert ("a1", "p1", 0) == (transcript.agent, transcript.parent, transcript.account.human)
    assert ["injected"] == [one.kind for one in events]


def test_in_text_a_query_may_hold_what_looks_like_a_speaker() -> None:
    """Up to its end everything is the human's; where it has none, the next speaker ends it."""
    closed = told("user:\n<user_query>\nSay\nassistant:\nplease\n</user_query>\n\nassistant:\nHi\n")
    unclosed = told("user:\n<user_query>\nSay\n\nassistant:\nHi\n")

    assert [("prompt", "Say\nassistant:\nplease", 2), ("text", "Hi", 9)] == [(one.kind, one.text, one.line) for one in closed]
    assert [("prompt", 2), ("text", 6)] == [(one.kind, one.line) for one in unclosed]


def test_in_text_arguments_may_go_over_lines() -> None:
    """What looks like another argument within a text is that text's next line."""
    words = "assistant:\n[Tool call] Write\n  path: a.yml\n  contents: a:\n  b: 1\n\n  c: 2\n[Tool result] Write\n"
    asked, got = told(words)

    assert (2, ("a.yml",), "a:\n  b: 1\n\n  c: 2") == (asked.line, asked.paths, asked.data["content"])
    assert (8, asked.call, None) == (got.line, got.call, got.ok)


def test_in_text_each_speaker_begins_a_message() -> None:
    """A message of several blocks counts once."""
    transcript = open_transcript(OLDER)
    list(transcript)

    assert (43, 3, 2, 3, 3) == (
        transcript.account.lines,
        transcript.account.assistant,
        transcript.account.human,
        transcript.account.calls,
        transcript.account.results,
    )


def test_what_is_not_understood_is_named_once() -> None:
    """An unknown kind of entry or of block is counted with the line on which it is met first."""
    transcript = read(
        agent({"type": "smell"}), {"type": "telepathy"}, {"role": "oracle"}, {"role": "oracle"}, {"role": "user", "message": {}}
    )[1]

    assert [
        (1, "unknown content block 'smell'"),
        (2, "unknown entry 'telepathy'"),
        (3, "unknown entry 'oracle', 2 times from here on"),
        (5, "a message of the user without content"),
    ] == [(one.line, one.reason) for one in transcript.account.skipped]


def test_the_format_is_known_by_its_content() -> None:
    """Both forms are Cursor's; other agents' logs, chats and texts are not."""
    others = [path for name in ("claude-code", "codex", "pi", "droid") for path in (SAMPLES / name).glob("*.[jt]*")]
    chat = encoded({"role": "user", "content": "Go"})

    assert ["cursor", "cursor"] == [identify(path.read_bytes()[:HEAD], "").NAME for path in (SAMPLE, OLDER)]
    assert [] == [path.name for path in others if ".events" not in path.name and cursor.detect(path.read_bytes()[:HEAD])]
    assert cursor.detect(encoded(user("x" * HEAD))[:HEAD])
    assert [] == [one for one in (chat, b"user:\n  name: x\n", b"", b"assistant:\nHi\n") if cursor.detect(one)]


@pytest.mark.parametrize(
    "words",
    [
        "user:\n" * 100_000,
        "user:\n<user_query>\n" * 50_000,
        "assistant:\n" + "[Tool call] X\n  a: b\n" * 30_000,
        "assistant:\n[Tool call] Write\n  contents: x\n" + "  path: y\n" * 100_000,
        encoded(user("<a-b>x</a-b>" * 200_000)).decode(),
        encoded(user("<ab>" * 400_000)).decode(),
    ],
    ids=["speakers", "queries", "calls", "arguments", "tags", "unclosed"],
)
def test_time_grows_with_size_alone(words: str) -> None:
    """A transcript of a million characters that is made of nothing but marks takes no longer than others."""
    before = time.process_time()
    told(words)

    assert time.process_time() - before < 3


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the checkout")
def test_the_corpus_is_read_with_its_counts() -> None:
    """As counted, but for the calls without results: those of a Cursor transcript were not counted as unanswered there."""
    (log,) = CORPUS.glob("*.jsonl")
    transcript = open_transcript(log)
    list(transcript)
    account = transcript.account

    assert (11, 0, 1, 10, 10, 0, 10) == (
        account.lines,
        account.bad,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
    )
