"""What Elixir's manifest and lock declare."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.hex import mix as read
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement
from handoffsite.sources.lock import Lock, Warn, rooted

_END = lazy(r"(?:^|[^\w.:@])end\s*\Z")
_ENTRY = lazy(r'\s*(?:%\{\s*)?"([^"]+)":\s*\{:(hex|git|path),\s*(?::"?[\w-]+"?|"([^"]*)")(?:,\s*"([^"]*)")?(.*)\Z')
_NEED = lazy(r'\{:"?(\w+)"?,\s*"[^"]*",\s*\[([^\[\]]*)\]\}')


def mix(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a mix.exs asks for; Malformed where its module does not come to an end."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    if lines and not _END.search(lines[-1].partition(" #")[0]):
        raise Malformed("the file ends before its module does", line=len(lines))
    yield from read(text.split("\n"))


def mix_lock(text: str, _warn: Warn) -> Lock:
    """What a mix.lock pins; it does not say what is direct, and what others may do without is not required by them."""
    pairs: list[tuple[str, str]] = []
    required: set[str] = set()
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare in ("", "%{", "}", "%{}") or bare[0] == "#":
            continue
        found = _ENTRY.match(bare)
        if found is None or not bare.rstrip("},").endswith(('"', "]")):
            raise Malformed(f"not a line of a mix.lock: {bare[:60]!r}", line=number)
        pairs.append((found[1], found[4] or ""))
        required.update(name for name, options in _NEED.findall(found[5]) if "optional: true" not in options)
    return rooted(pairs, frozenset(required))
