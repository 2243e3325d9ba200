"""Deeds: what worked is noted, and what was taken back no longer holds."""

from typing import Any

import pytest

from handoffsite.extract.deeds import Deeds
from handoffsite.extract.step import Step
from handoffsite.records.transcript import Event


def edit(path: str, old: str = "a", new: str = "b", *, ok: bool = True, message: str = "") -> Step:
    call = Event(line=1, kind="call", tool="edit", paths=(path,), data={"old": old, "new": new})
    return Step(call, Event(line=2, kind="result", text=f"{path} updated", ok=ok, message=message))


def run(command: str, output: str = "", exit: int = 0) -> Step:
    call = Event(line=3, kind="call", tool="shell", data={"command": command})
    return Step(call, Event(line=4, kind="result", text=output, ok=exit == 0, exit=exit), command)


def commit(sha: str, subject: str = "Do it") -> Step:
    return run(f"git commit -am '{subject}'", f"[main {sha}] {subject}\n 1 file changed")


def held(*steps: Step | Event | str) -> list[str]:
    """What holds in the end: kinds with their files or words. A text begins a turn."""
    deeds = Deeds()
    deeds.roots = ["/srv/app"]
    for step in steps:
        if isinstance(step, str):
            deeds.begin(step)
        elif isinstance(step, Event):
            deeds.undo(step)
        else:
            deeds.step(step, "")
    return [f"{deed.kind} {' '.join(deed.paths) or deed.text}".strip() for deed in deeds.live() if deed.kind != "other"]


@pytest.mark.parametrize(
    ("expected", "step"),
    [
        (["edit a.py"], edit("a.py")),
        ([], edit("a.py", ok=False)),
        (["write notes.md"], run("cat > notes.md <<'EOF'\nhi\nEOF")),
        (["edit conf/app.ini"], run("sed -i 's/a/b/' conf/app.ini")),
        ([], run("echo x > /tmp/scratch.txt && cat /tmp/scratch.txt", exit=1)),
        (["commit Do it"], commit("abc1234")),
        (["push Pushed to main"], run("git push", "To example.test:a.git\n   111111..222222  main -> main")),
        (
            ["request Opened pull request https://example.test/a/b/pull/7"],
            run("gh pr create --fill", "https://example.test/a/b/pull/7\n"),
        ),
        (["scaffold npm create shop site"], run("npm create shop site", "done")),
        (["outward npm publish"], run("npm publish", "+ shop@1.0.0")),
        ([], run("git status", "clean")),
        ([], edit("/home/dev/.claude/plans/x.md")),
    ],
)
def test_what_worked_is_noted(expected: list[str], step: Step) -> None:
    """Edits, files that a shell wrote, commits, pushes and the like; not what failed, only looked, or is the client's own."""
    assert expected == held(step)


@pytest.mark.parametrize(
    ("expected", "steps"),
    [
        ([], [edit("a.py"), edit("a.py", "b", "a")]),
        (["edit b.py"], [edit("a.py"), edit("b.py"), run("git checkout -- a.py")]),
        (["edit b.py"], [edit("/srv/app/src/a.py"), edit("b.py"), run("git restore src")]),
        ([], [edit("a.py"), edit("b.py"), run("git checkout .")]),
        (["edit a.py"], [edit("a.py"), run("git checkout -b feature")]),
        (["edit a.py"], [edit("a.py"), run("git restore --staged a.py")]),
        ([], [edit("a.py"), run("rm a.py")]),
        (["edit src/a.py"], [edit("src/a.py"), run("rm ./src.tar")]),
        ([], [edit("a.py"), run("git stash")]),
        (["edit a.py"], [edit("a.py"), run("git stash"), run("git stash pop")]),
        ([], [edit("a.py"), commit("aaaaaaa"), run("git reset --hard HEAD~1")]),
        (["edit a.py"], [edit("a.py"), commit("aaaaaaa"), run("git reset --soft HEAD~1")]),
        (["edit a.py", "commit Do it"], [edit("a.py"), commit("aaaaaaa"), edit("b.py"), run("git reset --hard")]),
        ([], [edit("a.py"), commit("aaaaaaa"), run("git reset --hard origin/main")]),
        (["commit Two"], [commit("aaaaaaa", "One"), commit("bbbbbbb", "Two"), run("git revert --no-edit aaaaaaa")]),
        (["commit One"], [commit("aaaaaaa", "One"), commit("bbbbbbb", "Two"), run("git revert HEAD", '[main c] Revert "Two"')]),
        (["commit New"], [commit("aaaaaaa", "Old"), run("git commit --amend -m New", "[main bbbbbbb] New")]),
        (["delete a.py"], [run("git rm a.py", "rm 'a.py'")]),
    ],
)
def test_what_was_taken_back_no_longer_holds(expected: list[str], steps: list[Step]) -> None:
    """Checked out, stashed, removed, reset, reverted, amended, or edited back."""
    assert expected == held(*steps)


