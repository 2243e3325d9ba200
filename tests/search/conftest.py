"""Documents and projects as a search meets them."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from handoffsite.records import history
from handoffsite.records.decision import Decision
from handoffsite.records.project import Project
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.search.documents import Document

NewDocument = Callable[..., Document]
NewSnapshot = Callable[..., Snapshot]

STATUSES = {
    "session": ("recorded", "incomplete"),
    "completed": ("proven", "claimed"),
    "decision": ("accepted", "proposed", "superseded"),
    "constraint": ("active", "lifted"),
    "dependency": ("recorded",),
    "thread": ("active", "done"),
}
PAST = {"superseded", "lifted", "done", "proposed"}
IDENTIFIERS = (
    "getUserById",
    "get_user_by_id",
    "src/app/main_test.py",
    "--no-verify",
    "C++",
    "v2.32.4",
    "2.32.4",
    "D-17-k3f",
    "D-17",
    "9f8e7d6a1b2c",
    "日本語の検索",
    "Zürich",
    "foo_bar.baz",
    "std::map",
    ".env",
    "E0308",
)


def _document(id: str = "D-1-k3f", **fields: Any) -> Document:
    values = {
        "kind": "decision",
        "status": "accepted",
        "live": True,
        "title": "",
        "body": "",
        "date": "2026-11-30T18:00:00Z",
        "topic": "",
        "session": "S-1-k3f",
        "url": f"decisions/{id}.html",
        "names": (id,),
    }
    return Document(id=id, **{**values, **fields})


@pytest.fixture
def document() -> NewDocument:
    """Make a document, accepted decision D-1-k3f where nothing else is said."""
    return _document


@pytest.fixture
def many() -> Callable[..., list[Document]]:
    """Make *count* documents of words drawn by Zipf's law, with identifiers among them; the same for the same *seed*."""

    def make(count: int, seed: int = 1) -> list[Document]:
        chance = random.Random(seed)  # noqa: S311 -- the same every time
        words = [
            f"{first}{second}"
            for first in ("re", "in", "con", "to", "ma")
            for second in ("", "quest", "dex", "figure", "ken", "in")
        ]
        weights = [1 / (place + 1) for place in range(len(words))]

        def text(least: int, most: int) -> str:
            drawn: Sequence[str] = chance.choices(words, weights, k=chance.randint(least, most))
            return " ".join(word if chance.random() > 0.08 else chance.choice(IDENTIFIERS) for word in drawn)

        documents = []
        for number in range(1, count + 1):
            kind = chance.choice(tuple(STATUSES))
            status = chance.choice(STATUSES[kind])
            documents.append(
                _document(
                    f"{kind[0].upper()}-{number}-k3f",
                    kind=kind,
                    status=status,
                    live=status not in PAST,
                    title=text(1, 6),
                    body=text(0, 60),
                    date=f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T10:00:00Z",
                    topic=chance.choice(("", "session-store", "Deploy Path")),
                )
            )
        return documents

    return make


@pytest.fixture
def snapshot() -> NewSnapshot:
    """Fold session records, or one with a decision of each given title."""

    def make(*told: SessionRecord | str) -> Snapshot:
        titles = [one for one in told if isinstance(one, str)]
        decisions = tuple(Decision(id=f"D-{number}-k3f", title=title) for number, title in enumerate(titles, 1))
        records = [one for one in told if isinstance(one, SessionRecord)]
        if decisions:
            time = "2026-11-30T18:00:00Z"
            records.append(
                SessionRecord(id="S-1-k3f", source="codex:1", project="atlas", recorded=time, title="First", decisions=decisions)
            )
        folded = history.fold({f"{record.id}.md": record for record in records})
        return Snapshot(
            project=Project(id="p", name="atlas"),
            records=tuple(sorted(records, key=history.order)),
            items=folded.history.items,
            aliases=folded.history.aliases,
            record_set=str(hash((tuple(titles), tuple(record.id for record in records)))),
            files={},
            problems=folded.problems,
        )

    return make
