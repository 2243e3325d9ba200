"""What pi's logs say on the way to their last entry."""

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import FORMATS, HEAD, identify, open_transcript, pi

SAMPLES = Path(__file__).parents[1] / "samples"
SAMPLE = SAMPLES / "pi" / "2026-10-21T09-00-00-000Z_5b7c1d2e-0f3a-4b6c-8d9e-112233445566.jsonl"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "pi"
SESSION = "5b7c1d2e-0f3a-4b6c-8d9e-112233445566"
HEADER = {"type": "session", "version": 3, "id": SESSION, "timestamp": "2026-10-21T09:00:00.000Z", "cwd": "/srv/tide"}


def entry(id: str, parent: str | None, role: str, content: Any, **fields: Any) -> dict[str, Any]:
    message = {"role": role, "content": content, "timestamp": 1_792_573_200_000, **fields}
    return {"type": "message", "id": id, "parentId": parent, "timestamp": "2026-10-21T09:01:00.000Z", "message": message}


def user(id: str, parent: str | None, text: str) -> dict[str, Any]:
    return entry(id, parent, "user", [{"type": "text", "text": text}])


def call(id: str, parent: str | None, name: str, **arguments: Any) -> dict[str, Any]:
    return entry(id, parent, "assistant", [{"type": "toolCall", "id": "c", "name": name, "arguments": arguments}])


def result(id: str, parent: str | None, name: str, text: str, *, error: bool = False, **fields: Any) -> dict[str, Any]:
    return entry(
        id, parent, "toolResult", [{"type": "text", "text": text}], toolCallId="c", toolName=name, isError=error, **fields
    )


def encoded(*entries: Any) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in entries)


def read(*entries: Any, name: str = "") -> tuple[list[Event], Transcript]:
    transcript = pi.read(io.BytesIO(encoded(*entries)), Path(name) if name else None)
    return list(transcript), transcript


def said(*entries: Any) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in read(HEADER, *entries)[0]]


def only(kind: str, *entries: Any) -> Event:
    (found,) = (one for one in read(HEADER, *entries)[0] if one.kind == kind)
    return found


class Pipe:
    """A stream that can be read once, in small pieces."""

    def __init__(self, data: bytes) -> None:
        self.stream = io.BytesIO(data)

    def read(self, size: int, /) -> bytes:
        return self.stream.read(min(size, 100))


@pytest.mark.parametrize("sample", sorted((SAMPLES / "pi").glob("*.events.json")), ids=lambda path: path.name[:12])
def test_samples_are_read_event_by_event(sample: Path) -> None:
    """Each sample gives the events that are written beside it, no more and no less."""
    log = sample.with_name(sample.name.replace(".events.json", ".jsonl"))
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in open_transcript(log)
    ]

    assert json.loads(sample.read_text(encoding="utf-8")) == json.loads(json.dumps(events))


def test_the_header_tells_of_the_session() -> None:
    """ID, directory, the session that it was forked from, its name, and the times of what lies on the way."""
    transcript = open_transcript(SAMPLE)
    account = transcript.account
    list(transcript)

    assert (f"pi:{SESSION}", "/srv/tide-table", ["/srv/tide-table"]) == (
        transcript.source,
        transcript.cwd,
        transcript.directories,
    )
    assert ("4a6b0c1d-9e2f-4a5b-9c8d-aabbccddeeff", "Empty station lists") == (transcript.parent, transcript.title)
    assert ("2026-10-21T09:00:00.000Z", "2026-10-21T09:27:00.000Z") == (transcript.started, transcript.ended)
    assert (28, 4, 6, 7, 6, 1, 1) == (
        account.lines,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
        account.errors,
    )


def test_a_branch_that_was_left_is_left_out_and_accounted_for() -> None:
    """Its prompts and its work are no part of the session; the account says on which lines it stands."""
    entries = [user("1", None, "Go"), user("2", "1", "This way"), user("3", "2", "On"), user("4", "1", "That way")]
    events, transcript = read(HEADER, *entries)

    assert [(2, "Go"), (5, "That way")] == [(one.line, one.text) for one in events]
    assert [(3, "2 entries, up to line 4, of a branch that was left for another one")] == [
        (one.line, one.reason) for one in transcript.account.skipped
    ]


def test_a_branch_that_was_taken_up_again_counts() -> None:
    """What lies on the way to the last entry is the session, whatever was tried in between."""
    entries = [user("1", None, "A"), user("2", "1", "A1"), user("3", "1", "B1"), user("4", "3", "B2"), user("5", "2", "A2")]

    assert [("prompt", "A"), ("prompt", "A1"), ("prompt", "A2")] == said(*entries)


def test_the_first_prompt_can_be_left() -> None:
    """Who edits the first prompt begins a second root."""
    assert [("prompt", "Better")] == said(user("1", None, "Bad"), user("2", "1", "More"), user("3", None, "Better"))


