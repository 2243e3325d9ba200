"""Texts as every engine sees them."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.search import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foo_bar.baz", ["foo_bar.baz foo_bar foo", "bar", "baz"]),
        ("getUserById()", ["getuserbyid get", "user", "by", "id"]),
        ("HTTPServerError", ["httpservererror http", "server", "error"]),
        ("APIs of E2E tests", ["apis", "of", "e2e", "tests"]),
        ("--no-verify", ["--no-verify no-verify no", "verify"]),
        ("-f", ["-f f"]),
        ("C++, C# and F#.", ["c++", "c#", "and", "f#"]),
        ("C++/Rust", ["c++/rust c++", "rust"]),
        ("C++17", ["c++17 c", "17"]),
        ("13+ and 50%", ["13", "and", "50"]),
        (".env", [".env env"]),
        ("~/.bashrc", ["~/.bashrc .bashrc bashrc"]),
        ("__init__.py", ["__init__.py init__.py __init__ init", "py"]),
        ("std::map<int>", ["std::map std", "map", "int"]),
        ("src/app/main.py", ["src/app/main.py src", "app", "main.py main", "py"]),
        ("C:\\Users", ["c:\\users c", "users"]),
        ("v1.2.3", ["v1.2.3 1.2.3 1", "2", "3"]),
        ("redis==5.2.1.", ["redis", "5.2.1 5", "2", "1"]),
        ("error[E0308]: TS2345", ["error", "e0308", "ts2345"]),
        ("#1234", ["#1234 1234"]),
        ("D-17-k3f", ["d-17-k3f d-17 d", "17", "k3f"]),
        ("S-42-k3f.c1", ["s-42-k3f.c1 s-42.c1 s-42-k3f s-42 s", "42", "k3f", "c1"]),
        ("9F8E7D6A1B", ["9f8e7d6a1b 9f8e7d6"]),
        ("20261130 and effaced", ["20261130", "and", "effaced"]),
        ("@types/node", ["@types/node types/node types", "node"]),
        ("127.0.0.1:5432", ["127.0.0.1:5432 127.0.0.1 127", "0", "0", "1", "5432"]),
        ("Café Zürich Straße Łódź", ["cafe", "zurich", "strasse", "lodz"]),
        ("pre‑commit", ["pre-commit pre", "commit"]),
        ("x\u200by", ["xy"]),
        ("検索", ["検索 検", "索"]),
        ("API検索", ["api", "検索 検", "索"]),
        ("ﾃﾞｰﾀ", ["デー デ", "ータ ー", "タ"]),
        ("“quoted” — it’s", ["quoted", "it", "s"]),
        ("... -- -> && _ # * ?", []),
        ("", []),
    ],
)
def test_whole_first_then_parts(text: str, expected: list[str]) -> None:
    """Each position holds the longest piece that begins there first, and the single word last."""
    found: list[list[str]] = []
    for _, _, (terms, width) in tokens.runs(text):
        positions: list[list[str]] = [[] for _ in range(width)]
        for place, term in terms:
            positions[place].append(term)
        found += positions

    assert expected == [" ".join(terms) for terms in found]


@pytest.mark.parametrize("text", ["getUserById", "get_user_by_id", "get-user/by.id", "GetUser::byId", "get user by id"])
def test_one_phrase_however_it_is_written(text: str) -> None:
    """The words of an identifier stand at the positions at which they would stand with spaces between them."""
    found, end = tokens.places(text)

    assert 4 == end
    assert [[0], [1], [2], [3]] == [found[word] for word in ("get", "user", "by", "id")]


@given(st.text())
def test_every_text(text: str) -> None:
    """Positions ascend within the text's bounds, and no term is empty, long, upper case or with a sign that divides."""
    found, end = tokens.places(text, 5)

    for term, places in found.items():
        assert 0 < len(term) <= tokens.LONGEST
        assert "=" not in term
        assert " " not in term
        assert places == sorted(set(places))
        assert 5 <= places[0]
        assert places[-1] < end


@given(st.text())
def test_composed_or_not(text: str) -> None:
    """A text on one machine composes its accents, on another not: the terms are the same."""
    composed, decomposed = (tokens.places(unicodedata.normalize(form, text)) for form in ("NFC", "NFD"))

    assert composed == decomposed


@given(st.text(st.characters(codec="ascii")))
def test_ascii_has_no_rules_of_its_own(text: str) -> None:
    """The short cut for plain ASCII finds what the whole pattern finds."""
    found, end = tokens.places(text)
    with_more, _ = tokens.places(f"{text} 検")

    assert with_more == {**found, "検": [end]}


@given(st.text())
def test_a_run_stands_where_it_says(text: str) -> None:
    """The bounds of runs ascend, and lie within the text."""
    bounds = [bound for start, end, _ in tokens.runs(text) for bound in (start, end)]

    assert bounds == sorted(bounds)
    assert not bounds or bounds[-1] <= len(text)


@pytest.mark.parametrize("piece", ["a/", "+.", "aA", "-", "a_b.", "v1.", "#", "C++", "é", "検", "=", "\u0301", "9a"])
def test_time_grows_with_length(piece: str) -> None:
    """No text of 100,000 characters takes long, however its signs are chosen."""
    before = time.process_time()
    tokens.places(piece * (100_000 // len(piece)))

    assert time.process_time() - before < 1
