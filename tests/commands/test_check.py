"""What `check` must find, where it stands, and what `check --fix` may mend."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records import grammar

NOTE = """## Focus
Ship sign-in

## Completed
- The login form posts to /api/session
- The session outlives a restart of one node

## Decisions
- Keep sessions in Redis, because two nodes must share them. Alternatives: signed cookies. [topic: session-store]
- Rotate refresh tokens every day, because a stolen one must not last.
- Name the cookie sid, because proxies log longer names.

## Constraints
- Tried: a Lua script for rotation. Outcome: refused by the managed Redis plan. Because: EVAL is disabled.

## Threads
- Rotate refresh tokens. Next: write the migration
"""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("template") / "atlas"


@pytest.fixture
def project(tmp_path: Path, run: Any, template: Path) -> Path:
    folder = tmp_path / "atlas"
    if template.exists():
        shutil.copytree(template, folder)
        run("log", cwd=folder, at=1_793_003_600)  # an hour after the records of the template
        return folder
    folder.mkdir()
    run("init", "--name", "atlas", cwd=folder)
    run("end", "--note", "-", cwd=folder, stdin=NOTE)
    run("add", "decision", "Log in JSON", "--rationale", "one line an event", cwd=folder)
    run("add", "constraint", "Two writers on one file", "--outcome", "lines were lost", cwd=folder)
    shutil.copytree(folder, template)
    return folder


def record(project: Path, id: str = "S-1-") -> Path:
    (found,) = (project / ".handoff" / "sessions").glob(f"*{id}*.md")
    return found


def problems(run: Any, project: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run("check", "--json", cwd=project).data["problems"]
    return found


def where(found: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    return [(one["code"], one["file"], one["line"]) for one in found]


def without(text: str, *words: str) -> str:
    """*text* without the entries of its front matter that hold one of *words*."""
    return "".join(
        line for line in text.splitlines(keepends=True) if not (line.startswith("  - {") and any(word in line for word in words))
    )


def sealed(text: str) -> str:
    """*text*, changed by somebody who knows how a footer is made."""
    before, _, footer = text.rpartition("<!-- handoffsite:end ")
    return grammar.seal(before, footer.split(" ")[0])


DAMAGE: dict[str, Callable[[str], str]] = {
    "cut mid-sentence": lambda text: text[: text.index("two nodes")],
    "the last item gone": lambda text: without(text, "Name the cookie"),
    "a third of the items gone": lambda text: without(text, "Keep sessions", "Rotate refresh tokens every"),
    "all items gone": lambda text: without(text, "{"),
    "emptied": lambda _: "",
    "an old item edited": lambda text: text.replace("every day", "every week"),
    "a heading renamed": lambda text: text.replace("## Decisions", "## Choices"),
    "a field renamed": lambda text: text.replace("rationale:", "reason_why:"),
    "a list renamed": lambda text: text.replace("\nconstraints:", "\nlimits:"),
    "the level of a heading": lambda text: text.replace("## Decisions", "#### Decisions"),
    "a field missing": lambda text: text.replace("\nsource: ", "\n# "),
    "free text in a status": lambda text: text.replace("status: accepted", "status: accepted for now", 1),
    "conflict markers": lambda text: text.replace("\nfocus:", "\n<<<<<<< HEAD\nfocus: x\n=======\nfocus:").replace(
        "\ncompleted:", "\n>>>>>>> other\ncompleted:"
    ),
    "NUL bytes at the end": lambda text: text[:-200] + "\0" * 200,
    "a sealed status that is none": lambda text: sealed(text.replace("status: accepted", "status: accepted for now", 1)),
    "a sealed field that is none": lambda text: sealed(text.replace("rationale:", "reason_why:")),
    "a sealed entry without its title": lambda text: sealed(text.replace("title: Name the cookie sid, ", "")),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damage_to_a_record_is_found(project: Path, run: Any, damage: Callable[[str], str]) -> None:
    """Before and after a rebuild, `check` names the file and a line of it, exits 1, and the other records are served."""
    path = record(project)
    before = path.read_text()
    path.write_text(damage(before))
    assert before != path.read_text()

    for _ in range(2):
        done = run("check", "--json", cwd=project)
        assert 1 == done.status
        named = [one for one in done.data["problems"] if one["severity"] == "error"]
        assert [f"sessions/{path.name}"] == [one["file"] for one in named]
        assert all(1 <= one["line"] <= path.read_text().count("\n") + 1 and one["fix"] for one in named)
        assert 1 == run("build", cwd=project).status
    assert "Log in JSON" in run("state", cwd=project).out


def test_an_id_defined_twice_is_found(project: Path, run: Any) -> None:
    """Both files are named, with the lines on which the ID stands."""
    path = record(project, "S-2-")
    text = path.read_text().replace("Log in JSON", "Log in plain text")
    other = path.with_name(path.name.replace("S-2-", "S-9-"))
    other.write_text(sealed(text.replace("S-2-", "S-9-").replace("source: act:", "source: act:0")))

    for _ in range(2):
        (found,) = [one for one in problems(run, project) if one["code"] == "id-defined-twice"]
        assert ("error", f"sessions/{other.name}") == (found["severity"], found["file"])
        assert f"sessions/{path.name}:" in found["message"]
        assert "Log in plain text" in other.read_text().splitlines()[found["line"] - 1]
        run("build", cwd=project)


def test_the_id_of_a_record_given_twice_is_found(project: Path, run: Any) -> None:
    """Another record under the same ID is an error, whatever its file is called."""
    path = record(project, "S-3-")
    other = path.with_name(path.name.replace("two-writers", "three-writers"))
    other.write_text(sealed(path.read_text().replace("lines were lost", "nothing was lost")))

    for _ in range(2):
        found = [one for one in problems(run, project) if one["code"] == "id-defined-twice"]
        assert {f"sessions/{path.name}", f"sessions/{other.name}"} & {one["file"] for one in found}
        run("build", cwd=project)


def test_a_ghost_that_is_superseded_is_found(project: Path, run: Any) -> None:
    """A decision that replaces what no record defines is an error that names the line."""
    path = record(project, "S-2-")
    path.write_text(sealed(path.read_text().replace("rationale:", "supersedes: [D-70-abc], rationale:")))

    for _ in range(2):
        (found,) = [one for one in problems(run, project) if one["code"] == "unknown-id"]
        assert ("error", f"sessions/{path.name}") == (found["severity"], found["file"])
        assert "D-70-abc" in path.read_text().splitlines()[found["line"] - 1]
        run("build", cwd=project)


STATE_DAMAGE: dict[str, Callable[[str], str]] = {
    "cut mid-sentence": lambda text: text[: text.index("two nodes")],
    "emptied": lambda _: "",
    "an old item edited": lambda text: text.replace("Name the cookie sid", "Name the cookie session"),
    "the last row gone": lambda text: "".join(line for line in text.splitlines(keepends=True) if "Two writers" not in line),
    "all rows gone": lambda text: "".join(line for line in text.splitlines(keepends=True) if not line.startswith("| ")),
    "a heading renamed": lambda text: text.replace("## Decisions", "## Choices"),
    "a column renamed": lambda text: text.replace("| Rationale |", "| Reasons |"),
    "the level of a heading": lambda text: text.replace("## Decisions", "#### Decisions"),
    "a field missing": lambda text: text.replace("\ngeneration:", "\n#"),
    "free text in a status": lambda text: text.replace("| accepted |", "| accepted for now |", 1),
    "an ID twice": lambda text: text.replace("| D-2-", "| D-1-"),
    "a ghost": lambda text: text.replace("| D-2-", "| D-77-"),
    "conflict markers": lambda text: text.replace("\n## Threads", "\n<<<<<<< HEAD\n=======\n>>>>>>> x\n## Threads"),
    "an older version": lambda text: text.replace("records=", "records=0"),
}


@pytest.mark.parametrize("damage", STATE_DAMAGE.values(), ids=STATE_DAMAGE)
def test_damage_to_the_state_is_found(project: Path, run: Any, damage: Callable[[str], str]) -> None:
    """`check` names STATE.md; the records, which are the truth, are not touched by any of it."""
    path = project / ".handoff" / "STATE.md"
    before = path.read_text()
    path.write_text(damage(before))
    assert before != path.read_text()

    assert "STATE.md" in [one["file"] for one in problems(run, project)]
    assert "Keep sessions in Redis" in run("state", cwd=project).out


@pytest.mark.parametrize("cuts", [30, pytest.param(300, marks=pytest.mark.long)])
def test_after_a_cut_the_next_item_is_readable(project: Path, run: Any, cuts: int) -> None:
    """A record cut at any point costs itself: what is recorded next is found, with a number of its own, and the cut is named."""
    path = record(project)
    whole = path.read_bytes()
    taken = set()
    for number in range(cuts):
        path.write_bytes(whole[: len(whole) * number // cuts])
        added = run("add", "decision", f"Decision {number} after a cut", "--json", cwd=project).data["id"]

        assert f"Decision {number} after a cut" == run("show", added, "--json", cwd=project).data["title"]
        if number % 10 == 0:
            assert f"sessions/{path.name}" in [one["file"] for one in problems(run, project)]
        taken.add(added)
    path.write_bytes(whole)

    assert cuts == len(taken)
    assert run("check", "--json", cwd=project).data["ok"]


ORDINARY = [
    *(
        ["add", "decision", f"Ordinary choice {number}", "--rationale", f"reason {number}", "--topic", f"topic {number}"]
        for number in range(16)
    ),
    *(
        ["add", "constraint", f"Attempt {number}", "--outcome", "it failed", "--because", f"cause {number}"]
        for number in range(6)
    ),
    *(["add", "thread", f"Work {number}", "--next", "the next step, as D-2 says"] for number in range(5)),
    ["add", "decision", "Sessions in Postgres instead of Redis, unlike D-1", "--supersedes", "D-1"],
    ["add", "decision", "Not an ID: T-shirt, S-Bahn, C-3PO, vitamin D-3x, ISO-8601, x-D-1, D-1.5"],
    ["add", "decision", "Emoji 👩\u200d💻 and ❤\ufe0f, and words: החלטה, نحتفظ, 決定, naïve, cafe\u0301"],
    ["add", "decision", "A | B, `x | y`, back\\slash, <b>, {{x}}, --- and ======= too"],
    ["add", "decision", "One", "--topic", "café"],
    ["supersede", "D-5", "--by", "D-6"],
    *([word, f"D-{number}", "--reason", "as it turned out"] for word, number in (("retire", 7), ("reject", 8), ("retire", 9))),
    *([word, item] for word, item in (("lift", "C-3"), ("lift", "C-4"), ("done", "T-2"), ("done", "T-3"))),
    *(
        [
            "end",
            "--note",
            "-",
            f"## Completed\n- Piece {number} is done\n\n## Decisions\n- Piece {number} is written in Rust, because of speed\n",
        ]
        for number in range(6)
    ),
    [
        "end",
        "--note",
        "-",
        "## Completed\n- Merged by hand\n\n<<<<<<< HEAD\nthe markers of a merge, quoted\n=======\nas an agent saw them\n>>>>>>> other\n",
    ],
    ["end", "--note", "-", "## Completed\r\n- A note from another system\r\n\r\nA paragraph\r\nof two lines.\r\n"],
    ["retire", "S-30"],
    ["build"],
    ["accept", "D-1"],
]


def test_ordinary_edits_raise_no_alarm(project: Path, run: Any) -> None:
    """After each of fifty ordinary commands `check` has nothing to say."""
    for words in ORDINARY:
        given = words.pop() if words[:3] == ["end", "--note", "-"] else ""
        done = run(*words, cwd=project, stdin=given)
        assert 0 == done.status or words == ["accept", "D-1"], done.err

    assert 50 <= len(ORDINARY)
    assert [] == problems(run, project)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("project.toml", lambda text: text + 'description = "What atlas is"\n'),
        (".gitignore", lambda text: "# ours\n" + text + "*.pdf\n"),
        ("README.md", lambda _: "# Atlas\n\nD-99 is not ours.\n"),
        ("plans/next.md", lambda _: "# Plan\n"),
    ],
)
def test_ordinary_edits_of_other_files_raise_no_alarm(project: Path, run: Any, name: str, change: Callable[[str], str]) -> None:
    """Settings and files of people's own are theirs to edit."""
    path = project / ".handoff" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(change(path.read_text() if path.exists() else ""))

    assert [] == problems(run, project)


