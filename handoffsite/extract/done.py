"""Completed items in the making: each once, with all that stands behind it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from handoffsite.extract.deed import Deed, base_name
from handoffsite.extract.evidence import Proof, chosen
from handoffsite.extract.prose import HEADING, one_line, overlap, same

NAMED = 6  # files that one item names
SHOWN = 10  # addresses of deeds in one item

_VERBS = {"write": "Wrote", "edit": "Edited", "delete": "Removed"}


@dataclass(slots=True, kw_only=True, eq=False)
class Done:
    """An item in the making: *deeds* are what it stands on, *said* where it was claimed, *shown* what else proves it."""

    text: str
    words: frozenset[str]
    turn: int
    proven: bool = True
    deeds: list[Deed] = field(default_factory=list)
    said: list[Proof] = field(default_factory=list)
    shown: tuple[Proof, ...] = ()
    commits: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether anything that it stands on is left."""
        return not self.deeds or any(deed.live for deed in self.deeds)

    def evidence(self) -> Iterator[Proof]:
        """The lines that prove it, those that claim it, and the commits that hold it."""
        yield from self.shown
        yield from chosen((item for deed in self.deeds if deed.live for item in deed.proofs), SHOWN)
        yield from self.said[:2]
        quotes = {deed.commit: deed.proofs[0].quote for deed in self.deeds if deed.commit}
        for sha in self.commits:
            yield Proof(f"commit:{sha}", quotes.get(sha, ""))


class Items:
    """Items in the order of their turns; what says the same on the same grounds is one."""

    def __init__(self) -> None:
        self.all: list[Done] = []
        self._by_word: dict[str, list[Done]] = {}
        self._by_deed: dict[int, list[Done]] = {}

    def add(self, done: Done, beside: Iterable[Deed] = ()) -> None:
        """Take *done* in, or give its evidence to the item that says the same; *beside* are deeds that belong to it, too."""
        twin = self._twin(done, (*done.deeds, *beside))
        if twin is None:
            self.all.append(done)
            for word in done.words:
                self._by_word.setdefault(word, []).append(done)
            self._index(done, done.deeds)
            return
        fresh = [deed for deed in done.deeds if deed not in twin.deeds]
        twin.deeds += fresh
        twin.said += done.said
        twin.proven = twin.proven or done.proven
        twin.commits = tuple(dict.fromkeys((*twin.commits, *done.commits)))
        self._index(twin, fresh)

    def covers(self, deed: Deed) -> bool:
        """Whether an item stands on *deed*."""
        return id(deed) in self._by_deed

    def speak_of(self, done: Done) -> bool:
        """Whether items that speak of the same stand on all that *done* stands on."""
        grounds = [deed for deed in done.deeds if deed.kind != "other"]
        return bool(grounds) and all(
            any(overlap(done.words, other.words) >= 0.25 for other in self._by_deed.get(id(deed), ())) for deed in grounds
        )

    def _index(self, done: Done, deeds: Iterable[Deed]) -> None:
        for deed in deeds:
            self._by_deed.setdefault(id(deed), []).append(done)

    def _twin(self, done: Done, deeds: Iterable[Deed]) -> Done | None:
        # Two sets that share four fifths of their words share one of the rarest fifth of either.
        rare = sorted(done.words, key=lambda word: len(self._by_word.get(word, ())))[: len(done.words) // 5 + 1]
        for word in rare:
            for other in self._by_word.get(word, ()):
                if same(done.words, other.words):
                    return other
        for deed in deeds:
            for other in self._by_deed.get(id(deed), ()):
                if overlap(done.words, other.words) >= 0.5:
                    return other
        return None


def placed(text: str, deeds: Iterable[Deed]) -> str:
    """*text* with the files that it is about, where it names none itself."""
    paths = [path for deed in deeds if deed.live for path in deed.paths]
    if not paths or any(re.search(rf"(?<![\w-]){re.escape(base_name(path))}(?!\w)", text) for path in paths):
        return one_line(text)
    listed = _listed([base_name(path) for path in paths], 4)
    return f"{one_line(text, HEADING - len(listed) - 3)} ({listed})"


def told(purpose: str, deeds: list[Deed], roots: Sequence[str]) -> str:
    """One line on changes of which only the log tells; paths are shown as seen from one of *roots*."""
    listed = _listed([_short(path, roots) for deed in deeds for path in deed.paths], NAMED)
    if purpose:
        return one_line(f"{purpose} ({listed})")
    kind = deeds[0].kind if len({deed.kind for deed in deeds}) == 1 else "edit"
    return one_line(f"{_VERBS.get(kind, 'Edited')} {listed}")


def _listed(names: list[str], most: int) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _short(path: str, roots: Sequence[str]) -> str:
    """The end of *path*: enough to find the file, without the machine's own folders."""
    root = next((root for root in roots if path.startswith((f"{root}/", f"{root}\\"))), "")
    if root:
        return path[len(root) + 1 :].replace("\\", "/")
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    return "/".join(parts[-3:]) if path.startswith(("/", "~")) or ":" in parts[0] else "/".join(parts)
