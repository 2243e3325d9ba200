"""A session's dependency changes, from the events of its log."""

import json
from collections.abc import Iterable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from handoffsite.extract.dependencies import Dependencies
from handoffsite.extract.step import Calls
from handoffsite.records.dependency import Dependency
from handoffsite.records.transcript import Event

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"

PACKAGE = """{
  "name": "shop",
  "version": "1.4.0",
  "scripts": {
    "build": "tsup"
  },
  "dependencies": {
    "hono": "^4.1.0",
    "zod": "^3.22.0"
  },
  "devDependencies": {
    "tsup": "8.3.5"
  },
  "engines": {
    "node": ">=18"
  }
}
"""


def follow(events: Iterable[Event]) -> Dependencies:
    follower, calls, last = Dependencies(), Calls(), Event(line=0, kind="")
    for event in events:
        follower.see(event, calls.see(event), last)
        last = event
    return follower


class Log:
    """Events as a reader yields them, each on a line of its own."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(self, kind: str, **fields: Any) -> None:
        self.events.append(Event(line=len(self.events) + 1, kind=kind, **fields))

    def call(self, tool: str, data: dict[str, Any], result: str, *, paths: tuple[str, ...] = (), **outcome: Any) -> "Log":
        name = f"call-{len(self.events)}"
        self.add("call", tool=tool, call=name, data=data, paths=paths)
        self.add("result", actor="tool", tool=tool, call=name, text=result, paths=paths, **{"ok": True, **outcome})
        return self

    def shell(self, command: str, result: str = "", **outcome: Any) -> "Log":
        return self.call("shell", {"command": command}, result, **outcome)

    def edit(self, path: str, old: str, new: str, **outcome: Any) -> "Log":
        return self.call("edit", {"old": old, "new": new}, f"The file {path} has been updated.", paths=(path,), **outcome)

    def write(self, path: str, content: str, result: str = "File created successfully", **outcome: Any) -> "Log":
        return self.call("write", {"content": content}, result, paths=(path,), **outcome)

    def read(self, path: str, text: str, **given: Any) -> "Log":
        numbered = "\n".join(f"{n:6d}\u2192{line}" for n, line in enumerate(text.split("\n"), 1))
        return self.call("read", {"input": {"file_path": path, **given}}, numbered, paths=(path,))

    def patch(self, *lines: str, **outcome: Any) -> "Log":
        return self.call("edit", {"patch": "\n".join(("*** Begin Patch", *lines, "*** End Patch"))}, "Success.", **outcome)

    def prompt(self, text: str = "Go on", message: str = "") -> "Log":
        self.add("prompt", actor="human", text=text, message=message)
        return self

    def undo(self, **data: Any) -> "Log":
        self.add("undo", actor="human", data=data)
        return self

    @property
    def dependencies(self) -> tuple[Dependency, ...]:
        return follow(self.events).finish(("/srv/shop",))

    @property
    def changes(self) -> list[tuple[str, str, str | None, str | None]]:
        return [(d.name, d.change, d.before, d.after) for d in self.dependencies]


# --- installs ---


def test_an_install_that_worked() -> None:
    """The version comes from the output, the evidence from call and result; what came along is not reported."""
    log = Log().shell("pip install httpx", "Collecting httpx\nSuccessfully installed anyio-4.4.0 httpx-0.27.2 sniffio-1.3.1")

    assert (
        Dependency(ecosystem="pypi", name="httpx", change="added", after="0.27.2", evidence=("transcript:1", "transcript:2")),
    ) == log.dependencies


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("pip install httpx==0.27.0", "Successfully installed httpx-0.27.0", ("httpx", "added", None, "0.27.0")),
        ("pip install 'Flask-SQLAlchemy[x]>=3'", "Successfully installed flask_sqlalchemy-3.1.1", ("Flask-SQLAlchemy", "added", None, "3.1.1")),
        ("pip install -q rich", "", ("rich", "added", None, None)),
        ("uv add rich", "Resolved 5 packages in 3ms\nInstalled 1 package\n + rich==13.9.4", ("rich", "added", None, "13.9.4")),
        ("uv remove rich", "Uninstalled 1 package\n - rich==13.9.4", ("rich", "removed", "13.9.4", None)),
        ("poetry add requests", "Using version ^2.32.3 for requests\n\n  - Installing requests (2.32.3)", ("requests", "added", None, "2.32.3")),
        ("poetry update requests", "  - Updating requests (2.31.0 -> 2.32.3)", ("requests", "upgraded", "2.31.0", "2.32.3")),
        ("pdm add requests", "  \u2714 Install requests 2.32.3 successful", ("requests", "added", None, "2.32.3")),
        ("npm install zod", "added 1 package, and audited 2 packages in 1s", ("zod", "added", None, None)),
        ("npm install zod@3.23.8", "added 1 package", ("zod", "added", None, "3.23.8")),
        ("npm uninstall zod", "removed 1 package", ("zod", "removed", None, None)),
        ("pnpm add @icons/core", "dependencies:\n+ @icons/core 0.542.0 (1.0.0 is available)\n", ("@icons/core", "added", None, "0.542.0")),
        ("pnpm update zod", "dependencies:\n- zod 3.22.0\n+ zod 3.23.8\n", ("zod", "upgraded", "3.22.0", "3.23.8")),
        ("yarn add zod", "success Saved 1 new dependency.\n\u2514\u2500 zod@3.23.8", ("zod", "added", None, "3.23.8")),
        ("bun add @ui/react", "bun add v1.1.0\n\ninstalled @ui/react@3.33.0\n\n12 packages installed", ("@ui/react", "added", None, "3.33.0")),
        ("cargo add serde", "    Updating index\n      Adding serde v1.0.210 to dependencies", ("serde", "added", None, "1.0.210")),
        ("go get example.test/a/b/pkg", "go: added example.test/a/b v1.2.3", ("example.test/a/b", "added", None, "v1.2.3")),
        ("go get example.test/a@v2.0.0", "go: upgraded example.test/a v1.2.3 => v2.0.0", ("example.test/a", "upgraded", "v1.2.3", "v2.0.0")),
        ("bundle add rails", "Fetching gem metadata\nInstalling rails 7.1.3\nBundle complete!", ("rails", "added", None, "7.1.3")),
        ("gem install rails", "Successfully installed rails-7.1.3\n1 gem installed", ("rails", "added", None, "7.1.3")),
        ("dart pub add http", "Resolving dependencies...\n+ http 1.2.0\n+ http_parser 4.0.2\nChanged 2 dependencies!", ("http", "added", None, "1.2.0")),
        ("flutter pub upgrade http", "> http 1.2.0 (was 1.1.0)\nChanged 1 dependency!", ("http", "upgraded", "1.1.0", "1.2.0")),
        ("dotnet add package Serilog", "info : PackageReference for package 'Serilog' version '3.1.1' added to file '/srv/shop/App.csproj'.", ("Serilog", "added", None, "3.1.1")),
        ("mix deps.update plug", "Resolving Hex dependencies...\nUpgraded:\n  plug 1.14.0 => 1.15.3", ("plug", "upgraded", "1.14.0", "1.15.3")),
        ("conda install numpy", "The following NEW packages will be INSTALLED:\n\n  numpy    conda-forge/linux-64::numpy-1.26.4-py311h0_0 \n", ("numpy", "added", None, "1.26.4")),
        ("mise use node@22", "mise ~/shop/mise.toml tools: node@22.1.0", ("node", "added", None, "22.1.0")),
        ("composer require log/log", "  - Installing log/log (v3.7.0): Extracting", ("log/log", "added", None, "3.7.0")),
    ],
)  # fmt: skip
def test_each_installer_says_it_its_own_way(command: str, output: str, expected: tuple[str, str, str | None, str | None]) -> None:
    """Name and versions come from the command and from what the installer printed."""
    assert [expected] == Log().shell(command, output, exit=0).changes


@pytest.mark.parametrize(
    ("command", "output", "outcome"),
    [
        ("pip install nope", "ERROR: No matching distribution found for nope", {"ok": False, "exit": 1}),
        ("pnpm add nope | tail -5", " ERR_PNPM_FETCH_404  GET /nope: Not Found - 404", {"exit": 0}),
        ("npm install nope; true", "npm error code E404\nnpm error 404 Not Found", {"exit": 0}),
        ("bundle add nope; true", "Could not find gem 'nope' in rubygems repository or installed locally.", {"exit": 0}),
        ("composer require nope/nope | cat", "  Could not find package nope/nope.", {"exit": 0}),
        (
            "dart pub add nope | cat",
            "Because shop depends on nope any which doesn't exist (could not find package nope), version solving failed.",
            {"exit": 0},
        ),
        ("conda install nope | cat", "PackagesNotFoundError: The following packages are not available", {"exit": 0}),
        ("conda install numpy", "# All requested packages already installed.", {"exit": 0}),
        ("gem install nope || true", "ERROR:  Could not find a valid gem 'nope' (>= 0) in any repository", {"exit": 0}),
        ("dotnet add package Nope | cat", "error: There are no versions available for the package 'Nope'.", {"exit": 0}),
        ("pip install httpx", "Requirement already satisfied: httpx in ./lib (0.27.2)", {"exit": 0}),
        ("npm install zod", "up to date, audited 120 packages in 1s", {"exit": 0}),
        ("pip install --dry-run httpx", "Would install httpx-0.27.2", {"exit": 0}),
        ("npm install -g typescript", "added 1 package", {"exit": 0}),
        ("npx prettier@3 --write .", "done", {"exit": 0}),
        ("uvx ruff check", "All checks passed!", {"exit": 0}),
        ("npm ci", "added 300 packages", {"exit": 0}),
        ("pip install -r requirements.txt", "Successfully installed httpx-0.27.2", {"exit": 0}),
        ("pip install -e .", "Successfully installed shop-0.1.0", {"exit": 0}),
        ("pnpm install", "dependencies:\n+ zod 3.23.8", {"exit": 0}),
        ("pip install --upgrade pip", "Successfully installed pip-24.2", {"exit": 0}),
        ("npm i -g @anthropic-ai/claude-code", "added 1 package", {"exit": 0}),
        ("pip install httpx", "", {"ok": None}),
        ("pip install httpx", "The user rejected this", {"ok": False}),
        ("echo 'pip install httpx'", "pip install httpx", {"exit": 0}),
        ("cd /tmp/try && npm install zod@3.23.8", "added 1 package", {"exit": 0}),
        ("/tmp/v/bin/pip install httpx==1.0", "Successfully installed httpx-1.0", {"exit": 0}),  # noqa: S108
        (
            "python -m venv /tmp/v && . /tmp/v/bin/activate && pip install httpx==1.0",
            "Successfully installed httpx-1.0",
            {"exit": 0},
        ),
    ],
)
def test_what_changes_no_dependency(command: str, output: str, outcome: dict[str, Any]) -> None:
    """Failed, refused, repeated, global and trial installs, and runs of a tool, leave the project as it was."""
    assert [] == Log().shell(command, output, **outcome).changes


def test_an_unanswered_install_is_open() -> None:
    """A call whose result the log does not hold did nothing that we know of."""
    log = Log().shell("pip install httpx==1.0", "Successfully installed httpx-1.0")
    del log.events[-1]

    assert [] == log.changes


def test_an_install_before_a_test_that_fails() -> None:
    """The exit status is the test's; that the package was installed stands in the output."""
    log = Log().shell("pip install httpx && pytest", "Successfully installed httpx-0.27.2\n1 failed", ok=False, exit=1)

    assert [("httpx", "added", None, "0.27.2")] == log.changes


