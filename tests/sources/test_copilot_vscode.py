"""What the three forms of a chat with Copilot in VS Code say."""

import io
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.errors import HandoffError
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import claude_code, codex, copilot_vscode, open_transcript

SAMPLES = Path(__file__).parents[1] / "samples"
STORAGE = SAMPLES / "copilot-vscode" / "workspaceStorage"
DOCUMENT = STORAGE / "chatSessions" / "8c2d5e70-1f43-4b6a-9e02-d4a7c85b3f19.json"
CHANGES = STORAGE / "chatSessions" / "b70f9d3c-6a58-4e21-8c94-15e2ab60d7f8.jsonl"
EVENTS = STORAGE / "GitHub.copilot-chat" / "transcripts" / "d1e8a7b6-3c52-4f90-a7c1-6f5b9e4d2a03.jsonl"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "copilot-vscode"
ROOT = "/srv/work/tidepool"


def markdown(text: str) -> dict[str, Any]:
    return {"value": text, "supportThemeIcons": False, "supportHtml": False}


def uri(path: str) -> dict[str, Any]:
    return {"$mid": 1, "fsPath": f"{ROOT}/{path}", "path": f"{ROOT}/{path}", "scheme": "file"}


def invocation(tool: str, id: str = "i1", **more: Any) -> dict[str, Any]:
    return {
        "kind": "toolInvocationSerialized",
        "toolId": tool,
        "toolCallId": id,
        "isConfirmed": {"type": 1},
        "isComplete": True,
        **more,
    }


def terminal(command: str, exit: int | None, output: str = "", **line: str) -> dict[str, Any]:
    state = {} if exit is None else {"terminalCommandState": {"exitCode": exit}}
    return {
        "toolSpecificData": {
            "kind": "terminal",
            "commandLine": {"original": command, **line},
            "terminalCommandOutput": {"text": output},
            **state,
        }
    }


def edit(path: str, text: str) -> dict[str, Any]:
    return {"kind": "textEditGroup", "uri": uri(path), "edits": [[{"text": text, "range": {}}]], "done": True}


def model(*calls: tuple[str, str, dict[str, Any]], text: str = "") -> dict[str, Any]:
    told = [{"id": id, "name": name, "arguments": json.dumps(arguments)} for id, name, arguments in calls]
    return {"response": text, "toolCalls": told}


def tree(text: str) -> dict[str, Any]:
    return {"content": [{"value": {"node": {"children": [{"type": 2, "text": text}]}}}]}


def request(text: str, *parts: Any, rounds: Any = (), results: Any = None, **more: Any) -> dict[str, Any]:
    metadata = {"toolCallRounds": list(rounds), "toolCallResults": results or {}}
    return {
        "requestId": f"r-{text}",
        "message": {"text": text},
        "response": list(parts),
        "result": {"metadata": metadata},
        **more,
    }


def session(*requests: Any, **more: Any) -> dict[str, Any]:
    return {"version": 3, "responderUsername": "GitHub Copilot", "sessionId": "s", "requests": list(requests), **more}


def read(value: Any, path: Path | None = None) -> tuple[list[Event], Transcript]:
    transcript = copilot_vscode.read(io.BytesIO(json.dumps(value, indent=1).encode()), path)
    return list(transcript), transcript


def replay(*entries: Any) -> tuple[list[Event], Transcript]:
    transcript = copilot_vscode.read(io.BytesIO(b"".join(json.dumps(one).encode() + b"\n" for one in entries)))
    return list(transcript), transcript


def events_of(*parts: Any, **more: Any) -> list[Event]:
    return read(session(request("Go", *parts, **more)))[0][1:]


