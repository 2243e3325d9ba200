"""A site is complete, safe, the same everywhere, swapped in whole, and costs what changed."""

import dataclasses
import json
import os
import pickle
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from handoffsite.errors import Malformed, Refused
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.problem import Problem
from handoffsite.records.project import Project
from handoffsite.records.session import Retirement, SessionRecord, TranscriptFile, Update
from handoffsite.records.snapshot import Snapshot
from handoffsite.records.thread import Thread
from handoffsite.site import build as site
from handoffsite.site import current, theme, workspace
from handoffsite.site.swap import MANIFEST
from handoffsite.site.workspace import ProjectCard

Fold = Callable[..., Snapshot]
Make = Callable[..., SessionRecord]
TOOLS = Path(__file__).parents[3] / "shared" / "tools"


def tree(folder: Path) -> dict[str, bytes]:
    """Every file in *folder* by its path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def hostile(text: str, make: Make) -> list[SessionRecord]:
    """A project with *text* in every slot that holds text."""
    evidence = (text, "transcript:1", f"commit:{text}")
    return [
        make(
            1,
            "aaa",
            "2026-03-01",
            source=text or "x",
            title=text,
            started=text,
            ended=text,
            base=text,
            head=text,
            focus=text,
            narrative=text,
            incomplete=text,
            follows=text,
            unverified=(text,),
            unfiled=(text,),
            quotes={"transcript:1": text, text: text},
            transcript=TranscriptFile(file=text, lines=1, sha256=text),
            completed=(Completed(id="S-1-aaa.c1", text=text, evidence=evidence),),
            decisions=(
                Decision(
                    id="D-1-aaa", title=text, topic=text, context=text, rationale=text, alternatives=(text,), evidence=evidence
                ),
                Decision(id="D-2-aaa", title=f"{text} see D-1", topic=text, rationale=f"- {text}\n- D-1"),
                Decision(id="D-3-aaa", title=text, status="proposed", rationale=text),
            ),
            constraints=(Constraint(id="C-1-aaa", tried=text, outcome=text, because=text, topic=text, evidence=evidence),),
            dependencies=(
                Dependency(id="S-1-aaa.d1", ecosystem=text, name=text, change=text, before=text, after=text, file=text),
            ),
            threads=(Thread(id="T-1-aaa", title=text, next=text),),
        ),
        make(
            2,
            "bbb",
            "2026-03-02",
            decisions=(Decision(id="D-4-bbb", title=text, supersedes=("D-1-aaa", text)),),
            updates=(Update(id="C-1-aaa", changes={"status": "lifted", "because": text}, reason=text, evidence=(text,)),),
            retired=(Retirement(id="T-1-aaa", reason=text),),
        ),
    ]


def test_a_site_is_complete_in_itself(snapshot: Snapshot, tmp_path: Path) -> None:
    """Pages, assets shared once, data and feed; every link of it stays inside."""
    built = site.build(snapshot, tmp_path / "atlas")
    files = tree(tmp_path / "atlas")

    assert built.pages == sum(path.endswith(".html") for path in files) == 54
    assert set(built.written) | {MANIFEST} == set(files)
    assert 8 == sum(path.startswith("assets/") for path in files)
    assert {"decisions.json", "constraints.json", "sessions.json", "dependencies.json", "threads.json", "state.json"} <= set(
        files
    )
    assert {"feed.xml", "llms.txt", "search-index.js"} <= set(files)
    assert not any(b"../../" in data for path, data in files.items() if path.endswith(".html"))


def test_equal_records_make_equal_bytes(records: list[SessionRecord], fold: Fold, tmp_path: Path) -> None:
    """In any folder, after any earlier build, whatever the order of the files."""
    site.build(fold(records), tmp_path / "a" / "one")
    site.build(fold(records[:4]), tmp_path / "b")
    site.build(fold(records[::-1]), tmp_path / "b")

    assert tree(tmp_path / "a" / "one") == tree(tmp_path / "b")
    assert not any(str(tmp_path).encode() in data for data in tree(tmp_path / "b").values())


def test_nothing_changed_is_nothing_done(snapshot: Snapshot, tmp_path: Path) -> None:
    """The second build writes nothing, and is known to be unneeded from one manifest."""
    out = tmp_path / "atlas"
    first = site.build(snapshot, out)
    times = {path: (out / path).stat().st_mtime_ns for path in tree(out)}
    second = site.build(snapshot, out)

    assert ((), (), len(first.written), first.pages) == (second.written, second.removed, second.unchanged, second.pages)
    assert times == {path: (out / path).stat().st_mtime_ns for path in tree(out)}
    assert current.is_current(out, current.stamp(snapshot.project, snapshot.record_set))


def test_a_site_is_not_current_when_anything_that_it_shows_changed(snapshot: Snapshot, tmp_path: Path) -> None:
    """Records, project, problems, templates, the workspace above, or a page that is missing."""
    out = tmp_path / "atlas"
    site.build(snapshot, out)
    project, record_set = snapshot.project, snapshot.record_set
    (tmp_path / "alias.html").write_text("x")
    others = [
        current.stamp(project, "other"),
        current.stamp(dataclasses.replace(project, title="Other"), record_set),
        current.stamp(project, record_set, problems=[Problem(code="x", message="m")]),
        current.stamp(project, record_set, overrides=[tmp_path]),
        current.stamp(project, record_set, workspace=True),
    ]

    assert [False] * 5 == [current.is_current(out, stamp) for stamp in others]

    (out / "threads" / "T-1-x2m.html").unlink()

    assert not current.is_current(out, current.stamp(project, record_set))
    assert ("threads/T-1-x2m.html",) == site.build(snapshot, out).written


def test_one_more_session_writes_its_pages_and_the_lists(many: Callable[[int], Snapshot], tmp_path: Path) -> None:
    """Of hundreds of pages, only those of the new session and the lists; nothing else is even drawn."""
    out = tmp_path / "atlas"
    before = site.build(many(30), out)
    built = site.build(many(31), out)
    lists = {
        "index.html",
        "archive.html",
        "review.html",
        "dependencies.html",
        "search.html",
        "feed.xml",
        "llms.txt",
        "search-index.js",
    }
    kinds = (
        "decisions/index",
        "decisions/page-",
        "constraints/index",
        "threads/index",
        "sessions/index",
        "sessions/acts",
        "artefacts/index",
        "mail/index",
        "handoffs/index",
        "tasks/index",
        "search/page-",
        "decisions/accepted",
        "constraints/active",
        "archive/",
        "dependencies/",
        "threads/",
        "sessions/2026-",
    )
    new = [path for path in built.written if path not in lists and not path.endswith(".json") and not path.startswith(kinds)]

    assert before.pages > 250
    assert all("-31-" in path or "-31" in path for path in new if "/S-" in path or "/D-" in path), new
    assert len(new) <= 9
    assert () == built.removed


def test_what_a_session_touches_is_written_again(records: list[SessionRecord], fold: Fold, tmp_path: Path) -> None:
    """A decision that is replaced, its chain and the pages that name it; a page that nothing touches stays."""
    site.build(fold(records[:2]), tmp_path / "a")
    built = set(site.build(fold(records[:3]), tmp_path / "a").written)

    assert {"decisions/D-1-x2m.html", "decisions/D-3-q7d.html", "threads/T-2-q7d.html", "sessions/S-2-q7d.html"} <= built
    assert not {"decisions/D-2-x2m.html", "constraints/C-1-q7d.html", "sessions/S-1-x2m.html"} & (
        built - {"sessions/S-1-x2m.html"}
    )


def test_records_that_are_purged_take_their_pages_with_them(records: list[SessionRecord], fold: Fold, tmp_path: Path) -> None:
    """What is no longer in the records is no longer on the site."""
    site.build(fold(records), tmp_path / "a")
    built = site.build(fold(records[:-1]), tmp_path / "a")

    assert ("sessions/S-7-r5c.html",) == built.removed
    assert not (tmp_path / "a" / "sessions" / "S-7-r5c.html").exists()


def test_no_page_is_heavy_and_none_is_slow(many: Callable[[int], Snapshot], tmp_path: Path) -> None:
    """A few kilobytes and milliseconds a page whatever the size of the project; the frame does not grow with it."""
    small, large = tmp_path / "small", tmp_path / "large"
    site.build(many(2), small)
    started = time.process_time()
    built = site.build(many(40), large)
    spent = time.process_time() - started
    sizes = sorted(path.stat().st_size for path in large.rglob("*.html"))
    page = next(path.relative_to(small) for path in sorted(small.glob("threads/T-*.html")))

    assert spent < 0.002 * built.pages + 1.0
    assert sizes[len(sizes) // 2] < 4_096
    assert sizes[-1] < 120_000
    assert (small / page).read_bytes() == (large / page).read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "'><svg/onload=alert(1)>",
        "</title></textarea><style>*{}</style>SENTINEL",
        "[x](javascript:alert(1))",
        "{{ 7*7 }}{% raw %}",
        "../../../etc/passwd",
        "\u202e\u200b\x00\ud800",
        "&#x202e;<!--",
        "]]>",
        "\\",
        "`",
        "|",
        "\n\n# x\n",
        "~" * 40,
        "#" * 40,
    ],
)
def test_hostile_text_stays_text(text: str, make: Make, fold: Fold, tmp_path: Path, faults: Callable[[str], list[str]]) -> None:
    """In every slot of every page: no tag, script, handler or style of its own, no address but ours and the web's, no file of its name."""
    project = Project(id=text or "x", name="atlas", title=text, description=text, repository=f"https://example.test/{text}")
    problem = Problem(code=text, message=text, file=text, fix=text, severity=text)
    site.build(fold(hostile(text, make), project, [problem]), tmp_path / "atlas", workspace=True)
    workspace.build_index(
        [dataclasses.replace(found, name="atlas") for found in [workspace.card_of(tmp_path / "atlas")] if found], tmp_path
    )
    pages = {path: data.decode() for path, data in tree(tmp_path).items() if path.endswith(".html")}

    assert {} == {path: found for path, html in pages.items() if (found := faults(html))}
    assert all("</footer>" in html for path, html in pages.items() if path != "index.html")
    assert {"index.html", "atlas"} <= {path.name for path in tmp_path.iterdir()} <= {"index.html", "atlas", "_index", MANIFEST}


