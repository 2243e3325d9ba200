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
    "Pipfile",
    "Pipfile.lock",
    "setup.cfg",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "Gemfile",
    "Gemfile.lock",
    "own.gemspec",
    "composer.json",
    "composer.lock",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "libs.versions.toml",
    "App.csproj",
    "packages.config",
    "packages.lock.json",
    "mix.exs",
    "mix.lock",
    "pubspec.yaml",
    "pubspec.lock",
    "Dockerfile",
    ".tool-versions",
    ".pre-commit-config.yaml",
    ".golangci.yml",
    "go.work",
]
TEXTS = sorted(
    (str(file.relative_to(side)), file.read_text(encoding="utf-8"))
    for case in CASES
    for side in (case / "before", case / "after")
    for file in side.rglob("*")
    if file.is_file()
)


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
    known = ["a/b/package.json", "go.mod", "requirements-dev.txt", "requirements/base.txt", "constraints.txt", "Cargo.lock", "x/uv.lock", ".github/workflows/a.yml", "Pipfile.lock", "a/setup.cfg", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "a/Gemfile", "gems.locked", "x.gemspec", "composer.lock", "a/pom.xml", "app/build.gradle.kts", "gradle/libs.versions.toml", "src/App.fsproj", "Directory.Packages.props", "packages.config", "mix.lock", "pubspec.yaml", "Dockerfile", "Dockerfile.dev", "dev.Dockerfile", "Containerfile", ".tool-versions", ".mise.local.toml", ".pre-commit-config.yaml", "go.work"]  # fmt: skip
    others = ["package.json.bak", "my-package.json", "node_modules/a/package.json", "go.sum", "README.md", "v/site-packages/x/pyproject.toml", "workflows/a.yml", "bun.lockb", "vendor/x/composer.json", "Dockerfile.j2", "Dockerfile.dev.md", "my.Pipfile", "xpom.xml", "a.props", "ios/Pods/x.gradle", ""]  # fmt: skip

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
        ("Pipfile", '[packages]\na = "*"\n', '[packages]\na = "*"\nb = \n', 3),
        ("Pipfile", '[packages]\na = "*"\n', 'packages = "a"\n', 0),
        ("Pipfile.lock", "{}", '{"default": {}\n', 2),
        ("Pipfile.lock", "{}", '{"default": []}', 0),
        ("setup.cfg", "[options]\ninstall_requires = a\n", "[options]\ninstall_requires =\n    a b c\n", 3),
        ("yarn.lock", 'a@^1:\n  version "1.0.0"\n', 'a@^1:\n  version "1.0.0"\n"b@^2", "c', 3),
        ("yarn.lock", 'a@^1:\n  version "1.0.0"\n', 'a@^1:\n  resolved "x"\n', 1),
        ("pnpm-lock.yaml", "lockfileVersion: 5.4\n", "packages:\n  /a/1.0.0: {}\n", 1),
        ("pnpm-lock.yaml", "lockfileVersion: 5.4\n", "lockfileVersion: 5.4\nrubbish\n", 2),
        ("pnpm-lock.yaml", "lockfileVersion: 5.4\n", "lockfileVersion: 5.4\na:\n\tb: 1\n", 3),
        ("bun.lock", '{"lockfileVersion": 1}', '{\n"lockfileVersion": 1, /* x\n*/ "packages": {', 3),
        ("bun.lock", '{"lockfileVersion": 1}', "{}", 1),
        ("bun.lock", '{"lockfileVersion": 1}', '{"lockfileVersion": 1, "workspaces": {"": 1}}', 0),
        ("Gemfile", 'gem "a"\n', 'gem "a"\ngem "b\n', 2),
        ("Gemfile.lock", "DEPENDENCIES\n  a\n", "DEPENDENCIES\n  a\nrubbish\n", 3),
        ("composer.json", '{"require": {"a/b": "1"}}', '{"require": {"a/b": "1"}', 1),
        ("composer.json", '{"require": {"a/b": "1"}}', '{"require": "a/b"}', 0),
        ("composer.lock", '{"packages": []}', '{"packages": {"a": 1}}', 0),
        ("composer.lock", '{"packages": []}', '{"packages": [1]}', 0),
        ("pom.xml", "<project/>", "<project>\n<dependencies>\n</project>", 3),
        ("pom.xml", "<project/>", "<html/>", 1),
        ("pom.xml", "<project/>", "", 1),
        ("pom.xml", "<project/>", '<?xml version="1.0"?>\n<!DOCTYPE project [<!ENTITY a "b">]>\n<project>&a;</project>', 2),
        ("pom.xml", "<project/>", '<!DOCTYPE project SYSTEM "http://example.test/x">\n<project/>', 1),
        ("pom.xml", "<project/>", "<project>\n" + "<a>" * 1_000, 2),
        ("build.gradle", 'dependencies { api "a:b:1" }', 'x = 1\ndependencies {\n    api "a:b:1"\n', 2),
        ("libs.versions.toml", "[libraries]\na = 'a:b:1'\n", "[libraries]\na = 'a:b:1'\nb\n", 3),
        ("libs.versions.toml", "[libraries]\na = 'a:b:1'\n", "[libraries]\na = 1\n", 0),
        ("App.csproj", "<Project/>", "<Project>\n<ItemGroup>\n", 3),
        ("packages.config", "<packages/>", "<packages>\n<!DOCTYPE x>\n</packages>", 2),
        ("packages.lock.json", "{}", '{"dependencies": {"net8.0": 1}}', 0),
        ("mix.exs", 'deps: [{:a, "~> 1.0"}]\nend\n', 'deps: [\n{:a, "~> 1.0"},\n', 2),
        ("mix.lock", "%{\n}\n", '%{\n  "a": {:hex, :a, "1.0", "aa", [:mi', 2),
        ("pubspec.yaml", "name: a\n", "name: a\ndependencies:\n  b: c: d\n", 3),
        ("pubspec.yaml", "name: a\n", "name: a\ndependencies: [b]\n", 2),
        ("pubspec.yaml", "name: a\n", "- a\n", 1),
        ("pubspec.yaml", "name: a\n", "name: a\nb: &b [x]\nc: [*b, *b]\n", 2),
        ("pubspec.yaml", "name: a\n", "a: " + "[" * 10_000, 1),
        ("pubspec.lock", "packages:\n", "rubbish\n", 1),
        ("pubspec.lock", "packages:\n", "", 1),
        ("Dockerfile", "FROM a:1\n", "FROM a:1\nRUN \\\n  x\nFORM b:2\n", 4),
        ("Dockerfile", "FROM a:1\n", "FROM a:1\nFROM\n", 2),
        ("mise.toml", '[tools]\na = "1"\n', '[tools]\na = "1\n', 2),
        ("mise.toml", '[tools]\na = "1"\n', 'tools = ["a"]\n', 0),
        (".tool-versions", "a 1.0\n", "a 1.0\nb\n", 2),
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
    ("path", "text", "line", "message"),
    [
        ("Gemfile", 'gem "a"\ngem name, "1"\n', 2, "a gem whose name is computed is not read"),
        ("setup.cfg", "[options]\ninstall_requires = file: base.txt\n", 2, "what 'file: base.txt' lists is not read here"),
        ("Dockerfile", "FROM a:1\nFROM $BASE\n", 2, "which image '$BASE' is, is not said here"),
    ],
)
def test_what_is_not_read_is_said(path: str, text: str, line: int, message: str) -> None:
    """What a file asks for in a way that is not followed is a warning with its place; the rest counts."""
    found = changes(path, None, text)

    assert [(line, "warning", message)] == [(problem.line, problem.severity, problem.message) for problem in found.problems]