def repository(project: Path) -> Callable[..., str]:
    """git, in a repository around *project* in which everything is committed."""

    def git(*words: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *identity, *words], cwd=project, check=True, capture_output=True, text=True)
        return str(done.stdout)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "records")
    return git


def one_of(found: list[dict[str, Any]], code: str) -> dict[str, Any]:
    (one,) = [problem for problem in found if problem["code"] == code]
    assert one["fix"]
    return one


def line_of(project: Path, problem: dict[str, Any]) -> str:
    """The line that *problem* points to."""
    lines = (project / ".handoff" / problem["file"]).read_text().splitlines()
    line: str = lines[problem["line"] - 1]
    return line


def test_two_accepted_decisions_of_a_topic_are_found(project: Path, run: Any) -> None:
    """However the topic is typed; with the place of both, until one replaces the other."""
    other = run("add", "decision", "Sessions in Postgres", "--topic", "Session-Store", "--json", cwd=project).data["id"]
    run("add", "decision", "Beans", "--topic", "caf\u00e9", cwd=project)
    accented = run("add", "decision", "Leaves", "--topic", "cafe\u0301", "--json", cwd=project).data["id"]

    found = [one for one in problems(run, project) if one["code"] == "contradiction"]

    assert 2 == len(found)
    assert all(id in line_of(project, one) for id, one in zip((other, accented), found, strict=True))
    assert f"sessions/{record(project).name}:" in found[0]["message"]
    run("supersede", "D-1", "--by", other, cwd=project)
    run("retire", accented, cwd=project)
    assert "contradiction" not in [one["code"] for one in problems(run, project)]


