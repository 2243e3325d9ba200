"""What Claude Code's logs say, and what they only seem to say."""

import io
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.transcript import KEPT_CHARACTERS, KEPT_SKIPS, Event, Transcript
from handoffsite.sources import claude_code, open_transcript

SAMPLES = Path(__file__).parents[1] / "samples" / "claude-code"
SESSION = "7b0e5a52-3c1d-4e6f-9a21-5d8c4b7e9f10"
REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected. "


def entry(kind: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "sessionId": SESSION, "cwd": "/srv/atlas", "message": {"role": kind, "content": content}, **fields}


def call(name: str, id: str = "t1", **given: Any) -> dict[str, Any]:
    return entry("assistant", [{"type": "tool_use", "id": id, "name": name, "input": given}])


def result(content: Any, id: str = "t1", twin: Any = None, *, error: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": error}
    return entry("user", [block], toolUseResult=twin)


def read(*entries: dict[str, Any]) -> tuple[list[Event], Transcript]:
    transcript = claude_code.read(io.BytesIO(b"".join(json.dumps(one).encode() + b"\n" for one in entries)))
    return list(transcript), transcript


def kinds(*entries: dict[str, Any]) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in read(*entries)[0]]


def only(kind: str, *entries: dict[str, Any]) -> Event:
    (found,) = (event for event in read(*entries)[0] if event.kind == kind)
    return found


def whole(path: Path) -> Transcript:
    transcript = open_transcript(path)
    for _ in transcript:
        pass
    return transcript


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.events.json")), ids=lambda path: path.name[:8])
def test_samples_are_read_event_by_event(sample: Path) -> None:
    """Each sample gives the events that are written beside it, no more and no less."""
    (log,) = (path for path in SAMPLES.glob(f"{sample.name.partition('.')[0]}.json*") if path.is_file())
    events = [
        {key: value for key, value in asdict(event).items() if value not in ("", None, (), {})} for event in open_transcript(log)
    ]

    assert json.loads(sample.read_text(encoding="utf-8")) == json.loads(json.dumps(events))


def test_a_session_says_whose_it_is() -> None:
    """ID, directories, branch, title, times: from the entries, the title from a summary of its own and no foreign one."""
    transcript = whole(SAMPLES / f"{SESSION}.jsonl")

    assert (f"claude-code:{SESSION}", "") == (transcript.source, transcript.parent)
    assert ("/srv/atlas", ["/srv/atlas"], "main") == (transcript.cwd, transcript.directories, transcript.branch)
    assert "Sign-in over /api/session" == transcript.title
    assert ("2026-11-03T09:00:07.000Z", "2026-11-03T09:06:53.000Z") == (transcript.started, transcript.ended)


def test_a_summary_of_a_system_entry_is_the_sessions_own(tmp_path: Path) -> None:
    """The last entry of a turn may be the client's own; a summary of it names the session."""
    said = {**entry("user", "Add a cache"), "uuid": "u1"}
    ended = {"type": "system", "subtype": "turn_duration", "uuid": "u2", "parentUuid": "u1", "sessionId": SESSION}
    summary = {"type": "summary", "summary": "A cache for the rates", "leafUuid": "u2"}
    (tmp_path / f"{SESSION}.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in (said, ended, summary)), encoding="utf-8"
    )

    assert "A cache for the rates" == whole(tmp_path / f"{SESSION}.jsonl").title


def test_everything_is_counted() -> None:
    """Messages, not lines; the sub-agent's calls with the session's; the call that got no answer."""
    account = whole(SAMPLES / f"{SESSION}.jsonl").account

    assert (62, 4, 22, 22, 21, 1, 5, 6) == (
        account.lines,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
        account.errors,
        account.sidechain,
    )


def test_sub_agents_belong_to_their_session(tmp_path: Path) -> None:
    """Their files are read after the session's own, under their names, be they in its folder or, as once, beside it."""
    shutil.copy(SAMPLES / f"{SESSION}.jsonl", tmp_path)
    shutil.copy(SAMPLES / SESSION / "subagents" / "agent-a1f3.jsonl", tmp_path)
    (tmp_path / "agent-other.jsonl").write_text(
        json.dumps(entry("user", "x", sessionId="another", agentId="other", isSidechain=True))
    )
    for folder in (SAMPLES, tmp_path):
        events = list(open_transcript(folder / f"{SESSION}.jsonl"))

        assert [f"transcript:a1f3:{line}" for line in (1, 2, 3, 4, 4, 5, 6)] == [event.address for event in events if event.agent]
        assert {"subagent", "system", "tool"} == {event.actor for event in events if event.agent}


