"""The package managers: which of their words add and remove packages, which options take a word, and how they write a package."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement, cargo, go, npm, pypi

# Options that take the next word; all others stand alone or hold their value behind `=`.
_PIP_VALUED = (
    "-c --constraint -r --requirement -e --editable -i --index-url --extra-index-url -f --find-links --python --platform "
    "--python-version --implementation --abi --config-settings -C --global-option --progress-bar --root-user-action --src "
    "--upgrade-strategy --no-binary --only-binary --report --log --proxy --retries --timeout --trusted-host --cache-dir"
).split()
_PYTHON_VALUED = (
    "-G --group --optional --extra --index --index-url --extra-index-url --default-index --source --python -p --project "
    "--directory -C --package --tag --branch --rev --marker --config-setting --prerelease --resolution -s --platform"
).split()
_NODE_VALUED = "-C --dir --cwd --prefix --filter -F -w --workspace --registry --loglevel --cache --userconfig --tag --save-catalog-name".split()
_CARGO_VALUED = "-p --package -F --features --path --git --branch --tag --rev --registry --manifest-path --rename --target --color --config -Z".split()
_CONDA_VALUED = "-c --channel -n --name -p --prefix --file -f --feature --platform --manifest-path --environment -e".split()

# With one of these a command installs elsewhere than into the project, or nowhere.
NOWHERE = lazy(r"(?:--dry-run|--help|-h)\Z")
_SCRIPT = lazy(r"--script(?:=.*)?\Z")
_PIP_ELSEWHERE = lazy(r"(?:-t|--target|--root|--prefix)(?:=.*)?\Z")
_NODE_ELSEWHERE = lazy(r"(?:-g|--global|--location=global|--no-save)\Z")
_GLOBAL = lazy(r"(?:-g|--global|-u|--home)\Z")


@dataclass(frozen=True, slots=True)
class Installer:
    """One package manager.

    *manifest* is the file that it writes (empty where it writes none), *verbs* maps its words to ours, *valued* options take the
    next word, and with an option that *elsewhere* matches it installs somewhere else than into the project.
    """

    ecosystem: str
    manifest: str
    parse: Callable[[str], Requirement | None]
    verbs: Mapping[str, str]
    valued: frozenset[str] = frozenset()
    elsewhere: re.Pattern[str] = NOWHERE


def _verbs(add: str, remove: str, update: str = "") -> dict[str, str]:
    return {
        **dict.fromkeys(add.split(), "add"),
        **dict.fromkeys(remove.split(), "remove"),
        **dict.fromkeys(update.split(), "update"),
    }


def _python(text: str) -> Requirement | None:
    """As PEP 508, or with Poetry's `name@^1.2`."""
    if found := pypi(text):
        return found
    name, at, version = text.partition("@")
    found = pypi(name) if at else None
    return replace(found, version=version) if found else None


def _composer(text: str) -> Requirement | None:
    found = re.fullmatch(r"([a-z0-9][\w.-]*/[a-z0-9][\w.-]*)(?:[:=](.*))?", text, re.ASCII)
    return Requirement("composer", found[1], found[2] or "") if found else None


def _pub(text: str) -> Requirement | None:
    """`name`, `name:^1.0.0` or `dev:name:^1.0.0`."""
    parts = re.sub(r"\A(?:dev|override):(?=[A-Za-z_])", "", text).partition(":")
    return Requirement("pub", parts[0], parts[2]) if re.fullmatch(r"[a-z_]\w*", parts[0], re.ASCII) else None


def _conda(text: str) -> Requirement | None:
    """`name`, `name=1.2`, `channel::name>=1`."""
    found = re.fullmatch(r"(?:[\w./-]+::)?([A-Za-z0-9_][\w.-]*?)\s*(?:={1,2}\s*([^=<>!]\S*)|([<>!~]=?.*))?", text, re.ASCII)
    return Requirement("conda", found[1], found[2] or found[3] or "") if found else None


def _gem(text: str) -> Requirement | None:
    found = re.fullmatch(r"([A-Za-z0-9][\w.-]*)(?::(\d[\w.]*))?", text, re.ASCII)
    return Requirement("gem", found[1], found[2] or "") if found else None


def _tool(ecosystem: str) -> Callable[[str], Requirement | None]:
    def parse(text: str) -> Requirement | None:
        name, _, version = text.rpartition("@") if "@" in text[1:] else (text, "", "")
        return Requirement(ecosystem, name, version) if re.fullmatch(r"[A-Za-z][\w.:/@-]*", name, re.ASCII) else None

    return parse


