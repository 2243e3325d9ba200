"""Lists hold everything of their kind, in an order that helps, in pages of a bounded size."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import lists, pages
from handoffsite.site.links import Targets
from handoffsite.site.listing import ROWS, Listing

Fold = Callable[..., Snapshot]
Make = Callable[..., SessionRecord]


def listings(snapshot: Snapshot) -> dict[str, Listing]:
    """All lists of *snapshot* by their address."""
    return {one.path: one for one in lists.all_of(snapshot, Targets(snapshot), pages.rivals_of(snapshot))}


def view(snapshot: Snapshot, path: str) -> Mapping[str, Any]:
    """The values of the first page of the list at *path*."""
    listing = listings(snapshot)[path]
    return listing.view(listing.parts()[0], "../" * path.count("/"))


def test_decisions_in_force_come_first(snapshot: Snapshot) -> None:
    """Newest first in each group; what was replaced says by what."""
    groups = view(snapshot, "decisions/index.html")["groups"]

    assert [
        ("In force", ["D-7-m4w", "D-5-k3f", "D-4-k3f"]),
        ("Proposed", ["D-6-k3f"]),
        ("No longer in force", ["D-3-q7d", "D-2-x2m", "D-1-x2m"]),
    ] == [(group["name"], [row["id"] for row in group["rows"]]) for group in groups]
    assert "D-4-k3f" == groups[2]["rows"][0]["replaced_by"]["id"]


def test_a_part_of_a_list_has_an_address_of_its_own(snapshot: Snapshot) -> None:
    """By status, kind, ecosystem or month; each says where it stands among the others, and how many rows each has."""
    found = view(snapshot, "decisions/superseded.html")
    paths = listings(snapshot).keys()

    assert "Decisions: superseded" == found["title"]
    assert {"superseded"} == {row["status"] for row in found["rows"]}
    assert [
        ("All", 7, False),
        ("accepted", 3, False),
        ("proposed", 1, False),
        ("superseded", 2, True),
        ("retired", 1, False),
    ] == [(one["label"], one["count"], one["current"]) for facet in found["facets"] for one in facet["filters"]]
    assert {"archive/thread.html", "dependencies/npm.html", "sessions/2026-10.html", "constraints/lifted.html"} <= paths
    assert {"archive/superseded.html", "archive/retired.html"} <= paths


def test_a_list_says_how_a_search_asks_for_it(snapshot: Snapshot) -> None:
    """So that a form can narrow it by what no page of its own stands for; a part of months or ecosystems cannot be asked for."""
    found = listings(snapshot)

    assert {"kind": "decision", "status": "superseded"} == found["decisions/superseded.html"].asked
    assert {"kind": "thread", "status": "done,lifted,retired,superseded"} == found["archive/thread.html"].asked
    assert found["sessions/2026-10.html"].asked is None
    assert {
        "action": "../decisions/index.html",
        "total": 7,
        "goes_on": False,
        "asked": {"kind": "decision"},
        "choices": [{"name": "status", "labels": ["accepted", "proposed", "superseded", "retired"]}],
        "has_topics": True,
    } == view(snapshot, "decisions/index.html")["narrow"]


def test_what_does_not_fit_one_page_is_narrowed_only_by_what_can_be_asked(fold: Fold, make: Make) -> None:
    """A month of more sessions than a page holds has no form: what its other pages hold could not be told; nor has a list of one row."""
    sessions = [make(n, f"a{n % 10}b", "2026-03-01") for n in range(1, ROWS + 2)]
    other = make(ROWS + 2, "zzz", "2026-04-01")
    snapshot = fold([*sessions, other])

    assert view(snapshot, "sessions/index.html")["narrow"]["goes_on"]
    assert view(snapshot, "sessions/2026-03.html")["narrow"] is None
    assert view(snapshot, "sessions/2026-04.html")["narrow"] is None


@pytest.mark.parametrize("name", ["../../x", "page-2", "", "NPM", "a/b", "名"])
def test_no_name_leads_a_part_astray(fold: Fold, make: Make, name: str) -> None:
    """What cannot be a part of an address, or would be another page's, is told apart by a digest."""
    changes = tuple(
        Dependency(id=f"S-1-aaa.d{n}", ecosystem=kind, name="x", change="added") for n, kind in enumerate(("pypi", name), 1)
    )
    found = [path for path in listings(fold([make(1, "aaa", "2026-03-01", dependencies=changes)])) if "depend" in path]

    assert ["dependencies.html", "dependencies/pypi.html"] == sorted(found)[:1] + [path for path in found if "pypi" in path]
    assert 3 == len(set(found))
    assert all(re.fullmatch(r"dependencies(/(pypi|other-[0-9a-f]{8}))?\.html", path) for path in found)


def test_contradictions_are_named_above_the_list(snapshot: Snapshot) -> None:
    """Topic and the decisions in force on it."""
    found = view(snapshot, "decisions/index.html")["contradictions"]

    assert [("logging", ["D-5-k3f", "D-7-m4w"])] == [(one["topic"], [link["id"] for link in one["links"]]) for one in found]