def test_a_sub_agents_log_is_no_session() -> None:
    """On its own it says whose it is, by its name or by its content; nothing in it is the human's word."""
    path = SAMPLES / SESSION / "subagents" / "agent-a1f3.jsonl"
    from_stream = claude_code.read(io.BytesIO(path.read_bytes()))
    for transcript in (open_transcript(path), from_stream):
        events = list(transcript)

        assert ("a1f3", "agent-a1f3", SESSION) == (transcript.agent, transcript.session, transcript.parent)
        assert {"a1f3"} == {event.agent for event in events}
        assert 0 == transcript.account.human


def test_damage_in_a_sub_agents_file_is_named(tmp_path: Path) -> None:
    """Its damaged lines stand in the session's account, with the sub-agent's name."""
    shutil.copytree(SAMPLES / SESSION, tmp_path / SESSION)
    shutil.copy(SAMPLES / f"{SESSION}.jsonl", tmp_path)
    with (tmp_path / SESSION / "subagents" / "agent-a1f3.jsonl").open("ab") as file:
        file.write(b'{"type":"ass')
    transcript = whole(tmp_path / f"{SESSION}.jsonl")

    assert (62, 1) == (transcript.account.lines, transcript.account.bad)
    assert [(7, "sub-agent a1f3: cut off: the writer stopped in the middle of the line, or is still at it")] == [
        (skipped.line, skipped.reason) for skipped in transcript.account.skipped
    ]


@pytest.mark.parametrize(
    ("content", "kind", "text"),
    [
        ("Fix it.", "prompt", "Fix it."),
        ([{"type": "text", "text": "Fix"}, {"type": "text", "text": "it."}], "prompt", "Fix\nit."),
        ("<system-reminder>\nBe brief.\n</system-reminder>\nFix it.", "prompt", "Fix it."),
        ("Fix <b>it</b> & <system-reminder> it.", "prompt", "Fix <b>it</b> & <system-reminder> it."),
        ("<command-name>/fix</command-name>\n<command-args> the  form </command-args>", "prompt", "the  form"),
        ("<command-message>init</command-message>\n<command-name>/init</command-name>", "injected", "/init"),
        ("<local-command-caveat>Caveat: as below</local-command-caveat>", "injected", None),
        ("Caveat: The messages below were generated", "injected", None),
        ("<local-command-stdout>x</local-command-stdout>", "injected", None),
        ("<bash-input>ls</bash-input>", "injected", None),
        ("<bash-stdout>x</bash-stdout>", "injected", None),
        ("<task-notification><task-id>unknown</task-id></task-notification>", "injected", None),
        ("[Request interrupted by user]", "interrupt", None),
        ("[Request interrupted by user for tool use]", "interrupt", None),
        ("This session is being continued from a previous conversation that ran out of context.", "compact", None),
    ],
)
def test_the_human_is_told_from_what_stands_in_their_place(content: Any, kind: str, text: str | None) -> None:
    """Command echoes, caveats, reminders, notices and summaries are nobody's prompt."""
    events, transcript = read(entry("user", content))

    assert [kind] == [event.kind for event in events]
    assert text is None or [text] == [event.text for event in events]
    assert (kind == "prompt" and "command" not in events[0].data) == bool(transcript.account.human)


@pytest.mark.parametrize(("origin", "kind"), [("human", "prompt"), ("peer", "injected"), ("channel", "injected")])
def test_another_program_may_speak_in_the_humans_place(origin: str, kind: str) -> None:
    """The entry's origin tells, also of what waited in the queue."""
    queued = {"type": "queued_command", "prompt": "b", "commandMode": "prompt", "origin": {"kind": origin}}
    events = read(entry("user", "a", origin={"kind": origin}), {"type": "attachment", "attachment": queued})[0]

    assert [kind, kind] == [event.kind for event in events]


def test_a_reminder_alone_says_nothing() -> None:
    """An entry that holds only what the client added makes no event."""
    assert [] == kinds(entry("user", "<system-reminder>Be brief.</system-reminder>"))


