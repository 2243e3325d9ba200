"""Manifests that were edited where the log does not show how: what they held before, and what the agent says of it afterwards.

A text that is shown again tells the change by itself; until then the agent's own words do, where they fit what the file held.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from handoffsite.extract.texts import same, slashed
from handoffsite.records import manifest
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement

REMEMBERED = 50  # manifests
EXAMINED = 20_000  # characters of what the agent says at once
ADDRESSES = 6  # of the edits of one manifest

_V = r"[`'\"]{0,2}([v^~=<>! ]{0,4}\d(?:[\w+*-]|\.(?=[\w*])){0,60})[`'\"]{0,2}"
_MOVED = lazy(rf"{_V}\s*(?:→|->|=>|\bto\b)\s*{_V}")
_NAME = r"[`*\"']{1,3}(@?[\w./-]{1,120})(?:@([\d^~][\w.-]{0,60}))?[`*\"']{1,3}"
_CAME = lazy(rf"\badd(?:ed|s)?\b[^.;\n`*\"']{{0,40}}{_NAME}(?:\s*[(:@]?\s*{_V})?", re.IGNORECASE)
_WENT = lazy(rf"\b(?:remov|dropp|delet)e?[ds]?\b[^.;\n`*\"']{{0,40}}{_NAME}", re.IGNORECASE)
_AS_DEPENDENCY = lazy(r"\b(?:dev[- ]?)?dependenc(?:y|ies)\b|\bpackage\b(?!\.)", re.IGNORECASE)
_INTENT = lazy(r"\b(?:will|going to|should|let me|need to|let's|could|would|want to|i'll|plan to)\b", re.IGNORECASE)


@dataclass(slots=True)
class Edited:
    """A manifest that is known as *names* and held *before*; *evidence* are the addresses of its edits."""

    names: tuple[str, ...]
    before: str
    evidence: tuple[str, ...]
    told: list[tuple[str, str | None, str | None]] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The fullest name."""
        return max(self.names, key=len)


@dataclass(frozen=True, slots=True)
class Told:
    """What the agent said became of one package of *edited*; None where it was not there before, or is not after."""

    edited: Edited
    requirement: Requirement
    before: str | None
    after: str | None


class Unseen:
    """The manifests of one session whose edits are not shown."""

    def __init__(self) -> None:
        self._edited: list[Edited] = []

    def add(self, path: str, known: str, before: str, evidence: tuple[str, ...]) -> None:
        """*path* was edited; what it held is known, under the name *known*, to be *before*."""
        path = slashed(path)
        for edited in self._edited:
            if path in edited.names:
                edited.evidence = tuple(dict.fromkeys((*edited.evidence, *evidence)))[-ADDRESSES:]
                return
        if before:
            self._edited = [*self._edited[1 - REMEMBERED :], Edited(tuple(dict.fromkeys((known, path))), before, evidence)]

    def find(self, path: str) -> Edited | None:
        """The edited manifest that *path* names."""
        found = next((edited for edited in self._edited if path in edited.names), None)
        if found is None and "/" in path:
            found = next((edited for edited in self._edited if same(edited.path, path)), None)
        return found

    def forget(self, edited: Edited) -> None:
        """What came of it is known now."""
        self._edited.remove(edited)

    def clear(self) -> None:
        """What was done is taken back, or nobody knows what the files hold now."""
        self._edited.clear()

    def told(self, text: str) -> Iterator[Told]:
        """What *text*, the agent's words, says of them: line by line, and only what fits what the manifest held."""
        if not self._edited:
            return
        for line in text[:EXAMINED].splitlines():
            about = [edited for edited in self._edited if _names(line, edited)]
            if len(about) == 1 and not _INTENT.search(line):
                yield from _said(line, about[0])


def overlapping(before: str, after: str) -> tuple[str, str, bool]:
    """*before* and *after* as far as both are shown, and whether that is all: some logs do not say that a file was read in part."""
    old, new = before.rstrip("\n").split("\n"), after.rstrip("\n").split("\n")
    if old[-1] == new[-1]:
        return "\n".join(old), "\n".join(new), True
    if new[-1] in old:
        old = old[: len(old) - old[::-1].index(new[-1])]
    elif old[-1] in new:
        new = new[: len(new) - new[::-1].index(old[-1])]
    return "\n".join(old), "\n".join(new), False


def _names(line: str, edited: Edited) -> bool:
    """Whether *line* speaks of the manifest: by its file's name, and by no folder that is another's."""
    name = edited.path.rpartition("/")[2]
    if name not in line:
        return False
    mentioned = re.findall(rf"[\w./\\-]*{re.escape(name)}(?![\w-]|\.\w)", line)
    return any(same(edited.path, path) for path in mentioned)


def _said(line: str, edited: Edited) -> Iterator[Told]:
    held = manifest.requirements(edited.path, edited.before)
    for found in _MOVED.finditer(line):
        old, new = found[1].strip(), found[2].strip()
        meant = [one for one in held if _bare(one.version) == _bare(old)]
        named = [one for one in meant if re.search(rf"(?<![\w-]){re.escape(one.name)}(?![\w-])", line, re.IGNORECASE)]
        keys = {one.key for one in named or meant}
        if len(keys) == 1 and _bare(old) != _bare(new):
            one = (named or meant)[0]
            yield from _once(Told(edited, one, one.version, new if new != _bare(new) else one.version.replace(_bare(old), new)))
    for found in _WENT.finditer(line):
        if gone := [one for one in held if one.name == found[1]]:
            yield from _once(Told(edited, gone[0], gone[0].version, None))
    for found in _CAME.finditer(line):
        version = found[2] or (found[3] or "").strip()
        kind = manifest.kind(edited.path)
        if kind and (version or _AS_DEPENDENCY.search(line)) and all(one.name != found[1] for one in held):
            known = replace(held[0], name=found[1], version=version) if held else Requirement(kind.ecosystem, found[1], version)
            yield from _once(Told(edited, known, None, version))


def _once(told: Told) -> Iterator[Told]:
    """*told*, unless it was said before."""
    said = (told.requirement.name, told.before, told.after)
    if said not in told.edited.told:
        told.edited.told.append(said)
        yield told


def _bare(version: str) -> str:
    return version.strip().lstrip("v^~=<>! ")
