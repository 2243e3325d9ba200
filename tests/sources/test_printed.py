"""What a command's output says of its end."""

import pytest

from handoffsite.sources.printed import has_failed, is_refusal


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("make", "cc -o a a.c", False),
        ("make", "make: *** [all] Error 2", True),
        ("pytest", "3 passed in 0.1s", False),
        ("pytest", "1 failed, 2 passed in 0.1s", True),
        ("npx vitest run", "Tests  0 failed | 3 passed", False),
        ("npm install x", "npm ERR! code E404", True),
        ("python a.py", "Traceback (most recent call last):\n  File", True),
        ("frobnicate", "bash: frobnicate: command not found", True),
        ("git push", "fatal: no upstream", True),
        ("cargo build", "error[E0308]: mismatched types", True),
        ("npx tsc", "a.ts(1,2): error TS2304: no name", True),
        ("cat build.log", "make: *** [all] Error 2", False),
        ("cat build.log", "bash: cat: command not found", True),
        ("grep -rn Error .", "a.py:3:ValueError: x", False),
        ("make", "x\n" * 100_000 + "make: *** [all] Error 2", True),
        ("make", "", False),
    ],
)
def test_a_failure_is_told_by_what_was_printed(command: str, output: str, expected: bool) -> None:
    """At the beginning or at the end; what only shows a file says nothing of itself."""
    assert expected == has_failed(command, output)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exec command rejected by user", True),
        ("The user doesn't want to proceed with this tool use.", True),
        ("User has declined.", True),
        ("rejected by user approval settings", False),
        ("connection refused", False),
        ("", False),
    ],
)
def test_a_refusal_is_told_by_its_words(text: str, expected: bool) -> None:
    """Only what the human did not let happen is refused."""
    assert expected == is_refusal(text)
