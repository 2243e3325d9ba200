"""What Amp's threads say, each call as it really ended."""

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.records.transcript import KEPT_CHARACTERS, Event, Transcript
from handoffsite.sources import amp

SAMPLES = Path(__file__).parents[1] / "samples"
SAMPLE = SAMPLES / "amp" / "T-019f4b3c-7d10-7a52-9c3e-6f0d2b8a4e51.json"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
ID = "T-019f4b3c-0000-7000-8000-000000000001"


def thread(*messages: Any, **about: Any) -> dict[str, Any]:
    return {"v": 1, "id": ID, "created": 1793955590000, "messages": list(messages), **about}


def user(*content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "messageId": 0, "content": list(content), **more}


def agent(*content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "messageId": 1, "content": list(content), **more}


def use(name: str, id: str = "t1", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def ran(status: str = "done", id: str = "t1", **run: Any) -> dict[str, Any]:
    return {"type": "tool_result", "toolUseID": id, "run": {"status": status, **run}}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def read(value: Any, indent: int | None = None) -> tuple[list[Event], Transcript]:
    transcript = amp.read(io.BytesIO(json.dumps(value, indent=indent).encode()))
    return list(transcript), transcript


def ended(**run: Any) -> Event:
    events = read(thread(agent(use("Bash", cmd="make")), user(ran(**run))))[0]
    (found,) = (one for one in events if one.kind == "result")
    return found


def test_the_sample_is_read_event_by_event() -> None:
    """The sample gives the events that are written beside it, no more and no less."""
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})}
        for one in amp.read(io.BytesIO(SAMPLE.read_bytes()), SAMPLE)
    ]

    assert json.loads(SAMPLE.with_suffix(".events.json").read_text(encoding="utf-8")) == json.loads(json.dumps(events))


def test_the_thread_says_whose_and_where_it_is() -> None:
    """ID, title, directory, branch and times come from the thread itself."""
    transcript = amp.read(io.BytesIO(SAMPLE.read_bytes()))
    list(transcript)

    assert (f"amp:{SAMPLE.stem}", "/srv/lumen", "tax", "Tax by region") == (
        transcript.source,
        transcript.cwd,
        transcript.branch,
        transcript.title,
    )
    assert ("2026-11-06T08:59:50.000Z", "2026-11-06T09:01:05.000Z") == (transcript.started, transcript.ended)
    assert (10, 9, 1, 2, 2) == tuple(
        getattr(transcript.account, name) for name in ("calls", "results", "unanswered", "errors", "human")
    )


@pytest.mark.parametrize(
    ("run", "ok", "exit", "refused"),
    [
        ({"result": {"output": "ok", "exitCode": 0}}, True, 0, False),
        ({"result": {"output": "no", "exitCode": 2}}, False, 2, False),
        ({"result": "plain output"}, True, None, False),
        ({"status": "error", "error": {"message": "spawn failed"}}, False, None, False),
        ({"status": "cancelled", "reason": "stopped"}, False, None, False),
        ({"status": "rejected-by-user"}, False, None, True),
    ],
)
def test_a_call_ended_as_its_run_says(run: dict[str, Any], ok: bool, exit: int | None, refused: bool) -> None:
    """`done` is no success where the exit status is another; what the human refused was never tried."""
    found = ended(**run)

    assert (ok, exit, refused) == (found.ok, found.exit, found.data.get("refused", False))


@pytest.mark.parametrize("status", ["in-progress", "queued", "blocked-on-user"])
def test_a_call_under_way_is_unanswered(status: str) -> None:
    """A thread that was saved in the middle of a call has no result for it."""
    events, transcript = read(thread(agent(use("Bash", cmd="make")), user(ran(status))))

    assert ["call"] == [one.kind for one in events]
    assert 1 == transcript.account.unanswered


def test_an_edit_that_is_taken_back_is_its_own_reverse() -> None:
    """`undo_edit` names no texts; they are those of the latest edit of the file."""
    edit = use("edit_file", path="/a.ts", old_str="x", new_str="y")
    events = read(thread(agent(edit), user(ran(result={"diff": "d"})), agent(use("undo_edit", "t2", path="/a.ts"))))[0]

    assert [("x", "y"), ("y", "x")] == [(one.data["old"], one.data["new"]) for one in events if one.kind == "call"]


def test_what_the_human_ran_is_the_humans() -> None:
    """A command that was typed into the client is told with its outcome, as the human's."""
    block = {
        "type": "manual_bash_invocation",
        "args": {"cmd": "git push"},
        "toolRun": {"status": "done", "result": {"exitCode": 1}},
    }
    call, result = read(thread({"role": "info", "content": [block]}))[0]

    assert ("human", "git push", False, 1) == (call.actor, call.data["command"], result.ok, result.exit)