@pytest.mark.skipif(not TOOLS.is_dir(), reason="the folder shared/tools is not beside the checkout")
def test_no_known_vector_becomes_markup(make: Make, fold: Fold, tmp_path: Path, faults: Callable[[str], list[str]]) -> None:
    """The shared vectors, each in every text slot, one project."""
    vectors = [text for _, text in runpy.run_path(str(TOOLS / "xss_vectors.py"))["V"]]
    records = []
    for number, text in enumerate(vectors, 1):
        record = dataclasses.replace(
            hostile(text, make)[0],
            id=f"S-{number}-aaa",
            source=f"codex:{number}",
            completed=(Completed(id=f"S-{number}-aaa.c1", text=text),),
            decisions=(Decision(id=f"D-{number}-aaa", title=text, topic=text, rationale=text, context=f"\n{text}\n\n- x"),),
            constraints=(Constraint(id=f"C-{number}-aaa", tried=text, outcome=text, because=text),),
            threads=(Thread(id=f"T-{number}-aaa", title=text, next=text),),
            dependencies=(),
        )
        records.append(record)
    site.build(fold(records), tmp_path / "atlas")
    pages = {path: data.decode() for path, data in tree(tmp_path).items() if path.endswith(".html")}

    assert len(pages) > 250
    assert {} == {path: found for path, html in pages.items() if (found := faults(html))}


