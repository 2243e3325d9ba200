"""What .NET's project files and its lock declare."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.nuget import msbuild
from handoffsite.records.requirement import Requirement
from handoffsite.sources.json_text import document, member
from handoffsite.sources.lock import Lock, Warn
from handoffsite.sources.xml_text import check


def project(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a .csproj, .fsproj, .vbproj, Directory.Packages.props, Directory.Build.props or packages.config asks for."""
    check(text, ("Project", "packages"))
    yield from msbuild(text.split("\n"))


def packages_lock(text: str, _warn: Warn) -> Lock:
    """What a packages.lock.json pins, for whatever framework; it says itself what is direct."""
    pinned: set[tuple[str, str]] = set()
    direct: dict[str, tuple[str, ...]] = {}
    for framework, packages in member(document(text), "dependencies").items():
        if not isinstance(packages, dict):
            raise Malformed(f"{framework[:60]!r} must be an object")
        for name, detail in packages.items():
            if not isinstance(detail, dict) or detail.get("type") == "Project":
                continue
            version = str(detail.get("resolved") or "")
            pinned.add((name, version))
            if detail.get("type") == "Direct":
                known = direct.get(name, ())
                direct[name] = known if version in known else (*known, version)
    return Lock(direct, frozenset(pinned))
