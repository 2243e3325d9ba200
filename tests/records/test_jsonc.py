import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import Malformed
from handoffsite.records import jsonc

COMMENTED = """{
    // what we allow
    "permissions": {"allow": ["Bash(ls:*)"], /* nothing */ "deny": []},
    "hooks": {
        "SessionStart": [
            {"hooks": [{"type": "command", "command": "their-tool"}]}, // theirs
        ],
    },
}
"""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=4), VALUES, max_size=4)
OURS: dict[str, Any] = {"hooks": [{"command": "handoffsite hook"}]}


def is_ours(value: object) -> bool:
    """Whether we put it there."""
    return "handoffsite" in json.dumps(value)


@given(OBJECTS, st.sampled_from([None, 0, 2, 4, "\t"]))
def test_what_json_reads_is_read_the_same(value: dict[str, Any], indent: int | str | None) -> None:
    """A document of the standard library's, however indented, is the same value here."""
    assert value == jsonc.parse(json.dumps(value, indent=indent)).value


def test_comments_and_trailing_commas_are_read_over() -> None:
    """As the clients that allow them do."""
    assert {"allow": ["Bash(ls:*)"], "deny": []} == jsonc.parse(COMMENTED).value["permissions"]


@given(OBJECTS, st.sampled_from([None, 2, 4, "\t"]))
def test_what_is_appended_can_be_taken_back(value: dict[str, Any], indent: int | str | None) -> None:
    """The same value as before, and in between one element more and nothing else changed."""
    value.pop("ours", None)
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    added = jsonc.append(text, ["ours", "Event"], OURS)

    assert {**value, "ours": {"Event": [OURS]}} == jsonc.parse(added).value
    assert value == jsonc.parse(jsonc.drop(added, ["ours", "Event"], is_ours)).value


def test_a_foreign_entry_stays_byte_for_byte() -> None:
    """Every line that stood there stands there still, comments and all, and taking ours away restores the file."""
    added = jsonc.append(COMMENTED, ["hooks", "SessionStart"], OURS)
    added = jsonc.append(added, ["hooks", "SessionEnd"], OURS)
    for line in COMMENTED.splitlines():
        assert line in added
    gone = jsonc.drop(jsonc.drop(added, ["hooks", "SessionEnd"], is_ours), ["hooks", "SessionStart"], is_ours)

    assert jsonc.parse(COMMENTED).value == jsonc.parse(gone).value
    assert "// theirs" in gone


@pytest.mark.parametrize(
    "text", ["{}", "{\n}\n", '{"a": 1}', '{\n  "a": 1\n}\n', '{"hooks": {}}', "{ // nothing yet\n}\n", "\ufeff{}"]
)
def test_small_files_take_an_entry(text: str) -> None:
    """Empty, in one line, with a comment alone, with a BOM: the entry lands, and is valid."""
    added = jsonc.append(text, ["hooks", "SessionStart"], OURS)

    assert [OURS] == jsonc.parse(added).value["hooks"]["SessionStart"]


def test_put_replaces_and_makes() -> None:
    """What stood at the path is replaced in place; what was missing on the way is made."""
    text = jsonc.put('{"a": {"b": 1, "c": 2}}', ["a", "b"], [1, 2])

    assert {"a": {"b": [1, 2], "c": 2}} == json.loads(text)
    assert {"x": {"y": 3}} == json.loads(jsonc.put("{}", ["x", "y"], 3))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", 1),
        ("", 1),
        ('{\n"a": }', 2),
        ('{"a" 1}', 1),
        ("[1 2]", 1),
        ('{"a": 1}\nx', 2),
        ("{a: 1}", 1),
        ("[" * 500, 1),
        ('{"a": "x', 1),
    ],
)
def test_what_is_no_json_is_named_with_its_line(text: str, line: int) -> None:
    """A file that nobody can read is refused, with the place."""
    with pytest.raises(Malformed) as caught:
        jsonc.parse(text, "settings.json")

    assert ("settings.json", line) == (caught.value.file, caught.value.line)


@pytest.mark.parametrize(("text", "path"), [('{"hooks": []}', ["hooks", "Stop"]), ('{"hooks": {"Stop": {}}}', ["hooks", "Stop"])])
def test_what_is_in_the_way_is_named(text: str, path: list[str]) -> None:
    """A list where an object should be is not overwritten."""
    with pytest.raises(Malformed, match="is not an"):
        jsonc.append(text, path, OURS)


@given(st.text(alphabet='{}[]",:/*\\ntrue01 \n', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing but Malformed is ever raised."""
    with contextlib.suppress(Malformed):
        jsonc.parse(text)