def test_a_result_that_names_no_call() -> None:
    """Where IDs were mangled, a result is taken for the call right before it only if it shows the package."""
    log = Log().shell("pip install httpx", "Successfully installed httpx-0.27.2").shell("pip install rich", "")
    for index in (1, 3):
        log.events[index] = Event(line=index + 1, kind="result", call="?", ok=True, exit=0, text=log.events[index].text)

    assert [("httpx", "added", None, "0.27.2")] == log.changes


def test_installed_twice() -> None:
    """Of two installs the last version counts, and the package was not there before the first."""
    log = Log().shell("pip install rich==12.0", "Successfully installed rich-12.0")
    log.shell("pip install rich==13.0", "Successfully installed rich-13.0")

    assert [("rich", "added", None, "13.0")] == log.changes


def test_added_and_removed() -> None:
    """What came and went within the session did not change."""
    log = Log().shell("npm install zod", "added 1 package").shell("npm uninstall zod", "removed 1 package")

    assert [] == log.changes


def test_an_install_of_what_a_manifest_asks_for_already() -> None:
    """A package that the manifest lists is upgraded by an install, not added."""
    log = Log().read("/srv/shop/package.json", PACKAGE).shell("npm install zod@4.0.1", "changed 1 package")

    assert [("zod", "upgraded", "^3.22.0", "4.0.1")] == log.changes


