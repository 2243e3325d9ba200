"""Every page of a project's site: where it stands, which template draws it, and what it is made of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from handoffsite.records.snapshot import Snapshot
from handoffsite.site import contracts, handed, items, lists, overview, sessions, tasks
from handoffsite.site.links import FOLDERS, Targets, url
from handoffsite.site.listing import Listing

View = Mapping[str, Any]
Newest = Callable[[str], View | None]


@dataclass(frozen=True, slots=True)
class Page:
    """One page. *inputs* is all that it depends on, None where that is the whole project; *view* makes the template's values."""

    path: str
    template: str
    section: str
    inputs: Any
    view: Callable[[], View]

    @property
    def root(self) -> str:
        """What leads from the page to the project's folder."""
        return "../" * self.path.count("/")


def plan(snapshot: Snapshot, ledger: Sequence[tasks.Task] = ()) -> Iterator[Page]:
    """All pages of *snapshot* and of its tasks in the *ledger*; the order is the same for equal ones."""
    targets = Targets(snapshot)
    records = {record.id: record for record in snapshot.records}
    rivals = rivals_of(snapshot)
    yield Page("index.html", "overview.html", "overview", None, lambda: overview.view(snapshot, targets, rivals))
    yield from _lists(snapshot, targets, rivals, ledger)
    for item in snapshot.items.values():
        if item.kind in items.PAGED:
            yield _item_page(items.gather(item, snapshot, targets, records, rivals.get(getattr(item.value, "topic", ""), ())))
    yield from _session_pages(snapshot, targets)
    for path, one in contracts.gather(snapshot, targets):
        yield Page(path, "handoff.html", "handoffs", one, partial(contracts.view, one))
    for path, template, inputs in handed.gather(snapshot, targets):
        yield Page(path, template, path.partition("/")[0], inputs, partial(handed.view, inputs))
    for path, one_task in tasks.gather(ledger):
        yield Page(path, "task.html", "tasks", one_task, partial(tasks.view, one_task))
    yield from _alias_pages(snapshot, targets)


def rivals_of(snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    """By topic, the accepted decisions that contradict each other: of one topic, none of them replacing another."""
    topics: dict[str, list[str]] = {}
    for item in snapshot.live("decision"):
        topic = getattr(item.value, "topic", "")
        if topic:
            topics.setdefault(topic, []).append(item.id)
    return {topic: tuple(ids) for topic, ids in topics.items() if len(ids) > 1}


def _item_page(inputs: items.ItemInputs) -> Page:
    item = inputs.item
    section = FOLDERS[item.kind[0].upper()]
    return Page(url(item.id), f"{item.kind}.html", section, inputs, partial(items.view, inputs))


def _session_pages(snapshot: Snapshot, targets: Targets) -> Iterator[Page]:
    previous = ""
    for record in snapshot.records:
        inputs = sessions.gather(record, snapshot, targets, "" if record.is_act else previous)
        yield Page(url(record.id), "session.html", "sessions", inputs, partial(sessions.view, inputs))
        previous = previous if record.is_act else record.id


def _alias_pages(snapshot: Snapshot, targets: Targets) -> Iterator[Page]:
    """A page at the address of every other ID of what has a page of its own: published addresses stay good."""
    for alias in snapshot.aliases:
        brief = targets.get(alias)
        path = url(alias)
        if brief and "#" not in path and "#" not in brief.url:
            values = {
                "title": alias,
                "alias": alias,
                "link": items.link(brief, "../"),
                "newest": items.newest(targets.with_newest({brief.id: brief}), brief.newest),
            }
            yield Page(path, "alias.html", path.partition("/")[0], values, partial(dict, values))


def _lists(
    snapshot: Snapshot, targets: Targets, rivals: Mapping[str, Sequence[str]], ledger: Sequence[tasks.Task]
) -> Iterator[Page]:
    last = snapshot.newest
    known = targets.known((), (last.id,)) if last else {}

    def newest(root: str) -> View | None:
        return items.newest(known, (last.recorded, last.id), root) if last else None

    for listing in (
        *lists.all_of(snapshot, targets, rivals),
        *handed.listings(snapshot, targets),
        contracts.listing(snapshot),
        tasks.listing(ledger),
    ):
        yield from _paged(listing, newest)


def _paged(listing: Listing, newest: Newest) -> Iterator[Page]:
    """The pages of *listing*: the first at its own address, the others in the folder of its name."""
    parts = listing.parts()
    stem = listing.path.removesuffix("/index.html").removesuffix(".html")
    paths = [listing.path, *(f"{stem}/page-{number}.html" for number in range(2, len(parts) + 1))]
    for place, (path, part) in enumerate(zip(paths, parts, strict=True)):
        root = "../" * path.count("/")
        view = partial(_listed, listing, part, root, _pager(paths, place, root), newest)
        yield Page(path, listing.template, listing.section, None, view)


def _listed(listing: Listing, part: Sequence[Any], root: str, pager: View | None, newest: Newest) -> View:
    return {**listing.view(part, root), "pager": pager, "newest": newest(root)}


def _pager(paths: Sequence[str], place: int, root: str) -> View | None:
    """Where first, previous, next and last page are; a link count that does not grow with the list."""
    if len(paths) == 1:
        return None
    return {
        "number": place + 1,
        "pages": len(paths),
        "first": f"{root}{paths[0]}" if place else "",
        "previous": f"{root}{paths[place - 1]}" if place else "",
        "next": f"{root}{paths[place + 1]}" if place + 1 < len(paths) else "",
        "last": f"{root}{paths[-1]}" if place + 1 < len(paths) else "",
    }
