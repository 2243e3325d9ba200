"""What Aider's chat history says: who spoke, which edits were made, and which commits are left."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.errors import HandoffError
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import aider, open_transcript

SAMPLES = Path(__file__).parents[1] / "samples"
SAMPLE = SAMPLES / "aider" / "weather.aider.chat.history.md"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "aider"
HEADER = "# aider chat started at 2026-10-05 09:13:02\n\n> Aider v0.86.1  \n"
FENCE = "```"


def read(text: str | bytes) -> tuple[list[Event], Transcript]:
    data = text if isinstance(text, bytes) else text.encode()
    transcript = aider.read(io.BytesIO(data))
    return list(transcript), transcript


def talk(text: str) -> list[Event]:
    return read(HEADER + text)[0]


def told(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(event.line, event.kind, event.text) for event in events]


def block(path: str, old: str, new: str) -> str:
    return f"{path}\n{FENCE}python\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n{FENCE}\n"


def asked(*lines: str) -> str:
    return "\n" + "".join(f"#### {line}  \n" for line in lines)


def own(*lines: str) -> str:
    return "".join(f"> {line}  \n" for line in lines)


def edits(events: list[Event]) -> list[tuple[tuple[str, ...], bool | None]]:
    return [(event.paths, event.ok) for event in events if event.kind == "result" and event.tool in ("edit", "write")]


def commits(events: list[Event]) -> list[tuple[str, str]]:
    actors = {event.call: event.actor for event in events if event.kind == "call"}
    return [(actors[event.call], event.text) for event in events if event.kind == "result" and event.name == "commit"]


def test_the_sample_is_told_in_order() -> None:
    """Prompts, answers, edits with their outcome, commits, what was undone and what was stopped."""
    events, transcript = read(SAMPLE.read_bytes())

    told = [(event.line, event.kind, event.actor, event.tool, event.ok) for event in events if event.kind != "injected"]
    assert [
        (16, "prompt", "human", "", None),
        (18, "text", "agent", "", None),
        (61, "call", "human", "shell", None),
        (61, "result", "tool", "shell", True),
        (26, "call", "agent", "edit", None),
        (62, "result", "tool", "edit", True),
        (42, "call", "agent", "write", None),
        (63, "result", "tool", "write", True),
        (64, "call", "agent", "shell", None),
        (64, "result", "tool", "shell", True),
        (68, "call", "agent", "shell", None),
        (69, "call", "agent", "shell", None),
        (73, "call", "human", "shell", None),
        (73, "result", "tool", "shell", False),
        (83, "text", "agent", "", None),
        (87, "call", "agent", "edit", None),
        (96, "result", "tool", "edit", True),
        (97, "call", "agent", "shell", None),
        (97, "result", "tool", "shell", True),
        (100, "prompt", "human", "", None),
        (106, "call", "agent", "edit", None),
        (115, "result", "tool", "edit", True),
        (116, "call", "agent", "shell", None),
        (116, "result", "tool", "shell", True),
        (120, "undo", "human", "", None),
        (124, "prompt", "human", "", None),
        (128, "text", "agent", "", None),
        (132, "prompt", "human", "", None),
        (136, "call", "agent", "edit", None),
        (155, "result", "tool", "edit", True),
        (145, "call", "agent", "edit", None),
        (155, "result", "tool", "edit", False),
        (170, "text", "agent", "", None),
        (173, "call", "agent", "edit", None),
        (173, "result", "tool", "edit", True),
        (174, "call", "agent", "shell", None),
        (174, "result", "tool", "shell", True),
        (187, "prompt", "human", "", None),
        (189, "text", "agent", "", None),
        (189, "plan", "agent", "", None),
        (195, "answer", "human", "", None),
        (204, "call", "agent", "edit", None),
        (213, "result", "tool", "edit", False),
        (215, "prompt", "human", "", None),
        (218, "interrupt", "human", "", None),
        (220, "text", "agent", "", None),
    ] == told
    assert "retry a request up to three times when the server answers 503" == transcript.title


def test_the_sample_is_counted() -> None:
    """The account holds the file's lines, the human's prompts without their echoes, and calls with and without results."""
    data = SAMPLE.read_bytes()
    _, transcript = read(data)

    account = transcript.account
    assert (data.count(b"\n"), len(data), 6, 9, 16, 14, 2, 2, 2) == (
        account.lines,
        account.bytes,
        account.human,
        account.assistant,
        account.calls,
        account.results,
        account.unanswered,
        account.errors,
        account.repeated,
    )
    assert ([], False) == (account.skipped, transcript.incomplete)


def test_its_own_sample_is_known_and_no_others() -> None:
    """A history is known by its header and its marks; the logs of other agents are not taken."""
    others = [path for path in SAMPLES.rglob("*") if path.is_file() and "aider" not in path.parts]

    assert aider.detect(SAMPLE.read_bytes()[: 1 << 16])
    assert [] == [path.name for path in others if aider.detect(path.read_bytes()[: 1 << 16])]


@pytest.mark.parametrize(
    "text",
    [
        "# aider chat started at yesterday\n",
        "# HANDOFF\n\n#### Next\n\n> Tokens are short\n",
        '{"type": "user", "text": "# aider chat started at 2026-10-05 09:13:02"}\n',
        "<!-- Generated by SpecStory -->\n\n# aider chat started at 2026-10-05 09:13:02\n\n#### x\n",
        "The file begins with\n\n# aider chat started at 2026-10-05 09:13:02\n",
        "",
    ],
)
def test_what_only_speaks_of_a_history_is_none(text: str) -> None:
    """Neither a note, nor another log that quotes the header."""
    assert not aider.detect(text.encode())


def test_a_history_whose_header_is_lost_is_known_by_its_marks() -> None:
    """Prompts, Aider's own lines and commits together."""
    assert aider.detect((asked("mend it") + own("Applied edit to a.py", "Commit 1f0c2d3 fix: Mend")).encode())


