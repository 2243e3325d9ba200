"""The constraint guard: what repeats an approach that failed, what only speaks of it, and how well that is told apart."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.extract import guard, guard_terms, guard_text
from handoffsite.records.constraint import Constraint

SAMPLES = Path(__file__).parents[1] / "samples" / "guard"
POLLING = Constraint(
    id="C-8-k3f", tried="Polling the warehouse API every five seconds", outcome="429", because="100 requests an hour"
)
LUA = Constraint(id="C-9-x2m", tried="Lua script for rotation of the session key", because="EVAL is disabled")


def found(plan: str, *constraints: Constraint) -> list[tuple[str, int]]:
    return [(one.id, one.line) for one in guard.repetitions(plan, constraints or (POLLING, LUA))]


def test_a_repetition_is_told_with_sentence_and_reason() -> None:
    """Whoever reads the finding knows which line, which constraint, and why it failed."""
    [one] = guard.repetitions("# Stock\n\nRead the docs.\nAsk the warehouse for its stock every ten seconds.", [POLLING, LUA])

    assert ("C-8-k3f", 4, "Ask the warehouse for its stock every ten seconds.") == (one.id, one.line, one.sentence)
    assert (POLLING.tried, "429; 100 requests an hour") == (one.tried, one.reason)


@pytest.mark.parametrize(
    "plan",
    [
        "Query the warehouse API in a loop, every few seconds.",
        "- [ ] Check the warehouse's endpoint each second",
        "1. Refresh the stock from the warehouse on a timer of five seconds.",
        "| step | do |\n| --- | --- |\n| 1 | poll the warehouse API |",
        "Do not forget to poll the warehouse API.",
        "Polling the warehouse API failed last month. Let us poll the warehouse again.",
        "## Steps\n\nWe poll the warehouse API\nevery five seconds.",
    ],
)
def test_other_words_for_it_are_found(plan: str) -> None:
    """However a plan is laid out, and whatever word it uses."""
    assert ["C-8-k3f"] == [id for id, _ in found(plan)]


@pytest.mark.parametrize(
    "plan",
    [
        "Do not poll the warehouse API.",
        "Never poll the warehouse API every five seconds; it answers 429.",
        "Instead of polling the warehouse API, read the file that it leaves on SFTP.",
        "Use the webhook rather than polling the warehouse API.",
        "Polling the warehouse API failed, so use the webhook.",
        "Polling the warehouse API was tried and is ruled out.",
        "We tried to poll the warehouse API every five seconds.",
        "Remove the loop that polls the warehouse API.",
        "Replace the polling of the warehouse API by a webhook.",
        "Move from polling the warehouse API to a webhook.",
        "As C-8 says, the warehouse API is not to be polled every five seconds.",
        "## Do not\n\n- poll the warehouse API every five seconds",
        "## Rejected\n\nPolling the warehouse API every five seconds.",
        "Document why polling the warehouse API failed.",
        "Write a handbook for the warehouse.",
        "",
        "\n\n---\n",
    ],
)
def test_a_warning_is_no_repetition(plan: str) -> None:
    """What a plan advises against, gives up, replaces or only writes down is not adopted."""
    assert found(plan) == []


@pytest.mark.parametrize("status", ["lifted", "rejected", "proposed", "expired"])
def test_only_active_constraints_count(status: str) -> None:
    """A constraint that was lifted or turned down, or that nobody accepted yet, stands in nobody's way."""
    assert found("Poll the warehouse API.", replace(POLLING, status=status)) == []


def test_no_constraints() -> None:
    """A project without constraints lets everything through."""
    assert guard.repetitions("Poll the warehouse API.", []) == []


def measured(folder: str) -> tuple[float, float]:
    """Recall and precision over the plans in *folder*."""
    hits = missed = false = 0
    for path in sorted((SAMPLES / folder).glob("*.json")):
        sample = json.loads(path.read_text(encoding="utf-8"))
        constraints = [Constraint(**one) for one in sample["constraints"]]
        for plan in sample["plans"]:
            ids = {one.id for one in guard.repetitions(plan["text"], constraints)}
            wanted = set(plan["repeats"])
            hits += bool(wanted & ids)
            missed += bool(wanted) and not wanted & ids
            false += bool(ids) and not wanted
    return hits / (hits + missed), hits / (hits + false)


@pytest.mark.parametrize(
    ("folder", "recall", "precision"),
    [
        ("tuned", 0.8, 0.8),  # the words and the weights were made with these in view
        ("sealed", 0.68, 0.85),  # trades that the words know; the weights do not come from them
        ("held_out", 0.35, 0.55),  # trades that nobody had thought of: what a project of a kind of its own may expect
    ],
)
def test_plans_are_told_apart(folder: str, recall: float, precision: float) -> None:
    """Half of the plans repeat what failed in other words, half share its words and do not."""
    found = measured(folder)

    assert found[0] >= recall
    assert found[1] >= precision


@pytest.mark.parametrize("folder", ["tuned", "sealed", "held_out"])
def test_what_failed_is_found_word_for_word(folder: str) -> None:
    """Whoever plans it in the very words of the constraint is told, whatever it is about."""
    missed, count = [], 0
    for path in sorted((SAMPLES / folder).glob("*.json")):
        constraints = [Constraint(**one) for one in json.loads(path.read_text(encoding="utf-8"))["constraints"]]
        for one in constraints:
            count += 1
            if one.id not in {found.id for found in guard.repetitions(f"Let us go back to {one.tried}.", constraints)}:
                missed.append(one.tried)

    assert len(missed) <= 0.05 * count, missed


@given(st.text(max_size=300))
def test_any_text_is_a_plan(text: str) -> None:
    """No input stops the guard, and each sentence is of the plan."""
    lines = text.count("\n") + 1

    assert all(1 <= one.line <= lines for one in guard_text.sentences(text))
    assert all(one.id in {"C-8-k3f", "C-9-x2m"} for one in guard.repetitions(text, [POLLING, LUA]))


@pytest.mark.gate
@pytest.mark.parametrize("unit", ["a ", "do not ", "`", "```\n", "(", "replace x by ", "every ", "aa-", "| ", "\n- ", "was "])
def test_time_is_linear_in_the_plan(unit: str) -> None:
    """A plan of 60 kB of garbage takes no more than a moment."""
    begun = time.process_time()
    guard.repetitions(unit * (60_000 // len(unit)), [POLLING, LUA])

    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("one", "other"),
    [("caching", "caches"), ("retries", "retry"), ("stored", "storing"), ("validation", "validate"), ("scheduler", "schedule")],
)
def test_inflections_have_one_stem(one: str, other: str) -> None:
    """Words are compared without their endings."""
    assert guard_terms.stem(one) == guard_terms.stem(other)


def test_every_group_is_read() -> None:
    """Each choice of the tables is known by its group."""
    known = guard_terms.thesaurus()

    assert len(known.single) > 2_000
    assert all(others for others in known.instead.values())
