"""A hook finds the boundary by a short way; it leads where the long way does."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands import hook
from handoffsite.records.hooked import Call
from handoffsite.store import boundary as boundaries
from handoffsite.store import inbox, spool
from handoffsite.store.inbox import Pointer
from tests.conftest import git

ROOT = Path(__file__).parents[2]


@pytest.fixture
def layout(run: Any, tmp_path: Path) -> Path:
    """A repository with a boundary and one in a folder of it, another repository inside, a linked worktree, and a workspace."""
    main = tmp_path / "main"
    (main / "src" / "deep").mkdir(parents=True)
    git(main, "init", "-q")
    run("init", cwd=main)
    (main / "part").mkdir()
    run("init", cwd=main / "part")
    git(main, "add", ".")
    git(main, "commit", "-qm", "first")
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    (main / "nested").mkdir()
    git(main / "nested", "init", "-q")
    (tmp_path / "space").mkdir()
    run("init", "--workspace", cwd=tmp_path / "space")
    run("init", "content/atlas", cwd=tmp_path / "space")
    (tmp_path / "link").symlink_to(main / "src")
    return tmp_path


FOLDERS = [
    "main",
    "main/src/deep",
    "main/part",
    "main/nested",
    "main/.handoff",
    "main/.handoff/sessions",
    "tree",
    "tree/src",
    "tree/part",
    "link/deep",
    "space",
    "space/content/atlas",
    "nowhere",
]


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_short_way_leads_where_the_long_one_does(layout: Path, folder: str) -> None:
    """Repositories, linked worktrees, nested ones, links and workspaces."""
    cwd = layout / folder
    long = boundaries.nearest(cwd) if cwd.exists() else None
    found = hook.root_of(Call(client="codex", event="stop", cwd=str(cwd)), layout)

    assert (long or (cwd if folder == "space/content/atlas" else None)) == found


@pytest.mark.parametrize("cwd", ["relative", "/a\udcff/b", "/" + "x" * 5000, "/dev/null/x"])
def test_no_folder_harms_nobody(tmp_path: Path, cwd: str) -> None:
    """Whatever a client calls its folder."""
    assert None is hook.root_of(Call(client="codex", event="stop", cwd=cwd), tmp_path)


def test_a_pointer_is_the_same_by_either_way(layout: Path) -> None:
    """What the hook keeps is what `inbox` reads, and the same one twice is one."""
    root = layout / "main" / ".handoff"
    pointer = Pointer(transcript="/logs/a.jsonl", client="codex", goes_on=True)
    said: dict[str, str | bool] = {"transcript": "/logs/a.jsonl", "session": "", "client": "codex", "goes_on": True}

    assert inbox.put(root, pointer) == spool.put(root, said)
    assert [pointer] == [found for _, found in inbox.pointers(boundaries.load(root))[0]]


def test_a_hook_loads_next_to_nothing(layout: Path) -> None:
    """The client waits: no parser, no extractor, and none of the standard library's slow modules."""
    project = layout / "main"
    code = (
        "import sys, io; from handoffsite.cli.main import main; main(['hook', 'claude-code', 'session-end']); "
        "print(*(m for m in sys.modules if m.split('.')[0] in {'argparse', 'dataclasses', 'tomllib', 'yaml', 'sqlite3', 'subprocess', 'inspect'} "
        "or m.startswith(('handoffsite.sources', 'handoffsite.extract', 'handoffsite.clients'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        env={"PYTHONPATH": str(ROOT), "HOME": str(layout), "PATH": "/usr/bin:/bin"},
        input=b'{"session_id": "", "cwd": "' + str(project).encode() + b'"}',
        capture_output=True,
        check=True,
    )

    assert (b"\n", b"") == (done.stdout, done.stderr)
