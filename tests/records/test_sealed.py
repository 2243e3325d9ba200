import os
import random
from collections.abc import Callable

import pytest

from handoffsite.records import sealed, state
from handoffsite.records.decision import Decision
from handoffsite.records.item import Item
from handoffsite.records.state import State


def sample(count: int = 20, generation: int = 7) -> bytes:
    when = "2026-11-01T00:00:00Z"
    items = [
        Item(value=Decision(id=f"D-{n}-abc", title=f"Decision {n} · 决策", rationale="Because of this " * 9), session="S-1-abc", defined=when, touched=when)
        for n in range(1, count + 1)
    ]  # fmt: skip
    shown = State(
        project="atlas",
        generation=generation,
        record_set="a1" * 32,
        limit=2000,
        focus="Ship sign-in",
        decisions=items,
        decided=count,
    )
    return state.dumps(shown)[0].encode()


def test_what_was_written_is_whole() -> None:
    """With its generation, record set and digest; also with the line ends and the mark at the start that an editor gives it."""
    data = sample()

    found = [sealed.condition(one) for one in (data, data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data, data + b"\n\n")]

    assert ["whole"] * 4 == [one.kind for one in found]
    assert (7, "a1" * 8) == (found[0].generation, found[0].record_set)


def test_a_cut_is_found_at_every_byte() -> None:
    """4 kB and more, each length: truncated, never whole, and never an edit by hand."""
    data = sample()

    assert 4_000 <= len(data)
    assert {"truncated"} == {sealed.condition(data[:length]).kind for length in range(len(data))}


def test_a_tail_of_nul_bytes_is_found() -> None:
    """In place of the end of the file, or behind it, however many: truncated, with the line."""
    data = sample()

    for length in (*range(0, len(data), 97), len(data)):
        for count in (1, 4096):
            found = sealed.condition(data[:length] + bytes(count))
            assert ("truncated", True) == (found.kind, found.line > 0)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda data: data.replace(b"accepted", b"retired", 1), "edited"),
        (lambda data: data + b"- one more\n", "edited"),
        (lambda data: data.replace(b"## Focus", b"##  Focus"), "edited"),
        (lambda data: data + sample(30), "malformed"),
        (lambda data: data + sample(30)[len(data) :], "malformed"),
        (lambda data: data.replace("决".encode(), b"\xe5\x86"), "malformed"),
        (lambda data: data.replace(b"## Focus\n", b"<<<<<<< ours\n## Focus\n=======\n>>>>>>> theirs\n"), "conflict"),
        (lambda data: data.replace(b"state@1", b"state@12"), "newer"),
        (lambda _: b"# Project state\n\n## Decisions\n\n- one\n", "foreign"),
        (lambda _: b"---\nphase: 3\n---\n# State\n", "foreign"),
        (lambda _: os.urandom(64).replace(b"\0", b"x") + b"\xff", "foreign"),
        (lambda data: data[data.index(b"<!-- handoffsite:end") :], "edited"),
        (lambda data: data[: data.rindex(b"sha256=")] + b"sha256=0 -->\n", "truncated"),
    ],
    ids=["word", "appended", "spacing", "two files", "tail of an older one", "no text", "merge", "newer", "foreign", "foreign front matter", "binary", "only the footer", "footer cut"],
)  # fmt: skip
def test_each_fault_is_told_from_the_others(change: Callable[[bytes], bytes], kind: str) -> None:
    """An edit by hand is valid text with another digest; everything else is no edit."""
    assert kind == sealed.condition(change(sample())).kind


def test_an_older_version_is_whole_and_says_its_age() -> None:
    """What was put back from a backup is no edit: its footer fits, and names the generation and the records that it was folded from."""
    found = sealed.condition(sample(10, generation=3))

    assert ("whole", 3) == (found.kind, found.generation)


def test_a_flipped_bit_is_never_whole() -> None:
    """500 single bits, anywhere: the file is never taken for the one that was written."""
    data, chance = sample(), random.Random(4)  # noqa: S311 -- the same bits each time
    text = data.decode()

    for _ in range(500):
        at = chance.randrange(len(data))
        flipped = bytearray(data)
        flipped[at] ^= 1 << chance.randrange(8)
        found = sealed.condition(bytes(flipped))
        assert found.kind != "whole" or found.text != text
