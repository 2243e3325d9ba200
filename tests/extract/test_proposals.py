"""Proposals: what of a summariser's answer may stand in a record."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import Malformed
from handoffsite.extract.digest import Digest
from handoffsite.extract.proposals import Proposals, proposals
from handoffsite.records import summarizer
from handoffsite.records.transcript import Event


def log() -> Digest:
    digest = Digest(str)
    digest.see(Event(line=1, kind="prompt", actor="human", text="Cache the rates", message="m1"))
    digest.see(Event(line=9, kind="text", text="Cached."))
    return digest


def proposed(answer: Any, known: tuple[tuple[str, str], ...] = ()) -> Proposals:
    return proposals(answer, log(), known, "answerer")


def decision(**fields: Any) -> dict[str, Any]:
    return {"decisions": [{"title": "Cache the rates", "evidence": ["transcript:1"], **fields}]}


def test_an_item_with_its_evidence() -> None:
    """It is proposed, cites its lines and who proposed it, and brings their quotations and messages."""
    found = proposed(
        decision(rationale="They change daily", alternatives=["no cache"], evidence=["transcript:1", "transcript:4-6"])
    )
    [item] = found.decisions

    assert ("proposed", "They change daily", ("no cache",)) == (item.status, item.rationale, item.alternatives)
    assert ("transcript:1", "transcript:4-6", "summarizer:answerer") == item.evidence
    assert ({"transcript:1": "Cache the rates"}, ["transcript:1"]) == (found.quotes, list(found.messages))
    assert [] == found.warnings


@pytest.mark.parametrize(
    ("fields", "warning"),
    [
        ({"evidence": ["transcript:10"]}, "cites transcript:10, which the log does not have"),
        ({"evidence": ["transcript:10"]}, "cites no line of the log"),
        ({"evidence": []}, "cites no line of the log"),
        ({"evidence": "transcript:1"}, "cites no line of the log"),
        ({"evidence": [1]}, "cites 1, which the log does not have"),
        ({"evidence": None}, "cites no line of the log"),
        ({"evidence": ["commit:1a2b3c4", "note:1"]}, "cites commit:1a2b3c4, note:1, which"),
        ({"title": None}, "has no title"),
        ({"title": " \n\u200b "[:2]}, "has no title"),
        ({"title": ["x"]}, "has a title that is no text"),
        ({"title": "x" * 801}, "has a title of 801 characters"),
        ({"rationale": {}}, "has a rationale that is no text"),
        ({"alternatives": "none"}, "alternatives are no list of texts"),
        ({"alternatives": [1]}, "alternatives are no list of texts"),
    ],
)
def test_what_does_not_fit_is_left_out(fields: dict[str, Any], warning: str) -> None:
    """An item without a headline or a line of the log, or with a field of another kind, is dropped and named."""
    found = proposed(decision(**fields))

    assert [] == found.decisions
    assert any(warning in one for one in found.warnings)


def test_one_line_that_exists_is_enough() -> None:
    """An invented address is dropped and named; the item stands on the others."""
    found = proposed(decision(evidence=["transcript:1", "transcript:77"]))

    assert [("transcript:1", "summarizer:answerer")] == [item.evidence for item in found.decisions]
    assert ["decision 1 cites transcript:77, which the log does not have"] == found.warnings


@pytest.mark.parametrize(
    ("known", "count"),
    [
        ((("decision", "cache the rates"),), 1),
        ((("decision", "A cache holds the rates"),), 1),
        ((("constraint", "Cache the rates"),), 0),
        ((("decision", "Print the invoices"),), 0),
    ],
)
def test_what_is_known_is_not_proposed(known: tuple[tuple[str, str], ...], count: int) -> None:
    """In the same words or in others, of the same kind."""
    found = proposed(decision(), known)

    assert (count, 1 - count) == (found.known, len(found.decisions))


def test_the_same_twice_is_proposed_once() -> None:
    """A summariser that repeats itself is heard once."""
    item = decision()["decisions"][0]
    found = proposed({"decisions": [item, item]})

    assert (1, 1) == (len(found.decisions), found.known)


def test_more_than_can_be_reviewed_is_not_read() -> None:
    """The first items count, and the warning says how many there were."""
    items = [{"tried": f"Way number {number}", "evidence": ["transcript:1"]} for number in range(50)]
    found = proposed({"constraints": items})

    assert ["of 50 constraints, the first 20 were read"] == found.warnings
    assert 20 == len(found.constraints) + found.known


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(["transcript:1", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["title", "tried", "evidence", "alternatives", "status", "decisions", "constraints"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["decisions", "constraints", "completed"]), JSON))
def test_any_json_comes_to_proposals_or_warnings(answer: dict[str, Any]) -> None:
    """Whatever is printed, each item is proposed, has one line as its headline, and cites the log."""
    found = proposed(answer)
    items = [(one.status, one.title, one.evidence) for one in found.decisions]
    items += [(one.status, one.tried, one.evidence) for one in found.constraints]

    for status, headline, evidence in items:
        assert "proposed" == status
        assert headline == " ".join(headline.split())
        assert 0 < len(headline) <= summarizer.HEADLINE
        assert evidence[0].startswith("transcript:")
        assert "summarizer:answerer" == evidence[-1]


@pytest.mark.parametrize(
    "output",
    [
        '{"decisions": [], "constraints": []}',
        'Sure!\n\n```json\n{"decisions": [],\n "constraints": []}\n```\nAnything else?',
        'I thought {about it} and {"x": {"y": 1}}; so: {"decisions": [], "constraints": []} {"decisions": [1]}',
        '\ufeff{"constraints": [], "decisions": []}',
    ],
    ids=["bare", "fence", "prose", "mark"],
)
def test_the_answer_is_found(output: str) -> None:
    """In whatever prose or fence it stands, the first object that proposes counts."""
    assert {"decisions": [], "constraints": []} == summarizer.answer(output)


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(['{"decisions":', "{", "[", '"', "}", ",", "1e999999", "9" * 5_000]), max_size=9).map("".join)
)
def test_what_is_no_answer_is_malformed(output: str) -> None:
    """Nothing that is printed is an error of another kind."""
    try:
        found = summarizer.answer(output)
    except Malformed:
        return

    assert {"decisions", "constraints"} & found.keys()


def test_an_answer_by_the_schema_is_taken_whole() -> None:
    """What is published is what is read: an item with every field of the schema loses none and draws no warning."""
    lists = summarizer.answer_schema()["properties"]
    answer: dict[str, Any] = {}
    for name, schema in lists.items():
        texts = {field: f"{field} of it" for field, one in schema["items"]["properties"].items() if one["type"] == "string"}
        others = {"alternatives": ["another"]} if "alternatives" in schema["items"]["properties"] else {}
        answer[name] = [{**texts, **others, "evidence": ["transcript:1"]}]
    found = proposed(json.loads(json.dumps(answer)))

    assert ([], 1, 1) == (found.warnings, len(found.decisions), len(found.constraints))
    assert ("title of it", "rationale of it", "context of it", ("another",)) == (
        found.decisions[0].title,
        found.decisions[0].rationale,
        found.decisions[0].context,
        found.decisions[0].alternatives,
    )
