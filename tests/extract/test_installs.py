"""Which packages a shell command adds or removes."""

import pytest

from handoffsite.extract.installs import asked, outcome


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pip install requests==2.31.0", ["add  requests 2.31.0"]),
        ("python3 -m pip install -U 'httpx[http2]>=0.27' rich", ["add  httpx >=0.27", "add  rich "]),
        ("pip3.11 install -qr dev.txt -c limits.txt flask", ["add  flask "]),
        ("pip install -i https://pypi.example.test/simple -e . name", ["add  name "]),
        ("PIP_NO_INPUT=1 sudo pip install rich # why", ["add  rich "]),
        ("poetry run pip install -U rich", ["add  rich "]),
        ("uv pip install rich", ["add  rich "]),
        ("uv add 'httpx>=1,<2' --dev && uv run pytest", ["add pyproject.toml httpx >=1,<2"]),
        ("poetry add requests@^2.31 --group dev", ["add pyproject.toml requests ^2.31"]),
        ("pdm add -dG test pytest", ["add pyproject.toml pytest "]),
        ("cd web && npm install -D vitest@^1 @types/node", ["add web/package.json vitest ^1", "add web/package.json @types/node "]),
        ("npm --prefix web i lodash@latest", ["add web/package.json lodash "]),
        ("pnpm add --filter app zod@3.23.0 2>&1 | tail -3", ["add package.json zod 3.23.0"]),
        ("yarn workspace api add express", ["add package.json express "]),
        ("corepack pnpm remove zod", ["remove package.json zod "]),
        ("npx -y expo install react-native-svg", ["add package.json react-native-svg "]),
        ('bash -lc "cd a; bun add hono > log 2>&1"', ["add a/package.json hono "]),
        ("cargo +nightly add tokio@1 -F full -p core", ["add Cargo.toml tokio 1"]),
        ("go get example.test/a@v1.8.0 example.test/b@latest", ["add go.mod example.test/a v1.8.0", "add go.mod example.test/b "]),
        ("go get example.test/a@none", ["remove go.mod example.test/a none"]),
        ("composer require log/log:^3", ["add composer.json log/log ^3"]),
        ("bundle add rails --version '~> 7' -g web", ["add Gemfile rails ~> 7"]),
        ("flutter pub add http", ["add pubspec.yaml http "]),
        ("dotnet add src/App.csproj package Serilog --version 3.1", ["add  Serilog 3.1"]),
        ("npm install -g typescript", []),
        ("yarn global add typescript", []),
        ("npm i", []),
        ("npm ci", []),
        ("pip install -r requirements.txt", []),
        ("pip install -e '.[dev]'", []),
        ("pip install ./dist/a-1.0.whl https://example.test/b.whl git+https://example.test/c.git", []),
        ("npm install ./local owner/repository file.tgz", []),
        ("pip install --dry-run rich", []),
        ("pip install -t lib rich", []),
        ("npm install --no-save rich", []),
        ("pip install $PACKAGES", []),
        ("pip install --upgrade pip setuptools wheel", []),
        ("pip install aider-chat", []),
        ("uvx ruff", []),
        ("pipx install rich", []),
        ("uv tool install ruff", []),
        ("pnpm dlx shadcn add button", []),
        ("npx shadcn@latest add button", []),
        ("cargo install ripgrep", []),
        ("go install example.test/a@latest", []),
        ("go get -u ./...", []),
        ("npm run add thing", []),
        ("git add package.json", []),
        ("echo 'pip install rich'", []),
        ("cat <<EOF > README\npip install rich\nEOF", []),
        ("", []),
    ],
)  # fmt: skip
def test_commands(command: str, expected: list[str]) -> None:
    """Only packages that are named, and only those that the project gets."""
    assert expected == [f"{i.verb} {i.manifest} {r.name} {r.version}" for i in asked(command) for r in i.requirements]


def test_where_it_happens() -> None:
    """An install into a virtual environment, or into another folder, says so."""
    commands = [
        "/opt/v/bin/pip install a",
        ". /opt/w/bin/activate && pip install a",
        "cd /opt/x && pip install a",
        "pip install a",
    ]

    assert ["/opt/v", "/opt/w", "/opt/x", ""] == [install.folder for command in commands for install in asked(command)]


def test_outputs_of_an_upgrade() -> None:
    """What went and what came are told apart."""
    said = outcome(
        "pypi", "Found existing installation: Rich 12.0\n  Successfully uninstalled rich-12.0\nSuccessfully installed rich-13.0"
    )

    assert ({"rich": "13.0"}, {"rich": "12.0"}, True) == (said.came, said.went, said.done)


@pytest.mark.parametrize(
    "command", ["npm " * 20_000, "pip install " + "a" * 50_000, "pip install '" * 5_000, "(" * 50_000 + "pip install a"]
)
def test_long_commands(command: str) -> None:
    """A command without end is only looked at as far as it makes sense."""
    assert len(asked(command)) <= 1
