"""What a patch does to each file: the text of an `apply_patch` call, or a unified diff."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.records.pattern import lazy

_BANNER = lazy(r"\*\*\* (Add|Delete|Update) File: (.+)")
_GIT = lazy(r"diff --git ")
_OLD = lazy(r"--- (?:a/)?([^\t]+)")
_NEW = lazy(r"\+\+\+ (?:b/)?([^\t]+)")


@dataclass(slots=True)
class FilePatch:
    """What happens to one file; *kind* is add, delete or update, *hunks* the texts before and after of each part that changes."""

    path: str
    kind: str
    hunks: list[tuple[list[str], list[str]]] = field(default_factory=list)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The hunks as texts."""
        return [("\n".join(old), "\n".join(new)) for old, new in self.hunks if old != new]


def file_patches(text: str) -> Iterator[FilePatch]:
    """The files that *text* patches, in its order; what is no patch yields none."""
    current: FilePatch | None = None
    old_name = ""
    for line in text.split("\n"):
        if line.startswith("*** "):
            banner = _BANNER.match(line)
            if (banner or line.startswith("*** End Patch")) and current:
                yield current
                current = None
            if banner:
                current = FilePatch(banner[2].strip(), banner[1].lower(), [([], [])])
        elif _GIT.match(line):
            if current:
                yield current
            current = None
        elif (
            line.startswith("--- ")
            and (found := _OLD.match(line))
            and not (current and current.kind == "delete" and not old_name)
        ):
            if current:
                yield current
            current, old_name = None, found[1].strip()
        elif line.startswith("+++ ") and old_name and (found := _NEW.match(line)):
            current = _unified(old_name, found[1].strip())
            old_name = ""
        elif current:
            _hunk(current, line)
    if current:
        yield current


def _unified(old: str, new: str) -> FilePatch:
    if new == "/dev/null":
        return FilePatch(old, "delete", [([], [])])
    return FilePatch(new, "add" if old == "/dev/null" else "update", [([], [])])


def _hunk(current: FilePatch, line: str) -> None:
    old, new = current.hunks[-1]
    if line.startswith("@@"):
        current.hunks.append(([], []))
    elif line.startswith("-"):
        old.append(line[1:])
    elif line.startswith("+"):
        new.append(line[1:])
    elif line.startswith(" ") or not line:
        old.append(line[1:])
        new.append(line[1:])