@pytest.mark.parametrize("log", [DOCUMENT, CHANGES, EVENTS], ids=["document", "changes", "events"])
def test_samples_are_read_event_by_event(log: Path) -> None:
    """Each sample gives the events that are written beside it, no more and no less, and nothing of it is skipped."""
    transcript = open_transcript(log)
    events = [{key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in transcript]

    assert json.loads(log.with_suffix(".events.json").read_text(encoding="utf-8")) == json.loads(json.dumps(events))
    assert (f"copilot-vscode:{log.stem}", ROOT, [ROOT], []) == (
        transcript.source,
        transcript.cwd,
        transcript.directories,
        transcript.account.skipped,
    )


def test_titles_branches_and_times_are_those_of_the_session() -> None:
    """The title is the one that is shown, the branch that of the repository, the times are UTC."""
    known = []
    for log in (DOCUMENT, CHANGES, EVENTS):
        transcript = open_transcript(log)
        list(transcript)
        known.append((transcript.title, transcript.branch, transcript.started, transcript.ended))

    assert [
        ("Lower-case station codes", "", "2025-11-09T09:19:50.000Z", "2025-11-09T09:23:30.000Z"),
        ("Caching the lookup", "tide-tables", "2025-11-09T12:06:40.000Z", "2025-11-09T12:07:00.000Z"),
        ("Say in the README which port is used", "", "2026-11-09T08:10:00.900Z", "2026-11-09T08:10:07.200Z"),
    ] == known


def test_lines_are_where_things_stand() -> None:
    """In a document, a line is that of the object that says it; in a log of changes, that of the last change."""
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    call = next(one for one in open_transcript(DOCUMENT) if one.tool == "edit")
    texts = [(one.line, one.text) for one in open_transcript(CHANGES) if one.kind == "text"]

    assert '"name": "replace_string_in_file"' in lines[call.line]
    assert (4, "It finds the station first, then the day.") == texts[0]


def test_chats_are_known_by_their_content() -> None:
    """Each form is taken, also where its first line is longer than what is looked at; other agents' logs are not."""
    others = [path for name in ("claude-code", "codex", "copilot-cli") for path in (SAMPLES / name).rglob("*.json*")]
    long = session(request("x" * 70_000))
    cut = [json.dumps(long), json.dumps(long, indent=2), json.dumps({"kind": 0, "v": long})]

    assert [True] * 3 == [copilot_vscode.detect(log.read_bytes()[: 1 << 16]) for log in (DOCUMENT, CHANGES, EVENTS)]
    assert [True] * 3 == [copilot_vscode.detect(text[: 1 << 16].encode()) for text in cut]
    assert [] == [path.name for path in others if copilot_vscode.detect(path.read_bytes()[: 1 << 16])]
    assert [False, False] == [one.detect(log.read_bytes()) for one in (claude_code, codex) for log in (DOCUMENT,)]
    assert [False] * 4 == [
        copilot_vscode.detect(head)
        for head in (b"", b'{"requests": []}', b'{"kind": 0, "v": {"a": 1}}', b'{"info": {}, "messages": [], "sessionId": "x"}')
    ]


def test_the_folder_stands_in_a_file_beside_the_chats(tmp_path: Path) -> None:
    """The workspace's folder stands in a file beside the chats, if there is one that can be read."""
    chats = tmp_path / "hash" / "chatSessions"
    chats.mkdir(parents=True)
    log = chats / "x.json"
    log.write_text(json.dumps(session(request("Go"))), encoding="utf-8")
    found = []
    for text in (None, "{", '["a"]', '{"folder": "vscode-remote://host/x"}', '{"folder": "file:///c%3A/Users/dev/tide%20pool"}'):
        if text is not None:
            (chats.parent / "workspace.json").write_text(text, encoding="utf-8")
        transcript = open_transcript(log)
        list(transcript)
        found.append(transcript.cwd)

    assert ["", "", "", "", "c:/Users/dev/tide pool"] == found


def test_pieces_of_text_make_one_text() -> None:
    """Links to files split a text in pieces, and an edit is framed by fences that belong to nobody's words."""
    told = events_of(
        markdown("In "),
        {"kind": "inlineReference", "inlineReference": uri("src/a.ts")},
        markdown(" and "),
        {"kind": "inlineReference", "name": "lookup", "inlineReference": {"name": "lookup", "location": {"uri": uri("b.ts")}}},
        markdown("."),
        {"kind": "progressMessage", "content": markdown("Working")},
        markdown("\n```\n"),
        edit("src/a.ts", "x"),
        markdown("\n```\n"),
        {"kind": "thinking", "value": ["Hm", "m"]},
        {"kind": "markdownContent", "content": markdown("Done.")},
        "And old text.",
    )

    assert [
        ("text", "In `a.ts` and `lookup`."),
        ("call", f"{ROOT}/src/a.ts"),
        ("result", ""),
        ("thinking", "Hmm"),
        ("text", "Done.And old text."),
    ] == [(one.kind, one.text) for one in told]


def test_arguments_come_from_the_models_rounds() -> None:
    """A call in the chat has no arguments: they are those of the model's call of that ID, or of the next of that tool."""
    rounds = [
        model(("m1", "read_file", {"filePath": "a"}), ("m2", "grep_search", {"query": "x"})),
        model(("m3", "read_file", {"filePath": "b"}), ("i4", "read_file", {"filePath": "c"})),
    ]
    told = events_of(
        invocation("copilot_readFile", "i1"),
        invocation("copilot_readFile", "i3"),
        invocation("copilot_readFile", "i4"),
        rounds=rounds,
        results={"m1": tree("A"), "m2": tree("error: no such index"), "m3": tree("B"), "i4": tree("C")},
    )

    assert [("i1", "a"), ("m2", "x"), ("i3", "b"), ("i4", "c")] == [(one.call, one.text) for one in told if one.kind == "call"]
    assert [("A", True), ("error: no such index", False), ("B", True), ("C", True)] == [
        (one.text, one.ok) for one in told if one.kind == "result"
    ]


def test_rounds_stand_in_for_parts_that_were_not_kept() -> None:
    """Where the chat shows no call, the model's own rounds tell what was said and called; one without result is open."""
    rounds = [
        model(("m1", "create_file", {"filePath": "a", "content": "x"}), text="First."),
        model(("m2", "run_in_terminal", {"command": "ls"})),
    ]
    told, transcript = read(session(request("Go", markdown("First."), rounds=rounds, results={"m1": tree("File created")})))

    assert [("text", "First."), ("call", "a"), ("result", "File created"), ("call", "ls")] == [
        (one.kind, one.text) for one in told[1:]
    ]
    assert (2, 1, 1) == (transcript.account.calls, transcript.account.results, transcript.account.unanswered)


@pytest.mark.parametrize(
    ("specific", "result", "expected"),
    [
        (terminal("make", 0, "ok"), "", (True, 0)),
        (terminal("make", 2, "no"), "", (False, 2)),
        (terminal("make", None), "boom\n\nCommand exited with code 1", (False, 1)),
        (terminal("make", None), "Exit code: 0\nok", (True, 0)),
        (terminal("make", None), "all fine", (None, None)),
        (terminal("make", None), "Command is running in terminal with ID=ab-1", (None, None)),
    ],
)
def test_the_exit_code_decides(specific: dict[str, Any], result: str, expected: tuple[Any, Any]) -> None:
    """The terminal's own state says how a command ended, else what the model was told; else nobody does."""
    told = events_of(invocation("run_in_terminal", "i1", **specific), results={"i1": tree(result)} if result else {})

    assert [expected] == [(one.ok, one.exit) for one in told if one.kind == "result"]


def test_the_command_is_the_one_that_was_run() -> None:
    """The client and the human may change a command before it runs."""
    told = events_of(
        invocation("run_in_terminal", "i1", **terminal("rm -r .", 0, toolEdited="rm -r ./x", userEdited="rm ./x/y")),
        rounds=[model(("m1", "run_in_terminal", {"command": "rm -r .", "explanation": "Tidy"}))],
    )

    assert ["rm ./x/y"] == [one.data["command"] for one in told if one.kind == "call"]


@pytest.mark.parametrize("confirmed", [False, {"type": 0}, {"type": 5}])
def test_what_was_not_confirmed_was_not_done(confirmed: Any) -> None:
    """A call that the human denied or skipped is refused, whatever the chat says of it in the past tense."""
    part = invocation("run_in_terminal", "i1", pastTenseMessage=markdown("Ran it"), **terminal("rm -r .", None))
    told = events_of({**part, "isConfirmed": confirmed})

    assert [(False, "", {"refused": True})] == [(one.ok, one.text, one.data) for one in told if one.kind == "result"]


def test_edits_are_proven_by_what_was_applied() -> None:
    """Without arguments, the edit that was applied tells what was written; an edit that failed says so itself."""
    applied = events_of(invocation("copilot_createFile", "i1"), edit("a.ts", "x"), edit("b.ts", "y"), rounds=[], results={})
    rounds = [model(("i1", "replace_string_in_file", {"filePath": "a.ts", "oldString": "x", "newString": "y"}))]
    failed = events_of(
        invocation("copilot_replaceString", "i1"), rounds=rounds, results={"i1": tree("Could not find matching text to replace.")}
    )
    unknown = events_of(invocation("copilot_replaceString", "i1"), rounds=rounds)

    assert [((f"{ROOT}/a.ts", f"{ROOT}/b.ts"), "x\ny")] == [(one.paths, one.data["new"]) for one in applied if one.kind == "call"]
    assert [[True], [False], [None]] == [[one.ok for one in told if one.kind == "result"] for told in (applied, failed, unknown)]


def test_todos_answers_plans_and_links_are_told() -> None:
    """The chat's own widgets are to-do lists, questions, plans and addresses like every agent's."""
    told = events_of(
        invocation(
            "manage_todo_list",
            "i1",
            toolSpecificData={"kind": "todoList", "todoList": [{"id": 1, "title": "A", "status": "in-progress"}]},
        ),
        {
            "kind": "questionCarousel",
            "questions": [{"id": "q", "title": "Database", "message": markdown("Which database?")}, {"id": "r", "title": "Port"}],
            "data": {"q": {"selectedValue": "Postgres", "freeformValue": "16"}, "r": {"selectedValues": ["80", "81"]}},
        },
        {"kind": "planReview", "title": "P", "content": "1. Do it", "data": {"rejected": False, "action": "Implement"}},
        {"kind": "planReview", "title": "P", "content": "2. More", "data": {"rejected": True, "feedback": "Too much"}},
        {"kind": "pullRequest", "uri": {"scheme": "https", "authority": "forge.example.test", "path": "/a/pull/7"}, "title": "x"},
    )

    assert [[{"id": "1", "text": "A", "status": "in_progress"}]] == [one.data["todos"] for one in told if one.kind == "todo"]
    assert [{"Which database?": "Postgres, 16", "Port": "80, 81"}] == [
        one.data["answers"] for one in told if one.kind == "answer" and "answers" in one.data
    ]
    assert [("1. Do it", True), ("2. More", False)] == [
        (one.data["plan"], one.data["approved"]) for one in told if one.kind == "answer" and "approved" in one.data
    ]
    assert ["Too much", "https://forge.example.test/a/pull/7"] == [one.text for one in told if one.kind in ("prompt", "link")]


def test_answers_to_the_agents_questions_are_decisions() -> None:
    """The tool that asks gets its answers as JSON, under the headers of the questions."""
    asked = {
        "questions": [{"header": "db", "question": "Which database?", "options": []}, {"header": "os", "question": "Which OS?"}]
    }
    given = {
        "answers": {"db": {"selected": ["SQLite"], "freeText": None, "skipped": False}, "os": {"selected": [], "skipped": True}}
    }
    told = events_of(
        invocation("vscode_askQuestions", "i1"),
        rounds=[model(("i1", "vscode_askQuestions", asked))],
        results={"i1": tree(json.dumps(given))},
    )

    assert [{"Which database?": "SQLite"}] == [one.data["answers"] for one in told if one.kind == "answer"]


def test_a_checkpoint_takes_requests_back() -> None:
    """Requests behind the checkpoint that the human went back to are undone; with an undo stop, what stands behind it is."""
    gone = {"shouldBeRemovedOnSend": {"requestId": "x"}}
    partly = {"shouldBeRemovedOnSend": {"requestId": "x", "afterUndoStop": "u"}}
    events = read(
        session(
            request("one", markdown("A"), {"kind": "undoStop", "id": "u"}, markdown("B"), **partly),
            request("two", markdown("C"), **gone),
            request("three", markdown("D"), isHidden=True),
        )
    )[0]

    assert ["one", "A", "two", "C", "three", "D", ""] == [one.text for one in events]
    assert ("undo", {"turns": 2}) == (events[-1].kind, events[-1].data)


def test_what_was_cleared_was_not_said() -> None:
    """A text that the client withdrew is gone."""
    cleared = {"kind": "clearToPreviousToolInvocation", "reason": 1}

    assert ["Again."] == [one.text for one in events_of(markdown("Wrong."), cleared, markdown("Again."))]


def test_only_the_human_asks() -> None:
    """Buttons and the client's own requests are nobody's statement; a slash command's words are, but count as no prompt."""
    events, transcript = read(
        session(
            request("Mine"),
            request("Continue", confirmation="Continue"),
            request("Wake up", isSystemInitiated=True),
            request("/fix the lookup", slashCommand={"name": "fix"}),
            request("/clear", slashCommand={"name": "clear"}),
            {"requestId": "x", "message": "Old form", "response": "Old answer"},
            request("Stop", isCanceled=True),
        )
    )

    assert [
        ("prompt", "Mine"),
        ("injected", "Continue"),
        ("injected", "Wake up"),
        ("prompt", "the lookup"),
        ("injected", "/clear"),
        ("prompt", "Old form"),
        ("text", "Old answer"),
        ("prompt", "Stop"),
        ("interrupt", "the response was stopped"),
    ] == [(one.kind, one.text) for one in events]
    assert ({"command": "/fix"}, 3) == (events[3].data, transcript.account.human)


def test_what_the_human_took_back_is_noted() -> None:
    """The editor says with the next request whose edits the human undid."""
    kept = [{"uri": uri("a.ts"), "eventKind": 2}, {"uri": uri("b.ts"), "eventKind": 1}]

    assert [("injected", f"The human took back the edits of {ROOT}/a.ts."), ("prompt", "Go")] == [
        (one.kind, one.text) for one in read(session(request("Go", editedFileEvents=kept)))[0]
    ]


def test_sub_agents_are_told_apart() -> None:
    """A call inside a sub-agent is the sub-agent's; the call of the sub-agent itself is the agent's."""
    inside = invocation("copilot_readFile", "i2", subAgentInvocationId="i1")
    whole = invocation("runSubagent", "i1", toolSpecificData={"kind": "subagent", "description": "Look", "result": "Nothing"})
    told = events_of(whole, inside, markdown("So it is."))

    assert [("agent", "agent"), ("subagent", "read"), ("agent", "")] == [
        (one.actor, one.tool) for one in told if one.kind in ("call", "text")
    ]
    assert ["Nothing", ""] == [one.text for one in told if one.kind == "result"]


def test_changes_are_replayed() -> None:
    """Later lines set, add, cut off and delete; those that lead nowhere cost themselves."""
    events, transcript = replay(
        {"kind": 0, "v": session()},
        {"kind": 2, "k": ["requests"], "v": [request("one"), request("two")]},
        {"kind": 1, "k": ["requests", 0, "message", "text"], "v": "uno"},
        {"kind": 2, "k": ["requests"], "i": 1},
        {"kind": 2, "k": ["requests", 0, "response"], "v": [markdown("A"), markdown("B")]},
        {"kind": 2, "k": ["requests", 0, "response"], "v": [markdown("C")], "i": 1},
        {"kind": 1, "k": ["requests", 1], "v": request("three")},
        {"kind": 3, "k": ["requests", 0, "result"]},
        {"kind": 1, "k": ["inputState", "inputText"], "v": "dra"},
        {"kind": 1, "k": ["requests", 99, "x"], "v": 1},
        {"kind": 9, "k": ["requests"]},
        {"kind": 2, "k": [], "v": []},
        {"kind": 2, "k": ["version"], "v": [1]},
    )

    assert ["uno", "AC", "three"] == [one.text for one in events]
    assert [10, 11, 12, 13] == [one.line for one in transcript.account.skipped]


def test_a_log_of_changes_without_its_first_line_says_so() -> None:
    """Changes of a session that is not there cannot be used."""
    events, transcript = replay({"kind": 2, "k": ["requests"], "v": [request("one")]})

    assert ([], [1, 1]) == (events, [one.line for one in transcript.account.skipped])


def test_a_cut_document_is_read_up_to_the_cut() -> None:
    """The writer may have been stopped: what stands before is used, and the account says where it ends."""
    data = DOCUMENT.read_bytes()
    transcript = copilot_vscode.read(io.BytesIO(data[: len(data) * 3 // 4]))
    events = list(transcript)

    assert (True, 1) == (transcript.incomplete, transcript.account.bad)
    assert "Accept lower-case station codes" == events[0].text


def test_unknown_parts_are_named_once() -> None:
    """A kind of part that nobody knows is noted with its first line and its number."""
    account = read(session(request("Go", {"kind": "hologram"}, {"kind": "hologram"}, 7)))[1].account

    assert ["unknown response part 'hologram', 2 times from here on", "unknown response part"] == sorted(
        (one.reason for one in account.skipped), reverse=True
    )


def test_time_grows_with_the_chat_alone() -> None:
    """Many calls that no part shows, and many parts that show no call, are read in linear time."""
    rounds = [model(*((f"m{n}", "read_file", {"filePath": "a"}) for n in range(4_000)))]
    parts = [invocation("elsewhere", f"i{n}") for n in range(4_000)]
    data = json.dumps(session(request("Go", *parts, rounds=rounds))).encode()
    before = time.process_time()
    count = sum(1 for _ in copilot_vscode.read(io.BytesIO(data)))

    assert 12_001 == count
    assert time.process_time() - before < 6


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just("\ud800\0"), st.just([]), st.just([None, {"a": [1]}]), st.just({"kind": {}})
)


def changed(value: Any, path: list[int], junk: Any) -> Any:
    """*value* with *junk* where *path* leads."""
    if not path or not isinstance(value, dict | list) or not value:
        return junk
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[path[0] % len(keys)]
    new = changed(value[key], path[1:], junk)
    return {**value, key: new} if isinstance(value, dict) else [*value[:key], new, *value[key + 1 :]]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.lists(st.integers(0, 30), min_size=1, max_size=9), JUNK), max_size=8), st.booleans())
