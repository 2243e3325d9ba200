"""What a pnpm-lock.yaml pins."""

from handoffsite.errors import Malformed
from handoffsite.sources.indented import Entry, entries
from handoffsite.sources.lock import Lock, Warn

_SECTIONS = ("dependencies", "devDependencies", "optionalDependencies")
_ELSEWHERE = ("link:", "workspace:", "file:")


def pnpm_lock(text: str, _warn: Warn) -> Lock:
    """What a pnpm-lock.yaml of any version (5 to 9) pins; what its importers ask for is direct."""
    pinned: set[tuple[str, str]] = set()
    aliases: set[tuple[str, str]] = set()
    direct: dict[str, tuple[str, ...]] = {}
    versioned = ""
    for entry in entries(text):
        keys = entry.keys
        if keys == ("lockfileVersion",):
            versioned = entry.value
        elif len(keys) == 2 and keys[0] == "packages":
            pinned.add(_package(keys[1]))
        elif found := _asked(entry):
            name, version, real = found
            known = direct.get(name, ())
            direct[name] = known if version in known else (*known, version)
            if real:
                aliases.add((real, version))
                pinned.add((name, version))
    if not versioned:
        raise Malformed("a pnpm-lock.yaml without a lockfileVersion", line=1)
    return Lock(direct, frozenset(pair for pair in pinned - aliases if pair[0]))


def _asked(entry: Entry) -> tuple[str, str, str] | None:
    """Name and version, where *entry* is what a project of the workspace asks for, and the package's own name where that is another."""
    keys = entry.keys[2:] if entry.keys[0] == "importers" else entry.keys
    if len(keys) < 2 or keys[0] not in _SECTIONS or not entry.value or entry.value.startswith(_ELSEWHERE):
        return None
    if len(keys) > 3 or (len(keys) == 3 and keys[2] != "version"):
        return None
    version = entry.value.partition("(")[0]
    if version[:1].isdigit():
        return keys[1], version.partition("_")[0], ""
    real, resolved = _package(version) if version.startswith("/") or version.find("@", 1) > 0 else ("", "")
    return (keys[1], resolved, real) if resolved and "://" not in version else (keys[1], version, "")


def _package(key: str) -> tuple[str, str]:
    """Name and version of `/name/1.0.0_peer` (version 5), `/name@1.0.0(peer)` (6) or `name@1.0.0` (9)."""
    bare = key.partition("(")[0]
    path = bare.removeprefix("/")
    scope = path.find("/") + 1 if path.startswith("@") else 0
    at, slash = path.find("@", scope + (scope == 0)), path.find("/", scope)
    if slash > 0 and bare.startswith("/") and (at < 0 or slash < at):
        return path[:slash], path[slash + 1 :].partition("_")[0]
    return (path[:at], path[at + 1 :]) if at > 0 else (path, "")