@pytest.mark.parametrize("words", [["retire", "D-2"], ["supersede", "D-2", "--by", "D-4"], ["lift", "C-1"]])
def test_what_ended_and_is_still_cited_is_found(project: Path, run: Any, words: list[str]) -> None:
    """An item that holds and leans on one that does not, on the line where it says so; one that says that it ended is no fault."""
    citing = run("add", "thread", f"Finish what {words[1]} asks for", "--json", cwd=project).data["id"]
    run("add", "thread", f"Clean up after {words[1]}, which was dropped", cwd=project)
    assert [] == problems(run, project)

    run(*words, cwd=project)

    found = one_of(problems(run, project), "cites-ended")
    assert (citing in found["message"], citing in line_of(project, found)) == (True, True)
    run("done", citing, cwd=project)
    assert [] == problems(run, project)


def test_a_row_of_the_state_that_ended_is_found(project: Path, run: Any) -> None:
    """A STATE.md that was put back shows what no longer holds: each row is named."""
    state = project / ".handoff" / "STATE.md"
    before = state.read_text()
    new = run("add", "decision", "Rotate each hour", "--supersedes", "D-2", "--json", cwd=project).data["id"]
    state.write_text(before)

    found = one_of(problems(run, project), "shows-ended")

    assert "STATE.md" == found["file"]
    assert "| D-2-" in line_of(project, found)
    assert new in found["message"]
    run("check", "--fix", cwd=project)
    assert [] == problems(run, project)


