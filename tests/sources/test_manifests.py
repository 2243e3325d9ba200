"""Dependency changes between two texts of a manifest or a lock, exact or not at all."""

import json
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.sources.manifests import Changes, changes, combine, is_manifest

SAMPLES = Path(__file__).parents[1] / "samples" / "manifests"
CASES = sorted(folder for folder in SAMPLES.iterdir() if folder.is_dir())
FILES = [
    "pyproject.toml",
    "requirements.txt",
    "uv.lock",
    "poetry.lock",
    "package.json",
    "package-lock.json",
    "Cargo.toml",
    "Cargo.lock",
    "go.mod",
    "mise.toml",
    ".github/workflows/ci.yml",
]


def text(file: Path) -> str | None:
    return file.read_bytes().decode("utf-8") if file.exists() else None


def summary(found: Changes) -> dict[str, object]:
    return {
        "direct": [[d.file, d.name, d.change, d.before, d.after] for d in found.direct],
        "transitive": found.transitive,
        "problems": [f"{problem.file}:{problem.line}: {problem.message}" for problem in found.problems],
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_samples(case: Path) -> None:
    """What changed between the two folders of a sample is what its expected.json lists."""
    names = sorted(
        {str(file.relative_to(side)) for side in (case / "before", case / "after") for file in side.rglob("*") if file.is_file()}
    )
    found = combine(changes(name, text(case / "before" / name), text(case / "after" / name)) for name in names)

    assert json.loads((case / "expected.json").read_text(encoding="utf-8")) == summary(found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize(
    "spelt",
    [lambda text: f"\ufeff{text}", lambda text: text.replace("\n", "\r\n"), lambda text: f"{text}\n\n"],
    ids=["bom", "crlf", "blank"],
)
def test_another_spelling_is_no_change(case: Path, spelt: Callable[[str], str]) -> None:
    """A byte order mark, other line ends and blank lines change nothing."""
    for file in (case / "after").rglob("*"):
        if file.is_file():
            before = file.read_text(encoding="utf-8")

            assert Changes() == changes(str(file.relative_to(case / "after")), before, spelt(before)), file


def test_kinds_of_files() -> None:
    """Manifests and locks are known in any folder, other files and installed packages are not."""
    known = ["a/b/package.json", "go.mod", "requirements-dev.txt", "requirements/base.txt", "constraints.txt", "Cargo.lock", "x/uv.lock", ".github/workflows/a.yml"]  # fmt: skip
    others = ["package.json.bak", "my-package.json", "node_modules/a/package.json", "go.sum", "README.md", "v/site-packages/x/pyproject.toml", "workflows/a.yml", ""]  # fmt: skip

    assert [True] * len(known) + [False] * len(others) == [is_manifest(path) for path in (*known, *others)]
    assert Changes() == changes("README.md", "a", "b")


@pytest.mark.parametrize(
    ("path", "good", "bad", "line"),
    [
        ("pyproject.toml", '[project]\ndependencies = ["a"]\n', '[project]\n\ndependencies = ["a"\nname = 1\n', 4),
        ("pyproject.toml", '[project]\ndependencies = ["a"]\n', '[project]\ndependencies = ["a"]\ndependencies = []\n', 3),
        ("pyproject.toml", '[project]\ndependencies = ["a"]\n', '[project]\ndependencies = "a"\n', 0),
        ("pyproject.toml", '[project]\ndependencies = ["a"]\n', '[project]\ndependencies = ["a b c"]\n', 0),
        ("package.json", '{"dependencies": {"a": "1"}}', '{"dependencies":\n{"a": "1",}}', 2),
        ("package.json", '{"dependencies": {"a": "1"}}', "[]", 1),
        ("package.json", '{"dependencies": {"a": "1"}}', '{"dependencies": ["a"]}', 0),
        ("package.json", '{"dependencies": {"a": "1"}}', "[" * 100_000, 0),
        ("package.json", '{"dependencies": {"a": "1"}}', f'{{"a": {"1" * 5_000}}}', 0),
        ("package.json", '{"dependencies": {"a": "1"}}', "\0\0", 1),
        ("package.json", '{"dependencies": {"a": "1"}}', "", 1),
        ("package-lock.json", "{}", '{"packages": {\n', 2),
        ("Cargo.toml", '[dependencies]\na = "1"\n', '[dependencies]\na = "1"\nb = \n', 3),
        ("Cargo.toml", '[dependencies]\na = "1"\n', 'dependencies = ["a"]\n', 0),
        ("Cargo.toml", '[dependencies]\na = "1"\n', "a = " + "[" * 100_000, 0),
        ("Cargo.toml", '[dependencies]\na = "1"\n', "a." * 100_000 + "a = 1", 0),
        (
            "Cargo.lock",
            '[[package]]\nname = "a"\nversion = "1"\nsource = "x"\n',
            '[[package]]\nname = "a"\nversion = "1"\nsource = "x',
            4,
        ),
        ("Cargo.lock", '[[package]]\nname = "a"\nversion = "1"\n', '[[package]]\nversion = "1"\n', 1),
        ("requirements.txt", "a==1\nb\n", "a==1\nb ==\n", 2),
        ("requirements.txt", "a==1\nb\n", "a==1\n{{ b }}\n", 2),
        ("go.mod", "require a.test/a v1.0.0\n", "require a.test/a v1.0.0\nrequires b\n", 2),
        ("go.mod", "require a.test/a v1.0.0\n", "module x\nrequire (\n", 2),
        *((path, None, "x\n<<<<<<< HEAD\n=======\n>>>>>>> other\n", 2) for path in FILES),
    ],
)
def test_what_cannot_be_read_is_a_problem(path: str, good: str | None, bad: str, line: int) -> None:
    """A malformed text is located, and nothing counts as removed or added because of it."""
    for before, after in ((good, bad), (bad, good), (bad, None)):
        found = changes(path, before, after)

        assert () == found.direct
        assert [(path, line, "error")] == [(problem.file, problem.line, problem.severity) for problem in found.problems]


def test_a_key_that_stands_twice() -> None:
    """npm counts the last of two equal keys, and so do we, with a word of warning."""
    found = changes("package.json", '{"dependencies": {"a": "1"}}', '{"dependencies": {"a": "1"},\n"dependencies": {"b": "1"}}')

    assert ["b", "a"] == [d.name for d in found.direct]
    assert [("warning", 2, "'dependencies' stands twice; the last counts")] == [
        (p.severity, p.line, p.message) for p in found.problems
    ]


def test_a_new_manifest_and_a_removed_one() -> None:
    """Everything in a new file is added, everything in a removed one is removed."""
    manifest = '{"dependencies": {"a": "^1"}, "engines": {"node": ">=20"}}'

    assert [("a", "added", None, "^1")] == [
        (d.name, d.change, d.before, d.after) for d in changes("package.json", None, manifest).direct
    ]
    assert [("a", "removed", "^1", None)] == [
        (d.name, d.change, d.before, d.after) for d in changes("package.json", manifest, None).direct
    ]


def test_a_new_lock_adds_nothing() -> None:
    """A lock that appears for a manifest that was there pins what the project had already."""
    lock = '[[package]]\nname = "a"\nversion = "1"\nsource = "x"\n\n[[package]]\nname = "deep"\nversion = "2"\nsource = "x"\n\n'
    lock += '[[package]]\nname = "own"\nversion = "0"\ndependencies = [\n "a",\n]\n'

    assert Changes((), 1) == changes("Cargo.lock", None, lock)


def test_a_manifest_speaks_for_its_lock() -> None:
    """What both report is reported by the manifest; a manifest in another folder speaks for its own lock only."""
    lock = '{{"packages": {{"": {{"dependencies": {{"a": "^1"}}}}, "node_modules/a": {{"version": "{}"}}}}}}'
    manifest = '{{"dependencies": {{"a": "{}"}}}}'

    def both(folder: str) -> list[tuple[str, str | None]]:
        parts = [
            changes("web/package-lock.json", lock.format("1.0.0"), lock.format("1.2.0")),
            changes(f"{folder}/package.json", manifest.format("^1.0.0"), manifest.format("^1.2.0")),
        ]
        return [(d.file, d.after) for d in combine(parts).direct]

    assert [("web/package.json", "^1.2.0")] == both("web")
    assert [("web/packages/x/package.json", "^1.2.0")] == both("web/packages/x")
    assert [("api/package.json", "^1.2.0"), ("web/package-lock.json", "1.2.0")] == both("api")


def test_problems_are_said_once() -> None:
    """Combined changes keep every problem, each once."""
    bad = changes("package.json", "{}", "{")

    assert bad.problems == combine([bad, bad]).problems


def test_large_locks() -> None:
    """A lock of some MB on each side is compared at once."""
    count = 10_000
    entry = '"node_modules/p{0}": {{"version": "1.{1}.0", "resolved": "https://registry.example.test/p{0}", "integrity": "{2}", "dependencies": {{"q": "1"}}}}'

    def node(minor: int) -> str:
        rows = ", ".join(entry.format(n, minor if n % 10 == 0 else 0, "A" * 300) for n in range(count))
        return f'{{"lockfileVersion": 3, "packages": {{"": {{"dependencies": {{"p0": "^1", "p1": "^1"}}}}, {rows}}}}}'

    def rust(minor: int) -> str:
        rows = (
            f'[[package]]\nname = "p{n}"\nversion = "1.{minor if n % 10 == 0 else 0}.0"\nsource = "{"r" * 300}"\n\n'
            for n in range(count)
        )
        return f'version = 4\n\n{"".join(rows)}[[package]]\nname = "own"\nversion = "0"\ndependencies = [\n "p0",\n "p1",\n]\n'

    for path, make in (("package-lock.json", node), ("Cargo.lock", rust)):
        before, after = make(0), make(1)
        started = process_time()
        found = changes(path, before, after)
        spent = process_time() - started

        assert [("p0", "1.0.0", "1.1.0")] == [(d.name, d.before, d.after) for d in found.direct]
        assert count // 10 - 1 == found.transitive
        assert spent < 2


@pytest.mark.parametrize(
    "bomb",
    [
        "a" + ".a" * 200_000 + "=1",
        "x = {a" + ".a" * 200_000 + "=1}",
        "x=" + "{a=" * 200_000,
        "x = '" + "." * 500_000 + "'",
        '"' * 500_000,
        "(" * 500_000,
        "a#egg" * 100_000,
        "\\\n" * 100_000,
        "a " * 100_000,
        "# via (" * 100_000,
        ("[[package]]\n" * 20_000),
    ],
    ids=lambda bomb: bomb[:12],
)
def test_bombs(bomb: str) -> None:
    """No text takes long, whatever file it stands in."""
    started = process_time()
    for path in FILES:
        changes(path, "", bomb)

    assert process_time() - started < 8


@given(st.sampled_from(FILES), st.text(max_size=200), st.text(max_size=200))
def test_any_text_has_an_answer(path: str, before: str, after: str) -> None:
    """No pair of texts is an error; what cannot be read is a problem, and then nothing has changed."""
    found = changes(path, before, after)

    assert not (found.direct and any(problem.severity == "error" for problem in found.problems))


@given(st.dictionaries(st.sampled_from("abcde"), st.sampled_from(["^1.0.0", "^2.0.0", "*"])), st.dictionaries(st.sampled_from("abcde"), st.sampled_from(["^1.0.0", "^2.0.0", "*"])))  # fmt: skip
def test_there_and_back(before: dict[str, str], after: dict[str, str]) -> None:
    """The way back is the opposite of the way there, and both name exactly what differs."""
    opposite = {"added": "removed", "removed": "added", "upgraded": "downgraded", "downgraded": "upgraded", "changed": "changed"}
    texts = [json.dumps({"dependencies": side}) for side in (before, after)]
    there, back = (changes("package.json", *pair).direct for pair in (texts, texts[::-1]))

    assert {(d.name, d.change, d.before, d.after) for d in there} == {
        (d.name, opposite[d.change], d.after, d.before) for d in back
    }
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == {d.name for d in there}
