import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import Malformed
from handoffsite.records import grammar

TEXT = st.text(max_size=60)
TREE = st.recursive(
    st.none() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
UTF8 = st.text(st.characters(codec="utf-8"), max_size=60)


def wrap(block: str, body: str = "body\n") -> str:
    return f"---\n{block}---\n{body}"


@given(st.dictionaries(TEXT, TREE, max_size=5))
def test_what_is_written_is_read_back(tree: dict[str, object]) -> None:
    """Every tree of strings comes back as it was, control characters included."""
    block = "".join(f"{grammar.scalar(key)}: {grammar.flow(value)}\n" for key, value in tree.items()) or "{}\n"

    assert tree == grammar.yaml(block, "x")


@given(UTF8.filter(lambda text: text.isprintable()))
def test_other_readers_see_the_same_string(text: str) -> None:
    """A scalar that we write is a string to an ordinary YAML reader too, never a number, a date or a boolean."""
    assert {"k": text} == yaml.safe_load(f"k: {grammar.scalar(text)}\n")


@given(st.lists(UTF8, min_size=1, max_size=5))
def test_a_row_keeps_its_cells(texts: list[str]) -> None:
    """Pipes, backslashes and backticks in a cell never shift a column."""
    cells = [grammar.one_line(text) or "-" for text in texts]
    line = "| " + " | ".join(grammar.cell(text) for text in cells) + " |"

    assert cells == grammar.row(line)


def test_a_pipe_in_code_divides_nothing() -> None:
    """A table that a human wrote may hold a bare pipe in a code span."""
    assert ['`grep -E "a|b"`', "x | y"] == grammar.row(r'| `grep -E "a|b"` | x \| y |')


@given(UTF8, st.integers(min_value=0))
def test_a_cut_is_never_taken_for_whole(text: str, cut: int) -> None:
    """A sealed text unseals to itself; cut anywhere, it does not unseal."""
    sealed = grammar.seal(text, "S-1-abc")
    part = sealed[: cut % (len(sealed) - 1)]

    assert (text if text.endswith("\n") else text + "\n") == grammar.unseal(sealed, "x")[0]
    with pytest.raises(Malformed) as caught:
        grammar.unseal(part, "x")
    assert caught.value.code in {"truncated", "edited"}


@pytest.mark.parametrize(
    ("block", "line", "words"),
    [
        ("a: &x 1\nb: *x\n", 2, "aliases"),
        ("a: 1\na: 2\n", 3, "twice"),
        ("- a\n- b\n", 2, "not a list of"),
        ("a: !!python/object:os.system x\n", 2, "tag"),
        ("a: [1, 2\n", 3, "not YAML"),
        ("title: a: b\n", 2, "not YAML"),
        ("a: " + "[" * 50 + "]" * 50 + "\n", 2, "nested deeper"),
        ("? [a, b]\n: c\n", 2, "plain word"),
        ("a: 1\n<<<<<<< ours\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n", 3, "conflict markers"),
    ],
    ids=["alias", "duplicate", "list", "tag", "open", "colon", "deep", "complex key", "merge"],
)
def test_front_matter_is_refused(block: str, line: int, words: str) -> None:
    """What our front matter never holds is an error that names the line."""
    with pytest.raises(Malformed, match=words) as caught:
        grammar.front_matter(wrap(block), "x.md")

    assert (line, "x.md") == (caught.value.line, caught.value.file)


def test_strings_stay_strings() -> None:
    """B90: times, leading zeros, versions and yes/no are read as they are written; null is nothing."""
    block = "start: 10:00\nid: 0012\nv: 1.10\nok: no\nwhen: 2026-11-30\nnone: null\n"

    fields, body, line = grammar.front_matter(wrap(block), "x")

    assert {"start": "10:00", "id": "0012", "v": "1.10", "ok": "no", "when": "2026-11-30", "none": None} == fields
    assert ("body\n", 9, 3) == (body, line, fields.lines["id"])


def test_a_cut_inside_the_front_matter_is_an_error() -> None:
    """A file that ends before its second --- is damaged, not empty."""
    with pytest.raises(Malformed, match="never ends"):
        grammar.front_matter("---\nid: S-1-abc\ntitle: Cut", "x")


@pytest.mark.parametrize("prefix", ["\ufeff", ""])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_byte_order_mark_or_crlf_hides_nothing(prefix: str, newline: str) -> None:
    """Editors on other systems may add both."""
    text = prefix + wrap("a: b\n").replace("\n", newline)

    assert {"a": "b"} == grammar.front_matter(text, "x")[0]


def test_no_front_matter_is_no_error() -> None:
    """A text without the block is all body, a leading rule included."""
    assert ({}, "# Title\n", 1) == grammar.front_matter("# Title\n", "x")


def test_quoted_scalars_are_json() -> None:
    """What is not plain is written as JSON writes it, which is YAML too."""
    assert json.dumps("yes") == grammar.scalar("yes")
    assert "S-42-k3f" == grammar.scalar("S-42-k3f")