@pytest.mark.parametrize("ghost", ["D-99", "C-7-abc", "T-40", "S-77-abc", "S-1.c9"])
def test_a_reference_to_nothing_is_found(project: Path, run: Any, ghost: str) -> None:
    """An ID in an item's words that no record defines, short or whole."""
    run("add", "decision", "Something else", "--rationale", f"as {ghost} has it", cwd=project)

    found = one_of(problems(run, project), "unknown-id")

    assert ghost in found["message"]
    assert ghost in line_of(project, found)


def test_a_commit_that_git_does_not_know_is_found(project: Path, run: Any) -> None:
    """On the line of the item that claims it; not when the item is retired, and not when git knows it."""
    git = repository(project)
    real = git("rev-parse", "HEAD")[:10]
    run("end", "--note", "-", cwd=project, stdin=f"## Completed\n- Fixed in {real}\n- Also in deadbee1\n")

    found = one_of(problems(run, project), "unknown-commit")

    assert "deadbee1" in found["message"]
    assert "deadbee1" in line_of(project, found)
    run("retire", "S-4.c2", cwd=project)
    assert [] == problems(run, project)


def test_a_deleted_record_is_found(project: Path, run: Any) -> None:
    """Git knows that it was there, and without git the gap in the numbers tells."""
    git = repository(project)
    path = record(project, "S-2-")
    path.unlink()

    found = [one for _ in range(2) if run("build", cwd=project) for one in problems(run, project)]

    assert {"deleted-record", "missing-record"} <= {one["code"] for one in found}
    assert not run("check", "--json", cwd=project).data["ok"]
    git("checkout", "HEAD", "--", f".handoff/sessions/{path.name}")
    run("build", cwd=project)
    assert [] == problems(run, project)


