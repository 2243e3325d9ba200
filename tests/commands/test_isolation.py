"""Each project is a boundary: what one knows stands in no byte of another's."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Working directories that naive names confuse: equal last parts, common prefixes, and two that one agent's folder encodes alike.
FOLDERS = (
    "/home/u/clienta/api-server",
    "/home/u/clientb/api-server",
    "/home/u/projects/api",
    "/home/u/code/api",
    "/home/u/data-analysis",
    "/home/u/data/analysis",
)
WORDS = tuple(f"canary{letter * 4}" for letter in "abcdef")


@pytest.fixture
def space(tmp_path: Path, run: Any, make_log: Any) -> Path:
    for number, (folder, word) in enumerate(zip(FOLDERS, WORDS, strict=True)):
        session = f"5e55a1d0-0000-4000-8000-00000000000{number}"
        log = make_log(tmp_path / "logs" / folder.replace("/", "-") / f"{session}.jsonl", folder, session)
        log.prompt(f"Fix the {word} thing")
        log.text(f"DECISION: We will keep {word} because it is the standard.")
        log.commit(f"Keep {word}")
        log.save()
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)
    assert 0 == run("import", "transcripts", str(tmp_path / "logs"), cwd=root).status
    assert 0 == run("build", cwd=root).status
    return root


def holding(root: Path, word: str) -> set[str]:
    return {str(path) for path in root.rglob("*") if path.is_file() and word.encode() in path.read_bytes().lower()}


def test_six_folders_are_six_projects(space: Path, tmp_path: Path) -> None:
    """No word of one project occurs in any byte of another's records, state, site or cache."""
    projects = sorted(path.name for path in (space / "content").iterdir())
    homes = {word: {name for name in projects if holding(space / "content" / name, word)} for word in WORDS}

    assert 6 == len(projects)
    assert all(1 == len(names) for names in homes.values())
    owner = {word: next(iter(names)) for word, names in homes.items()}
    assert 6 == len(set(owner.values()))
    for word, name in itertools.product(WORDS, projects):
        if owner[word] != name:
            assert set() == holding(space / "build" / name, word)
    caches = list((tmp_path / "home" / ".cache" / "handoffsite" / "projects").iterdir())
    assert sorted(WORDS) == sorted(word for cache in caches for word in WORDS if holding(cache, word))
    assert {1} == {sum(bool(holding(cache, word)) for word in WORDS) for cache in caches}


GENERATOR = Path(__file__).parents[3] / "shared" / "tools" / "gen_sessions.py"


@pytest.mark.skipif(not GENERATOR.is_file(), reason="the folder shared/tools is not beside the checkout")
def test_generated_folders_that_collide_are_projects_of_their_own(tmp_path: Path, run: Any) -> None:
    """The generator's six words, each in one project's content, site and cache, and in nothing of the other nine's."""
    logs, root = tmp_path / "logs", tmp_path / "space"
    subprocess.run([sys.executable, GENERATOR, logs, "--sessions", "4", "--collide"], check=True, capture_output=True)
    root.mkdir()
    run("init", "--workspace", cwd=root)
    run("import", "transcripts", str(logs), cwd=root)
    run("build", cwd=root)
    planted = [one["word"].lower() for one in json.loads(Path(f"{logs}.truth.json").read_text())["collide"]]
    planted += [f"zebra{number}quartz" for number in range(4)]
    caches = tmp_path / "home" / ".cache" / "handoffsite" / "projects"

    for above in (root / "content", root / "build", caches):
        projects = [path for path in above.iterdir() if path.is_dir()]
        assert {1} == {sum(bool(holding(project, word)) for project in projects) for word in planted}
        assert {1} == {sum(bool(holding(project, word)) for word in planted) for project in projects if project.name[0] != "_"}


