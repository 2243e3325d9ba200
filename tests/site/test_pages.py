"""The plan of a site: every page once, at an address that never changes."""

from collections.abc import Callable

from handoffsite.records.decision import Decision
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import pages

Fold = Callable[..., Snapshot]
Make = Callable[..., SessionRecord]


def test_every_page_of_the_story(snapshot: Snapshot) -> None:
    """The complete list."""
    lists = ["archive", "decisions/index", "constraints/index", "dependencies", "index", "review", "search"]
    lists += [
        "sessions/acts",
        "sessions/index",
        "threads/index",
        "artefacts/index",
        "mail/index",
        "handoffs/index",
        "tasks/index",
    ]
    items = [f"decisions/D-{id}" for id in ("1-x2m", "2-x2m", "3-q7d", "4-k3f", "5-k3f", "6-k3f", "7-m4w")]
    items += [
        "constraints/C-1-q7d",
        "constraints/C-2-q7d",
        "constraints/C-3-k3f",
        "threads/T-1-x2m",
        "threads/T-2-q7d",
        "threads/T-3-m4w",
    ]
    sessions = [f"sessions/S-{id}" for id in ("1-x2m", "2-q7d", "3-k3f", "4-h9p", "5-m4w", "6-b8t", "7-r5c")]

    parts = [f"decisions/{status}" for status in ("accepted", "proposed", "superseded", "retired")]
    parts += ["constraints/active", "constraints/lifted", "threads/active", "threads/waiting", "threads/done"]
    parts += ["dependencies/docker", "dependencies/npm", "archive/constraint", "archive/decision", "archive/thread"]
    parts += [
        "sessions/2026-09",
        "sessions/2026-10",
        *(f"archive/{status}" for status in ("superseded", "retired", "lifted", "done")),
    ]

    assert sorted(f"{path}.html" for path in (*lists, *parts, *items, *sessions)) == sorted(
        page.path for page in pages.plan(snapshot)
    )


def test_an_empty_project_has_its_lists(fold: Fold) -> None:
    """Each with its empty state."""
    assert 14 == len(list(pages.plan(fold([]))))


def test_a_second_id_keeps_its_address(fold: Fold, make: Make) -> None:
    """Two clones recorded one session: the later IDs, of record and item, are pages that lead to the first."""
    twins = [
        make(1, "aaa", "2026-03-01", source="codex:1", decisions=(Decision(id="D-1-aaa", title="One"),)),
        make(1, "bbb", "2026-03-02", source="codex:1", decisions=(Decision(id="D-1-bbb", title="One"),)),
    ]
    found = {page.path: page.view() for page in pages.plan(fold(twins)) if page.template == "alias.html"}

    assert {"decisions/D-1-bbb.html": "../decisions/D-1-aaa.html", "sessions/S-1-bbb.html": "../sessions/S-1-aaa.html"} == {
        path: view["link"]["href"] for path, view in found.items()
    }


def test_rivals_are_in_force_on_one_topic(snapshot: Snapshot) -> None:
    """Without a topic there is no contradiction, and what was replaced contradicts nothing."""
    assert {"logging": ("D-5-k3f", "D-7-m4w")} == pages.rivals_of(snapshot)
