"""Logs are told apart by content, opened for no longer than they are read, and survive any damage."""

import contextlib
import csv
import gc
import io
import json
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.errors import HandoffError, Malformed, NotFound, Refused, UsageError
from handoffsite.records.transcript import KEPT_CHARACTERS, Account, Event
from handoffsite.sources import (
    FORMATS,
    Reader,
    identify,
    open_transcript,
    peek,
    read_stream,
    reader_of,
)

SAMPLES = Path(__file__).parents[1] / "samples"
CLAUDE = SAMPLES / "claude-code" / "7b0e5a52-3c1d-4e6f-9a21-5d8c4b7e9f10.jsonl"
CODEX = SAMPLES / "codex" / "rollout-2026-11-06T09-00-00-019f4a10-6c2b-7d3e-8a41-2b5c7d9e1f30.jsonl"
LOGS = [CLAUDE, *sorted(SAMPLES.glob("claude-code/[1e]*.jsonl")), *sorted(SAMPLES.glob("codex/*.jsonl"))]
READERS = {name: reader_of(name) for name in FORMATS}

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
COLUMNS = ("lines", "bad", "multi", "human", "assistant", "calls", "results", "unanswered", "errors", "sidechain")

# Where we count on purpose what the independent count does not: it took only events for prompts and answers, which logs
# without events have none of, and it did not look into blocks of an export that is one document.
OURS = {
    "codex/agentsview_function_calls.jsonl": {"human": 1},
    "codex/agentsview_standard_session.jsonl": {"human": 1, "assistant": 1},
    "codex/git-ai_codex-session-simple.jsonl": {"human": 1, "assistant": 1},
    "codex/git-ai_codex-session-updated.jsonl": {"human": 1, "assistant": 1},
    "claude-code/simonw_sample_session.json": {"human": 5, "calls": 12, "results": 12, "errors": 1},
    # The rough columns: results were not looked for inside calls, nor failures in them, nor tool results among prompts.
    "antigravity/agent-sessions_cli_small.jsonl": {"results": 9},
    "cursor/git-ai_cursor-session-simple.jsonl": {"unanswered": 10},
    "droid/git-ai_droid-session.jsonl": {"human": 1, "results": 5},
    "gemini-cli/git-ai_gemini-session-simple.jsonl": {"unanswered": 4},
    "pi/pi-mono_before-compaction.jsonl": {"results": 448, "unanswered": 6, "errors": 12},
    "pi/pi-mono_large-session.jsonl": {"results": 373, "unanswered": 18, "errors": 19},
}
FOLDERS = {"swe-agent-traj": "swe-agent", "openai-messages": "messages"}  # where a folder is not called as its format is
NO_LOGS = ("adr", "notes", "hook-payloads")


