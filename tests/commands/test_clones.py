"""Two clones of one project, merged by real git."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NOTE = "## Completed\n- {0}\n\n## Decisions\n- Choose {0}, because of {0}\n"


def git(folder: Path, *words: str, check: bool = True) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, check=check, capture_output=True, text=True)
    return done.stdout


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "records")


@pytest.fixture
def clones(tmp_path: Path, run: Any) -> tuple[Path, Path]:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    git(one, "init", "-q", "-b", "main")
    run("init", "--name", "atlas", cwd=one)
    run("end", "--note", "-", cwd=one, stdin=NOTE.format("the first thing"))
    commit(one)
    git(tmp_path, "clone", "-q", str(one), str(other))
    return one, other


def merge(one: Path, other: Path, run: Any) -> None:
    """Merge *other* into *one*; what is derived may conflict, and is folded again; a record never conflicts."""
    commit(one)
    commit(other)
    git(one, "pull", "-q", "--no-rebase", "--no-edit", str(other), "main", check=False)
    conflicts = git(one, "diff", "--name-only", "--diff-filter=U").split()
    assert not [name for name in conflicts if "/sessions/" in name]
    assert run("build", cwd=one).status == 0 or (one / ".gitattributes").exists()  # two versions in one file, which is said once
    assert run("build", cwd=one).status == 0
    if conflicts or (one / ".gitattributes").exists():
        commit(one)


def titles(run: Any, folder: Path) -> list[str]:
    ids = [id for record in run("log", "--json", cwd=folder).data for id in record["items"]]
    found = {item["id"]: item.get("title") or item["text"] for id in ids if (item := run("show", id, "--json", cwd=folder).data)}
    return sorted(found.values())


def test_different_sessions_merge(clones: tuple[Path, Path], run: Any) -> None:
    """B74: both clones took the same numbers: nothing is lost, no ID changes, and the short form is refused with both candidates."""
    one, other = clones
    mine = run("end", "--note", "-", "--json", cwd=one, stdin=NOTE.format("mine")).data["decisions"][0]["id"]
    theirs = run("end", "--note", "-", "--json", cwd=other, stdin=NOTE.format("theirs")).data["decisions"][0]["id"]

    merge(one, other, run)

    assert mine.split("-")[1] == theirs.split("-")[1] == "2"
    assert ["Choose mine", "Choose theirs"] == [run("show", id, "--json", cwd=one).data["title"] for id in (mine, theirs)]
    short = run("show", "D-2", cwd=one)
    assert 1 == short.status
    assert mine in short.err
    assert theirs in short.err
    assert run("check", "--json", cwd=one).data["ok"]
    assert "D-3-" in run("add", "decision", "Afterwards", "--json", cwd=one).data["id"]


def test_the_same_session_in_both_clones(clones: tuple[Path, Path], run: Any) -> None:
    """It is there once after the merge, and the IDs of both clones mean it, in the short form too."""
    one, other = clones
    run("end", "--note", "-", cwd=other, stdin=NOTE.format("only theirs"))
    ids = [
        run("end", "--note", "-", "--json", cwd=folder, stdin=NOTE.format("shared")).data["decisions"][0]["id"]
        for folder in clones
    ]

    merge(one, other, run)

    shown = [run("show", id, "--json", cwd=one).data for id in ids]
    assert ids[0] != ids[1]
    assert shown[0] == shown[1]
    assert 1 == titles(run, one).count("Choose shared")
    assert 1 == (one / ".handoff" / "STATE.md").read_text().count("Choose shared")
    assert run("check", "--json", cwd=one).data["ok"]


def test_the_same_session_with_the_same_numbers(clones: tuple[Path, Path], run: Any) -> None:
    """Recorded at different times in clones that knew the same, the two files merge without a conflict."""
    one, other = clones
    ids = [
        run("end", "--note", "-", "--json", cwd=folder, stdin=NOTE.format("shared")).data["decisions"][0]["id"]
        for folder in clones
    ]

    merge(one, other, run)

    assert ids[0] == ids[1]
    assert 1 == titles(run, one).count("Choose shared")
    assert ids[0] == run("show", "D-2", "--json", cwd=one).data["id"]
    assert run("check", "--json", cwd=one).data["ok"]


def test_both_clones_follow_up(clones: tuple[Path, Path], run: Any, make_log: Any, tmp_path: Path) -> None:
    """A session that both recorded and both followed up, one further than the other: each item once, each ID as it was."""
    one, other = clones
    log = make_log(tmp_path / "log.jsonl", tmp_path / "nowhere")
    log.prompt("Begin")
    log.commit("Begin the work", "1111111")
    path = log.save()
    for folder in clones:
        run("end", "--transcript", str(path), cwd=folder)
    log.prompt("Go on")
    log.commit("Go on with it", "2222222")
    log.save()
    mine = run("end", "--transcript", str(path), "--json", cwd=one).data
    log.prompt("And finish")
    log.commit("Finish all of it", "3333333")
    log.save()
    theirs = run("end", "--transcript", str(path), "--json", cwd=other).data

    merge(one, other, run)

    found = titles(run, one)
    assert sorted(set(found)) == found
    assert all(any(subject in title for title in found) for subject in ("Begin the work", "Go on with it", "Finish all of it"))
    for item in (*mine["completed"], *theirs["completed"]):
        assert item["text"] == run("show", item["id"], "--json", cwd=one).data["text"]


def test_everything_derived_comes_back(
    clones: tuple[Path, Path], run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleted and built again, at another path, in another time zone and locale, with new file times: byte for byte the same."""
    one, _ = clones
    run("supersede", "D-1", "--by", run("add", "decision", "Better", "--json", cwd=one).data["id"], cwd=one)
    run("add", "constraint", "Tried it", "--outcome", "failed", cwd=one)
    assert 0 == run("build", cwd=one).status
    elsewhere = tmp_path / "a" / "b c"
    shutil.copytree(one, elsewhere)
    for name in ("STATE.md", "archive", "build"):
        target = elsewhere / ".handoff" / name
        shutil.rmtree(target) if target.is_dir() else target.unlink()
    shutil.rmtree(tmp_path / "home" / ".cache")
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setenv("LC_ALL", "C")

    assert 0 == run("build", cwd=elsewhere).status

    def tree(root: Path) -> dict[str, bytes]:
        return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}

    assert tree(one / ".handoff") == tree(elsewhere / ".handoff")


