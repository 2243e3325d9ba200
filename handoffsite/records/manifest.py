"""Files that say what a project depends on, read line by line, so that a fragment of one says as much as it holds."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from handoffsite.records.requirement import RUNTIME, Requirement, pypi

# A manifest is written by hand; what is longer than this was not.
_LONGEST_LINE = 4_000


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of manifest: which file names it goes by, whose packages it lists, and how to read its lines."""

    ecosystem: str
    names: re.Pattern[str]
    read: Callable[[Iterable[str]], Iterator[Requirement]] = field(repr=False)


def kind(path: str) -> Kind | None:
    """The kind of manifest that *path* names (either slash); None where it names none, or one of somebody else's packages."""
    if not path.endswith(_ENDINGS):
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
    return tuple(found.read(line for line in text.removeprefix("\ufeff").splitlines() if len(line) <= _LONGEST_LINE))


# Most paths are no manifest's: every name in KINDS ends in one of these.
_ENDINGS = (".toml", ".txt", ".in", ".json", ".mod", ".yml", ".yaml", ".tool-versions")
_FOREIGN = re.compile(r"(?:^|/)(?:node_modules|site-packages|vendor|\.venv|venv)/")

# What a line says of the file itself where no heading tells it from a package.
_OWN_KEYS = re.compile(
    r"(?:name|version|edition|rust-version|resolver|description|license|lto|opt-level|target|target-version|main|module|types?"
    r"|engine|node|npm|pnpm|yarn|bun|vscode|packageManager|min_?version|requires-python|line-length|fail_under|python[-_]version"
    r"|lockfileVersion|manifest_?[vV]ersion|schema-version|apiVersion)\Z"
)
_VERSION_LIKE = re.compile(
    r"[\^~><=v! ]*\d[\w.+*-]*(?:(?:\s+-\s+|[\s,|<>=~^!]+)[v\d][\w.+*-]*)*\Z|(?:\*|latest|lts|next)\Z", re.ASCII
)
_PLACE_LIKE = re.compile(r"(?:workspace|catalog|npm|link|file|portal|patch|github|git|git\+\w+|https?):", re.ASCII)

# --- JSON -------------------------------------------------------------------------------------------------------------------

# The last branch eats a string that nothing closes, so that it is not tried again from each quote inside it.
_JSON = re.compile(r'"((?:[^"\\\n]|\\.)*)"(?:\s*:\s*(?:"((?:[^"\\\n]|\\.)*)"|(\{)|(\[)))?|([{\[])|([}\]])|"(?:[^"\\\n]|\\.)*')
_NPM_SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_NPM_NAME = re.compile(r"(?:@[\w.~-]+/)?[\w.~-]+", re.ASCII)


def _package_json(lines: Iterable[str]) -> Iterator[Requirement]:
    sections: list[str | None] = []
    whole = False
    for token in _JSON.finditer("\n".join(lines)):
        key, value, opens, opens_list, bare_open, closes = token.groups()
        if opens or opens_list:
            sections.append(key)
        elif bare_open:
            # Only a whole document starts with a brace of its own.
            whole = whole or token.start() == 0
            sections.append(None)
        elif closes:
            if sections:
                sections.pop()
        elif value is not None:
            section = next((name for name in reversed(sections) if name is not None), None)
            if section == "engines" and key == "node":
                yield Requirement("npm", key, value, RUNTIME)
            known = section in _NPM_SECTIONS or (section is None and not whole and _looks_like_package(key, value))
            if known and _NPM_NAME.fullmatch(key):
                yield Requirement("npm", key, value, section or "")


def _looks_like_package(name: str, value: str) -> bool:
    return not _OWN_KEYS.match(name) and bool(_VERSION_LIKE.match(value) or _PLACE_LIKE.match(value))


# --- TOML -------------------------------------------------------------------------------------------------------------------

_HEADING = re.compile(r"\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?\Z")
_PAIR = re.compile(r"""\s*("[^"]*"|'[^']*'|[A-Za-z0-9_.@/:-]+)\s*=\s*(.*)\Z""", re.ASCII)
_LONG_STRINGS = ('"""', "'''")
_STRING = re.compile(r"""\"((?:[^"\\]|\\.)*)"|'([^']*)'|["'].*""")
_TABLE = re.compile(r"\{[^{}]*\}")
_INLINE_VERSION = re.compile(r"""\bversion\s*=\s*["']([^"']*)["']""")
_INLINE_PLACE = re.compile(r"""\b(?:(workspace)\s*=\s*true|(?:path|git|url)\s*=\s*["']([^"']*)["'])""")
_INLINE_PACKAGE = re.compile(r"""\bpackage\s*=\s*["']([^"']*)["']""")