def counted() -> list[dict[str, str]]:
    if not CORPUS.is_dir():
        return []
    with (CORPUS / "COUNTS.tsv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["file"].partition("/")[0] in READERS]


def reads(path: Path) -> Reader:
    return READERS[path.parent.name]


def read(reader: Reader, data: bytes) -> tuple[list[Event], Account]:
    transcript = reader.read(io.BytesIO(data))
    return list(transcript), transcript.account


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not part of the repository")
@pytest.mark.parametrize("row", counted(), ids=lambda row: row["file"])
def test_counts_agree_with_an_independent_count(row: dict[str, str]) -> None:
    """Of real logs, each number in the account is the one that somebody else counted."""
    transcript = open_transcript(CORPUS / row["file"])
    for _ in transcript:
        pass
    expected = {column: int(row[column]) for column in COLUMNS} | OURS.get(row["file"], {})

    assert row["file"].partition("/")[0] == transcript.format
    assert expected == {column: getattr(transcript.account, column) for column in COLUMNS}


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not part of the repository")
def test_what_is_no_log_is_taken_for_none() -> None:
    """Notes, decisions and hooks' payloads are refused, not misread."""
    others = [path for folder in NO_LOGS for path in (CORPUS / folder).rglob("*") if path.is_file()]
    taken = [path.name for path in others if any(reader.detect(path.read_bytes()[:65536]) for reader in READERS.values())]

    assert others
    assert [] == taken


@pytest.mark.skipif(not CORPUS.is_dir(), reason="real logs are not part of the repository")
def test_every_real_log_is_read_as_its_own_agents() -> None:
    """Each file of a format is recognised by content, whatever it is called; labels and records beside it are none."""
    wrong = {}
    for folder in sorted(path for path in CORPUS.iterdir() if path.is_dir() and path.name not in NO_LOGS):
        for path in sorted(one for one in folder.rglob("*") if one.is_file() and not one.name.endswith(".truth.json")):
            with contextlib.suppress(HandoffError):
                found = identify(path.read_bytes()[:65536], path.name).NAME
                if found != FOLDERS.get(folder.name, folder.name):
                    wrong[str(path.relative_to(CORPUS))] = found

    assert {} == wrong


@pytest.mark.parametrize("log", [*LOGS, SAMPLES / "claude-code" / "export.json"], ids=lambda path: path.name[:18])
def test_each_log_has_one_reader(log: Path) -> None:
    """The content names exactly one format, whatever the file is called."""
    head = log.read_bytes()[:65536]

    assert [log.parent.name] == [reader.NAME for reader in READERS.values() if reader.detect(head)]


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_has_a_sample_of_its_own(name: str) -> None:
    """Somebody who changes a reader sees in a real file what it reads, and no other reader takes that for its own."""
    files = [path for path in (SAMPLES / name).rglob("*") if path.is_file() and not path.name.endswith((".events.json", ".sql"))]
    found = set()
    for path in files:
        with contextlib.suppress(HandoffError):
            found.add(identify(path.read_bytes()[:65536], path.name).NAME)

    assert {name} == found


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file is empty"),
        (b"\0" * 4096, "the file holds only NUL bytes"),
        (b"\x7fELF\0\0\x01", "the file is binary"),
        (b"SQLite format 3\0\x10\0", "an SQLite database without OpenCode's tables session, message and part"),
        (b"\x28\xb5\x2f\xfd\x04", "compressed with zstd"),
        (b"\x1f\x8b\x08\0", "compressed with gzip"),
        (b"# Notes\n\nWe did it.\n", "no JSON object in its first 64 KiB"),
        (b'{"name":"atlas","version":"1.0.0"}\n', "JSON of another kind, its first object has the keys name, version"),
    ],
)
def test_what_is_no_log_is_called_what_it_is(head: bytes, said: str) -> None:
    """The error says what the file holds, what was looked for, where, and what to do."""
    with pytest.raises(Malformed) as caught:
        identify(head, "x.jsonl")

    assert f"x.jsonl: {said}; looked for a session log of {', '.join(FORMATS)}" == str(caught.value)
    assert caught.value.hint


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    """A missing file, a folder and an unknown format are errors of ours, with the path."""
    for path, kind in ((tmp_path / "none.jsonl", NotFound), (tmp_path, Refused)):
        for reading in (open_transcript, peek):
            with pytest.raises(kind) as caught:
                reading(path)

            assert str(path) == caught.value.file
    with pytest.raises(UsageError, match="'gemini' is no format"):
        open_transcript(CLAUDE, "gemini")


def test_a_file_may_vanish_between_opening_and_reading(tmp_path: Path) -> None:
    """That is an error of ours, too."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(CLAUDE.read_bytes())
    transcript = open_transcript(path)
    path.unlink()

    with pytest.raises(NotFound):
        list(transcript)


def test_a_given_format_is_not_doubted(tmp_path: Path) -> None:
    """A log whose head is damaged beyond recognition is read as what the user says it is, unless there is nothing."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"x" * 70_000 + b"\n" + CLAUDE.read_bytes())

    with pytest.raises(Malformed):
        open_transcript(path)
    assert [event for event in open_transcript(path, "claude-code") if event.kind == "prompt"]
    path.write_bytes(b"\n")
    with pytest.raises(Malformed, match="empty"):
        open_transcript(path, "codex")


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir()) if Path("/proc/self/fd").is_dir() else 0