def test_nobodys_words_are_no_prompts() -> None:
    """Summaries, hidden texts, a sub-agent's task and another agent's message are not the human's."""
    summary = {"role": "info", "content": [{"type": "summary", "summary": {"type": "message", "summary": "So far."}}]}
    events, transcript = read(
        thread(
            summary,
            user({**text("hidden"), "hidden": True}),
            user(text("Look."), parentToolUseId="t1"),
            user(text("From afar."), meta={"fromAggman": True}),
        )
    )

    assert [("compact", "So far."), ("injected", "Look."), ("injected", "From afar.")] == [(one.kind, one.text) for one in events]
    assert 0 == transcript.account.human


def test_one_stop_is_told_once() -> None:
    """The message, its calls and the next prompt may all say that the human stopped the agent."""
    events = read(
        thread(
            agent(use("Bash", cmd="make"), state={"type": "cancelled"}),
            user(ran("cancelled")),
            user(text("Wait."), interrupted=True),
        )
    )[0]

    assert ["call", "interrupt", "result", "prompt"] == [one.kind for one in events]


def test_a_cut_thread_is_read_up_to_the_cut() -> None:
    """Amp rewrites the file as it goes; what stands before a cut counts, and the account names the line."""
    whole = SAMPLE.read_bytes()
    cut = whole[: whole.index(b"npm install") + 3]
    transcript = amp.read(io.BytesIO(cut))
    events = [(one.line, one.kind, one.text) for one in transcript]

    assert events
    assert events == [(one.line, one.kind, one.text) for one in amp.read(io.BytesIO(whole))][: len(events)]
    assert (True, 1, [cut.count(b"\n") + 1]) == (
        transcript.incomplete,
        transcript.account.bad,
        [one.line for one in transcript.account.skipped],
    )


@pytest.mark.parametrize(
    ("head", "is_ours"),
    [
        (json.dumps(thread()).encode(), True),
        (json.dumps(thread(), indent=2).encode(), True),
        (json.dumps(thread(user(text("x" * 70_000))))[:65536].encode(), True),
        (b'{"id":"T-1","messages":[]}', False),
        (json.dumps({"id": ID, "note": "a mention"}).encode(), False),
        (json.dumps({"threads": [thread()]}).encode(), False),
        (json.dumps([thread()]).encode(), False),
        (b'{"messages":[{"role":"user","content":"T-' + ID.encode() + b'"}]}', False),
        (b"", False),
    ],
)
def test_the_format_is_told_by_content(head: bytes, is_ours: bool) -> None:
    """A thread's ID stands in it; a mention of one does not make a thread."""
    assert is_ours == amp.detect(head)


def test_other_agents_logs_are_left_to_them() -> None:
    """No other sample is taken."""
    taken = [path for folder in ("claude-code", "codex", "windsurf", "messages") for path in (SAMPLES / folder).rglob("*.json*")]

    assert taken
    assert not any(amp.detect(path.read_bytes()[:65536]) for path in taken)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not part of the repository")
@pytest.mark.parametrize("path", sorted((CORPUS / "amp").glob("*.json")), ids=lambda path: path.name[-20:])
def test_real_threads_are_read(path: Path) -> None:
    """A thread of a real client gives prompts, answers and paired calls, and nothing is skipped."""
    transcript = amp.read(io.BytesIO(path.read_bytes()), path)
    events = list(transcript)
    account = transcript.account

    assert amp.detect(path.read_bytes()[:65536])
    assert (1, 3, 4, 4, 0) == (account.human, account.assistant, account.calls, account.results, account.unanswered)
    assert (transcript.cwd, []) == (transcript.directories[0], account.skipped)
    assert all(one.time for one in events)


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.just("\ud83d\x1b[0m\0file:///%00"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "id", "text", "role"]), inner, max_size=3)
    ),
    max_leaves=4,
)


def altered(data: st.DataObject, value: Any) -> Any:
    """*value* with something else in one place of it."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 6)):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: altered(data, value[key])}
    if isinstance(value, list) and value and data.draw(st.integers(0, 6)):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], altered(data, value[at]), *value[at + 1 :]]
    return data.draw(ANYTHING)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_damage_is_read_or_counted(data: st.DataObject) -> None:
    """Values of other types and cuts raise nothing, and each event is writable and stands in the file."""
    value = json.loads(SAMPLE.read_text(encoding="utf-8"))
    for _ in range(data.draw(st.integers(1, 4))):
        value = altered(data, value)
    raw = json.dumps(value, indent=data.draw(st.sampled_from([None, 1]))).encode()
    raw = raw[: data.draw(st.integers(0, len(raw)))] if data.draw(st.booleans()) else raw
    amp.detect(raw[:65536])
    transcript = amp.read(io.BytesIO(raw))
    for one in transcript:
        assert 1 <= one.line <= raw.count(b"\n") + 1
        assert len(one.text) <= KEPT_CHARACTERS
        json.dumps(asdict(one), ensure_ascii=False).encode()
    json.dumps([transcript.session, transcript.cwd, transcript.title, transcript.branch], ensure_ascii=False).encode()
