"""What changed in the dependencies between two texts of a manifest or a lock file."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from handoffsite.errors import Malformed
from handoffsite.records import manifest
from handoffsite.records.dependency import Dependency
from handoffsite.records.pattern import lazy
from handoffsite.records.problem import Problem
from handoffsite.records.requirement import Requirement, differences, normal
from handoffsite.sources.asdf import tool_versions
from handoffsite.sources.bun import bun_lock
from handoffsite.sources.cargo import cargo_lock, cargo_toml
from handoffsite.sources.composer import composer_json, composer_lock
from handoffsite.sources.docker import dockerfile
from handoffsite.sources.gem import gemfile, gemfile_lock
from handoffsite.sources.golang import go_mod
from handoffsite.sources.gradle import build_script, catalog
from handoffsite.sources.hex import mix, mix_lock
from handoffsite.sources.lock import Lock, Warn
from handoffsite.sources.maven import pom
from handoffsite.sources.mise import mise_toml
from handoffsite.sources.npm import package_json, package_lock
from handoffsite.sources.nuget import packages_lock, project
from handoffsite.sources.pipfile import pipfile, pipfile_lock
from handoffsite.sources.pnpm import pnpm_lock
from handoffsite.sources.pub import pubspec, pubspec_lock
from handoffsite.sources.pypi import poetry_lock, pyproject, requirements_txt, uv_lock
from handoffsite.sources.setup_cfg import setup_cfg
from handoffsite.sources.yarn import yarn_lock

# Characters. A lock may be large, since reading one costs little; a manifest is written by hand.
LARGEST_LOCK = 64_000_000
LARGEST_MANIFEST = 2_000_000


@dataclass(frozen=True, slots=True)
class Changes:
    """*direct*: what the project asks for; *transitive*: how many other packages changed; *problems*: what could not be compared."""

    direct: tuple[Dependency, ...] = ()
    transitive: int = 0
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Ecosystem:
    """One registry's files: a pattern of file names, and what reads them. Readers raise Malformed, with a line."""

    manifests: Mapping[str, Callable[[str, Warn], Iterable[Requirement]]]
    locks: Mapping[str, Callable[[str, Warn], Lock]]


ECOSYSTEMS = {
    "pypi": Ecosystem(
        {
            r"pyproject\.toml": pyproject,
            r"[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in)": requirements_txt,
            r"Pipfile": pipfile,
            r"setup\.cfg": setup_cfg,
        },
        {r"uv\.lock": uv_lock, r"poetry\.lock": poetry_lock, r"Pipfile\.lock": pipfile_lock},
    ),
    "npm": Ecosystem(
        {r"package\.json": package_json},
        {
            r"package-lock\.json|npm-shrinkwrap\.json": package_lock,
            r"yarn\.lock": yarn_lock,
            r"pnpm-lock\.yaml": pnpm_lock,
            r"bun\.lock": bun_lock,
        },
    ),
    "cargo": Ecosystem({r"Cargo\.toml": cargo_toml}, {r"Cargo\.lock": cargo_lock}),
    "go": Ecosystem({r"go\.(?:mod|work)": go_mod}, {}),
    "gem": Ecosystem({r"Gemfile|gems\.rb|[\w.-]+\.gemspec": gemfile}, {r"Gemfile\.lock|gems\.locked": gemfile_lock}),
    "composer": Ecosystem({r"composer\.json": composer_json}, {r"composer\.lock": composer_lock}),
    "maven": Ecosystem(
        {
            r"(?:[\w.-]+-)?pom\.xml": pom,
            r"[\w.-]+\.gradle(?:\.kts)?": build_script,
            r"(?:[\w-]+\.)?versions\.toml": catalog,
        },
        {},
    ),
    "nuget": Ecosystem(
        {r"[\w. -]+\.(?:cs|fs|vb)proj|Directory\.(?:Packages|Build)\.(?:props|targets)|packages\.config": project},
        {r"packages\.lock\.json": packages_lock},
    ),
    "hex": Ecosystem({r"mix\.exs": mix}, {r"mix\.lock": mix_lock}),
    "pub": Ecosystem({r"pubspec(?:_overrides)?\.ya?ml": pubspec}, {r"pubspec\.lock": pubspec_lock}),
    "docker": Ecosystem({r"(?:[\w.-]+\.)?(?:[Dd]ocker|[Cc]ontainer)file(?:[.-][\w.-]+)?": dockerfile}, {}),
    "mise": Ecosystem({r"\.?mise(?:\.[\w-]+)*\.toml|\.?mise/(?:config(?:\.[\w-]+)*|conf\.d/[\w.-]+)\.toml": mise_toml}, {}),
    "asdf": Ecosystem({r"\.tool-versions": tool_versions}, {}),
}

_MANIFESTS = [(lazy(rf"(?:^|/)(?:{name})\Z"), read) for e in ECOSYSTEMS.values() for name, read in e.manifests.items()]
_LOCKS = [
    (lazy(rf"(?:^|/)(?:{name})\Z"), ecosystem, read) for ecosystem, e in ECOSYSTEMS.items() for name, read in e.locks.items()
]
_CONFLICT = lazy(r"^<{7} ", re.MULTILINE)


def is_manifest(path: str) -> bool:
    """Whether *path* names a manifest or a lock of this project, not one that came with somebody else's package."""
    return not manifest.is_foreign(path) and (manifest.kind(path) is not None or _lock(path) is not None)


