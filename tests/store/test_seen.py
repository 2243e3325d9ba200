"""What is remembered of logs is a cache: right as long as they do not change, and nothing is lost without it."""

from pathlib import Path

import pytest

from handoffsite.store.seen import Looked


def kept(cache: Path, log: str = "log", version: str = "1") -> Looked:
    looked = Looked.load(cache, version)
    looked.keep(log, "10.1", ["said"])
    looked.record("/atlas", f"{log}#one", "10.1")
    looked.save()
    return looked


def test_what_was_kept_is_known_to_the_next_process(tmp_path: Path) -> None:
    """As long as the log is as it was."""
    log = tmp_path / "log"
    log.touch()
    kept(tmp_path / "cache", str(log))

    looked = Looked.load(tmp_path / "cache", "1")

    assert (["said"], None, None) == (looked.said(str(log), "10.1"), looked.said(str(log), "11.2"), looked.said("other", "10.1"))
    assert ("10.1", "", "") == (
        looked.recorded("/atlas", f"{log}#one"),
        looked.recorded("/atlas", f"{log}#two"),
        looked.recorded("/other", f"{log}#one"),
    )


def test_what_another_version_kept_is_not_used(tmp_path: Path) -> None:
    """It may have read the same log otherwise."""
    kept(tmp_path, version="1")

    assert None is Looked.load(tmp_path, "2").said("log", "10.1")


def test_logs_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    """Clients delete theirs by age: the cache does not grow for ever. One that is only out of sight this time stays."""
    stays, goes = tmp_path / "stays", tmp_path / "goes"
    for log in (stays, goes):
        log.touch()
        kept(tmp_path / "cache", str(log))
    goes.unlink()
    Looked.load(tmp_path / "cache", "1").save()

    looked = Looked.load(tmp_path / "cache", "1")

    assert (["said"], None) == (looked.said(str(stays), "10.1"), looked.said(str(goes), "10.1"))
    assert ("10.1", "") == (looked.recorded("/atlas", f"{stays}#one"), looked.recorded("/atlas", f"{goes}#one"))


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b'{"version": 1}'])
def test_a_damaged_cache_is_an_empty_one(tmp_path: Path, data: bytes) -> None:
    """And is mended by the next that is kept."""
    kept(tmp_path)
    (tmp_path / "logs" / "looked.json").write_bytes(data)

    assert None is Looked.load(tmp_path, "1").said("log", "10.1")


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    """A look at five thousand logs that are known costs no write; and the file is the user's own."""
    log = tmp_path / "log"
    log.touch()
    kept(tmp_path / "cache", str(log))
    file = tmp_path / "cache" / "logs" / "looked.json"
    before = file.stat()

    looked = Looked.load(tmp_path / "cache", "1")
    looked.said(str(log), "10.1")
    looked.save()

    assert before.st_ino == file.stat().st_ino
    assert 0o600 == before.st_mode & 0o777


def test_no_cache_is_no_failure(tmp_path: Path) -> None:
    """Where none can be kept, every log is looked at anew."""
    (tmp_path / "cache").write_text("a file, no folder")

    kept(tmp_path / "cache")

    assert None is Looked.load(tmp_path / "cache", "1").said("log", "10.1")
