"""Manifests read line by line, whole or in parts."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records.manifest import kind, requirements

PATHS = [
    "package.json",
    "pyproject.toml",
    "Cargo.toml",
    "requirements.txt",
    "go.mod",
    "mise.toml",
    ".github/workflows/ci.yml",
    ".tool-versions",
    ".golangci.yml",
]


@pytest.mark.parametrize(
    ("path", "ecosystem"),
    [
        ("a/package.json", "npm"),
        (r"C:\shop\pyproject.toml", "pypi"),
        ("requirements-dev.txt", "pypi"),
        ("dev_requirements.in", "pypi"),
        ("requirements/base.txt", "pypi"),
        (".github/workflows/ci.yaml", "github-actions"),
        ("own/action.yml", "github-actions"),
        (".mise.toml", "mise"),
        ("package-lock.json", None),
        ("docs/ci.yml", None),
        ("node_modules/a/package.json", None),
        ("vendor/a/go.mod", None),
        ("requirements.md", None),
        ("", None),
    ],
)
def test_kinds(path: str, ecosystem: str | None) -> None:
    """The name of a file tells whose packages it lists; installed packages are not the project's."""
    found = kind(path)

    assert ecosystem == (found.ecosystem if found else None)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("package.json", '{"version": "1.0.0", "scripts": {"a": "1.2"}, "dependencies": {"a": "^1"}, "pnpm": {"overrides": {"b": "1"}}}', ["a ^1"]),
        ("package.json", '  "zod": "^3",\n  "version": "1.2.3"\n  },\n  "devDependencies": { "x": "latest" },\n  "type": "module"', ["zod ^3", "x latest"]),
        ("package.json", '"@a/b": "workspace:*"\n"c": "github:d/e"\n"f": "tsc -b"\n"node": ">=20"', ["@a/b workspace:*", "c github:d/e"]),
        ("package.json", '"a": "^1.0.0', []),
        ("pyproject.toml", '    "httpx>=1",\n    "rich",', ["httpx >=1", "rich "]),
        ("pyproject.toml", '    "E501",\n    "F401",', []),
        ("pyproject.toml", 'line-length = 100\nfoo = "^1"\nversion = "1.0"', ["foo ^1"]),
        ("pyproject.toml", '[tool.ruff]\nselect = [\n  "E1>=1",\n]\n[project]\ndependencies = [\n  "a", # b\n  "c>=1"]\nname = "x"', ["a ", "c >=1"]),
        ("pyproject.toml", '[dependency-groups]\ndev = ["a>=1", {include-group = "b"}]\n[tool.uv]\ndev-dependencies = ["c"]', ["a >=1", "c "]),
        ("pyproject.toml", 'x = """\n[project]\ndependencies = ["a"]\n"""\n', []),
        ("Cargo.toml", 'serde = { version = "1", features = ["derive"] }\nversion = "0.1.0"\nedition = "2021"', ["serde 1"]),
        ("Cargo.toml", '[dependencies]\na = { path = "../a" }\nb.workspace = true\nc = { package = "d", version = "2" }\n[dependencies.e]\nversion = "3"\nfeatures = ["1"]', ["a ../a", "b workspace", "d 2", "e 3"]),
        ("mise.toml", "go = { version = '1.25.5'", ["go 1.25.5"]),
        ("mise.toml", '[env]\nA = "1"\n[tools]\nnode = "lts"\n[tasks.x]\nrun = "1"', ["node lts"]),
        ("go.mod", "go 1.25.5", ["go 1.25.5"]),
        ("go.mod", "\ta.test/b v1.0.0 // indirect\nexclude c.test/d v1.0.0\n)", ["a.test/b v1.0.0"]),
        ("requirements.txt", "a==1 --hash=sha256:b \\\n    --hash=sha256:c\n-r x.txt\n-e .\nd  # why", ["a 1", "d "]),
        (".github/workflows/ci.yml", "- uses: 'a/b@v1' # c\n  uses: docker://alpine:3.8\n  uses: ./own\n  python-version: ${{ x }}\n  go-version: \"1.21\"", ["a/b v1", "docker://alpine 3.8", "go 1.21"]),
        (".tool-versions", "nodejs 20.1.0 # x\n# go 1.2\n", ["nodejs 20.1.0"]),
        (".golangci.yml", "run:\n  go: '1.25'\n  timeout: 5m\n", ["go 1.25"]),
        ("README.md", "a==1", []),
    ],
)  # fmt: skip
def test_fragments(path: str, text: str, expected: list[str]) -> None:
    """A part of a manifest gives what it surely asks for, and nothing of the file's own settings."""
    assert expected == [f"{r.name} {r.version}" for r in requirements(path, text)]


def test_what_only_others_ask_for() -> None:
    """Go marks what no package of the module imports itself."""
    assert [True, False] == [
        r.indirect for r in requirements("go.mod", "a.test/a v1.0.0 // indirect\na.test/b v1.0.0 // indirectly not\n")
    ]


@pytest.mark.parametrize(
    "line",
    ['"' + "1-" * 1_900 + '!"', "[" + " " * 3_900, 'a = "' + '\\"' * 1_900, '"a": "' + "1 " * 1_900 + '!"', " -a" * 1_300 + "!", "x" + " " * 3_900 + "y", '"' + '\\"' * 1_900, "'" * 3_999, '"a" : ' * 500, "a/" * 1_900],
    ids=lambda line: line[:8],
)  # fmt: skip
def test_bombs(line: str) -> None:
    """No line takes long."""
    started = process_time()
    for path in PATHS:
        requirements(path, f"{line}\n" * 50)

    assert process_time() - started < 6


@given(st.sampled_from(PATHS), st.text(max_size=200))
def test_any_text_has_an_answer(path: str, text: str) -> None:
    """No text is an error, and each package found has a name."""
    assert all(requirement.name for requirement in requirements(path, text))
