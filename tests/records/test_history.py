from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.records import entry, history, session
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.history import Folded, History
from handoffsite.records.session import Retirement, SessionRecord, Update
from handoffsite.records.thread import Thread


class Project:
    """A project that grows record by record, as clones do."""

    def __init__(self, records: Sequence[SessionRecord] = ()) -> None:
        self.records = list(records)

    def add(self, source: str = "", minute: int = -1, **fields: Any) -> SessionRecord:
        minute = len(self.records) if minute < 0 else minute
        when = f"2026-11-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00Z"
        record = SessionRecord(source=source or f"note:{len(self.records)}", project="p", recorded=when, **fields)
        highest: dict[str, int] = {}
        for known in self.records:
            for id in (known.id, *(value.id for value in known.items())):
                letter, number = id.split("-")[:2]
                highest[letter] = max(highest.get(letter, 0), int(number))
        numbered = session.numbered(record, highest)
        self.records.append(numbered)
        return numbered

    def fold(self) -> History:
        return self.folded().history

    def codes(self) -> list[str]:
        return [problem.code for problem in self.folded().problems]

    def folded(self) -> Folded:
        return history.fold({f"{record.id}-{place}": record for place, record in enumerate(self.records)})


def status(found: History, id: str) -> str:
    item = found.get(id)
    assert item
    return item.status


def test_a_replaced_decision_shows_the_chain_at_both_ends() -> None:
    """The old decision names the new one, with the record that replaced it; the new one names the old."""
    project = Project()
    old = project.add(decisions=(Decision(title="Signed cookies"),)).decisions[0].id
    new = project.add(decisions=(Decision(title="Redis", supersedes=(old,)),)).decisions[0].id

    found = project.fold()

    item = found.get(old)
    assert item
    assert ("superseded", new) == (item.status, item.superseded_by)
    assert [f"replaced by {new}"] == [step.reason for step in item.steps]


def test_a_proposal_replaces_nothing_until_it_is_accepted() -> None:
    """What was only mined from prose does not retire a decision that somebody made."""
    project = Project()
    old = project.add(decisions=(Decision(title="Signed cookies"),)).decisions[0].id
    new = project.add(decisions=(Decision(title="Redis", status="proposed", supersedes=(old,)),)).decisions[0].id
    before = status(project.fold(), old)
    project.add("act:1", updates=(Update(id=new, changes={"status": "accepted"}),))

    assert ("accepted", "superseded") == (before, status(project.fold(), old))


def test_a_session_recorded_twice_is_there_once() -> None:
    """After a merge of two clones the first record of a session stands, and the other's IDs are its aliases."""
    base = Project()
    base.add(decisions=(Decision(title="Before the clone"),))
    one, other = Project(base.records), Project(base.records)
    other.add(decisions=(Decision(title="Only here"),))
    items = {"completed": (Completed(text="Sign-in"),), "decisions": (Decision(title="Keep sessions in Redis"),)}
    mine = one.add("claude-code:7", minute=10, **items)
    theirs = other.add("claude-code:7", minute=11, **items)

    found = Project([*one.records, *other.records[1:]]).fold()

    assert mine.id != theirs.id
    assert mine.decisions[0].id != theirs.decisions[0].id
    assert found.get(mine.decisions[0].id) == found.get(theirs.decisions[0].id)
    titles = [item.title for item in found.items.values()]
    assert sorted(set(titles)) == sorted(titles)


def test_a_twin_is_no_second_session() -> None:
    """One ID in two files, as clones that knew the same make it, is one record; another number is an alias of the first."""
    project = Project()
    first = project.add("claude-code:7", completed=(Completed(text="Sign-in"),))
    project.records.append(replace(first, recorded="2026-11-09T00:00:00Z"))
    third = session.numbered(replace(first, recorded="2026-11-10T00:00:00Z"), {"S": 6})
    project.records.append(third)

    found = project.folded()

    assert {f"{first.id}-1", f"{third.id}-2"} == found.twins
    assert {third.id: first.id, f"{third.id}.c1": f"{first.id}.c1"} == found.history.aliases
    assert () == found.problems


def test_both_clones_follow_a_session_up() -> None:
    """What both follow-ups hold is there once, what only one holds is there too, and no ID changes its meaning."""
    base = Project()
    base.add("claude-code:7", completed=(Completed(text="First"),))
    one, other = Project(base.records), Project(base.records)
    mine = one.add("claude-code:7", minute=10, completed=(Completed(text="Second"),))
    theirs = other.add("claude-code:7", minute=11, completed=(Completed(text="Second"), Completed(text="Third")))

    found = Project([*one.records, *other.records[1:]]).fold()

    assert ["First", "Second", "Third"] == [item.title for item in found.items.values()]
    for value in (*mine.items(), *theirs.items()):
        item = found.get(value.id)
        assert item
        assert value.headline == item.title


