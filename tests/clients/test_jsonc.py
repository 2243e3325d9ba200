"""Settings of JSON are edited as text: what others wrote stays, and what was put in comes out again."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.clients import jsonc
from handoffsite.errors import Malformed

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3), max_leaves=10
)
OBJECTS = st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), VALUES, min_size=1, max_size=4)
INDENTS = st.sampled_from([None, 1, 2, 4, "\t"])


@given(OBJECTS, INDENTS, st.lists(st.dictionaries(st.text(max_size=4), SCALARS, max_size=2), max_size=3), st.booleans())
def test_what_is_put_in_comes_out_again(there: dict[str, Any], indent: Any, handlers: list[Any], windows: bool) -> None:
    """In whatever layout, the others' bytes are the same before, while and after."""
    value = there | ({"hooks": {"Stop": handlers}} if handlers else {})
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    text = text.replace("\n", "\r\n") if windows else text

    new = jsonc.put(text, ("hooks", "Stop"), {"command": "ours"}, listed=True)
    found = jsonc.contents(jsonc.parse(new))

    assert there | {"hooks": {"Stop": [*handlers, {"command": "ours"}]}} == found
    assert text == jsonc.drop(new, ("hooks", "Stop", len(handlers)))


def ours(text: str) -> Any:
    """What we read in *text*, or that it is wrong."""
    try:
        return jsonc.contents(jsonc.parse(text, strict=True))
    except Malformed as error:
        return "wrong" if 1 <= error.line <= text.count("\n") + 1 else error.line


def theirs(text: str) -> Any:
    """What the standard library reads in *text*, or that it is wrong, as no key may stand there twice."""

    def unique(found: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(found)) < len(found):
            raise ValueError("a key twice")
        return dict(found)

    try:
        return json.loads(text, object_pairs_hook=unique)
    except ValueError:
        return "wrong"


@given(st.text(alphabet='{}[]:,"\\/* \n\t1ae-.', max_size=40))
def test_any_text_is_json_or_refused(text: str) -> None:
    """With the line; as the standard library has it."""
    assert theirs(text) == ours(text)


LAYOUTS = [
    '{\n  "a": 1 // one\n}\n',
    '{\n  "a": 1, // one\n  /* two */\n  "b": [1, 2,], // three\n}\n',
    "{\n  // nothing yet\n}\n",
    "\ufeff{}\n",
    '{"a": "// no comment", "b": "/* none */"}',
    '{\n    "hooks": {\n        "Stop": [\n            {"command": "mine"} // keep\n        ],\n    },\n}\n',
]


@pytest.mark.parametrize("text", LAYOUTS)
def test_comments_stay_beside_what_they_speak_of(text: str) -> None:
    """Each line of others' stands there still, but for a comma at its end."""
    new = jsonc.put(text, ("hooks", "Stop"), {"command": "ours"}, listed=True)
    lines = [re.sub(r",?(\s*(?://.*|/\*.*)?)$", r"\1", line) for line in new.splitlines()]

    assert [] == [
        line
        for line in text.splitlines()
        if "//" in line and re.sub(r",?(\s*(?://.*|/\*.*)?)$", r"\1", line) not in lines and "\n" in text
    ]
    assert {"command": "ours"} == jsonc.contents(jsonc.parse(new))["hooks"]["Stop"][-1]


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, // one\n"hooks": {"Stop": []}}',
        '{\n  "hooks": {"Stop": [\n    1/* a */]}/* b */\n}',
        '{"a": 1, // one\n  "hooks": {"Stop": [1, // two\n  2]}}',
        '{"hooks": {"Stop": [1 /* a */, /* b */]}}',
    ],
)
def test_no_comment_swallows_what_follows(text: str) -> None:
    """Wherever the brackets close."""
    there = jsonc.contents(jsonc.parse(text))
    new = jsonc.put(text, ("hooks", "Stop"), {"o": 1}, listed=True)
    back = jsonc.drop(new, ("hooks", "Stop", len(there["hooks"]["Stop"])))

    assert [*there["hooks"]["Stop"], {"o": 1}] == jsonc.contents(jsonc.parse(new))["hooks"]["Stop"]
    assert jsonc.contents(jsonc.parse(back)).get("hooks", {"Stop": []}) == there["hooks"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: not JSON: it ends too early"),
        ('{"a": 1', "1: not JSON: no , or } where one is due"),
        ('{\n"a": 1 "b": 2}', "2: not JSON: no , or } where one is due"),
        ('{"a": tru}', "1: not JSON: no value where one is due"),
        ('{"a": "x\ny"}', "1: not JSON: a text or comment that does not end, or a stray character"),
        ("{} /* x", "1: not JSON: a text or comment that does not end, or a stray character"),
        ('{"a": 1, "a": 2}', "1: not JSON: the key 'a' stands there twice"),
        ("[" * 500, "1: not JSON: nested deeper than 200"),
        ("{} {}", "1: not JSON: more than one value"),
        ("{,}", "1: not JSON: no value where one is due"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    """With its line."""
    with pytest.raises(Malformed) as error:
        jsonc.parse(text)

    assert message == f"{error.value.line}: {error.value.message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"hooks": []}', "hooks is not an object"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop is not a list"),
        ("[]", "the file is not an object"),
    ],
)
def test_nothing_is_put_where_something_else_stands(text: str, message: str) -> None:
    """It is refused, not replaced."""
    with pytest.raises(Malformed, match=message):
        jsonc.put(text, ("hooks", "Stop"), 1, listed=True)
