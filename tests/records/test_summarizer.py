import pytest

from handoffsite.records import summarizer


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (summarizer.OPENING, True),
        (f"\n  {summarizer.OPENING}\nthe log", True),
        (f"Why does it say {summarizer.OPENING!r}?", False),
        ("", False),
    ],
)
def test_what_we_ask_is_known_by_its_beginning(prompt: str, expected: bool) -> None:
    """A human who quotes it is not taken for us."""
    assert expected == summarizer.is_ours(prompt)