def changes(path: str, before: str | None, after: str | None) -> Changes:
    """What changed from *before* to *after*, two texts of the file *path* (None where there is no such file).

    A text that cannot be read is a problem and yields no changes, so that a slip of the pen never looks as if all had been
    removed. In a go.mod or a compiled requirements.txt, what only another package asks for counts as transitive; what moves
    between direct and transitive is added or removed. A path that is no manifest yields nothing.
    """
    if not is_manifest(path) or before == after:
        return Changes()
    problems: list[Problem] = []
    found = _lock(path)
    compare = _compared_locks if found else _compared_manifests
    try:
        direct, transitive = compare(path, before, after, problems)
    except Malformed as error:
        return Changes(problems=(*problems, _problem(path, error)))
    return Changes(direct, transitive, tuple(dict.fromkeys(problems)))


def combine(parts: Iterable[Changes]) -> Changes:
    """The changes of several files as one.

    A direct dependency that a lock and a manifest beneath the lock's folder both report is reported by the manifest, with the
    range that is written there; what only the lock reports (the same range, resolved to a newer version) stands by itself.
    """
    parts = list(parts)
    direct = [dependency for part in parts for dependency in part.direct]
    declared: dict[tuple[str, str], list[str]] = {}
    for dependency in direct:
        if _lock(dependency.file) is None:
            declared.setdefault(_key(dependency), []).append(dependency.file)
    kept = [dependency for dependency in direct if not _is_repeated(dependency, declared)]
    kept.sort(key=lambda dependency: (dependency.file, dependency.ecosystem))
    problems = tuple(dict.fromkeys(problem for part in parts for problem in part.problems))
    return Changes(tuple(kept), sum(part.transitive for part in parts), problems)


def _key(dependency: Dependency) -> tuple[str, str]:
    return dependency.ecosystem, normal(dependency.ecosystem, dependency.name)


def _is_repeated(dependency: Dependency, declared: Mapping[tuple[str, str], Collection[str]]) -> bool:
    if _lock(dependency.file) is None:
        return False
    folder = dependency.file[: dependency.file.rfind("/") + 1]
    return any(file.startswith(folder) for file in declared.get(_key(dependency), ()))


def _lock(path: str) -> tuple[str, Callable[[str, Warn], Lock]] | None:
    return next(((ecosystem, read) for names, ecosystem, read in _LOCKS if names.search(path)), None)


def _compared_manifests(
    path: str, before: str | None, after: str | None, problems: list[Problem]
) -> tuple[tuple[Dependency, ...], int]:
    old, new = _requirements(path, before, []), _requirements(path, after, problems)
    direct = differences((r for r in old if not r.indirect), (r for r in new if not r.indirect), path)
    indirect = differences((r for r in old if r.indirect), (r for r in new if r.indirect), path)
    reported = {_key(dependency) for dependency in direct}
    return direct, sum(_key(dependency) not in reported for dependency in indirect)


def _requirements(path: str, text: str | None, problems: list[Problem]) -> list[Requirement]:
    if text is None:
        return []
    text = _cleaned(text, LARGEST_MANIFEST)
    read = next((read for names, read in _MANIFESTS if names.search(path)), None)
    if read is None:
        return list(manifest.requirements(path, text))
    found = list(read(text, _warning(path, problems)))
    _refuse_nameless(requirement.name for requirement in found)
    return found


def _warning(path: str, problems: list[Problem]) -> Warn:
    return lambda line, message: problems.append(_problem(path, Malformed(message, line=line), "warning"))


def _refuse_nameless(names: Iterable[str]) -> None:
    if not all(name.strip() for name in names):
        raise Malformed("a package without a name")


def _compared_locks(
    path: str, before: str | None, after: str | None, problems: list[Problem]
) -> tuple[tuple[Dependency, ...], int]:
    old, new = _pinned(path, before, problems), _pinned(path, after, problems)
    ecosystem = next(ecosystem for names, ecosystem, _ in _LOCKS if names.search(path))
    touched = {name for name, _ in old.pinned ^ new.pinned}
    if before is None or after is None:
        # A lock that comes or goes as a whole adds and removes nothing; the manifest says what the project asks for.
        return (), len(touched - new.direct.keys() - old.direct.keys())
    names = [name for name in dict.fromkeys((*new.direct, *old.direct)) if old.direct.get(name) != new.direct.get(name)]
    direct = differences(
        (Requirement(ecosystem, name, version) for name in names for version in old.direct.get(name, ())),
        (Requirement(ecosystem, name, version) for name in names for version in new.direct.get(name, ())),
        path,
    )
    return direct, len(touched - {dependency.name for dependency in direct})


def _pinned(path: str, text: str | None, problems: list[Problem]) -> Lock:
    found = _lock(path)
    if text is None or found is None:
        return Lock({}, frozenset())
    lock = found[1](_cleaned(text, LARGEST_LOCK), _warning(path, problems))
    _refuse_nameless((*lock.direct, *(name for name, _ in lock.pinned)))
    return lock


def _cleaned(text: str, most: int) -> str:
    """*text* without byte order mark and carriage returns; Malformed where it cannot be a manifest at all."""
    if len(text) > most:
        raise Malformed(f"{len(text):,} characters are more than the {most:,} that are read")
    if "\0" in text:
        raise Malformed("a binary file", line=1)
    if conflict := _CONFLICT.search(text):
        raise Malformed("the conflict of a merge", line=text.count("\n", 0, conflict.start()) + 1)
    # Half of a surrogate pair is no character; YAML and XML are read as bytes, which cannot hold it.
    text = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _problem(path: str, error: Malformed, severity: str = "error") -> Problem:
    fix = "mend the file; until then its dependency changes are not compared" if severity == "error" else ""
    return Problem(code="manifest", message=error.message, severity=severity, file=path, line=error.line, fix=fix)