def test_values_of_any_type_do_no_harm(changes: list[tuple[list[int], Any]], in_lines: bool) -> None:
    """Whatever stands where something else is expected, the rest is read, and every line is one of the log's."""
    log = CHANGES if in_lines else DOCUMENT
    text = log.read_text(encoding="utf-8")
    value = [json.loads(line) for line in text.splitlines()] if in_lines else json.loads(text)
    for path, junk in changes:
        value = changed(value, path, junk)
    lines = value if isinstance(value, list) and in_lines else [value]
    data = "\n".join(json.dumps(one, indent=None if in_lines else 1) for one in lines).encode()
    transcript = copilot_vscode.read(io.BytesIO(data))
    events = list(transcript)

    assert all(1 <= one.line <= transcript.account.lines for one in events)
    assert json.dumps([asdict(one) for one in events], ensure_ascii=False).encode()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([DOCUMENT, CHANGES, EVENTS]), st.integers(0, 21_000), st.integers(0, 400), st.binary(max_size=20))
def test_bytes_of_any_kind_do_no_harm(log: Path, at: int, cut: int, put: bytes) -> None:
    """Damage raises nothing but the errors that say so."""
    data = log.read_bytes()
    data = data[:at] + put + data[at + cut :]
    try:
        copilot_vscode.detect(data[: 1 << 16])
        transcript = copilot_vscode.read(io.BytesIO(data))
        events = list(transcript)
    except HandoffError:
        return

    assert all(1 <= one.line <= transcript.account.lines for one in events)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not kept in this repository")
def test_real_chats_are_read_whole() -> None:
    """Every chat is known and read without a skipped line, and two forms of one chat say the same."""
    told = {}
    for log in sorted(path for path in CORPUS.iterdir() if path.suffix in (".json", ".jsonl")):
        transcript = open_transcript(log)
        events = [(one.kind, one.text, one.ok) for one in transcript]
        told[log.name] = events
        account = transcript.account

        assert ("copilot-vscode", [], 0) == (transcript.format, account.skipped, account.unanswered)

    twins = [events for name, events in told.items() if "session_simple" in name]

    assert twins[0] == twins[1]
