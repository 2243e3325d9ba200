"""Attempts: what failed and was given up, and what was only a slip or was mended."""

import pytest

from handoffsite.extract.attempts import Attempts
from handoffsite.extract.step import Step
from handoffsite.records.transcript import Event


def ran(command: str, output: str = "", exit: int = 0, description: str = "") -> Step:
    call = Event(line=1, kind="call", tool="shell", data={"command": command, "input": {"description": description}})
    return Step(call, Event(line=2, kind="result", text=output, ok=exit == 0, exit=exit), command)


def edited(path: str, *, ok: bool, text: str = "b") -> Step:
    call = Event(line=3, kind="call", tool="edit", name="Edit", paths=(path,), data={"old": "a", "new": text})
    return Step(
        call,
        Event(line=4, kind="result", text="" if ok else "<tool_use_error>File has not been read yet.</tool_use_error>", ok=ok),
    )


def given_up(*steps: Step | Event) -> list[tuple[str, str]]:
    attempts = Attempts()
    for step in steps:
        if isinstance(step, Event):
            attempts.remark(step, step.text)
        else:
            attempts.step(step)
    return [(limit.tried, limit.outcome) for limit in attempts.given_up()]


NO_TOOL = "npm error could not determine executable to run"


def test_a_tool_that_is_not_there_and_the_way_around_it() -> None:
    """The error is the outcome, and what worked instead is told with it."""
    found = given_up(
        ran("npx flowlint build.yml", NO_TOOL, 1, "Lint the workflow"),
        ran("go-flowlint build.yml", description="Lint the workflow"),
    )

    assert [("`npx flowlint build.yml`", f"{NO_TOOL}; `go-flowlint build.yml` worked")] == found


@pytest.mark.parametrize(
    ("error", "tried", "outcome"),
    [
        (
            "ResponseError: CROSSSLOT Keys in request don't hash to the same slot",
            "ResponseError: CROSSSLOT Keys in request don't hash to the same slot",
            "`pytest -q` failed",
        ),
        (
            "NoPermissionError: User app has no permissions to run the 'eval' command",
            "`eval`",
            "NoPermissionError: User app has no",
        ),
    ],
    ids=["not named", "named"],
)
def test_what_a_check_showed_to_be_refused_is_not_the_check(error: str, tried: str, outcome: str) -> None:
    """Nobody is told not to run the tests again: what is not allowed is told, and which check showed it."""
    said = Event(line=5, kind="text", text="The managed plan does not allow that, so two requests it is.")

    found = given_up(ran("pytest -q", error, 1), said, edited("a.py", ok=True), ran("pytest -q", "9 passed"))

    assert [tried] == [one for one, _ in found]
    assert found[0][1].startswith(outcome)


@pytest.mark.parametrize(
    "steps",
    [
        [ran("npx flowlint a.yml", NO_TOOL, 1), ran("npx flowlint a.yml")],
        [ran("cat missing.txt", "cat: missing.txt: No such file or directory", 1)],
        [ran("grep -n x a.py", "", 1)],
        [ran("pytest -q", "1 failed", 1), ran("pytest -q", "1 failed", 1), ran("pytest -q", "1 failed", 1)],
        [ran("find / -name x", "find: '/root': Permission denied", 1)],
        [ran("python gen.py", "SyntaxError: invalid syntax", 1)],
        [ran("./deploy.sh", "some other trouble", 1)],
    ],
    ids=["mended", "wrong path", "nothing found", "failing tests", "noise of a search", "typo", "once only"],
)
def test_slips_and_unfinished_work_are_no_constraints(steps: list[Step]) -> None:
    """Only what the environment refuses, or what failed again and again, is worth telling."""
    assert [] == given_up(*steps)


def test_what_fails_again_and_again_is_a_constraint() -> None:
    """Three times the same error, and never a success."""
    step = ran("npm run build", "> build\nTypeError: generate is not a function", 1)

    assert [("`npm run build`", "TypeError: generate is not a function (3 times)")] == given_up(step, step, step)


def test_a_pipe_hides_no_refusal() -> None:
    """The exit status of `head` says nothing of the command before it."""
    step = ran("tool doctor 2>&1 | head -5", "failed to ask: could not open a new TTY", 0)

    assert [("`tool doctor`", "failed to ask: could not open a new TTY")] == given_up(step)


