"""The commits that a command's output shows."""

import pytest

from handoffsite.extract.commits import commits


@pytest.mark.parametrize(
    ("expected", "command", "text"),
    [
        ([("1a2b3c4", "Add a cache")], "git commit -m 'Add a cache'", "[main 1a2b3c4] Add a cache\n 1 file changed"),
        ([("1a2b3c4", "Add a cache")], "git commit -q -m 'Add a cache' && git log --oneline -1", "1a2b3c4 Add a cache"),
        ([("1a2b3c4", "Add a cache")], "git commit -q -F m && git log --oneline -1", "1a2b3c4 (HEAD -> main) Add a cache"),
        ([("1a2b3c4", "Add a cache")], "git commit -qam 'Add a cache' && git rev-parse --short HEAD", "12 passed\n1a2b3c4"),
        ([("1a2b3c4", "Add a cache")], 'git add -A; git commit -qm "Add a cache"; git show -s HEAD', "commit 1a2b3c4\nAuthor: a"),
        ([], "git commit -qam 'Add a cache'", ""),
        ([], "git commit -qam 'Add a cache' && git log --oneline -3", "99fffff Another one"),
        ([], "git log --oneline -1", "1a2b3c4 Add a cache"),
        ([], "git commit --dry-run -m x && git rev-parse HEAD", "1a2b3c4"),
    ],
)
def test_a_commit_is_seen_also_where_git_was_quiet(expected: list[tuple[str, str]], command: str, text: str) -> None:
    """What prints the last commit behind a quiet one tells its SHA; the subject has to agree."""
    assert expected == [(commit.sha, commit.subject) for commit in commits(command, text)]
