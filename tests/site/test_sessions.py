"""The page of a record says what the session did, and where that was read from."""

from collections.abc import Callable
from dataclasses import replace

from handoffsite.records.completed import Completed
from handoffsite.records.decision import Decision
from handoffsite.records.session import SessionRecord, Update
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import pages, sessions
from handoffsite.site.sessions import SessionInputs
from tests.site.everything import part
from tests.site.stories import snapshot_of

Make = Callable[..., SessionRecord]


def inputs_of(snapshot: Snapshot, id: str) -> SessionInputs:
    """What the page of *id* is made of."""
    found = next(page.inputs for page in pages.plan(snapshot) if page.path.endswith(f"/{id}.html"))
    assert isinstance(found, SessionInputs)
    return found


def test_items_stand_as_they_are_today(snapshot: Snapshot) -> None:
    """What a later session proved, replaced or finished shows so on the page of the one that introduced it."""
    view = sessions.view(inputs_of(snapshot, "S-1-x2m"))

    assert [("c1", "proven"), ("c2", "proven")] == [(row["part"], row["status"]) for row in view["completed"]]
    assert [("D-1-x2m", "superseded"), ("D-2-x2m", "retired")] == [(row["id"], row["status"]) for row in view["decisions"]]


def test_doubts_are_marked(snapshot: Snapshot) -> None:
    """An incomplete transcript and a commit that git does not know."""
    assert "3 of 220 lines could not be read; the last line is cut" == sessions.view(inputs_of(snapshot, "S-5-m4w"))["incomplete"]

    view = sessions.view(inputs_of(snapshot, "S-3-k3f"))

    assert ("deadbee1",) == view["unverified"]
    assert [False, True] == [any(one["unverified"] for one in row["evidence"]) for row in view["completed"]]


def test_it_says_where_it_comes_from(snapshot: Snapshot) -> None:
    """Record file, source, transcript with its lines, commits with their address, the session before."""
    view = sessions.view(inputs_of(snapshot, "S-3-k3f"))

    assert ("2026-10-05-S-3-k3f.md", "claude-code:0b1c2d3e-0003") == (view["file"], view["source"])
    assert (913, "S-2-q7d") == (view["transcript"].lines, view["previous"]["id"])
    assert ["https://code.example.test/portal/atlas/commit/9f8e7d6"] == [one["href"] for one in view["commits"]]


def test_acts_between_sessions_do_not_break_their_order(snapshot: Snapshot) -> None:
    """The session before S-5 is S-3: S-4 is a word of a human."""
    assert "S-3-k3f" == sessions.view(inputs_of(snapshot, "S-5-m4w"))["previous"]["id"]
    assert sessions.view(inputs_of(snapshot, "S-4-h9p"))["is_act"]


def test_what_it_changed_of_earlier_sessions_is_listed(snapshot: Snapshot) -> None:
    """Updates with status and reason, retirements, each a link."""
    update = sessions.view(inputs_of(snapshot, "S-3-k3f"))["updates"][0]
    retired = sessions.view(inputs_of(snapshot, "S-6-b8t"))["retired"][0]

    assert ("T-2-q7d", "done", "Run against the staging cluster") == (update["link"]["id"], update["status"], update["reason"])
    assert ("D-2-x2m", "Passkeys replace passwords") == (retired["link"]["id"], retired["reason"])


def test_counts_are_words(make: Make) -> None:
    """One and many, and nothing of what there is none of."""
    done = tuple(Completed(id=f"S-9-aaa.c{n}", text="x") for n in (1, 2))
    record = make(
        9, "aaa", "2026-03-01", completed=done, decisions=(Decision(id="D-1-aaa", title="x"),), updates=(Update(id="D-9-bbb"),)
    )

    assert [(2, "done"), (1, "decision"), (1, "updated")] == [(one["number"], one["words"]) for one in sessions.counts(record)]


def test_the_newest_record_is_a_record() -> None:
    """Also where an artefact that the session names came later."""
    one = part(1, "proposed")
    snapshot = replace(snapshot_of([one.record]), artefacts=one.artefacts)
    view = sessions.view(inputs_of(snapshot, one.record.id))

    assert one.artefacts[0].created > one.record.recorded
    assert one.record.id == view["newest"]["id"]