def test_a_guard_that_the_session_wrote_is_no_limit() -> None:
    """The message stands in what was just written: the guard works as it should."""
    steps = (
        edited("pub.ts", ok=True, text="throw 'Refusing to publish the draft'"),
        ran("bun pub.ts", "Refusing to publish the draft", 1),
    )

    assert [] == given_up(*steps)


def test_files_that_the_editor_refused_for_good() -> None:
    """Refused again and again and never edited after; an edit that worked in the end is no constraint."""
    refused = edited("a.py", ok=False)

    assert [("Edit on a.py", "File has not been read yet. (2 times)")] == given_up(refused, refused)
    assert [] == given_up(refused, refused, edited("a.py", ok=True))


def test_the_agents_word_that_a_command_did_not_do() -> None:
    """No error, but the agent sees that it hangs, and another way works."""
    said = Event(line=5, kind="text", text="The command is waiting for input. Let me give the answers.")
    found = given_up(ran("npm create shop site"), said, ran("npm create shop site -- --yes"))

    assert [("`npm create shop site`", "The command is waiting for input.; `npm create shop site -- --yes` worked")] == found


def test_an_import_that_was_given_up() -> None:
    """The check passes in the end, and the package was never installed."""
    missing = ran("npx tsc", "a.ts(1,1): error TS2307: Cannot find module 'left-pad'", 1)
    outcome = "a.ts(1,1): error TS2307: Cannot find module 'left-pad'; done without it"

    assert [("Importing `left-pad`", outcome)] == given_up(missing, ran("npx tsc"))
    assert [] == given_up(missing, ran("npm install left-pad"), ran("npx tsc"))


def said(text: str) -> Event:
    return Event(line=5, kind="text", actor="agent", text=text)


@pytest.mark.parametrize(
    ("expected", "steps"),
    [
        (
            [("`tally run sums.yml --only north`", "error: unknown argument; `tally run sums.yml --pick north` worked")],
            [
                ran("tally run sums.yml --only north", "error: unknown argument", 2),
                ran("tally run --help"),
                ran("tally run sums.yml --pick north"),
            ],
        ),
        (
            [
                (
                    "`git rebase --continue`",
                    "error: there was a problem with the editor; `GIT_EDITOR=true git rebase --continue` worked",
                )
            ],
            [
                ran("git rebase --continue", "error: there was a problem with the editor", 1),
                ran("git add a.md && GIT_EDITOR=true git rebase --continue"),
            ],
        ),
        (
            [
                (
                    "`gh pr edit 7 --body-file body.md`",
                    "GraphQL: boards are sunset; `gh api repos/o/r/pulls/7 -X PATCH -f body=@body.md` worked",
                )
            ],
            [
                ran("gh pr edit 7 --body-file body.md", "GraphQL: boards are sunset", 1),
                ran("gh pr view 7 --json body"),
                ran("gh api repos/o/r/pulls/7 -X PATCH -f body=@body.md"),
            ],
        ),
        ([("`npm publish`", "error: the package does not build")], [ran("npm publish", "error: the package does not build", 1)]),
        (
            [("`git commit -m x`", "pages.ts(2,3): error TS1: no such colour")],
            [
                ran("git commit -m x", "pages.ts(2,3): error TS1: no such colour\nhusky - pre-commit script failed", 1),
                said("Oops! The sample page still names the old colour."),
                ran("git commit -m x"),
            ],
        ),
        ([], [ran("git commit -m x", "error: no such colour\nhusky - pre-commit failed", 1), ran("git commit -m x")]),
        (
            [("`npm run build`", "a.ts(1,1): error TS2: 'href' does not exist in type 'Link'")],
            [
                ran("npm run build 2>&1 | tail -3", "a.ts(1,1): error TS2: 'href' does not exist in type 'Link'"),
                said("It reads the compiled types. We need to rebuild the link package first."),
                ran("npm run build"),
            ],
        ),
        ([], [ran("tally sum a.csv -v", "error: row 3 is odd", 1), ran("tally sum a.csv")]),
    ],
    ids=["option", "variable", "same program", "never published", "hook", "hook without a word", "stale build", "retry"],
)
def test_another_way_with_the_same_program_is_told(expected: list[tuple[str, str]], steps: list[Step | Event]) -> None:
    """What the same program did when asked otherwise, what a hook stopped, and what had to be built first."""
    assert expected == given_up(*steps)
