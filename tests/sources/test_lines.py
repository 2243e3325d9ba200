"""Damage costs the line that it is on, and is accounted for."""

import hashlib
import io
import json
from collections.abc import Iterator

import pytest

from handoffsite.records.transcript import Account, Event, Transcript
from handoffsite.sources.lines import (
    FAULTS,
    KEPT_BYTES,
    LONGEST,
    LONGEST_DOCUMENT,
    ROOMY,
    Entry,
    Rejoined,
    documents,
    first_objects,
    left_out,
    whole_text,
)

GOOD = b'{"a":1}'


def nothing(_: Transcript) -> Iterator[Event]:
    return iter(())


def read(data: bytes) -> tuple[list[tuple[int, Entry]], Transcript]:
    transcript = Transcript(format="", read=nothing)
    return list(documents(io.BytesIO(data), transcript)), transcript


def reasons(data: bytes) -> list[tuple[int, str]]:
    return [(skipped.line, skipped.reason) for skipped in read(data)[1].account.skipped]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (b"not json at all", "not JSON: no value at column 1"),
        (b'{"a":', "not JSON: no value at column 6"),
        (b'{"a" 1}', "not JSON: Expecting ':' delimiter at column 6"),
        (b'{"a":"\x01"}', "not JSON: Invalid control character at column 7"),
        (b"\0" * 300, "300 NUL bytes"),
        (b"[" * 100_000, "not JSON that can be read: nested too deeply"),
        (b'{"a":' + b"9" * 5_000 + b"}", "not JSON that can be read: a number with thousands of digits"),
        (b"42", "not an object but a number"),
        (b'"text"', "not an object but a text"),
        (b"[1]", "not an object but a list"),
        (b"null", "not an object but null"),
        (b"true", "not an object but a truth value"),
        (b"\xff\xfe{", "not JSON: no value at column 1"),
    ],
)
def test_damage_costs_its_line(damage: bytes, reason: str) -> None:
    """A line that holds no object is named with its reason, and its neighbours are read."""
    data = GOOD + b"\n" + damage + b"\n" + GOOD + b"\n"

    assert [(1, {"a": 1}), (3, {"a": 1})] == read(data)[0]
    assert [(2, reason)] == reasons(data)


def test_a_last_line_that_is_cut_is_no_corruption() -> None:
    """Its writer may still be at it: the log is incomplete, and the lines before it are used."""
    entries, transcript = read((GOOD + b"\n") * 20 + b'{"type":"assist')

    assert 20 == len(entries)
    assert transcript.incomplete
    assert (21, 1) == (transcript.account.lines, transcript.account.bad)
    assert [21] == [skipped.line for skipped in transcript.account.skipped]


def test_a_last_line_needs_no_newline() -> None:
    """A whole object at the end is used, whether or not a newline follows."""
    entries, transcript = read(GOOD + b"\n" + GOOD)

    assert [(1, {"a": 1}), (2, {"a": 1})] == entries
    assert not transcript.incomplete
    assert 2 == transcript.account.lines


def test_two_documents_on_one_line_are_both_read() -> None:
    """Two writers without a newline between them lose nothing."""
    entries, transcript = read(GOOD + GOOD + b"\n" + GOOD + b'{"b":\n')

    assert [(1, {"a": 1}), (1, {"a": 1}), (2, {"a": 1})] == entries
    assert (1, 0) == (transcript.account.multi, transcript.account.bad)
    assert [(2, "the rest of the line, from column 8: not JSON: no value at column 13")] == [
        (skipped.line, skipped.reason) for skipped in transcript.account.skipped
    ]


def test_an_entry_behind_nul_bytes_is_read() -> None:
    """A run of NUL bytes that swallowed the newline before an entry does not cost that entry."""
    data = GOOD + b"\n" + b"\0" * 300 + GOOD + b"\n"

    assert [(1, {"a": 1}), (2, {"a": 1})] == read(data)[0]
    assert [(2, "300 NUL bytes before the entry, which was read")] == reasons(data)


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf" + GOOD + b"\n", GOOD + b"\r\n", b"  " + GOOD + b" \n", b"\n\n" + GOOD + b"\n"])
def test_what_editors_add_is_no_damage(data: bytes) -> None:
    """A byte order mark, CR LF, blanks and empty lines are passed over in silence."""
    entries, transcript = read(data)

    assert [{"a": 1}] == [entry for _, entry in entries]
    assert [] == transcript.account.skipped


def test_lines_and_digest_are_those_of_the_bytes() -> None:
    """The account counts physical lines and digests the file as it is."""
    account = read(b"\n\n" + GOOD + b"\n")[1].account

    assert (3, 10) == (account.lines, account.bytes)
    assert hashlib.sha256(b"\n\n" + GOOD + b"\n").hexdigest() == account.sha256


@pytest.mark.parametrize("opening", ['{"loglines": ', '{\n "version": 2,\n "loglines":\n ', ""])
def test_a_document_over_many_lines_is_read_entry_by_entry(opening: str) -> None:
    """An export that was laid out for reading gives its entries, each with the line that it starts on."""
    entries = [{"n": 1, "message": {"content": ["a"]}}, {"n": 2}]
    text = opening + json.dumps(entries, indent=2) + ("}" if opening else "") + "\n"
    read_back, transcript = read(text.encode())

    assert entries == [entry for _, entry in read_back]
    assert [text[: text.index(f'"n": {n}')].count("\n") for n in (1, 2)] == [line for line, _ in read_back]
    assert [] == transcript.account.skipped