# --- manifests ---


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("go.mod", "go 1.25.5", "go 1.25.6", ("go", "go", "upgraded", "1.25.5", "1.25.6")),
        ("mise.toml", "go = { version = '1.25.5'", "go = { version = '1.25.6'", ("mise", "go", "upgraded", "1.25.5", "1.25.6")),
        ("package.json", '    "zod": "^3.22.0",', '    "zod": "^3.23.8",\n', ("npm", "zod", "upgraded", "^3.22.0", "^3.23.8")),
        ("pyproject.toml", '    "httpx>=0.27",\n', '    "httpx>=0.27",\n    "rich>=13",\n', ("pypi", "rich", "added", None, ">=13")),
        ("pyproject.toml", 'foo = "^2.0"', 'foo = "^1.9"', ("pypi", "foo", "downgraded", "^2.0", "^1.9")),
        ("Cargo.toml", 'serde = "1"\nrand = "0.8"', 'serde = "1"', ("cargo", "rand", "removed", "0.8", None)),
        ("requirements-dev.txt", "pytest==8.0.0", "pytest==8.3.3", ("pypi", "pytest", "upgraded", "8.0.0", "8.3.3")),
        (".github/workflows/ci.yml", "uses: actions/checkout@v4", "uses: actions/checkout@v5", ("github-actions", "actions/checkout", "upgraded", "v4", "v5")),
        ("Pipfile", 'flask = "==3.0.2"', 'flask = "==3.0.3"', ("pypi", "flask", "upgraded", "3.0.2", "3.0.3")),
        ("setup.cfg", "    httpx>=0.27\n", "    httpx>=0.28\n", ("pypi", "httpx", "upgraded", ">=0.27", ">=0.28")),
        ("Gemfile", 'gem "rails", "~> 7.0"', 'gem "rails", "~> 7.1"', ("gem", "rails", "upgraded", "~> 7.0", "~> 7.1")),
        ("composer.json", '        "log/log": "^2.0"', '        "log/log": "^3.0"', ("composer", "log/log", "upgraded", "^2.0", "^3.0")),
        ("pom.xml", "<dependency>\n<groupId>a.b</groupId>\n<artifactId>c</artifactId>\n<version>1.0</version>\n</dependency>", "", ("maven", "a.b:c", "removed", "1.0", None)),
        ("build.gradle", "    implementation 'a.b:c:1.0'", "    implementation 'a.b:c:1.1'", ("maven", "a.b:c", "upgraded", "1.0", "1.1")),
        ("app/build.gradle.kts", 'id("a.b") version "1.0"', 'id("a.b") version "1.1"', ("maven", "a.b", "upgraded", "1.0", "1.1")),
        ("gradle/libs.versions.toml", 'c = "a.b:c:1.0"', 'c = "a.b:c:1.1"', ("maven", "a.b:c", "upgraded", "1.0", "1.1")),
        ("App.csproj", '<PackageReference Include="A.B" Version="1.0" />', '<PackageReference Include="A.B" Version="2.0" />', ("nuget", "A.B", "upgraded", "1.0", "2.0")),
        ("mix.exs", '{:jason, "~> 1.3"}', '{:jason, "~> 1.4"}', ("hex", "jason", "upgraded", "~> 1.3", "~> 1.4")),
        ("pubspec.yaml", "  http: ^1.1.0", "  http: ^1.2.0", ("pub", "http", "upgraded", "^1.1.0", "^1.2.0")),
        ("Dockerfile", "FROM python:3.11-slim AS build", "FROM python:3.12-slim AS build", ("docker", "python", "upgraded", "3.11-slim", "3.12-slim")),
        (".pre-commit-config.yaml", "  - repo: https://github.com/a/b\n    rev: v1", "  - repo: https://github.com/a/b\n    rev: v2", ("pre-commit", "a/b", "upgraded", "v1", "v2")),
        (".golangci.yml", 'go: "1.24"', 'go: "1.25"', ("golangci-lint", "go", "upgraded", "1.24", "1.25")),
        (".tool-versions", "nodejs 20.1.0", "nodejs 22.1.0", ("asdf", "nodejs", "upgraded", "20.1.0", "22.1.0")),
    ],
)  # fmt: skip
def test_an_edit_of_a_manifest(path: str, old: str, new: str, expected: tuple[str, ...]) -> None:
    """Old and new text, compared by the file's own grammar, tell what changed."""
    (found,) = Log().edit(f"/srv/shop/{path}", old, new).dependencies

    assert expected == (found.ecosystem, found.name, found.change, found.before, found.after)
    assert (path, ("transcript:1", "transcript:2")) == (found.file, found.evidence)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("package.json", '"version": "1.0.0",', '"version": "1.1.0",'),
        ("package.json", '    "build": "tsup"', '    "build": "tsup",\n    "start": "node dist"'),
        ("package.json", '    "zod": "^3.22.0"\n', '    "zod": "^3.22.0",\n'),
        ("pyproject.toml", 'version = "0.1.0"', 'version = "0.2.0"'),
        ("pyproject.toml", 'select = ["E", "F"]', 'select = ["E", "F", "UP"]'),
        ("Cargo.toml", 'edition = "2021"', 'edition = "2024"'),
        ("mise.toml", 'run = "go build"', 'run = "go build -o app"'),
        ("setup.cfg", "version = 1.0", "version = 1.1"),
        ("setup.cfg", "    shop = shop.main:main", "    shop = shop.cli:main"),
        ("Gemfile", "# gem 'a', '1'", "# gem 'a', '2'"),
        ("composer.json", '    "version": "1.0",', '    "version": "1.1",'),
        ("pom.xml", "<version>1.0-SNAPSHOT</version>", "<version>1.1-SNAPSHOT</version>"),
        ("build.gradle", 'version = "1.0"', 'version = "1.1"'),
        ("App.csproj", "<Nullable>enable</Nullable>", "<Nullable>disable</Nullable>"),
        ("mix.exs", 'version: "0.1.0",', 'version: "0.2.0",'),
        ("pubspec.yaml", "version: 1.0.0+1", "version: 1.0.1+2"),
        ("Dockerfile", "RUN pip install a==1", "RUN pip install a==2"),
        ("src/main.py", "import httpx", "import rich"),
        ("/srv/shop/node_modules/zod/package.json", '"a": "1.0.0"', '"a": "2.0.0"'),
    ],
)
def test_an_edit_that_changes_no_dependency(path: str, old: str, new: str) -> None:
    """The project's own version, its scripts and settings, and other people's manifests are none."""
    assert [] == Log().edit(path, old, new).changes