COPIES = [
    "{stem}.sync-conflict-20261130-120000-ABCDEFG.md",
    "{stem} (conflicted copy 2026-11-30 120000).md",
    "{stem} (somebody's conflicted copy 2026-11-30).md",
    "{stem}.md.orig",
    "{stem}.md~",
    ".#{stem}.md",
    "{stem}.md.bak",
    "{stem}_BACKUP_1234.md",
]


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_never_a_record(project: Path, run: Any, name: str) -> None:
    """It is named with its ID and the record's file; only one that says nothing of its own is moved away, whole."""
    original = record(project, "S-2-")
    same = original.with_name(name.format(stem=original.stem))
    same.write_bytes(original.read_bytes())
    other = original.with_name(name.format(stem=original.stem + "x"))
    other.write_text(original.read_text().replace("Log in JSON", "Log in secret"))
    before = run("state", cwd=project).out

    found = [one for one in problems(run, project) if one["code"] == "record-copy"]
    fixed = run("check", "--fix", "--json", cwd=project).data

    assert {f"sessions/{same.name}", f"sessions/{other.name}"} == {one["file"] for one in found}
    assert all("S-2-" in one["message"] and original.name in one["message"] for one in found)
    assert [f"sessions/{same.name}"] == [one["file"] for one in fixed["mended"]]
    assert [f"sessions/{other.name}"] == [one["file"] for one in fixed["problems"]]
    (backup,) = fixed["backups"]
    assert original.read_bytes() == (project / ".handoff" / backup / "sessions" / same.name).read_bytes()
    assert (before, "Log in secret" in before) == (run("state", cwd=project).out, False)


def test_copies_of_other_files_are_named(project: Path, run: Any) -> None:
    """Beside STATE.md, project.toml and in archive/ as well; none of them is read."""
    names = ("STATE.sync-conflict-20261130-120000-ABCDEFG.md", "project.toml.orig", "archive/x (conflicted copy 2026-11-30).md")
    for name in names:
        path = project / ".handoff" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")

    assert set(names) == {one["file"] for one in problems(run, project) if one["code"] == "stray-copy"}


