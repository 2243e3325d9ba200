"""What a bun.lock pins."""

from handoffsite.errors import Malformed
from handoffsite.sources.json_text import loose_document, member
from handoffsite.sources.lock import Lock, Warn

_SECTIONS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_OWN = ("workspace:", "link:", "root:")


def bun_lock(text: str, _warn: Warn) -> Lock:
    """What a bun.lock pins; what its workspaces ask for is direct."""
    document = loose_document(text)
    packages = member(document, "packages")
    if "lockfileVersion" not in document:
        raise Malformed("a bun.lock without a lockfileVersion", line=1)
    pinned = frozenset((_name(place), version) for place, entry in packages.items() if (version := _version(entry)))
    direct: dict[str, tuple[str, ...]] = {}
    for workspace in member(document, "workspaces").values():
        if not isinstance(workspace, dict):
            raise Malformed("a workspace must be an object")
        for name in dict.fromkeys(name for key in _SECTIONS for name in member(workspace, key)):
            # A workspace has a version of its own, or the one that all share.
            version = _version(packages.get(f"{workspace.get('name')}/{name}")) or _version(packages.get(name))
            known = direct.get(name, ())
            if version and version not in known:
                direct[name] = (*known, version)
    return Lock(direct, pinned)


def _name(place: str) -> str:
    """The name by which a package is asked for, of `name`, `@scope/name` or `owner/name`."""
    owner, _, name = place.rpartition("/")
    scope = owner.rpartition("/")[2]
    return f"{scope}/{name}" if scope.startswith("@") else name


def _version(entry: object) -> str:
    """The version of a package's entry, `["name@1.0.0", …]`; empty where it is the project's own."""
    text = entry[0] if isinstance(entry, list) and entry and isinstance(entry[0], str) else ""
    version = text[text.find("@", 1) + 1 :] if "@" in text[1:] else ""
    return "" if version.startswith(_OWN) else version
