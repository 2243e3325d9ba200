"""Built sites, and walks over them: which pages there are, and which of them show everything that pages can hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from handoffsite.records.snapshot import Snapshot
from handoffsite.search.documents import documents
from handoffsite.site import workspace
from handoffsite.site.build import build

PATIENCE = 180_000  # ms: a machine may be busy
_VOID = frozenset("br hr img input link meta".split())


class _Shapes(HTMLParser):
    """Which element stands in which, by name and class."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[tuple[str, ...]] = set()
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        name = " ".join((tag, known.get("class") or "", *sorted(known.keys() & {"aria-current", "hidden", "role"})))
        self.found.add((*self._open[-2:], name))
        if tag not in _VOID:
            self._open.append(name)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().split(" ")[0] != tag:
            pass


def workspace_of(folder: Path, *, tasks: Sequence[Mapping[str, Any]] = (), **projects: Snapshot) -> Path:
    """*folder*, with the site of each of *projects* by its name, and the workspace's page above them; *tasks* are those of atlas."""
    cards = []
    for name, snapshot in projects.items():
        build(
            snapshot,
            folder / name,
            documents=documents(snapshot),
            workspace=True,
            base_url=f"https://docs.example.test/{name}/",
            tasks=tasks if name == "atlas" else (),
        )
        card = workspace.card_of(folder / name)
        assert card is not None
        cards.append(replace(card, name=name))
    workspace.build_index(cards, folder, base_url="https://docs.example.test/")
    return folder


def pages_in(folder: Path) -> list[Path]:
    """Every page in *folder*, in order."""
    return sorted(folder.rglob("*.html"))


def shapes_of(page: Path) -> set[tuple[str, ...]]:
    """What stands in what on *page*."""
    shapes = _Shapes()
    shapes.feed(page.read_text(encoding="utf-8"))
    shapes.close()
    return shapes.found


def kinds_in(folder: Path) -> Iterator[Path]:
    """Pages on which together everything occurs that occurs on any page: of whatever kinds a build makes, few of each."""
    known = {page: shapes_of(page) for page in pages_in(folder)}
    missing = set().union(*known.values())
    while missing:
        best = max(known, key=lambda page: len(known[page] & missing))
        missing -= known[best]
        yield best