@pytest.mark.parametrize(
    "respell",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
        lambda data: data + b"\n\n",
        lambda data: data.rstrip(b"\n"),
    ],
    ids=["BOM", "CRLF", "both", "blank lines", "no last line end"],
)
def test_what_an_editor_adds_hides_nothing(project: Path, run: Any, respell: Callable[[bytes], bytes]) -> None:
    """B88: a record with a byte order mark or CRLF verifies, folds to the same state and is said to be respelled; `--fix` undoes that."""
    path = record(project)
    before, state = path.read_bytes(), run("state", "--json", cwd=project).data
    path.write_bytes(respell(before))

    found = problems(run, project)
    again = run("state", "--json", cwd=project).data
    fixed = run("check", "--fix", "--json", cwd=project).data

    assert {"respelled"} >= {one["code"] for one in found}
    assert state == again
    assert fixed["problems"] == []
    assert path.read_bytes() in {before, before.rstrip(b"\n")}


def test_what_is_derived_is_folded_again(project: Path, run: Any) -> None:
    """`--fix` makes STATE.md and archive/ what the records say, and keeps what stood there."""
    run("retire", "D-4", cwd=project)
    root = project / ".handoff"
    files = [root / "STATE.md", root / "archive" / "decisions.md"]
    before = [path.read_bytes() for path in files]
    for path in files:
        path.write_bytes(path.read_bytes()[:300])
    assert {"STATE.md", "archive/decisions.md"} == {one["file"] for one in problems(run, project)}

    fixed = run("check", "--fix", "--json", cwd=project).data

    assert before == [path.read_bytes() for path in files]
    assert {"STATE.md", "archive/decisions.md"} == {one["file"] for one in fixed["mended"]}
    assert before[1][:300] == (root / fixed["backups"][0] / "archive" / "decisions.md").read_bytes()


def test_a_damaged_record_comes_back_from_git(project: Path, run: Any) -> None:
    """Its name ends in a mark of its bytes, so what git has is known to be the record; the damaged bytes are kept."""
    repository(project)
    path = record(project)
    whole = path.read_bytes()
    path.write_bytes(whole[:500])

    fixed = run("check", "--fix", "--json", cwd=project).data

    assert (whole, []) == (path.read_bytes(), fixed["problems"])
    assert whole[:500] == (project / ".handoff" / fixed["backups"][0] / "sessions" / path.name).read_bytes()


def test_nothing_is_guessed(project: Path, run: Any) -> None:
    """Damage of which no whole copy is at hand stays as it is, byte for byte, and is said to be left."""
    path = record(project)
    path.write_bytes(path.read_bytes().replace(b"every day", b"every week"))
    (path.with_name("notes.txt")).write_text("mine")
    before = {one: one.read_bytes() for one in sorted((project / ".handoff").rglob("*")) if one.is_file() and one.name != ".lock"}

    done = run("check", "--fix", "--json", cwd=project)

    assert 1 == done.status
    assert ([], []) == (done.data["mended"], done.data["backups"])
    assert {"edited", "stranger"} <= {one["code"] for one in done.data["problems"]}
    assert before == {one: one.read_bytes() for one in before}


def test_a_record_under_another_name_gets_its_own(project: Path, run: Any) -> None:
    """Renamed by hand it is found and called again what it was; a second file of the same bytes is moved away."""
    path = record(project, "S-2-")
    data = path.read_bytes()
    path.rename(path.with_name("2026-01-01-S-8-abc-renamed.md"))
    assert "misnamed" in [one["code"] for one in problems(run, project)]
    run("check", "--fix", cwd=project)
    again = path.read_bytes()
    path.with_name(path.name.replace("log-in", "again")).write_bytes(data)

    fixed = run("check", "--fix", "--json", cwd=project).data

    assert (data, data, []) == (again, path.read_bytes(), fixed["problems"])
    assert ["misnamed"] == [one["code"] for one in fixed["mended"]]


def test_litter_and_ignored_files(project: Path, run: Any) -> None:
    """What a killed writer left is cleared, and .gitignore gets the lines that it lacks."""
    repository(project)
    root = project / ".handoff"
    litter = root / "sessions" / ".x.md.tmp-4194305-abcdef"
    litter.write_text("half a rec")
    ignore = root / ".gitignore"
    before = ignore.read_text()
    ignore.write_text("# mine\n")
    assert {"litter", "gitignore"} == {one["code"] for one in problems(run, project)}

    fixed = run("check", "--fix", "--json", cwd=project).data

    assert ([], False) == (fixed["problems"], litter.exists())
    assert {"# mine", *before.split()} == set(ignore.read_text().splitlines())


