"""An `.omg/` folder: Markdown whole, and memory in JSON."""

from pathlib import Path

import pytest

from handoffsite.errors import Malformed
from handoffsite.sources import omg

SAMPLES = Path(__file__).parents[1] / "samples" / "omg" / ".omg"


def test_memory_gives_what_its_keys_say() -> None:
    """The plan in hand, a review that turned one down, orders and decisions become items; all of it is kept whole."""
    text = (SAMPLES / "memory.json").read_text(encoding="utf-8")
    (part,) = omg.read(text, "memory.json")

    assert ["The tariff page", "Fix what the review by critic turned down"] == [one.title for one in part.note.threads]
    assert [("Never touch the tax table by hand", "it is audited", ("note:4",))] == [
        (one.tried, one.because, one.evidence) for one in part.note.constraints
    ]
    assert ["Prices are shown with tax"] == [one.title for one in part.note.decisions]
    assert (text.rstrip() in part.text, True, "2026-10-05T10:00:00Z") == (True, part.whole, part.day)


def test_plans_are_kept_whole() -> None:
    """What a plan's headings name becomes items; the whole text goes along."""
    text = (SAMPLES / "plans" / "tariff.md").read_text(encoding="utf-8")
    (part,) = omg.read(text, "plans/tariff.md")

    assert ["The page is static"] == [one.title for one in part.note.decisions]
    assert (text, True) == (part.text, part.whole)


@pytest.mark.parametrize("text", ['{"a": ', "[" * 100_000, "", '{"a": "\0"}'])
def test_bad_json_is_refused(text: str) -> None:
    """What is cut, nested without end, empty or binary is an error."""
    with pytest.raises(Malformed):
        omg.read(text, "memory.json")


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "3",
        '"x"',
        '[{"key": "omg:active-plan", "value": {"title": "P"}}]',
        '{"decisions": {"a": 1}}',
        '{"tasks": [1, null, {}]}',
    ],
)
def test_odd_json_is_kept(text: str) -> None:
    """JSON of any shape is kept whole."""
    assert text in omg.read(text, "memory.json")[0].text