def test_a_failed_edit_is_none() -> None:
    """Only an edit that worked counts."""
    assert [] == Log().edit("go.mod", "go 1.21", "go 1.22", ok=False).changes


def test_a_known_text_tells_the_section() -> None:
    """Where the manifest was read, the same line means a dependency in one section and nothing in another."""
    log = Log().read("/srv/shop/package.json", PACKAGE)
    log.edit("/srv/shop/package.json", '"node": ">=18"', '"node": ">=18",\n    "extra": "1.0.0"')
    log.edit("/srv/shop/package.json", '"tsup": "8.3.5"', '"tsup": "8.3.5",\n    "vitest": "2.0.0"')

    assert [("vitest", "added", None, "2.0.0")] == log.changes


def test_a_manifest_written_anew() -> None:
    """A new manifest adds what it lists; one that was read before is compared with that."""
    log = Log().write("/srv/shop/web/package.json", PACKAGE)

    assert [("hono", "^4.1.0"), ("zod", "^3.22.0"), ("tsup", "8.3.5")] == [(d.name, d.after) for d in log.dependencies]

    log = Log().read("/srv/shop/package.json", PACKAGE)
    log.write("/srv/shop/package.json", PACKAGE.replace("^3.22.0", "^4.0.0"), "The file has been updated.")

    assert [("zod", "upgraded", "^3.22.0", "^4.0.0")] == log.changes