@pytest.mark.parametrize("log", [CLAUDE, CODEX], ids=["claude-code", "codex"])
def test_a_file_is_open_only_while_it_is_read(log: Path) -> None:
    """Neither a log that was read to the end nor one that was given up halfway, nor one never read, stays open."""
    before = descriptors()
    unread = open_transcript(log)
    whole = open_transcript(log)
    list(whole)
    abandoned = iter(open_transcript(log))
    next(abandoned)
    if before:
        assert before + 1 == descriptors()
    abandoned.close()  # type: ignore[attr-defined]

    assert before == descriptors()
    del unread, whole, abandoned
    gc.collect()
    assert before == descriptors()


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.name[:18])
def test_a_stream_gives_the_same_session(log: Path) -> None:
    """Standard input is read without seeking, in whatever pieces it comes."""

    class Dripping(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, 700) if size and size > 0 else size)

        def seekable(self) -> bool:
            return False

    streamed = read_stream(Dripping(log.read_bytes()))
    opened = open_transcript(log)

    assert [event for event in opened if not event.agent] == list(streamed)
    assert (opened.account.sha256, opened.account.lines) == (streamed.account.sha256, streamed.account.lines)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name on this system")
def test_a_pipe_with_a_name_is_read_once(tmp_path: Path) -> None:
    """A log that comes through a pipe loses nothing to the look at its head."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(CODEX.read_bytes()))
    writer.start()
    events = list(open_transcript(pipe))
    writer.join()

    assert list(open_transcript(CODEX)) == events


def test_a_peek_tells_whose_a_log_is() -> None:
    """Session, directory and parent are known from the first lines; a sub-agent's log shows that it is one."""
    seen, agent = peek(CLAUDE), peek(CLAUDE.with_suffix("") / "subagents" / "agent-a1f3.jsonl")

    assert (f"claude-code:{CLAUDE.stem}", "/srv/atlas", "") == (seen.source, seen.cwd, seen.agent)
    assert ("a1f3", CLAUDE.stem) == (agent.agent, agent.parent)
    assert ("/srv/atlas", "codex") == (peek(CODEX).cwd, peek(CODEX).format)


def test_a_peek_looks_as_far_as_it_must(tmp_path: Path) -> None:
    """A first line that is longer than a head's worth does not hide the directory."""
    first = {"type": "user", "uuid": "u", "parentUuid": None, "message": {"role": "user", "content": "x" * 200_000}}
    path = tmp_path / "log.jsonl"
    path.write_text(
        json.dumps({key: first[key] for key in ("parentUuid", "type", "uuid", "message")}) + "\n" + CLAUDE.read_text()
    )

    assert ("/srv/atlas", CLAUDE.stem) == (peek(path).cwd, peek(path).session)


@pytest.mark.parametrize(("data", "lines"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2)])
def test_a_last_line_counts_with_and_without_its_newline(data: bytes, lines: int) -> None:
    """As an editor numbers them."""
    assert lines == read(READERS["claude-code"], data)[1].lines


# What may be written over a line: no hexadecimal digit, so that no ID becomes that of another entry.
NOISE = st.binary(min_size=1, max_size=12).map(
    lambda noise: bytes(byte for byte in noise if chr(byte) not in "0123456789abcdefABCDEF\n") or b"\xff"
)


