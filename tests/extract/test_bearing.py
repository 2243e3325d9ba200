"""What bears on a text is found by its words, inflected, divided, joined, or of the same meaning."""

import pytest

from handoffsite.extract.bearing import ranked, stems

OTHERS = tuple(
    stems(text)
    for text in (
        "Lua script for rotation of session keys",
        "Serve images from the proxy",
        "Ein Café für Zürich",
        "認証トークンの更新",
        "SessionStore in Redis",
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rotate the session key with Lua scripts", 0),
        ("images behind the proxies", 1),
        ("a cafe in Zurich", 2),
        ("トークンを更新する", 3),
        ("the session store", 4),
        ("sessionstore", 4),
    ],
)
def test_what_shares_most_comes_first(text: str, expected: int) -> None:
    """Endings, accents, capitals and the lack of spaces make no difference."""
    found = ranked(text, OTHERS)

    assert expected == found[0].place
    assert found[0].near


@pytest.mark.parametrize("text", ["", "the of and", "¿?¡!", "zzzz", "\ud800"])
def test_a_text_that_tells_nothing_finds_nothing(text: str) -> None:
    """Nor is it an error."""
    assert [] == ranked(text, OTHERS)


def test_what_all_say_tells_little() -> None:
    """A rare word decides."""
    others = [stems(text) for text in (*(f"redis note {number}" for number in range(50)), "redis failover")]

    assert 50 == ranked("redis failover", others)[0].place
    assert [50] == [one.place for one in ranked("redis failover", others) if one.near]
