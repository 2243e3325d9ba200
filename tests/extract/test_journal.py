"""Steps of a session, taken back and summed up."""

import pytest

from handoffsite.extract.journal import EDITED, INSTALLED, Effect, Journal, shown
from handoffsite.records.requirement import Requirement


def effect(name: str, before: str | None, after: str | None, file: str = "", rank: int = EDITED) -> Effect:
    return Effect(Requirement("npm", name), before, after, file, (f"transcript:{name}",), rank)


def net(journal: Journal, *directories: str) -> list[tuple[str, str, str, str | None, str | None]]:
    return [(d.file, d.name, d.change, d.before, d.after) for d in journal.net(directories)]


def test_an_install_belongs_to_the_manifest_that_was_edited() -> None:
    """One package in one file, though the install knows the file only from where it ran."""
    journal = Journal()
    journal.add(effect("a", None, "^1", "/srv/web/package.json"))
    journal.add(effect("a", None, "1.2.0", "package.json", INSTALLED))

    assert [("web/package.json", "a", "added", None, "1.2.0")] == net(journal, "/srv")


def test_installs_in_two_folders() -> None:
    """Two manifests are two changes."""
    journal = Journal()
    journal.add(effect("a", None, "1", "web/package.json", INSTALLED))
    journal.add(effect("a", None, "2", "api/package.json", INSTALLED))

    assert [("web/package.json", "a", "added", None, "1"), ("api/package.json", "a", "added", None, "2")] == net(journal)


def test_commits_are_taken_back_one_by_one() -> None:
    """A revert of a commit that is not known changes nothing, HEAD is the last that stands."""
    journal = Journal()
    for number in "123":
        journal.add(effect(number, None, "1"))
        journal.commit(number * 7)
    journal.undo_commit("fffffff")
    journal.undo_commit("HEAD")
    journal.undo_commit("1111")

    assert ["2"] == [name for _, name, *_ in net(journal)]
    assert ["2222222"] == journal.commits_back(5)


def test_an_unknown_message_takes_nothing_back() -> None:
    """A log may name a message that it does not hold."""
    journal = Journal()
    journal.begin("m1")
    journal.add(effect("a", None, "1"))
    journal.undo_from("m9")

    assert "1" == journal.version(("npm", "a"))


@pytest.mark.parametrize(
    ("file", "directories", "expected"),
    [
        ("/srv/shop/web/package.json", ("/srv/shop",), "web/package.json"),
        ("/srv/shop/package.json", ("/srv/shop/web",), "package.json"),
        ("/home/user/shop/go.mod", ("/home/user/shop/deep/er",), "go.mod"),
        ("/home/user/other/go.mod", ("/home/user/shop",), "go.mod"),
        ("/srv/x/.github/workflows/ci.yml", (), ".github/workflows/ci.yml"),
        ("C:\\work\\shop\\web\\package.json", ("C:\\work\\shop",), "web/package.json"),
        ("./web/package.json", (), "web/package.json"),
        ("~/shop/go.mod", (), "go.mod"),
        ("", (), ""),
    ],
)
def test_files_as_seen_from_the_project(file: str, directories: tuple[str, ...], expected: str) -> None:
    """No absolute path and no home folder is shown."""
    assert expected == shown(file, directories)


def test_a_trial_elsewhere_is_not_the_project() -> None:
    """A manifest in a temporary folder counts only where the session itself works in one."""
    journal = Journal()
    journal.add(effect("a", None, "1", "/tmp/try/package.json"))  # noqa: S108

    assert [] == net(journal, "/srv/shop")
    assert [("package.json", "a", "added", None, "1")] == net(journal, "/tmp/try")  # noqa: S108
