"""A log that was compressed says what it says uncompressed; damage costs what stands behind it."""

import io
import sys
from pathlib import Path

import pytest
import zstandard

from handoffsite.clients import codex
from handoffsite.errors import Refused
from handoffsite.sources import compressed, open_transcript, peek

LOG = next((Path(__file__).parents[1] / "samples" / "codex").glob("rollout-2026-11-06*.jsonl"))


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    path = tmp_path / f"{LOG.name}.zst"
    path.write_bytes(zstandard.compress(LOG.read_bytes()))
    return path


def test_a_compressed_log_is_read_as_if_it_were_not(packed: Path) -> None:
    """The same events, lines and digest, and the session's ID from the name."""
    plain, found = open_transcript(LOG), open_transcript(packed)

    assert list(plain) == list(found)
    assert (plain.session, plain.account) == (found.session, found.account)
    assert peek(LOG).session == peek(packed).session


def test_several_frames_are_one_log(tmp_path: Path) -> None:
    """A writer that appends begins a new frame each time."""
    data = LOG.read_bytes()
    path = tmp_path / "log.jsonl.zst"
    path.write_bytes(zstandard.compress(data[:3000]) + zstandard.compress(data[3000:]))

    assert list(open_transcript(LOG)) == list(open_transcript(path))


@pytest.mark.parametrize("rest", [b"", b"\xff" * 40], ids=["cut", "overwritten"])
def test_damage_costs_what_stands_behind_it(tmp_path: Path, rest: bytes) -> None:
    """What was whole before it is read, and the account says that the last line is cut."""
    data = LOG.read_bytes()
    path = tmp_path / "log.jsonl.zst"
    path.write_bytes(zstandard.compress(data[:4000]) + (rest or zstandard.compress(data[4000:])[:20]))
    found = open_transcript(path)
    events = list(found)

    assert events
    assert events == list(open_transcript(LOG))[: len(events)]
    assert found.incomplete
    assert data[:4000].count(b"\n") + 1 == found.account.lines


def test_without_the_package_it_says_what_to_install(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an extra: nobody needs it whose agent does not compress."""
    monkeypatch.setitem(sys.modules, "zstandard", None)

    with pytest.raises(Refused, match="the package that reads it is missing") as refusal:
        open_transcript(packed)
    assert "handoffsite[zstd]" in refusal.value.hint


def test_a_bomb_is_read_piece_by_piece(tmp_path: Path) -> None:
    """No more of it is held at once than was asked for."""
    path = tmp_path / "bomb.zst"
    path.write_bytes(zstandard.compress(b"\0" * (64 << 20)))

    with compressed.opened(path) as stream:
        assert 1000 >= len(stream.read(1000))
    with compressed.opened(LOG) as stream:
        assert isinstance(stream, io.BufferedReader)


def test_a_compressed_copy_is_listed_only_without_its_plain_sibling(tmp_path: Path) -> None:
    """The client compresses old logs; while both lie there, the plain one is the newer."""
    folder = tmp_path / "sessions" / "2026" / "11" / "06"
    folder.mkdir(parents=True)
    for name in ("rollout-1.jsonl", "rollout-1.jsonl.zst", "rollout-2.jsonl.zst"):
        (folder / name).touch()

    assert ["rollout-1.jsonl", "rollout-2.jsonl.zst"] == [
        log.path.name for log in codex.transcripts({"CODEX_HOME": str(tmp_path)})
    ]