def test_each_session_is_apart_with_lines_of_the_whole_file() -> None:
    """Sessions come oldest first; a launch in which nothing was said is none."""
    first, second = aider.sessions(SAMPLE)

    assert [("2026-10-05T09-13-02", "2026-10-05T09:13:02Z"), ("2026-10-06T08-00-10", "2026-10-06T08:00:10Z")] == [
        (one.session, one.started) for one in (first, second)
    ]
    whole = told(read(SAMPLE.read_bytes())[0])
    assert whole == [*told(list(first)), *told(list(second))]
    assert (172, 47) == (first.account.lines, second.account.lines)


def test_sessions_keep_their_ids_when_the_file_grows(tmp_path: Path) -> None:
    """The key of a session does not depend on what follows, nor do two of one second share it."""
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(f"{asked('/add a.py')}{asked('lost')}\n{HEADER}{asked('one')}\n{HEADER}{asked('two')}")
    before = [one.session for one in aider.sessions(path)]
    with path.open("a") as file:
        file.write("\nmore\n\n# aider chat started at 2026-10-09 00:00:00\n" + asked("three"))

    assert before == [one.session for one in aider.sessions(path)][:3]
    assert 3 == len(set(before))
    assert before[0] == read(asked("/add a.py") + asked("lost"))[1].session
    assert ["2026-10-05T09-13-02", "2026-10-05T09-13-02-2"] == before[1:]


def test_a_file_that_vanished_is_a_clear_error(tmp_path: Path) -> None:
    """What cannot be read is said with the file's name."""
    path = tmp_path / "gone.md"
    path.write_text(HEADER + asked("x"))
    (session,) = aider.sessions(path)
    path.unlink()

    with pytest.raises(HandoffError, match=r"gone\.md"):
        list(session)
    with pytest.raises(HandoffError, match=r"gone\.md"):
        aider.sessions(path)


