from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands import desk as desks
from handoffsite.commands import task
from handoffsite.commands.place import Place
from tests.packet import packet

LEAKED = "hushhushword"


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    run("add", "decision", f"Call it {LEAKED}", "--rationale", f'said "{LEAKED}"\\', cwd=folder)
    run("add", "constraint", "Something else", "--because", "of that", cwd=folder)
    run("end", "--note", "-", cwd=folder, stdin=f"## Completed\n- Named it {LEAKED}\n\nA paragraph about {LEAKED}.\n")
    run("build", cwd=folder)
    run("search", LEAKED, cwd=folder)
    return folder


def holding(*roots: Path) -> list[str]:
    return [
        str(path)
        for root in roots
        for path in root.rglob("*")
        if LEAKED in str(path) or (path.is_file() and LEAKED.encode() in path.read_bytes())
    ]


@pytest.mark.parametrize("where", ["root", "content", "path", "settings"])
def test_a_text_is_gone_from_the_site_wherever_that_is(tmp_path: Path, run: Any, where: str) -> None:
    """Named from a workspace's root, from its own folder, done in a folder elsewhere, or alone beside settings of its own."""
    root = tmp_path / "work"
    root.mkdir()
    words: tuple[str, ...] = ()
    cwd = root / "content" / "atlas"
    if where == "settings":
        run("init", cwd=root)
        (root / "handoffsite.toml").write_text('engine = "fts5"\n')
        cwd = root
    else:
        run("init", "--workspace", cwd=root)
    if where == "path":
        own = root / "far" / "atlas"
        own.mkdir(parents=True)
        run("init", cwd=own)
        with (root / "handoffsite.toml").open("a") as settings:
            settings.write('\n[projects.atlas]\npath = "far/atlas"\n')
    elif where != "settings":
        run("init", "content/atlas", cwd=root)
    if where in {"root", "path"}:
        words, cwd = ("--project", "atlas"), root
    run(*words, "add", "decision", f"Call it {LEAKED}", cwd=cwd)
    run("build", cwd=root)
    assert [path for path in holding(root) if "/build/" in path]

    done = run(*words, "purge", LEAKED, "--reason", "leaked", cwd=cwd)

    assert 0 == done.status, done.err
    assert [] == holding(root, tmp_path / "home")


def test_a_text_is_gone_everywhere(project: Path, run: Any, tmp_path: Path) -> None:
    """No byte of it is left in records, state, archive, site or cache; a record says that something was purged, and why."""
    assert holding(project, tmp_path / "home")

    done = run("purge", LEAKED, "--reason", "leaked", "--json", cwd=project)

    assert 0 == done.status
    assert [] == holding(project, tmp_path / "home")
    assert "leaked" in run("show", done.data["session"], "--json", cwd=project).data["narrative"]
    assert run("check", "--json", cwd=project).data["ok"]
    assert "Something else" in run("state", cwd=project).out


def test_an_item_keeps_its_id(project: Path, run: Any) -> None:
    """A purged item has lost its words and holds no longer; its number is never given again."""
    assert 0 == run("purge", "D-1", "--reason", "wrong project", cwd=project).status

    shown = run("show", "D-1", "--json", cwd=project).data

    assert ("retired", True) == (shown["status"], "purged" in shown["title"])
    assert "D-2-" in run("add", "decision", "Another", "--json", cwd=project).data["id"]
    assert run("check", "--json", cwd=project).data["ok"]


@pytest.mark.parametrize(
    ("words", "status"), [(["xyz", "--reason", "r"], 1), (["not there at all", "--reason", "r"], 1), (["abcdef"], 2)]
)
def test_a_purge_that_cannot_be_meant_is_refused(project: Path, run: Any, words: list[str], status: int) -> None:
    """Too short a text, one that is nowhere, and a purge without a reason change nothing."""
    before = {path.name: path.read_bytes() for path in (project / ".handoff" / "sessions").iterdir()}

    assert status == run("purge", *words, cwd=project).status
    assert before == {path.name: path.read_bytes() for path in (project / ".handoff" / "sessions").iterdir()}


ODD = 'pa|ss`w<o>rd "q" é\\x & more'


