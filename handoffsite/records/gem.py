"""What a Gemfile or a gemspec asks for, whole or in part."""

import re
from collections.abc import Iterable, Iterator

from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import RUNTIME, Requirement

_LONGEST = 4_000  # characters of one statement
# The last branches eat a string that nothing closes, so that it is not tried again from each quote inside it.
_CODE = lazy(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|"[^\n]*|'[^\n]*)|#.*""")
_ASKED = lazy(
    r"""\s*(?:gem[\s(]\s*|\w+\.add_(?:runtime_|development_)?dependency[\s(]\s*)(?:["']|%[qQ]?[<({\[])([A-Za-z0-9][\w.-]*)(?:["']|[>)}\]])(?:\.freeze)?""",
    re.ASCII,
)
_VERSION = lazy(r"""\s*,\s*(?:\[\s*)?["']([^"'\n]{0,200})["'](?:\.freeze)?\s*\]?(?!\s*=>|:)""")
_PLACE = lazy(r"""\b(?:git|github|gitlab|bitbucket|gist|path)["']?\s*(?::|=>)\s*["']([^"'\n]+)["']""")
_PIN = lazy(r"""\b(?:tag|ref|branch)["']?\s*(?::|=>)\s*["']([^"'\n]+)["']""")
_RUBY = lazy(r"""\s*(?:ruby[\s(]\s*|\w+\.required_ruby_version\s*=\s*)["']([^"'\n]+)["']""", re.ASCII)


def gemfile(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a Gemfile or a gemspec asks for, and the Ruby that it wants."""
    for statement in _statements(lines):
        if ruby := _RUBY.match(statement):
            yield Requirement("gem", "ruby", ruby[1], RUNTIME)
        elif found := _ASKED.match(statement):
            yield Requirement("gem", found[1], _version(statement, found.end()))


def _version(statement: str, at: int) -> str:
    versions = []
    while listed := _VERSION.match(statement, at):
        versions.append(listed[1].strip())
        at = listed.end()
    place, pin = _PLACE.search(statement, at), _PIN.search(statement, at)
    if place:
        return f"{place[1]}#{pin[1]}" if pin else place[1]
    return ", ".join(version for version in versions if version)


def _statements(lines: Iterable[str]) -> Iterator[str]:
    """The statements without comments, each on one line; only one that ends in a comma or an open bracket goes on."""
    held, in_comment = "", False
    for line in lines:
        if line.startswith(("=begin", "=end")):
            in_comment = line.startswith("=begin")
            continue
        if in_comment:
            continue
        bare = _CODE.sub(lambda found: found[1] or "", line).strip() if "#" in line else line.strip()
        if not bare:
            continue
        held = f"{held} {bare}" if held else bare
        if not held.endswith((",", "(", "[")) or len(held) > _LONGEST:
            yield held[:_LONGEST]
            held = ""
    if held:
        yield held
