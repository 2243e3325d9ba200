"""The overview says in ten seconds where the project stands."""

from collections.abc import Callable

from handoffsite.records.problem import Problem
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import overview, pages
from handoffsite.site.links import Targets
from handoffsite.site.overview import problem_of

Fold = Callable[..., Snapshot]


def test_it_shows_what_is_live(snapshot: Snapshot) -> None:
    """Focus, open threads, constraints and decisions in force, last touched first."""
    view = overview.view(snapshot, Targets(snapshot), pages.rivals_of(snapshot))

    assert "<p>Make failures visible</p>" == view["focus"]
    assert ["T-3-m4w", "T-1-x2m"] == [row["id"] for row in view["threads"]]
    assert ["C-3-k3f", "C-1-q7d"] == [row["id"] for row in view["constraints"]]
    assert ["D-7-m4w", "D-4-k3f", "D-5-k3f"] == [row["id"] for row in view["decisions"]]
    assert ["S-7-r5c", "S-6-b8t", "S-5-m4w", "S-3-k3f"] == [row["id"] for row in view["sessions"]]


def test_it_counts(snapshot: Snapshot) -> None:
    """What a glance wants to know."""
    assert {
        "sessions": 6,
        "threads": 2,
        "constraints": 2,
        "decisions": 3,
        "proposed": 1,
        "archived": 5,
        "proven": 3,
        "claimed": 1,
        "dependencies": 4,
    } == overview.view(snapshot, Targets(snapshot), {})["counts"]


def test_damage_is_shown_first(records: list[SessionRecord], fold: Fold) -> None:
    """Every problem counts, the first ones are shown, and none says where the project lies on the machine."""
    problems = [Problem(code="x", message="no footer", file=f"/home/x/.handoff/sessions/{n}.md", line=3) for n in range(12)]
    snapshot = fold(records, problems=problems)
    view = overview.view(snapshot, Targets(snapshot), {})

    assert 12 == view["problem_count"]
    assert ["0.md", "1.md"] == [one["file"] for one in view["problems"]][:2]
    assert 10 == len(view["problems"])


def test_a_relative_file_keeps_its_folder() -> None:
    """Only what is absolute is cut."""
    found = [
        problem_of(Problem(code="x", message="m", file=file))["file"] for file in ("sessions/a.md", "C:\\x\\a.md", "/a/b.md", "")
    ]

    assert ["sessions/a.md", "C:\\x\\a.md".rpartition("/")[2], "b.md", ""] == found