def mutated(data: st.DataObject, lines: list[bytes]) -> tuple[bytes, set[bytes]]:
    """*lines* after a few accidents, and those that are whole all the same."""
    left = list(enumerate(lines))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(0, len(left) - 1)))
        accident = data.draw(st.sampled_from(["delete", "repeat", "overwrite", "insert", "nul", "join"]))
        if not left or accident == "insert":
            left.insert(at, (-1, data.draw(NOISE)))
        elif accident == "delete":
            del left[at]
        elif accident == "repeat":
            left.append(left[at])
        elif accident == "nul":
            left.insert(at, (-1, b"\0" * data.draw(st.integers(1, 400))))
        elif accident == "overwrite":
            index, line = left[at]
            place = data.draw(st.integers(0, len(line)))
            noise = data.draw(NOISE)
            left[at] = (-1, line[:place] + noise + line[place + len(noise) :]) if line else (index, line)
        elif at + 1 < len(left) and left[at][0] >= 0 and left[at + 1][0] >= 0:
            left[at : at + 2] = [(left[at][0], left[at][1]), (-2, left[at + 1][1])]
    damaged = b"\n".join(line for _, line in left) + b"\n"
    cut = data.draw(st.integers(0, len(damaged)))
    kept = damaged[:cut].split(b"\n")[:-1]
    whole = {line for index, line in left if index >= 0}
    return damaged[:cut], whole & set(kept)


def statements(events: Iterable[Event]) -> set[tuple[str, str]]:
    """What does not depend on other lines; a call's text may tell of the command that it looks after."""
    told = ("prompt", "text", "thinking", "link", "undo")
    return {(event.kind, event.call or event.text) for event in events if event.kind in told or event.kind == "call"}


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.name[:18])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damage_never_costs_more_than_its_lines(log: Path, data: st.DataObject) -> None:
    """Cut anywhere, lines lost, repeated or overwritten: nothing is raised, and what is whole is told."""
    reader = reads(log)
    lines = log.read_bytes().rstrip(b"\n").split(b"\n")
    damaged, whole = mutated(data, lines)
    events, account = read(reader, damaged)
    numbers = {number for number, line in enumerate(lines, 1) if line in whole}
    before = [event for event in read(reader, b"\n".join(lines) + b"\n")[0] if event.line in numbers]

    assert statements(before) <= statements(events)
    assert damaged.count(b"\n") + (not damaged.endswith(b"\n") and damaged != b"") == account.lines


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud83d\x1b[0m\0"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.sampled_from(["type", "id", "text"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def altered(data: st.DataObject, value: Any) -> Any:
    """*value* with something else in one place of it."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 5)):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: altered(data, value[key])}
    if isinstance(value, list) and value and data.draw(st.integers(0, 5)):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], altered(data, value[at]), *value[at + 1 :]]
    return data.draw(ANYTHING)


def check(event: Event) -> None:
    """An event's fields are what they are declared to be, and can all be written."""
    texts = (
        event.kind,
        event.actor,
        event.text,
        event.time,
        event.tool,
        event.name,
        event.call,
        event.message,
        event.agent,
        *event.paths,
    )

    assert all(isinstance(text, str) for text in texts)
    assert len(event.text) <= KEPT_CHARACTERS
    assert isinstance(event.ok, bool | None)
    assert isinstance(event.exit, int | None)
    assert event.line > 0
    json.dumps([texts, dict(event.data)], ensure_ascii=False).encode()


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.name[:18])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_entries_of_any_shape_are_taken(log: Path, data: st.DataObject) -> None:
    """A value of another type anywhere in an entry costs at most that entry's event."""
    entries = [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(entries) - 1))
        entries[at] = altered(data, entries[at])
    text = "".join(json.dumps(entry) + "\n" for entry in entries)
    for event in read(reads(log), text.encode())[0]:
        check(event)


@settings(max_examples=80, deadline=None)
@given(data=st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Whatever comes in through a stream, the only errors are ours."""
    for reader in READERS.values():
        with contextlib.suppress(HandoffError):
            read(reader, data)
    with contextlib.suppress(HandoffError):
        list(read_stream(io.BytesIO(data)))