def test_no_command_says_another_projects_word(space: Path, run: Any) -> None:
    """Whatever is asked, in text or JSON, with wild cards and operators, from inside one project or about it."""
    names = sorted(path.name for path in (space / "content").iterdir())
    for name in names:
        own = [word for word in WORDS if holding(space / "content" / name, word)]
        asked = [
            ["state"],
            ["log"],
            ["review"],
            ["check"],
            ["doctor"],
            ["search", "standard"],
            ["search", "canary*"],
            ["search", "project:other keep"],
        ]
        asked += [["search", word] for word in WORDS if word not in own] + [["show", "D-1"], ["show", "S-1"]]
        for words, form in itertools.product(asked, ([], ["--json"])):
            done = run(*words, *form, cwd=space / "content" / name)
            said = (done.out + done.err).lower()
            echoed = words[1] if words[0] == "search" else ""
            assert not [word for word in WORDS if word not in own and word in said.replace(echoed, "")]
            assert not done.out.count('"hits": [\n') or own


def test_without_a_project_there_is_no_answer(space: Path, run: Any, tmp_path: Path) -> None:
    """B42: outside every project, and at the root of a workspace, a command that needs one says so and exits 2."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for folder, words in itertools.product(
        (outside, space), (["search", "keep"], ["state"], ["show", "D-1"], ["log"], ["end"], ["add", "thread", "x"])
    ):
        done = run(*words, cwd=folder)

        assert (2, "") == (done.status, done.out)
        assert not [word for word in WORDS if word in done.err]


def test_an_unknown_project_is_never_a_neighbour(space: Path, run: Any) -> None:
    """A name that is a prefix, a path or a pattern of a project's gives an error."""
    for name in ("api-", "ap", "../api", "content/api", "*", ".", "api/../api", str(space / "content" / "api")):
        done = run("search", "keep", "--project", name, cwd=space)

        assert 0 != done.status
        assert "" == done.out


def test_a_nested_repository_is_refused(tmp_path: Path, run: Any) -> None:
    """Inside another project, a repository without a boundary of its own gets an error and nothing of the outer project."""
    outer = tmp_path / "outer"
    nested = outer / "vendor" / "inner"
    nested.mkdir(parents=True)
    for folder in (outer, nested):
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
    run("init", cwd=outer)
    run("add", "decision", "An outer decision", cwd=outer)

    done = [run(*words, cwd=nested) for words in (["state"], ["search", "outer"], ["add", "decision", "x"], ["build"])]

    assert [2] * 4 == [one.status for one in done]
    assert not any("An outer decision" in one.out + one.err for one in done)


@pytest.mark.parametrize("claimed", ["../../evil", "/etc", "..", "a/b", "Api", "", "x" * 80, "-api", "api\n", "."])
def test_a_name_that_is_a_path_is_no_name(space: Path, run: Any, tmp_path: Path, claimed: str) -> None:
    """A project's own file says what it is called; a name that would lead elsewhere is an error with its line, and nothing is written there."""
    file = space / "content" / "api" / "project.toml"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("name")]
    file.write_text("\n".join([*lines, f"name = {json.dumps(claimed)}", ""]))
    before = {path for path in tmp_path.rglob("*") if (space / "build") not in path.parents and ".cache" not in path.parts}

    built, asked = run("build", cwd=space), run("state", cwd=space / "content" / "api")

    if claimed:
        assert (1, 1) == (built.status, asked.status)
        assert f"project.toml:{len(lines) + 1}: " in asked.err
    assert before == {
        path for path in tmp_path.rglob("*") if (space / "build") not in path.parents and ".cache" not in path.parts
    }


def test_who_takes_anothers_name_reaches_nothing_of_it(space: Path, run: Any) -> None:
    """In a workspace a project is called as its folder is: its site, its page in the index and its tasks are its own."""
    names = sorted(path.name for path in (space / "content").iterdir())
    thief, owner = names[0], names[1]
    file = space / "content" / thief / "project.toml"
    file.write_text(file.read_text().replace(f'name = "{thief}"', f'name = "{owner}"'))
    before = {path: path.read_bytes() for path in (space / "build" / owner).rglob("*") if path.is_file()}

    assert 0 == run("build", cwd=space).status
    assert 0 == run("build", cwd=space / "content" / thief).status

    assert before == {path: path.read_bytes() for path in (space / "build" / owner).rglob("*") if path.is_file()}
    assert all(f'href="{name}/' in (space / "build" / "index.html").read_text() for name in names)