@pytest.mark.parametrize(
    ("expected", "data"),
    [
        (["edit a.py"], {"turns": 1}),
        ([], {"turns": 2}),
        (["edit a.py"], {"message": "p2"}),
        (["edit a.py"], {"message": "m9"}),
        (["edit a.py", "edit b.py"], {"message": "unknown"}),
        (["edit a.py", "edit b.py"], {"turns": "many"}),
    ],
)
def test_a_rollback_takes_back_what_came_after(expected: list[str], data: dict[str, Any]) -> None:
    """By turns, by the human's message, or by the agent's."""
    undo = Event(line=9, kind="undo", data=data)

    assert expected == held("p1", edit("a.py"), "p2", edit("b.py", message="m9"), undo)


def test_a_commit_that_is_undone_takes_its_edits_with_it() -> None:
    """What came before it stays."""
    undo = Event(line=9, kind="undo", data={"commit": "bbbbbbb"})
    steps = ("p1", edit("a.py"), commit("aaaaaaa", "One"), edit("b.py"), commit("bbbbbbb", "Two"), undo)

    assert ["edit a.py", "commit One"] == held(*steps)


def test_edits_for_one_purpose_are_one_deed() -> None:
    """The same file, edited again in the same breath, is one change with several proofs."""
    deeds = Deeds()
    for new in "bcd":
        deeds.step(edit("a.py", "x", new), "Tidy up")

    (deed,) = deeds.live()
    assert 3 == len(deed.proofs)


def test_what_the_human_committed_is_not_the_sessions_work() -> None:
    """Some clients commit the human's own changes before they begin."""
    call = Event(line=1, kind="call", actor="human", tool="shell", data={"command": "git commit"})
    deeds = Deeds()
    deeds.step(Step(call, Event(line=2, kind="result", text="[main abc1234] Mine", ok=True), "git commit"), "")

    assert [] == list(deeds.live())


def test_a_commit_of_what_was_taken_out_again_is_gone() -> None:
    """What else it holds keeps it."""
    put, out = edit("a.ini", "", "remote = mirror"), edit("a.ini", "[a]\nremote = mirror", "[a]")

    assert ["edit a.ini", "commit Drop it"] == held(
        "p1", put, commit("aaaaaaa", "Set it"), "p2", out, commit("bbbbbbb", "Drop it")
    )
    assert ["commit Drop it"] == held(
        "p1", put, commit("aaaaaaa", "Set it"), "p2", edit("a.ini", "remote = mirror", ""), commit("bbbbbbb", "Drop it")
    )
    assert ["edit b.ini", "commit Set it", "edit a.ini"] == held("p1", put, edit("b.ini"), commit("aaaaaaa", "Set it"), "p2", out)


def test_a_rehearsal_is_no_push() -> None:
    """Nor is an issue closed by asking how."""
    shown = "To example.test:a.git\n   111111..222222  main -> main"

    assert [] == held(run("git push --dry-run origin main", shown), run("glab issue close --help", "usage"))
    assert ["outward glab issue close 7"] == held(run("glab issue close 7", "closed"))
