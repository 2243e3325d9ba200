"""Addresses are made of IDs alone, and IDs in texts lead to them."""

from collections.abc import Callable

import pytest

from handoffsite.errors import Malformed
from handoffsite.records.decision import Decision
from handoffsite.records.session import Retirement, SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site.links import Targets, anchors_of, excerpt, hrefs_of, record_title, shortened, target_of, url

Fold = Callable[..., Snapshot]
Make = Callable[..., SessionRecord]


@pytest.mark.parametrize(
    ("id", "address"),
    [
        ("D-17-k3f", "decisions/D-17-k3f.html"),
        ("C-8-k3f", "constraints/C-8-k3f.html"),
        ("T-5-k3f", "threads/T-5-k3f.html"),
        ("S-42-k3f", "sessions/S-42-k3f.html"),
        ("S-42-k3f.c1", "sessions/S-42-k3f.html#c1"),
        ("S-42-k3f.d12", "sessions/S-42-k3f.html#d12"),
    ],
)
def test_an_id_has_one_permanent_address(id: str, address: str) -> None:
    """Items without a page of their own are a place on their session's."""
    assert address == url(id)


@pytest.mark.parametrize(
    "id", ["../../etc/passwd", "D-17", "d-17-k3f", "D-17-K3F", "D-17-k3f/..", "D-17-k3f.c1", "", "D-17-k3f "]
)
def test_what_is_no_whole_id_gets_no_address(id: str) -> None:
    """A file name comes from an ID that was read and written back the same, never from a text."""
    with pytest.raises(Malformed):
        url(id)


def test_short_forms_and_aliases_lead_to_the_item(snapshot: Snapshot) -> None:
    """An unambiguous short form is as good as the ID."""
    targets = Targets(snapshot)

    assert ["D-4-k3f", "S-3-k3f.c1", None] == [
        brief.id if (brief := targets.get(id)) else None for id in ("D-4", "S-3.c1", "D-99")
    ]


def test_a_short_form_that_two_items_share_leads_nowhere(fold: Fold, make: Make) -> None:
    """After a merge two clones' D-1 both stand, and `D-1` alone is ambiguous."""
    snapshot = fold(
        [
            make(1, "aaa", "2026-03-01", decisions=(Decision(id="D-1-aaa", title="One"),)),
            make(1, "bbb", "2026-03-02", source="codex:x", decisions=(Decision(id="D-1-bbb", title="Two"),)),
        ]
    )
    found = Targets(snapshot).known(["D-1 or D-1-bbb, and D-7"])

    assert ["D-1-bbb"] == list(found)


def test_a_hint_says_id_status_and_title(snapshot: Snapshot) -> None:
    """What hovering shows is enough to decide whether to follow the link."""
    brief = Targets(snapshot).get("D-3")

    assert brief is not None
    assert "D-3-q7d · superseded · Keep sessions in Postgres" == brief.hint


def test_a_record_without_a_title_gets_one(make: Make) -> None:
    """An act is named by what it touches, a session by its first item, and nothing stays nameless."""
    act = make(1, "aaa", "2026-03-01", source="act:1", retired=(Retirement(id="D-1-aaa"),))
    session = make(2, "aaa", "2026-03-01", decisions=(Decision(id="D-1-aaa", title="One"),))

    assert ["A word on D-1-aaa", "One", "Untitled session"] == [
        record_title(record) for record in (act, session, make(3, "aaa", "2026-03-01", title=" "))
    ]


def test_a_cut_is_shown() -> None:
    """A shortened text is one line, and ends in an ellipsis where something is missing."""
    assert ["a b", "aaaa…"] == [shortened(" a\n b "), shortened("a" * 9, 5)]


def test_an_excerpt_is_the_first_paragraph() -> None:
    """Lists and tables further down would make no sense in one line."""
    assert ["One two. …", "One", ""] == [excerpt(text) for text in ("One\ntwo.\n\n- a\n- b", "One\n\n", " ")]


def test_links_of_a_page_are_resolved_from_where_it_stands() -> None:
    """Addresses climb and descend; outward ones are left to the outside."""
    html = '<a href="../index.html?q=1"></a><a href="#main"></a><a href="D-1.html#c1"></a><a href="https://example.test/"></a><b id="main">'

    assert {("index.html", ""), ("decisions/x.html", "main"), ("decisions/D-1.html", "c1"), None} == {
        target_of("decisions/x.html", href) for href in hrefs_of(html)
    }
    assert ("../index.html", "") == target_of("decisions/x.html", "../../index.html")
    assert {"main"} == anchors_of(html)
