"""What somebody may do: scopes by kind, their intersection, and which of them took something away."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

# Read and write are paths of the repository, network hosts, secrets and tools names; the others operations by their names.
KINDS = ("read", "write", "network", "secrets", "tools", "destructive", "branch", "deployment", "messaging")
_PATHS = frozenset(("read", "write"))

# What a factor allows, by kind; a kind that it does not name it leaves to the others.
Scope = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Removed:
    """What was asked for and is not granted: an *entry* of a *kind*, by the *factor* that does not allow it."""

    kind: str
    entry: str
    factor: str


@dataclass(frozen=True, slots=True)
class Effective:
    """What all factors allow together, and what was *removed* on the way."""

    granted: Mapping[str, tuple[str, ...]]
    removed: tuple[Removed, ...]


def intersection(asked: Scope, factors: Mapping[str, Scope], kinds: Sequence[str] = KINDS) -> Effective:
    """What of *asked* every one of *factors* allows, the one that takes an entry away first being named. What is not asked for is denied."""
    granted: dict[str, tuple[str, ...]] = {}
    removed: list[Removed] = []
    for kind in kinds:
        kept = []
        for entry in asked.get(kind, ()):
            factor = next((name for name, scope in factors.items() if kind in scope and not _is_in(kind, entry, scope[kind])), "")
            if factor:
                removed.append(Removed(kind, entry, factor))
            else:
                kept.append(entry)
        granted[kind] = tuple(dict.fromkeys(kept))
    return Effective(granted, tuple(removed))


def covers(kind: str, allowed: Iterable[str], entry: str) -> bool:
    """Whether one of *allowed* covers *entry* of *kind*."""
    return _is_in(kind, entry, allowed)


def _is_in(kind: str, entry: str, allowed: Iterable[str]) -> bool:
    return any(_covers_path(one, entry) if kind in _PATHS else one == "*" or fnmatchcase(entry, one) for one in allowed)


def _covers_path(pattern: str, path: str) -> bool:
    """Whether *pattern*, a path, a folder or a glob with `**`, covers *path*; neither may lead upwards."""
    wanted, parts = _parts(pattern), _parts(path)
    if wanted is None or parts is None:
        return False
    if pattern.endswith("/") and wanted:
        wanted = [*wanted, "**"]
    return _match(wanted, parts) or (
        bool(wanted) and not any("*" in part or "?" in part for part in wanted) and parts[: len(wanted)] == wanted
    )


def _parts(path: str) -> list[str] | None:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]
    return None if ".." in parts or path.startswith("/") else parts


def _match(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """As globs do: `**` stands for any number of folders, `*` for what is between two slashes."""
    reached = {0}
    for part in wanted:
        if part == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {place + 1 for place in reached if place < len(parts) and fnmatchcase(parts[place], part)}
        if not reached:
            return False
    return len(parts) in reached
