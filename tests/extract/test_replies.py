"""What an answer makes of the message before it."""

import pytest

from handoffsite.extract.prose import capital
from handoffsite.extract.replies import agrees, endorsed, picked, proposed, replied, suggested

OPTIONS = """I see two ways, and a third:

1. **Retry in the client**: simple, but callers wait longer
2. Queue the upload (needs a worker)
3. Drop it

Which do you prefer?"""
EITHER = "Some rows are broken. Should I skip the broken rows, or bail out with an error?"
ADVICE = "The report is slow because of the joins. I'd recommend adding an index on created_at. The rest can wait."


@pytest.mark.parametrize(
    ("expected", "message", "reply"),
    [
        ("Move the lock into the store", "I see two ways. Should I move the lock into the store?", "yes, please"),
        ("Add a job for it", "Shall I go ahead and add a job for it?", "sounds good, but let's also name it"),
        (None, "Should I move the lock into the store?", "yes, but use files instead"),
        (None, "Should I move the lock into the store?", "no"),
        (None, "Should I commit?", "yes"),
        (None, "Should I use A or B?", "yes"),
        (None, "It is done.", "yes"),
    ],
)
def test_a_yes_to_one_proposal_is_a_decision(expected: str | None, message: str, reply: str) -> None:
    """A yes with a but, a choice of two, and trifles decide nothing."""
    choice = proposed(message, reply)

    assert expected == (choice and capital(choice.title))


@pytest.mark.parametrize(
    ("expected", "message", "reply"),
    [
        ("Queue the upload", OPTIONS, "the second"),
        ("Queue the upload", OPTIONS, "2"),
        ("Drop it", OPTIONS, "Option 3, please"),
        ("Drop it", OPTIONS, "the last one, but keep a counter"),
        ("Retry in the client: simple, but callers wait longer", OPTIONS, "let's retry in the client"),
        ("Bail out with an error", EITHER, "yes, bail out instead"),
        ("Skip the broken rows", EITHER, "skip them"),
        ("Ask the operator instead", OPTIONS, "no, ask the operator instead"),
        (None, OPTIONS, "what is the difference?"),
        (None, OPTIONS, "none of them"),
        (None, OPTIONS, "I need to think"),
        (None, OPTIONS, "thanks"),
        (None, EITHER, "yes"),
        (None, "1. Read it\n2. Write it\n\nShould I proceed?", "1"),
        (None, "1. Read it\n2. Write it\n\nDone.", "the second"),
    ],
)
def test_who_picks_an_option_decides(expected: str | None, message: str, reply: str) -> None:
    """By its number, by a word that only it has, or against all of them in other words."""
    choice = picked(message, reply)

    assert expected == (choice and capital(choice.title))


def test_what_was_not_picked_is_the_alternative() -> None:
    """The question is the context."""
    choice = picked(OPTIONS, "the second")

    assert choice is not None
    assert ("accepted", "Which do you prefer?") == (choice.status, choice.context)
    assert ("Retry in the client: simple, but callers wait longer", "Drop it") == choice.alternatives


@pytest.mark.parametrize(
    ("expected", "message", "reply"),
    [
        ("Add an index on created_at", ADVICE, "ok do that"),
        ("Add an index on created_at", ADVICE, "sounds good, and add a test"),
        ("Do not split the parser", "So I would not split the parser. It reads well.", "ok, can you do that for me"),
        ("Keep one file per day", "The better setup is probably: keep one file per day.", "yes"),
        (None, ADVICE, "no"),
        (None, ADVICE, "ok now please write the docs for the importer, too"),
        (None, "What I would improve is the naming.", "ok"),
        (None, "I'd suggest running the tests again.", "ok"),
        (None, "It is slow because of the joins.", "ok"),
    ],
)
def test_who_takes_up_advice_decides(expected: str | None, message: str, reply: str) -> None:
    """A short yes, or the word that this is to be done; who goes on to something else takes up nothing."""
    choice = endorsed(message, reply)

    assert expected == (choice and capital(choice.title))


def test_an_option_goes_before_an_offer_and_advice() -> None:
    """One reply makes one decision."""
    choice = replied(f"{ADVICE}\n\n{OPTIONS}", "ok, the third")

    assert "Drop it" == (choice and choice.title)


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        ("Close the file before the rename", "I think we should close the file before the rename, no?"),
        ("Stop and tell the user if the key is gone", "I think if the key is gone we should stop and tell the user, or?"),
        ("Validate the token first", "Shouldn't we validate the token first?"),
        ("Drop support for old browsers", "How about we drop support for old browsers?"),
        (None, "could we do that too?"),
        (None, "should we run it again?"),
        (None, "Can we add a dark mode?"),
        (None, "I think it is fine"),
    ],
)
def test_a_suggestion_says_what_to_do(expected: str | None, prompt: str) -> None:
    """Not what to look at, and not what only the text before it explains."""
    choice = suggested(prompt)

    assert expected == (choice and capital(choice.title))


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        (True, "You're right, that is safer. Let me change it."),
        (True, "Good point! I'll do so."),
        (False, "Good idea, but the store is read-only."),
        (False, "Let me look at it."),
        (False, "Right now it is cached."),
    ],
)
def test_agreement_stands_at_the_beginning(expected: bool, message: str) -> None:
    """A but takes it back."""
    assert expected is agrees(message)


def test_a_yes_that_goes_to_work_agrees() -> None:
    """A bare yes to a question of fact does not."""
    assert agrees("Yes! The runtime has a watcher. Let me add it.")
    assert agrees("Exactly right. It belongs to the reviewer.")
    assert not agrees("Yes, it does that today.")
    assert suggested("can we put more of it into that?") is None
