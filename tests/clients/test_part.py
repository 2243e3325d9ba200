"""What is added to a file is there once, and taken out again it leaves what was there."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.clients.part import Block, Toml, Whole, holds
from handoffsite.errors import Malformed

BLOCK = Block(file=Path("AGENTS.md"), what="instructions", text="## State\n\nIt is kept.")
TABLE = Toml(file=Path("c.toml"), what="MCP server", table=("mcp_servers", "handoffsite"), pairs={"command": '"handoffsite"'})
LINES = st.lists(st.sampled_from(["", "# Mine", "text", "  indented", "```", "<!-- a comment -->", "- item"]), max_size=6)
ENDS = st.sampled_from(["\n", "\r\n"])


@given(LINES, ENDS, st.booleans(), LINES)
def test_a_block_comes_out_again(lines: list[str], end: str, is_ended: bool, later: list[str]) -> None:
    """Also from between what others wrote meanwhile; but for a line break at the end of the file, where there was none."""
    text = end.join(lines) + end * is_ended
    new = BLOCK.added(text)
    more = new + "".join(f"{line}{end}" for line in later)

    assert new == BLOCK.added(new)
    assert new.startswith(text)
    assert (text.rstrip() or None) == (left.rstrip() if (left := BLOCK.removed(new)) else None)
    if is_ended and text.strip() and "\n" in text:
        assert text == left
        assert f"{text}{''.join(f'{line}{end}' for line in later)}" == BLOCK.removed(more)


TABLES = st.lists(
    st.sampled_from(
        [
            "# mine",
            'model = "m" # fast',
            "",
            "[a]\nb = 1",
            "[mcp_servers.other]\ncommand = 'x'",
            "[[list]]\nx = 1",
            '[t]\ns = """\n[mcp_servers.x]\n"""',
        ]
    ),
    max_size=4,
    unique=True,
)


@given(TABLES, ENDS, st.booleans())
def test_a_table_comes_out_again(parts: list[str], end: str, is_ended: bool) -> None:
    """And what it stood behind means the same, whatever that was."""
    first = [one for one in parts if not one.startswith("[")]
    text = "\n".join([*first, *(one for one in parts if one.startswith("["))]).replace("\n", end) + end * is_ended
    new = TABLE.added(text)
    before, after = tomllib.loads(text.replace("\r\n", "\n")), tomllib.loads(new.replace("\r\n", "\n"))

    assert new == TABLE.added(new)
    assert new.startswith(text)
    assert {"command": "handoffsite"} == after["mcp_servers"].pop("handoffsite")
    assert before == (
        {key: value for key, value in after.items() if value or key != "mcp_servers"} if "mcp_servers" not in before else after
    )
    assert (text.rstrip() or None) == (left.rstrip() if (left := TABLE.removed(new)) else None)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- handoffsite:begin -->\n",
        "<!-- handoffsite:end -->\n",
        "<!-- handoffsite:end -->\n<!-- handoffsite:begin -->\n",
        "<!-- handoffsite:begin -->\n<!-- handoffsite:begin -->\n<!-- handoffsite:end -->\n",
    ],
)
def test_marks_that_do_not_pair_are_refused(text: str) -> None:
    """Whatever stands between them may be somebody else's."""
    with pytest.raises(Malformed, match="do not pair"):
        BLOCK.added(text)
    with pytest.raises(Malformed, match="do not pair"):
        BLOCK.removed(text)


def test_what_stands_is_told_from_what_does_not() -> None:
    """As it is now, as it was once, or not at all; a file of somebody else's has none of it."""
    whole = Whole(file=Path("SKILL.md"), what="skill", text="by: us\nnew\n", seal="by: us")

    assert [None, True, False, None] == [holds(whole, text) for text in (None, "by: us\nnew\n", "by: us\nold\n", "mine\n")]
    assert [None, True, False, None] == [
        holds(BLOCK, text) for text in (None, BLOCK.added(""), BLOCK.added("").replace("kept", "lost"), "# Mine\n")
    ]
    assert [None, True, None] == [
        holds(TABLE, text) for text in (None, TABLE.added(""), "[mcp_servers.handoffsite]\ncommand = 'x'\n")
    ]