def test_no_page_holds_script_or_style_and_every_page_forbids_them(
    snapshot: Snapshot, tmp_path: Path, faults: Callable[[str], list[str]]
) -> None:
    """A policy without `unsafe-inline`, script from our own file only, no request to anywhere."""
    site.build(snapshot, tmp_path / "atlas")
    for path in (tmp_path / "atlas").rglob("*.html"):
        html = path.read_text(encoding="utf-8")

        assert [] == faults(html), path
        assert "default-src 'none'; style-src 'self'; script-src 'self'" in html
        assert "unsafe" not in html


def test_a_link_that_leads_nowhere_stops_the_build(snapshot: Snapshot, tmp_path: Path) -> None:
    """It names page and target, and the old site stands."""
    out = tmp_path / "atlas"
    site.build(snapshot, out)
    before = tree(out)
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "thread.html").write_text('{% extends "item.html" %}{% block after %}<a href="../nowhere.html">x</a>{% endblock %}')

    with pytest.raises(Malformed, match=r"threads/T-\d-\w+\.html: links to nowhere\.html"):
        site.build(snapshot, out, overrides=[folder])

    assert before == tree(out)


def test_an_anchor_that_is_not_there_stops_the_build_too(snapshot: Snapshot, tmp_path: Path) -> None:
    """A place on a page is checked like the page."""
    (tmp_path / "thread.html").write_text(
        '{% extends "item.html" %}{% block after %}<a href="../sessions/S-1-x2m.html#c9">x</a>{% endblock %}'
    )
    with pytest.raises(Malformed, match=r"S-1-x2m\.html#c9"):
        site.build(snapshot, tmp_path / "atlas", overrides=[tmp_path])

    assert not (tmp_path / "atlas").exists()


def test_an_override_draws_the_page(snapshot: Snapshot, tmp_path: Path) -> None:
    """Its own template, ours for the rest; and back again."""
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "thread.html").write_text('{% extends "item.html" %}{% block after %}<p>mine</p>{% endblock %}')
    out = tmp_path / "atlas"
    site.build(snapshot, out)
    built = site.build(snapshot, out, overrides=[tmp_path / "o"])

    assert {"threads/T-1-x2m.html", "threads/T-2-q7d.html", "threads/T-3-m4w.html"} == set(built.written)
    assert "<p>mine</p>" in (out / "threads/T-1-x2m.html").read_text()
    assert 3 == len(site.build(snapshot, out).written)