def test_a_manifest_overwritten_unseen() -> None:
    """What an unknown text held cannot be compared, so nothing is claimed."""
    log = Log().write("/srv/shop/package.json", PACKAGE, "The file has been updated.")

    assert [] == log.changes


def test_edits_over_installs() -> None:
    """A failed install followed by an edit is the edit; an install after an edit gives the version."""
    log = Log().shell("pnpm add zod", "ERR_PNPM_FETCH_404", ok=False)
    log.edit("/srv/shop/package.json", '"a": "1"', '"a": "1",\n    "zod": "^3.23.0"')

    assert [("zod", "added", None, "^3.23.0")] == log.changes

    log.shell("pnpm add zod@^3.23.0", "+ zod 3.23.8")
    (found,) = log.dependencies

    assert ("added", None, "3.23.8", "package.json") == (found.change, found.before, found.after, found.file)
    assert tuple(f"transcript:{line}" for line in (3, 4, 5, 6)) == found.evidence


def test_there_and_back() -> None:
    """Edits that cancel each other leave nothing."""
    log = Log().edit("go.mod", "go 1.21", "go 1.22").edit("go.mod", "go 1.22", "go 1.21")

    assert [] == log.changes


# --- patches and the shell ---


def test_patches() -> None:
    """Each file of a patch is read by its own grammar."""
    log = Log().patch(
        "*** Update File: package.json",
        "@@",
        '   "dependencies": {',
        '-    "zod": "^3.22.0"',
        '+    "zod": "^3.23.8"',
        "*** Add File: api/requirements.txt",
        "+httpx==0.27.2",
        "+# comment",
        "*** Update File: src/a.py",
        "@@",
        "-x = 1",
        "+y = 1",
    )

    assert [("zod", "upgraded", "^3.22.0", "^3.23.8"), ("httpx", "added", None, "0.27.2")] == log.changes


