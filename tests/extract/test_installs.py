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
        ("dotnet add src/App.csproj package Serilog --version 3.1", ["add src/App.csproj Serilog 3.1"]),
        ("cd src; dotnet add package Serilog -v 3.1 --no-restore", ["add  Serilog 3.1"]),
        ("dotnet package add Serilog --project App.csproj", ["add  Serilog "]),
        ("dotnet remove App.csproj package Serilog", ["remove App.csproj Serilog "]),
        ("composer require --dev log/log ^3.0 unit/unit:10 'http/http 7.*'", ["add composer.json log/log ^3.0", "add composer.json unit/unit 10", "add composer.json http/http 7.*"]),
        ("php composer.phar req log/log", ["add composer.json log/log "]),
        ("composer update log/log", ["update composer.json log/log "]),
        ("bundle remove rails", ["remove Gemfile rails "]),
        ("bundle exec rake install thing", []),
        ("gem install rails -v 7.1.0 --no-document", ["add  rails 7.1.0"]),
        ("gem install bundler", []),
        ("dart pub add dev:lints:^3.0.0 'own:{\"path\":\"../own\"}'", ["add pubspec.yaml lints ^3.0.0", "add pubspec.yaml own "]),
        ("flutter pub remove http", ["remove pubspec.yaml http "]),
        ("mix igniter.install ash@~>3.0", ["add mix.exs ash ~>3.0"]),
        ("mix deps.update phoenix", ["update mix.exs phoenix "]),
        ("mix deps.get", []),
        ("conda install -y -c conda-forge numpy=1.26 'scipy>=1.11' other::tool==2", ["add  numpy 1.26", "add  scipy >=1.11", "add  tool 2"]),
        ("mamba remove numpy", ["remove  numpy "]),
        ("conda env update -f environment.yml", []),
        ("conda install conda", []),
        ("pixi add numpy", ["add pixi.toml numpy "]),
        ("pipenv install --dev pytest~=8.0", ["add Pipfile pytest ~=8.0"]),
        ("pipenv install", []),
        ("pipenv uninstall pytest", ["remove Pipfile pytest "]),
        ("poetry remove -G dev pytest", ["remove pyproject.toml pytest "]),
        ("pdm remove pytest", ["remove pyproject.toml pytest "]),
        ("uv add --script tool.py rich", []),
        ("bun remove hono", ["remove package.json hono "]),
        ("bun add -d @types/bun@1.1", ["add package.json @types/bun 1.1"]),
        ("yarn add -D vitest@^1", ["add package.json vitest ^1"]),
        ("yarn remove vitest", ["remove package.json vitest "]),
        ("pnpm -C web up zod@4", ["update web/package.json zod 4"]),
        ("deno add npm:zod@3 jsr:@std/path", ["add deno.json zod 3", "add deno.json @std/path "]),
        ("cargo rm rand", ["remove Cargo.toml rand "]),
        ("mise use node@22 npm:prettier@3", ["add mise.toml node 22", "add mise.toml npm:prettier 3"]),
        ("mise use -g node@22", []),
        ("asdf local nodejs 20.1.0", ["add .tool-versions nodejs 20.1.0"]),
        ("bun add -g typescript", []),
        ("composer global require log/log", []),
        ("dotnet tool install ef", []),
        ("dotnet nuget add source x", []),
        ("poetry self add plugin", []),
        ("dart pub global activate melos", []),
        ("gem install $GEM", []),
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
