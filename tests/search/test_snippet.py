"""The line that shows why a document was found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import UsageError
from handoffsite.search.snippet import CUT, LONGEST, snippet
from handoffsite.search.syntax import parse

FILLER = "lorem ipsum dolor sit amet " * 20


def shown(query: str, text: str) -> str:
    """The snippet of *text* for *query*, with each mark between asterisks."""
    found = snippet(parse(query), text)
    line = found.text
    for start, end in reversed(found.marks):
        line = f"{line[:start]}*{line[start:end]}*{line[end:]}"
    return line


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("redis", "We keep\n  sessions in Redis, now.", "We keep sessions in *Redis*, now."),
        ("redis", "nothing of the kind", "nothing of the kind"),
        ("user", "then getUserById() failed.", "then *getUserById*() failed."),
        ("getUserById", "get user by ID", "*get* *user* *by* *ID*"),
        ("cafe", "Déjà vu au Café.", "Déjà vu au *Café*."),
        ("run", "it is running", "it is *running*"),
        ("検索", "日本語の検索テスト", "日本語の*検索*テスト"),
        ("C++", "C and C++.", "C and *C++*."),
        ('"in memory"', "kept in memory", "kept *in* *memory*"),
        ("redis", "", ""),
    ],
)
def test_marks(query: str, text: str, expected: str) -> None:
    """One line, with each match marked, no more of it than what matches."""
    assert expected == shown(query, text)


def test_the_densest_stretch_is_shown() -> None:
    """Where all words stand together, not where the first of them stands alone."""
    line = shown("redis failover", f"redis {FILLER} the redis cluster on failover {FILLER}")

    assert "the *redis* cluster on *failover*" in line
    assert line.startswith(CUT)
    assert line.endswith(CUT)


def test_a_cut_falls_between_words() -> None:
    """What is cut off is whole words, and is shown."""
    line = shown("redis", f"{FILLER} redis {FILLER}").replace("*", "").strip(CUT)

    assert set(line.split()) <= {*FILLER.split(), "redis"}


@given(st.text(max_size=60), st.lists(st.sampled_from(["redis", "C++", "検索", "getUserById", " ", "x" * 90, "é", "ﾃﾞ", ". "])))
def test_any_text(query: str, pieces: list[str]) -> None:
    """A snippet is one short line whose marks ascend, do not touch and lie within it."""
    text = " ".join(pieces)
    try:
        found = snippet(parse(f"redis 検索 {query}"), text)
    except UsageError:
        return
    bounds = [bound for mark in found.marks for bound in mark]

    assert len(found.text) <= LONGEST + 2 * len(CUT)
    assert "\n" not in found.text
    assert bounds == sorted(set(bounds))
    assert not bounds or (bounds[0] >= 0 and bounds[-1] <= len(found.text))
    assert found.text.strip(CUT) in " ".join(text.split())