def test_entries_that_were_each_laid_out_are_read() -> None:
    """What a pretty-printer made of a log's lines is read like the lines."""
    entries = [{"n": 1}, {"n": 2, "m": {}}]
    read_back, _ = read("\n".join(json.dumps(entry, indent=4) for entry in entries).encode())

    assert [(1, entries[0]), (4, entries[1])] == read_back


def test_damage_in_a_document_costs_one_entry() -> None:
    """The entry behind a damaged one is found again by its indentation."""
    text = json.dumps([{"n": n, "text": "x"} for n in range(4)], indent=2).replace('"n": 1', '"n" 1')
    entries, transcript = read(text.encode())

    assert [0, 2, 3] == [entry["n"] for _, entry in entries]
    assert [6] == [skipped.line for skipped in transcript.account.skipped]


def test_a_document_that_is_cut_is_incomplete() -> None:
    """Inside an entry or between two: what was whole is used."""
    text = json.dumps([{"n": n} for n in range(3)], indent=2)
    for end in (text.index('"n": 2') + 3, text.index("},", text.index('"n": 1')) + 1):
        entries, transcript = read(text[:end].encode())

        assert [0, 1] == [entry["n"] for _, entry in entries]
        assert transcript.incomplete


def test_a_ruined_document_is_given_up() -> None:
    """Where nearly everything is damaged, the search for the rest ends."""
    account = read(b"[\n" + b'  {"a" 1},\n' * 200_000 + b"]\n")[1].account

    assert FAULTS + 1 == account.bad
    assert account.skipped[-1].reason.endswith("the rest was not read")


def test_an_export_on_one_line_is_read() -> None:
    """The same export without line breaks gives the same entries, all on line 1."""
    assert [(1, {"n": 1}), (1, {"n": 2})] == read(b'{"loglines": [{"n": 1}, {"n": 2}]}')[0]
    assert [(1, {"n": 1}), (1, {"n": 2})] == read(b'[{"n": 1}, {"n": 2}]\n')[0]


def test_a_line_beyond_all_measure_is_left_out_by_name() -> None:
    """A line that cannot be held is named, and the next one is read."""

    class Endless(io.RawIOBase):
        """70 MiB of one line, then a good one; no more than a chunk of it exists at a time."""

        left = LONGEST + (6 << 20)

        def read(self, size: int = -1, /) -> bytes:
            size = min(size, self.left)
            self.left -= size
            if size:
                return b"x" * size
            tail, Endless.tail = Endless.tail, b""
            return tail

        tail = b"\n" + GOOD + b"\n"

    transcript = Transcript(format="", read=nothing)

    assert [(2, {"a": 1})] == list(documents(Endless(), transcript))
    assert [(1, "more than 64 MiB, or 16 MiB of short values")] == [(one.line, one.reason) for one in transcript.account.skipped]


@pytest.mark.parametrize("unit", ["x", "é", "\U0001f600", "\\", '"', "\n", "\ud83d", "\\u", "a\\"])
@pytest.mark.parametrize("shift", [0, 1, 5])
def test_long_strings_lose_their_middle_and_stay_json(unit: str, shift: int) -> None:
    """Whatever stands at the cut, an escape or a character of several bytes, the line can be parsed."""
    ascii_only = shift == 1 or unit == "\ud83d"
    once = json.dumps(unit, ensure_ascii=ascii_only).encode()[1:-1]
    line = b'{"text":"' + b"s" * shift + once * (ROOMY // len(once)) + b'","after":1}'
    entries, transcript = read(line + b"\n")

    assert [] == transcript.account.skipped
    assert 1 == entries[0][1]["after"]
    assert len(entries[0][1]["text"]) < 3 * KEPT_BYTES
    assert left_out(entries[0][1]["text"]) > len(line) - 2 * KEPT_BYTES - 40


def test_first_objects_need_no_whole_file() -> None:
    """The head of a file, cut anywhere, gives the objects that stand whole in it."""
    assert [{"a": 1}] == list(first_objects(GOOD + b"\n" + GOOD[:4]))
    assert [] == list(first_objects(b'{"a": "' + b"x" * 70_000))


def test_a_stream_is_whole_after_a_look_at_its_beginning() -> None:
    """Nothing is read twice, and nothing is lost."""
    whole = Rejoined(io.BytesIO(b"abcdefgh"), 5)

    assert (b"abcde", [b"abc", b"de", b"fgh", b""]) == (whole.head, [whole.read(3) for _ in range(4)])


@pytest.mark.parametrize(("data", "text", "lines"), [(b"", "", 0), (b"a\nb\n", "a\nb", 2), (b"a\nb", "a\nb", 2), (b"\n", "", 1)])
def test_a_text_is_read_as_a_whole(data: bytes, text: str, lines: int) -> None:
    """The account has its size and digest."""
    account = Account()

    assert text == whole_text(io.BytesIO(data), account)
    assert (lines, len(data), hashlib.sha256(data).hexdigest()) == (account.lines, account.bytes, account.sha256)


def test_of_a_text_that_is_too_long_the_whole_lines_are_read() -> None:
    """The account says from where on nothing was, and is of the whole file."""
    line = b"x" * (LONGEST_DOCUMENT // 4) + b"\n"
    account = Account()
    text = whole_text(io.BytesIO(line * 5), account)

    assert (3, [4], 5 * len(line)) == (text.count("\n") + 1, [one.line for one in account.skipped], account.bytes)
