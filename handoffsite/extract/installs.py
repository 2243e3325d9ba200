"""Which packages a shell command adds to a project or removes from it, and what its output says came of that."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from handoffsite.extract.installers import INSTALLERS, NOWHERE, Installer
from handoffsite.extract.shell import segments, words
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement

# A cheap look before the command is taken apart.
_PROGRAMS = lazy(
    r"\b(?:pip|uv|poetry|pdm|pipenv|rye|npm|pnpm|yarn|bun|expo|deno|cargo|go|composer(?:\.phar)?|bundler?|gem|dart|flutter|dotnet|mix|conda"
    r"|mamba|micromamba|pixi|mise|asdf)(?:[\d.]*)(?:\.exe|\.cmd)?\s"
)
_WORDS = lazy(
    r"\s(?:add|a|i|in|install|get|require|req|remove|rm|r|un|uninstall|up|update|upgrade|use|unuse|local|set|igniter\.install|deps\.update)\s"
)

_AGENTS = lazy(
    r"(?:@anthropic-ai/claude-code|@openai/codex|@google/gemini-cli|@github/copilot|@sourcegraph/amp|opencode-ai|cline|droid"
    r"|aider-chat|aider-install|aider|swe-agent|sweagent|openhands-ai|handoffsite)\Z"
)
# Tools that install others: renewed in passing, they are nothing that a project depends on.
_TOOLS = frozenset(("pip", "setuptools", "wheel", "bundler", "conda", "mamba"))
_TAGS = frozenset(("latest", "next", "beta", "alpha", "canary", "rc", "upgrade", "patch", "upstream"))


@dataclass(frozen=True, slots=True)
class Install:
    """What one command asks for; *verb* is add, remove or update, *manifest* the file that it writes (empty where it writes none).

    *folder* is where that happens, as far as the command says: its folder, or its virtual environment.
    """

    verb: str
    manifest: str
    requirements: tuple[Requirement, ...]
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the output says: versions that *came* and *went*, by normal name; which were *there*; and whether anything was done at all.

    *done* and *failed* may both be false, as for a command that is told to be quiet.
    """

    came: Mapping[str, str] = field(default_factory=dict)
    went: Mapping[str, str] = field(default_factory=dict)
    there: frozenset[str] = frozenset()
    done: bool = False
    failed: bool = False
    idle: bool = False


_FILE = lazy(r"[$`(){}\\]|(?<!\d\.)\*|://|\.(?:whl|tgz|zip|tar\.gz|txt|toml|in|lock|json)\Z|\A[./~-]")
_RUNNERS = ("npx", "bunx", "poetry", "pipenv", "corepack", "uv", "rye", "pdm", "hatch")
_FOLDER_OPTIONS = ("-C", "--dir", "--cwd", "--prefix", "--directory", "--project", "--manifest-path", "--working-dir")


@lru_cache(maxsize=32)
def asked(command: str) -> tuple[Install, ...]:
    """What each command that *command* strings together would add to the project or remove from it, if it worked."""
    if not (_PROGRAMS.search(command) and _WORDS.search(command)):
        return ()
    return tuple(_asked(command, "", 0))


def _asked(command: str, folder: str, depth: int) -> Iterator[Install]:
    environment = ""
    for segment in segments(command):
        parts = [_bare(word) for word in words(segment)]
        end = next((n for n, part in enumerate(parts) if re.match(r"\d?[<>]|#", part)), len(parts))
        parts = parts[:end]
        if not parts:
            continue
        program = parts[0].replace("\\", "/").rpartition("/")[2]
        if program in ("cd", "pushd") and len(parts) > 1:
            folder = _joined(folder, parts[1])
        elif program in (".", "source") and parts[-1].endswith("/bin/activate"):
            environment = parts[-1].removesuffix("/bin/activate")
        elif program in ("bash", "sh", "zsh") and depth < 2:
            inner = next((parts[n + 1] for n, part in enumerate(parts[:-1]) if re.fullmatch(r"-\w*c", part)), "")
            yield from _asked(inner, folder, depth + 1)
        elif found := _install(parts, folder):
            called = parts[0].partition("/bin/")
            place = found.manifest or (called[0] if called[1] else "") or environment or folder
            yield replace(found, folder=place)


def _bare(word: str) -> str:
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1]
    return word.replace('"', "").replace("'", "")


def _joined(folder: str, name: str) -> str:
    return name if name.startswith(("/", "~", "$")) or not folder else f"{folder.rstrip('/')}/{name}"