@pytest.mark.parametrize("flag", ["isMeta", "isVisibleInTranscriptOnly", "isSidechain"])
def test_flags_tell_that_no_human_spoke(flag: str) -> None:
    """Skill bodies and the like look like prompts but for their flag."""
    assert [("injected", "Do it.")] == kinds(entry("user", "Do it.", **{flag: True}))


def test_the_title_is_the_humans_first_word() -> None:
    """Neither caveats nor markup make a title; a custom title precedes all others."""
    caveat = entry("user", "<local-command-caveat>Caveat: as below</local-command-caveat>")
    prompt = entry("user", "<system-reminder>no</system-reminder># Mend the form\nplease")

    assert "Mend the form" == read(caveat, prompt)[1].title
    assert (
        "Mine" == read(prompt, {"type": "ai-title", "aiTitle": "Its"}, {"type": "custom-title", "customTitle": "Mine"})[1].title
    )


def test_an_entry_counts_once() -> None:
    """Old entries that a resumed session wrote again are counted, and make no second event."""
    entries = [entry("user", f"Step {n}", uuid=f"u{n}", timestamp=f"2026-11-03T09:00:0{n}.000Z") for n in range(5)]
    events, transcript = read(*entries, *entries[1:4])

    assert [f"Step {n}" for n in range(5)] == [event.text for event in events]
    assert (3, 5) == (transcript.account.repeated, transcript.account.human)
    assert transcript.started < transcript.ended


def test_a_session_that_was_resumed_elsewhere_names_its_parent(tmp_path: Path) -> None:
    """The file's name is the session's ID; entries that were copied into it name another one."""
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_text(json.dumps(entry("user", "a", sessionId="earlier")) + "\n" + json.dumps(entry("user", "b")) + "\n")
    transcript = whole(path)

    assert (SESSION, "earlier", "") == (transcript.session, transcript.parent, transcript.agent)


def test_a_log_without_ids_is_known_by_its_digest() -> None:
    """A stream that names no session still has a source of its own, the same each time."""
    nameless = {"type": "user", "message": {"role": "user", "content": "a"}}

    assert read(nameless)[1].source == read(nameless)[1].source
    assert read(nameless)[1].session.startswith("sha256-")


@pytest.mark.parametrize(
    ("answer", "ok", "exit"),
    [
        (result("done"), True, 0),
        (result("Exit code 128\nfatal: no", error=True), False, 128),
        (result("command not found", error=True), False, None),
        (result("", twin={"interrupted": True}), False, None),
        (result("", twin={"returnCodeInterpretation": "No matches found"}), True, None),
        (result("Command running in background with ID: b1", twin={"backgroundTaskId": "b1"}), None, None),
        (result("Command was manually backgrounded by user with ID: b1"), None, None),
    ],
)
def test_a_command_shows_how_it_ended(answer: dict[str, Any], ok: bool | None, exit: int | None) -> None:
    """Failure, interruption and a mere start are told from success, with the exit status where there is one."""
    event = only("result", call("Bash", command="make"), answer)

    assert (ok, exit, "shell", "Bash") == (event.ok, event.exit, event.tool, event.name)


def test_a_command_in_the_background_ends_later() -> None:
    """Its notice of completion is a further result of the call that started it."""
    started = result("Command running in background with ID: b1", twin={"backgroundTaskId": "b1"})
    notice = "<task-notification><task-id>b1</task-id><status>completed</status><summary>done (exit code 0)</summary></task-notification>"
    events = read(call("Bash", command="make", run_in_background=True), started, entry("user", notice))[0]

    assert [("t1", None, None), ("t1", True, 0)] == [
        (event.call, event.ok, event.exit) for event in events if event.kind == "result"
    ]


@pytest.mark.parametrize(
    ("output", "ok", "exit"),
    [
        ("<status>running</status>", None, None),
        ("<status>completed</status>\n<exit_code>0</exit_code>", True, 0),
        ("<status>failed</status>\n<exit_code>2</exit_code>", False, 2),
    ],
)
def test_later_output_belongs_to_its_command(output: str, ok: bool | None, exit: int | None) -> None:
    """A look at what runs in the background carries the command that it is about."""
    started = result("Command running in background with ID: b1")
    events = read(call("Bash", command="make"), started, call("BashOutput", "t2", bash_id="b1"), result(output, "t2"))[0]

    assert "make" == events[2].data["command"]
    assert ("t2", "shell", ok, exit) == (events[3].call, events[3].tool, events[3].ok, events[3].exit)