def test_threads_that_move_come_first(snapshot: Snapshot) -> None:
    """Active, then what is stuck or waits, then done."""
    assert ["T-1-x2m", "T-3-m4w", "T-2-q7d"] == [row["id"] for row in view(snapshot, "threads/index.html")["rows"]]


def test_dependencies_are_grouped_and_counted_by_ecosystem(snapshot: Snapshot) -> None:
    """Newest first in each; the churn adds up."""
    found = view(snapshot, "dependencies.html")

    assert [("docker", ["node"]), ("npm", ["ioredis", "bcrypt", "argon2"])] == [
        (group["name"], [row["name"] for row in group["rows"]]) for group in found["groups"]
    ]
    assert ["docker", "npm"] == [row.ecosystem for row in found["churn"].rows]
    assert ["npm"] == [row.ecosystem for row in view(snapshot, "dependencies/npm.html")["churn"].rows]


def test_acts_are_listed_apart(snapshot: Snapshot) -> None:
    """What people recorded is no session."""
    assert ["S-4-h9p"] == [row["id"] for row in view(snapshot, "sessions/acts.html")["rows"]]
    assert "S-4-h9p" not in [row["id"] for row in view(snapshot, "sessions/index.html")["rows"]]


def test_a_session_names_what_it_changed(snapshot: Snapshot, fold: Fold, make: Make) -> None:
    """What has a page of its own, earlier items too, each a link with its title; of many the first, and a count of the others."""
    rows = {row["id"]: row for row in view(snapshot, "sessions/index.html")["rows"]}
    named = re.findall(r">([DCT]-\d-\w+)</a>", "".join(one["tag"] for one in rows["S-3-k3f"]["changed"]))
    many = tuple(Decision(id=f"D-{n}-aaa", title=f"Take {n}") for n in range(1, 10))
    busy = view(fold([make(1, "aaa", "2026-03-01", decisions=many)]), "sessions/index.html")["rows"][0]

    assert ["D-4-k3f", "D-5-k3f", "D-6-k3f", "C-3-k3f", "T-2-q7d"] == named
    assert ["Hash passwords with argon2id"] == [one["title"] for one in rows["S-6-b8t"]["changed"]]
    assert (5, 4) == (len(busy["changed"]), busy["unnamed"])


def test_the_archive_says_why(snapshot: Snapshot) -> None:
    """Last retired first, with the reason or what replaced it."""
    rows = {row["id"]: row for row in view(snapshot, "archive.html")["rows"]}

    assert ["D-2-x2m", "C-2-q7d", "T-2-q7d", "D-3-q7d", "D-1-x2m"] == list(rows)
    assert "Passkeys replace passwords" == rows["D-2-x2m"]["reason"]
    assert "D-3-q7d" == rows["D-1-x2m"]["replaced_by"]["id"]


def test_proposals_wait_on_their_own_page(snapshot: Snapshot) -> None:
    """With what there is to judge them by."""
    assert [("D-6-k3f", ["Said once, in passing."])] == [(row["id"], row["why"]) for row in view(snapshot, "review.html")["rows"]]


def test_the_index_holds_everything_once(snapshot: Snapshot) -> None:
    """Every session and every item can be found by its title without a script."""
    rows = view(snapshot, "search.html")["rows"]

    assert {*snapshot.items, *(record.id for record in snapshot.sessions)} == {row["id"] for row in rows}
    assert len(rows) == len({row["id"] for row in rows})


def test_long_lists_are_cut_into_pages(fold: Fold, make: Make) -> None:
    """No page holds more than its share of rows, and the number of page links does not grow."""
    decisions = tuple(Decision(id=f"D-{n}-aaa", title=f"Take {n}") for n in range(1, 2 * ROWS + 2))
    found = [
        page
        for page in pages.plan(fold([make(1, "aaa", "2026-03-01", decisions=decisions)]))
        if page.template == "decisions.html"
    ]

    assert ["decisions/index.html", "decisions/page-2.html", "decisions/page-3.html"] == [page.path for page in found]
    assert [ROWS, ROWS, 1] == [len(page.view()["rows"]) for page in found]
    assert {
        "number": 2,
        "pages": 3,
        "first": "../decisions/index.html",
        "previous": "../decisions/index.html",
        "next": "../decisions/page-3.html",
        "last": "../decisions/page-3.html",
    } == found[1].view()["pager"]


def test_a_title_that_names_another_item_is_not_itself_a_link(snapshot: Snapshot) -> None:
    """A link inside a link is none: then the ID leads to the item."""
    rows = {row["id"]: row for row in view(snapshot, "threads/index.html")["rows"]}

    assert (False, True) == (rows["T-3-m4w"]["is_link"], rows["T-1-x2m"]["is_link"])
    assert 2 == rows["T-3-m4w"]["text"].count("<a ")


def test_long_texts_are_cut_in_rows(fold: Fold, make: Make) -> None:
    """A list of long texts stays a page; a title of blanks can still be followed."""
    decisions = (Decision(id="D-1-aaa", title="word " * 10_000), Decision(id="D-2-aaa", title=" "))
    rows = view(fold([make(1, "aaa", "2026-03-01", decisions=decisions)]), "decisions/index.html")["rows"]

    assert "D-2-aaa" == rows[0]["text"]
    assert len(rows[1]["text"]) <= 300
