"""What people reported of files that tools of this kind keep: two writers, near-miss names, damaged front matter, as they would meet it here.

The reports that another test shows already bear their number there: B42, B48, B52, B55, B62, B64, B67, B70, B72, B74, B78, B88, B90.
"""

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.envelope import envelope

PAIRS = [("w/spec-rl", "w/spec/rl"), ("w/my_project", "w/my-project"), ("w/App", "w/app"), ("w/atlas", "w/atlas-2")]


@pytest.fixture
def project(run: Any, tmp_path: Path) -> Path:
    """A project."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    return folder


def records(project: Path) -> list[Path]:
    """Every record, the first one first."""
    return sorted((project / ".handoff" / "sessions").glob("*.md"), key=lambda path: int(path.name.split("-")[4]))


def process(project: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A command line of ours as a process of its own."""
    command = [sys.executable, "-m", "handoffsite", *words]
    return subprocess.run(command, cwd=project, input=stdin, env={**os.environ}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_paths_that_look_alike_are_two_projects(run: Any, tmp_path: Path, pair: tuple[str, str]) -> None:
    """B40: each has an ID and a store of its own, and no word of one is found in the other."""
    ids = []
    for place, word in zip(pair, ("quetzal", "axolotl"), strict=True):
        folder = tmp_path / place
        folder.mkdir(parents=True)
        assert 0 == run("init", cwd=folder).status
        assert 0 == run("add", "decision", f"Call it {word}", cwd=folder).status
        ids += [line for line in (folder / ".handoff" / "project.toml").read_text().splitlines() if line.startswith("id ")]
    totals = [
        run("search", word, "--json", cwd=tmp_path / place).data["total"] for place in pair for word in ("quetzal", "axolotl")
    ]

    assert 2 == len(set(ids))
    assert [1, 0, 0, 1] == totals


def test_sessions_of_look_alike_folders_are_filed_apart(run: Any, make_log: Any, tmp_path: Path) -> None:
    """B40: also where one client's folder holds the logs of them all."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    run("init", "--workspace", cwd=workspace)
    places = [place for pair in PAIRS[:2] for place in pair]
    for number, place in enumerate(places):
        log = make_log(tmp_path / "logs" / f"{number}.jsonl", f"/{place}", f"5e55a1d0-0000-4000-8000-00000000000{number}")
        log.prompt(f"Name it canary{number}.")
        log.commit(f"Name it canary{number}")
        log.save()
    run("import", "transcripts", str(tmp_path / "logs"), cwd=workspace)
    held = [
        {number for number in range(len(places)) for path in folder.rglob("*.md") if f"canary{number}" in path.read_text()}
        for folder in sorted((workspace / "content").iterdir())
    ]

    assert [[0], [1], [2], [3]] == sorted(sorted(one) for one in held)


def test_nothing_is_written_without_a_project(run: Any, tmp_path: Path) -> None:
    """B45: a write outside every project is refused, and leaves nothing."""
    answers = [run(*words, cwd=tmp_path) for words in (("add", "decision", "Keep it"), ("memory", "set", "k", "v"), ("build",))]

    assert [2, 2, 2] == [done.status for done in answers]
    assert ["home"] == [path.name for path in tmp_path.iterdir()]


def test_a_file_of_one_name_in_two_projects_joins_nothing(run: Any, tmp_path: Path) -> None:
    """B45: what is known of `login.py` here says nothing of the one there."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        run("init", cwd=tmp_path / name)
    run("add", "constraint", "Caching in login.py", "--because", "sessions mixed up", cwd=tmp_path / "one")
    there = [run(*words, "--json", cwd=tmp_path / "two") for words in (("search", "login.py"), ("pack", "--for", "login.py"))]

    assert 0 == there[0].data["total"]
    assert "mixed up" not in there[1].out


def test_an_empty_project_is_not_answered_by_its_sibling(run: Any, make_log: Any, tmp_path: Path) -> None:
    """B46: it says that there is no session, and exits 1; nothing of the folder with the longest common prefix."""
    for name in ("st-wt-1252", "st-wt-1024"):
        (tmp_path / name).mkdir()
        run("init", cwd=tmp_path / name)
    place = tmp_path / "home" / ".claude" / "projects" / "-st-wt-1024"
    log = make_log(place / "5e55a1d0-0000-4000-8000-000000000001.jsonl", tmp_path / "st-wt-1024")
    log.prompt("Call it quetzal.")
    log.commit("Call it quetzal")
    log.save()
    empty = run("end", cwd=tmp_path / "st-wt-1252")
    full = run("end", cwd=tmp_path / "st-wt-1024")

    assert (1, 0) == (empty.status, full.status)
    assert "quetzal" not in empty.out + empty.err
    assert [] == records(tmp_path / "st-wt-1252")


def test_two_sessions_that_end_at_once_are_both_there(run: Any, project: Path) -> None:
    """B58: two records, and STATE.md has both; two decisions of one topic are said to contradict each other."""
    notes = [f"## Decisions\n- Keep sessions in {name}. [topic: session-store]\n" for name in ("Redis", "Postgres")]
    begun = [
        subprocess.Popen(
            [sys.executable, "-m", "handoffsite", "end", "--note", "-"],
            cwd=project,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        for _ in notes
    ]
    for one, note in zip(begun, notes, strict=True):
        assert one.stdin
        one.stdin.write(note.encode())
        one.stdin.close()
    statuses = [one.wait() for one in begun]
    state = (project / ".handoff" / "STATE.md").read_text()
    checked = run("check", "--json", cwd=project).data

    assert [0, 0] == statuses
    assert 2 == len(records(project))
    assert "Keep sessions in Redis" in state
    assert "Keep sessions in Postgres" in state
    assert "contradiction" in {problem["code"] for problem in checked["problems"]}


def _race(project: str, generation: int, number: int, begin: Any, results: Any) -> None:
    os.chdir(project)
    begin.wait(60)
    done = process(Path(project), "add", "thread", f"Racer {generation}.{number}", "--if-generation", str(generation))
    results.put(done.returncode)


@pytest.mark.gate
def test_of_eight_writers_who_read_the_same_one_wins(project: Path) -> None:
    """B59: in each round one is told that it is done, seven that somebody wrote first, and one record is there."""
    context = multiprocessing.get_context("spawn")
    for generation in range(4):
        begin, results = context.Event(), context.Queue()
        racers = [context.Process(target=_race, args=(str(project), generation, number, begin, results)) for number in range(8)]
        for racer in racers:
            racer.start()
        begin.set()
        statuses = sorted(results.get(timeout=120) for _ in racers)
        for racer in racers:
            racer.join(60)

        assert [0, *[3] * 7] == statuses
        assert generation + 1 == len(records(project))


@pytest.mark.parametrize("budget", [300, 500, 900, 1500])
def test_a_pack_is_cut_between_items_and_characters(run: Any, project: Path, budget: int) -> None:
    """B65: over its budget it leaves out whole items, and says how many and how to get them; no character of three bytes is cut."""
    for number in range(20):
        run(
            "add",
            "decision",
            f"認証トークンを{number}日ごとに更新する",
            "--rationale",
            "二つのノードが共有する" * 20,
            cwd=project,
        )
    packed = run("pack", "--budget", str(budget), cwd=project)

    assert 0 == packed.status, packed.err
    assert "\ufffd" not in packed.out
    assert len(packed.out.encode()) <= budget * 4
    shown = sum(f"- D-{number}-" in packed.out for number in range(1, 21))
    assert 20 == shown or f"{20 - shown} decisions: `handoffsite search" in packed.out


def test_the_lock_of_a_dead_process_holds_nobody_off(run: Any, project: Path) -> None:
    """B70: a lock file that names a process which is gone is only a file."""
    lock = project / ".handoff" / ".lock"
    lock.write_text("999999999\n")

    assert 0 == run("add", "thread", "Go on", cwd=project).status


def test_one_bad_record_of_a_hundred_costs_itself(run: Any, project: Path) -> None:
    """B79: what does not fit the schema is named, and the other ninety-nine are served by every command."""
    note = "## Decisions\n" + "".join(f"- Rule number {number}\n" for number in range(3))
    run("end", "--note", "-", cwd=project, stdin=note)
    for number in range(99):
        assert 0 == run("add", "thread", f"Item number {number}", cwd=project).status
    bad = records(project)[0]
    bad.write_text(bad.read_text().replace("status: accepted", "status: [maybe]", 1))
    found = {
        words[0]: run(*words, cwd=project) for words in (("state", "--json"), ("log", "--json"), ("search", "item", "--json"))
    }
    checked = run("check", "--json", cwd=project)

    assert 99 == len(found["state"].data["threads"])
    assert 99 == found["search"].data["total"]
    assert 1 == checked.status
    assert {bad.name} == {
        Path(problem["file"]).name
        for problem in checked.data["problems"]
        if problem["severity"] == "error" and "sessions" in problem["file"]
    }


@pytest.mark.parametrize(
    "broken",
    [
        ("title: ", "title: a: b\nx: "),
        ("title: ", "title: 'it's\nx: "),
        ("\n---\n", "\n"),
        ("title: ", "title: C:\\new\\table\n\t"),
        ("---\n", "***\n---\n"),
        ("title: ", "title: *star\nx: "),
        ("title: ", "title: [[x]]suffix\nx: "),
    ],
    ids=("colon", "apostrophe", "no end", "windows path", "leading rule", "star", "link with a suffix"),
)
def test_a_file_that_yaml_does_not_read_is_counted_and_left(run: Any, project: Path, broken: tuple[str, str]) -> None:
    """B81, B86, B87: named by `check` with its line, the other twenty indexed, and none of its bytes written over by any command."""
    for number in range(20):
        run("add", "thread", f"Good item {number}", cwd=project)
    run("add", "decision", "The bad one", cwd=project)
    bad = records(project)[-1]
    data = bad.read_text().replace(*broken, 1).encode()
    bad.write_bytes(data)
    later = [run(*words, cwd=project) for words in (("add", "thread", "One more"), ("build",), ("search", "good", "--json"))]
    checked = run("check", "--json", cwd=project)
    named = [
        problem for problem in checked.data["problems"] if problem["file"].endswith(bad.name) and problem["severity"] == "error"
    ]

    assert 20 == later[2].data["total"]
    assert data == bad.read_bytes()
    assert 1 == checked.status
    assert named
    assert all(problem["line"] for problem in named)


def test_a_second_block_of_front_matter_is_reported(run: Any, project: Path) -> None:
    """B86: a block that a sync tool put before ours is no reason to lose ours, or to write a third."""
    run("add", "decision", "Keep it", cwd=project)
    record = records(project)[0]
    data = b"---\ntitle: synced\n---\n" + record.read_bytes()
    record.write_bytes(data)
    run("build", cwd=project)
    checked = run("check", "--json", cwd=project)

    assert data == record.read_bytes()
    assert record.name in {Path(problem["file"]).name for problem in checked.data["problems"] if problem["severity"] == "error"}


@pytest.mark.parametrize(
    ("superseded", "resolves"),
    [
        ("Superseded by [0006](0006-keep-sessions-in-postgres.md)", True),
        ("Superseded by [the newer one](./0006-keep-sessions-in-postgres.md)", True),
        ("superseded by ADR-0006", True),
        ("Superseded by 0099", False),
    ],
    ids=("text", "href", "id", "unknown"),
)
def test_what_superseded_a_decision_is_found_however_it_is_named(
    run: Any, project: Path, tmp_path: Path, superseded: str, *, resolves: bool
) -> None:
    """B82: by the text of a link, by its target, by its number; what names nothing is told with the file, and stands in the narrative."""
    folder = tmp_path / "adr"
    folder.mkdir()
    body = "# {}\n\n## Status\n\n{}\n\n## Context\n\nTwo nodes.\n\n## Decision\n\n{}.\n"
    (folder / "0002-keep-sessions-in-redis.md").write_text(body.format("2. Keep sessions in Redis", superseded, "Redis"))
    (folder / "0006-keep-sessions-in-postgres.md").write_text(body.format("6. Keep sessions in Postgres", "Accepted", "Postgres"))
    done = run("import", "adr", str(folder), "--json", cwd=project)
    shown = run("search", "redis", "--kind", "decision", "--json", cwd=project).data["hits"]
    old = run("show", shown[0]["id"], "--json", cwd=project).data
    told = done.out + done.err

    assert "superseded" == old["status"]
    assert resolves == bool(old["superseded_by"])
    assert resolves or ("0002" in told and "no decision 99" in told)


def test_a_retry_under_one_key_has_one_effect(run: Any, project: Path) -> None:
    """B85: the same contract again is the same handoff; another one under that key is refused, and changes nothing."""
    proposed = [run("handoff", "propose", "-", "--json", cwd=project, stdin=text) for text in (envelope(), envelope())]
    other = run("handoff", "propose", "-", cwd=project, stdin=envelope(objective="Something else"))
    listed = run("handoff", "list", "--json", cwd=project).out

    assert [0, 0] == [done.status for done in proposed]
    assert proposed[0].data["id"] == proposed[1].data["id"]
    assert 1 == other.status
    assert "a key of its own" in other.err
    assert "Something else" not in listed
    assert 1 == len([path for path in (project / ".handoff" / "handoffs").iterdir() if path.suffix == ".json"])


@pytest.mark.parametrize(
    "heading", ["## To-Do List", "### Pending Tasks", "## DECISIONS MADE:", "## Whats next", "**Next steps:**"]
)
def test_near_miss_headings_lose_nothing(run: Any, project: Path, heading: str) -> None:
    """B92: what stands under one is an item, or is kept and said to be; never silently nothing."""
    done = run("end", "--note", "-", "--json", cwd=project, stdin=f"## Completed\n- Made it\n\n{heading}\n- Wire the quetzal\n")
    items = json.dumps([done.data["threads"], done.data["decisions"]])
    record = records(project)[-1].read_text()

    assert 0 == done.status, done.err
    assert "quetzal" in record
    assert "quetzal" in items or done.data["warnings"]


@pytest.mark.parametrize("text", ['grep -E "a|b" finds both', r"x \| y", "a `p|q` b", "||", "ends in a backslash \\"])
def test_a_pipe_shifts_no_column(run: Any, project: Path, text: str) -> None:
    """B96: a rationale with pipes comes back from STATE.md as it was, and is no edit by hand."""
    run("add", "decision", "Search with grep", "--rationale", text, "--topic", "search", cwd=project)
    state = run("state", "--json", cwd=project).data
    run("add", "thread", "Go on", cwd=project)

    assert [text] == [one["rationale"] for one in state["decisions"]]
    assert "search" == run("show", "D-1", "--json", cwd=project).data["topic"]
    assert 2 == len(records(project))