@dataclass(frozen=True, slots=True)
class Pair:
    """A line `key = value` of a TOML file, under *section* (None where no heading was seen)."""

    section: str | None
    key: str
    value: str

    @property
    def string(self) -> str | None:
        """The value, where it is one string."""
        found = _STRING.match(self.value)
        return next((part for part in found.groups() if part is not None), None) if found else None

    @property
    def version(self) -> str | None:
        """The version that the value gives, as a string or in an inline table, or the place that stands for one."""
        if self.value.startswith("{"):
            found = _INLINE_VERSION.search(self.value) or _INLINE_PLACE.search(self.value)
            return next((part for part in found.groups() if part is not None), None) if found else None
        return "workspace" if self.key.endswith(".workspace") else self.string


def _pairs(lines: Iterable[str]) -> Iterator[Pair]:
    """The pairs of a TOML file; each string of an array becomes a pair `key[]`, the key empty where the array's start is unseen."""
    section: str | None = None
    array: str | None = None
    text = ""
    for line in lines:
        bare = line.strip()
        if text:
            text = "" if text in bare else text
        elif not bare or bare[0] == "#":
            continue
        elif array is None and (heading := _HEADING.match(bare)):
            section = heading[1].strip()
        elif array is None and (pair := _PAIR.match(bare)):
            key, value = pair[1].strip("\"'"), pair[2]
            if value.startswith("["):
                yield from (Pair(section, f"{key}[]", found[0]) for found in _STRING.finditer(_TABLE.sub("", value)))
                array = None if _closes(value) else key
            elif value.startswith(_LONG_STRINGS):
                text = "" if value[:3] in value[3:] else value[:3]
            else:
                yield Pair(section, key, value)
        elif bare[0] in "\"'{":
            yield from (Pair(section, f"{array or ''}[]", found[0]) for found in _STRING.finditer(_TABLE.sub("", bare)))
            array = None if _closes(bare) else array
        elif bare[0] == "]":
            array = None


def _closes(text: str) -> bool:
    return _STRING.sub("", text).partition("#")[0].rstrip().rstrip(",").endswith("]")


_PYTHON_ARRAYS = re.compile(
    r"(?:project\.)?dependencies|(?:build-system\.)?requires|(?:project\.optional-dependencies|dependency-groups)\..+"
    r"|tool\.(?:uv\.dev-dependencies|pdm\.dev-dependencies\..+|hatch\.envs\..+\.(?:extra-)?dependencies)"
)
_POETRY = re.compile(r"tool\.poetry\.(?:group\.[^.]+\.|dev-)?dependencies\Z")


def _pyproject(lines: Iterable[str]) -> Iterator[Requirement]:
    loose: list[Requirement] = []
    for pair in _pairs(lines):
        slot = f"{pair.section}.{pair.key}" if pair.section else pair.key
        if slot.endswith("[]"):
            found = pypi(pair.string or "", slot[:-2])
            if found and _PYTHON_ARRAYS.fullmatch(slot[:-2]):
                yield found
            elif found and slot == "[]":
                loose.append(found)
        elif (version := pair.version) is None:
            continue
        elif slot in ("requires-python", "project.requires-python", "tool.poetry.dependencies.python"):
            yield Requirement("pypi", "python", version, RUNTIME)
        elif (pair.section and _POETRY.match(pair.section)) or (pair.section is None and _is_python_range(pair.key, version)):
            yield Requirement("pypi", pair.key, version, pair.section or "")
    # Strings of an array whose start is not seen: packages if any of them says which version.
    if any(requirement.version for requirement in loose):
        yield from loose


def _is_python_range(key: str, version: str) -> bool:
    return version.startswith(("^", "~", ">")) and not _OWN_KEYS.match(key)


_CARGO_TABLE = re.compile(r"(?:(?:.+\.)?(?:dependencies|dev-dependencies|build-dependencies))(?:\.([\w\"'-]+))?\Z", re.ASCII)


def _cargo(lines: Iterable[str]) -> Iterator[Requirement]:
    for pair in _pairs(lines):
        table = _CARGO_TABLE.match(pair.section) if pair.section is not None else None
        version = pair.version
        if pair.key == "rust-version" and version is not None:
            yield Requirement("cargo", "rust", version, RUNTIME)
        elif table and table[1]:
            if pair.key in ("version", "path", "git") and version is not None:
                yield Requirement("cargo", table[1].strip("\"'"), version, pair.section or "")
        elif version is None or pair.key.endswith("[]"):
            continue
        elif table or (pair.section is None and not _OWN_KEYS.match(pair.key) and _looks_like_crate(pair, version)):
            package = _INLINE_PACKAGE.search(pair.value)
            # `serde.workspace = true` is a dotted key.
            name = package[1] if package else pair.key.removesuffix(".version").removesuffix(".workspace")
            yield Requirement("cargo", name, version, pair.section or "")