def test_a_lost_parent_costs_nothing_else() -> None:
    """An entry whose parent is on no line that can be read follows the one before it."""
    assert [("prompt", "A"), ("prompt", "C")] == said(user("1", None, "A"), user("3", "2", "C"))


@pytest.mark.parametrize("parent", ["2", 7, [], {}, ""])
def test_no_parent_makes_a_circle(parent: Any) -> None:
    """An entry that claims to be its own parent, or that names none at all, follows the one before it."""
    second = {**user("2", None, "B"), "parentId": parent}

    assert [("prompt", "A"), ("prompt", "B"), ("prompt", "C")] == said(user("1", None, "A"), second, user("3", "2", "C"))


def test_logs_from_before_the_tree_are_linear() -> None:
    """Without IDs, or where nothing is ever linked, every entry counts."""
    bare = [{key: value for key, value in user("", None, text).items() if key not in ("id", "parentId")} for text in "AB"]

    assert [("prompt", "A"), ("prompt", "B")] == said(*bare)
    assert [("prompt", "A"), ("prompt", "B")] == said(user("1", None, "A"), user("2", None, "B"))


def test_an_entry_that_stands_there_twice_counts_once() -> None:
    """Two writers can repeat an entry; the log goes on from the first."""
    events, transcript = read(HEADER, user("1", None, "A"), user("1", None, "A"), user("2", "1", "B"))

    assert ["A", "B"] == [one.text for one in events]
    assert 1 == transcript.account.repeated


def test_a_pipe_is_read_like_a_file() -> None:
    """What can be read only once gives the same events and the same account."""
    data = SAMPLE.read_bytes()
    piped, whole = pi.read(Pipe(data)), pi.read(io.BytesIO(data))

    assert list(whole) == list(piped)
    assert whole.account == piped.account


def test_a_shells_exit_status_stands_at_its_end() -> None:
    """A command that worked tells no status; one that failed tells it in its last line, and one that was stopped tells none."""
    outcomes = [("done", False), ("x\n\nCommand exited with code 2", True), ("Command aborted", True)]
    results = [
        only("result", call("1", None, "bash", command="x"), result("2", "1", "bash", *one[:1], error=one[1])) for one in outcomes
    ]

    assert [(True, 0), (False, 2), (False, None)] == [(one.ok, one.exit) for one in results]


def test_what_the_human_did_not_let_happen_is_refused() -> None:
    """An extension that asks first says so in the result."""
    refused = only("result", call("1", None, "bash", command="rm x"), result("2", "1", "bash", "Blocked by user", error=True))

    assert (False, {"refused": True}) == (refused.ok, refused.data)