def _install(parts: list[str], folder: str) -> Install | None:
    program, parts = _program(parts)
    manager = INSTALLERS.get(program)
    if manager is None or any(NOWHERE.match(part) or manager.elsewhere.match(part) for part in parts):
        return None
    plain, folder, version = _sorted(parts, manager, folder)
    verb = manager.verbs.get(plain[0], "") if plain else ""
    if not verb:
        return None
    names, file = plain[1:], manager.manifest
    if manager.ecosystem == "nuget":
        names, file = _dotnet(plain)
    elif manager.ecosystem in ("composer", "asdf"):
        names = _versioned(names, ":" if manager.ecosystem == "composer" else "@")
    found = [requirement for name in names if (requirement := _requirement(name, manager, version))]
    if manager.ecosystem == "go":
        gone = tuple(requirement for requirement in found if requirement.version == "none")
        if gone:
            return Install("remove", file, gone)
    if not found:
        return None
    return Install(verb, _joined(folder, file) if folder and file else file, tuple(found))


def _dotnet(plain: list[str]) -> tuple[list[str], str]:
    """The packages of `add [PROJECT] package NAME` or `package add NAME`, and the project where it is named."""
    if "package" not in plain[1:3]:
        return [], ""
    at = plain.index("package")
    file = plain[1] if at == 2 and plain[1].endswith("proj") else ""
    return plain[at + 1 : at + 2], file


def _versioned(names: list[str], mark: str) -> list[str]:
    """*names*, of which one that is only a version belongs to the name before it."""
    joined: list[str] = []
    for name in names:
        if joined and mark not in joined[-1][1:] and re.match(r"[\^~<>=!*v]*\d|dev-|latest|system|[a-z]+-\d", name):
            joined[-1] += f"{mark}{name}"
        else:
            joined.append(mark.join(name.split(" ", 1)))
    return joined


def _program(parts: list[str]) -> tuple[str, list[str]]:
    """The package manager that *parts* run in the end, and the words behind it."""
    name = parts[0].replace("\\", "/").rpartition("/")[2].lstrip("!%").removesuffix(".exe")
    rest = parts[1:]
    if re.fullmatch(r"python[\d.]*|py", name) and "-m" in rest[:3]:
        at = rest.index("-m")
        return _program(rest[at + 1 :]) if len(rest) > at + 1 else ("", [])
    name = name.removesuffix(".cmd")
    if name == "php" and rest and rest[0].rpartition("/")[2] in ("composer", "composer.phar"):
        return "composer", rest[1:]
    if name in _RUNNERS and rest:
        at = next((n for n, part in enumerate(rest) if not part.startswith("-")), 0)
        if name == "uv" and rest[at] == "pip":
            return "pip", rest[at + 1 :]
        if rest[at] in ("run", "exec"):
            at = next((n for n, part in enumerate(rest) if n > at and not part.startswith("-")), at)
            return _program(rest[at:]) if re.match(r"python|pip", rest[at]) else ("", [])
        if name in ("npx", "bunx", "corepack"):
            return _program(rest[at:]) if rest[at] in ("expo", "npm", "pnpm", "yarn") else ("", [])
    if name == "dotnet" and rest[:1] == ["package"] and len(rest) > 1:
        return name, [rest[1], "package", *rest[2:]]
    if name in ("dart", "flutter"):
        return ("pub", rest[1:]) if rest[:1] == ["pub"] else ("", [])
    if name == "yarn" and rest[:1] == ["workspace"]:
        return name, rest[2:]
    if name == "cargo" and rest and rest[0].startswith("+"):
        return name, rest[1:]
    return re.sub(r"(?<=pip)3?\.\d+\Z", "", name), rest


def _sorted(parts: list[str], manager: Installer, folder: str) -> tuple[list[str], str, str]:
    """The words that are no options, the folder that an option names, and the version that one gives."""
    plain: list[str] = []
    version = ""
    waiting = iter(parts)
    for part in waiting:
        if not part.startswith("-") or part == "-":
            plain.append(part)
            continue
        option, equals, value = part.partition("=")
        # Letters stand together: `-qr requirements.txt`.
        if not equals and (option in manager.valued or (option[1:2] != "-" and f"-{option[-1]}" in manager.valued)):
            value = next(waiting, "")
        if option in _FOLDER_OPTIONS and value:
            folder = _joined(folder, value.removesuffix("Cargo.toml").rstrip("/"))
        elif option in ("-v", "--version") and option in manager.valued:
            version = value
    return plain, folder, version


def _requirement(text: str, manager: Installer, version: str) -> Requirement | None:
    if manager.ecosystem == "pub":
        text = text.partition(":{")[0]
    if _FILE.search(text):
        return None
    found = manager.parse(text)
    if found is None or _AGENTS.match(found.name) or (not manager.manifest and found.name.lower() in _TOOLS):
        return None
    return replace(found, version="" if found.version in _TAGS else version or found.version, slot="")


# --- what came of it --------------------------------------------------------------------------------------------------------

