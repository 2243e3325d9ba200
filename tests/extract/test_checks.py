"""Checks: how each ended last, and what was changed after it."""

import pytest

from handoffsite.extract.checks import Checks, summary
from handoffsite.extract.step import Step
from handoffsite.records.transcript import Event


def run(command: str, output: str = "", exit: int = 0) -> Step:
    call = Event(line=1, kind="call", tool="shell", data={"command": command})
    return Step(call, Event(line=2, kind="result", text=output, ok=exit == 0, exit=exit), command)


def checked(*steps: Step) -> Checks:
    checks = Checks()
    for number, step in enumerate(steps):
        checks.step(step, 1, number)
    return checks


@pytest.mark.parametrize(
    ("passing", "failing", "steps"),
    [
        (["pytest -q"], [], [run("pytest -q", "1 failed", 1), run("pytest -q", "3 passed")]),
        ([], ["pytest -q"], [run("pytest -q", "3 passed"), run("pytest -q", "1 failed", 1)]),
        ([], ["pytest -q"], [run("pytest -q | tail -1", "1 failed, 2 passed")]),
        (
            ["cargo build --release"],
            [],
            [run("cargo build --release && timeout 9 cargo run", "Finished `release` profile in 2s\nno fix", 124)],
        ),
        ([], ["npm test"], [run("pytest -q", "3 passed"), run("npm test", "failed", 1)]),
        (["ruff check"], ["pytest"], [run("ruff check"), run("pytest", "E", 2)]),
        (["pytest tests"], [], [run("pytest tests/a.py", "1 failed", 1), run("pytest tests", "9 passed")]),
        ([], [], [run("ls")]),
    ],
)
def test_the_last_run_counts(passing: list[str], failing: list[str], steps: list[Step]) -> None:
    """A later failure of the same kind contradicts, and a later success settles it."""
    checks = checked(*steps)

    assert passing == [one.command for one in checks.passing()]
    assert failing == [one.command for one in checks.failing()]


def test_a_run_that_was_rolled_back_never_happened() -> None:
    """Checks of turns that are undone are forgotten."""
    checks = checked(run("pytest"))
    checks.undo(1)

    assert [] == list(checks.passing())


def test_the_summary_names_kinds_and_commands() -> None:
    """One line; what is older than the last change says so."""
    runs = list(checked(run("mise run lint"), run("pytest"), run("npm run build")).passing())

    assert "Tests, lint and build pass: `mise run lint`, `pytest`, `npm run build`" == summary(runs, changed=1)
    assert summary(runs, changed=5).endswith(" (before the last changes)")
    assert "Type check passes: `npx tsc`" == summary(list(checked(run("npx tsc")).passing()), changed=-1)
