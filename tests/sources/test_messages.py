"""What plain chats say, in every shape in which they are stored."""

import io
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.records.transcript import KEPT_CHARACTERS, Event, Transcript
from handoffsite.sources import messages

SAMPLES = Path(__file__).parents[1] / "samples"
CHATS = sorted(path for path in (SAMPLES / "messages").iterdir() if ".events." not in path.name)
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"

USER = {"role": "user", "content": "Count them."}
AGENT = {"role": "assistant", "content": "I will."}


def call(name: str, arguments: Any, id: str = "c1") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": id, "type": "function", "function": function}]}


def tool(content: Any, id: str = "c1", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content, **more}


def use(name: str, id: str = "t1", **arguments: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": arguments}]}


def gave(content: Any, id: str = "t1", **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": content, **more}]}


def lines(*entries: Any) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in entries).encode()


def read(value: Any) -> tuple[list[Event], Transcript]:
    transcript = messages.read(io.BytesIO(value if isinstance(value, bytes) else json.dumps(value).encode()))
    return list(transcript), transcript


def told(value: Any) -> list[tuple[int, str, str]]:
    return [(one.line, one.kind, one.text) for one in read(value)[0]]


def only(kind: str, *entries: Any) -> Event:
    (found,) = (one for one in read(list(entries))[0] if one.kind == kind)
    return found


@pytest.mark.parametrize("chat", CHATS, ids=lambda path: path.name)
def test_samples_are_read_event_by_event(chat: Path) -> None:
    """Each sample is known for a chat and gives the events that are written beside it, no more and no less."""
    events = [
        {key: value for key, value in asdict(one).items() if value not in ("", None, (), {})}
        for one in messages.read(io.BytesIO(chat.read_bytes()), chat)
    ]

    assert messages.detect(chat.read_bytes()[:65536])
    assert json.loads(chat.with_name(f"{chat.name}.events.json").read_text(encoding="utf-8")) == json.loads(json.dumps(events))


@pytest.mark.parametrize(
    ("data", "at"),
    [
        (json.dumps([USER, AGENT]).encode(), [1, 1]),
        (json.dumps([USER, AGENT], indent=2).encode(), [2, 6]),
        (json.dumps({"messages": [USER, AGENT]}).encode(), [1, 1]),
        (json.dumps({"messages": [USER, AGENT]}, indent=2).encode(), [3, 7]),
        (json.dumps({"messages": [USER, AGENT]}, indent=0).encode(), [3, 7]),
        (b'{"messages": [\n' + lines(USER).replace(b"}\n", b"},\n") + lines(AGENT) + b"]}\n", [2, 3]),
        (lines(USER, AGENT), [1, 2]),
        (lines({"messages": [USER, AGENT]}), [1, 1]),
        (lines([USER, AGENT], [USER, AGENT, USER]), [1, 1, 2]),
        (
            json.dumps(
                {"conversations": [{"from": "human", "value": "Count them."}, {"from": "gpt", "value": "I will."}]}
            ).encode(),
            [1, 1],
        ),
        (json.dumps([{"task_id": 0, "traj": [USER, AGENT]}], indent=1).encode(), [5, 9]),
        (b"\xef\xbb\xbf<|im_start|>user\nCount them.<|im_end|>\n<|im_start|>assistant\nI will.<|im_end|>\n", [1, 3]),
    ],
)
def test_every_shape_is_told_with_its_lines(data: bytes, at: list[int]) -> None:
    """A chat is the same under every wrapper, and each message stands on the line on which it opens."""
    events = told(data)

    assert messages.detect(data)
    assert [("prompt", "Count them."), ("text", "I will.")] == [(kind, text) for _, kind, text in events][:2]
    assert at == [line for line, _, _ in events]


@pytest.mark.parametrize(
    "value",
    [
        {"name": "atlas", "version": "1.0.0", "dependencies": {"zod": "4"}},
        {"openapi": "3.1.0", "paths": {}, "messages": {"get": {}}},
        [{"id": 1, "name": "a", "role": "user"}, {"id": 2, "name": "b", "role": "assistant"}],
        [{"id": 1, "email": "a@example.test", "role": "user", "content": "bio"}],
        {"role": "admin", "content": "x"},
        {"role": "user", "message": {"content": [{"type": "text", "text": "a"}]}},
        {"messages": []},
        {"messages": [{"id": 1, "text": "a"}]},
        {"conversations": [{"id": 1}]},
        {"chat_messages": [{"sender": "human", "text": "a"}]},
        {"sessionId": "s", "projectHash": "p", "messages": [{"type": "user", "content": "a"}]},
        {"contents": [{"role": "user", "parts": [{"text": "a"}]}]},
        {"type": "session", "id": "s", "cwd": "/"},
        [1, 2],
        [],
        {},
        7,
    ],
)
def test_what_is_no_chat_is_refused(value: Any) -> None:
    """Records that look like messages from afar, and other agents' logs, are not taken."""
    assert not messages.detect(json.dumps(value).encode())
    assert not messages.detect(json.dumps(value, indent=2).encode())


@pytest.mark.parametrize("data", [b"", b"# Notes\n", b"\0" * 100, b"<|im_start|>noise\n", b"[[[[", b'{"role":'])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    """Neither text nor a beginning that says nothing is a chat."""
    assert not messages.detect(data)


@pytest.mark.parametrize(
    "wrap", [lambda chat: chat, lambda chat: {"messages": chat}, lambda chat: [{"task_id": 0, "traj": chat}]]
)
def test_a_long_first_message_hides_no_chat(wrap: Any) -> None:
    """A system prompt may be longer than the head by which the format is told."""
    chat = wrap([{"role": "system", "content": "x" * 90_000}, USER])

    assert messages.detect(json.dumps(chat).encode()[:65536])
    assert messages.detect(json.dumps(chat, indent=2).encode()[:65536])


def test_other_agents_samples_are_left_to_them() -> None:
    """The loosest of all rules takes neither Claude Code's logs nor Codex's."""
    others = [path for folder in ("claude-code", "codex", "windsurf") for path in (SAMPLES / folder).rglob("*.json*")]

    assert others
    assert [] == [path.name for path in others if messages.detect(path.read_bytes()[:65536]) and ".events." not in path.name]


@pytest.mark.parametrize(
    ("name", "arguments", "role", "data", "paths"),
    [
        ("bash", {"command": "ls"}, "shell", {"command": "ls"}, ()),
        ("functions.exec_command", {"cmd": "ls"}, "shell", {"command": "ls"}, ()),
        ("run_in_terminal", {"command": "ls"}, "shell", {"command": "ls"}, ()),
        ("shell", {"command": ["bash", "-lc", "ls -l"]}, "shell", {"command": "ls -l"}, ()),
        ("Terminal", "ls -l", "shell", {"command": "ls -l"}, ()),
        ("execute", {"order": 7}, "other", {}, ()),
        ("runCommands", {"commands": ["a", "b"]}, "shell", {"command": "a\nb"}, ()),
        ("Edit", {"file_path": "/a", "old_string": "x", "new_string": "y"}, "edit", {"old": "x", "new": "y"}, ("/a",)),
        ("str_replace_editor", {"command": "create", "path": "/a", "file_text": "x"}, "write", {"content": "x"}, ("/a",)),
        ("str_replace_editor", {"command": "view", "path": "/a"}, "read", {}, ("/a",)),
        ("multi_edit", {"path": "/a", "edits": [{"old_str": "x", "new_str": "y"}]}, "edit", {"old": "x", "new": "y"}, ("/a",)),
        (
            "replace_in_file",
            {"path": "/a", "diff": "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"},
            "edit",
            {"old": "x\n", "new": "y\n"},
            ("/a",),
        ),
        ("delete_file", {"path": "a"}, "edit", {"patch": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}, ("a",)),
        (
            "bash",
            {"command": "apply_patch <<'E'\n*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\nE"},
            "edit",
            {"patch": "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch"},
            ("n",),
        ),
        ("write_file", {"path": "/a", "content": "x"}, "write", {"content": "x"}, ("/a",)),
        ("mcp__files__read_file", {"path": "file:///a%20b"}, "read", {}, ("/a b",)),
        ("get_weather", {"city": "x"}, "other", {}, ()),
    ],
)
def test_tools_have_their_role_by_any_name(
    name: str, arguments: Any, role: str, data: dict[str, str], paths: tuple[str, ...]
) -> None:
    """Command, texts and paths are found under whatever names a harness gives them."""
    found = only("call", call(name, arguments))

    assert (role, paths) == (found.tool, found.paths)
    assert data == {key: value for key, value in found.data.items() if key in ("old", "new", "content", "patch")} | (
        {"command": found.data["command"]} if found.tool == "shell" else {}
    )


@pytest.mark.parametrize("arguments", ["{", "[1]", "7", '"x"', "", None, 7, "[" * 100_000, "9" * 5_000])
def test_arguments_may_be_anything(arguments: Any) -> None:
    """A call whose arguments cannot be read is still a call."""
    entry = call("get", "{}")
    entry["tool_calls"][0]["function"]["arguments"] = arguments

    assert "get" == only("call", entry).name


@pytest.mark.parametrize(
    ("said", "ok", "exit"),
    [
        ("Exit code: 0\nfine", True, 0),
        ("boom\n[exit code: 2]", False, 2),
        ("<returncode>3</returncode>\n<output>x</output>", False, 3),
        ("[The command completed with exit code 0.]", True, 0),
        ("Command '['x']' returned non-zero exit status 4.", False, 4),
        ('{"stdout": "", "exit_code": 5}', False, 5),
        ('{"output": "x", "metadata": {"exit_code": 0}}', True, 0),
        ("bash: foo: command not found", False, None),
        ("5 passed", None, None),
        ('{"error": "printed by the program itself", "id": 7}', None, None),
    ],
)
def test_a_commands_outcome_is_what_its_output_tells(said: str, ok: bool | None, exit: int | None) -> None:
    """An exit status decides; a chat that says nothing of success does not prove it."""
    found = only("result", call("bash", {"command": "x"}), tool(said))

    assert (ok, exit) == (found.ok, found.exit)


@pytest.mark.parametrize(
    ("said", "more", "ok"),
    [
        ("ok", {}, True),
        ("ok", {"is_error": False}, True),
        ("boom", {"is_error": True}, False),
        ("Exit code 1", {"is_error": False}, False),
        ("Error: no such thing", {}, False),
        ([{"type": "text", "text": "ok"}], {}, True),
    ],
)
def test_anthropics_results_say_what_failed(said: Any, more: dict[str, Any], ok: bool) -> None:
    """There silence means success, unless the text says otherwise; an exit status counts for more than the mark."""
    assert ok is only("result", use("Bash", command="x"), gave(said, **more)).ok


def test_a_failed_tool_failed_by_its_own_words() -> None:
    """A tool of no shell worked unless it says that it did not."""
    assert [True, False, False, False] == [
        only("result", call("edit_file", {"path": "a"}), tool(said)).ok
        for said in ("done", "Error: not found", '{"success": false}', '{"error": {"message": "no"}}')
    ]


def test_what_the_human_refused_was_never_tried() -> None:
    """A refusal is told as such, with the human's reason as a prompt."""
    said = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nAsk me first."
    events = read([use("Bash", command="rm x"), gave(said, is_error=True)])[0]

    assert [("result", True), ("prompt", "t1")] == [(one.kind, one.data["refused"]) for one in events[1:]]
    assert "Ask me first." == events[2].text


def test_results_find_their_calls_without_ids() -> None:
    """A function's result is paired by name, another by order; a call without a result is unanswered."""
    old = {"role": "assistant", "content": None, "function_call": {"name": "b", "arguments": "{}"}}
    events, transcript = read([call("a", {}, ""), old, {"role": "function", "name": "b", "content": "of b"}])

    assert events[1].call == events[2].call != events[0].call
    assert (2, 1, 1) == (transcript.account.calls, transcript.account.results, transcript.account.unanswered)


def test_only_the_human_prompts() -> None:
    """System and developer texts, reminders, contexts and summaries are nobody's statement."""
    chat = [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": "Be kind."},
        {"role": "user", "content": "<environment_context>x</environment_context>"},
        {"role": "user", "content": "<user_query>\nGo on.\n</user_query>"},
        {"role": "user", "content": [{"type": "text", "text": "<system-reminder>x</system-reminder>Stop."}]},
        {"role": "user", "content": "###STOP###"},
        {"role": "user", "content": "This session is being continued from a previous conversation: x"},
    ]
    events, transcript = read(chat)

    assert ["injected", "injected", "injected", "prompt", "prompt", "compact"] == [one.kind for one in events]
    assert (["Go on.", "Stop."], 2) == ([one.text for one in events if one.kind == "prompt"], transcript.account.human)


def test_todos_plans_and_answers_come_out_as_such() -> None:
    """As they do from every other agent's log."""
    events = read(
        [
            use("TodoWrite", "t1", todos=[{"content": "One", "status": "completed"}]),
            use("ExitPlanMode", "t2", plan="1. One"),
            gave("Approved.", "t2"),
            call("ask_followup_question", {"question": "Which?"}),
            tool("<answer>\nThe first.\n</answer>"),
        ]
    )[0]
    found = {one.kind: one for one in events}

    assert [{"id": "", "text": "One", "status": "completed"}] == found["todo"].data["todos"]
    assert [{"approved": True, "plan": "1. One"}, {"answers": {"Which?": "The first."}}] == [
        one.data for one in events if one.kind == "answer"
    ]


def test_an_edit_that_is_taken_back_is_its_own_reverse() -> None:
    """`undo_edit` names no texts; they are those of the latest edit of the file."""
    edit = call("str_replace_editor", {"command": "str_replace", "path": "/a", "old_str": "x", "new_str": "y"})
    undo = call("str_replace_editor", {"command": "undo_edit", "path": "/a"}, "c2")

    assert [("x", "y"), ("y", "x")] == [
        (one.data["old"], one.data["new"]) for one in read([edit, tool("ok"), undo])[0] if one.kind == "call"
    ]


def test_the_wrapper_tells_of_the_session() -> None:
    """ID, title, directory and time stand beside the messages; messages may have times of their own."""
    about = {"id": "x-1", "title": "Ferries", "cwd": "/srv/ferry", "created_at": 1793955600}
    transcript = read({**about, "messages": [USER, {**AGENT, "timestamp": "2026-11-06T10:00:00+01:00"}]})[1]

    assert ("messages:x-1", "Ferries", "/srv/ferry") == (transcript.source, transcript.title, transcript.cwd)
    assert ("2026-11-06T09:00:00.000Z", "2026-11-06T09:00:00Z") == (transcript.started, transcript.ended)


def test_thoughts_in_tags_are_thoughts() -> None:
    """So are those beside the text, and calls in tags are calls."""
    said = "<think>Hm.</think>Well.<tool_call>{'no json'}</tool_call>"
    events = read([{"role": "assistant", "content": said}, {**AGENT, "reasoning_content": "Why not."}])[0]

    assert [
        ("thinking", "Hm."),
        ("text", "Well.<tool_call>{'no json'}</tool_call>"),
        ("thinking", "Why not."),
        ("text", "I will."),
    ] == [(one.kind, one.text) for one in events]


@pytest.mark.parametrize("name", ["many.jsonl", "runs.json", "sharegpt.json"])
def test_a_file_of_many_chats_is_many_sessions(name: str) -> None:
    """Each has an ID of its own and the events that stand in the whole."""
    path = SAMPLES / "messages" / name
    found = messages.sessions(path)
    events = [[(one.line, one.kind, one.text) for one in chat] for chat in found]

    assert (2, 2) == (len(found), len({chat.source for chat in found}))
    assert told(path.read_bytes()) == [*events[0], *events[1]]
    assert [1, 1] == [chat.account.human for chat in found]
    assert {read(path.read_bytes())[1].account.sha256} == {chat.account.sha256 for chat in found}


def test_a_file_of_one_chat_is_one_session(tmp_path: Path) -> None:
    """Also where each of its messages has a line, and where it is text."""
    for name in ("chat.jsonl", "openai.json", "anthropic.json", "chatml.txt"):
        (one,) = messages.sessions(SAMPLES / "messages" / name)

        assert told((SAMPLES / "messages" / name).read_bytes()) == [(event.line, event.kind, event.text) for event in one]
    empty = tmp_path / "empty.json"
    empty.write_bytes(b"")
    (one,) = messages.sessions(empty)
    assert [] == list(one)


def test_a_chat_that_is_stored_again_as_it_grows_counts_once(tmp_path: Path) -> None:
    """A log of requests repeats all that was said before each; only what is new is told."""
    data = lines(
        *({"messages": [USER, AGENT, {**USER, "content": "And?"}, AGENT][:count]} for count in (1, 2, 4)), {"messages": [AGENT]}
    )
    path = tmp_path / "requests.jsonl"
    path.write_bytes(data)
    found = messages.sessions(path)

    assert ["Count them.", "I will.", "And?", "I will.", "I will."] == [text for _, _, text in told(data)]
    assert 3 == read(data)[1].account.repeated
    assert [[3, 3, 3, 3], [4]] == [[one.line for one in chat] for chat in found]


def test_damage_costs_its_line(tmp_path: Path) -> None:
    """A cut line, a scalar and a record of another kind are named; the chats around them are read."""
    data = lines({"messages": [USER]}) + b'{"messages":[{"role"\n7\n' + lines({"a": 1}, {"messages": [AGENT]})
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(data)
    transcript = read(data)[1]

    assert ([2, 3, 4], 1) == ([one.line for one in transcript.account.skipped], transcript.account.bad)
    assert [["prompt"], ["text"]] == [[one.kind for one in chat] for chat in messages.sessions(path)]


def test_many_tags_take_no_time() -> None:
    """Tags that never close are looked for once."""
    said = "<tool_call>" * 20_000 + "<think>" * 20_000 + "<|im_start|>"
    began = time.process_time()
    read([{"role": "assistant", "content": said}, {"role": "user", "content": "<tool_response>" * 20_000}])

    assert time.process_time() - began < 2


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not part of the repository")
@pytest.mark.parametrize("path", sorted((CORPUS / "openai-messages").glob("*.json")), ids=lambda path: path.name[:20])
def test_real_chats_are_read(path: Path) -> None:
    """A benchmark's file of thirty chats gives each its own, every call paired."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    found = messages.sessions(path)
    for chat in found:
        list(chat)
    users = [sum(one["role"] == "user" and one["content"] != "###STOP###" for one in chat["traj"]) for chat in stored]
    calls = [sum(len(one.get("tool_calls") or ()) for one in chat["traj"]) for chat in stored]

    assert messages.detect(path.read_bytes()[:65536])
    assert users == [chat.account.human for chat in found]
    assert calls == [chat.account.calls for chat in found] == [chat.account.results for chat in found]


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.just("\ud83d\x1b[0m\0<think>"),
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


@pytest.mark.parametrize("chat", [path for path in CHATS if path.suffix == ".json"], ids=lambda path: path.name)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage_is_read_or_counted(chat: Path, tmp_path: Path, data: st.DataObject) -> None:
    """Values of other types and cuts raise nothing, and each event is writable and stands in the file."""
    value = json.loads(chat.read_text(encoding="utf-8"))
    for _ in range(data.draw(st.integers(1, 4))):
        value = altered(data, value)
    raw = json.dumps(value, indent=data.draw(st.sampled_from([None, 1]))).encode()
    if isinstance(value, list) and data.draw(st.booleans()):
        raw = lines(*value)
    raw = raw[: data.draw(st.integers(0, len(raw)))] if data.draw(st.booleans()) else raw
    messages.detect(raw[:65536])
    path = tmp_path / "chat.json"
    path.write_bytes(raw)
    for transcript in (messages.read(io.BytesIO(raw)), *messages.sessions(path)):
        for one in transcript:
            assert 1 <= one.line <= raw.count(b"\n") + 1
            assert len(one.text) <= KEPT_CHARACTERS
            json.dumps(asdict(one), ensure_ascii=False).encode()
        json.dumps([transcript.session, transcript.cwd, transcript.title], ensure_ascii=False).encode()


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    """Whatever comes, nothing is raised."""
    messages.detect(data)
    read(data)
