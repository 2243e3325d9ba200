"""What Windsurf's transcripts say: each step a call and its outcome in one."""

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.records.transcript import KEPT_CHARACTERS, Event, Transcript
from handoffsite.sources import windsurf

SAMPLES = Path(__file__).parents[1] / "samples"
SAMPLE = SAMPLES / "windsurf" / "0c9d2f61-5a7e-4b38-8f14-b26e90d1c7a3.jsonl"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"


def step(kind: str, status: str = "done", **inner: Any) -> dict[str, Any]:
    return {kind: inner, "status": status, "type": kind}


def read(*entries: Any) -> tuple[list[Event], Transcript]:
    transcript = windsurf.read(io.BytesIO("".join(json.dumps(one) + "\n" for one in entries).encode()))
    return list(transcript), transcript


def outcome(*entries: Any) -> Event:
    (found,) = (one for one in read(*entries)[0] if one.kind == "result")
    return found


def test_the_sample_is_read_event_by_event() -> None:
    """The sample gives the events that are written beside it, no more and no less."""
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})}
        for one in windsurf.read(io.BytesIO(SAMPLE.read_bytes()), SAMPLE)
    ]

    assert json.loads(SAMPLE.with_suffix(".events.json").read_text(encoding="utf-8")) == json.loads(json.dumps(events))


def test_the_file_and_its_commands_say_whose_and_where_it_is() -> None:
    """The log names no session: the file does. Directories are those in which commands ran."""
    transcript = windsurf.read(io.BytesIO(SAMPLE.read_bytes()), SAMPLE)
    list(transcript)

    assert (f"windsurf:{SAMPLE.stem}", "/srv/harbor", ["/srv/harbor", "/srv/harbor/bin"]) == (
        transcript.source,
        transcript.cwd,
        transcript.directories,
    )
    assert (13, 12, 1, 4) == tuple(getattr(transcript.account, name) for name in ("calls", "results", "unanswered", "errors"))


@pytest.mark.parametrize(
    ("inner", "status", "ok", "exit", "refused"),
    [
        ({"exit_code": 0}, "done", True, 0, False),
        ({"exit_code": 1}, "done", False, 1, False),
        ({"exit_code": 0}, "error", False, 0, False),
        ({}, "done", None, None, False),
        ({}, "error", False, None, False),
        ({"exit_code": 0, "user_rejected": True}, "done", False, None, True),
        ({"exit_code": True}, "done", None, None, False),
    ],
)
def test_a_commands_status_decides(inner: dict[str, Any], status: str, ok: bool | None, exit: int | None, refused: bool) -> None:
    """`done` says that a command ended, its exit status how; one without a status was left to run on."""
    found = outcome(step("run_command", status, command="make", **inner))

    assert (ok, exit, refused) == (found.ok, found.exit, found.data.get("refused", False))


def test_a_change_is_the_file_before_and_after() -> None:
    """A file that was not there is written; what the human rejected is refused."""
    path = "file:///srv/a%20b.py"
    edit = read(step("code_action", path=path, original_content="x", new_content="y"))[0][0]
    written = read(step("code_action", path=path, new_content="y"))[0][0]
    rejected = outcome(step("code_action", path=path, new_content="y", acknowledgement_type="ACKNOWLEDGEMENT_TYPE_REJECT"))

    assert ("edit", "x", "y", ("/srv/a b.py",)) == (edit.tool, edit.data["old"], edit.data["new"], edit.paths)
    assert ("write", "y") == (written.tool, written.data["content"])
    assert (False, True) == (rejected.ok, rejected.data["refused"])


def test_a_step_under_way_is_unanswered() -> None:
    """The transcript of a session that goes on ends with a call without an outcome."""
    events, transcript = read(step("run_command", "running", command="make"))

    assert (["call"], 1) == ([one.kind for one in events], transcript.account.unanswered)