def test_a_run_of_marked_lines_is_one_message() -> None:
    """Blank lines in a prompt are marked, too."""
    events = talk(asked("first", "", "    indented"))

    assert [(5, "prompt", "first\n\n    indented")] == told(events)


def test_each_line_of_the_talk_is_one_of_the_log() -> None:
    """A message and an answer know where each of their lines stands; an answer with edits in it only where it begins."""
    text = (
        "# aider chat started at 2026-10-02 08:00:00\n\n"
        + asked("Paint the hull.", "", "Use red.")
        + "\nI looked at it.\n\nIt will be red.\n"
    )
    events = talk(
        text + "\n" + asked("And the mast.") + "\nFirst the mast.\n\n" + block("mast.py", "a = 1", "a = 2") + "\nDone.\n"
    )
    lines = (HEADER + text).split("\n")
    prompt, said, _, edited = (event for event in events if event.kind in ("prompt", "text"))

    assert ["Paint the hull.", "", "Use red."] == [lines[row - 1].removeprefix("####").strip() for row in prompt.rows]
    assert said.text.split("\n") == [lines[row - 1] for row in said.rows]
    assert () == edited.rows


def test_an_edit_counts_only_if_aider_says_so() -> None:
    """One is made, one is skipped by the human, one is left."""
    answer = block("a.py", "x", "y") + "\n" + block("b.py", "x", "y") + "\n" + block("c.py", "x", "y")
    events, transcript = read(
        HEADER
        + asked("go")
        + f"\n{answer}\n"
        + own("Tokens: 1k sent, 2 received.", "Skipping edits to b.py", "Applied edit to a.py")
    )

    assert [(("b.py",), False), (("a.py",), True)] == edits(events)
    assert {"refused": True} == next(event.data for event in events if event.kind == "result")
    assert (3, 1) == (transcript.account.calls, transcript.account.unanswered)


def test_an_edit_has_what_was_before_and_what_is_after() -> None:
    """A block's texts are data of the call; what is said around it is the answer's text alone."""
    events = talk(
        asked("go")
        + f"\nI change it.\n\n{block('src/a.py', 'x = 1', 'x = 2')}\nThat is all.\n\n"
        + own("Applied edit to src/a.py")
    )

    call = next(event for event in events if event.kind == "call")
    assert (("src/a.py",), "x = 1", "x = 2", 11) == (call.paths, call.data["old"], call.data["new"], call.line)
    assert "I change it.\n\n\nThat is all." == next(event.text for event in events if event.kind == "text")


@pytest.mark.parametrize(
    "answer",
    [
        f"{FENCE}python\nsrc/a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n{FENCE}",
        f"{FENCE}\nsrc/a.py\n<<<<<<< ORIGINAL\nold\n=======\nnew\n>>>>>>> UPDATED\n{FENCE}",
        f"**`a.py`**:\n\n{FENCE}\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n{FENCE}",
        "a.py\n<source>\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n</source>",
    ],
)
def test_a_file_is_named_before_the_block_or_in_its_fence(answer: str) -> None:
    """In each of the places where models put it, and with its folder left out."""
    events = talk(asked("go") + f"\n{answer}\n\n" + own("Applied edit to src/a.py"))

    call = next(event for event in events if event.kind == "call")
    assert (("src/a.py",), "old", "new") == (call.paths, call.data["old"], call.data["new"])


def test_several_blocks_of_one_file_are_several_edits() -> None:
    """Older versions say once for each that it was made, newer ones once for the file."""
    answer = block("a.py", "1", "2") + "\nAnd\n\n" + block("a.py", "3", "4")
    newer = talk(asked("go") + f"\n{answer}\n" + own("Applied edit to a.py"))
    older = talk(asked("go") + f"\n{answer}\n" + own("Applied edit to a.py", "Applied edit to a.py"))

    assert [(("a.py",), True)] * 2 == edits(newer) == edits(older)


