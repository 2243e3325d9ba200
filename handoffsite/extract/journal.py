"""What a session did to its dependencies, step by step, so that steps can be taken back."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from handoffsite.records.dependency import Dependency
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import RUNTIME, Requirement
from handoffsite.records.version import change

EVIDENCE = 12  # addresses of one change
FILES = 100  # manifests of one package, of those that an install is matched with
_SCRATCH = lazy(r"(?:/private)?/(?:tmp|var/folders)/")


@dataclass(slots=True)
class Effect:
    """One step of one package; *before* and *after* are None where it is not there, empty where no version is known.

    *rank* says how much it counts: a manifest's edit over an install, an install over what a scaffold leaves behind. *folder* is where an install ran that writes no file.
    """

    requirement: Requirement
    before: str | None
    after: str | None
    file: str
    evidence: tuple[str, ...]
    rank: int
    folder: str = ""
    turn: int = 0
    commit: str = ""
    live: bool = True


SCAFFOLDED, INSTALLED, EDITED = range(3)


class Journal:
    """The effects of a session, in order."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self.turn = 0
        self._of: dict[tuple[str, str], list[Effect]] = {}
        self._starts: dict[str, int] = {}
        self._commits: list[str] = []

    def begin(self, message: str) -> None:
        """A new turn begins with the prompt *message*."""
        self.turn += 1
        if message:
            self._starts.setdefault(message, self.turn)

    def add(self, effect: Effect) -> None:
        """Note *effect* as one of this turn."""
        effect.turn = self.turn
        self.effects.append(effect)
        self._of.setdefault(effect.requirement.key, []).append(effect)

    def withdraw(self, evidence: Iterable[str]) -> None:
        """Take back what only words told of the steps at *evidence*."""
        addresses = set(evidence)
        self._drop(effect for effect in self.effects if not addresses.isdisjoint(effect.evidence))

    def commit(self, sha: str) -> None:
        """What was not committed yet is so in *sha*."""
        self._commits.append(sha)
        for effect in reversed(self.effects):
            if effect.commit:
                break
            effect.commit = sha

    def undo_turns(self, turns: int) -> None:
        """Take back what the last *turns* turns did."""
        self._drop(effect for effect in self.effects if effect.turn > self.turn - turns)
        self.turn = max(self.turn - turns, 0)

    def undo_from(self, message: str) -> None:
        """Take back what was done since the prompt *message*."""
        if message in self._starts:
            self.undo_turns(self.turn - self._starts[message] + 1)

    def undo_commit(self, revision: str) -> None:
        """Take back what *revision* holds: a SHA, whole or abbreviated, or HEAD; a commit that is not known holds nothing."""
        sha = self._named(revision)
        self._drop(effect for effect in self.effects if sha and effect.commit == sha)
        if sha in self._commits:
            self._commits.remove(sha)

    def restore(self, is_meant: re.Pattern[str] | None = None) -> None:
        """Take back what is not committed, of the files that *is_meant* matches, or of all."""
        self._drop(e for e in self.effects if not e.commit and (is_meant is None or is_meant.search(e.file)))

    def version(self, key: tuple[str, str]) -> str | None:
        """The version of a package as the session's own steps left it; None where they left none."""
        return next((effect.after for effect in reversed(self._of.get(key, ())) if effect.live), None)

    def commits_back(self, steps: int) -> list[str]:
        """The last *steps* commits, newest first."""
        return self._commits[: -steps - 1 : -1] if steps > 0 else []

    def _named(self, revision: str) -> str:
        if revision == "HEAD":
            return self._commits[-1] if self._commits else ""
        matching = (sha for sha in reversed(self._commits) if sha.startswith(revision) or revision.startswith(sha))
        return next(matching, "")

    @staticmethod
    def _drop(effects: Iterable[Effect]) -> None:
        for effect in list(effects):
            effect.live = False

    def net(self, directories: tuple[str, ...]) -> Iterator[Dependency]:
        """What is left in the end, each package once for each file; *directories* are those that the session worked in."""
        for effects in self._of.values():
            kept = [effect for effect in effects if effect.live and not _is_scratch(effect.file or effect.folder, directories)]
            for file, steps in _by_file(kept).items():
                if found := _folded(steps, shown(file, directories)):
                    yield found


def _by_file(effects: list[Effect]) -> dict[str, list[Effect]]:
    """The effects of one package by file; an install belongs to the manifest that was edited for it, if there is one.

    A manifest that was edited or read is known by its whole path, an install's only as seen from where it ran.
    """
    names = dict.fromkeys(effect.file for effect in effects)
    edited = dict.fromkeys(effect.file for effect in effects if effect.rank == EDITED)
    targets = {}
    candidates = list(edited or names)[:FILES]
    for name in names:
        longer = (other for other in candidates if other not in (name, "") and (not name or other.endswith(f"/{name}")))
        targets[name] = name if name in edited else next(longer, next(iter(edited), name))
    files: dict[str, list[Effect]] = {}
    for effect in effects:
        files.setdefault(targets[effect.file], []).append(effect)
    return files


def _folded(steps: list[Effect], file: str) -> Dependency | None:
    """The net effect of *steps*; None where it is none."""
    before, after = steps[0].before, steps[-1].after
    requirement = steps[-1].requirement
    if before == after or (before is None and after is None):
        return None
    ecosystem = requirement.ecosystem
    if before is None or after is None:
        if any(step.requirement.slot == RUNTIME for step in steps):
            return None
        kind = "added" if before is None else "removed"
    else:
        kind = change(ecosystem, before, after)
    if not kind:
        return None
    evidence = tuple(dict.fromkeys(address for step in steps for address in step.evidence))
    return Dependency(
        ecosystem=ecosystem,
        name=requirement.name,
        change=kind,
        before=before or None,
        after=after or None,
        file=file,
        evidence=evidence[:EVIDENCE],
    )


def _is_scratch(file: str, directories: tuple[str, ...]) -> bool:
    """Whether *file* belongs to a trial project somewhere else, not to the one that the session is about."""
    return (
        bool(directories)
        and bool(_SCRATCH.match(f"{file}/"))
        and not any(_SCRATCH.match(f"{directory}/") for directory in directories)
    )


def shown(file: str, directories: tuple[str, ...]) -> str:
    """*file* as seen from the project: a record holds no absolute path."""
    file = file.replace("\\", "/").removeprefix("./")
    if not re.match(r"/|~|[A-Za-z]:/", file):
        return file
    parts = file.split("/")
    for directory in directories:
        others = directory.replace("\\", "/").rstrip("/").split("/")
        same = next((n for n, (a, b) in enumerate(zip(parts, others, strict=False)) if a != b), min(len(parts), len(others)))
        # A root and a home folder are no project.
        if same > 3 or same == len(others):
            return "/".join(parts[same:])
    return "/".join(parts[-3:] if parts[-3:-1] == [".github", "workflows"] else parts[-1:])
