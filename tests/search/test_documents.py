"""What of a project can be found, and where it leads."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.session import Retirement, SessionRecord, Update
from handoffsite.records.snapshot import Snapshot
from handoffsite.records.thread import Thread
from handoffsite.search.documents import Document, documents
from handoffsite.search.query import Index

FIRST = SessionRecord(
    id="S-1-k3f",
    source="claude-code:0b1c2d3e-4455",
    project="atlas",
    recorded="2026-11-01T10:00:00Z",
    title="Sign-in",
    focus="Ship the login",
    head="9f8e7d6a1b",
    quotes={"transcript:12": "ERR EVAL is disabled", "transcript:13": "POST 200"},
    completed=(
        Completed(id="S-1-k3f.c1", status="proven", text="The form posts", evidence=("transcript:13", "commit:1a2b3c4d5e")),
    ),
    decisions=(
        Decision(
            id="D-1-k3f",
            title="Sessions in Redis",
            topic="session-store",
            rationale="Two nodes",
            alternatives=("signed cookies", "a file"),
        ),
    ),
    constraints=(
        Constraint(
            id="C-1-k3f", tried="Lua rotation", outcome="refused", because="the plan forbids it", evidence=("transcript:12",)
        ),
    ),
    dependencies=(
        Dependency(id="S-1-k3f.d1", ecosystem="pypi", name="redis", change="added", after="5.2.1", file="pyproject.toml"),
    ),
    threads=(Thread(id="T-1-k3f", title="Rotate tokens", next="Write the migration"),),
    unfiled=("A loose end",),
    narrative="First I looked at the proxy.",
)
SECOND = SessionRecord(
    id="S-2-q7d",
    source="codex:77",
    project="atlas",
    recorded="2026-11-20T10:00:00Z",
    incomplete="the log ends in mid-line",
    updates=(Update(id="T-1-k3f", changes={"status": "done"}, reason="migrated at night"),),
    retired=(Retirement(id="C-1-k3f", reason="the plan was changed"),),
)
ACT = SessionRecord(
    id="S-3-x2m",
    source="act:1",
    project="atlas",
    recorded="2026-11-21T10:00:00Z",
    updates=(Update(id="D-1-k3f", changes={"status": "retired"}, reason="we left the cloud"),),
)


@pytest.fixture
def found(snapshot: Callable[..., Snapshot]) -> dict[str, Document]:
    """The documents of two sessions and an act, by ID."""
    return {document.id: document for document in documents(snapshot(FIRST, SECOND, ACT))}


def test_one_for_each_item_and_session(found: dict[str, Document]) -> None:
    """Each is of its kind, has its status of today, and leads to its page; an act is no document."""
    expected = [
        ("S-1-k3f.c1", "completed", "proven", True, "sessions/S-1-k3f.html#c1"),
        ("D-1-k3f", "decision", "retired", False, "decisions/D-1-k3f.html"),
        ("C-1-k3f", "constraint", "lifted", False, "constraints/C-1-k3f.html"),
        ("S-1-k3f.d1", "dependency", "recorded", True, "sessions/S-1-k3f.html#d1"),
        ("T-1-k3f", "thread", "done", False, "threads/T-1-k3f.html"),
        ("S-1-k3f", "session", "recorded", True, "sessions/S-1-k3f.html"),
        ("S-2-q7d", "session", "incomplete", True, "sessions/S-2-q7d.html"),
    ]

    assert expected == [(one.id, one.kind, one.status, one.live, one.url) for one in found.values()]


@pytest.mark.parametrize(
    ("query", "id"),
    [
        ('"two nodes"', "D-1-k3f"),
        ('"signed cookies"', "D-1-k3f"),
        ("kind:decision topic:session-store", "D-1-k3f"),
        ("kind:decision cloud", "D-1-k3f"),
        ('kind:constraint "plan forbids it"', "C-1-k3f"),
        ('"EVAL is disabled"', "C-1-k3f"),
        ('kind:thread "migrated at night"', "T-1-k3f"),
        ('kind:thread "write the migration"', "T-1-k3f"),
        ('"POST 200"', "S-1-k3f.c1"),
        ("1a2b3c4d5e", "S-1-k3f.c1"),
        ("kind:dependency 5.2.1", "S-1-k3f.d1"),
        ("kind:dependency pyproject.toml", "S-1-k3f.d1"),
        ("S-1.c1", "S-1-k3f.c1"),
        ("S-1", "S-1-k3f"),
        ('"ship the login"', "S-1-k3f"),
        ("proxy", "S-1-k3f"),
        ('"loose end"', "S-1-k3f"),
        ("0b1c2d3e-4455", "S-1-k3f"),
        ("claude-code:0b1c2d3e-4455", "S-1-k3f"),
        ("9f8e7d6", "S-1-k3f"),
        ('kind:session "rotate tokens" status:incomplete', "S-2-q7d"),
    ],
)
def test_all_that_a_record_says_is_found(snapshot: Callable[..., Snapshot], query: str, id: str) -> None:
    """Rationale, alternatives, reasons, quotes, commits, versions, files, topics, focus, narrative and sources."""
    hits = Index.in_memory(snapshot(FIRST, SECOND, ACT)).search(query).hits

    assert id == hits[0].id


def test_ghosts(snapshot: Callable[..., Snapshot]) -> None:
    """What was said again goes by its first ID, and is found by the other; nothing is found twice."""
    again = replace(
        SECOND,
        source="note:1",
        follows=FIRST.source,
        updates=(),
        retired=(),
        decisions=(Decision(id="D-2-q7d", title="Sessions in Redis"),),
    )
    hits = Index.in_memory(snapshot(FIRST, again)).search("D-2-q7d kind:decision").hits

    assert ["D-1-k3f"] == [hit.id for hit in hits]


def test_a_digest_tells_any_change(document: Callable[..., Document]) -> None:
    """Every field counts, and text that moves from one to the next."""
    changes = {
        "status": "retired",
        "live": False,
        "title": "x",
        "body": "x",
        "date": "x",
        "topic": "x",
        "url": "x",
        "names": ("x",),
    }
    digests = [document().digest, document("D-2-k3f").digest, *(document(**{name: one}).digest for name, one in changes.items())]

    assert len(digests) == len(set(digests))