def test_a_whole_file_is_written() -> None:
    """The format in which a model gives all of a file."""
    events = talk(asked("go") + f"\nnotes.txt\n{FENCE}\none\ntwo\n{FENCE}\n\n" + own("Applied edit to notes.txt"))

    call = next(event for event in events if event.kind == "call")
    assert ("write", ("notes.txt",), "one\ntwo\n") == (call.tool, call.paths, call.data["content"])


def test_differences_are_patches() -> None:
    """The formats in which a model gives a diff, and the grammar of patches."""
    diff = f"{FENCE}diff\n--- a.py\n+++ a.py\n@@ @@\n-x\n+y\n{FENCE}\n"
    patch = "*** Begin Patch\n*** Update File: b.py\n@@\n-x\n+y\n*** End Patch\n"
    events = talk(asked("go") + f"\n{diff}\n{patch}\n" + own("Applied edit to a.py", "Applied edit to b.py"))

    calls = [event for event in events if event.kind == "call"]
    assert [(("a.py",), True), (("b.py",), True)] == [(call.paths, "+y" in call.data["patch"]) for call in calls]


def test_an_edit_of_which_only_aider_tells_has_its_file() -> None:
    """Where the answer is cut or in a form of its own."""
    events = talk(asked("go") + "\nDone.\n\n" + own("Applied edit to a.py"))

    assert [(("a.py",), True)] == edits(events)


def test_fences_in_an_example_are_no_edits() -> None:
    """What /ask shows is an example, and a fence without a name is text."""
    events = talk(
        asked("/ask how?") + asked(" how?") + f"\nSo:\n\n{block('a.py', 'x', 'y')}\n" + own("Tokens: 1k sent, 2 received.")
    )

    assert ["prompt", "text"] == [event.kind for event in events]
    assert ("how?", {"command": "/ask"}) == (events[0].text, events[0].data)


def test_undo_takes_back_the_commit_that_it_names() -> None:
    """`/undo` is no prompt; what it removed is an undo."""
    events = talk(
        asked("go")
        + own("Applied edit to a.py", "Commit 1111111 feat: A")
        + asked("/undo")
        + own("Removed: 1111111 feat: A", "Now at:  0000000 Base")
    )

    assert [("human", "1111111")] == [(event.actor, event.data["commit"]) for event in events if event.kind == "undo"]
    assert 1 == sum(event.kind == "prompt" for event in events)


def test_a_jump_further_back_takes_all_between_with_it() -> None:
    """`Now at` a commit before the one that was there shows that the human has reset by hand."""
    made = own("Commit 1111111 feat: A") + asked("b") + own("Commit 2222222 feat: B") + asked("c") + own("Commit 3333333 feat: C")
    events = talk(asked("a") + made + asked("/undo") + own("Removed: 3333333 feat: C", "Now at:  1111111 feat: A"))
    by_git = talk(asked("a") + made + asked("/git reset --hard 1111111") + own("HEAD is now at 1111111 feat: A"))

    assert ["3333333", "2222222"] == [event.data["commit"] for event in events if event.kind == "undo"]
    assert ["3333333", "2222222"] == [event.data["commit"] for event in by_git if event.kind == "undo"]


def test_undo_that_was_refused_takes_back_nothing() -> None:
    """Aider undoes only what it committed itself in this chat."""
    events = talk(
        own("Commit 1111111 feat: A") + asked("/undo") + own("The last commit was not made by aider in this chat session.")
    )

    assert [] == [event for event in events if event.kind == "undo"]