_V = r"v?(\d[^\s,;()]*)"
# Each with a mark that stands in all that it matches.
_CAME = (
    ("+ ", rf"(?:^|[ \t│])\+ (@?[^\s@=]+?)(?:==|@(?:npm:)?| ){_V}"),  # pnpm, uv, npm 6, yarn 4, dart
    ("installed ", rf"^[ \t]*installed (@?[^\s@]+)@{_V}"),  # bun
    ("─ ", rf"^[ \t]*[├└]─ (@?[^\s@]+)@{_V}"),  # yarn 1
    (
        "ing ",
        rf"^\W*(?:Installing|Downgrading|Upgrading) ([\w./-]+) \(?(?:[^\s()]+ (?:->|=>) )?{_V}\)?",  # poetry, composer, bundler
    ),
    ("Updating ", rf"^\W*Updating ([\w./-]+) \([^\s()]+ -> {_V}\)"),  # poetry
    (" successful", rf"^\W*(?:Install|Update) ([\w.-]+) (?:[^\s]+ -> )?{_V} successful"),  # pdm
    ("Adding ", rf"^\s*Adding ([\w-]+) {_V} to "),  # cargo
    ("go: ", rf"^go: (?:added|downgraded|upgraded) (\S+) (?:v\S+ => )?{_V}"),
    ("::", r"^\s+([\w.-]+)\s+\S+::\S+?-(\d[^-\s]*)-\S+[ \t]*$"),  # conda
    ("(was ", rf"^[>] ([\w.-]+) {_V} \(was "),  # dart
    (" => ", rf"^[ \t]+([\w.]+) \d[^\s]* => {_V}"),  # mix
    ("@", rf"^mise \S+ tools: ([\w.:/-]+)@{_V}"),
    ("PackageReference", r"PackageReference for package '([\w.-]+)' version '([^']+)'"),
)
_WENT = (
    ("- ", rf"(?:^|[ \t│])- (@?[^\s@=]+?)(?:==|@(?:npm:)?| ){_V}"),
    ("Removing ", rf"^\W*Removing ([\w./-]+) \({_V}\)"),
    ("ing ", rf"^\W*(?:Updating|Upgrading|Downgrading) ([\w./-]+) \({_V} (?:->|=>) "),
    ("(was ", rf"^[>] ([\w.-]+) \S+ \(was {_V}\)"),
    (" => ", r"^[ \t]+([\w.]+) (\d[^\s]*) => \d"),
    ("Successfully un", rf"Successfully uninstalled ([\w.-]+?)-{_V}"),
    ("Found existing", rf"Found existing installation: ([\w.-]+) {_V}"),
    ("go: ", rf"^go: (?:downgraded|upgraded|removed) (\S+) {_V}"),
)
_SUCCESS = lazy(r"Successfully installed (.+)")
_PIECE = lazy(r"(\S+?)-(\d\S*)\Z")
_FAILED = lazy(
    r"npm ERR!|npm error|ERR_PNPM|^error:? |^ERROR: +(?:Could not|No matching|Cannot|Failed|Invalid)|externally-managed-environment"
    r"|No matching distribution|No matching version|command not found|^\s*× |Could not find a (?:version|matching)"
    r"|Could not find (?:gem|package) |requirements could not be resolved|version solving failed|could not find package|PackagesNotFoundError"
    r"|UnsatisfiableError|^\*\* \(Mix\)|cannot specify the same gem twice|\[!\] There was an error|There are no versions available for"
    r"|^go: (?!added|upgraded|downgraded|removed|downloading|trying|finding)\S+",
    re.MULTILINE,
)
_THERE = lazy(r"Requirement already satisfied: ([\w.-]+)")
_IDLE = lazy(
    r"^up to date|Already up[- ]to[- ]date|already present in|no installed packages|as it is not installed|requested packages already installed",
    re.MULTILINE,
)
_DONE = lazy(
    r"^(?:added|changed|removed) \d+ package|^success Saved|^Successfully (?:un)?installed|^Changed \d+ dependenc|^Bundle complete!",
    re.MULTILINE,
)


def outcome(ecosystem: str, text: str) -> Outcome:
    """What *text*, the output of an install, says of packages of *ecosystem*."""
    came = _versions(ecosystem, _CAME, text)
    for line in _SUCCESS.findall(text):
        pieces = (_PIECE.match(word) for word in line.split())
        came.update({Requirement(ecosystem, piece[1]).key[1]: piece[2] for piece in pieces if piece})
    return Outcome(
        came,
        _versions(ecosystem, _WENT, text),
        frozenset(Requirement(ecosystem, name).key[1] for name in _THERE.findall(text)),
        done=bool(_DONE.search(text)),
        failed=bool(_FAILED.search(text)),
        idle=bool(_IDLE.search(text)),
    )


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.MULTILINE)


def _versions(ecosystem: str, patterns: tuple[tuple[str, str], ...], text: str) -> dict[str, str]:
    found = (match for mark, source in patterns if mark in text for match in _compiled(source).finditer(text))
    prefix = "v" if ecosystem == "go" else ""
    return {Requirement(ecosystem, match[1]).key[1]: f"{prefix}{match[2]}" for match in found}