def test_a_tool_of_another_server_has_its_own_name() -> None:
    """So has every step that nobody here knows; its status says how it ended."""
    call = read(step("mcp_tool", tool_name="write_file", arguments={"path": "/a", "content": "b"}))[0][0]
    unknown = read(step("paint", colour="red"))[0]

    assert ("write_file", "write", ("/a",)) == (call.name, call.tool, call.paths)
    assert [("call", "paint", None), ("result", "paint", True)] == [(one.kind, one.name, one.ok) for one in unknown]


def test_what_is_not_understood_is_counted() -> None:
    """An entry without its step, a cut line and a line of another kind are named with their lines."""
    data = b'{"type":"user_input"}\n{"type":7}\n[1]\n{"type":"user_input","user_input":{"user_resp'
    transcript = windsurf.read(io.BytesIO(data))

    assert [] == list(transcript)
    assert ([1, 2, 3, 4], True, 1) == (
        [one.line for one in transcript.account.skipped],
        transcript.incomplete,
        transcript.account.bad,
    )


@pytest.mark.parametrize(
    ("head", "is_ours"),
    [
        (json.dumps(step("user_input", user_response="a")).encode(), True),
        (b'{"type":"user_inp\n' + json.dumps(step("planner_response", response="a")).encode(), True),
        (json.dumps(step("code_action", new_content="x" * 70_000))[:65536].encode(), True),
        (b'{"type":"message","message":{"role":"user","content":"a"}}\n', False),
        (b'{"type":"USER_INPUT","step_index":0,"source":"USER_EXPLICIT","content":"a"}\n', False),
        (b'{"type":"user_input","text":"a"}\n', False),
        (b"", False),
    ],
)
def test_the_format_is_told_by_content(head: bytes, is_ours: bool) -> None:
    """An entry holds its step under the step's own name."""
    assert is_ours == windsurf.detect(head)


def test_other_agents_logs_are_left_to_them() -> None:
    """No other sample is taken."""
    taken = [path for folder in ("claude-code", "codex", "amp", "messages") for path in (SAMPLES / folder).rglob("*.json*")]

    assert taken
    assert not any(windsurf.detect(path.read_bytes()[:65536]) for path in taken)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not part of the repository")
@pytest.mark.parametrize("path", sorted((CORPUS / "windsurf").glob("*.jsonl")), ids=lambda path: path.name[-20:])
def test_real_transcripts_are_read(path: Path) -> None:
    """A real client's transcript gives every step, each call with its outcome, and nothing is skipped."""
    transcript = windsurf.read(io.BytesIO(path.read_bytes()), path)
    list(transcript)
    account = transcript.account

    assert windsurf.detect(path.read_bytes()[:65536])
    assert (27, 4, 5, 18, 18, 0, 1) == (
        account.lines,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
        account.errors,
    )
    assert [] == account.skipped


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.just("\ud83d\x1b[0m\0file:///%00"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "path", "output"]), inner, max_size=3),
    max_leaves=4,
)


def altered(data: st.DataObject, value: Any) -> Any:
    """*value* with something else in one place of it."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 5)):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: altered(data, value[key])}
    return data.draw(ANYTHING)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_damage_is_read_or_counted(data: st.DataObject) -> None:
    """Values of other types and cuts raise nothing, and each event is writable and stands in the file."""
    entries = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(entries) - 1))
        entries[at] = altered(data, entries[at])
    raw = "".join(json.dumps(one) + "\n" for one in entries).encode()
    raw = raw[: data.draw(st.integers(0, len(raw)))] if data.draw(st.booleans()) else raw
    windsurf.detect(raw[:65536])
    transcript = windsurf.read(io.BytesIO(raw))
    for one in transcript:
        assert 1 <= one.line <= transcript.account.lines or transcript.account.lines == 0
        assert len(one.text) <= KEPT_CHARACTERS
        json.dumps(asdict(one), ensure_ascii=False).encode()
    json.dumps([transcript.session, transcript.cwd, transcript.title], ensure_ascii=False).encode()