def everything(run: Any, *folders: Path) -> dict[str, str]:
    """Every ID that any of *folders* knows, and its title."""
    found = {}
    for folder in folders:
        for record in run("log", "--json", cwd=folder).data:
            found[record["id"]] = record["title"]
            for id in record["items"]:
                item = run("show", id, "--json", cwd=folder).data
                found[id] = item.get("title") or item.get("tried") or item["text"]
    return found


def add(run: Any, folder: Path, *words: str) -> str:
    """Record one item; its ID."""
    done = run("add", *words, "--json", cwd=folder)
    assert 0 == done.status
    return str(done.data["id"])


def shape_decisions(run: Any, one: Path, other: Path) -> None:
    add(run, one, "decision", "Mine")
    add(run, other, "decision", "Theirs")


def shape_all_kinds(run: Any, one: Path, other: Path) -> None:
    for folder, name in ((one, "mine"), (other, "theirs")):
        add(run, folder, "constraint", f"Tried {name}")
        add(run, folder, "thread", f"Work {name}")
        run("end", "--note", "-", cwd=folder, stdin=NOTE.format(name))


def shape_accept_and_reject(run: Any, one: Path, other: Path) -> None:
    run("accept", "D-1", cwd=one)
    run("reject", "D-1", "--reason", "no", cwd=other)


