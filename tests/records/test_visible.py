"""Hidden characters are shown, and writing that needs them is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records.visible import invisible, visible

HIDDEN = [
    "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad",  # zero-width
    "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u200e", "\u200f", "\u061c",  # bidi
    "\U000e0041", "\U000e007f", "\U000e0001",  # tags
    "\ufe0f", "\U000e0100", "\u034f", "\u2028", "\u2029", "\u3164", "\u115f", "\u180e", "\ufff9",
    "\x00", "\x07", "\x1b", "\x7f", "\x85", "\r", "\ud800",
]  # fmt: skip
WRITING = [
    "plain text\n\twith lines\r\n",
    "naïve café — “quoted” … ½",
    "👩\u200d💻 and 👨\u200d👩\u200d👧 and ❤\ufe0f and 🏳\ufe0f\u200d🌈 and 👍🏽",
    "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "نحتفظ بالجلسات في Redis",
    "می\u200cخواهم",
    "החלטה: לשמור ב־Redis",
    "क्\u200dष",
    "葛\U000e0100城",
    "決定記録 결정 решение",
]


@pytest.mark.parametrize("character", HIDDEN, ids=lambda character: f"{ord(character):04X}")
def test_hidden_characters_are_shown(character: str) -> None:
    """Each hidden character in a word is written out."""
    assert f"pass[U+{ord(character):04X}]word" == visible(f"pass{character}word")


@pytest.mark.parametrize("text", WRITING)
def test_writing_stays(text: str) -> None:
    """Emoji sequences, right-to-left text and scripts that join stay as they are."""
    assert (text, ()) == (visible(text), invisible(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("👍\ufe0f\ufe0f", "👍\ufe0f[U+FE0F]"),
        ("a\u200d💻", "a[U+200D]💻"),
        ("👩\u200da", "👩[U+200D]a"),
        ("🏴\U000e0061\U000e0062\U000e007f", "🏴[U+E0061][U+E0062][U+E007F]"),
        ("م\u200c\u200cن", "م[U+200C][U+200C]ن"),
        ("5\ufe0f", "5[U+FE0F]"),
        ("a\rb", "a[U+000D]b"),
    ],
)
def test_what_only_looks_like_writing_is_shown(text: str, shown: str) -> None:
    """A joiner, a selector or a tag where no sequence needs it is shown."""
    assert shown == visible(text)


def test_hidden_characters_are_named_once() -> None:
    """The names stand in the order met, each once."""
    assert ("U+200B ZERO WIDTH SPACE", "U+001B CONTROL", "U+202E RIGHT-TO-LEFT OVERRIDE") == invisible(
        "a\u200bb\x1b\u200bc\u202e"
    )


@given(st.text(st.one_of(st.characters(), st.sampled_from(HIDDEN + list("👩💻🏴م葛5"))), max_size=40))
def test_showing_twice_changes_nothing(text: str) -> None:
    """What was shown has nothing left to show, and nothing else was changed."""
    shown = visible(text)

    assert shown == visible(shown)
    assert () == invisible(shown)
    assert (shown == text) == (not invisible(text))