def _deno(text: str) -> Requirement | None:
    registry, colon, rest = text.partition(":")
    found = npm(rest) if colon else None
    return replace(found, ecosystem=registry) if found and registry in ("npm", "jsr") else None


def _plain(ecosystem: str) -> Callable[[str], Requirement | None]:
    def parse(text: str) -> Requirement | None:
        name, _, version = text.partition(":")
        return Requirement(ecosystem, name, version) if re.fullmatch(r"[A-Za-z][\w.-]*", name, re.ASCII) else None

    return parse


_PIP = Installer("pypi", "", _python, _verbs("install", "uninstall"), frozenset(_PIP_VALUED), _PIP_ELSEWHERE)
_PROJECT = Installer("pypi", "pyproject.toml", _python, _verbs("add", "remove", "update"), frozenset(_PYTHON_VALUED), _SCRIPT)
_NPM = Installer(
    "npm",
    "package.json",
    npm,
    _verbs("install i in add", "uninstall remove rm un r", "update up upgrade"),
    frozenset(_NODE_VALUED),
    _NODE_ELSEWHERE,
)
_BUN = replace(_NPM, verbs=_verbs("install i add a", "remove rm", "update"))
_YARN = replace(_NPM, verbs=_verbs("add", "remove", "up upgrade"))
_COMPOSER = Installer(
    "composer",
    "composer.json",
    _composer,
    _verbs("require req", "remove rm", "update u upgrade"),
    frozenset(("-d", "--working-dir")),
)
_GEM_VALUED = (
    "-v --version -g --group -s --source -i --install-dir -n --bindir -P --trust-policy --git --branch --ref --path".split()
)
_BUNDLER = Installer("gem", "Gemfile", _gem, _verbs("add", "remove", "update"), frozenset(_GEM_VALUED))
_CONDA = Installer("conda", "", _conda, _verbs("install", "remove uninstall", "update upgrade"), frozenset(_CONDA_VALUED))
INSTALLERS = {
    "pip": _PIP,
    "pip3": _PIP,
    "uv": _PROJECT,
    "poetry": _PROJECT,
    "pdm": _PROJECT,
    "rye": _PROJECT,
    "pipenv": replace(_PIP, manifest="Pipfile", verbs=_verbs("install", "uninstall", "update upgrade")),
    "npm": _NPM,
    "pnpm": _NPM,
    "yarn": _YARN,
    "bun": _BUN,
    "expo": replace(_NPM, verbs=_verbs("install add", "")),
    "deno": Installer("npm", "deno.json", _deno, _verbs("add", "remove"), elsewhere=_GLOBAL),
    "cargo": Installer("cargo", "Cargo.toml", cargo, _verbs("add", "remove rm"), frozenset(_CARGO_VALUED)),
    "go": Installer("go", "go.mod", go, _verbs("get", ""), frozenset(("-C", "-modfile"))),
    "composer": _COMPOSER,
    "composer.phar": _COMPOSER,
    "bundle": _BUNDLER,
    "bundler": _BUNDLER,
    "gem": Installer("gem", "", _gem, _verbs("install i", "uninstall", "update"), frozenset(_GEM_VALUED)),
    "pub": Installer(
        "pub",
        "pubspec.yaml",
        _pub,
        _verbs("add", "remove", "upgrade"),
        frozenset("-C --directory --git-url --git-ref --git-path".split()),
    ),
    "mix": Installer("hex", "mix.exs", _tool("hex"), _verbs("igniter.install", "", "deps.update")),
    "conda": _CONDA,
    "mamba": _CONDA,
    "micromamba": _CONDA,
    "pixi": replace(_CONDA, manifest="pixi.toml", verbs=_verbs("add", "remove rm", "upgrade update"), elsewhere=_GLOBAL),
    "mise": Installer(
        "mise", "mise.toml", _tool("mise"), _verbs("use u", "unuse rm"), frozenset(("-p", "--path", "-e", "--env")), _GLOBAL
    ),
    "asdf": Installer("asdf", ".tool-versions", _tool("asdf"), _verbs("local set", ""), elsewhere=_GLOBAL),
    "dotnet": Installer(
        "nuget",
        "",
        _plain("nuget"),
        _verbs("add", "remove"),
        frozenset(("-v", "--version", "-f", "--framework", "-s", "--source", "--project", "--package-directory")),
    ),
}