def shape_both_supersede(run: Any, one: Path, other: Path) -> None:
    for folder, name in ((one, "mine"), (other, "theirs")):
        run("supersede", "D-1", "--by", add(run, folder, "decision", f"Better, {name}"), cwd=folder)


def shape_retire_and_cite(run: Any, one: Path, other: Path) -> None:
    run("retire", "D-1", cwd=one)
    add(run, other, "thread", "Build on D-1")


def shape_done_and_renewed(run: Any, one: Path, other: Path) -> None:
    thread = add(run, one, "thread", "Shared")
    commit(one)
    git(other, "pull", "-q", "--no-rebase", "--no-edit", str(one), "main", check=False)
    run("build", cwd=other)
    run("done", thread, cwd=one)
    run("retire", thread, cwd=other)


def shape_many(run: Any, one: Path, other: Path) -> None:
    for number in range(6):
        add(run, (one, other)[number % 2], "decision", f"Number {number}")


def shape_equal_words(run: Any, one: Path, other: Path) -> None:
    for folder in (one, other):
        add(run, folder, "decision", "The very same words")


def shape_one_side_only(run: Any, one: Path, other: Path) -> None:
    add(run, other, "decision", "Only theirs")
    (one / "notes.txt").write_text("x")


def shape_purged_here(run: Any, one: Path, other: Path) -> None:
    secret = add(run, one, "thread", "hushhushword leaked")
    run("purge", "hushhushword", "--reason", "leaked", cwd=one)
    assert secret
    add(run, other, "decision", "Meanwhile")


SHAPES = (
    shape_decisions,
    shape_all_kinds,
    shape_accept_and_reject,
    shape_both_supersede,
    shape_retire_and_cite,
    shape_done_and_renewed,
    shape_many,
    shape_equal_words,
    shape_one_side_only,
    shape_purged_here,
)


@pytest.mark.parametrize("driver", ["", pytest.param("union", marks=pytest.mark.long)])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__.removeprefix("shape_"))
def test_no_merge_loses_a_record(clones: tuple[Path, Path], run: Any, shape: Any, driver: str) -> None:
    """Ten shapes, with git's own merge and with the union driver: every ID means what it meant, both ways round, and no file is damaged."""
    one, other = clones
    if driver:
        for folder in clones:
            (folder / ".gitattributes").write_text("*.md merge=union\n")
    shape(run, one, other)
    before = everything(run, one, other)

    merge(one, other, run)
    git(other, "pull", "-q", "--no-rebase", "--no-edit", str(one), "main")
    assert 0 == run("build", cwd=other).status

    assert before.items() <= everything(run, one).items()
    errors = [problem for problem in run("check", "--json", cwd=one).data["problems"] if problem["severity"] == "error"]
    assert [] == errors
    states = [(folder / ".handoff" / "STATE.md").read_bytes() for folder in clones]
    assert states[0] == states[1]


@pytest.mark.parametrize("how", ["rebase", "cherry-pick"])
def test_a_rebase_renumbers_nothing(clones: tuple[Path, Path], run: Any, how: str) -> None:
    """Records that git puts on top of others keep their IDs; what it stops at is derived."""
    one, other = clones
    add(run, one, "decision", "Mine")
    commit(one)
    add(run, other, "decision", "Theirs")
    (other / ".handoff" / "STATE.md").unlink()
    shutil.rmtree(other / ".handoff" / "archive", ignore_errors=True)
    git(other, "rm", "-q", "--cached", "-r", ".handoff/STATE.md")
    commit(other)
    before = {**everything(run, one), **everything(run, other)}
    git(other, "fetch", "-q", str(one), "main")
    if how == "rebase":
        git(other, "rebase", "-q", "FETCH_HEAD", check=False)
    else:
        mine = git(other, "rev-parse", "HEAD").strip()
        git(other, "reset", "-q", "--hard", "FETCH_HEAD")
        git(other, "cherry-pick", mine, check=False)

    assert 0 == run("build", cwd=other).status
    assert before.items() <= everything(run, other).items()
    assert run("check", "--json", cwd=other).data["ok"]