def _looks_like_crate(pair: Pair, version: str) -> bool:
    return pair.value.startswith("{") or bool(_VERSION_LIKE.match(version))


def _mise(lines: Iterable[str]) -> Iterator[Requirement]:
    for pair in _pairs(lines):
        listed = pair.key.endswith("[]")
        version = pair.string if listed else pair.version
        if version is None or pair.key == "[]":
            continue
        if pair.section == "tools" or (pair.section is None and not _OWN_KEYS.match(pair.key) and _VERSION_LIKE.match(version)):
            yield Requirement("mise", pair.key.removesuffix("[]"), version, "tools")
        elif pair.section and pair.section.startswith("tools.") and pair.key == "version":
            yield Requirement("mise", pair.section.removeprefix("tools.").strip("\"'"), version, "tools")


# --- lines ------------------------------------------------------------------------------------------------------------------

_GO_REQUIRE = re.compile(r"(?:require\s+)?(\S+)\s+(v\d\S*)(?:\s*//\s*(.*))?\Z", re.ASCII)
_GO_TOOL = re.compile(r"(go|toolchain)\s+((?:go)?\d\S*)(?:\s*//.*)?\Z", re.ASCII)
_GO_REPLACE = re.compile(r"(?:replace\s+)?(\S+)(?:\s+(v\d\S*))?\s+=>\s+(\S+(?:\s+v\d\S*)?)(?:\s*//.*)?\Z", re.ASCII)
_GO_BLOCK = re.compile(r"(\w+)\s*\(\s*(?://.*)?\Z", re.ASCII)
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


_COMMENT = re.compile(r"(?:^|\s)#.*\Z")
_PIP_OPTION = re.compile(r"\s--?[A-Za-z][\w-]*(?:[ =].*)?\Z", re.ASCII)


def _requirements(lines: Iterable[str]) -> Iterator[Requirement]:
    for line in lines:
        bare = _PIP_OPTION.sub("", _COMMENT.sub("", line).rstrip("\\ \t")).strip()
        if bare and bare[0] not in "-." and (found := pypi(bare)):
            yield found


_USES = re.compile(
    r"""\s*(?:-\s+)?uses:\s*["']?([\w.-]+/[\w./-]+|docker://[^\s"'@:]+(?::\d+/[^\s"'@:]+)?)[@:]([^\s"'#]+)["']?\s*(?:#\s*(.*))?\Z""",
    re.ASCII,
)
_RUNTIME = re.compile(
    r"""\s*(go|node|python|java|ruby|dotnet|php|bun|deno|pnpm)-version:\s*["']?(\d[\w.*-]*)["']?\s*(?:#.*)?\Z""", re.ASCII
)
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_TAG = re.compile(r"(?:tag=)?(v?\d[\w.+-]*)", re.ASCII)


def _workflow(lines: Iterable[str]) -> Iterator[Requirement]:
    for line in lines:
        if used := _USES.match(line):
            name, version, comment = used.groups()
            tag = _TAG.match(comment or "")
            pinned = f"{version} # {tag[1]}" if tag and _COMMIT.match(version) else version
            yield Requirement("github-actions", name, pinned, "uses")
        elif runtime := _RUNTIME.match(line):
            yield Requirement("github-actions", runtime[1], runtime[2], "with")


_GOLANGCI = re.compile(r"""\s*go:\s*["']?(\d[\w.]*)["']?\s*(?:#.*)?\Z""", re.ASCII)


def _golangci(lines: Iterable[str]) -> Iterator[Requirement]:
    yield from (Requirement("golangci-lint", "go", found[1]) for line in lines if (found := _GOLANGCI.match(line)))


_TOOL = re.compile(r"\s*([A-Za-z][\w-]*)\s+(\d[\w.-]*|latest|system)\s*(?:#.*)?\Z", re.ASCII)


def _tool_versions(lines: Iterable[str]) -> Iterator[Requirement]:
    yield from (Requirement("asdf", found[1], found[2]) for line in lines if (found := _TOOL.match(line)))


def _named(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|/)(?:{pattern})\Z")


KINDS = (
    Kind("pypi", _named(r"pyproject\.toml"), _pyproject),
    Kind(
        "pypi", _named(r"[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in)"), _requirements
    ),
    Kind("npm", _named(r"package\.json"), _package_json),
    Kind("cargo", _named(r"Cargo\.toml"), _cargo),
    Kind("go", _named(r"go\.mod"), _go_mod),
    Kind("github-actions", _named(r"\.github/workflows/[^/]+\.ya?ml|action\.ya?ml"), _workflow),
    Kind("mise", _named(r"\.?mise(?:\.local)?\.toml|\.?mise/config\.toml"), _mise),
    Kind("golangci-lint", _named(r"\.golangci\.ya?ml"), _golangci),
    Kind("asdf", _named(r"\.tool-versions"), _tool_versions),
)
