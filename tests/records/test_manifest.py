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
    "Pipfile",
    "setup.cfg",
    "Gemfile",
    "composer.json",
    "pom.xml",
    "build.gradle.kts",
    "libs.versions.toml",
    "App.csproj",
    "mix.exs",
    "pubspec.yaml",
    "Dockerfile",
    ".pre-commit-config.yaml",
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
        ("web/Dockerfile.prod", "docker"),
        ("Containerfile", "docker"),
        ("Dockerfile.md", None),
        ("docs/dockerfiles.md", None),
        ("app/build.gradle", "maven"),
        ("gradle/libs.versions.toml", "maven"),
        (r"C:\shop\My App.csproj", "nuget"),
        ("own.gemspec", "gem"),
        ("mix.exs", "hex"),
        ("config/config.exs", None),
        (".gitea/workflows/ci.yml", "github-actions"),
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
        ("Pipfile", 'flask = "*"\nx = {version = "==1.0", extras = ["a"]}\nname = "own"\nverify_ssl = true\npython_version = "3.11"', ["flask *", "x 1.0", "python 3.11"]),
        ("setup.cfg", "    httpx>=1\n    rich\n", ["httpx >=1", "rich "]),
        ("setup.cfg", "    shop = shop.main:main\n    E203\n", []),
        ("setup.cfg", "install_requires =\n    a\n    b>=1 # why\n[flake8]\nignore = E1>=2", ["a ", "b >=1"]),
        ("Gemfile", "  gem 'a', '~> 1', '< 2', group: :test # b\n  gem \"c\"\n# gem 'd'\nruby '3.2.0'", ["a ~> 1, < 2", "c ", "ruby 3.2.0"]),
        ("Gemfile", "gem 'a', github: 'b/c', branch: 'd'\ngem 'e', :git => 'https://x.test/e', :tag => 'v1'", ["a b/c#d", "e https://x.test/e#v1"]),
        ("composer.json", '"log/log": "^3.0",\n"version": "1.0.0",\n"php": ">=8.1",\n"type": "library",\n"test/x": "phpunit"', ["log/log ^3.0", "php >=8.1"]),
        ("pom.xml", "<dependency><groupId>a</groupId><artifactId>b</artifactId><version>${v}</version></dependency>\n<version>2</version>\n<plugin><artifactId>c</artifactId></plugin>", ["a:b ${v}", "org.apache.maven.plugins:c "]),
        ("pom.xml", "<properties><v>1</v></properties><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${v}", ["a:b 1"]),
        ("build.gradle", "  testImplementation 'a:b:1'\n  url 'https://x.test/a:b'\n  host 'a.test:80:x'\n  id 'p' version '2'\n  id 'q'", ["a:b 1", "p 2"]),
        ("build.gradle.kts", 'implementation("a:b:$v") // c:d:1\n/* api("e:f:1") */\nimplementation(libs.x)\nval v = "3"', ["a:b 3"]),
        ("libs.versions.toml", 'a = { module = "b:c", version.ref = "v" }\nd = { id = "e", version = "2" }\nv = "1.0"', ["b:c 1.0", "e 2"]),
        ("App.csproj", '<PackageReference Include="A" Version="1" />\n<PackageReference Include="B"><Version>2</Version></PackageReference>\n<Version>3</Version>\n<PackageReference Remove="C" />', ["A 1", "B 2"]),
        ("packages.config", '<package id="A" version="1" targetFramework="net48" />', ["A 1"]),
        ("mix.exs", '{:a, "~> 1.0", only: :test},\n{:ok, "text"}\n{:b, path: "../b"} # {:c, "1.0"}\nversion: "2.0"', ["a ~> 1.0", "b ../b"]),
        ("pubspec.yaml", "  http: ^1.0.0\nversion: 2.0.0\ndependencies:\n  a:\n    sdk: flutter\n  b: any", ["http ^1.0.0", "a sdk:flutter", "b any"]),
        ("Dockerfile", "FROM a:1 AS b\nFROM b\nCOPY --from=c/d:2 /x /y\nCOPY --from=b . .\nRUN from e:3\nFROM $F", ["a 1", "c/d 2"]),
        ("Dockerfile", "FROM x.test:5000/a/b@sha256:0a\nFROM a:1@sha256:0b\nARG V=2\nFROM a:${V}", ["x.test:5000/a/b sha256:0a", "a 1@sha256:0b", "a ${V}"]),
        (".pre-commit-config.yaml", "-   repo: git@github.com:a/b.git\n    rev: 'v1'\n-   repo: meta\n-   rev: v2\n    repo: https://x.test/c/", ["a/b v1", "x.test/c v2"]),
        (".pre-commit-config.yaml", "    rev: v1\n", []),
        (".golangci.yml", 'version: "2"\n', ["golangci-lint 2"]),
        (".tool-versions", "java temurin-17.0.1+12\npython 3.12 3.11 system\nb ref:v1\n", ["java temurin-17.0.1+12", "python 3.12, 3.11, system", "b ref:v1"]),
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
