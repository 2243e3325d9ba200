"""What is looked at for changes: what a build reads, and nothing that it writes or that only lies there while a file is saved."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands.place import Place
from handoffsite.commands.watching import Sources, is_passing, sources


def at(folder: Path, home: Path) -> Place:
    return Place(folder=folder, now=datetime.now(UTC), cache=home / ".cache", environment={"HOME": str(home)})


@pytest.fixture
def lone(run: Callable[..., Any], tmp_path: Path) -> Sources:
    """The sources of a lone boundary."""
    project = tmp_path / "atlas"
    project.mkdir()
    run("init", cwd=project)
    return sources(at(project, tmp_path / "home"))


@pytest.mark.parametrize(
    "name",
    [
        ".x.md.swp",
        ".#x.md",
        "#x.md#",
        "x.md~",
        "4913",
        "x.md.tmp",
        ".x.md.tmp-712-1",
        ".goutputstream-AX",
        "x.md___jb_tmp___",
        "x.BAK",
        ".lock",
    ],
)
def test_what_editors_leave_is_passing(name: str) -> None:
    """No file that lies there while another one is saved is a change."""
    assert is_passing(name)


@pytest.mark.parametrize(
    "name", ["2026-11-30-S-1-k3f.md", "STATE.md", "project.toml", "tmp", "x.tmp.md", "a~b.md", "49130", "#1.md"]
)
def test_what_a_build_reads_is_not(name: str) -> None:
    """Names that look a little like those stay what they are."""
    assert not is_passing(name)


def test_the_site_is_no_source_of_itself(lone: Sources, tmp_path: Path) -> None:
    """The output lies within what is watched, and is left out, with what a build puts beside it."""
    root = tmp_path / "atlas" / ".handoff"

    assert lone.holds(str(root / "sessions/x.md"))
    assert lone.holds(str(root / "inbox/deep/er/x.json"))
    assert lone.holds(str(root / "sessions/build/x.md"))
    assert not lone.holds(str(root / "build/index.html"))
    assert not lone.holds(str(root / ".build.next-7/index.html"))
    assert not lone.holds(str(root / "sessions/.x.md.tmp-7-1"))
    assert not lone.holds(str(tmp_path / "atlas/main.py"))
    assert not lone.holds(str(tmp_path / "atlas/.handoff-other/x.md"))


def test_a_look_tells_what_changed(lone: Sources, tmp_path: Path) -> None:
    """Content, a move into place and a file that went are seen; reading is not, nor is a file that is being saved."""
    root = tmp_path / "atlas" / ".handoff"
    before = lone.look()
    (root / "STATE.md").exists()
    (root / ".STATE.md.swp").write_text("x")
    same = lone.look()
    (root / "sessions/a.md").write_text("a")
    added = lone.look()
    (root / "sessions/.b").write_text("b")
    (root / "sessions/.b").replace(root / "sessions/a.md")
    moved = lone.look()

    assert before == same
    assert len({str(look) for look in (same, added, moved)}) == 3


def test_a_workspace_is_looked_at_whole(run: Callable[..., Any], tmp_path: Path) -> None:
    """Every project, its settings and its templates; a project that does not exist yet, too."""
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)
    run("init", "content/one", cwd=root)
    found = sources(at(root, tmp_path / "home"))
    alone = sources(at(root / "content/one", tmp_path / "home"))

    assert found.holds(str(root / "content/two/project.toml"))
    assert found.holds(str(root / "handoffsite.toml"))
    assert found.holds(str(root / "templates/page.html"))
    assert not found.holds(str(root / "build/one/index.html"))
    assert not alone.holds(str(root / "content/two/project.toml"))
    assert root / "build" == found.site == alone.site
