from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.records import grammar, state
from handoffsite.records.budget import tokens
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.item import Item, Value
from handoffsite.records.state import State
from handoffsite.records.thread import Thread

WORD = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)


def item(value: Value, minute: int = 0) -> Item:
    when = f"2026-11-01T{minute // 60:02}:{minute % 60:02}:00Z"
    return Item(value=value, session="S-1-abc", defined=when, touched=when)


def decisions(count: int, text: str = "Keep sessions in Redis") -> list[Item]:
    return [
        item(Decision(id=f"D-{n}-abc", title=f"{text} {n}", rationale="Two nodes must share them " * 3), n)
        for n in range(1, count + 1)
    ]


def constraints(count: int) -> list[Item]:
    return [
        item(Constraint(id=f"C-{n}-abc", tried=f"Approach {n}", outcome="refused " * 9, because="EVAL is off"), n)
        for n in range(1, count + 1)
    ]


def blank(limit: int = 2000) -> State:
    return State(project="atlas", generation=3, record_set="0" * 64, limit=limit, focus="Ship sign-in")


def test_what_fits_is_shown_whole() -> None:
    """Every live item stands with all its columns, and the budget says what the file really costs."""
    full = replace(
        blank(),
        decisions=decisions(3),
        decided=3,
        constraints=constraints(2),
        threads=[item(Thread(id="T-1-abc", title="Rotate"))],
    )

    text, budget = state.dumps(full)

    assert (tokens(text), False) == (budget.used, budget.over)
    assert 3 == text.count("Two nodes must share them Two nodes")
    assert f"used: {budget.used}" in text


def test_old_decisions_shrink_first() -> None:
    """Least recently touched first to ID and title, then to a count; constraints stay whole as long as a decision is shown."""
    crowded = replace(blank(1000), decisions=decisions(40), decided=40, constraints=constraints(5))

    text, budget = state.dumps(crowded)

    assert not budget.over
    assert 5 == text.count("EVAL is off")
    assert "| D-40-abc | accepted | Keep sessions in Redis 40 | Two nodes" in text
    assert "| D-1-abc | accepted | Keep sessions in Redis 1 |  |" in text

    text, budget = state.dumps(replace(crowded, decisions=decisions(200), decided=200))

    shown = text.count("| D-")
    assert not budget.over
    assert ("D-1-abc" in text, "D-200-abc" in text) == (False, True)
    assert f"{200 - shown} more decisions" in text


def test_a_constraint_is_never_left_out() -> None:
    """When nothing else can give way, the constraints shrink to what was tried, and then the budget is exceeded and says so."""
    crowded = replace(blank(500), decisions=decisions(10), decided=10, constraints=constraints(100))

    text, budget = state.dumps(crowded)

    assert budget.over
    assert "over: true" in text
    assert 100 == text.count("| C-")
    assert "refused" not in text


@settings(max_examples=50)
@given(st.lists(WORD, max_size=30), st.integers(200, 1500))
def test_the_text_is_sealed_and_bounded(titles: list[str], limit: int) -> None:
    """Whatever the texts, the file unseals, gives its generation back, and stays in its budget while decisions can shrink."""
    items = [item(Decision(id=f"D-{n}-abc", title=title, rationale=title * 3), n) for n, title in enumerate(titles, 1)]

    text, budget = state.dumps(replace(blank(limit), decisions=items, decided=len(items)))

    assert f"state generation=3 records={'0' * 16} " in text.splitlines()[-1]
    assert grammar.unseal(text, "STATE.md")
    assert not budget.over
    for line in text.splitlines():
        if line.startswith("| D-"):
            assert 4 == len(grammar.row(line)) or "" == grammar.row(line)[-1]


def test_a_long_focus_points_to_its_session() -> None:
    """A focus longer than its share is cut between characters, and says where the whole of it stands."""
    text, _ = state.dumps(replace(blank(), focus="焦点" * 500, session="S-9-abc"))

    assert "(whole in S-9-abc)" in text
    assert "\ufffd" not in text
