import re
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def space(tmp_path: Path, run: Any) -> Path:
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)
    for name in ("one", "two", "three"):
        run("init", f"content/{name}", cwd=root)
        run("add", "decision", f"Decision of {name}", cwd=root / "content" / name)
    return root


def test_a_damaged_project_costs_itself(space: Path, run: Any) -> None:
    """Its file and line are named, the exit status is 1, and every other project is built."""
    (space / "content" / "two" / "project.toml").write_text('id = "x"\ncolour = 1\n')

    done = run("build", "--json", cwd=space)

    assert 1 == done.status
    assert [("malformed", 2)] == [(problem["code"], problem["line"]) for problem in done.data["problems"]]
    assert ["one", "three"] == sorted(
        path.name for path in (space / "build").iterdir() if (path / "index.html").is_file() and path.name != "two"
    )
    assert [("malformed", 2)] == [(one["code"], one["line"]) for one in run("check", "--json", cwd=space).data["problems"]]


@pytest.mark.parametrize("damage", ["cut", "empty", "binary", "huge", "foreign"])
def test_a_damaged_record_costs_itself(space: Path, run: Any, damage: str) -> None:
    """It is named, the rest is built and found, STATE.md is left as it was, and nothing is written over the damage."""
    project = space / "content" / "one"
    victim = next((project / "sessions").glob("*.md"))
    run("add", "decision", "A later decision", cwd=project)
    state = (project / "STATE.md").read_bytes()
    data = victim.read_bytes()
    victim.write_bytes(
        {"cut": data[:-30], "empty": b"", "binary": bytes(range(256)), "huge": b"x" * (17 << 20), "foreign": b"# Notes\n"}[damage]
    )
    before = victim.read_bytes()

    built, found, added = (
        run("build", "--json", cwd=space),
        run("search", "later", "--json", cwd=project),
        run("add", "thread", "x", cwd=project),
    )

    assert 1 == built.status
    assert [f"sessions/{victim.name}"] == [problem["file"] for problem in built.data["problems"]]
    assert ["A later decision"] == [hit["title"] for hit in found.data["hits"] if hit["kind"] == "decision"]
    assert 0 == added.status
    assert "left as it is" in added.err
    assert (state, before) == ((project / "STATE.md").read_bytes(), victim.read_bytes())


def test_nothing_new_writes_nothing(space: Path, run: Any) -> None:
    """The second build touches no file, and `build --check` says that all is current, until something is recorded."""
    run("build", cwd=space)
    before = {path: path.stat().st_mtime_ns for path in space.rglob("*") if path.is_file() and path.name != ".lock"}

    assert 0 == run("build", cwd=space).status
    assert before == {path: path.stat().st_mtime_ns for path in space.rglob("*") if path.is_file() and path.name != ".lock"}
    assert 0 == run("build", "--check", cwd=space).status
    run("add", "thread", "x", cwd=space / "content" / "one")
    behind = run("build", "--check", "--json", cwd=space)
    assert 1 == behind.status
    assert {("one", "site"), ("one", "index")} == {(one["project"], one["what"]) for one in behind.data["behind"]}


def test_what_waits_in_the_inbox_is_extracted(space: Path, run: Any) -> None:
    """A pointer that cannot be read stays, and is a problem; one that was read is gone."""
    project = space / "content" / "one"
    (project / "waiting.md").write_text("## Decisions\n- Waited for\n")
    (project / "inbox").mkdir()
    (project / "inbox" / "a.json").write_text('{"note": "waiting.md"}')
    (project / "inbox" / "b.json").write_text('{"transcript": "gone.jsonl"}')

    done = run("build", "--json", cwd=project)

    assert 1 == done.status
    assert 1 == len(done.data["projects"][0]["recorded"])
    assert ["b.json"] == [path.name for path in (project / "inbox").iterdir()]
    assert "gone.jsonl" in done.data["problems"][0]["file"]


def test_another_engine_is_one_line_and_one_build(space: Path, run: Any) -> None:
    """The workspace's file names it; the same is found, and an engine that there is not is an error that names those there are."""
    settings = space / "handoffsite.toml"
    run("build", cwd=space)
    found = run("search", "decision", "--json", cwd=space / "content" / "one").data
    text = settings.read_text()
    settings.write_text(f'engine = "fts5"\n{text}')

    assert ["index"] == sorted({one["what"] for one in run("build", "--check", "--json", cwd=space).data["behind"]})
    assert 0 == run("build", cwd=space).status
    assert [] == run("build", "--check", "--json", cwd=space).data["behind"]
    assert found == run("search", "decision", "--json", cwd=space / "content" / "one").data
    settings.write_text(f'engine = "lucene"\n{text}')
    done = run("search", "decision", cwd=space / "content" / "one")
    assert (2, "known are whoosh, fts5, postgres") == (done.status, done.err.splitlines()[1].strip())