def test_a_foreign_folder_is_refused(snapshot: Snapshot, tmp_path: Path) -> None:
    """Nothing in it is touched."""
    (tmp_path / "index.html").write_text("mine")

    with pytest.raises(Refused):
        site.build(snapshot, tmp_path)
    with pytest.raises(Refused):
        workspace.build_index([], tmp_path)

    assert {"index.html": b"mine"} == tree(tmp_path)


def test_an_error_in_the_middle_leaves_the_old_site(
    records: list[SessionRecord], fold: Fold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever page it strikes."""
    out = tmp_path / "atlas"
    site.build(fold(records[:3]), out)
    before = tree(out)
    render = theme.Theme.render
    drawn = 0

    def fail(self: theme.Theme, template: str, values: dict[str, object]) -> str:
        nonlocal drawn
        drawn += 1
        if drawn == 12:
            raise MemoryError
        return render(self, template, values)

    monkeypatch.setattr(theme.Theme, "render", fail)
    with pytest.raises(MemoryError):
        site.build(fold(records), out)

    assert before == tree(out)
    assert [out] == list(tmp_path.iterdir())


KILLED = """
import pickle, sys
from pathlib import Path
from handoffsite.site import build
snapshots = pickle.load(open(sys.argv[1], "rb"))
print("ready", flush=True)
while True:
    for snapshot in snapshots:
        build.build(snapshot, Path(sys.argv[2]))
"""


def test_a_killed_build_leaves_a_whole_site(records: list[SessionRecord], fold: Fold, tmp_path: Path) -> None:
    """Killed at any moment while two versions replace each other: what stands is one of them, and the next build clears up."""
    one, other = fold(records[:4]), fold(records)
    site.build(one, tmp_path / "one")
    site.build(other, tmp_path / "other")
    whole = [tree(tmp_path / "one"), tree(tmp_path / "other")]
    (tmp_path / "w").mkdir()
    out = tmp_path / "w" / "site"
    site.build(one, out)
    (tmp_path / "snapshots").write_bytes(pickle.dumps([one, other]))
    for pause in (0.15, 0.24, 0.31):
        command = [sys.executable, "-c", KILLED, str(tmp_path / "snapshots"), str(out)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        ) as process:
            assert process.stdout is not None
            assert b"ready\n" == process.stdout.readline()
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
            process.wait()

        assert tree(out) in whole

    site.build(one, out)

    assert whole[0] == tree(out)
    assert [out] == list(out.parent.iterdir())


def test_a_workspace_shows_its_projects_and_none_of_their_items(snapshot: Snapshot, fold: Fold, tmp_path: Path) -> None:
    """Cards with counts, focus and the last session's day; the projects' folders and the .gitignore are left alone."""
    (tmp_path / ".gitignore").write_text("*\n!.gitignore\n")
    site.build(snapshot, tmp_path / "atlas", workspace=True)
    site.build(fold([], Project(id="e", name="empty")), tmp_path / "empty", workspace=True)
    before = tree(tmp_path / "atlas")
    cards = [card for name in ("atlas", "empty") if (card := workspace.card_of(tmp_path / name))]
    built = workspace.build_index(cards, tmp_path)
    html = (tmp_path / "index.html").read_text()

    assert {"session": 6, "decision": 3, "constraint": 2, "thread": 2} == cards[0].counts
    assert all(words in html for words in ("atlas/index.html", "Make failures visible", "20 October 2026", "No session yet"))
    assert "Redis" not in html
    assert before == tree(tmp_path / "atlas")
    assert "*\n!.gitignore\n" == (tmp_path / ".gitignore").read_text()
    assert "index.html" in built.written
    assert () == workspace.build_index(cards, tmp_path).written


def test_a_card_comes_from_the_built_site(snapshot: Snapshot, tmp_path: Path) -> None:
    """So that nobody needs to open a project whose site is current; a folder without a site has none."""
    site.build(snapshot, tmp_path / "atlas")

    assert workspace.card(snapshot) == workspace.card_of(tmp_path / "atlas")
    assert workspace.card_of(tmp_path) is None

    (tmp_path / "atlas" / MANIFEST).write_text(json.dumps({"schema": "handoffsite/site@1", "files": {}, "card": {"name": "x"}}))

    assert workspace.card_of(tmp_path / "atlas") is None


@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", "", "_index"])
def test_a_card_with_an_impossible_folder_is_refused(name: str, tmp_path: Path) -> None:
    """A link of the workspace leads to a project beside it, and nowhere else."""
    with pytest.raises(Refused):
        workspace.build_index([ProjectCard(name=name)], tmp_path / "build")