def test_a_worktree_records_in_the_main_boundary(clones: tuple[Path, Path], run: Any, tmp_path: Path) -> None:
    """What is recorded in a linked worktree, on its own branch, is there for the main one at once, and nowhere twice."""
    one, _ = clones
    linked = tmp_path / "linked"
    git(one, "worktree", "add", "-q", "-b", "side", str(linked))

    id = add(run, linked, "decision", "From the worktree")

    assert "From the worktree" == run("show", id, "--json", cwd=one).data["title"]
    assert id == run("show", "D-2", "--json", cwd=linked).data["id"]
    assert not git(linked, "status", "--porcelain").strip()
    assert run("check", "--json", cwd=linked).data["ok"]


def test_a_merge_that_stopped_in_a_record_is_named(clones: tuple[Path, Path], run: Any) -> None:
    """B78: its lines are named; nothing is folded onto it; `--fix` puts back the side that is whole, if only one is."""
    one, other = clones
    (path,) = (one / ".handoff" / "sessions").glob("*-S-1-*.md")
    whole = path.read_text()
    theirs = other / ".handoff" / "sessions" / path.name
    theirs.write_text(whole.replace("Choose the first thing", "Choose otherwise"))
    path.write_text(whole + "\n")
    for folder in clones:
        commit(folder)
    path.write_text(whole.replace("Choose the first thing", "Choose quite otherwise"))
    commit(one)
    git(one, "pull", "-q", "--no-rebase", "--no-edit", str(other), "main", check=False)
    lines = [
        number for number, line in enumerate(path.read_text().splitlines(), 1) if line[:7] in {"<<<<<<<", "=======", ">>>>>>>"}
    ]
    state = (one / ".handoff" / "STATE.md").read_bytes()

    found = [problem for problem in run("check", "--json", cwd=one).data["problems"] if problem["code"] == "conflict"]

    assert [(f"sessions/{path.name}", lines[0])] == [(problem["file"], problem["line"]) for problem in found]
    assert all(str(line) in found[0]["message"] for line in lines)
    assert 1 == run("build", cwd=one).status
    assert state == (one / ".handoff" / "STATE.md").read_bytes()
    path.write_text(path.read_text().replace("Choose otherwise", "Choose the first thing"))
    assert run("check", "--fix", "--json", cwd=one).data["ok"]
    assert whole == path.read_text()


def test_a_writer_that_read_before_the_merge_is_told(clones: tuple[Path, Path], run: Any) -> None:
    """`--if-generation` of before the merge is a conflict, and nothing is written; that of after it is not."""
    one, other = clones
    generation = run("state", "--json", cwd=one).data["generation"]
    add(run, other, "decision", "Theirs")
    merge(one, other, run)
    before = sorted(path.name for path in (one / ".handoff" / "sessions").iterdir())
    writes = (["add", "thread", "x"], ["retire", "D-1"], ["end", "--note", "-"], ["purge", "Choose", "--reason", "r"])

    late = [run(*words, "--if-generation", str(generation), cwd=one, stdin=NOTE.format("late")).status for words in writes]

    assert [3] * len(writes) == late
    assert before == sorted(path.name for path in (one / ".handoff" / "sessions").iterdir())
    assert 0 == run("add", "thread", "x", "--if-generation", str(generation + 1), cwd=one).status


def test_what_two_clones_decide_of_one_topic_is_found(clones: tuple[Path, Path], run: Any) -> None:
    """After the merge both hold, and `check` says that they contradict each other."""
    one, other = clones
    mine = add(run, one, "decision", "Redis", "--topic", "store")
    theirs = add(run, other, "decision", "Postgres", "--topic", "store")
    assert "contradiction" not in run("check", cwd=one).out

    merge(one, other, run)

    (found,) = [problem for problem in run("check", "--json", cwd=one).data["problems"] if problem["code"] == "contradiction"]
    assert mine in found["message"]
    assert theirs in found["message"]