def test_edits_carry_their_texts() -> None:
    """An edit names what it replaces, be it one text or several, and a file that is written its content."""
    several = [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": "d"}, 7]
    one = only("call", call("1", None, "edit", path="x.py", oldText="a", newText="b"))
    more = only("call", call("1", None, "edit", path="x.py", edits=several))
    written = only("call", call("1", None, "write", path="x.py", content="z"))

    assert [("edit", "a", "b"), ("edit", "a\nc", "b\nd")] == [(e.tool, e.data["old"], e.data["new"]) for e in (one, more)]
    assert ("write", ("x.py",), "z") == (written.tool, written.paths, written.data["content"])


def test_a_command_of_the_humans_is_no_call_of_the_agents() -> None:
    """What the human runs in the session is told with its outcome, and counts as no call."""
    ran = entry("1", None, "bashExecution", None, command="npm i zod", output="added 1", exitCode=1, cancelled=False)
    stopped = entry("2", "1", "bashExecution", None, command="sleep 9", output="", cancelled=True)
    events, transcript = read(HEADER, ran, stopped)

    assert [("call", "human", None), ("result", "tool", False)] * 2 == [(one.kind, one.actor, one.ok) for one in events]
    assert [1, None] == [one.exit for one in events if one.kind == "result"]
    assert (0, 0, 0) == (transcript.account.calls, transcript.account.results, transcript.account.unanswered)


def test_an_aborted_answer_is_an_interruption() -> None:
    """What was called in it never ran; an answer that the provider refused is nobody's statement."""
    aborted = call("1", None, "bash", command="x")
    aborted["message"] |= {"stopReason": "aborted", "errorMessage": "Request was aborted"}
    failed = entry("2", "1", "assistant", [], stopReason="error", errorMessage="400")
    events, transcript = read(HEADER, aborted, failed)

    assert ["call", "interrupt", "injected"] == [one.kind for one in events]
    assert (1, 2) == (transcript.account.unanswered, transcript.account.assistant)


def test_what_the_client_put_before_a_prompt_is_nobodys() -> None:
    """Attached files and the body of a skill are injected; what stands behind them was typed."""
    skill = '<skill name="ship" location="/s">\nDo it all.\n</skill>'
    attached = '<file name="a.txt">\nText\n</file>\nRead this.'

    assert [("injected", skill), ("prompt", "to production")] == said(user("1", None, f"{skill}\n\nto production"))
    assert {"command": "/skill:ship"} == only("prompt", user("1", None, f"{skill}\n\nto production")).data
    assert [("injected", '<file name="a.txt">\nText\n</file>'), ("prompt", "Read this.")] == said(user("1", None, attached))


def test_summaries_are_nobodys_statement() -> None:
    """A compaction and a branch's summary repeat what was said elsewhere."""
    entries = [{"type": kind, "id": kind, "parentId": None, "summary": "S"} for kind in ("compaction", "branch_summary")]
    entries += [entry("3", "branch_summary", "compactionSummary", None, summary="S")]
    entries[1]["parentId"] = "compaction"

    assert [("compact", "S")] * 3 == said(*entries)


def test_what_extensions_tell_is_used() -> None:
    """A to-do list and an answer stand in the details of a result; their messages are injected."""
    todos = result(
        "2", "1", "todo", "ok", details={"todos": [{"id": 1, "text": "A", "done": True}, {"id": 2, "text": "B", "done": False}]}
    )
    asked = result("2", "1", "question", "ok", details={"question": "Which?", "answer": "This"})
    told = {"type": "custom_message", "id": "1", "parentId": None, "customType": "x", "content": "Mind the gap.", "display": True}

    assert [("1", "A", "completed"), ("2", "B", "pending")] == [
        (one["id"], one["text"], one["status"]) for one in only("todo", call("1", None, "todo"), todos).data["todos"]
    ]
    assert {"answers": {"Which?": "This"}} == only("answer", call("1", None, "question"), asked).data
    assert [("injected", "Mind the gap.")] == said(told)


def test_times_may_be_milliseconds() -> None:
    """An entry without a time of its own has that of its message."""
    bare = user("1", None, "A")
    del bare["timestamp"]

    assert "2026-10-21T09:00:00.000Z" == only("prompt", bare).time


def test_a_lost_header_costs_the_header_alone() -> None:
    """The ID in the file's name stands in."""
    events, transcript = read(user("1", None, "A"), name=f"/x/2026-10-21T09-00-00-000Z_{SESSION}.jsonl")

    assert (["A"], SESSION, [(1, "no header")]) == (
        [one.text for one in events],
        transcript.session,
        [(one.line, one.reason) for one in transcript.account.skipped],
    )


def test_what_is_not_understood_is_named_once() -> None:
    """An unknown kind of entry, of role, of block is counted with the line on which it is met first."""
    new = {"type": "telepathy", "id": "1", "parentId": None}
    odd = entry("2", "1", "oracle", "x")
    block = entry("3", "2", "assistant", [{"type": "smell"}, {"type": "smell"}])
    transcript = read(HEADER, new, odd, block)[1]

    assert [
        (2, "unknown entry type 'telepathy'"),
        (3, "unknown message role 'oracle'"),
        (4, "unknown content block 'smell', 2 times from here on"),
    ] == [(one.line, one.reason) for one in transcript.account.skipped]


def test_a_cut_log_ends_at_its_last_whole_entry() -> None:
    """The path is that to the last entry that can be read."""
    data = encoded(HEADER, user("1", None, "A"), user("2", "1", "B"))
    transcript = pi.read(io.BytesIO(data[:-20]))

    assert ["A"] == [one.text for one in transcript]
    assert transcript.incomplete


def test_the_format_is_known_by_its_content() -> None:
    """Our samples are pi's, also without their header; those of other agents are not."""
    assert all("pi" == identify(path.read_bytes()[:HEAD], "").NAME for path in (SAMPLES / "pi").glob("*.jsonl"))
    assert pi.detect(SAMPLE.read_bytes().partition(b"\n")[2])
    others = [path for name in ("claude-code", "codex", "droid", "cursor") for path in (SAMPLES / name).glob("*.[jt]*")]
    assert [] == [path.name for path in others if ".events" not in path.name and pi.detect(path.read_bytes()[:HEAD])]
    assert "pi" in FORMATS


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the checkout")
def test_the_corpus_is_read_with_its_counts() -> None:
    """Lines, prompts, messages and calls are as counted; results are those of calls, without the human's own commands."""
    rows = [line.split("\t") for line in (CORPUS.parent / "COUNTS.tsv").read_text(encoding="utf-8").splitlines()]
    named = [dict(zip(rows[0], row, strict=True)) for row in rows[1:] if row[0].startswith("pi/")]
    for row in named:
        transcript = open_transcript(CORPUS.parent / row["file"])
        list(transcript)
        account = transcript.account

        assert [int(row[key]) for key in ("lines", "bad", "human", "assistant", "calls")] == [
            account.lines,
            account.bad,
            account.human,
            account.assistant,
            account.calls,
        ]
        assert account.calls == account.results + account.unanswered