def test_an_index_that_cannot_be_had_costs_itself(space: Path, run: Any) -> None:
    """The site is built all the same, and the problem names what to do."""
    (space / "handoffsite.toml").write_text('title = "Space"\nengine = "postgres"\n')

    done = run("build", cwd=space)

    assert 1 == done.status
    assert 3 == done.out.count("the shared index has no address\n    set HANDOFFSITE_INDEX")
    assert all((space / "build" / name / "index.html").is_file() for name in ("one", "two", "three"))


def test_filters_alone_are_a_question(space: Path, run: Any) -> None:
    """STATE.md names such a search; a search for nothing at all says what to give."""
    project = space / "content" / "one"

    assert ["Decision of one"] == [
        hit["title"] for hit in run("search", "--kind", "decision", "--json", cwd=project).data["hits"]
    ]
    done = run("search", cwd=project)
    assert (2, "the query is empty") == (done.status, done.err.splitlines()[0].removeprefix("handoffsite: "))


def test_where_the_site_is_published_is_said_once(space: Path, run: Any) -> None:
    """The workspace's address is every project's; a project may have its own; sitemaps and feeds hold whole addresses."""
    settings = space / "handoffsite.toml"
    settings.write_text(f'{settings.read_text()}base_url = "https://docs.example.org/work"\n')
    own = space / "content" / "two" / "project.toml"
    own.write_text(f'{own.read_text()}base_url = "https://two.example.org/"\n')
    assert 0 == run("build", cwd=space).status

    assert "https://docs.example.org/work/one/sitemap.xml" in (space / "build" / "sitemap.xml").read_text()
    assert "https://docs.example.org/work/one/index.html" in (space / "build" / "one" / "sitemap.xml").read_text()
    assert "https://two.example.org/feed.xml" in (space / "build" / "two" / "feed.xml").read_text()
    assert "Everything is current." in run("build", "--check", cwd=space).out

    settings.write_text('title = "Space"\n')
    assert 0 == run("build", cwd=space).status
    assert not (space / "build" / "one" / "sitemap.xml").exists()
    assert not (space / "build" / "sitemap.xml").exists()


@pytest.mark.parametrize("address", ["docs.example.org", "ftp://x/", "https://x/?q", "https://a b/", "https://u:p@x/", "/a/"])
def test_what_is_no_address_is_refused(space: Path, run: Any, address: str) -> None:
    """With file and line, in the project's settings as in the workspace's."""
    own = space / "content" / "two" / "project.toml"
    own.write_text(f'{own.read_text()}base_url = "{address}"\n')
    line = len(own.read_text().splitlines())
    found = [(one["line"], one["message"]) for one in run("build", "--json", cwd=space).data["problems"]]
    assert [(line, "base_url is no address of a folder")] == found

    (space / "handoffsite.toml").write_text(f'title = "Space"\nbase_url = "{address}"\n')
    done = run("build", cwd=space)
    assert 1 == done.status
    assert "handoffsite.toml:2: base_url is no address of a folder" in done.err


def test_a_large_project_is_told_once_what_fts5_would_save(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it has grown large, however it grew: its own number of documents, and the time and space of both engines; never again."""
    monkeypatch.setattr("handoffsite.search.saving.LARGE", 4)
    project = tmp_path / "atlas"
    project.mkdir()
    run("init", cwd=project)
    told = []
    for number in range(6):
        run("add", "decision", f"Way {number}", cwd=project)
        run("search", "way", cwd=project)  # the index is up to date before the build
        told.append([one for one in run("build", "--json", cwd=project).data["warnings"] if "FTS5" in one])
    figures = re.search(
        r"its 4 documents Whoosh takes about (\d+\.\d) s of CPU and (\d+) MB, SQLite's FTS5 (\d+\.\d) s", told[3][0]
    )

    assert [0, 0, 0, 1, 0, 0] == [len(one) for one in told]
    assert figures
    assert 'engine = "fts5"' in told[3][0]


@pytest.mark.parametrize("engine", ["fts5", "whoosh"])
def test_who_chose_another_engine_is_not_told(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """Nor is a project that is small; who wrote Whoosh's own name into the settings is."""
    monkeypatch.setattr("handoffsite.search.saving.LARGE", 2)
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)
    settings = root / "handoffsite.toml"
    settings.write_text(f'engine = "{engine}"\n{settings.read_text()}')
    for name, count in (("large", 3), ("small", 1)):
        run("init", f"content/{name}", cwd=root)
        for number in range(count):
            run("add", "decision", f"Way {number}", cwd=root / "content" / name)
    said = run("build", cwd=root).err

    assert (engine == "whoosh") == ("large: for its 3 documents" in said)
    assert "small: for" not in said
