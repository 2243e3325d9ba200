"""Names that would be paths, and paths that would lead elsewhere: nothing is read or written outside, and nothing hangs."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CANARY = "canaryoutside"
NAMES = [
    "..", ".", "", " ", "/", "~", "~root", "$HOME", "-", "--", "-rf", "*", "?", "a/b", "a\\b", "\\", "../beta", "../../outside", "./beta",
    "beta/", "beta/.", "beta/../beta", "%2e%2e%2fbeta", "%2e%2e", "....//beta", "..\\beta", "/etc/passwd", "//etc/passwd", "file:///etc/passwd",
    "C:\\beta", "\\\\host\\share", "beta.", "beta ", " beta", "BETA", "be\u0301ta", "b\u00e9ta", "CON", "nul.md", "beta\0", "\0", "x" * 300,
    "bet", "betaa", "beta-secret", "b\u200beta", "\u202eateb", "b\u0435ta", "beta\n", "{{beta}}", "'; drop table record", ".git", ".handoff", "content/beta",
]  # fmt: skip


@pytest.fixture
def space(tmp_path: Path, run: Any) -> Path:
    """A workspace with two projects, and beside it what no command may touch or tell."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(f"## Decisions\n- {CANARY}\n")
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)
    for name in ("alpha", "beta"):
        run("init", f"content/{name}", cwd=root)
    run("add", "decision", CANARY, "--project", "beta", cwd=root)
    run("add", "decision", "Ours", "--project", "alpha", cwd=root)
    return root


class Hung(BaseException):
    """Nothing of ours catches it."""


@pytest.fixture(autouse=True)
def _no_hanging() -> Iterator[None]:
    """What hangs fails."""

    def stop(number: int, frame: object) -> None:
        raise Hung(number, frame)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def files(root: Path) -> dict[str, bytes]:
    """Everything below *root* but the private cache."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".cache" not in path.parts and path.name != ".lock"
    }


VALID = ("bet", "betaa", "beta-secret", "nul.md")  # as names of new projects


@pytest.mark.gate
def test_no_name_is_a_path(space: Path, run: Any, tmp_path: Path) -> None:
    """As a project, an ID, a session or a new project's name: refused or not found, and nothing of another project is said."""
    alpha = space / "content" / "alpha"
    before = files(tmp_path)
    for name in NAMES:
        asked = [
            (alpha, ["show", "--", name]),
            (alpha, ["retire", "--", name]),
            (alpha, ["retire", "x", f"--session={name}"]),
            (alpha, ["supersede", "D-1", f"--by={name}"]),
            (alpha, ["schema", "--", name or "x"]),
        ]
        if name.strip():
            asked += [
                (space, [*words, f"--project={name}"]) for words in (["state"], ["search", "canary*"], ["add", "thread", "x"])
            ]
        if name.strip() and name not in (*VALID, "--"):  # which argparse takes away
            asked.append((space, ["init", "content/new", f"--name={name}"]))
        for folder, words in asked:
            done = run(*words, cwd=folder)

            assert (True, "") == (done.status in {1, 2}, done.out), words
            assert CANARY not in done.err
    assert before == files(tmp_path)


@pytest.mark.gate
def test_no_words_become_a_path(space: Path, run: Any, tmp_path: Path) -> None:
    """As the title, topic or session of what is recorded: files are made in the project alone, and each record can be read again."""
    alpha = space / "content" / "alpha"

    def others() -> dict[str, bytes]:
        return {
            path: data for path, data in files(tmp_path).items() if not path.startswith(("space/content/alpha/", "space/build/"))
        }

    before = others()
    for number, name in enumerate(NAMES):
        note = f"# {name}\n\n## Completed\n- Thing {number} of {name}\n"
        done = [
            run("add", "decision", f"--topic={name}", "--", f"{name} {number}", cwd=alpha),
            run("end", "--note", "-", f"--session={name}{number}", cwd=alpha, stdin=note),
        ]

        assert [0, int("\0" in name or "{{" in name)] == [one.status for one in done], [one.err for one in done]
    assert 0 == run("build", cwd=alpha).status
    assert before == others()
    assert not [path for path in (space / "build").rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert len(run("log", "--json", cwd=alpha).data) == 2 * len(NAMES) + 1 - sum("\0" in name or "{{" in name for name in NAMES)
    assert [] == [problem for problem in run("check", "--json", cwd=alpha).data["problems"] if problem["severity"] == "error"]


@pytest.mark.parametrize("option", ["--note", "--transcript"])
def test_what_is_no_file_is_refused(space: Path, run: Any, tmp_path: Path, option: str) -> None:
    """A folder, a loop of links, a link to nothing, a name that is too long: an error that names it, and nothing is recorded."""
    alpha = space / "content" / "alpha"
    for name, target in (("loop", "loop"), ("dangling", "nowhere")):
        (tmp_path / name).symlink_to(target)
    before = files(space)

    for name in (".", "loop", "dangling", "nowhere.md", "x" * 300, "a/" * 2000, "secret.md/", "\0"):
        done = run("end", option, str(tmp_path / name), cwd=alpha)

        assert (True, "") == (done.status in {1, 2}, done.out), name
        assert "Traceback" not in done.err
        assert before == files(space)


INSIDE = [
    "archive/decisions.md",
    "sessions/2026-01-01-S-9-abc-x-abcdef.md",
    "sessions/x.md",
    "inbox/x.json",
    "inbox/y.note",
    "mail/M-1-abc.md",
]


@pytest.mark.parametrize("names", [["STATE.md"], ["WORK.md"], [".gitignore"], INSIDE], ids=lambda names: names[-1])
def test_a_pipe_does_not_hang(space: Path, run: Any, tmp_path: Path, names: list[str]) -> None:
    """In the place of any file of a boundary, or as a note or log, a pipe that nobody writes to is no file; and a lost project.toml is said."""
    root = space / "content" / "alpha"
    run("build", cwd=root)
    (root / "inbox").mkdir(exist_ok=True)
    (root / "inbox" / "z.json").write_text('{"note": "inbox/y.note"}')
    for name in names:
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)
    os.mkfifo(tmp_path / "pipe")
    asked = (["check"], ["check", "--fix"], ["state"], ["doctor"], ["log"], ["build"], ["add", "thread", "x"], ["search", "x"])

    for words in (
        *asked,
        ["end", "--note", str(tmp_path / "pipe")],
        ["end", "--transcript", str(tmp_path / "pipe")],
        ["purge", "Ours", "--reason", "r"],
    ):
        assert run(*words, cwd=root).status in {0, 1, 2}
    (root / "project.toml").unlink()
    os.mkfifo(root / "project.toml")
    assert 0 != run("state", cwd=root).status