def test_refusals_are_not_failures_of_the_tool() -> None:
    """A refusal is marked, and what the human said with it is theirs."""
    events = read(
        call("Write", file_path="a.md", content="x"),
        result(REFUSED + "To tell you how to proceed, the user said:\nnot here", error=True),
    )[0]

    assert [("call", None), ("result", False), ("prompt", None)] == [(event.kind, event.ok) for event in events]
    assert {"refused": True} == events[1].data
    assert ("not here", "human", {"refused": "t1"}) == (events[2].text, events[2].actor, events[2].data)


def test_answers_are_the_humans() -> None:
    """The structured answers count, several choices included; without them the text is read."""
    question = call("AskUserQuestion", questions=[{"question": "Which?"}])
    text = 'User has answered your questions: "Which?"="Redis". You can now continue.'

    assert {"answers": {"Which?": "Redis"}} == only("answer", question, result(text)).data
    assert {"answers": {"Which?": "A, B"}} == only("answer", question, result("", twin={"answers": {"Which?": ["A", "B"]}})).data


@pytest.mark.parametrize(
    "answer", [result(REFUSED, error=True), result("User declined to answer questions"), result("", twin={"answers": {}})]
)
def test_a_question_without_answer_decides_nothing(answer: dict[str, Any]) -> None:
    """Neither a refused nor an unanswered question is an answer."""
    assert "answer" not in [kind for kind, _ in kinds(call("AskUserQuestion", questions=[{"question": "Which?"}]), answer)]


def test_plans_are_approved_or_rejected() -> None:
    """The last word on a plan is in its answer; a plan that the human edited counts as edited."""
    plan = call("ExitPlanMode", plan="# Old")

    assert {"approved": False, "plan": "# Old"} == only("answer", plan, result(REFUSED, error=True)).data
    assert {"approved": True, "plan": "# New"} == only(
        "answer", plan, result("User has approved your plan.", twin={"plan": "# New"})
    ).data
    assert "answer" not in [kind for kind, _ in kinds(plan, result("<tool_use_error>no</tool_use_error>", error=True))]


def test_tasks_are_folded_into_whole_lists() -> None:
    """IDs come with results, changes by ID, a task from before the log began is new, a deleted one is cancelled."""
    events = read(
        call("TaskCreate", "a", subject="One"),
        result("Task #4 created successfully: One", "a"),
        call("TaskUpdate", "b", taskId="9", status="completed"),
        result("Updated task #9 status", "b"),
        call("TaskUpdate", "c", taskId="4", status="deleted", subject="First"),
        result("", "c", twin={"success": True}),
        call("TaskUpdate", "d", taskId="4", status="completed"),
        result("", "d", error=True),
        call("TaskList", "e"),
        result("", "e", twin={"tasks": [{"id": "9", "subject": "Nine", "status": "in_progress"}]}),
    )[0]
    lists = [
        [(todo["id"], todo["text"], todo["status"]) for todo in event.data["todos"]] for event in events if event.kind == "todo"
    ]

    assert [
        [("4", "One", "pending")],
        [("4", "One", "pending"), ("9", "task 9", "completed")],
        [("4", "First", "cancelled"), ("9", "task 9", "completed")],
        [("4", "First", "cancelled"), ("9", "Nine", "in_progress")],
    ] == lists


def test_each_agent_has_a_list_of_its_own() -> None:
    """A sub-agent's tasks do not mix with the session's."""
    aside = [call("TaskCreate", "b", subject="Two"), result("Task #1 created", "b")]
    events = read(
        call("TaskCreate", "a", subject="One"), result("Task #1 created", "a"), *({**one, "isSidechain": True} for one in aside)
    )[0]

    assert [["One"], ["Two"]] == [[todo["text"] for todo in event.data["todos"]] for event in events if event.kind == "todo"]


def test_a_prompt_that_was_taken_back_was_never_sent() -> None:
    """What stands in the queue counts only where it reached the agent."""
    queue = [
        {"type": "queue-operation", "operation": operation, "content": "drop it", "sessionId": SESSION}
        for operation in ("enqueue", "remove")
    ]
    sent = {
        "type": "attachment",
        "sessionId": SESSION,
        "attachment": {"type": "queued_command", "prompt": "keep it", "commandMode": "prompt"},
    }

    assert [("prompt", "keep it")] == kinds(*queue, sent)


