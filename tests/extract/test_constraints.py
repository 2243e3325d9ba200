"""Constraints over a session: stated, shown, given up, undone."""

from handoffsite.extract.constraints import Constraints
from handoffsite.extract.deed import Deed
from handoffsite.extract.evidence import Proof
from handoffsite.extract.step import Step
from handoffsite.records.transcript import Event


def failed(command: str, error: str) -> Step:
    call = Event(line=2, kind="call", tool="shell", data={"command": command})
    return Step(call, Event(line=3, kind="result", text=error, ok=False, exit=1), command)


def said(line: int, text: str) -> Event:
    return Event(line=line, kind="text", text=text)


def asked(line: int, text: str) -> Event:
    return Event(line=line, kind="prompt", actor="human", text=text)


def test_a_failure_just_before_proves_what_is_stated() -> None:
    """Stated and shown: the constraint is active, and the failing line is its evidence."""
    constraints = Constraints()
    step = failed("helm upgrade shop", "Error: forbidden: quota")
    constraints.see(step.result, step)
    constraints.see(said(4, "That did not work because the namespace has no quota."), None)

    (limit,) = constraints.finish()
    assert ("active", "`helm upgrade shop`", "did not work") == (limit.status, limit.tried, limit.outcome)
    assert "the namespace has no quota" == limit.because
    assert ["transcript:3", "transcript:4"] == [proof.address for proof in limit.proofs]


def test_a_pronoun_without_a_failure_states_nothing() -> None:
    """Nobody could tell what "that" was."""
    constraints = Constraints()
    constraints.see(said(1, "That did not work because the namespace has no quota."), None)

    assert [] == constraints.finish()


def test_the_same_limit_said_again_is_one() -> None:
    """Every reason stays."""
    constraints = Constraints()
    constraints.see(said(1, "CONSTRAINT: the lock file approach did not work because the port is taken."), None)
    constraints.see(said(2, "CONSTRAINT: the lock file approach did not work because fsync is not honoured."), None)

    (limit,) = constraints.finish()
    assert "the port is taken; fsync is not honoured" == limit.because


def test_a_proposed_command_that_failed_in_the_humans_hands() -> None:
    """The human pastes the command that the agent proposed, and its error."""
    constraints = Constraints()
    constraints.see(said(1, "Then run:\n```\nbrew tap shop/tools ~/tools\n```"), None)
    constraints.see(asked(2, "$ brew tap shop/tools ~/tools\nError: Tap shop/tools remote mismatch."), None)

    (limit,) = constraints.finish()
    assert ("active", "`brew tap shop/tools ~/tools`") == (limit.status, limit.tried)
    assert "Error: Tap shop/tools remote mismatch." == limit.outcome


def test_an_undone_commit_is_a_constraint_if_the_human_says_why() -> None:
    """What went wrong stands in the prompt after the commit or after the undo; without it there is nothing to learn."""
    constraints = Constraints()
    made = [Proof("transcript:2")]
    constraints.see(asked(1, "Show totals"), None)
    constraints.see(asked(3, "TypeError: total is undefined"), None)
    constraints.undone([Deed(kind="commit", turn=1, text="Show totals in the tip", commit="aaaaaaa", proofs=made)], asked(4, ""))
    constraints.undone([Deed(kind="commit", turn=2, text="Round the sums", commit="bbbbbbb", proofs=made)], asked(5, ""))
    constraints.see(asked(6, "Now sort the rows"), None)

    (limit,) = constraints.finish()
    assert ("Show totals in the tip", "undone (commit aaaaaaa)") == (limit.tried, limit.outcome)
    assert "TypeError: total is undefined" == limit.because


def result(line: int, text: str) -> Step:
    call = Event(line=line - 1, kind="call", tool="shell", data={"command": "probe"})
    return Step(call, Event(line=line, kind="result", text=text, ok=True, exit=0), "probe")


def test_what_a_result_shows_and_the_agent_states_is_active() -> None:
    """Both lines are the evidence; what no result shows is not taken over."""
    constraints = Constraints()
    step = result(2, "cache/title.txt: the old title")
    constraints.see(step.result, step)
    constraints.see(said(3, "The preview still shows `cache/title.txt`, which means that it is a copy."), None)
    constraints.see(said(4, "The badge still shows `assets/badge.svg`, which means that it is another copy."), None)

    (limit,) = constraints.finish()
    assert ("active", "The preview") == (limit.status, limit.tried)
    assert ["transcript:2", "transcript:3"] == [proof.address for proof in limit.proofs]


def test_where_a_program_looks_matters_when_something_is_wrong() -> None:
    """How it works is no limit; that it takes the stale copy is one."""
    told = "The loader reads `dist/pages` first when it runs from a checkout."
    quiet, wrong = Constraints(), Constraints()
    for constraints, prompt in ((quiet, "How does the loader work?"), (wrong, "The page is still the old one")):
        constraints.see(asked(1, prompt), None)
        step = result(3, "dist/pages: found")
        constraints.see(step.result, step)
        constraints.see(said(4, told), None)

    assert [] == quiet.finish()
    assert ["The loader"] == [limit.tried for limit in wrong.finish()]


def test_what_the_human_takes_back_was_a_try() -> None:
    """What the agent said it had done, undone, with the human's reason; without an edit or a reason there is nothing to tell."""
    told = "Perfect! The list now waits for the next frame before it paints."
    for prompt, edit, expected in (
        (
            "you can undo that, the stray prints of the painter were to blame",
            True,
            ["The list now waits for the next frame before it paints"],
        ),
        ("I reverted your changes, the list of pages flickers", True, ["The list now waits for the next frame before it paints"]),
        ("undo", True, []),
        ("you can undo that, the stray prints of the painter were to blame", False, []),
    ):
        constraints = Constraints()
        constraints.see(asked(1, "The list flickers"), None)
        if edit:
            call = Event(line=2, kind="call", tool="edit", paths=("list.py",))
            step = Step(call, Event(line=3, kind="result", text="done", ok=True))
            constraints.see(step.result, step)
        constraints.see(said(4, told), None)
        constraints.see(asked(5, prompt), None)

        assert expected == [limit.tried for limit in constraints.finish()]