LINKED = ["sessions", "archive", "STATE.md", "WORK.md", "project.toml", "inbox", "quarantine", "mail"]


@pytest.mark.parametrize("name", LINKED)
def test_a_link_out_of_the_boundary_is_not_followed(space: Path, run: Any, tmp_path: Path, name: str) -> None:
    """A repository may hold links: none of a boundary's own files is read or written through one."""
    root, beta, outside = space / "content" / "alpha", space / "content" / "beta", tmp_path / "outside"
    mine = root / name
    target = beta / name if (beta / name).exists() else outside
    if mine.is_dir():
        mine.rename(tmp_path / "moved")
    else:
        mine.unlink(missing_ok=True)
    mine.symlink_to(target)
    before = {**files(beta), **files(outside)}

    for words in (
        ["state"],
        ["log"],
        ["check"],
        ["check", "--fix"],
        ["build"],
        ["add", "thread", "x"],
        ["search", "canary*"],
        ["purge", CANARY, "--reason", "r"],
    ):
        done = run(*words, cwd=root)
        assert CANARY not in (done.out + done.err).replace(words[1] if len(words) > 1 else CANARY * 2, "")
        assert before == {**files(beta), **files(outside)}
    held = [path for path, data in files(root).items() if CANARY.encode() in data and not (root / path).is_symlink()]
    assert [] == [
        path
        for path in held
        if not (root / path).resolve().is_relative_to(outside) and not (root / path).resolve().is_relative_to(beta)
    ]


def test_a_hard_link_is_left_alone(space: Path, run: Any, tmp_path: Path) -> None:
    """A file that has another name elsewhere is replaced, never written over."""
    root = space / "content" / "alpha"
    (record,) = (root / "sessions").glob("*.md")
    for path in (root / "STATE.md", root / "project.toml", record):
        os.link(path, tmp_path / "outside" / path.name)
    before = files(tmp_path / "outside")

    run("add", "decision", "More", cwd=root)
    run("purge", "Ours", "--reason", "r", cwd=root)

    assert before == files(tmp_path / "outside")


def test_a_boundary_that_is_a_link_is_none(tmp_path: Path, run: Any) -> None:
    """A `.handoff` that leads into another project is refused, so that nobody reads a neighbour's."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    run("init", cwd=tmp_path / "other")
    run("add", "decision", CANARY, cwd=tmp_path / "other")
    (tmp_path / "one" / ".handoff").symlink_to("../other/.handoff")

    for words in (["state"], ["search", "canary*"], ["add", "thread", "x"], ["init"], ["check"]):
        done = run(*words, cwd=tmp_path / "one")

        assert 0 != done.status
        assert CANARY not in (done.out + done.err)


def test_at_the_root_of_a_workspace_a_project_is_asked_for(space: Path, run: Any, tmp_path: Path) -> None:
    """There `init` makes none: the projects are named, a few of many; where there is none yet, how to make one."""
    empty = tmp_path / "empty"
    empty.mkdir()
    run("init", "--workspace", cwd=empty)
    before = run("state", cwd=empty)
    for number in range(12):
        shutil.copytree(space / "content" / "alpha", space / "content" / f"p{number:02}")

    asked = run("state", "--json", cwd=space).data["error"]

    assert (2, True) == (before.status, "`handoffsite init content/NAME` makes one" in before.err)
    assert "--project NAME: alpha, beta, p00, p01, p02, p03, p04, p05 and 6 more" == asked["hint"]


def test_files_of_no_format_are_named_once_with_what_was_looked_for(space: Path, run: Any, tmp_path: Path) -> None:
    """Each with its own reason; the list of all formats follows once, and stands in the JSON of each."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(3):
        (logs / f"{number}.md").write_text("hello")
    os.mkfifo(logs.parent / "pipe")

    plain, as_json = (
        run("import", "transcripts", str(logs), cwd=space),
        run("import", "transcripts", str(logs), "--json", cwd=space),
    )
    pipe = run("import", "transcripts", str(logs.parent / "pipe"), cwd=space)

    assert (1, 3, 1) == (plain.status, plain.err.count("ignored:"), plain.err.count("looked for a session log of"))
    assert all("looked for a session log of" in one["reason"] for one in as_json.data["ignored"])
    assert (1, True) == (pipe.status, "a pipe or device" in pipe.err)


def test_a_lost_settings_file_is_not_made_anew_in_silence(space: Path, run: Any) -> None:
    """Records stay with the id that made them; only who names the project anew gets another."""
    file = space / "content" / "alpha" / "project.toml"
    file.unlink()

    refused = run("init", "content/alpha", cwd=space)
    there = file.exists()
    named = run("init", "content/alpha", "--name", "alpha", cwd=space)

    assert (1, False, 0) == (refused.status, there, named.status)
    assert "restore it from git" in refused.err
