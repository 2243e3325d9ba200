"""What no item tells is kept, line by line."""

from hypothesis import given
from hypothesis import strategies as st

from handoffsite.sources.remainder import Told, remainder, words

TEXT = """## Completed

- [x] **Login** posts to `/api/session`
- Rotation has a test, because it broke twice

## Odd

| Task | Owner |
| --- | --- |
| Rotate | api |
| Remove | web |

```sh
# make
make rotate
```
"""


def test_lines_that_an_item_tells_go() -> None:
    """A line goes where one text of the item on it holds it whole; a sentence that was taken apart stays as it was written."""
    told = Told.of({3: ["Login posts to /api/session"], 4: ["Rotation has a test", "it broke twice"], 10: ["Rotate", "api"]})

    assert remainder(TEXT, told).split("\n") == [
        "## Completed", "", "- Rotation has a test, because it broke twice", "", "## Odd", "", "| Task | Owner |", "| --- | --- |",
        "| Remove | web |", "", "```sh", "# make", "make rotate", "```",
    ]  # fmt: skip


def test_an_item_tells_nothing_of_other_lines() -> None:
    """The words of an item cover its own lines, and not the same words elsewhere."""
    told = Told.of({1: ["Fix the build"]})

    assert (
        remainder("- Fix the build\n\n## Later\n\n- Fix the build", Told.of({1: ["Fix the build"], 5: ["another"]}))
        == "## Later\n\n- Fix the build"
    )
    assert remainder("- Fix the build now", told) == "- Fix the build now"


def test_what_was_kept_before_is_not_kept_again() -> None:
    """Of a newer version only the new lines stay, beneath their headings."""
    assert remainder("# A\n\nOld.\n\n## B\n\nNew.", Told.of({}, lines=["# A", "Old.", "## B"])) == "# A\n\n## B\n\nNew."


LINES = st.lists(
    st.sampled_from(
        ["# a", "## completed", "- b c", "b c. d", "| b | c |", "|---|---|", "```", "", "---", "1. x", "é 中", "None."]
    ),
    max_size=30,
)


@given(LINES, st.dictionaries(st.integers(1, 30), st.lists(st.sampled_from(["b c", "d", "x", "a", "b"]), max_size=3), max_size=5))
def test_no_sentence_is_lost(lines: list[str], items: dict[int, list[str]]) -> None:
    """Whatever stands in a text stands in an item or in what is kept, but for the headings that a record has too."""
    kept = words(remainder("\n".join(lines), Told.of(items)))
    told = " ".join(words(text) for texts in items.values() for text in texts)
    said = [line.removeprefix("1. ") for line in lines if line != "## completed"]  # the number of a list's item is no word of it

    assert {word for line in said for word in words(line).split()} <= {*kept.split(), *told.split()}
