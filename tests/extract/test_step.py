"""Steps: calls find their results, and say whether they worked."""

import pytest

from handoffsite.extract.step import Calls, Step
from handoffsite.records.transcript import Event


@pytest.mark.parametrize(
    ("succeeded", "failed", "tool", "ok", "exit", "text"),
    [
        (True, False, "shell", True, 0, ""),
        (False, True, "shell", True, 1, ""),
        (False, True, "shell", False, None, ""),
        (False, False, "shell", None, None, "started"),
        (True, False, "edit", True, None, ""),
        (True, False, "edit", None, None, "a.py updated"),
        (False, False, "edit", None, None, "<tool_use_error>no</tool_use_error>"),
        (False, True, "write", False, None, "no space"),
    ],
)
def test_the_exit_status_has_the_last_word(
    succeeded: bool, failed: bool, tool: str, ok: bool | None, exit: int | None, text: str
) -> None:
    """A command that was only started neither worked nor failed yet."""
    step = Step(Event(line=1, kind="call", tool=tool), Event(line=2, kind="result", ok=ok, exit=exit, text=text))

    assert (succeeded, failed) == (step.succeeded, step.failed)


def test_what_the_human_refused_was_never_tried() -> None:
    """A refusal is neither success nor failure."""
    step = Step(Event(line=1, kind="call", tool="edit"), Event(line=2, kind="result", ok=False, data={"refused": True}))

    assert (False, False, True) == (step.succeeded, step.failed, step.refused)


def test_a_call_finds_its_result_and_stays_open_while_it_runs() -> None:
    """What was only started may end later; a result without a call is none."""
    calls = Calls()
    call = Event(line=1, kind="call", tool="shell", call="c1", data={"command": "make"})
    started = Event(line=2, kind="result", call="c1")
    ended = Event(line=9, kind="result", call="c1", ok=True, exit=0)

    assert calls.see(call) is None
    assert Step(call, started, "make") == calls.see(started)
    assert Step(call, ended, "make") == calls.see(ended)
    assert calls.see(ended) is None
    assert {} == calls.open
