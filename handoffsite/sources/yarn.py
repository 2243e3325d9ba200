"""What a yarn.lock pins, of Yarn 1 or later."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.errors import Malformed
from handoffsite.records.pattern import lazy
from handoffsite.sources.lock import Lock, Warn

_DESCRIPTOR = lazy(r'"([^"]*)"|([^\s,"]+)')
_LINE = lazy(r'( +)(?:"([^"]+)"|([^\s":]+))(?::? +(?:"([^"]*)"|(\S.*))|(:))\s*\Z')
_ASKING = ("dependencies", "optionalDependencies")


@dataclass(slots=True)
class _Package:
    """One entry: what asks for it, the version that it got, and what it asks for."""

    line: int
    descriptors: list[str]
    version: str = ""
    resolution: str = ""
    asks: list[tuple[str, str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the package, as it is asked for."""
        return _name(self.descriptors[0])


def yarn_lock(text: str, _warn: Warn) -> Lock:
    """What a yarn.lock pins.

    Yarn 2 and later list the workspace's own packages, and what these ask for is direct. Yarn 1 does not: there direct is what is
    asked for by a range that no other package writes.
    """
    packages = list(_packages(text))
    own = [package for package in packages if "@workspace:" in package.resolution]
    others = [package for package in packages if "@workspace:" not in package.resolution]
    pinned = frozenset((package.name, package.version) for package in others)
    direct: dict[str, tuple[str, ...]] = {}
    if own or "\n__metadata:" in text:
        by_descriptor = {descriptor: package for package in others for descriptor in package.descriptors}
        for name, asked in (pair for package in own for pair in package.asks):
            found = by_descriptor.get(f"{name}@{asked}") or by_descriptor.get(f"{name}@npm:{asked}")
            if found:
                _note(direct, name, found.version)
        return Lock(direct, pinned)
    required = {f"{name}@{asked}" for package in others for name, asked in package.asks}
    for package in others:
        if any(descriptor not in required for descriptor in package.descriptors):
            _note(direct, package.name, package.version)
    return Lock(direct, pinned)


def _note(direct: dict[str, tuple[str, ...]], name: str, version: str) -> None:
    known = direct.get(name, ())
    direct[name] = known if version in known else (*known, version)


def _name(descriptor: str) -> str:
    at = descriptor.find("@", 1)
    return descriptor[:at] if at > 0 else descriptor


def _packages(text: str) -> Iterator[_Package]:
    package: _Package | None = None
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line[0] == "#" or line == ":":
            continue
        if line[0] not in " \t":
            if package:
                yield _checked(package)
            package = _opened(line, number)
            section = ""
        elif package and (found := _LINE.match(line)):
            key, value = found[2] or found[3], found[4] if found[4] is not None else (found[5] or "").strip()
            if len(found[1]) > 2:
                if section in _ASKING:
                    package.asks.append((key, value))
                continue
            section = key if found[6] else ""
            package.version = value if key == "version" else package.version
            package.resolution = value if key == "resolution" else package.resolution
    if package:
        yield _checked(package)


def _opened(line: str, number: int) -> _Package | None:
    """The package whose entry *line* begins; None where it begins the lock's own data."""
    if line.rstrip() == "__metadata:":
        return None
    head = line.removeprefix("? ").rstrip()
    if not head.endswith(":") and not line.startswith("? "):
        raise Malformed(f"not the head of an entry: {line[:60]!r}", line=number)
    # Later Yarns write all that asks for one package as one string.
    found = [part.strip() for one in _DESCRIPTOR.findall(head.removesuffix(":")) for part in (one[0] or one[1]).split(", ")]
    descriptors = [descriptor for descriptor in found if descriptor]
    if not descriptors:
        raise Malformed("an entry without a name", line=number)
    return _Package(number, descriptors)


def _checked(package: _Package) -> _Package:
    if not package.version:
        raise Malformed(f"{package.name[:60]!r} has no version", line=package.line)
    return package