def test_a_text_is_gone_in_every_spelling(tmp_path: Path, run: Any) -> None:
    """Also escaped, in names of files, in copies that lie about, in what was set aside, in mail; git is named as out of reach."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    root = folder / ".handoff"
    run("init", cwd=folder)
    run("add", "decision", f"Use {ODD} for it", "--rationale", f"because {ODD}", "--topic", ODD, cwd=folder)
    run("add", "thread", f"Other {ODD}", "--next", ODD, cwd=folder)
    run("end", "--note", "-", cwd=folder, stdin=f"# About {ODD}\n## Completed\n- Did {ODD}\n\nIn words: {ODD}\n")
    run("work", "send", "executor", f"Do {ODD}", cwd=folder)
    run("work", "take", cwd=folder)
    run("work", "clear", cwd=folder)
    run("work", "send", "planner", f"Asked {ODD}", cwd=folder)
    run("retire", "D-1", "--reason", ODD, cwd=folder)
    run("build", cwd=folder)
    run("search", "Other", cwd=folder)
    (record,) = (root / "sessions").glob("*-S-1-*.md")
    copy = record.with_name(record.name.replace(".md", ".sync-conflict-20261130-120000-ABC.md"))
    copy.write_bytes(record.read_bytes())
    damaged = next((root / "sessions").glob("*-S-3-*.md"))
    damaged.write_bytes(damaged.read_bytes()[:-40])
    (root / "quarantine").mkdir(exist_ok=True)
    for name in ("STATE.md", "archive/decisions.md", "build/index.html", "build/decisions.json", "build/feed.xml"):
        (root / "quarantine" / Path(name).name).write_bytes((root / name).read_bytes())
    (root / "archive" / "x (conflicted copy).md").write_text(ODD)

    done = run("purge", ODD, "--reason", f"{ODD} leaked", "--json", cwd=folder)

    assert 0 == done.status, done.err
    parts = (b"ss`w", b"ss\\`w", b"w<o>", b"w&lt;o", b"pa-ss-w", b"pa%7Css", b"w\\u003co")
    roots = (folder, tmp_path / "home")
    held = [
        str(path)
        for one in roots
        for path in one.rglob("*")
        if path.is_file() and any(part in path.read_bytes() for part in parts)
    ]
    assert [] == held, held
    assert not [path for one in roots for path in one.rglob("*") if "pa-ss" in path.name or "pa|ss" in path.name]
    assert any("git" in warning for warning in done.data["warnings"])
    assert "purged" in run("show", done.data["session"], "--json", cwd=folder).data["narrative"]


def test_a_purged_item_is_gone_elsewhere_too(project: Path, run: Any, tmp_path: Path) -> None:
    """By its ID: also from a copy of its record, from what was set aside, and from names of files."""
    root = project / ".handoff"
    (record,) = (root / "sessions").glob("*-S-1-*.md")
    record.with_name(f"{record.stem} (conflicted copy 2026-11-30).md").write_bytes(record.read_bytes())
    (root / "quarantine").mkdir()
    (root / "quarantine" / "STATE-1.md").write_bytes((root / "STATE.md").read_bytes())

    run("purge", "D-1", "--reason", "wrong project", cwd=project)
    run("purge", "S-3", "--reason", "wrong project", cwd=project)

    assert [] == holding(project, tmp_path / "home")
    assert "Something else" in (root / "quarantine" / "STATE-1.md").read_text()
    assert not [one for one in run("check", "--json", cwd=project).data["problems"] if one["severity"] == "error"]


def test_a_text_is_gone_from_the_tasks(tmp_path: Path, run: Any) -> None:
    """Those that the project sends or receives: from the ledger's own files, and from the sealed copy that the receiver keeps. Others' stay."""
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)
    for name in ("frontend", "backend", "other"):
        run("init", f"content/{name}", cwd=root)
    where = Place(folder=root, now=datetime(2026, 9, 12, tzinfo=UTC), cache=tmp_path / "cache")
    with desks.opened(where) as desk:
        sender, receiver = (desks.actor(desk, name) for name in ("frontend-agent", "backend-agent"))
        task.create(desk, sender, packet(goal=f"Name it {LEAKED}"))
        task.create(
            desk,
            sender,
            packet(task_id="theirs", handoff_id=None, from_project="other", to_project="other", goal=f"Call it {LEAKED}"),
        )
        task.offer(desk, sender, "report-timeout-17", expected_version=1)
        task.accept(desk, receiver, "report-timeout-17", expected_version=2, reason=LEAKED)
    done = run("purge", LEAKED, "--reason", "leaked", "--project", "frontend", "--json", cwd=root)
    with desks.opened(where) as desk:
        shown = task.show(desk, sender, "report-timeout-17")
        theirs = task.show(desk, sender, "theirs")
    copy = root / "content" / "backend" / "tasks" / "report-timeout-17.json"

    assert (0, ["task report-timeout-17"]) == (done.status, done.data["changed"])
    assert LEAKED not in str(shown)
    assert LEAKED in theirs["title"]
    assert LEAKED in copy.read_text()
    assert 0 == run("purge", LEAKED, "--reason", "leaked", "--project", "backend", cwd=root).status
    assert LEAKED not in copy.read_text()
    assert 0 == run("check", "--project", "backend", cwd=root).status
    assert 0 == run("purge", LEAKED, "--reason", "leaked", "--project", "other", cwd=root).status
    assert [] == holding(root)
