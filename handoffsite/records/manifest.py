"""Files that say what a project depends on, read line by line, so that a fragment of one says as much as it holds."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from handoffsite.records.actions import workflow
from handoffsite.records.docker import dockerfile
from handoffsite.records.gem import gemfile
from handoffsite.records.gradle import script
from handoffsite.records.hex import mix
from handoffsite.records.loose import is_package
from handoffsite.records.maven import pom
from handoffsite.records.nuget import msbuild
from handoffsite.records.pattern import lazy
from handoffsite.records.pre_commit import hooks
from handoffsite.records.pub import pubspec
from handoffsite.records.requirement import RUNTIME, Requirement, pypi
from handoffsite.records.setup_cfg import setup_cfg
from handoffsite.records.toml import cargo, catalog, mise, pipfile, pyproject

# A manifest is written by hand; what is longer than this was not.
_LONGEST_LINE = 4_000


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of manifest: which file names it goes by, whose packages it lists, and how to read its lines."""

    ecosystem: str
    names: re.Pattern[str]
    read: Callable[[Iterable[str]], Iterator[Requirement]] = field(repr=False)


@lru_cache(maxsize=1_024)
def kind(path: str) -> Kind | None:
    """The kind of manifest that *path* names (either slash); None where it names none, or one of somebody else's packages."""
    if not path.endswith(_ENDINGS) and not any(word in path for word in _WORDS):
        return None
    path = path.replace("\\", "/")
    if is_foreign(path):
        return None
    return next((kind for kind in KINDS if kind.names.search(path)), None)


def is_foreign(path: str) -> bool:
    """Whether *path* lies in a folder of installed or copied packages."""
    return bool(_FOREIGN.search(path))


def requirements(path: str, text: str) -> tuple[Requirement, ...]:
    """What *text*, the manifest *path* or a fragment of it, asks for; nothing where *path* is no manifest.

    Sections are known only as far as their headings stand in *text*; outside them a line counts if it can hardly be anything else.
    """
    found = kind(path)
    if found is None:
        return ()
    lines = (line for line in text.removeprefix("\ufeff").splitlines() if len(line) <= _LONGEST_LINE)
    return tuple(requirement for requirement in found.read(lines) if requirement.name.strip())


# Most paths are no manifest's: every name in KINDS ends in one of these, or holds one of the words.
_ENDINGS = (
    *(".toml", ".txt", ".in", ".json", ".mod", ".work", ".yml", ".yaml", ".tool-versions", ".cfg", ".xml", ".gradle", ".kts"),
    *(
        "Pipfile",
        "Gemfile",
        "gems.rb",
        ".gemspec",
        ".csproj",
        ".fsproj",
        ".vbproj",
        ".props",
        ".targets",
        "packages.config",
        ".exs",
    ),
)
_WORDS = ("ockerfile", "ontainerfile")
_FOREIGN = lazy(r"(?:^|/)(?:node_modules|site-packages|vendor|\.venv|venv|bower_components|Pods|\.dart_tool|\.pub-cache)/")

# --- JSON -------------------------------------------------------------------------------------------------------------------

# The last branch eats a string that nothing closes, so that it is not tried again from each quote inside it.
_JSON = lazy(r'"((?:[^"\\\n]|\\.)*)"(?:\s*:\s*(?:"((?:[^"\\\n]|\\.)*)"|(\{)|(\[)))?|([{\[])|([}\]])|"(?:[^"\\\n]|\\.)*')
_NPM_SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_COMPOSER_SECTIONS = ("require", "require-dev")
_COMPOSER_NAME = lazy(r"[a-z0-9][\w.-]*/[a-z0-9][\w.-]*|(?:ext|lib)-[\w-]+", re.ASCII | re.IGNORECASE)
_NPM_NAME = lazy(r"(?:@[\w.~-]+/)?[\w.~-]+", re.ASCII)


def _package_json(lines: Iterable[str]) -> Iterator[Requirement]:
    for section, is_whole, key, value in _entries(lines):
        if section == "engines" and key == "node":
            yield Requirement("npm", key, value, RUNTIME)
        known = section in _NPM_SECTIONS or (section is None and not is_whole and is_package(key, value))
        if known and _NPM_NAME.fullmatch(key):
            yield Requirement("npm", key, value, section or "")


def _composer_json(lines: Iterable[str]) -> Iterator[Requirement]:
    for section, is_whole, key, value in _entries(lines):
        known = section in _COMPOSER_SECTIONS or (section is None and not is_whole)
        if known and key in ("php", "php-64bit"):
            yield Requirement("composer", key, value, RUNTIME)
        elif known and _COMPOSER_NAME.fullmatch(key) and (section or is_package(key, value)):
            yield Requirement("composer", key, value, section or "")


def _entries(lines: Iterable[str]) -> Iterator[tuple[str | None, bool, str, str]]:
    """Every entry whose value is a string: the section that holds it (None where no key of one was seen), and whether the text is whole."""
    sections: list[str | None] = []
    is_whole = False
    for token in _JSON.finditer("\n".join(lines)):
        key, value, opens, opens_list, bare_open, closes = token.groups()
        if opens or opens_list:
            sections.append(key)
        elif bare_open:
            # Only a whole document starts with a brace of its own.
            is_whole = is_whole or token.start() == 0
            sections.append(None)
        elif closes:
            if sections:
                sections.pop()
        elif value is not None:
            yield next((name for name in reversed(sections) if name is not None), None), is_whole, key, value


# --- lines ------------------------------------------------------------------------------------------------------------------

