"""Reversal: which changes a shell command takes back."""

import pytest

from handoffsite.extract.deed import Deed
from handoffsite.extract.reversal import changed_lines, of_commit, removed, take_back, take_out


def deeds() -> list[Deed]:
    return [
        Deed(kind="edit", turn=1, paths=("src/a.py",), committed="aaaaaaa"),
        Deed(kind="commit", turn=1, commit="aaaaaaa"),
        Deed(kind="edit", turn=1, paths=("/srv/app/src/b.py",)),
    ]


@pytest.mark.parametrize(
    ("gone", "command"),
    [
        (False, "git status"),
        (False, "rm unrelated.txt"),
        (True, "cd /srv/app && git checkout -- src"),
        (True, "git revert aaaa"),
        (False, "git revert bbbbbbb"),
        (False, "git reset"),
        (False, "git checkout main"),
        (False, "git stash list"),
        (False, "echo 'git reset --hard'"),
    ],
)
def test_a_command_says_what_it_takes_back(gone: bool, command: str) -> None:
    """Only what undoes something that is there counts."""
    assert gone is take_back(command, deeds(), ["/srv/app"])


def test_a_commit_is_known_by_the_beginning_of_its_digest() -> None:
    """With everything that it holds, and nothing else."""
    found = of_commit("aaaaaaa9999", deeds())

    assert ["edit", "commit"] == [deed.kind for deed in found]
    assert [] == of_commit("ccc", deeds())


def test_only_tracked_files_are_removed_for_good() -> None:
    """Taking a file out of the index alone removes nothing."""
    assert ("a.py", "docs/b.md") == removed("git rm -q a.py docs/b.md")
    assert () == removed("git rm --cached a.py")
    assert () == removed("rm a.py")


OLD = {"old": "{\n}", "new": '{\n  "remote": {\n    "name": "mirror"\n  }\n}'}
BACK = {
    "patch": '*** Begin Patch\n*** Update File: a.json\n@@\n {\n-  "remote": {\n-    "name": "mirror"\n-  }\n }\n*** End Patch\n'
}
ANEW = {"old": '"remote": {\n"name": "mirror"', "new": '"remote": {\n"name": "origin",\n"mirror": false'}


@pytest.mark.parametrize(
    ("live", "data"), [(False, BACK), (True, ANEW), (True, {"old": '"name": "mirror"', "new": ""}), (True, {})]
)
def test_an_edit_may_take_out_what_an_earlier_one_put_in(live: bool, data: dict[str, str]) -> None:
    """All of it, and without a new version in its place."""
    deed = Deed(kind="edit", turn=1, paths=("a.json",), added=changed_lines(OLD)[0])
    take_out([deed], *changed_lines(data))

    assert live is deed.live