def test_commits_of_the_humans_own_changes_are_the_humans() -> None:
    """Those before edits, those that `/commit` takes, and those of the older versions' question."""
    events = talk(
        asked("go")
        + own(
            "Committing a.py before applying edits.",
            "Commit 1111111 chore: Mine",
            "Applied edit to a.py",
            "Commit 2222222 feat: Its",
        )
        + asked("/commit")
        + own("Commit 3333333 docs: Mine")
        + asked("on")
        + own("Commit before the chat proceeds [y/n/commit message]? y", "Commit 4444444 style: Mine")
    )

    assert [
        ("human", "1111111 chore: Mine"),
        ("agent", "2222222 feat: Its"),
        ("human", "3333333 docs: Mine"),
        ("human", "4444444 style: Mine"),
    ] == commits(events)


def test_a_commit_that_failed_is_none() -> None:
    """Git's own exit status is told."""
    events = talk(asked("go") + own("Applied edit to a.py", "Unable to commit: Cmd('git') failed due to: exit code(128)"))

    result = events[-1]
    assert ("shell", False, 128) == (result.tool, result.ok, result.exit)


def test_false_headers_are_text() -> None:
    """Headings, quotations and shell comments in an answer belong to it."""
    answer = "#### Step 1\n\n> quoted\n\n# aider chat started at noon\n\n```sh\n# install\n#### not a prompt\n> Applied edit to a.py\n```"
    events = talk(asked("go") + f"\n{answer}\n\n" + own("Tokens: 1k sent, 2 received."))

    assert ["prompt", "text"] == [event.kind for event in events]
    assert answer == events[1].text


def test_what_did_not_fit_is_no_answer() -> None:
    """Aider's account of a block that did not match holds blocks, headings and code; the answer begins behind it."""
    failed = (
        "> # 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py\n"
        "<<<<<<< SEARCH\nx  \n=======\ny\n>>>>>>> REPLACE\n\nThe SEARCH section must exactly match an existing block of lines\n\n"
    )
    events = talk(
        asked("go")
        + f"\n{block('a.py', 'x', 'y')}\n"
        + own("The LLM did not conform to the edit format.")
        + failed
        + "I see.\n\n"
        + own("Tokens: 1k sent")
    )

    assert [(("a.py",), False)] == edits(events)
    assert ["I see."] == [event.text for event in events if event.kind == "text"]


def test_commands_that_were_let_run_have_no_result() -> None:
    """What they printed is not in the log; a command on a line of its own without a mark is no answer."""
    events, transcript = read(
        HEADER
        + asked("go")
        + own("make build      ")[:-1]
        + "\nmake test  \n"
        + own("Run shell commands? (Y)es/(N)o [Yes]: y", "Running make build", "Running make test")
    )

    assert [("call", "make build"), ("call", "make test")] == [(event.kind, event.text) for event in events[1:]]
    assert 2 == transcript.account.unanswered


def test_commands_that_the_human_declined_are_refused() -> None:
    """Each of them, on a mark of its own or not."""
    events = talk(asked("go") + "> make build  \nmake test  \n" + own("Run shell commands? (Y)es/(N)o [Yes]: n"))

    refused = [event.call for event in events if event.data.get("refused")]
    assert ["make build", "make test"] == [event.text for event in events if event.kind == "call" and event.call in refused]


def test_what_the_human_ran_is_the_humans() -> None:
    """Its output belongs to it, also where that looks like something else; a failure shows."""
    events = talk(
        asked("/run make")
        + "> cc -c a.c\n#### a.c\n> warning\nTraceback (most recent call last):\n  done  \n"
        + own("Add 1k tokens of command output to the chat? (Y)es/(N)o [Yes]: n")
    )

    call, result = events
    assert ("human", "make", False) == (call.actor, call.text, result.ok)
    assert "Add 1k" not in result.text


def test_a_plan_for_another_model_is_approved() -> None:
    """The architect's answer is a plan; its echo in the human's place is no prompt."""
    events, transcript = read(SAMPLE.read_bytes())

    answer = next(event for event in events if event.kind == "answer")
    assert (True, "Plan for the cache:") == (answer.data["approved"], answer.data["plan"].partition("\n")[0])
    assert 1 == sum(event.kind == "prompt" and event.line > 185 and event.line < 214 for event in events)
    assert 2 == transcript.account.repeated


