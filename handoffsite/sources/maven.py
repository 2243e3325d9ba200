"""What Maven's manifest declares."""

from collections.abc import Iterator

from handoffsite.records.maven import pom as read
from handoffsite.records.requirement import Requirement
from handoffsite.sources.lock import Warn
from handoffsite.sources.xml_text import check


def pom(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a pom.xml asks for: dependencies, managed ones, plugins, extensions, the parent; its own properties filled in."""
    check(text, ("project",))
    yield from read(text.split("\n"))
