"""How the human wants something, in a short prompt."""

import pytest

from handoffsite.extract.specifics import specified, taken_back


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (["the gauge should be amber above 80 %"], "ok, the gauge should be amber above 80 %"),
        (["broken settings must never stop the start"], "wait, broken settings must never stop the start!"),
        (["rows must stop at the first comma"], "well, I think rows must stop at the first comma?"),
        (["call ours batch_size as well to be consistent"], "we should call ours batch_size as well to be consistent."),
        (["use named colours in the palettes"], "use named colours in the palettes, no numbers"),
        (["create two fixtures shared by all suites using tempfile"], "create two fixtures shared by all suites using tempfile"),
        (
            ["it doesn't need any server code, it's just documentation"],
            "basically it doesn't need any server code, it's just documentation",
        ),
        (["merge once CI is green"], "can you merge once CI is green."),
        (["minor, that is a big change"], "minor, that is a big change"),
        (["The two new log lines are fine"], "The two new log lines are fine, do those."),
        (["the plots that use flash are stale"], "the plots that use flash are stale because we removed them all"),
        (["border #a0b1c2; title text #00ff00"], "border #a0b1c2\ntitle text #00ff00"),
        (["readers -> core/readers; theme -> ui/theme"], "readers -> core/readers\ntheme -> ui/theme"),
        (["run the board from main from now on"], "run the board from main from now on"),
        (["the example states its unit"], "make sure the example states its unit."),
        (["each page needs its own title"], "each page needs its own title"),
        ([], "should the gauge be amber above 80 %?"),
        ([], "we should fix the tests"),
        ([], "make sure the tests pass"),
        ([], "check whether the issue is stale and should be closed"),
        ([], "the page should show the name but it fails with an error"),
        ([], "I don't think the pager works correctly"),
        ([], "can you add a test for the parser?"),
        ([], "use the browser tool to look at it"),
        ([], "def total(rows) -> int"),
        ([], "  1a2b3c4..5d6e7f8  main -> main"),
        ([], "x must hold. " * 400),
    ],
)
def test_how_it_shall_be_is_a_decision(expected: list[str], prompt: str) -> None:
    """Values, names, musts, scope and conditions; no task, no question, no complaint and nothing pasted."""
    found = list(specified(prompt))

    assert expected == [choice.title for choice in found]
    assert {"accepted"} >= {choice.status for choice in found}


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (True, "sorry, wrong window. ignore my last message"),
        (True, "Disregard the previous prompt"),
        (False, "do not ignore the last test"),
    ],
)
def test_a_prompt_for_another_session_is_taken_back(expected: bool, prompt: str) -> None:
    """What was said to the wrong agent decides nothing here."""
    assert expected == taken_back(prompt)


def test_a_prompt_of_any_size_is_read_in_bounded_time() -> None:
    """No pattern goes back and forth over a long line."""
    for piece in ("a ", "must be so and ", "x, y should ", "use the a, ", "if no merge ", "we want no a, "):
        assert len(list(specified((piece * 2_000)[:2_400]))) <= 7