def test_only_an_answer_can_be_interrupted() -> None:
    """Ctrl-C at the prompt stops nothing."""
    idle = talk(own("^C again to exit"))
    stopped = talk(
        asked("go") + own("^C KeyboardInterrupt") + "\nI wa\n\n" + own("Tokens: 1k sent, 2 received.", "^C again to exit")
    )

    assert [] == idle
    assert ["prompt", "interrupt", "text"] == [event.kind for event in stopped]


def test_a_fence_that_an_interrupted_answer_left_open_ends_with_it() -> None:
    """The next prompt is a prompt."""
    events = talk(asked("go") + f"\n{FENCE}python\nx = 1\n\n" + own("Tokens: 1k sent, 2 received.") + asked("on"))

    assert ["go", "on"] == [event.text for event in events if event.kind == "prompt"]


def test_a_file_without_its_trailing_spaces_is_read() -> None:
    """Editors strip them; then prompts, commits and edits are still told apart, and headings of answers are not prompts."""
    data = "\n".join(line.rstrip() for line in SAMPLE.read_text().split("\n"))
    events, transcript = read(data)

    expected = read(SAMPLE.read_bytes())[0]
    for kind in ("prompt", "undo", "answer"):
        assert [event.text for event in expected if event.kind == kind] == [event.text for event in events if event.kind == kind]
    assert commits(expected) == commits(events)
    assert edits(expected) == edits(events)
    assert [] == transcript.account.skipped


def test_a_cut_line_is_noted() -> None:
    """The writer may still be at it."""
    assert read(HEADER + asked("go") + "\nI am wri")[1].incomplete


@pytest.mark.parametrize(
    "text",
    [
        "> Applied edit to a.py  \n" * 20_000,
        "<<<<<<< SEARCH\n" * 40_000,
        f"{FENCE}\n" * 60_000,
        "#### x  \n\n" * 20_000,
        "> Commit 1111111 x  \n> Now at: 1111111 x  \n" * 10_000,
        "> Skipping edits to " + " that matches" * 20_000 + "\n",
        "> x\n" + "y\n" * 100_000,
    ],
)
def test_endless_marks_take_no_time(text: str) -> None:
    """What opens again and again is looked at once."""
    events = talk(text)

    assert len(events) < 100_000


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damage_never_raises(data: st.DataObject) -> None:
    """Bytes cut out, lines swapped, bytes put in: events stand on lines of the file."""
    raw = SAMPLE.read_bytes()
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 2_000)))
    damaged = raw[:start] + data.draw(st.binary(max_size=20)) + raw[end:]
    if data.draw(st.booleans()):
        lines = damaged.split(b"\n")
        damaged = b"\n".join(data.draw(st.permutations(lines[:40]))) + b"\n" + b"\n".join(lines[40:])
    events, transcript = read(damaged)

    assert all(1 <= event.line <= transcript.account.lines for event in events)
    assert transcript.account.calls >= transcript.account.results


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the checkout")
def test_real_histories_are_read() -> None:
    """Every commit of Aider's is told once, nothing is skipped, and the sessions together are the whole."""
    logs = sorted(CORPUS.glob("*.md"))

    assert logs
    for log in logs:
        lines = log.read_text().split("\n")
        transcript = open_transcript(log)
        events = list(transcript)
        shown = [line for line in lines if line.startswith("> Commit ") and line[9:16].isalnum() and line[16] == " "]

        assert ("aider", [], 0) == (transcript.format, transcript.account.skipped, transcript.account.unanswered)
        assert len(shown) == len(commits(events))
        assert sum(line.startswith("> Removed: ") for line in lines) == sum(event.text.startswith("Removed:") for event in events)
        apart = [one for session in aider.sessions(log) for one in told(list(session)) if one[1] != "injected"]
        assert [one for one in told(events) if one[1] != "injected"] == apart
