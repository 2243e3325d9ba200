"""What Bundler's manifest and lock declare."""

import re
from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.gem import gemfile as read
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement
from handoffsite.sources.lock import Lock, Warn

_COMPUTED = lazy(r"^[ \t]*gem(?:[ \t]+|[ \t]*\([ \t]*)[A-Za-z_@$]\w*[ \t]*(?:,|\)|$)", re.ASCII | re.MULTILINE)
_OPEN = lazy(r"""^[ \t]*gem[ \t(][ \t]*(?:"[^"\n]*|'[^'\n]*)$""", re.MULTILINE)
_HEADING = lazy(r"[A-Z][A-Z ]*\Z")
_SPEC = lazy(r"( +)([^\s()!]+)(?: \(([^()]*)\))?(!?)\Z")
_PLATFORM = lazy(r"-(?:x86|x64|arm|aarch|java|universal|mingw|mswin|ruby|jruby|dalvik|sparc|powerpc|ppc|s390|riscv).*\Z")
_REVISION = "  revision: "


def gemfile(text: str, warn: Warn) -> Iterator[Requirement]:
    """What a Gemfile or gemspec asks for; a gem whose name is computed is a warning."""
    if broken := _OPEN.search(text):
        raise Malformed("a string that nothing closes", line=text.count("\n", 0, broken.start()) + 1)
    for computed in _COMPUTED.finditer(text):
        warn(text.count("\n", 0, computed.start()) + 1, "a gem whose name is computed is not read")
    yield from read(text.split("\n"))


def gemfile_lock(text: str, _warn: Warn) -> Lock:
    """What a Gemfile.lock pins; what DEPENDENCIES lists is direct, and so is what the project's own gems ask for."""
    versions: dict[str, list[str]] = {}
    asked: dict[str, None] = {}
    heading = revision = ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if line[0] != " ":
            heading, revision = line.rstrip(), ""
            if not _HEADING.match(heading):
                raise Malformed(f"not a line of a Gemfile.lock: {heading[:60]!r}", line=number)
        elif line.startswith(_REVISION):
            revision = f"#{line.removeprefix(_REVISION).strip()}"
        elif found := _SPEC.match(line.rstrip()):
            depth, name, version = len(found[1]), found[2], found[3] or ""
            if (heading, depth) in (("DEPENDENCIES", 2), ("PATH", 6)):
                asked[name] = None
            elif heading in ("GEM", "GIT", "PLUGIN SOURCE") and depth == 4:
                known = versions.setdefault(name, [])
                version = f"{_PLATFORM.sub('', version)}{revision}"
                if version not in known:
                    known.append(version)
    direct = {name: tuple(versions[name]) for name in asked if name in versions}
    return Lock(direct, frozenset((name, version) for name, found in versions.items() for version in found))
