"""The page of an item tells its story."""

from collections.abc import Callable
from typing import Any

import pytest

from handoffsite.records.decision import Decision
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import items, pages
from handoffsite.site.items import MAX_CHAIN, ItemInputs, commit_address, tone

Fold = Callable[..., Snapshot]
Make = Callable[..., SessionRecord]


def inputs_of(snapshot: Snapshot, id: str) -> ItemInputs:
    """What the page of *id* is made of."""
    found = next(page.inputs for page in pages.plan(snapshot) if page.path.endswith(f"/{id}.html"))
    assert isinstance(found, ItemInputs)
    return found


def ids_of(chain: dict[str, Any]) -> list[list[str]]:
    """The IDs of each step of *chain*."""
    return [[one["id"] for one in step] for step in chain["steps"]]


@pytest.mark.parametrize("id", ["D-1-x2m", "D-3-q7d", "D-4-k3f"])
def test_a_chain_of_replacements_is_shown_at_every_link(snapshot: Snapshot, id: str) -> None:
    """Oldest first, from the first to the one in force, whichever end one stands at."""
    chain = items.view(inputs_of(snapshot, id))["chain"]

    assert [["D-1-x2m"], ["D-3-q7d"], ["D-4-k3f"]] == ids_of(chain)
    assert [id] == [one["id"] for step in chain["steps"] for one in step if one["here"]]


def test_what_replaced_several_is_drawn_as_one_step(fold: Fold, make: Make) -> None:
    """Two that led to one stand beside each other, not one after the other."""
    first = tuple(Decision(id=f"D-{n}-aaa", title=str(n)) for n in (1, 2))
    joined = Decision(id="D-3-bbb", title="3", supersedes=("D-1-aaa", "D-2-aaa"))
    snapshot = fold([make(1, "aaa", "2026-03-01", decisions=first), make(2, "bbb", "2026-03-02", decisions=(joined,))])

    assert [["D-1-aaa", "D-2-aaa"], ["D-3-bbb"]] == ids_of(items.view(inputs_of(snapshot, "D-3-bbb"))["chain"])
    assert [["D-2-aaa"], ["D-3-bbb"]] == ids_of(items.view(inputs_of(snapshot, "D-2-aaa"))["chain"])


def test_a_long_chain_shows_what_is_near_and_its_end(fold: Fold, make: Make) -> None:
    """However long it is, a page shows some steps on either side, says that there are more, and names the last one."""
    long = 300
    records = [
        make(
            n,
            f"{n:03}",
            f"2026-{1 + n // 28 % 12:02}-{1 + n % 28:02}",
            decisions=(Decision(id=f"D-{n}-{n:03}", title="x", supersedes=(f"D-{n - 1}-{n - 1:03}",) if n > 1 else ()),),
        )
        for n in range(1, long + 1)
    ]
    snapshot = fold(records)
    middle, first, last = (items.view(inputs_of(snapshot, f"D-{n}-{n:03}"))["chain"] for n in (200, 1, long))

    assert [[f"D-{n}-{n:03}"] for n in range(200 - MAX_CHAIN, 201 + MAX_CHAIN)] == ids_of(middle)
    assert (True, ["D-300-300"]) == (middle["is_cut"], [one["id"] for one in middle["last"]])
    assert (False, ["D-300-300"], 1 + MAX_CHAIN) == (first["is_cut"], [one["id"] for one in first["last"]], len(first["steps"]))
    assert (True, [], 1 + MAX_CHAIN) == (last["is_cut"], last["last"], len(last["steps"]))


def test_a_decision_alone_has_no_chain(snapshot: Snapshot) -> None:
    """Nothing replaced it, and it replaced nothing."""
    assert items.view(inputs_of(snapshot, "D-5-k3f"))["chain"] is None


def test_decisions_that_contradict_each_other_say_so(snapshot: Snapshot) -> None:
    """Two in force on one topic name each other; what was replaced does not count."""
    assert ["D-7-m4w"] == [one["id"] for one in items.view(inputs_of(snapshot, "D-5-k3f"))["rivals"]]
    assert [] == items.view(inputs_of(snapshot, "D-4-k3f"))["rivals"]


