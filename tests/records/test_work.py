"""WORK.md as text: what is written is read back, whatever it says, and damage is told apart from an edit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import HandoffError
from handoffsite.records import grammar, mail, work
from handoffsite.records.mail import NOTHING, Message, Receipt
from handoffsite.records.redaction import Redactor
from handoffsite.records.work import Work

STRUCTURE = (
    "## For the planner",
    "# executor",
    "### M-3-k3f from planner, 2026-11-30T18:02:11Z",
    "### M-9 of old",
    NOTHING,
    f"\\{NOTHING}",
    "\\\\## For the executor",
    "<!-- handoffsite:end work lines=1 sha256=00 -->",
    "<<<<<<< ours",
    "=======",
    ">>>>>>> theirs",
    "```",
    "~~~",
    "---",
    "",
    "  indented",
    "plain words",
)
TEXTS = st.one_of(st.lists(st.sampled_from(STRUCTURE), min_size=1, max_size=8).map("\n".join), st.text(min_size=1, max_size=80))


def message(text: str, number: int = 3, to: str = "executor", **fields: object) -> Message:
    made = Message(project="atlas", to=to, sender="planner", sent="2026-11-30T18:02:11Z", text=text, **fields)  # type: ignore[arg-type]
    return mail.numbered(mail.cleaned(made, Redactor(key=b"k")), number, "b0")


def readable(text: str) -> bool:
    try:
        message(text)
    except HandoffError:
        return False
    return True


SAMPLE = Work(
    project="atlas",
    serial=7,
    highest=4,
    messages=(
        message("Write the migration.\n\n- one\n- two", taken=Receipt(by="executor", at="2026-11-30T18:03:11Z", generation=42)),
        message("Which table?", 4, "planner", despite=("C-8-k3f", "C-9-x2m")),
    ),
)


@given(st.lists(TEXTS.filter(readable), max_size=3), st.lists(TEXTS.filter(readable), max_size=2))
def test_whatever_a_message_says_comes_back(executor: list[str], planner: list[str]) -> None:
    """Headings of ours, sentinels, fences, footers and merge markers inside a message are words like others."""
    sent = [message(text, place + 1) for place, text in enumerate(executor)]
    sent += [message(text, place + 10, "planner") for place, text in enumerate(planner)]
    whole = Work(project="atlas", serial=1, highest=12, messages=tuple(sent))

    assert whole == work.loads(work.dumps(whole), "WORK.md")


@given(TEXTS.filter(readable))
def test_a_cleared_message_comes_back(text: str) -> None:
    """The file under mail/ holds the message whole."""
    taken = Receipt(by="codex", at="2026-11-30T18:03:11Z", generation=4)
    one = mail.CleanMessage(message(text, taken=taken, despite=("C-8-k3f",), cleared="2026-11-30T18:04:11Z"))

    assert one == mail.loads(mail.dumps(one), "mail/M-3.md")


def test_an_empty_section_holds_the_sentinel() -> None:
    """The form of the file is a public contract."""
    text = work.dumps(Work(project="atlas"))

    assert text.count(f"\n{NOTHING}\n") == 2
    assert "\n## For the executor\n" in text
    assert "\n## For the planner\n" in text


@pytest.mark.parametrize("data", [work.dumps(SAMPLE), mail.dumps(mail.CleanMessage(SAMPLE.messages[0]))], ids=["WORK.md", "mail"])
def test_a_cut_is_found_at_every_byte(data: str) -> None:
    """No part of a file of the mailbox passes for the whole."""
    read = work.loads if data.startswith("---\nschema: handoffsite/work") else mail.loads
    whole = data.encode()
    for end in range(len(whole) - 1):
        with pytest.raises(HandoffError) as found:
            read(whole[:end].decode("utf-8", "ignore"), "F")

        assert found.value.code == "truncated"
    assert read is mail.loads or work.loads(data.rstrip("\n"), "WORK.md").edited


def test_damage_is_told_apart() -> None:
    """Cut, filled up with NUL bytes, ended twice, in the middle of a merge, of a later version, or merely edited."""
    text = work.dumps(SAMPLE)
    newer = text.replace("handoffsite/work@1", "handoffsite/work@2")
    merged = text.replace("Which table?", "<<<<<<< ours\nWhich table?\n=======\nWhich one?\n>>>>>>> theirs")
    found = {}
    for name, damaged in {"nul": text + "\0\0", "twice": text + text, "merge": merged, "newer": newer}.items():
        with pytest.raises(HandoffError) as error:
            work.loads(damaged, "WORK.md")
        found[name] = (error.value.code, error.value.line > 0)

    assert found == {"nul": ("nul", True), "twice": ("damaged", True), "merge": ("conflict", True), "newer": ("malformed", True)}
    assert work.loads(text.replace("Which table?", "Which view?"), "WORK.md").edited
    assert not work.loads(text, "WORK.md").edited


@given(st.integers(min_value=0), st.integers(0, 7))
def test_a_flipped_bit_is_seen(place: int, bit: int) -> None:
    """What differs by one bit is damaged, or edited, and never as it was written."""
    data = bytearray(work.dumps(SAMPLE).encode())
    data[place % len(data)] ^= 1 << bit
    try:
        seen = work.loads(data.decode(), "WORK.md").edited
    except (HandoffError, UnicodeDecodeError):
        seen = True

    assert seen


def typed(executor: str, planner: str = NOTHING) -> str:
    body = work.dumps(Work(project="atlas")).partition("<!-- handoffsite:end")
    head = body[0].replace(NOTHING, executor, 1)
    return head[::-1].replace(NOTHING[::-1], planner[::-1], 1)[::-1] + body[1] + body[2]


@pytest.mark.parametrize(
    ("executor", "expected"),
    [
        ("Look at the logs.", "Look at the logs."),
        (f"{NOTHING}\n\nLook at the logs.", "Look at the logs."),
        (f"Look at the logs.\n\n{NOTHING}", "Look at the logs."),
        ("```\n## For the planner\n```\nLook.", "```\n## For the planner\n```\nLook."),
        ("### First\n\nLook.\r\n", "### First\n\nLook."),
    ],
)
def test_a_human_types_under_a_heading(executor: str, expected: str) -> None:
    """What was typed is a message by `human`, without an ID yet; a sentinel left there is none of its words."""
    found = work.loads(typed(executor), "WORK.md")

    assert found.edited
    assert [("", "executor", "human", expected)] == [(one.id, one.to, one.sender, one.text) for one in found.messages]


def test_headings_may_drift() -> None:
    """A known variant of a heading is the heading."""
    text = typed("Look.").replace("## For the executor", "# for executor:").replace("## For the planner", "### Planner")

    assert ["Look."] == [one.text for one in work.loads(text, "WORK.md").of("executor")]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda text: text.replace("## For the planner", ""), 14),
        (lambda text: text.replace("## For the executor", "Hello\n\n## For the executor"), 8),
        (lambda text: text.replace(NOTHING, "### M-3 to whom it may concern", 1), 10),
        (lambda text: text + "\nand one more thing", 17),
    ],
    ids=["no section", "before the sections", "odd head", "behind the footer"],
)
def test_what_cannot_be_understood_is_an_error_with_its_line(change: object, line: int) -> None:
    """Nothing is guessed at in silence."""
    with pytest.raises(HandoffError) as found:
        work.loads(change(work.dumps(Work(project="atlas"))), "WORK.md")  # type: ignore[operator]

    assert ("malformed", line) == (found.value.code, found.value.line)


def test_a_file_without_its_digest_is_welcome_when_it_says_that_it_is_whole() -> None:
    """Whoever writes the whole file by hand ends it with a bare footer."""
    text = "---\nschema: handoffsite/work@1\nproject: atlas\n---\n## For the executor\nLook.\n## For the planner\n"
    found = work.loads(f"{text}<!-- handoffsite:end work -->\n", "WORK.md")

    assert ["Look."] == [one.text for one in found.messages]
    with pytest.raises(HandoffError, match="no footer"):
        work.loads(text, "WORK.md")


def test_resealed_text_is_whole() -> None:
    """A purge takes words out of a sealed file and seals it again."""
    text = work.dumps(SAMPLE).replace("Which table?", "[purged]")

    assert not work.loads(work.resealed(text), "WORK.md").edited
    assert grammar.unseal(work.resealed(text), "F")[1].words == "work"