HIDDEN = (
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # bidi
    "\u200b\u200c\u200d\u2060\ufeff\u180e"  # zero-width
    "\U000e0041\u00ad\ufe0f\U000e0100\u2028\u2029\x00\x1b\x85"
)


@pytest.mark.parametrize("character", [*HIDDEN, "\ud800"], ids=lambda one: f"U+{ord(one):04X}")
def test_hidden_characters_are_named(project: Path, run: Any, character: str) -> None:
    """On its line by `check`, as a marker in every output and file that people read, and in `warnings`."""
    spelled = f"in[U+{ord(character):04X}]nocent"
    note = '{"decisions": [{"title": "in\\u%s\\u%snocent"}]}' % ("0020", "0020")  # noqa: UP031
    escape = "".join(f"\\u{unit:04x}" for unit in _units(character))
    done = run("end", "--note", "-", "--json", cwd=project, stdin=note.replace("\\u0020\\u0020", escape))

    assert any(f"U+{ord(character):04X}" in warning for warning in done.data["warnings"]), done.data["warnings"]
    if character == "\ud800":  # no file can hold one, so the marker itself is recorded
        assert [] == problems(run, project)
    else:
        found = one_of(problems(run, project), "hidden-characters")
        assert f"U+{ord(character):04X}" in found["message"]
        assert "nocent" in line_of(project, found)
    run("retire", "D-5", cwd=project)
    said = [
        run(*words, cwd=project)
        for words in (["show", "D-5"], ["show", "D-5", "--json"], ["log"], ["check"], ["search", "nocent"])
    ]
    said.append(run("build", cwd=project))
    archived = (project / ".handoff" / "archive" / "decisions.md").read_text()
    assert not any(character in one.out + one.err for one in said)
    assert spelled in said[0].out
    assert (True, False) == (spelled in archived, character in archived)


def _units(character: str) -> list[int]:
    data = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2]) for at in range(0, len(data), 2)]


@pytest.mark.parametrize(
    "id", ["\u0421-1", "D-\u0661", "\uff24-1", "D\u20111", "D-1\u200b", "\u202eD-1", "D-1-\u0430bc", "\u017f-1"]
)
def test_an_id_of_other_scripts_is_none(project: Path, run: Any, id: str) -> None:
    """What only looks like an ID names nothing."""
    for words in (["show", id], ["retire", id], ["accept", id], ["supersede", "D-1", "--by", id]):
        done = run(*words, cwd=project)

        assert (True, "") == (done.status in {1, 2}, done.out)
    assert [] == problems(run, project)


def test_a_number_is_never_given_again(project: Path, run: Any) -> None:
    """B72: not when its item is archived, nor when all are, nor when the archive is renamed or gone."""
    root = project / ".handoff"
    for id in ("T-1", "D-1", "D-2", "D-3", "D-4"):
        run("done" if id == "T-1" else "retire", id, cwd=project)
    (root / "archive").rename(root / "archive-old")

    ids = [run("add", kind, "Next", "--json", cwd=project).data["id"] for kind in ("thread", "decision")]

    assert ["T-2", "D-5"] == [id.rpartition("-")[0] for id in ids]


def test_a_long_text_is_kept_whole(project: Path, run: Any) -> None:
    """B64: a rationale of thousands of characters, in any script, is in the record to its last one, whatever STATE.md has room for."""
    long = "なぜなら、" * 600 + "終"

    id = run("add", "decision", "Long", "--rationale", long, "--json", cwd=project).data["id"]

    assert long == run("show", id, "--json", cwd=project).data["rationale"]
    assert long in record(project, "S-4-").read_text()
    assert [] == [one for one in problems(run, project) if one["severity"] == "error"]
