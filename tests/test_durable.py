import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from handoffsite import durable
from handoffsite.errors import Conflict, Refused


def test_a_write_replaces_the_whole_file(tmp_path: Path) -> None:
    """The new bytes are there, and nothing else is left in the folder."""
    path = tmp_path / "a.md"
    durable.write(path, b"old" * 100)
    durable.write(path, b"new")

    assert b"new" == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No space, or no permission: an error of ours, the old content, no litter."""
    path = tmp_path / "a.md"
    durable.write(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="No space left"):
        durable.write(path, b"new")

    assert (b"old", [path]) == (path.read_bytes(), list(tmp_path.iterdir()))


def test_a_new_file_never_replaces(tmp_path: Path) -> None:
    """`create` refuses a name that is taken."""
    durable.create(tmp_path / "a", b"1")

    with pytest.raises(Conflict):
        durable.create(tmp_path / "a", b"2")


def test_litter_of_killed_writers_is_cleared(tmp_path: Path) -> None:
    """What a killed writer left goes, and nothing else."""
    for name in (".a.md.tmp-0123", "a.md", ".gitignore"):
        (tmp_path / name).touch()

    assert 1 == durable.clear_litter(tmp_path)
    assert {"a.md", ".gitignore"} == {path.name for path in tmp_path.iterdir()}


def hold(path: Path, held: Path) -> None:
    with durable.lock(path):
        held.touch()
        time.sleep(60)


def test_death_frees_a_lock(tmp_path: Path) -> None:
    """A second process waits for the holder, gives up in time, and goes on at once when the holder was killed."""
    holder = multiprocessing.get_context("spawn").Process(target=hold, args=(tmp_path / ".lock", tmp_path / "held"))
    holder.start()
    while not (tmp_path / "held").exists():
        time.sleep(0.01)

    with pytest.raises(Conflict, match="locked by another process"), durable.lock(tmp_path / ".lock", timeout=0.05):
        pass
    assert holder.pid
    os.kill(holder.pid, signal.SIGKILL)
    holder.join()
    with durable.lock(tmp_path / ".lock", timeout=5):
        pass


def test_a_link_in_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    """A planted link leads to no write elsewhere."""
    (tmp_path / ".lock").symlink_to(tmp_path / "victim")

    with pytest.raises(OSError, match="Too many levels"), durable.lock(tmp_path / ".lock"):
        pass
    assert not (tmp_path / "victim").exists()


def test_a_cache_folder_is_ours_alone(tmp_path: Path) -> None:
    """Made with 0700; a link, or a folder that others may write to, is not used."""
    made = durable.cache_folder(tmp_path / "root", "a", "b")
    assert made
    assert 0o700 == made.stat().st_mode & 0o777
    (tmp_path / "root" / "link").symlink_to(tmp_path)
    (tmp_path / "root" / "open").mkdir()
    (tmp_path / "root" / "open").chmod(0o777)

    assert [None, None] == [durable.cache_folder(tmp_path / "root", name) for name in ("link", "open")]