def test_a_deleted_manifest() -> None:
    """What it held is known from a reading, or from a diff that is shown later; a stranger's text is never taken for it."""
    log = Log().shell("cat package.json", PACKAGE).patch("*** Delete File: /srv/shop/plugins/a/package.json")

    assert [] == log.changes

    log.shell(
        "git diff",
        "diff --git a/plugins/a/package.json b/plugins/a/package.json\ndeleted file mode 100644\n--- a/plugins/a/package.json\n"
        '+++ /dev/null\n@@ -1,5 +0,0 @@\n-{\n-  "dependencies": {\n-    "otel": "^1.9.0"\n-  }\n-}\n',
    )

    assert [("otel", "removed", "^1.9.0", None)] == log.changes
    assert ("transcript:3", "transcript:4", "transcript:6") == log.dependencies[0].evidence


def test_removed_by_the_shell() -> None:
    """A folder that is deleted takes its manifest along."""
    log = Log().read("/srv/shop/old/go.mod", "module x\n\nrequire example.test/a v1.0.0\n").shell("git rm -r old")

    assert [("example.test/a", "removed", "v1.0.0", None)] == log.changes


def test_manifests_that_the_shell_writes() -> None:
    """Here-documents, appended lines and sed expressions write manifests too."""
    log = Log().shell("cat > requirements.txt <<'EOF'\nhttpx==0.27.0\nrich\nEOF")
    log.shell("echo 'flask==3.0.0' >> dev-requirements.txt")
    log.shell("cat >> other/requirements.txt << EOF\nattrs\nEOF")
    log.shell("sed -i 's/0\\.27\\.0/0.27.2/' requirements.txt")

    assert [
        ("httpx", "added", None, "0.27.2"),
        ("rich", "added", None, None),
        ("flask", "added", None, "3.0.0"),
        ("attrs", "added", None, None),
    ] == log.changes