def test_a_circle_of_replacements_ends(fold: Fold, make: Make) -> None:
    """Records that replace each other in a ring, or a decision that replaces itself, make a page all the same."""
    ring = [
        make(1, "aaa", "2026-03-01", decisions=(Decision(id="D-1-aaa", title="One", supersedes=("D-2-bbb", "D-1-aaa")),)),
        make(2, "bbb", "2026-03-02", decisions=(Decision(id="D-2-bbb", title="Two", supersedes=("D-1-aaa",)),)),
    ]
    chain = items.view(inputs_of(fold(ring), "D-1-aaa"))["chain"]

    assert {"D-1-aaa", "D-2-bbb"} == {id for step in ids_of(chain) for id in step}


def test_evidence_comes_with_the_line_that_it_cites(snapshot: Snapshot) -> None:
    """The quote outlives the transcript, and the transcript is named."""
    view = items.view(inputs_of(snapshot, "D-4-k3f"))

    assert [("transcript:812", "POST /api/session 200 in 14 ms")] == [(one["address"], one["quote"]) for one in view["evidence"]]
    assert "7c8d9e0f.jsonl" == view["transcript"].file


def test_a_commit_is_a_link_unless_git_does_not_know_it() -> None:
    """Where the repository is on the web; one that git does not know is marked instead."""
    found = list(
        items.evidence(
            ["commit:1a2b3c4", "commit:deadbee1", "commit:x/../y"], {}, ["deadbee1"], "https://forge.test/r/commit/", {}
        )
    )

    assert ["https://forge.test/r/commit/1a2b3c4", "", ""] == [one["href"] for one in found]
    assert [False, True, False] == [one["unverified"] for one in found]


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        ("https://forge.test/a/b.git", "https://forge.test/a/b/commit/"),
        ("https://forge.test/a/b/", "https://forge.test/a/b/commit/"),
        ("git@forge.test:a/b.git", ""),
        ("javascript:alert(1)//", ""),
        ("", ""),
    ],
)
def test_commits_are_linked_on_the_web_only(repository: str, address: str) -> None:
    """An address that a browser could run is none."""
    assert address == commit_address(repository)


def test_history_says_what_became_of_it_and_why(snapshot: Snapshot) -> None:
    """Each step with its record, its reason and what it changed."""
    steps = items.view(inputs_of(snapshot, "C-2-q7d"))["history"]

    assert [("lifted", "S-4-h9p", "Postgres 17 adds the column without a lock")] == [
        (step["status"], step["record"]["id"], step["reason"]) for step in steps
    ]


def test_a_page_names_the_newest_record_that_it_was_built_from(snapshot: Snapshot) -> None:
    """Its own last touch, or that of an item which it names: D-4 is untouched since S-3, T-3 names D-7 of S-5."""
    newest = {id: items.view(inputs_of(snapshot, id))["newest"]["id"] for id in ("D-4-k3f", "D-1-x2m", "D-2-x2m", "T-3-m4w")}

    assert {"D-4-k3f": "S-3-k3f", "D-1-x2m": "S-3-k3f", "D-2-x2m": "S-6-b8t", "T-3-m4w": "S-5-m4w"} == newest


def test_equal_inputs_are_all_that_a_page_depends_on(records: list[SessionRecord], fold: Fold) -> None:
    """A later session leaves the inputs of what it does not touch as they were, and changes those of what it does."""
    before, after = fold(records[:2]), fold(records[:3])

    assert repr(inputs_of(before, "C-1-q7d")) == repr(inputs_of(after, "C-1-q7d"))
    assert repr(inputs_of(before, "D-3-q7d")) != repr(inputs_of(after, "D-3-q7d"))


def test_a_constraint_that_holds_is_a_warning() -> None:
    """The same word is coloured by what it means for the reader."""
    assert ["stop", "live", "live", "wait", "gone", ""] == [
        tone(kind, status)
        for kind, status in (
            ("constraint", "active"),
            ("thread", "active"),
            ("decision", "accepted"),
            ("decision", "proposed"),
            ("decision", "superseded"),
            ("decision", "unheard of"),
        )
    ]
