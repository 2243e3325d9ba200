"""Packages that were tried and taken out again."""

from handoffsite.extract.step import Step
from handoffsite.extract.trials import Trials
from handoffsite.records.transcript import Event


def run(line: int, command: str, output: str = "", exit: int = 0) -> Step:
    call = Event(line=line, kind="call", tool="shell", data={"command": command})
    return Step(call, Event(line=line + 1, kind="result", text=output, ok=exit == 0, exit=exit), command)


def given_up(*talk: Step | Event) -> list[tuple[str, str, str]]:
    trials, found = Trials(), []
    for part in talk:
        if isinstance(part, Event):
            trials.text(part)
        else:
            found += list(trials.step(part))
    return [(limit.tried, limit.outcome, limit.because) for limit in found]


WORDS = Event(line=5, kind="text", text="The tests are fine. frost does not stop the clock of the server. I take it out.")


def test_a_package_that_failed_and_was_removed_is_a_limit() -> None:
    """The failing line is the outcome, the agent's reason the cause."""
    talk = (
        run(1, "pip install frost==1.5 && pytest -q", "Successfully installed frost-1.5\nE   assert 200 == 401\n1 failed", 1),
        WORDS,
        run(6, "pip uninstall -y frost", "Successfully uninstalled frost-1.5"),
    )

    assert [("`frost`", "assert 200 == 401", "frost does not stop the clock of the server.")] == given_up(*talk)


def test_a_package_that_worked_was_not_given_up() -> None:
    """Neither a failure of something else nor a removal alone is a limit."""
    assert [] == given_up(run(1, "pip install frost"), run(3, "curl x", "curl: no route", 7), run(5, "pip uninstall -y frost"))
    assert [] == given_up(run(1, "pip install frost && pytest", "E   assert 1 == 2\n1 failed", 1), WORDS)