_GO_REQUIRE = lazy(r"(?:require\s+)?(\S+)\s+(v\d\S*)(?:\s*//\s*(.*))?\Z", re.ASCII)
_GO_TOOL = lazy(r"(go|toolchain)\s+((?:go)?\d\S*)(?:\s*//.*)?\Z", re.ASCII)
_GO_REPLACE = lazy(r"(?:replace\s+)?(\S+)(?:\s+(v\d\S*))?\s+=>\s+(\S+(?:\s+v\d\S*)?)(?:\s*//.*)?\Z", re.ASCII)
_GO_BLOCK = lazy(r"(\w+)\s*\(\s*(?://.*)?\Z", re.ASCII)
_GO_ELSEWHERE = ("exclude", "retract", "tool", "ignore", "godebug", "use")


def _go_mod(lines: Iterable[str]) -> Iterator[Requirement]:
    block = ""
    for line in lines:
        bare = " ".join(line.split())
        if opening := _GO_BLOCK.match(bare):
            block = opening[1]
        elif bare.startswith(")"):
            block = ""
        elif block in _GO_ELSEWHERE or bare.startswith(tuple(f"{word} " for word in _GO_ELSEWHERE)):
            continue
        elif tool := _GO_TOOL.match(bare):
            yield Requirement("go", tool[1], tool[2])
        elif replaced := _GO_REPLACE.match(bare):
            yield Requirement("go", replaced[1], f"=> {replaced[3]}", "replace")
        elif required := _GO_REQUIRE.match(bare):
            yield Requirement(
                "go", required[1], required[2], "require", (required[3] or "").partition(";")[0].strip() == "indirect"
            )


_COMMENT = lazy(r"(?:^|\s)#.*\Z")
_PIP_OPTION = lazy(r"\s--?[A-Za-z][\w-]*(?:[ =].*)?\Z", re.ASCII)


def _requirements(lines: Iterable[str]) -> Iterator[Requirement]:
    for line in lines:
        bare = _PIP_OPTION.sub("", _COMMENT.sub("", line).rstrip("\\ \t")).strip()
        if bare and bare[0] not in "-." and (found := pypi(bare)):
            yield found


_GOLANGCI = lazy(r"""(\s*go|version):\s*["']?(v?\d[\w.]*)["']?\s*(?:#.*)?\Z""", re.ASCII)


def _golangci(lines: Iterable[str]) -> Iterator[Requirement]:
    for line in lines:
        if found := _GOLANGCI.match(line):
            own = found[1] == "version"
            yield Requirement("golangci-lint", "golangci-lint" if own else "go", found[2], RUNTIME if own else "")


_TOOL = lazy(r"\s*([A-Za-z][\w.:/@-]*)[ \t]+([^#\s][^#]*)", re.ASCII)


def tool_versions(lines: Iterable[str]) -> Iterator[Requirement]:
    """The tools that a .tool-versions pins, each with its versions in order of preference."""
    for line in lines:
        if found := _TOOL.match(line):
            yield Requirement("asdf", found[1], ", ".join(found[2].split()))


def _named(pattern: str) -> re.Pattern[str]:
    return lazy(rf"(?:^|/)(?:{pattern})\Z")


_TEMPLATES = r"j2|jinja2?|tmpl|tpl|template|erb|md|txt|dockerignore|in|hbs|mustache"
KINDS = (
    Kind("pypi", _named(r"pyproject\.toml"), pyproject),
    Kind(
        "pypi", _named(r"[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in)"), _requirements
    ),
    Kind("pypi", _named(r"Pipfile"), pipfile),
    Kind("pypi", _named(r"setup\.cfg"), setup_cfg),
    Kind("npm", _named(r"package\.json"), _package_json),
    Kind("cargo", _named(r"Cargo\.toml"), cargo),
    Kind("go", _named(r"go\.(?:mod|work)"), _go_mod),
    Kind("gem", _named(r"Gemfile|gems\.rb|[\w.-]+\.gemspec"), gemfile),
    Kind("composer", _named(r"composer\.json"), _composer_json),
    Kind("maven", _named(r"(?:[\w.-]+-)?pom\.xml"), pom),
    Kind("maven", _named(r"[\w.-]+\.gradle(?:\.kts)?"), script),
    Kind("maven", _named(r"(?:[\w-]+\.)?versions\.toml"), catalog),
    Kind(
        "nuget", _named(r"[\w. -]+\.(?:cs|fs|vb)proj|Directory\.(?:Packages|Build)\.(?:props|targets)|packages\.config"), msbuild
    ),
    Kind("hex", _named(r"mix\.exs"), mix),
    Kind("pub", _named(r"pubspec(?:_overrides)?\.ya?ml"), pubspec),
    Kind(
        "docker",
        _named(
            rf"(?:Docker|Container)file(?:[.-](?!(?:[\w.-]+\.)?(?:{_TEMPLATES})\Z)[\w.-]+)?|[\w.-]+\.(?:[Dd]ocker|[Cc]ontainer)file|dockerfile"
        ),
        dockerfile,
    ),
    Kind(
        "github-actions",
        _named(r"\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml|action\.ya?ml"),
        workflow,
    ),
    Kind("pre-commit", _named(r"\.pre-commit-config\.ya?ml"), hooks),
    Kind("mise", _named(r"\.?mise(?:\.[\w-]+)*\.toml|\.?mise/config(?:\.[\w-]+)*\.toml|mise/conf\.d/[\w.-]+\.toml"), mise),
    Kind("golangci-lint", _named(r"\.golangci\.ya?ml"), _golangci),
    Kind("asdf", _named(r"\.tool-versions"), tool_versions),
)
