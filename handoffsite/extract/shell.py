"""What a shell command is for: a check, a look around, a change; and how to name it in a few words."""

import re
from functools import lru_cache

from handoffsite.records.pattern import lazy

EXAMINED = 3_000  # characters of a command that are looked at

_SEGMENT = lazy(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^;&|\n"'\\]|["'\\])+""")
_HEREDOC = lazy(r"<<-?\s*(['\"]?)(\w+)\1.*?(?:\n\2\b|\Z)", re.DOTALL)
_PREFIX = lazy(
    r"^(?:\s*(?:[A-Za-z_]\w*=(?:'[^']*'|\"[^\"]*\"|\S*)|sudo(?:\s+-\w+)*|time|env|nohup|command(?=\s+[a-z])|"
    r"timeout\s+(?:-\S+\s+)*\S+|then|do|exec)\s+)+"
)
_REDIRECT = lazy(r"\s*(?:\d?>&\d|[12&]?>{1,2}\s*/dev/null|</dev/null)")
_QUOTED = lazy(r"""\"(?:\\.|[^"\\])*"|'[^']*'""")
_WRITES = lazy(r"(?<![-=<0-9&])>{1,2}\s*(?!/dev/|/tmp/|&)\S")
_SENDS = ("-X", "--method", "-f", "-F", "--field", "--raw-field", "--input")  # what makes a request of a question
_SUBCOMMAND = lazy(r"[a-z][a-z-]*")
_WORDS = lazy(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'])+""")

# Programs whose next word says what they do.
_MANY = frozenset(
    "apt apt-get brew bun bunx bundle cargo cmake composer conda dart deno docker dotnet flutter gem gh git glab go gradle "
    "gradlew helm just "
    "kubectl make mise mix mvn nix npm npx pip pip3 pipenv pipx pnpm podman poetry rails rye systemctl task terraform uv uvx yarn".split()
)
PREPARES = ("cd ", "echo ", "export ", "set ", "yes", "printf ", "source ", ". ", "mkdir ")
_LOOKS = frozenset(
    "[ awk basename bat cat cd column command cut date df diff dirname du echo env exa exit export false fd file find grep "
    "head hexdump history "
    "htop id jq less ls md5sum more nl od pgrep printenv printf ps pwd read readlink realpath rg sed seq set sha256sum "
    "sleep sort stat strings "
    "tail test tr tree true type uname uniq wait wc which whoami xxd yq".split()
)
_LOOKING = frozenset(
    "git status|git log|git diff|git show|git branch|git remote|git fetch|git blame|git ls-files|git rev-parse|git reflog|"
    "git describe|git config|"
    "git ls-tree|git cat-file|git merge-base|git rev-list|git ls-remote|git for-each-ref|"
    "git grep|git stash|git tag|git check-ignore|git worktree|npm view|npm ls|npm list|npm search|"
    "npm outdated|npm audit|pip show|pip list|pip index|cargo tree|cargo search|go list|go doc|go env|docker ps|docker logs|"
    "docker images|"
    "kubectl get|kubectl describe|kubectl logs|brew info|brew list|brew search".split("|")
)

_TEST = (
    r"(?:python[\d.]* -m )?(?:pytest|unittest|nose2?|tox|nox)\b|go test\b|cargo (?:nextest|test|t)\b|(?:npm|pnpm|yarn|"
    r"bun)(?: run)? (?:-\S+ )*(?:test|e2e|spec)\b|"
    r"(?:npx |bunx |yarn |pnpm (?:exec |dlx )?)?(?:jest|vitest|mocha|ava|karma|playwright test|cypress run|tap)\b|"
    r"(?:bundle exec |bin/)?(?:rspec|rake test|rails test)\b|"
    r"(?:vendor/bin/)?(?:phpunit|pest)\b|(?:mvn|\./mvnw)\b.*\b(?:test|verify)\b|(?:gradle|\./gradlew)\b.*\b(?:test|check)\b|"
    r"dotnet test\b|mix test\b|swift test\b|"
    r"(?:make|just|task|mise run|mise r|rake|invoke|poe|hatch run|poetry run|uv run|deno task) (?:-\S+ )*(?:pytest\b|test|"
    r"check\b|e2e\b|spec\b|integration)|ctest\b|deno test\b|bats\b|"
    r"flutter test\b|sbt test\b|zig (?:build )?test\b|xcodebuild\b.*\btest\b|\.?/?(?:scripts?/|bin/)?(?:run[-_])?tests?\.sh\b"
)
_LINT = (
    r"(?:npx |bunx |uvx |uv run |poetry run |pnpm (?:exec |dlx )?|yarn )?(?:--?y(?:es)? )?(?:ruff(?: check| format)?|flake8|"
    r"pylint|eslint|biome (?:check|lint|ci|format)|tslint|stylelint|prettier|black|isort|"
    r"markdownlint\S*|(?:github-)?actionlint(?:@\S+)?|oxlint|standard|xo|knip|pre-commit run)\b|golangci-lint\b|go vet\b|"
    r"gofmt\b|gofumpt\b|cargo (?:clippy|fmt)\b|shellcheck\b|hadolint\b|yamllint\b|rubocop\b|"
    r"ktlint\b|swiftlint\b|(?:npm|pnpm|yarn|bun|mise|make|just|task|deno)(?: run| r| task)? (?:-\S+ )*(?:lint|fmt|format|"
    r"style|biome|prettier|check:(?:lint|format))|mix (?:format|credo)\b|terraform (?:fmt|validate)\b|"
    r"go mod tidy\b|dotnet format\b"
)
_TYPES = (
    r"(?:npx |bunx |uv run |poetry run |uvx |pnpm (?:exec |dlx )?|yarn )?(?:--?y(?:es)? )?(?:mypy|pyright|basedpyright|pyre|"
    r"tsc|tsgo|vue-tsc|svelte-check|flow check)\b|"
    r"(?:npm|pnpm|yarn|bun|mise|make|just|task)(?: run| r)? (?:-\S+ )*(?:type-?check|types?\b|check-types|tsc)|cargo check\b|"
    r"mix dialyzer\b"
)
_BUILD = (
    r"(?:npm|pnpm|yarn|bun)(?: run)? (?:-\S+ )*(?:build|compile)|bun build\b|go (?:build|install)\b|cargo build\b|(?:mvn|"
    r"\./mvnw)\b.*\b(?:compile|package|install)\b|(?:gradle|\./gradlew)\b.*\b(?:build|assemble)|"
    r"dotnet build\b|(?:npx |pnpm exec |yarn )?(?:vite|next|webpack|rollup|esbuild|tsup|turbo(?: run)?|nx|astro|nuxt|"
    r"ng) build\b|docker (?:buildx )?build\b|docker compose build\b|(?:make|just|task|mise run|mise r)(?: -\S+)*(?: (?:all|"
    r"build|compile)\b|$)|"
    r"python[\d.]* -m build\b|cmake --build\b|swift build\b|mix compile\b|zig build\b|hugo\b|mkdocs build\b|sphinx-build\b|"
    r"uv build\b|poetry build\b"
)
_CHECK = lazy(rf"(?P<tests>{_TEST})|(?P<types>{_TYPES})|(?P<lint>{_LINT})|(?P<build>{_BUILD})")
_FILTER = lazy(r"(?:tail|head|grep|tee|cat|sed|awk|sort|uniq|cut|echo)\b")
_BROKEN = lazy(
    r"\b[1-9]\d* (?:failed|failures?|failing|errors?\b(?! ignored))|\bFAILED\b|^--- FAIL|^FAIL\b|^(?:npm ERR!|npm error\b|"
    r"error(?:\[\w+\])?:|ERROR:?\s)|error TS\d+|\bBUILD FAILED\b|"
    r"Build error occurred|Traceback \(most recent call last\)|^\s*✗ |exit status [1-9]|\[FAIL\]|tests? failed|"
    r"command not found",
    re.MULTILINE,
)
_COUNT = lazy(
    r"^.*?(?:\b\d+ (?:tests? )?(?:passed|passing|passes)\b|\b0 (?:issues|errors|failures|problems)\b|All (?:checks|"
    r"tests) passed|test result: ok|^\s*Finished `|Compiled successfully|Build (?:succeeded|completed)|\bbuilt in \d).*$",
    re.MULTILINE | re.IGNORECASE,
)


def without_heredocs(command: str) -> str:
    """*command* without the documents that it carries along."""
    return _HEREDOC.sub(" ", command[: 10 * EXAMINED]) if "<<" in command else command


@lru_cache(maxsize=32)
def segments(command: str) -> tuple[str, ...]:
    """The commands that *command* strings together, each without its environment and its silent redirections."""
    found = _SEGMENT.findall(_REDIRECT.sub("", without_heredocs(command)[:EXAMINED]))
    bare = (_PREFIX.sub("", segment.lstrip()).strip(" \t(){}") for segment in found)
    return tuple(segment for segment in bare if segment and not segment.startswith("#"))


@lru_cache(maxsize=64)
def words(segment: str) -> tuple[str, ...]:
    """The words of one command; quotations stay whole."""
    return tuple(_WORDS.findall(segment[:EXAMINED]))


@lru_cache(maxsize=128)
def key(segment: str) -> str:
    """Program and what it is asked to do: what stays the same when a command is tried again."""
    parts = words(segment)
    if not parts:
        return ""
    program = parts[0].rsplit("/", 1)[-1]
    if program.startswith("python") and "-m" in parts[:3]:
        return " ".join(("python -m", *parts[parts.index("-m") + 1 :][:1]))
    if program in _MANY:
        asked = [part.split("@", 1)[0] or part for part in parts[1:8] if not part.startswith("-")]
        if parts[1:2] and parts[1].startswith("-") and asked and "." in asked[0]:
            return f"{program} {parts[1]}"
        return " ".join(
            (program, *asked[: 2 if asked[:1] in (["run"], ["exec"], ["compose"], ["mod"], ["pr"], ["release"]) else 1])
        )
    if program not in _LOOKS and len(parts) > 1 and _SUBCOMMAND.fullmatch(parts[1]):
        return f"{program} {parts[1]}"
    flag = next((part for part in parts[1:3] if part.startswith("-")), "")
    return f"{program} {flag}".strip()


@lru_cache(maxsize=32)
def only_looks(command: str) -> bool:
    """Whether *command* changes nothing that we know of."""
    return all(_looks(segment) for segment in segments(command))


@lru_cache(maxsize=128)
def _looks(segment: str) -> bool:
    parts = words(segment)
    if ">" in segment and _WRITES.search(_QUOTED.sub("", segment)):
        return False
    if parts and parts[0] in ("sed", "awk", "perl") and any(part.startswith(("-i", "--in-place")) for part in parts[1:4]):
        return False
    if parts[:1] == ("gh",) and len(parts) > 2:
        if parts[1] == "api":
            return not any(part.startswith(_SENDS) for part in parts[2:])
        return parts[1] == "auth" or parts[2] in ("view", "list", "status", "checks", "diff", "watch")
    return bool(parts) and (parts[0] in _LOOKS or key(segment) in _LOOKING or " ".join(parts[:2]) in _LOOKING)


def ends_in_check(command: str) -> bool:
    """Whether a check is the last thing that *command* runs, so that its exit status is the check's."""
    parts = segments(command)
    return (
        bool(parts) and _CHECK.match(next((part for part in reversed(parts) if not _FILTER.match(part)), parts[-1])) is not None
    )


def changes_before_check(command: str) -> bool:
    """Whether *command* changes something before it runs a check."""
    for segment in segments(command):
        if _CHECK.match(segment):
            return False
        if not segment.startswith(PREPARES) and not _looks(segment):
            return True
    return False


@lru_cache(maxsize=32)
def check(command: str) -> tuple[str, str] | None:
    """The kind of check that *command* runs (tests, lint, types, build) and its words, or None."""
    for segment in segments(command):
        found = _CHECK.match(segment)
        if found:
            return str(found.lastgroup), brief(segment)
    return None


def broken(text: str) -> bool:
    """Whether the output of a check tells of failures, whatever its exit status: a pipe hides that."""
    return bool(_BROKEN.search(text[-6_000:]))


def verdict(text: str) -> str:
    """The line in which a check says that all is well, or nothing."""
    found = _COUNT.search(text[-6_000:])
    return found[0].strip() if found else ""


def brief(segment: str, limit: int = 80) -> str:
    """*segment* in a few words."""
    text = " ".join(segment.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def gist(command: str, limit: int = 80) -> str:
    """The part of *command* that does something, in a few words."""
    parts = [segment for segment in segments(command) if not segment.startswith(PREPARES)]
    telling = next((segment for segment in parts if not _looks(segment)), parts[0] if parts else command)
    return brief(telling, limit)