def test_half_a_character() -> None:
    """A lone surrogate, which no file can hold, is read as a question mark by every reader."""
    for path in FILES:
        assert all(problem.message for problem in changes(path, "", "a: \ud800\n<a>\ud800</a>\n").problems)


def test_large_locks_of_lines() -> None:
    """A yarn.lock or pnpm-lock.yaml of some MB on each side is compared at once."""
    count = 8_000

    def yarn(minor: int) -> str:
        rows = (
            f'p{n}@^1.0.0:\n  version "1.{minor if n % 10 == 0 else 0}.0"\n  resolved "{"r" * 200}"\n  dependencies:\n    p{n + 1} "^1.0.0"\n\n'
            for n in range(count)
        )
        return "".join(rows)

    def pnpm(minor: int) -> str:
        rows = (
            f"  p{n}@1.{minor if n % 10 == 0 else 0}.0:\n    resolution: {{integrity: sha512-{'a' * 88}}}\n    engines: {{node: '>=18'}}\n\n"
            for n in range(count)
        )
        head = f"lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      p0:\n        specifier: ^1\n        version: 1.{minor}.0\n"
        return f"{head}\npackages:\n\n{''.join(rows)}"

    for path, make in (("yarn.lock", yarn), ("pnpm-lock.yaml", pnpm)):
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
        "a" + ".a" * 20_000 + "=1",
        "x = {a" + ".a" * 20_000 + "=1}",
        "x=" + "{a=" * 20_000,
        "x = '" + "." * 50_000 + "'",
        '"' * 50_000,
        "(" * 50_000,
        "a#egg" * 10_000,
        "\\\n" * 10_000,
        "a " * 10_000,
        "# via (" * 10_000,
        ("[[package]]\n" * 2_000),
        "<a " * 20_000,
        '<a b="' * 10_000,
        "<a>" * 20_000,
        "<!--" * 10_000,
        "<project>" + "</a>" * 10_000,
        "<project><properties>"
        + "".join(f"<p{n}>{f'${{p{n + 1}}}' * 9}</p{n}>" for n in range(1_000))
        + "</properties></project>",
        "{:a, " * 10_000,
        "{" * 50_000,
        '"a": {' * 10_000,
        "${" * 20_000,
        '"${a}' * 10_000,
        "/*" * 20_000,
        "'''" * 10_000,
        'implementation("' * 5_000,
        "a: &a [*a]\n" * 2_000,
        "- " * 20_000,
        "  a:\n" * 5_000,
        "".join(f"{' ' * n}a:\n" for n in range(1_000)),
        "ARG a=$b$b$b\nARG b=$a$a$a\n" * 1_000,
        "RUN a \\\n" * 10_000,
        'gem "a",\n' * 5_000,
        'gem "a", ' + '"1", ' * 10_000,
        "a@1, " * 10_000 + ":",
        " " * 50_000 + "x",
        "x" + " " * 50_000 + "y",
        "gem" + " " * 50_000 + "=",
        "a:" + "\t" * 50_000 + "b" + " " * 50_000 + "#",
        "(" + "a" * 50_000 + ",",
        "1." * 30_000 + "x",
        "[" + "a, " * 30_000,
        "uses: a/" * 10_000,
    ],
    ids=lambda bomb: bomb[:12],
)
def test_bombs(bomb: str) -> None:
    """No text takes long, whatever file it stands in."""
    started = process_time()
    for path in FILES:
        changes(path, "", bomb)

    assert process_time() - started < 3


@given(st.sampled_from(FILES), st.text(max_size=200), st.text(max_size=200))
def test_any_text_has_an_answer(path: str, before: str, after: str) -> None:
    """No pair of texts is an error; what cannot be read is a problem, and then nothing has changed."""
    found = changes(path, before, after)

    assert not (found.direct and any(problem.severity == "error" for problem in found.problems))


@given(st.sampled_from(TEXTS), st.data())
def test_no_damage_breaks_a_reader(sample: tuple[str, str], data: st.DataObject) -> None:
    """A manifest of which parts were cut, doubled or overwritten is read, or is a problem with a place; it never breaks anything."""
    path, text = sample
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 80)))
    middle = data.draw(st.sampled_from(["", text[start:end] * 3, *"{}[\"'<>\n\t:@\\é\u2028", "&x", "null"]))
    found = changes(path, text, f"{text[:start]}{middle}{text[end:]}")

    assert all(problem.file == path and problem.message for problem in found.problems)
    assert not (found.direct and any(problem.severity == "error" for problem in found.problems))
    assert all(d.name and d.file == path for d in found.direct)


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
