"""What Go's manifest declares."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.manifest import requirements
from handoffsite.records.requirement import Requirement
from handoffsite.sources.lock import Warn

_WORDS = ("module", "go", "toolchain", "require", "replace", "exclude", "retract", "tool", "ignore", "godebug", "use")


def go_mod(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a go.mod or go.work asks for: modules, replacements, the language's version and the toolchain."""
    _check(text)
    yield from requirements("go.mod", text)


def _check(text: str) -> None:
    opened = 0
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.partition("//")[0].strip()
        if opened:
            opened = 0 if bare == ")" else opened
        elif bare and bare.split()[0] not in _WORDS and bare.split("(")[0] not in _WORDS:
            raise Malformed(f"not a line of a go.mod: {bare[:60]!r}", line=number)
        elif bare.endswith("("):
            opened = number
    if opened:
        raise Malformed("a block that nothing closes", line=opened)
