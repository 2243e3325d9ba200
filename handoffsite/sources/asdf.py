"""What asdf's configuration declares."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.manifest import tool_versions as read
from handoffsite.records.requirement import Requirement
from handoffsite.sources.lock import Warn


def tool_versions(text: str, _warn: Warn) -> Iterator[Requirement]:
    """The tools that a .tool-versions pins; Malformed where a line pins none."""
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.partition("#")[0].strip()
        found = list(read((line,)))
        if bare and not found:
            raise Malformed(f"not a tool with a version: {bare[:60]!r}", line=number)
        yield from found
