"""One JSON document: every object's line, and what is whole before a cut."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records.transcript import Transcript
from handoffsite.sources.document import document

TEXT = b'{\n "id": "a {brace} in text",\n "messages": [\n  {"n": 1},\n  {\n   "n": 2, "in": {"deep": []}\n  }\n ]\n}\n'


def read(data: bytes) -> tuple[Any, Any, Transcript]:
    transcript = Transcript(format="", read=lambda _: iter(()))
    value, line_of = document(io.BytesIO(data), transcript)
    return value, line_of, transcript


def test_each_object_knows_the_line_on_which_it_opens() -> None:
    """Braces and line breaks inside of texts do not count."""
    value, line_of, transcript = read(TEXT)

    assert [1, 4, 5, 6] == [line_of(one) for one in (value, *value["messages"], value["messages"][1]["in"])]
    assert (9, 0, False) == (transcript.account.lines, transcript.account.bad, transcript.incomplete)


def test_a_cut_document_is_read_up_to_its_last_whole_object() -> None:
    """The writer may still be at it; the account says where it broke off."""
    value, line_of, transcript = read(TEXT[: TEXT.index(b"]}\n") + 1])

    assert ([{"n": 1}], 4) == (value["messages"], line_of(value["messages"][0]))
    assert transcript.incomplete
    assert [6] == [skipped.line for skipped in transcript.account.skipped]


def test_a_fault_in_the_middle_costs_what_stands_behind_it() -> None:
    """What was read before it is kept, and the account names line and column."""
    value, _, transcript = read(TEXT.replace(b'"n": 2,', b'"n": 2 oops,'))

    assert [{"n": 1}] == value["messages"]
    assert (6, "not JSON: Expecting ',' delimiter at column 11; what stands behind it was not read") == (
        transcript.account.skipped[0].line,
        transcript.account.skipped[0].reason,
    )


@given(
    st.recursive(st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)), st.integers(0, 3)
)
def test_any_document_gives_its_value(value: Any, indent: int) -> None:
    """However it is laid out."""
    assert value == read(json.dumps(value, indent=indent or None).encode())[0]


@given(st.binary(max_size=200))
def test_any_bytes_are_survived(data: bytes) -> None:
    """No error, and every object that is found has a line within the file."""
    value, line_of, transcript = read(data)
    if isinstance(value, dict):
        assert 1 <= line_of(value) <= max(1, transcript.account.lines)


def test_an_unclosed_text_is_looked_at_once() -> None:
    """However many escaped quotes stand in it: what takes the square of its length would not come to its end."""
    value, _, transcript = read(b'{"messages": [{"n": 1}, {"n": "' + b'\\"' * 500_000)

    assert {"messages": [{"n": 1}]} == value
    assert transcript.incomplete


VALUES = st.recursive(
    st.sampled_from([1, "}", "{", "{}", "a\n}", "},", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "}", "{", "b"]), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, st.lists(st.sampled_from(["", "", "\n", " ", "\n  "]), min_size=1, max_size=9), st.sampled_from([None, 0, 2]))
def test_objects_have_their_lines_in_any_layout(value: Any, gaps: list[str], indent: int | None) -> None:
    """Also where braces share lines with others, or stand in texts: the line is that of the brace, counted in the text before it."""
    text = json.dumps(value, indent=indent)
    pieces = re.findall(r'"(?:[^"\\]|\\.)*"|\s+|[^\s"{}\[\],:]+|[{}\[\],:]', text)
    text = "".join(piece + gaps[at % len(gaps)] for at, piece in enumerate(pieces))
    found, line_of, _ = read(text.encode())
    opens = iter(text.count("\n", 0, brace.start()) + 1 for brace in re.finditer(r'"(?:[^"\\]|\\.)*"|(\{)', text) if brace[1])

    def opening_order(one: Any) -> Iterator[Any]:
        if isinstance(one, dict):
            yield one
        for inner in one.values() if isinstance(one, dict) else one if isinstance(one, list) else ():
            yield from opening_order(inner)

    assert value == found
    assert [line_of(one) for one in opening_order(found)] == list(opens)
