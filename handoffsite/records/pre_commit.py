"""The hooks that a .pre-commit-config.yaml asks for, whole or in part."""

import re
from collections.abc import Iterable, Iterator

from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement

_LINE = lazy(r"""\s*(-\s+)?(repo|rev):\s*["']?([^\s"'#,}]+)["']?\s*(?:#\s*(.*))?\Z""", re.ASCII)
_COMMIT = lazy(r"[0-9a-f]{40}\Z")
_FROZEN = lazy(r"(?:frozen:\s*)?(v?\d[\w.+-]*)", re.ASCII)
_HOST = lazy(r"(?:(?:https?|ssh|git)://(?:[\w.-]+@)?|[\w.-]+@)(?:github\.com[/:])?")
_OWN = ("local", "meta")


def hooks(lines: Iterable[str]) -> Iterator[Requirement]:
    """The repositories of hooks, by what follows the host where that is GitHub, with their revisions; `local` and `meta` are none."""
    repository = revision = ""
    for line in lines:
        found = _LINE.match(line)
        if found is None:
            continue
        begins, key, value, comment = found.groups()
        if begins or (key == "repo" and repository):
            yield from _asked(repository, revision)
            repository = revision = ""
        if key == "repo":
            repository = value
        else:
            frozen = _FROZEN.match(comment or "") if _COMMIT.match(value) else None
            revision = f"{value} # {frozen[1]}" if frozen else value
    yield from _asked(repository, revision)


def _asked(repository: str, revision: str) -> Iterator[Requirement]:
    if repository and repository not in _OWN and revision:
        name = _HOST.sub("", repository, count=1).removesuffix("/").removesuffix(".git")
        yield Requirement("pre-commit", name, revision)
