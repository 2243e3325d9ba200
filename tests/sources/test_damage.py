"""Logs of lines that were damaged: bytes cut out and put in, and values of other types, at any place."""

import io
import json
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.errors import HandoffError
from handoffsite.sources import claude_code, codex, cursor, droid, pi
from handoffsite.sources.lines import first_objects

SAMPLES = Path(__file__).parents[1] / "samples"
READERS = (claude_code, codex, cursor, droid, pi)
LOGS = [(reader, log) for reader in READERS for log in sorted((SAMPLES / reader.NAME).glob("*.jsonl"))]
TEXTS = [(cursor, SAMPLES / "cursor" / "older.txt")]
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.just("\ud83d\0"),
    st.just([]),
    st.just({}),
    st.just([[1], {"a": 2}]),
)


def named(value: ModuleType | Path) -> str:
    return value.name[:8] if isinstance(value, Path) else value.NAME


@pytest.mark.parametrize(("reader", "log"), [*LOGS, *TEXTS], ids=named)
@settings(max_examples=40)
@given(data=st.data())
def test_damaged_bytes_never_stop_the_reader(reader: Any, log: Path, data: st.DataObject) -> None:
    """Whatever is cut out or put in, what is left is read, and every line that is named is one of the file."""
    whole = log.read_bytes()
    start = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, 3000))

    read(reader, whole[:start] + data.draw(st.binary(max_size=20)) + whole[start + length :])


@pytest.mark.parametrize(("reader", "log"), LOGS, ids=named)
@settings(max_examples=60)
@given(data=st.data())
def test_wrong_types_never_stop_the_reader(reader: Any, log: Path, data: st.DataObject) -> None:
    """A value of another type, at any place, costs no more than what it says."""
    entries = [*first_objects(log.read_bytes())]
    spoil(data, entries)

    read(reader, b"".join(json.dumps(one).encode() + b"\n" for one in entries))


def spoil(data: st.DataObject, holder: Any) -> None:
    """Swap a value somewhere in *holder* for junk."""
    while True:
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if isinstance(holder[key], dict | list) and holder[key] and data.draw(st.integers(0, 3)):
            holder = holder[key]
        else:
            holder[key] = data.draw(JUNK)
            return


def read(reader: Any, log: bytes) -> None:
    """Read *log*, or refuse it; what was read can be written down, and its lines are lines of the log."""
    reader.detect(log)
    transcript = reader.read(io.BytesIO(log))
    try:
        events = list(transcript)
    except HandoffError:
        return
    lines = [one.line for one in events] + [one.line for one in transcript.account.skipped]

    assert all(1 <= line <= max(1, transcript.account.lines) for line in lines)
    json.dumps([asdict(one) for one in events], ensure_ascii=False).encode()