def test_errors_of_the_service_are_not_the_agents_words() -> None:
    """An API error comes in an assistant's entry and is no statement."""
    assert [("injected", "API Error: 529")] == kinds(
        entry("assistant", [{"type": "text", "text": "API Error: 529"}], isApiErrorMessage=True)
    )


def test_a_session_may_begin_with_an_approved_plan() -> None:
    """The plan is put, approved, and cut free of the client's words; its headings are nobody's report."""
    events, transcript = read(
        entry(
            "user",
            "Implement the following plan:\n\n# Cache\n\nTests are green\n\nIf you need specific details from before exiting plan mode, read x",
        )
    )

    assert [("plan", "# Cache\n\nTests are green"), ("answer", "# Cache\n\nTests are green")] == [
        (event.kind, event.text) for event in events
    ]
    assert events[1].data["approved"]
    assert ("Cache", 1) == (transcript.title, transcript.account.human)


def test_what_is_not_understood_is_named_once() -> None:
    """An unknown type is accounted for with its first line and its number, wherever else it stands."""
    unknown = {"type": "brand-new", "payload": {}}
    skipped = read(entry("user", "a"), unknown, {"silly": 1}, unknown, entry("assistant", [{"type": "hologram"}]))[
        1
    ].account.skipped

    assert [
        (2, "unknown entry type 'brand-new', 2 times from here on"),
        (3, "unknown entry without a type"),
        (5, "unknown content block 'hologram'"),
    ] == [(one.line, one.reason) for one in skipped]


@pytest.mark.parametrize("message", [None, "error", ["x"], {}, {"content": None}])
def test_entries_without_content_are_named(message: Any) -> None:
    """A message that says nothing costs its line, and does not stand in for the entry of the same ID that follows."""
    events, transcript = read({"type": "user", "sessionId": "s", "message": message}, entry("user", "a"))

    assert ["a"] == [event.text for event in events]
    assert [1] == [skipped.line for skipped in transcript.account.skipped]


def test_only_so_many_skipped_lines_are_named() -> None:
    """A file of rubbish does not fill the account; how many more there were is counted."""
    data = json.dumps(entry("user", "a")).encode() + b"\n" + b"x\n" * (KEPT_SKIPS + 5)
    transcript = claude_code.read(io.BytesIO(data))
    list(transcript)

    assert (KEPT_SKIPS, 5, KEPT_SKIPS + 5) == (
        len(transcript.account.skipped),
        transcript.account.unnamed,
        transcript.account.bad,
    )


def test_texts_are_bounded_and_clean() -> None:
    """Output, arguments and pictures are kept as far as anybody will read them."""
    picture = [{"type": "image", "source": {"type": "base64", "data": "A" * 20_000_000}}]
    events = read(
        call("Write", file_path="a", content="x" * 50_000),
        result("\x1b[31m" + "y" * 50_000),
        call("Read", "t2"),
        result(picture, "t2"),
    )[0]

    assert len(events[0].data["content"]) <= KEPT_CHARACTERS
    assert len(events[1].text) <= KEPT_CHARACTERS
    assert "\x1b" not in events[1].text
    assert "[image, 20 MB]" == events[3].text


@pytest.mark.parametrize(
    ("head", "is_ours"),
    [
        (json.dumps(entry("user", "a")).encode(), True),
        (b"\xef\xbb\xbf\n\0\0damaged\n" + json.dumps(entry("user", "a")).encode(), True),
        (b'{"type":"summary","summary":"a","leafUuid":"b"}\n', True),
        (b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n', True),
        (b'{"parentUuid":null,"isSidechain":false,"type":"user","message":{"content":"' + b"x" * 70_000, True),
        (b'{"loglines": [\n {"type": "user", "message": {"role": "user", "content": "a"}}', True),
        (b'{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","parts":[]}}\n', False),
        (b'{"role":"user","message":{"content":[]}}\n', False),
        (b'{"type":"session.start","data":{"sessionId":"s"}}\n', False),
        (b'{"type":"session_meta","payload":{"id":"s"}}\n', False),
        (b'{"type":["user"],"message":{"content":"a"}}\n', False),
        (b"# notes about parentUuid\n", False),
        (b"", False),
    ],
)
def test_the_format_is_told_by_content(head: bytes, is_ours: bool) -> None:
    """Damage, a byte order mark or a line longer than the head do not hide it, and its cousins are not taken for it."""
    assert is_ours == claude_code.detect(head)
