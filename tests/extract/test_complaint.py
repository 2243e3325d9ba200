"""What a failing program prints: the telling line, and what kind of trouble it is."""

import pytest

from handoffsite.extract.complaint import is_hidden, is_limit, is_slip, lacks_tool, telling


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        (
            "TypeError: generate is not a function",
            "> build\nBuild error occurred\nTypeError: generate is not a function\n    at x.js:1",
        ),
        ("npm error code ENEEDAUTH", "npm warn old\nnpm error code ENEEDAUTH\nnpm error A complete log of this run"),
        ("cat: illegal option -- A", "cat: illegal option -- A\nusage: cat [-b] file"),
        ("File has not been read yet.", "<tool_use_error>File has not been read yet.</tool_use_error>"),
        ("last words", "one\nlast words\n"),
        ("", "\n"),
    ],
)
def test_the_telling_line_is_found(expected: str, output: str) -> None:
    """What says that it will never work comes first, then what names the error, then what sounds like one."""
    assert expected == telling(output)


@pytest.mark.parametrize(
    ("limit", "slip", "tool", "error"),
    [
        (True, False, True, "zsh: command not found: flowlint"),
        (True, False, False, "Error: EACCES, Permission denied"),
        (True, False, False, "ModuleNotFoundError: No module named 'x'"),
        (False, True, False, "ls: cannot access 'x': No such file or directory"),
        (False, True, False, "fatal: not a git repository"),
        (False, False, False, "1 failed, 2 passed"),
    ],
)
def test_kinds_of_trouble_are_told_apart(limit: bool, slip: bool, tool: bool, error: str) -> None:
    """A limit is worth telling, a slip is not, and a missing tool counts even where one only looks."""
    assert (limit, slip, tool) == (is_limit(error), is_slip(error), lacks_tool(error))


@pytest.mark.parametrize(
    ("expected", "command", "output"),
    [
        (True, "tool x | head -5", "error: unknown option"),
        (True, "tool x || true", "tool: permission denied"),
        (False, "tool x", "error: unknown option"),
        (False, "tool x | head -5", "All of these are not supported in the docs"),
    ],
)
def test_a_pipe_hides_an_exit_status(expected: bool, command: str, output: str) -> None:
    """Only a line that begins like an error, and only behind a pipe or the like."""
    assert expected is is_hidden(command, output)


def test_a_dump_of_one_line_tells_nothing() -> None:
    """The resolver's word counts, not what it printed in between."""
    dump = f"requirement error {'Candidate(x) ' * 60}"

    assert "resolver.NotFound: ResolutionImpossible: see the help" == telling(
        f"{dump}\nresolver.NotFound: ResolutionImpossible: see the help"
    )