def test_a_scaffold() -> None:
    """What a template brought is told by the manifest when it is read, with the versions that were printed."""
    log = Log().shell(
        "yes '' | npx create-next-app@latest shop-web --typescript",
        "Installing dependencies:\n- react\n- next\n\nInstalling devDependencies:\n- typescript\n\n+ next 15.5.2\n+ react 19.1.0\n",
    )
    log.read("/srv/shop/package.json", PACKAGE)
    log.read(
        "/srv/shop/shop-web/package.json",
        '{"dependencies": {"next": "15.5.2", "react": "^19"},\n"devDependencies": {"typescript": "^5"}}',
    )

    assert [("react", "19.1.0"), ("next", "15.5.2"), ("typescript", "^5")] == [(d.name, d.after) for d in log.dependencies]
    assert {("added", "shop-web/package.json")} == {(d.change, d.file) for d in log.dependencies}


@pytest.mark.parametrize(
    "command", ["git checkout -b create-user", "npm init -y", "cat create-tables.sql", "npx create-something other"]
)
def test_no_scaffold_no_additions(command: str) -> None:
    """A manifest that is read is not new because something was created somewhere."""
    assert [] == Log().shell(command, "ok").read("/srv/shop/package.json", PACKAGE).changes


def test_a_scaffold_in_place() -> None:
    """Made where the command ran, a project's manifest is known by what the output listed."""
    log = Log().shell("npm create vite@latest . -- --template react", "Installing dependencies:\n- hono\n")
    log.read("/srv/other/package.json", '{"dependencies": {"left": "1"}}').read("/srv/shop/package.json", PACKAGE)

    assert [("hono", "^4.1.0"), ("zod", "^3.22.0"), ("tsup", "8.3.5")] == [(d.name, d.after) for d in log.dependencies]


# --- taken back ---


def test_rolled_back_turns() -> None:
    """What the last turns did is undone with them."""
    log = (
        Log()
        .prompt()
        .edit("go.mod", "go 1.20", "go 1.21")
        .prompt()
        .shell("go get example.test/a@v1.0.0", "go: added example.test/a v1.0.0")
    )
    log.undo(turns=1)

    assert [("go", "upgraded", "1.20", "1.21")] == log.changes