def test_a_claim_becomes_proven_by_a_later_record() -> None:
    """The log of a session that wrote its own note proves what the note only said; the evidence adds up."""
    project = Project()
    note = project.add("note:1", completed=(Completed(text="Sign-in", evidence=("note:3",)),))
    project.add(
        "claude-code:7",
        follows=note.id,
        updates=(Update(id=note.completed[0].id, changes={"status": "proven"}, evidence=("transcript:9",)),),
    )

    item = project.fold().get(note.completed[0].id)

    assert item
    assert ("proven", ("note:3", "transcript:9")) == (item.status, item.value.evidence)


def test_evidence_of_another_session_stays_with_its_step() -> None:
    """Line 9 of another session's log is not line 9 of this one's."""
    project = Project()
    first = project.add("claude-code:1", decisions=(Decision(title="Redis", evidence=("transcript:4",)),))
    project.add("claude-code:2", updates=(Update(id=first.decisions[0].id, evidence=("transcript:9",)),))

    item = project.fold().get(first.decisions[0].id)

    assert item
    assert (("transcript:4",), ("transcript:9",)) == (item.value.evidence, item.steps[0].evidence)


def test_retiring_a_session_retires_what_it_introduced() -> None:
    """A decision is retired, a constraint lifted, a thread done; what was replaced already stays replaced."""
    project = Project()
    record = project.add(
        decisions=(Decision(title="a"),),
        constraints=(Constraint(tried="b"),),
        threads=(Thread(title="c"),),
        completed=(Completed(text="d"),),
    )
    project.add("act:1", retired=(Retirement(id=record.id, reason="wrong project"),))

    found = project.fold()

    assert ["retired", "retired", "lifted", "done"] == [status(found, value.id) for value in record.items()]


def test_unreviewed_proposals_expire() -> None:
    """After ten sessions in which nobody looked at it a proposal is archived; acts are not sessions, and a word in time keeps it."""
    project = Project()
    record = project.add(decisions=(Decision(title="a", status="proposed"), Decision(title="b", status="proposed")))
    project.add("act:1", updates=(Update(id=record.decisions[1].id, changes={"status": "accepted"}),))
    for _ in range(9):
        project.add()
    before = status(project.fold(), record.decisions[0].id)
    project.add()

    found = project.fold()

    assert "proposed" == before
    assert ["expired", "accepted"] == [status(found, value.id) for value in record.decisions]


def test_unknown_ids_and_double_definitions_are_named() -> None:
    """A word on an ID that no record defines, and one ID with two meanings, are problems that name them."""
    project = Project()
    record = project.add(decisions=(Decision(title="a"),))
    twin = replace(record, source="note:other", decisions=(replace(record.decisions[0], title="b"),))
    project.records.append(twin)
    project.add("act:1", updates=(Update(id="D-99-xyz", changes={"status": "rejected"}),), retired=(Retirement(id="C-9-xyz"),))

    assert ["id-defined-twice", "unknown-id", "unknown-id"] == project.codes()


@settings(max_examples=40)
@given(st.permutations(range(6)))
def test_the_order_of_files_does_not_matter(order: list[int]) -> None:
    """Git may bring records in any order: the fold is the same."""
    project = Project()
    first = project.add(decisions=(Decision(title="a", topic="x"),), threads=(Thread(title="t"),))
    second = project.add(decisions=(Decision(title="b", supersedes=(first.decisions[0].id,)),))
    project.add("act:1", updates=(Update(id=first.threads[0].id, changes={"status": "done"}),))
    project.add(retired=(Retirement(id=second.decisions[0].id, reason="no"),))
    project.add(constraints=(Constraint(tried="c"),))
    project.add("note:4", decisions=(Decision(title="d"),))

    shuffled = Project([project.records[place] for place in order])

    assert project.fold() == shuffled.fold()


def test_an_item_survives_its_cache() -> None:
    """An item with its whole history is the same after a round trip through JSON."""
    project = Project()
    old = project.add(decisions=(Decision(title="a", alternatives=("x", "y"), evidence=("note:1",)),)).decisions[0].id
    new = project.add(decisions=(Decision(title="b"),)).decisions[0].id
    project.add("act:1", updates=(Update(id=new, changes={"supersedes": (old,), "alternatives": ("z",)}),))
    items = project.fold().items

    assert [items[old], items[new]] == [entry.loads_item(entry.dumps_item(items[id])) for id in (old, new)]
