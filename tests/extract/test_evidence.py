"""Evidence: where a proof stands and what it says."""

import pytest

from handoffsite.extract.evidence import Proof, chosen, digest, first_line, proof
from handoffsite.records.transcript import Event


def test_a_proof_quotes_the_first_line_that_says_something() -> None:
    """A result's blank lines and its second line are left out, and so are terminal codes."""
    event = Event(line=7, kind="result", text="\n\n \x1b[32mok\x1b[0m  all 3\nmore", message="m1", agent="a9")

    assert Proof("transcript:a9:7", "ok all 3", "m1") == proof(event)


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Keep sessions in Redis", 14),
        ("Keep sessions in Redis, because two nodes share them, and nothing else", 14),
        ("Two nodes", 13),
        ("somebody else's words", 11),
        ("", 11),
    ],
)
def test_a_quote_is_found_on_its_own_line(quote: str, expected: int) -> None:
    """Where a text's lines are those of the log, its marks do not matter, nor that a sentence goes on; what is not in it stands where it begins."""
    text = "Here it is:\n\n* Two nodes\n1. **Keep** sessions in `Redis`, because two nodes\n   share them, and nothing else"
    event = Event(line=11, kind="text", text=text, rows=range(11, 16))

    assert f"transcript:{expected}" == proof(event, quote).address
    assert "transcript:11" == proof(Event(line=11, kind="text", text=text), quote).address


def test_of_many_proofs_the_first_and_the_last_are_chosen() -> None:
    """Each address once; the middle is what one can do without."""
    proofs = [Proof(f"transcript:{line}") for line in (1, 1, 2, 3, 4, 5, 6)]

    assert ["1", "2", "5", "6"] == [item.address.removeprefix("transcript:") for item in chosen(proofs, 4)]


def test_a_copy_of_a_message_has_the_same_digest() -> None:
    """The digest depends on the message's ID alone, half a surrogate pair included."""
    assert digest("m\ud83d") == digest("m\ud83d")
    assert "2c26b46b" == digest("foo")


def test_nothing_has_no_first_line() -> None:
    """An empty output is quoted as nothing."""
    assert "" == first_line(" \n\t\n")


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("M src/a.py", "Success. Updated the following files:\nM src/a.py"),
        ("error: no space", "Exit code 101\n   Compiling shop v0.1.0\nerror: no space"),
        (
            "Successfully installed redis-5.1.0",
            "Collecting redis==5.1.0\n  Downloading redis\nSuccessfully installed redis-5.1.0",
        ),
        ("Exit code 1", "Exit code 1\n\n"),
        ("done", "\n done\nmore"),
        ("", ""),
    ],
)
def test_the_first_line_that_says_something_is_quoted(expected: str, text: str) -> None:
    """That a tool has begun or ended is not what proves anything."""
    assert expected == first_line(text)