def test_rewound_to_a_message() -> None:
    """Everything since that prompt is gone."""
    log = (
        Log().prompt(message="m1").edit("go.mod", "go 1.20", "go 1.21").prompt(message="m2").edit("go.mod", "go 1.21", "go 1.22")
    )
    log.undo(message="m2")

    assert [("go", "upgraded", "1.20", "1.21")] == log.changes


def test_an_undone_commit() -> None:
    """The edits of a commit go with it, by undo, revert or reset; others stay."""
    for act in ("undo", "git revert --no-edit 2222222", "git reset --hard HEAD~1", "git revert --no-edit HEAD"):
        log = Log().edit("go.mod", "go 1.20", "go 1.21").shell("git commit -am one", "[main 1111111] one\n")
        log.edit("go.mod", "go 1.21", "go 1.22").shell("git commit -am two", "[main 2222222] two\n")
        log = log.undo(commit="2222222") if act == "undo" else log.shell(act)

        assert [("go", "upgraded", "1.20", "1.21")] == log.changes, act


@pytest.mark.parametrize("act", ["git checkout -- go.mod", "git restore .", "git stash", "git reset --hard"])
def test_restored_files(act: str) -> None:
    """Uncommitted edits of a restored file are gone, committed ones stay."""
    log = Log().edit("go.mod", "go 1.20", "go 1.21").shell("git commit -am one", "[main 1111111] one\n")
    log.edit("go.mod", "go 1.21", "go 1.22").shell(act)

    assert [("go", "upgraded", "1.20", "1.21")] == log.changes


# --- files ---


def test_no_absolute_path() -> None:
    """A file is named as seen from where the session worked, and outside of that by its name alone."""
    log = Log().edit("/srv/shop/a/go.mod", "go 1.20", "go 1.21").edit("/opt/x/pyproject.toml", 'foo = "^1"', 'foo = "^2"')

    assert ["a/go.mod", "pyproject.toml"] == [d.file for d in log.dependencies]


def test_two_manifests_of_one_package() -> None:
    """One package in two files is two changes."""
    log = Log().edit("/srv/shop/a/go.mod", "go 1.20", "go 1.21").edit("/srv/shop/b/go.mod", "go 1.19", "go 1.21")

    assert [("a/go.mod", "1.20"), ("b/go.mod", "1.19")] == [(d.file, d.before) for d in log.dependencies]


def test_a_long_session() -> None:
    """Thousands of installs, edits and undone turns take no longer than they should."""
    log = Log()
    for number in range(2_000):
        log.prompt().shell(f"pip install rich=={number}", f"Successfully installed rich-{number}")
        log.edit(f"/srv/shop/m{number}/go.mod", f"go 1.{number}", f"go 1.{number + 1}")
        if number % 10 == 9:
            log.undo(turns=1)

    started = process_time()
    found = log.changes

    assert 1_801 == len(found)
    assert process_time() - started < 4


@pytest.mark.skipif(not CORPUS.is_dir(), reason="needs the corpus beside the checkout")
@pytest.mark.parametrize(("folder", "name"), [("claude-code", "claude_code"), ("codex", "codex")])
def test_hand_labelled_transcripts(folder: str, name: str) -> None:
    """Every dependency change that a careful reader found is found, with its versions, and no other."""
    reader = pytest.importorskip(f"handoffsite.sources.{name}")
    for truth in sorted((CORPUS / folder).glob("*.truth.json")):
        labels = json.loads(truth.read_text(encoding="utf-8"))["dependency_changes"]
        file = truth.with_name(truth.name.removesuffix(".truth.json"))
        with file.open("rb") as stream:
            follower = follow(reader.read(stream, file))
        found = {(d.name, (d.before or "").lstrip("^"), (d.after or "").lstrip("^")) for d in follower.finish()}

        assert {(x["name"], (x["from"] or "").lstrip("^"), (x["to"] or "").lstrip("^")) for x in labels} == found, file.name
