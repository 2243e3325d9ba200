import subprocess
from pathlib import Path

import pytest

from handoffsite.errors import Malformed, NoProject, NotFound, UsageError
from handoffsite.records.project import Project
from handoffsite.store import boundary, workspace
from handoffsite.store.workspace import Workspace


def make(root: Path, name: str = "atlas") -> Path:
    return boundary.create(root, Project(id="0123456789ab", name=name))[0].root


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.test"]
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


def test_a_boundary_is_found_from_below(tmp_path: Path) -> None:
    """As git finds a repository: from any folder below, from inside the boundary too."""
    root = make(tmp_path / ".handoff")
    deep = tmp_path / "src" / "deep"
    deep.mkdir(parents=True)

    assert [root] * 3 == [boundary.nearest(folder) for folder in (tmp_path, deep, root / "sessions")]


def test_a_nested_repository_is_no_part_of_the_outer_project(tmp_path: Path) -> None:
    """A repository of its own without a boundary falls through to nothing."""
    make(tmp_path / ".handoff")
    git(tmp_path, "init")
    nested = tmp_path / "vendor" / "lib"
    nested.mkdir(parents=True)
    git(nested, "init")

    assert boundary.nearest(nested) is None


def test_a_linked_worktree_belongs_to_its_main_repository(tmp_path: Path) -> None:
    """Also from a folder inside the worktree."""
    main, linked = tmp_path / "main", tmp_path / "linked"
    main.mkdir()
    git(main, "init")
    root = make(main / ".handoff")
    (main / "src").mkdir()
    (main / "src" / "a.py").touch()
    git(main, "add", ".")
    git(main, "commit", "-m", "a")
    git(main, "worktree", "add", str(linked))

    assert [root, root] == [boundary.nearest(linked), boundary.nearest(linked / "src")]


def test_making_it_again_changes_nothing(tmp_path: Path) -> None:
    """`init` twice leaves the id and every file as they are."""
    root = make(tmp_path / ".handoff")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}

    made, created = boundary.create(root, Project(id="other", name="other"))

    assert (False, "0123456789ab") == (created, made.project.id)
    assert before == {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('id = "x"\ncolour = 3\n', 2, "unknown key 'colour'"),
        ('id = "x"\nbudget = "many"\n', 2, "budget"),
        ('name = "x"\n', 0, "no id"),
        ('id = "x\n', 0, "not TOML"),
    ],
)
def test_a_damaged_project_file_is_named(tmp_path: Path, text: str, line: int, words: str) -> None:
    """An error of project.toml says what and where."""
    root = make(tmp_path / ".handoff")
    (root / "project.toml").write_text(text)

    with pytest.raises(Malformed, match=words) as caught:
        boundary.load(root)

    assert (line, str(root / "project.toml")) == (caught.value.line, caught.value.file)


def test_no_boundary_is_said(tmp_path: Path) -> None:
    """Where there is none, loading says how to make one."""
    with pytest.raises(NoProject):
        boundary.load(tmp_path)


def projects(tmp_path: Path) -> Workspace:
    make(tmp_path / "content" / "app", "app")
    make(tmp_path / "content" / "app-secret", "app-secret")
    return Workspace(tmp_path, {})


def test_a_name_is_never_a_path(tmp_path: Path) -> None:
    """What cannot name a project is refused, and an unknown name never gives a neighbour."""
    space = projects(tmp_path)

    assert ("app", "app-secret") == space.names()
    for name in ("../app", "/etc", "app/../app", "ap", "APP", "", "app\0", ".", "~"):
        with pytest.raises((NotFound, UsageError)):
            space.named(name)
    for name in ("../x", "/x", "x/y", "", ".", "..", "x\0", "X", "-x", "a" * 65, "é"):
        with pytest.raises(UsageError):
            workspace.checked_name(name)


def test_a_folder_belongs_to_the_project_that_contains_it(tmp_path: Path) -> None:
    """A common prefix is no containment, and the deepest path wins."""
    space = Workspace(tmp_path, {"outer": Path("/srv/w"), "inner": Path("/srv/w/app")})
    make(tmp_path / "content" / "outer", "outer")

    found = [space.containing(Path(path)) for path in ("/srv/w/app/src", "/srv/w/app-secret", "/srv/w2", "/srv")]

    assert ["inner", "outer", "", ""] == found


def test_names_are_made_unique_by_their_parents(tmp_path: Path) -> None:
    """The last component names the project; parents are put before it until no other project has the name."""
    space = projects(tmp_path)

    paths = ["/home/u/api", "/home/u/App", "/x/secret/app", "/content/app/secret"]
    assert ["api", "u-app", "secret-app", "secret"] == [space.free_name(Path(path)) for path in paths]
