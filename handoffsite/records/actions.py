"""The actions that a workflow of GitHub, or of one of its kin, uses, and the versions of languages that it sets up."""

import re
from collections.abc import Iterable, Iterator

from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement

_USES = lazy(
    r"""\s*(?:-\s+)?(?:\{\s*)?["']?uses["']?:\s*["']?([\w.-]+/[\w./-]+|docker://[^\s"'@:]+(?::\d+/[^\s"'@:]+)?)[@:]([^\s"'#,}]+)["']?"""
    r"""\s*(?:[,}].*|#\s*(.*))?\Z""",
    re.ASCII,
)
_RUNTIME = lazy(
    r"""\s*(go|node|python|java|ruby|dotnet|php|bun|deno|pnpm)-version:\s*["']?(\d[\w.*-]*)["']?\s*(?:#.*)?\Z""", re.ASCII
)
_COMMIT = lazy(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_TAG = lazy(r"(?:tag=)?(v?\d[\w.+-]*)", re.ASCII)


def workflow(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a workflow or an action.yml uses; a commit that a comment gives the tag of has both: `SHA # v4.1.0`."""
    for line in lines:
        if used := _USES.match(line):
            name, version, comment = used.groups()
            tag = _TAG.match(comment or "")
            pinned = f"{version} # {tag[1]}" if tag and _COMMIT.match(version) else version
            yield Requirement("github-actions", name, pinned, "uses")
        elif runtime := _RUNTIME.match(line):
            yield Requirement("github-actions", runtime[1], runtime[2], "with")
